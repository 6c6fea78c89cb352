# SPDX-License-Identifier: GPL-3.0-or-later
# The laws of quantiles, of the least, the greatest and the most frequent value, of numbers of different values, of counts that are refined
# and of which rows of an owner count, from outside: answers are counted and compared with the laws that
# docs/theory-analysts.md and docs/theory-derived.md state, computed here anew, and between neighbours with what the
# ledger says that was charged.
#
# Each of GROUPS groups has the same rows, so that one release is as many independent draws.
# A count of N draws whose probability lies in [p, p'] is called wrong if N times its
# divergence from there is above ln(1/ALARM): by Chernoff that has a probability of at most
# 2 ALARM, and with fewer than 500 counts in this file a false alarm one below 1e-9.
use strict;
use warnings;

use List::Util qw(max min sum0);
use POSIX qw(erfc);
use PrivacctTest;
use Test::More;

use constant GROUPS => 500;
use constant RELEASES => 40;
use constant DRAWS => GROUPS * RELEASES;
use constant ALARM => 1e-12;
use constant SLACK => 0.03;		# of ln p: whole weights, section 1
use constant CELLS => 8;

my @ROWS = (3, 2, 0, 4, 0, 1, 0, 2);	# of each cell, in every group
my $compared = 0;

# --- laws ---

sub normed
{
	my @weights = @_;
	my $sum = sum0(@weights);

	return [ map { $_ / $sum } @weights ];
}

# exp(-epsilon d/(2 D)) for the loss of a cell by the rows below it and up to it
sub law
{
	my ($epsilon, $most, $loss, @rows) = @_;
	my $below = 0;
	my @weights;

	for my $rows (@rows)
	{
		push @weights, exp(-$epsilon * $loss->($below, $below + $rows) / (2 * $most));
		$below += $rows;
	}
	return normed(@weights);
}

sub quantile_law
{
	my ($epsilon, $q, @rows) = @_;
	my $target = $q * sum0(@rows);

	return law($epsilon, max($q, 1 - $q), sub { max(0, $_[0] - $target, $target - $_[1]) }, @rows);
}

# Counts rise together, so there is no factor 2.
sub mode_law
{
	my ($epsilon, @rows) = @_;

	return normed(map { exp($epsilon * $_) } @rows);
}

sub smallest_law
{
	my ($epsilon, @rows) = @_;
	my $log = 2 / $epsilon * log(@rows / 0.05);
	my $k = int($log) + ($log > int($log));

	return law($epsilon, 1, sub { max(0, $_[0] - $k, $k - $_[1]) }, @rows);
}

# The first of several quantiles: each cell is many parts, each of which has a rank.
sub cut_law
{
	my ($epsilon, $q, @rows) = @_;
	my $target = $q * sum0(@rows);
	my $parts = 2000;
	my $below = 0;
	my @weights;

	for my $rows (@rows)
	{
		push @weights, sum0(map { exp(-$epsilon * abs($below + ($_ + 0.5) / $parts * $rows - $target) / (2 * max($q, 1 - $q))) } 0 .. $parts - 1);
		$below += $rows;
	}
	return normed(@weights);
}

# Discrete Laplace noise of a loss on a number of values, within what is counted
sub noised_law
{
	my ($loss, $number) = @_;
	my $r = exp(-$loss);
	my $tail = sub { $r**$_[0] / (1 + $r) };	# of noise from there on

	return [ map { $_ == 0 ? $tail->($number) : $_ == CELLS - 1 ? $tail->($_ - $number) : (1 - $r) / (1 + $r) * $r**abs($_ - $number) } 0 .. CELLS - 1 ];
}

# Laplace noise of a scale on a number, rounded to whole numbers, within what is counted
sub rounded_law
{
	my ($scale, $number) = @_;
	my $below = sub { my $x = ($_[0] - $number) / $scale; $x < 0 ? exp($x) / 2 : 1 - exp(-$x) / 2 };

	return [ map { ($_ == CELLS - 1 ? 1 : $below->($_ + 0.5)) - ($_ == 0 ? 0 : $below->($_ - 0.5)) } 0 .. CELLS - 1 ];
}

