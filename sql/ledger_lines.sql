-- Lines of the ledger: nearly all are like earlier ones, whose description they share, and everybody sees them whole.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir '/sql/include/charging.psql'
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE DATABASE regression_lines TEMPLATE template0;
\connect regression_lines
SET client_min_messages = warning;
CREATE EXTENSION privacct;
\getenv abs_srcdir PG_ABS_SRCDIR
\set tampered :abs_srcdir '/sql/include/tampered.psql'
\i :tampered
CREATE ROLE regress_ll_analyst;
CREATE ROLE regress_ll_team;
CREATE ROLE regress_ll_member IN ROLE regress_ll_team;
SET search_path = public, privacct;
\ir :helpers
CREATE TABLE visit (person int PRIMARY KEY, cost int NOT NULL);
INSERT INTO visit SELECT i, i FROM generate_series(1, 50) i;
CREATE TABLE stay (person int PRIMARY KEY);
CREATE TABLE walk (person int, hour int, place text NOT NULL, PRIMARY KEY (person, hour));
INSERT INTO walk SELECT i, j, substr('ab', 1 + (i + j) % 2, 1) FROM generate_series(1, 20) i, generate_series(1, 6) j;
CREATE TABLE planned (person int PRIMARY KEY);
SELECT protect('visit', 'person', epsilon => 10000) AS visit, protect('stay', 'person', epsilon => 1000) AS stay,
	protect_entries('walk', 'person', '{hour}', 'place', chain_prior(ARRAY['a', 'b'], '{{.7,.3},{.3,.7}}'), 1000, max_entries => 6) AS walk,
	protect('planned', 'person', accountant => 'plan', epsilon => 3, fresh => true) AS planned;
SELECT set_bounds('visit', 'cost', 0.0, 100.0) \g /dev/null
SELECT grant_budget(r, 'regress_ll_analyst', 900 + CASE r WHEN 'visit'::regclass THEN 4000 ELSE 0 END) FROM unnest('{visit,stay,walk}'::regclass[]) r \g /dev/null
SELECT grant_budget('visit', 'regress_ll_team', 100), grant_budget('planned', 'regress_ll_analyst', 3) \g /dev/null
SELECT FROM plan_budget('planned', '[{"kernel": "laplace", "releases": 100}, {"kernel": "gaussian", "releases": 5}]');

-- one description for each kind of release under a policy, whatever came between; shown as if each line had its own
SELECT ask(role, '1', query, 4) FROM (VALUES ('regress_ll_analyst', 'SELECT count(*) FROM visit'), ('regress_ll_analyst', 'SELECT avg(cost) FROM visit'),
	('regress_ll_analyst', 'SELECT count(*) FROM stay'), ('regress_ll_member', 'SELECT count(*) FROM visit'),
	('regress_ll_analyst', $$SELECT count(*) FROM walk WHERE place = 'a' AND person = 1$$), ('regress_ll_analyst', $$SELECT count(*) FROM walk WHERE place = 'a' AND person IN (1, 2)$$),
	('regress_ll_analyst', 'SELECT count(*) FROM planned')) q(role, query) \g /dev/null
SELECT policy_id, role, payer, count(*) AS lines, count(*) FILTER (WHERE detail_of IS NULL) AS described, count(DISTINCT detail) AS kept_in_each
FROM ledger_line GROUP BY 1, 2, 3 ORDER BY 1, 2;
SELECT policy_id, role, payer, detail->'statistics'->0->>'statistic' AS statistic, detail->'owners' AS owners, detail->'slots' AS slots, count(*) AS lines, count(DISTINCT detail) AS details
FROM ledger GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 4, 5;
SELECT count(*) AS wrong FROM ledger_line l JOIN ledger_line d ON d.charge_id = l.detail_of WHERE d.policy_id <> l.policy_id OR d.detail_of IS NOT NULL OR d.charge_id >= l.charge_id;
SET ROLE regress_ll_member;
SELECT role, payer, detail->'statistics'->0->>'statistic' AS statistic FROM my_ledger;
RESET ROLE;
SELECT * FROM check_books();

-- a charge takes at most 250 bytes, with all indexes
SELECT pg_total_relation_size('privacct.ledger_line') AS before, pg_total_relation_size('privacct.ledger_line') FROM ask('regress_ll_analyst', '1', 'SELECT count(*) FROM visit', 100) \gset
SELECT ask('regress_ll_analyst', '1', 'SELECT count(*) FROM visit', 2000) \g /dev/null
SELECT (pg_total_relation_size('privacct.ledger_line') - :before) / 2000 BETWEEN 100 AND 250 AS small;

