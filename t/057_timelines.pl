# SPDX-License-Identifier: GPL-3.0-or-later
# A server that was promoted, or recovered to a point in time, may lack the last charges:
# it answers nothing until a superuser accepts that, unless the administrator vouches for
# its promotions.  What is known of the lost time can be added first.
use strict;
use warnings;

use PrivacctTest;
use Test::More;

my $primary = new_node('kept', allows_streaming => 1);
$primary->enable_archiving;
$primary->start;
setup_hospital($primary, epsilon => 100, step => 0.5);

sub answered
{
	my ($node, $name) = @_;
	ok(defined ask_value($node, $PrivacctTest::QUERY), $name);
	return;
}

sub refused
{
	my ($node, $name) = @_;
	my (undef, undef, $err) = ask($node, $PrivacctTest::QUERY, verbosity => 'verbose');
	like($err, qr/55PA3.*check_books/s, $name);
	return;
}

sub problems
{
	my ($node) = @_;
	return $node->safe_psql('postgres', 'SELECT problem FROM privacct.check_books()');
}

sub charged
{
	my ($node) = @_;
	return $node->safe_psql('postgres', 'SELECT releases FROM privacct.account WHERE role = 0::regrole');
}

my $PROMOTED = 'the server was promoted, or recovered to a point in time';

answered($primary, 'asked before the backup');
$primary->backup('base');

# --- a standby that does not have the last charge ---

my $behind = PostgreSQL::Test::Cluster->new('behind');
$behind->init_from_backup($primary, 'base', has_streaming => 1);
$behind->start;
answered($primary, 'a charge that the standby has');
$primary->wait_for_catchup($behind);
is(problems($behind), '', 'a standby lacks nothing');
$behind->stop;
$primary->safe_psql('postgres', q(SELECT pg_create_restore_point('before the last')));
answered($primary, 'and one that it does not have');
my $copy = $primary->backup_dir . '/ledger';
$primary->safe_psql('postgres', "COPY (SELECT * FROM privacct.ledger) TO '$copy'");
$behind->adjust_conf('postgresql.conf', 'primary_conninfo', "''");
$behind->start;
$behind->promote;
refused($behind, 'promoted, it answers nothing');
is(problems($behind), $PROMOTED, 'it is said why');
like($behind->safe_psql('postgres', 'SELECT detail FROM privacct.check_books()'), qr/timeline 2, .* timeline 1:/, 'and since when');
$behind->restart;
refused($behind, 'nor after a restart');
$behind->safe_psql('postgres', qq(SET client_min_messages = error; CREATE TEMP TABLE lost AS TABLE privacct.ledger WITH NO DATA;
	COPY lost FROM '$copy'; INSERT INTO privacct.ledger SELECT * FROM lost l WHERE NOT EXISTS (SELECT FROM privacct.ledger g WHERE (g.charge_id, g.charged_at) = (l.charge_id, l.charged_at))));
is(charged($behind), 3, 'what a copy of the ledger knows of the lost time is counted');
$behind->safe_psql('postgres', q(SET client_min_messages = error; SELECT privacct.repair_books('visit')));
is($behind->safe_psql('postgres', q(SELECT releases FROM privacct.account WHERE role = 'analyst'::regrole)), 3, 'also for who asked');
refused($behind, 'but somebody has to say that nothing else is missing');
my (undef, undef, $err) = $behind->psql('postgres', 'SELECT privacct.accept_books()');
like($err, qr/WARNING:  charges that are not in these books no longer count.*noticed that the (books are a copy|server was promoted)/s, 'a superuser accepts it, and is told what that means');
is(problems($behind), '', 'then the books count');
answered($behind, 'and questions are answered');
$behind->restart;
answered($behind, 'from then on');
$behind->stop;

# --- a standby that has all ---

my $same = PostgreSQL::Test::Cluster->new('same');
$same->init_from_backup($primary, 'base', has_streaming => 1);
$same->append_conf('postgresql.conf', "privacct.lossless_promotion = on\n");
$same->start;
answered($primary, 'once more');
$primary->wait_for_catchup($same);
$same->promote;
answered($same, 'where the administrator vouches for promotions it goes on');
is(problems($same), '', 'and nothing is to be said');
$same->adjust_conf('postgresql.conf', 'privacct.lossless_promotion', 'off');
$same->reload;
$same->poll_query_until('postgres', q(SELECT current_setting('privacct.lossless_promotion') = 'off'));
is(problems($same), $PROMOTED, 'who takes that back is told');
$same->stop;

# --- recovery to a point in time is no promotion ---

$primary->safe_psql('postgres', 'SELECT pg_switch_wal()');
my $past = PostgreSQL::Test::Cluster->new('past');
$past->init_from_backup($primary, 'base', has_restoring => 1, standby => 0);
$past->append_conf('postgresql.conf', "recovery_target_name = 'before the last'\nrecovery_target_action = 'promote'\nprivacct.lossless_promotion = on\n");
$past->start;
$past->poll_query_until('postgres', 'SELECT NOT pg_is_in_recovery()');
is(charged($past), 2, 'charges are missing');
refused($past, 'whatever the administrator says, it answers nothing');
$past->adjust_conf('postgresql.conf', 'recovery_target_name', "''");
$past->restart;
refused($past, 'nor when it is forgotten where recovery ended');
is(problems($past), $PROMOTED, 'it is said why');
$past->safe_psql('postgres', 'SET client_min_messages = error; SELECT privacct.accept_books()');
answered($past, 'until a superuser says so');
$past->safe_psql('postgres', q(SET client_min_messages = error; INSERT INTO privacct.ledger (policy_id, charged_at, role, epsilon, delta, rho) SELECT l.policy_id, now(), 'analyst', 1, 0, 0.5 FROM privacct.ledger l LIMIT 1));
like(problems($past), qr/^the books are a copy$/m, 'lines that are added afterwards are noticed, too');
$past->stop;

