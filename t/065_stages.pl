# SPDX-License-Identifier: GPL-3.0-or-later
# Numbers that are refined are charged stage by stage.  Whatever is killed and when, each stage that
# was drawn has been charged, in its turn; and sessions side by side never spend more than the cap.
#
# Three analysts ask for what takes all seven stages, as fast as they can.  In every round the server, a
# client's backend or the ledger's worker is killed with SIGKILL.  Then the cap is used up.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;
use Time::HiRes qw(usleep);

use constant ROUNDS => 9;
use constant STAGES => 7;

my @analysts = map { "analyst$_" } 1 .. 3;
my $settings = "SET privacct.accuracy = '0.001 %'; SET privacct.epsilon = 0.00064;\n";

sub kill_server
{
	my ($node) = @_;
	my $postmaster = $node->{_pid};

	kill 'STOP', $postmaster;
	my @family = children($postmaster);
	kill 'KILL', $postmaster, @family;
	usleep 10_000 while grep { kill 0, $_ } @family;
	$node->kill9;
	return;
}

sub kill_one
{
	my ($node, $type) = @_;
	my $pid = $node->safe_psql('postgres', qq(
		SELECT pid FROM pg_stat_activity WHERE backend_type = '$type'
		AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1));

	return $pid ne '' && kill 'KILL', $pid;
}

# Lines of an analyst that are not preceded by that of the stage before.
sub strays
{
	my ($node) = @_;

	return $node->safe_psql('postgres', q(SELECT count(*) FROM (
		SELECT (detail->>'stage')::int AS stage, lag((detail->>'stage')::int, 1, 0) OVER (PARTITION BY role ORDER BY charge_id) AS before
		FROM privacct.ledger) l WHERE stage <> 1 AND stage <> before + 1));
}

my $node = new_node('stages', restart_after_crash => 'on', max_connections => 30);
$node->start;
setup_hospital($node, analysts => \@analysts, epsilon => 30, quota => 15, step => 0.0001);
my %acknowledged = map { $_ => 0 } @analysts;

for my $round (1 .. ROUNDS)
{
	my $victim = ('client backend', 'privacct ledger', 'server')[ $round % 3 ];
	my @clients = start_clients($node, \@analysts, $settings . "$PrivacctTest::QUERY;\n" x 500, stop => 1);

	await_answers(2, @clients);
	usleep int rand 100_000;			# at any moment
	kill_server($node) if $victim eq 'server' || !kill_one($node, $victim);
	$acknowledged{ $_->{role} } += $_->{answers} for finish_clients(@clients);
	$node->{_pid} ? await_server($node) : $node->start;
	books_agree($node) or fail("round $round, $victim killed: sums differ from the ledger");
}
for my $analyst (@analysts)
{
	my $charged = $node->safe_psql('postgres', "SELECT count(*) FROM privacct.ledger WHERE role = '$analyst'");

	cmp_ok($acknowledged{$analyst}, '>', ROUNDS, "$analyst was answered in most rounds");
	cmp_ok($charged, '>=', STAGES * $acknowledged{$analyst}, "all stages of what $analyst was told are in the ledger");
	cmp_ok($charged, '<=', STAGES * ($acknowledged{$analyst} + ROUNDS), 'and of no more than one answer in a round that was cut off');
}
is(strays($node), '0', 'no stage was charged before the one before it');
is($node->safe_psql('postgres', "SELECT count(*) FROM privacct.ledger WHERE detail->>'stage' = '1' AND epsilon <> 0.00001
	OR detail->>'stage' = '7' AND epsilon <> 0.00032"), '0', 'each stage costs what it costs');

# --- the cap, used up side by side ---

my @racers = start_clients($node, \@analysts, "SET privacct.accuracy = '0.001 %'; SET privacct.epsilon = 0.64;\n" . "$PrivacctTest::QUERY;\n" x 40);
finish_clients(@racers);
is($node->safe_psql('postgres', q(SELECT a.epsilon <= p.epsilon, a.epsilon > 0.99 * p.epsilon FROM privacct.account a JOIN privacct.policy p USING (policy_id) WHERE a.role = 0::regrole)),
	't|t', 'the cap is used up and not passed');
is(strays($node), '0', 'no stage was charged before the one before it');
ok(books_agree($node), 'the accounts hold exactly the sums of the ledger');
is($node->safe_psql('postgres', 'SELECT count(*) FROM privacct.check_books()'), '0', 'the books are complete');

$node->stop;
done_testing();
