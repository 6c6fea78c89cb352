# SPDX-License-Identifier: GPL-3.0-or-later
# The 22 queries of TPC-H as printed, over customers, orders and lines that are one person's: answered,
# public, or refused because they list single customers; and what is answered is near the exact answer.
use strict;
use warnings;

use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

my $tpch = "$ENV{PA_WORK}/bench/tpch";
my $EPSILON = 40_000;		# of each query, so that noise is small beside what is counted here

# Whether what is noised is compared as printed: not where it decides which rows come out, nor small shares of all.
my %near = map { $_ => 1 } qw(01 04 05 06 07 09 12 13 14 19 21 22);

my $node = new_node('tpch', fsync => 'off', 'privacct.require_durable_storage' => 'off');
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION privacct; CREATE ROLE analyst; CREATE ROLE shop; GRANT privacct_admin TO shop; GRANT CREATE ON SCHEMA public TO shop');
$node->safe_psql('postgres', "SET ROLE shop;\n" . slurp_file("$tpch/load.sql") =~ s/^VACUUM.*//mr, extra_params => [ '-v', 'sf=0.01' ]);
$node->safe_psql('postgres', 'VACUUM ANALYZE');
$node->safe_psql('postgres', slurp_file("$tpch/protect.sql"), extra_params => [ '-v', 'owner=shop', '-v', 'analyst=analyst', '-v', 'epsilon=1000000' ]);

# The rows as lists; the error, if there is one.
sub answer_of
{
	my ($role, $query) = @_;
	my ($code, $out, $err) = $node->psql('postgres', "SET ROLE $role; SET privacct.epsilon = $EPSILON; $query", on_error_stop => 0);

	return ([ map { [ split /\|/ ] } split /\n/, $out ], $err);
}

# Rows by what is not noised in them; in both answers alike.
sub by_keys
{
	my ($rows) = @_;

	return { map { my $row = $_; (join('|', map { my $i = $_; $i == 0 && @$row > 1 || $row->[$i] !~ /^-?\d+(\.\d+)?$/ || $row->[$i] =~ /^(19|20)\d\d$/ ? $row->[$i] : () } 0 .. $#$row) => $row) } @$rows };
}

# The largest difference of a number, in parts of the largest of its column.
sub distance
{
	my ($exact, $noised) = (by_keys($_[0]), by_keys($_[1]));
	my ($worst, %largest) = (0);

	for my $row (values %$exact)
	{
		for my $i (grep { $row->[$_] =~ /^-?[\d.]+$/ } ($#$row ? 1 : 0) .. $#$row)
		{
			$largest{$i} = abs $row->[$i] if !defined $largest{$i} || abs $row->[$i] > $largest{$i};
		}
	}
	for my $key (grep { $noised->{$_} } keys %$exact)
	{
		for my $i (grep { $largest{$_} } keys %largest)
		{
			my $part = abs($exact->{$key}[$i] - $noised->{$key}[$i]) / $largest{$i};
			$worst = $part if $part > $worst;
		}
	}
	return ($worst, scalar grep { $noised->{$_} } keys %$exact);
}

for my $file (sort glob "$tpch/queries/*.sql")
{
	my $query = slurp_file($file);
	my ($number) = $file =~ /(\d+)\.sql$/;
	my ($exact) = answer_of('shop', $query);
	my ($rows, $error) = answer_of('analyst', $query);

	if ($query =~ /: public/)
	{
		is_deeply($rows, $exact, "query $number is public");
	}
	elsif ($query =~ /: lists/)
	{
		like($error, qr/not allowed.*HINT:  Group by something that many owners share/s, "query $number lists persons, and is refused");
	}
	else
	{
		is($error, '', "query $number is answered");
		next unless $near{$number};
		my ($distance, $common) = distance($exact, $rows);
		note sprintf "query %s: %d of %d rows, off by %.4f", $number, $common, scalar @$exact, $distance;
		cmp_ok($distance, '<', 0.15, "query $number is near");
		cmp_ok($common, '>', 0, "query $number has the same keys") if grep { @$_ } @$exact;
	}
}
done_testing();
