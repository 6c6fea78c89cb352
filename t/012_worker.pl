# SPDX-License-Identifier: GPL-3.0-or-later
# The ledger's worker and its clients, when things do not go as planned: a
# charge survives whatever its client does, nothing is charged twice, and where
# no charge can be made there is a clear error and no answer.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use LocalTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

my $query = $PrivacctTest::QUERY;

# Runs $sql, which may fail, and checks how many charges it made.
sub charges_ok
{
	my ($node, $sql, $expected, $name, %option) = @_;
	my $before = releases($node);
	my (undef, undef, $err) = ask($node, $sql, %option);

	is(releases($node) - $before, $expected, "$name: charges");
	like($err, $option{error}, "$name: error") if defined $option{error};
	is($err, '', "$name: no error") unless defined $option{error};
	return;
}

# Ended by statement_timeout: by the shortest that comes after the charge.
sub cut_off
{
	my ($node, $sql) = @_;
	my $before = releases($node);

	for my $timeout ('1s', '10s', '100s', '1000s')
	{
		my (undef, undef, $err) = ask($node, "SET statement_timeout = '$timeout'; $sql");
		like($err, qr/57014/, 'statement_timeout: error');
		last if releases($node) > $before;
	}
	is(releases($node) - $before, 1, 'statement_timeout: charges');
	return;
}

# What the client does afterwards does not matter.
sub test_survival
{
	my ($node) = @_;
	my $slow = "SELECT pg_sleep(1e6 + 0 * c) FROM (SELECT count(*) AS c FROM visit) s";

	charges_ok($node, $query, 1, 'autocommit');
	charges_ok($node, "BEGIN; $query; ROLLBACK", 1, 'rollback');
	charges_ok($node, "BEGIN; SAVEPOINT a; $query; ROLLBACK TO a; $query; COMMIT",
		2, 'rollback to savepoint');
	charges_ok($node,
		"SELECT 1 / (0 * c) FROM (SELECT count(*)::int AS c FROM visit) s",
		1, 'error after the release', error => qr/22012/);
	charges_ok($node, qq(DO \$\$ DECLARE c bigint; BEGIN
			FOR i IN 1..5 LOOP
				BEGIN
					SELECT count(*) INTO c FROM visit;
					RAISE EXCEPTION 'undo';
				EXCEPTION WHEN raise_exception THEN NULL;
				END;
			END LOOP; END \$\$), 5, 'exception blocks');
	cut_off($node, $slow);
	charges_ok($node, "BEGIN READ ONLY; $query; COMMIT", 1, 'read only');

	for my $function (qw(pg_cancel_backend pg_terminate_backend))
	{
		my $before = releases($node);
		my ($client) = start_clients($node, ['analyst'], "$slow;\n");

		$node->poll_query_until('postgres', q(SELECT EXISTS (SELECT FROM pg_stat_activity
			WHERE usename = 'analyst' AND wait_event = 'PgSleep')))
		  or fail('the release is not reached');
		$node->safe_psql('postgres',
			"SELECT $function(pid) FROM pg_stat_activity WHERE usename = 'analyst'");
		finish_clients($client);
		is(releases($node) - $before, 1, "$function: the charge stays");
	}
	return;
}

# Serializable transactions are served or refused, never served for nothing.
sub test_serializable
{
	my ($node) = @_;
	my $before = releases($node);
	my (undef, $out, $err) =
	  ask($node, "BEGIN ISOLATION LEVEL SERIALIZABLE; $query; COMMIT");
	my $answers = () = $out =~ /^-?\d+$/mg;

	is(releases($node) - $before, $answers, 'serializable: charges are answers');
	ok($answers == 1 || $err =~ /42PA1/, 'serializable: answered or refused as such');
	return;
}

