-- Groups that public data list: columns of public tables, periods of bounded dates.
-- Neither takes a selection, nor a delta, and empty groups come out.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir '/sql/include/asking.psql'
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_pk_steward;
CREATE ROLE regress_pk_analyst;
CREATE ROLE regress_pk_other;
GRANT privacct_admin TO regress_pk_steward, regress_pk_other;
CREATE SCHEMA pk AUTHORIZATION regress_pk_steward;
GRANT USAGE ON SCHEMA pk TO PUBLIC;
SET search_path = pk, privacct;
\ir :helpers
\pset format unaligned
\pset footer off
\pset null '(null)'
SET TimeZone = 'UTC';
SET DateStyle = 'ISO';

SET ROLE regress_pk_steward;
CREATE TABLE region (region int PRIMARY KEY, rname text);
INSERT INTO region VALUES (1, 'north'), (2, 'south'), (3, 'west');
CREATE TABLE ward (ward int PRIMARY KEY, name text, kind text, region int, price numeric, code char(4), note text);
INSERT INTO ward VALUES (1, 'A', 'x', 1, 1.0, 'a', 'n1'), (2, 'B', 'x', 1, 1.00, 'a ', 'n2'), (3, 'C', 'y', 2, 2, 'b', 'n3'), (4, 'D', NULL, 2, NULL, 'c', repeat('long', 100)), (5, 'E', 'z', NULL, 3, 'd', 'n5');
CREATE TABLE staff (staff int PRIMARY KEY, grade text);
INSERT INTO staff SELECT i, 'g' || i % 3 FROM generate_series(1, 1200) i;
CREATE TABLE visit (visit int PRIMARY KEY, person int NOT NULL, ward int, staff int, day date, at timestamp NOT NULL, tz timestamptz NOT NULL, cost int, own text);
INSERT INTO visit SELECT i, 1 + i % 200, CASE WHEN i % 5 = 0 THEN NULL ELSE 1 + i % 3 END, 1 + i % 1200, date '2024-01-15' + i % 100, timestamp '2024-01-31 20:30' + i % 50 * interval '1 hour',
	timestamptz '2024-03-30 20:30+00' + i % 50 * interval '1 hour', i % 10, (ARRAY['p', 'q'])[1 + i % 2] FROM generate_series(1, 400) i;
CREATE TABLE wide AS SELECT * FROM visit;
ALTER TABLE wide ALTER person SET NOT NULL, ALTER at SET NOT NULL, ALTER tz SET NOT NULL;
GRANT SELECT ON region, ward, staff TO regress_pk_analyst;
-- no delta at all: a selection would be an error
DO $$ BEGIN
	PERFORM protect(t, 'person', 1e6, delta => 0, max_groups_contributed => 4, max_rows_contributed => 8, workers => w, fresh => true) FROM (VALUES ('visit'::regclass, 0), ('wide', 2)) v(t, w);
	PERFORM grant_budget(t, 'regress_pk_analyst', 1e6), set_keys(t, 'own', '{p,q,r}'::text[]) FROM unnest('{visit,wide}'::regclass[]) t;
END $$;
RESET ROLE;
CREATE FUNCTION ask(query text) RETURNS text LANGUAGE sql AS $$ SELECT ask('regress_pk_analyst', query) $$;
CREATE FUNCTION same(query text, raw text) RETURNS text LANGUAGE sql AS $$ SELECT same('regress_pk_analyst', query, 'regress_pk_steward', raw) $$;
SET privacct.epsilon = 8000;

--
-- Declaring
--

SET ROLE regress_pk_steward;
SELECT set_keys('ward', 'name');
SELECT set_keys('visit', 'own');
SELECT declare_public(t) FROM unnest('{ward,region,staff}'::regclass[]) t;
SELECT ask('SELECT name, count(*) FROM visit JOIN ward USING (ward) GROUP BY name');
SELECT set_keys('ward', 'nope');
CREATE TABLE point (p point, x float8);
SELECT declare_public('point');
SELECT set_keys('point', 'p');
SELECT set_keys('point', 'x');
DROP TABLE point;
SELECT set_keys('ward', c) FROM unnest('{name,kind,price,code,name}'::name[]) c;
SELECT set_keys('region', 'rname'), set_keys('staff', 'grade');
SELECT * FROM public_tables WHERE relation <> 'staff'::regclass ORDER BY 1;
RESET ROLE;
SET ROLE regress_pk_other;
SELECT set_keys('ward', 'name');
RESET ROLE;

