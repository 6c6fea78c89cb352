# SPDX-License-Identifier: GPL-3.0-or-later
# A day of ordinary work of a DBA, while analysts ask tables of all regimes and
# accountants.  An account that the test keeps of what clients saw is compared with the
# server's after each step: nothing is lost, doubled or overspent; and what is refused
# says what to do.
use strict;
use warnings;

use File::Copy ();
use FindBin;
use lib $FindBin::RealBin;

use AccountTest;
use FaultTest;
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;
use Time::HiRes qw(usleep);

my ($extensions) = glob "$ENV{PA_DESTDIR}/usr/share/postgresql/*/extension";
File::Copy::copy("$ENV{PA_WORK}/privacct--0.1.sql", "$extensions/privacct--0.1.sql") or die "no script of 0.1: $!";

my $DATABASE = 'hospital';
my $STEP = '0.0009765625';		# epsilon of a release: sums of it have few digits
my $dir = PostgreSQL::Test::Utils::tempdir();

# What is asked, of which table.
my %question = (
	ward => [ visit => q(SELECT count(*) FROM visit WHERE ward = 'A') ],
	bills => [ visit => 'SELECT ward, count(*), sum(cost) FROM visit GROUP BY ward' ],
	lab => [ lab => 'SELECT count(*) FROM lab' ],
	report => [ report => 'SELECT count(*) FROM report' ],
	person => [ person => "SELECT ldp_count(smokes, 'epsilon=$STEP') FROM person" ],
	walk => [ walk => q(SELECT count(*) FROM walk WHERE place = 'a') ],
	walk_of_one => [ walk => q(SELECT count(*) FROM walk WHERE place = 'a' AND person = 1) ]);

my %day = (account => AccountTest->new, sessions => [], asked => [ sort keys %question ], rounds => 0);

# --- analysts ---

# Who asks, and whose budget pays.
my %payer = (ann => 'ann', bob => 'clinic', carl => 'carl', dora => 'clinic');

sub come_to_work
{
	$day{sessions} = [ map { { role => $_, payer => $payer{$_}, next => length $_, psql => session($day{node}, $day{account}->name_of($_), $DATABASE, 'verbose') } } sort keys %payer ];
	return;
}

sub go_home
{
	$_->{psql}->hang_up for splice @{ $day{sessions} };
	return;
}

sub announced
{
	my ($query) = @_;
	return "SELECT 'price', " . AccountTest::scaled(map { "coalesce($_, 0)" } qw(epsilon delta rho)) . " FROM privacct.preview(\$q\$$query\$q\$) WHERE statistic = 'release'";
}

# Price and answer go into the account; what is not answered costs nothing.
sub take_down
{
	my ($session, $name, $answer) = @_;
	my ($table) = @{ $question{$name} };
	my ($price, @rows) = split /\n/, $answer;

	if (my ($state) = $answer =~ /(?:ERROR|FATAL):\s+(\w{5})/)
	{
		$day{refused}{"$state $table"}++;
		$day{refused}{"without a hint: $answer"}++ if $answer !~ /^HINT:  ./m;
		return;
	}
	my @price = $price =~ /^price\|(\d+)\|(\d+)\|(\d+)$/ or die "no price: $answer";
	die "no answer: $answer" if !@rows;
	$day{account}->answered($table, $session->{payer}, $day{account}->name_of($session->{role}), @price);
	return;
}

sub send_next
{
	my ($session) = @_;
	my @asked = @{ $day{asked} };

	$session->{name} = $asked[ $session->{next}++ % @asked ];
	my ($table, $query) = @{ $question{ $session->{name} } };
	$session->{psql}->send(announced($query) . ";\n$query");
	return;
}

# Everybody asks something at the same time.
sub ask_around
{
	send_next($_) for @{ $day{sessions} };
	take_down($_, $_->{name}, $_->{psql}->answer) for @{ $day{sessions} };
	$day{rounds}++;
	return;
}

# Every analyst asks everything.
sub ask_everything
{
	ask_around() for 1 .. @{ $day{asked} };
	return;
}

# --- the DBA ---

sub start_command
{
	my (@command) = @_;
	return IPC::Run::start(\@command, '<', '/dev/null', '>', "$dir/out", '2>', "$dir/err");
}

sub psql_command
{
	my ($role, $sql, $database) = @_;
	my $file = "$dir/script";

	unlink $file;
	append_to_file($file, $sql);
	return ($day{node}->installed_command('psql'), '-XAtq', '-v', 'ON_ERROR_STOP=1', '-h', $day{node}->host, '-p', $day{node}->port, '-U', $role, '-d', $database || $DATABASE, '-f', $file);
}