# The worker is terminated again and again while clients are at work.
sub test_termination
{
	my ($node) = @_;
	my $before = releases($node);
	my ($asked, $answers, $errors, $terminated) = (0, 0, 0, 0);

	while ($terminated < 10 && $asked < 100_000)
	{
		my @clients = start_clients($node, [ ('analyst') x 4 ], "$query;\n" x 500);

		for my $round (1 .. 10)
		{
			await_answers(20 * $round, @clients);
			$terminated += $node->safe_psql('postgres', q(
				SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
				WHERE backend_type = 'privacct ledger'));
		}
		for my $client (finish_clients(@clients))
		{
			$asked += 500;
			$answers += $client->{answers};
			$errors += $client->{errors};
			unlike($client->{err}, qr/ERROR:\s+(?!55PA3|\s)/, 'only the ledger fails');
		}
	}
	my $charged = releases($node) - $before;

	cmp_ok($terminated, '>=', 10, 'the worker was terminated');
	is($answers + $errors, $asked, 'every query got an answer or an error');
	cmp_ok($charged, '>=', $answers, 'every answer was charged');
	cmp_ok($charged, '<=', $answers + $errors, 'nothing was charged twice');
	cmp_ok($answers, '>', $asked / 2, 'a new worker takes over');
	ok(books_agree($node), 'the accounts hold exactly the sums of the ledger');
	return;
}

# One place in the queue and a worker that cannot go on.
sub test_full_queue
{
	my $node = new_node('queue', 'privacct.queue_size' => 1);
	$node->start;
	setup_hospital($node);

	my @clients = finish_clients(start_clients($node, [ ('analyst') x 8 ], "$query;\n" x 20));
	my $answers = 0;
	$answers += $_->{answers} for @clients;
	is($answers, 160, 'eight clients share one place');

	set_ledger_timeout($node, 'analyst', '1500ms');
	my $locker = open_session($node, superuser());
	is(run_sql($locker, "BEGIN; LOCK TABLE privacct.account; SELECT 'locked'"), 'locked', 'accounts are locked');
	@clients = finish_clients(start_clients($node, [ ('analyst') x 2 ], "$query;\n"));	# nobody waits for ever
	like($_->{err}, qr/ERROR:\s+55PA3/, 'no place or no answer: an error') for @clients;
	is($clients[0]{answers} + $clients[1]{answers}, 0, 'and no answer');

	set_ledger_timeout($node, 'analyst', '1h');
	my ($canceled) = finish_clients(
		start_clients($node, ['analyst'], "SET statement_timeout = '200ms'; $query;\n"));
	like($canceled->{err}, qr/57014/, 'the wait for the ledger can be cancelled');
	my ($terminated) = start_clients($node, ['analyst'], "$query;\n");
	$node->poll_query_until('postgres', q(
		SELECT bool_or(pg_terminate_backend(pid)) FROM pg_stat_activity
		WHERE usename = 'analyst' AND wait_event = 'Extension'))
	  or fail('no client waits for the ledger');
	finish_clients($terminated);
	is($terminated->{answers}, 0, 'a client that is terminated has no answer');

	run_sql($locker, 'ROLLBACK');
	close_session($locker);
	ok(defined ask_value($node, $query), 'the queue works again');
	cmp_ok(releases($node), '<=', $answers + 1 + 4, 'at most what was asked is charged');
	ok(books_agree($node), 'the accounts hold exactly the sums of the ledger');
	$node->stop;
	return;
}

# The worker gives up waiting for a lock long before a patient client does, and says so.
sub test_locked
{
	my $node = new_node('locked', 'privacct.ledger_timeout' => '1s');
	$node->start;
	setup_hospital($node);
	set_ledger_timeout($node, 'analyst', '1h');
	my $locker = open_session($node, superuser());
	is(run_sql($locker, "BEGIN; LOCK TABLE privacct.account; SELECT 'locked'"), 'locked', 'accounts are locked');
	my (undef, $out, $err) = ask($node, $query, verbosity => 'default');
	is($out, '', 'no answer while accounts are locked');
	like($err, qr/the ledger could not record the charge/, 'the worker gives up');
	run_sql($locker, 'ROLLBACK');
	close_session($locker);
	is(releases($node), 0, 'nothing was charged');
	ok(defined ask_value($node, $query), 'without the lock it goes on');
	$node->stop;
	return;
}

