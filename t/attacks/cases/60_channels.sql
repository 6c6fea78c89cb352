-- SPDX-License-Identifier: GPL-3.0-or-later
-- Plans, messages, statistics, sizes, locks.

-- case: explain shows no estimates
-- prints: ^same$
CREATE FUNCTION den.plan(q text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE j json; BEGIN EXECUTE 'EXPLAIN (FORMAT JSON) ' || q INTO j; RETURN regexp_replace(j::text, '"(Noise|Cost \w+)": "[^"]*"', '', 'g'); END $$;
SELECT CASE WHEN count(DISTINCT den.plan(q)) = 1 THEN 'same' ELSE 'BREACH: plans differ' END
FROM (VALUES ('SELECT count(*) FROM care.stay WHERE ward = ''annex'''), ('SELECT count(*) FROM care.stay WHERE ward = ''north'''),
	('SELECT count(*) FROM care.stay WHERE card = ''x'''), ('SELECT count(*) FROM care.stay WHERE stay_id = 200001'),
	('SELECT count(*) FROM care.stay WHERE stay_id BETWEEN 200002 AND 300000')) v(q);
SELECT 'BREACH: child shown' WHERE den.plan('SELECT count(*) FROM care.stay WHERE card = ''x''') ~ 'Seq Scan|Index|Filter';

-- case: explain of rows
-- errors: 3 42PA1
EXPLAIN SELECT name FROM care.stay;
EXPLAIN (VERBOSE, COSTS OFF) SELECT bit_or(cost) FROM care.stay;
EXPLAIN SELECT count(*) FROM care.reading_annex;

-- case: explain analyze, in every dress
-- errors: 7 42PA1
PREPARE p AS SELECT count(*) FROM care.stay;
EXPLAIN ANALYZE SELECT count(*) FROM care.stay WHERE cost > 70000000;
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) SELECT count(*) FROM care.stay;
EXPLAIN (BUFFERS) SELECT count(*) FROM care.stay;
EXPLAIN ANALYZE EXECUTE p;
EXPLAIN ANALYZE CREATE TABLE den.a AS SELECT count(*) FROM care.stay;
EXPLAIN ANALYZE SELECT den.number('SELECT count(*) FROM care.stay');
DO $$ DECLARE x text; BEGIN FOR x IN EXECUTE 'EXPLAIN ANALYZE SELECT count(*) FROM care.stay' LOOP RAISE NOTICE '%', x; END LOOP; END $$;

-- case: explain analyze of what was planned before
-- errors: 1 42PA1
-- charges: 1
SET plan_cache_mode = force_generic_plan;
PREPARE p AS SELECT count(*) FROM care.stay;
SELECT 1 FROM (SELECT den.number('EXECUTE p')) s;
EXPLAIN ANALYZE EXECUTE p;

-- case: debugging output
-- errors: 2 42501, 6 42PA1
-- charges: 2
SET client_min_messages = debug5; SELECT count(*) FROM care.stay;
SET client_min_messages = log; SELECT count(*) FROM care.stay;
RESET client_min_messages; SET debug_print_plan = on; SELECT count(*) FROM care.stay;
RESET debug_print_plan; SET debug_print_parse = on; SELECT count(*) FROM care.stay;
RESET debug_print_parse; SET debug_print_rewritten = on; SELECT name FROM care.stay;
RESET debug_print_rewritten; SET trace_sort = on; SELECT count(*) FROM care.stay GROUP BY ward;
RESET trace_sort; SET transaction_isolation = serializable; BEGIN ISOLATION LEVEL SERIALIZABLE;

-- case: settings and libraries for superusers
-- errors: 9 42501
SET log_executor_stats = on;
SET log_statement_stats = on;
SET log_min_messages = debug5;
SET log_temp_files = 0;
LOAD 'auto_explain';
SET session_preload_libraries = 'auto_explain';
ALTER ROLE spy SET session_preload_libraries = 'auto_explain';
SET track_counts = on;
SET session_replication_role = replica;

