# SPDX-License-Identifier: GPL-3.0-or-later
# PrivacctTest.pm
#		Servers with privacct and a small protected hospital, for the TAP tests.
#
# The extension is not installed system-wide: PA_DESTDIR is the root of a staged installation,
# PA_LIBDIR the server's library directory below it, and PA_STAGED has the settings, NAME=VALUE on
# a line, by which a server finds both.  PA_CLUSTER is a new cluster.
package PrivacctTest;

use strict;
use warnings;

use Exporter 'import';
use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Time::HiRes qw(usleep);

our @EXPORT = qw(
  new_node setup_hospital ask ask_value session releases books_agree
  start_clients await_answers finish_clients worker_pid children
  set_ledger_timeout superuser await_server executes upgradable node_to_fill
);

our $QUERY = 'SELECT count(*) FROM visit';

# A server that is not started yet; %conf overrides postgresql.conf, but for options
# of PostgreSQL::Test::Cluster's init().
sub new_node
{
	my ($name, %conf) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);
	my %settings = (
		(map { split /=/, $_, 2 } split /\n/, $ENV{PA_STAGED}),
		shared_preload_libraries => 'privacct',
		fsync => 'on',
		'privacct.ledger_timeout' => '1h',		# so that nothing depends on how fast the machine is
		%conf);

	init_cluster($node, map { $_ => delete $settings{$_} } 'allows_streaming', 'extra');
	$node->append_conf('postgresql.conf', "$_ = '$settings{$_}'\n")
	  for sort keys %settings;
	return $node;
}

# The first cluster of a script is a copy of PA_CLUSTER, which takes less time than a new one, and is
# the same.  Each further one is new, since clusters are told apart by an identifier that a copy has, too.
my $copied = 0;

sub init_cluster
{
	my ($node, %option) = @_;
	my $run = \&PostgreSQL::Test::Utils::system_or_bail;

	return $node->init(%option) if $option{extra} || $copied++;
	no warnings 'redefine';
	local *PostgreSQL::Test::Utils::system_or_bail = sub {
		return $run->($_[0] eq 'initdb' ? ('cp', '-a', $ENV{PA_CLUSTER}, $node->data_dir) : @_);
	};
	return $node->init(%option);
}

# Whether pg_upgrade finds the library: since 18 it looks in the server's own directory only, where a staged one is not.
sub upgradable
{
	return $ENV{PA_STAGED} !~ /^extension_control_path=/m || -e "$ENV{PA_LIBDIR}/privacct.so";
}

# A server for pg_upgrade to fill.  Where that looks for an installed library only, the server loads the same one.
sub node_to_fill
{
	my ($name, %conf) = @_;
	local $ENV{PA_STAGED} = $ENV{PA_STAGED} =~ /^extension_control_path=/m ? '' : $ENV{PA_STAGED};
	return new_node($name, %conf);
}

# The extension, the protected table "visit" and analysts with budgets.
# Options: epsilon (the policy's cap), quota (of each analyst), step (epsilon of
# one release), analysts (names), accountant, database.
sub setup_hospital
{
	my ($node, %option) = @_;
	my %o = (
		epsilon => 1000, quota => 1000, step => 0.001,
		analysts => ['analyst'], database => 'postgres', accountant => 'basic', %option);

	$node->safe_psql($o{database}, qq(
		CREATE EXTENSION privacct;
		CREATE TABLE visit (visit_id int PRIMARY KEY, patient_id int NOT NULL,
							ward text, cost float8);
		INSERT INTO visit
			SELECT i, i / 3, chr(65 + i % 3), i % 500 FROM generate_series(1, 300) i;
		SELECT privacct.protect('visit', owner => 'patient_id', epsilon => $o{epsilon}, min_epsilon => 1e-6,
			delta => 1e-7, accountant => '$o{accountant}',
			max_groups_contributed => 1, max_rows_contributed => 3);
	));
	for my $analyst (@{ $o{analysts} })
	{
		$node->safe_psql($o{database}, qq(
			DO \$\$ BEGIN CREATE ROLE $analyst LOGIN;
				EXCEPTION WHEN duplicate_object THEN NULL; END \$\$;
			ALTER ROLE $analyst SET search_path = public, privacct;
			ALTER ROLE $analyst SET privacct.epsilon = '$o{step}';
			SELECT privacct.grant_budget('visit', '$analyst', epsilon => $o{quota}, delta => 1e-8);
		));
	}
	return;
}

