-- What was declared for a column is not used for another one that has its name.
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_rc_analyst;
CREATE SCHEMA rc;
GRANT USAGE ON SCHEMA rc TO regress_rc_analyst;
SET search_path = rc, privacct;
-- tables are described alike, one or all at once
SELECT count(*) AS differ FROM pg_class c CROSS JOIN LATERAL _describe(c.oid) d LEFT JOIN _describe_all(ARRAY(SELECT oid FROM pg_class)) a ON a.relation = c.oid
WHERE (a.relation_name, a.columns) IS DISTINCT FROM (d.relation_name, d.columns);
CREATE FUNCTION ask(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	hint text;
BEGIN
	PERFORM set_config('privacct.epsilon', '1', true), set_config('role', 'regress_rc_analyst', true);
	EXECUTE query;
	RESET ROLE;
	RETURN 'answered';
EXCEPTION WHEN OTHERS THEN
	RESET ROLE;
	RETURN SQLSTATE || ' ' || SQLERRM;
END
$$;
CREATE PROCEDURE follow(followed boolean) LANGUAGE plpgsql AS $$
DECLARE
	t name;
BEGIN
	FOR t IN SELECT evtname FROM pg_event_trigger WHERE evtname ~ '^privacct_' LOOP
		EXECUTE format('ALTER EVENT TRIGGER %I %s', t, CASE WHEN followed THEN 'ENABLE ALWAYS' ELSE 'DISABLE' END);
	END LOOP;
END
$$;
CREATE PROCEDURE swap(relation regclass, a name, b name) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('ALTER TABLE %s RENAME %I TO between', relation, a);
	EXECUTE format('ALTER TABLE %s RENAME %I TO %I', relation, b, a);
	EXECUTE format('ALTER TABLE %s RENAME between TO %I', relation, b);
END
$$;

CREATE TABLE visit (person int PRIMARY KEY, cost int NOT NULL, secret int NOT NULL, ward text NOT NULL, disease text NOT NULL);
INSERT INTO visit SELECT i, i % 10, i, 'w' || i % 2, 'd' || i FROM generate_series(1, 100) i;
CREATE TABLE vote (person int PRIMARY KEY, yes boolean NOT NULL, other boolean NOT NULL, town int NOT NULL, income int NOT NULL);
INSERT INTO vote SELECT i, i % 2 = 0, i % 3 = 0, i % 2, i FROM generate_series(1, 100) i;
SELECT protect('visit', 'person', epsilon => 1000) > 0 AS visit, protect('vote', 'person', epsilon => 1000, regime => 'local') > 0 AS vote;
SELECT grant_budget(r, 'regress_rc_analyst', 1000, 1e-7) FROM unnest('{visit,vote}'::regclass[]) r \g /dev/null
SELECT set_bounds('visit', 'cost', 0, 10), set_keys('visit', 'ward', ARRAY['w0', 'w1']), set_domain('vote', 'yes', ARRAY[false, true]), set_public('vote', 'town') \g /dev/null
CREATE VIEW declared AS SELECT 'bound' AS kind, column_name, attnum FROM bound UNION ALL SELECT 'key', column_name, attnum FROM group_key UNION ALL SELECT 'domain', column_name, attnum FROM domain UNION ALL SELECT 'public', column_name, attnum FROM public_column ORDER BY 1;
CREATE VIEW answers AS SELECT query, ask(query) FROM unnest(ARRAY['SELECT sum(cost) FROM visit', 'SELECT sum(secret) FROM visit', 'SELECT ldp_count(yes) FROM vote', 'SELECT ldp_count(other) FROM vote',
	'SELECT ldp_count(yes) FROM vote WHERE town = 1', 'SELECT ldp_count(yes) FROM vote WHERE income = 1']) query;
CREATE FUNCTION groups(named name) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	n bigint;
BEGIN
	PERFORM set_config('privacct.epsilon', '1', true), set_config('role', 'regress_rc_analyst', true);
	EXECUTE format('SELECT count(*) FROM (SELECT %I, count(*) FROM visit GROUP BY 1) g', named) INTO n;
	RESET ROLE;
	RETURN n;
END
$$;
SELECT * FROM declared;
SELECT * FROM answers;
SELECT groups('ward');

-- renamed while it is followed: each stays with its column, also if names are exchanged
CALL swap('visit', 'cost', 'secret');
CALL swap('visit', 'ward', 'disease');
CALL swap('vote', 'yes', 'other');
CALL swap('vote', 'town', 'income');
SELECT * FROM declared;
SELECT * FROM answers;
CALL swap('visit', 'cost', 'secret');
CALL swap('visit', 'ward', 'disease');
CALL swap('vote', 'yes', 'other');
CALL swap('vote', 'town', 'income');

-- while it is not followed: nothing is used, and it is said
CALL follow(false);
CALL swap('visit', 'cost', 'secret');
CALL swap('visit', 'ward', 'disease');
CALL swap('vote', 'yes', 'other');
CALL swap('vote', 'town', 'income');
CALL follow(true);
SELECT * FROM declared;
SELECT * FROM answers;
SELECT groups('ward');
SELECT relation, problem, detail, remedy FROM check_books() WHERE relation ~ '^rc' ORDER BY 1, 2, 3;
-- until the names are what they were, or it is declared anew
CALL swap('visit', 'ward', 'disease');
SELECT * FROM declared;
SELECT set_bounds('visit', 'cost', 0, 100) \g /dev/null
CALL swap('vote', 'yes', 'other');
CALL swap('vote', 'town', 'income');
SELECT * FROM declared;
SELECT * FROM answers;
SELECT relation, problem FROM check_books() WHERE relation ~ '^rc' ORDER BY 1, 2;

-- dropped and added while it is not followed, and in one command
CALL follow(false);
ALTER TABLE visit DROP COLUMN cost, ADD COLUMN cost int NOT NULL DEFAULT 0;
CALL follow(true);
SELECT ask('SELECT sum(cost) FROM visit');
SELECT problem FROM check_books() WHERE relation = 'rc.visit';
SELECT set_bounds('visit', 'cost', 0, 10) \g /dev/null
SELECT ask('SELECT sum(cost) FROM visit'), (SELECT count(*) FROM check_books() WHERE relation = 'rc.visit') AS discrepancies;
ALTER TABLE visit DROP COLUMN cost, ADD COLUMN cost int NOT NULL DEFAULT 0;
SELECT * FROM declared;

-- a policy does not inherit them
SELECT unprotect('visit');
SELECT protect('visit', 'person', epsilon => 1000) > 0 AS visit;
SELECT count(*) FROM declared d JOIN policy p ON p.relation = 'visit'::regclass AND p.closed_at IS NULL AND EXISTS (SELECT FROM group_key k WHERE k.policy_id = p.policy_id);
SELECT unprotect('visit'), unprotect('vote') \g /dev/null
DROP SCHEMA rc CASCADE;
DROP ROLE regress_rc_analyst;
-- for the tests that follow
SET client_min_messages = error;
SELECT privacct.accept_books() \g /dev/null
