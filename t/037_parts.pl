# SPDX-License-Identifier: GPL-3.0-or-later
# The scripts are as migrations/README.md says: each object is defined once, privileges
# are given in one place, and that place tells all that others may do.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

my $migrations = "$ENV{PA_WORK}/migrations";
my $PRIVILEGES = '90_privileges.sql';
my %parts = map { (m{([^/]+)$})[0] => slurp_file($_) } glob "$migrations/parts/*.sql";
my %steps = map { (m{([^/]+)$})[0] => slurp_file($_) } glob "$migrations/0.2/*.sql";
cmp_ok(scalar keys %parts, '>', 30, 'there are parts');

# What a script says without its comments, literals and bodies of functions.
sub statements
{
	my ($text) = @_;
	$text =~ s/--[^\n]*|'(?:[^']|'')*'|(\$\w*\$).*?\g{-1}/defined $1 ? '$$' : ''/ges;
	$text =~ s/\s+/ /g;
	return map { s/^ //r } split /;/, $text;
}

# --- text ---

my (%defined, @twice, @wide, @elsewhere, @not_replaced);
for my $name (sort keys %parts)
{
	for my $statement (statements($parts{$name}))
	{
		push @elsewhere, "$name: $statement" if $name ne $PRIVILEGES && $statement =~ /^(GRANT|REVOKE|ALTER DEFAULT PRIVILEGES)\b/;
		next unless $statement =~ /^CREATE (OR REPLACE )?(?:UNLOGGED |UNIQUE )?(\w+)( TRIGGER)? (IF NOT EXISTS )?([\w.]+ ?(?:\(.*)?)/;
		my ($replace, $kind, $if_not, $what) = ($1, $2, $4, $5);
		push @not_replaced, "$name: $statement"
		  if $kind =~ /^(FUNCTION|AGGREGATE|VIEW|TRIGGER)$/ ? !$replace : $kind =~ /^(TABLE|SEQUENCE|INDEX)$/ && !$if_not;
		next if $kind =~ /^(TYPE|CAST)$/;		# a type is declared, then made; a cast has no name
		if ($kind =~ /^(FUNCTION|AGGREGATE)$/)
		{
			($what) = $what =~ /^([\w.]+ ?(\((?:[^()]|(?2))*\)))/;
			$kind = 'function';
		}
		elsif ($kind eq 'TRIGGER')
		{
			($what) = $statement =~ /TRIGGER (\w+ .*? ON [\w.]+)/;
			$what =~ s/ .* ON / ON /;
		}
		else
		{
			$what =~ s/ .*//;
		}
		push @twice, "$kind $what in $defined{$kind, $what} and $name" if $defined{ $kind, $what };
		$defined{ $kind, $what } = $name;
	}
	my $line = 0;
	for (split /\n/, $parts{$name})
	{
		$line++;
		1 while s/\t/' ' x (4 - $-[0] % 4)/e;
		push @wide, "$name:$line" if length > 120;
	}
}
cmp_ok(scalar keys %defined, '>', 400, 'they define objects');
is(join("\n", @twice), '', 'each once');
is(join("\n", @not_replaced), '', 'so that the script may run again in an upgrade');
is(join("\n", @elsewhere), '', 'privileges are in one part');
is(join("\n", @wide), '', 'lines have at most 120 columns');
is(join("\n", map { my $step = $_; map { "$step: $_" } grep { /^(CREATE|GRANT|REVOKE)\b/ } statements($steps{$step}) } sort keys %steps), '', 'steps define nothing and grant nothing');

# the scripts that are installed are made of them
my ($extensions) = glob "$ENV{PA_DESTDIR}/usr/share/postgresql/*/extension";
my $fresh = slurp_file("$extensions/privacct--0.2.sql");
my $upgrade = slurp_file("$extensions/privacct--0.1--0.2.sql");
my $install = slurp_file("$migrations/install.sql");
is($fresh, join('', $install, map { $parts{$_} } sort keys %parts), 'a fresh install is the parts');
my %both = (%parts, %steps);
is($upgrade, join('', $install, map { $both{$_} } sort keys %both), 'an upgrade is the parts and the steps');

# --- privileges, in a database where the superuser has given some away beforehand ---

my $node = new_node('parts');
$node->start;
$node->safe_psql('postgres', q(
	CREATE ROLE guest;
	ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO guest WITH GRANT OPTION;
	ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO PUBLIC;
	ALTER DEFAULT PRIVILEGES GRANT ALL ON SEQUENCES TO guest;
	ALTER DEFAULT PRIVILEGES GRANT ALL ON FUNCTIONS TO guest;
	CREATE EXTENSION privacct;));

# What is listed: "PUBLIC EXECUTE privacct.compose(jsonb,double precision)".
my (@listed, $rule);
for my $statement (statements($parts{$PRIVILEGES}))
{
	if ($statement =~ /^GRANT SELECT ON (.*) TO (\w+)\s*$/)
	{
		push @listed, map { [ $2, 'SELECT', 'regclass', $_ ] } split /,\s*/, $1;
	}
	elsif ($statement =~ /^GRANT EXECUTE ON FUNCTION (.*) TO (\w+)\s*$/)
	{
		my ($names, $to) = ($1, $2);
		push @listed, [ $to, 'EXECUTE', 'regprocedure', $_ ] for $names =~ /(privacct\.\w+\((?:[^()]*)\))/g;
	}
}
cmp_ok(scalar @listed, '>', 70, 'a list is found');
my @given = split /\n/, $node->safe_psql('postgres', join(' UNION ALL ',
	map { my ($to, $what, $type, $name) = @$_; "SELECT '$to $what ' || '$name'::$type" } @listed));
# aggregates, twins and declarations by their kind
push @given, split /\n/, $node->safe_psql('postgres', q(
	SELECT format('%s EXECUTE %s', CASE WHEN f.prosrc = 'pa_declare' THEN 'privacct_admin' ELSE 'PUBLIC' END, f.oid::regprocedure)
	FROM pg_proc f WHERE f.pronamespace = 'privacct'::regnamespace
	AND (f.prokind = 'a' AND f.proname ~ '^(dp|ldp|approx)_' OR f.proname ~ '^(total|cast)_' OR f.prosrc = 'pa_declare')));
my $MEMBER = q(JOIN pg_depend d ON d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'privacct'));
my $TO = q(CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END || ' ' || a.privilege_type || CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION ' ELSE ' ' END);
my @actual = split /\n/, $node->safe_psql('postgres', qq(
	SELECT $TO || f.oid::regprocedure FROM pg_proc f $MEMBER AND d.classid = 'pg_proc'::regclass AND d.objid = f.oid
	CROSS JOIN LATERAL aclexplode(coalesce(f.proacl, acldefault('f', f.proowner))) a WHERE a.grantee <> f.proowner
	UNION ALL
	SELECT $TO || c.oid::regclass FROM pg_class c $MEMBER AND d.classid = 'pg_class'::regclass AND d.objid = c.oid
	CROSS JOIN LATERAL aclexplode(c.relacl) a WHERE a.grantee <> c.relowner
	UNION ALL
	SELECT \$\$column \$\$ || $TO || c.oid::regclass FROM pg_class c $MEMBER AND d.classid = 'pg_class'::regclass AND d.objid = c.oid
	JOIN pg_attribute t ON t.attrelid = c.oid CROSS JOIN LATERAL aclexplode(t.attacl) a));
is(join("\n", sort @actual), join("\n", sort @given), 'nothing is for others but what is listed');

# --- whoever writes to the books says so ---

is($node->safe_psql('postgres', q(
	SELECT f.oid::regprocedure FROM pg_proc f WHERE f.pronamespace = 'privacct'::regnamespace
	AND (f.prosrc ~* '\m(insert\s+into|update|delete\s+from|truncate|alter\s+database\s+%I\s+set)\s+privacct\.')
		<> coalesce('privacct.write_books=on' = ANY (f.proconfig), false))), '', 'functions that write to the books, and no others, may');

# --- whoever refuses, vouches or carries over sees all that was committed before its locks ---

# Nothing of the extension calls them but the server, the library, or whoever uses it; declarations see to it in
# pa_declare().  These write down what is found by a key, or look at nothing that others declare or charge:
my %WITHOUT = (
	_on_public_drop => 'a row of a table that is gone',
	_on_own_drop => 'objects of the extension', _on_own_change => 'objects of the extension', _on_own_rewrite => 'objects of the extension',
	_on_own_table => 'objects of the extension', _on_own_meddling => 'objects of the extension', _on_own_trigger_drop => 'objects of the extension',
	_on_member_rewrite => 'without the library, when nothing is declared',
	_sum_ledger => 'the ledger\'s worker, under READ COMMITTED', _keep_losses => 'likewise', _note_hand => 'a line, whatever else there is',
	_suggest_bounds => 'proposes, and sets nothing',
	_note_arrival => 'a row that any snapshot shows as it is, or an error');
my @entries = split /\n/, $node->safe_psql('postgres', q(
	WITH f AS (SELECT p.oid, p.proname, p.prosrc, p.provolatile, p.prorettype, l.lanname FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
		WHERE p.pronamespace = 'privacct'::regnamespace AND p.prokind = 'f')
	SELECT DISTINCT f.proname FROM f WHERE f.lanname IN ('sql', 'plpgsql') AND f.provolatile = 'v' AND f.prorettype <> 'trigger'::regtype
	AND NOT EXISTS (SELECT FROM f g WHERE g.oid <> f.oid AND g.proname <> f.proname AND g.prosrc ~ ('\y' || f.proname || '\y'))
	AND NOT EXISTS (SELECT FROM f g WHERE g.prosrc = 'pa_declare' AND '_' || g.proname = f.proname)
	AND f.prosrc !~ '\m_(require_read_committed|require_latest|in_latest_snapshot)\M'));
is(join("\n", grep { !$WITHOUT{$_} } @entries), '', 'entry points require READ COMMITTED, or look with the latest snapshot');

$node->stop;
done_testing();
