-- Declarations: what is accepted, what is refused and how, and how DDL is watched.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_pa_owner;
CREATE ROLE regress_pa_analyst;
GRANT privacct_admin TO regress_pa_owner, regress_pa_analyst;
CREATE ROLE regress_pa_other;
CREATE SCHEMA decl;
GRANT ALL ON SCHEMA decl TO regress_pa_owner;
GRANT USAGE ON SCHEMA decl TO PUBLIC;

-- runs a statement; what it raised, or ok
CREATE FUNCTION public.pa_try(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	message text; detail text; hint text;
BEGIN
	EXECUTE statement;
	RETURN 'ok';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	RETURN concat_ws(E'\n', SQLSTATE || ': ' || message, 'detail: ' || nullif(regexp_replace(detail, '\w+ \(MAINTAIN on [^)]*\), ', ''), ''), 'hint: ' || nullif(hint, ''));
END
$$;
-- what is declared, without what differs from run to run
CREATE VIEW public.pa_declared AS
SELECT relation_name, relation::text AS relation, owner_column, accountant, epsilon, delta, round(cap_rho, 6) AS cap_rho, cap_delta,
	max_groups_contributed AS l0, max_rows_contributed AS rows, min_owners, kernel, length(secret) AS secret, created_by, closed_at IS NULL AS open
FROM privacct.policy WHERE relation_name LIKE 'decl.%';
CREATE VIEW public.pa_columns AS
SELECT p.relation, b.column_name, b.lo::text || ' .. ' || b.hi::text AS declared, b.column_type FROM privacct.bound b JOIN privacct.policy p USING (policy_id) WHERE p.closed_at IS NULL
UNION ALL
SELECT p.relation, k.column_name, k.keys::text, k.column_type FROM privacct.group_key k JOIN privacct.policy p USING (policy_id) WHERE p.closed_at IS NULL;

SET ROLE regress_pa_owner;
CREATE TABLE decl.visit (visit_id bigint, patient_id int NOT NULL, ward text, code varchar(3), cost float8, price numeric(6,2),
	day date, at timestamp, seen timestamptz, urgent boolean, note jsonb, ghost int);
CREATE TABLE decl.person (person_id uuid PRIMARY KEY, name text);
CREATE TABLE decl.log (device text NOT NULL, n int) PARTITION BY RANGE (n);
CREATE TABLE decl.log_1 PARTITION OF decl.log FOR VALUES FROM (0) TO (10);

-- accepted: by name and by position, from a function with a text variable
SELECT privacct.protect('decl.visit', owner => 'patient_id', epsilon => 8, delta => 1e-7,
	max_groups_contributed => 3, max_rows_contributed => 10) > 0 AS protected;
SELECT privacct.protect('decl.person', 'person_id', accountant => 'zcdp', min_owners => 5) > 0 AS protected;
CREATE FUNCTION decl.via(rel regclass, owner text) RETURNS bigint LANGUAGE sql AS 'SELECT privacct.protect(rel, owner)';
SELECT decl.via('decl.log', 'device') > 0 AS protected;
RESET ROLE;
SELECT * FROM pa_declared ORDER BY 1;
SELECT relname, replace(relacl::text, 'arwdDxtm', 'arwdDxt') AS relacl FROM pg_class WHERE relname IN ('visit', 'log', 'log_1') AND relnamespace = 'decl'::regnamespace ORDER BY 1;

-- only the owner declares, whatever the session once was
SET ROLE regress_pa_analyst;
SELECT pa_try(s) FROM unnest(ARRAY[
	$$SELECT privacct.unprotect('decl.visit')$$,
	$$SELECT privacct.protect('decl.log_1', 'device')$$,
	$$SELECT privacct.set_bounds('decl.visit', 'cost', 0, 1)$$,
	$$SELECT privacct.set_keys('decl.visit', 'ward', ARRAY['A'])$$,
	$$SELECT privacct.grant_budget('decl.visit', 'regress_pa_analyst', 1)$$,
	$$SELECT privacct._unprotect('regress_pa_owner', 'decl.visit')$$,
	$$SELECT privacct._grant_budget('regress_pa_owner', 'decl.visit', 'regress_pa_analyst', 1, 0)$$,
	$$SELECT privacct._policy_of('decl.visit')$$,
	$$SELECT privacct._hold_charges(1)$$,
	$$SELECT privacct.harden_catalog()$$,
	$$SELECT * FROM privacct.policy$$,
	$$SELECT nextval('privacct.charge_id_seq')$$,
	$$INSERT INTO privacct.quota SELECT * FROM privacct.quota$$]) s;
RESET ROLE;
SET ROLE regress_pa_owner;

-- parameters of protect
CREATE TABLE decl.t (id int NOT NULL, maybe int, x numeric NOT NULL);
SELECT pa_try(format('SELECT privacct.protect(%s)', s)) FROM unnest(ARRAY[
	$$NULL, 'id'$$, $$'decl.t', NULL$$, $$'decl.missing', 'id'$$, $$4294967295, 'id'$$, $$'decl.t', 'nobody'$$, $$'decl.t', 'maybe'$$, $$'decl.t', 'x'$$,
	$$'decl.t', 'id', epsilon => 0$$, $$'decl.t', 'id', epsilon => -1$$, $$'decl.t', 'id', epsilon => 'NaN'$$,
	$$'decl.t', 'id', epsilon => 'Infinity'$$, $$'decl.t', 'id', epsilon => 1000001$$,
	$$'decl.t', 'id', delta => 1$$, $$'decl.t', 'id', delta => -1e-9$$, $$'decl.t', 'id', delta => 'NaN'$$, $$'decl.t', 'id', delta => 1e-40$$,
	$$'decl.t', 'id', delta => 0, accountant => 'zcdp'$$, $$'decl.t', 'id', delta => 0, kernel => 'gaussian'$$,
	$$'decl.t', 'id', max_groups_contributed => 0$$, $$'decl.t', 'id', max_rows_contributed => -5$$,
	$$'decl.t', 'id', max_groups_contributed => 1000000, max_rows_contributed => 1000000000$$, $$'decl.t', 'id', min_owners => 0$$,
	$$'decl.t', 'id', accountant => 'rdp'$$, $$'decl.t', 'id', regime => NULL$$, $$'decl.t', 'id', kernel => 'cauchy'$$,
	$$'decl.t', 'id', regime => 'local'$$, $$'decl.t', 'id', regime => 'global'$$,
	$$'decl.visit', 'patient_id'$$]) s;

-- relations that cannot be protected
CREATE VIEW decl.v AS SELECT * FROM decl.t;
CREATE MATERIALIZED VIEW decl.mv AS SELECT * FROM decl.t;
CREATE TEMP TABLE pa_temporary (id int NOT NULL);
CREATE TABLE decl.rls (id int NOT NULL);
ALTER TABLE decl.rls ENABLE ROW LEVEL SECURITY;
CREATE TABLE decl.ruled (id int NOT NULL);
CREATE RULE r AS ON INSERT TO decl.ruled DO ALSO NOTIFY x;
CREATE TABLE decl.granted (id int NOT NULL, c text);
GRANT SELECT ON decl.granted TO regress_pa_analyst WITH GRANT OPTION;
GRANT UPDATE (c) ON decl.granted TO PUBLIC;
CREATE TABLE decl.dim (k int PRIMARY KEY);
GRANT DELETE ON decl.dim TO regress_pa_other;
CREATE TABLE decl.fact (id int NOT NULL UNIQUE, k int REFERENCES decl.dim);
CREATE TABLE decl.referenced (id int NOT NULL UNIQUE);
CREATE TABLE decl.writable (id int REFERENCES decl.referenced (id));
GRANT INSERT ON decl.writable TO regress_pa_other;
CREATE TABLE decl.mum (id int NOT NULL);
CREATE TABLE decl.dad (id int NOT NULL);
CREATE TABLE decl.child () INHERITS (decl.mum, decl.dad);
RESET ROLE;
CREATE COLLATION decl.ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE decl.folded (id text COLLATE decl.ci NOT NULL, ward text COLLATE decl.ci);
SELECT pa_try(format('SELECT privacct.protect(%L, %L)', r, CASE r WHEN 'pg_authid' THEN 'oid' WHEN 'privacct.quota' THEN 'policy_id' ELSE 'id' END)) FROM unnest(ARRAY[
	'decl.v', 'decl.mv', 'pa_temporary', 'pg_authid', 'privacct.quota', 'decl.dim_pkey', 'decl.rls', 'decl.ruled', 'decl.granted', 'decl.fact', 'decl.referenced',
	'decl.mum', 'decl.child', 'decl.folded']) r;
SELECT pa_try($$SELECT privacct.protect('decl.log_1', 'device')$$);

-- a child with another owner, a foreign child, a protected child
CREATE TABLE decl.tree (id int NOT NULL) PARTITION BY LIST (id);
CREATE TABLE decl.tree_1 PARTITION OF decl.tree FOR VALUES IN (1);
ALTER TABLE decl.tree_1 OWNER TO regress_pa_other;
SELECT pa_try($$SELECT privacct.protect('decl.tree', 'id')$$);
DROP TABLE decl.tree_1;
CREATE FOREIGN DATA WRAPPER pa_dummy;
CREATE SERVER pa_dummy FOREIGN DATA WRAPPER pa_dummy;
CREATE FOREIGN TABLE decl.tree_2 PARTITION OF decl.tree FOR VALUES IN (2) SERVER pa_dummy;
SELECT pa_try($$SELECT privacct.protect('decl.tree', 'id')$$);
DROP FOREIGN TABLE decl.tree_2;
CREATE TABLE decl.tree_3 (id int NOT NULL);
SELECT privacct.protect('decl.tree_3', 'id') > 0 AS protected;
SELECT pa_try($$ALTER TABLE decl.tree ATTACH PARTITION decl.tree_3 FOR VALUES IN (3)$$);
SELECT privacct.unprotect('decl.tree_3');
ALTER TABLE decl.tree ATTACH PARTITION decl.tree_3 FOR VALUES IN (3);
SELECT privacct.protect('decl.tree', 'id') > 0 AS protected;
SELECT pa_try($$CREATE FOREIGN TABLE decl.tree_2 PARTITION OF decl.tree FOR VALUES IN (2) SERVER pa_dummy$$);
SELECT pa_try($$ALTER TABLE decl.tree_3 OWNER TO regress_pa_other$$);

-- bounds
SET ROLE regress_pa_owner;
SELECT privacct.set_bounds('decl.visit', 'cost', 0, 5000);
SELECT privacct.set_bounds('decl.visit', 'price', -0.5, 99.25), privacct.set_bounds('decl.visit', 'urgent', 0, 1),
	privacct.set_bounds('decl.visit', 'day', '2000-01-02', '2000-02-01'),
	privacct.set_bounds('decl.visit', 'at', date '2000-01-01', date '2000-01-02'),
	privacct.set_bounds('decl.visit', 'seen', timestamptz '2000-01-01 01:00+01', timestamptz '2000-01-01 00:00:01.5+00'),
	privacct.set_bounds('decl.visit', 'visit_id', 1, 2);
SELECT pa_try(format('SELECT privacct.set_bounds(%s)', s)) FROM unnest(ARRAY[
	$$'decl.visit', 'nothing', 0, 1$$, $$'decl.visit', 'ward', 0, 1$$, $$'decl.visit', 'patient_id', 0, 1$$, $$'decl.visit', NULL, 0, 1$$,
	$$'decl.visit', 'cost', 1, 1$$, $$'decl.visit', 'cost', 2, 1$$, $$'decl.visit', 'cost', 'NaN', 1$$, $$'decl.visit', 'cost', 0, 'Infinity'$$,
	$$'decl.visit', 'cost', 0, 1e101$$, $$'decl.visit', 'cost', 0, '1e999'$$, $$'decl.visit', 'cost', 0, NULL$$, $$'decl.visit', 'cost', 'low', 'high'$$,
	$$'decl.visit', 'day', 0, 1$$, $$'decl.visit', 'day', '2000-01-01', 'infinity'$$, $$'decl.visit', 'cost', date '2000-01-01', date '2000-01-02'$$,
	$$'decl.t', 'x', 0, 1$$, $$'decl.log_1', 'n', 0, 1$$]) s;
SELECT privacct.set_bounds('decl.visit', 'urgent', NULL, NULL), privacct.drop_bounds('decl.visit', 'visit_id');

-- keys
SET datestyle = 'SQL, DMY';
SELECT privacct.set_keys('decl.visit', 'ward', ARRAY['A', 'B', 'it''s "C"']), privacct.set_keys('decl.visit', 'code', ARRAY['A', 'BCD']),
	privacct.set_keys('decl.visit', 'visit_id', ARRAY[1, 2]), privacct.set_keys('decl.visit', 'urgent', ARRAY[true, false]),
	privacct.set_keys('decl.visit', 'day', ARRAY[date '2020-02-01']), privacct.set_keys('decl.visit', 'price', ARRAY[1, 2.50]);
RESET datestyle;
SELECT pa_try(format('SELECT privacct.set_keys(''decl.visit'', %s)', s)) FROM unnest(ARRAY[
	$$'nothing', ARRAY[1]$$, $$'cost', ARRAY[1.5]$$, $$'note', ARRAY['{}']$$, $$'patient_id', ARRAY[1]$$, $$'ward', ARRAY[]::text[]$$, $$'ward', ARRAY['A', NULL]$$,
	$$'ward', ARRAY[ARRAY['A'], ARRAY['B']]$$, $$'ward', ARRAY['A', 'A']$$, $$'price', ARRAY['1', '1.0']$$, $$'visit_id', ARRAY['1', 'x']$$,
	$$'code', ARRAY['ABCD']$$, $$'price', ARRAY[1.234]$$, $$'price', ARRAY[123456]$$,
	$$'visit_id', ARRAY(SELECT generate_series(1, 100001))$$]) s;
SELECT privacct.set_keys('decl.visit', 'urgent', NULL::text[]), privacct.drop_keys('decl.visit', 'visit_id');
RESET ROLE;
SELECT * FROM pa_columns ORDER BY 1, 2, 3;

-- budgets
SET ROLE regress_pa_owner;
SELECT privacct.grant_budget('decl.visit', 'regress_pa_analyst', epsilon => 2, delta => 1e-8);
SELECT privacct.grant_budget('decl.person', 'regress_pa_analyst', epsilon => 0.5);
SELECT privacct.grant_budget('decl.visit', 'regress_pa_other', epsilon => 20);
SELECT privacct.grant_budget('decl.visit', 'regress_pa_other', epsilon => 1);
SELECT pa_try(format('SELECT privacct.grant_budget(%s)', s)) FROM unnest(ARRAY[
	$$'decl.visit', 'regress_pa_nobody', 1$$, $$'decl.visit', 'public', 1$$, $$'decl.visit', NULL, 1$$, $$'decl.visit', 'regress_pa_owner', 1$$,
	$$'decl.visit', 'privacct_reader', 1$$, $$'decl.visit', 'regress_pa_analyst', 0$$, $$'decl.visit', 'regress_pa_analyst', 1, -1$$,
	$$'decl.person', 'regress_pa_analyst', 1, 0$$, $$'decl.t', 'regress_pa_analyst', 1$$]) s;
SELECT pa_try(format('SELECT privacct.grant_budget(%L, %L, 1)', 'decl.visit', (SELECT rolname FROM pg_roles WHERE oid = 10)))
	~ 'cannot be given a budget' AS superuser_refused;
SELECT privacct.revoke_budget('decl.visit', 'regress_pa_other');
SELECT pa_try($$SELECT privacct.revoke_budget('decl.visit', 'regress_pa_other')$$);
RESET ROLE;
SELECT p.relation, q.role, q.epsilon, q.delta, round(q.cap_rho, 6) AS cap_rho, q.cap_delta, q.granted_by
FROM privacct.quota q JOIN privacct.policy p USING (policy_id) WHERE p.relation_name LIKE 'decl.%' ORDER BY p.relation::text, q.role::text;
-- the account survives
SELECT p.relation, a.role, a.releases FROM privacct.account a JOIN privacct.policy p USING (policy_id)
WHERE p.relation_name = 'decl.visit' ORDER BY a.role::text;

-- later changes that would undermine a policy are refused, also by a superuser
CREATE TABLE decl.outside (id int PRIMARY KEY);
CREATE TABLE decl.log_2 (device text NOT NULL, n int);
ALTER TABLE decl.log_2 OWNER TO regress_pa_owner;
GRANT SELECT ON decl.log_2 TO regress_pa_other;
SELECT pa_try(s) FROM unnest(ARRAY[
	$$GRANT SELECT ON decl.visit TO regress_pa_other$$,
	$$GRANT SELECT (ward) ON decl.visit TO PUBLIC$$,
	$$GRANT INSERT ON decl.log_1 TO regress_pa_other$$,
	$$GRANT ALL ON ALL TABLES IN SCHEMA decl TO regress_pa_other$$,
	$$ALTER TABLE decl.visit ENABLE ROW LEVEL SECURITY$$,
	$$CREATE RULE r AS ON DELETE TO decl.visit DO INSTEAD NOTHING$$,
	$$ALTER TABLE decl.visit ALTER patient_id DROP NOT NULL$$,
	$$ALTER TABLE decl.visit ALTER patient_id TYPE numeric$$,
	$$ALTER TABLE decl.visit DROP COLUMN patient_id$$,
	$$ALTER TABLE decl.visit ALTER day TYPE timestamp$$,
	$$ALTER TABLE decl.visit ALTER code TYPE varchar(2)$$,
	$$ALTER TABLE decl.visit ADD FOREIGN KEY (ghost) REFERENCES decl.dim$$,
	$$ALTER TABLE decl.log ATTACH PARTITION decl.log_2 FOR VALUES FROM (10) TO (20)$$,
	$$CREATE TABLE decl.two_parents () INHERITS (decl.visit, decl.mum)$$,
	$$CREATE SCHEMA decl2 AUTHORIZATION regress_pa_owner GRANT SELECT ON decl.visit TO regress_pa_other$$]) s;
ALTER TABLE decl.visit ADD FOREIGN KEY (ghost) REFERENCES decl.outside;
SELECT pa_try($$GRANT UPDATE (id) ON decl.outside TO regress_pa_other$$);
SELECT pa_try($$ALTER TABLE decl.outside OWNER TO regress_pa_other$$);
ALTER DEFAULT PRIVILEGES FOR ROLE regress_pa_owner IN SCHEMA decl GRANT SELECT ON TABLES TO regress_pa_analyst;
SET ROLE regress_pa_owner;
SELECT pa_try($$CREATE TABLE decl.log_3 PARTITION OF decl.log FOR VALUES FROM (20) TO (30)$$);
RESET ROLE;
ALTER DEFAULT PRIVILEGES FOR ROLE regress_pa_owner IN SCHEMA decl REVOKE SELECT ON TABLES FROM regress_pa_analyst;
-- other tables are nobody's business
SELECT pa_try(s) FROM unnest(ARRAY[
	$$GRANT SELECT ON decl.t TO regress_pa_other$$,
	$$ALTER TABLE decl.t ALTER id DROP NOT NULL$$,
	$$CREATE TEMP TABLE pa_scratch (id int)$$]) s;

-- names follow
ALTER TABLE decl.visit RENAME COLUMN patient_id TO who;
ALTER TABLE decl.visit RENAME COLUMN cost TO expense;
ALTER TABLE decl.visit RENAME COLUMN ward TO cost;
ALTER TABLE decl.visit RENAME COLUMN ghost TO ward;
ALTER TABLE decl.visit RENAME TO stay;
ALTER TABLE decl.stay DROP COLUMN price, ADD COLUMN price numeric;
SELECT relation, owner_column FROM pa_declared WHERE relation_name = 'decl.visit';
SELECT * FROM pa_columns ORDER BY 1, 2, 3;

-- what was spent is carried over, under the same accountant only
SET privacct.write_books = on;
UPDATE privacct.account SET epsilon = 1.5, delta = 1e-9, rho = 0.25, releases = 3
WHERE (policy_id, role) IN (SELECT policy_id, r FROM privacct.policy p, unnest(ARRAY[0::regrole, 'regress_pa_analyst']) r WHERE p.relation = 'decl.stay'::regclass);
INSERT INTO privacct.ledger (policy_id, charged_at, role, payer, epsilon, delta, rho)
SELECT policy_id, now(), 'regress_pa_analyst', 'regress_pa_analyst', 0.5, 1e-9 / 3, 0.25 / 3 FROM privacct.policy, generate_series(1, 3)
WHERE relation = 'decl.stay'::regclass;
RESET privacct.write_books;
SELECT privacct.unprotect('decl.stay');
SELECT pa_try($$SELECT privacct.unprotect('decl.stay')$$);
SELECT replace(relacl::text, 'arwdDxtm', 'arwdDxt') AS relacl FROM pg_class WHERE oid = 'decl.stay'::regclass;
SELECT pa_try($$SELECT privacct.protect('decl.stay', 'who', accountant => 'zcdp')$$);
SELECT privacct.protect('decl.stay', 'who', epsilon => 4) > 0 AS protected;
SELECT open, epsilon, epsilon_spent, epsilon_left, delta_spent, rho_spent, releases FROM privacct.odometer WHERE relation = 'decl.stay'::regclass ORDER BY policy_id;
SELECT nullif(l.payer, CURRENT_USER) AS payer, l.epsilon, l.detail ->> 'charges' AS charges FROM privacct.ledger l JOIN privacct.policy p USING (policy_id) WHERE p.relation = 'decl.stay'::regclass AND p.closed_at IS NULL;
SELECT pa_try(s) FROM unnest(ARRAY['DELETE FROM privacct.ledger', 'UPDATE privacct.ledger SET epsilon = 0', 'TRUNCATE privacct.ledger', 'DELETE FROM privacct.ledger_line', 'UPDATE privacct.ledger_line SET epsilon = 0', 'TRUNCATE privacct.ledger_line']) s;

-- a dropped table closes its policy; one of the same name starts anew if that is said
DROP TABLE decl.stay;
CREATE TABLE decl.visit (patient_id int NOT NULL);
SELECT relation, relation_name, open FROM pa_declared WHERE relation_name IN ('decl.visit', 'decl.stay') ORDER BY 1, 2;
ALTER TABLE decl.visit RENAME TO stay;
SELECT privacct.protect('decl.stay', 'patient_id', fresh => true) > 0 AS protected;

-- a broken policy does not stop what repairs it
ALTER EVENT TRIGGER privacct_ddl_end DISABLE;
GRANT SELECT ON decl.stay TO regress_pa_other;
ALTER EVENT TRIGGER privacct_ddl_end ENABLE ALWAYS;
SELECT pa_try($$GRANT SELECT ON decl.t TO regress_pa_analyst$$);		-- nor anything else
SELECT pa_try($$GRANT SELECT ON decl.stay TO regress_pa_analyst$$);
REVOKE SELECT ON decl.stay FROM regress_pa_other;
GRANT SELECT ON decl.t TO regress_pa_analyst;

DROP TABLE pa_temporary;
DROP SERVER pa_dummy CASCADE;
DROP FOREIGN DATA WRAPPER pa_dummy;
DROP VIEW pa_declared, pa_columns;
SET client_min_messages = warning;
DROP SCHEMA decl CASCADE;
DROP FUNCTION pa_try(text);
DROP ROLE regress_pa_owner, regress_pa_analyst, regress_pa_other;
SELECT count(*) AS open_policies FROM privacct.policy WHERE closed_at IS NULL;
-- for the tests that follow
SET client_min_messages = error;
RESET privacct.write_books;
SELECT privacct.accept_books();
