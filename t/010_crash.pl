# SPDX-License-Identifier: GPL-3.0-or-later
# No acknowledged release is ever forgotten, whatever is killed and when; and
# nothing is charged that nobody asked for.
#
# Four analysts release as fast as they can, two of them inside transactions
# that they roll back.  In every round something is killed with SIGKILL: the
# whole server, one client's backend, or the ledger's worker.  An analyst may
# have at most one charge per round whose answer was cut off.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;
use Time::HiRes qw(usleep);

use constant ROUNDS => 51;

my @analysts = map { "analyst$_" } 1 .. 4;
my %script = (
	autocommit => "$PrivacctTest::QUERY;\n" x 4000,
	rollback => "BEGIN;\n$PrivacctTest::QUERY;\nROLLBACK;\n" x 4000);

# The postmaster is stopped first, so that it can have no further children.
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

# True if there was somebody to kill.
sub kill_one
{
	my ($node, $type) = @_;
	my $pid = $node->safe_psql('postgres', qq(
		SELECT pid FROM pg_stat_activity WHERE backend_type = '$type'
		AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1));

	return $pid ne '' && kill 'KILL', $pid;
}

sub start_analysts
{
	my ($node) = @_;
	return (
		start_clients($node, [ @analysts[ 0, 1 ] ], $script{autocommit}, stop => 1),
		start_clients($node, [ @analysts[ 2, 3 ] ], $script{rollback}, stop => 1));
}

my $node = new_node('crash', restart_after_crash => 'on', max_connections => 30);
$node->start;
setup_hospital($node, analysts => \@analysts, epsilon => 100_000, quota => 50_000,
	step => 0.0001);

my %acknowledged = map { $_ => 0 } @analysts;
my %killed = (server => 0, 'client backend' => 0, 'privacct ledger' => 0);

for my $round (1 .. ROUNDS)
{
	my $victim = (sort keys %killed)[ $round % 3 ];
	my @clients = start_analysts($node);

	await_answers(2, @clients);
	usleep int rand 200_000;			# at any moment
	if ($victim eq 'server')
	{
		kill_server($node);
		$killed{$victim}++;
	}
	elsif (kill_one($node, $victim))
	{
		$killed{$victim}++;
	}
	else
	{
		kill_server($node);
	}
	for my $client (finish_clients(@clients))
	{
		$acknowledged{ $client->{role} } += $client->{answers};
	}
	$node->{_pid} ? await_server($node) : $node->start;

	for my $analyst (@analysts)
	{
		my $charged = releases($node, $analyst);
		next
		  if $acknowledged{$analyst} <= $charged
		  && $charged <= $acknowledged{$analyst} + $round;
		fail("round $round, $victim killed: $analyst has $acknowledged{$analyst}"
			  . " answers and $charged charges");
	}
	books_agree($node) or fail("round $round, $victim killed: sums differ from the ledger");
}

my $answers = 0;
$answers += $_ for values %acknowledged;
note "$answers acknowledged releases, " . releases($node) . " charges; killed: "
  . join ', ', map { "$_ $killed{$_} times" } sort keys %killed;

cmp_ok($acknowledged{$_}, '>', ROUNDS, "$_ was answered in most rounds") for @analysts;
cmp_ok($killed{$_}, '>', ROUNDS / 6, "$_ was killed often enough") for sort keys %killed;
cmp_ok(releases($node), '>=', $answers, 'every acknowledged release is in the ledger');
cmp_ok(releases($node), '<=', $answers + ROUNDS * @analysts,
	'at most one charge per client and round was not acknowledged');
ok(books_agree($node), 'the accounts hold exactly the sums of the ledger');
is( $node->safe_psql('postgres',
		'SELECT count(*) - count(DISTINCT charge_id) FROM privacct.ledger'),
	'0', 'no charge was recorded twice');

$node->stop;
done_testing();
