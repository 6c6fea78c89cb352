-- Commands look at what they touch, not at all that a database has.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir '/sql/include/trying.psql'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_to_analyst;
CREATE ROLE regress_to_owner;
CREATE ROLE regress_to_heir;
CREATE SCHEMA many;
CREATE SCHEMA few;
SET search_path = few, privacct;
\pset format unaligned
\pset footer off

-- rows that are read of the extension's tables and of the catalog
CREATE TEMP TABLE looked (step int GENERATED ALWAYS AS IDENTITY, run int, command text, relation regclass, rows bigint);
CREATE TEMP TABLE watched AS SELECT c.oid FROM pg_class c WHERE c.relnamespace IN ('pg_catalog'::regnamespace, 'privacct'::regnamespace) AND c.relkind IN ('r', 'i');
CREATE TEMP VIEW rows_read AS
	SELECT w.oid::regclass AS relation, coalesce(pg_stat_get_xact_tuples_returned(w.oid), 0) + coalesce(pg_stat_get_xact_tuples_fetched(w.oid), 0) AS rows FROM watched w;
CREATE PROCEDURE pg_temp.look(run int, command text) LANGUAGE plpgsql AS $$
BEGIN
	CREATE TEMP TABLE before AS TABLE rows_read;
	EXECUTE command;
	INSERT INTO looked (run, command, relation, rows) SELECT run, command, a.relation, a.rows - b.rows FROM rows_read a JOIN before b USING (relation);
	DROP TABLE before;
END
$$;
CREATE PROCEDURE pg_temp.look_at_all(run int) LANGUAGE plpgsql AS $$
BEGIN
	CREATE TABLE week (day int, walker int NOT NULL, cost int) PARTITION BY RANGE (day);
	CREATE TABLE monday PARTITION OF week FOR VALUES FROM (0) TO (10);
	CREATE TABLE tuesday (day int, walker int NOT NULL, cost int);
	CALL pg_temp.look(run, 'SELECT privacct.protect(''week'', ''walker'')');
	CALL pg_temp.look(run, 'ALTER TABLE week ATTACH PARTITION tuesday FOR VALUES FROM (10) TO (20)');
	CALL pg_temp.look(run, 'ALTER TABLE week DETACH PARTITION tuesday');
	CALL pg_temp.look(run, 'ALTER TABLE week RENAME TO month');
	CALL pg_temp.look(run, 'ALTER TABLE month RENAME COLUMN cost TO price');
	CALL pg_temp.look(run, 'ALTER TABLE month SET SCHEMA many');
	CALL pg_temp.look(run, 'SELECT privacct.unprotect(''many.month'')');
	CALL pg_temp.look(run, 'SELECT privacct.protect(''many.month'', ''walker'')');
	CALL pg_temp.look(run, 'SELECT privacct.protect(''tuesday'', ''walker'', inherits => ''many.month'')');
	CALL pg_temp.look(run, 'DROP TABLE many.month');
	CREATE SCHEMA alone;
	CREATE TABLE alone.lane (lane int, walker int NOT NULL);
	CALL pg_temp.look(run, 'SELECT privacct.protect(''alone.lane'', ''walker'', fresh => true)');
	CALL pg_temp.look(run, 'ALTER SCHEMA alone RENAME TO lone');
	CALL pg_temp.look(run, 'ALTER TABLE lone.lane OWNER TO regress_to_owner');
	CALL pg_temp.look(run, 'ALTER SCHEMA lone OWNER TO regress_to_owner');
	CALL pg_temp.look(run, 'REASSIGN OWNED BY regress_to_owner TO regress_to_heir');
	CALL pg_temp.look(run, 'REASSIGN OWNED BY regress_to_heir TO CURRENT_USER');
	CALL pg_temp.look(run, 'ALTER SCHEMA lone RENAME TO alone');
	DROP SCHEMA alone CASCADE;
	CALL pg_temp.look(run, 'CREATE TABLE plain (a int)');
	CALL pg_temp.look(run, 'GRANT SELECT ON plain TO regress_to_analyst');
	CALL pg_temp.look(run, 'CREATE TEMP TABLE brief (a int)');
	DROP TABLE plain, brief;
	DROP TABLE tuesday;
END
$$;
-- once to fill caches, which are read from the catalog
CALL pg_temp.look_at_all(0);
CALL pg_temp.look_at_all(1);
-- 400 policies, of tables with other columns, that have spent and been renewed
CREATE PROCEDURE pg_temp.fill(first int, last int) LANGUAGE plpgsql AS $$
BEGIN
	FOR i IN first .. last LOOP
		EXECUTE format('CREATE TABLE many.table_%1$s (id int PRIMARY KEY, walker int NOT NULL, column_%1$s int)', i);
	END LOOP;
	PERFORM privacct.protect(format('many.table_%s', first)::regclass, 'walker', epsilon => 1000);
	FOR i IN first .. last LOOP
		EXECUTE format('GRANT REFERENCES ON many.table_%s TO privacct_reader', i);
	END LOOP;
