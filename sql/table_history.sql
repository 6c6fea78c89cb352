-- What was asked of rows stays lost wherever the rows go.
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_hi_analyst;
CREATE SCHEMA hi;
GRANT USAGE ON SCHEMA hi TO regress_hi_analyst;
SET search_path = hi, privacct;
SET privacct.epsilon = 1;
CREATE FUNCTION ask(relation regclass, times int DEFAULT 1) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	n numeric;
BEGIN
	SET LOCAL ROLE regress_hi_analyst;
	FOR i IN 1 .. times LOOP
		EXECUTE format('SELECT count(*) FROM %s', relation) INTO n;
	END LOOP;
	RESET ROLE;
	RETURN CASE WHEN n IS NULL THEN 'null' ELSE 'answered' END;
END
$$;
CREATE FUNCTION spent(relation regclass) RETURNS text LANGUAGE sql AS $$
	SELECT format('%s releases, epsilon %s', o.releases, o.epsilon_spent) FROM odometer o WHERE o.relation = spent.relation AND o.open
$$;
-- what a statement says, and what it was refused with
CREATE FUNCTION try(statement text, relation regclass DEFAULT NULL) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
	hint text;
BEGIN
	EXECUTE statement;
	RETURN coalesce(spent(relation), 'done');
EXCEPTION
	WHEN OTHERS THEN
		GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
		RETURN concat_ws(E'\n  ', SQLSTATE || ' ' || SQLERRM, nullif(regexp_replace(detail, 'Policy \d+', 'Policy N'), ''), nullif(hint, ''));
