-- SPDX-License-Identifier: GPL-3.0-or-later
-- Both worlds, before they part: the tables of "steward", two analysts "asker" and
-- "watcher", and what adversaries have of their own.  Run by a superuser.
\set ON_ERROR_STOP 1
SET client_min_messages = warning;
SET allow_in_place_tablespaces = on;
CREATE TABLESPACE cold LOCATION '';
CREATE ROLE steward LOGIN;
CREATE ROLE asker LOGIN;
CREATE ROLE watcher LOGIN;
GRANT CREATE, TEMP ON DATABASE worlds TO asker, watcher, steward;
CREATE SCHEMA hr AUTHORIZATION steward;
GRANT USAGE ON SCHEMA hr TO PUBLIC;
CREATE SCHEMA lab AUTHORIZATION asker;
GRANT ALL ON SCHEMA lab TO watcher;
CREATE SCHEMA den AUTHORIZATION watcher;

CREATE EXTENSION privacct;
SELECT FROM privacct.harden_catalog();
-- the log is read for what the postmaster writes
ALTER DATABASE worlds SET log_min_messages = fatal;
ALTER DATABASE worlds SET search_path = lab, public, privacct;
GRANT privacct_admin TO steward;

SET ROLE steward;
CREATE TYPE hr.mood AS ENUM ('good', 'fair', 'poor');
-- comparing with a label that came later is by the order in pg_enum
ALTER TYPE hr.mood ADD VALUE 'dire' BEFORE 'poor';
CREATE COLLATION hr.spoken (provider = icu, locale = 'sv-SE');

-- public tables: small; wide, for buffers; long enough for synchronised scans; one that anybody may write, and one that is not declared
CREATE TABLE hr.dim_dept (dept int PRIMARY KEY, dname text NOT NULL, code varchar(8) COLLATE "POSIX" NOT NULL, rate float8 NOT NULL, opened date NOT NULL);
INSERT INTO hr.dim_dept SELECT g, 'dept ' || g, 'c' || g, g / 2.0, date '2000-01-01' + g FROM generate_series(0, 9) g;
CREATE TABLE hr.catalogue (id int PRIMARY KEY, kind int NOT NULL, note text NOT NULL) WITH (fillfactor = 10);
INSERT INTO hr.catalogue SELECT g, g % 7, repeat('n', 300) FROM generate_series(1, 100) g;
CREATE TABLE hr.chronicle (n int NOT NULL, kind int NOT NULL, pad text NOT NULL);
INSERT INTO hr.chronicle SELECT g, g % 7, repeat('p', 1800) FROM generate_series(1, 2400) g;
CREATE TABLE hr.board (id int NOT NULL, pad text NOT NULL);
-- and one that is a partition of a partition
CREATE TABLE hr.rank (dept int NOT NULL, grade int NOT NULL) PARTITION BY RANGE (dept);
CREATE TABLE hr.rank_low PARTITION OF hr.rank FOR VALUES FROM (0) TO (5) PARTITION BY RANGE (dept);
CREATE TABLE hr.rank_least PARTITION OF hr.rank_low (PRIMARY KEY (dept)) FOR VALUES FROM (0) TO (3);
INSERT INTO hr.rank_least SELECT g, g * 10 FROM generate_series(0, 2) g;
GRANT SELECT ON hr.dim_dept, hr.catalogue, hr.chronicle, hr.rank_least TO PUBLIC;
GRANT ALL ON hr.board TO PUBLIC;
CREATE TABLE hr.undeclared (id int PRIMARY KEY, kind int NOT NULL);
INSERT INTO hr.undeclared SELECT g, g % 7 FROM generate_series(0, 30) g;
GRANT SELECT ON hr.undeclared TO PUBLIC;
CREATE SEQUENCE hr.ticket;
GRANT USAGE ON hr.ticket TO PUBLIC;

-- central regime: a column of each type
CREATE TABLE hr.emp (
	id int PRIMARY KEY, owner int NOT NULL, name text, ssn text, region text, dept int, salary int,
	b bool, i2 int2, i4 int4, i8 int8, f4 float4, f8 float8, n numeric, t text, v varchar, c bpchar,
	d date, ts timestamp, tz timestamptz, tm time, iv interval, u uuid, mood hr.mood, posix text COLLATE "POSIX",
	german text COLLATE "de-x-icu", spoken text COLLATE hr.spoken);