# Gaussian noise on a number, rounded to whole numbers, within what is counted
sub gaussian_law
{
	my ($sigma, $number) = @_;
	my $below = sub { erfc(($number - $_[0]) / $sigma / sqrt 2) / 2 };

	return [ map { ($_ == CELLS - 1 ? 1 : $below->($_ + 0.5)) - ($_ == 0 ? 0 : $below->($_ - 0.5)) } 0 .. CELLS - 1 ];
}

# Numbers of different values that are covered with caps 1, 2 and 4, of which one is drawn: half of epsilon each.
sub cap_law
{
	my ($epsilon, @covered) = @_;
	my @cap = (1, 2, 4);
	my $each = log(20) / ($epsilon / 2) + 2 / ($epsilon / 2) * log(@cap / 0.05);
	my @a = map { $cap[$_] * $each - $covered[$_] } 0 .. 2;
	my @loss = map { my $i = $_; max(map { ($a[$i] - $a[$_]) / max($cap[$i], $cap[$_]) } 0 .. 2) } 0 .. 2;
	my $share = normed(map { exp(-$epsilon / 2 * $_ / 2) } @loss);
	my @laws = map { rounded_law($cap[$_] / ($epsilon / 2), $covered[$_]) } 0 .. 2;

	return [ map { my $cell = $_; sum0(map { $share->[$_] * $laws[$_][$cell] } 0 .. 2) } 0 .. CELLS - 1 ];
}

