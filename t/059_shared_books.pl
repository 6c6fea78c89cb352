# SPDX-License-Identifier: GPL-3.0-or-later
# Sessions share what owners have answered.  They find the same states as who makes them
# of the answers alone, whatever fits into shared memory and whoever was killed, cut off or
# undone meanwhile; and what is in shared memory is used only while the catalog says the same.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use LocalTest;
use PrivacctTest;
use Test::More;

my $node = new_node('shared_books', fsync => 'off', autovacuum => 'off', 'privacct.require_durable_storage' => 'off',
	'privacct.shared_book_memory' => '32MB', restart_after_crash => 'on', 'privacct.filter_nodes' => 200);
$node->start;
$node->safe_psql('postgres', q(
	CREATE EXTENSION privacct;
	CREATE ROLE analyst LOGIN;
	CREATE TABLE person (id int PRIMARY KEY, x int, a float8, b float8);
	INSERT INTO person SELECT i, i * 5 % 2000, i % 101, i * 7 % 101 FROM generate_series(1, 300) i;));
protect();

sub protect
{
	$node->safe_psql('postgres', q(
		SELECT privacct.protect('person', 'id', regime => 'local', epsilon => 60, min_epsilon => 1e-6);
		SELECT privacct.set_domain('person', 'x', ARRAY(SELECT generate_series(0, 1999)));
		SELECT privacct.set_domain('person', c, 0, 100) FROM unnest('{a,b}'::name[]) c;
		SELECT privacct.grant_budget('person', 'analyst', 60);));
	return;
}

sub question
{
	my ($number) = @_;
	return 'SET client_min_messages = error; SET privacct.epsilon = 0.1; SET privacct.filter_nodes = 200; SELECT '
	  . ($number % 4 == 0 ? "privacct.ldp_avg(a - $number * b)" : "privacct.ldp_avg((x * $number + 7) % 2000)") . ' IS NOT NULL FROM person';
}

sub ask_some
{
	my ($session, @numbers) = @_;
	is(run_sql($session, question($_)), 't', "question $_") for @numbers;
	return;
}

# What a session finds, and where: a transaction that has a number does not share what it makes.
my $books = q(SELECT (SELECT md5(string_agg(s::text, ',' ORDER BY s.state)) FROM privacct.local_state s),
	(SELECT md5(string_agg(o::text, ',' ORDER BY o.owner)) FROM privacct.owner_odometer o),
	(SELECT o::text FROM privacct.local_odometer o));
my $where = q(SELECT CASE WHEN count(*) = 0 THEN 'shared' ELSE 'own' END FROM pg_backend_memory_contexts WHERE name = 'privacct states');

sub look
{
	my ($session) = @_;
	my ($number, $found, $place) = run_sql($session, "BEGIN; SELECT txid_current(); $books; $where; ROLLBACK");
	return ($found, $place);
}

sub new_look
{
	my $session = open_session($node, 'postgres');
	my @seen = look($session);
	close_session($session);
	return @seen;
}

sub is_alike
{
	my ($expected, $place, $name, $session) = @_;
	my ($found, $where) = $session ? look($session) : new_look();
	is($found, $expected, "$name: the same states");
	is($where, $place, "$name: $place");
	return;
}

# As without shared memory.
sub states
{
	my ($found) = @_;
	restart_with(0);
	($found) = new_look();
	restart_with('32MB');
	return $found;
}

sub restart_with
{
	my ($memory) = @_;
	$node->append_conf('postgresql.conf', "privacct.shared_book_memory = '$memory'\n");
	$node->restart;
	return;
}

sub share { $node->safe_psql('postgres', $books); return; }

# --- two sessions and those that come ---

my ($first, $second, $looker) = map { open_session($node, $_) } qw(analyst analyst postgres);
ask_some($first, 1 .. 9);
my ($found) = new_look();
is_alike($found, 'shared', 'who comes later');
is_alike($found, 'shared', 'who looks', $looker);
ask_some($second, 10 .. 14);
my $before = $found;
($found) = new_look();
isnt($found, $before, 'the second session asked');
is_alike($found, 'shared', 'who has looked before', $looker);
ask_some($first, 15);
ask_some($second, 16);
ask_some($first, 17);
cmp_ok($node->safe_psql('postgres', 'SELECT count(*) FROM privacct.local_state'), '>', 200, 'histories are different');
($found) = new_look();
for my $session ($first, $second)
{
	my ($kilobytes) = (PostgreSQL::Test::Utils::slurp_file("/proc/$session->{backend}/smaps_rollup") =~ /^Private_Dirty:\s+(\d+)/m);
	cmp_ok($kilobytes, '<', 8000, "memory of a session without them");
}
is($node->safe_psql('postgres', "$where; $books; $where; $books; $where"), "shared\n$found\nshared\n$found\nshared", 'a session has no states of its own');
close_session($first, $second, $looker);

# --- on, off, full ---

