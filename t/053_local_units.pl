# SPDX-License-Identifier: GPL-3.0-or-later
# Whatever becomes of tables of the local regime, in what order they join a unit, are renewed, leave it and come
# back, the unit holds at least what an owner can have lost by now and can still lose: as epsilon the largest promise
# or loss; as rho the sum over all policies under which anything was asked, and the one in force, of what each
# allowed above what was lost before.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use List::Util qw(max min sum0);
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

my @TABLES = map { "vote$_" } 1 .. 3;
my @UNITS = ('plain', 'curved');
my $SEED = $ENV{SEED} // 11;
my $STEPS = 100;

my $node = new_node('units');
$node->start;
$node->safe_psql('postgres', q(
	CREATE EXTENSION privacct;
	CREATE ROLE analyst LOGIN;
	SELECT privacct.create_unit('plain', epsilon => 12), privacct.create_unit('curved', epsilon => 12, delta => 1e-6, accountant => 'zcdp');));
$node->safe_psql('postgres', "CREATE TABLE $_ (${_}_id int PRIMARY KEY, yes boolean NOT NULL); INSERT INTO $_ SELECT i, i % 2 = 0 FROM generate_series(1, 12) i")
  for @TABLES;

# true if the statement was not refused
sub done
{
	my ($sql, %option) = @_;
	my ($code, $out, $err) = $node->psql('postgres', "SET client_min_messages = error; $sql", %option);
	like($err, qr/53PA2|less left|no owner can bear/, "refused for want of budget: $sql") or diag($err) if $code;
	return $code == 0;
}

sub rho_of { return min($_[0], $_[0]**2 / 2); }

my (%open, %lost, %all);
my %by = map { $_ => { map { $_ => 0 } @TABLES } } @UNITS;

sub protect
{
	my ($table, $unit, $epsilon) = @_;
	my $in = $unit ? ", unit => '$unit'" : '';
	my $id = substr($table, 0, 5) . '_id';
	done("BEGIN; SELECT privacct.protect('$table', '$id', regime => 'local', epsilon => $epsilon$in);
		SELECT privacct.set_domain('$table', 'yes', ARRAY[false, true]), privacct.grant_budget('$table', 'analyst', 1000); COMMIT;",
		on_error_stop => 1) or return;
	my $start = $lost{$table} // 0;
	my $all = $all{$table} //= [];
	my $open = $open{$table} = { rho => rho_of(max($epsilon - $start, 0)), asked => 0 };
	push @$all, $open;
	return unless $unit;
	my $need = $unit eq 'plain' ? max($epsilon, $start) : sum0(map { $_->{rho} } grep { $_->{asked} || $_ == $open } @$all);
	$by{$unit}{$table} = max($by{$unit}{$table}, $need);
	return;
}

sub ask
{
	my ($table, $epsilon) = @_;
	$open{$table}{asked} = 1 if done("SET SESSION AUTHORIZATION analyst; SET privacct.epsilon = $epsilon; SELECT privacct.ldp_count(yes) FROM $table", on_error_stop => 1);
	my $most = $node->safe_psql('postgres', "SELECT privacct._most_lost(p) FROM privacct.policy p WHERE p.relation = '$table'::regclass AND p.closed_at IS NULL");
	$lost{$table} = max($lost{$table} // 0, $most);
	return;
}

sub unprotect
{
	my ($table) = @_;
	$node->safe_psql('postgres', "SELECT privacct.unprotect('$table')");
	delete $open{$table};
	return;
}

srand $SEED;
my (@short, @problems);
for my $step (1 .. $STEPS)
{
	my $table = $TABLES[ rand @TABLES ];
	my $unit = (undef, @UNITS)[ rand 3 ];
	my $epsilon = (0.1, 0.3, 0.6, 1.2, 2.5)[ rand 5 ];

	if (!$open{$table})
	{
		protect($table, $unit, $epsilon);
	}
	elsif (rand() < 0.5)
	{
		ask($table, $epsilon);
	}
	else
	{
		unprotect($table);
		protect($table, $unit, $epsilon) if rand() < 0.7;
	}
	push @problems, "$step: $_" for split /\n/, $node->safe_psql('postgres', 'SELECT problem, detail FROM privacct.check_books()');
	my ($held) = split /\n/, $node->safe_psql('postgres', "SELECT a.epsilon FROM privacct.account a JOIN privacct.policy p USING (policy_id) WHERE p.name = 'plain' AND a.role = 0");
	my $least = sum0 values %{ $by{plain} };
	push @short, "$step: plain $held, $least" if $held < $least - 1e-9;
	$held = $node->safe_psql('postgres', "SELECT a.rho FROM privacct.account a JOIN privacct.policy p USING (policy_id) WHERE p.name = 'curved' AND a.role = 0");
	$least = sum0 values %{ $by{curved} };
	push @short, "$step: curved $held, $least" if $held < $least - 1e-9;
}
is_deeply(\@short, [], "units hold what owners can lose (seed $SEED)");
is_deeply(\@problems, [], 'the books are in order');
cmp_ok(scalar(grep { $_ } map { values %$_ } values %by), '>=', 4, 'tables have been in both units');
cmp_ok(max(values %lost), '>', 1, 'owners have lost something');
$node->stop;

done_testing();
