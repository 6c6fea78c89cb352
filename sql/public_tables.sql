-- Joins of protected with public tables, and subqueries over public tables:
-- which are answered, as the owner's raw ones, and which are refused.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir '/sql/include/asking.psql'
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_pt_steward;
CREATE ROLE regress_pt_analyst;
CREATE ROLE regress_pt_writer;
GRANT privacct_admin TO regress_pt_steward, regress_pt_analyst;
CREATE SCHEMA dims AUTHORIZATION regress_pt_steward;
GRANT USAGE, CREATE ON SCHEMA dims TO PUBLIC;
SET search_path = dims, privacct;
\ir :helpers
\pset format unaligned
\pset footer off

SET ROLE regress_pt_steward;
CREATE TABLE sale (sale_id int PRIMARY KEY, customer int NOT NULL, shop int, product varchar(10), day date, amount int);
INSERT INTO sale SELECT i, (i + 1) / 2, nullif(i % 7, 5), (ARRAY['tea', 'rye', 'oil', NULL])[1 + i % 4], date '2024-01-01' + i % 40, i % 11 FROM generate_series(1, 240) i;
CREATE TABLE shop (shop int PRIMARY KEY, town text, size int);
INSERT INTO shop VALUES (0, 'Ayr', 3), (1, 'Bath', 8), (2, 'Ayr', 1), (3, 'Ely', NULL), (6, NULL, 4);
CREATE TABLE town (town text PRIMARY KEY, region text NOT NULL);
INSERT INTO town VALUES ('Ayr', 'north'), ('Bath', 'south'), ('Ely', 'south');
CREATE TABLE price (product varchar(10), since date, price int, UNIQUE (product, since));
INSERT INTO price SELECT p, date '2024-01-01' + 20 * d, 5 * d + length(p) FROM unnest(ARRAY['tea', 'rye', 'jam']) p, generate_series(0, 2) d;
CREATE TABLE shift (shop int, part int, UNIQUE (shop, part));
INSERT INTO shift SELECT s, i FROM generate_series(0, 6) s, generate_series(1, 3) i;
CREATE TABLE calendar (day date PRIMARY KEY, month int, holiday boolean);
INSERT INTO calendar SELECT date '2024-01-01' + i, 1 + i / 31, i % 13 = 0 FROM generate_series(0, 60) i;
CREATE TABLE tag (tag text);				-- with a null
INSERT INTO tag VALUES ('tea'), ('oil'), ('oil'), (NULL);
CREATE TABLE nothing (x int, t text);
CREATE TABLE part (shop int, kind text, note text, PRIMARY KEY (shop, kind)) PARTITION BY LIST (kind);
CREATE TABLE part_a PARTITION OF part FOR VALUES IN ('a');
CREATE TABLE part_b PARTITION OF part FOR VALUES IN ('b');
INSERT INTO part SELECT s, k, k || s FROM generate_series(0, 4) s, unnest('{a,b}'::text[]) k;
CREATE TABLE split (sale_id int, customer int NOT NULL, shop int, amount int) PARTITION BY RANGE (amount);
CREATE TABLE split_low PARTITION OF split FOR VALUES FROM (0) TO (5);
CREATE TABLE split_high PARTITION OF split FOR VALUES FROM (5) TO (20);
INSERT INTO split SELECT sale_id, customer, shop, amount FROM sale;
CREATE TABLE wide AS SELECT * FROM sale;
ALTER TABLE wide ALTER customer SET NOT NULL;
GRANT SELECT ON shop, town, price, shift, calendar, tag, nothing, part TO regress_pt_analyst;
DO $$ BEGIN
	PERFORM privacct.protect(t, 'customer', epsilon => 1e6, delta => 0.1, max_groups_contributed => 2, max_rows_contributed => 6, workers => w, fresh => true)
	FROM (VALUES ('sale'::regclass, 0), ('split', 0), ('wide', 2)) v(t, w);
	PERFORM privacct.set_bounds(t, 'amount', 0, 10), privacct.grant_budget(t, 'regress_pt_analyst', 1e6, 0.1) FROM unnest('{sale,split,wide}'::regclass[]) t;