# The worker comes to its tables one after the other, DROP EXTENSION in another order.
sub test_dropped_meanwhile
{
	my $node = new_node('dropped', 'privacct.ledger_timeout' => '1h');
	$node->start;
	setup_hospital($node);
	my $locker = open_session($node, superuser());
	is(run_sql($locker, "BEGIN; LOCK TABLE privacct.ledger_line IN SHARE MODE; SELECT 'locked'"), 'locked', 'the ledger is locked');
	my ($asking) = start_clients($node, ['analyst'], "$query;\n");
	my $waits = 'SELECT EXISTS (SELECT FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE NOT granted AND';
	$node->poll_query_until('postgres', "$waits a.backend_type = 'privacct ledger')") or die 'the worker does not wait';
	my ($dropping) = start_clients($node, [ superuser() ], "SET privacct.allow_drop_extension = on;\nDROP EXTENSION privacct CASCADE;\n");
	$node->poll_query_until('postgres', "$waits a.query ~ '^DROP')") or die 'the drop does not wait';
	is($node->safe_psql('postgres', q(SELECT string_agg(DISTINCT coalesce(l.relation, l.classid)::regclass::text, ', ') FROM pg_locks l JOIN pg_stat_activity a USING (pid)
		WHERE a.query ~ '^DROP' AND (NOT granted OR l.relation::regclass::text ~ '^privacct'))), 'pg_extension', 'the drop waits before it locks tables');
	run_sql($locker, 'ROLLBACK');
	close_session($locker);
	finish_clients($asking, $dropping);
	unlike("$asking->{err}$dropping->{err}", qr/40P01/, 'no deadlock');
	is($node->safe_psql('postgres', q(SELECT count(*) FROM pg_extension WHERE extname = 'privacct')), '0', 'and the extension is dropped');
	$node->stop;
	return;
}

# Returns once commits wait for the standby: the checkpointer tells when.
sub await_synchronous
{
	my ($node) = @_;
	my $waits = q(FROM pg_stat_activity WHERE backend_type = 'client backend' AND wait_event = 'SyncRep');
	my ($probe) = start_clients($node, [ superuser() ], "SELECT txid_current();\n" x 100_000);

	$node->poll_query_until('postgres', "SELECT EXISTS (SELECT $waits)") or fail('commits do not wait for the standby');
	$node->safe_psql('postgres', "SELECT pg_terminate_backend(pid) $waits");
	finish_clients($probe);
	return;
}

# While a synchronous standby is missing no charge is durable enough, and no way
# of cutting the wait short yields an answer.
sub test_synchronous
{
	my $node = new_node('synchronous', allows_streaming => 1);
	my @analysts = ('analyst', 'hasty');
	my $waiting = q(SELECT count(*) FROM pg_stat_activity
		WHERE backend_type = 'privacct ledger' AND wait_event = 'SyncRep');

	$node->start;
	setup_hospital($node, analysts => \@analysts);
	set_ledger_timeout($node, 'hasty', '2s');
	$node->append_conf('postgresql.conf', "synchronous_standby_names = 'nobody'\n");
	$node->restart;
	await_synchronous($node);

	my ($first) = start_clients($node, ['analyst'], "$query;\n");
	$node->poll_query_until('postgres', "SELECT 1 = ($waiting)") or die 'the worker does not wait';
	$node->safe_psql('postgres', q(SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE usename = 'analyst'));
	finish_clients($first);
	like($first->{err}, qr/57014/, 'the client may give up');
	is($first->{answers}, 0, 'without an answer');
	is($node->safe_psql('postgres', $waiting), '1', 'the worker does not');
	$node->safe_psql('postgres', q(SELECT pg_cancel_backend(pid) FROM pg_stat_activity
		WHERE backend_type = 'privacct ledger'));
	my (undef, $out, $err) = ask($node, $query, role => 'hasty');
	is($out, '', 'the next in the queue is not answered');
	like($err, qr/55PA3/, 'and told so');
	is($node->safe_psql('postgres', $waiting), '1', 'the worker cannot be cancelled either');

	my $replaced = worker_pid($node);
	is($node->safe_psql('postgres', "SELECT pg_terminate_backend($replaced, 3600000)"), 't', 'it can be terminated');
	my ($client) = start_clients($node, ['analyst'], "$query;\n");
	$node->poll_query_until('postgres', "SELECT 1 = ($waiting)") or fail('no worker');
	$node->safe_psql('postgres', q(SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE backend_type = 'privacct ledger'));
	finish_clients($client);
	is($client->{answers}, 0, 'a worker that is terminated gives no answer');
	like($client->{err}, qr/55PA3/, 'but an error');

	$node->append_conf('postgresql.conf', "synchronous_standby_names = ''\n");
	$node->reload;
	ok(defined ask_value($node, $query), 'without the standby it goes on');
	cmp_ok(releases($node), '<=', 4, 'nothing was charged twice');
	ok(books_agree($node), 'the accounts hold exactly the sums of the ledger');
	$node->stop;
	return;
}

