# SPDX-License-Identifier: GPL-3.0-or-later
# Groups that are selected under ROLLUP and GROUPING SETS, from outside: which are shown follows the
# law that docs/theory-derived.md states, computed here anew; groups of one owner are shown as rarely as
# delta says, however the owner's rows are spread; and neighbours, in which one owner of a
# group that is not shown is missing, are told apart no better than was charged.
#
# One release has GROUPS independent draws.  For the test of counts see 061_drawn.pl.
use strict;
use warnings;

use List::Util qw(max min sum0);
use PrivacctTest;
use Test::More;

use constant GROUPS => 500;
use constant RELEASES => 40;
use constant DRAWS => GROUPS * RELEASES;
use constant ALARM => 1e-12;
use constant SLACK => 0.001;	# of ln p: the scale is a little more than what it is calibrated for
use constant EPSILON => 4;
use constant DELTA => 0.02;
use constant REACH => 60;

my @OWNERS = (7, 4, 1);			# of each part, in every group
my $compared = 0;

# --- the law of noise ---

sub tail						# Pr[N >= k]
{
	my ($scale, $k) = @_;
	my $r = exp(-1 / $scale);

	return $k > 0 ? $r**$k / (1 + $r) : 1 - $r**(1 - $k) / (1 + $r);
}

# The least threshold for one owner in so many of the finest groups, up to $widest in a group.
sub threshold
{
	my ($scale, $groups, $widest, $delta) = @_;
	my $tau = $widest;

	$tau++ while $groups * max(map { tail($scale, $tau - $_) / $_ } 1 .. $widest) > $delta;
	return $tau;
}

# --- counts ---

sub divergence
{
	my ($a, $p) = @_;

	return ($a > 0 ? $a * log($a / $p) : 0) + ($a < 1 ? (1 - $a) * log((1 - $a) / (1 - $p)) : 0);
}

sub bound						# the nearest probability to a share on one side that is not wrong
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

sub fits
{
	my ($count, $p) = @_;
	my $share = $count / DRAWS;
	my $nearest = max($p * exp(-SLACK), min($p * exp(SLACK), $share));

	$compared++;
	return DRAWS * divergence($share, $nearest) <= -log(ALARM);
}

sub at_most
{
	my ($count, $p) = @_;

	$compared++;
	return $count / DRAWS <= $p || DRAWS * divergence($count / DRAWS, $p) <= -log(ALARM);
}

my $node = new_node('selected_levels', log_min_messages => 'fatal', max_worker_processes => 16);
$node->start;
my $values = join ', ', map { my $part = $_; map { "($part)" } 1 .. $OWNERS[$part] } 0 .. $#OWNERS;
$node->safe_psql('postgres', qq(
	CREATE EXTENSION privacct;
	CREATE ROLE analyst LOGIN;
	ALTER ROLE analyst SET search_path = public, privacct;
	ALTER ROLE analyst SET privacct.epsilon = @{[EPSILON]};
	ALTER ROLE analyst SET privacct.delta = @{[DELTA]};
	CREATE TABLE whole (id serial PRIMARY KEY, g int NOT NULL, a int NOT NULL);
	INSERT INTO whole (g, a) SELECT g, a FROM generate_series(1, @{[GROUPS]}) g, (VALUES $values) v (a);
	-- without the only owner of the last part
	CREATE TABLE fewer (LIKE whole INCLUDING ALL);
	INSERT INTO fewer SELECT * FROM whole WHERE a < $#OWNERS;
	-- each group has one owner, with two rows: in one value of a, or in two
	CREATE TABLE apart (id int NOT NULL, g int NOT NULL, a int NOT NULL);
	INSERT INTO apart SELECT g, g, GREATEST(a, 1) + g * 10 FROM generate_series(1, @{[GROUPS]}) g, generate_series(1, 2) a;
	SELECT privacct.protect(t, 'id', epsilon => 1e5, min_epsilon => 1e-3, delta => 0.9, max_groups_contributed => 1, max_rows_contributed => 1, fresh => true),
		privacct.grant_budget(t, 'analyst', 1e5, 0.9)
	FROM unnest('{whole,fewer}'::regclass[]) t;
	SELECT privacct.protect('apart', 'id', epsilon => 1e5, min_epsilon => 1e-3, delta => 0.9, max_groups_contributed => 2, max_rows_contributed => 1, fresh => true),
		privacct.grant_budget('apart', 'analyst', 1e5, 0.9);
));

