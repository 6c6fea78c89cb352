# SPDX-License-Identifier: GPL-3.0-or-later
# The law of totals and of their parts under ROLLUP, from outside: answers are counted and
# compared with the law of the least squares and of the rounding that
# docs/theory-derived.md states, computed here anew; between neighbours with what the ledger
# says that was charged; and intervals are asked how often they hold.
#
# GROUP BY g, ROLLUP (a) has a small hierarchy in each of GROUPS groups, so that one release
# is as many independent draws.  For the test of counts see 061_drawn.pl.
use strict;
use warnings;

use List::Util qw(max min sum0);
use POSIX qw(ceil floor);
use PrivacctTest;
use Test::More;

use constant GROUPS => 500;
use constant RELEASES => 40;
use constant DRAWS => GROUPS * RELEASES;
use constant ALARM => 1e-12;
use constant SLACK => 0.001;	# of ln p: the scale is a little more than what it is calibrated for
use constant REACH => 60;
use constant SEEN => 12;		# noise beyond is one event

my @ROWS = (3, 2, 0, 4, 0, 1);	# of each part, in every group
my $PARTS = @ROWS;
my $compared = 0;

# --- laws: of a number of steps, as a hash ---

sub laplace
{
	my ($scale) = @_;
	my $r = exp(-1 / $scale);

	return { map { $_ => (1 - $r) / (1 + $r) * $r**abs($_) } -REACH .. REACH };
}

sub added
{
	my ($one, $other, $times) = @_;
	my %sum;

	for my $x (keys %$one)
	{
		$sum{ $x + $times * $_ } += $one->{$x} * $other->{$_} for keys %$other;
	}
	return \%sum;
}

# y + N0 for the total and y_i + N_i for k parts give the total (k y + sum y_i)/(k + 1)
sub law_of_total
{
	my ($noise) = @_;
	my $sum = { 0 => 1 };
	my %law;

	$sum = added($sum, $noise, 1) for 1 .. $PARTS;
	$sum = added($sum, $noise, $PARTS);
	$law{ floor($_ / ($PARTS + 1) + 0.5) } += $sum->{$_} for keys %$sum;
	return \%law;
}

# and part i y_i + (y - sum of y_j)/(k + 1); all parts have the same fraction, so the first is rounded up if there is one
sub law_of_first
{
	my ($noise) = @_;
	my $rest = { 0 => 1 };
	my %law;

	$rest = added($rest, $noise, 1) for 1 .. $PARTS;
	for my $own (keys %$noise)
	{
		$law{ $own + ceil(($_ - $own) / ($PARTS + 1)) } += $noise->{$own} * $rest->{$_} for keys %$rest;
	}
	return \%law;
}

# --- counts ---

sub divergence
{
	my ($a, $p) = @_;

	return ($a > 0 ? $a * log($a / $p) : 0) + ($a < 1 ? (1 - $a) * log((1 - $a) / (1 - $p)) : 0);
}

# The nearest probability to a share on one side that is not wrong.
sub bound
{
	my ($share, $end) = @_;
	my ($near, $far) = ($share, $end);

	for (1 .. 60)
	{
		my $middle = ($near + $far) / 2;
		if (DRAWS * divergence($share, $middle) <= -log(ALARM)) { $near = $middle } else { $far = $middle }
	}
	return $near;
}

sub seen
{
	return max(-SEEN, min(SEEN, $_[0]));
}

