# SPDX-License-Identifier: GPL-3.0-or-later
# Random joins with public tables give the analyst what the owner reads raw.
#	JOINS_SEED		repeats a run (default: another one each time)
#	JOINS_QUERIES	how many (default: 600)
use strict;
use warnings;

use IPC::Run ();
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

my $node = new_node('joins', fsync => 'off', 'privacct.require_durable_storage' => 'off');
$node->start;
$node->safe_psql('postgres', slurp_file("$ENV{PA_WORK}/t/joins/fixture.sql"));

my $seed = $ENV{JOINS_SEED} // int(rand(1_000_000));
my $output = '';
IPC::Run::run([ 'python3', "$ENV{PA_WORK}/t/joins/joins.py", '--socket', $node->host, '--superuser', scalar getpwuid($>),
		'--queries', $ENV{JOINS_QUERIES} // 600, '--seed', $seed ], '>', \$output, '2>&1',
	init => sub { $ENV{PGPORT} = $node->port });
my ($answered, $refused, $different) = $output =~ /^(\d+) answered, (\d+) refused, (\d+) different$/m;
is($different, 0, "every answer is the raw one (JOINS_SEED=$seed repeats this)") or diag(substr($output, 0, 4000));
cmp_ok($answered // 0, '>', $refused // 0, 'most are answered') or diag($output);
$node->stop;
done_testing();
