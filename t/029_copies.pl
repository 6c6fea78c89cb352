# SPDX-License-Identifier: GPL-3.0-or-later
# Books that are a copy: of an older dump that takes the place of what was there, and
# of a database that was the template of another.  And an archive of 0.1.
use strict;
use warnings;

use File::Copy ();
use FindBin;
use lib $FindBin::RealBin;
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

my ($extensions) = glob "$ENV{PA_DESTDIR}/usr/share/postgresql/*/extension";
File::Copy::copy("$ENV{PA_WORK}/privacct--0.1.sql", "$extensions/privacct--0.1.sql") or die "no script of 0.1: $!";

my $node = new_node('copies');
$node->start;
setup_hospital($node, epsilon => 100, step => 0.5);
my $dir = PostgreSQL::Test::Utils::tempdir();

sub dump_it
{
	my ($database, $file) = @_;
	$node->command_ok([ 'pg_dump', '-Fc', '-f', "$dir/$file", $database ], "a dump: $file");
	return;
}

sub restore
{
	my ($database, @options) = @_;
	my ($out, $err);
	IPC::Run::run([ $node->installed_command('pg_restore'), '-h', $node->host, '-p', $node->port, '-d', $database, @options ], '>', \$out, '2>', \$err);
	return $err;
}

sub answered
{
	my ($database, $name) = @_;
	ok(defined ask_value($node, $PrivacctTest::QUERY, database => $database), $name);
	return;
}

sub refused
{
	my ($database, $name) = @_;
	my (undef, undef, $err) = ask($node, $PrivacctTest::QUERY, database => $database, verbosity => 'verbose');
	like($err, qr/55PA3.*check_books/s, $name);
	return;
}

sub problems
{
	my ($database) = @_;
	return $node->safe_psql($database, 'SELECT problem FROM privacct.check_books()');
}

# --- an older dump in the place of what was there ---

answered('postgres', 'asked');
dump_it('postgres', 'older');
answered('postgres', 'asked after the dump');
dump_it('postgres', 'newer');
is(restore('postgres', '--clean', '--if-exists', "$dir/newer"), '', 'the last dump in the place of what was there');
answered('postgres', 'nothing is missing');
is(restore('postgres', '--clean', '--if-exists', "$dir/older"), '', 'an older one, which pg_restore says nothing of');
is($node->safe_psql('postgres', 'SELECT releases FROM privacct.account WHERE role = 0::regrole'), 1, 'charges are missing');
refused('postgres', 'nothing is answered');
is(problems('postgres'), 'the books are older than those that were here', 'it is said why');
# charges of another kind do not make up for them
$node->safe_psql('postgres', q(BEGIN; SELECT privacct.unprotect('visit'); SELECT privacct.protect('visit', 'patient_id', epsilon => 100);
	SELECT privacct.grant_budget('visit', 'analyst', epsilon => 100, delta => 1e-8); COMMIT));
refused('postgres', 'nor when it is protected again');
like((ask($node, 'SELECT privacct.accept_books()'))[2], qr/42501/, 'an analyst accepts nothing');
restore('postgres', '--clean', '--if-exists', "$dir/older");
refused('postgres', 'nor when it is restored again');
restore('postgres', '--clean', '--if-exists', "$dir/older");
refused('postgres', 'nor when it takes the place of itself');
my (undef, undef, $err) = $node->psql('postgres', 'SELECT privacct.accept_books()');
like($err, qr/WARNING:  charges that are not in these books no longer count/, 'a superuser is told what that means');
is(problems('postgres'), '', 'then the books count');
answered('postgres', 'and questions are answered');
(undef, undef, $err) = $node->psql('postgres', 'SELECT privacct.accept_books()');
is($err, '', 'once');

# --- another population after DROP EXTENSION ---

$node->safe_psql('postgres', 'SET client_min_messages = error; SET privacct.allow_drop_extension = on; DROP EXTENSION privacct; DROP TABLE visit');
$node->safe_psql('postgres', 'CREATE EXTENSION privacct');
is(problems('postgres'), 'books that were dropped here were not restored', 'what was spent is missed');
$node->safe_psql('postgres', 'SET client_min_messages = error; SELECT privacct.accept_books(); DROP EXTENSION privacct');
setup_hospital($node, epsilon => 100, step => 0.5);
answered('postgres', 'what is protected later is no copy');

