# SPDX-License-Identifier: GPL-3.0-or-later
# What one owner declares, holds open or breaks does not stop or burden others.
use strict;
use warnings;
use feature 'state';

use FindBin;
use lib $FindBin::RealBin;
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

my $node = new_node('isolation', log_min_messages => 'warning', max_locks_per_transaction => 64);
$node->start;
setup_hospital($node, analysts => [ 'analyst', 'second' ]);
$node->safe_psql('postgres', q(
	CREATE ROLE neighbour LOGIN;
	GRANT privacct_admin TO neighbour;
	CREATE SCHEMA lab AUTHORIZATION neighbour;
	GRANT USAGE ON SCHEMA lab TO PUBLIC;
	ALTER ROLE analyst SET search_path = public, privacct;));

sub as_neighbour
{
	my ($sql, %option) = @_;
	my ($out, $err) = ('', '');
	$node->psql('postgres', $sql, stdout => \$out, stderr => \$err,
		extra_params => [ '-U', 'neighbour', '-v', 'VERBOSITY=' . ($option{verbosity} || 'sqlstate') ]);
	return wantarray ? ($out, $err) : $out;
}

as_neighbour(q(
	CREATE TABLE lab.mine (id int PRIMARY KEY, owner int NOT NULL, a text, b text, c text);
	INSERT INTO lab.mine SELECT i, i, 'x', 'y', 'z' FROM generate_series(1, 100) i;
	SELECT privacct.protect('lab.mine', 'owner', epsilon => 1e6, delta => 1e-3, max_groups_contributed => 1, max_rows_contributed => 1, min_epsilon => 0.0001, fresh => true),
		privacct.grant_budget('lab.mine', 'analyst', 1e6, 1e-3);));
ok(defined ask_value($node, 'SELECT count(*) FROM lab.mine'), 'both tables are asked');

# --- an open transaction holds one policy ---

my $holder = session($node, 'neighbour');
$holder->say("BEGIN; SELECT privacct.unprotect('lab.mine')");
ok(defined ask_value($node, $PrivacctTest::QUERY), 'another table is charged meanwhile');
set_ledger_timeout($node, 'analyst', '20s');		# it waits for three tenths of that
my (undef, undef, $err) = ask($node, 'SELECT count(*) FROM lab.mine', verbosity => 'default');
set_ledger_timeout($node, 'analyst', '1h');
like($err, qr/could not record the charge.*policy of the table is being changed; nothing was charged/s, 'this one is not');
my @clients = finish_clients(start_clients($node, [ ('analyst', 'second') x 4 ], "$PrivacctTest::QUERY;\n" x 20));
is((grep { $_->{answers} == 20 } @clients), 8, 'eight sessions are not slowed down to refusals');
$holder->say('ROLLBACK');
ok(defined ask_value($node, 'SELECT count(*) FROM lab.mine'), 'charged again');

# --- whoever has no rights on a table holds nobody's declarations back ---

$node->safe_psql('postgres', 'CREATE ROLE stranger LOGIN');
my $stranger = session($node, 'stranger');
$stranger->say("BEGIN; CREATE TEMP VIEW over AS SELECT * FROM lab.mine; GRANT SELECT ON over TO analyst");
my (undef, $held) = as_neighbour("SET lock_timeout = '1h'; SET statement_timeout = '60s'; SELECT privacct.set_release_terms('lab.mine', min_epsilon => 0.0001)");
is($held, '', 'a view of somebody without rights does not hold back what is declared');
$stranger->say('ROLLBACK');

# so do the other declarations that charges must wait for
for my $declaration (q(SELECT privacct.set_priors('lab.walk', privacct.chain_prior('{a,b}'::text[], '{{.6,.4},{.4,.6}}'), max_entries => 2)),
	q(SELECT privacct.plan_budget('lab.planned', '[{"kernel": "laplace", "releases": 5}]')),
	q(SELECT privacct.set_domain('lab.polled', 'a', ARRAY[1, 2])))
{
	state $ready = as_neighbour(q(
		CREATE TABLE lab.walk (who int, at int, place text, PRIMARY KEY (who, at));
		CREATE TABLE lab.planned (id int PRIMARY KEY);
		CREATE TABLE lab.polled (id int PRIMARY KEY, a int);
		SELECT privacct.protect_entries('lab.walk', 'who', '{at}', 'place', privacct.chain_prior('{a,b}'::text[], '{{.5,.5},{.5,.5}}'), max_entries => 2, fresh => true),
			privacct.protect('lab.planned', 'id', accountant => 'plan', fresh => true), privacct.protect('lab.polled', 'id', regime => 'local', fresh => true);));
	my ($name) = $declaration =~ /privacct\.(\w+)/;
	$holder->say("BEGIN; $declaration");
	ok(defined ask_value($node, $PrivacctTest::QUERY), "$name in an open transaction");
	is($holder->say(q(SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 20547 AND pid = pg_backend_pid() AND granted)), 1, "$name holds its policy");
	$holder->say('ROLLBACK');
}

