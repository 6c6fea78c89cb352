# SPDX-License-Identifier: GPL-3.0-or-later
# fuzz.pl DIR
#
# Calls every function and aggregate of the schema privacct with arguments that nobody
# would give, as a superuser, as the owner of protected tables and as an analyst.
# Found is: a crash, an error of an internal class (XX...), a call that takes more
# than some seconds of CPU after pg_cancel_backend().
#
#	FUZZ_SEED		printed; the same seed makes the same calls
#	FUZZ_CALLS		of each function by each role (20)
#	FUZZ_FUNCTION	only those whose name matches
#
# Connects as PGHOST, PGDATABASE say.  Writes DIR/findings.sql and ends with status 1 if
# there is anything in it.
use strict;
use warnings;

use DBD::Pg qw(:async);
use DBI;
use List::Util qw(max);
use Time::HiRes qw(sleep time);

use FindBin;
use lib $FindBin::Bin;
use FuzzPools qw(draw set_seed pick chance whole);

my $directory = shift // die "usage: fuzz.pl DIR\n";
my $seed = $ENV{FUZZ_SEED} // int(time * 1000) % 1_000_000_000;
my $calls = $ENV{FUZZ_CALLS} // 20;
my $only = $ENV{FUZZ_FUNCTION} // '';

use constant PATIENCE => 4;			# seconds that a call may take before it is cancelled
use constant CPU_AFTER_CANCEL => 5;	# seconds of CPU that it may take then
use constant WAIT_AFTER_CANCEL => 300;
use constant LONGEST_SHOWN => 400;

my @roles = qw(postgres fuzz_owner fuzz_analyst);
my (%session, $watch, @findings, %seen, %states, %answered);

$| = 1;
print "== fuzz: FUZZ_SEED=$seed FUZZ_CALLS=$calls\n";
set_seed($seed);

# --- sessions ---

sub connect_as
{
	my ($role) = @_;

	for (1 .. 600)
	{
		my $dbh = DBI->connect("dbi:Pg:", $role, '', { RaiseError => 0, PrintError => 0, PrintWarn => 0, AutoCommit => 1 });
		if ($dbh)
		{
			$dbh->{pg_placeholder_dollaronly} = 1;
			$dbh->do('SET client_min_messages = error');
			$dbh->do('SET search_path = fuzz, privacct, public');
			return { dbh => $dbh, pid => $dbh->{pg_pid} };
		}
		sleep 0.5;
	}
	die "the server does not come back\n";
}

sub session
{
	my ($role) = @_;

	$session{$role} //= connect_as($role);
	return $session{$role};
}

sub watch
{
	$watch = connect_as('postgres') if !$watch || !$watch->{dbh}->ping;
	return $watch->{dbh};
}

# --- findings ---

sub found
{
	my ($role, $what, $key, $statements) = @_;

	return if $seen{"$key"}++;
	push @findings, $what;
	my $shown = $statements->[-1];
	$shown = substr($shown, 0, LONGEST_SHOWN) . ' ...' if length $shown > LONGEST_SHOWN;
	print "FOUND as $role: $what\n  $shown\n";
	open my $file, '>>', "$directory/findings.sql" or die $!;
	print $file "-- as $role: ", $what =~ s/\n/ /gr, "\nBEGIN;\n", (map { "$_;\n" } @$statements), "ROLLBACK;\n\n";
	close $file;
	return;
}

# --- one call ---

sub cpu_of
{
	my ($pid) = @_;

	open my $file, '<', "/proc/$pid/stat" or return;
	my $line = <$file>;
	close $file;
	$line =~ s/^.*\) //s;
	my @field = split ' ', $line;
	return ($field[11] + $field[12]) / 100;
}

