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

# a mark says so without the books, and without the extension
for my $takes ('REVOKE ALL ON orders FROM privacct_reader', 'REVOKE REFERENCES ON ALL TABLES IN SCHEMA public FROM privacct_reader', 'DROP OWNED BY privacct_reader')
{
	my $told = '';
	$node->psql('m1', "BEGIN; $takes; ROLLBACK", stderr => \$told);
	like($told, qr/WARNING:  tables no longer remember that they were protected: public\.orders$/m, "who takes a mark is told: $takes");
}

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
is($node->safe_psql('m1', 'SELECT problem FROM privacct.check_books()'), "books that were dropped here were not restored\nthe books are a copy", 'of another name');

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

# --- nor does it vouch for none: books that were there before the first protect() know of nothing that was spent ---

sub restored_before
{
	my ($database, $file) = @_;
	my $err = '';
	IPC::Run::run([ $node->installed_command('pg_restore'), '--clean', '--if-exists', '-h', $node->host, '-p', $node->port, '-d', $database, "$dir/$file" ], '2>', \$err);
	return $err;
}
my $FORGOTTEN = 'books that were dropped here were not restored';
$node->safe_psql('postgres', 'CREATE DATABASE m3');
$node->safe_psql('m3', q(CREATE EXTENSION privacct; CREATE TABLE orders (person int NOT NULL); INSERT INTO orders SELECT generate_series(1, 100)));
$node->command_ok([ 'pg_dump', '-Fc', '-f', "$dir/before", 'm3' ], 'a dump from before the first protect()');
my $PROTECT = q(SELECT privacct.protect('orders', 'person', epsilon => 1, delta => 0%s), privacct.grant_budget('orders', 'analyst', 1));
$node->safe_psql('m3', sprintf $PROTECT, '');
ok(defined ask_value($node, $COUNT, database => 'm3'), 'its budget is spent');
$node->command_ok([ 'pg_dump', '-Fc', '-f', "$dir/spent", 'm3' ], 'a dump of what was spent');
$node->command_ok([ 'pg_dump', '-Fc', '-x', '--exclude-table-data=privacct.*', '-f', "$dir/without", 'm3' ], 'and one without books and marks');
for my $file ('before', 'without')
{
	is(restored_before('m3', $file), '', "$file: restored, pg_restore says nothing");
	is($node->safe_psql('m3', 'SELECT problem FROM privacct.check_books()'), $FORGOTTEN, "$file: check_books() does");
	(undef, undef, $err) = $node->psql('m3', sprintf $PROTECT, '');
	like($err, qr/orders may have been protected in books that were dropped.*fresh => true.*accept_books/s, "$file: and so does protect()");
	restored_before('m3', 'spent');
	is($node->safe_psql('m3', 'SELECT problem FROM privacct.check_books()'), '', "$file: the books that were dropped may take the place of these");
	like((ask($node, $COUNT, database => 'm3'))[2], qr/53PA2|53PA1/, "$file: and what they know counts");
}
restored_before('m3', 'before');
(undef, undef, $err) = $node->psql('m3', sprintf $PROTECT, ', fresh => true');
like($err, qr/WARNING:  what public.orders has spent in books that were dropped does not count/, 'whoever answers for it is warned');
(undef, undef, $err) = $node->psql('m3', q(BEGIN; SELECT privacct.unprotect('orders'), privacct.protect('orders', 'person', epsilon => 2); COMMIT));
is($err, '', 'and is not asked again for what these books know');
(undef, undef, $err) = $node->psql('m3', q(CREATE TABLE other (o int NOT NULL); SELECT privacct.protect('other', 'o')));
like($err, qr/other may have been protected in books that were dropped/, 'but for every other table');
is($node->safe_psql('m3', 'SELECT problem FROM privacct.check_books()'), $FORGOTTEN, 'check_books() says so');
(undef, undef, $err) = $node->psql('m3', 'SELECT privacct.accept_books()');
like($err, qr/WARNING:  charges that are not in these books no longer count.*noticed that $FORGOTTEN/s, 'until a superuser accepts it');
$node->safe_psql('m3', q(SELECT privacct.protect('other', 'o')));
is($node->safe_psql('m3', 'SELECT problem FROM privacct.check_books()'), '', 'then they count');

# books that did not count leave a mark, too, which vouches for nothing
$node->safe_psql('postgres', 'CREATE DATABASE m4 TEMPLATE template0');
restored_before('m4', 'spent');
is($node->safe_psql('m4', 'SELECT problem FROM privacct.check_books()'), 'the books are a copy', 'a copy');
restored_before('m4', 'spent');
is($node->safe_psql('m4', 'SELECT problem FROM privacct.check_books()'), 'the books are a copy', 'that takes its own place is one');
restored_before('m4', 'before');
is($node->safe_psql('m4', 'SELECT problem FROM privacct.check_books()'), $FORGOTTEN, 'and is missed');
(undef, undef, $err) = $node->psql('m4', sprintf $PROTECT, '');
like($err, qr/orders may have been protected in books that were dropped/, 'protect() asks');
# --- over books that are not dropped, because more is open than the dump has ---

$node->safe_psql('postgres', 'CREATE DATABASE m5 TEMPLATE template0');
restored_before('m5', 'spent');
$node->safe_psql('m5', 'SET client_min_messages = error; SELECT privacct.accept_books()');
$node->safe_psql('m5', q(CREATE TABLE newer (n int NOT NULL); INSERT INTO newer SELECT generate_series(1, 100);
	SELECT privacct.protect('newer', 'n', epsilon => 5), privacct.grant_budget('newer', 'analyst', 5)));
ok(defined ask_value($node, 'SELECT count(*) FROM newer', database => 'm5'), 'more than the dump knows of');
like(restored_before('m5', 'spent'), qr/dropping the extension would forget what protected tables have spent/, 'an older dump over it: the books stay');
is($node->safe_psql('m5', 'SELECT problem FROM privacct.check_books() WHERE relation IS NULL'), 'the books are a copy', 'and are a copy again, of one name');
like((ask($node, 'SELECT count(*) FROM newer', database => 'm5', verbosity => 'verbose'))[2], qr/55PA3/, 'nothing is answered');
$node->safe_psql('m5', 'SET client_min_messages = error; SELECT privacct.accept_books()');
ok(defined ask_value($node, 'SELECT count(*) FROM newer', database => 'm5'), 'until they are accepted');
is($node->safe_psql('m5', q(SELECT a.releases FROM privacct.account a JOIN privacct.policy p USING (policy_id) WHERE p.relation = 'newer'::regclass AND a.role = 0::regrole)), 2, 'with all that they knew');
$node->stop;

done_testing();
