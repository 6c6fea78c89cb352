# SPDX-License-Identifier: GPL-3.0-or-later
# By whatever way a table of the books is changed, the change is refused, or makes the
# books a copy: every table, by statements on it, on a parent, a child or a partitioned
# table, and by a subscription.
use strict;
use warnings;

use PrivacctTest;
use Test::More;
use Time::HiRes qw(usleep);

my %quick = (fsync => 'off', 'privacct.require_durable_storage' => 'off', wal_retrieve_retry_interval => '10ms', log_min_messages => 'fatal');
my $publisher = new_node('publisher', allows_streaming => 'logical', %quick);
my $node = new_node('subscriber', %quick);
$_->start for $publisher, $node;
my $SETUP = 'SET client_min_messages = error; SET privacct.write_books = on;';

# one row of each table, whatever its constraints are
$node->safe_psql('postgres', $SETUP . q[
	CREATE EXTENSION privacct;
	CREATE TABLE plain (a int);
	DO $$
	DECLARE
		k record;
	BEGIN
		FOR k IN SELECT conrelid::regclass AS relation, conname FROM pg_constraint WHERE connamespace = 'privacct'::regnamespace AND contype = 'c' LOOP
			EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', k.relation, k.conname);
		END LOOP;
	END
	$$;
	CREATE VIEW kept AS SELECT c.oid::regclass AS relation, c.relname,
		string_agg(quote_ident(a.attname) || ' ' || CASE WHEN t.typnamespace = 'pg_catalog'::regnamespace THEN format_type(a.atttypid, a.atttypmod) ELSE 'text' END, ', ' ORDER BY a.attnum) AS columns,
		(array_agg(quote_ident(a.attname) ORDER BY a.attnum))[1] AS first,
		(array_agg(format_type(a.atttypid, a.atttypmod) ORDER BY a.attnum))[1] || CASE WHEN (array_agg(a.attcollation ORDER BY a.attnum))[1] NOT IN (0, 100) THEN ' COLLATE "C"' ELSE '' END AS first_type,
		(array_agg(a.attnotnull ORDER BY a.attnum))[1] AS first_not_null,
		format('INSERT INTO %s (%s) VALUES (%s)', c.oid::regclass, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum), string_agg(
			CASE WHEN NOT a.attnotnull THEN 'NULL' WHEN t.typcategory = 'A' THEN quote_literal('{}') WHEN t.typname = 'jsonb' THEN quote_literal('{}')
			WHEN t.typname = 'table_reference' AND c.relname ~ '^public_' THEN quote_literal('public.plain') WHEN t.typname IN ('regclass', 'oid') THEN quote_literal('public.plain'::regclass::oid) WHEN t.typname = 'regrole' THEN quote_literal('0') WHEN t.typcategory = 'N' THEN '1' WHEN t.typcategory = 'D' THEN quote_literal('2020-01-01')
			WHEN t.typname = 'uuid' THEN quote_literal('00000000-0000-0000-0000-000000000001') WHEN t.typcategory = 'B' THEN 'false' ELSE quote_literal('x') END, ', ' ORDER BY a.attnum)) AS row
	FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' JOIN pg_type t ON t.oid = a.atttypid
	WHERE c.relnamespace = 'privacct'::regnamespace AND c.relkind = 'r' GROUP BY c.oid, c.relname;
	DELETE FROM privacct.home; DELETE FROM privacct.catalog_object;
	DO $$ DECLARE t record; BEGIN FOR t IN SELECT * FROM kept LOOP EXECUTE t.row || ' ON CONFLICT DO NOTHING'; END LOOP; END $$;
	DELETE FROM privacct.home WHERE database = 'plain'::regclass;
	CREATE FUNCTION here() RETURNS void LANGUAGE sql SET privacct.write_books = on AS
		$$ UPDATE privacct.home SET database = privacct._here(), books = (SELECT min(i.books::text)::uuid FROM privacct.identity i) $$;
	SELECT here();
	INSERT INTO privacct.kept_loss SELECT 1, false, 1, '{1}', '{1}', 1, 'x' ON CONFLICT DO NOTHING;	-- forgotten with every other change
	-- what became of a statement: refused, noticed (the books are a copy), or done
	CREATE FUNCTION becomes(statement text, OUT fate text) LANGUAGE plpgsql AS $$
	BEGIN
		BEGIN
			EXECUTE statement;
			fate := (SELECT CASE WHEN h.books IS NULL OR h.database = 0 THEN 'noticed' ELSE 'done' END FROM privacct.home h);
			RAISE SQLSTATE 'ZZZZZ';
		EXCEPTION WHEN insufficient_privilege THEN fate := 'refused';
			WHEN SQLSTATE 'ZZZZZ' THEN NULL;
			WHEN OTHERS THEN fate := SQLERRM;
		END;
	END
	$$;
	CREATE VIEW expected AS SELECT k.relation, k.first, o.op, o.op <> 'INSERT' OR k.relname IN ('made', 'likelihood_copy', 'owner_state_copy', 'owner_state_copy_at', 'stored_release', 'kept_loss') AS refused
		FROM kept k CROSS JOIN (VALUES ('INSERT'), ('UPDATE'), ('DELETE'), ('MERGE'), ('TRUNCATE')) o(op);
	-- rows of what hardening took are no part of the books, and of whose they are there is one
	CREATE FUNCTION escapes(through regclass, relation regclass, way text) RETURNS SETOF text LANGUAGE sql AS $$
		SELECT format('%s of %s by %s: %s', e.op, relation, way, b.fate) FROM expected e CROSS JOIN LATERAL becomes(CASE e.op
			WHEN 'INSERT' THEN format('INSERT INTO %s SELECT * FROM %s', through, relation) WHEN 'UPDATE' THEN format('UPDATE %s SET %s = %2$s', through, e.first)
			WHEN 'DELETE' THEN format('DELETE FROM %s', through) WHEN 'MERGE' THEN format('MERGE INTO %s t USING (SELECT) s ON true WHEN MATCHED THEN DELETE', through)
			ELSE format('TRUNCATE %s', through) END) b
		WHERE e.relation = escapes.relation AND b.fate <> CASE WHEN e.refused THEN 'refused' ELSE 'noticed' END
		AND NOT (e.op = 'INSERT' AND (way ~ 'child|parent' OR e.relation::text ~ '^privacct[.](home|unwritten|catalog_object|catalog_taken)$'))
	$$]);
