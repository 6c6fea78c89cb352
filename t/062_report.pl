# SPDX-License-Identifier: GPL-3.0-or-later
# Pages about budgets: written by bin/privacct-report and by the script for psql, looked at in a browser; and the
# queries of the dashboard.
#
# CHROMIUM is the browser, if it is not on the path.
use strict;
use warnings;

use File::Temp;
use IPC::Run ();
use JSON::PP;
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

my $root = $ENV{PA_WORK};
my ($program) = glob "$ENV{PA_DESTDIR}/usr/lib/postgresql/*/bin/privacct-report";
my ($documents) = glob "$ENV{PA_DESTDIR}/usr/share/doc/postgresql-doc-*/extension $ENV{PA_DESTDIR}/usr/share/postgresql/*/doc/extension";
my ($chromium) = grep { defined && -x } $ENV{CHROMIUM}, map { ("$_/chromium", "$_/chromium-browser", "$_/google-chrome") } split /:/, $ENV{PATH};
my $pages = PostgreSQL::Test::Utils::tempdir;

my $node = new_node('report', log_min_messages => 'fatal');
$node->start;
setup_hospital($node, epsilon => 10, quota => 5, step => 0.1, analysts => [ 'analyst', 'other' ]);
ask($node, 'SELECT count(*) FROM visit', role => 'analyst') for 1 .. 5;
ask($node, 'SELECT ward, count(*) AS visits FROM visit GROUP BY ward HAVING count(*) > 40', role => 'other');
$ENV{PGHOST} = $node->host;
$ENV{PGPORT} = $node->port;
$ENV{PGDATABASE} = 'postgres';

# --- the program ---

sub run_program
{
	my ($user, @arguments) = @_;
	local $ENV{PGUSER} = $user;
	my $code = IPC::Run::run([ $program, @arguments ], '<', \undef, '>', \my $out, '2>', \my $err) ? 0 : $? >> 8;
	return ($code, $out, $err);
}

ok(defined $program, 'make install installs the program') or BAIL_OUT('no privacct-report');
{
	my $mask = umask 027;
	is_deeply([ run_program(superuser(), "$pages/budgets.html") ], [ 0, '', '' ], 'a page is written, without a word');
	umask $mask;
}
is((stat "$pages/budgets.html")[2] & 07777, 0640, 'umask says who may read it');
my $page = slurp_file("$pages/budgets.html");
like($page, qr/^<!DOCTYPE html>.*public\.visit.*<\/html>\s*$/s, 'the page is whole');
like($page, qr/analyst.*other/s, 'it has the roles');

for my $case ([ 'a role that is not there', 'nobody_here', "$pages/budgets.html" ], [ 'no number', superuser(), '--days', '3; DROP', "$pages/budgets.html" ],
	[ 'no file', superuser() ], [ 'an unknown option', superuser(), '--x', "$pages/budgets.html" ], [ 'a folder', superuser(), $pages ],
	[ 'a folder that is not there', superuser(), "$pages/none/budgets.html" ])
{
	my ($what, @arguments) = @$case;
	my ($code, undef, $err) = run_program(@arguments);
	isnt($code, 0, "$what fails") or diag($err);
	isnt($err, '', '... and says so');
}
is(slurp_file("$pages/budgets.html"), $page, 'the old page stays where a new one is not complete');
is(join(' ', glob "$pages/.privacct*"), '', 'nothing is left beside it');

is((run_program('analyst', '--mine', '--days', '7', "$pages/mine.html"))[0], 0, 'an analyst has a page');
my $mine = slurp_file("$pages/mine.html");
like($mine, qr/public\.visit|>visit</, '... with the budget');
unlike($mine, qr/\bother\b.*<\/table>|HAVING|ward/s, '... and nothing of what others ask');

# --- the script for psql ---

