# SPDX-License-Identifier: GPL-3.0-or-later
# Two databases that differ in one owner's rows must look equal to whoever asks
# them: t/worlds/worlds.py drives two servers with the same statements.
#	WORLDS_SEED		repeats a run (default: another one each time)
#	WORLDS_PAIRS	how many statements (default: 4000, a minute or a bit more)
#	WORLDS_ONLY		only families of statements whose name begins so
use strict;
use warnings;

use IPC::Run ();
use PostgreSQL::Test::Utils;
use Test::More;

my $seed = $ENV{WORLDS_SEED} // int(rand(1_000_000));
my $pairs = $ENV{WORLDS_PAIRS} // 4000;
chomp(my $bindir = `pg_config --bindir`);

# Returns what the program prints, the number of pairs and that of differences.
sub compare_worlds
{
	my $output = '';
	my @command = (
		'python3', "$ENV{PA_WORK}/t/worlds/worlds.py",
		'--directory', PostgreSQL::Test::Utils::tempdir_short, '--bindir', $bindir,
		(map { "--setting=$_" } split /\n/, $ENV{PA_STAGED}),
		'--pairs', $pairs, '--seed', $seed, '--only', $ENV{WORLDS_ONLY} // '');

	IPC::Run::run(\@command, '>', \$output, '2>&1');
	note($output);
	return ($output, $output =~ /^(\d+) pairs, (\d+) differences$/m);
}

note("seed $seed");
my ($output, $ran, $differences) = compare_worlds();
# What the server does in the background, as when it adds up statistics, differs
# from run to run, and shows in catalogs; what follows from rows comes again.  What
# a statement showed has been asked again already.
if ($differences && $output !~ /^difference \d+: (?!metadata )/m)
{
	diag("$differences differences, asked again");
	($output, $ran, $differences) = compare_worlds();
}

cmp_ok($ran // 0, '>=', $pairs, 'the pairs were run') or diag(substr($output, -3000));
is($differences, 0, "no statement tells the worlds apart (WORLDS_SEED=$seed repeats this)")
  or diag(substr($output, 0, 8000));
like($output, qr/^[3-9]\d\d calls are allowed$/m, 'hundreds of functions and operators were tried')
  unless $ENV{WORLDS_ONLY};
done_testing();