INSERT INTO hr.emp SELECT g, 100 + g / 3, 'name' || g / 3, 'ssn-' || g, (ARRAY['north', 'south', 'east'])[1 + g % 3], g % 10, 20000 + g * 37 % 150000,
	g % 2 = 0, g % 100, g % 1000, g, g % 50 / 4.0, g % 77 / 8.0, g % 91 + 0.25, 'text ' || g % 40, 'v' || g % 30, 'c' || g % 20,
	date '2015-01-01' + g % 2000, timestamp '2015-01-01' + g % 2000 * interval '1 hour', timestamptz '2015-01-01 00:00+00' + g % 2000 * interval '1 hour',
	time '00:00' + g % 1440 * interval '1 minute', g % 30 * interval '1 day', lpad(to_hex(g), 32, '0')::uuid,
	(ARRAY['good', 'fair', 'poor'])[1 + g % 3]::hr.mood, 'p' || g % 15, 'ä' || g % 12, 'å' || g % 14
FROM generate_series(1, 1500) g;
CREATE INDEX ON hr.emp (ssn);
CREATE INDEX ON hr.emp (salary);
CREATE TABLE hr.emp_part (id int NOT NULL, owner int NOT NULL, region text NOT NULL, salary int NOT NULL) PARTITION BY LIST (region);
CREATE TABLE hr.emp_part_north PARTITION OF hr.emp_part FOR VALUES IN ('north');
CREATE TABLE hr.emp_part_atoll PARTITION OF hr.emp_part FOR VALUES IN ('atoll');
INSERT INTO hr.emp_part SELECT id, owner, region, salary FROM hr.emp WHERE region = 'north';
CREATE TABLE hr.member (person int PRIMARY KEY, region text NOT NULL, salary int NOT NULL, name text NOT NULL);
INSERT INTO hr.member SELECT g, (ARRAY['north', 'south', 'east'])[1 + g % 3], 20000 + g * 37 % 150000, 'name' || g FROM generate_series(1, 600) g;
CREATE TABLE hr.spare (id int PRIMARY KEY, owner int NOT NULL, salary int NOT NULL);
INSERT INTO hr.spare SELECT g, g, 20000 + g FROM generate_series(1, 50) g;
-- of nobody but the canary: without her nothing is evaluated for a row
CREATE TABLE hr.guest (id int NOT NULL, owner int NOT NULL, ward int NOT NULL, stay int NOT NULL);
-- a privacy unit: accounts are of persons; contacts and deals find theirs by a foreign key, parcels by one of two columns to deals
CREATE TABLE hr.item (item int PRIMARY KEY, kind text NOT NULL, price int NOT NULL);
INSERT INTO hr.item SELECT g, 'kind ' || g % 4, g * 10 FROM generate_series(0, 19) g;
CREATE TABLE hr.account (no int PRIMARY KEY, person int NOT NULL, region text NOT NULL, tier int, balance int, rating float8, label text, opened date, mood hr.mood);
INSERT INTO hr.account SELECT g, 100 + g / 2, (ARRAY['north', 'south', 'east'])[1 + g % 3], g % 5, g * 37 % 50000, g % 77 / 8.0, 'label ' || g % 30,
	date '2020-01-01' + g % 700, (ARRAY['good', 'fair', 'poor'])[1 + g % 3]::hr.mood FROM generate_series(1, 400) g;
CREATE TABLE hr.deal (account int NOT NULL REFERENCES hr.account, seq int NOT NULL, item int, amount int, fee numeric, made timestamp, remark text, ok bool,
	PRIMARY KEY (account, seq)) WITH (fillfactor = 70);
