-- SPDX-License-Identifier: GPL-3.0-or-later
-- What the system catalog tells of rows and of what others write, in a hardened database.

-- case: counters of rows
-- errors: 2 42501
SELECT 'BREACH: reltuples ' || relname FROM pg_class WHERE relname ~ '^(reading|stay|ward)' AND (reltuples <> -1 OR relpages <> 0 OR relallvisible <> 0 OR relfilenode <> 0);
SELECT 'BREACH: frozen ' || relname FROM pg_catalog.pg_class WHERE relname ~ '^(reading|stay)' AND (relfrozenxid <> '0' OR relminmxid <> '0');
SELECT 'BREACH: whole row' FROM pg_class c WHERE relname = 'stay' AND row_to_json(c)->>'reltuples' <> '-1';
SELECT 'BREACH: n_live_tup' FROM pg_stat_all_tables WHERE n_live_tup IS NOT NULL AND schemaname IN ('care', 'pg_catalog', 'privacct');
SELECT 'BREACH: seq_tup_read' FROM pg_stat_user_tables WHERE seq_tup_read IS NOT NULL AND schemaname = 'care';
SELECT 'BREACH: idx_tup_fetch' FROM pg_stat_xact_user_tables WHERE idx_tup_fetch IS NOT NULL AND schemaname = 'care';
SELECT 'BREACH: heap_blks_read' FROM pg_statio_user_tables WHERE heap_blks_read IS NOT NULL AND schemaname = 'care';
SELECT 'BREACH: tup_returned' FROM pg_stat_database WHERE tup_returned IS NOT NULL OR temp_bytes IS NOT NULL OR numbackends > 0;
SELECT wal_bytes FROM pg_stat_wal;
COPY pg_class (relname, reltuples) TO STDOUT;

-- case: counters of rows, in every dress
-- errors: 5 42501
-- prints: (?m)^through all$
CREATE FUNCTION den.tuples() RETURNS SETOF float4 LANGUAGE sql STABLE AS 'SELECT reltuples FROM pg_class WHERE relname = ''stay''';
SELECT * FROM den.tuples();
CREATE FUNCTION den.tuples_pl() RETURNS float4 LANGUAGE plpgsql AS $$ DECLARE n float4; BEGIN n := (SELECT reltuples FROM pg_class WHERE relname = 'stay'); RETURN n; END $$;
SELECT 'BREACH: function' WHERE den.tuples_pl() <> -1;
CREATE VIEW den.sizes AS SELECT relname, reltuples, pg_table_size(oid) AS size FROM pg_class;
SELECT 'BREACH: view' FROM den.sizes WHERE relname ~ '^(stay|reading)' AND (reltuples <> -1 OR size IS NOT NULL);
SELECT 'BREACH: join' FROM pg_class a JOIN pg_class b USING (reltuples) WHERE a.relname = 'stay' AND b.reltuples <> -1;
SELECT 'BREACH: lateral' FROM pg_class a, LATERAL (SELECT a.reltuples + 1 AS n) l WHERE a.relname = 'stay' AND n <> 0;
SELECT 'BREACH: order ' || relname FROM (SELECT relname FROM pg_class WHERE relname IN ('stay', 'reading_annex') ORDER BY reltuples DESC, relname LIMIT 1) s WHERE relname <> 'reading_annex';
SELECT 'BREACH: recursion' WHERE den.number('WITH RECURSIVE r AS (SELECT reltuples, 1 AS n FROM pg_class WHERE relname = ''stay'' UNION ALL SELECT reltuples, n + 1 FROM r WHERE n < 3) SELECT sum(reltuples) FROM r') <> -3;
CREATE TABLE den.kept (n bigint DEFAULT pg_table_size('care.stay'));
INSERT INTO den.kept DEFAULT VALUES;
CREATE TABLE den.checked (n int CHECK (pg_table_size('care.stay') > 0));
INSERT INTO den.checked VALUES (1);
PREPARE p(bigint) AS SELECT $1;
EXECUTE p(pg_table_size('care.stay'));
CREATE AGGREGATE den.last_size (oid) (SFUNC = pg_catalog.oidlarger, STYPE = oid, FINALFUNC = pg_catalog.pg_database_size);
CREATE OPERATOR den.<<|>> (RIGHTARG = oid, FUNCTION = pg_catalog.pg_database_size);
SELECT 'BREACH: default' FROM den.kept WHERE n IS NOT NULL;
SELECT 'through all';

-- case: a value passed to one's own code
-- prints: told tuples -1 pages 0\b
SELECT count(*) FROM pg_class WHERE den.tell('tuples ' || reltuples || ' pages ' || relpages) AND relname = 'stay' AND relnamespace = 'care'::regnamespace;

-- case: counter functions
-- errors: 1 42501
SELECT 'BREACH: counter' WHERE pg_stat_get_live_tuples('care.reading_annex'::regclass) IS NOT NULL OR pg_stat_get_tuples_returned('care.stay'::regclass) IS NOT NULL
	OR pg_stat_get_xact_tuples_returned('care.stay'::regclass) IS NOT NULL OR pg_stat_get_xact_numscans('care.many'::regclass) IS NOT NULL
	OR pg_catalog.pg_stat_get_blocks_fetched('care.stay'::regclass) IS NOT NULL OR pg_stat_get_last_analyze_time('care.stay'::regclass) IS NOT NULL;
SELECT 'BREACH: database counter' FROM pg_database WHERE pg_stat_get_db_tuples_returned(oid) IS NOT NULL OR pg_stat_get_db_temp_bytes(oid) IS NOT NULL;
SELECT pg_stat_reset();

