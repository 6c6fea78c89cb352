# SPDX-License-Identifier: GPL-3.0-or-later
# Installing: refused without the library, and into a schema that somebody else
# made or left something in, before anything of that schema is called.  The roles
# are refused if they are somebody.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

my $node = new_node('install');
$node->start;
$node->safe_psql('postgres', 'CREATE ROLE mallory LOGIN');

my $serial = 0;

# A database of its own in which mallory may make schemas.
sub fresh_database
{
	my $name = 'house_' . ++$serial;
	$node->safe_psql('postgres', "CREATE DATABASE $name");
	$node->safe_psql('postgres', "GRANT CREATE ON DATABASE $name TO mallory");
	return $name;
}

sub run_as
{
	my ($role, $database, $sql) = @_;
	my ($out, $err) = ('', '');
	$node->psql($database, $sql, stdout => \$out, stderr => \$err,
		extra_params => [ '-U', $role, '-v', 'VERBOSITY=verbose' ]);
	return ($out, $err);
}

# CREATE EXTENSION fails like this, and leaves nothing.
sub refused
{
	my ($database, $like, $what) = @_;
	my (undef, $err) = run_as('postgres', $database, 'CREATE EXTENSION privacct');
	like($err, $like, $what);
	is($node->safe_psql($database, q(SELECT count(*) FROM pg_extension WHERE extname = 'privacct')), 0, "$what: no extension");
	return;
}

# What mallory would have called: every operator and function that 0.1 wrote without
# a schema, taken over by an exact match, makes mallory a superuser.
my $TRAPS = q(
	CREATE FUNCTION privacct.trap() RETURNS boolean LANGUAGE plpgsql AS
		$$ BEGIN EXECUTE 'ALTER ROLE mallory SUPERUSER'; RETURN true; END $$;
);
for my $types ([ 'name', 'unknown' ], [ 'oid', 'regclass' ], [ 'oid', 'regnamespace' ], [ 'name', 'text' ], [ 'text', 'text' ],
	[ 'oid', 'oid' ], [ '"char"', 'unknown' ], [ 'regclass', 'oid' ])
{
	my ($left, $right) = @$types;
	next if $right eq 'unknown';
	$TRAPS .= qq(CREATE FUNCTION privacct.trap($left, $right) RETURNS boolean LANGUAGE sql AS 'SELECT privacct.trap()';\n);
	$TRAPS .= qq(CREATE OPERATOR privacct.$_ (LEFTARG = $left, RIGHTARG = $right, FUNCTION = privacct.trap);\n)
	  for '=', '<>', '~~', '~';
}

sub is_superuser
{
	return $node->safe_psql('postgres', q(SELECT rolsuper FROM pg_roles WHERE rolname = 'mallory'));
}

my $house = fresh_database();
(undef, my $err) = run_as('mallory', $house, "CREATE SCHEMA privacct; $TRAPS");
is($err, '', 'the traps are set');
refused($house, qr/42PA4: schema "privacct" was made by somebody else/, "mallory's schema");
is(is_superuser(), 'f', 'mallory was not called');

# a schema of a superuser's in which mallory may create, or in which mallory's objects are
$house = fresh_database();
$node->safe_psql($house, 'CREATE SCHEMA privacct; GRANT ALL ON SCHEMA privacct TO mallory');
refused($house, qr/42PA4: others may create objects in schema "privacct"/, 'an open schema');
(undef, $err) = run_as('mallory', $house, $TRAPS);
$node->safe_psql($house, 'REVOKE CREATE ON SCHEMA privacct FROM mallory');
refused($house, qr/42PA4: schema "privacct" holds objects that are not of the extension/, "mallory's functions");
is(is_superuser(), 'f', 'mallory was not called');
for my $object ('CREATE TABLE privacct.policy (n int)', 'CREATE TYPE privacct.t AS ENUM ()', 'CREATE COLLATION privacct.c FROM "C"',
	'CREATE TEXT SEARCH CONFIGURATION privacct.s (COPY = simple)', 'ALTER DEFAULT PRIVILEGES IN SCHEMA privacct GRANT ALL ON TABLES TO PUBLIC')
{
	$house = fresh_database();
	$node->safe_psql($house, "CREATE SCHEMA privacct; $object");
	refused($house, qr/42PA4: schema "privacct" holds objects/, $object);
}

# an empty one of a superuser's is what DROP EXTENSION leaves
$house = fresh_database();
$node->safe_psql($house, 'CREATE EXTENSION privacct; DROP EXTENSION privacct; CREATE EXTENSION privacct');
is($node->safe_psql($house, q(SELECT count(*) > 100 FROM pg_proc WHERE pronamespace = 'privacct'::regnamespace)), 't', 'installed again');

# default privileges of the installing superuser do not open the catalog: whomever they
# are for, all privileges are those that they would be without
my $PRIVILEGES = q(
	SELECT pg_describe_object(d.classid, d.objid, 0), coalesce(c.relacl, f.proacl, acldefault(CASE WHEN f.oid IS NULL THEN 'r' ELSE 'f' END::"char", e.extowner)) AS acl
	FROM pg_extension e JOIN pg_depend d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND d.deptype = 'e'
	LEFT JOIN pg_class c ON d.classid = 'pg_class'::regclass AND c.oid = d.objid LEFT JOIN pg_proc f ON d.classid = 'pg_proc'::regclass AND f.oid = d.objid
	WHERE e.extname = 'privacct' AND (c.relkind IN ('r', 'v', 'S') OR f.oid IS NOT NULL));
