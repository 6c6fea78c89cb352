# SPDX-License-Identifier: GPL-3.0-or-later
# A dashboard of ten charts, written by somebody who has read the analyst guide and nothing else,
# over the tables that the guide has its reader make: it fits into the budget, its figures are
# right, and refreshing it costs nothing, whatever way the charts are sent.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use DocsTest;
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

# Name, the SQL, how many columns say which figure it is, and how far from the truth figures may
# be: much further than the noise and what limits leave out (of patients who came in
# four quarters, three count), less than the figures are from each other.
my @CHARTS = (
	[ 'visits', 'SELECT count(*) FROM visit', 0, 10_000 ],	# of a patient, five count
	[ 'patients', 'SELECT count(DISTINCT patient_id) FROM visit', 0, 500 ],
	[ 'visits by ward', 'SELECT ward, count(*) FROM visit GROUP BY ward ORDER BY 2 DESC', 1, 1000 ],
	[ 'visits by quarter', "SELECT date_trunc('quarter', day)::date AS quarter, count(*) FROM visit WHERE day >= date '2025-01-01' GROUP BY 1 ORDER BY 1", 1, 3000 ],
	[ 'cost by ward, with error bars', 'SELECT ward, round(avg(cost)), dp_interval_low(avg(cost)) < avg(cost), dp_interval_high(avg(cost)) > avg(cost) FROM visit GROUP BY ward', 1, 150 ],
	[ 'quartiles of cost', 'SELECT percentile_cont(0.25) WITHIN GROUP (ORDER BY cost), percentile_cont(0.5) WITHIN GROUP (ORDER BY cost), percentile_cont(0.75) WITHIN GROUP (ORDER BY cost) FROM visit', 0, 100 ],
	[ 'the three drugs prescribed most', 'SELECT drug, count(*) FROM prescription GROUP BY drug ORDER BY 2 DESC LIMIT 3', 1, 2000 ],
	[ 'patients by decade', 'SELECT born / 10 * 10 AS decade, count(*) FROM patient WHERE born >= 1950 GROUP BY 1 ORDER BY 1', 1, 300 ],
	[ 'insured, by ward, with a total', "SELECT coalesce(ward, 'all wards'), round(100 * avg(insured::int)) FROM visit GROUP BY ROLLUP (ward) ORDER BY GROUPING(ward), 1", 1, 15 ],
	[ 'visits by building', "SELECT w.building, count(*) FROM visit v JOIN ward w USING (ward) WHERE los_days > 1 GROUP BY w.building", 1, 2000 ]);

my $node = new_node('dashboard', log_min_messages => 'fatal', max_worker_processes => 16);
$node->start;

# the guide's first pages, as they stand there
chdir $ENV{PA_WORK};
my @start;
for my $part (read_page("$ENV{PA_WORK}/docs/analyst-guide.md"))
{
	last if ($part->{text} // '') =~ /^## What you can ask/m;
	push @start, $part;
}
run_page($node, 'postgres', @start);
is(scalar(grep { exists $_->{sql} } @start), 3, 'the guide says how to start');
$node->safe_psql('postgres', q(
	SELECT privacct.set_repeats(t, '1 day') FROM unnest('{patient,visit,prescription}'::regclass[]) t;
	SELECT privacct.harden_catalog();
	ALTER ROLE analyst SET search_path = public, privacct;
	ALTER ROLE analyst SET privacct.epsilon = 0.5;
));

sub spent
{
	return $node->safe_psql('postgres', q(SELECT coalesce(sum(epsilon), 0)::float8 || ' in ' || count(*) FROM privacct.ledger));
}

# One after the other, each in a session of its own, as a dashboard does.
sub refresh
{
	my ($send) = @_;
	my @answers;

	for my $chart (@CHARTS)
	{
		my (undef, $out, $err) = ask($node, $send->($chart->[1]), verbosity => 'default');

		is($err, '', "answered: $chart->[0]");
		push @answers, $out;
	}
	return @answers;
}

# figure => value
sub figures
{
	my ($answer, $keys) = @_;
	my %figures;

	for my $row (split /\n/, $answer)
	{
		my @fields = split /\|/, $row, -1;
		my $name = join '|', splice @fields, 0, $keys;
		@figures{ map { "$name $_" } 0 .. $#fields } = @fields;
	}
	return \%figures;
}

sub differ
{
	my ($got, $exact, $error) = @_;
	return !defined $exact || ($exact =~ /^-?[\d.]+$/ ? abs($got - $exact) > $error : $got ne $exact);
}

# --- what comes before the charts ---

is((ask($node, "SELECT DISTINCT ward FROM visit"))[1], join("\n", qw(cardiology oncology paediatrics surgery emergency)), 'a filter lists declared values');
like((ask($node, "SELECT statistic, error_95, releases_left FROM preview('$CHARTS[2][1]') WHERE used"))[1], qr/^count\(\*\)\|90\|/m, 'the noise is known beforehand');
is(spent(), '0 in 0', 'and neither costs anything');

# --- the first time ---

my @first = refresh(sub { return $_[0] });
is(spent(), '5 in 10', 'ten charts are ten releases, and fit into the budget');
for my $i (0 .. $#CHARTS)
{
	my ($name, $sql, $keys, $error) = @{ $CHARTS[$i] };
	$sql =~ s/dp_interval_\w+\(avg\(cost\)\)/avg(cost) - 1/ and $sql =~ s/dp_interval_\w+\(avg\(cost\)\)/avg(cost) + 1/;
	my $got = figures($first[$i], $keys);
	my $exact = figures($node->safe_psql('postgres', $sql), $keys);
	my @wrong = grep { differ($got->{$_}, $exact->{$_}, $error) } sort keys %$got;

	is(join(', ', map { "$_: $got->{$_}, not " . ($exact->{$_} // 'there') } @wrong), '', "right: $name");
	is(scalar(keys %$got), scalar(keys %$exact), "complete: $name");
}

# --- and again: as it was, as tools wrap it, prepared, through a cursor, read only ---

my %ways = (
	'as it was' => sub { return $_[0] },
	'with a comment' => sub { return "/* chart */ $_[0]" },
	'wrapped' => sub { return "SELECT * FROM ($_[0]) AS chart LIMIT 1000" },
	'prepared' => sub { return "PREPARE chart AS $_[0]; EXECUTE chart" },
	'through a cursor' => sub { return "BEGIN; DECLARE chart CURSOR FOR $_[0]; FETCH ALL FROM chart; COMMIT" },
	'read only' => sub { return "SET default_transaction_read_only = on; $_[0]" });

for my $way (sort keys %ways)
{
	my @again = refresh($ways{$way});
	my @other = grep { join("\n", sort split /\n/, $again[$_]) ne join("\n", sort split /\n/, $first[$_]) } 0 .. $#CHARTS;

	is(join(', ', map { "$CHARTS[$_][0]: $again[$_] instead of $first[$_]" } @other), '', "the same figures, $way");
}
is(spent(), '5 in 10', 'and nothing was paid for again');
is((ask($node, 'SELECT epsilon_spent::float8, epsilon_left::float8, releases FROM my_budget'))[1], '5|3|10', 'the budget says so');
ok(books_agree($node), 'the books agree');

$node->stop;
done_testing();
