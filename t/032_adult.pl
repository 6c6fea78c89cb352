# SPDX-License-Identifier: GPL-3.0-or-later
# A known data set (Adult, 32,561 persons, one row each): answers against the exact
# ones, within the error that privacct.intervals() states.
#
# An interval is one of 95 %.  Its half width is multiplied by REACH = 8 before an
# answer is called wrong: Laplace noise leaves ln(20) scales with probability 1/20
# and 8 ln(20) scales with 20^-8 < 4e-11, Gaussian noise 15.7 standard deviations far
# more rarely.  With less than 1000 noised numbers in this test a false alarm has a
# probability below 1e-7.  Of a figure made of several numbers (a mean) the parts have
# narrower intervals each and rarely err together.
use strict;
use warnings;

use List::Util qw(max);
use PrivacctTest;
use Test::More;

use constant REACH => 8;

my $data = "$ENV{PA_WORK}/adult.csv";
plan skip_all => 'the data set adult.csv is not there' if !-f $data;

my @EDUCATION = qw(Bachelors HS-grad 11th Masters 9th Some-college Assoc-acdm Assoc-voc
  7th-8th Doctorate Prof-school 5th-6th 10th 1st-4th Preschool 12th);

# name, number of keys, query (which runs as it is for the owner too), and how large
# an error may be stated beside a quarter of the figure (default: 60)
my @queries = (
	['count', 0, 'SELECT count(*) FROM adult'],
	['owners', 0, 'SELECT count(DISTINCT person) FROM adult'],
	['filter', 0, 'SELECT count(*) FROM adult WHERE age BETWEEN 30 AND 40 AND education_num >= 13'],
	['several filters', 0, q(SELECT count(*) FILTER (WHERE sex = 'Female'), count(*) FILTER (WHERE salary = '>50K') FROM adult)],
	['by education, declared keys', 1, 'SELECT education, count(*) FROM adult GROUP BY education'],
	['by sex, selected', 1, 'SELECT sex, count(*) FROM adult GROUP BY sex'],
	['by salary, selected', 1, 'SELECT salary, count(*) FROM adult GROUP BY salary'],
	['by sex and salary', 2, 'SELECT sex, salary, count(*) FROM adult GROUP BY sex, salary'],
	['by decade of age', 1, 'SELECT age / 10 * 10 AS decade, count(*) FROM adult GROUP BY 1'],
	['by marital status and sex', 2, 'SELECT marital_status, sex, count(*) FROM adult GROUP BY 1, 2'],
	['averages', 0, 'SELECT avg(age), avg(hours_per_week) FROM adult'],
	['average by sex', 1, 'SELECT sex, avg(age), count(*) FROM adult GROUP BY sex'],
	['average by salary', 1, 'SELECT salary, avg(hours_per_week) FROM adult GROUP BY salary'],
	['sums', 0, 'SELECT sum(hours_per_week), sum(capital_gain), sum(age) FROM adult'],
	['sum by education', 1, 'SELECT education, sum(hours_per_week) FROM adult GROUP BY education', 3000],
	['spread', 0, 'SELECT stddev(age), variance(hours_per_week) FROM adult'],
	['spread of a group', 0, q(SELECT stddev_pop(age), var_pop(age) FROM adult WHERE sex = 'Male')],
	['expression', 0, 'SELECT sum(age * 2 + 1), avg(hours_per_week / 2.0) FROM adult'],
);

my $node = new_node('adult', log_min_messages => 'fatal');
$node->start;
$node->safe_psql('postgres', qq(
	CREATE EXTENSION privacct;
	CREATE ROLE analyst LOGIN;
	ALTER ROLE analyst SET search_path = public, privacct;
	CREATE TABLE adult (age int, workclass text, fnlwgt int, education text, education_num int,
		marital_status text, occupation text, relationship text, race text, sex text,
		capital_gain int, capital_loss int, hours_per_week int, native_country text, salary text);
	COPY adult FROM '$data' (FORMAT csv, HEADER);
	ALTER TABLE adult ADD COLUMN person serial PRIMARY KEY;
	ANALYZE adult;
));
is($node->safe_psql('postgres', 'SELECT count(*) FROM adult'), 32561, 'all persons are loaded');

