# SPDX-License-Identifier: GPL-3.0-or-later
# pg_upgrade from an older major version, whose pg_config is PG_CONFIG_OLD: a hardened database with policies,
# books, partitions, states of owners and two versions of priors goes through without a step by hand, keeps what was spent, and what the
# newer server tells is taken, too.  check.sh stages the older build below PA_OLD.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

plan skip_all => 'PG_CONFIG_OLD names no older server' unless $ENV{PA_OLD};
plan skip_all => 'pg_upgrade of this server does not find a library that is not installed' unless upgradable();

chomp(my $old_bindir = `$ENV{PG_CONFIG_OLD} --bindir`);
(my $old_prefix = $old_bindir) =~ s{/bin$}{};
my %old_settings = map { split /=/, $_, 2 } split /\n/, $ENV{PA_OLD};

my $old = PostgreSQL::Test::Cluster->new('old', install_path => $old_prefix);
$old->init(extra => ['--no-locale', '--encoding=UTF8', '--data-checksums']);
$old->append_conf('postgresql.conf', "$_ = '$old_settings{$_}'\n") for sort keys %old_settings;
$old->append_conf('postgresql.conf', "shared_preload_libraries = 'privacct'\nfsync = on\nprivacct.ledger_timeout = '1h'\n");
$old->start;
setup_hospital($old, epsilon => 8, quota => 2, step => 0.5);
$old->safe_psql('postgres', q(
	CREATE TABLE trip (device text NOT NULL, day date NOT NULL) PARTITION BY RANGE (day);
	CREATE TABLE trip_2020 PARTITION OF trip FOR VALUES FROM ('2020-01-01') TO ('2021-01-01');
	INSERT INTO trip SELECT 'd' || i, date '2020-02-01' + i FROM generate_series(1, 50) i;
	SELECT privacct.protect('trip', 'device', epsilon => 4), privacct.grant_budget('trip', 'analyst', 3);
	CREATE TABLE walk (person int, hour int, place text NOT NULL, PRIMARY KEY (person, hour));
	INSERT INTO walk SELECT i, j, substr('abc', 1 + (i + j) % 3, 1) FROM generate_series(1, 20) i, generate_series(1, 6) j;
	SELECT privacct.protect_entries('walk', 'person', ARRAY['hour'], 'place',
		privacct.chain_prior(ARRAY['a', 'b', 'c'], '{{.8,.1,.1},{.1,.8,.1},{.1,.1,.8}}'), epsilon_pufferfish => 30,
		max_entries => 6, pairs => '{{a,b},{b,c}}');
	SELECT privacct.grant_budget('walk', 'analyst', 1000);
	SELECT privacct.set_priors('walk', privacct.chain_prior(ARRAY['a', 'b', 'c'], '{{.7,.2,.1},{.2,.7,.1},{.1,.2,.7}}'),
		epsilon_pufferfish => 30, max_entries => 6, pairs => '{{a,b},{b,c}}');
	CREATE TABLE answer (id int PRIMARY KEY, age int NOT NULL);
	INSERT INTO answer SELECT i, i % 5 FROM generate_series(1, 40) i;
	SELECT privacct.protect('answer', 'id', regime => 'local', epsilon => 2),
		privacct.set_domain('answer', 'age', '{0,1,2,3,4}'::int[]), privacct.grant_budget('answer', 'analyst', 100);
	SELECT privacct.harden_catalog();
));
my $WALK = q(SELECT count(*) FROM walk WHERE place = 'b');
my $ONE = q(SELECT privacct.dp_mode(place) FROM walk WHERE person = 3);
my $LOCAL = q(SELECT privacct.ldp_count(age = 1, 'epsilon=0.5') FROM answer);

sub answers
{
	my (undef, $out, $err) = ask(@_);
	return $err eq '' && $out =~ /^\S+$/ ? 1 : 0;
}

ok(answers($old, $_), "before: $_") for ($PrivacctTest::QUERY, 'SELECT count(*) FROM trip', $WALK, $ONE, $LOCAL);
my $SPENT = q(SELECT policy_id, epsilon, delta, rho FROM privacct.account ORDER BY 1);
my $LINES = q(SELECT count(*), sum(epsilon) FROM privacct.ledger);
my $STATES = q(SELECT owner, state, realised_epsilon, "left" FROM privacct.owner_odometer ORDER BY 1; SELECT policy_id, owner, epsilon FROM privacct.owner_account ORDER BY 1, 2);
my $BOOKS = q(SELECT relation_name, regime, epsilon, closed_at IS NULL FROM privacct.policy ORDER BY policy_id;
	SELECT version, md5(priors::text) FROM privacct.prior ORDER BY 1, 2; SELECT role, epsilon FROM privacct.quota ORDER BY 1, 2);