sub wrong_events
{
	my ($counts, $law) = @_;
	my (%law, @wrong);

	$law{ seen($_) } += $law->{$_} for keys %$law;
	for my $event (-SEEN .. SEEN)
	{
		my $share = ($counts->{$event} // 0) / DRAWS;
		my $nearest = max($law{$event} * exp(-SLACK), min($law{$event} * exp(SLACK), $share));

		$compared++;
		push @wrong, "$event: $share for $law{$event}" if DRAWS * divergence($share, $nearest) > -log(ALARM);
	}
	return @wrong;
}

my $node = new_node('levels', log_min_messages => 'fatal', max_worker_processes => 16);
$node->start;
my $values = join ', ', map { my $part = $_; map { "($part)" } 1 .. $ROWS[$part] } 0 .. $PARTS - 1;
$node->safe_psql('postgres', qq(
	CREATE EXTENSION privacct;
	CREATE ROLE analyst LOGIN;
	ALTER ROLE analyst SET search_path = public, privacct;
	CREATE TABLE whole (id serial PRIMARY KEY, g int NOT NULL, a int NOT NULL);
	INSERT INTO whole (g, a) SELECT g, a FROM generate_series(1, @{[GROUPS]}) g, (VALUES $values) v (a);
	-- without one owner of each group, one of the first part
	CREATE TABLE fewer (LIKE whole INCLUDING ALL);
	INSERT INTO fewer TABLE whole;
	DELETE FROM fewer WHERE id IN (SELECT max(id) FROM fewer WHERE a = 0 GROUP BY g);
	SELECT privacct.protect(t, 'id', epsilon => 1e5, min_epsilon => 1e-3, delta => 0, max_groups_contributed => 1, max_rows_contributed => 1, fresh => true),
		privacct.set_keys(t, 'g', (SELECT array_agg(i) FROM generate_series(1, @{[GROUPS]}) i)),
		privacct.set_keys(t, 'a', (SELECT array_agg(i) FROM generate_series(0, @{[$PARTS - 1]}) i)),
		privacct.grant_budget(t, 'analyst', epsilon => 1e5)
	FROM unnest('{whole,fewer}'::regclass[]) t;
));

# The noise of the total and of the first part in each group.
sub drawn
{
	my ($table, $epsilon) = @_;
	my $total = sum0(@ROWS);
	my $asked = "SELECT sum(n) FILTER (WHERE up = 1) - $total, sum(n) FILTER (WHERE a = 0) - $ROWS[0], sum(n) FILTER (WHERE up = 1) = sum(n) FILTER (WHERE up = 0)"
	  . " FROM (SELECT g, a, GROUPING(a) AS up, count(*) AS n FROM $table GROUP BY g, ROLLUP (a)) q GROUP BY g \\g /dev/stdout\n";
	my ($code, $out, $errors) = ask($node, "SET privacct.epsilon = $epsilon; " . $asked x RELEASES, verbosity => 'default');
	my @rows = map { [ split /\|/, $_ ] } split /\n/, $out;

	is($errors, '', "$table is answered");
	is(scalar(@rows), DRAWS, 'as often as there are groups');
	is(scalar(grep { $_->[2] ne 't' } @rows), 0, 'and every total is the sum of its parts');
	return @rows;
}

sub counted
{
	my ($column, @rows) = @_;
	my %counts;

	$counts{ seen($_->[$column]) }++ for @rows;
	return \%counts;
}

my @one = drawn('whole', 1);
my $noise = laplace(2);			# two levels, each at half of epsilon
is_deeply([ wrong_events(counted(0, @one), law_of_total($noise)) ], [], 'totals follow their law');
is_deeply([ wrong_events(counted(1, @one), law_of_first($noise)) ], [], 'parts follow their law');
isnt(scalar(wrong_events(counted(0, @one), law_of_total(laplace(1)))), 0, 'another epsilon is told apart');
isnt(scalar(wrong_events(counted(0, @one), $noise)), 0, 'totals without their parts are told apart');

# --- neighbours and what was charged ---

my $charged = $node->safe_psql('postgres', 'SELECT max(epsilon) FROM privacct.ledger');
my @other = drawn('fewer', 1);
my $proved = 0;
for my $total (-3 .. 3)
{
	for my $first (-3 .. 3)
	{
		for my $sign (1, -1)
		{
			my ($a, $b) = map { my $rows = $_; scalar(grep { $sign * ($_->[0] - $total) >= 0 && $sign * ($_->[1] - $first) >= 0 } @$rows) / DRAWS } \@one, \@other;

			$compared += 2;
			next if $a == 0 || $b == 0;
			$proved = max($proved, log(bound($a, 0) / bound($b, 1)), log(bound($b, 0) / bound($a, 1)));
		}
	}
}
cmp_ok($charged, '==', 1, 'what is asked is charged');
cmp_ok($proved, '<=', $charged, 'answers prove no more than was charged');
cmp_ok($proved, '>', $charged / 3, 'nor much less');

# --- intervals ---

my ($code, $out, $errors) = ask($node, "SET privacct.epsilon = 1; "
	  . ("SELECT count(n) FROM (SELECT g, a, count(*) AS n FROM whole GROUP BY g, ROLLUP (a)) q;\n"
		. "SELECT count(*) FILTER (WHERE keys[2] IS NULL AND @{[sum0(@ROWS)]} BETWEEN low AND high), count(*) FILTER (WHERE keys[2] = '3' AND $ROWS[3] BETWEEN low AND high)"
		. " FROM intervals() \\g /dev/stdout\n") x RELEASES, verbosity => 'default');
my @held = map { [ split /\|/, $_ ] } grep { /\|/ } split /\n/, $out;
is($errors, '', 'intervals are shown');
for my $column (0, 1)
{
	my $share = sum0(map { $_->[$column] } @held) / DRAWS;

	$compared += 2;
	ok($share >= 0.95 || DRAWS * divergence($share, 0.95) <= -log(ALARM), "intervals hold: $share");
	cmp_ok($share, '<', 0.985, 'and are not much too wide');
}
cmp_ok($compared, '<', 500, 'no more counts were compared than the bound allows');
$node->stop;
done_testing();