--
-- Answered: what the owner counts, with the groups that are empty
--

SELECT same(q, coalesce(r, q)) FROM (VALUES
	('SELECT name, count(*) FROM visit JOIN ward USING (ward) GROUP BY name', 'SELECT name, (SELECT count(*) FROM visit v WHERE v.ward = w.ward) FROM ward w'),
	-- several keys of a table: what stands in a row together
	('SELECT name, kind, count(*) FROM visit JOIN ward USING (ward) GROUP BY 1, 2', 'SELECT name, kind, (SELECT count(*) FROM visit v WHERE v.ward = w.ward) FROM ward w'),
	-- conditions on public tables hold of the groups, those of tables that are tied to them too; others are left out
	('SELECT name, count(*) FROM visit JOIN ward USING (ward) WHERE kind = ''y'' GROUP BY name', NULL),
	('SELECT rname, name, sum(1) FROM visit JOIN ward USING (ward) JOIN region USING (region) JOIN staff USING (staff) WHERE rname <> ''north'' GROUP BY 1, 2', 'VALUES (''south'', ''C'', (SELECT count(*) FROM visit WHERE ward = 3)), (''south'', ''D'', 0)'),
	('SELECT rname, name, count(*) FROM visit v, ward w, region r WHERE v.ward = w.ward AND w.region = r.region AND r.region < 2 AND v.cost < w.region + 5 GROUP BY 1, 2', NULL),
	-- the idiom: count(*) of a group without rows is 0 here, and 1 in plain SQL
	('SELECT name, count(*) FROM ward LEFT JOIN visit USING (ward) GROUP BY name', 'SELECT name, count(visit) FROM ward LEFT JOIN visit USING (ward) GROUP BY name'),
	-- null is a group where the column may be null here
	('SELECT name, count(*) FROM visit LEFT JOIN ward USING (ward) GROUP BY name', 'SELECT name, (SELECT count(*) FROM visit v WHERE v.ward = w.ward) FROM ward w UNION ALL SELECT NULL, count(*) FROM visit WHERE ward IS NULL'),
	('SELECT kind, count(*) FROM visit LEFT JOIN ward USING (ward) WHERE kind IS NOT NULL GROUP BY kind', 'SELECT kind, count(visit) FROM ward LEFT JOIN visit USING (ward) WHERE kind IS NOT NULL GROUP BY kind'),
	('SELECT name, rname, count(*) FROM visit LEFT JOIN (ward LEFT JOIN region USING (region)) USING (ward) WHERE name < ''C'' GROUP BY 1, 2', 'SELECT name, rname, count(*) FROM visit JOIN ward USING (ward) JOIN region USING (region) WHERE name < ''C'' GROUP BY 1, 2'),
	('SELECT name, count(*) FROM visit v LEFT JOIN ward w ON w.ward = v.ward AND w.kind = ''x'' GROUP BY name', NULL),
	-- one form for equal values
	('SELECT price, count(*) FROM visit JOIN ward USING (ward) GROUP BY price', 'SELECT trim_scale(price), count(visit) FROM ward LEFT JOIN visit USING (ward) GROUP BY 1'),
	('SELECT code, count(*) FROM visit JOIN ward USING (ward) GROUP BY code', 'SELECT rtrim(code), count(visit) FROM ward LEFT JOIN visit USING (ward) GROUP BY 1'),
	-- with keys of the protected table: every combination
	('SELECT own, kind, count(*) FROM visit JOIN ward USING (ward) WHERE kind > ''x'' GROUP BY 1, 2', 'SELECT o, kind, count(visit) FROM ward CROSS JOIN unnest(''{p,q,r}''::text[]) o LEFT JOIN visit v ON v.ward = ward.ward AND own = o WHERE kind > ''x'' GROUP BY 1, 2'),
	-- two tables, one table twice
	('SELECT grade, kind, count(*) FROM visit JOIN ward USING (ward) JOIN staff USING (staff) WHERE kind = ''x'' AND grade > ''g0'' GROUP BY 1, 2', NULL),
	('SELECT a.name, b.rname, count(*) FROM visit v JOIN ward a ON a.ward = v.ward JOIN region b ON b.region = v.cost WHERE a.kind = ''y'' GROUP BY 1, 2', 'SELECT ''C'', rname, count(visit) FROM region LEFT JOIN visit ON cost = region AND ward = 3 GROUP BY 2'),
	('SELECT DISTINCT kind FROM visit JOIN ward USING (ward)', 'SELECT DISTINCT kind FROM ward'),
	('SELECT name, name, count(*) FROM visit v JOIN ward w ON w.ward = v.ward WHERE w.ward < 3 GROUP BY 1, 2', NULL),
	-- a condition on the protected side leaves groups without rows
	('SELECT name, count(*) FROM visit v JOIN ward w ON w.ward = v.ward WHERE v.ward < 3 GROUP BY 1', 'SELECT name, count(visit) FROM ward w LEFT JOIN visit v ON v.ward = w.ward AND v.ward < 3 GROUP BY 1'),
	('SELECT name, count(*) FROM visit JOIN ward USING (ward) WHERE name = ''nowhere'' GROUP BY name', NULL),
	('SELECT name, count(*) FROM visit v JOIN ward w ON w.ward = v.ward WHERE EXISTS (SELECT FROM region WHERE rname = ''west'') AND w.ward < 3 AND staff IN (SELECT staff FROM staff) GROUP BY name', NULL),
	-- subqueries and what is above them
	('SELECT name, count(*) FROM (SELECT w.name, v.cost FROM visit v JOIN ward w USING (ward) WHERE w.kind = ''x'') s WHERE cost < 7 AND name < ''B'' GROUP BY name', NULL),
	('SELECT name, count(*) + 1 FROM visit JOIN ward w USING (ward) WHERE w.ward < 4 GROUP BY name HAVING count(*) > 0 ORDER BY 1', NULL)) v(q, r);
