# SPDX-License-Identifier: GPL-3.0-or-later
# "make demo" says what it means to say: its scripts, in its order, fail only where a
# refusal is shown, spend what the page says, and answer near the truth.
use strict;
use warnings;

use IPC::Run ();
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

my $root = $ENV{PA_WORK};
my $node = new_node('demo');
$node->start;
chdir "$root/demo" or die "$root/demo: $!";

# Who plays which script, in the order of the demo.
sub parts
{
	my ($script) = @_;
	return $script =~ /^[ \t]*as_user (\w+) "[^"]*" (\w+\.sql)$/gm;
}

# What psql prints for a script, as the demo calls it.
sub play
{
	my ($role, $input) = @_;
	my $output = '';

	IPC::Run::run(
		[ $node->installed_command('psql'), '-Xq', '-U', $role eq 'postgres' ? superuser() : $role,
			'-h', $node->host, '-p', $node->port, '-d', 'postgres' ],
		'<', \$input, '>', \$output, '2>&1');
	return $output;
}

# The number beside each name in the table whose last column has this title.
sub numbers
{
	my ($output, $title) = @_;
	my ($rows) = $output =~ /\| $title\s*\n[-+]+\n(.*?)\n\(/s;
	return map { /(\w+)\s+\|\s+(\d+)$/ ? ($1 => $2) : () } split /\n/, $rows;
}

# What is more than a fifth off: noise is that in one of 100,000 runs.
sub far
{
	my ($asked, $exact) = @_;
	return grep { abs(($asked->{$_} // 0) - $exact->{$_}) > 0.2 * $exact->{$_} } keys %$exact;
}

my %refused = ('analyst.sql' => [
	'query on a protected table is not allowed',
	'query on a protected table is not allowed',
	'query on a protected table is not allowed',
	'privacy budget exhausted' ]);
my %output;
my @parts = parts(slurp_file("$root/scripts/demo.sh") =~ s/^# real data.*?^fi$//msr);
cmp_ok(scalar @parts, '>', 20, 'the demo has parts');
while (my ($role, $script) = splice(@parts, 0, 2))
{
	$output{$script} = play($role, slurp_file($script));
	is_deeply([ $output{$script} =~ /^(?:psql:\S+ )?(?:ERROR|FATAL|WARNING):  (.*)/mg ], $refused{$script} // [],
		"$script fails where it means to");
}

my @spent = $output{'analyst.sql'} =~ /^-> one budget: epsilon ([\d.]+) of 4 is spent/mg;
is("@spent", '0.00 0.50 1.00 1.20 1.40 1.60 2.35 2.35', 'one budget pays for all of the session');
like($output{'after.sql'}, qr/ problems \n-+\n +0\n/, 'the books agree');

my %asked = numbers($output{'analyst.sql'}, 'prescriptions');
my %exact = numbers($output{'after.sql'}, 'prescriptions');
is(scalar keys %asked, 6, 'every drug is in the answer');
is_deeply([ far(\%asked, \%exact) ], [], 'a join of three tables is useful');
%asked = numbers($output{'analyst.sql'}, 'patients');
%exact = numbers($output{'after.sql'}, 'patients');
is_deeply([ far(\%asked, \%exact) ], [], 'and so is a distribution over persons');

# what the last page says to try
my ($queries) = slurp_file("$root/scripts/demo.sh") =~ /Ask yourself:\n(.*)As the owner/s;
my $tried = play('analyst', $queries =~ s/^.*-U analyst postgres\n//mr);
is_deeply([ $tried =~ /^ERROR:  (.*)/mg ], ['query on a protected table is not allowed'], 'the last page works');

$node->stop;
done_testing();