# --- a successor sees all that was spent, whoever asks meanwhile ---

my $before = releases($node);
@clients = start_clients($node, [ ('analyst') x 6 ], "SELECT count(*) FROM lab.mine;\n" x 40);
for (1 .. 12)
{
	as_neighbour(q(BEGIN; SELECT privacct.unprotect('lab.mine');
		SELECT privacct.protect('lab.mine', 'owner', epsilon => 1e6, delta => 1e-3, max_groups_contributed => 1, max_rows_contributed => 1, min_epsilon => 0.0001, fresh => true),
			privacct.grant_budget('lab.mine', 'analyst', 1e6, 1e-3); COMMIT;));
}
finish_clients(@clients);
my $answers = 0;
$answers += $_->{answers} for @clients;
cmp_ok($answers, '>', 0, 'some were answered in between');
is($node->safe_psql('postgres', q(
	SELECT (SELECT sum(l.epsilon) FROM privacct.ledger l JOIN privacct.policy p USING (policy_id)
			WHERE p.relation = 'lab.mine'::regclass AND NOT coalesce(l.detail ? 'carried_from_policy', false))
		 = (SELECT a.epsilon FROM privacct.account a JOIN privacct.policy p USING (policy_id)
			WHERE p.relation = 'lab.mine'::regclass AND p.closed_at IS NULL AND a.role = 0::regrole))), 't', 'the last policy has all charges');
# a charge may have been made whose query then found its plan outlived; never the other way
cmp_ok($node->safe_psql('postgres', q(SELECT count(*) FROM privacct.ledger l JOIN privacct.policy p USING (policy_id)
	WHERE p.relation = 'lab.mine'::regclass AND NOT coalesce(l.detail ? 'carried_from_policy', false))), '>=', $answers, 'every answer was charged');

# --- releases that expired are forgotten by whoever keeps one, unless somebody is at them ---

$node->safe_psql('postgres', q(SELECT privacct.set_repeats('visit', '1 hour')));
as_neighbour(q(SELECT privacct.set_repeats('lab.mine', '1 hour')));
ask_value($node, 'SELECT count(*) FROM lab.mine');
$node->safe_psql('postgres', q(SET privacct.write_books = on; UPDATE privacct.stored_release SET expires_at = now() - interval '1 s'));
$holder->say("BEGIN; SELECT privacct.set_repeats('lab.mine', '2 hours')");
(undef, undef, $err) = ask($node, "SET statement_timeout = '2min'; $PrivacctTest::QUERY");
is($err, '', 'a neighbour who changes what is repeated holds nobody back');
is($node->safe_psql('postgres', q(SELECT count(*) FROM privacct.stored_release WHERE expires_at > now())), 1, 'and what others asked is kept');
$holder->say('COMMIT');
$node->safe_psql('postgres', q(SELECT privacct.set_repeats('visit', NULL)));
as_neighbour(q(SELECT privacct.set_repeats('lab.mine', NULL)));

# --- memory ---

my $MEMORY = q(SELECT coalesce(sum(total_bytes), 0) / 1024 FROM pg_get_backend_memory_contexts() WHERE name ~ '^privacct (polic|values|protected)');
$node->safe_psql('postgres', 'GRANT EXECUTE ON FUNCTION pg_get_backend_memory_contexts() TO analyst');
as_neighbour(q(SELECT privacct.set_keys('lab.mine', 'a', ARRAY(SELECT md5(i::text) FROM generate_series(1, 100000) i)),
	privacct.set_keys('lab.mine', 'b', ARRAY(SELECT md5(i::text) FROM generate_series(1, 100000) i))));
(undef, $err) = as_neighbour(q(SELECT privacct.set_keys('lab.mine', 'c', ARRAY(SELECT md5(i::text) FROM generate_series(1, 100000) i))), verbosity => 'default');
like($err, qr/too much is declared for lab\.mine.*300000 in 9600000 bytes; 250000 in 16 MB are allowed/s, 'keys are limited');
(undef, $err) = as_neighbour(q(SELECT privacct.set_keys('lab.mine', 'c', ARRAY(SELECT repeat(md5(i::text), 1000) FROM generate_series(1, 600) i))), verbosity => 'default');
like($err, qr/too much is declared/, 'and so are their bytes');
my $elsewhere = "$PrivacctTest::QUERY;\nSELECT count(*) FROM pg_class;\nSELECT count(*) FROM lab.mine;\n";
my (undef, $out) = ask($node, "$elsewhere$MEMORY");
cmp_ok((split /\n/, $out)[-1], '<', 300, 'who does not need the keys does not hold them');
(undef, $out) = ask($node, "SELECT count(*) FROM (SELECT a, count(*) FROM lab.mine GROUP BY a) s;\n$MEMORY");
cmp_ok((split /\n/, $out)[-1], '>', 4000, 'who asks for them does');
cmp_ok((split /\n/, $out)[-1], '<', 40000, 'and no more than the values');
my $session = session($node, 'analyst');
$session->say('SELECT count(*) FROM (SELECT a, count(*) FROM lab.mine GROUP BY a) s');
as_neighbour(q(SELECT privacct.drop_keys('lab.mine', 'a')));
$session->say('SELECT count(*) FROM lab.mine');
cmp_ok($session->say($MEMORY), '<', 300, 'what was forgotten is given back');