my $tables = $node->safe_psql('postgres', 'SELECT count(*) FROM kept');
cmp_ok($tables, '>', 30, 'tables');
is($node->safe_psql('postgres', q(SELECT count(*) FROM kept k WHERE (xpath('/row/c/text()', query_to_xml('SELECT count(*) AS c FROM ' || k.relation, false, true, '')))[1]::text = '0')), 0, 'all of them have a row');

# keys are no hindrance to what a partitioned table brings
is($node->safe_psql('postgres', 'SET client_min_messages = error; ' . q(
	DO $$ DECLARE k record; BEGIN FOR k IN SELECT conrelid::regclass AS relation, conname FROM pg_constraint WHERE connamespace = 'privacct'::regnamespace AND contype IN ('p', 'u', 'x') AND conrelid NOT IN ('privacct.home'::regclass, 'privacct.unwritten'::regclass) LOOP
		EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', k.relation, k.conname); END LOOP;
		FOR k IN SELECT indexrelid::regclass AS index FROM pg_index JOIN pg_class c ON c.oid = indrelid WHERE c.relnamespace = 'privacct'::regnamespace AND indisunique AND c.relname NOT IN ('home', 'unwritten') LOOP
		EXECUTE format('DROP INDEX %s', k.index); END LOOP; END $$;
	SELECT escapes(relation, relation, 'its name') FROM kept)), '', 'by name');
is($node->safe_psql('postgres', q(SET client_min_messages = error; SET session_replication_role = replica; SELECT escapes(relation, relation, 'its name') FROM kept)), '', 'where others\' triggers do not fire');

# relatives
my %WAYS = (
	parent => [ q(format('CREATE TABLE kin.%1$I (%2$s %3$s %4$s); ALTER TABLE %5$s INHERIT kin.%1$I', relname, first, first_type, CASE WHEN first_not_null THEN 'NOT NULL' END, relation)),
		q(format('ALTER TABLE %s NO INHERIT kin.%I', relation, relname)) ],
	child => [ q(format('CREATE TABLE kin.%I () INHERITS (%s)', relname, relation)), q(format('DROP TABLE kin.%I', relname)) ],
	'foreign child' => [ q(format('CREATE FOREIGN TABLE kin.%I () INHERITS (%s) SERVER nowhere OPTIONS (filename ''/dev/null'')', relname, relation)), q(format('DROP FOREIGN TABLE kin.%I', relname)) ],
	'partitioned table' => [ q(format('CREATE TABLE kin.%1$I (LIKE %3$s) PARTITION BY LIST (%2$s); ALTER TABLE kin.%1$I ATTACH PARTITION %3$s DEFAULT', relname, CASE WHEN first_type = 'jsonb' THEN '((1))' ELSE first END, relation)),
		q(format('ALTER TABLE kin.%I DETACH PARTITION %s', relname, relation)) ]);
