# SPDX-License-Identifier: GPL-3.0-or-later
# Policies, quotas, accounts and ledger survive pg_dump and pg_restore; what was
# spent is never less afterwards, and a restored table is guarded.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

my $CATALOG = q(
	SELECT 'policy', relation, owner_column, accountant, epsilon, delta, cap_rho, cap_delta,
		max_groups_contributed, max_rows_contributed, min_owners, kernel, encode(secret, 'hex'), created_by, closed_at IS NULL
	FROM privacct.policy ORDER BY policy_id;
	SELECT 'bound', policy_id, column_name, lo, hi, owner_lo, owner_hi, column_type FROM privacct.bound ORDER BY 2, 3;
	SELECT 'key', policy_id, column_name, keys FROM privacct.group_key ORDER BY 2, 3;
	SELECT 'quota', policy_id, role, epsilon, delta, cap_rho, cap_delta FROM privacct.quota ORDER BY 2, role::text;
	SELECT 'account', policy_id, role, epsilon, delta, rho, releases FROM privacct.account ORDER BY 2, role::text;
	SELECT 'slot', * FROM privacct.slot ORDER BY policy_id, slot;
	SELECT 'domain', * FROM privacct.domain ORDER BY policy_id, position;
	SELECT 'public', * FROM privacct.public_column ORDER BY policy_id, column_name;
	SELECT 'prior', * FROM privacct.prior ORDER BY policy_id, version;
	SELECT 'ledger', * FROM privacct.ledger ORDER BY charge_id;
	SELECT 'acl', oid::regclass, nullif(relacl, acldefault('r', relowner)) FROM pg_class
	WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY oid::regclass::text;
);

sub catalog
{
	my ($node, $database) = @_;
	return $node->safe_psql($database, $CATALOG);
}

# What a table of entries promises and has spent; none of it but the curve is stored as shown.
my $ENTRIES = q(
	SELECT relation, version, epsilon, epsilon_spent, epsilon_left, delta, active_b, active_a, active_left, active_right,
		entry_epsilon_spent, entry_epsilon_cap, paper_sum, naive_sum, releases, longest_owner, max_entries, hash,
		hash = (SELECT encode(sha256(convert_to(w.priors::text, 'UTF8')), 'hex') FROM privacct.prior w ORDER BY w.version DESC LIMIT 1)
	FROM privacct.pufferfish_budget;
	SELECT * FROM privacct.pufferfish_curve;
);

# Asks until the budget is exhausted; the number of answers.
sub drain
{
	my ($node, $query, %option) = @_;
	my $answers = 0;
	$answers++ while $answers < 100 && defined ask_value($node, $query, %option);
	my (undef, undef, $err) = ask($node, $query, %option);
	like($err, qr/ERROR:\s+53PA2/, 'the budget is exhausted in the end');
	return $answers;
}

sub dump_to
{
	my ($node, $database, $file, @options) = @_;
	$node->command_ok([ 'pg_dump', '-f', $file, @options, $database ], "pg_dump @options $database");
	return;
}

# Charges that were made after the dump are not in the books that it brings.
sub accept_restored
{
	my ($node, $database) = @_;
	my (undef, undef, $err) = $node->psql($database, 'SELECT privacct.accept_books()');
	like($err, qr/WARNING:  charges that are not in these books no longer count/, "$database: a superuser accepts the books");
	return;
}

