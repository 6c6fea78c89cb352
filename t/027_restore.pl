# SPDX-License-Identifier: GPL-3.0-or-later
# Dumps restored by anybody's habits: in parallel, without roles, without a table,
# data only without triggers, over what is there, into a database of 0.1 that was
# updated.  Each time nothing is lost, or every question is refused with what to do.
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

my $PLACE = q(SELECT count(*) FROM walk WHERE place = 'b');
my $ONE = q(SELECT count(*) FROM walk WHERE place = 'b' AND person = 1);

# Everything that decides what may be asked, and by whom; roles by what they are called.
my $BOOKS = q(
	SELECT 'policy', policy_id, relation, owner_column, epsilon, delta, closed_at IS NULL, encode(secret, 'hex') FROM privacct.policy ORDER BY 2;
	SELECT 'bound', b.* FROM privacct.bound b ORDER BY 2, 3;
	SELECT 'key', k.* FROM privacct.group_key k ORDER BY 2, 3;
	SELECT 'quota', policy_id, role, epsilon FROM privacct.quota ORDER BY 2, 3::text;
	SELECT 'account', policy_id, role, epsilon, delta, rho, releases, spared_epsilon, most_epsilon FROM privacct.account ORDER BY 2, 3::text;
	SELECT 'owner', o.* FROM privacct.owner_account o ORDER BY 2, 3;
	SELECT 'slot', s.* FROM privacct.slot s ORDER BY 2, 3;
	SELECT 'domain', d.* FROM privacct.domain d ORDER BY 2, 3;
	SELECT 'public', c.* FROM privacct.public_column c ORDER BY 2, 3;
	SELECT 'prior', policy_id, version, hash FROM privacct.prior ORDER BY 2, 3;
	SELECT 'question', policy_id, question, charge_id, text, owners FROM privacct.question ORDER BY 2, 3;
	SELECT 'answer', policy_id, question, md5(answered || outputs) FROM privacct.answer ORDER BY 2, 3;
	SELECT 'key', policy_id, first_owner, md5(keys || records) FROM privacct.owner_key ORDER BY 2, 3;
	SELECT 'public', t.relation FROM privacct.public_table t;
	SELECT 'inherited', i.* FROM privacct.inherited i ORDER BY 2, 3;
	SELECT 'unrelated', u.* FROM privacct.unrelated u ORDER BY 2, 3;
	SELECT 'identity', i.* FROM privacct.identity i;
	SELECT 'history', policy_id, relation, relation_name, names, columns, column_lists, owners, owner_column, left_at IS NULL, epsilon FROM privacct.history ORDER BY 2, 4;
	SELECT 'ledger', l.* FROM privacct.ledger l ORDER BY 2;
	SELECT 'discrepancy', d.* FROM privacct.check_books() d;
);
my $ARMED = q(SELECT count(*) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE c.relnamespace = 'privacct'::regnamespace AND c.relkind = 'r' AND NOT t.tgisinternal AND t.tgenabled <> 'A');

sub books
{
	my ($node, $database) = @_;
	return $node->safe_psql($database, $BOOKS);
}

sub new_database
{
	my ($node, $name) = @_;
	$node->safe_psql('postgres', "CREATE DATABASE $name TEMPLATE template0");
	return;
}

# What is restored is a copy, and waits for a superuser.
my $IS_A_COPY = qr/^discrepancy\|\|\|the books are a copy\|.*accept_books.*\n?/m;

sub restored_books
{
	my ($node, $database) = @_;
	my $there = books($node, $database);
	return $there =~ s/$IS_A_COPY// ? $there =~ s/\n\z//r : "these are no copy: $there";
}

sub accept_restored
{
	my ($node, $database) = @_;
	my (undef, undef, $err) = $node->psql($database, 'SELECT privacct.accept_books()');
	like($err, qr/WARNING:  charges that are not in these books no longer count.*the books are a copy/s, "$database: accepted, with a warning");
	return;
}

# What pg_restore complains of; it goes on after errors, as it does for everybody.
sub restore
{
	my ($node, $database, @options) = @_;
	my ($out, $err);
	IPC::Run::run([ $node->installed_command('pg_restore'), '-h', $node->host, '-p', $node->port, '-d', $database, @options ], '>', \$out, '2>', \$err);
	return $err;
}

