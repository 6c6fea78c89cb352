-- A budget is not refilled by names, columns, roles and partitions that come and go.
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE SCHEMA rf;
CREATE SCHEMA rf2;
CREATE ROLE regress_rf_asker;
GRANT USAGE ON SCHEMA rf, rf2 TO regress_rf_asker;
SET search_path = rf, privacct;
CREATE FUNCTION ask(relation regclass, epsilon float8 DEFAULT 1) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	n numeric;
BEGIN
	PERFORM set_config('privacct.epsilon', epsilon::text, false);
	SET LOCAL ROLE regress_rf_asker;
	EXECUTE format('SELECT count(*) FROM %s', relation) INTO n;
	RESET ROLE;
	RETURN 'answered';
EXCEPTION WHEN OTHERS THEN
	RESET ROLE;
	RETURN SQLSTATE || ' ' || SQLERRM;
END
$$;
-- what is spent when it is protected, or what the refusal names
CREATE FUNCTION protect_it(relation regclass, more text DEFAULT '', owner name DEFAULT 'person') RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	hint text;
BEGIN
	EXECUTE format('SELECT privacct.protect(%1$L, %3$L, epsilon => 100, min_epsilon => 1e-6 %2$s); SELECT privacct.grant_budget(%1$L, ''regress_rf_asker'', 100, 1e-7)', relation, more, owner);
	RETURN (SELECT 'spent ' || o.epsilon_spent FROM odometer o WHERE o.relation = protect_it.relation AND o.open);
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
	RETURN SQLSTATE || ' ' || coalesce((regexp_match(hint, 'inherits => ''[^'']*'''))[1], SQLERRM);
