--
-- A cached plan serves the role and the settings it is executed under, not those it was made under.
--
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_pc_analyst;
CREATE ROLE regress_pc_owner;
GRANT privacct_admin TO regress_pc_owner;
GRANT CREATE ON SCHEMA public TO regress_pc_owner;
RESET client_min_messages;
SET ROLE regress_pc_owner;
CREATE TABLE cached (owner int PRIMARY KEY, x int NOT NULL);
INSERT INTO cached SELECT i, i % 10 FROM generate_series(1, 100) i;
SELECT privacct.protect('cached', 'owner', epsilon => 100000, delta => 1e-6) > 0 AS protected;
SELECT privacct.grant_budget('cached', 'regress_pc_analyst', epsilon => 100000);
RESET ROLE;
SET privacct.epsilon = 1000;
SET plan_cache_mode = force_generic_plan;
\set VERBOSITY terse

-- the analyst's plan, then a superuser's and the owner's turn: their rows are theirs, nobody pays
PREPARE p AS SELECT count(*) FROM cached WHERE x < 5;
SET ROLE regress_pc_analyst;
EXECUTE p;
RESET ROLE;
EXPLAIN (COSTS OFF) EXECUTE p;
EXECUTE p;
SET ROLE regress_pc_owner;
EXECUTE p;
SET ROLE regress_pc_analyst;
EXPLAIN (COSTS OFF) EXECUTE p;
EXECUTE p;
SELECT releases FROM privacct.my_budget WHERE relation = 'cached'::regclass;

-- settings that would show figures are refused at execution too
SET debug_print_plan = on;
EXECUTE p;
RESET debug_print_plan;
RESET ROLE;
SET privacct.allow_serializable = on;
SET ROLE regress_pc_analyst;
SET client_min_messages = debug1;
BEGIN ISOLATION LEVEL SERIALIZABLE;
EXECUTE p;
ROLLBACK;
RESET ROLE;
RESET privacct.allow_serializable;
SET ROLE regress_pc_analyst;
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) EXECUTE p;
SELECT releases FROM privacct.my_budget WHERE relation = 'cached'::regclass;

-- tables that look empty do so as long as that is set
SET privacct.empty_rows = on;
PREPARE z AS SELECT * FROM cached;
EXECUTE z;
RESET privacct.empty_rows;
EXECUTE z;
SET privacct.empty_rows = on;
EXECUTE z;
BEGIN;
SET LOCAL privacct.empty_rows = off;
SAVEPOINT s;
EXECUTE z;
ROLLBACK;
EXECUTE z;
RESET privacct.empty_rows;

-- ... and so does all that their rows are joined with, while what is computed of them is not
SET privacct.empty_rows = on;
SELECT * FROM generate_series(1, 3) AS i LEFT JOIN cached ON true;
SELECT coalesce(i, 99) FROM (SELECT FROM cached) AS c FULL JOIN generate_series(1, 3) AS i ON true LIMIT 1;
SELECT i FROM generate_series(1, 2) AS i, (SELECT count(*) FROM cached) AS c(n);
SELECT releases FROM privacct.my_budget WHERE relation = 'cached'::regclass;
RESET privacct.empty_rows;

-- a locale whose encoding is not known: a release says nothing of it
SET lc_time = '';
SELECT count(*) > 0 AS answered FROM cached;
RESET lc_time;
RESET ROLE;
DEALLOCATE p;
SELECT privacct.unprotect('cached');
DROP TABLE cached;
DROP OWNED BY regress_pc_analyst, regress_pc_owner;
DROP ROLE regress_pc_analyst, regress_pc_owner;
