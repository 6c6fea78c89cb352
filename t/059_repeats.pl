# SPDX-License-Identifier: GPL-3.0-or-later
# Releases that are repeated, when many ask at once, when the server is restarted or crashes, and when the ledger
# does not keep them.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

my $query = $PrivacctTest::QUERY;
my $node = new_node('repeats', 'privacct.ledger_timeout' => '60s', max_worker_processes => 16);
$node->start;
setup_hospital($node, analysts => [ 'analyst', 'other' ]);
dba("SELECT privacct.set_repeats('visit', '1 day')");

sub dba { return $node->safe_psql('postgres', $_[0]); }

# How many charges some SQL of an analyst leaves, and what it answers.
sub charged
{
	my ($sql, $role) = @_;
	my $before = releases($node);
	my (undef, $out, $err) = ask($node, $sql, role => $role // 'analyst');

	is($err, '', "no error: $sql");
	return (releases($node) - $before, $out);
}

sub is_repeated
{
	my ($answer, $name) = @_;
	is_deeply([ charged($query) ], [ 0, $answer ], $name);
	return;
}

# --- many at once: whoever comes before the first is kept pays; afterwards all get the same ---

my @clients = start_clients($node, [ ('analyst') x 8, ('other') x 4 ], "$query;\n" x 20);
finish_clients(@clients);
my $paid = releases($node);
cmp_ok($paid, '>=', 2, 'each role pays');
cmp_ok($paid, '<=', 12, 'and nobody twice');
for my $client (@clients)
{
	is_deeply([ @$client{qw(answers errors)} ], [ 20, 0 ], 'all are answered');
}
my (undef, $answer) = charged($query);
my (undef, $others) = charged($query, 'other');
is_repeated($answer, 'asked again') for 1 .. 3;
ok(books_agree($node), 'the books agree');

# --- shared: the first pays for all ---

dba("SELECT privacct.set_repeats('visit', '1 day', shared => true)");
($paid, $answer) = charged($query);
is($paid, 1, 'under other rules it is asked anew');
is_deeply([ charged($query, 'other') ], [ 0, $answer ], 'another role gets it');
dba("SELECT privacct.set_repeats('visit', '1 day')");
($paid, $answer) = charged($query);

# --- the session that paid may fail in whatever way ---

is((charged("BEGIN; SELECT sum(cost) FROM (SELECT count(*) AS cost FROM visit WHERE ward = 'A') s; ROLLBACK"))[0], 1, 'rolled back');
is((charged("SELECT sum(cost) FROM (SELECT count(*) AS cost FROM visit WHERE ward = 'A') s"))[0], 0, 'it was kept');
my $before = releases($node);
ask($node, "SELECT 1 / (0 * c) FROM (SELECT count(*)::int AS c FROM visit WHERE ward = 'B') s");
is((charged("SELECT c FROM (SELECT count(*)::int AS c FROM visit WHERE ward = 'B') s"))[0], 0, 'an error after the release');
is(releases($node) - $before, 1, 'one charge');

# --- in parallel ---

dba("SELECT privacct.set_release_terms('visit', min_epsilon => 1e-6, workers => 2)");
my ($first, $parallel) = charged("SELECT count(*) FROM visit WHERE cost > 3");
is($first, 1, 'parallel workers read');
is_deeply([ charged("SELECT count(*) FROM visit WHERE cost > 3") ], [ 0, $parallel ], 'and it is kept');
dba("SELECT privacct.set_release_terms('visit', min_epsilon => 1e-6)");

# --- noise on time was paid for with the release ---

dba("SELECT privacct.set_release_terms('visit', min_epsilon => 1e-6, time_grid => '20 ms')");
($first, $parallel) = charged("SELECT count(*) FROM visit WHERE cost > 5");
is_deeply([ charged("SELECT count(*) FROM visit WHERE cost > 5") ], [ 0, $parallel ], 'on a grid');
dba("SELECT privacct.set_release_terms('visit', min_epsilon => 1e-6)");

# --- restart and crash ---

(undef, $answer) = charged($query);
$node->restart;
is_repeated($answer, 'after a restart');
$node->stop('immediate');
$node->start;
($paid, $answer) = charged($query);
is($paid, 1, 'what a crash has emptied is paid for again');
is_repeated($answer, 'and kept again');

# --- not dumped; the declaration is ---

my ($dump) = run_command([ 'pg_dump', '-h', $node->host, '-p', $node->port, 'postgres' ]);
unlike($dump, qr/^COPY privacct\.stored_release/m, 'releases are not dumped');
like($dump, qr/^COPY privacct\.policy .*repeat_age.*1 day/ms, 'what was declared is');

# --- the ledger may not take them: whoever has paid gets the answer ---

$node->append_conf('postgresql.conf', "privacct.ledger_timeout = '3s'\n");
$node->restart;
my $holder = session($node, superuser());
$holder->say('BEGIN');
$holder->say('LOCK TABLE privacct.stored_release IN SHARE MODE');
($paid, $answer) = charged("SELECT count(*) FROM visit WHERE cost > 7");
is($paid, 1, 'it is charged');
like($answer, qr/^-?\d+$/, 'and answered');
$holder->say('COMMIT');
$holder->hang_up;
is((charged("SELECT count(*) FROM visit WHERE cost > 7"))[0], 1, 'it was not kept');
is((charged("SELECT count(*) FROM visit WHERE cost > 7"))[0], 0, 'now it is');

ok(books_agree($node), 'the books agree');
is(dba('SELECT count(*) FROM privacct.check_books()'), '0', 'and nothing is wrong with them');
$node->stop;
done_testing();
