# SPDX-License-Identifier: GPL-3.0-or-later
# When releases are handed up.  Only lower bounds of times are looked at, so a
# slow machine cannot make a difference: never before the point of the grid, never
# before the least delay.  Noise that is drawn is below its bounds by chance with
# probability 1e-9.
use strict;
use warnings;

use File::Path qw(rmtree);
use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;
use Time::HiRes qw(usleep);

my $node = new_node('time', track_commit_timestamp => 'on');
$node->start;
$node->safe_psql('postgres', q(
	CREATE EXTENSION privacct;
	CREATE ROLE analyst LOGIN;
	ALTER ROLE analyst SET search_path = public, privacct;
	CREATE TABLE visit (visit_id int PRIMARY KEY, patient_id int NOT NULL, cost float8);
	INSERT INTO visit SELECT i, i / 5, i % 100 FROM generate_series(1, 1000) i;
	CREATE TABLE crowd (id int PRIMARY KEY, grade int);
	INSERT INTO crowd SELECT i, i % 4 FROM generate_series(1, 100) i;
	CREATE TABLE trip (person int NOT NULL, hour int NOT NULL, place text NOT NULL, PRIMARY KEY (person, hour));
	INSERT INTO trip SELECT i / 5, i % 5, (ARRAY['home', 'work'])[1 + i % 2] FROM generate_series(5, 99) i;
	SELECT privacct.protect('visit', 'patient_id', epsilon => 1000, delta => 1e-10, min_epsilon => 0.01, fresh => true),
		privacct.protect('crowd', 'id', regime => 'local', epsilon => 100, fresh => true);
	SELECT privacct.protect_entries('trip', 'person', '{hour}', 'place',
		privacct.chain_prior('{home,work}'::text[], '{{0.6,0.4},{0.4,0.6}}'), 1000, max_entries => 5, fresh => true);
	SELECT privacct.set_domain('crowd', 'grade', ARRAY[0, 1, 2, 3]), privacct.set_keys('crowd', 'grade', ARRAY[0, 1, 2, 3]);
	SELECT privacct.grant_budget(t, 'analyst', 1000, delta => CASE WHEN t = 'visit'::regclass THEN 1e-10 ELSE 0 END)
	FROM unnest(ARRAY['visit', 'crowd', 'trip']::regclass[]) t;
));

sub terms
{
	my ($table, $terms) = @_;
	$node->safe_psql('postgres', "SELECT privacct.set_release_terms('$table', $terms)");
}

# Milliseconds that statements of a session took, by the server's clock; and its errors.
# What goes before the last statement is prepared outside of the time.
sub held
{
	my ($before, $statement, %option) = @_;
	my (undef, $out, $err) = ask($node, qq($before;
		SELECT clock_timestamp() AS began \\gset
		$statement;
		SELECT 'took ' || extract(epoch FROM clock_timestamp() - :'began') * 1000;), %option);
	my ($took) = $out =~ /took ([0-9.]+)/;
	return ($took, $err, $out);
}

sub is_held
{
	my ($least, $name, $before, $statement) = @_;
	my $charges = releases($node);
	my ($took, $err) = held($before, $statement);
	is($err, '', "$name: answered");
	cmp_ok($took, '>=', $least, "$name: not before it is time");
	cmp_ok(releases($node), '>', $charges, "$name: charged");
}

# --- the grid ---

terms($_, "time_grid => '200 ms'") for 'visit', 'crowd', 'trip';
is_held(200, 'a release', '', 'SELECT count(*) FROM visit');
is_held(200, 'a release of entries', '', q(SELECT count(*) FROM trip WHERE place = 'home'));
is_held(200, 'a question to owners', '', 'SELECT ldp_count(grade > 1) FROM crowd');
is_held(200, 'a release under a local policy', '', 'SELECT count(*) FROM crowd');
is_held(400, 'two releases of one statement', '', 'SELECT (SELECT count(*) FROM visit), (SELECT sum(x) FROM (SELECT dp_sum(cost, 0, 100) AS x FROM visit) s)');
is_held(600, 'a loop', '', 'DO $$ BEGIN FOR i IN 1..3 LOOP PERFORM count(*) FROM visit; END LOOP; END $$');
# the time begins with the release, not with the statement
is_held(200, 'a cursor that is opened long before', 'BEGIN; DECLARE c CURSOR FOR SELECT count(*) FROM visit; SELECT pg_sleep(0.25)', 'FETCH c');
is_held(200, 'a prepared statement', 'PREPARE p AS SELECT count(*) FROM visit; EXECUTE p', 'EXECUTE p');

