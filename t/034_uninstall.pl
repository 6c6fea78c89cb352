# SPDX-License-Identifier: GPL-3.0-or-later
# privacct.uninstall(): afterwards every catalog of PostgreSQL is what it was before
# CREATE EXTENSION, in two databases of one cluster: objects, privileges, settings,
# roles.  What would be forgotten by accident, or left open, stops it whole.
use strict;
use warnings;

use File::Copy ();
use FindBin;
use lib $FindBin::RealBin;
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

my $node = new_node('uninstall');
$node->start;
my @DATABASES = ('postgres', 'second');
$node->safe_psql('postgres', 'CREATE ROLE analyst LOGIN; CREATE ROLE steward LOGIN; CREATE DATABASE second; REVOKE EXECUTE ON FUNCTION pg_sleep(float8) FROM PUBLIC');
for my $database (@DATABASES)
{
	$node->safe_psql($database, q(
		CREATE TABLE visit (person int NOT NULL, cost float8);
		CREATE TABLE part (person int NOT NULL, kind int) PARTITION BY LIST (kind);
		CREATE TABLE part_1 PARTITION OF part FOR VALUES IN (1);
		CREATE TABLE checkup (person int PRIMARY KEY, result int NOT NULL);
		CREATE TABLE ward (id int PRIMARY KEY);
		INSERT INTO visit SELECT i, i FROM generate_series(1, 50) i;
		REVOKE EXECUTE ON FUNCTION pg_stat_get_live_tuples(oid) FROM PUBLIC;));
}

# Rows of every catalog but statistics and what they refer to by number; privileges one by one.
my $SNAPSHOT = do { local $/; <DATA> };

sub snapshot
{
	my ($database) = @_;
	return $node->safe_psql($database, $SNAPSHOT);
}

# Lines that only one of two snapshots has.
sub difference
{
	my ($before, $after) = @_;
	my %count;
	$count{$_}-- for split /\n/, $before;
	$count{$_}++ for split /\n/, $after;
	return join "\n", map { ($count{$_} < 0 ? '- ' : '+ ') . $_ } sort grep { $count{$_} } keys %count;
}

# Roles and their members are of all databases.
sub without_roles { return join "\n", grep { !/^pg_(authid|auth_members|shdescription)\b|^role / } split /\n/, $_[0]; }

sub run_as
{
	my ($role, $database, $sql) = @_;
	my $err = '';
	$node->psql($database, $sql, stderr => \$err, extra_params => [ '-U', $role ]);
	return $err;
}

sub as_superuser { return run_as(superuser(), @_); }

my %before = map { $_ => snapshot($_) } @DATABASES;
like($before{postgres}, qr/^pg_proc \d+$/m, 'catalogs are counted');
like($before{postgres}, qr/function pg_stat_get_live_tuples\(oid\)/, 'and privileges that are not the default told');

for my $database (@DATABASES)
{
	$node->safe_psql($database, q(
		SET client_min_messages = error;
		CREATE EXTENSION privacct;
		GRANT privacct_admin TO steward;
		SELECT privacct.harden_catalog();
		SELECT privacct.protect('visit', owner => 'person', epsilon => 10), privacct.grant_budget('visit', 'analyst', 5);
		SELECT privacct.protect('part', owner => 'person', epsilon => 10);
		SELECT privacct.protect('checkup', owner => 'person', epsilon => 1, regime => 'local');
		SELECT privacct.set_domain('checkup', 'result', ARRAY[0, 1]::float8[]);
		SELECT privacct.declare_public('ward');));
	is((ask($node, 'SELECT count(*) IS NOT NULL FROM visit', database => $database))[1], 't', "$database: a release is charged");
	isnt(snapshot($database), $before{$database}, "$database: not as it was");
}

# --- refused, whole ---

my $installed = snapshot('second');
like(run_as('analyst', 'second', 'SELECT privacct.uninstall()'), qr/permission denied/, 'not for everybody');
like(run_as('steward', 'second', 'SELECT privacct.uninstall()'), qr/permission denied/, 'nor for administrators');
like(as_superuser('second', 'SELECT privacct.uninstall()'), qr/would forget.*visit.*SET privacct.allow_drop_extension = on/s, 'charges are not forgotten by accident');
$node->safe_psql('second', 'CREATE VIEW own AS SELECT * FROM privacct.odometer');
like(as_superuser('second', 'SET privacct.allow_drop_extension = on; SELECT privacct.uninstall()'), qr/other objects depend on it.*view public\.own/s, 'what others made of it stops it');
$node->safe_psql('second', 'DROP VIEW own');
$node->safe_psql('second', 'BEGIN; SET LOCAL client_min_messages = error; SET LOCAL privacct.allow_drop_extension = on; SELECT privacct.uninstall(); ROLLBACK');
is(difference($installed, snapshot('second')), '', 'all is as before it was tried');
is((ask($node, 'SELECT count(*) IS NOT NULL FROM visit', database => 'second'))[1], 't', 'and answered');

# --- the first database, in which the schema and a table are also somebody else's ---

