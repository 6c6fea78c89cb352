# SPDX-License-Identifier: GPL-3.0-or-later
# Derived answers against least squares that are solved here, from what was released and the scales that the previews say;
# and how often their intervals hold the truth.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use List::Util qw(sum0 max);
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

use constant ROUNDS => 60;
use constant FALSE_ALARM => 1e-9;

my $node = new_node('derive', 'privacct.ledger_timeout' => '60s');
$node->start;
dba(q{CREATE EXTENSION IF NOT EXISTS privacct; CREATE ROLE analyst LOGIN;
CREATE TABLE person (id int PRIMARY KEY, ward text NOT NULL CHECK (ward IN ('A', 'B', 'C')), sex text NOT NULL CHECK (sex IN ('f', 'm')), age int NOT NULL);
INSERT INTO person SELECT i, chr(65 + i % 7 % 3), CASE WHEN i % 5 < 2 THEN 'f' ELSE 'm' END, i % 80 FROM generate_series(1, 2000) i;
SELECT privacct.protect('person', 'id', epsilon => 4500, delta => 1e-5, fresh => true);
SELECT privacct.set_keys('person', 'ward', ARRAY['A', 'B', 'C']), privacct.set_keys('person', 'sex', ARRAY['f', 'm']);
SELECT privacct.grant_budget('person', 'analyst', 4500, 1e-5);
SELECT privacct.begin_edition('person')});

sub dba { return $node->safe_psql('postgres', $_[0]); }

sub analyst
{
	my ($sql) = @_;
	my (undef, $out, $err) = ask($node, $sql, verbosity => 'default');
	return ($out, $err);
}

# --- cells, and questions as sums of them ---

my @cells = map { my $ward = $_; map { my $sex = $_; map { { ward => $ward, sex => $sex, young => $_ } } 1, 0 } qw(f m) } qw(A B C);
my @conditions = (
	[ '', sub { 1 } ], [ ' WHERE age < 30', sub { $_[0]{young} } ], [ ' WHERE age >= 30', sub { !$_[0]{young} } ],
	[ " WHERE ward IN ('A', 'B')", sub { $_[0]{ward} ne 'C' } ], [ " WHERE sex = 'f' OR ward = 'C'", sub { $_[0]{sex} eq 'f' || $_[0]{ward} eq 'C' } ],
	[ " WHERE ward <> 'B' AND age < 30", sub { $_[0]{ward} ne 'B' && $_[0]{young} } ]);
my @keys = ([], ['ward'], ['sex'], [ 'ward', 'sex' ]);

sub question
{
	my ($keys, $condition) = @_;
	my $list = join(', ', @$keys);
	return 'SELECT ' . ($list ? "$list, " : '') . "count(*) FROM person$condition->[0]" . ($list ? " GROUP BY $list" : '');
}

# Which cells are in the group with these values of the keys
sub row
{
	my ($keys, $condition, @values) = @_;
	my %wanted;
	@wanted{@$keys} = @values;
	return [ map { my $cell = $_; $condition->[1]->($cell) && !(grep { $cell->{$_} ne $wanted{$_} } @$keys) ? 1 : 0 } @cells ];
}

# --- least squares: the conditions of Lagrange, by elimination; undef if they have no solution ---