# What others can see before it is time, whatever it is, was committed by then: nothing but the charge.
# A machine may be so slow that it comes later, too.
sub written_by
{
	my (@transactions) = @_;
	my $of = join ',', @transactions, 0;
	my $tables = $node->safe_psql('postgres', q(SELECT string_agg(format('SELECT %L AS name, xmin FROM %s', relname, oid::regclass), ' UNION ALL ')
		FROM pg_class WHERE relnamespace = 'privacct'::regnamespace AND relkind = 'r'));
	return split /\n/, $node->safe_psql('postgres', "SELECT name FROM ($tables) t WHERE xmin::text::bigint IN ($of) ORDER BY name");
}

sub shows_nothing
{
	my ($least, $name, $before, $statement) = @_;
	my (undef, $out, $err) = ask($node, qq($before;
		SELECT clock_timestamp() AS began, pg_snapshot_xmax(pg_current_snapshot()) AS first \\gset
		$statement;
		SELECT CASE WHEN at < :'began'::timestamptz + interval '$least ms' THEN 'early ' ELSE 'late ' END || x
		FROM (SELECT x, pg_xact_commit_timestamp(x::text::xid) AS at
			FROM generate_series(:first::text::bigint, pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1) x) c;));
	my @early = written_by($out =~ /early (\d+)/g);

	is($err, '', "$name: answered");
	is_deeply([ grep { !/^(account|ledger_\w+|payer_sum|release_sum|kept_loss)$/ } @early ], [], "$name: nothing is seen before it is time but what is charged");
	cmp_ok(scalar(grep { $_ eq 'ledger_line' } @early), '<=', 1, "$name: once");
	cmp_ok(scalar(written_by($out =~ /late (\d+)/g)), '>', 0, "$name: then there is more");
}

terms($_, "time_grid => '500 ms'") for 'visit', 'crowd';
shows_nothing(500, 'stages of a relative error', "SET privacct.epsilon = 1; SET privacct.accuracy = '0.001 %'", 'SELECT count(*) FROM visit');
shows_nothing(500, 'answers of owners', '', 'SELECT ldp_count(grade > 1), ldp_count(grade > 2) FROM crowd');
$node->safe_psql('postgres', "SELECT privacct.set_repeats('visit', '1 hour')");
shows_nothing(500, 'a release that is kept', '', 'SELECT count(*) FROM visit WHERE cost > 5');
terms('visit', "time_grid => '500 ms', time_epsilon => 0.5, min_epsilon => 0.01");
shows_nothing(500, 'a release that is kept, with noise on time', 'SET privacct.epsilon = 1', 'SELECT count(*) FROM visit WHERE cost > 6');
is((held("SET privacct.epsilon = 1; SET privacct.epsilon = 1; SET privacct.accuracy = '0.001 %'", 'SELECT count(*) FROM visit'))[1] =~ /22PA5/, 1,
	'stages of a relative error are refused with noise on time');
$node->safe_psql('postgres', "SELECT privacct.set_repeats('visit', NULL)");
terms('visit', "time_grid => '200 ms', min_epsilon => 0.01");
terms('crowd', "time_grid => '200 ms'");

# Starts a statement of the analyst that is timed, while $holder keeps it from being
# charged, and waits until it waits for that.
sub start_held_up
{
	my ($statement) = @_;
	my ($client) = start_clients($node, ['analyst'], qq(
		\\set VERBOSITY verbose
		SELECT clock_timestamp() AS began \\gset
		$statement;
		SELECT 'took ' || extract(epoch FROM clock_timestamp() - :'began') * 1000;));
	my $waits = 0;
	while (!$waits && $client->{run}->pumpable)		# not for ever, should it end early
	{
		usleep(10_000);
		$waits = $node->safe_psql('postgres', q(SELECT count(*) FROM pg_stat_activity WHERE usename = 'analyst' AND wait_event_type = 'Extension'));
	}
	ok($waits, 'the charge waits');
	return $client;
}