sub mixture
{
	my ($share, $one, $other) = @_;

	return [ map { $share * $one->[$_] + (1 - $share) * $other->[$_] } 0 .. $#$one ];
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

sub wrong_cells
{
	my ($counts, $law) = @_;
	my @wrong;

	for my $cell (0 .. $#$law)
	{
		my $share = ($counts->[$cell] // 0) / DRAWS;
		my ($low, $high) = ($law->[$cell] * exp(-SLACK), min($law->[$cell] * exp(SLACK), 1 - 1e-15));
		my $nearest = max($low, min($high, $share));

		$compared++;
		push @wrong, "cell $cell: $share for $law->[$cell]" if DRAWS * divergence($share, $nearest) > -log(ALARM);
	}
	return @wrong;
}

my $node = new_node('drawn', log_min_messages => 'fatal', max_worker_processes => 16);
$node->start;
my $values = join ', ', map { my $cell = $_; map { "($cell)" } 1 .. $ROWS[$cell] } 0 .. CELLS - 1;
$node->safe_psql('postgres', qq(
	CREATE EXTENSION privacct;
	CREATE ROLE analyst LOGIN;
	ALTER ROLE analyst SET search_path = public, privacct;
	CREATE TABLE whole (id serial PRIMARY KEY, g int NOT NULL, x int NOT NULL);
	INSERT INTO whole (g, x) SELECT g, x FROM generate_series(1, @{[GROUPS]}) g, (VALUES $values) v (x);
	-- without one owner of each group, the one of cell 5
	CREATE TABLE fewer (LIKE whole INCLUDING ALL);
	INSERT INTO fewer TABLE whole;
	DELETE FROM fewer WHERE x = 5;
	CREATE TABLE several (id int NOT NULL, g int NOT NULL, x int NOT NULL);
	INSERT INTO several TABLE whole;
	-- and an owner with four rows in each group, one of which is another
	INSERT INTO several SELECT -g, g, x FROM generate_series(1, @{[GROUPS]}) g, (VALUES (0), (0), (0), (7)) v (x);
	-- one owner with four values
	CREATE TABLE rich (id int NOT NULL, g int NOT NULL, x int NOT NULL);
	INSERT INTO rich SELECT g, g, x FROM generate_series(1, @{[GROUPS]}) g, generate_series(1, 4) x;
	CREATE TABLE hollow (id int NOT NULL, g int, x int);
	-- whose values are declared keys
	CREATE TABLE listed (LIKE whole);
	INSERT INTO listed TABLE whole;
	CREATE TABLE listed_fewer (LIKE whole);
	INSERT INTO listed_fewer TABLE fewer;
	CREATE TABLE concentrated (LIKE whole INCLUDING ALL);
	INSERT INTO concentrated TABLE whole;
	SELECT privacct.protect('concentrated', 'id', epsilon => 1e4, min_epsilon => 1e-3, delta => 1e-3, accountant => 'zcdp', max_groups_contributed => 1, max_rows_contributed => 1, fresh => true),
		privacct.set_keys('concentrated', 'g', (SELECT array_agg(i) FROM generate_series(1, @{[GROUPS]}) i)), privacct.grant_budget('concentrated', 'analyst', epsilon => 1e4, delta => 1e-3);
	SELECT privacct.protect(t, 'id', epsilon => 1e5, min_epsilon => 1e-3, delta => 0, max_groups_contributed => 1, max_rows_contributed => 1, fresh => true),
		privacct.set_bounds(t, 'x', 0, @{[CELLS - 1]}), privacct.set_keys(t, 'g', (SELECT array_agg(i) FROM generate_series(1, @{[GROUPS]}) i)),
		privacct.grant_budget(t, 'analyst', epsilon => 1e5)
	FROM unnest('{whole,fewer,several,rich,hollow,listed,listed_fewer}'::regclass[]) t;
	SELECT privacct.set_keys(t, 'x', ARRAY[@{[join ',', 0 .. CELLS - 1]}]) FROM unnest('{listed,listed_fewer}'::regclass[]) t;
));

# How often each cell was the answer; of an array, the element of that number.
sub counted
{
	my ($table, $answer, $epsilon, $settings) = @_;
	my $asked = "SET privacct.epsilon = $epsilon; " . ($settings // '')
	  . "SELECT $answer FROM $table GROUP BY g \\g /dev/stdout\n" x RELEASES;
	my ($code, $out, $errors) = ask($node, $asked, verbosity => 'default');
	my @counts = (0) x CELLS;

	is($errors, '', "$answer of $table is answered");
	$counts[$_]++ for split /\n/, $out;
	is(sum0(@counts), DRAWS, 'as often as there are groups');
	return \@counts;
}

sub follows
{
	my ($name, $counts, $law) = @_;

	is_deeply([ wrong_cells($counts, $law) ], [], "$name follows its law") or diag(join ' ', @$counts);
	return;
}

# --- what is drawn ---

my @FEWER = @ROWS;
$FEWER[5]--;
my $median = counted('whole', 'dp_median(x)', 1);
follows('the median', $median, quantile_law(1, 0.5, @ROWS));
follows('a quantile', counted('whole', 'percentile_disc(0.3) WITHIN GROUP (ORDER BY x)', 2), quantile_law(2, 0.3, @ROWS));
follows('the least value', counted('whole', 'min(x)', 3), smallest_law(3, @ROWS));
follows('the greatest value', counted('whole', 'max(x)', 3), [ reverse @{ smallest_law(3, reverse @ROWS) } ]);
follows('the middle one of three', counted('whole', '(dp_quantile(x, ARRAY[0.25, 0.5, 0.75]))[2]', 2), cut_law(1, 0.5, @ROWS));
follows('a quantile beside another aggregate', counted('whole', 'dp_median(x) + 0 * count(*)', 2), quantile_law(1, 0.5, @ROWS));
follows('the most frequent value', counted('listed', 'dp_mode(x)', 1), mode_law(1, @ROWS));
follows('the same for owners in two groups, at half of epsilon', counted('listed', 'dp_mode(x)', 2, 'SET privacct.max_groups = 2; '), mode_law(1, @ROWS));
follows('the first of two, at half of epsilon', counted('listed', q{(dp_topk(x, 2, 'kernel=exponential'))[1]}, 2), mode_law(1, @ROWS));
follows('the median of nothing', counted('hollow', 'dp_median(x)', 1), normed((1) x CELLS));
follows('the least of nothing', counted('hollow', 'min(x)', 1), smallest_law(1, (0) x CELLS));

# --- which rows of an owner count ---

my @with_0 = @ROWS;
my @with_7 = @ROWS;
$with_0[0]++;
$with_7[7]++;
my $chosen = mixture(3 / 4, quantile_law(8, 0.8, @with_0), quantile_law(8, 0.8, @with_7));
follows('a quantile of owners with several rows', counted('several', 'dp_quantile(x, 0.8)', 8), $chosen);
follows('the same for owners in two groups, at half of epsilon', counted('several', 'dp_quantile(x, 0.8)', 16, 'SET privacct.max_groups = 2; '), $chosen);
$node->safe_psql('postgres', q(SELECT privacct.set_release_terms(t, min_epsilon => 1e-3, workers => 2) FROM unnest('{several,whole}'::regclass[]) t));
follows('the same in parallel', counted('several', 'dp_quantile(x, 0.8)', 8), $chosen);
follows('the median in parallel', counted('whole', 'dp_median(x)', 1), quantile_law(1, 0.5, @ROWS));

# --- how many values there are ---

# within what is counted here
sub shown
{
	my ($number) = @_;

	return "greatest(0, least(@{[CELLS - 1]}, $number))";
}

follows('the number of different values', counted('whole', shown('count(DISTINCT x)'), 0.5), noised_law(0.5, scalar(grep { $_ > 0 } @ROWS)));
follows('the same of owners who cover two', counted('several', shown(q{dp_count_distinct((x, 1), 'max_rows=2')}), 1), noised_law(0.5, scalar(grep { $_ > 0 } @ROWS)));
follows('the same by an exact cover', counted('several', shown(q{dp_count_distinct(x, 'max_rows=2, cover=exact')}), 1), noised_law(0.5, scalar(grep { $_ > 0 } @ROWS)));
follows('of nothing', counted('hollow', shown('dp_count_distinct(x)'), 1), noised_law(1, 0));

my $drawn_cap = shown(q{dp_count_distinct(x, 'max_rows=4, cap=auto')});
follows('what is covered by a cap that is drawn', counted('rich', $drawn_cap, 8), cap_law(8, 1, 2, 4));
follows('the same for owners in two groups, at half of epsilon', counted('rich', $drawn_cap, 16, 'SET privacct.max_groups = 2; '), cap_law(8, 1, 2, 4));
follows('the same by an exact cover', counted('rich', shown(q{dp_count_distinct(x, 'max_rows=4, cap=auto, cover=exact')}), 8), cap_law(8, 1, 2, 4));
follows('of nothing by such a cap', counted('hollow', $drawn_cap, 4), cap_law(4, 0, 0, 0));

# --- counts that are refined: with a floor that no number reaches, so far and no further ---

sub refined
{
	my ($options) = @_;

	return shown("dp_count(CASE WHEN x = 0 THEN x END, '$options')");
}

# How many lines of the ledger a release has had, and what they cost together: [lines, epsilon], if it is the same for all
sub lines_of_releases
{
	my ($table) = @_;

	return $node->safe_psql('postgres', qq(SELECT DISTINCT lines, trim_scale(epsilon) FROM (
		SELECT count(*) AS lines, sum(l.epsilon) AS epsilon FROM (SELECT c.*, count(*) FILTER (WHERE c.detail->>'stage' = '1') OVER (ORDER BY c.charge_id DESC) -
			CASE WHEN c.detail->>'stage' = '1' THEN 1 ELSE 0 END AS release
			FROM privacct.ledger c JOIN privacct.policy p USING (policy_id) WHERE p.relation = '$table'::regclass AND c.detail ? 'stage') l
		WHERE l.release < @{[RELEASES]} GROUP BY l.release) r));
}

follows('a count that is exact enough at once', counted('whole', refined('error=1000 %, floor=1e9, epsilon=64'), 1), noised_law(1, 3));
is(lines_of_releases('whole'), '1|1', 'which costs a 64th');
follows('one that is never exact enough', counted('whole', refined('error=0.001 %, epsilon=1'), 1), noised_law(1, 3));
is(lines_of_releases('whole'), '7|1', 'which costs all of it');
# 95 % of 7 stages: noise of loss 1 is within 5, of loss 1/2 within 10
follows('one that is refined to where it is', counted('whole', refined('error=100 %, floor=7, epsilon=4'), 1), noised_law(1, 3));
is(lines_of_releases('whole'), '5|1', 'which costs a quarter');
my $rho = $node->safe_psql('postgres', q(SET SESSION AUTHORIZATION analyst; SET privacct.epsilon = 3;
	SELECT rho FROM privacct.preview('SELECT g, count(*) FROM concentrated GROUP BY g') WHERE statistic = 'release'));
follows('one of Gaussian stages', counted('concentrated', refined('error=0.001 %, epsilon=3'), 1), gaussian_law(1 / sqrt(2 * $rho), 3));
is(lines_of_releases('concentrated'), '7|3', 'which costs all of it');
isnt(scalar(wrong_cells(counted('concentrated', refined('error=0.001 %, epsilon=3'), 1), gaussian_law(1.2 / sqrt(2 * $rho), 3))), 0, 'another deviation is told apart');

# --- neighbours and what was charged ---

# The largest epsilon that the counts of two neighbours prove.
sub proved
{
	my ($one, $other) = @_;

	return max(0, map {
		my ($a, $b) = ($one->[$_] / DRAWS, $other->[$_] / DRAWS);
		map { $_->[0] > 0 && $_->[1] > 0 ? log($_->[0] / $_->[1]) : 0 } [ bound($a, 0), bound($b, 1) ], [ bound($b, 0), bound($a, 1) ];
	} 0 .. CELLS - 1);
}

sub charged
{
	my ($table) = @_;

	return $node->safe_psql('postgres', qq(SELECT max(l.epsilon) FROM privacct.ledger l JOIN privacct.policy p USING (policy_id)
		WHERE p.relation = '$table'::regclass AND l.charge_id > (SELECT max(charge_id) - @{[RELEASES]} FROM privacct.ledger)));
}

for my $case (['dp_median(x)', 1], ['max(x)', 3], ['(dp_quantile(x, ARRAY[0.25, 0.5, 0.75]))[3]', 4], ['dp_quantile(x, 1)', 4], [shown('count(DISTINCT x)'), 0.5],
	['dp_mode(x)', 1, 'listed', 'listed_fewer'], [$drawn_cap, 2, 'rich', 'hollow'])
{
	my ($answer, $epsilon, $with, $without) = (@$case, 'whole', 'fewer')[0 .. 3];
	my $one = counted($with, $answer, $epsilon);
	my $charged = charged($with);
	my $other = counted($without, $answer, $epsilon);

	cmp_ok($charged, '==', $epsilon, "$answer is charged as asked");
	cmp_ok(proved($one, $other), '<=', $charged, "$answer proves no more than was charged");
}

# The harness sees a law of twice the epsilon, and another choice of rows.
isnt(scalar(wrong_cells($median, quantile_law(2, 0.5, @ROWS))), 0, 'another epsilon is told apart');
isnt(scalar(wrong_cells($median, quantile_law(1, 0.5, @FEWER))), 0, 'another table is told apart');
cmp_ok($compared, '<', 500, 'no more counts were compared than the bound allows');
$node->stop;
done_testing();