$node->safe_psql('postgres', "SET client_min_messages = error; CREATE EXTENSION file_fdw; CREATE SERVER nowhere FOREIGN DATA WRAPPER file_fdw");
my $relatives = 'SELECT count(DISTINCT c.oid) FROM pg_inherits i JOIN pg_class c ON c.oid IN (i.inhrelid, i.inhparent) WHERE c.relnamespace = \'privacct\'::regnamespace';
for my $way (sort keys %WAYS)
{
	my ($make, $end) = @{ $WAYS{$way} };
	$node->safe_psql('postgres', 'SET client_min_messages = error; DROP SCHEMA IF EXISTS kin CASCADE; CREATE SCHEMA kin');
	is($node->safe_psql('postgres', "SET client_min_messages = error; SELECT relation, fate FROM kept, becomes($make) WHERE fate ~ 'noticed|done'"), '', "no table gets a $way");
	next if $way eq 'foreign child';		# functions of the extension cannot write to it
	# where that was not noticed, rows are kept, and it is said: of one, for whoever tells looks at everything
	$node->safe_psql('postgres', "SET client_min_messages = error; ALTER EVENT TRIGGER privacct_own_meddling DISABLE");
	my ($code, $out, $err) = $node->psql('postgres', "SELECT $make FROM kept ORDER BY relname LIMIT 1 \\gexec");
	like($err, qr/WARNING:  what keeps the books of privacct was changed/, "told of a $way all the same");
	$node->safe_psql('postgres', "SET client_min_messages = error; ALTER EVENT TRIGGER privacct_own_unhinged DISABLE");
	$node->safe_psql('postgres', "SELECT $make FROM kept ORDER BY relname OFFSET 1 \\gexec");
	$node->safe_psql('postgres', "SET client_min_messages = error; ALTER EVENT TRIGGER privacct_own_meddling ENABLE ALWAYS");
	is($node->safe_psql('postgres', $relatives), $tables, "all have a $way now");
	is($node->safe_psql('postgres', "SELECT relation FROM kept k WHERE NOT EXISTS (SELECT FROM privacct._meddled m WHERE m.relation = k.relation AND m.problem ~ 'child')"), '', "check_books() tells of a $way");
	like($node->safe_psql('postgres', "SELECT string_agg(problem, '; ') FROM privacct.check_books()"), qr/(?:is a child of another table|has children)/, 'as a row of its own');
	is($node->safe_psql('postgres', "SET client_min_messages = error; SELECT escapes(('kin.' || relname)::regclass, relation, '$way') FROM kept WHERE '$way' !~ 'child'"), '', "and nothing changes by a $way");
	$node->safe_psql('postgres', "SELECT $end FROM kept \\gexec");
	$node->safe_psql('postgres', "SET client_min_messages = error; ALTER EVENT TRIGGER privacct_own_unhinged ENABLE ALWAYS");
	is($node->safe_psql('postgres', $relatives), 0, "it may be ended");
}

# a subscription
$publisher->safe_psql('postgres', 'CREATE SCHEMA privacct;' . $node->safe_psql('postgres', q(SELECT format('CREATE TABLE %s (%s); ALTER TABLE %1$s REPLICA IDENTITY FULL;', relation, columns) FROM kept)) . 'CREATE PUBLICATION everything FOR ALL TABLES');
$publisher->safe_psql('postgres', $node->safe_psql('postgres', q(SELECT format('SELECT format(''INSERT INTO %1$s SELECT * FROM jsonb_populate_record(NULL::%1$s, %%L);'', to_jsonb(t)) FROM %1$s t LIMIT 1', relation) FROM kept \gexec)));

my ($here, $there) = map { session($_, superuser(), 'postgres') } $node, $publisher;
$here->say('SET client_min_messages = error');

# what a session says to that
sub said
{
	my ($session, $sql) = @_;
	my $answer = $session->say($sql);
	die "$sql: $answer" if $answer =~ /ERROR:|FATAL:/;
	return $answer;
}

sub await_said
{
	usleep 10_000 while said(@_) ne 't';
	return;
}

sub subscribe
{
	said($here, 'DO $$ BEGIN IF EXISTS (SELECT FROM pg_subscription) THEN ALTER SUBSCRIPTION copy DISABLE; ALTER SUBSCRIPTION copy SET (slot_name = NONE); DROP SUBSCRIPTION copy; END IF; END $$');
	said($there, 'SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE active');
	await_said($there, 'SELECT NOT EXISTS (SELECT FROM pg_replication_slots WHERE active)');
	said($there, 'SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots');
	said($there, "SELECT pg_create_logical_replication_slot('copy', 'pgoutput')");
	said($here, 'CREATE SUBSCRIPTION copy CONNECTION $$' . $publisher->connstr('postgres') . '$$ PUBLICATION everything WITH (create_slot = false, slot_name = copy, copy_data = false, disable_on_error = true)');
	return;
}

