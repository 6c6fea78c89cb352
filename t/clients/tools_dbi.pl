# SPDX-License-Identifier: GPL-3.0-or-later
# What an analyst asks through Perl DBI: every step is asked of the protected tables in schema care
# and of open copies in schema open, and what comes back must be near and of the same form, for as
# many charges as the step says.
#
# Prints "ok NAME" or "FAIL NAME: REASON" for each step.  Arguments: host, port.
use strict;
use warnings;

use DBI;

my ($host, $port) = @ARGV;

sub connection
{
	my ($options) = @_;
	return DBI->connect("dbi:Pg:dbname=postgres;host=$host;port=$port;options='$options'", 'analyst', '', { RaiseError => 1, PrintError => 0 });
}

my ($care, $open, $empty) = map { connection($_) } '-csearch_path=care,privacct', '-csearch_path=open', '-csearch_path=care,privacct -cprivacct.empty_rows=on';

sub charges
{
	return $empty->selectrow_array('SELECT count(*) FROM privacct.my_ledger');
}

# Numbers near each other, everything else the same.
sub near
{
	my ($got, $expected) = @_;

	return !defined $got if !defined $expected;
	if (ref $expected)
	{
		return @$got == @$expected && !grep { !near($got->[$_], $expected->[$_]) } 0 .. $#$expected;
	}
	return $got eq $expected if $expected !~ /^-?[\d.]+$/;
	return abs($got - $expected) <= 40 + 0.05 * abs($expected);
}

sub attempt
{
	my ($name, $step) = @_;
	my $reason = eval { $step->() } // $@;

	print $reason eq '' ? "ok $name\n" : "FAIL $name: " . ($reason =~ s/\n/ /gr) . "\n";
	return;
}

sub step
{
	my ($name, $ask, $price) = @_;

	attempt($name, sub {
		my $before = charges();
		my $got = $ask->($care);
		my $cost = charges() - $before;
		my $expected = $ask->($open);

		return "$cost charges" if $cost != ($price // 1);
		return near($got, $expected) ? '' : join ' ', map { ref ? "(@$_)" : $_ // 'undef' } @$got, 'not', @$expected;
	});
	return;
}

sub rows
{
	my ($name, $ask) = @_;

	attempt("$name, refused", sub {
		return 'not refused' if eval { $ask->($care); 1 };
		return $care->state eq '42PA1' ? '' : $care->state . " $@";
	});
	attempt("$name, empty", sub {
		my $before = charges();
		return @{ $ask->($empty) } == 0 && charges() == $before ? '' : 'not empty';
	});
	return;
}

sub prepared
{
	my ($sql, @values) = @_;
	return sub {
		my $statement = $_[0]->prepare($sql);
		$statement->execute(@values);
		return [ @{$statement}{qw(NAME TYPE PRECISION SCALE NULLABLE)}, @{ $statement->fetchall_arrayref } ];
	};
}

step('columns of a prepared statement', prepared('SELECT * FROM visit LIMIT 0'), 0);
step('columns of one that is not executed', sub { return $_[0]->prepare('SELECT * FROM visit WHERE 0 = 1', { pg_server_prepare => 1 })->{NAME} // [] }, 0);
step('count', sub { return [ $_[0]->selectrow_array('SELECT count(*) FROM visit') ] });
step('groups', prepared('SELECT ward, count(*) AS n, avg(cost) AS cost FROM visit GROUP BY ward ORDER BY ward'));
step('top ten', prepared('SELECT ward, count(*) AS n FROM visit GROUP BY ward ORDER BY n DESC LIMIT ?', 10));
step('between dates', prepared('SELECT count(*) FROM visit WHERE day BETWEEN ? AND ? AND insured = ?', '2025-02-01', '2025-04-30', 't'));
step('a list of values', prepared('SELECT count(*) FROM visit WHERE ward = ANY (?)', [ 'W07', 'W08' ]));
step('medians', prepared('SELECT insured, percentile_cont(?) WITHIN GROUP (ORDER BY cost) FROM visit GROUP BY 1 ORDER BY 1', 0.5));
step('count distinct', prepared('SELECT count(DISTINCT ward), count(DISTINCT stay) FROM visit'));
step('months', prepared(q(SELECT date_trunc('month', day) AS month, sum(stay) FROM visit GROUP BY 1 ORDER BY 1)));
step('a hash of groups', sub { my $rows = $_[0]->selectall_hashref('SELECT ward, count(*) AS n FROM visit GROUP BY ward', 'ward'); return [ map { [ $_, $rows->{$_}{n} ] } sort keys %$rows ] });
step('executed ten times', sub {
	my $statement = $_[0]->prepare('SELECT count(*) FROM visit WHERE stay > ?');
	return [ map { $statement->execute($_); $statement->fetchrow_array } 0 .. 9 ];
}, 10);
rows('selectall', sub { return $_[0]->selectall_arrayref('SELECT * FROM visit LIMIT 5') });
rows('a parameter', sub { return $_[0]->selectall_arrayref('SELECT cost FROM visit WHERE visit_id = ?', {}, 17) });
rows('a limit', sub { return $_[0]->selectall_arrayref('SELECT ward FROM visit LIMIT ?', {}, 5) });
$_->disconnect for $care, $open, $empty;
