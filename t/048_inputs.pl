# SPDX-License-Identifier: GPL-3.0-or-later
# What happens between the charge of a release that a block reads and that of the block:
# the statement waits there for a lock, in a function over what was released.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PrivacctTest;
use Test::More;

use constant LOCK => 4711;

my $node = new_node('inputs', restart_after_crash => 'on');
$node->start;
setup_hospital($node, epsilon => 10, quota => 8, step => 1);
$node->safe_psql('postgres', q(
	CREATE SCHEMA desk AUTHORIZATION analyst;
	SET ROLE analyst;
	CREATE FUNCTION desk.stop(x float8) RETURNS float8 LANGUAGE plpgsql AS $$
	BEGIN
		PERFORM pg_advisory_xact_lock(4711);
		RETURN x;
	END $$;
));
my $query = 'SELECT count(*) FROM visit WHERE cost > (SELECT desk.stop(dp_avg(cost, 0, 500)) FROM visit)';

# A session that holds the lock, and one that waits for it, having paid for what it reads.
sub stop_between
{
	my ($holder, $asker) = (session($node, superuser()), session($node, 'analyst'));
	my $before = releases($node);

	$holder->say('SELECT pg_advisory_lock(' . LOCK . ')');
	my $pid = $asker->say('SELECT pg_backend_pid()');
	$asker->send($query);
	$node->poll_query_until('postgres', "SELECT EXISTS (SELECT FROM pg_locks WHERE pid = $pid AND locktype = 'advisory' AND NOT granted)")
	  or fail('the statement does not wait');
	is(releases($node) - $before, 1, 'what is read has been charged, the block around it has not');
	return ($holder, $asker, $pid, $before);
}

sub go_on
{
	my ($holder) = @_;

	$holder->say('SELECT pg_advisory_unlock(' . LOCK . ')');
	$holder->hang_up;
	return;
}

my ($holder, $asker, $pid, $before) = stop_between();
is($node->safe_psql('postgres', qq(SELECT count(*) FROM pg_locks WHERE pid = $pid AND relation = 'visit'::regclass AND mode <> 'AccessShareLock')),
	0, 'and nothing else is locked');
go_on($holder);
like($asker->answer, qr/^-?\d+$/, 'when it goes on it is answered');
$asker->hang_up;
is(releases($node) - $before, 2, 'and charged for both');

($holder, $asker, $pid, $before) = stop_between();
$node->safe_psql('postgres', "SELECT pg_cancel_backend($pid)");
like($asker->answer, qr/57014/, 'a cancel between the charges ends the statement');
is(releases($node) - $before, 1, 'what was released stays charged');
go_on($holder);
$asker->hang_up;

($holder, $asker, $pid, $before) = stop_between();
kill 'KILL', $pid;
$asker->{run}->finish;
await_server($node) or fail('the server does not come up again');
is(releases($node) - $before, 1, 'after a crash between the charges the first is there');
ok(books_agree($node), 'the accounts hold exactly the sums of the ledger');
is((ask($node, $query))[2], '', 'and the statement is answered');
is(releases($node) - $before, 3, 'for two charges more');

# 6 of the analyst's 8 are spent, the 7th by the statement
($holder, $asker, $pid, $before) = stop_between();
is((ask($node, 'SET privacct.epsilon = 0.5; SELECT count(*) FROM visit'))[2], '', 'another session spends half of what is left');
go_on($holder);
like($asker->answer, qr/53PA2/, 'the second charge is refused');
$asker->hang_up;
is(releases($node) - $before, 2, 'the first one and that of the other session are in the ledger');

$node->safe_psql('postgres', q(SELECT privacct.grant_budget('visit', 'analyst', epsilon => 9.9, delta => 1e-8)));
($holder, $asker, $pid, $before) = stop_between();
$node->safe_psql('postgres', q(SELECT privacct.revoke_budget('visit', 'analyst')));
go_on($holder);
like($asker->answer, qr/42501/, 'who lost the budget meanwhile is not answered');
$asker->hang_up;
is(releases($node) - $before, 1, 'and charged for the first alone');
ok(books_agree($node), 'the accounts hold exactly the sums of the ledger still');

$node->stop;

done_testing();