-- releases that the block reads are nothing public; each is charged once
SELECT charges('visit') AS before \gset
SELECT ask(q) FROM unnest(ARRAY['SELECT name, count(*) FROM visit v JOIN ward w ON w.ward = v.ward WHERE v.cost >= (SELECT count(*) - 395 FROM visit) GROUP BY name',
	'SELECT name, count(*) FROM visit v JOIN ward w ON w.ward = v.ward JOIN (SELECT own, count(*) AS n FROM visit GROUP BY own) o ON o.own = v.own WHERE w.region < o.n GROUP BY name']) q;
SELECT charges('visit') - :before AS charged;
-- in parallel, by workers alone
SET parallel_leader_participation = off;
SELECT same(q, coalesce(r, q)) FROM (VALUES
	('SELECT name, count(*) FROM wide JOIN ward USING (ward) GROUP BY name', 'SELECT name, (SELECT count(*) FROM visit v WHERE v.ward = w.ward) FROM ward w'),
	('SELECT name, own, count(*) FROM wide LEFT JOIN ward USING (ward) WHERE kind = ''y'' OR kind IS NULL GROUP BY 1, 2',
		'SELECT name, o, (SELECT count(*) FROM wide v WHERE v.ward IS NOT DISTINCT FROM w.ward AND v.own = o) FROM (SELECT ward, name FROM ward WHERE kind = ''y'' OR kind IS NULL UNION ALL SELECT NULL, NULL) w, unnest(''{p,q,r}''::text[]) o')) v(q, r);

SET ROLE regress_pk_analyst;
EXPLAIN (COSTS off) SELECT name, own, count(*) FROM wide LEFT JOIN ward USING (ward) WHERE kind = 'y' OR kind IS NULL GROUP BY 1, 2;
SELECT name, own, count(*) FROM wide LEFT JOIN ward USING (ward) WHERE kind = 'y' OR kind IS NULL GROUP BY 1, 2;
RESET ROLE;
RESET parallel_leader_participation;