my $old = new_node('old');
$old->start;
setup_hospital($old, epsilon => 8, quota => 2, step => 0.125);
$old->safe_psql('postgres', q(
	SELECT privacct.set_bounds('visit', 'cost', 0, 500), privacct.set_owner_bounds('visit', 'cost', -1, 2000), privacct.set_keys('visit', 'ward', ARRAY['A', 'B', 'it''s "C"']);
	ALTER TABLE visit RENAME COLUMN patient_id TO who;
	ALTER TABLE visit RENAME COLUMN ward TO unit;
	CREATE TABLE trip (device text NOT NULL, day date NOT NULL) PARTITION BY RANGE (day);
	CREATE TABLE trip_2020 PARTITION OF trip FOR VALUES FROM ('2020-01-01') TO ('2021-01-01');
	SELECT privacct.protect('trip', 'device', epsilon => 1, accountant => 'zcdp');
	CREATE ROLE passing LOGIN;
	SELECT privacct.grant_budget('trip', 'passing', 0.5), privacct.grant_budget('trip', 'analyst', 0.5);
	CREATE TABLE planned (id int PRIMARY KEY);
	INSERT INTO planned SELECT generate_series(1, 50);
	SELECT privacct.protect('planned', 'id', epsilon => 4, accountant => 'plan');
	SELECT privacct.grant_budget('planned', 'analyst', 1), privacct.plan_budget('planned', '[
		{"kernel": "brdp_gaussian", "within": 0.5, "releases": 3, "role": "analyst"},
		{"kernel": "laplace", "releases": 2, "role": "passing"}]');
	DROP ROLE passing;
	CREATE TABLE gone (id int NOT NULL);
	SELECT privacct.protect('gone', 'id', fresh => true);
	DROP TABLE gone;
	CREATE TABLE ended (id int NOT NULL);
	SELECT privacct.protect('ended', 'id', fresh => true), privacct.unprotect('ended');
	CREATE TABLE walk (person int, hour int, place text NOT NULL, PRIMARY KEY (person, hour));
	INSERT INTO walk SELECT i, j, substr('abc', 1 + (i + j) % 3, 1) FROM generate_series(1, 20) i, generate_series(1, 6) j;
	SELECT privacct.protect_entries('walk', 'person', ARRAY['hour'], 'place',
		privacct.chain_prior(ARRAY['a', 'b', 'c'], '{{.8,.1,.1},{.1,.8,.1},{.1,.1,.8}}'), epsilon_pufferfish => 3,
		max_entries => 6, pairs => '{{a,b},{b,c}}');
	SELECT privacct.grant_budget('walk', 'analyst', 1000);
	ALTER TABLE walk RENAME COLUMN place TO "Place";
	SELECT privacct.harden_catalog();
));
my $WALK = q(SELECT count(*) FROM walk WHERE "Place" = 'b');
ok(defined ask_value($old, $WALK), 'a release of entries');
# an infinite influence, a start of its own, and numbers that need all digits
$old->safe_psql('postgres', q(
	SELECT privacct.set_priors('walk', jsonb_build_array(
		privacct.chain_prior(ARRAY['a', 'b', 'c'], '{{0,1,0},{0,0,1},{.5,.5,0}}', '{0.3,0.3,0.4}', 6),
		privacct.chain_prior(ARRAY['a', 'b', 'c'], '{{.6,.3,.1},{.3,.3,.4},{.1,.7,.2}}')), epsilon_pufferfish => 5)));
ok(defined ask_value($old, $WALK), 'a release under the second version');
my $entries = $old->safe_psql('postgres', $ENTRIES);
like($entries, qr/^walk\|2\|5\|/, 'the second version of the priors is in force');
for (1 .. 5)
{
	ok(defined ask_value($old, $PrivacctTest::QUERY), "release $_");
}
is(releases($old), 9, 'the ledger has seven charges, and two lines of fresh starts');
ok(defined ask_value($old, 'SELECT count(*) FROM planned'), 'a planned release');
my $before = catalog($old, 'postgres');
# the dump leaves out the role that no longer exists; its slot is nobody's
my $expected = join "\n", grep { !/^(?:quota|account)\|\d+\|\d+\|/ } split /\n/, $before;
$expected =~ s/^(slot\|\d+\|2\|\d+\|)\d+/$1-/m;
like($expected, qr/^slot\|\d+\|1\|.*\|3\|1$/m, 'a slot has one of three uses');
isnt($expected, $before, 'the dropped role has rows before the dump');
like($before, qr/^policy\|visit\|who\|basic\|8\|/m, 'the policy follows the renamed column');