END
$$;
CALL pg_temp.fill(1, 400);
CREATE TEMP TABLE one_policy AS SELECT * FROM policy ORDER BY policy_id DESC LIMIT 1;
CREATE TEMP TABLE one_history AS SELECT h.* FROM history h JOIN one_policy USING (policy_id);
CREATE TEMP TABLE more AS SELECT i, -i AS id, format('many.table_%s', i) AS name FROM generate_series(2, 400) i;
SET privacct.write_books = on;
INSERT INTO history SELECT (jsonb_populate_record(h, jsonb_build_object('policy_id', m.id, 'relation', m.name, 'relation_name', m.name, 'names', ARRAY[m.name],
	'columns', '{column_' || i || ',id,walker}', 'column_lists', ARRAY['{column_' || i || ',id,walker}']))).* FROM one_history h, more m;
INSERT INTO history SELECT (jsonb_populate_record(h, jsonb_build_object('policy_id', m.id - 1000, 'relation', m.name, 'relation_name', m.name, 'names', ARRAY[m.name], 'left_at', now(),
	'epsilon', 1, 'delta', 0, 'rho', 0.5, 'releases', 1, 'spared_epsilon', 0, 'spared_delta', 0,
	'columns', '{column_' || i || ',id,walker}', 'column_lists', ARRAY['{column_' || i || ',id,walker}']))).* FROM one_history h, more m;
-- as protect() would write them: those of a restore were a copy
INSERT INTO policy SELECT (jsonb_populate_record(p, jsonb_build_object('policy_id', m.id, 'relation', m.name, 'relation_name', m.name))).* FROM one_policy p, more m;
INSERT INTO policy SELECT (jsonb_populate_record(p, jsonb_build_object('policy_id', m.id - 1000, 'relation', m.name, 'relation_name', m.name, 'closed_at', now()))).* FROM one_policy p, more m;
INSERT INTO account (policy_id, role, epsilon, delta, rho, releases) SELECT m.id, 0::oid, 1, 0, 0.5, 1 FROM more m;
INSERT INTO inherited SELECT m.id, m.id - 1000, 1, 0, 0.5, 1, 0, 0 FROM more m;
RESET privacct.write_books;
ANALYZE pg_depend, pg_index, pg_attribute, pg_constraint, pg_trigger, pg_inherits, pg_type, pg_namespace, pg_proc, pg_rewrite, privacct.policy, privacct.history, privacct.account, privacct.inherited, privacct.ledger_line, privacct.ledger_sum, privacct.payer_sum, pg_shdepend, pg_class;
CALL pg_temp.look_at_all(2);
CALL pg_temp.look_at_all(3);
SELECT b.command, coalesce(string_agg(format('%s %s', a.relation, a.rows - b.rows), ', ') FILTER (WHERE a.rows - b.rows > 390), 'nothing') AS reads_more
FROM looked b JOIN looked a USING (command, relation) WHERE b.run = 1 AND a.run = 3 GROUP BY b.command ORDER BY min(b.step);

-- views that are long, and read little, are not compiled, whatever the planner thinks of them
CREATE FUNCTION pg_temp.is_compiled(query text) RETURNS boolean LANGUAGE plpgsql SET jit = on SET jit_above_cost = 0 AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN ' || query LOOP
		IF line ~ '^JIT:' THEN
			RETURN true;
		END IF;
	END LOOP;
	RETURN false;
END
$$;
SELECT pg_temp.is_compiled('SELECT count(*) FROM pg_class WHERE relpages > 1') = pg_jit_available() AS others_are;
SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'privacct'::regnamespace AND c.relkind = 'v' AND pg_temp.is_compiled('SELECT * FROM ' || c.oid::regclass) ORDER BY 1;
SELECT pg_temp.is_compiled('SELECT * FROM privacct.check_books()'), pg_temp.is_compiled('SELECT count(*) FROM pg_class c JOIN privacct.policy p ON p.relation = c.oid');

-- names are looked up by their last part, however they are quoted
WITH letter(c) AS (SELECT unnest('{a,A,.,"\"",ü," "}'::text[])),
word(w) AS (SELECT c FROM letter UNION ALL SELECT l.c || k.c FROM letter l, letter k UNION ALL SELECT l.c || k.c || m.c FROM letter l, letter k, letter m)
SELECT count(*) AS names, _bare_names(array_agg(format('%I.%I', s.w, t.w) ORDER BY s.w, t.w)) = array_agg(t.w ORDER BY s.w, t.w) AS all_found
FROM word s, word t WHERE length(s.w) <= 2;

-- what was renamed while nobody looked is found by the name that it has now
\ir :helpers
CREATE FUNCTION ask(relation regclass) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	SET LOCAL ROLE regress_to_analyst;
	EXECUTE format('SELECT count(*) FROM %s', relation);
	RESET ROLE;
	RETURN 'asked';