# --- who changes what makes whom plan anew ---

$session->say('PREPARE q AS SELECT count(*) FROM visit; SET plan_cache_mode = force_generic_plan');
$session->say('EXECUTE q') for 1 .. 2;
as_neighbour(q(SELECT privacct.set_bounds('lab.mine', 'id', 0, 9)));
like($session->say('EXECUTE q'), qr/^-?\d+$/, "a prepared statement goes on through a neighbour's declaration");
$node->safe_psql('postgres', q(SELECT privacct.revoke_budget('visit', 'analyst')));
like($session->say('EXECUTE q'), qr/42501/, 'and ends with its own');
is(ask_value($node, $PrivacctTest::QUERY), undef, 'a revoked budget counts at once');
$node->safe_psql('postgres', q(SELECT privacct.grant_budget('visit', 'analyst', 1000)));
$session->hang_up;
$holder->hang_up;

# --- parallel queries leave places for the workers of ledgers ---

# ends the worker, whose place is anybody's then
$node->append_conf('postgresql.conf', "privacct.worker_idle_timeout = 0\n");
$node->reload;
$node->poll_query_until('postgres', q(SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE backend_type = 'privacct ledger')))
  or die 'the worker does not retire';
$node->safe_psql('postgres', q(
	CREATE ROLE crowd LOGIN;
	CREATE TABLE pile AS SELECT i, repeat('x', 1000) FROM generate_series(1, 1000) i;
	ALTER TABLE pile SET (parallel_workers = 1000);
	GRANT SELECT ON pile TO crowd;));
my ($crowd) = start_clients($node, ['crowd'], q(
	SET parallel_setup_cost = 0;
	SET parallel_tuple_cost = 0;
	SET max_parallel_workers_per_gather = 1000;
	RESET max_parallel_workers;
	SET max_parallel_workers = 1000;
	SELECT count(pg_sleep(1e6)) FROM pile;));
my ($places, $left) = split /\|/, $node->safe_psql('postgres', q(SELECT current_setting('max_worker_processes'), coalesce(current_setting('privacct.reserved_workers', true), '1')));
$node->poll_query_until('postgres', "SELECT count(*) >= $places - $left FROM pg_stat_activity WHERE backend_type = 'parallel worker'")
  or fail('the crowd does not get the places that are left to it');
ok(defined ask_value($node, $PrivacctTest::QUERY), 'parallel queries do not stop charges');
$node->safe_psql('postgres', q(SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'crowd'));
finish_clients($crowd);

# --- tables come and go while others grant, make views and ask ---

my $gone = q(
	CREATE TABLE lab.passing (id int PRIMARY KEY);
	SELECT privacct.protect('lab.passing', 'id', fresh => true);
	CREATE VIEW lab.over_passing AS SELECT * FROM lab.passing;
	DROP TABLE lab.passing CASCADE;
) x 25;
my $granting = q(
	CREATE TABLE public.other_PID (n int);
	GRANT SELECT ON public.other_PID TO analyst;
	CREATE VIEW public.seen_PID AS SELECT * FROM public.other_PID;
	GRANT SELECT ON public.seen_PID TO PUBLIC;
	DROP TABLE public.other_PID CASCADE;
) x 25;
$node->safe_psql('postgres', 'CREATE ROLE builder LOGIN; GRANT CREATE ON SCHEMA public TO builder');
@clients = map { my $pid = $_; (start_clients($node, [ 'builder' ], $granting =~ s/PID/$pid/gr)) } 1 .. 2;
my @owner = start_clients($node, [ 'neighbour' ], "SET client_min_messages = error;\n$gone");
my @asking = start_clients($node, [ 'second' ], "$PrivacctTest::QUERY;\n" x 50);
finish_clients(@clients, @owner, @asking);
is($_->{err} =~ s/^.*NOTICE.*\n//mgr, '', "$_->{role} was not disturbed") for @clients, @owner;
is($asking[0]{answers}, 50, 'nor was who asked');
my $log = slurp_file($node->logfile);
unlike($log, qr/cache lookup failed|could not open relation|tuple concurrently|XX000|TRAP|PANIC/, 'no internal errors');

$node->stop;
done_testing();