sub protect
{
	my ($accountant) = @_;
	my $keys = join ',', map { "'$_'" } @EDUCATION;

	$node->safe_psql('postgres', qq(
		SELECT privacct.protect('adult', owner => 'person', epsilon => 200, min_epsilon => 0.001, delta => 1e-5, accountant => '$accountant', fresh => true);
		SELECT privacct.set_bounds('adult', 'age', 0, 100), privacct.set_bounds('adult', 'hours_per_week', 0, 100),
			privacct.set_bounds('adult', 'capital_gain', 0, 99999);
		SELECT privacct.set_keys('adult', 'education', ARRAY[$keys]);
		SELECT privacct.grant_budget('adult', 'analyst', epsilon => 200, delta => 1e-5);
	));
	return;
}

# Rows of an answer: keys => figures
sub rows
{
	my ($answer, $nkeys) = @_;
	my %rows;

	for my $line (split /\n/, $answer)
	{
		my @fields = split /\|/, $line, -1;
		$rows{ join '|', splice(@fields, 0, $nkeys) } = \@fields;
	}
	return \%rows;
}

# Asks as the analyst: keys => list of [value, low, high], in the order of the figures
sub intervals
{
	my ($sql) = @_;
	my ($code, $out, $errors) = ask($node, "SET privacct.epsilon = 1;\n$sql \\g /dev/null\n"
		  . "SELECT array_to_string(keys, '|'), value, low, high FROM privacct.intervals()", verbosity => 'default');
	my %intervals;

	diag($errors) if $errors ne '';
	for my $line (split /\n/, $out)
	{
		my @fields = split /\|/, $line, -1;
		my ($value, $low, $high) = splice @fields, -3;
		push @{ $intervals{ join '|', @fields } }, [ $value, $low, $high ];
	}
	return \%intervals;
}

my ($compared, $outside, $exactly) = (0, 0, 0);

# What is wrong with the answers of a query
sub flaws
{
	my ($got, $exact, $useful) = @_;
	my @flaws;

	for my $key (sort keys %$got)
	{
		push @flaws, "group $key does not exist" if !$exact->{$key};
		for my $i (0 .. $#{ $got->{$key} })
		{
			my ($value, $low, $high) = @{ $got->{$key}[$i] };
			my $truth = $exact->{$key}[$i] // next;
			my $half = max($high - $value, $value - $low);

			$compared++;
			$outside++ if $truth < $low || $truth > $high;
			$exactly++ if $truth == $value;
			push @flaws, "$key figure $i: $value instead of $truth, stated error $half"
			  if abs($value - $truth) > REACH * $half + 1e-5 * abs($truth);
			push @flaws, "$key figure $i: error $half of $truth is too large to be useful"
			  if $half > $useful + 0.25 * abs($truth);
		}
	}
	for my $key (sort keys %$exact)
	{
		push @flaws, "group $key is missing" if !$got->{$key} && ($exact->{$key}[-1] > 1000 || $key eq '');
	}
	return @flaws;
}

for my $accountant ('basic', 'zcdp')
{
	if ($accountant ne 'basic')
	{
		# a table whose budget was spent cannot change its accountant
		$node->safe_psql('postgres', q(
			CREATE TABLE other AS SELECT * FROM adult;
			DROP TABLE adult;
			ALTER TABLE other RENAME TO adult;
			ALTER TABLE adult ADD PRIMARY KEY (person);
		));
	}
	protect($accountant);
	for my $query (@queries)
	{
		my ($name, $nkeys, $sql, $useful) = @$query;
		my $got = intervals($sql);
		my $exact = rows($node->safe_psql('postgres', $sql), $nkeys);
		my @flaws = flaws($got, $exact, $useful // 60);

		push @flaws, 'no answer' if !%$got;
		ok(!@flaws, "$accountant: $name") or diag(join "\n", @flaws);
	}
	my $kernel = $accountant eq 'zcdp' ? 'gaussian' : 'laplace';
	is($node->safe_psql('postgres', q(
		SELECT string_agg(DISTINCT s->>'kernel', ',') FROM privacct.ledger l JOIN privacct.policy p USING (policy_id),
			jsonb_array_elements(l.detail->'statistics') s WHERE p.closed_at IS NULL)), $kernel, "$accountant: the noise is $kernel");
}

# 5 % of the intervals may miss; by chance, more than 20 % of some hundred do not
cmp_ok($compared, '>', 150, "$compared figures were compared");
cmp_ok($outside, '<', 0.2 * $compared, "$outside of $compared exact figures lie outside of their intervals");
cmp_ok($exactly, '<', 0.5 * $compared, "$exactly of $compared figures are exact: there is noise");

$node->stop;
done_testing();
