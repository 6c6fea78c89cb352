# SPDX-License-Identifier: GPL-3.0-or-later
# What owners of a local policy have answered: nobody loses more than epsilon and
# no answer that left is missing from the catalog, whatever sessions, crashes,
# cancels and rollbacks do.  LocalTest.pm recomputes every owner's loss.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use List::Util qw(sum0);
use LocalTest;
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;
use Time::HiRes qw(usleep time);

# One line with the answers of ldp_response.
sub list_of
{
	my ($what, $table, $where) = @_;
	return "SELECT coalesce(string_agg(x::text, ','), '-') FROM (SELECT ldp_response($what) x FROM $table "
	  . ($where ? "WHERE $where" : '') . ') r';
}

sub audit_ok
{
	my ($node, $table, $name, %option) = @_;
	my $audit = audit_of($node, $table, %option);
	my @complaints = @{ $audit->{complaints} };

	is(@complaints > 3 ? join("\n", @complaints[ 0 .. 2 ], '...') : join("\n", @complaints), '', "$name: nobody lost too much");
	return $audit;
}

# The lists that came out one after the other are what was recorded.
sub read_ok
{
	my ($audit, $name, @read) = @_;
	my @recorded = map { responses($audit, $audit->{questions}{$_}) } 1 .. $audit->{count};

	is(join("\n", @read), join("\n", @recorded), "$name: what came out is what was recorded");
	return;
}