-- views show what they show
SET ROLE regress_pk_steward;
CREATE VIEW north AS SELECT w.* FROM ward w JOIN region r USING (region) WHERE rname = 'north';
CREATE VIEW stays WITH (security_invoker) AS SELECT v.*, w.name, w.kind FROM visit v JOIN ward w ON w.ward = v.ward;
GRANT SELECT ON north, stays TO regress_pk_analyst;
RESET ROLE;
SELECT same(q, q) FROM unnest(ARRAY['SELECT name, count(*) FROM visit JOIN north USING (ward) GROUP BY name',
	'SELECT name, count(*) FROM stays WHERE kind = ''x'' GROUP BY name']) q;
-- rows that somebody may not see are no groups either
SET ROLE regress_pk_steward;
REVOKE SELECT ON ward FROM regress_pk_analyst;
RESET ROLE;
SELECT ask('SELECT name, count(*) FROM visit JOIN north USING (ward) GROUP BY name');
SELECT ask('SELECT name, count(*) FROM visit JOIN ward USING (ward) GROUP BY name');
SELECT ask($$SELECT epsilon FROM privacct.preview('SELECT name, count(*) FROM visit JOIN ward USING (ward) GROUP BY name')$$);
SET ROLE regress_pk_steward;
GRANT SELECT ON ward TO regress_pk_analyst;
RESET ROLE;

-- too long for a key: with those who have none
SET ROLE regress_pk_steward;
SELECT set_keys('ward', 'note');
RESET ROLE;
SELECT ask('SELECT note, count(*) FROM visit JOIN ward USING (ward) GROUP BY note');

--
-- Periods
--

SET ROLE regress_pk_steward;
SELECT ask('SELECT date_trunc(''month'', day), count(*) FROM visit GROUP BY 1');
DO $$ BEGIN
	PERFORM set_bounds(t, 'day', '2024-01-01', '2024-06-30'), set_bounds(t, 'at', '2024-01-31 12:00', '2024-03-01 11:59:59.5'), set_bounds(t, 'tz', '2024-03-29 00:00+00', '2024-04-02 00:00+00')
	FROM unnest('{visit,wide}'::regclass[]) t;
END $$;
RESET ROLE;
SELECT ask(q) FROM unnest(ARRAY[
	-- null is a period where the column may be null
	'SELECT date_trunc(''month'', day)::date, count(*) FROM visit GROUP BY 1',
	'SELECT extract(year FROM day) * 100 + extract(month FROM day), count(*) FROM wide GROUP BY 1',
	-- every date is known: conditions on it hold of periods
	'SELECT date_trunc(''month'', day)::date, count(*) FROM visit WHERE day >= ''2024-04-10'' GROUP BY 1',
	'SELECT extract(dow FROM day), count(*) FROM visit WHERE day BETWEEN ''2024-02-05'' AND ''2024-02-07'' GROUP BY 1',
	-- of times only points are
	'SELECT date_trunc(''day'', at), count(*) FROM visit WHERE at < ''2024-02-02 03:00'' GROUP BY 1 ORDER BY 1 LIMIT 5',
	'SELECT date_trunc(''week'', at), count(*) FROM wide GROUP BY 1',
	'SELECT extract(hour FROM at), count(*) FROM visit GROUP BY 1',
	'SELECT date_trunc(''month'', at), name, count(*) FROM visit JOIN ward USING (ward) WHERE kind = ''x'' GROUP BY 1, 2',
	-- parts that no condition ties: months of two columns, wards with what they are tied to, in a subquery and out of it
	'SELECT extract(month FROM day), date_trunc(''month'', at)::date, name, count(*) FROM visit JOIN ward USING (ward) JOIN region r USING (region) WHERE day < ''2024-03-01'' AND r.rname < ''p'' AND at >= ''2024-02-01'' GROUP BY 1, 2, 3',
	'SELECT m, name, count(*) FROM (SELECT extract(month FROM day) AS m, name, rname FROM visit JOIN ward USING (ward) JOIN region USING (region) WHERE day < ''2024-03-01'') v WHERE m > 1 AND rname = ''south'' GROUP BY 1, 2',
	'SELECT m, name, count(*) FROM (SELECT extract(month FROM day) AS m, name FROM visit LEFT JOIN ward USING (ward)) v WHERE m = 2 OR name = ''A'' GROUP BY 1, 2',
	'SELECT date_trunc(''day'', tz), count(*) FROM visit GROUP BY 1']) q;