INSERT INTO hr.deal SELECT 1 + g % 400, g / 400, g % 20, g * 91 % 9000, g % 91 + 0.25, timestamp '2021-01-01' + g % 8000 * interval '1 hour', 'remark ' || g % 40, g % 3 = 0
FROM generate_series(0, 1199) g;
CREATE TABLE hr.parcel (id int PRIMARY KEY, account int NOT NULL, seq int NOT NULL, weight int, size int8, place text, sent timestamptz, stay interval,
	FOREIGN KEY (account, seq) REFERENCES hr.deal);
INSERT INTO hr.parcel SELECT g, 1 + g % 400, g / 400 % 3, g % 300, g, 'place ' || g % 25, timestamptz '2021-01-01 00:00+00' + g % 8000 * interval '1 hour', g % 30 * interval '1 day'
FROM generate_series(0, 1499) g;
CREATE TABLE hr.contact (id int PRIMARY KEY, account int REFERENCES hr.account ON DELETE SET NULL, minutes int, topic text, u uuid);
INSERT INTO hr.contact SELECT g, CASE WHEN g % 9 > 0 THEN 1 + g % 400 END, g % 90, 'topic ' || g % 7, lpad(to_hex(g), 32, '0')::uuid FROM generate_series(0, 599) g;
CREATE VIEW hr.sale WITH (security_invoker) AS SELECT a.person, a.no, a.region, a.tier, d.seq, d.item, d.amount, d.remark FROM hr.account a JOIN hr.deal d ON d.account = a.no;
GRANT SELECT ON hr.item, hr.sale TO PUBLIC;
-- local and pufferfish regime: who is there is no secret, so the canary is there in both worlds
CREATE TABLE hr.survey (person int PRIMARY KEY, region text NOT NULL, pain int NOT NULL, weight float8 NOT NULL);
INSERT INTO hr.survey SELECT g, (ARRAY['north', 'south', 'east'])[1 + g % 3], g % 4, 50 + g % 80 FROM generate_series(1, 300) g;
INSERT INTO hr.survey VALUES (4242, 'north', 0, 50);
CREATE TABLE hr.trace (person int NOT NULL, hour int NOT NULL, place text NOT NULL, PRIMARY KEY (person, hour));
INSERT INTO hr.trace SELECT p, h, (ARRAY['north', 'south', 'east'])[1 + (p * 7 + h * h) % 3] FROM generate_series(1, 100) p, generate_series(0, 7) h;
INSERT INTO hr.trace SELECT 4242, h, 'north' FROM generate_series(0, 7) h;
CREATE VIEW hr.emp_view WITH (security_invoker) AS SELECT id, owner, region, dept, salary, name, salary * 2 AS twice FROM hr.emp;
GRANT SELECT ON hr.emp_view TO PUBLIC;
-- what a DBA might have left: it is not the invoker's, and granted only after the table is protected
CREATE VIEW hr.spare_view AS SELECT * FROM hr.spare;
RESET ROLE;
-- what the worlds exchange so that their histories have one length
CREATE TABLE public.attic (LIKE hr.emp);
CREATE TABLE public.attic_deal (LIKE hr.deal);
REVOKE ALL ON public.attic, public.attic_deal FROM PUBLIC;