answered($primary, 'the server that was left goes on');

# --- nor does an upgrade accept anything ---

sub upgraded
{
	my ($old, $name) = @_;
	my $new = node_to_fill($name, allows_streaming => 1);
	my $bindir = $old->config_data('--bindir');
	my $dir = PostgreSQL::Test::Utils::tempdir();
	chdir $dir or die "$dir: $!";
	my $done = IPC::Run::run([ 'pg_upgrade', '--no-sync', '-b', $bindir, '-B', $bindir, '-d', $old->data_dir, '-D', $new->data_dir,
		'-s', $new->host, '-p', $old->port, '-P', $new->port ], '<', \undef, '>', \my $out, '2>', \my $told);
	return ($new, $done, $out . $told);
}

my $waiting = PostgreSQL::Test::Cluster->new('waiting');
$waiting->init_from_backup($primary, 'base', has_streaming => 1);
$waiting->adjust_conf('postgresql.conf', 'primary_conninfo', "''");
$waiting->start;
$waiting->promote;
refused($waiting, 'promoted');
$waiting->stop;
my ($upgraded, $done, $told) = upgraded($waiting, 'refused');
ok(!$done, 'it is not upgraded');
like($told, qr/charges may be missing from the books of privacct.*accept_books/s, 'and it is said why, and what to do');
unless (upgradable())
{
	SKIP: { skip 'pg_upgrade of this server does not find a library that is not installed', 1; }
	done_testing();
	exit 0;
}
$waiting->start;
refused($waiting, 'it is as it was');
$waiting->safe_psql('postgres', 'SET client_min_messages = error; SELECT privacct.accept_books()');

# --- nor does it forget that what keeps the books was changed: on another version that is written down anew ---

my $CHANGE = q(SET allow_system_table_mods = on;
	UPDATE pg_attribute SET attnotnull = NOT attnotnull WHERE attrelid = 'privacct.ledger_line'::regclass AND attname = 'epsilon');
$waiting->safe_psql('postgres', $CHANGE);
$waiting->stop;
($upgraded, $done, $told) = upgraded($waiting, 'changed');
ok(!$done, 'what was changed is not upgraded');
like($told, qr/what keeps the books of privacct was changed.*check_books/s, 'and it is said why, and what to do');
$waiting->start;
$waiting->safe_psql('postgres', $CHANGE);
$waiting->stop;
($upgraded, $done, $told) = upgraded($waiting, 'upgraded');
ok($done, 'when somebody has answered for what is missing it is') or diag($told);
$upgraded->start;
is(problems($upgraded), '', 'the books count');

# before anything is charged in it
$upgraded->backup('new');
my $newer = PostgreSQL::Test::Cluster->new('newer');
$newer->init_from_backup($upgraded, 'new', has_streaming => 1);
$newer->start;
answered($upgraded, 'questions are answered');
$upgraded->safe_psql('postgres', q(SELECT privacct.fold_ledger('visit', now() - interval '1 day')));
answered($upgraded, 'once more');
$newer->stop;
$newer->adjust_conf('postgresql.conf', 'primary_conninfo', "''");
my $never = PostgreSQL::Test::Cluster->new('never');
$never->init_from_backup($upgraded, 'new', has_streaming => 1);
$never->adjust_conf('postgresql.conf', 'primary_conninfo', "''");
$never->start;
$never->promote;
refused($never, 'a backup of the new cluster that knows the old one only is noticed');
is(problems($never), $PROMOTED, 'it is said why');
$never->psql('postgres', q(SELECT privacct.fold_ledger('visit', now() - interval '1 day')));
$never->psql('postgres', q(SELECT privacct.repair_books('visit')));
refused($never, 'whatever is done to its sums');
$never->stop;
$newer->start;
$newer->promote;
refused($newer, 'and so is one that came a little further');
$newer->stop;
$upgraded->stop;

# --- what DROP EXTENSION left says nothing under another timeline ---

my $dump = PostgreSQL::Test::Utils::tempdir() . '/dump';
$primary->command_ok([ 'pg_dump', '-Fc', '-f', $dump, 'postgres' ], 'a dump');
$primary->safe_psql('postgres', 'SET client_min_messages = error; SET privacct.allow_drop_extension = on; DROP EXTENSION privacct; DROP TABLE visit');
$primary->backup('gap');
sub restore { $_[0]->command_ok([ 'pg_restore', '--clean', '--if-exists', '-d', 'postgres', $dump ], 'restored'); return; }
restore($primary);
is(problems($primary), '', 'in place the dump is complete');
answered($primary, 'and more is asked');
my $again = PostgreSQL::Test::Cluster->new('again');
$again->init_from_backup($primary, 'gap', has_streaming => 1);
$again->adjust_conf('postgresql.conf', 'primary_conninfo', "''");
$again->start;
$again->promote;
restore($again);
refused($again, 'restored once more, after the server was recovered, it is a copy');
$again->stop;

$primary->stop;
done_testing();
