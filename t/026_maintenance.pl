# SPDX-License-Identifier: GPL-3.0-or-later
# VACUUM, ANALYZE and their kin of a protected table: PostgreSQL tells other sessions
# of its figures only if they came out other than before, which would show whether a
# row came, by plans that are made anew and by pages of the catalog that are read
# again.  Each command runs after a day without rows and after one with; a session of
# the analyst's looks then, and while the command still goes on with another table.
use strict;
use warnings;

use PrivacctTest;
use Test::More;

my $node = new_node('maintenance', fsync => 'off', autovacuum => 'off', 'privacct.require_durable_storage' => 'off');
$node->start;
my $pad = 'repeat(md5(i::text), 300)';
$node->safe_psql('postgres', qq(
	CREATE EXTENSION privacct;
	CREATE ROLE analyst LOGIN;
	CREATE SCHEMA desk AUTHORIZATION analyst;
	ALTER ROLE analyst SET search_path = desk, public, privacct;
	CREATE TABLE plain (patient int NOT NULL, grade int, doc text);
	CREATE TABLE parted (patient int NOT NULL, grade int, doc text) PARTITION BY LIST (grade);
	CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1);
	CREATE TABLE parted_2 PARTITION OF parted FOR VALUES IN (2);
	CREATE TABLE empty (patient int NOT NULL, grade int, doc text);
	CREATE TABLE unprotected (x int);
	CREATE INDEX plain_grade ON plain (grade);
	CREATE INDEX plain_twice ON plain ((grade + grade));
	CREATE INDEX parted_grade ON parted (grade);
	ALTER TABLE plain CLUSTER ON plain_grade;
	INSERT INTO plain SELECT i, 1, $pad FROM generate_series(1, 20) i;
	INSERT INTO parted SELECT i, 1 + i % 2, $pad FROM generate_series(1, 20) i;
	DO \$\$ BEGIN
		PERFORM privacct.protect(t, 'patient', epsilon => 1000, delta => 1e-6, fresh => true), privacct.grant_budget(t, 'analyst', 1000)
		FROM unnest('{plain,parted,empty}'::regclass[]) t;
	END \$\$;
));
my ($analyst, $root, $other) = map { PrivacctTest::session($node, $_) } 'analyst', superuser(), superuser();

# --- what the analyst looks at ---

my @tables = ('plain', 'parted', 'empty');
my @relations = split /\n/, $node->safe_psql('postgres', q(
	WITH own AS (SELECT oid, reltoastrelid FROM pg_class WHERE relname ~ '^(plain|parted|empty)')
	SELECT oid::regclass FROM own UNION SELECT reltoastrelid::regclass FROM own WHERE reltoastrelid > 0 ORDER BY 1));
my $numbers = join ', ', map { "'$_'::regclass" } @relations;
my @numbers = split /\n/, $node->safe_psql('postgres', "SELECT n::oid FROM unnest(ARRAY[$numbers]) n");

# The name of whatever is planned anew, or read from the catalog again.
sub look
{
	my %looks = (
		(map { $relations[$_] => "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF)
			SELECT has_table_privilege(x, 'select') FROM (VALUES ($numbers[$_]::oid)) v(x) WHERE x <> 0" } 0 .. $#relations),
		(map { ("plan of $_" => "EXPLAIN (COSTS OFF) EXECUTE count_$_") } @tables));

	return join ', ', grep { $analyst->say($looks{$_}) =~ /NOTICE|hit=/ } sort keys %looks;
}

$analyst->say('CREATE FUNCTION desk.tell() RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE $a$planned$a$; RETURN 1; END $$');
$analyst->say("PREPARE count_$_ AS SELECT count(*), desk.tell() FROM $_") for @tables;
look();
is(look(), '', 'what nobody changes stays');

# --- nights ---

# Locks the unprotected table so that commands still find it, and runs one until it
# waits there: the transaction in which it worked on the first table has ended by then.
sub run_until_halted
{
	my ($command) = @_;

	$root->say('BEGIN; LOCK unprotected IN SHARE UPDATE EXCLUSIVE MODE');
	$other->send($command);
	$node->poll_query_until('postgres', "SELECT count(*) = 1 FROM pg_locks WHERE relation = 'unprotected'::regclass AND NOT granted");
	return;
}

# What the analyst sees meanwhile and afterwards.
sub night
{
	my ($command, $with_rows) = @_;
	my $meanwhile = '';

	$root->say($with_rows ? "INSERT INTO plain SELECT i, 1, $pad FROM generate_series(1, 40) i;
		INSERT INTO parted SELECT i, 1, $pad FROM generate_series(1, 40) i; INSERT INTO empty VALUES (1, 1)" : 'SELECT 1');
	look() for 1 .. 2;
	if ($command =~ /unprotected/)
	{
		run_until_halted($command);
		$meanwhile = look();
		$root->say('ROLLBACK');
		is($other->answer, '', "$command runs");
	}
	else
	{
		is($root->say($command), '', "$command runs");
	}
	return [ $meanwhile, look() ];
}

sub same_ok
{
	my ($command, @seen) = @_;

	$root->say('TRUNCATE empty; DELETE FROM plain WHERE patient > 20 OR ctid > (SELECT ctid FROM plain WHERE patient = 20 LIMIT 1);
		DELETE FROM parted WHERE patient > 20');
	$root->say($_) for 'VACUUM ANALYZE', $command;
	my $without = night($command, 0);
	my $with = night($command, 1);

	like($without->[$command =~ /unprotected/ ? 0 : 1], qr/plan of/, "$command: plans are made anew though no row came");
	is_deeply($without, $with, "$command: shows no rows");
	return;
}

same_ok($_) for map { ("$_ plain", "$_ plain, unprotected", "$_ parted", "$_ parted_1", "$_ empty", $_) } 'VACUUM', 'ANALYZE', 'VACUUM ANALYZE';
same_ok($_) for 'VACUUM FULL plain', 'CLUSTER plain', 'REINDEX TABLE plain', 'REINDEX INDEX plain_grade',
  'REINDEX TABLE CONCURRENTLY plain', 'REINDEX TABLE parted', 'BEGIN; ANALYZE plain; COMMIT',
  'CREATE INDEX plain_more ON plain (patient); DROP INDEX plain_more';
my ($toast) = grep { /^pg_toast/ } @relations;
same_ok("VACUUM $toast");

$_->hang_up for $analyst, $root, $other;
$node->stop;
done_testing();