# --- a database made of another ---

$node->safe_psql('postgres', 'CREATE DATABASE twin TEMPLATE postgres');
refused('twin', 'a copy of a database answers nothing');
is(problems('twin'), 'the books are a copy', 'it is said why');
$node->safe_psql('twin', q(CREATE TABLE other (person int NOT NULL); SELECT privacct.protect('other', 'person', fresh => true)));
refused('twin', 'also when something else is protected');
answered('postgres', 'the first one does');
$node->safe_psql('twin', 'SET client_min_messages = error; SELECT privacct.accept_books()');
answered('twin', 'until a superuser says so');
$node->safe_psql('twin', 'ALTER DATABASE postgres RENAME TO elsewhere; ALTER DATABASE twin SET privacct.epsilon = 0.5');
answered('elsewhere', 'a database that was renamed is no copy');
$node->safe_psql('template1', 'CREATE EXTENSION privacct');
$node->safe_psql('template1', 'CREATE DATABASE empty');
$node->safe_psql('empty', q(CREATE TABLE visit (visit_id int PRIMARY KEY, patient_id int NOT NULL); INSERT INTO visit VALUES (1, 1);
	SELECT privacct.protect('visit', 'patient_id', epsilon => 100), privacct.grant_budget('visit', 'analyst', epsilon => 100)));
answered('empty', 'nor is one of a template in which nothing was protected');
$node->safe_psql('template1', 'DROP EXTENSION privacct');
$node->safe_psql('template1', 'CREATE DATABASE restored TEMPLATE template0');
dump_it('elsewhere', 'elsewhere');
is(restore('restored', "$dir/elsewhere"), '', 'restored elsewhere');
refused('restored', 'a restore does not make the database the home of the books');
is(problems('restored'), 'the books are a copy', 'it is said why');
$node->safe_psql('restored', 'SET client_min_messages = error; SELECT privacct.accept_books()');
answered('restored', 'until a superuser says so');

# --- whatever way an older dump comes back under the old name ---

my $none = q(CREATE EXTENSION privacct; CREATE TABLE visit (visit_id int PRIMARY KEY, patient_id int NOT NULL, ward text, cost float8));
for my $way (
	[ 'DROP DATABASE', q(DROP DATABASE restored; CREATE DATABASE restored TEMPLATE template0), '' ],
	[ 'DROP DATABASE, and only the rows', q(DROP DATABASE restored; CREATE DATABASE restored TEMPLATE template0), $none, '-a' ],
	[ 'DROP DATABASE, and only the rows, without triggers', q(DROP DATABASE restored; CREATE DATABASE restored TEMPLATE template0), $none, '-a', '--disable-triggers' ],
	[ 'another name', q(ALTER DATABASE restored RENAME TO spent; CREATE DATABASE restored TEMPLATE template0), '' ],
	[ 'a copy under the old name', q(DROP DATABASE spent; CREATE DATABASE kept TEMPLATE restored; DROP DATABASE restored; ALTER DATABASE kept RENAME TO restored) ])
{
	my ($name, $database, $before, @options) = @$way;
	$node->safe_psql('template1', $_) for split /; /, $database;
	if (defined $before)
	{
		$node->safe_psql('restored', $before) if $before;
		restore('restored', @options, "$dir/elsewhere");
	}
	like(problems('restored'), qr/^the books are a copy$/m, "$name: it is said");
	$node->safe_psql('restored', q(DROP TABLE IF EXISTS later; CREATE TABLE later (person int NOT NULL); SELECT privacct.protect('later', 'person', fresh => true)));
	$node->safe_psql('restored', q(SELECT privacct.grant_budget('later', 'analyst', epsilon => 100)));
	like((ask($node, 'SELECT count(*) FROM later', database => 'restored', verbosity => 'verbose'))[2], qr/55PA3.*check_books/s, "$name: nothing is answered");
}

# --- the rows without their name, into books that have one ---