{
	ok(-f "$documents/report.sql", 'make install installs the script') or diag($documents // 'no folder');
	my ($out, $err) = ('', '');
	IPC::Run::run([ $node->installed_command('psql'), '-X', '-d', 'postgres', '-c', "\\set file $pages/psql.html", '-c', '\pset border 2',
			'-c', "\\i $documents/report.sql", '-c', '\pset border', '-c', '\echo :ENCODING' ], '>', \$out, '2>', \$err);
	is($err, '', 'the script runs');
	like($out, qr/psql\.html is written.*Border style is 2/s, '... and leaves settings as they were');
	like(slurp_file("$pages/psql.html"), qr/^<!DOCTYPE html>.*<\/html>\s*$/s, '... and writes a page');
}

# --- the dashboard ---

{
	my $dashboard = decode_json(slurp_file("$root/examples/grafana.json"));
	my @queries = map { my $title = $_->{title}; map { [ $title, $_->{rawSql} ] } @{ $_->{targets} } } @{ $dashboard->{panels} };
	cmp_ok(scalar @queries, '>=', 8, 'the dashboard has queries');
	for my $query (@queries)
	{
		my ($title, $sql) = @$query;
		$sql =~ s/\$__timeGroupAlias\((\w+), '1d'\)/date_trunc('day', $1) AS "time"/g;
		$sql =~ s/\$__timeFilter\((\w+)\)/$1 BETWEEN now() - interval '30 days' AND now()/g;
		unlike($sql, qr/\$__/, "$title: macros are known");
		my ($code, $out, $err) = (0, '', '');
		$code = $node->psql('postgres', $sql, stdout => \$out, stderr => \$err);
		is($err, '', "$title: the query runs");
		isnt($out, '', "$title: it has rows") unless $title =~ /Local|Discrepancies/;
	}
}

# --- many budgets, many charges ---

{
	$node->safe_psql('postgres', q(
		SET client_min_messages = error;
		SET privacct.write_books = on;
		INSERT INTO privacct.ledger_line (policy_id, charged_at, role, epsilon, delta, rho)
			SELECT p.policy_id, now() - g * interval '1 second', 'analyst', 1e-9, 0, 0 FROM privacct.policy p, generate_series(1, 100000) g;));
	my $seen = $node->safe_psql('postgres', q(SET statement_timeout = '60s'; SELECT privacct.report() ~ '100,006'));
	is($seen, 't', 'a hundred thousand charges are counted');
	like($node->safe_psql('postgres', q(SET enable_seqscan = off; SET enable_indexscan = off;
		EXPLAIN SELECT count(*) FROM privacct.spending WHERE charged_at >= now() - interval '1 minute')),
		qr/Bitmap Index Scan on ledger_time/, '... and those of some days are found by their time');
}

# --- a browser ---

SKIP:
{
	skip 'Chromium is not installed', 1 unless defined $chromium;

	# what a name could do on a page
	$node->safe_psql('postgres', q(
		SET client_min_messages = error;
		CREATE TABLE "<img src=x onerror=document.title='owned'>" (person int NOT NULL);
		CREATE ROLE "<script>document.title='owned'</script>";
		SELECT privacct.protect('"<img src=x onerror=document.title=''owned''>"', 'person', epsilon => 1, fresh => true);
		SELECT privacct.grant_budget('"<img src=x onerror=document.title=''owned''>"', '<script>document.title=''owned''</script>', 1);));
	is((run_program(superuser(), "$pages/hostile.html"))[0], 0, 'a page with names that are no names');

	for my $name (qw(budgets mine hostile))
	{
		for my $look ([ 'light', '--blink-settings=preferredColorScheme=1' ], [ 'dark', '--blink-settings=preferredColorScheme=0' ])
		{
			my ($colours, @options) = @$look;
			my $err = browse(@options, '--window-size=1200,1600', "--screenshot=$pages/$name.$colours.png", "file://$pages/$name.html");
			cmp_ok(-s "$pages/$name.$colours.png" // 0, '>', 30_000, "$name, $colours: the picture is not empty") or diag($err);
			unlike($err, qr/CONSOLE|Refused to|violates the following/, "$name, $colours: no errors of scripts, nothing refused");
		}
		my $dom = browse('--dump-dom', "file://$pages/$name.html");
		like($dom, qr/<title>(?:Your p|P)rivacy budgets<\/title>/, "$name: no name has run");
		like($dom, qr/What is left.*How to read this page/s, "$name: its text is there");
		unlike($dom, qr/<(?:script|img|iframe|object|link|form)\b/, "$name: nothing in it runs or loads");
	}
	system('cmp', '-s', "$pages/budgets.light.png", "$pages/budgets.dark.png");
	isnt($?, 0, 'dark is not light');
	if ($ENV{PA_PICTURES})
	{
		system('cp', $_, $ENV{PA_PICTURES}) for glob "$pages/*.png $pages/*.html";
	}
}

# What the browser prints; it keeps nothing.
sub browse
{
	my $profile = File::Temp->newdir;
	my $out = '';
	IPC::Run::run([ $chromium, '--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--enable-logging=stderr',
			"--user-data-dir=$profile", @_ ], '<', \undef, '>', \$out, '2>&1', IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default));
	return $out;
}

$node->stop;
done_testing();
