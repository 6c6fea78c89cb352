# SPDX-License-Identifier: GPL-3.0-or-later
# Between charge and release nothing is said to the client, and an error is one
# that is always the same, whoever raises it: here the server itself does, over
# damaged rows, damaged pages and locks.  What a release uses stays as it is
# until it is done.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Utils;
use PrivacctTest;
use LocalTest;
use Test::More;
use Time::HiRes qw(usleep);

my $CONSTANT = qr/\A(?:psql:\S+ )?ERROR:  58PA6: a release on a protected table could not be completed
DETAIL:  It was charged, and nothing was released\.
HINT:  The server log says what happened; ask the database administrator\.
LOCATION:  raise_constant_error, quiet\.c:\d+\s*\z/;

my $node = new_node('closed_world');
$node->start;
$node->safe_psql('postgres', q(
	CREATE ROLE keeper; CREATE ROLE analyst LOGIN;
	CREATE SCHEMA desk AUTHORIZATION analyst;
	GRANT CREATE ON SCHEMA public TO keeper;
	CREATE EXTENSION privacct;
	ALTER ROLE analyst SET search_path = public, privacct;
	GRANT privacct_admin TO keeper;
	SET ROLE keeper;
	CREATE TYPE colour AS ENUM ('red', 'green', 'grey');
	CREATE TABLE person (id int PRIMARY KEY, name text NOT NULL, colour colour NOT NULL, note text);
	ALTER TABLE person ALTER note SET STORAGE EXTERNAL;
	INSERT INTO person SELECT i, 'n' || i, 'red', repeat('x', 3000) FROM generate_series(1, 2000) i;
	UPDATE person SET colour = 'grey' WHERE id = 777;
	CREATE TABLE crowd (id int NOT NULL);
	INSERT INTO crowd SELECT i FROM generate_series(1, 1000000) i;
	CREATE TABLE poll (id int PRIMARY KEY, ward text NOT NULL, note text, smokes boolean);
	ALTER TABLE poll ALTER note SET STORAGE EXTERNAL;
	INSERT INTO poll SELECT i, 'north', repeat('x', 3000), i % 2 = 0 FROM generate_series(1, 50) i;
	DO $$ BEGIN
		PERFORM privacct.protect('person', 'id', epsilon => 1e6, max_groups_contributed => 1, max_rows_contributed => 1, min_epsilon => 1e-6, fresh => true);
		PERFORM privacct.protect('crowd', 'id', epsilon => 1e6, min_epsilon => 1e-6, fresh => true);
		PERFORM privacct.protect('poll', 'id', epsilon => 10, regime => 'local', fresh => true);
		PERFORM privacct.set_domain('poll', 'smokes', ARRAY[true, false]), privacct.set_public('poll', 'note');
		PERFORM privacct.grant_budget(t, 'analyst', 1e5) FROM unnest('{person,poll,crowd}'::regclass[]) t;
	END $$;
	RESET ROLE;
));

sub log_since
{
	my ($offset) = @_;

	return substr(slurp_file($node->logfile), $offset);
}

# The query fails with the constant error and nothing else, is charged, and the log says why.
sub constant_ok
{
	my ($sql, $reason, $name, %option) = @_;
	my $offset = -s $node->logfile;
	my $before = releases($node);
	my (undef, $out, $err) = ask($node, "\\set SHOW_CONTEXT never\n$sql", verbosity => 'verbose', %option);

	like($err, $CONSTANT, "$name: the constant error");
	is($out, '', "$name: no answer");
	is(releases($node) - $before, 1, "$name: charged");
	like(log_since($offset), $reason, "$name: the log says what happened");
	return;
}

# The query is answered, and nothing else is said.
sub silent_ok
{
	my ($sql, $reason, $name) = @_;
	my $offset = -s $node->logfile;
	my (undef, $out, $err) = ask($node, $sql, verbosity => 'verbose');

	is($err, '', "$name: silence");
	like($out, qr/^-?\d+$/m, "$name: an answer");
	like(log_since($offset), $reason, "$name: the log says what happened");
	return;
}

# --- an error that one row raises ---

my $printed = q(SELECT count(*) FROM person WHERE CASE WHEN id = %d THEN colour::text = 'x' ELSE true END);

$node->safe_psql('postgres', q(DELETE FROM pg_enum WHERE enumlabel = 'grey'));
constant_ok(sprintf($printed, 777), qr/22P03|invalid internal value for enum/, 'a damaged enum');
my (undef, $out, $err) = ask($node, sprintf($printed, 778));
is($err, '', 'a row that is not damaged');