# Runs SQL as an analyst: (exit code, output, errors), errors being SQLSTATEs
# unless another verbosity is asked for.
sub ask
{
	my ($node, $sql, %option) = @_;
	my ($out, $err) = ('', '');
	my $code = $node->psql(
		$option{database} || 'postgres', $sql,
		stdout => \$out, stderr => \$err, on_error_stop => 0,
		extra_params => [
			'-U', $option{role} || 'analyst',
			'-v', 'VERBOSITY=' . ($option{verbosity} || 'sqlstate') ]);

	return ($code, $out, $err);
}

# One answer, or undef.
sub ask_value
{
	my ($code, $out, $err) = ask(@_);
	return $err eq '' && $out =~ /^-?\d+$/ ? $out : undef;
}

# A psql that stays connected; say() runs SQL in it and returns what comes out,
# errors included; hang_up() ends it.
sub session
{
	my ($node, $role, $database, $verbosity) = @_;
	my $session = bless { in => '', out => '' }, 'PrivacctTest::Session';

	$session->{run} = IPC::Run::start(
		[ $node->installed_command('psql'), '-XAtq', '-U', $role, '-v', 'VERBOSITY=' . ($verbosity || 'sqlstate'),
			'-h', $node->host, '-p', $node->port, '-d', $database || 'postgres', '-f', '-' ],
		'<', \$session->{in}, '>', \$session->{out}, '2>&1',
		IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default));
	return $session;
}

# Sends a statement whose answer is still to be awaited.
sub PrivacctTest::Session::send
{
	my ($session, $sql) = @_;

	$session->{in} .= "$sql;\n\\echo END_OF_ANSWER\n";
	IPC::Run::pump_nb($session->{run});
	return;
}

# The answer to the oldest statement that has none yet.
sub PrivacctTest::Session::answer
{
	my ($session) = @_;

	IPC::Run::pump($session->{run}) until $session->{out} =~ s/\A(.*?)^END_OF_ANSWER\n//ms;
	my $answer = $1;
	chomp $answer;
	return $answer;
}

sub PrivacctTest::Session::say
{
	my ($session, $sql) = @_;

	$session->send($sql);
	return $session->answer;
}

sub PrivacctTest::Session::hang_up
{
	IPC::Run::finish($_[0]{run});
	return;
}

# Number of charges in the ledger, of one role or of all.
sub releases
{
	my ($node, $role, $database) = @_;
	my $where = defined $role ? "WHERE payer = '$role'" : '';
	return $node->safe_psql($database || 'postgres',
		"SELECT count(*) FROM privacct.ledger $where");
}

# True if every account holds exactly the sums of its ledger lines.
sub books_agree
{
	my ($node, $database) = @_;
	return $node->safe_psql($database || 'postgres', q(
		WITH sums AS (
			SELECT policy_id, payer::text AS role, sum(epsilon) AS epsilon,
				   sum(delta) AS delta, sum(rho) AS rho, count(*) AS releases
			FROM privacct.ledger WHERE NOT coalesce(detail ? 'fresh', false) GROUP BY GROUPING SETS ((policy_id), (policy_id, payer)))
		SELECT count(*) FROM privacct.account a
		FULL JOIN sums s ON s.policy_id = a.policy_id
			AND coalesce(s.role, '-') = a.role::text
		WHERE coalesce(s.epsilon, 0) IS DISTINCT FROM coalesce(a.epsilon, 0)
		   OR coalesce(s.delta, 0) IS DISTINCT FROM coalesce(a.delta, 0)
		   OR coalesce(s.rho, 0) IS DISTINCT FROM coalesce(a.rho, 0)
		   OR coalesce(s.releases, 0) IS DISTINCT FROM coalesce(a.releases, 0)
	)) eq '0';
}