my $dir = PostgreSQL::Test::Utils::tempdir();
dump_to($old, 'postgres', "$dir/custom", '-Fc');
dump_to($old, 'postgres', "$dir/plain", '-Fp');
$old->command_ok([ 'pg_dumpall', '--globals-only', '-f', "$dir/globals" ], 'pg_dumpall --globals-only');

# into another database of the same cluster, both formats
for my $format ('custom', 'plain')
{
	$old->safe_psql('postgres', "CREATE DATABASE copy_$format TEMPLATE template0");
	my @restore = $format eq 'custom'
	  ? ('pg_restore', '--exit-on-error', '-d', "copy_$format", "$dir/$format")
	  : ('psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-o', '/dev/null', '-d', "copy_$format", '-f', "$dir/$format");
	$old->command_ok(\@restore, "restore of the $format format");
	is(catalog($old, "copy_$format"), $expected, "the $format format keeps everything");
	is($old->safe_psql("copy_$format", $ENTRIES), $entries, "the $format format keeps the budget of entries");
}

# section by section: foreign keys hold while data come in, event triggers fire after
$old->safe_psql('postgres', 'CREATE DATABASE copy_sections TEMPLATE template0');
for my $section ('pre-data', 'data', 'post-data')
{
	$old->command_ok([ 'pg_restore', '--exit-on-error', "--section=$section", '-d', 'copy_sections', "$dir/custom" ], "restore of $section");
}
is(catalog($old, 'copy_sections'), $expected, 'sections keep everything');
is($old->safe_psql('copy_sections', $ENTRIES), $entries, 'sections keep the budget of entries');
accept_restored($old, 'copy_sections');
my $left = drain($old, $WALK, database => 'copy_sections');
cmp_ok($left, '>', 3, 'there was something left of the budget of entries');

# into a new cluster, after the globals
my $new = new_node('new');
$new->start;
$new->safe_psql('postgres', 'CREATE ROLE filler');	# so that numbers of roles differ
$new->command_ok([ 'psql', '-X', '-q', '-d', 'postgres', '-f', "$dir/globals" ], 'globals restored');
$new->safe_psql('postgres', 'CREATE DATABASE copy TEMPLATE template0');
$new->command_ok([ 'pg_restore', '--exit-on-error', '-d', 'copy', "$dir/custom" ], 'restore into a new cluster');
is(catalog($new, 'copy'), $expected, 'the new cluster has everything');

# guarded: raw rows are refused, answers are paid for, from where the old one was
my (undef, $out, $err) = ask($new, 'SELECT who FROM visit', database => 'copy');
is($out, '', 'no raw row');
like($err, qr/ERROR:\s+(?:42PA1|42501)/, 'raw rows are refused');
(undef, $out, $err) = ask($new, 'COPY visit TO STDOUT', database => 'copy');
like($err, qr/ERROR:\s+42501/, 'COPY is refused');
like($new->safe_psql('copy', q(SELECT epsilon_spent FROM privacct.odometer WHERE relation = 'visit'::regclass)),
	qr/^0\.625$/, 'the new cluster knows what was spent');
(undef, $out, $err) = ask($new, $PrivacctTest::QUERY, database => 'copy', verbosity => 'default');
is($out, '', 'nothing is answered');
like($err, qr/check_books/, 'before it is said that these books count');
accept_restored($new, 'copy');
ok(defined ask_value($new, $PrivacctTest::QUERY, database => 'copy'), 'a guarded query is answered');
is(releases($new, undef, 'copy'), 11, 'it is charged under a new number');
is($new->safe_psql('copy', $ENTRIES), $entries, 'the new cluster knows the budget of entries');
(undef, $out, $err) = ask($new, 'SELECT "Place" FROM walk', database => 'copy');
is($out, '', 'no raw entry');
like($err, qr/ERROR:\s+(?:42PA1|42501)/, 'raw entries are refused');
is(drain($new, $WALK, database => 'copy'), $left, 'releases of entries are charged from where the old cluster was');
is($new->safe_psql('copy', q(SELECT privacct.set_priors('walk',
	privacct.chain_prior(ARRAY['a', 'b', 'c'], '{{.6,.3,.1},{.3,.3,.4},{.1,.7,.2}}'), epsilon_pufferfish => 6))), '3', 'versions are counted on');
