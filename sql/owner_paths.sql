-- Owner paths: tables whose rows find their owners along foreign keys.
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_pa_up_shop;
CREATE ROLE regress_pa_up_buyer;
GRANT privacct_admin TO regress_pa_up_shop;
CREATE SCHEMA up AUTHORIZATION regress_pa_up_shop;
GRANT USAGE ON SCHEMA up TO PUBLIC;
SET ROLE regress_pa_up_shop;
CREATE TABLE up.customer (c_id int PRIMARY KEY, email text UNIQUE NOT NULL, region int);
CREATE TABLE up.orders (o_id int PRIMARY KEY, c_id int NOT NULL REFERENCES up.customer, serial int, UNIQUE (c_id, serial));
CREATE TABLE up.line (o_id bigint NOT NULL REFERENCES up.orders, line_no int, price int, PRIMARY KEY (o_id, line_no));
CREATE TABLE up.defect (o_id bigint NOT NULL, line_no int NOT NULL, what text, FOREIGN KEY (o_id, line_no) REFERENCES up.line);
CREATE TABLE up.letter (email text NOT NULL REFERENCES up.customer (email), body text);
CREATE TABLE up.call (o_id int REFERENCES up.orders ON DELETE SET NULL, minutes int);
SELECT privacct.create_unit('up') > 0 AS ok;
-- likely mistakes
CREATE TABLE up.person (email text PRIMARY KEY);
CREATE TABLE up.self (id int PRIMARY KEY, boss int NOT NULL REFERENCES up.self);
CREATE TABLE up.two (o_id int NOT NULL REFERENCES up.orders, FOREIGN KEY (o_id) REFERENCES up.customer (c_id));
SELECT privacct.protect('up.self', 'boss', unit => 'up');
SELECT privacct.protect('up.customer', 'c_id') > 0 AS ok;
SELECT privacct.protect('up.orders', 'c_id', unit => 'up');
SELECT privacct.protect('up.letter', 'email');
SELECT privacct.protect('up.letter', 'email', unit => 'up');
BEGIN;
SELECT privacct.unprotect('up.customer'), privacct.protect('up.customer', 'c_id', unit => 'up') > 0 AS ok;
COMMIT;
SELECT privacct.protect('up.line', 'o_id', unit => 'up') > 0 AS ok;
SELECT privacct.protect('up.orders', 'c_id', unit => 'up') > 0 AS ok;
SELECT privacct.unprotect('up.line');
SELECT privacct.protect('up.orders', 'c_id', unit => 'up') > 0 AS ok;
SELECT privacct.protect('up.line', 'o_id');
SELECT privacct.protect('up.person', 'email', unit => 'up');
SELECT privacct.protect('up.two', 'o_id', unit => 'up');
DROP TABLE up.two, up.self, up.person;
SELECT privacct.protect('up.line', 'o_id', unit => 'up') > 0 AS ok;
SELECT privacct.protect('up.defect', ARRAY['o_id', 'line_no'], unit => 'up') > 0 AS ok;
SELECT privacct.protect('up.letter', 'email', unit => 'up') > 0 AS ok;
SELECT privacct.protect('up.call', 'o_id', unit => 'up') > 0 AS ok;
SELECT privacct.protect('up.call', 'o_id', unit => 'up', rows_without_owner => 'maybe') > 0 AS ok;
SELECT privacct.protect('up.call', 'o_id', unit => 'up', rows_without_owner => 'ignore') > 0 AS ok;
RESET ROLE;
SELECT relation_name, owner_column, path, path_to, null_owners FROM privacct.policy WHERE closed_at IS NULL AND relation_name ~ '^up' ORDER BY policy_id;
SET ROLE regress_pa_up_shop;
SELECT unit, tables FROM privacct.odometer WHERE open;
SELECT privacct.grant_budget('up', 'regress_pa_up_buyer', 1);
SELECT problem, detail FROM privacct.check_books();
RESET ROLE;
SET ROLE regress_pa_up_buyer;
SELECT count(*) IS NOT NULL AS answered FROM up.line;
SELECT count(*) IS NOT NULL AS answered FROM up.defect;
SELECT count(*) IS NOT NULL AS answered FROM up.orders;
-- what was checked at declaration is kept true
RESET ROLE;
SET ROLE regress_pa_up_shop;
ALTER TABLE up.line DROP CONSTRAINT line_o_id_fkey;
ALTER TABLE up.orders DROP CONSTRAINT orders_pkey CASCADE;
ALTER TABLE up.line ALTER CONSTRAINT line_o_id_fkey DEFERRABLE;
ALTER TABLE up.line ALTER o_id TYPE numeric;
ALTER TABLE up.line ALTER o_id DROP NOT NULL;
ALTER TABLE up.defect ALTER line_no DROP NOT NULL;
ALTER TABLE up.line DROP COLUMN o_id CASCADE;
ALTER TABLE up.orders DROP COLUMN o_id CASCADE;
TRUNCATE up.orders;
RESET ROLE;
ALTER TABLE up.line DISABLE TRIGGER ALL;
ALTER TABLE up.orders DISABLE TRIGGER ALL;
SET ROLE regress_pa_up_shop;
CREATE TABLE up.child () INHERITS (up.line);
ALTER TABLE up.line RENAME o_id TO order_id;
ALTER TABLE up.line RENAME CONSTRAINT line_o_id_fkey TO to_order;
ALTER TABLE up.orders RENAME o_id TO order_id;
ALTER TABLE up.orders RENAME TO purchase;
BEGIN;
ALTER TABLE up.line ALTER order_id TYPE int;
ROLLBACK;
RESET ROLE;
SELECT relation_name, path, path_to FROM privacct.policy WHERE closed_at IS NULL AND path IS NOT NULL AND relation_name ~ '^up' ORDER BY policy_id;
SET ROLE regress_pa_up_buyer;
SELECT count(*) IS NOT NULL AS answered FROM up.line;
RESET ROLE;
SET ROLE regress_pa_up_shop;
-- who leaves and comes back; a later unit starts with the table that the path leads to
BEGIN;
SELECT privacct.unprotect('up.line'), privacct.protect('up.line', 'order_id', unit => 'up') > 0 AS ok;
SELECT privacct.unprotect(t) FROM unnest('{up.call,up.letter,up.defect,up.line,up.purchase,up.customer}'::regclass[]) t;
SAVEPOINT before;
SELECT privacct.protect('up.line', 'order_id', epsilon => 3);
ROLLBACK TO before;
SELECT privacct.drop_unit('up'), privacct.create_unit('up', epsilon => 2) > 0 AS ok;
SELECT privacct.protect('up.customer', 'c_id', unit => 'up') > 0 AS ok, privacct.protect('up.purchase', 'c_id', unit => 'up') > 0 AS ok;
SELECT privacct.protect('up.line', 'order_id', unit => 'up') > 0 AS ok;
SELECT epsilon, epsilon_spent, tables FROM privacct.odometer WHERE open AND unit = 'up';
ROLLBACK;
-- the end of the path goes
SELECT privacct.unprotect('up.purchase');
SELECT relation, problem, detail, remedy FROM privacct.check_books();
RESET ROLE;
SET ROLE regress_pa_up_buyer;
SELECT count(*) IS NOT NULL AS answered FROM up.line;
SELECT count(*) IS NOT NULL AS answered FROM up.defect;
RESET ROLE;
SET ROLE regress_pa_up_shop;
ALTER TABLE up.purchase ADD COLUMN line_no int NOT NULL;
ALTER TABLE up.purchase ADD FOREIGN KEY (order_id, line_no) REFERENCES up.line;
SELECT privacct.protect('up.purchase', ARRAY['order_id', 'line_no'], unit => 'up');
SELECT privacct.protect('up.purchase', 'order_id', unit => 'up');
DROP TABLE up.purchase CASCADE;
RESET ROLE;
SELECT relation_name, path, path_to FROM privacct.policy WHERE closed_at IS NULL AND path IS NOT NULL AND relation_name ~ '^up' ORDER BY policy_id;
SET ROLE regress_pa_up_buyer;
SELECT count(*) IS NOT NULL AS answered FROM up.line;
RESET ROLE;
-- the keys that paths refer to say whose rows are, on either side of them
SET client_min_messages = warning;
CREATE SCHEMA uk AUTHORIZATION regress_pa_up_shop;
SET ROLE regress_pa_up_shop;
GRANT USAGE ON SCHEMA uk TO PUBLIC;
SET search_path = uk, privacct;
CREATE TABLE visit (s int, n int, p int NOT NULL, cost int NOT NULL, PRIMARY KEY (s, n));
INSERT INTO visit SELECT i % 4, i / 4, i % 6, i % 9 FROM generate_series(0, 39) i;
CREATE TABLE item (s int NOT NULL, n int NOT NULL, k int NOT NULL, amt int NOT NULL, PRIMARY KEY (s, n, k), FOREIGN KEY (s, n) REFERENCES visit);
INSERT INTO item SELECT s, n, k, (s + n + k) % 5 FROM visit, generate_series(0, 1) k WHERE (s + n) % 3 > 0;
CREATE TABLE own (p int, k int, PRIMARY KEY (p, k));
INSERT INTO own SELECT p, k FROM generate_series(0, 5) p, generate_series(0, 1) k;
CREATE TABLE child (p int NOT NULL, k int NOT NULL, x int NOT NULL, FOREIGN KEY (p, k) REFERENCES own);
INSERT INTO child SELECT i % 6, i % 2, i FROM generate_series(0, 23) i;
DO $$ BEGIN
	PERFORM create_unit('uk', epsilon => 1e6), protect('visit', 'p', unit => 'uk', max_rows_contributed => 20, fresh => true),
		protect('item', '{s,n}'::name[], unit => 'uk', max_rows_contributed => 20, fresh => true),
		protect('own', 'p', unit => 'uk', max_rows_contributed => 20, fresh => true), protect('child', '{p,k}'::name[], unit => 'uk', max_rows_contributed => 20, fresh => true),
		grant_budget('uk', 'regress_pa_up_buyer', 1e6);