# What was done only after a point waits for one that is twice as far: the
# ledger is held up until more than two grids are over.
my $holder = session($node, superuser());
is($holder->say('BEGIN; LOCK TABLE privacct.ledger_line IN EXCLUSIVE MODE'), '', 'the ledger is held up');
my $late = start_held_up('SELECT count(*) FROM visit');
$holder->say('SELECT pg_sleep(0.45); COMMIT');
finish_clients($late);
is($late->{err}, '', 'a release that is late: answered');
my ($lateness) = $late->{out} =~ /took ([0-9.]+)/;
cmp_ok($lateness, '>=', 800, 'a release that is late: not before it is time');

# --- errors and cancels ---

# after the charge: owners that find no room cannot wait in temporary files either
sub temporary_files
{
	my $path = $node->data_dir . '/base/pgsql_tmp';

	rmtree($path) if -d $path;
	if ($_[0]) { unlink $path or die "$path: $!" }
	else { append_to_file($path, '') }
	return;
}
temporary_files(0);
$node->safe_psql('postgres', q(
	CREATE TABLE many (id int NOT NULL);
	INSERT INTO many SELECT i FROM generate_series(1, 50000) i;
	SELECT privacct.protect('many', 'id', epsilon => 1000, time_grid => '300 ms', fresh => true), privacct.grant_budget('many', 'analyst', 1000);
	ALTER ROLE analyst SET privacct.owner_memory = '64kB';
));
my $charges = releases($node);
my ($took, $err) = held('', 'SELECT count(*) FROM many');
like($err, qr/ERROR/, 'an error while rows are read');
is(releases($node), $charges + 1, 'it was charged');
cmp_ok($took, '>=', 300, 'and is not seen before it is time');
($took, $err) = held('', q(DO $$ BEGIN PERFORM count(*) FROM many; EXCEPTION WHEN OTHERS THEN NULL; END $$));
is($err, '', 'an error that is caught');
cmp_ok($took, '>=', 300, 'is not caught before it is time');
temporary_files(1);
# a limit of the session's, which it uses up itself, does not tell which release needs one
$node->safe_psql('postgres', "ALTER ROLE analyst SET temp_file_limit = '64kB'");
is((ask($node, 'SELECT abs(count(*) - 50000) < 1e6 FROM many'))[1], 't', 'whatever files the session may have');
like((ask($node, 'SELECT count(*) FROM (SELECT i, repeat(i::text, 9) FROM generate_series(1, 100000) i ORDER BY 2 OFFSET 0) s'))[2], qr/53400/, 'which hold for what else it asks');
$node->safe_psql('postgres', 'ALTER ROLE analyst RESET ALL; ALTER ROLE analyst SET search_path = public, privacct');

# Cancels that come once the charge is durable.  One may still find the session waiting
# for the ledger, where it ends at once and nothing was read: then another try.  Rows
# are few, so the answer is there by then: nothing but the error must be seen of it.
sub cancelled
{
	my ($least, $name, $statement) = @_;
	for my $try (1 .. 20)
	{
		my $before = releases($node);
		my @client = start_clients($node, ['analyst'], qq(
			\\set VERBOSITY verbose
			SELECT clock_timestamp() AS began \\gset
			$statement;
			SELECT 'took ' || extract(epoch FROM clock_timestamp() - :'began') * 1000;
			SELECT 'intervals ' || count(*) FROM privacct.intervals();
			SELECT FROM (SELECT grade FROM crowd GROUP BY grade) AS free;
			SELECT 'later ' || count(*) FROM privacct.intervals((SELECT max(charge_id) FROM privacct.my_ledger));));
		usleep(10_000) while $client[0]{run}->pumpable && releases($node) == $before;
		$node->safe_psql('postgres', q(SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE usename = 'analyst'));
		finish_clients(@client);
		my ($time) = $client[0]{out} =~ /took ([0-9.]+)/;
		next if $client[0]{out} =~ /^-?\d+$/m;		# it came too late, to the next statement
		next unless $client[0]{err} =~ /57014/ && defined $time && $time >= $least;
		pass("$name: a cancel does not come through before it is time");
		like($client[0]{err}, qr/57014: canceling a release on a protected table\n/, "$name: it says nothing of the work");
		unlike($client[0]{err}, qr/NOTICE/, "$name: nor does a notice");
		like($client[0]{out}, qr/^intervals 0$/m, "$name: nor do the intervals");
		like($client[0]{out}, qr/^later 0$/m, "$name: also when a release that is free was handed up");
		return;
	}
	fail("$name: cancels come through at once");
}
terms($_, "time_grid => '2 s'") for 'visit', 'crowd';
cancelled(2000, 'grid', 'SELECT count(*) FROM visit');
# somebody is left out, which is told with the answer
$node->safe_psql('postgres', 'UPDATE crowd SET grade = (grade + 1) % 4 WHERE id = 1');
($took, $err) = held('', 'SELECT ldp_count(grade > 1) FROM crowd', verbosity => 'default');
like($err, qr/NOTICE:.* 99 of 100 owners answered/, 'a notice says who answered');
cancelled(2000, 'grid of a question', 'SELECT ldp_count(grade > 1) FROM crowd');