sub refused
{
	my ($node, $database, $query, $pattern, $name) = @_;
	my (undef, undef, $err) = ask($node, $query, database => $database, verbosity => 'default');
	like($err, $pattern, $name);
	return;
}

my $old = new_node('old');
$old->start;
setup_hospital($old, epsilon => 1, quota => 100, step => 0.125);
$old->safe_psql('postgres', q(
	CREATE ROLE rolex LOGIN;
	SELECT privacct.grant_budget('visit', 'rolex', 0.5);
	SELECT privacct.set_bounds('visit', 'cost', 0, 500), privacct.set_keys('visit', 'ward', ARRAY['A', 'B', 'C']);
	CREATE TABLE walk (person int, hour int, place text NOT NULL, PRIMARY KEY (person, hour));
	INSERT INTO walk SELECT i, j, substr('abc', 1 + (i + j) % 3, 1) FROM generate_series(1, 20) i, generate_series(1, 6) j;
	SELECT privacct.protect_entries('walk', 'person', ARRAY['hour'], 'place',
		privacct.chain_prior(ARRAY['a', 'b', 'c'], '{{.8,.1,.1},{.1,.8,.1},{.1,.1,.8}}'), epsilon_pufferfish => 3, max_entries => 6);
	SELECT privacct.grant_budget('walk', 'analyst', 1000);
	CREATE TABLE vote (id int PRIMARY KEY, yes boolean NOT NULL);
	INSERT INTO vote SELECT i, i % 2 = 0 FROM generate_series(1, 50) i;
	SELECT privacct.protect('vote', 'id', epsilon => 1, regime => 'local'), privacct.set_domain('vote', 'yes', ARRAY[false, true]), privacct.grant_budget('vote', 'analyst', 100);
	CREATE TABLE planned (id int PRIMARY KEY, n int);
	INSERT INTO planned SELECT i FROM generate_series(1, 50) i;
	SELECT privacct.protect('planned', 'id', epsilon => 4, accountant => 'plan'), privacct.grant_budget('planned', 'analyst', 1);
	SELECT FROM privacct.plan_budget('planned', '[{"kernel": "laplace", "releases": 3}]');
	CREATE TABLE log (day int NOT NULL, device int NOT NULL) PARTITION BY RANGE (day);
	CREATE TABLE log_1 PARTITION OF log FOR VALUES FROM (0) TO (10);
	SELECT privacct.protect('log', 'device', epsilon => 1), privacct.grant_budget('log', 'analyst', 1);
	CREATE TABLE ward (ward text PRIMARY KEY);
	GRANT SELECT ON ward TO PUBLIC;
	SELECT privacct.declare_public('ward');
));
for my $query ($PrivacctTest::QUERY, $PrivacctTest::QUERY, $PLACE, $ONE, 'SELECT count(*) FROM planned', 'SELECT count(*) FROM vote WHERE yes', 'SELECT count(*) FROM log')
{
	ok(defined ask_value($old, $query), "asked: $query");
}
ok(defined ask_value($old, $PrivacctTest::QUERY, role => 'rolex'), 'asked by the role that will be missing');
$old->safe_psql('postgres', 'ALTER TABLE log DETACH PARTITION log_1');
my $books = books($old, 'postgres');
unlike($books, qr/^discrepancy/m, 'the books agree');
is($old->safe_psql('postgres', $ARMED), 0, 'all triggers of the catalog fire always');

my $dir = PostgreSQL::Test::Utils::tempdir();
my $dump = "$dir/dump";
$old->command_ok([ 'pg_dump', '-Fc', '-f', $dump, 'postgres' ], 'a dump');
$old->command_ok([ 'pg_dump', '-Fc', '-f', "$dir/without", '--exclude-table=visit', '--exclude-table=ward', 'postgres' ], 'a dump without two tables');
$old->command_ok([ 'pg_dumpall', '-f', "$dir/all" ], 'a dump of the cluster');

# --- in parallel, twenty times ---

new_database($old, 'parallel');
my %seen;
for my $run (1 .. 20)
{
	$old->safe_psql('postgres', 'DROP DATABASE parallel; CREATE DATABASE parallel TEMPLATE template0');
	$seen{ restore($old, 'parallel', '-j4', $dump) . (restored_books($old, 'parallel') eq $books ? 'all' : 'lost') }++;
}
is_deeply(\%seen, { all => 20 }, 'restored in parallel, nothing is lost');

