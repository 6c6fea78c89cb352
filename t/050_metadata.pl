# SPDX-License-Identifier: GPL-3.0-or-later
# Metadata in a hardened database: clients find the tables that an analyst may ask,
# and nothing that they or anybody can look up tells of rows or of what is written.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use ClientTest;
use IPC::Run ();
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

my $clients = "$ENV{PA_WORK}/t/clients";
my $node = new_node('metadata', listen_addresses => '127.0.0.1', log_min_messages => 'fatal', autovacuum => 'off');
$node->start;
$node->safe_psql('postgres', q(
	CREATE ROLE keeper;
	CREATE ROLE analyst LOGIN;
	CREATE ROLE stranger LOGIN;
	CREATE SCHEMA care AUTHORIZATION keeper;
	GRANT USAGE ON SCHEMA care TO PUBLIC;
	CREATE EXTENSION privacct;
	GRANT privacct_admin TO keeper;
	SET ROLE keeper;
	CREATE TABLE care.ward (ward text PRIMARY KEY, floor int NOT NULL);
	INSERT INTO care.ward VALUES ('A', 1), ('B', 2), ('C', 3);
	GRANT SELECT ON care.ward TO PUBLIC;
	CREATE TABLE care.visit (visit_id int PRIMARY KEY, patient_id int NOT NULL, ward text REFERENCES care.ward, cost float8);
	COMMENT ON TABLE care.visit IS 'stays';
	CREATE INDEX visit_ward ON care.visit (ward);
	INSERT INTO care.visit SELECT i, i / 3, chr(65 + i % 3), i % 500 FROM generate_series(1, 300) i;
	CREATE TABLE care.secret (id int PRIMARY KEY, patient_id int NOT NULL, number serial, note text);
	INSERT INTO care.secret SELECT i, i, i, repeat('x', i) FROM generate_series(1, 300) i;
	CREATE TABLE care.trip (patient_id int NOT NULL, day date NOT NULL) PARTITION BY RANGE (day);
	CREATE TABLE care.trip_2020 PARTITION OF care.trip FOR VALUES FROM ('2020-01-01') TO ('2021-01-01');
	SELECT privacct.protect('care.visit', owner => 'patient_id', epsilon => 1000, delta => 1e-7, accountant => 'basic',
		max_groups_contributed => 1, max_rows_contributed => 3, fresh => true);
	SELECT privacct.protect('care.secret', owner => 'patient_id', fresh => true), privacct.protect('care.trip', owner => 'patient_id', fresh => true);
	SELECT privacct.grant_budget('care.visit', 'analyst', epsilon => 1000, delta => 1e-8), privacct.grant_budget('care.trip', 'analyst', epsilon => 1);
	RESET ROLE;
	ANALYZE;
	SELECT privacct.harden_catalog();
));

# (output, errors) of psql with a script, as a role, unaligned.
sub run_script
{
	my ($role, $script) = @_;
	my ($out, $err) = ('', '');
	my $file = PostgreSQL::Test::Utils::tempdir . '/script.sql';

	append_to_file($file, $script);
	IPC::Run::run([ $node->installed_command('psql'), '-XAtq', '-v', 'VERBOSITY=verbose', '-U', $role, '-h', $node->host, '-p', $node->port,
			'-d', 'postgres', '-f', $file ], '>', \$out, '2>', \$err);
	return ($out, $err);
}

sub shows
{
	my ($name, $script, @patterns) = @_;
	my ($out, $err) = run_script('analyst', $script);
	my @missing = grep { $out !~ /$_/m } @patterns;

	ok($err eq '' && !@missing, $name) or diag(join "\n", $err, "not shown: @missing", $out);
	return;
}