END
$$;
GRANT USAGE ON SCHEMA few, many TO regress_to_analyst;
SET privacct.epsilon = 1;
CREATE TABLE north (walker int NOT NULL, grade int);
SELECT protect('north', 'walker', epsilon => 100) > 0;
SELECT grant_budget('north', 'regress_to_analyst', 100, 1e-7);
SELECT ask('north');
SELECT unprotect('north');
CREATE TABLE south (walker int NOT NULL, mark text);
SELECT protect('south', 'walker') > 0;
SELECT unprotect('south');
ALTER TABLE south RENAME TO "wi""nd";
ALTER EVENT TRIGGER privacct_history DISABLE;
ALTER TABLE north RENAME TO south;
ALTER EVENT TRIGGER privacct_history ENABLE ALWAYS;
SELECT try($$SELECT privacct.protect('"wi""nd"', 'walker')$$);
CREATE TABLE other (walker int NOT NULL, weight int);
SELECT try($$SELECT privacct.protect('other', 'walker', inherits => 'south')$$);
SELECT i.epsilon, relation_name FROM inherited i JOIN history USING (policy_id) WHERE relation_name = 'few.other';
-- also one with a quote in its name
ALTER EVENT TRIGGER privacct_history DISABLE;
ALTER TABLE south RENAME TO """Süd.""";
ALTER EVENT TRIGGER privacct_history ENABLE ALWAYS;
SELECT try($$SELECT privacct.unprotect('other'); SELECT privacct.protect('other', 'walker', inherits => '"""Süd."""', fresh => true)$$);
SELECT names FROM history WHERE relation_name ~ 'Süd';
-- dropped with its schema
CREATE SCHEMA gone;
CREATE TABLE gone."Old One" (walker int NOT NULL, height int);
GRANT USAGE ON SCHEMA gone TO regress_to_analyst;
SELECT protect('gone."Old One"', 'walker', epsilon => 100) > 0;
SELECT grant_budget('gone."Old One"', 'regress_to_analyst', 100, 1e-7);
SELECT ask('gone."Old One"');
DROP SCHEMA gone CASCADE;
CREATE TABLE "Old One" (walker int NOT NULL, depth int);
SELECT try($$SELECT privacct.protect('"Old One"', 'walker', inherits => '"Old One"')$$);
SELECT i.epsilon, relation_name FROM inherited i JOIN history USING (policy_id) WHERE relation_name = 'few."Old One"';
-- a column that goes with its type
CREATE TYPE tint AS ENUM ('red', 'blue');
CREATE TABLE paint (walker int NOT NULL, litres int, shade tint);
SELECT protect('paint', 'walker', epsilon => 100) > 0;
SELECT grant_budget('paint', 'regress_to_analyst', 100, 1e-7);
SELECT ask('paint');
DROP TYPE tint CASCADE;
CREATE TABLE repaint (walker int NOT NULL, litres int);
SELECT try($$SELECT privacct.protect('repaint', 'walker')$$);
-- a table of so many columns that no index takes their names
SELECT format('CREATE TABLE wide (walker int NOT NULL, %s)', string_agg(format('%s int', repeat(chr(97 + i % 26), 50) || i), ', ')) AS made FROM generate_series(1, 200) i \gset
:made;
SELECT protect('wide', 'walker', epsilon => 100) > 0;
SELECT grant_budget('wide', 'regress_to_analyst', 100, 1e-7);
SELECT ask('wide');
CREATE TABLE as_wide (LIKE wide);
SELECT try($$SELECT privacct.protect('as_wide', 'walker')$$);

-- policies without a history, as a restore of version 0.1 brings them, also with all triggers disabled
SET privacct.write_books = on;
CREATE TABLE loved (k int, walker int NOT NULL);
CREATE TABLE lost (l int, walker int NOT NULL);
INSERT INTO policy SELECT (jsonb_populate_record(p, jsonb_build_object('policy_id', -2001, 'relation', 'few.loved', 'relation_name', 'few.loved', 'closed_at', now()))).* FROM one_policy p;
INSERT INTO account (policy_id, role, epsilon, delta, rho, releases) VALUES (-2001, 0::oid, 3, 0, 0.5, 1);
ALTER TABLE policy DISABLE TRIGGER ALL;
INSERT INTO policy SELECT (jsonb_populate_record(p, jsonb_build_object('policy_id', -2002, 'relation', 'few.lost', 'relation_name', 'few.lost', 'closed_at', now()))).* FROM one_policy p;
INSERT INTO account (policy_id, role, epsilon, delta, rho, releases) VALUES (-2002, 0::oid, 4, 0, 0.5, 1);
ALTER TABLE policy ENABLE TRIGGER ALL;
RESET privacct.write_books;
SELECT policy_id FROM unwritten ORDER BY 1 DESC;
SELECT protect('loved', 'walker', epsilon => 100) > 0, protect('lost', 'walker', epsilon => 100) > 0;
SELECT i.source, i.epsilon, h.relation_name FROM inherited i JOIN history h USING (policy_id) WHERE i.source < -2000 ORDER BY 1 DESC;
SELECT policy_id FROM unwritten ORDER BY 1 DESC;
DO $$ BEGIN PERFORM unprotect(p.relation) FROM policy p WHERE closed_at IS NULL; END $$;
DROP SCHEMA few, many CASCADE;
DROP ROLE regress_to_analyst, regress_to_owner, regress_to_heir;
-- for the tests that follow
SET client_min_messages = error;
RESET privacct.write_books;
SELECT privacct.accept_books();