ok(defined ask_value($new, $WALK, database => 'copy'), 'a larger promise counts at once');
for (2 .. 3)
{
	ok(defined ask_value($new, 'SELECT count(*) FROM planned', database => 'copy'), "planned release $_ of 3");
}
(undef, undef, $err) = ask($new, 'SELECT count(*) FROM planned', database => 'copy');
like($err, qr/ERROR:\s+53PA2/, 'the plan goes on where it was');
is($new->safe_psql('copy', q(SELECT count(*) FROM privacct.ledger GROUP BY charge_id HAVING count(*) > 1)), '', 'numbers of charges are unique');
my ($refused, undef, $why) = $new->psql('copy', 'GRANT SELECT ON visit TO analyst');
isnt($refused, 0, 'GRANT is refused');
like($why, qr/other roles hold privileges on the protected table/, 'by the event trigger');

# catalog hygiene travels with the dump of the database
(undef, $out, $err) = ask($new, q(SELECT DISTINCT reltuples, relpages FROM pg_class WHERE relname IN ('visit', 'walk')), database => 'copy');
is("$out$err", '-1|0', 'statistics stay hidden');
(undef, $out, $err) = ask($new, 'SELECT pg_current_wal_lsn()', database => 'copy');
like($err, qr/ERROR:\s+42501/, 'positions stay closed');
my $OPEN = 'SELECT count(*) FROM privacct.check_hardening() WHERE remedy = $$privacct.harden_catalog()$$';
is($new->safe_psql('copy', $OPEN), '0', 'nothing is open after the restore');
cmp_ok($new->safe_psql('copy', "SELECT privacct.soften_catalog(); $OPEN") =~ s/^\s+//r, '>', 150, 'what was taken is known after the restore');
$new->safe_psql('copy', 'SELECT privacct.harden_catalog()');

# protecting a table again is not a way to start at zero
$new->safe_psql('copy', q(SELECT privacct.unprotect('visit'), privacct.protect('visit', 'who', epsilon => 8, delta => 1e-7)));
is($new->safe_psql('copy', q(SELECT epsilon_spent FROM privacct.odometer WHERE relation = 'visit'::regclass AND open)),
	'0.75', 'what was spent is carried over');

$new->stop;

unless (upgradable())
{
	SKIP: { skip 'pg_upgrade of this server does not find a library that is not installed', 1; }
	done_testing();
	exit 0;
}

# an upgrade takes the files as they are: also rows of roles that no longer exist
$old->safe_psql('postgres', 'DROP DATABASE copy_custom; DROP DATABASE copy_plain; DROP DATABASE copy_sections');
$old->stop;
my $upgraded = node_to_fill('upgraded');
my $bindir = $old->config_data('--bindir');
chdir $dir or die "$dir: $!";
command_ok([
	'pg_upgrade', '--no-sync', '-b', $bindir, '-B', $bindir, '-d', $old->data_dir, '-D', $upgraded->data_dir,
	'-s', $upgraded->host, '-p', $old->port, '-P', $upgraded->port ], 'pg_upgrade');
$upgraded->start;
is(catalog($upgraded, 'postgres'), $before, 'an upgrade keeps everything');
is($upgraded->safe_psql('postgres', 'SELECT problem FROM privacct.check_books()'), '', 'and nothing looks as if somebody had changed it');
is($upgraded->safe_psql('postgres', $ENTRIES), $entries, 'an upgrade keeps the budget of entries');
is(drain($upgraded, $WALK), $left, 'releases of entries are charged from where they were before the upgrade');
(undef, undef, $err) = ask($upgraded, 'SELECT "Place" FROM walk');
like($err, qr/ERROR:\s+(?:42PA1|42501)/, 'raw entries are refused after an upgrade');
$upgraded->stop;
done_testing();