$node->safe_psql('template1', 'CREATE DATABASE named TEMPLATE template0');
$node->safe_psql('named', q(CREATE EXTENSION privacct; SELECT setval('privacct.policy_id_seq', 1000);
	CREATE TABLE dummy (person int NOT NULL); SELECT privacct.protect('dummy', 'person')));
append_to_file("$dir/nameless", join '', map { "$_\n" } grep { !/ TABLE DATA privacct identity / } split /\n/, (run_command([ $node->installed_command('pg_restore'), '-l', "$dir/elsewhere" ]))[0]);
restore('named', '-L', "$dir/nameless", "$dir/elsewhere");
is($node->safe_psql('named', q(SELECT count(*) FROM privacct.policy WHERE policy_id < 1000 AND closed_at IS NULL)) > 0, 1, 'policies came');
refused('named', 'and are not answered');
is(problems('named'), 'the books are a copy', 'it is said why');

# --- an archive of 0.1 ---

$node->safe_psql('template1', 'CREATE DATABASE old TEMPLATE template0');
$node->safe_psql('old', q(
	CREATE EXTENSION privacct VERSION '0.1';
	CREATE TABLE visit (visit_id int, patient_id int NOT NULL) PARTITION BY RANGE (visit_id);
	CREATE TABLE visit_1 PARTITION OF visit FOR VALUES FROM (0) TO (1000);
	INSERT INTO visit SELECT i, i / 3 FROM generate_series(1, 300) i;
	INSERT INTO privacct.policy (relation, relation_name, owner_column, regime, accounting, accountant, epsilon, delta, cap_rho, cap_delta,
		max_groups_contributed, max_rows_contributed, min_owners, kernel, kernels, sample_rate, filter, answer_group, secret, created_at, created_by)
	SELECT 'visit', 'public.visit', 'patient_id', 'central', 'table', 'basic', 8, 1e-7, NULL, 1e-7, 1, 3, 1, NULL, NULL, 1, NULL, NULL, sha256('x'), now(), 'postgres';
	INSERT INTO privacct.account VALUES (1, 0::regrole, 1.5, 0, 0.3, 3), (1, 'analyst', 1.5, 0, 0.3, 3);
	INSERT INTO privacct.quota VALUES (1, 'analyst', 4, 1e-7, NULL, 1e-7, now(), 'postgres');
	INSERT INTO privacct.ledger (policy_id, charged_at, role, payer, epsilon, delta, rho, detail)
		SELECT 1, now(), 'analyst', 'analyst', 0.5, 0, 0.1, '{"statistics": [{"epsilon": 0.5, "delta": 0}]}' FROM generate_series(1, 3);
	GRANT SELECT ON visit TO privacct_reader;));
dump_it('old', 'old');
$node->safe_psql('template1', 'CREATE DATABASE new TEMPLATE template0');
is(restore('new', "$dir/old"), '', 'an archive of 0.1 is restored');
is($node->safe_psql('new', q(SELECT extversion FROM pg_extension WHERE extname = 'privacct')), '0.2', 'into 0.2');
is(problems('new'), "what the policy covers is not written down\nthe books are a copy", 'it has no history');
refused('new', 'a table with partitions is not answered');
$node->safe_psql('new', q(SELECT privacct.repair_books('visit')));
is(problems('new'), 'the books are a copy', 'it is written');
refused('new', 'it may have been asked since');
$node->safe_psql('new', 'SET client_min_messages = error; SELECT privacct.accept_books()');
is(problems('new'), '', 'the books count');
answered('new', 'then it is');
is($node->safe_psql('new', q(SELECT epsilon, releases FROM privacct.account WHERE role = 0::regrole)), '2.0|4', 'with what was spent');
$node->safe_psql('new', q(ALTER TABLE visit DETACH PARTITION visit_1; SELECT privacct.protect('visit_1', 'patient_id', epsilon => 8, inherits => 'public.visit')));
is($node->safe_psql('new', q(SELECT epsilon_spent, releases FROM privacct.odometer WHERE open AND relation = 'visit_1'::regclass)), '2|4', 'and a partition takes it with it');

$node->stop;
done_testing();
