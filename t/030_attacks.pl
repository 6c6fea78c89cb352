# SPDX-License-Identifier: GPL-3.0-or-later
# Attacks on protected tables.  Every case runs as a malicious analyst in a session
# of its own; nothing of the secret person may come out, exactly the stated errors
# and charges must come, and afterwards an honest query must still be answered.
#
# t/attacks/cases/*.sql holds the cases:
#	-- case: NAME			starts a case
#	-- as: ROLE				who runs it (default: spy)
#	-- errors: 2 42PA1, 1 42501		exactly these errors (default: none)
#	-- charges: N			exactly that many lines of the ledger, or "any" (default: 0)
#	-- prints: REGEX		what the output must match; may be repeated
# The catalogue of t/attacks/catalogue, which knows nothing of this product, runs too.
use strict;
use warnings;

use File::Basename qw(basename);
use IPC::Run ();
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

my $SECRET = qr/Ottilie|Nachtigall|OX-5512|73915824|lycanthropy|9100000000000000321|5874000|294270|BREACH/;
my $DOWN = qr/server closed the connection|recovery mode|connection to server was lost|the database system is/;
my $here = "$ENV{PA_WORK}/t/attacks";

my $node = new_node('attacks', log_min_messages => 'fatal', restart_after_crash => 'on');
$node->start;
# text functions of an UTF-8 locale do more, and can fail in more ways, than those of C
$node->safe_psql('postgres', "CREATE DATABASE infirmary TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'");

# Runs a file of SQL; everything that comes out, in one string.
sub run_sql
{
	my ($role, $file) = @_;
	my $output = '';
	my @psql = ($node->installed_command('psql'), '-XAtq', '-U', $role, '-d', 'infirmary',
		'-h', $node->host, '-p', $node->port, '-v', 'VERBOSITY=verbose', '-f', $file);
	my $run = IPC::Run::start(\@psql, '>', \$output, '2>&1', IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default));

	eval { IPC::Run::finish($run); 1 } or $output .= "\nBREACH: no end ($@)";
	return $output;
}

# The cases of a file: hashes of name, as, errors, charges, prints and sql.
sub read_cases
{
	my ($file) = @_;
	my @cases;

	for my $line (split /^/m, slurp_file($file))
	{
		if ($line =~ /^-- case: (.*\S)/)
		{
			push @cases, { name => $1, as => 'spy', errors => '', charges => 0, prints => [], sql => '' };
		}
		elsif (@cases && $line =~ /^-- prints: (.*\S)/) { push @{ $cases[-1]{prints} }, $1; }
		elsif (@cases && $line =~ /^-- (as|errors|charges): (.*\S)/) { $cases[-1]{$1} = $2; }
		elsif (@cases) { $cases[-1]{sql} .= $line; }
	}
	return @cases;
}

# "2 42PA1, 1 42501", in a fixed order
sub errors_in
{
	my ($output) = @_;
	my %count;

	$count{$_}++ for $output =~ /^(?:psql:\S+ )?(?:ERROR|FATAL):  (\w{5}):/mg;
	return join(', ', map { "$count{$_} $_" } sort keys %count);
}

sub in_order
{
	return join(', ', sort { substr($a, -5) cmp substr($b, -5) } split /, /, $_[0]);
}

# Waits for a server that comes back after a crash.
sub charges
{
	my $charges;

	await_server($node, 'infirmary', 'SELECT count(*) FROM privacct.ledger', \$charges) or BAIL_OUT('the server does not come back');
	chomp $charges;
	return $charges;
}

# What is wrong with the outcome of a case; nothing if all is well.
sub flaws
{
	my ($case, $output, $charged, $honest) = @_;
	my @flaws;
	my $errors = errors_in($output);

	push @flaws, "the secret came out: $&" if $output =~ $SECRET;
	push @flaws, 'the server went down' if $output =~ $DOWN;
	push @flaws, "errors: $errors; expected: $case->{errors}" if $errors ne in_order($case->{errors});
	push @flaws, "charges: $charged; expected: $case->{charges}" if $case->{charges} ne 'any' && $charged != $case->{charges};
	push @flaws, map { "output does not match $_" } grep { $output !~ /$_/ } @{ $case->{prints} };
	push @flaws, "the honest query fails: $honest" if $honest !~ /^\d+$/ || $honest < 5000 || $honest > 7000;
	return @flaws;
}

