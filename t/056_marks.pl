# SPDX-License-Identifier: GPL-3.0-or-later
# What DROP EXTENSION leaves with a database lets the books that were restored in place count.  It is of that database
# and of these books: carried along by a dump, or with other books, it vouches for nothing.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

my $node = new_node('marks');
$node->start;
$node->safe_psql('postgres', q(CREATE ROLE analyst LOGIN; ALTER ROLE analyst SET search_path = public, privacct; ALTER ROLE analyst SET privacct.epsilon = 1; CREATE DATABASE m1));
$node->safe_psql('m1', q(CREATE EXTENSION privacct;
	CREATE TABLE orders (person int NOT NULL); INSERT INTO orders SELECT generate_series(1, 100);
	SELECT privacct.protect('orders', 'person', epsilon => 5), privacct.grant_budget('orders', 'analyst', 5)));
my $COUNT = 'SELECT count(*) FROM orders';
ok(defined ask_value($node, $COUNT, database => 'm1'), 'asked');
my $dir = PostgreSQL::Test::Utils::tempdir();
$node->command_ok([ 'pg_dump', '-Fc', '-f', "$dir/early", 'm1' ], 'a dump');
$node->safe_psql('m1', 'SET privacct.allow_drop_extension = on; DROP EXTENSION privacct');
$node->command_ok([ 'pg_dump', '-C', '-f', "$dir/gap", 'm1' ], 'a dump without books, with what they left');
like(slurp_file("$dir/gap"), qr/ALTER DATABASE m1 SET "privacct.dropped_books" TO/, 'what they left is in it');

# in place
sub restore { $node->command_like([ 'pg_restore', '--clean', '--if-exists', '-d', $_[0], "$dir/early" ], qr/^/, "restored into $_[0]"); return; }
restore('m1');
is($node->safe_psql('m1', 'SELECT problem FROM privacct.check_books()'), '', 'complete');
ok(defined ask_value($node, $COUNT, database => 'm1'), 'more is asked') for 1 .. 3;

# elsewhere, while the library is not loaded
$node->safe_psql('postgres', 'DROP DATABASE m1');
$node->append_conf('postgresql.conf', "shared_preload_libraries = ''");
$node->restart;
$node->command_ok([ 'psql', '-Xq', '-d', 'postgres', '-f', "$dir/gap" ], 'the dump without books is restored');
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'privacct'");
$node->restart;
isnt($node->safe_psql('m1', "SELECT setconfig FROM pg_db_role_setting WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = 'm1')"), '', 'what the books left is there');
restore('m1');
is($node->safe_psql('m1', 'SELECT problem FROM privacct.check_books()'), 'the books are a copy', 'of another database');
my ($code, $out, $err) = ask($node, $COUNT, database => 'm1', verbosity => 'verbose');
is($out, '', 'nothing is released');
like($err, qr/55PA3/, 'and it is said why');

# books of another name, in place of those that were dropped
$node->safe_psql('m1', 'SELECT privacct.accept_books()');
ok(defined ask_value($node, $COUNT, database => 'm1'), 'accepted');
$node->safe_psql('m1', 'SET privacct.allow_drop_extension = on; DROP EXTENSION privacct');
$node->safe_psql('m1', q(DO $$ BEGIN EXECUTE format('ALTER DATABASE m1 SET privacct.dropped_books = %L', (SELECT regexp_replace(substr(c, 24), '^[^@]*@[^@]*', '1@2000-01-01 00:00:00+00')
	FROM pg_db_role_setting s, unnest(s.setconfig) c WHERE s.setdatabase = (SELECT oid FROM pg_database WHERE datname = 'm1') AND c ~ '^privacct.dropped_books=')); END $$));
restore('m1');
is($node->safe_psql('m1', 'SELECT problem FROM privacct.check_books()'), 'the books are a copy', 'of another name');

# --- what vouches, or refuses, sees what was charged before it began ---