-- case: statistics of columns
SELECT 'BREACH: pg_stats ' || attname FROM pg_stats WHERE schemaname = 'care' AND (tablename = 'stay' OR tablename LIKE 'reading%');
SELECT 'BREACH: extended' FROM pg_stats_ext WHERE schemaname = 'care';
SELECT 'BREACH: expressions' FROM pg_stats_ext_exprs WHERE schemaname = 'care';

-- case: raw statistics
-- errors: 2 42501
SELECT stavalues1 FROM pg_statistic;
SELECT stxdmcv FROM pg_statistic_ext_data;

-- case: physical reads
-- errors: 2 42501
SELECT currtid2('care.stay', '(0,1)');
SELECT lo_import('PG_VERSION');

-- case: sequence of a serial column
-- errors: 2 42501
SELECT last_value FROM care.stay_seq_seq;
SELECT nextval('care.stay_seq_seq');
DO $$ BEGIN
	IF pg_sequence_last_value('care.stay_seq_seq') IS NOT NULL THEN RAISE NOTICE 'BREACH: value of a sequence'; END IF;
EXCEPTION WHEN insufficient_privilege THEN NULL;	-- since 18 it is null
END $$;
SELECT 'BREACH: ' || last_value FROM pg_sequences WHERE sequencename = 'stay_seq_seq' AND last_value IS NOT NULL;

-- case: an index beside the table counts nothing
-- charges: 2
SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_seqscan = off;
BEGIN;
SELECT count(*) > -1000 FROM care.stay s JOIN care.many m ON m.n = s.small WHERE s.ward = 'annex';
SELECT count(*) > -1000 FROM care.stay s JOIN care.many m ON m.n = s.small;
COMMIT;
\c - postgres
SELECT pg_stat_force_next_flush();
SELECT 'BREACH: index scans ' || idx_scan FROM pg_stat_user_tables WHERE relname = 'many' AND idx_scan > 0;

-- case: locks and activity
-- errors: 1 42501
-- charges: 2
BEGIN;
SELECT count(*) > -1000 FROM care.stay WHERE ward = 'annex';
COMMIT;
SELECT * FROM pg_locks;
SELECT 'BREACH: ' || usename FROM pg_stat_activity WHERE usename NOT IN ('spy', 'mate', 'nobody');
\c - postgres
BEGIN;
SET LOCAL ROLE spy;
SELECT count(*) > -1000 FROM care.stay WHERE ward = 'annex';
RESET ROLE;
SELECT 'BREACH: ' || locktype FROM pg_locks WHERE locktype NOT IN ('relation', 'virtualxid', 'transactionid') AND pid = pg_backend_pid();
SELECT 'BREACH: predicate lock' FROM pg_locks WHERE mode = 'SIReadLock';
COMMIT;

-- case: the time that a huge text takes
-- charges: any
-- prints: ^alike$
PREPARE digest(text, int) AS SELECT count(*) FROM care.stay WHERE md5(CASE WHEN stay_id = $2 THEN $1 ELSE name END) <> '';
SELECT den.race('EXECUTE digest(repeat(''a'', 100000000), {})', 0.05);

-- case: the time that a huge number takes
-- charges: any
-- prints: ^alike$
PREPARE product(numeric, int) AS SELECT count(*) FROM care.stay WHERE CASE WHEN stay_id = $2 THEN $1 * $1 * $1 ELSE price END > 0;
SELECT den.race('EXECUTE product(repeat(''7'', 100000)::numeric, {})', 0.05);

-- case: the time that a huge array takes
-- charges: any
-- prints: ^alike$
PREPARE member(int[], int) AS SELECT count(*) FROM care.stay WHERE CASE WHEN stay_id = $2 THEN cost = ANY ($1) ELSE true END;
CREATE TABLE den.long_list AS SELECT array_agg(-i) AS list FROM generate_series(1, 3000000) i;
SELECT format('EXECUTE member(%L, {})', list) AS execute FROM den.long_list \gset
SELECT den.race(:'execute', 0.05);