SET ROLE steward;
SET client_min_messages = error;
SELECT FROM privacct.protect('hr.emp', 'owner', epsilon => 1000000, delta => 0.1, max_groups_contributed => 2, max_rows_contributed => 4, min_epsilon => 1e-6, fresh => true);
SELECT FROM unnest('{salary,i2,i4,f8}'::name[]) c, LATERAL privacct.set_bounds('hr.emp', c, 0, 200000) b;
SELECT FROM privacct.set_keys('hr.emp', 'region', '{north,south,east,atoll}'::text[]);
SELECT FROM privacct.set_keys('hr.emp', 'dept', ARRAY[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
SELECT FROM privacct.protect('hr.emp_part', 'owner', epsilon => 1000000, delta => 0.1, max_groups_contributed => 2, max_rows_contributed => 4, min_epsilon => 1e-6, workers => 2, fresh => true);
SELECT FROM privacct.set_bounds('hr.emp_part', 'salary', 0, 200000);
SELECT FROM privacct.set_keys('hr.emp_part', 'region', '{north,atoll}'::text[]);
SELECT FROM privacct.protect('hr.member', 'person', epsilon => 1000000, delta => 0.1, min_epsilon => 1e-6, fresh => true);
SELECT FROM privacct.set_bounds('hr.member', 'salary', 0, 200000);
SELECT FROM privacct.set_keys('hr.member', 'region', '{north,south,east,atoll}'::text[]);
SELECT FROM privacct.protect('hr.guest', 'owner', epsilon => 1000000, delta => 0.1, max_groups_contributed => 2, max_rows_contributed => 4, min_epsilon => 1e-6, fresh => true);
SELECT FROM privacct.set_bounds('hr.guest', 'stay', 0, 100);
SELECT FROM privacct.create_unit('trade', epsilon => 1000000, delta => 0.1);
SELECT FROM privacct.protect('hr.account', 'person', max_groups_contributed => 2, max_rows_contributed => 2, min_epsilon => 1e-6, unit => 'trade', fresh => true);
SELECT FROM privacct.protect('hr.deal', 'account', max_groups_contributed => 2, max_rows_contributed => 6, min_epsilon => 1e-6, workers => 2, unit => 'trade', fresh => true);
SELECT FROM privacct.protect('hr.parcel', ARRAY['account', 'seq'], max_groups_contributed => 2, max_rows_contributed => 8, min_epsilon => 1e-6, unit => 'trade', fresh => true);
SELECT FROM privacct.protect('hr.contact', 'account', rows_without_owner => 'ignore', min_epsilon => 1e-6, unit => 'trade', fresh => true);
SELECT FROM (VALUES ('hr.account'::regclass, 'balance'::name, 0, 50000), ('hr.deal', 'amount', 0, 9000), ('hr.parcel', 'weight', 0, 300), ('hr.contact', 'minutes', 0, 90)) v(t, c, low, high),
	LATERAL privacct.set_bounds(t, c, low, high) b;
SELECT FROM privacct.set_bounds('hr.account', 'opened', '2020-01-01'::text, '2021-12-31'::text);
SELECT FROM privacct.set_bounds('hr.deal', 'made', '2021-01-01'::text, '2021-12-31'::text);
SELECT FROM privacct.set_owner_bounds('hr.deal', 'amount', 0, 20000);
SELECT FROM privacct.set_keys('hr.account', 'region', '{north,south,east,atoll}'::text[]);
SELECT FROM privacct.set_keys('hr.account', 'tier', ARRAY[0, 1, 2, 3, 4]);
SELECT FROM privacct.protect('hr.survey', 'person', epsilon => 1000, regime => 'local', min_epsilon => 1e-6, fresh => true);
SELECT FROM privacct.set_domain('hr.survey', 'pain', ARRAY[0, 1, 2, 3, 10]);
SELECT FROM privacct.set_domain('hr.survey', 'weight', 30, 200);
SELECT FROM privacct.set_public('hr.survey', 'region');
SELECT FROM privacct.protect_entries('hr.trace', owner => 'person', order_by => '{hour}', entry => 'place', epsilon_pufferfish => 100000, max_entries => 8, max_b => 20, min_epsilon => 1e-6,
	priors => privacct.chain_prior('{north,south,east,atoll}'::text[], '{{0.4,0.3,0.2,0.1},{0.2,0.4,0.3,0.1},{0.1,0.2,0.6,0.1},{0.3,0.2,0.2,0.3}}'), fresh => true);
SELECT FROM unnest('{hr.emp,hr.emp_part,hr.member,hr.guest,hr.survey,hr.trace}'::regclass[]) t, unnest('{asker,watcher}'::name[]) r,
	LATERAL privacct.grant_budget(t, r, epsilon => CASE WHEN t = 'hr.trace'::regclass THEN 100000 ELSE 500000 END,
								  delta => CASE WHEN t IN ('hr.emp'::regclass, 'hr.emp_part'::regclass, 'hr.member'::regclass, 'hr.guest'::regclass) THEN 0.04 ELSE 0 END) g;
SELECT FROM unnest('{asker,watcher}'::name[]) r, LATERAL privacct.grant_budget('trade', r, epsilon => 500000, delta => 0.04) g;
-- reached by unique keys, and by columns in which several rows agree; the board may be written by anybody, so it cannot be declared
SELECT FROM privacct.declare_public('hr.dim_dept');
SELECT FROM privacct.declare_public('hr.rank_least');
SELECT FROM privacct.declare_public('hr.item');
SELECT FROM privacct.set_keys('hr.item', 'kind');
SELECT FROM privacct.declare_public('hr.catalogue', columns => '{kind}', rows => 15);
SELECT FROM privacct.declare_public('hr.chronicle', columns => '{n}', rows => 1);
RESET ROLE;

-- the adversaries' own things
SET ROLE asker;
CREATE TABLE lab.mine (x int PRIMARY KEY, y text);
INSERT INTO lab.mine SELECT g, 'y' || g FROM generate_series(0, 50) g;
CREATE TABLE lab.slate (id int NOT NULL, pad text NOT NULL);
GRANT ALL ON lab.slate TO watcher;
CREATE TABLE lab.notes (k serial, note text);
GRANT ALL ON lab.notes TO watcher;
GRANT ALL ON SEQUENCE lab.notes_k_seq TO watcher;
CREATE TYPE lab.pair AS (a int, b int);
CREATE DOMAIN lab.small AS int CHECK (VALUE < 1000);
-- says what it sees; each claims more than the one before
CREATE FUNCTION lab.tell(x anyelement) RETURNS boolean LANGUAGE plpgsql VOLATILE COST 0.0001 AS $$
BEGIN RAISE NOTICE 'told %', x; RETURN true; END $$;
CREATE FUNCTION lab.tell_always(x anyelement) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 0.0001 AS $$
BEGIN RAISE NOTICE 'told %', x; RETURN true; END $$;
CREATE FUNCTION lab.inlined(x int) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT x / (x - 777777) > 0';
CREATE FUNCTION lab.int_lt(int, int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE COST 0.0001 AS $$
BEGIN RAISE NOTICE 'compared % %', $1, $2; RETURN $1 < $2; END $$;
CREATE OPERATOR lab.<<< (LEFTARG = int, RIGHTARG = int, FUNCTION = lab.int_lt);
-- the SQLSTATE of a statement; an analyst may always catch an error
CREATE FUNCTION lab.state(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RETURN 'fine';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END
$$;
-- a change of an object in the midst of a statement
CREATE FUNCTION lab.ddl(statement text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
	EXECUTE statement;
	RETURN true;
END
$$;
CREATE FUNCTION lab.asks() RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
	PERFORM count(*) FROM hr.emp;
	PERFORM count(*), region FROM hr.emp GROUP BY region;
	RETURN 1;
END
$$;
RESET ROLE;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA lab TO PUBLIC;
-- what a session keeps in memory from one statement to the next, for the harness's own looks; 18 does not name the parent
SELECT CASE WHEN current_setting('server_version_num')::int < 180000 THEN 'parent' ELSE 'level' END AS kept_in \gset
CREATE FUNCTION public.memory_kept() RETURNS TABLE (place text, chunks bigint, used bigint) LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog BEGIN ATOMIC
	-- files are opened for others' pages, too, when these are written to make room; answers of owners are random
	SELECT concat_ws(' / ', :"kept_in", name, ident), count(*), sum(used_bytes) FROM pg_get_backend_memory_contexts()
	WHERE name NOT IN ('MdSmgr', 'smgr relation table', 'privacct answers of states') GROUP BY 1 ORDER BY 1;
END;
-- what is on pages, for superusers
CREATE EXTENSION pageinspect;
-- pages that a statement finds or reads in the session's own process, which a hardened server does not show analysts
CREATE FUNCTION public.pages_of(statement text) RETURNS SETOF text LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
	RETURN QUERY EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF) ' || statement;
END
$$;
GRANT CREATE ON TABLESPACE cold TO asker;
ALTER ROLE asker SET privacct.epsilon = 0.1;
ALTER ROLE watcher SET privacct.epsilon = 0.1;
ALTER ROLE asker SET privacct.delta = 1e-9;
VACUUM FREEZE;