# --- data only, with triggers disabled, into a database of 0.1 that was updated ---

new_database($old, 'updated');
my ($own, $theirs) = split_list($old, $dump);
is(restore($old, 'updated', '-L', $theirs, $dump), '', 'the tables of users');
$old->safe_psql('updated', q(CREATE EXTENSION privacct VERSION '0.1'; ALTER EXTENSION privacct UPDATE));
is(restore($old, 'updated', '-a', '--disable-triggers', '-L', $own, $dump), '', 'data of the extension only, without triggers, after an update');
is($old->safe_psql('updated', 'SELECT DISTINCT object, command FROM privacct.written_by_hand'), 'triggers|DISABLE', 'it is written down that triggers were disabled');
is(restored_books($old, 'updated') =~ s/\n?^discrepancy\|\|\|the books were written by hand.*//mr, $books, 'nothing is lost');
refused($old, 'updated', $PrivacctTest::QUERY, qr/books of the protected table are incomplete.*check_books/s, 'nor answered: what was charged since is not known');
is($old->safe_psql('updated', $ARMED), 0, 'triggers fire always again');

# --- over what is there ---

for my $round (1 .. 2)
{
	restore($old, 'updated', '--clean', '--if-exists', $dump);
	is(restored_books($old, 'updated'), $books, "restored with --clean, round $round: as in the dump");
}
$old->safe_psql('postgres', 'CREATE DATABASE spent TEMPLATE parallel');
is(restore($old, 'spent', '-a', $dump) =~ /duplicate key/ ? 'refused' : '', 'refused', 'data only over the same data');
$old->safe_psql('spent', 'SELECT privacct.accept_books()');
is(books($old, 'spent') =~ s/^identity.*//mr, $books =~ s/^identity.*//mr, 'is not taken');

# --- without tables ---

new_database($old, 'without');
restore($old, 'without', "$dir/without");
my $without = books($old, 'without');
accept_restored($old, 'without');
like($without, qr/^policy\|\d+\|-\|patient_id\|.*\|f\|/m, 'the policy of the missing table is closed');
like($without, qr/^policy\|\d+\|walk\|/m, 'all others are there');
my @kept = grep { /^(?:account|ledger|owner|quota|slot|question)\|/ } split /\n/, $books;
is_deeply([ grep { /^(?:account|ledger|owner|quota|slot|question)\|/ } split /\n/, $without ], \@kept, 'what was spent is there');
ok(defined ask_value($old, $PLACE, database => 'without'), 'the others answer');
$old->safe_psql('without', q(CREATE TABLE visit (visit_id int PRIMARY KEY, patient_id int NOT NULL, ward text, cost float8)));
refused($old, 'without', $PrivacctTest::QUERY, qr/permission denied/, 'the table that came later is not answered');
my (undef, undef, $why) = $old->psql('without', q(SELECT privacct.protect('visit', 'patient_id')));
like($why, qr/may hold rows of persons whose budget was spent.*inherits => 'public.visit'/s, 'nor protected as if nothing had been asked');
$old->safe_psql('without', q(SELECT privacct.protect('visit', 'patient_id', inherits => 'public.visit')));
is($old->safe_psql('without', q(SELECT epsilon_spent FROM privacct.odometer WHERE open AND relation = 'visit'::regclass)), '0.35', 'it starts from what was spent');

# --- tables without their books ---

# of what a server has, and its pg_dump
sub since
{
	my ($major, @cases) = @_;
	return $old->safe_psql('postgres', 'SHOW server_version_num') >= 10000 * $major ? @cases : ();
}

my @protected = qw(public.log public.log_1 public.planned public.visit public.vote public.walk);
for my $case (
	[ 'a dump without the schema', [ '-N', 'privacct' ], [], @protected ],
	[ 'a dump of another schema', [ '-n', 'public' ], [], @protected ],
	[ 'a dump of tables', [ '-t', 'visit', '-t', 'log_1' ], [], 'public.log_1', 'public.visit' ],
	[ 'a dump without the rows of the books', ['--exclude-table-data=privacct.*'], [], @protected ],
	[ 'a restore of another schema', [], [ '-n', 'public' ], @protected ],
	[ 'a restore of tables', [], [ '-t', 'visit', '-t', 'log_1' ], 'public.log_1', 'public.visit' ],
	since(16, [ 'a dump of tables with their parts', [ '--table-and-children=visit', '--table-and-children=log', '-t', 'log_1' ], [], 'public.log', 'public.log_1', 'public.visit' ]),
	since(17, [ 'a dump without the extension', ['--exclude-extension=privacct'], [], @protected ],
		[ 'a restore of another schema in several transactions', [], [ '-n', 'public', '--transaction-size=3' ], @protected ]),
	since(18, [ 'a dump without rows', [ '--no-data', '--statistics' ], [], @protected ]))
{
	my ($name, $dumped, $restored, @strangers) = @$case;
	$old->command_ok([ 'pg_dump', '-Fc', '-f', "$dir/part", @$dumped, 'postgres' ], $name);
	$old->safe_psql('postgres', 'DROP DATABASE IF EXISTS part');
	new_database($old, 'part');
	restore($old, 'part', @$restored, "$dir/part");
	$old->safe_psql('part', 'CREATE EXTENSION IF NOT EXISTS privacct');
	is($old->safe_psql('part', q(SELECT relation FROM privacct.check_books() WHERE problem = 'the table was protected in other books' ORDER BY 1)), join("\n", @strangers), "$name: it is said which were protected");
	for my $table ([ 'visit', 'patient_id' ], [ 'log_1', 'device' ])
	{
		(undef, undef, $why) = $old->psql('part', "SELECT privacct.protect('$table->[0]', '$table->[1]')");
		like($why, qr/was protected in other books.*Restore the books/s, "$name: $table->[0] is asked about");
	}
	$old->safe_psql('part', q(SELECT privacct.protect('visit', 'patient_id', fresh => true)));
	is($old->safe_psql('part', q(SELECT count(*) FROM privacct.check_books() WHERE relation = 'public.visit')), 0, 'until it is said');
}

# --- the books of two databases in one ---

sub both_refused
{
	my ($database, $query, $name) = @_;
	$old->safe_psql($database, 'CREATE TABLE newcomer (id int NOT NULL)');
	refused($old, $database, $query, qr/books of the protected table are incomplete.*check_books/s, "$name: nothing is answered");
	like($old->safe_psql($database, 'SELECT problem, remedy FROM privacct.check_books()'), qr/^the books of more than one database are in this one\|restore each dump into a database of its own$/m, "$name: it is said why");
	for my $statement (q(SELECT privacct.protect('newcomer', 'id', fresh => true)), 'SELECT privacct.repair_books(relation) FROM privacct.policy WHERE closed_at IS NULL LIMIT 1', 'SELECT privacct.accept_books()')
	{
		(undef, undef, $why) = $old->psql($database, $statement);
		like($why, qr/the books of more than one database are in this one.*database of its own/s, "$name: $statement");
	}
	return;
}

my $STAY = 'SELECT count(*) FROM stay';
new_database($old, 'other');
$old->safe_psql('other', q(CREATE EXTENSION privacct; CREATE TABLE stay (stay int, guest int NOT NULL); INSERT INTO stay SELECT i, i FROM generate_series(1, 50) i;
	SELECT privacct.protect('stay', 'guest', epsilon => 5), privacct.grant_budget('stay', 'analyst', 5)));
ok(defined ask_value($old, $STAY, database => 'other'), 'another database has books too');
$old->command_ok([ 'pg_dump', '-Fc', '-f', "$dir/other", 'other' ], 'its dump');
for my $order ([ $dump, "$dir/other", $PrivacctTest::QUERY ], [ "$dir/other", $dump, $STAY ])
{
	my ($first, $second, $query) = @$order;
	$old->safe_psql('postgres', 'DROP DATABASE IF EXISTS "both"');
	new_database($old, '"both"');
	is(restore($old, 'both', '-j4', $first), '', 'the dump of one');
	accept_restored($old, 'both');
	ok(defined ask_value($old, $query, database => 'both'), 'is answered');
	restore($old, 'both', '-j4', $second);
	both_refused('both', $query, 'then that of another');
}
# by a script that protects, in another order, before the rows come
new_database($old, 'script');
is(restore($old, 'script', '-L', $theirs, $dump), '', 'the tables of users');
$old->safe_psql('script', q(CREATE EXTENSION privacct; SELECT privacct.protect('log', 'device', fresh => true), privacct.protect('planned', 'id', fresh => true), privacct.protect('vote', 'id', fresh => true);
	SELECT privacct.protect('visit', 'patient_id', epsilon => 1, fresh => true), privacct.grant_budget('visit', 'analyst', 100)));
restore($old, 'script', '-a', '-L', $own, $dump);
both_refused('script', $PrivacctTest::QUERY, 'rows of the books over others');

# --- owners who were asked in another encoding ---

$old->safe_psql('postgres', q(CREATE DATABASE unicode TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'));
$old->safe_psql('postgres', q(CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'));
my $VOTE = 'SELECT ldp_count(yes) FROM vote';
$old->safe_psql('unicode', q(CREATE EXTENSION privacct; CREATE TABLE vote (who text PRIMARY KEY, yes boolean NOT NULL);
	INSERT INTO vote SELECT chr(233) || i, i % 2 = 0 FROM generate_series(1, 50) i;
	CREATE TABLE stay (stay int, guest int NOT NULL); INSERT INTO stay SELECT i, i FROM generate_series(1, 50) i;
	SELECT privacct.protect('vote', 'who', epsilon => 1, regime => 'local'), privacct.set_domain('vote', 'yes', ARRAY[false, true]), privacct.grant_budget('vote', 'analyst', 100);
	SELECT privacct.protect('stay', 'guest', epsilon => 5), privacct.grant_budget('stay', 'analyst', 5)));
like((ask($old, $VOTE, database => 'unicode'))[1], qr/^-?\d/, 'owners who are named by texts are asked');
$old->command_ok([ 'pg_dump', '-Fc', '-f', "$dir/unicode", 'unicode' ], 'a dump');
is(restore($old, 'latin', "$dir/unicode"), '', 'restored in another encoding');
refused($old, 'latin', $VOTE, qr/books of the protected table are incomplete.*check_books/s, 'nobody is asked again');
like($old->safe_psql('latin', 'SELECT problem, remedy FROM privacct.check_books()'), qr/^owners cannot be recognized\|restore into a database with the encoding UTF8, or unprotect/m, 'it is said why');
(undef, undef, $why) = $old->psql('latin', 'SELECT privacct.accept_books()');
like($why, qr/owners of public\.vote cannot be recognized/, 'which is not to be accepted');
my $lost = $old->safe_psql('unicode', q(SELECT worst_case_most FROM privacct.local_odometer WHERE relation = 'vote'::regclass));
cmp_ok($lost, '>', 0, 'they have lost something');
$old->safe_psql('latin', q(SELECT privacct.unprotect('vote'); SELECT privacct.protect('vote', 'who', epsilon => 1, regime => 'local')));
cmp_ok($old->safe_psql('latin', q(SELECT min(worst_case_epsilon) FROM privacct.local_state WHERE relation = 'vote'::regclass)), '>=', $lost, 'protected again, every owner has lost that');
accept_restored($old, 'latin');
is($old->safe_psql('latin', 'SELECT count(*) FROM privacct.check_books()'), 0, 'and the books agree');
ok(defined ask_value($old, $STAY, database => 'latin'), 'a table whose owners have numbers is answered');

# --- into a cluster without roles ---

my $new = new_node('new');
$new->start;
$new->safe_psql('postgres', 'CREATE ROLE filler; CREATE ROLE other; CREATE ROLE analyst LOGIN');	# so that numbers of roles differ
$new->safe_psql('postgres', q(ALTER ROLE analyst SET search_path = public, privacct; ALTER ROLE analyst SET privacct.epsilon = 0.125));
new_database($new, 'roles');
restore($new, 'roles', '-j4', $dump);
my $roles = books($new, 'roles');
accept_restored($new, 'roles');
is_deeply([ map { s/\brolex\b/?/gr } grep { /^(?:policy|bound|key|owner|slot|prior|question|ledger|history)\|/ } split /\n/, $roles ],
	[ map { s/\brolex\b/?/gr } grep { /^(?:policy|bound|key|owner|slot|prior|question|ledger|history)\|/ } split /\n/, $books ], 'without a role: nothing that is not the role\'s is lost');
like($roles, qr/^account\|1\|-\|0\.350?\|/m, 'not the total account');
like($roles, qr/^quota\|1\|\d+\|0\.5$/m, 'nor the budget of the role');
ok(defined ask_value($new, $PrivacctTest::QUERY, database => 'roles'), 'others are answered');
$new->safe_psql('roles', 'CREATE ROLE rolex LOGIN');
refused_as($new, 'roles', 'rolex', qr/permission denied/, 'a role of that name is not yet that role');
like($new->safe_psql('roles', 'SELECT problem, remedy FROM privacct.check_books()'), qr/^budget of role rolex.*repair_books\('public.visit'\)/m, 'it is said how it becomes that role');
$new->safe_psql('roles', q(SELECT privacct.repair_books('visit')));
is($new->safe_psql('roles', q(SELECT role, epsilon, epsilon_spent FROM privacct.budget WHERE role = 'rolex'::regrole)), 'rolex|0.5|0.1', 'with what it had and spent');
is($new->safe_psql('roles', 'SELECT count(*) FROM privacct.check_books()'), 0, 'the books agree');
is(asked_until($new, 'roles', $PrivacctTest::QUERY), 4, 'and what is left is what was left');

# --- the whole cluster ---

my $all = new_node('all');
$all->start;
IPC::Run::run([ $all->installed_command('psql'), '-X', '-q', '-h', $all->host, '-p', $all->port, '-d', 'postgres', '-f', "$dir/all" ], '>', \my $out, '2>', \my $err);
is(restored_books($all, 'postgres'), $books, 'pg_dumpall: nothing is lost');
accept_restored($all, 'postgres');
is(asked_until($all, 'postgres', $PrivacctTest::QUERY), 5, 'what is left is what was left');

# --- a restore that lost the accounts, or a sequence of habits that did ---

$old->safe_psql('postgres', 'CREATE DATABASE torn TEMPLATE parallel');
$old->safe_psql('torn', 'SELECT privacct.accept_books()');
$old->safe_psql('torn', 'ALTER TABLE privacct.account DISABLE TRIGGER USER; SET privacct.write_books = on; DELETE FROM privacct.account; ALTER TABLE privacct.account ENABLE TRIGGER USER');
is($old->safe_psql('torn', $ARMED), 0, 'triggers that are enabled fire always');
for my $query ($PrivacctTest::QUERY, $PLACE, 'SELECT count(*) FROM planned', 'SELECT count(*) FROM vote WHERE yes')
{
	refused($old, 'torn', $query, qr/books of the protected table are incomplete.*check_books/s, "refused: $query");
}
$old->safe_psql('torn', q(SELECT privacct.repair_books(relation) FROM privacct.policy WHERE closed_at IS NULL));
is($old->safe_psql('torn', 'SELECT problem FROM privacct.check_books()'), 'the books were written by hand', 'repaired, but for that');
is(asked_until($old, 'torn', $PrivacctTest::QUERY), 5, 'nothing was won');

# The archive's list of objects: of the extension, and of users.
sub split_list
{
	my ($node, $archive) = @_;
	my ($list) = run_command([ $node->installed_command('pg_restore'), '-l', $archive ]);
	my @lines = split /\n/, $list;
	my $files = PostgreSQL::Test::Utils::tempdir();
	append_to_file("$files/own", join '', map { "$_\n" } grep { / privacct / } @lines);
	append_to_file("$files/theirs", join '', map { "$_\n" } grep { !/privacct/ } @lines);
	return ("$files/own", "$files/theirs");
}

sub refused_as
{
	my ($node, $database, $role, $pattern, $name) = @_;
	my (undef, undef, $err) = ask($node, $PrivacctTest::QUERY, database => $database, role => $role, verbosity => 'default');
	like($err, $pattern, $name);
	return;
}

# How many answers there are until the budget is exhausted.
sub asked_until
{
	my ($node, $database, $query) = @_;
	my $answers = 0;
	$answers++ while $answers < 100 && defined ask_value($node, $query, database => $database);
	return $answers;
}

$_->stop for $old, $new, $all;
done_testing();