is(states(), $found, 'not shared: the same states');
is_alike($found, 'own', 'after a restart nothing is shared');
share();
is_alike($found, 'shared', 'until somebody looks');
for my $memory (qw(1kB 2MB))
{
	restart_with($memory);
	share();
	is_alike($found, 'own', "what does not fit into $memory");
}
# Books that this transaction has changed, and changes again, and that no image is better than.
my $reader = open_session($node, 'postgres');
my $flip = 'UPDATE privacct.answer SET outputs = set_byte(outputs, 0, get_byte(outputs, 0) # 1) WHERE outputs <> $$$$';
run_sql($reader, "BEGIN; SET LOCAL privacct.write_books = on; $flip");
isnt(run_sql($reader, $books), $found, 'changes of the same transaction');
run_sql($reader, $flip);
is(run_sql($reader, $books), $found, 'changed back by the same transaction');
run_sql($reader, 'COMMIT');
is(run_sql($reader, $books), $found, 'and then');
close_session($reader);
$first = open_session($node);
ask_some($first, 18, 19);
($found) = new_look();
ask_some($first, 20);
close_session($first);
($found) = new_look();
is(states(), $found, 'asked where it does not fit');
share();

# --- cut off ---

# Whose transaction has a number makes states that nobody else gets.
sub ask_alone
{
	my ($number) = @_;
	my $session = open_session($node);
	is(run_sql($session, "BEGIN; SELECT txid_current() > 0; " . question($number)), "t\nt", "question $number, in a transaction");
	return $session;
}

for my $number (21 .. 28)
{
	my $session = ask_alone($number);
	$node->safe_psql('postgres', "SELECT pg_terminate_backend($session->{backend}, 3600000)");
	close_session($session);
	share();
}
($found) = new_look();
is_alike($found, 'shared', 'who was terminated has given back what they had');
is(states(), $found, 'and the same states without');
share();

# --- answers that are not recorded ---

for my $function (qw(pg_cancel_backend pg_terminate_backend))
{
	my ($blocker, $asker) = (open_session($node, 'postgres'), session($node, 'analyst'));

	run_sql($blocker, 'BEGIN; LOCK TABLE privacct.answer IN SHARE MODE');
	$asker->send(question(30));
	my $waiting = q(FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE NOT l.granted AND l.relation = 'privacct.answer'::regclass);
	$node->poll_query_until('postgres', "SELECT EXISTS (SELECT $waiting)") or fail('nobody waits');
	$node->safe_psql('postgres', qq(SELECT $function(pid) FROM pg_stat_activity WHERE usename = 'analyst'));
	$asker->answer if $function =~ /cancel/;
	$node->poll_query_until('postgres', q(SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE usename = 'analyst'))) if $function !~ /cancel/;
	$node->safe_psql('postgres', "SELECT pg_terminate_backend(a.pid, 3600000) $waiting");
	run_sql($blocker, 'ROLLBACK');
	is_alike($found, 'shared', "$function before answers are recorded");
	close_session($blocker);
}

# --- what a transaction sees ---

$reader = open_session($node, 'postgres');
my $asker = open_session($node);
run_sql($reader, 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1');
ask_some($asker, 31);
($before) = run_sql($reader, $books) =~ /^(\w+\|\w+)/;
($found) = new_look();
like($found, qr/^\Q$before\E/, 'a snapshot that is older: books are as of now');
run_sql($reader, 'COMMIT');
is((run_sql($asker, 'BEGIN; ' . question(32) . '; ROLLBACK'))[0], 't', 'a question that is rolled back');
($found) = new_look();
is_alike($found, 'shared', 'was asked', $reader);

run_sql($reader, q(BEGIN; SELECT privacct.unprotect('person'); SELECT privacct.protect('person', 'id', regime => 'local', epsilon => 70, min_epsilon => 1e-6);
	SELECT privacct.set_domain('person', 'x', ARRAY(SELECT generate_series(0, 1999)))));
run_sql($reader, $books);
run_sql($reader, 'ROLLBACK');
is_alike($found, 'shared', 'another policy that was never made');

run_sql($reader, q(BEGIN; SET LOCAL privacct.write_books = on; UPDATE privacct.question SET level = level + 1; UPDATE privacct.owner_key SET keys = records || records));
run_sql($reader, $books);
run_sql($reader, 'ROLLBACK');
is_alike($found, 'shared', 'changes that are rolled back');

# --- states that are written ---

$node->safe_psql('postgres', 'SET privacct.write_books = on; CREATE TABLE kept AS TABLE privacct.owner_key; DELETE FROM privacct.owner_key; INSERT INTO privacct.owner_key SELECT * FROM kept');
is_alike($found, 'own', 'after owners were written by hand');
share();
is_alike($found, 'shared', 'once they were read');
close_session($reader, $asker);

# --- a crash ---

$first = open_session($node);
kill 'KILL', $first->{backend};
close_session($first);
await_server($node);
is_alike($found, 'own', 'after a crash');
share();
is_alike($found, 'shared', 'then it is shared again');

# --- another policy ---

$node->safe_psql('postgres', q(SELECT privacct.unprotect('person')));
protect();
$first = open_session($node);
ask_some($first, 41 .. 44);
close_session($first);
($found) = new_look();
is_alike($found, 'shared', 'protected again');
$node->safe_psql('postgres', q(ALTER TABLE person ADD y bool; UPDATE person SET y = id % 2 = 0));
is_alike($found, 'shared', 'a column more');
$node->safe_psql('postgres', 'SELECT privacct._write_losses(p) FROM privacct.policy p WHERE closed_at IS NULL');
is_alike($found, 'own', 'what was lost before is written again');
share();
is_alike($found, 'shared', 'once it was read');
is(states(), $found, 'protected again, not shared');

$node->stop;
done_testing();
