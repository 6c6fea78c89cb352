-- What a promise about entries rests on, and may not be declared away: how many
-- rows an owner has, and that what is public does not follow from what is secret.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_pa_asker;
CREATE SCHEMA entry;
GRANT USAGE ON SCHEMA entry TO PUBLIC;
SET search_path = entry, public;
RESET client_min_messages;
-- runs a statement; what it raised, or ok
CREATE FUNCTION entry.try(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	message text; detail text;
BEGIN
	EXECUTE statement;
	RETURN 'ok';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
	RETURN concat_ws(E'\n', SQLSTATE || ': ' || message, 'detail: ' || nullif(detail, ''));
END
$$;
CREATE VIEW entry.versions AS
SELECT p.relation, v.version, v.epsilon_pufferfish, round(v.epsilon, 6) AS entry_epsilon, v.max_entries
FROM privacct.prior v JOIN privacct.policy p USING (policy_id) WHERE p.closed_at IS NULL ORDER BY 1, 2;
CREATE FUNCTION entry.alike(length int) RETURNS jsonb LANGUAGE sql AS $$
	SELECT privacct.chain_prior(ARRAY['a', 'b'], '{{0.99,0.01},{0.01,0.99}}', '{0.5,0.5}', length)
$$;
CREATE FUNCTION entry.apart() RETURNS jsonb LANGUAGE sql AS $$
	SELECT privacct.chain_prior(ARRAY['a', 'b'], '{{0.5,0.5},{0.5,0.5}}')
$$;

-- several priors: the shortest says how many rows may be there, as it says nothing of others
CREATE TABLE entry.walk (person int, hour int, place text NOT NULL, PRIMARY KEY (person, hour));
INSERT INTO entry.walk SELECT i, j, CASE WHEN (i + j) % 3 = 0 THEN 'a' ELSE 'b' END FROM generate_series(1, 20) i, generate_series(1, 10) j;
SELECT entry.try($$SELECT privacct.protect_entries('walk', 'person', '{hour}', 'place', jsonb_build_array(entry.alike(3), entry.alike(10)))$$);
SELECT entry.try($$SELECT privacct.protect_entries('walk', 'person', '{hour}', 'place', jsonb_build_array(entry.alike(10), entry.alike(3)), max_entries => 10)$$);
SELECT entry.try($$SELECT privacct.protect_entries('walk', 'person', '{hour}', 'place', jsonb_build_array(entry.apart(),
	privacct.table_prior(ARRAY['a', 'b'], '{2,2}', '{0.4,0.1,0.1,0.4}'), entry.alike(10)), max_entries => 3)$$);
SELECT entry.try($$SELECT privacct.protect_entries('walk', 'person', '{hour}', 'place', jsonb_build_array(entry.apart(), entry.alike(12), entry.alike(10)))$$);
SELECT * FROM entry.versions;

-- rows that are gone were in the releases that were paid for: max_entries cannot become less after them
SELECT privacct.unprotect('walk');
SELECT privacct.protect_entries('walk', 'person', '{hour}', 'place', entry.apart(), max_entries => 20) > 0 AS protected;
SELECT privacct.grant_budget('walk', 'regress_pa_asker', 10);
SELECT entry.try($$SELECT privacct.set_priors('walk', entry.alike(12), max_entries => 10)$$);
SET ROLE regress_pa_asker;
SET privacct.epsilon = 0.05;
SELECT c IS NOT NULL AS answered FROM (SELECT count(*) AS c FROM walk WHERE place = 'a') s;
RESET ROLE;
DELETE FROM walk WHERE hour > 2;
-- ten rows with 0.05 each may have lost 0.5, not 0.1
SELECT entry.try($$SELECT privacct.set_priors('walk', entry.alike(2))$$);
SELECT entry.try($$SELECT privacct.set_priors('walk', entry.apart(), max_entries => 9)$$);
SELECT entry.try($$SELECT privacct.set_priors('walk', entry.alike(12), max_entries => 10)$$);
SELECT entry.try($$SELECT privacct.set_priors('walk', entry.apart())$$);
SELECT entry.try($$SELECT privacct.set_priors('walk', entry.alike(4096))$$);
SELECT * FROM entry.versions;
BEGIN;
SELECT privacct.unprotect('walk');
SELECT entry.try($$SELECT privacct.protect_entries('walk', 'person', '{hour}', 'place', entry.apart(), max_entries => 4096)$$);
SELECT entry.try($$SELECT privacct.protect_entries('walk', 'person', '{hour}', 'place', entry.apart())$$);
SELECT entry.try($$SELECT privacct.set_priors('walk', entry.alike(2))$$);
COMMIT;
SELECT relation, entry_epsilon_spent, max_entries FROM privacct.pufferfish_budget;
-- nor does another owner column get around that
CREATE TABLE entry.turn (person int NOT NULL, device int NOT NULL, hour int, place text NOT NULL, PRIMARY KEY (person, hour), UNIQUE (device, hour));
INSERT INTO entry.turn SELECT i, 1, i, 'a' FROM generate_series(1, 40) i;
SELECT privacct.protect_entries('turn', 'person', '{hour}', 'place', entry.apart(), max_entries => 1) > 0 AS protected;
SELECT privacct.grant_budget('turn', 'regress_pa_asker', 0.5);
SET ROLE regress_pa_asker;
SELECT c IS NOT NULL AS answered FROM (SELECT count(*) AS c FROM turn WHERE place = 'a') s;
RESET ROLE;
DELETE FROM turn WHERE hour > 10;
SET client_min_messages = warning;
SELECT privacct.unprotect('turn');
SELECT entry.try($$SELECT privacct.protect_entries('turn', 'device', '{hour}', 'place', entry.apart(), max_entries => 10)$$);
SELECT entry.try($$SELECT privacct.protect_entries('turn', 'person', '{hour}', 'place', entry.apart(), max_entries => 1)$$);
RESET client_min_messages;

-- what is generated from a secret is one, and what is generated from public columns is none
CREATE TABLE entry.copy (person int, hour int, place text NOT NULL, gps int, room text,
	twin text GENERATED ALWAYS AS (upper(place)) STORED, late boolean GENERATED ALWAYS AS (hour > 12) STORED,
	near boolean GENERATED ALWAYS AS (gps > 12 AND hour > 12) STORED,
	ordered text NOT NULL GENERATED ALWAYS AS (place || 'x') STORED, holder int NOT NULL GENERATED ALWAYS AS (length(place)) STORED,
	made text NOT NULL GENERATED ALWAYS AS (CASE WHEN room = 'x' THEN 'a' ELSE 'b' END) STORED,
	PRIMARY KEY (person, hour), UNIQUE (person, ordered), UNIQUE (holder, hour));
SELECT entry.try($$SELECT privacct.protect_entries('copy', 'person', '{ordered}', 'place', entry.apart(), max_entries => 5)$$);
SELECT entry.try($$SELECT privacct.protect_entries('copy', 'holder', '{hour}', 'place', entry.apart(), max_entries => 5)$$);
SELECT entry.try($$SELECT privacct.protect_entries('copy', 'person', '{hour}', 'place', entry.apart(), max_entries => 5)$$);
SELECT entry.try($$SELECT privacct.set_public('copy', 'twin')$$);
SELECT entry.try($$SELECT privacct.set_public('copy', 'late')$$);
SELECT entry.try($$SELECT privacct.set_public('copy', 'near')$$);
SELECT entry.try($$SELECT privacct.set_public('copy', 'gps')$$);
SELECT entry.try($$SELECT privacct.set_public('copy', 'near')$$);
SELECT column_name FROM privacct.public_column c JOIN privacct.policy p USING (policy_id) WHERE p.closed_at IS NULL AND p.relation = 'copy'::regclass ORDER BY 1;
SELECT privacct.unprotect('copy');
SELECT entry.try($$SELECT privacct.protect_entries('copy', 'person', '{hour}', 'made', entry.apart(), max_entries => 5)$$);
SELECT entry.try($$SELECT privacct.set_public('copy', 'room')$$);
SELECT entry.try($$SELECT privacct.set_public('copy', 'gps')$$);
-- children may generate what their parents do not
CREATE TABLE entry.year (person int, hour int, place text NOT NULL, near text, PRIMARY KEY (person, hour)) PARTITION BY RANGE (hour);
SELECT privacct.protect_entries('year', 'person', '{hour}', 'place', entry.apart(), max_entries => 5) > 0 AS protected;
SELECT entry.try($$SELECT privacct.set_public('year', 'near')$$);
SELECT entry.try($$CREATE TABLE entry.year_1 PARTITION OF entry.year (near GENERATED ALWAYS AS (upper(place)) STORED) FOR VALUES FROM (0) TO (10)$$) ~
	CASE WHEN current_setting('server_version_num')::int < 170000 THEN '^0A000' ELSE '^42611' END AS by_the_server;
CREATE TABLE entry.year_2 (person int NOT NULL, hour int NOT NULL, place text NOT NULL, near text GENERATED ALWAYS AS (upper(place)) STORED);
-- since 17 the server refuses it before we do
SELECT entry.try($$ALTER TABLE entry.year ATTACH PARTITION entry.year_2 FOR VALUES FROM (10) TO (20)$$) ~
	CASE WHEN current_setting('server_version_num')::int < 170000 THEN '^42PA4: column "near" cannot be public' ELSE '^42804' END AS refused;
-- or they generate it otherwise, and so may the table one day: since 17
CREATE TABLE entry.span (person int, hour int, place text NOT NULL, near boolean GENERATED ALWAYS AS (hour > 12) STORED, PRIMARY KEY (person, hour)) PARTITION BY RANGE (hour);
SELECT privacct.protect_entries('span', 'person', '{hour}', 'place', entry.apart(), max_entries => 5, fresh => true) > 0 AS protected;
SELECT entry.try($$SELECT privacct.set_public('span', 'near')$$);
CREATE TABLE entry.span_2 (person int NOT NULL, hour int NOT NULL, place text NOT NULL, near boolean GENERATED ALWAYS AS (place = 'a') STORED);
SELECT entry.try($$ALTER TABLE entry.span ATTACH PARTITION entry.span_2 FOR VALUES FROM (10) TO (20)$$) ~
	CASE WHEN current_setting('server_version_num')::int < 170000 THEN '^42804' ELSE '^42PA4: column "near" cannot be public' END AS refused;
SELECT entry.try($$CREATE TABLE entry.span_1 PARTITION OF entry.span (near GENERATED ALWAYS AS (place = 'a') STORED) FOR VALUES FROM (0) TO (10)$$) ~
	CASE WHEN current_setting('server_version_num')::int < 170000 THEN '^0A000' ELSE '^42PA4: column "near" cannot be public' END AS refused;
SELECT entry.try($$ALTER TABLE entry.span ALTER COLUMN near SET EXPRESSION AS (place = 'a')$$) ~
	CASE WHEN current_setting('server_version_num')::int < 170000 THEN '^42601' ELSE '^42PA4: column "near" cannot be public' END AS refused;

-- what one other entry changes, found by trying all of them, is never above what the noise is for
CREATE TABLE entry.seen (person int, hour int, level int NOT NULL, weight int NOT NULL, maybe int, PRIMARY KEY (person, hour));
INSERT INTO entry.seen SELECT i, j, (ARRAY[100, 101, 105])[1 + (i * j) % 3], (i * 7 + j) % 11 - 3, nullif(i % 3, 0) FROM generate_series(1, 4) i, generate_series(1, 3) j;
CREATE TABLE entry.chosen AS SELECT 101 AS level;
SELECT privacct.protect_entries('seen', 'person', '{hour}', 'level',
	privacct.chain_prior(ARRAY[100, 101, 105], '{{0.4,0.3,0.3},{0.3,0.4,0.3},{0.3,0.3,0.4}}'), epsilon_pufferfish => 100, max_entries => 5) > 0 AS protected;
SELECT privacct.set_public('seen', 'weight'), privacct.set_public('seen', 'maybe');
SELECT privacct.set_bounds('seen', 'weight', -3, 7), privacct.set_bounds('seen', 'maybe', 1, 2), privacct.set_keys('seen', 'hour', ARRAY[1, 2, 3]), privacct.set_keys('seen', 'maybe', ARRAY[1, 2]);
GRANT SELECT ON entry.chosen TO regress_pa_asker;
DO $$ BEGIN PERFORM privacct.declare_public('entry.chosen'); END $$;
SET client_min_messages = warning;
SELECT privacct.grant_budget('seen', 'regress_pa_asker', 100);
RESET client_min_messages;

-- the answer by group, as it is without noise
CREATE FUNCTION entry.exact(query text) RETURNS TABLE (place text, answer numeric) LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format('SELECT (to_jsonb(q) - ''answer'')::text, coalesce(q.answer, 0)::numeric FROM (%s) q', query);
END
$$;
CREATE FUNCTION entry.largest_change(query text) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
	before jsonb := (SELECT jsonb_object_agg(e.place, e.answer) FROM entry.exact(query) e);
	most numeric := 0;
	change numeric;
	r record;
BEGIN
	FOR r IN SELECT s.person, s.hour, l FROM entry.seen s CROSS JOIN unnest(ARRAY[100, 101, 105]) l LOOP
		BEGIN
			UPDATE entry.seen s SET level = r.l WHERE s.person = r.person AND s.hour = r.hour;
			SELECT sum(abs(coalesce(e.answer, 0) - coalesce(b.value::numeric, 0))) INTO change
			FROM entry.exact(query) e FULL JOIN jsonb_each_text(before) b ON b.key = e.place;
			RAISE EXCEPTION USING ERRCODE = 'XX999';
		EXCEPTION WHEN SQLSTATE 'XX999' THEN
			most := greatest(most, change);
		END;
	END LOOP;
	RETURN most;
END
$$;
-- the change of all groups together that noise of this scale is for, at epsilon 1
CREATE FUNCTION entry.covered(query text) RETURNS numeric LANGUAGE plpgsql SET role = regress_pa_asker AS $$
DECLARE
	line text;
	scale numeric;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN ' || query LOOP
		scale := coalesce(substring(line FROM 'Noise: .*: laplace, scale ([0-9.e+-]+)')::numeric, scale);
	END LOOP;
	RETURN scale;
END
$$;
SET privacct.epsilon = 1;
SELECT q.query, c.change, c.covered, c.change <= c.covered * 1.00001 AS is_covered
FROM (VALUES
	('SELECT count(*) AS answer FROM seen'),
	('SELECT count(*) AS answer FROM seen WHERE level = 100'),
	('SELECT count(*) AS answer FROM seen WHERE level IN (SELECT c.level FROM chosen c)'),
	('SELECT count(*) AS answer FROM (SELECT level AS l FROM seen WHERE weight > 0) s WHERE l > 100'),
	('SELECT count(*) FILTER (WHERE level = 101) AS answer, hour FROM seen GROUP BY hour'),
	('SELECT count(CASE WHEN level > 100 THEN 1 END) AS answer FROM seen'),
	('SELECT count(*) AS answer, level FROM seen GROUP BY level'),
	('SELECT count(*) AS answer, level, hour FROM seen GROUP BY level, hour'),
	('SELECT count(*) AS answer, level, maybe FROM seen WHERE maybe IS NOT NULL GROUP BY maybe, level'),
	('SELECT count(*) AS answer, level FROM seen WHERE level <> 101 GROUP BY level'),
	('SELECT count(maybe) AS answer, level FROM seen GROUP BY level'),
	('SELECT sum(level) AS answer FROM seen'),
	('SELECT sum(level) AS answer FROM seen WHERE hour > 1'),
	('SELECT sum(level) AS answer FROM seen WHERE level > 100'),
	('SELECT sum(level) AS answer FROM seen WHERE level <= 100 OR hour = 1'),
	('SELECT sum(level) FILTER (WHERE level > 100) AS answer FROM seen'),
	('SELECT sum(level) FILTER (WHERE hour = 1) AS answer FROM seen'),
	('SELECT sum(l) AS answer FROM (SELECT level AS l FROM seen WHERE level <> 101) s'),
	('SELECT sum(level) AS answer, hour FROM seen GROUP BY hour'),
	('SELECT sum(level) AS answer, level FROM seen GROUP BY level'),
	('SELECT sum(level) AS answer, level, hour FROM seen GROUP BY level, hour'),
	('SELECT sum(- level) AS answer FROM seen'),
	('SELECT sum(level - 103) AS answer FROM seen'),
	('SELECT sum(level - 103) AS answer FROM seen WHERE level <> 100'),
	('SELECT sum(weight) AS answer FROM seen'),
	('SELECT sum(weight) AS answer FROM seen WHERE level = 100'),
	('SELECT sum(weight) AS answer, level FROM seen GROUP BY level'),
	('SELECT sum(weight * level) AS answer, hour FROM seen GROUP BY hour'),
	('SELECT sum(maybe) AS answer, level FROM seen GROUP BY level'),
	('SELECT sum(CASE WHEN level = 100 THEN weight ELSE 0 END) AS answer FROM seen'),
	('SELECT sum(nullif(level, 100)) AS answer FROM seen'),
	('SELECT sum(coalesce(nullif(level, 100), -50)) AS answer FROM seen')) q(query)
CROSS JOIN LATERAL (SELECT entry.largest_change(q.query) AS change, entry.covered(q.query) AS covered) c;
RESET privacct.epsilon;

-- of a delta per row at least as much comes out as there are rows
SELECT b, epsilon, privacct._group_delta(b, epsilon) >= b AS at_least, privacct._group_delta(b, epsilon) <= b * exp(b * epsilon) * 1.00002 AS at_most
FROM unnest(ARRAY[1, 20, 1e9]::float8[]) b CROSS JOIN unnest(ARRAY[1e-15, 1e-12, 1e-9, 1e-7, 1e-5]::float8[]) epsilon WHERE b * epsilon < 100;

--
-- How many rows an owner has is counted in an index of owners and public columns, in
-- whatever order; its entries of rows that are gone do not count.
--
CREATE TABLE entry.first (person int, hour int, place text NOT NULL, PRIMARY KEY (person, hour));
CREATE TABLE entry.last (person text, hour int, place text NOT NULL, PRIMARY KEY (hour, person));
CREATE TABLE entry.parted (person bigint, hour int, place text NOT NULL, PRIMARY KEY (person, hour)) PARTITION BY LIST (hour);
CREATE TABLE entry.parted_1 PARTITION OF entry.parted FOR VALUES IN (1, 2);
CREATE TABLE entry.parted_2 (place text NOT NULL, hour int NOT NULL, dropped int, person bigint NOT NULL);
ALTER TABLE entry.parted_2 DROP dropped;
ALTER TABLE entry.parted ATTACH PARTITION entry.parted_2 DEFAULT;
CREATE TABLE entry.broad (person int, hour int, place text NOT NULL, PRIMARY KEY (person, hour) INCLUDE (place));
CREATE FUNCTION entry.ask(name text) RETURNS text LANGUAGE sql AS $$
	SELECT entry.try(format('SELECT count(*) FROM %I WHERE place = %L', name, 'a'))
$$;
DO $$ BEGIN
	PERFORM privacct.protect_entries(t, 'person', '{hour}', 'place', entry.apart(), 1000, max_entries => 3, fresh => true),
		privacct.grant_budget(t, 'regress_pa_asker', 1000)
	FROM unnest('{first,last,parted,broad}'::regclass[]) t;
END $$;
SET privacct.epsilon = 0.5;
SELECT t AS table, entry.try(format($$INSERT INTO %I (person, hour, place) SELECT i %% 10, i / 10, 'a' FROM generate_series(0, 29) i$$, t)) AS filled
FROM unnest('{first,last,parted,broad}'::text[]) t;
CREATE FUNCTION entry.change(statement text) RETURNS TABLE ("table" text, changed text, answer text, charges bigint) LANGUAGE plpgsql AS $$
BEGIN
	FOREACH "table" IN ARRAY '{first,last,parted}'::text[] LOOP
		changed := entry.try(format(statement, "table"));
		SET LOCAL ROLE regress_pa_asker;
		answer := entry.ask("table");
		RESET ROLE;
		SELECT count(*) INTO charges FROM privacct.ledger l JOIN privacct.policy p USING (policy_id)
		WHERE p.closed_at IS NULL AND p.relation = "table"::regclass AND l.epsilon > 0;
		RETURN NEXT;
	END LOOP;
END
$$;
SELECT * FROM entry.change('SELECT');
SELECT * FROM entry.change($$INSERT INTO %I (person, hour, place) VALUES (7, 3, 'a')$$);
SELECT * FROM entry.change('DELETE FROM %I WHERE person::text = 7::text AND hour = 0');
SELECT * FROM entry.change('UPDATE %I SET person = 6 WHERE person::text = 7::text AND hour = 3');
SELECT * FROM entry.change('UPDATE %I SET hour = 5 WHERE person::text = 6::text AND hour = 3');
SELECT * FROM entry.change('DELETE FROM %I WHERE person::text = 6::text AND hour = 0');
-- an index for which different owners are equal does not count them
CREATE COLLATION entry.alike_for_it (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE UNIQUE INDEX ON entry.last (person COLLATE entry.alike_for_it, hour);
INSERT INTO entry.last SELECT CASE WHEN n % 2 = 0 THEN 'a' ELSE 'A' END, n, 'a' FROM generate_series(10, 17) n;
SELECT * FROM entry.change('SELECT');
DELETE FROM entry.last WHERE hour >= 10;
-- what the rows are like would show in how large this index is
SET ROLE regress_pa_asker;
SELECT entry.ask('broad');
RESET ROLE;
CREATE INDEX ON entry.broad (hour, person);
SET ROLE regress_pa_asker;
SELECT entry.ask('broad');
RESET ROLE;
RESET privacct.epsilon;

RESET ROLE;
SET client_min_messages = warning;
DROP SCHEMA entry CASCADE;
DROP ROLE regress_pa_asker;
SELECT count(*) AS open_policies FROM privacct.policy WHERE closed_at IS NULL;
-- other tests show these tables as they are
SET privacct.write_books = on;
DELETE FROM privacct.domain;
DELETE FROM privacct.public_column;
-- for the tests that follow
SET client_min_messages = error;
RESET privacct.write_books;
SELECT privacct.accept_books();
