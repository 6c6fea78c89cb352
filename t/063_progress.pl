# SPDX-License-Identifier: GPL-3.0-or-later
# privacct.progress: what a release is doing, to whom it is shown, and that nothing of it depends on rows.
use strict;
use warnings;

use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;
use Time::HiRes qw(usleep);

my $node = new_node('progress', log_min_messages => 'fatal', autovacuum => 'off');
$node->start;
setup_hospital($node, analysts => [ 'analyst', 'other' ]);
$node->safe_psql('postgres', q(
	CREATE ROLE monitor LOGIN;
	GRANT pg_read_all_stats TO monitor;
	CREATE ROLE team LOGIN;
	GRANT analyst TO team;
	CREATE TABLE slow (slow_id int, patient_id int NOT NULL, ward text);
	CREATE TABLE grid (patient_id int NOT NULL);
	INSERT INTO slow SELECT i, i / 3, 'A' FROM generate_series(1, 300000) i;
	INSERT INTO grid SELECT i FROM generate_series(1, 300) i;
	SELECT privacct.protect('slow', 'patient_id', epsilon => 1000, min_epsilon => 1e-6, delta => 1e-7, fresh => true);
	SELECT privacct.protect('grid', 'patient_id', epsilon => 1000, min_epsilon => 1e-6, delta => 1e-7, fresh => true, time_grid => '4 s');
	SELECT privacct.grant_budget('slow', 'analyst', 1000, 1e-8), privacct.grant_budget('grid', 'analyst', 1000, 1e-8);));

sub seen
{
	my ($role, $columns) = @_;
	my (undef, $out) = ask($node, 'SELECT ' . ($columns || 'role, relation, phase') . ' FROM privacct.progress', role => $role);
	return $out;
}

# Waits until a look has the answer, or, without one, any; the last answer.
sub await_seen
{
	my ($wanted, $role, $columns) = @_;
	my $seen;
	for (1 .. 20 * $PostgreSQL::Test::Utils::timeout_default)
	{
		$seen = seen($role, $columns);
		last if defined $wanted ? $seen eq $wanted : $seen ne '';
		usleep 50_000;
	}
	return $seen;
}

is(seen('analyst'), '', 'nothing is done, nothing is seen');

# --- before the charge: the ledger waits for a lock ---

{
	my $lock = session($node, superuser());
	my $asker = session($node, 'analyst');

	$lock->say('BEGIN');
	$lock->say('LOCK TABLE privacct.account IN ACCESS EXCLUSIVE MODE');
	$asker->send('SELECT count(*) FROM visit');
	is(await_seen('analyst|visit|waiting for the ledger', 'analyst'), 'analyst|visit|waiting for the ledger', 'a charge that waits');
	is(seen('other'), '', '... is not seen by others');
	is(seen('team'), 'analyst|visit|waiting for the ledger', '... but by members of the role');
	is(seen('monitor'), 'analyst|visit|waiting for the ledger', '... and by who monitors');
	is(seen(superuser(), "began_at <= phase_began_at AND elapsed > interval '0'"), 't', 'times are in order');
	is($node->safe_psql('postgres', 'SELECT count(*) FROM pg_stat_progress_copy'), '0', 'PostgreSQL takes it for nothing of its own');

	# --- ended by an error ---
	my $pid = seen('analyst', 'pid');
	$node->safe_psql('postgres', "SELECT pg_cancel_backend($pid)");
	like($asker->answer, qr/57014/, 'it is canceled');
	is(seen('analyst'), '', '... and not seen any more');
	$asker->send(q(DO $$ BEGIN PERFORM count(*) FROM visit; EXCEPTION WHEN query_canceled THEN PERFORM pg_sleep(3600); END $$));
	is(await_seen('analyst|visit|waiting for the ledger', 'analyst'), 'analyst|visit|waiting for the ledger', 'in a function');
	$node->safe_psql('postgres', "SELECT pg_cancel_backend($pid)");
	is(await_seen('', 'analyst'), '', 'a subtransaction that ends ends it, too');
	$node->safe_psql('postgres', "SELECT pg_cancel_backend($pid)");
	$asker->answer;
	$lock->say('ROLLBACK');
	$lock->hang_up;
	like($asker->say('SELECT count(*) FROM visit'), qr/^-?\d+$/, 'the session goes on');
	is(seen('analyst'), '', 'what was answered is not seen');
	$asker->hang_up;
}

# --- after the charge: one phase ---

{
	my $asker = session($node, 'analyst');
	my %phases;

	# until a look has met it; each look that has must find what may be seen
	for (1 .. 300)
	{
		last if $phases{releasing};
		$asker->send('SELECT count(*) FROM slow');
		for (1 .. 20)
		{
			my $phase = seen('analyst', 'phase');
			$phases{$phase}++;
		}
		like($asker->answer, qr/^-?\d+$/, 'it is answered') or last;
	}
	ok($phases{releasing}, 'a release that reads rows');
	delete @phases{ '', 'preparing', 'reading public tables', 'waiting for the ledger', 'releasing' };
	is(join(', ', keys %phases), '', 'there are no other phases');
	$asker->hang_up;
}

# --- where time is hidden ---

{
	my $asker = session($node, 'analyst');
	my $looks = 0;
	my %phases;

	$asker->send('SELECT count(*) FROM grid');
	is(await_seen(undef, 'analyst', 'phase'), 'running', 'a release whose time is hidden is running');
	my $at_first = seen('analyst', 'pid, phase, began_at, phase_began_at, began_at = phase_began_at');
	usleep 1_000_000;
	my $later = seen('analyst', 'pid, phase, began_at, phase_began_at, began_at = phase_began_at');
	like($at_first, qr/\|running\|.*\|t$/, '... and has one time');
	is($later, $at_first, '... long after all rows have been read');
	like($asker->answer, qr/^-?\d+$/, 'it is answered');
	is(seen('analyst'), '', '... and ended');

	# an error that is held back: the release is charged, and canceled
	$asker->send('SELECT count(*) FROM grid');
	await_seen(undef, 'analyst', 'phase');
	usleep 500_000;
	$node->safe_psql('postgres', 'SELECT pg_cancel_backend(' . seen('analyst', 'pid') . ')');
	is(seen('analyst', 'phase'), 'running', 'while a cancel is held back it is running');
	like($asker->answer, qr/57014/, '... until it is told');
	is(seen('analyst'), '', '... and ended');
	$asker->hang_up;
}

# --- beside commands of the server ---

{
	my ($code, $out, $err) = ask($node, 'COPY (SELECT count(*) FROM visit) TO STDOUT');
	like($out, qr/^-?\d+$/, 'a release in COPY is made');
	$node->safe_psql('postgres', 'ALTER ROLE other SET track_activities = off');
	like((ask($node, 'SELECT count(*) FROM visit', role => 'other'))[1], qr/^-?\d+$/, 'and one without activities');
}
ok(books_agree($node), 'the books agree');
$node->stop;
done_testing();