-- case: what stands for counter functions
-- errors: 3 22023
SELECT 'BREACH: own counter' WHERE privacct._own_counter('pg_table_size'::regproc, 'care.stay'::regclass) IS NOT NULL
	OR privacct._own_counter('pg_stat_get_live_tuples'::regproc, 'care.stay'::regclass) IS NOT NULL
	OR privacct._own_moment('pg_stat_get_last_analyze_time'::regproc, 'care.stay'::regclass) IS NOT NULL
	OR privacct._own_number('pg_relation_filenode'::regproc, 'care.stay'::regclass) IS NOT NULL;
SELECT privacct._own_counter('pg_database_size(oid)'::regprocedure, 'den.one'::regclass);
SELECT privacct._own_counter('den.number(text)'::regprocedure, 'den.one'::regclass);
SELECT privacct._own_path('pg_read_file(text)'::regprocedure, 'den.one'::regclass);
SELECT 'BREACH: sessions of others' FROM privacct._own_sessions(NULL) WHERE usesysid <> 'spy'::regrole AND NOT pg_has_role('spy', usesysid, 'USAGE');

-- case: sizes
SELECT 'BREACH: size' WHERE pg_relation_size('care.reading_annex') IS NOT NULL OR pg_table_size('care.stay') IS NOT NULL OR pg_indexes_size('care.stay') IS NOT NULL
	OR pg_total_relation_size('care.stay') IS NOT NULL OR pg_relation_size('care.stay', 'fsm') IS NOT NULL OR pg_database_size(current_database()) IS NOT NULL
	OR pg_tablespace_size('pg_default') IS NOT NULL OR pg_relation_filenode('care.stay') IS NOT NULL OR pg_relation_filepath('care.stay') IS NOT NULL;

-- case: positions in the WAL
-- errors: 14 42501
SELECT pg_current_wal_lsn();
SELECT pg_current_wal_insert_lsn();
SELECT pg_logical_emit_message(false, 'x', 'y');
SELECT pg_logical_emit_message(true, 'x', 'y'::bytea);
SELECT checkpoint_lsn FROM pg_control_checkpoint();
SELECT * FROM pg_control_recovery();
SELECT * FROM pg_control_system();
SELECT * FROM pg_replication_slots;
SELECT * FROM pg_stat_replication;
SELECT pg_last_wal_replay_lsn();
SELECT pg_switch_wal();
SELECT * FROM pg_ls_waldir();
SELECT * FROM pg_stat_bgwriter;
SELECT * FROM pg_stat_slru;

-- case: numbers of transactions
-- errors: 12 42501
SELECT txid_current();
SELECT pg_current_xact_id_if_assigned();
SELECT pg_current_snapshot();
SELECT txid_status(1000000);
SELECT pg_export_snapshot();
SELECT age(xmin) FROM den.one;
SELECT * FROM pg_last_committed_xact();
SELECT pg_xact_commit_timestamp('3');
SELECT * FROM pg_prepared_xacts;
SELECT virtualtransaction FROM pg_locks;
SELECT xmin FROM pg_db_role_setting;
SELECT * FROM pg_stat_progress_vacuum;
SELECT 'BREACH: frozen' FROM pg_database WHERE datfrozenxid <> '0' OR datminmxid <> '0';
SELECT 'BREACH: session' FROM pg_stat_activity WHERE backend_xid IS NOT NULL OR backend_xmin IS NOT NULL OR wait_event IS NOT NULL OR leader_pid IS NOT NULL;

-- case: memory and large objects
-- errors: 4 42501
SELECT * FROM pg_backend_memory_contexts;
SELECT * FROM pg_shmem_allocations;
SELECT lo_create(0);
SELECT lo_creat(-1);
SELECT 'BREACH: large object' FROM pg_largeobject_metadata WHERE NOT pg_has_role(lomowner, 'USAGE');

-- case: columns of a protected table are no rows of it
-- errors: 5 42PA1, 1 42501
-- prints: (?m)^none$
SELECT * FROM care.stay WHERE 0 = 1;
SELECT name FROM (SELECT name FROM care.stay WHERE den.tell(name)) s LIMIT 0;
SELECT name FROM care.stay WHERE 0 = 1 OR stay_id = 200001;
SELECT name FROM care.stay LIMIT 1;
SELECT name FROM care.stay WHERE den.through(1) = 2;
SELECT ward, (SELECT max(name) FROM care.stay) FROM care.ward WHERE 0 = 1;
SELECT name FROM care.stay UNION ALL SELECT ward FROM care.ward LIMIT 0;
\set zero 0
PREPARE none(int) AS SELECT name FROM care.stay LIMIT $1;
EXECUTE none(1);
SELECT * FROM care.reading_annex LIMIT 0;
SET privacct.empty_rows = on;
SELECT name FROM care.stay WHERE card = 'OX-5512-77' AND den.tell(name);
SELECT CASE WHEN count(*) = 0 THEN 'none' ELSE 'BREACH: rows' END FROM den.one WHERE EXISTS (SELECT FROM care.ward WHERE false);
COPY care.stay TO STDOUT;

-- case: row security that asks for a privilege means what it meant
-- charges: 0
-- prints: ^0$
\c - keeper
CREATE TABLE care.note (line text);
INSERT INTO care.note VALUES ('BREACH: for who may read the stays');
ALTER TABLE care.note ENABLE ROW LEVEL SECURITY;
CREATE POLICY readers ON care.note USING (has_any_column_privilege('care.stay', 'SELECT'));
GRANT SELECT ON care.note TO spy;
\c - spy
SELECT line FROM care.note;
SELECT count(*) FROM care.note, pg_catalog.pg_am WHERE amname = 'heap';
