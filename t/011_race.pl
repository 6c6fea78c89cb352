# SPDX-License-Identifier: GPL-3.0-or-later
# Sixty-four sessions race for the last of a budget: as many releases are answered
# as fit into it, and not one more; where owners have accounts of their own, for each.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PrivacctTest;
use Test::More;

my $script = "$PrivacctTest::QUERY;\n" x 3;

# What one release costs, and so how many fit into an epsilon.
sub releases_that_fit
{
	my ($node, $epsilon) = @_;
	return $node->safe_psql('postgres',
		"SELECT floor($epsilon / max(epsilon)) FROM privacct.ledger");
}

sub race
{
	my ($node, @roles) = @_;
	my @clients = finish_clients(start_clients($node, \@roles, $script));
	my ($answers, $refusals, $others) = (0, 0, 0);

	for my $client (@clients)
	{
		my $exhausted = () = $client->{err} =~ /ERROR:\s+53PA2/g;
		$answers += $client->{answers};
		$refusals += $exhausted;
		$others += $client->{errors} - $exhausted;
	}
	is($answers + $refusals, 3 * @roles, 'every query was answered or refused');
	is($others, 0, 'every refusal says that the budget is exhausted');
	return $answers;
}

# A role's quota: sixty-four sessions of one role.
my $quota = new_node('quota');
$quota->start;
setup_hospital($quota, epsilon => 1000, quota => 9.75, step => 0.1);
my $answers = race($quota, ('analyst') x 64);
is($answers, releases_that_fit($quota, 9.75), 'the quota is spent to the last release');
cmp_ok($answers, '<', 3 * 64, 'there was something to race for');
is(releases($quota), $answers, 'every answer is in the ledger');
ok(books_agree($quota), 'the accounts hold exactly the sums of the ledger');

my (undef, undef, $err) = ask($quota, $PrivacctTest::QUERY, verbosity => 'default');
like($err, qr/privacy budget exhausted/, 'the error says what happened');
like($err, qr/DETAIL:.*epsilon 0\.05, .*left, limited by the quota of role "analyst"/,
	'the detail says what is left and of what');
like($err, qr/HINT:.*privacct\.grant_budget/, 'the hint says what can be done');
is(releases($quota), $answers, 'a refusal is not a charge');
$quota->safe_psql('postgres',
	"SELECT privacct.grant_budget('visit', 'analyst', epsilon => 9.85, delta => 1e-8)");
ok(defined ask_value($quota, $PrivacctTest::QUERY), 'a raised quota counts at once');
$quota->stop;

# The policy's cap: four roles, each with a quota that is never the limit.
my @analysts = map { "analyst$_" } 1 .. 4;
my $cap = new_node('cap');
$cap->start;
setup_hospital($cap, epsilon => 7.02, quota => 7, step => 0.1, analysts => \@analysts);
$answers = race($cap, (@analysts) x 16);
is($answers, releases_that_fit($cap, 7.02), 'the cap is spent to the last release');
is(releases($cap), $answers, 'every answer is in the ledger');
ok(books_agree($cap), 'the accounts hold exactly the sums of the ledger');
(undef, undef, $err) =
  ask($cap, $PrivacctTest::QUERY, role => 'analyst1', verbosity => 'default');
like($err, qr/DETAIL:.*limited by the cap of the policy/, 'the detail names the cap');
$cap->stop;

# The same where sums of rho count.
my $rho = new_node('rho');
$rho->start;
setup_hospital($rho, epsilon => 7, quota => 7, step => 0.5, analysts => \@analysts, accountant => 'zcdp');
$answers = race($rho, (@analysts) x 16);
cmp_ok($answers, '<', 3 * 64, 'there was something to race for');
is(releases($rho), $answers, 'every answer is in the ledger');
ok(books_agree($rho), 'the accounts hold exactly the sums of the ledger');
is($rho->safe_psql('postgres', 'SELECT rho_left BETWEEN 0 AND (SELECT max(rho) FROM privacct.ledger) FROM privacct.odometer'), 't',
	'the cap is spent to the last release');
ok(!defined ask_value($rho, $PrivacctTest::QUERY, role => 'analyst1'), 'which nobody gets');
$rho->stop;

# Owners of entries: questions about one, about two, about another one.
my $named = new_node('named');
$named->start;
setup_hospital($named, epsilon => 1, quota => 1, step => 0.1);
$named->safe_psql('postgres', q(
	CREATE TABLE stay (person int, hour int, ward int NOT NULL, PRIMARY KEY (person, hour));
	INSERT INTO stay SELECT p, h, (p + h) % 2 FROM generate_series(1, 4) p, generate_series(1, 10) h;
	SELECT privacct.protect_entries('stay', 'person', '{hour}', 'ward',
		privacct.chain_prior('{0,1}'::int[], '{{.5,.5},{.5,.5}}'), epsilon_pufferfish => 2.05);
	SELECT privacct.grant_budget('stay', 'analyst', epsilon => 1000);
));
my %asked = (one => '= 1', both => 'IN (1, 2)', other => '= 3');
my @clients = finish_clients(start_clients($named, [ ('analyst') x 64 ],
	join('', map { "SELECT '$_', count(*) FROM stay WHERE person $asked{$_};\n" } sort(keys %asked))));
my %answered = map { my $what = $_; $what => scalar(map { $_->{out} =~ /^$what\|/mg } @clients) } keys %asked;
my $errors = 0;
$errors += $_->{errors} for @clients;
is($answered{one} + $answered{both} + $answered{other} + $errors, 64 * 3, 'every query was answered or refused');
is($answered{one} + $answered{both}, 20, 'the owner who was asked most is spent to the last release');
is($answered{other}, 20, 'and so is another one');
is($named->safe_psql('postgres', 'SELECT owner, epsilon FROM privacct.owner_account ORDER BY owner'),
	sprintf("1|2.0\n2|%.1f\n3|2.0", $answered{both} / 10), 'owners were charged for what they were asked');
is($named->safe_psql('postgres', 'SELECT entry_epsilon_spent FROM privacct.pufferfish_budget'), '2',
	'what is spent is what the owner charged most was');
ok(books_agree($named), 'the accounts hold exactly the sums of the ledger');
$named->stop('immediate');
$named->start;
ok(books_agree($named), 'after a crash too');
ok(!defined ask_value($named, 'SELECT count(*) FROM stay'), 'and nothing is left for everybody');
ok(defined ask_value($named, 'SELECT count(*) FROM stay WHERE person = 4'), 'but for who was not asked');
$named->stop;

done_testing();