sub run_case
{
	my ($case) = @_;
	my $file = PostgreSQL::Test::Utils::tempdir . '/case.sql';
	my $before = charges();
	my ($output, $charged, $honest);

	append_to_file($file, $case->{sql});
	$output = run_sql($case->{as}, $file);
	$charged = charges() - $before;
	(undef, $honest) = ask($node, 'SELECT count(*) FROM care.stay', role => 'spy', database => 'infirmary');
	return (\$output, flaws($case, $output, $charged, $honest));
}

append_to_file("$here/setup.sql", "\\set ON_ERROR_STOP 1\n\\i $here/fixture.sql\n");
is(run_sql('postgres', "$here/setup.sql") =~ /ERROR/ ? 'failed' : 'done', 'done', 'the fixture loads') or BAIL_OUT('no fixture');

my $only = $ENV{PA_CASE};
for my $file (sort glob "$here/cases/*.sql")
{
	my $class = basename($file, '.sql');

	for my $case (read_cases($file))
	{
		next if defined $only && "$class $case->{name}" !~ /$only/;
		my ($output, @flaws) = run_case($case);

		ok(!@flaws, "$class: $case->{name}");
		diag(join("\n", @flaws, substr($$output, 0, 4000))) if @flaws;
		note(substr($$output, 0, 4000)) if $ENV{PA_SHOW};
	}
}

# Every built-in function over allowed types, on the extremes of its types: it is
# refused, or it raises no error.
if (!defined $only || 'totality' =~ /$only/)
{
	my $output = run_sql('postgres', "$here/totality.sql");
	my ($allowed, $tried) = $output =~ /^allowed (\d+) of (\d+)$/m;

	unlike($output, qr/^FAILS|ERROR/m, 'no allowed function fails on any argument') or diag(substr($output, 0, 4000));
	cmp_ok($allowed // 0, '>', 300, 'many functions are allowed');
	cmp_ok($tried // 0, '>', 1000, 'many more were tried');
}

# The catalogue of t/attacks/catalogue, written for any product, has its own fixture and runner.
sub run_catalogue
{
	my ($budget) = @_;
	my $output = '';

	local $ENV{PGHOST} = $node->host;
	local $ENV{PGPORT} = $node->port;
	local $ENV{PGUSER} = 'postgres';
	local $ENV{PA_BUDGET} = $budget;
	local $ENV{OUT} = PostgreSQL::Test::Utils::tempdir;
	IPC::Run::run([ 'bash', "$ENV{PA_WORK}/catalogue/run.sh", 'product' ],
		'>', \$output, '2>&1', IPC::Run::timeout(10 * $PostgreSQL::Test::Utils::timeout_default));
	return $output;
}

SKIP:
{
	my $copy = "$ENV{PA_WORK}/catalogue";

	skip 'one case only was asked for', 2 if defined $only;
	$node->safe_psql('postgres', 'ALTER ROLE postgres SUPERUSER');
	system_or_bail('cp', '-r', "$here/catalogue", $copy);
	mkdir "$copy/adapters";
	system_or_bail('cp', "$here/product.sql", "$copy/adapters/product.sql");
	for my $budget (1000000, 0.001)
	{
		my $output = run_catalogue($budget);
		# it takes any figure for that of rows: here pg_class has -1 for each protected table
		my $constant = $output =~ s/^LEAK +101_pg_class_reltuples +LEAK: rows per partition (?:\w+=-1(?:, )?)+ *\n//m ? 1 : 0;

		like($output, qr/^product: $constant of \d+ attacks leak, 0 crash/m, "the catalogue, budget $budget")
		  or diag(join "\n", grep { !/^held/ } split /\n/, $output);
	}
}

$node->stop;
done_testing();
