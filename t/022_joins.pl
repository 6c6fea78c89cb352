# SPDX-License-Identifier: GPL-3.0-or-later
# Random joins of protected tables with each other and with public tables give the analyst what the owner
# reads raw, and change by what an owner counts alone when there is one less.
#	JOINS_SEED		repeats a run (default: another one each time)
#	JOINS_QUERIES	how many (default: 400)
use strict;
use warnings;

use IPC::Run ();
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

my $node = new_node('joins', fsync => 'off', autovacuum => 'off', 'privacct.require_durable_storage' => 'off');
my $library = PostgreSQL::Test::Utils::tempdir . '/heap_pages.so';
my $headers = $node->config_data('--includedir-server');
system('cc', '-shared', '-fPIC', "-I$headers", '-o', $library, "$ENV{PA_WORK}/t/joins/heap_pages.c") == 0 or die 'heap_pages.c cannot be compiled';
$node->start;
$node->safe_psql('postgres', slurp_file("$ENV{PA_WORK}/t/joins/fixture.sql") .
	  "CREATE FUNCTION rows_left_out() RETURNS bigint LANGUAGE C AS '$library';");

my $seed = $ENV{JOINS_SEED} // int(rand(1_000_000));
my $output = '';
IPC::Run::run([ 'python3', "$ENV{PA_WORK}/t/joins/joins.py", '--socket', $node->host, '--superuser', scalar getpwuid($>),
		'--queries', $ENV{JOINS_QUERIES} // 400, '--seed', $seed ], '>', \$output, '2>&1',
	init => sub { $ENV{PGPORT} = $node->port });
my ($counts) = $output =~ /^(\d+ answered, .*)$/m;
my %counts = map { /^(\d+) (.*)/ ? ($2 => $1) : () } split /, /, $counts // '';
is($counts{different}, 0, "every answer is the raw one (JOINS_SEED=$seed repeats this)") or diag(substr($output, 0, 4000));
is($counts{changed}, 0, 'and adds up of those without an owner, and of this one') or diag(substr($output, 0, 4000));
is($counts{'planned otherwise'}, 0, 'EXPLAIN refuses what is refused, and nothing else') or diag(substr($output, 0, 4000));
cmp_ok($counts{answered} // 0, '>', $counts{refused} // 0, 'most are answered') or diag($output);
# of these two there is nothing to see but that answers are right
cmp_ok($counts{'left out in pages'} // 0, '>', 0, 'rows that meet nothing were left out in their pages');
cmp_ok($counts{'asked by keys'} // 0, '>', 0, 'groups that nobody asks for were left out');
note $counts // $output;
$node->stop;
done_testing();