# DROP DATABASE and RENAME wait five seconds for other sessions to go.
# Whoever holds a policy sums its ledger by themselves: the worker does not meanwhile.
sub test_held_sums
{
	my ($node) = @_;
	my ($blocker, $holder, $asker) = (session($node, superuser()), session($node, superuser()), session($node, 'analyst'));
	my $sums = 'SELECT coalesce(max(charge_id), 0), coalesce(sum(charges), 0) FROM privacct.ledger_sum WHERE policy_id = 1';
	my $waits = 'SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND %s)';

	$node->safe_psql('postgres', q(CREATE TABLE other (person int PRIMARY KEY, other int); SELECT privacct.protect('other', 'person', epsilon => 1000, min_epsilon => 1e-6), privacct.grant_budget('other', 'analyst', 1000)));
	$blocker->say('BEGIN; SELECT FROM privacct.account WHERE policy_id = 1 AND role = 0::oid FOR UPDATE');
	$asker->send($query);
	$node->poll_query_until('postgres', sprintf $waits, "locktype IN ('transactionid', 'tuple')");
	$holder->send('BEGIN; SELECT privacct._hold_charges(1)');
	$node->poll_query_until('postgres', sprintf $waits, "locktype = 'advisory'");
	my $before = $node->safe_psql('postgres', $sums);
	$blocker->say('ROLLBACK');
	like($asker->answer, qr/^-?\d+$/, 'a charge before the policy is held');
	$holder->answer;
	like($asker->say('SELECT count(*) FROM other'), qr/^-?\d+$/, "another table is charged, $_") for 1 .. 5;
	is($node->safe_psql('postgres', $sums), $before, 'the ledger of a policy that is held is not summed by the worker');
	$holder->say('COMMIT');
	$_->hang_up for $blocker, $holder, $asker;
	$node->safe_psql('postgres', q(SELECT privacct.unprotect('other'); DROP TABLE other));
	return;
}

sub test_drop_database
{
	my ($node) = @_;

	$node->safe_psql('postgres', 'CREATE DATABASE ward');
	setup_hospital($node, database => 'ward');
	ok(defined ask_value($node, $query, database => 'ward'), 'another database has its own ledger');
	is(releases($node, 'analyst', 'ward'), 1, 'and one charge in it');
	my $err;
	for (1 .. 100)
	{
		(undef, undef, $err) = $node->psql('postgres', 'DROP DATABASE ward');
		last if $err !~ /other session/;
	}
	unlike($err, qr/ERROR/, 'the idle worker does not keep its database');
	like($err, qr/WARNING:  what tables of database "ward" have spent is forgotten/, 'whose budgets go with it, as is said');
	ok(defined ask_value($node, $query), 'the other worker is not disturbed');
	return;
}