my %asked = (states => $old->safe_psql('postgres', 'SELECT count(*) FROM privacct.owner_odometer WHERE realised_epsilon > 0'),
	named => $old->safe_psql('postgres', 'SELECT count(*) FROM privacct.owner_account WHERE epsilon > 0'),
	versions => $old->safe_psql('postgres', 'SELECT count(DISTINCT version) FROM privacct.prior'));
is_deeply(\%asked, { states => 40, named => 1, versions => 2 }, 'before: owners have lost something, and there are two versions of priors');
my %before = map { $_ => $old->safe_psql('postgres', $_) } ($SPENT, $LINES, $STATES, $BOOKS);
my $open = q(SELECT count(*) FROM privacct.check_hardening() WHERE remedy = 'privacct.harden_catalog()');
is($old->safe_psql('postgres', $open), 0, 'before: hardened');

sub upgrade
{
	my ($node) = @_;
	my ($out, $err) = ('', '');
	$old->stop;
	chdir PostgreSQL::Test::Utils::tempdir();
	my $done = IPC::Run::run([ 'pg_upgrade', '-d', $old->data_dir, '-D', $node->data_dir, '-b', $old_bindir, '-B', $node->config_data('--bindir'),
		'-s', $node->host, '-p', $old->port, '-P', $node->port ], '<', \undef, '>', \$out, '2>', \$err);
	return ($done, join '', $out, $err, map { slurp_file($_) } glob($node->data_dir . '/pg_upgrade_output.d/*/log/*.log'));
}

# What keeps the books is remembered anew by the newer server: what was changed before, and by no command that is
# followed, would be right there.
my %column = ('a function' => q(pg_proc SET prosecdef = NOT prosecdef WHERE oid = 'privacct._administers(regclass)'::regprocedure),
	'a table' => q(pg_attribute SET attnotnull = NOT attnotnull WHERE attrelid = 'privacct.ledger_line'::regclass AND attname = 'epsilon'));
for my $what (sort keys %column)
{
	my $change = "SET allow_system_table_mods = on; UPDATE $column{$what}";
	$old->safe_psql('postgres', $change);
	my ($done, $told) = upgrade(node_to_fill('with' . $what =~ s/ /_/gr, extra => ['--no-locale', '--encoding=UTF8', '--data-checksums']));
	ok(!$done, "$what that was changed is not brought along");
	like($told, qr/what keeps the books of privacct was changed.*check_books/s, 'and it is said why, and what to do');
	$old->start;
	$old->safe_psql('postgres', $change);
}
is($old->safe_psql('postgres', 'SELECT problem FROM privacct.object_discrepancy'), '', 'it is undone');

my $new = node_to_fill('new', extra => ['--no-locale', '--encoding=UTF8', '--data-checksums']);
my ($done, $told) = upgrade($new);
ok($done, 'pg_upgrade of a hardened database') or diag($told);
$new->start;

is($new->safe_psql('postgres', $_), $before{$_}, 'what was declared and spent is there') for ($SPENT, $LINES, $STATES, $BOOKS);
my (undef, $rows, $refused) = ask($new, 'SELECT * FROM trip_2020');
like($refused, qr/42501|42PA1/, 'raw rows are refused');
ok(answers($new, $_), "after: $_") for ('SELECT count(*) FROM trip', $WALK, $ONE, $LOCAL, $PrivacctTest::QUERY);
my $answers = 0;
$answers++ while $answers < 50 && defined ask_value($new, $PrivacctTest::QUERY);
is($answers, 2, 'two of the four halves of the budget were spent before');
is($new->safe_psql('postgres', $open), 0, 'after: what the newer server tells is taken, too');
is($new->safe_psql('postgres', 'SELECT count(*) FROM privacct.check_books()'), 0, 'the books agree');
$new->safe_psql('postgres', 'SELECT privacct.soften_catalog(), privacct.harden_catalog()');
is($new->safe_psql('postgres', $open), 0, 'hardened once more');
my ($code, undef, $described) = ask($new, 'SELECT * FROM pg_database; SELECT * FROM pg_class LIMIT 1');
is($described, '', 'catalogs are read as before');
done_testing();
