# SPDX-License-Identifier: GPL-3.0-or-later
# FaultTest.pm
#		Analysts who ask tables of every regime and accountant while things break, and
#		what must hold afterwards: whoever was answered was charged, nobody was charged
#		for what they did not ask, and all books agree.
package FaultTest;

use strict;
use warnings;

use Exporter 'import';
use LocalTest;
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;
use Time::HiRes qw(usleep);

our @EXPORT = qw(setup_everything start_load finish_load check_everything rounds kill_server);

my @analysts = map { "analyst$_" } 1 .. 4;
my %query = (
	basic => 'SELECT count(*) FROM visit',
	zcdp => 'SELECT count(*) FROM gauss',
	plan => 'SELECT count(*) FROM planned',
	local => "SELECT ldp_count(smokes, 'epsilon=0.001') FROM person",
	entries => "SELECT count(*) FROM walk WHERE place = 'a'");
my %table = (basic => 'visit', zcdp => 'gauss', plan => 'planned', local => 'person', entries => 'walk');

# How often something is done; FAULT_ROUNDS=20 makes it twenty times as often.
sub rounds
{
	my ($few) = @_;
	return $few * ($ENV{FAULT_ROUNDS} || 1);
}

sub setup_everything
{
	my ($node) = @_;

	setup_hospital($node, analysts => \@analysts, epsilon => 100_000, quota => 50_000, step => 0.001);
	local_policy($node, owners => 12, epsilon => 10, columns => ['smokes'], roles => \@analysts);
	$node->safe_psql('postgres', q(
		CREATE TABLE gauss AS SELECT i AS patient, i % 7 AS grade FROM generate_series(1, 100) i;
		ALTER TABLE gauss ADD PRIMARY KEY (patient);
		CREATE TABLE planned (LIKE gauss INCLUDING ALL);
		INSERT INTO planned SELECT * FROM gauss;
		CREATE TABLE walk (person int, hour int, place text NOT NULL, PRIMARY KEY (person, hour));
		INSERT INTO walk SELECT i, j, CASE WHEN (i + j) % 3 = 0 THEN 'a' ELSE 'b' END FROM generate_series(1, 30) i, generate_series(1, 4) j;
		SELECT privacct.protect('gauss', 'patient', epsilon => 1000, delta => 1e-6, accountant => 'zcdp', kernel => 'gaussian', min_epsilon => 1e-6, fresh => true);
		SELECT privacct.protect('planned', 'patient', epsilon => 1000, delta => 1e-6, accountant => 'plan', fresh => true);
		SELECT privacct.plan_budget('planned', '[{"kernel": "laplace", "releases": 100000}]');
		SELECT privacct.protect_entries('walk', 'person', '{hour}', 'place',
			privacct.chain_prior('{a,b}'::text[], '{{0.5,0.5},{0.5,0.5}}'), 100000, max_entries => 4, min_epsilon => 1e-6, fresh => true);)
		. join('', map { my $role = $_;
			map { "SELECT privacct.grant_budget('$_', '$role', " . ($_ eq 'planned' ? 1 : 1000) . ($_ eq 'gauss' ? ', 1e-7' : '') . ');' } 'gauss', 'planned', 'walk' } @analysts));
	return;
}

# Two who ask, and two who ask in transactions that they roll back.
sub start_load
{
	my ($node, $asked) = @_;
	my $all = join '', map { "SELECT '$_', a IS NOT NULL FROM ($query{$_}) q(a);\n" } sort keys %query;

	return (start_clients($node, [ @analysts[ 0, 1 ] ], $all x 2000, stop => 1),
		start_clients($node, [ @analysts[ 2, 3 ] ], "BEGIN;\n${all}ROLLBACK;\n" x 2000, stop => 1));
}

# Adds what the clients were answered to the sums: {role}{kind}.
sub finish_load
{
	my ($sums, @clients) = @_;

	for my $client (finish_clients(@clients))
	{
		$sums->{ $client->{role} }{$1}++ while $client->{out} =~ /^(\w+)\|t$/mg;
		$sums->{cut}{ $client->{role} }++;		# one statement may have been under way
	}
	return;
}

sub charges
{
	my ($node) = @_;
	my %relation = reverse %table;
	my %charges;

	for (split /\n/, $node->safe_psql('postgres', q(
		SELECT l.payer, p.relation::regclass, count(*) FROM privacct.ledger l JOIN privacct.policy p USING (policy_id)
		WHERE l.payer IS NOT NULL AND l.epsilon + l.rho > 0 OR p.accountant = 'plan' GROUP BY 1, 2)))
	{
		my ($role, $name, $count) = split /\|/;
		$charges{$role}{ $relation{$name} } = $count;
	}
	return \%charges;
}

# Names of what is not as it should be.
sub complaints
{
	my ($node, $sums) = @_;
	my $charges = charges($node);
	my @complaints;

	for my $role (@analysts)
	{
		my $unanswered = 0;

		for my $kind (sort keys %query)
		{
			my ($answers, $charged) = ($sums->{$role}{$kind} // 0, $charges->{$role}{$kind} // 0);

			push @complaints, "$role has $answers answers of $kind and $charged charges" if $answers > $charged;
			$unanswered += $charged - $answers;
		}
		push @complaints, "$role has $unanswered charges without an answer, was cut off $sums->{cut}{$role} times"
		  if $unanswered > $sums->{cut}{$role};
	}
	push @complaints, map { "check_books: $_" } split /\n/, $node->safe_psql('postgres', q(SELECT * FROM privacct.check_books() WHERE problem !~ '^trigger keep on'));
	push @complaints, 'sums differ from the ledger' if !books_agree($node);
	push @complaints, 'the plan was used otherwise than charged'
	  if $node->safe_psql('postgres', q(SELECT (SELECT sum(used) FROM privacct.plan) = count(*)
		FROM privacct.ledger JOIN privacct.policy USING (policy_id) WHERE accountant = 'plan' AND NOT coalesce(detail ? 'fresh', false))) ne 't';
	push @complaints, 'a charge was recorded twice'
	  if $node->safe_psql('postgres', 'SELECT count(*) = count(DISTINCT charge_id) FROM privacct.ledger') ne 't';
	my $audit = audit_of($node, 'person');
	push @complaints, @{ $audit->{complaints} };
	for my $role (@analysts)
	{
		my $recorded = () = grep { $_->{role} eq $role } values %{ $audit->{questions} };
		my $answers = $sums->{$role}{local} // 0;
		push @complaints, "$role has $answers answers of owners, and $recorded are recorded" if $answers > $recorded;
	}
	return @complaints;
}

# Whether all holds; of many complaints the first.
sub check_everything
{
	my ($node, $sums, $name) = @_;
	my @complaints = complaints($node, $sums);

	is(join("\n", splice @complaints, 0, 5), '', "$name: who was answered was charged, and all books agree");
	return;
}

# All processes of a server at once.
sub kill_server
{
	my ($node) = @_;
	my $postmaster = $node->{_pid};

	kill 'STOP', $postmaster;		# so that it can have no further children
	my @family = children($postmaster);
	kill 'KILL', $postmaster, @family;
	usleep 10_000 while grep { kill 0, $_ } @family;
	$node->kill9;
	return;
}

1;