$node->safe_psql('m1', 'SET client_min_messages = error; SELECT privacct.accept_books()');
for my $drops ('SET privacct.allow_drop_extension = on; DROP EXTENSION privacct', 'SELECT privacct.uninstall()', 'DROP SCHEMA privacct CASCADE',
	'SELECT privacct.accept_books()', 'SELECT privacct.harden_catalog()', 'SELECT privacct.soften_catalog()')
{
	my $session = session($node, PrivacctTest::superuser(), 'm1', 'verbose');
	$session->say('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM privacct.ledger');
	like($session->say($drops), qr/42PA4.*READ COMMITTED/s, "not with an old snapshot: $drops");
	$session->hang_up;
}
my $session = session($node, PrivacctTest::superuser(), 'm1', 'verbose');
$session->say('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM privacct.history');
$node->safe_psql('m1', q(CREATE TABLE later (person int NOT NULL); SELECT privacct.protect('later', 'person', fresh => true)));
like($session->say('REVOKE REFERENCES ON later FROM privacct_reader'), qr/WARNING.*no longer remember.*later/s, 'who takes a mark is told, whatever the snapshot');
$session->hang_up;
# --- nor does what has the last charge, and not what owners answered to it ---

$node->safe_psql('postgres', 'CREATE DATABASE m2');
$node->safe_psql('m2', q(CREATE EXTENSION privacct; CREATE TABLE vote (voter int PRIMARY KEY, yes boolean NOT NULL); INSERT INTO vote SELECT i, i % 3 = 0 FROM generate_series(1, 100) i;
	SELECT privacct.protect('vote', 'voter', epsilon => 1, regime => 'local'), privacct.set_domain('vote', 'yes', ARRAY[false, true]), privacct.grant_budget('vote', 'analyst', 100)));
my $QUESTION = 'SELECT ldp_count(yes) IS NOT NULL FROM vote';
my $holds = session($node, PrivacctTest::superuser(), 'm2');
$holds->say('BEGIN; LOCK TABLE privacct.question IN SHARE MODE');
my $asks = session($node, 'analyst', 'm2');
$asks->send($QUESTION);
$node->poll_query_until('m2', 'SELECT count(*) = 1 FROM privacct.ledger_line') or die 'nothing was charged';
my $sees = session($node, PrivacctTest::superuser(), 'm2');
my $snapshot = $sees->say('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT pg_export_snapshot()');
$holds->say('ROLLBACK');
is($asks->answer, 't', 'owners are asked');
$node->command_ok([ 'pg_dump', '-Fc', "--snapshot=$snapshot", '-f', "$dir/charged", 'm2' ], 'a dump between the charge and the question');
$node->command_ok([ 'pg_dump', '-Fc', '-f', "$dir/asked", 'm2' ], 'one after both');
$_->hang_up for $holds, $asks, $sees;
sub in_place
{
	my ($file) = @_;
	$node->safe_psql('m2', 'SET client_min_messages = error; SET privacct.allow_drop_extension = on; DROP EXTENSION privacct');
	$node->command_like([ 'pg_restore', '--clean', '--if-exists', '-d', 'm2', "$dir/$file" ], qr/^/, "$file: restored in place");
	return;
}
in_place('charged');
is($node->safe_psql('m2', 'SELECT count(*) FROM privacct.ledger_line'), 1, 'the charge is there');
is($node->safe_psql('m2', 'SELECT problem FROM privacct.check_books()'), 'the books are older than those that were here', 'they are known to lack the question');
($code, $out, $err) = ask($node, $QUESTION, database => 'm2');
is($out, '', 'owners are not asked again');
like($err, qr/55PA3/, 'and it is said why');
in_place('asked');
is($node->safe_psql('m2', 'SELECT problem FROM privacct.check_books()'), '', 'what has both is complete, also in place of what had not');
$node->stop;

done_testing();