# Servers on which no charge can be made.
sub test_unavailable
{
	my %broken = (
		'not preloaded' => [ { shared_preload_libraries => '', session_preload_libraries => 'privacct' },
			qr/FATAL:.*must be loaded when the server starts.*shared_preload_libraries/s ],
		'not loaded' => [ { shared_preload_libraries => '' }, qr/permission denied|shared_preload_libraries/ ],
		'no worker' => [ { max_worker_processes => 1 }, qr/HINT:.*max_worker_processes/ ],
		'no fsync' => [ { fsync => 'off' }, qr/DETAIL:.*fsync/ ],
		'no full pages' => [ { full_page_writes => 'off' }, qr/DETAIL:.*full_page_writes/ ]);
	my $node = new_node('unavailable');

	$node->start;
	setup_hospital($node);
	for my $name (sort keys %broken)
	{
		my ($conf, $error) = @{ $broken{$name} };
		my $saved = slurp_file($node->data_dir . '/postgresql.conf');

		$node->append_conf('postgresql.conf', "$_ = '$conf->{$_}'\n") for sort keys %$conf;
		$node->restart;
		my (undef, $out, $err) = ask($node, $query, verbosity => 'default');
		like($err, $error, "$name: a clear error");
		is($out, '', "$name: no answer");
		is(releases($node), 0, "$name: no charge") if $name ne 'not preloaded';	# nobody can log in
		open(my $file, '>', $node->data_dir . '/postgresql.conf') or die;
		print $file $saved;
		close $file;
	}
	$node->restart;
	ok(defined ask_value($node, $query), 'it was the settings');

	$node->append_conf('postgresql.conf',
		"fsync = off\nprivacct.require_durable_storage = off\n");
	$node->restart;
	ok(defined ask_value($node, $query), 'an administrator can do without fsync');
	like(slurp_file($node->logfile), qr/WARNING:.*not durable/, 'which the log mentions');
	$node->stop;
	return;
}

# A standby shows what was charged and charges nothing.
sub test_standby
{
	my ($primary) = @_;

	$primary->backup('base');
	my $standby = PostgreSQL::Test::Cluster->new('standby');
	$standby->init_from_backup($primary, 'base', has_streaming => 1);
	$standby->start;
	ok(defined ask_value($primary, $query), 'a release on the primary');
	$primary->wait_for_catchup($standby);

	my $charged = releases($primary);
	is(releases($standby), $charged, 'the ledger is there');
	my @views = split /\n/, $standby->safe_psql('postgres', q(SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'privacct'::regnamespace AND c.relkind = 'v'));
	cmp_ok(scalar @views, '>', 20, 'views');
	is(($standby->psql('postgres', "SET jit = off; SELECT count(*) FROM (SELECT * FROM privacct.$_) v"))[2], '', "$_ is shown") for @views;
	my (undef, $out, $err) = ask($standby, 'SELECT kept IS NULL FROM privacct.repeats');
	is($out, 't', 'but what is kept to be repeated is not known there');
	(undef, $out, $err) = ask($standby, 'SELECT count(*) FROM privacct.my_budget');
	is("$out$err", '1', 'an analyst can read their budget');
	(undef, $out, $err) = ask($standby, $query);
	like($err, qr/25006/, 'a guarded query is refused');
	is($out, '', 'and not answered');
	(undef, undef, $err) = ask($standby, $query, verbosity => 'default');
	like($err, qr/cannot execute a guarded query during recovery/, 'in plain words');

	$standby->promote;
	(undef, undef, $err) = ask($standby, $query);
	like($err, qr/55PA3/, 'after promotion charges may be missing');
	$standby->safe_psql('postgres', 'SET client_min_messages = error; SELECT privacct.accept_books()');
	ok(defined ask_value($standby, $query), 'once that is accepted it is served');
	is(releases($standby), $charged + 1, 'and charged');
	ok(books_agree($standby), 'on top of what the primary had charged');
	$standby->stop;
	return;
}

my $node = new_node('worker', allows_streaming => 1, 'privacct.worker_idle_timeout' => '1s');
$node->start;
setup_hospital($node);
test_survival($node);
test_serializable($node);
test_termination($node);
test_held_sums($node);
test_drop_database($node);
test_standby($node);
$node->poll_query_until('postgres',
	q(SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE backend_type = 'privacct ledger')))
  or fail('the worker does not retire');
is(worker_pid($node), '', 'an idle worker retires');
ok(defined ask_value($node, $query), 'and is started again');
$node->stop;

test_full_queue();
test_locked();
test_dropped_meanwhile();
test_synchronous();
test_unavailable();
done_testing();