-- what decides does not need another line: amounts, payers, owners who were named, slots that were used
-- (when they are added to the sums is the worker's business)
CREATE VIEW counting AS SELECT 'charged ' || (to_jsonb(c) - '{late_epsilon,late_delta,late_rho}'::text[])::text AS line FROM _charged c
	UNION ALL SELECT 'paid ' || jsonb_build_array(policy_id, payer, sum(epsilon), sum(delta), sum(charges))::text FROM _paid GROUP BY policy_id, payer
	UNION ALL SELECT 'slots ' || to_jsonb(s)::text FROM _slot_uses s;
CREATE TEMP TABLE counted AS TABLE counting;
CREATE TEMP TABLE tight AS SELECT policy_id, epsilon_tight FROM odometer;
BEGIN;
ALTER TABLE privacct.ledger_line DISABLE TRIGGER USER;
UPDATE ledger_line SET detail_of = -1 WHERE detail_of IS NOT NULL;
TABLE counted EXCEPT TABLE counting;
SELECT policy_id, o.epsilon_tight < t.epsilon_tight * (1 - 1e-9) AS less, o.epsilon_tight AS promised FROM tight t JOIN odometer o USING (policy_id) WHERE policy_id IN (2, 4) ORDER BY 1;
SELECT c.charge_id, c.detail, c.mechanisms FROM _charge c WHERE c.charge_id = (SELECT max(charge_id) FROM ledger_line WHERE policy_id = 2);
SELECT relation, problem, detail, remedy FROM pg_temp.check_tampered();
ROLLBACK;

-- what is inserted comes out as it was, and is stored like what was charged
CREATE DATABASE regression_lines_copy TEMPLATE template0;
\copy (SELECT * FROM ledger ORDER BY charge_id) TO 'ledger_lines.data'
\connect regression_lines_copy
SET client_min_messages = warning;
CREATE EXTENSION privacct;
\copy privacct.ledger FROM 'ledger_lines.data'
SELECT setval('privacct.charge_id_seq', 100000) \g /dev/null
\copy (SELECT * FROM privacct.ledger ORDER BY charge_id) TO 'ledger_lines.again'
\! cmp ledger_lines.data ledger_lines.again && rm ledger_lines.data ledger_lines.again
SELECT policy_id, count(*) > 3 AS lines, count(*) FILTER (WHERE detail_of IS NULL) AS described FROM privacct.ledger_line GROUP BY 1 ORDER BY 1;
INSERT INTO privacct.ledger (policy_id, charged_at, role, payer, epsilon, delta, rho, detail)
SELECT 9, '2026-01-01', 'one', payer, 1, 0, 0, d.detail FROM (VALUES ('one', '{"carried_from_policy": 1, "charges": 2}'), ('two', '{"carried_from_policy": 1, "charges": 2}'), ('two', NULL), ('two', NULL)) v(payer, detail), LATERAL (SELECT v.detail::jsonb) d(detail);
SELECT role, payer, detail, detail_of FROM privacct.ledger_line WHERE policy_id = 9 ORDER BY charge_id;
SELECT policy_id, payer, charges FROM privacct._carried ORDER BY payer;
\connect regression_lines
SET client_min_messages = warning;
SET search_path = public, privacct;
DROP DATABASE regression_lines_copy;

-- the newest lines of a role are found without reading its others, also where others' lie between; a role without lines reads none
CREATE FUNCTION plan_of(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF) ' || query LOOP RETURN NEXT line; END LOOP;
END
$$;
CREATE FUNCTION buffers_of(query text) RETURNS int LANGUAGE sql AS $$
	SELECT sum(m[1]::int)::int FROM (SELECT line FROM plan_of(query) line WHERE line ~ 'Buffers:' LIMIT 1) l, regexp_matches(l.line, '(?:hit|read)=(\d+)', 'g') m
$$;
CREATE ROLE regress_ll_few SUPERUSER;
INSERT INTO ledger_line (policy_id, charged_at, role, epsilon, delta, rho, detail_of)
SELECT 1, now(), CASE WHEN i % 10000 = 0 THEN 'regress_ll_few' WHEN i % 20 = 0 THEN current_user ELSE 'regress_ll_team' END, 0, 0, 0, 1 FROM generate_series(1, 40000) i;
ANALYZE ledger_line;
SELECT buffers_of('SELECT * FROM privacct.my_ledger ORDER BY charge_id DESC LIMIT 10') < 120 AS few_for_ten, buffers_of('SELECT * FROM privacct.my_ledger LIMIT 10') < 120 AS few_unordered;
SET ROLE regress_ll_few;
SELECT buffers_of('SELECT * FROM privacct.my_ledger LIMIT 10') < 120 AS few_for_four;
RESET ROLE;

\connect regression
SET client_min_messages = warning;
DROP DATABASE regression_lines;
DROP ROLE regress_ll_analyst, regress_ll_member, regress_ll_team, regress_ll_few;