sub questions
{
	my ($node, $table, $condition) = @_;
	return $node->safe_psql('postgres', "SELECT count(*) FROM privacct.question q JOIN privacct.policy p USING (policy_id)
		WHERE p.relation = '$table'::regclass AND p.closed_at IS NULL AND " . ($condition || 'true'));
}

# Answers of the last question.
sub last_owners
{
	my ($node, $table) = @_;
	return $node->safe_psql('postgres', "SELECT q.owners FROM privacct.question q JOIN privacct.policy p USING (policy_id)
		WHERE p.relation = '$table'::regclass AND p.closed_at IS NULL ORDER BY q.question DESC LIMIT 1");
}

# --- every kind of question, until nobody answers any more ---

# What is asked, as [SQL with TABLE for the table, how the answers are read]; one
# question each.  What everybody is asked comes first.
my @everybody = (
	[ list_of("blood, 'epsilon=0.31'", 'TABLE'), 'list' ],
	[ "SELECT coalesce(ldp_count(smokes OR grade > 2, 'epsilon=0.17')::text, '-') FROM TABLE", 'count' ],
	[ "SELECT coalesce(ldp_histogram(grade, 'epsilon=0.43')::text, '-') FROM TABLE", 'histogram' ],
	[ "SELECT coalesce(ldp_avg(grade, 0, 2, 'epsilon=0.23')::text, '-') FROM TABLE", 'avg' ],
	[ list_of("grade, 1, 3, 'epsilon=0.29'", 'TABLE'), 'list' ],
	[ 'SELECT count(*) FROM TABLE WHERE ward > 0', 'central' ]);
my @others = (
	[ "SELECT coalesce(sum(c)::text, '-') FROM (SELECT region, ldp_count(smokes, 'epsilon=0.2') c FROM TABLE GROUP BY region) r",
		'count' ],
	[ list_of("smokes, 'epsilon=0.37'", 'TABLE', 'ward = 2'), 'list' ],
	[ list_of("grade, 0, 3, 'epsilon=0.21, kernel=laplace'", 'TABLE', 'ward < 3'), 'list' ],
	[ "SELECT coalesce(ldp_sum(grade, 'epsilon=0.3, kernel=brdp_laplace, within=30')::text, '-') FROM TABLE", 'sum' ],
	[ "SELECT coalesce(sum(c)::text, '-') FROM (SELECT ward, ldp_count(blood = 'A' AND smokes, 'epsilon=0.5') c
		FROM TABLE WHERE region <> 'B' GROUP BY ward) r", 'count' ]);
my @about_box = (
	[ "SELECT coalesce(ldp_avg(age + 3 * grade, 'epsilon=0.35')::text, '-') FROM TABLE", 'avg' ],
	[ "SELECT coalesce(ldp_avg(privacct.logistic(0.1 * age - 4), 'epsilon=0.5')::text, '-') FROM TABLE WHERE region = 'A'", 'avg' ],
	[ "SELECT coalesce(ldp_avg(least(greatest(bp - 2 * age, 0), 60), 0, 60, 'epsilon=0.45')::text, '-') FROM TABLE", 'avg' ]);

sub test_exhaustion
{
	my ($node, $table, $columns, $filter, $exact, @asks) = @_;
	my ($session, $silent, @read, @asked, @refused);

	local_policy($node, table => $table, filter => $filter, columns => $columns, owners => 60);
	$session = open_session($node);
	run_sql($session, "SET privacct.epsilon = 0.02");
	for my $round (1 .. 40)
	{
		my $before = @read;

		for my $i (0 .. $#asks)
		{
			(my $sql = $asks[$i][0]) =~ s/TABLE/$table/g;
			my $answer = run_sql($session, $sql);
			push(@refused, $i), next if refused($answer);
			push @read, $answer;
			push @asked, $i;
		}
		last if $silent = questions($node, $table, "q.owners > 0 AND q.question > $before") == 0;
	}
	close_session($session);
	is(scalar(grep { /ERROR/ } @read), 0, "$table: no errors");
	ok($silent, "$table: in the end nobody answers");
	cmp_ok(scalar @refused, '>', 0, "$table: what nobody can bear is refused");
	my $audit = audit_ok($node, $table, $table,
		asked => sub { $exact && $asked[ $_[0]{number} - 1 ] < @everybody ? 'all' : undef });
	is($audit->{count}, scalar @read, "$table: each is one question");
	cmp_ok($audit->{largest}, '>', $filter eq 'basic' ? 0.3 : 0.7, "$table: owners use what they have");
	cmp_ok($audit->{decisions}{$_}, '>', 50, "$table: whoever may be asked is asked, nobody else") for !$exact ? () : $filter eq 'basic' ? 1 : (0, 1);		# sums are the same for all
	my @wrong = grep {
		my $how = $asks[ $asked[$_] ][1];
		my $question = $audit->{questions}{ $_ + 1 };
		$how eq 'central' ? !$question || $question->{kind} ne $how : !matches($audit, $question, $how, $read[$_])
	} 0 .. $#read;
	is(join(' ', map { $_ + 1 } @wrong), '', "$table: what came out is what was recorded");
	note "$table: $audit->{count} questions, largest loss $audit->{largest}";
	return;
}

# --- sessions and their books ---

# Each session's book is behind by what the others asked.
sub test_books
{
	my ($node) = @_;

	for my $filter ('full', 'simplified')
	{
		local_policy($node, table => "book_$filter", filter => $filter, owners => 40);
		my %session = map { $_ => open_session($node) } qw(a b c);
		my @read;

		for my $who (split //, 'abaabbbacabcbbbaaacbabacbcaabbcc')
		{
			push @read, grep { !refused($_) } map { scalar run_sql($session{$who}, list_of($_, "book_$filter")) }
			  "smokes, 'epsilon=0.19'", "blood, 'epsilon=0.27'";
		}
		close_session(values %session);
		my $audit = audit_ok($node, "book_$filter", "books of three sessions ($filter)", asked => 'all');
		read_ok($audit, "books of three sessions ($filter)", @read);
		cmp_ok($audit->{decisions}{$_}, '>', 50, "books of three sessions ($filter): decisions of both kinds") for 0, 1;
	}

	# many owners with few histories: their states are soon smaller than their answers
	local_policy($node, table => 'crowd', owners => 2000, columns => ['smokes']);
	my %session = map { $_ => open_session($node) } qw(a b c);
	my (%bases, @read);

	for my $who (split //, 'aababbbbbbbbabcccccccccabaabcbcaababcbcc')
	{
		push @read, grep { !refused($_) } scalar run_sql($session{$who}, list_of("smokes, 'epsilon=0.13'", 'crowd'));
		$bases{ $node->safe_psql('postgres', 'SELECT question FROM privacct.owner_state_at') } = 1;
	}
	close_session(values %session);
	cmp_ok(scalar keys %bases, '>', 2, 'states were written more than once');
	my $audit = audit_ok($node, 'crowd', 'states written by other sessions', asked => 'all');
	read_ok($audit, 'states written by other sessions', @read);
	is($audit->{states_checked}, 1, 'the states written are those of the answers');
	cmp_ok($audit->{decisions}{$_}, '>', 50, 'states written by other sessions: decisions of both kinds') for 0, 1;
	return;
}

# --- owners come, go and change ---

sub ask_bed
{
	my ($node, $session, $bed) = @_;
	my $read = run_sql($session, list_of("smokes, 'epsilon=0.3'", 'bed', "bed = $bed"));

	fail("bed $bed: $read") if $read !~ /^(?:-|true|false|)$/;
	return $read eq '-' ? 0 : 1;
}

# How often the owner in a bed answers until they do not.
sub exhaust_bed
{
	my ($node, $session, $bed) = @_;
	my $answers = 0;

	$answers++ while $answers < 400 && ask_bed($node, $session, $bed);
	return $answers;
}

sub test_owners
{
	my ($node) = @_;
	my ($session, $other);
	my @beds;						# of each question

	local_policy($node, table => 'bed', owners => 8, columns => ['smokes'], filter => 'simplified');
	($session, $other) = (open_session($node), open_session($node));
	ok(exhaust_bed($node, $session, $_) >= 3, "the owner in bed $_ is asked until their budget is lost") for 1 .. 3;

	$node->safe_psql('postgres', q(DELETE FROM bed WHERE id = 1; INSERT INTO bed (id, bed, smokes) VALUES (1, 1, true)));
	is(ask_bed($node, $_, 1), 0, 'who is deleted and inserted again is not asked again') for $session, $other;
	$node->safe_psql('postgres', 'UPDATE bed SET smokes = NOT smokes WHERE id = 2');
	is(ask_bed($node, $_, 2), 0, 'nor is who has another value') for $session, $other;
	$node->safe_psql('postgres', 'CREATE TABLE saved AS TABLE bed; TRUNCATE bed; INSERT INTO bed SELECT * FROM saved ORDER BY id DESC');
	is(ask_bed($node, $session, $_), 0, "nor is anybody once the table was filled anew ($_)") for 1 .. 3;

	ok(ask_bed($node, $session, 4), 'an owner answers');
	$node->safe_psql('postgres', 'UPDATE bed SET smokes = NOT smokes WHERE id = 4');
	is(ask_bed($node, $_, 4), 0, 'but not once they have another value') for $session, $other;
	$node->safe_psql('postgres', 'UPDATE bed SET smokes = NOT smokes WHERE id = 4');
	ok(exhaust_bed($node, $other, 4) >= 2, 'with the old value they go on');
	is(ask_bed($node, $session, 4), 0, 'until their budget is lost');

	my $audit = audit_ok($node, 'bed', 'owners that change');
	is($audit->{known}, 4, 'four owners are known');
	$node->safe_psql('postgres', 'UPDATE bed SET id = 1001 WHERE id = 3');
	ok(exhaust_bed($node, $session, 3) >= 3, 'who has another id is another owner');
	$node->safe_psql('postgres', 'INSERT INTO bed (id, bed, smokes) VALUES (2001, 9, true), (2002, 10, NULL)');
	ok(exhaust_bed($node, $session, 9) >= 3, 'new owners start with a budget of their own');
	ok(exhaust_bed($node, $session, 10) >= 3, 'also who has no value');
	$node->safe_psql('postgres', 'UPDATE bed SET id = 3 WHERE id = 1001');
	is(ask_bed($node, $session, 3), 0, 'who has the old id back is the old owner');
	close_session($session, $other);
	$audit = audit_ok($node, 'bed', 'owners that come');
	is($audit->{known}, 7, 'three more owners are known');

	# sums hold whatever the values are
	local_policy($node, table => 'sums', owners => 4, columns => ['smokes'], filter => 'basic');
	my @read = map {
		$node->safe_psql('postgres', 'UPDATE sums SET smokes = NOT smokes WHERE id > 2');
		$node->safe_psql('postgres', 'UPDATE sums SET id = id + 10 WHERE id = 1') if $_ == 2;
		ask_values($node)
	} 1 .. 5;
	is(join(' ', @read), '4 4 4 1 0', 'the basic filter asks three times, whatever the values are');
	audit_ok($node, 'sums', 'values that change', asked => sub { [ 1 .. 4 ] });	# all but who became another
	return;
}

# How many answer.
sub ask_values
{
	my ($node) = @_;
	my (undef, $read) = ask($node, list_of("smokes, 'epsilon=0.3'", 'sums'));

	return $read eq '-' ? 0 : scalar split /,/, $read;
}

# --- statements that end badly ---

# Whether the received answers are the recorded ones with up to so many left out.
sub left_out
{
	my ($audit, $questions, $received, $how) = @_;
	my $at = 0;

	for my $read (@$received)
	{
		$at++ while $at < @$questions && !matches($audit, $questions->[$at], $how, $read);
		return undef if $at++ >= @$questions;
	}
	return @$questions - @$received;
}

# Runs SQL that may fail and checks how many questions it put.
sub puts_ok
{
	my ($node, $session, $sql, $expected, $error, $name) = @_;
	my $before = questions($node, 'ward');
	my $read = run_sql($session, $sql);

	is(questions($node, 'ward') - $before, $expected, "$name: recorded");
	$error ? like($read, $error, "$name: error") : unlike($read, qr/ERROR/, "$name: no error");
	return $read;
}

# Ended by statement_timeout: by the shortest that comes after the block.
sub cut_off
{
	my ($node, $session, $sql) = @_;
	my $before = questions($node, 'ward');

	for my $timeout ('300ms', '3s', '30s', '300s')
	{
		like(scalar run_sql($session, "SET statement_timeout = '$timeout'; $sql; RESET statement_timeout"), qr/57014/,
			'statement_timeout after the block: error');
		last if questions($node, 'ward') > $before;
	}
	is(questions($node, 'ward') - $before, 1, 'statement_timeout after the block: recorded');
	return;
}

sub test_rollback
{
	my ($node) = @_;
	my $list = list_of("blood, 'epsilon=0.07'", 'ward');
	my $block = "(SELECT ldp_count(smokes, 'epsilon=0.07') AS c FROM ward) s";
	my $session;

	local_policy($node, table => 'ward', owners => 50, roles => [qw(analyst other)]);
	$session = open_session($node);
	puts_ok($node, $session, $list, 1, undef, 'autocommit');
	puts_ok($node, $session, "BEGIN; $list; ROLLBACK", 1, undef, 'rollback');
	puts_ok($node, $session, "BEGIN; SAVEPOINT a; $list; ROLLBACK TO a; $list; COMMIT", 2, undef, 'savepoint');
	puts_ok($node, $session, "SELECT 1 / (0 * c)::int FROM $block", 1, qr/22012/, 'error after the block');
	puts_ok($node, $session, "BEGIN; $list; SELECT 1/0; $list; ROLLBACK", 1, qr/22012/, 'failed transaction');
	puts_ok($node, $session, "DO \$\$ DECLARE c float8; BEGIN FOR i IN 1..5 LOOP BEGIN
		SELECT s.c INTO c FROM $block; RAISE EXCEPTION 'undo'; EXCEPTION WHEN raise_exception THEN NULL; END; END LOOP; END \$\$",
		5, undef, 'exception blocks');
	puts_ok($node, $session, "BEGIN READ ONLY; $list; COMMIT", 1, undef, 'read only');
	puts_ok($node, $session, "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1; $list; $list; COMMIT", 2, undef, 'repeatable read');
	puts_ok($node, $session, "BEGIN; DECLARE d CURSOR FOR $list; FETCH d; ROLLBACK", 1, undef, 'cursor');
	puts_ok($node, $session, "BEGIN; DECLARE d CURSOR FOR $list; ROLLBACK", 0, undef, 'cursor that is not read');
	cut_off($node, $session, "SELECT pg_sleep(1e6 + 0 * c) FROM $block");
	for my $function (qw(pg_cancel_backend pg_terminate_backend))
	{
		my $before = questions($node, 'ward');
		my ($client) = start_clients($node, ['other'], "SELECT pg_sleep(1e6 + 0 * c) FROM $block;\n");
		my $who = q(SELECT pid FROM pg_stat_activity WHERE usename = 'other' AND wait_event = 'PgSleep');

		$node->poll_query_until('postgres', "SELECT EXISTS ($who)") or fail('nothing is asked');
		$node->safe_psql('postgres', "SELECT $function(pid) FROM ($who) s");
		finish_clients($client);
		is(questions($node, 'ward') - $before, 1, "$function: recorded");
	}
	puts_ok($node, $session, $list, 1, undef, 'afterwards');
	close_session($session);
	audit_ok($node, 'ward', 'statements that end badly', asked => 'all');
	return;
}

# Statements are cut off at any moment.
sub test_timeouts
{
	my ($node) = @_;
	my $scale = 25000;				# microseconds: what a query takes is not known
	my $errors = 0;
	my @clients;
	my %received = (analyst => 0, other => 0);

	local_policy($node, table => 'cut', owners => 1500, columns => ['blood'], roles => ['analyst', 'other']);
	for my $round (1 .. 20)
	{
		my $script = join '', map {
			sprintf "SET statement_timeout = '%dus';\n%s;\n", 1000 + rand $scale, list_of("blood, 'epsilon=0.003'", 'cut')
		} 1 .. 120;
		my @now = finish_clients(start_clients($node, [qw(analyst other analyst other)], $script));

		push @clients, @now;
		$errors += $_->{errors} for @now;
		$received{ $_->{role} } += () = $_->{out} =~ /\n/g for @now;
		last if $errors > 20 && !grep { $_ <= 10 } values %received;
		$scale *= $errors > 20 ? 4 : 1 / 4;
	}
	my $audit = audit_ok($node, 'cut', 'statements that are cut off', asked => 'all');

	for my $client (@clients)
	{
		my @lines = split /\n/, $client->{out};
		unlike($client->{err}, qr/ERROR:\s+(?!57014|55PA3)\w/, 'only cut off, or by the ledger');
		my @questions = roles_of($audit, $client->{role});
		ok(defined left_out($audit, \@questions, \@lines, 'list'), 'all answers that came out were recorded, in order');
	}
	for my $role (sort keys %received)
	{
		cmp_ok($received{$role}, '>', 10, "$role received answers");
		cmp_ok(scalar roles_of($audit, $role), '>=', $received{$role}, "$role: none is missing");
	}
	cmp_ok($errors, '>', 20, 'many were cut off');
	note "cut: $audit->{count} questions, $errors errors, states up to $audit->{base}";
	return;
}

# A session gives up while its answers are being recorded, and another one asks
# before they are.
sub test_stale
{
	my ($node) = @_;
	my $list = list_of("smokes, 'epsilon=0.3'", 'ward');
	my $waits = sub {
		my ($condition) = @_;
		$node->poll_query_until('postgres', "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE $condition)")
		  or fail("there is no session with $condition");
	};
	my $before = questions($node, 'ward');
	my $dba = open_session($node, 'postgres');

	# asked, charged, and now the worker cannot write
	run_sql($dba, 'BEGIN');
	my ($first) = start_clients($node, ['analyst'], "SELECT 'first'; $list;\n");
	finish_clients($first);
	is(questions($node, 'ward'), $before + 1, 'nothing is in the way');
	run_sql($dba, 'LOCK TABLE privacct.answer IN SHARE MODE');
	($first) = start_clients($node, ['analyst'], "$list;\n");
	$waits->("backend_type = 'privacct ledger' AND wait_event_type = 'Lock'");
	my ($second) = start_clients($node, ['other'], "$list;\n");
	$waits->("usename = 'other' AND wait_event IN ('advisory', 'Extension')");
	$node->safe_psql('postgres', q(SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE usename = 'analyst'));
	finish_clients($first);
	like($first->{err}, qr/57014/, 'the first gives up');
	run_sql($dba, 'ROLLBACK');
	close_session($dba);
	finish_clients($second);
	unlike($second->{err}, qr/ERROR:\s+(?!55PA3)\w/, 'the second is answered, or told to try again');
	my $session = open_session($node);
	unlike(scalar run_sql($session, $list), qr/ERROR/, 'it goes on');
	close_session($session);
	audit_ok($node, 'ward', 'answers that nobody waits for', asked => 'all');
	return;
}

# --- sixty-four sessions and little budget ---

sub test_race
{
	my ($node) = @_;
	my @roles = map { "role$_" } 1 .. 64;
	my $list = list_of("blood, 'epsilon=0.4'", 'few');
	my $count = "SELECT coalesce(ldp_count(smokes, 'epsilon=0.33')::text, '-') FROM few";
	my %script = (list => "$list;\n" x 3, count => "$count;\n" x 3);

	local_policy($node, table => 'few', owners => 24, roles => \@roles);
	my $session = open_session($node, 'role1');
	run_sql($session, list_of("blood, 'epsilon=0.9'", 'few', 'bed <= 12'));		# these can bear nothing more
	close_session($session);
	my @clients = finish_clients(start_clients($node, [ @roles[ 0 .. 31 ] ], $script{list}),
		start_clients($node, [ @roles[ 32 .. 63 ] ], $script{count}));
	my $audit = audit_ok($node, 'few', 'sixty-four sessions', asked => sub { $_[0]{number} > 1 ? 'all' : undef });

	my @refused = map { scalar(() = $_->{err} =~ /ERROR:\s+53PA2/g) } @clients;

	is($audit->{count}, 1 + 64 * 3 - sum0(@refused), 'every query that somebody can bear was a question, numbered without gaps');
	cmp_ok($audit->{decisions}{$_}, '>', 10, 'sixty-four sessions: decisions of both kinds') for 0, 1;
	unlike(join('', map { $_->{err} } @clients), qr/ERROR:\s+(?!53PA2)\w/, 'no session failed');
	for my $i (0 .. 63)
	{
		my @received = split /\n/, $clients[$i]{out};
		my @questions = roles_of($audit, $roles[$i]);
		shift @questions if $i == 0;
		is(@received, 3 - $refused[$i], "$roles[$i] has an answer to each");
		is(scalar(grep { !matches($audit, $questions[$_], $i < 32 ? 'list' : 'count', $received[$_]) } 0 .. $#received), 0,
			"$roles[$i] received what was recorded");
	}
	return;
}

# --- crashes ---

sub test_crash
{
	my @roles = map { "role$_" } 0 .. 3;
	my $node = new_node('local_crash', restart_after_crash => 'on');
	my (%received, %missed);

	$node->start;
	local_policy($node, table => 'person', owners => 30, roles => \@roles);
	for my $round (1 .. 6)
	{
		my @clients = map {
			my $list = list_of("blood, 'epsilon=0.02'", 'person', "ward = $_") . ";\n";
			$list = "BEGIN;\n${list}ROLLBACK;\n" if $_ % 2;
			start_clients($node, [ $roles[$_] ], $list x 2000, stop => 1)
		} 0 .. 3;
		await_answers(5, @clients);
		usleep rand 250_000;			# at any moment
		if ($round % 3)
		{
			my $postmaster = $node->{_pid};
			kill 'STOP', $postmaster;
			my @family = children($postmaster);
			kill 'KILL', $postmaster, @family;
			usleep 10_000 while grep { kill 0, $_ } @family;
			$node->kill9;
		}
		else
		{
			kill 'KILL', worker_pid($node);
		}
		for my $client (finish_clients(@clients))
		{
			my @lines = split /\n/, $client->{out};
			push @{ $received{ $client->{role} } }, @lines;
		}
		$node->{_pid} ? await_server($node) : $node->start;
	}
	my $audit = audit_ok($node, 'person', 'after crashes');
	for my $role (@roles)
	{
		my @questions = roles_of($audit, $role);
		my $missed = left_out($audit, \@questions, $received{$role}, 'list');
		cmp_ok(scalar @{ $received{$role} }, '>', 20, "$role received answers");
		ok(defined $missed, "$role: every answer received is recorded") or next;
		cmp_ok($missed, '<=', 6, "$role: hardly more than that");
	}
	note "crash: $audit->{count} questions, largest loss $audit->{largest}";
	my $session = open_session($node, 'role0');
	unlike(scalar run_sql($session, list_of('smokes', 'person')), qr/ERROR/, 'asking goes on') for 1 .. 3;
	close_session($session);
	audit_ok($node, 'person', 'after that', asked => sub { $_[0]{number} > $audit->{count} ? 'all' : undef });
	$node->stop;
	return;
}

# --- tables that do not fit ---

sub states_of
{
	my ($session, $table) = @_;
	return join "\n", sort(run_sql($session, "SELECT state, owners, realised_epsilon, worst_case_epsilon, central_epsilon, can_bear, folded_epsilon
		FROM privacct.local_state WHERE relation = '$table'::regclass"));
}

# Histories by the hundred, room for few: what is kept of the others bounds them, all
# sessions keep the same, and so does who reads states that were written.
sub test_folding
{
	my ($node) = @_;
	my @asks = (@everybody[ 0 .. 3, 5 ], @others[ 1, 2, 4 ]);
	my @with_box = (@about_box, grep { $_->[0] !~ /blood/ } @asks);

	$node->safe_psql('postgres', q(ALTER DATABASE postgres SET privacct.book_memory = '64kB'));
	for my $filter (qw(full simplified basic approximate))
	{
		my $table = "fold_$filter";
		my $box = $filter eq 'full' || $filter eq 'approximate';
		my $asked = 0;
		my $list = "SELECT ldp_sum(grade, 0, 3, 'epsilon=0.004, kernel=laplace') FROM $table";
		my @columns = $box ? qw(grade smokes age bp) : qw(grade smokes blood);

		local_policy($node, table => $table, filter => $filter, delta => $filter eq 'approximate' ? 1e-6 : 'NULL', owners => 400, epsilon => 7, columns => \@columns);
		my ($first, $second) = (open_session($node), open_session($node));
		for my $round (1 .. 2)
		{
			for my $ask ($box ? @with_box : @asks)
			{
				(my $sql = $ask->[0]) =~ s/TABLE/$table/g;
				my $answer = run_sql($asked++ % 2 ? $second : $first, $sql);
				unlike($answer, qr/ERROR:\s++(?!53PA2)/, "$table: asked") if $answer =~ /ERROR/;
			}
			run_sql($first, $list) for $round == 1 ? 1 .. 40 : ();		# until states are written
			is(states_of($first, $table), states_of($second, $table), "$table: two sessions have the same states, round $round");
		}
		my $third = open_session($node);
		is(states_of($third, $table), states_of($first, $table), "$table: so has one that comes later");
		my ($states, $most, $folded) = split /\|/, $node->safe_psql('postgres', "SELECT o.states, (SELECT max(most_states) FROM (TABLE privacct.answer UNION ALL TABLE audit.answer) a WHERE policy_id = p.policy_id), o.folded
			FROM privacct.local_odometer o JOIN privacct.policy p USING (relation) WHERE relation = '$table'::regclass AND p.closed_at IS NULL");
		cmp_ok($states, '<=', $most * 1.5, "$table: not many more states than there is room for");
		cmp_ok($folded, '>', 100, "$table: it was not enough for all");
		close_session($_) for $first, $second, $third;
		my $audit = audit_ok($node, $table, $table, folds => 1, asked => $filter eq 'approximate' ? undef : 'all');
		note "$table: $audit->{count} questions, written after $audit->{base}, $states of $most states, $folded folded, largest loss $audit->{largest}";
		cmp_ok($audit->{base}, '>', 20, "$table: states were written");
		cmp_ok($audit->{folded} // 0, '>', 100, "$table: with what is left of tables");
		my $fourth = open_session($node);
		run_sql($fourth, $list);
		my $fifth = open_session($node);
		is(states_of($fourth, $table), states_of($fifth, $table), "$table: and who reads states that were written");
		close_session($_) for $fourth, $fifth;
	}
	$node->safe_psql('postgres', 'ALTER DATABASE postgres RESET privacct.book_memory');
	return;
}

# Bytes that a session keeps of one table's states, which are written in pieces.
sub bytes_of
{
	my ($node, $table) = @_;
	return $node->safe_psql('postgres', "SET client_min_messages = warning; DO 'BEGIN PERFORM FROM privacct.local_state WHERE relation = ''$table''::regclass; END';
		SELECT sum(total_bytes) FROM pg_backend_memory_contexts WHERE name = 'privacct states'");
}

sub restart_with_shared
{
	my ($node, $memory) = @_;
	$node->append_conf('postgresql.conf', "privacct.shared_book_memory = $memory\n");
	$node->restart;
	return;
}

# What is shared would not be seen.
sub test_memory
{
	my ($node) = @_;
	my %bytes;

	restart_with_shared($node, 0);
	for my $memory (1024, 65536)
	{
		my $table = "memory_$memory";

		local_policy($node, table => $table, owners => 4000, epsilon => 8);
		$node->safe_psql('postgres', "ALTER DATABASE postgres SET privacct.book_memory = $memory");
		my $session = open_session($node);
		for my $i (1 .. 14)
		{
			my $condition = join ' OR ', map { $i >> $_ & 1 ? ('smokes', 'grade > 1', "blood = 'A'", 'grade % 2 = 1')[$_] : () } 0 .. 3;
			unlike(scalar run_sql($session, "SELECT ldp_count($condition, 'epsilon=0.2') FROM $table"), qr/ERROR/, "$table: asked");
		}
		close_session($session);
		$bytes{$memory} = bytes_of($node, $table);
		my $folded = $node->safe_psql('postgres', "SELECT folded FROM privacct.local_odometer WHERE relation = '$table'::regclass");
		ok($memory > 1024 ? $folded == 0 : $folded > 1000, "$table: $folded owners' tables do not fit into $memory kB");
	}
	note "bytes: $bytes{1024} and $bytes{65536}";
	cmp_ok($bytes{1024}, '<=', 1.2 * 1024 * 1024, 'no more memory than is allowed');
	cmp_ok($bytes{65536}, '>', 1.5 * 1024 * 1024, 'where there is no need it is more');
	restart_with_shared($node, '512MB');
	$node->safe_psql('postgres', 'ALTER DATABASE postgres RESET privacct.book_memory');
	return;
}

# --- dump and restore ---

my $CATALOG = join '; ', map { "SELECT '$_', * FROM privacct.$_ ORDER BY 2, 3" }
  qw(domain public_column question owner_key answer likelihood owner_state owner_state_at);

sub test_dump
{
	my ($node) = @_;
	my $dir = PostgreSQL::Test::Utils::tempdir();
	my @tables = ('crowd', 'book_full', 'bed', 'box_full');		# the first has states written
	my %before = map { $_ => audit_of($node, $_) } @tables;
	my $catalog = $node->safe_psql('postgres', $CATALOG);

	isnt($before{crowd}{base}, 0, 'states are written before the dump');
	is($before{bed}{base}, 0, 'and not all');
	$node->command_ok([ 'pg_dump', '-Fc', '-f', "$dir/dump", 'postgres' ], 'pg_dump');
	$node->safe_psql('postgres', 'CREATE DATABASE copy TEMPLATE template0');
	$node->command_ok([ 'pg_restore', '--exit-on-error', '-d', 'copy', "$dir/dump" ], 'pg_restore');
	is($node->safe_psql('copy', $CATALOG), $catalog, 'questions, answers and states are the same');
	$node->safe_psql('copy', 'SET client_min_messages = error; SELECT privacct.accept_books()');
	keep_answers($node, 'copy');
	for my $table (@tables)
	{
		my $audit = audit_ok($node, $table, "$table after the restore", database => 'copy');
		is_deeply($audit->{losses}, $before{$table}{losses}, "$table: the losses are the same");
	}

	# the same decisions as ever, also once states are written there
	my $session = open_session($node, 'analyst', 'copy');
	is(scalar run_sql($session, list_of("smokes, 'epsilon=0.3'", 'bed', "bed = $_")), '-', 'who has lost everything is not asked')
	  for 1, 2, 4, 9;
	for my $table ('crowd', 'book_full')
	{
		unlike(scalar run_sql($session, list_of("smokes, 'epsilon=0.02'", $table)), qr/ERROR/, "$table can be asked") for 1 .. 10;
		my $audit = audit_ok($node, $table, "$table asked after the restore", database => 'copy',
			asked => sub { $_[0]{number} > $before{$table}{count} ? 'all' : undef });
		is($audit->{count}, $before{$table}{count} + 10, "$table: numbers go on");
	}
	unlike(scalar run_sql($session, "SELECT ldp_avg(age, 'epsilon=0.1') FROM box_full"), qr/ERROR/, 'forms can be asked');
	close_session($session);
	return;
}

# --- one policy after the other ---

sub renew
{
	my ($node, $table, $filter) = @_;
	return $node->safe_psql('postgres', qq(BEGIN;
		SET client_min_messages = warning;
		SELECT privacct.unprotect('$table'), privacct.protect('$table', 'id', epsilon => 1, regime => 'local', filter => '$filter', fresh => true);
		SELECT privacct.set_domain('$table', 'smokes', ARRAY[false, true]), privacct.grant_budget('$table', 'analyst', 1e6); COMMIT;));
}

sub policy_of
{
	my ($node, $table) = @_;
	return $node->safe_psql('postgres', "SELECT policy_id FROM privacct.policy WHERE relation = '$table'::regclass AND closed_at IS NULL");
}

# What the catalog says that a closed policy leaves to its successor is what the answers say.
sub carried_ok
{
	my ($node, $policy, $audit, $name) = @_;
	my $carried = carried_over($audit);
	my @lost = split /,/, $node->safe_psql('postgres', "SELECT array_to_string(lost, ',') FROM privacct.policy WHERE policy_id = $policy");
	my @expected = ($carried->{central}, $carried->{central} + $carried->{basic}, $carried->{rho});

	ok(@lost == 3 && !(grep { abs($lost[$_] - $expected[$_]) > 1e-9 } 0 .. 2), "$name: what is carried over is the largest")
	  or diag("@lost instead of @expected");
	return $carried;
}

# Asks until states are written, so that they can be compared, and for long enough
# that nobody's answers were all the same: then the sum of levels is above every loss.
sub ask_until_written
{
	my ($node, $table, $sql, $name) = @_;
	my $session = open_session($node);
	my $written = "SELECT count(*) FROM privacct.owner_state_at WHERE question > 0 AND policy_id = " . policy_of($node, $table);
	my $rounds = 0;

	while ($rounds++ < 4 || ($rounds < 50 && !$node->safe_psql('postgres', $written)))
	{
		unlike(scalar run_sql($session, $sql), qr/ERROR/, "$name: asked") for 1 .. 10;
	}
	close_session($session);
	return;
}

# The audit sees what somebody starts with: a state that says less does not pass.
sub too_little_ok
{
	my ($node, $table, %option) = @_;
	my $start = 'privacct.likelihood WHERE state = 0 AND policy_id = ' . policy_of($node, $table);

	for my $sum (qw(basic central rho))
	{
		my $was = $node->safe_psql('postgres', "SELECT $sum FROM $start");
		my $set = sub {
			$node->safe_psql('postgres', "ALTER TABLE privacct.likelihood DISABLE TRIGGER USER;
				UPDATE privacct.likelihood SET $sum = $_[0] FROM (SELECT policy_id AS p FROM $start) s WHERE policy_id = p AND state = 0;
				ALTER TABLE privacct.likelihood ENABLE TRIGGER USER");
		};

		next if $was < 1e-6;
		$set->($was / 2);
		cmp_ok(scalar @{ audit_of($node, $table, %option)->{complaints} }, '>', 0, "$table: the audit does not take half of $sum for all");
		$set->($was);
	}
	return;
}

# A table under one policy after the other, with states written under each.
sub test_heirs
{
	my ($node) = @_;
	my %chains = (
		heir_full => [qw(full basic full)], heir_simplified => [qw(simplified approximate basic)], heir_basic => [qw(basic simplified full)]);

	for my $table (sort keys %chains)
	{
		my @filters = @{ $chains{$table} };
		my ($carried, $session);
		my $last = '';

		local_policy($node, table => $table, owners => 2000, columns => ['smokes'], filter => $filters[0]);
		for my $i (0 .. $#filters)
		{
			my $name = "$table, $filters[$i]";
			my %option = (carried => $carried, asked => $filters[$i] eq 'approximate' ? undef : 'all');
			my $policy = policy_of($node, $table);

			too_little_ok($node, $table, %option) if $carried;
			ask_until_written($node, $table, list_of("smokes, 'epsilon=0.004'", $table), $name);
			$session = open_session($node);
			run_sql($session, "SET privacct.epsilon = 0.02");
			run_sql($session, "SELECT count(*) FROM $table WHERE ward > 0");
			if ($i == $#filters)
			{
				$last = run_sql($session, list_of("smokes, 'epsilon=0.25'", $table)) for 1 .. 5;
			}
			close_session($session);
			my $audit = audit_ok($node, $table, $name, %option);
			cmp_ok($audit->{base}, '>', 0, "$name: states were written and compared");
			cmp_ok(carried_over($audit)->{basic}, '>', 0.01, "$name: the sum of levels is above every loss") if $filters[$i] ne 'basic';
			ok(refused($last) || $audit->{decisions}{0} > 200, "$name: in the end not everybody is asked") if $i == $#filters;
			last if $i == $#filters;
			renew($node, $table, $filters[ $i + 1 ]);
			$carried = carried_ok($node, $policy, $audit, $name);
		}
	}
	return;
}

# What is lost stays lost under a new policy.
sub test_renewal
{
	my ($node) = @_;
	my $list = list_of("smokes, 'epsilon=0.3'", 'again');

	local_policy($node, table => 'again', owners => 20, columns => ['smokes'], filter => 'simplified');
	my $session = open_session($node);
	1 while !refused(scalar run_sql($session, $list)) && questions($node, 'again') < 300;
	my $asked = questions($node, 'again');
	ok(refused(scalar run_sql($session, $list)), 'nobody is left to be asked');
	ok(refused(scalar run_sql($session, "SELECT count(*) FROM again")), 'nor to be in a central release');
	is(questions($node, 'again'), $asked, 'and neither is a question');
	renew($node, 'again', 'simplified');
	ok(refused(scalar run_sql($session, $list)), 'nor under a new policy');
	like(scalar run_sql($session, list_of("smokes, 'epsilon=0.09'", 'again')), qr/true/, 'what is left can be used there');
	close_session($session);

	# while the policy is replaced others ask
	# (questions so small that all of them together leave something to the new policy)
	$list = list_of("smokes, 'epsilon=0.002'", 'anew') . ";\n";
	local_policy($node, table => 'anew', owners => 1000, columns => ['smokes'], filter => 'simplified');
	my $old = policy_of($node, 'anew');
	my @clients = start_clients($node, [ ('analyst') x 4 ], $list x 50);
	$node->poll_query_until('postgres', "SELECT count(*) > 20 FROM privacct.question WHERE policy_id = $old");
	renew($node, 'anew', 'simplified');
	finish_clients(@clients);
	unlike($_->{err}, qr/XX000/, 'no internal error') for @clients;
	ask_until_written($node, 'anew', $list, 'the new policy');	# however many of the clients were done before
	my $first = audit_ok($node, 'anew', 'the old policy', policy => $old);
	my $carried = carried_ok($node, $old, $first, 'the old policy');
	my $second = audit_ok($node, 'anew', 'the new policy', carried => $carried, asked => 'all');
	cmp_ok($second->{count}, '>', 0, 'the new policy was asked');
	cmp_ok($second->{base}, '>', 0, 'until states were written');
	return;
}

my $node = new_node('local', max_connections => 40);

sub timed
{
	my ($name, $test) = @_;
	my $before = time;
	$test->();
	note sprintf '%s: %.1f s', $name, time - $before;
	return;
}

$node->start;
for my $filter ('full', 'simplified', 'basic')
{
	timed("exhaustion $filter", sub { test_exhaustion($node, "list_$filter", [qw(grade smokes blood)], $filter, 1, @everybody, @others) });
	timed("box $filter", sub { test_exhaustion($node, "box_$filter", [qw(grade smokes age bp)], $filter, 0, @about_box,
		grep { $_->[0] !~ /blood/ } @everybody, @others) });
}
timed('books', sub { test_books($node) });
timed('owners', sub { test_owners($node) });
timed('rollback', sub { test_rollback($node) });
timed('stale', sub { test_stale($node) });
timed('timeouts', sub { test_timeouts($node) });
timed('race', sub { test_race($node) });
timed('folding', sub { test_folding($node) });
timed('memory', sub { test_memory($node) });
timed('dump', sub { test_dump($node) });
timed('renewal', sub { test_renewal($node) });
timed('heirs', sub { test_heirs($node) });
$node->stop;
timed('crash', \&test_crash);
done_testing();