-- too many groups of several tables are not all made
SELECT ask('SELECT ' || string_agg(format('w%s.name', i), ', ') || ', count(*) FROM visit ' || string_agg(format('JOIN ward w%s ON w%s.ward = visit.ward + %s', i, i, i), ' ') || ' GROUP BY ' || string_agg(format('w%s.name', i), ', ')) FROM generate_series(1, 9) i;
-- days begin when they begin where the session is, summer time included; for rows and for groups alike
SET TimeZone = 'Europe/Berlin';
SELECT same('SELECT date_trunc(''day'', tz), count(*) FROM visit GROUP BY 1', 'SELECT d, (SELECT count(*) FROM visit WHERE date_trunc(''day'', tz) = d) FROM generate_series(''2024-03-29''::timestamptz, ''2024-04-02'', ''1 day'') d');
SELECT same('SELECT extract(hour FROM tz), count(*) FROM visit WHERE date_trunc(''day'', tz) = ''2024-03-31'' GROUP BY 1', 'SELECT h, (SELECT count(*) FROM visit WHERE date_trunc(''day'', tz) = ''2024-03-31'' AND extract(hour FROM tz) = h) FROM generate_series(0, 23) h');
SET TimeZone = 'UTC';
-- not listed, and selection has no delta here: too many, too short, of something else
SELECT left(ask(format('SELECT %s, count(*) FROM visit GROUP BY 1', key)), 52) AS answer, key FROM unnest(ARRAY['day', 'at', 'date_trunc(''second'', at)', 'date_trunc(''milliseconds'', at)', 'extract(epoch FROM at)', 'extract(second FROM at)', 'date_trunc(''month'', day + cost)',
	'date_trunc(''month'', day) + cost * interval ''1 day''', 'greatest(date_trunc(''month'', day), date_trunc(''month'', at))', 'cost', 'upper(own)']) key;
-- nor are so many combinations
SELECT left(ask('SELECT date_trunc(''minute'', tz), date_trunc(''minute'', at), count(*) FROM visit GROUP BY 1, 2'), 52);
SELECT ask('SELECT date_trunc(''week'', tz)::date, date_trunc(''month'', at)::date, count(*) FROM visit GROUP BY 1, 2');

--
-- What it costs, and how that is shown
--

