# SPDX-License-Identifier: GPL-3.0-or-later
# ClientTest.pm
#		Runs a client program's session as an analyst and reports its steps.
#
# The program gets host and port (TCP on the loopback) and prints "ok NAME" or
# "FAIL NAME: REASON" for each step.
package ClientTest;

use strict;
use warnings;

use Exporter 'import';
use IPC::Run ();
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

our @EXPORT = qw(run_client run_program);

# Runs a program against a server, and turns its steps into tests; it is skipped if a command says that
# it is not installed.
sub run_program
{
	my ($node, $name, $steps, $installed, @command) = @_;
	my ($out, $err) = ('', '');
	my $reported = 0;

  SKIP:
	{
		skip "$name is not installed", $steps + 1 if system("$installed >/dev/null 2>&1") != 0;
		IPC::Run::run([ @command, '127.0.0.1', $node->port ], '>', \$out, '2>', \$err, IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default));
		for my $line (split /\n/, $out)
		{
			next if $line !~ /^(ok|FAIL) ([^:]*)(.*)/;
			$reported++;
			ok($1 eq 'ok', "$name: $2") or diag("$2$3");
		}
		is($reported, $steps, "$name: all steps were run") or diag("$out\n$err");
	}
	return;
}

# Starts a server with a hospital, and runs a program that is installed.
sub run_client
{
	my ($name, $steps, @command) = @_;
	my $node = new_node($name, listen_addresses => '127.0.0.1', log_min_messages => 'fatal');

	$node->start;
	setup_hospital($node);
	$node->safe_psql('postgres', q(
		SELECT privacct.harden_catalog();
		SELECT privacct.set_bounds('visit', 'cost', 0, 500);
		SELECT privacct.set_keys('visit', 'ward', ARRAY['A', 'B', 'C']);
		ALTER ROLE analyst SET privacct.epsilon = 1;
	));
	run_program($node, $name, $steps, 'true', @command);
	ok(books_agree($node), "$name: the books agree");
	$node->stop;
	done_testing();
	return;
}

1;