END $$;
CREATE FUNCTION raw(query text) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = uk AS $$
DECLARE
	answer bigint;
BEGIN
	EXECUTE query INTO answer;
	RETURN answer;
END $$;
-- a part of a key that leads to owners is an owner where it is one there
CREATE TABLE note (s int NOT NULL, n int NOT NULL, p int NOT NULL, kind int NOT NULL, FOREIGN KEY (s, n) REFERENCES visit, FOREIGN KEY (p, kind) REFERENCES own);
SELECT protect('note', 's', unit => 'uk', fresh => true);
SELECT protect('note', 'p', unit => 'uk', fresh => true) > 0 AS ok;
ALTER TABLE note ADD FOREIGN KEY (p, n) REFERENCES visit;
CREATE TABLE late (s int NOT NULL, n int NOT NULL);
SELECT protect('late', 's', unit => 'uk', fresh => true) > 0 AS ok;
ALTER TABLE late ADD FOREIGN KEY (s, n) REFERENCES visit;
SELECT problem, detail FROM check_books() WHERE relation::text ~ 'note|late';
RESET ROLE;
SET ROLE regress_pa_up_buyer;
SET search_path = uk, privacct;
SET privacct.epsilon = 20000;
CREATE FUNCTION pg_temp.ask(query text, OUT answer text, OUT releases int) LANGUAGE plpgsql AS $$
BEGIN
	releases := (SELECT sum(b.releases) FROM my_budget b);
	EXECUTE query INTO answer;
	releases := (SELECT sum(b.releases) FROM my_budget b) - releases;