END
$$;
CREATE FUNCTION try(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RETURN 'done';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END
$$;
CREATE FUNCTION new_table(name text, columns text DEFAULT 'person int NOT NULL, r_v int') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TABLE %s (%s)', name, columns);
	EXECUTE format('INSERT INTO %s SELECT i, i FROM generate_series(1, 50) i', name);
END
$$;

-- by amount: names that are swapped back after inherits
SELECT new_table('a');
SELECT protect_it('a');
SELECT ask('a', 0.125);
ALTER TABLE a RENAME TO a_old;
SELECT new_table('a');
SELECT protect_it('a'), protect_it('a', $$, inherits => 'a_old'$$);
SELECT ask('a', 2);
ALTER TABLE a RENAME TO a_2;
SELECT try('ALTER TABLE a_old RENAME TO a');
BEGIN;
SELECT unprotect('a_old');
ALTER TABLE a_old RENAME TO a;
SELECT protect_it('a'), protect_it('a', $$, inherits => 'a_2'$$);
COMMIT;

-- what was said to be of others is what it was then
SELECT new_table('b', 'person int NOT NULL, b int');
SELECT protect_it('b');
SELECT ask('b', 0.125);
SELECT new_table('b2', 'person int NOT NULL, b int');
SELECT protect_it('b2'), protect_it('b2', ', fresh => true');
SELECT ask('b2', 2);
SELECT unprotect('b2'), protect_it('b2');
SELECT new_table('b3', 'person int NOT NULL, b int');
SELECT protect_it('b3', $$, inherits => 'b'$$), protect_it('b3', $$, inherits => 'b2, b'$$);
SELECT ask('b', 4);
SELECT unprotect('b2');
SELECT protect_it('b2'), protect_it('b2', ', fresh => true');
SELECT unprotect('b2');
SELECT protect_it('b2');

-- a partition that left before anything was asked, and has got rows of the others since
CREATE TABLE c (person int NOT NULL, r_day int) PARTITION BY RANGE (r_day);
CREATE TABLE c_1 PARTITION OF c FOR VALUES FROM (0) TO (10);
CREATE TABLE c_2 PARTITION OF c FOR VALUES FROM (10) TO (20);
INSERT INTO c SELECT i, 10 FROM generate_series(1, 50) i;
SELECT protect_it('c');
ALTER TABLE c DETACH PARTITION c_1;
SELECT protect_it('c_1'), protect_it('c_1', ', fresh => true');
SELECT unprotect('c_1');
SELECT ask('c', 2);
INSERT INTO c_1 SELECT person, 1 FROM c_2;
SELECT protect_it('c_1'), protect_it('c_1', $$, inherits => 'c'$$);
SELECT relation_name, count(*) FROM history WHERE relation IN ('c_1'::regclass) GROUP BY 1;

-- a protected table takes the name of another: whatever command it is
SELECT new_table('d', 'person int NOT NULL, d int');
SELECT new_table('rf2.d', 'person int NOT NULL, d2 int');
SELECT new_table('d_new', 'person int NOT NULL, d int');
SELECT protect_it('d'), protect_it('rf2.d', ', fresh => true'), protect_it('d_new', ', fresh => true');
SELECT ask('d', 2);
ALTER TABLE d RENAME TO d_old;
SELECT statement, try(statement) FROM unnest(ARRAY['ALTER TABLE d_new RENAME TO d', 'ALTER INDEX d_new RENAME TO d', 'ALTER TABLE rf2.d SET SCHEMA rf']) statement;
CREATE SCHEMA rf3;
SELECT new_table('rf3.e', 'person int NOT NULL, e int');
SELECT protect_it('rf3.e');
SELECT new_table('rf2.e', 'person int NOT NULL, e2 int');
SELECT protect_it('rf2.e', ', fresh => true');
SELECT ask('rf2.e');
ALTER SCHEMA rf2 RENAME TO rf4;
SELECT try('ALTER SCHEMA rf3 RENAME TO rf2');
-- not its own, and not one of which nothing was asked
ALTER TABLE d_old RENAME TO d;
ALTER TABLE d_new RENAME TO d_3;
ALTER TABLE d_3 RENAME TO d_new;
DROP TABLE d;
SELECT try('ALTER TABLE d_new RENAME TO d');
BEGIN;
SELECT unprotect('d_new');
ALTER TABLE d_new RENAME TO d;
SELECT protect_it('d'), protect_it('d', $$, inherits => 'rf.d', fresh => true$$);
COMMIT;
-- nor does a partition
CREATE TABLE f (person int NOT NULL, r_day int) PARTITION BY RANGE (r_day);
SELECT protect_it('f', ', fresh => true');
DROP TABLE rf4.e;
SELECT try('CREATE TABLE rf4.e PARTITION OF f FOR VALUES FROM (0) TO (10)');
CREATE TABLE f_1 PARTITION OF f FOR VALUES FROM (0) TO (10);
SELECT ask('f');
DROP TABLE f_1;
CREATE TABLE f_1 PARTITION OF f FOR VALUES FROM (0) TO (10);

-- a copy is told by what the other's columns and owners were
CREATE DOMAIN rf_number AS int;
CREATE ROLE regress_rf_owner IN ROLE privacct_admin;
GRANT USAGE, CREATE ON SCHEMA rf TO regress_rf_owner;
SELECT new_table('g', 'person int NOT NULL, g rf_number');
ALTER TABLE g OWNER TO regress_rf_owner;
SELECT protect_it('g');
SELECT ask('g', 2);
ALTER DOMAIN rf_number RENAME TO rf_integer;
ALTER ROLE regress_rf_owner RENAME TO regress_rf_owner2;
SELECT new_table('g2', 'person int NOT NULL, g bigint');
ALTER TABLE g2 OWNER TO regress_rf_owner2;
SELECT protect_it('g2');
ALTER TABLE g ADD extra int;
ALTER TABLE g RENAME g TO h;
SELECT protect_it('g2');
ALTER TABLE g OWNER TO CURRENT_USER;
DROP TABLE g;
SELECT protect_it('g2');
SELECT new_table('g3', 'person int NOT NULL, h int');
ALTER TABLE g3 ADD extra text;
SELECT protect_it('g3');

-- also when an owner was given it by REASSIGN OWNED, which no event trigger sees
CREATE ROLE regress_rf_heir IN ROLE privacct_admin;
GRANT USAGE, CREATE ON SCHEMA rf TO regress_rf_heir;
SELECT new_table('h', 'person int NOT NULL, rf_h int');
ALTER TABLE h OWNER TO regress_rf_owner2;
SELECT protect_it('h');
SELECT ask('h', 2);
REASSIGN OWNED BY regress_rf_owner2 TO regress_rf_heir;
SELECT owners FROM history WHERE relation = 'h'::regclass;
DROP TABLE h;
SELECT new_table('h2', 'person int NOT NULL, rf_h int');
ALTER TABLE h2 OWNER TO regress_rf_heir;
SELECT protect_it('h2');

-- names with commas
SELECT new_table('"k,l"', 'person int NOT NULL, k int');
SELECT protect_it('"k,l"');
SELECT ask('"k,l"', 2);
SELECT new_table('m', 'person int NOT NULL, m int');
SELECT protect_it('m', $$, inherits => ''$$), protect_it('m', $$, inherits => '"k,l'$$), protect_it('m', $$, inherits => '"k,l",'$$), protect_it('m', $$, inherits => 'k,l'$$);
SELECT protect_it('m', $$, inherits => ' "k,l" , rf.a_2,rf.a'$$);

-- under another isolation level nobody is told what others have declared meanwhile
CREATE TABLE n (person int NOT NULL);
BEGIN ISOLATION LEVEL REPEATABLE READ;
ALTER TABLE m RENAME TO m2;
ROLLBACK;
BEGIN ISOLATION LEVEL REPEATABLE READ;
CREATE TABLE m_1 () INHERITS (m);
ROLLBACK;
BEGIN ISOLATION LEVEL REPEATABLE READ;
ALTER TABLE n RENAME TO n2;
CREATE TABLE n_1 () INHERITS (n2);
COMMIT;

-- what happened while event triggers were disabled: found, not read, mended
SELECT new_table('o', 'person int NOT NULL, o int');
SELECT protect_it('o');
ALTER EVENT TRIGGER privacct_history DISABLE;
CREATE TABLE o_1 () INHERITS (o);
SELECT problem, remedy FROM check_books() WHERE relation IS NULL OR relation = 'rf.o';
ALTER EVENT TRIGGER privacct_history ENABLE ALWAYS;
SELECT problem, remedy FROM check_books() WHERE relation IS NULL OR relation = 'rf.o';
SELECT ask('o');
SELECT repair_books('o');
SELECT ask('o'), count(*) AS discrepancies FROM check_books() WHERE relation IS NULL OR relation = 'rf.o';
DROP SCHEMA rf, rf3, rf4 CASCADE;
DROP OWNED BY regress_rf_owner2, regress_rf_heir;
DROP ROLE regress_rf_asker, regress_rf_owner2, regress_rf_heir;
-- for the tests that follow
SET client_min_messages = error;
SELECT privacct.accept_books() \g /dev/null
