# SPDX-License-Identifier: GPL-3.0-or-later
# A portal is planned when it is bound, and may be executed much later.  The terms of releases are
# those of then: no workers, which others see, read for a release whose time is hidden.
use strict;
use warnings;

use IPC::Run ();
use PrivacctTest;
use Test::More;

my $node = new_node('portals');
$node->start;
setup_hospital($node, step => 1);

my $CLIENT = q(
import sys
sys.path.insert(0, sys.argv[1])
import wire
directory, port, owner, command = sys.argv[2:]
session = wire.Connection(directory, port, "analyst", "postgres")
session.rows("BEGIN")
session.send(wire.parse("q", "SELECT count(*) > 0 FROM visit") + wire.bind("p", "q") + wire.FLUSH)
session.read("2E")
wire.Connection(directory, port, owner, "postgres").rows(command)
session.send(wire.execute("p") + wire.SYNC)
print(*[message[1]["C"] if message[0] == "E" else message[1][0].decode() for message in session.read("Z") if message[0] in "DE"])
);

# What the execution of a portal answers that was bound when there were so many workers, after a command.
sub executed
{
	my ($workers, $command) = @_;
	my $output = '';

	$node->safe_psql('postgres', "SELECT privacct.set_release_terms('visit', workers => $workers)");
	IPC::Run::run([ 'python3', '-I', '-c', $CLIENT, "$ENV{PA_WORK}/t/worlds", $node->host, $node->port, scalar getpwuid($>), $command ], '>', \$output, '2>&1');
	return $output;
}

is(executed(2, 'SELECT 1'), "t\n", 'a portal that was bound is executed');
is(executed(2, "SELECT privacct.set_release_terms('visit', workers => 3)"), "t\n", 'with fewer workers than there might be');
is(executed(0, "SELECT privacct.set_release_terms('visit', time_grid => '10 ms')"), "t\n", 'on a grid');
is(executed(2, "SELECT privacct.set_release_terms('visit', time_grid => '10 ms')"), "42PA1\n", 'but no workers are, on a grid');
is(executed(2, "SELECT privacct.set_release_terms('visit', time_epsilon => 0.1)"), "42PA1\n", 'nor where time has noise');
is(executed(2, "SELECT privacct.set_release_terms('visit', workers => 1)"), "42PA1\n", 'nor more than there are now');
ok(books_agree($node), 'the books agree');
$node->stop;
done_testing();