# psql
shows("psql: $_->[0]", "$_->[0]\n", @{$_}[ 1 .. $#$_ ])
  for ([ '\d', '' ], [ '\d care.*', 'visit_id' ], [ '\d care.visit', '^visit_id\|integer' ], [ '\d+ care.visit', '^cost\|' ],
	[ '\dt care.*', '\|visit\|' ], [ '\dt+ care.*', '^care\|visit\|table\|keeper\|permanent\|heap\|\|stays$' ],
	[ '\di care.*', '\|visit_pkey\|' ], [ '\di+ care.*', '\|visit_pkey\|index\|keeper\|visit\|permanent\|btree\|\|$' ],
	[ '\l', '^postgres\|' ], [ '\l+', '^postgres\|.*\|\|pg_default\|' ], [ '\db+', '^pg_default\|' ], [ '\dn+', '^care\|' ], [ '\df privacct.*', '\|preview\|' ],
	[ '\dv+ pg_catalog.pg_stat_user_tables', 'pg_stat_user_tables' ], [ '\ds+ care.*', 'secret_number_seq' ], [ '\dP+ care.*', '\|trip\|' ],
	[ '\dp care.*', '\|visit\|table\|' ], [ '\du', '^analyst\|' ], [ '\dx', '^privacct\|' ], [ '\dT', '' ], [ '\dd care.*', '' ], [ '\dew', '' ], [ '\des', '' ],
	[ '\dRp', '' ], [ '\dy', '' ], [ '\sf pg_catalog.pg_relation_size(regclass)', 'FUNCTION' ]);

# statements of other clients
my @cases;
for my $line (split /^/m, slurp_file("$clients/metadata.sql"))
{
	if ($line =~ /^-- client: (.*\S)/) { push @cases, { name => $1, shows => [], sql => '' }; }
	elsif (@cases && $line =~ /^-- shows: (.*\S)/) { push @{ $cases[-1]{shows} }, $1; }
	elsif (@cases) { $cases[-1]{sql} .= $line; }
}
cmp_ok(scalar @cases, '>', 20, 'statements of clients');
shows($_->{name}, $_->{sql}, @{ $_->{shows} }) for @cases;

# clients themselves
my $driver = '/usr/share/java/postgresql.jar';
run_program($node, 'pgJDBC', 15, "test -f $driver && javac -version", 'java', '-Xshare:auto', '-XX:TieredStopAtLevel=1', '-cp', $driver, "$clients/Metadata.java");
run_program($node, 'DBD::Pg', 8, "/usr/bin/perl -MDBD::Pg -e 1", '/usr/bin/perl', "$clients/metadata_dbi.pl");
run_program($node, 'SQLAlchemy', 10, "/usr/bin/python3 -c 'import sqlalchemy, psycopg2'", '/usr/bin/python3', "$clients/metadata_python.py", 'sqlalchemy');
run_program($node, 'Django', 5, "/usr/bin/python3 -c 'import django, psycopg2'", '/usr/bin/python3', "$clients/metadata_python.py", 'django');

# information_schema shows what may be asked, to whom may ask it; constraints of
# tables that one may only read are in PostgreSQL's key_column_usage alone
my %SHOWN = (
	analyst => { tables => 'trip visit ward', columns => 'trip visit ward', table_constraints => 'trip visit', key_column_usage => 'visit ward' },
	stranger => { tables => 'ward', columns => 'ward', table_constraints => '', key_column_usage => 'ward' });

for my $role (sort keys %SHOWN)
{
	for my $view (sort keys %{ $SHOWN{$role} })
	{
		my ($out) = run_script($role, "SELECT string_agg(DISTINCT table_name, ' ' ORDER BY table_name) FROM information_schema.$view WHERE table_schema = 'care'");

		is($out, "$SHOWN{$role}{$view}\n", "information_schema.$view shows $role what may be asked");
	}
	is((run_script($role, q(SELECT has_table_privilege('care.visit', 'SELECT'), has_column_privilege('care.visit', 'cost', 'SELECT'))))[0], "f|f\n",
		"$role has no privilege on the protected table");
}

# Two states: what a hardened analyst can read of the catalog, and what functions
# without arguments, or of a table's OID, answer, before and after others write.
my %REASON = (
	'clock' => qr/^function (now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)\(\)$/,
	'chance' => qr/^function (random|gen_random_uuid|uuidv[47])\(\)$/,
	'the session itself' => qr/^function (pg_backend_pid|inet_client_port)\(\)$|^relation pg_catalog\.(pg_stat_activity|pg_stat_ssl|pg_stat_gssapi)$/);

$node->safe_psql('postgres', q(
	CREATE FUNCTION public.outcome(statement text) RETURNS text LANGUAGE plpgsql AS $$
	DECLARE
		result text;
	BEGIN
		EXECUTE statement INTO result;
		RETURN coalesce(md5(result), 'null');
	EXCEPTION WHEN OTHERS THEN
		RETURN SQLSTATE;
	END
	$$;
	CREATE TABLE public.look AS
	SELECT format('relation %I.%I', n.nspname, c.relname) AS label, format('SELECT string_agg(r::text, chr(10) ORDER BY r::text) FROM %I.%I r', n.nspname, c.relname) AS statement
	FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname IN ('pg_catalog', 'information_schema') AND c.relkind IN ('r', 'v')
	UNION ALL
	SELECT format('function %s()', f.proname), format('SELECT string_agg(r::text, chr(10) ORDER BY r::text) FROM pg_catalog.%I() r', f.proname)
	FROM pg_proc f WHERE f.pronamespace = 'pg_catalog'::regnamespace AND f.pronargs = 0 AND f.prokind = 'f'
	UNION ALL
	SELECT format('function %s(%s) of %s', f.proname, oidvectortypes(f.proargtypes), t), format('SELECT string_agg(r::text, chr(10) ORDER BY r::text) FROM pg_catalog.%I(%L::regclass%s) r',
		f.proname, t, CASE WHEN f.pronargs = 2 THEN $$, 'main'$$ END)
	FROM pg_proc f, unnest(ARRAY['care.secret', 'care.secret_pkey', 'care.secret_number_seq', 'care.visit', 'care.visit_ward', 'care.trip', 'care.trip_2020',
		(SELECT reltoastrelid::regclass::text FROM pg_class WHERE oid = 'care.secret'::regclass)]) t
	WHERE f.pronamespace = 'pg_catalog'::regnamespace AND f.prokind = 'f'
	AND (f.proargtypes::oid[] IN ('[0:0]={26}', '[0:0]={2205}') OR f.proname = 'pg_relation_size');
	GRANT SELECT ON public.look TO analyst;
));

# label => outcome
sub look
{
	my ($out, $err) = run_script('analyst', 'SET client_min_messages = error; SELECT label, public.outcome(statement) FROM public.look ORDER BY label COLLATE "C"');

	is($err, '', 'all was looked at');
	return map { /^(.*)\|(\w+)$/ ? ($1 => $2) : () } split /\n/, $out;
}

# Others write: rows of each kind, indexes, sequences, large objects; then maintenance.
sub write_rows
{
	$node->safe_psql('postgres', $_) for (q(
		SET ROLE keeper;
		INSERT INTO care.visit SELECT i, i, 'A', 1 FROM generate_series((SELECT max(visit_id) + 1 FROM care.visit), (SELECT max(visit_id) + 5000 FROM care.visit)) i;
		INSERT INTO care.secret SELECT i, i, i, (SELECT string_agg(md5((i * j)::text), '') FROM generate_series(1, 200) j)
			FROM generate_series((SELECT max(id) + 1 FROM care.secret), (SELECT max(id) + 300 FROM care.secret)) i;
		INSERT INTO care.secret SELECT max(id) + 1, 1, nextval('care.secret_number_seq') FROM care.secret;
		INSERT INTO care.trip SELECT i, '2020-05-05' FROM generate_series(1, 3000) i;
		UPDATE care.visit SET cost = cost + 1 WHERE visit_id % 2 = 0;
		DELETE FROM care.visit WHERE visit_id % 3 = 0;
	), q(DO $$ BEGIN EXECUTE format('ALTER LARGE OBJECT %s OWNER TO keeper', lo_create(0)); END $$), 'ANALYZE care.visit, care.secret, care.trip', 'VACUUM FREEZE care.visit, care.secret, care.trip', 'REINDEX TABLE care.visit', 'SELECT pg_switch_wal()', 'CHECKPOINT',
		'BEGIN; TRUNCATE care.trip_2020; COMMIT', 'VACUUM FULL care.secret', 'SELECT pg_stat_force_next_flush()');
	return;
}

# Names of what differs between two looks.
sub differing
{
	my ($before, $after) = @_;
	return grep { ($before->{$_} // '') ne ($after->{$_} // '') } sort keys %$before;
}

sub is_excused
{
	my ($label) = @_;
	return grep { $label =~ $_ } values %REASON;
}

# Who signals processes is told of all but their own sessions what they are told of numbers of no process.
my %kept = map { $_ => session($node, $_) } qw(analyst stranger postgres);
my $mine = session($node, 'analyst')->say('SELECT pg_backend_pid()');
my @processes = split /\n/, $node->safe_psql('postgres', q(
	SELECT pid FROM pg_stat_activity WHERE usename IS DISTINCT FROM 'analyst' AND pid <> pg_backend_pid()
	UNION ALL SELECT max(n) FROM generate_series(1, 30000) n WHERE n NOT IN (SELECT pid FROM pg_stat_activity)));
cmp_ok(scalar(@processes), '>', 4, 'there are sessions of others, processes of the server, and a number of none');
for my $signal ('pg_cancel_backend(%d)', 'pg_terminate_backend(%d)', 'pg_terminate_backend(%d, 1)')
{
	my %said = map { ($kept{analyst}->say(sprintf("SELECT $signal", $_)) =~ s/^psql:\S+ //r) => 1 } @processes;
	is_deeply([ keys %said ], ["WARNING:  01000\nf"], "$signal of others");
	is($kept{analyst}->say(sprintf("SELECT $signal", $mine)), 't', "$signal of one's own") if $signal !~ /1\)/;
}
$_->hang_up for values %kept;

my %before = look();
write_rows();
my %after = look();
cmp_ok(scalar(keys %before), '>', 500, 'many things were looked at');
is(join("\n", grep { !is_excused($_) } differing(\%before, \%after)), '', 'nothing tells that others wrote');

# the same looks without hardening, so that we know that they see
$node->safe_psql('postgres', 'SELECT privacct.soften_catalog()');
%before = look();
write_rows();
%after = look();
my @told = grep { !is_excused($_) } differing(\%before, \%after);
for my $expected ('relation pg_catalog.pg_class', 'relation pg_catalog.pg_stat_user_tables', 'relation pg_catalog.pg_shdepend', 'relation pg_catalog.pg_stat_wal',
	'function pg_relation_size(regclass) of care.secret', 'function pg_current_wal_lsn()', 'function pg_control_checkpoint()', 'function pg_current_snapshot()',
	'function pg_relation_filenode(regclass) of care.trip_2020', 'function pg_stat_get_numscans(oid) of care.visit')
{
	ok((grep { $_ eq $expected } @told), "without hardening it tells: $expected");
}

# what is judged harmless or checks who asks tells nothing even then
my $judged = $node->safe_psql('postgres', q(SELECT kind || ' ' || name FROM privacct.catalog_object WHERE verdict NOT IN ('harmless', 'guarded', 'columns')));
my %judged = map { s/^relation (\S+)$/relation $1/r => 1 } split /\n/, $judged;
my $counters = qr/^relation pg_catalog\.(pg_class|pg_database|pg_stat(io)?_(xact_)?(all|user|sys)_(tables|indexes|sequences)|pg_stat_database(_conflicts)?|pg_stat_user_functions|pg_stat_activity)$/;
is(join("\n", grep { my $name = s/ of .*//r; !$judged{$name} && $name !~ $counters } @told), '', 'all that tells has been judged so');

# the extension gone, privileges decide
$node->safe_psql('postgres', 'SELECT privacct.harden_catalog()');
$node->append_conf('postgresql.conf', "shared_preload_libraries = ''\n");
$node->restart;
for my $statement ('SELECT reltuples FROM pg_class', 'SELECT n_live_tup FROM pg_stat_user_tables', q(SELECT pg_relation_size('care.visit')), 'SELECT count(*) FROM pg_shdepend',
	'SELECT count(*) FROM pg_stat_activity')
{
	like((run_script('analyst', $statement))[1], qr/ERROR:  42501/, "without the library: $statement");
}

$node->stop;
done_testing();