# --- the end of the session ---

# Milliseconds from the beginning of a release until the session's client, which $end
# ends once the charge is durable, is gone; nothing if it got an answer.  $end is given
# the process id of the backend and the client's process.
sub ended_after
{
	my ($end) = @_;
	my $before = releases($node);
	my ($client) = start_clients($node, ['analyst'], q(
		SET client_connection_check_interval = '1ms';
		SELECT pg_backend_pid() || ' began ' || extract(epoch FROM clock_timestamp()) * 1000;
		SELECT count(*) FROM visit;));
	usleep(10_000) while $client->{run}->pumpable && releases($node) == $before;
	my ($pid, $began) = slurp_file("$client->{files}.out") =~ /^(\d+) began ([0-9.]+)/;
	$end->($pid, $client->{run});
	finish_clients($client);
	my $gone = $node->safe_psql('postgres', 'SELECT extract(epoch FROM clock_timestamp()) * 1000');
	return $client->{answers} == 0 ? $gone - $began : undef;
}

# It may come before the release owes anything, where the session ends at once and nothing was read: then another try.
sub is_ended_in_time
{
	my ($least, $name, $end) = @_;
	for my $try (1 .. 20)
	{
		my $time = ended_after($end);
		next unless defined $time && $time >= $least;
		pass("$name: the session does not end before it is time");
		return;
	}
	fail("$name: the session ends at once");
}

# A machine may be so slow that the grid is over by then; not each time.
sub is_ended_at_once
{
	my ($most, $name, $end) = @_;
	for my $try (1 .. 5)
	{
		my $time = ended_after($end);
		next unless defined $time && $time < $most;
		pass("$name: the session ends at once");
		return;
	}
	fail("$name: the session is held back");
}

# by another session of the role, which is gone by then, or still there
sub by_role { my ($pid) = @_; ask($node, "SELECT pg_terminate_backend($pid)") }
my $mate = session($node, 'analyst');
is_ended_in_time(2000, 'grid, by a session that ends', \&by_role);
is_ended_in_time(2000, 'grid, by a session that stays', sub { $mate->say("SELECT pg_terminate_backend($_[0])") });
$node->safe_psql('postgres', q(CREATE ROLE boss LOGIN IN ROLE analyst));
is_ended_in_time(2000, 'grid, by a member of the role', sub { ask($node, "SELECT pg_terminate_backend($_[0])", role => 'boss') });
$mate->hang_up;
is_ended_in_time(2000, 'grid, by a client that is gone', sub {
	my ($pid, $run) = @_;
	$run->kill_kill;
	$node->poll_query_until('postgres', "SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = $pid)");
});
# by a limit of its own, which says the same whether it meets the reading of rows or the wait
SKIP:
{
	skip 'transactions have no limit of time before 17', 4 if $node->safe_psql('postgres', 'SHOW server_version_num') < 170_000;
	my $join = join ' ', 'FROM visit t0', map { "JOIN visit t$_ ON t$_.patient_id = t0.patient_id" } 1 .. 12;
	my @ends = map { [ held("SET transaction_timeout = '500 ms'", "SELECT count(*) $_") ]->[1] } 'FROM visit', $join;
	like($ends[$_], qr/FATAL:\s+25P04/, "a transaction that takes too long, case $_") for 0, 1;
	unlike($ends[$_], qr/58PA6/, "no error of the release, case $_") for 0, 1;
}
terms('visit', "time_grid => '1 minute'");
is_ended_at_once(60_000, 'a superuser', sub { $holder->say("SELECT pg_terminate_backend($_[0])") });
# one that asks while it is held back for another
is_ended_at_once(60_000, 'a superuser later', sub { by_role(@_); $holder->say("SELECT pg_terminate_backend($_[0])") });