END
$$;
CREATE FUNCTION protect_it(relation regclass, more text DEFAULT '') RETURNS text LANGUAGE sql AS $$
	SELECT try(format('SELECT privacct.protect(%1$L, ''person'', epsilon => 100, min_epsilon => 1e-6 %2$s);
		SELECT privacct.grant_budget(%1$L, ''regress_hi_analyst'', 100, 1e-7)', relation, more), relation)
$$;

-- a partition takes with it what was spent while it was there, wherever it goes
CREATE TABLE trip (day int NOT NULL, person int NOT NULL) PARTITION BY RANGE (day);
CREATE TABLE trip_1 PARTITION OF trip FOR VALUES FROM (0) TO (10);
CREATE TABLE trip_2 PARTITION OF trip FOR VALUES FROM (10) TO (20);
INSERT INTO trip SELECT i % 20, i % 7 FROM generate_series(1, 200) i;
SELECT protect_it('trip');
SELECT ask('trip', 2);
ALTER TABLE trip DETACH PARTITION trip_1;
SELECT ask('trip', 3);
-- since then more was asked of the others, whose rows may have been moved
SELECT protect_it('trip_1');
SELECT protect_it('trip_1', ', fresh => true');
SELECT ask('trip_1');
-- what was spent together is not counted twice, what was spent apart is
SELECT unprotect('trip_1'), unprotect('trip');
ALTER TABLE trip ATTACH PARTITION trip_1 FOR VALUES FROM (0) TO (10);
SELECT protect_it('trip');
SELECT (SELECT sum(epsilon) FROM ledger l WHERE l.policy_id = a.policy_id) = epsilon AS ledger_agrees FROM account a
WHERE role = 0::regrole AND policy_id = (SELECT max(policy_id) FROM policy);
-- once more, and through a rolling window: back under the same policy, nothing happens
ALTER TABLE trip DETACH PARTITION trip_2;
ALTER TABLE trip ATTACH PARTITION trip_2 FOR VALUES FROM (10) TO (20);
SELECT spent('trip');
SELECT relation_name, left_at IS NULL AS covered, trim_scale(epsilon) AS epsilon, releases FROM history WHERE relation_name ~ '^hi' ORDER BY policy_id, relation_name;

-- below another root: refused, with the way out
CREATE TABLE walk (LIKE trip) PARTITION BY RANGE (day);
SELECT protect_it('walk', ', fresh => true');
ALTER TABLE trip DETACH PARTITION trip_2;
SELECT try('ALTER TABLE walk ATTACH PARTITION trip_2 FOR VALUES FROM (10) TO (20)');
BEGIN;
SELECT unprotect('walk');
ALTER TABLE walk ATTACH PARTITION trip_2 FOR VALUES FROM (10) TO (20);
SELECT protect_it('walk');
COMMIT;
CREATE TABLE run (day int NOT NULL, person int NOT NULL, speed int);
CREATE TABLE run_1 (day int NOT NULL, person int NOT NULL, speed int);
SELECT protect_it('run_1');
SELECT ask('run_1', 2);
SELECT protect_it('run', ', fresh => true');
SELECT try('ALTER TABLE run_1 INHERIT run');
SELECT unprotect('run_1');
SELECT try('ALTER TABLE run_1 INHERIT run');
SELECT unprotect('run');
ALTER TABLE run_1 INHERIT run;
SELECT protect_it('run');
-- grandchildren leave with their parents
CREATE TABLE run_11 () INHERITS (run_1);
SELECT ask('run');
ALTER TABLE run_1 NO INHERIT run;
ALTER TABLE run_11 NO INHERIT run_1;
SELECT protect_it('run_11', $$, inherits => 'hi.run'$$);

-- a table of their own is told by the column that named their owners
ALTER TABLE trip DETACH PARTITION trip_1;
ALTER TABLE trip_1 RENAME person TO who;
ALTER TABLE trip_1 ADD person int NOT NULL DEFAULT 1;
SELECT protect_it('trip_1');
SELECT try($$SELECT privacct.protect('trip_1', 'who', epsilon => 100, inherits => 'hi.trip')$$, 'trip_1');
SELECT unprotect('trip_1');
SELECT try($$SELECT privacct.protect('trip_1', 'who', epsilon => 100, accountant => 'zcdp')$$, 'trip_1');
ALTER TABLE trip_1 ALTER who TYPE int USING who / 10;
SELECT try($$SELECT privacct.protect('trip_1', 'who', epsilon => 100)$$, 'trip_1');

-- a table that takes the place of another
CREATE TABLE orders (id int, person int NOT NULL);
INSERT INTO orders SELECT i, i % 50 FROM generate_series(1, 100) i;
SELECT protect_it('orders');
SELECT ask('orders', 4);
CREATE TABLE orders_new AS SELECT * FROM orders;
ALTER TABLE orders_new ALTER person SET NOT NULL, ADD extra int;
ALTER TABLE orders RENAME TO orders_old;
ALTER TABLE orders_new RENAME TO orders;
SELECT protect_it('orders');
SELECT protect_it('orders', $$, inherits => 'orders_older'$$);
SELECT protect_it('orders', $$, inherits => 'orders_old'$$);
SELECT detail - 'carried_from_policy' AS detail FROM ledger WHERE policy_id = (SELECT max(policy_id) FROM policy) ORDER BY charge_id;
-- not asked again, and not under another name
SELECT ask('orders');
BEGIN;
SELECT unprotect('orders');
SELECT protect_it('orders');
COMMIT;
-- a copy: the same owner and columns
CREATE TABLE elsewhere AS SELECT * FROM orders;
ALTER TABLE elsewhere ALTER person SET NOT NULL;
SELECT protect_it('elsewhere');
SELECT protect_it('elsewhere', ', fresh => true');
SELECT detail, epsilon FROM ledger WHERE policy_id = (SELECT max(policy_id) FROM policy) ORDER BY charge_id;
SELECT ask('elsewhere');
BEGIN;
SELECT unprotect('elsewhere');
SELECT protect_it('elsewhere');
COMMIT;
-- dropped and made again
DROP TABLE orders_old;
CREATE TABLE orders_old (person int NOT NULL, total numeric);
SELECT protect_it('orders_old');
SELECT protect_it('orders_old', $$, inherits => 'orders_old'$$);
SELECT protect_it('orders_old', $$, inherits => 'orders_old, hi.orders'$$);
DROP TABLE orders_old;
DROP TABLE elsewhere;
CREATE TABLE else_again (id int, extra int, person int NOT NULL);
SELECT protect_it('else_again', $$, inherits => 'hi.orders, hi.elsewhere'$$);
-- by the name, or the columns, that another had under an earlier policy that charged nothing
CREATE TABLE wage (person int NOT NULL, euros int);
SELECT protect_it('wage'), unprotect('wage');
ALTER TABLE wage RENAME TO wage_2025;
ALTER TABLE wage_2025 RENAME euros TO cents;
SELECT protect_it('wage_2025');
SELECT ask('wage_2025');
CREATE TABLE wage (person int NOT NULL, amount int);
SELECT protect_it('wage');
CREATE TABLE income (person int NOT NULL, euros int);
SELECT protect_it('income');
SELECT protect_it('income', $$, inherits => 'hi.wage_2025'$$);
-- by the name of a schema
CREATE SCHEMA hi2;
GRANT USAGE ON SCHEMA hi2 TO regress_hi_analyst;
CREATE TABLE hi2.stock (person int NOT NULL, n int);
INSERT INTO hi2.stock VALUES (1, 1);
SELECT protect_it('hi2.stock');
SELECT ask('hi2.stock');
ALTER SCHEMA hi2 RENAME TO hi3;
CREATE SCHEMA hi2;
CREATE TABLE hi2.stock (person int NOT NULL, place text);
SELECT protect_it('hi2.stock');
SELECT protect_it('hi2.stock', $$, inherits => 'stock'$$);
-- somebody else's
CREATE ROLE regress_hi_steward IN ROLE privacct_admin;
GRANT USAGE, CREATE ON SCHEMA hi TO regress_hi_steward;
SET ROLE regress_hi_steward;
CREATE TABLE orders_old (person int NOT NULL);
SELECT privacct.protect('orders_old', 'person', inherits => 'orders') > 0;
SELECT privacct.protect('orders_old', 'person') > 0;
SELECT privacct.protect('orders_old', 'person', fresh => true) > 0;
RESET ROLE;

-- the local regime: the most that an owner lost
CREATE TABLE vote (person int PRIMARY KEY, yes boolean NOT NULL);
INSERT INTO vote SELECT i, i % 2 = 0 FROM generate_series(1, 50) i;
SELECT try($$SELECT privacct.protect('vote', 'person', epsilon => 3, regime => 'local')$$, 'vote'), set_domain('vote', 'yes', ARRAY[false, true]);
SELECT grant_budget('vote', 'regress_hi_analyst', 100);
SET ROLE regress_hi_analyst;
SELECT count(*) > 0 AS answered FROM vote WHERE yes;
RESET ROLE;
SELECT worst_case_most FROM local_odometer WHERE relation = 'vote'::regclass;
CREATE TABLE vote_copy (LIKE vote INCLUDING ALL);
SELECT try($$SELECT privacct.protect('vote_copy', 'person', epsilon => 3, regime => 'local')$$, 'vote_copy');
SELECT try($$SELECT privacct.protect('vote_copy', 'person', epsilon => 3, inherits => 'vote')$$, 'vote_copy');
SELECT try($$SELECT privacct.protect('vote_copy', 'person', epsilon => 3, regime => 'local', inherits => 'vote')$$, 'vote_copy');
SELECT relation, worst_case_epsilon FROM local_state WHERE state = 0 AND relation IN ('vote'::regclass, 'vote_copy'::regclass) ORDER BY 1;
DROP TABLE vote;
-- dropped without a word: as much as was promised
CREATE TABLE vote (LIKE vote_copy INCLUDING ALL);
SELECT try($$SELECT privacct.protect('vote', 'person', epsilon => 4, regime => 'local', inherits => 'hi.vote', fresh => true)$$, 'vote');
SELECT relation, worst_case_epsilon FROM local_state WHERE state = 0 AND relation = 'vote'::regclass;

-- the pufferfish regime: per entry, and no fewer entries
CREATE TABLE path (person int, stop int, place text NOT NULL, PRIMARY KEY (person, stop));
INSERT INTO path SELECT i, j, substr('ab', 1 + (i + j) % 2, 1) FROM generate_series(1, 20) i, generate_series(1, 6) j;
CREATE FUNCTION protect_path(relation regclass, more text DEFAULT '') RETURNS text LANGUAGE sql AS $$
	SELECT try(format($q$SELECT privacct.protect_entries(%L, 'person', ARRAY['stop']::name[], 'place',
		privacct.chain_prior(ARRAY['a', 'b'], '{{.7,.3},{.3,.7}}'), epsilon_pufferfish => 8 %s)$q$, relation, more), relation)
$$;
SET privacct.epsilon = 0.01;
SELECT protect_path('path', ', max_entries => 6');
SELECT grant_budget('path', 'regress_hi_analyst', 100);
SET ROLE regress_hi_analyst;
SELECT count(*) IS NOT NULL AS answered FROM path WHERE place = 'a';
RESET ROLE;
SELECT spent('path');
CREATE TABLE path_copy (LIKE path INCLUDING ALL);
SELECT protect_path('path_copy', ', max_entries => 6');
SELECT protect_path('path_copy', $$, max_entries => 4, inherits => 'path'$$);
SELECT protect_path('path_copy', $$, max_entries => 7, inherits => 'path'$$);

-- a tool that quotes names makes them of other cases
CREATE TABLE "pathNote" (note text, person int NOT NULL, "aZ" int, z int);
SELECT protect('"pathNote"', 'person', epsilon => 1) > 0 AS protected;
CREATE TABLE "PathNote" (more int, "PERSON" int NOT NULL);
SELECT protect('"PathNote"', 'PERSON');
CREATE TABLE "Other" ("Z" int, "AZ" int, "Person" int NOT NULL, "Note" text);
SELECT protect('"Other"', 'Person');
ALTER TABLE "Other" ADD more int;
SELECT protect('"Other"', 'Person', inherits => 'hi."pathNote"') > 0 AS protected;
ALTER TABLE "Other" DROP COLUMN more;
ALTER TABLE "Other" RENAME TO pathnote;

-- whatever command it is that makes a child, or renames a table or a column
CREATE TABLE trunk (person int NOT NULL, v int NOT NULL);
SELECT protect('trunk', 'person', epsilon => 1) > 0 AS protected;
CREATE SCHEMA hi4 CREATE TABLE twig (extra int) INHERITS (hi.trunk);
SELECT h.relation, h.left_at IS NULL AS covered FROM privacct.history h WHERE h.relation = 'hi4.twig'::regclass;
ALTER INDEX hi4.twig RENAME TO branch;
ALTER VIEW trunk RENAME COLUMN person TO v2;
ALTER MATERIALIZED VIEW trunk RENAME COLUMN v TO person;
SELECT h.relation_name, h.owner_column FROM privacct.history h WHERE h.relation IN ('trunk'::regclass, 'hi4.branch'::regclass) ORDER BY 1;
SET client_min_messages = warning;
DROP SCHEMA hi4 CASCADE;

DROP SCHEMA hi, hi2, hi3 CASCADE;
DROP OWNED BY regress_hi_steward;
DROP ROLE regress_hi_analyst, regress_hi_steward;