EXCEPTION WHEN SQLSTATE '42PA1' THEN
	GET STACKED DIAGNOSTICS answer = PG_EXCEPTION_DETAIL;
END $$;
SELECT a.answer, raw(q), a.releases FROM unnest(ARRAY[
	'SELECT count(*) FROM item l WHERE (SELECT sum(cost) FROM visit v WHERE v.s = l.s AND v.n = l.n) > 3',
	'SELECT count(*) FROM item l WHERE (SELECT count(*) FROM visit v WHERE v.s = l.s AND v.n = l.n) > 0',
	'SELECT count(*) FROM item l JOIN visit w USING (s, n) WHERE (SELECT sum(cost) FROM visit v WHERE v.s = l.s AND v.n = l.n) > 3',
	'SELECT count(*) FROM item l JOIN (SELECT s, n, sum(cost) AS c FROM visit GROUP BY s, n) x USING (s, n) WHERE c > 3',
	'SELECT count(*) FROM item l LEFT JOIN (SELECT n, sum(cost) AS c, s FROM visit WHERE cost > 3 GROUP BY n, s) x USING (s, n) WHERE c IS NULL',
	'SELECT count(*) FROM (SELECT s, n, max(cost) AS c FROM visit GROUP BY s, n) x WHERE c > 3',
	'SELECT count(*) FROM (SELECT DISTINCT n, s FROM visit) x WHERE n > 3',
	'SELECT count(*) FROM (SELECT count(*) OVER (PARTITION BY s, n) AS c FROM visit) x WHERE c = 1',
	'SELECT count(*) FROM (SELECT p, count(*) AS c FROM child GROUP BY p) x WHERE c > 3',
	'SELECT count(*) FROM child c WHERE x > (SELECT avg(x) FROM child d WHERE d.p = c.p)']) q, pg_temp.ask(q) a;
\set VERBOSITY sqlstate
SELECT s, n, count(*) FROM visit GROUP BY s, n;
\set VERBOSITY default
RESET ROLE;
RESET search_path;
SET client_min_messages = warning;
DROP SCHEMA uk CASCADE;
RESET client_min_messages;
DROP SCHEMA up CASCADE;
-- for the tests that follow
SET client_min_messages = error;
SELECT privacct.accept_books() \g /dev/null
