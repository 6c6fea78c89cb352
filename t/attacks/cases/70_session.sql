-- SPDX-License-Identifier: GPL-3.0-or-later
-- Settings, roles, cached plans.

-- case: switches that do not exist
-- errors: 4 42602
SET privacct.enabled = off;
SET privacct.enforce = off;
SET privacct.noise = 0;
SET privacct.seed = 1;

-- case: settings out of range or out of reach
-- errors: 5 22023, 5 55P02
SET privacct.epsilon = 1e9;
SET privacct.epsilon = 'NaN';
SET privacct.epsilon = 0;
SET privacct.delta = 0.5;
SET privacct.kernel = 'none';
SET privacct.require_durable_storage = off;
SET privacct.queue_size = 1;
SET privacct.worker_idle_timeout = 1;
SET fsync = off;
SET shared_preload_libraries = '';

-- case: somebody else
-- errors: 7 42501
SET ROLE keeper;
SET ROLE privacct_reader;
SET ROLE postgres;
SET SESSION AUTHORIZATION keeper;
GRANT privacct_reader TO spy;
GRANT keeper TO spy;
ALTER ROLE spy SUPERUSER;

-- case: settings of the planner change nothing
-- charges: 5
-- prints: answered,answered,answered,answered,answered
SET geqo_threshold = 2; SET from_collapse_limit = 1; SET join_collapse_limit = 1; SET row_security = off;
SET enable_partitionwise_aggregate = on; SET enable_partitionwise_join = on; SET enable_hashagg = off; SET enable_sort = off;
DO $$ BEGIN PERFORM set_config(name, 'on', false) FROM pg_settings WHERE name IN ('force_parallel_mode', 'debug_parallel_query'); END $$;	-- its name since 16
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
SET jit = on; SET jit_above_cost = 0; SET work_mem = '64kB'; SET default_transaction_read_only = on; SET cursor_tuple_fraction = 0;
SELECT string_agg(CASE WHEN abs(den.number(q) - (lo + hi) / 2) <= (hi - lo) / 2 THEN 'answered' ELSE 'BREACH: wrong answer' END, ',')
FROM (VALUES ('SELECT count(*) FROM care.stay', 5900, 6100), ('SELECT sum(c) FROM (SELECT count(*) AS c FROM care.stay GROUP BY ward) s', 3800, 4200),
	('SELECT count(*) FROM care.reading', 3900, 4100),
	('SELECT sum(c) FROM (SELECT count(*) AS c FROM care.reading GROUP BY ward) s', 3800, 4200),
	('SELECT count(*) FROM care.stay s JOIN care.ward w USING (ward) WHERE w.floor < 4', 5900, 6100)) v(q, lo, hi);

-- case: partitionwise plans
-- charges: 2
SET enable_partitionwise_aggregate = on; SET enable_partitionwise_join = on;
SELECT 'BREACH: wrong answer' FROM (SELECT ward, count(*) AS c FROM care.reading GROUP BY ward) s WHERE c < 3500;
SELECT 'BREACH: wrong answer' FROM (SELECT ward, pulse > 0, count(*) AS c FROM care.reading GROUP BY 1, 2) s WHERE c < 3500;

-- case: a plan of one role for another
-- errors: 2 42501
-- charges: 1
SET plan_cache_mode = force_generic_plan;
PREPARE p AS SELECT count(*) >= 0 FROM care.stay;
EXECUTE p;
SET ROLE nobody;
EXECUTE p;
SELECT count(*) FROM care.stay;

-- case: a plan of one entitled role for another is paid by the other
-- charges: 1
-- prints: mate
SET plan_cache_mode = force_generic_plan;
PREPARE p AS SELECT count(*) >= 0 FROM care.stay;
SET ROLE mate;
EXECUTE p;
SELECT payer FROM my_ledger ORDER BY charge_id DESC LIMIT 1;

-- case: a plan outlives the budget
-- errors: 1 42501
-- charges: 1
\c - postgres
SELECT privacct.grant_budget('care.stay', 'nobody', epsilon => 5);
\c - nobody
SET plan_cache_mode = force_generic_plan;
PREPARE p AS SELECT count(*) >= 0 FROM care.stay;
EXECUTE p;
\setenv PGHOST :HOST
\setenv PGPORT :PORT
\! psql -XAtq -U postgres -d infirmary -c "SELECT privacct.revoke_budget('care.stay', 'nobody')"
EXECUTE p;