END $$;
RESET ROLE;
CREATE FUNCTION same(query text) RETURNS text LANGUAGE sql AS $$ SELECT same('regress_pt_analyst', query, 'regress_pt_steward', query) $$;
CREATE FUNCTION ask(query text) RETURNS text LANGUAGE sql AS $$ SELECT ask('regress_pt_analyst', query) $$;
SET privacct.epsilon = 8000;

--
-- Declaring
--

SET ROLE regress_pt_steward;
SELECT ask('SELECT count(*) FROM sale JOIN shop USING (shop)');
SELECT declare_public(t) FROM unnest('{shop,town,calendar,tag,nothing,part}'::regclass[]) t;
SELECT declare_public('price', columns => '{product}', rows => 2);
SELECT declare_public('price', columns => '{product}', rows => 3), declare_public('shift', columns => '{shop}', rows => 3);
SELECT declare_public('price', columns => '{product}', rows => 65);
SELECT declare_public('price', columns => '{}', rows => 2), declare_public('price', rows => 2);
SELECT declare_public('price', columns => '{nope}', rows => 2);
SELECT declare_public('sale');
CREATE VIEW sale_view AS SELECT * FROM sale;
CREATE MATERIALIZED VIEW sale_copy AS SELECT shop, count(*) AS n FROM sale_view GROUP BY shop;
SELECT declare_public('sale_copy');
SELECT declare_public('sale_view');
CREATE TEMP TABLE passing (x int PRIMARY KEY);
SELECT declare_public('passing');
DROP TABLE passing;
SELECT declare_public('pg_class');
CREATE TABLE shared (shop int PRIMARY KEY);
GRANT INSERT ON shared TO regress_pt_writer;
SELECT declare_public('shared');
REVOKE INSERT ON shared FROM regress_pt_writer;
GRANT UPDATE (shop) ON shared TO PUBLIC;
SELECT declare_public('shared');
REVOKE UPDATE (shop) ON shared FROM PUBLIC;
CREATE TABLE above (shop int);
CREATE TABLE below (PRIMARY KEY (shop)) INHERITS (above);
GRANT DELETE ON above TO regress_pt_writer;
SELECT declare_public('below');
DROP TABLE below, above;
CREATE TABLE led (shop int PRIMARY KEY REFERENCES shared ON DELETE CASCADE);
GRANT DELETE ON shared TO regress_pt_writer;
SELECT declare_public('led');
REVOKE DELETE ON shared FROM regress_pt_writer;
SELECT declare_public('led'), declare_public('shared');
GRANT SELECT ON led, shared TO regress_pt_analyst;
SELECT ask('SELECT count(*) FROM sale JOIN shared USING (shop)');
-- whoever may write later makes it useless, not dangerous
GRANT INSERT ON shared TO regress_pt_writer;
SELECT ask('SELECT count(*) FROM sale JOIN shared USING (shop)');
DROP TABLE led;
-- whoever may write a table above a partition writes the partition
CREATE TABLE floor (shop int, level int) PARTITION BY LIST (shop);
CREATE TABLE floor_low PARTITION OF floor FOR VALUES IN (0, 1, 2) PARTITION BY LIST (shop);
CREATE TABLE floor_least PARTITION OF floor_low (PRIMARY KEY (shop)) FOR VALUES IN (0, 1);
INSERT INTO floor VALUES (0, 3), (1, 4);
SELECT declare_public('floor_least');
GRANT SELECT ON floor_least TO regress_pt_analyst;
RESET ROLE;
CREATE FUNCTION after_grant(privilege text, above regclass) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	answers text[];
BEGIN
	answers := ARRAY[ask('SELECT count(*) > 0 FROM sale JOIN floor_least USING (shop)')];
	EXECUTE format('GRANT %s ON %s TO regress_pt_writer', privilege, above);
	answers := answers || ask('SELECT count(*) > 0 FROM sale JOIN floor_least USING (shop)') ||
		ask('SELECT count(*) > 0 FROM sale WHERE shop IN (SELECT shop FROM floor_least)') ||
		ask('regress_pt_steward', $q$SELECT privacct.declare_public('floor_least')$q$);
	EXECUTE format('REVOKE %s ON %s FROM regress_pt_writer', privilege, above);
	answers := answers || ask('SELECT count(*) > 0 FROM sale JOIN floor_least USING (shop)');
	RETURN (SELECT string_agg(left(answer, 5), ' ' ORDER BY n) FROM unnest(answers) WITH ORDINALITY a(answer, n));