$PRIVILEGES = qq(SELECT o.pg_describe_object, a.grantee::regrole, a.privilege_type FROM ($PRIVILEGES) o, aclexplode(o.acl) a ORDER BY o.pg_describe_object, a.grantee, a.privilege_type;);
my $without = $node->safe_psql($house, $PRIVILEGES);
for my $grantee ('mallory', 'PUBLIC', 'privacct_admin', 'privacct_reader')
{
	$house = fresh_database();
	$node->safe_psql($house, qq(
		ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO $grantee;
		ALTER DEFAULT PRIVILEGES GRANT ALL ON SEQUENCES TO $grantee;
		ALTER DEFAULT PRIVILEGES GRANT ALL ON FUNCTIONS TO $grantee;
		CREATE EXTENSION privacct;));
	is($node->safe_psql($house, $PRIVILEGES), $without, "default privileges for $grantee give none");
	is($node->safe_psql($house, 'SELECT count(*) FROM privacct._opened_members()'), 0, "and those for $grantee open nothing");
}

# Without the extension the library takes no schema for its own: a false catalog
# neither crashes a server nor protects anything.
$house = fresh_database();
run_as('mallory', $house, q(
	CREATE SCHEMA privacct;
	CREATE TABLE privacct.policy (policy_id text, relation oid, closed_at int);
	CREATE UNIQUE INDEX policy_relation_open ON privacct.policy (relation);
	CREATE INDEX policy_pkey ON privacct.policy (policy_id);
	INSERT INTO privacct.policy VALUES ('x', 'privacct.policy'::regclass);));
is($node->safe_psql($house, 'CREATE TABLE mine AS SELECT 1 AS n; SELECT count(*) FROM privacct.policy, mine'), 1, 'a false catalog is an ordinary table');

# roles that are somebody
for my $case ([ 'privacct_reader', 'LOGIN' ], [ 'privacct_reader', 'SUPERUSER' ], [ 'privacct_admin', 'CREATEROLE' ], [ 'privacct_admin', 'LOGIN' ])
{
	my ($role, $attribute) = @$case;
	$house = fresh_database();
	$node->safe_psql('postgres', "ALTER ROLE $role $attribute");
	refused($house, qr/42PA4: role "$role" exists and cannot be used/, "$role $attribute");
	$node->safe_psql('postgres', "ALTER ROLE $role NO$attribute");
}
$node->safe_psql('postgres', 'GRANT privacct_reader TO mallory');
refused($house, qr/42PA4: role "privacct_reader" exists and cannot be used/, 'the reader with a member');
$node->safe_psql('postgres', 'REVOKE privacct_reader FROM mallory; GRANT privacct_admin TO mallory');
$node->safe_psql($house, 'CREATE EXTENSION privacct');
ok(1, 'administrators may have members');

# functions that a superuser adds are not the extension's, whatever they are called
setup_hospital($node);
$node->safe_psql('postgres', q(
	CREATE FUNCTION privacct._set_bounds(regrole, regclass, name, float8, float8) RETURNS void LANGUAGE plpgsql AS
		$$ BEGIN RAISE EXCEPTION 'the wrong worker'; END $$;
	CREATE FUNCTION privacct._grant_budget(regrole, regclass, text, numeric, numeric) RETURNS void LANGUAGE plpgsql AS
		$$ BEGIN RAISE EXCEPTION 'the wrong worker'; END $$;
	CREATE AGGREGATE privacct.dp_sum(numeric) (SFUNC = numeric_add, STYPE = numeric);
	SELECT privacct.set_bounds('visit', 'cost', 0, 500), privacct.grant_budget('visit', 'analyst', 1000);));
my (undef, undef, $message) = ask($node, 'SELECT privacct.dp_sum(cost::numeric) FROM visit');
like($message, qr/42PA1/, 'an aggregate that is no member is not answered');
ok(defined ask_value($node, 'SELECT round(privacct.dp_sum(cost)) FROM visit'), 'the member is');

# library and SQL of different versions
$node->safe_psql('postgres', q(UPDATE pg_extension SET extversion = '0.1' WHERE extname = 'privacct'));
(undef, undef, $message) = ask($node, $PrivacctTest::QUERY, verbosity => 'default');
like($message, qr/privacct cannot be used in this database.*version 0\.2, the extension is of version 0\.1.*ALTER EXTENSION privacct UPDATE/s,
	'guarded queries are refused');
(undef, $err) = run_as('postgres', 'postgres', q(SELECT privacct.unprotect('visit')));
like($err, qr/55PA3: privacct cannot be used/, 'and declarations');
is($node->safe_psql('postgres', 'SELECT count(*) FROM visit'), 300, 'the owner works on');
$node->safe_psql('postgres', q(UPDATE pg_extension SET extversion = '0.2' WHERE extname = 'privacct'));
ok(defined ask_value($node, $PrivacctTest::QUERY), 'answered again');

# without the library
$house = fresh_database();
$node->adjust_conf('postgresql.conf', 'shared_preload_libraries', "''");
$node->restart;
refused($house, qr/55000: privacct must be loaded when the server starts.*shared_preload_libraries/s, 'not preloaded');
(undef, $err) = run_as('postgres', $house, "LOAD 'privacct'");
like($err, qr/55000: .*privacct must be loaded when the server starts/, 'LOAD is too late');
$node->safe_psql($house, q(ALTER DATABASE ) . $house . q( SET privacct.loaded_version = '0.2'));
refused($house, qr/55000: privacct must be loaded/, 'a setting of that name is no library');

$node->stop;
done_testing();