# --- whatever catches it learns no more ---

my $caught = q(DO $$ DECLARE s text; m text; d text; h text; c text; n bigint;
BEGIN
	%s;
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS s = RETURNED_SQLSTATE, m = MESSAGE_TEXT, d = PG_EXCEPTION_DETAIL, h = PG_EXCEPTION_HINT, c = PG_EXCEPTION_CONTEXT;
	RAISE NOTICE '%%: %% %% %% %%', s, m, d, h, c;
END $$);
(undef, undef, $err) = ask($node, sprintf($caught, sprintf "SELECT count(*) INTO n FROM person WHERE colour::text = 'x'"), verbosity => 'terse');
like($err, qr/58PA6: a release on a protected table could not be completed It was charged, and nothing was released. The server log/,
	'caught by a function');
unlike($err, qr/enum|invalid|colour::text = 'x'.*parallel/s, 'no more is caught');

# --- a release that ends while it reads: as the cancel or the administrator says, and charged ---

# The signal comes once the charge is durable; where the release is done by then, another try.
sub ends_while_reading
{
	my ($function, $error, $name) = @_;

	for my $try (1 .. 50)
	{
		my $before = releases($node);
		my ($client) = start_clients($node, ['analyst'], 'SELECT count(*) FROM crowd;');
		usleep(1000) while $client->{run}->pumpable && releases($node) == $before;
		$node->safe_psql('postgres', "SELECT $function(pid) FROM pg_stat_activity WHERE usename = 'analyst'");
		finish_clients($client);
		next if $client->{out} ne '';
		like($client->{err}, $error, "$name, and says so");
		is(releases($node), $before + 1, "$name: charged");
		return;
	}
	fail("$name: never in time");
}
ends_while_reading('pg_cancel_backend', qr/ERROR:\s+57014\s*\z/, 'a client cancels');
ends_while_reading('pg_terminate_backend', qr/FATAL:\s+57P01/, 'an administrator ends the session');

# --- long values are not read, so that nothing has to wait for the lock on an index that they need ---