$node->safe_psql('postgres', 'CREATE TABLE privacct.note (n int); SET client_min_messages = error; SET track_functions = \'all\'; ALTER TABLE checkup RENAME TO checked; SELECT privacct.unprotect(\'checked\')');
my $said = as_superuser('postgres', 'SET privacct.allow_drop_extension = on; SELECT privacct.uninstall()');
like($said, qr/NOTICE:  tables that are no longer protected: public\.part, public\.visit/, 'it tells which tables are protected no more');
like($said, qr/WARNING:  nobody will be asked what tables have spent before/, 'and that nobody is asked about them any more');
like($said, qr/NOTICE:  schema "privacct" stays\nDETAIL:  table privacct.note/, 'it tells why the schema stays');
like($said, qr/NOTICE:  roles privacct_admin and privacct_reader stay\nDETAIL:  \d+ objects in database second/, 'and why the roles do');
$node->safe_psql('postgres', 'DROP SCHEMA privacct CASCADE; ALTER TABLE checked RENAME TO checkup');
is(difference(without_roles($before{postgres}), without_roles(snapshot('postgres'))), '', 'postgres is as it was, but for the roles');
is((ask($node, 'SELECT count(*) IS NOT NULL FROM visit', database => 'second'))[1], 't', 'the other database is answered');
like((ask($node, 'SELECT count(*) FROM visit'))[2], qr/42501/, 'this one is closed');

# --- the last one ---

$node->safe_psql('postgres', 'GRANT USAGE ON SCHEMA public TO privacct_admin');
like(as_superuser('second', 'BEGIN; SET LOCAL privacct.allow_drop_extension = on; SELECT privacct.uninstall(); ROLLBACK'), qr/roles privacct_admin and privacct_reader stay\nDETAIL:  1 object in database postgres/, 'what a DBA granted is not taken back');
$node->safe_psql('postgres', 'REVOKE USAGE ON SCHEMA public FROM privacct_admin');
unlike(as_superuser('second', 'SET privacct.allow_drop_extension = on; SELECT privacct.uninstall()'), qr/stay/, 'nothing stays');
is(difference($before{$_}, snapshot($_)), '', "$_ is as it was") for @DATABASES;

# --- and again, from an upgrade of a version that took part of the catalog and did not write down what ---

$node->safe_psql('second', q(SET client_min_messages = error; CREATE EXTENSION privacct; SELECT privacct.protect('visit', owner => 'person', epsilon => 10), privacct.grant_budget('visit', 'analyst', 5)));
is((ask($node, 'SELECT count(*) IS NOT NULL FROM visit', database => 'second'))[1], 't', 'installed again');
$node->safe_psql('second', 'SET client_min_messages = error; SET privacct.allow_drop_extension = on; SELECT privacct.uninstall()');
is(difference($before{second}, snapshot('second')), '', 'and uninstalled again');
my ($extensions) = glob "$ENV{PA_DESTDIR}/usr/share/postgresql/*/extension";
File::Copy::copy("$ENV{PA_WORK}/privacct--0.1.sql", "$extensions/privacct--0.1.sql") or die "no script of 0.1: $!";
$node->safe_psql('postgres', 'CREATE DATABASE third');
my $third = snapshot('third');
$node->safe_psql('third', q(SET client_min_messages = error; CREATE EXTENSION privacct VERSION '0.1'; SELECT privacct.harden_catalog(); ALTER EXTENSION privacct UPDATE; SELECT privacct.harden_catalog()));
isnt(snapshot('third'), $third, 'upgraded and hardened');
unlike(as_superuser('third', 'SELECT privacct.uninstall()'), qr/nobody will be asked/, 'where nothing was spent nothing is said');
is(difference($third, snapshot('third')), '', 'and uninstalled');

$node->stop;
done_testing();

__DATA__
SELECT c.relname || ' ' || (xpath('//n/text()', query_to_xml(format('SELECT count(*) AS n FROM pg_catalog.%I', c.relname), false, false, '')))[1]::text
FROM pg_class c WHERE c.relnamespace = 'pg_catalog'::regnamespace AND c.relkind = 'r' AND c.relname NOT IN ('pg_statistic', 'pg_shdepend') ORDER BY 1;
SELECT 'setting ' || coalesce(d.datname, '-') || ' ' || s.setconfig::text FROM pg_db_role_setting s LEFT JOIN pg_database d ON d.oid = s.setdatabase ORDER BY 1;
SELECT 'role ' || r.rolname || coalesce(' in ' || m.roleid::regrole::text, '') FROM pg_roles r LEFT JOIN pg_auth_members m ON m.member = r.oid ORDER BY 1;
WITH object(kind, name, acl, usual) AS (
	SELECT 'relation', c.oid::regclass::text, c.relacl, acldefault(CASE c.relkind WHEN 'S' THEN 's' ELSE 'r' END::"char", c.relowner) FROM pg_class c WHERE c.relkind <> 'i'
	UNION ALL SELECT 'column', a.attrelid::regclass || '.' || a.attname, a.attacl, NULL FROM pg_attribute a
	UNION ALL SELECT 'function', f.oid::regprocedure::text, f.proacl, acldefault('f', f.proowner) FROM pg_proc f
	UNION ALL SELECT 'schema', n.nspname, n.nspacl, acldefault('n', n.nspowner) FROM pg_namespace n
	UNION ALL SELECT 'database', d.datname, d.datacl, acldefault('d', d.datdba) FROM pg_database d
	UNION ALL SELECT 'type', t.oid::regtype::text, t.typacl, acldefault('T', t.typowner) FROM pg_type t WHERE t.typelem = 0 AND t.typrelid = 0
	UNION ALL SELECT 'language', l.lanname, l.lanacl, acldefault('l', l.lanowner) FROM pg_language l),
given AS (
	SELECT o.kind, o.name, string_agg(concat_ws(' ', a.privilege_type, a.is_grantable, 'to', a.grantee::regrole), ', ' ORDER BY a.privilege_type, a.grantee::regrole::text) AS privileges
	FROM object o CROSS JOIN LATERAL aclexplode(coalesce(o.acl, o.usual)) a GROUP BY o.kind, o.name)
SELECT g.kind || ' ' || g.name || ': ' || g.privileges FROM given g ORDER BY 1;