# Analysts go on asking until it is done.
sub questions_go_on
{
	my ($name, @command) = @_;

	ask_around();
	my $run = start_command(@command);
	do { ask_around() } while $run->pumpable;
	ok($run->finish, "$name: done") or diag slurp_file("$dir/err");
	return ask_everything();
}

# Afterwards the books are compared.
sub meanwhile
{
	my ($name, @command) = @_;

	questions_go_on($name, @command);
	return books_are_exact($name);
}

# As above, where questions may be refused: SQLSTATE and table.
sub meanwhile_some_are_refused
{
	my ($tolerated, $name, $sql) = @_;
	local $day{tolerated} = $tolerated;

	return dba($name, $sql);
}

sub dba
{
	my ($name, $sql) = @_;
	return meanwhile($name, psql_command('steward', $sql));
}

sub books_are_exact
{
	my ($name) = @_;
	my @differences = $day{account}->differences($day{node}, $DATABASE);
	my $tolerated = join '|', '55PA3', @{ $day{tolerated} // [] };

	is(join("\n", splice(@differences, 0, 5)), '', "$name: the books are exact");
	is(join(', ', grep { !/^(?:$tolerated)/ } sort keys %{ $day{refused} }), '', "$name: nobody was turned away") or diag explain $day{refused};
	is_deeply([ losses_of_owners() ], [ map { $day{account}->shown('person', 'epsilon') } 1 .. 2 ], "$name: owners lost what they were asked");
	delete $day{refused};
	return;
}

# The largest loss of an owner of the local table, as its views and as its books tell.
sub losses_of_owners
{
	return split /\|/, $day{node}->safe_psql($DATABASE, q(SELECT trim_scale(round(worst_case_most::numeric, 10)), (SELECT trim_scale(a.epsilon) FROM privacct.account a JOIN privacct.policy p USING (policy_id)
		WHERE p.relation = 'person'::regclass AND p.closed_at IS NULL AND a.role = 0::oid) FROM privacct.local_odometer WHERE relation = 'person'::regclass));
}

# Refused, with what to do.
sub refused
{
	my ($name, $role, $sql, $hint, %option) = @_;
	my (undef, $out, $err) = ask($option{node} || $day{node}, $sql, role => $role, database => $option{database} || $DATABASE, verbosity => 'default');

	like($err, qr/ERROR:.*HINT:.*$hint/s, "$name: refused, and says what to do");
	return;
}

# --- in the morning ---

sub open_hospital
{
	my $node = $day{node} = new_node('hospital', allows_streaming => 1, jit => 'off');

	$node->start;
	$node->safe_psql('postgres', "CREATE DATABASE $DATABASE");
	$node->safe_psql('postgres', join '', q(CREATE ROLE steward LOGIN; ALTER ROLE steward SET search_path = public, privacct; CREATE ROLE clinic;), map { qq(
		CREATE ROLE $_ LOGIN; ALTER ROLE $_ SET search_path = public, privacct; ALTER ROLE $_ SET privacct.epsilon = $STEP;) } keys %payer);
	$node->safe_psql('postgres', 'GRANT clinic TO bob, dora');
	$node->safe_psql($DATABASE, q(CREATE EXTENSION privacct; SELECT privacct.harden_catalog(); GRANT privacct_admin TO steward; GRANT CREATE ON SCHEMA public TO steward;
		CREATE SCHEMA archive AUTHORIZATION steward));
	$node->safe_psql($DATABASE, 'SET ROLE steward; SET client_min_messages = warning; SET search_path = public, privacct;' . tables() . terms());
	come_to_work();
	ask_everything() for 1 .. 2;
	books_are_exact('in the morning');
	return;
}

sub tables
{
	return q(
		CREATE TABLE visit (patient int NOT NULL, day date NOT NULL, ward text NOT NULL, cost float8) PARTITION BY RANGE (day);
		CREATE TABLE visit_01 PARTITION OF visit FOR VALUES FROM ('2026-01-01') TO ('2026-02-01');
		CREATE TABLE visit_02 PARTITION OF visit FOR VALUES FROM ('2026-02-01') TO ('2026-03-01');
		CREATE INDEX visit_day ON visit (day);
		INSERT INTO visit SELECT i / 3, date '2026-01-01' + i % 59, chr(65 + i % 3), i % 500 FROM generate_series(1, 300) i;
		CREATE TABLE lab (patient int PRIMARY KEY, grade int);
		INSERT INTO lab SELECT i, i % 7 FROM generate_series(1, 100) i;
		CREATE TABLE report (patient int PRIMARY KEY, days int);
		INSERT INTO report SELECT i, i % 7 FROM generate_series(1, 100) i;
		CREATE TABLE person (id int PRIMARY KEY, smokes boolean);
		INSERT INTO person SELECT i, i % 3 = 0 FROM generate_series(1, 12) i;
		CREATE TABLE walk (person int, hour int, place text NOT NULL, PRIMARY KEY (person, hour));
		INSERT INTO walk SELECT i, j, CASE WHEN (i + j) % 3 = 0 THEN 'a' ELSE 'b' END FROM generate_series(1, 30) i, generate_series(1, 4) j;);
}

my %terms = (
	visit => q(SELECT protect('visit', 'patient', epsilon => 1000, delta => 1e-6, max_groups_contributed => 2, max_rows_contributed => 3, min_epsilon => 1e-6);
		SELECT set_bounds('visit', 'cost', 0, 500), set_keys('visit', 'ward', '{A,B,C}'::text[]);),
	lab => q(SELECT protect('lab', 'patient', epsilon => 1000, delta => 1e-6, accountant => 'zcdp', kernel => 'gaussian', min_epsilon => 1e-6);),
	report => q(SELECT protect('report', 'patient', epsilon => 1000, delta => 1e-6, accountant => 'plan');
		SELECT FROM plan_budget('report', '[{"kernel": "laplace", "releases": 100000}]');),
	person => q(SELECT protect('person', 'id', epsilon => 50, regime => 'local', min_epsilon => 1e-6), set_domain('person', 'smokes', ARRAY[false, true]);),
	walk => q(SELECT protect_entries('walk', 'person', '{hour}', 'place', chain_prior('{a,b}'::text[], '{{0.5,0.5},{0.5,0.5}}'), 1000, max_entries => 4, min_epsilon => 1e-6);));

sub budgets
{
	my ($table, @roles) = @_;
	return join '', map { "SELECT grant_budget('$table', '$_', 900" . ($table eq 'lab' ? ', 1e-7' : '') . ');' } @roles;
}

sub terms_of
{
	my ($table) = @_;
	return $terms{$table} . budgets($table, map { $day{account}->name_of($_) } do { my %seen; grep { !$seen{$_}++ } sort values %payer });
}

sub terms
{
	return join '', map { terms_of($_) } sort keys %terms;
}

# --- partitions ---

sub begin_a_month
{
	dba('a new partition', q(CREATE TABLE visit_03 (LIKE visit);
		INSERT INTO visit_03 SELECT i, date '2026-03-01' + i % 30, chr(65 + i % 3), i FROM generate_series(1, 50) i;
		ALTER TABLE visit ATTACH PARTITION visit_03 FOR VALUES FROM ('2026-03-01') TO ('2026-04-01')));
	dba('another', q(CREATE TABLE visit_04 PARTITION OF visit FOR VALUES FROM ('2026-04-01') TO ('2026-05-01')));
	return;
}

# What a partition took with it is what the first lines of the ledger sum to.
sub taken_along
{
	my ($partition) = @_;
	my $sums = AccountTest::scaled(map { "sum($_)" } qw(epsilon delta rho));
	my $history = "(SELECT * FROM privacct.history WHERE relation = '$partition'::regclass AND left_at IS NOT NULL)";

	return split /\n/, $day{node}->safe_psql($DATABASE, "SELECT $sums, sum(releases) FROM $history h;
		SELECT $sums, count(*) FROM (SELECT l.* FROM privacct.ledger l JOIN $history h USING (policy_id) ORDER BY charge_id LIMIT (SELECT releases FROM $history h)) l");
}

sub end_a_month
{
	my $before = $day{account}{total}{visit}{releases};

	dba('the oldest partition is detached', 'ALTER TABLE visit DETACH PARTITION visit_01');
	my ($took, $charged) = taken_along('visit_01');
	is($took, $charged, 'it took what had been charged until then');
	my @sums = split /\|/, $took;
	ok($sums[3] >= $before && $sums[3] <= $day{account}{total}{visit}{releases}, 'no less than before');

	# more was asked of the others since: rows may have been moved
	refused('a detached partition is protected', 'steward', q(SELECT privacct.protect('visit_01', 'patient', epsilon => 1000)), "inherits => 'public.visit'");
	# who has paid for what was charged later is not told from who paid before
	$day{asked} = [ grep { $question{$_}[0] ne 'visit' } sort keys %question ];
	$day{account}->starts_with('visit_01', 'visit', @sums);
	dba('it is protected by itself', "SELECT protect('visit_01', 'patient', epsilon => 1000, min_epsilon => 1e-6, fresh => true);" . budgets('visit_01', payers()));
	$question{old} = [ visit_01 => 'SELECT count(*) FROM visit_01' ];
	$day{asked} = [ sort keys %question ];
	ask_everything();
	books_are_exact('it is asked');
	my $attach = q(ALTER TABLE visit ATTACH PARTITION visit_01 FOR VALUES FROM ('2026-01-01') TO ('2026-02-01'););
	refused('a partition that is protected is attached again', 'steward', $attach, 'Unprotect the children');
	refused('a partition with charges of its own is attached again', 'steward', "BEGIN; SELECT unprotect('visit_01'); $attach", 'In one transaction: SELECT privacct.unprotect');
	return;
}

sub archive_a_month
{
	delete $question{old};
	$day{asked} = [ sort keys %question ];
	$day{account}->moved('visit_01', 'archive.visit_01');
	dba('it is archived', 'ALTER TABLE visit_01 SET SCHEMA archive');
	$day{account}->table_is_gone('archive.visit_01');
	dba('it is dropped', 'DROP TABLE archive.visit_01; ALTER TABLE visit DETACH PARTITION visit_02; DROP TABLE visit_02');
	return;
}

# --- maintenance ---

sub maintain
{
	dba('a column is added', q(ALTER TABLE visit ADD COLUMN note text DEFAULT 'none'; ALTER TABLE lab ADD COLUMN unit text; ALTER TABLE walk ADD COLUMN floor int));
	dba('an index is rebuilt', 'REINDEX TABLE CONCURRENTLY visit; REINDEX TABLE CONCURRENTLY lab; REINDEX TABLE CONCURRENTLY walk');
	dba('tables are vacuumed', 'VACUUM (FULL) visit; VACUUM (FULL, ANALYZE) lab; VACUUM (FULL) person; VACUUM (FULL) walk; ANALYZE visit; ANALYZE person; CLUSTER walk USING walk_pkey');
	meanwhile('the tables of the extension are vacuumed', psql_command(superuser(), 'VACUUM (FULL, ANALYZE) privacct.ledger_line; VACUUM (FULL) privacct.account; REINDEX SCHEMA privacct; ANALYZE'));
	rebuild_while_a_charge_waits('indexes', qw(account ledger_line owner_account slot));
	$_->{next} = grep { $_ lt 'person' } @{ $day{asked} } for @{ $day{sessions} };	# what is asked next
	return rebuild_while_a_charge_waits('indexes of local tables', qw(question owner_key answer likelihood owner_state owner_state_at));
}

# The worker has locked no index when it waits for a table.
sub rebuild_while_a_charge_waits
{
	my ($what, @tables) = @_;
	my $dba = session($day{node}, superuser(), $DATABASE, 'verbose');

	$dba->say('BEGIN; LOCK TABLE ' . join(', ', map { "privacct.$_" } @tables) . ' IN SHARE MODE');
	send_next($_) for @{ $day{sessions} };
	$day{node}->poll_query_until($DATABASE, q(SELECT EXISTS (SELECT FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE NOT granted AND backend_type = 'privacct ledger')));
	is(join("\n", grep { /ERROR/ } map { $dba->say("REINDEX TABLE privacct.$_") } @tables), '', "$what are rebuilt while a charge waits");
	$dba->say('COMMIT');
	take_down($_, $_->{name}, $_->{psql}->answer) for @{ $day{sessions} };
	$dba->hang_up;
	return books_are_exact("$what are rebuilt");
}

# --- budgets ---

sub spent
{
	my ($table, $payer) = @_;
	return $day{account}->shown($table, 'epsilon', $payer);
}

# Asks until the budget is exhausted; how many answers there were.
sub drain
{
	my ($session, $name) = @_;
	my ($table, $query) = @{ $question{$name} };
	my $answers = 0;

	$day{refused} = {};
	while (!%{ $day{refused} })
	{
		take_down($session, $name, $session->{psql}->say(announced($query) . ";\n$query"));
		$answers++;
	}
	is_deeply([ keys %{ $day{refused} } ], ["53PA2 $table"], "$name: exhausted in the end");
	delete $day{refused};
	return $answers - 1;
}

sub change_budgets
{
	my ($carl) = grep { $_->{role} eq 'carl' } @{ $day{sessions} };
	my $limit = $day{node}->safe_psql($DATABASE, 'SELECT ' . spent('visit', 'carl') . " + 3 * $STEP");

	meanwhile_some_are_refused(['53PA2 visit'], 'a budget is lowered', "SELECT privacct.grant_budget('visit', 'carl', $limit)");
	drain($carl, 'ward');
	is($day{node}->safe_psql($DATABASE, 'SELECT trim_scale(' . spent('visit', 'carl') . " - $limit)"), '0', 'all of it was spent, and no more');
	refused('an exhausted budget', 'carl', $question{ward}[1], 'Ask for less epsilon, or ask an administrator for more');
	$day{node}->safe_psql($DATABASE, "SET ROLE steward; SELECT privacct.grant_budget('visit', 'carl', $limit + 4 * $STEP)");
	is(drain($carl, 'bills'), 4, 'what is added is spent, too');
	books_are_exact('budgets are exhausted');
	my (undef, undef, $err) = ask($day{node}, "SELECT privacct.grant_budget('visit', 'carl', 2 * $STEP)", role => 'steward', database => $DATABASE, verbosity => 'default');
	like($err, qr/NOTICE:.*spent/s, 'a budget below what was spent says so');
	meanwhile_some_are_refused(['53PA2 visit'], 'it is raised for the rest of the day', "SELECT privacct.grant_budget('visit', 'carl', 900)");
	return;
}

# --- roles ---

sub payers
{
	my %seen;
	return map { $day{account}->name_of($_) } grep { !$seen{$_}++ } sort values %payer;
}

sub rename_roles
{
	go_home();
	$day{node}->safe_psql('postgres', 'ALTER ROLE ann RENAME TO anna; ALTER ROLE clinic RENAME TO hospital_clinic');
	$day{account}->renamed(ann => 'anna');
	$day{account}->renamed(clinic => 'hospital_clinic');
	come_to_work();
	ask_everything();
	books_are_exact('roles have other names');

	# somebody else comes who is called as one was
	$day{node}->safe_psql('postgres', "CREATE ROLE ann LOGIN; ALTER ROLE ann SET search_path = public, privacct; ALTER ROLE ann SET privacct.epsilon = $STEP");
	refused('a role with the name of another', 'ann', $question{ward}[1], 'grant_budget');
	books_are_exact('a new role with an old name');
	$day{node}->safe_psql($DATABASE, q(SET ROLE steward; SELECT privacct.grant_budget('visit', 'ann', 1)));
	ok(defined ask_value($day{node}, $question{ward}[1], role => 'ann', database => $DATABASE), 'it has a budget of its own');
	$day{account}->renamed('another ann' => 'ann');
	$day{account}->answered('visit', 'another ann', 'ann', $day{node}->safe_psql($DATABASE, 'SELECT ' . AccountTest::scaled(qw(epsilon delta rho)) . q( FROM privacct.ledger ORDER BY charge_id DESC LIMIT 1)) =~ /\d+/g);
	books_are_exact('both have asked');
	$day{node}->safe_psql('postgres', 'DROP ROLE ann');
	$day{account}->dropped('another ann');
	return;
}

sub drop_a_role
{
	my ($carl) = grep { $_->{role} eq 'carl' } @{ $day{sessions} };

	@{ $day{sessions} } = grep { $_ != $carl } @{ $day{sessions} };
	$carl->{psql}->hang_up;
	delete $payer{carl};
	$day{account}->dropped('carl');
	meanwhile('a role is dropped', psql_command(superuser(), 'DROP OWNED BY carl; DROP ROLE carl'));
	return;
}

# --- policies ---

# Who waits for a charge while the policy is renewed is told to ask again.
sub renew
{
	for my $table (sort keys %terms)
	{
		# a plan that was used is spent, as it was promised
		my $new = $table eq 'report' ? terms_of($table) =~ s/epsilon => 1000, delta => 1e-6/epsilon => 2500, delta => 2e-6/r : terms_of($table);

		$day{account}->promised('report', 1000, '1' . '0' x 24) if $table eq 'report';
		meanwhile_some_are_refused(["42501 $table"], "$table is renewed", "BEGIN; SELECT unprotect('$table'); $new COMMIT");
	}
	return;
}

sub swap
{
	my $swapped = q(SELECT unprotect('lab'); CREATE TABLE lab_new (LIKE lab INCLUDING ALL); INSERT INTO lab_new SELECT * FROM lab;
		ALTER TABLE lab RENAME TO lab_old; ALTER TABLE lab_new RENAME TO lab;);

	refused('a table takes the place of another', 'steward', "BEGIN; $swapped $terms{lab}", "inherits => 'public.lab_old'.*fresh => true");
	books_are_exact('nothing is swapped');
	$day{asked} = [ grep { $_ ne 'lab' } sort keys %question ];
	dba('with inherits', "BEGIN; $swapped " . $terms{lab} =~ s/min_epsilon/inherits => 'public.lab_old', min_epsilon/r . budgets('lab', payers()) . 'COMMIT');
	$day{asked} = [ sort keys %question ];
	return;
}

sub fold
{
	for my $table (qw(visit walk report))
	{
		questions_go_on("$table is folded", psql_command('steward', "SELECT fold_ledger('$table', before => now())"));
		my $missing = $day{account}->folded($table, $day{node}, $DATABASE);
		my $policies = join ', ', grep { $day{account}{table_of}{$_} eq $table } keys %{ $day{account}{table_of} };
		is($day{node}->safe_psql($DATABASE, 'SELECT ' . AccountTest::scaled(map { "sum(folded_$_)" } qw(epsilon delta rho)) . ", sum(folded_charges) FROM privacct.ledger_sum WHERE policy_id IN ($policies)"),
			$missing =~ tr/ /|/r, "$table: what is missing is what was folded");
		books_are_exact("$table is folded");
	}
	return;
}

# --- a database of version 0.1 ---

my $BRANCH = 'branch';
my $old_books = AccountTest->new;

sub open_branch
{
	$day{node}->safe_psql('postgres', "CREATE DATABASE $BRANCH");
	$day{node}->safe_psql($BRANCH, q(
		CREATE EXTENSION privacct VERSION '0.1';
		CREATE TABLE old_visit (patient int NOT NULL, day date NOT NULL) PARTITION BY RANGE (day);
		CREATE TABLE old_visit_01 PARTITION OF old_visit FOR VALUES FROM ('2026-01-01') TO ('2026-02-01');
		INSERT INTO old_visit SELECT i / 3, date '2026-01-01' + i % 31 FROM generate_series(1, 300) i;
		ALTER TABLE old_visit OWNER TO steward; ALTER TABLE old_visit_01 OWNER TO steward;
		INSERT INTO privacct.policy (relation, relation_name, owner_column, regime, accounting, accountant, epsilon, delta, cap_rho, cap_delta,
			max_groups_contributed, max_rows_contributed, min_owners, kernel, kernels, sample_rate, filter, answer_group, secret, created_at, created_by)
		SELECT 'old_visit', 'public.old_visit', 'patient', 'central', 'table', 'basic', 4, 1e-7, NULL, 1e-7, 1, 3, 1, NULL, NULL, 1, NULL, NULL, sha256('x'), now(), 'steward';
		INSERT INTO privacct.account VALUES (1, 0::regrole, 1.5, 0, 0.3, 3), (1, 'carl', 1.5, 0, 0.3, 3);
		INSERT INTO privacct.quota VALUES (1, 'carl', 4, 1e-7, NULL, 1e-7, now(), 'steward');
		INSERT INTO privacct.ledger (policy_id, charged_at, role, payer, epsilon, delta, rho, detail)
			SELECT 1, now(), 'carl', 'carl', 0.5, 0, 0.1, '{"statistics": [{"epsilon": 0.5, "delta": 0}]}' FROM generate_series(1, 3);
		GRANT SELECT ON old_visit TO privacct_reader;));
	$old_books->answered('old_visit', 'carl', 'carl', 5 . '0' x 29, 0, 1 . '0' x 29) for 1 .. 3;
	return;
}

sub update
{
	my $query = 'SELECT count(*) FROM old_visit';
	my $carl = session($day{node}, 'carl', $BRANCH);

	like($carl->say($query), qr/ERROR:\s+55PA3/, 'version 0.1 is not answered under the library of 0.2');
	refused('a question to version 0.1', 'carl', $query, 'ALTER EXTENSION privacct UPDATE', database => $BRANCH);
	meanwhile('the update', psql_command(superuser(), 'ALTER EXTENSION privacct UPDATE', $BRANCH));
	for (1 .. 3)
	{
		my ($price, $value) = split /\n/, $carl->say("SET privacct.epsilon = 0.5;" . announced($query) . ";\n$query");
		$old_books->answered('old_visit', 'carl', 'carl', $price =~ /\d+/g) if defined $value;
	}
	is(join("\n", $old_books->differences($day{node}, $BRANCH)), '', 'after the update the same session is answered: the books are exact');
	is($old_books->shown('old_visit', 'epsilon'), 3, 'with what was spent before');
	like($carl->say('SET privacct.epsilon = 1.5; ' . $query), qr/53PA2/, 'and no more than was left');
	$carl->hang_up;
	$day{node}->safe_psql($BRANCH, q(SELECT privacct.unprotect('old_visit')));
	$day{node}->safe_psql('postgres', "DROP DATABASE $BRANCH");
	return;
}

# --- at night ---

sub dump_command
{
	my ($directory, $database) = @_;
	return ($day{node}->installed_command('pg_dump'), '-Fd', '-j2', '-h', $day{node}->host, '-p', $day{node}->port, '-f', "$dir/$directory", $database || $DATABASE);
}

sub restore_command
{
	my ($node, $directory, $database, @options) = @_;
	return ($node->installed_command('pg_restore'), '-j4', '-h', $node->host, '-p', $node->port, '-d', $database, @options, "$dir/$directory");
}

# What it complains of; keys of protected tables are not dropped before their tables.
sub run_to_end
{
	my ($name, @command) = @_;

	start_command(@command)->finish;
	my @complaints = grep { /error:/ && !/an owner may have several entries at one place|may have several rows of one owner/ } split /\n/, slurp_file("$dir/err");
	is("@complaints", '', $name);
	return;
}

sub accept_books
{
	my ($node, $database) = @_;
	my (undef, undef, $err) = $node->psql($database, 'SELECT privacct.accept_books()');
	like($err, qr/WARNING:  charges that are not in these books.*HINT:/s, 'a superuser accepts them, and is told what that means');
	return;
}

# What is in a dump that was made while questions went on is what had been charged
# until then: of each table its first lines.
sub rehearse
{
	meanwhile('a dump while questions go on', dump_command('night'));
	$day{node}->safe_psql('postgres', 'CREATE DATABASE rehearsal TEMPLATE template0');
	run_to_end('it is restored in parallel', restore_command($day{node}, 'night', 'rehearsal'));
	refused('a question to a restored database', 'bob', $question{ward}[1], 'check_books', database => 'rehearsal');
	is($day{node}->safe_psql('rehearsal', 'SELECT problem FROM privacct.check_books()'), 'the books are a copy', 'the books of the dump agree, but who knows what came after it');
	accept_books($day{node}, 'rehearsal');
	my $lines = q(SELECT policy_id, count(*), md5(string_agg(l::text, ',' ORDER BY charge_id)) FROM privacct.ledger l %s GROUP BY 1 ORDER BY 1);
	my $there = $day{node}->safe_psql('rehearsal', sprintf $lines, '');
	my $last = $day{node}->safe_psql('rehearsal', q(SELECT string_agg(format('(%s, %s)', policy_id, last), ', ') FROM (SELECT policy_id, max(charge_id) FROM privacct.ledger GROUP BY 1) l(policy_id, last)));
	is($there, $day{node}->safe_psql($DATABASE, sprintf $lines, "JOIN (VALUES $last) d(policy_id, last) USING (policy_id) WHERE l.charge_id <= d.last"), 'they are the first lines of each policy');
	return;
}

sub bring_back_an_old_dump
{
	my $ward = $question{ward}[1];

	ok(defined ask_value($day{node}, $ward, role => 'bob', database => 'rehearsal'), 'what was restored answers');
	run_to_end('a newer dump', dump_command('newer', 'rehearsal'));
	run_to_end('the older one in its place', restore_command($day{node}, 'night', 'rehearsal', '--clean', '--if-exists'));
	refused('a question to books that are older', 'bob', $ward, 'check_books', database => 'rehearsal');
	like($day{node}->safe_psql('rehearsal', 'SELECT remedy FROM privacct.check_books()'), qr/^SELECT privacct.accept_books\(\)/, 'the books say what to do');
	run_to_end('the newer one again', restore_command($day{node}, 'newer', 'rehearsal', '--clean', '--if-exists'));
	ok(defined ask_value($day{node}, $ward, role => 'bob', database => 'rehearsal'), 'nothing is missing');
	$day{node}->safe_psql('postgres', 'CREATE DATABASE twin TEMPLATE rehearsal');
	refused('a question to a copied database', 'bob', $ward, 'check_books', database => 'twin');
	accept_books($day{node}, 'twin');
	ok(defined ask_value($day{node}, $ward, role => 'bob', database => 'twin'), 'then it answers');
	is($day{node}->safe_psql('twin', q(SELECT o.releases FROM privacct.odometer o WHERE o.open AND o.relation = 'visit'::regclass))
		- $day{node}->safe_psql('rehearsal', q(SELECT o.releases FROM privacct.odometer o WHERE o.open AND o.relation = 'visit'::regclass)), 1, 'from what was spent');
	$day{node}->safe_psql('postgres', "DROP DATABASE $_") for 'twin', 'rehearsal';
	return;
}

# Another cluster takes over: the last dump is of a database that nobody asks any more.
sub take_over
{
	my $old = $day{node};
	my $new = new_node('successor', allows_streaming => 1, jit => 'off');

	go_home();
	run_to_end('the last dump', dump_command('last'));
	$old->command_ok([ 'pg_dumpall', '--globals-only', '-f', "$dir/globals" ], 'roles');
	$old->stop;
	$new->start;
	$new->safe_psql('postgres', 'CREATE ROLE filler');		# so that numbers of roles differ
	$new->command_ok([ 'psql', '-Xq', '-o', '/dev/null', '-d', 'postgres', '-f', "$dir/globals" ], 'restored');
	$new->safe_psql('postgres', "CREATE DATABASE $DATABASE TEMPLATE template0");
	run_to_end('the dump is restored in parallel', restore_command($new, 'last', $DATABASE));
	accept_books($new, $DATABASE);		# nobody asks the old one any more
	$day{node} = $new;
	books_are_exact('in the new cluster');
	come_to_work();
	ask_everything();
	return books_are_exact('the new cluster answers');
}

# --- failover ---

sub start_standby
{
	my ($primary) = @_;
	my $standby = PostgreSQL::Test::Cluster->new('standby');

	$primary->backup('base');
	$standby->init_from_backup($primary, 'base', has_streaming => 1);
	$standby->start;
	$primary->append_conf('postgresql.conf', "synchronous_standby_names = '*'\n");
	$standby->append_conf('postgresql.conf', "privacct.lossless_promotion = on\n");
	$primary->reload;
	$primary->poll_query_until('postgres', q(SELECT EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync')));
	return $standby;
}

# What was under way when the server went may have been charged, though nobody saw the
# answer: one question of each session, at its price.
sub take_down_what_was_cut
{
	my ($node) = @_;
	my $account = $day{account};
	my %charged = %{ $account->lines_of($node, $DATABASE) };
	my @lost = @{ $day{sessions} };
	my $unseen = 0;

	$charged{$_} += $account->{folded}{$_} for keys %{ $account->{folded} };
	for my $line (sort keys %charged)
	{
		my ($table, $role, undef, @price) = split /\|/, $line;

		for (1 .. $charged{$line} - ($account->{answers}{$line} // 0))
		{
			my ($session) = grep { $account->name_of($_->{role}) eq $role && $question{ $_->{name} }[0] eq $table } @lost;
			@lost = grep { !$session || $_ != $session } @lost;
			$account->answered($table, $session->{payer}, $role, @price) if $session;
			$unseen++;
		}
	}
	cmp_ok($unseen, '<=', @{ $day{sessions} }, 'at most what was under way was charged without an answer');
	return;
}

sub fail_over
{
	my $primary = $day{node};
	my $standby = start_standby($primary);

	ask_everything();
	unlike(slurp_file($primary->logfile), qr/the ledger (found|took)/, 'what was asked at the same time was charged at once');
	send_next($_) for @{ $day{sessions} };
	kill_server($primary);
	for my $session (@{ $day{sessions} })
	{
		my $answer = eval { $session->{psql}->answer };
		take_down($session, $session->{name}, $answer) if defined $answer && $answer =~ /^price.*\n./ && $answer !~ /server closed|FATAL|connection/;
	}
	$standby->append_conf('postgresql.conf', "synchronous_standby_names = ''\n");
	$standby->reload;
	$standby->promote;
	take_down_what_was_cut($standby);
	$_->{psql}{run}->kill_kill for splice @{ $day{sessions} };
	$day{node} = $standby;
	$day{refused} = {};
	come_to_work();
	ask_everything();
	return books_are_exact('after the failover');
}

# --- in the evening ---

sub close_hospital
{
	ask_everything();
	books_are_exact('in the evening');
	for my $table (sort keys %terms)
	{
		$day{node}->safe_psql($DATABASE, "SET ROLE steward; SELECT privacct.unprotect('$table')");
		my (undef, $out, $err) = ask($day{node}, "SELECT count(*) FROM $table", role => $day{account}->name_of('bob'), database => $DATABASE);
		like("$out$err", qr/^psql:.*42501|^ERROR:\s+42501/, "$table is not open to others afterwards");
	}
	is($day{node}->safe_psql($DATABASE, 'SELECT count(*) FROM privacct.odometer WHERE open'), 0, 'no policy is open');
	is($day{node}->safe_psql($DATABASE, 'SELECT * FROM privacct.check_books()'), '', 'the books agree');
	is(join("\n", $day{account}->ledger_differences($day{node}, $DATABASE)), '', 'the ledger has all answers of the day, and no others');
	go_home();
	$day{node}->stop;
	return;
}

open_hospital();
open_branch();
begin_a_month();
end_a_month();
archive_a_month();
maintain();
change_budgets();
update();
rename_roles();
renew();
drop_a_role();
swap();
rehearse();
bring_back_an_old_dump();
fold();
take_over();
fail_over();
close_hospital();
diag "$day{rounds} rounds of questions";
done_testing();