END
$$;
SET privacct.epsilon = 200;
SELECT privilege, above, after_grant(privilege, above)
FROM unnest('{INSERT,UPDATE,UPDATE (level),DELETE,TRUNCATE,TRIGGER,REFERENCES}'::text[]) privilege, unnest('{floor,floor_low,floor_least}'::regclass[]) above;
SET privacct.epsilon = 8000;
SET ROLE regress_pt_steward;
DROP TABLE floor;
RESET ROLE;

-- Others write by views and rules, with the rights of their owner, and by foreign keys.  Each way, made
-- before the declaration and after it, is shut while it is open; what is alike but leads nowhere is not.
CREATE FUNCTION ways(setup text[], opening text, closing text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	step text;
	declared text;
	asked text;
	by_old_plan text;
	closed text;
BEGIN
	SET LOCAL ROLE regress_pt_steward;
	CREATE TABLE door (shop int PRIMARY KEY, town text);
	GRANT SELECT ON door TO regress_pt_analyst;
	FOREACH step IN ARRAY setup LOOP EXECUTE step; END LOOP;
	RESET ROLE;
	EXECUTE opening;
	SET LOCAL ROLE regress_pt_steward;
	BEGIN
		PERFORM declare_public('door');
		declared := 'yes';
	EXCEPTION WHEN SQLSTATE '42PA4' THEN
		GET STACKED DIAGNOSTICS declared = PG_EXCEPTION_DETAIL;
	END;
	RESET ROLE;
	EXECUTE closing;
	SET LOCAL ROLE regress_pt_steward;
	PERFORM declare_public('door');
	RESET ROLE;
	SET LOCAL ROLE regress_pt_analyst;
	PREPARE by_door AS SELECT count(*) > -10 FROM sale JOIN door USING (shop);
	EXECUTE 'EXECUTE by_door';
	RESET ROLE;
	EXECUTE opening;
	asked := ask('SELECT count(*) FROM sale JOIN door USING (shop)');
	SET LOCAL ROLE regress_pt_analyst;
	BEGIN
		EXECUTE 'EXECUTE by_door';
		by_old_plan := 'answered';
	EXCEPTION WHEN SQLSTATE '42PA1' THEN
		by_old_plan := 'refused';
	END;
	RESET ROLE;
	EXECUTE closing;
	SET LOCAL ROLE regress_pt_analyst;
	EXECUTE 'EXECUTE by_door';
	closed := 'answered';
	DEALLOCATE by_door;
	RESET ROLE;
	RAISE EXCEPTION 'undo' USING ERRCODE = 'ZZ001', DETAIL = declared, HINT = format('%s | %s | %s', asked, by_old_plan, closed);
END
$$;
CREATE FUNCTION way(setup text[], opening text, closing text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
	hint text;
BEGIN
	PERFORM ways(setup, opening, closing);
EXCEPTION WHEN SQLSTATE 'ZZ001' THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	RETURN detail || ' | ' || hint;
END
$$;
SET plan_cache_mode = force_generic_plan;
-- shut
SELECT way(setup, opening, closing) FROM (VALUES
	(1, '{CREATE VIEW v AS SELECT * FROM door}'::text[], 'GRANT INSERT ON v TO regress_pt_writer', 'REVOKE INSERT ON v FROM regress_pt_writer'),
	(2, '{CREATE VIEW v AS SELECT * FROM door}', 'GRANT UPDATE (town) ON v TO PUBLIC', 'REVOKE UPDATE (town) ON v FROM PUBLIC'),
	(3, '{CREATE VIEW v AS SELECT * FROM door,CREATE VIEW w AS SELECT town FROM v}', 'GRANT DELETE ON w TO regress_pt_writer', 'REVOKE DELETE ON w FROM regress_pt_writer'),
	(4, '{CREATE VIEW v WITH (security_invoker) AS SELECT * FROM door,CREATE VIEW w AS SELECT town FROM v}', 'GRANT DELETE ON w TO regress_pt_writer', 'REVOKE DELETE ON w FROM regress_pt_writer'),
	(5, '{CREATE VIEW v WITH (security_invoker) AS SELECT * FROM door,GRANT ALL ON v TO regress_pt_writer}', 'ALTER VIEW v RESET (security_invoker)', 'ALTER VIEW v SET (security_invoker)'),
	(6, '{CREATE TABLE bell (n int),GRANT INSERT ON bell TO regress_pt_writer}', 'CREATE RULE ring AS ON INSERT TO bell DO ALSO DELETE FROM door', 'DROP RULE ring ON bell'),
	(7, '{CREATE VIEW v AS SELECT * FROM door,CREATE TABLE bell (n int),GRANT INSERT ON bell TO regress_pt_writer}', 'CREATE RULE ring AS ON INSERT TO bell DO ALSO UPDATE v SET town = NULL', 'DROP RULE ring ON bell'),
	(8, '{"CREATE VIEW v WITH (security_invoker) AS SELECT 1 AS n",GRANT UPDATE ON v TO regress_pt_writer}', 'CREATE RULE ring AS ON UPDATE TO v DO INSTEAD INSERT INTO door VALUES (NEW.n)', 'DROP RULE ring ON v'),
	(9, '{CREATE VIEW v WITH (security_invoker) AS SELECT * FROM door,GRANT UPDATE ON v TO regress_pt_writer}', 'CREATE RULE ring AS ON UPDATE TO v DO INSTEAD INSERT INTO door VALUES (NEW.shop)', 'DROP RULE ring ON v'),
	(10, '{CREATE TABLE house (shop int PRIMARY KEY),ALTER TABLE door ADD FOREIGN KEY (shop) REFERENCES house ON DELETE CASCADE}', 'GRANT DELETE ON house TO regress_pt_writer', 'REVOKE DELETE ON house FROM regress_pt_writer'),
	(11, '{CREATE TABLE street (shop int PRIMARY KEY),CREATE TABLE house (shop int PRIMARY KEY REFERENCES street ON UPDATE CASCADE),ALTER TABLE door ADD FOREIGN KEY (shop) REFERENCES house ON UPDATE CASCADE,CREATE VIEW v AS SELECT * FROM street}', 'GRANT UPDATE ON v TO regress_pt_writer', 'REVOKE UPDATE ON v FROM regress_pt_writer'),
	(12, '{}', 'CREATE VIEW v AS SELECT * FROM dims.door; GRANT INSERT ON v TO regress_pt_writer', 'DROP VIEW v')) w(n, setup, opening, closing) ORDER BY n;
-- not shut: with the rights of who asks, of who has none, only to read, by what cannot be written to
SELECT way(setup, opening, closing) FROM (VALUES
	(1, '{CREATE VIEW v WITH (security_invoker) AS SELECT * FROM door}'::text[], 'GRANT ALL ON v TO regress_pt_writer', 'REVOKE ALL ON v FROM regress_pt_writer'),
	(2, '{}', 'SET ROLE regress_pt_analyst; CREATE VIEW dims.v AS SELECT * FROM dims.door; GRANT ALL ON dims.v TO PUBLIC; RESET ROLE', 'DROP VIEW dims.v'),
	(3, '{CREATE VIEW v AS SELECT * FROM door}', 'GRANT SELECT ON v TO PUBLIC', 'REVOKE SELECT ON v FROM PUBLIC'),
	(4, '{"CREATE VIEW v AS SELECT town, count(*) FROM door GROUP BY town"}', 'GRANT ALL ON v TO regress_pt_writer', 'REVOKE ALL ON v FROM regress_pt_writer'),
	(5, '{CREATE TABLE bell (n int),GRANT INSERT ON bell TO regress_pt_writer}', 'CREATE RULE ring AS ON INSERT TO bell DO ALSO SELECT town FROM door', 'DROP RULE ring ON bell'),
	(6, '{CREATE TABLE house (shop int PRIMARY KEY),ALTER TABLE door ADD FOREIGN KEY (shop) REFERENCES house}', 'GRANT DELETE ON house TO regress_pt_writer', 'REVOKE DELETE ON house FROM regress_pt_writer')) w(n, setup, opening, closing) ORDER BY n;
RESET plan_cache_mode;
DROP FUNCTION way, ways;

SET ROLE regress_pt_analyst;
SELECT declare_public('shop');
CREATE TABLE mine (shop int PRIMARY KEY);
SELECT declare_public('mine');
SELECT * FROM public_tables ORDER BY 1;
SELECT * FROM privacct.public_table;
RESET ROLE;

--
-- Answered as they are for the owner
--

SELECT same(q) FROM unnest(ARRAY[
	'SELECT town, count(*), sum(amount) FROM sale JOIN shop USING (shop) GROUP BY town',
	'SELECT region, count(*) FROM sale JOIN shop USING (shop) JOIN town USING (town) GROUP BY region',
	'SELECT region, count(*) FROM town t, shop s, sale v WHERE t.town = s.town AND s.shop = v.shop GROUP BY region',
	'SELECT coalesce(region, ''?''), count(*) FROM sale LEFT JOIN (shop JOIN town USING (town)) USING (shop) GROUP BY 1',
	'SELECT coalesce(town, ''?''), count(size), count(*) FROM sale LEFT JOIN shop USING (shop) GROUP BY 1',
	'SELECT count(*) FROM sale v LEFT JOIN shop s ON v.shop = s.shop AND v.amount > 4 AND s.size > 2 WHERE s.shop IS NULL',
	'SELECT count(*), count(size) FROM sale v LEFT JOIN shop s ON v.shop = s.shop AND v.amount > 4 WHERE s.size IS NULL OR s.size > v.amount',
	'SELECT count(customer) FROM shop LEFT JOIN sale USING (shop)',
	'SELECT town, count(customer) FROM sale RIGHT JOIN shop USING (shop) GROUP BY town',
	'SELECT month, count(*) FROM sale JOIN calendar USING (day) WHERE NOT holiday GROUP BY month',
	'SELECT count(*) FROM sale v JOIN calendar c ON c.day = v.day AND c.month = 1 AND v.amount + c.month > 3',
	'SELECT sum(CASE WHEN price > 8 THEN 1 ELSE 0 END) FROM sale v JOIN price p ON p.product = v.product AND p.since = date ''2024-01-21''',
	'SELECT count(*), count(price) FROM sale JOIN price USING (product) WHERE price BETWEEN 3 AND 20',
	'SELECT count(*) FROM sale v JOIN price p ON p.product = v.product AND p.since <= v.day AND v.day < p.since + 20',
	'SELECT kind, count(*) FROM sale JOIN part USING (shop) WHERE kind = ''b'' GROUP BY kind',
	'SELECT count(*) FROM split JOIN shop USING (shop) WHERE size > 1',
	'SELECT count(*) FROM split JOIN shop USING (shop) WHERE amount = 3 AND size > 1',
	'SELECT town, count(*) FROM wide JOIN shop USING (shop) GROUP BY town',
	'SELECT count(*) FROM wide LEFT JOIN shop USING (shop) WHERE product NOT IN (SELECT tag FROM tag WHERE tag IS NOT NULL)',
	'SELECT count(*) FROM (SELECT amount + size AS n FROM sale JOIN shop USING (shop) WHERE size > 1) s WHERE n > 5',
	'SELECT count(*) FROM sale JOIN (SELECT shop AS k, upper(town) AS t FROM shop WHERE size > 1) s ON s.k = sale.shop WHERE t <> ''BATH''',
	'SELECT count(*) FROM sale LEFT JOIN (SELECT shop AS k, coalesce(town, ''none'') AS t FROM shop) s ON s.k = sale.shop WHERE t = ''none'' OR t IS NULL',
	'SELECT count(*) FROM sale v JOIN shop a ON a.shop = v.shop JOIN shop b ON b.shop = a.size',
	'SELECT count(*) FROM sale v JOIN shop s ON s.shop = v.shop AND s.shop = 2',
	'SELECT count(*) FROM sale v, shop s WHERE s.shop = 2 AND v.amount > s.size',
	'SELECT count(*) FROM sale v JOIN shop s ON s.shop = v.shop + 1',
	'SELECT count(*) FROM sale v JOIN shop s ON s.shop = v.shop WHERE 1 = 1 AND current_date > date ''2020-01-01'''
	]) q;

-- subqueries, wherever they stand, with nulls on either side
SELECT same(format('SELECT count(*) FROM sale WHERE %s', condition)) FROM unnest(ARRAY[
	'product IN (SELECT tag FROM tag)', 'product NOT IN (SELECT tag FROM tag)', 'product NOT IN (SELECT tag FROM tag WHERE tag <> ''oil'')',
	'product IN (SELECT tag FROM tag) IS NULL', 'product IN (SELECT tag FROM tag WHERE tag IS NOT NULL) IS NULL', 'product NOT IN (SELECT t FROM nothing)',
	'(product IN (SELECT t FROM nothing)) IS NULL', '(product IN (SELECT t FROM nothing)) = false', 'amount IN (SELECT size FROM shop)', 'NOT (amount IN (SELECT size FROM shop WHERE size > 0))',
	'amount > 3 AND (shop IN (SELECT shop FROM shop WHERE size > 2) OR product IN (SELECT tag FROM tag))', 'CASE WHEN shop IN (SELECT shop FROM shop WHERE size > 2) THEN amount > 3 ELSE amount > 6 END',
	'EXISTS (SELECT FROM shop WHERE size > 2)', 'EXISTS (SELECT FROM shop WHERE size > 20)', 'NOT EXISTS (SELECT FROM nothing)', 'amount > 3 OR EXISTS (SELECT FROM nothing)',
	'(shop, amount) IN (SELECT shop, size FROM shop)', '(shop, amount) IN (SELECT shop, size FROM shop) AND (amount > 3 OR product IN (SELECT tag FROM tag))', 'amount::bigint IN (SELECT size FROM shop)', 'amount IN (SELECT size::bigint FROM shop)', 'amount + 1 IN (SELECT size * 2 FROM shop JOIN town USING (town))',
	'shop = ANY (SELECT shop FROM shop WHERE town IN (SELECT town FROM town WHERE region = ''north''))', 'day IN (SELECT day FROM calendar WHERE holiday)',
	'product IN (SELECT p.product FROM price p JOIN price q ON q.product = p.product AND q.price > 11)', '(amount IN (SELECT size FROM shop)) = (shop IN (SELECT shop FROM shop WHERE size > 2))']) condition;
SELECT same(q) FROM unnest(ARRAY[
	'SELECT count(*) FILTER (WHERE product IN (SELECT tag FROM tag)) FROM sale',
	'SELECT sum(CASE WHEN shop IN (SELECT shop FROM shop WHERE size > 2) THEN amount ELSE 0 END) FROM sale',
	'SELECT count(*) FROM (SELECT product IN (SELECT tag FROM tag) AS tagged FROM sale) s WHERE tagged',
	'SELECT town, count(*) FROM sale JOIN shop USING (shop) WHERE product IN (SELECT tag FROM tag) GROUP BY town',
	'SELECT count(*) FROM sale v JOIN shop s ON s.shop = v.shop AND s.size IN (SELECT shop FROM shop)',
	'SELECT region, n FROM town LEFT JOIN (SELECT town, count(*) AS n FROM sale JOIN shop USING (shop) GROUP BY town) s USING (town)']) q;

-- values in the text of the query, which need no declaration
SELECT same(q) FROM unnest(ARRAY[
	'SELECT count(*) FROM sale WHERE amount IN (VALUES (1), (3), (NULL), (3))', 'SELECT count(*) FROM sale WHERE amount NOT IN (VALUES (1), (3))',
	'SELECT count(*) FROM sale WHERE amount NOT IN (VALUES (1), (NULL))', 'SELECT count(*) FROM sale WHERE product IN (VALUES (''tea''), (''jam''))',
	'SELECT count(*) FROM sale WHERE (shop, amount) IN (VALUES (1, 2), (3, 4))', 'SELECT count(*) FROM sale WHERE amount IN (VALUES (1::bigint), (2 + 1))',
	'SELECT count(*) FROM sale WHERE amount IN (VALUES ' || (SELECT string_agg(format('(%s)', i), ', ') FROM generate_series(2, 3000) i) || ')',
	'SELECT name, count(*) FROM sale JOIN (VALUES (1, ''odd''), (2, ''even''), (3, ''odd''), (3, ''odd'')) v (amount, name) USING (amount) GROUP BY name',
	'SELECT coalesce(name, ''?''), count(*) FROM sale LEFT JOIN (VALUES (1, ''one'')) v (amount, name) USING (amount) GROUP BY 1']) q;
SELECT ask(q) FROM unnest(ARRAY[
	'SELECT count(*) FROM sale, (VALUES (1), (2)) v (x)', 'SELECT count(*) FROM sale JOIN (VALUES (1), (2)) v (x) ON x < amount',
	'SELECT count(*) FROM sale WHERE product IN (VALUES (current_user::text))',
	'SELECT count(*) FROM sale JOIN (VALUES ' || (SELECT string_agg(format('(%s)', i), ', ') FROM generate_series(1, 65) i) || ') v (amount) USING (amount)']) q;

-- parameters, in plans for any value of them
SET ROLE regress_pt_analyst;
SET plan_cache_mode = force_generic_plan;
PREPARE by_size(int, boolean) AS SELECT count(*) > 0 FROM sale JOIN shop USING (shop) WHERE size > $1 AND $2;
EXECUTE by_size(1, true);
EXECUTE by_size(1, false);
PREPARE lonely(boolean) AS SELECT count(*) FROM sale LEFT JOIN shop ON shop.shop = sale.shop AND $1;
EXECUTE lonely(true);
PREPARE among(int, int) AS SELECT count(*) FROM sale WHERE amount IN (VALUES ($1), ($2), (3));
EXECUTE among(1, NULL);
RESET plan_cache_mode;
RESET ROLE;

--
-- Refused
--

SELECT ask(q) FROM unnest(ARRAY[
	'SELECT count(*) FROM sale, shop', 'SELECT count(*) FROM sale JOIN shop ON true', 'SELECT count(*) FROM sale v JOIN shop s ON s.shop > v.shop',
	'SELECT count(*) FROM sale v JOIN shop s ON s.size = v.amount', 'SELECT count(*) FROM sale v LEFT JOIN shop s ON s.shop > v.shop',
	'SELECT count(*) FROM sale v JOIN price p ON p.since = v.day', 'SELECT count(*) FROM sale v JOIN part p USING (shop)',
	'SELECT count(*) FROM sale v, shop a, shop b WHERE a.shop = b.shop', 'SELECT count(*) FROM sale v JOIN shop s ON s.shop = v.shop OR s.size = v.amount',
	'SELECT count(*) FROM sale v JOIN shop s ON s.shop = v.shop JOIN town t ON t.region = s.town', 'SELECT count(*) FROM sale v JOIN tag ON tag = product',
	'SELECT count(*) FROM sale JOIN price p USING (product) JOIN price q USING (product) JOIN price r USING (product) JOIN price s USING (product)',
	'SELECT count(*) FROM sale v JOIN (shop a LEFT JOIN shop b ON a.shop = b.shop) ON b.shop = v.shop',
	'SELECT count(*) FROM sale v JOIN mine USING (shop)', 'SELECT count(*) FILTER (WHERE shop IN (SELECT shop FROM mine)) FROM sale',
	'SELECT sum(CASE WHEN shop IN (SELECT shop FROM mine) THEN 1 ELSE 0 END) FROM sale', 'SELECT count(*) FROM sale WHERE EXISTS (SELECT FROM mine)',
	'SELECT count(*) FROM sale WHERE shop IN (SELECT m.shop FROM shop JOIN mine m USING (shop))', 'SELECT count(*) FROM sale WHERE amount > ANY (SELECT size FROM shop)',
	'SELECT count(*) FROM sale WHERE amount <> ALL (SELECT size FROM shop)', 'SELECT count(*) FROM sale WHERE (shop, amount) NOT IN (SELECT shop, size FROM shop)',
	'SELECT count(*) FROM sale v LEFT JOIN shop s ON s.shop = v.shop AND v.product IN (SELECT tag FROM tag)',
	'SELECT count(*) FROM sale WHERE amount = (SELECT max(size) FROM shop)', 'SELECT count(*) FROM sale v WHERE EXISTS (SELECT FROM shop s WHERE s.shop = v.shop)']) q;
-- columns made of columns made of columns ... each twice as many
CREATE FUNCTION doubled(levels int) RETURNS text LANGUAGE sql AS $$
	SELECT 'SELECT count(*) FROM (' || repeat('SELECT n + n AS n, shop FROM (', levels) || 'SELECT amount AS n, shop FROM sale' || string_agg(') s' || i, '' ORDER BY i) || ') s JOIN shop USING (shop) WHERE n > 0' FROM generate_series(1, levels) i
$$;
SELECT ask(doubled(60));
SELECT ask(doubled(5)) ~ '^\(\d+\)$' AS answered;
-- 27 are not too many where a comparison takes no longer than one of numbers; each of the 120 customers adds at most six
SELECT ask('SELECT count(*) FROM sale JOIN shift p USING (shop) JOIN shift q USING (shop) JOIN shift r USING (shop)');
SELECT ask('SELECT count(*) FROM sale JOIN price p USING (product) JOIN price q USING (product) JOIN price r USING (product)');

--
-- Of a public table only rows are read that can meet what an OR asks for
--

SET privacct.public_memory = '64kB';
INSERT INTO town SELECT 'town ' || i, repeat('x', 100) FROM generate_series(1, 2000) i;
INSERT INTO town VALUES ('tea', 'north'), ('rye', 'south'), ('oil', 'south');
SELECT same('SELECT count(*) FROM sale JOIN town ON town = product WHERE (region = ''north'' AND amount < 4) OR (region = ''south'' AND shop = 1 AND amount > 5)') AS few,
	ask('SELECT count(*) FROM sale JOIN town ON town = product WHERE (region = ''north'' AND amount < 4) OR (shop = 1 AND amount > 5)') AS all;
RESET privacct.public_memory;
DELETE FROM town WHERE town LIKE 'town %' OR town IN ('tea', 'rye', 'oil');

--
-- What is declared, and memory, are checked again when the tables are read; nothing is charged then
--

CREATE FUNCTION charges() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM privacct.ledger';
SELECT charges() AS before \gset
INSERT INTO price SELECT 'tea', date '2025-01-01' + i, 1 FROM generate_series(1, 5) i;
SELECT ask('SELECT count(*) FROM sale JOIN price USING (product)');
DELETE FROM price WHERE since > '2024-12-31';
SET privacct.public_memory = '64kB';
INSERT INTO town SELECT 'town ' || i, repeat('x', 100) FROM generate_series(1, 2000) i;
SELECT ask('SELECT count(*) FROM sale WHERE product IN (SELECT town || region FROM town)');
RESET privacct.public_memory;
DELETE FROM town WHERE town LIKE 'town %';
SELECT charges() - :before AS charged;
SET ROLE regress_pt_steward;
SELECT drop_public('shop');
SELECT drop_public('shop');
RESET ROLE;
SELECT ask('SELECT count(*) FROM sale JOIN shop USING (shop)');

-- the plan shows nothing of tables, and who may not read a public table does not
REVOKE SELECT ON town FROM regress_pt_analyst;
SELECT ask('SELECT count(*) FROM sale WHERE product IN (SELECT town FROM town)');

SET client_min_messages = warning;
RESET search_path;
DROP SCHEMA dims CASCADE;
SELECT relation::oid > 0 AS left FROM privacct.public_table;
DROP ROLE regress_pt_steward, regress_pt_analyst, regress_pt_writer;