-- case: a function of the spy called by others is paid by the spy
-- charges: 2
-- prints: spy\nspy
CREATE FUNCTION den.ask() RETURNS boolean LANGUAGE sql SECURITY DEFINER AS 'SELECT count(*) >= 0 FROM care.stay';
SET ROLE nobody;
SELECT den.ask();
RESET ROLE;
\c - postgres
SELECT den.ask();
SELECT payer FROM privacct.ledger ORDER BY charge_id DESC LIMIT 2;

-- case: a view of the spy read by the unentitled, by the table's owner and by a superuser
-- errors: 4 42501
CREATE VIEW den.numbers AS SELECT count(*) AS c FROM care.stay;
CREATE VIEW den.all_rows AS SELECT * FROM care.stay;
GRANT SELECT ON den.numbers, den.all_rows TO PUBLIC;
SET ROLE nobody;
SELECT c FROM den.numbers;
SELECT name FROM den.all_rows;
\c - keeper
SELECT name FROM den.all_rows WHERE ward = 'annex';
\c - postgres
SELECT name FROM den.all_rows WHERE ward = 'annex';

-- case: refreshing a matview of the spy as somebody else
-- charges: 2
-- prints: spy\nspy
CREATE MATERIALIZED VIEW den.snapshot AS SELECT count(*) AS c FROM care.stay;
\c - postgres
REFRESH MATERIALIZED VIEW den.snapshot;
SELECT payer FROM privacct.ledger ORDER BY charge_id DESC LIMIT 2;

-- case: traps on the search path of the extension's own functions
CREATE FUNCTION den.spring(text, text, text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'BREACH: sprung by %', current_user; RETURN ''; END $$;
CREATE AGGREGATE den.string_agg(text, text) (SFUNC = den.spring, STYPE = text);
CREATE FUNCTION den.format(text, text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'BREACH: sprung by %', current_user; RETURN ''; END $$;
CREATE FUNCTION den.pg_has_role(name, oid, text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'BREACH: sprung by %', current_user; RETURN true; END $$;
CREATE FUNCTION den.compare(numeric, numeric) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'BREACH: sprung by %', current_user; RETURN true; END $$;
CREATE OPERATOR den.> (FUNCTION = den.compare, LEFTARG = numeric, RIGHTARG = numeric);
CREATE OPERATOR den.= (FUNCTION = den.compare, LEFTARG = numeric, RIGHTARG = numeric);
CREATE FUNCTION den.same(oid, oid) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'BREACH: sprung by %', current_user; RETURN true; END $$;
CREATE OPERATOR den.= (FUNCTION = den.same, LEFTARG = oid, RIGHTARG = oid);
\c - keeper
CREATE TEMP TABLE pg_class (oid oid, relowner oid);
CREATE TEMP TABLE policy (policy_id bigint);
SET search_path = pg_temp, den, pg_catalog;
CREATE TABLE care.tree (patient int NOT NULL, v int);
SELECT privacct.protect('care.tree', 'patient', epsilon => 1) IS NOT NULL;
SELECT privacct.set_bounds('care.tree', 'v', 0, 1);
SELECT privacct.grant_budget('care.tree', 'nobody', epsilon => 1);
SELECT count(*) FROM privacct.odometer;
SELECT count(*) FROM privacct.budget;
ALTER TABLE care.tree ADD COLUMN w int;
SELECT privacct.unprotect('care.tree');
DROP TABLE care.tree;

-- case: views of the owner, granted, are guarded as the table is
-- errors: 3 42PA1, 2 42501
-- charges: 2
\c - keeper
CREATE VIEW care.loose_view WITH (security_invoker) AS SELECT name, ward, cost FROM care.stay;
CREATE VIEW care.counted_view WITH (security_invoker) AS SELECT ward, count(*) AS c FROM care.stay GROUP BY ward;
GRANT SELECT ON care.loose_view, care.counted_view TO PUBLIC;
\c - spy
SELECT name FROM care.loose_view WHERE ward = 'annex';
SELECT bit_or(cost) FROM care.loose_view;
COPY (SELECT * FROM care.loose_view) TO STDOUT;
SELECT count(*) > 5000 FROM care.loose_view;
SELECT count(*) FROM care.counted_view;
SET ROLE nobody;
SELECT count(*) FROM care.loose_view;
SELECT count(*) FROM care.counted_view;

-- case: the owner and superusers still read the table
-- as: keeper
-- prints: ^8001\n8001$
SELECT count(*) FROM care.stay;
\c - postgres
SELECT count(*) FROM care.stay;