# a change that arrived, or was refused: true if nobody would notice
sub sent
{
	my ($relation, $statement, $before) = @_;
	said($here, 'SELECT here()');
	said($there, $statement);
	my $lsn = said($there, 'SELECT pg_current_wal_lsn()');
	await_said($here, "SELECT NOT s.subenabled OR coalesce(latest_end_lsn, '0/0') >= '$lsn' FROM pg_subscription s LEFT JOIN pg_stat_subscription t ON t.subid = s.oid");
	my ($on, $away, $rows) = split /\|/, said($here, "SELECT subenabled, EXISTS (SELECT FROM privacct.home WHERE database = 0), (SELECT count(*) FROM $relation) FROM pg_subscription");
	subscribe() if $on eq 'f';
	# here() leaves a line of its own
	return $on eq 't' && $away ne 't' || $on eq 'f' && ($relation =~ /written_by_hand$/ ? $rows < $before : $rows ne $before);
}

subscribe();
my @unnoticed;
for (split /\n/, $node->safe_psql('postgres', "SELECT relation, first, row FROM kept ORDER BY relname"))
{
	my ($relation, $first, $row) = split /\|/, $_, 3;
	next if $relation =~ /[.]home$/;
	my $rows = said($here, "SELECT count(*) FROM $relation");
	# what hardening took comes
	push @unnoticed, "INSERT $relation" if $relation !~ /catalog_/ && sent($relation, $row, $rows);
	$rows = said($here, "SELECT count(*) FROM $relation");
	push @unnoticed, "UPDATE $relation" if sent($relation, "UPDATE $relation SET $first = $first", $rows);
	push @unnoticed, "DELETE $relation" if sent($relation, "DELETE FROM $relation", $rows);
	$rows = said($here, "SELECT count(*) FROM $relation");
	push @unnoticed, "TRUNCATE $relation" if sent($relation, "TRUNCATE $relation", $rows);
}
is("@unnoticed", '', 'nor by a subscription');
for my $statement ('UPDATE privacct.home SET books = books', 'INSERT INTO privacct.home TABLE privacct.home', 'DELETE FROM privacct.home')
{
	$node->safe_psql('postgres', 'SET client_min_messages = error; SELECT here()');
	$publisher->safe_psql('postgres', $statement);
	$publisher->wait_for_catchup('copy');
	is($node->safe_psql('postgres', 'SELECT database FROM privacct.home'), 0, "$statement, sent");
}

# whatever setting its worker starts with, which cannot be that of the server
$node->safe_psql('postgres', 'SET client_min_messages = error; ALTER DATABASE postgres SET privacct.write_books = on');
my $WARNED = qr/WARNING:.*statements may change the books/;
like(($node->psql('postgres', 'SELECT 1'))[2], $WARNED, 'a session is told that gets it from its database');
{
	local $ENV{PGOPTIONS} = '-c privacct.write_books=on';
	like(($node->psql('template1', 'SELECT 1'))[2], $WARNED, 'and one that is started with it');
}
unlike(($node->psql('template1', 'SELECT 1'))[2], $WARNED, 'others are not');
subscribe();
ok(!sent('privacct.quota', said($here, q(SELECT row FROM kept WHERE relname = 'quota')), said($here, 'SELECT count(*) FROM privacct.quota')), 'nor where the database lets statements write');
$_->hang_up for $here, $there;
$node->safe_psql('postgres', 'SET client_min_messages = error; ALTER DATABASE postgres RESET privacct.write_books');
$node->append_conf('postgresql.conf', 'privacct.write_books = on');
$node->reload;
like($node->safe_psql('postgres', 'SELECT error FROM pg_file_settings WHERE NOT applied'), qr/could not be applied/, 'a file does not');
$node->restart;
is($node->safe_psql('postgres', 'SHOW privacct.write_books'), 'off', 'nor when the server starts with it');

# --- another extension is not this one ---

my ($extensions) = glob "$ENV{PA_DESTDIR}/usr/share/postgresql/*/extension";
PostgreSQL::Test::Utils::append_to_file("$extensions/tidy.control", "default_version = '1'\n");
PostgreSQL::Test::Utils::append_to_file("$extensions/tidy--1.sql", "SET privacct.write_books = on; UPDATE privacct.quota SET role = role; RESET privacct.write_books;\n");
my $last = $node->safe_psql('postgres', 'SELECT coalesce(max(written_at)::text, $$-infinity$$) FROM privacct.written_by_hand');
my ($code, $out, $err) = $node->psql('postgres', 'CREATE EXTENSION tidy');
like($err, qr/WARNING:  statements may change the books/, 'its script is told');
is($node->safe_psql('postgres', "SELECT object, command FROM privacct.written_by_hand WHERE written_at > '$last'"), 'privacct.quota|UPDATE', 'and leaves a line');
unlink "$extensions/tidy.control", "$extensions/tidy--1.sql";
$_->stop for $node, $publisher;
done_testing();