# --- noise ---

terms('visit', 'time_epsilon => 0.1, min_epsilon => 0.01');
my ($mean, $longest) = split /\|/, $node->safe_psql('postgres', q(
	SELECT extract(epoch FROM mean_delay) * 1000, extract(epoch FROM longest_delay) * 1000 FROM privacct.release_terms WHERE relation = 'visit'::regclass));
cmp_ok($longest, '==', 2 * $mean, 'a delay is up to twice the mean');
$charges = releases($node);
my @times = map { my ($time) = held('SET privacct.epsilon = 0.1', 'SELECT count(*) FROM visit'); $time } 1 .. 5;
is(releases($node), $charges + 5, 'five releases, five charges');
my $costs = $node->safe_psql('postgres', q(SELECT string_agg(DISTINCT l.epsilon || ' ' || (l.delta = (t.time_delta))::text, ',')
	FROM (SELECT * FROM privacct.ledger ORDER BY charge_id DESC LIMIT 5) l, privacct.release_terms t WHERE t.relation = 'visit'::regclass));
is($costs, '0.2 true', 'each costs the epsilon of the noise and that of the time, and its delta');
# Shorter than which one delay in 5e9 is, by the law of the last release's.
sub least_delay
{
	my ($least) = $node->safe_psql('postgres', q(
		SELECT extract(epoch FROM t.mean_delay) * 1000 - (l.detail->'time'->>'scale')::float8 * (l.detail->'time'->>'step_us')::float8 / 1000 * ln(5e9)
		FROM privacct.release_terms t, (SELECT detail FROM privacct.ledger ORDER BY charge_id DESC LIMIT 1) l WHERE t.relation = 'visit'::regclass));
	return $least;
}
my $least = least_delay();
cmp_ok($least, '>', 50, 'the least delay is long enough to be noticed');
cmp_ok((sort { $a <=> $b } @times)[0], '>=', $least, 'no release is handed up before the least delay');
# so long that what is to come before its end does
terms('visit', 'time_epsilon => 0.01, min_epsilon => 0.01');
held('SET privacct.epsilon = 0.1', 'SELECT count(*) FROM visit');
$least = least_delay();
cmp_ok($least, '>', 500, 'ten times as long');
cancelled($least, 'noise', 'SELECT count(*) FROM visit');
is_ended_in_time($least, 'noise, by the role', \&by_role);
ok(books_agree($node), 'the accounts hold exactly the sums of the ledger');

# --- a floor that rises between the offer and the charge ---

terms('visit', 'min_epsilon => 0.01');
is($holder->say(q(BEGIN; SELECT privacct._hold_charges(policy_id) FROM privacct.policy WHERE relation = 'visit'::regclass AND closed_at IS NULL)), '', 'charges are held back');
$charges = releases($node);
my $cheap = start_held_up('SELECT count(*) FROM visit');
$holder->say(q(SELECT privacct.set_release_terms('visit', min_epsilon => 0.5); COMMIT));
$holder->hang_up;
finish_clients($cheap);
unlike($cheap->{out}, qr/^-?\d+$/m, 'no answer for less than the new floor');
like($cheap->{err}, qr/22PA5: the release costs less.*was raised as the release was about to be charged/s, 'the ledger refuses it');
is(releases($node), $charges, 'and charges nothing');
my (undef, undef, $error) = ask($node, 'SELECT count(*) FROM visit', verbosity => 'default');
like($error, qr/HINT:\s+Use SET privacct.epsilon = 0.5, or more/, 'the next try says what the least is');

# --- a shutdown does not wait for the grid ---

terms('visit', "time_grid => '1 minute'");
is_ended_at_once(60_000, 'a fast shutdown', sub { $node->restart });
$node->stop;

done_testing();