# Each group's total, and which of its parts are shown, as a text of 0 and 1; groups of which nothing is have none.
sub released
{
	my ($table) = @_;
	my $shown = "concat(" . join(", ", map { "count(*) FILTER (WHERE a = $_)" } 0 .. $#OWNERS) . ")";
	my $asked = "SELECT sum(n) FILTER (WHERE up = 1) - @{[sum0(@OWNERS)]}, $shown"
	  . " FROM (SELECT g, a, GROUPING(a) AS up, count(*) AS n FROM $table GROUP BY ROLLUP (g, a)) q WHERE g IS NOT NULL GROUP BY g \\g /dev/stdout\n";
	my ($code, $out, $errors) = ask($node, $asked x RELEASES, verbosity => 'default');

	is($errors, '', "$table is answered");
	return map { [ split /\|/, $_ ] } split /\n/, $out;
}

sub having
{
	my ($event, @rows) = @_;

	return scalar(grep { $event->(@$_) } @rows);
}

# Half of epsilon selects, at one level; the other half is for numbers, at three.
my $selection = 1 / (EPSILON / 2);
my $number = 3 / (EPSILON / 2);
my $tau = threshold($selection, 1, 1, DELTA);
my @shown = map { tail($selection, $tau - $_) } @OWNERS;
my @rows = released('whole');

for my $part (0 .. $#OWNERS)
{
	ok(fits(having(sub { substr($_[1], $part, 1) }, @rows), $shown[$part]), "a part of $OWNERS[$part] owners is shown as often as its law says");
}
my $hidden = 1;
$hidden *= 1 - $_ for @shown;
ok(fits(scalar(@rows), 1 - $hidden), 'a group is shown if a part of it is');
ok(at_most(having(sub { substr($_[1], 2, 1) }, @rows), DELTA), 'one owner is shown as rarely as delta says');
is(having(sub { $_[0] eq '' }, @rows), 0, 'what has a part that is shown is shown');

# Totals are of all rows, whatever is shown of them.
for my $parts ([ 'few parts', sub { $_[1] eq '100' } ], [ 'all', sub { $_[1] ne '' } ])
{
	my @of = grep { $parts->[1]->(@$_) } @rows;
	my $wrong = 0;

	for my $noise (-8 .. 8)
	{
		my $share = having(sub { $_[0] == $noise }, @of) / @of;
		my $r = exp(-1 / $number);
		my $p = (1 - $r) / (1 + $r) * $r**abs($noise);
		my $nearest = max($p * exp(-SLACK), min($p * exp(SLACK), $share));

		$compared++;
		$wrong++ if @of * divergence($share, $nearest) > -log(ALARM);
	}
	is($wrong, 0, "noise of totals of which $parts->[0] are shown follows its law");
}

# --- neighbours: in each group the owner who is alone in a part ---

my @other = released('fewer');
my $charged = $node->safe_psql('postgres', "SELECT concat_ws(' ', min(epsilon)::float8, max(epsilon)::float8, max(delta)::float8) FROM privacct.ledger WHERE epsilon > 0");
my $proved = 0;

is($charged, EPSILON . ' ' . EPSILON . ' ' . DELTA, 'what is asked is charged');
is(having(sub { substr($_[1], 2, 1) }, @other), 0, 'a part without an owner is not shown');
for my $total (-6 .. 6)
{
	for my $sign (1, -1)
	{
		my $event = sub { $sign * ($_[0] - $total) >= 0 };
		my ($a, $b) = map { having($event, @$_) / DRAWS } \@rows, \@other;

		$compared += 2;
		next if $a <= DELTA || $b <= DELTA;
		# the owner who is there is seen by name, or by the total: with delta for the former
		$proved = max($proved, log(max(bound($a, 0) - DELTA, 1e-9) / bound($b, 1)), log(max(bound($b, 0) - DELTA, 1e-9) / bound($a, 1)));
	}
}
cmp_ok($proved, '<=', 1 / $number, 'a total tells no more about an owner who is hidden than its noise lets it');
cmp_ok($proved, '>', 1 / $number / 3, 'nor much less: hidden rows are in it');

# --- one owner in two of the finest groups, which are one group of a level that selects ---

# what nobody reads is not released: then the selection would have all of epsilon
my $apart = "SELECT count(n) FILTER (WHERE up = 1), count(n) FILTER (WHERE up = 2)"
  . " FROM (SELECT g, a, GROUPING(g, a) AS up, count(*) AS n FROM apart GROUP BY GROUPING SETS ((g), (a))) q \\g /dev/stdout\n";
my ($code, $out, $errors) = ask($node, "SET privacct.epsilon = @{[EPSILON * 4]}; " . $apart x RELEASES, verbosity => 'default');
my @apart = map { [ split /\|/, $_ ] } split /\n/, $out;
my $groups = sum0(map { $_->[0] } @apart);
my $scale = 2 * 2 / (EPSILON * 4 / 2);	# two groups of an owner, two levels
my $wide = threshold($scale, 2, 2, DELTA / 2);

is($errors, '', 'levels without a common one are answered');
is(scalar(@apart), RELEASES, 'each time');
ok(fits($groups, tail($scale, $wide - 2)), 'groups in which an owner counts twice are shown as often as their law says');
ok(at_most($groups, DELTA / 2), 'and no more often than delta allows');
isnt($wide, threshold($scale, 2, 1, DELTA / 2), 'for which a threshold for one row would be too low');
cmp_ok($compared, '<', 500, 'no more counts were compared than the bound allows');
$node->stop;
done_testing();