# Whether the call ended, for whatever reason; after a cancel within the CPU that it may take.
sub wait_for
{
	my ($session) = @_;
	my $start = time;
	my ($cancelled, $cpu);

	for (my $pause = 0.0005;; $pause = $pause < 0.05 ? $pause * 1.5 : $pause)
	{
		my $ready = $session->{dbh}->pg_ready;
		return 1 if !defined $ready || $ready;
		my $now = time;
		if (!$cancelled && $now - $start > PATIENCE)
		{
			$cpu = cpu_of($session->{pid});
			watch()->do('SELECT pg_cancel_backend($1)', undef, $session->{pid});
			$cancelled = $now;
		}
		if ($cancelled)
		{
			my $since = (cpu_of($session->{pid}) // return 1) - ($cpu // return 1);
			return 0 if $since > CPU_AFTER_CANCEL || $now - $cancelled > WAIT_AFTER_CANCEL;
		}
		sleep $pause;
	}
}

# A stack for the report, and an end: the server's handler of SIGABRT prints it.
sub abort_backend
{
	my ($role) = @_;
	my $session = delete $session{$role};

	kill 'ABRT', $session->{pid};
	undef $watch;
	%session = ();
	sleep 1;
	return;
}

# Runs the last of the statements; false if the transaction is over.
sub run
{
	my ($role, $name, $statements) = @_;
	my $session = session($role);
	my $dbh = $session->{dbh};
	my $sent = $dbh->do($statements->[-1], { pg_async => PG_ASYNC, pg_server_prepare => 0 });

	if (defined $sent && !wait_for($session))
	{
		found($role, "$name: does not react to a cancel", "cancel $name", $statements);
		abort_backend($role);
		return 0;
	}
	my $result = defined $sent ? $dbh->pg_result : undef;
	my $state = defined $result ? '00000' : $dbh->state || '?';

	$states{$state}++;
	$answered{$name}++ if defined $result;
	if (!defined $result && !$dbh->ping)
	{
		found($role, "$name: the server process crashed", "crash $name", $statements);
		%session = ();
		undef $watch;
		return 0;
	}
	found($role, "$name: $state " . ($dbh->errstr // ''), "$name $state", $statements) if $state =~ /^XX/;
	return defined $result;
}

# One to four calls in a transaction, so that one sees what another one did.
sub transaction
{
	my ($role, @functions) = @_;
	my @statements;

	session($role)->{dbh}->do('BEGIN', { pg_direct => 1 });
	for my $function (@functions)
	{
		push @statements, statement($function);
		run($role, $function->{name}, \@statements) or last;
	}
	session($role)->{dbh}->do('ROLLBACK', { pg_direct => 1 });
	return;
}

# --- statements ---

my @relations = qw(fuzz.central fuzz.person fuzz.stay fuzz.plain fuzz.part);

sub statement
{
	my ($function) = @_;
	my $given = @{ $function->{types} } - (chance(0.5) ? whole(0, $function->{defaults}) : 0);
	my @arguments = map { draw($function->{types}[$_], $function->{names}[$_], $function->{kind}) } 0 .. $given - 1;
	my $call = "privacct.$function->{name}(" . join(', ', @arguments) . ')';

	return "SELECT $call FROM " . pick(@relations) . (chance(0.3) ? ' GROUP BY region' : '') if $function->{kind} eq 'a';
	return $function->{set} ? "SELECT count(*) FROM (SELECT $call LIMIT 10000) c" : "SELECT $call";
}

sub functions
{
	watch()->do('SET search_path = pg_catalog');	# types with their schemas
	my $rows = watch()->selectall_arrayref(q(
		SELECT p.proname, p.prokind, p.proretset, array_to_string(p.proargtypes::regtype[], '|'), array_to_string(p.proargnames[:p.pronargs], '|'), p.pronargdefaults
		FROM pg_proc p WHERE p.pronamespace = 'privacct'::regnamespace AND p.prokind IN ('f', 'a')
			AND NOT 'internal'::regtype::oid = ANY (p.proargtypes)
			AND p.prorettype NOT IN ('trigger'::regtype, 'event_trigger'::regtype)
		ORDER BY p.proname, p.proargtypes::regtype[]::text), {}) or die watch()->errstr;

	return grep { $_->{name} =~ /$only/ } map { {
		name => $_->[0], kind => $_->[1], set => $_->[2], types => [split /\|/, $_->[3]], names => [split /\|/, $_->[4] // ''], defaults => $_->[5]
	} } @$rows;
}

# --- all of it ---

sub prepare
{
	my $dbh = connect_as('postgres')->{dbh};

	open my $file, '<', "$FindBin::Bin/fuzz.sql" or die $!;
	local $/ = ";\n";
	while (my $statement = <$file>)
	{
		$dbh->do($statement, { pg_direct => 1 }) or die "$statement: " . $dbh->errstr . "\n";
	}
	return;
}

prepare();
my @functions = functions();
printf "%d functions and aggregates\n", scalar @functions;
my $declarations = [grep { $_->{name} =~ /^(?!_|total_)/ && $_->{kind} eq 'f' } @functions];
for my $round (1 .. $calls)
{
	for my $function (@functions)
	{
		for my $role (@roles)
		{
			my @others = map { pick(@{ @$declarations ? $declarations : \@functions }) } 1 .. (chance(0.7) ? 0 : whole(1, 3));
			transaction($role, @others, $function);
		}
	}
	printf "round %d of %d: %d found\n", $round, $calls, scalar @findings;
}
print 'outcomes: ', join(', ', map { "$_ $states{$_}" } sort { $states{$b} <=> $states{$a} } keys %states), "\n";
my @never = sort grep { !$answered{$_} } keys %{ { map { $_->{name} => 1 } @functions } };
print 'never answered: ', join(', ', @never), "\n" if @never;
printf "%d found\n", scalar @findings;
exit(@findings ? 1 : 0);