sub weights
{
	my ($rows, $variances, $target) = @_;
	my ($n, $m) = (scalar @$rows, scalar @$target);
	my @matrix = map { my $i = $_; [ (map { $_ == $i ? $variances->[$i] : 0 } 0 .. $n - 1), @{ $rows->[$i] }, 0 ] } 0 .. $n - 1;
	for my $j (0 .. $m - 1)
	{
		push @matrix, [ (map { $_->[$j] } @$rows), (0) x $m, $target->[$j] ];
	}
	my ($size, %pivot) = ($n + $m);
	my %free = map { $_ => 1 } 0 .. $#matrix;
	for my $column (0 .. $size - 1)
	{
		my ($best) = sort { abs($matrix[$b][$column]) <=> abs($matrix[$a][$column]) } keys %free;
		next if !defined $best || abs($matrix[$best][$column]) < 1e-9;
		delete $free{$best};
		$pivot{$column} = $best;
		for my $other (grep { $_ != $best } 0 .. $#matrix)
		{
			my $factor = $matrix[$other][$column] / $matrix[$best][$column] or next;
			$matrix[$other][$_] -= $factor * $matrix[$best][$_] for 0 .. $size;
		}
	}
	return undef if grep { abs($matrix[$_][$size]) > 1e-7 } keys %free;
	return [ map { exists $pivot{$_} ? $matrix[ $pivot{$_} ][$size] / $matrix[ $pivot{$_} ][$_] : 0 } 0 .. $n - 1 ];
}

# --- the noise of the last release, as the ledger has it ---

sub variance
{
	my ($out) = analyst("SELECT s->>'kernel', s->>'scale' FROM (SELECT detail FROM privacct.my_ledger LIMIT 1) l, jsonb_array_elements(detail->'statistics') s");
	my ($kernel, $scale) = split /\|/, $out;
	return $scale**2 if $kernel eq 'gaussian';
	my $r = exp(-1 / $scale);
	return 2 * $r / (1 - $r)**2;
}

my %variance;
my ($derived, $refused, $compared, $misses, $narrower) = (0, 0, 0, 0, 0);

srand(17);
for my $round (1 .. ROUNDS)
{
	my (@rows, @variances, @released);
	my $kept = 0;

	dba("SELECT privacct.set_repeats('person', NULL, unchanged => true)");
	for (1 .. 2 + int rand 3)
	{
		my ($keys, $condition) = ($keys[ rand @keys ], $conditions[ rand @conditions ]);
		my $settings = 'SET privacct.epsilon = ' . (0.5, 1, 2)[ rand 3 ] . ('', '', q{; SET privacct.kernel = 'gaussian'})[ rand 3 ] . ';';
		my $sql = question($keys, $condition);
		my $before = releases($node);
		my ($out, $err) = analyst("$settings $sql");
		is($err, '', "no error: $sql") if $err ne '';
		next if releases($node) == $before;		# asked before
		$kept++;
		$variance{"$settings $sql"} //= variance();
		for my $line (split /\n/, $out)
		{
			my @values = split /\|/, $line;
			push @released, pop @values;
			push @rows, row($keys, $condition, @values);
			push @variances, $variance{"$settings $sql"};
		}
	}
	is(dba('SELECT count(*) FROM privacct.stored_release'), $kept, "round $round: all are kept") if $kept != dba('SELECT count(*) FROM privacct.stored_release');
	for my $try (1 .. 4)
	{
		my ($keys, $condition) = ($keys[ rand @keys ], $conditions[ rand @conditions ]);
		my $sql = question($keys, $condition);
		(my $text = $sql) =~ s/'/''/g;
		my ($out, $err) = analyst("SELECT array_to_string(keys, '|') || CASE WHEN keys = '{}' THEN '' ELSE '|' END || value || '|' || low || '|' || high FROM privacct.derive('$text')");
		my @lines = split /\n/, $out;
		my @groups = @lines ? map { my @v = split /\|/; [ @v[ 0 .. $#$keys ] ] } @lines : ();
		my $first = $keys->[0] ? undef : weights(\@rows, \@variances, row($keys, $condition));
		if (!@lines)
		{
			like($err, qr/does not follow from earlier releases/, 'refused') if $err !~ /does not follow/;
			is($first, undef, "not estimable: $sql") if !@$keys && defined $first;
			$refused++;
			next;
		}
		$derived++;
		for my $line (@lines)
		{
			my @values = split /\|/, $line;
			my ($value, $low, $high) = splice @values, -3;
			my $target = row($keys, $condition, @values);
			my $weights = weights(\@rows, \@variances, $target);
			if (!$weights)
			{
				fail("estimable: $sql");
				next;
			}
			my $wanted = sum0(map { $weights->[$_] * $released[$_] } 0 .. $#rows);
			fail("$sql: $value instead of $wanted, from\n" . join("\n", map { "$released[$_] +- $variances[$_]: @{ $rows[$_] }" } 0 .. $#rows))
				if abs($value - $wanted) >= 1e-6 * (1 + abs $wanted);
			$compared++;
			my $deviation = sqrt(sum0(map { $weights->[$_]**2 * $variances[$_] } 0 .. $#rows));
			$narrower++ if ($high - $low) / 2 <= 4 * $deviation + 2;
		}
		if ($try == 1)
		{
			my @values = split /\|/, $lines[0];
			my ($value, $low, $high) = splice @values, -3;
			my $where = join(' AND ', 'true', map { "$keys->[$_] = '$values[$_]'" } 0 .. $#$keys);
			my $truth = dba("SELECT count(*) FROM (SELECT * FROM person$condition->[0]) p WHERE $where");
			$misses++ if $truth < $low || $truth > $high;
		}
	}
}

cmp_ok($derived, '>', 20, "$derived answers follow");
cmp_ok($refused, '>', 20, "$refused do not");
cmp_ok($compared, '>', 40, "$compared values are those of least squares");
is($narrower, $compared, 'and their intervals are not much wider than the noise');

# The least k that so many intervals are missed with a probability below the false alarm, at 5 % each.
sub bound
{
	my ($n) = @_;
	my ($term, $tail) = (0.95**$n, 1);
	for my $k (0 .. $n)
	{
		return $k if $tail < FALSE_ALARM;
		$tail -= $term;
		$term *= ($n - $k) / ($k + 1) * 0.05 / 0.95;
	}
	return $n + 1;
}
cmp_ok($misses, '<', bound(ROUNDS), "$misses of at most @{[ ROUNDS ]} intervals miss the truth");

ok(books_agree($node), 'the books agree');
is(dba('SELECT count(*) FROM privacct.check_books()'), '0', 'and nothing is wrong with them');
$node->stop;
done_testing();