CREATE FUNCTION explained(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	PERFORM set_config('role', 'regress_pk_analyst', true);
	FOR line IN EXECUTE 'EXPLAIN (COSTS off) ' || query LOOP
		IF line ~ 'Groups|Delta' THEN
			RETURN NEXT trim(line);
		END IF;
	END LOOP;
	PERFORM set_config('role', 'none', true);
END
$$;
SELECT explained('SELECT name, count(*) FROM visit JOIN ward USING (ward) GROUP BY name');
SELECT explained('SELECT name, count(*) FROM visit JOIN ward USING (ward) WHERE kind = ''x'' GROUP BY name');
SELECT explained('SELECT date_trunc(''quarter'', day), count(*) FROM visit WHERE day IS NOT NULL GROUP BY 1');
SELECT ask($$SELECT DISTINCT groups_per_owner, delta FROM privacct.preview('SELECT name, count(*) FROM visit JOIN ward USING (ward) WHERE kind = ''x'' GROUP BY name') WHERE used AND statistic <> 'release'$$);

--
-- Now is when it is executed
--

SET ROLE regress_pk_analyst;
SET plan_cache_mode = force_generic_plan;
PREPARE of_kind(text) AS SELECT name, count(*) > 0 AS some FROM visit JOIN ward USING (ward) WHERE kind = $1 OR $1 IS NULL GROUP BY name ORDER BY 1;
EXECUTE of_kind('x');
RESET ROLE;
INSERT INTO ward VALUES (6, 'F', 'x');
SET ROLE regress_pk_analyst;
EXECUTE of_kind('x');
EXECUTE of_kind('nothing');
RESET ROLE;
-- a declaration that is gone, and one that follows its column
SET ROLE regress_pk_steward;
SELECT drop_keys('ward', 'name');
SET ROLE regress_pk_analyst;
EXECUTE of_kind('x');
SET ROLE regress_pk_steward;
SELECT set_keys('ward', 'name');
ALTER TABLE ward RENAME name TO title;
ALTER TABLE ward DROP note CASCADE, ADD note text;
SELECT keys FROM public_tables WHERE relation = 'ward'::regclass;
SELECT ask('SELECT title, count(*) > 0 FROM visit JOIN ward USING (ward) WHERE kind = ''x'' GROUP BY title');
GRANT INSERT ON ward TO regress_pk_other;
SELECT ask('SELECT title, count(*) > 0 FROM visit JOIN ward USING (ward) WHERE kind = ''x'' GROUP BY title');
REVOKE INSERT ON ward FROM regress_pk_other;
SELECT drop_public('ward');
SELECT ask('SELECT title, count(*) > 0 FROM visit JOIN ward USING (ward) WHERE kind = ''x'' GROUP BY title');
RESET ROLE;
RESET plan_cache_mode;

-- at most a million
SET ROLE regress_pk_steward;
CREATE TABLE many (ward int PRIMARY KEY, label int);
INSERT INTO many SELECT i, i FROM generate_series(1, 1001) i;
GRANT SELECT ON many TO regress_pk_analyst;
SELECT declare_public('many'), set_keys('many', 'label');
RESET ROLE;
SELECT ask('SELECT a.label, b.label, count(*) FROM visit v JOIN many a ON a.ward = v.ward JOIN many b ON b.ward = v.staff GROUP BY 1, 2');
SELECT ask('SELECT count(*), sum(n) FROM (SELECT a.label, b.label, count(*) AS n FROM visit v JOIN many a ON a.ward = v.ward JOIN many b ON b.ward = v.staff WHERE a.label < 10 AND v.staff < 1001 GROUP BY 1, 2) s')
	= (SELECT format('(%s,%s)', 9 * 1001, count(*)) FROM visit WHERE ward IS NOT NULL AND staff < 1001) AS all_of_them;

-- what groups take in memory is known before the charge: of listed keys and of declared ones, of few aggregates and many, with long keys
ALTER TABLE many ADD note text;
UPDATE many SET note = repeat('x', 1000) || label;
SET ROLE regress_pk_steward;
SELECT set_keys('many', 'note');
RESET ROLE;
SELECT count(*) AS charges FROM ledger \gset
SET privacct.group_memory = '2MB';
SELECT label, ask(q) FROM (VALUES
	('listed', 'SELECT a.label, b.label, count(*) FROM visit v JOIN many a ON a.ward = v.ward JOIN many b ON b.ward = v.staff WHERE a.label < 100 GROUP BY 1, 2'),
	('declared', 'SELECT own, a.label, b.label, count(*) FROM visit v JOIN many a ON a.ward = v.ward JOIN many b ON b.ward = v.staff WHERE a.label < 10 GROUP BY 1, 2, 3'),
	('many aggregates', 'SELECT label, ' || (SELECT string_agg('privacct.dp_sum(cost, 0, ' || i || ')', ', ') FROM generate_series(1, 60) i) || ' FROM visit v JOIN many a ON a.ward = v.ward GROUP BY 1'),
	('long keys', 'SELECT a.label, b.note, count(*) FROM visit v JOIN many a ON a.ward = v.ward JOIN many b ON b.ward = v.staff WHERE a.label < 4 GROUP BY 1, 2')) v(label, q);
SELECT count(*) - :charges AS charges FROM ledger;
RESET privacct.group_memory;
SELECT ask('SELECT count(*) FROM (SELECT label, ' || (SELECT string_agg('privacct.dp_sum(cost, 0, ' || i || ')', ', ') FROM generate_series(1, 60) i) || ' FROM visit v JOIN many a ON a.ward = v.ward GROUP BY 1) s');

SET client_min_messages = warning;
RESET search_path;
DROP SCHEMA pk CASCADE;
DROP ROLE regress_pk_steward, regress_pk_analyst, regress_pk_other;