sub toast_index
{
	my ($table) = @_;
	return $node->safe_psql('postgres', "SELECT 'pg_toast.' || relname || '_index' FROM pg_class
		WHERE oid = (SELECT reltoastrelid FROM pg_class WHERE relname = '$table')");
}

my $long = q(SELECT count(*) FROM person WHERE colour = 'red' AND coalesce(substr(note, 1, 1), '') <> 'x');
my $asked = q(SELECT ldp_count(smokes) FROM poll WHERE coalesce(substr(note, 1, 1), '') <> 'x');
my $reindexing = open_session($node, 'postgres');
run_sql($reindexing, 'BEGIN');
run_sql($reindexing, 'REINDEX INDEX ' . toast_index($_)) for 'person', 'poll';
for ($long, $asked)
{
	(undef, my $answer, $err) = ask($node, "SET lock_timeout = '1ms'; $_");
	is($err, '', 'no lock is waited for');
	like($answer, qr/^-?\d+(\.\d+)?$/, 'but answered');
}
run_sql($reindexing, 'ROLLBACK');
close_session($reindexing);

# --- what a release uses stays as it is: here while its charge has to wait ---

my ($added, $dropped);
my $dba = open_session($node, 'postgres');
run_sql($dba, 'BEGIN');
run_sql($dba, 'LOCK TABLE privacct.ledger_line IN EXCLUSIVE MODE');
my ($client) = start_clients($node, ['analyst'], "$long;\n");
usleep(10_000) while $client->{run}->pumpable && $node->safe_psql('postgres',
	q(SELECT count(*) FROM pg_stat_activity WHERE usename = 'analyst' AND wait_event_type = 'Extension')) eq '0';
(undef, undef, $added) = ask($node, q(SET lock_timeout = '100ms'; ALTER TYPE colour ADD VALUE 'blue'), role => 'postgres');
(undef, undef, $dropped) = ask($node, q(SET lock_timeout = '100ms'; ALTER TYPE colour RENAME VALUE 'green' TO 'blue'), role => 'postgres');
run_sql($dba, 'COMMIT');
close_session($dba);
finish_clients($client);
like($added, qr/55P03/, 'no value is added to an enum while it is used');
like($dropped, qr/55P03/, 'nor renamed');
is($client->{err}, '', 'the release comes to its end');
# whoever waits for the lock must not see when the last row was read
my $holder = open_session($node);
run_sql($holder, 'BEGIN');
run_sql($holder, $long);
my $locks = "SELECT count(*) > 0 FROM pg_locks WHERE locktype = 'object' AND classid = 'pg_type'::regclass";
is($node->safe_psql('postgres', $locks), 't', 'its locks stay until the transaction ends');
run_sql($holder, 'COMMIT');
is($node->safe_psql('postgres', $locks), 'f', 'and no longer');
close_session($holder);

# --- parameters that lie in a table ---

$node->safe_psql('postgres', q(
	SET ROLE analyst;
	CREATE TABLE desk.far (t text, u text, v text);
	ALTER TABLE desk.far ALTER t SET STORAGE EXTERNAL, ALTER u SET STORAGE EXTERNAL, ALTER v SET STORAGE EXTERNAL;
	ALTER TABLE desk.far SET (toast_tuple_target = 128);
	CREATE FUNCTION desk.probe(victim int) RETURNS text LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
	DECLARE v text; n bigint;
	BEGIN
		DELETE FROM desk.far;
		INSERT INTO desk.far SELECT s, s, s FROM (SELECT string_agg(md5(i::text), '') AS s FROM generate_series(1, 28) i) x;
		SELECT t INTO v FROM desk.far;
		TRUNCATE desk.far;
		BEGIN
			SELECT count(*) INTO n FROM public.person WHERE CASE WHEN id = victim THEN name < v ELSE false END;
			RETURN 'fine';
		EXCEPTION WHEN OTHERS THEN RETURN SQLSTATE;
		END;
	END $$;
));
my $before = releases($node);
my (undef, $there) = ask($node, 'SELECT desk.probe(778)');
my (undef, $absent) = ask($node, 'SELECT desk.probe(-1)');
is($there, $absent, 'a parameter that is gone tells nothing of rows');
isnt($there, 'fine', '(it is gone)');
is(releases($node), $before, 'and is looked for before the charge');

# --- an old snapshot ends with an error on pages that were written since ---

# PostgreSQL 17 has no such setting
if ($node->safe_psql('postgres', q(SELECT count(*) FROM pg_settings WHERE name = 'old_snapshot_threshold')))
{
	$node->append_conf('postgresql.conf', "old_snapshot_threshold = '1min'\n");
	$node->restart;
	my $charged = releases($node);
	my (undef, undef, $refused) = ask($node, 'SELECT count(*) FROM person', verbosity => 'verbose');
	like($refused, qr/42PA1.*old_snapshot_threshold it fails/s, 'old_snapshot_threshold is refused');
	is(releases($node), $charged, 'before the charge');
	$node->append_conf('postgresql.conf', "old_snapshot_threshold = -1\n");
	$node->restart;
}

# --- a damaged page, read by this process or by a worker ---

sub damage_page
{
	my ($block) = @_;
	my $path = $node->data_dir . '/' . $node->safe_psql('postgres', q(SELECT pg_relation_filepath('person')));

	$node->safe_psql('postgres', 'CHECKPOINT');
	$node->stop;
	open(my $file, '+<:raw', $path) or die "$path: $!";
	seek($file, $block * 8192, 0);
	print $file "\x42" x 8192;
	close $file;
	return;
}

my $all = 'SELECT count(*) FROM person';
damage_page(1);
$node->start;
constant_ok($all, qr/invalid page in block 1/, 'a damaged page');
$node->append_conf('postgresql.conf', "min_parallel_table_scan_size = 0\nparallel_setup_cost = 0\nparallel_tuple_cost = 0\n");
$node->restart;
constant_ok($all, qr/invalid page in block 1/, 'a damaged page, in parallel');
constant_ok("SELECT count(*) FROM person WHERE id > 300 AND colour::text <> 'x'", qr/parallel worker|invalid/, 'a damaged row, in parallel');
$node->append_conf('postgresql.conf', "zero_damaged_pages = on\n");
$node->restart;
silent_ok($all, qr/WARNING:.*invalid page in block 1.*zeroing out page/, 'a damaged page that is passed over, in parallel');
$node->append_conf('postgresql.conf', "max_parallel_workers_per_gather = 0\n");
$node->restart;
silent_ok($all, qr/WARNING:.*invalid page in block 1.*zeroing out page/, 'a damaged page that is passed over');

$node->stop;
done_testing();