# Starts one psql per entry of @$roles, each running $script as that role.  They
# read from and write to files, so that nobody has to attend to them.
sub start_clients
{
	my ($node, $roles, $script, %option) = @_;
	my $dir = PostgreSQL::Test::Utils::tempdir;
	my @clients;

	append_to_file("$dir/script", $script);
	for my $role (@$roles)
	{
		my $client = { role => $role, files => "$dir/" . scalar @clients };
		$client->{run} = IPC::Run::start(
			[
				$node->installed_command('psql'), '-XAtq', '-U', $role,
				'-v', 'VERBOSITY=sqlstate',
				'-v', 'ON_ERROR_STOP=' . ($option{stop} ? 1 : 0),
				'-h', $node->host, '-p', $node->port, '-d', 'postgres',
				'-f', "$dir/script" ],
			'>', "$client->{files}.out", '2>', "$client->{files}.err");
		push @clients, $client;
	}
	return @clients;
}

# Waits until each client has read so many lines.
sub await_answers
{
	my ($least, @clients) = @_;

	for my $client (@clients)
	{
		usleep 10_000 while $client->{run}->pumpable && lines_of("$client->{files}.out") < $least;
	}
	return;
}

sub lines_of
{
	my ($file) = @_;
	my $lines = () = slurp_file($file) =~ /\n/g;
	return $lines;
}

# Waits for the clients; collects their output and counts answers and errors.
sub finish_clients
{
	for my $client (@_)
	{
		IPC::Run::finish($client->{run});
		$client->{out} = slurp_file("$client->{files}.out");
		$client->{err} = slurp_file("$client->{files}.err");
		$client->{answers} = () = $client->{out} =~ /^-?\d+$/mg;
		$client->{errors} = () = $client->{err} =~ /(?:ERROR|FATAL):/g;
	}
	return @_;
}

# How long a role that is not patient waits for its charges, from its next session on.
sub set_ledger_timeout
{
	my ($node, $role, $timeout) = @_;
	$node->safe_psql('postgres', "ALTER ROLE $role SET privacct.ledger_timeout = '$timeout'");
	return;
}

# Name of the superuser that runs the server.
sub superuser
{
	return scalar getpwuid($>);
}

# Whether a server that may be gone, or go meanwhile, executes the command; and what comes out.  (The
# methods of a node write it to a psql that may have gone by then.)
sub executes
{
	my ($node, $command, $database, $out) = @_;

	return IPC::Run::run([ $node->installed_command('psql'), '-XAtq', '-h', $node->host, '-p', $node->port,
			'-d', $database || 'postgres', '-c', $command ], '<', \undef, '>', $out || \my $unread, '2>', \my $err, IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default));
}

# Waits until a server that was ended, or crashed, lets sessions in, and executes the command; false if it does not.
sub await_server
{
	my ($node, $database, $command, $out) = @_;

	for (1 .. 10 * $PostgreSQL::Test::Utils::timeout_default)
	{
		return 1 if executes($node, $command || 'SELECT', $database, $out);
		usleep 100_000;
	}
	return 0;
}

# Process id of the ledger's worker, or ''.
sub worker_pid
{
	my ($node) = @_;
	return $node->safe_psql('postgres',
		"SELECT pid FROM pg_stat_activity WHERE backend_type = 'privacct ledger' LIMIT 1");
}

# The children of a process, from the process table.
sub children
{
	my ($parent) = @_;
	my @pids;

	for my $stat (glob '/proc/[0-9]*/stat')
	{
		open(my $file, '<', $stat) or next;
		my $line = <$file> // '';
		close $file;
		push @pids, $1 if $line =~ /^(\d+) \(.*\) \S (\d+) / && $2 == $parent;
	}
	return @pids;
}

1;
