--
-- The Pufferfish regime: what may be asked, and exactly what it costs.
-- With an epsilon this large noise vanishes in rounding.
--
\getenv abs_srcdir PG_ABS_SRCDIR
\set SHOW_CONTEXT never
\set helpers :abs_srcdir '/sql/include/asking.psql'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_pa_dba;
GRANT privacct_admin TO regress_pa_dba;
CREATE ROLE regress_pa_analyst;
CREATE SCHEMA pond;
GRANT ALL ON SCHEMA pond TO regress_pa_dba;
GRANT USAGE ON SCHEMA pond TO PUBLIC;
SET search_path = pond, privacct, public;
\i :helpers
CREATE TABLE trip (person int NOT NULL, hour int NOT NULL, place text, level int, district int NOT NULL, note text, PRIMARY KEY (person, hour));
INSERT INTO trip SELECT i, t, (ARRAY['home', 'shop', 'work', 'home'])[1 + (i * t) % 4], (i * t) % 3 - 1, i % 2, 'n' || i
FROM generate_series(1, 100) i, generate_series(0, 9) t;
-- values that no prior tells about
INSERT INTO trip SELECT i, 10, CASE WHEN i < 8 THEN 'church' END, i, 0, 'n' FROM generate_series(1, 10) i;
CREATE TABLE metre (person int NOT NULL, hour int NOT NULL, level int NOT NULL, PRIMARY KEY (person, hour));
INSERT INTO metre SELECT person, hour, level FROM trip WHERE hour < 10;
CREATE TABLE heat (person int NOT NULL, hour int NOT NULL, degree float8, PRIMARY KEY (person, hour));
INSERT INTO heat SELECT person, hour, 20 + level * 15 FROM metre;
CREATE TABLE street (place text PRIMARY KEY, length int);
INSERT INTO street VALUES ('home', 1), ('shop', 2);
GRANT SELECT ON street TO PUBLIC;
CREATE VIEW seen WITH (security_invoker) AS SELECT person AS who, hour AS at, place, district FROM trip WHERE hour < 10;
ALTER TABLE trip OWNER TO regress_pa_dba;
ALTER TABLE metre OWNER TO regress_pa_dba;
ALTER TABLE heat OWNER TO regress_pa_dba;
ALTER TABLE street OWNER TO regress_pa_dba;
DO $$ BEGIN PERFORM privacct.declare_public('street'); END $$;
ALTER VIEW seen OWNER TO regress_pa_dba;
GRANT SELECT ON seen TO regress_pa_analyst;
SET ROLE regress_pa_dba;
SELECT privacct.protect_entries('trip', 'person', '{hour}', 'place', chain_prior('{home,shop,work}'::text[], '{{0.6,0.3,0.1},{0.2,0.5,0.3},{0.3,0.3,0.4}}'), 1e6, 0.01, max_entries => 11, min_epsilon => 1e-6, fresh => true) > 0 AS trip,
	privacct.protect_entries('metre', 'person', '{hour}', 'level', chain_prior('{-1,0,1}'::int[], '{{0.6,0.3,0.1},{0.2,0.5,0.3},{0.3,0.3,0.4}}'), 1e6, min_epsilon => 1e-6, fresh => true) > 0 AS metre,
	privacct.protect_entries('heat', 'person', '{hour}', 'degree', gaussian_prior((SELECT array_agg(r ORDER BY i) FROM (SELECT i, array_agg(100 * exp(-((i - j) ^ 2) / 0.5) ORDER BY j) AS r FROM generate_series(1, 10) i, generate_series(1, 10) j GROUP BY i) m), 10, 1, 20), 1e6, fresh => true) > 0 AS heat;
SELECT privacct.set_public('trip', 'district'), privacct.set_keys('trip', 'district', '{0,1,2}'::int[]), privacct.set_keys('trip', 'hour', ARRAY(SELECT generate_series(0, 9))), privacct.set_keys('trip', 'person', '{1,2,777}'::int[]),
	privacct.set_bounds('trip', 'hour', 0, 10), privacct.set_keys('metre', 'hour', '{0,1}'::int[]), privacct.set_bounds('metre', 'hour', 2, 9);
SELECT privacct.grant_budget(t::regclass, 'regress_pa_analyst', 1e6, 0.01) FROM unnest('{trip,metre,heat}'::text[]) t;
RESET ROLE;
-- what the analyst gets, whether it is what the rows say (of the listed states alone), what was charged, and on what sensitivity
CREATE FUNCTION spent(OUT epsilon numeric, OUT delta numeric) LANGUAGE sql AS $$
	SELECT trim_scale(sum(a.epsilon)), trim_scale(sum(a.delta)) FROM privacct.account a JOIN privacct.policy p USING (policy_id) WHERE a.role = 0::regrole AND p.closed_at IS NULL
$$;
CREATE FUNCTION cost(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	before record;
	answer text;
	after record;
	used text;
BEGIN
	SELECT * INTO before FROM spent();
	answer := same('regress_pa_analyst', query, SESSION_USER, regexp_replace(replace(query, 'FROM trip', 'FROM (SELECT * FROM trip WHERE place IN (''home'', ''shop'', ''work'')) t'), 'dp_(?!topk|mode)', '', 'g'));
	SELECT * INTO after FROM spent();
	IF after.epsilon > before.epsilon THEN
		SELECT string_agg(format('%s: %s x %s', d->>'statistic', l.detail->>'groups_per_owner', d->>'sensitivity'), ', ') INTO used
		FROM (SELECT l.detail FROM privacct.ledger l ORDER BY charge_id DESC LIMIT 1) l, jsonb_array_elements(l.detail->'statistics') d;
	END IF;
	RETURN format('%s | epsilon %s delta %s | %s', answer, after.epsilon - before.epsilon, after.delta - before.delta, used);
END
$$;
SET privacct.epsilon = 10000;
SELECT q, cost(q) FROM unnest(ARRAY[
	'SELECT count(*) FROM trip',
	'SELECT count(place) FROM trip',
	'SELECT count(*) FILTER (WHERE place = ''home'') FROM trip',
	'SELECT count(*) FROM trip WHERE place IN (''home'', ''work'')',
	'SELECT count(*) FROM trip WHERE hour BETWEEN 2 AND 4',
	'SELECT count(*) FROM trip WHERE person % 7 = 0 AND district = 1 AND hour * 2 > 3 AND place LIKE ''%o%''',
	'SELECT place, count(*) FROM trip GROUP BY place',
	'SELECT place, count(*) FROM trip WHERE hour = 3 GROUP BY place',
	'SELECT hour, count(*) FROM trip WHERE hour < 10 GROUP BY hour',
	'SELECT hour, count(*) FROM trip WHERE hour < 10 AND place = ''home'' GROUP BY hour',
	'SELECT hour, place, count(*) FROM trip WHERE hour < 10 GROUP BY place, hour HAVING count(*) > 0.5',
	'SELECT place, hour, district, count(*) FROM trip WHERE hour < 1 AND district < 3 GROUP BY place, hour, district HAVING count(*) > 0.5',
	'SELECT person, count(*) FROM trip WHERE person IN (1, 2) GROUP BY person HAVING count(*) > 0.5',
	'SELECT person, place, count(*) FROM trip WHERE person IN (1, 2) GROUP BY person, place HAVING count(*) > 0.5',
	'SELECT sum(hour) FROM trip',
	'SELECT sum(hour) FROM trip WHERE place = ''shop''',
	'SELECT place, sum(hour) FROM trip GROUP BY place',
	'SELECT sum(CASE place WHEN ''home'' THEN 1 WHEN ''shop'' THEN 2 ELSE 4 END) FROM trip',
	'SELECT sum(CASE place WHEN ''home'' THEN 1 WHEN ''shop'' THEN 2 WHEN ''work'' THEN 4 END) FROM trip',
	'SELECT sum(2 + hour) FILTER (WHERE place = ''home'') FROM trip',
	'SELECT count(*), count(*) FILTER (WHERE place = ''home''), sum(hour) FROM trip',
	'SELECT round(avg(hour)) FROM trip WHERE place = ''home''',
	'SELECT round(dp_sum(hour)) FROM trip',
	'SELECT DISTINCT place FROM trip',
	'SELECT count(*) FROM trip WHERE place IN (SELECT place FROM street)',
	'SELECT count(*) FROM (SELECT hour IN (SELECT length FROM street) AS listed, place FROM trip) t WHERE listed',
	'SELECT count(*) FROM trip WHERE hour IN (SELECT length FROM street) AND EXISTS (SELECT FROM street)',
	'SELECT hour, count(*) FILTER (WHERE place IN (SELECT place FROM street)) FROM trip WHERE hour < 10 GROUP BY hour',
	'SELECT count(*) FROM (SELECT hour AS h, place FROM trip WHERE district = 0) t WHERE h < 10',
	'WITH t AS (SELECT hour AS h, place AS p FROM trip) SELECT p, count(*) FROM t GROUP BY p',
	'SELECT rank() OVER (ORDER BY count(*) DESC), place FROM trip GROUP BY place',
	'SELECT p.place, n + length FROM (SELECT place, count(*) AS n FROM trip GROUP BY place) p JOIN street s ON p.place = s.place']) q;
-- a view in between
SELECT same('regress_pa_analyst', 'SELECT place, count(*) FROM seen WHERE at > 2 GROUP BY place', SESSION_USER, 'SELECT place, count(*) FROM seen WHERE at > 2 GROUP BY place');
-- entries that are numbers: what one of them moves is the width of its range if it counts whatever it is, else up to 0
SELECT q, cost(q) FROM unnest(ARRAY[
	'SELECT sum(level) FROM metre', 'SELECT sum(level + 100) FROM metre', 'SELECT sum(level) FROM metre WHERE level < 1', 'SELECT sum(level + 100) FROM metre WHERE level < 1', 'SELECT sum(level + 100) FROM metre WHERE hour < 5',
	'SELECT sum(hour) FROM metre WHERE hour BETWEEN 2 AND 9', 'SELECT sum(hour) FROM metre WHERE hour BETWEEN 2 AND 9 AND level = 1', 'SELECT level, sum(level) FROM metre GROUP BY level', 'SELECT hour, sum(level + 100) FROM metre WHERE hour < 2 GROUP BY hour',
	'SELECT sum(level) FROM metre GROUP BY level', 'SELECT round(avg(level), 3) FROM metre', 'SELECT round(var_pop(level), 3) FROM metre', 'SELECT round(dp_avg(level)::numeric, 3) FROM metre']) q;
SELECT ask('regress_pa_analyst', 'SELECT round(dp_sum(level, 0, 1)), round(dp_sum(level + 100, 99.5, 100)) FROM metre');
SELECT d->>'statistic' AS statistic, d->>'sensitivity' AS sensitivity FROM (SELECT l.detail FROM privacct.ledger l ORDER BY charge_id DESC LIMIT 1) l, jsonb_array_elements(l.detail->'statistics') d;
-- entries of a Gaussian prior lie in the interval of the prior: 5 counts as 10, 35 as 30
SELECT ask('regress_pa_analyst', 'SELECT round(sum(degree)), count(*), round(avg(degree)), count(*) FILTER (WHERE degree > 12) FROM heat');
SELECT sum(least(greatest(degree, 10), 30)), count(*), round(avg(least(greatest(degree, 10), 30))), count(*) FILTER (WHERE degree > 12) FROM heat;
SELECT d->>'statistic' AS statistic, d->>'sensitivity' AS sensitivity FROM (SELECT l.detail FROM privacct.ledger l ORDER BY charge_id DESC LIMIT 1) l, jsonb_array_elements(l.detail->'statistics') d;

-- every kernel that the policy allows; a delta per entry is far below the promised one
SET ROLE regress_pa_dba;
CREATE TABLE short AS SELECT person, hour, place FROM trip WHERE hour < 10;
ALTER TABLE short ADD PRIMARY KEY (person, hour);
SELECT privacct.protect_entries('short', 'person', '{hour}', 'place', chain_prior('{home,shop,work}'::text[], '{{0.6,0.3,0.1},{0.2,0.5,0.3},{0.3,0.3,0.4}}'), 200, 0.9, fresh => true) > 0 AS protected, privacct.set_bounds('short', 'hour', 0, 10);
SELECT privacct.grant_budget('short', 'regress_pa_analyst', 1000, 0.5);
RESET ROLE;
SELECT round(entry_epsilon_cap, 6) AS cap, entry_delta_cap::float8 AS delta_cap, entry_delta_cap < 0.9 / 9 AS below FROM pufferfish_budget WHERE relation = 'short'::regclass;
SET privacct.epsilon = 10;
SET privacct.delta = 1e-5;
CREATE FUNCTION with_kernel(options text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	before record;
	after record;
	answer text;
BEGIN
	SELECT * INTO before FROM spent();
	answer := ask('regress_pa_analyst', format('SELECT abs(dp_count(place, %1$L) - 1000) < 100, abs(dp_sum(hour, %1$L) - 4500) < 1000 FROM short', options));
	SELECT * INTO after FROM spent();
	RETURN concat_ws(' ', answer, CASE WHEN after.epsilon > before.epsilon THEN format('by %s for epsilon %s delta %s', (SELECT detail->'statistics'->0->>'kernel' FROM privacct.ledger ORDER BY charge_id DESC LIMIT 1), after.epsilon - before.epsilon, after.delta - before.delta) END);
END
$$;
SELECT k, with_kernel(k)
FROM unnest('{kernel=laplace,kernel=gaussian,"kernel=staircase, within=5","kernel=brdp_laplace, within=5","kernel=brdp_gaussian, within=5","kernel=optimal, within=5, delta=0.002",kernel=exponential,kernel=magic,within=5,epsilon=0,delta=2,rows=0}'::text[]) k;
SELECT ask('regress_pa_analyst', 'SELECT dp_count(level, ''kernel=gaussian'') FROM metre'), ask('regress_pa_analyst', 'SELECT dp_count(level, ''kernel=brdp_gaussian, within=3'') FROM metre');
SET ROLE regress_pa_dba;
DO $$ BEGIN PERFORM privacct.unprotect('short'); PERFORM privacct.protect_entries('short', 'person', '{hour}', 'place', chain_prior('{home,shop,work}'::text[], '{{0.6,0.3,0.1},{0.2,0.5,0.3},{0.3,0.3,0.4}}'), 500, 0.9, kernel => 'laplace', kernels => '{laplace,staircase}', fresh => true); END $$;
SELECT privacct.grant_budget('short', 'regress_pa_analyst', 1000, 0.5);
RESET ROLE;
SELECT k, ask('regress_pa_analyst', format('SELECT abs(dp_count(place, ''%s'') - 1000) < 100 FROM short', k)) FROM unnest('{kernel=laplace,kernel=gaussian,"kernel=staircase, within=5","kernel=brdp_laplace, within=5",within=5}'::text[]) k;
RESET privacct.delta;
SET privacct.epsilon = 10000;
SET privacct.sample_rate = 0.5;
SELECT ask('regress_pa_analyst', 'SELECT count(*) FROM trip');
RESET privacct.sample_rate;
-- preview and EXPLAIN ask for the same, and charge nothing
SELECT epsilon, delta FROM spent() \gset before_
SELECT ask('regress_pa_analyst', format('SELECT statistic, kernel, round(scale::numeric, 6), sensitivity, groups_per_owner, epsilon, delta, releases_left > 100 FROM preview(%L) WHERE used', q)) FROM unnest(ARRAY['SELECT place, count(*) FROM trip GROUP BY place', 'SELECT hour, sum(level) FROM metre GROUP BY hour']) q;
SET ROLE regress_pa_analyst;
EXPLAIN (COSTS OFF) SELECT place, count(*), sum(hour) FROM trip GROUP BY place;
RESET ROLE;
SELECT epsilon = :before_epsilon AND delta = :before_delta AS free FROM spent();

-- refused, and free of charge
SELECT q, ask('regress_pa_analyst', q) FROM unnest(ARRAY[
	'SELECT count(*) FROM trip WHERE note = ''n1''', 'SELECT count(note) FROM trip', 'SELECT count(*) FILTER (WHERE note IS NULL) FROM trip', 'SELECT note, count(*) FROM trip GROUP BY note', 'SELECT sum(level) FROM trip', 'SELECT max(place) FROM trip',
	'SELECT place FROM trip', 'SELECT * FROM trip', 'SELECT t FROM trip t', 'SELECT count(t) FROM trip t', 'SELECT count(*) FROM trip WHERE ctid = ''(0,1)''', 'SELECT count(*) FROM trip WHERE tableoid = 1',
	'SELECT count(DISTINCT person) FROM trip', 'SELECT dp_count_owners(*) FROM trip', 'SELECT count(DISTINCT place) FROM trip', 'SELECT count(DISTINCT hour) FROM trip',
	'SELECT hour + 1, count(*) FROM trip GROUP BY hour + 1', 'SELECT upper(place), count(*) FROM trip GROUP BY upper(place)', 'SELECT hour, count(*) FROM heat GROUP BY hour', 'SELECT degree, count(*) FROM heat GROUP BY degree', 'SELECT level > 0, count(*) FROM metre GROUP BY level > 0',
	'SELECT person % 2, count(*) FROM trip GROUP BY person % 2', 'SELECT person, count(*) FROM metre GROUP BY person', 'SELECT sum(person) FROM trip', 'SELECT DISTINCT person FROM metre', 'SELECT DISTINCT level, hour + 1 FROM metre',
	'SELECT count(*) FROM trip a JOIN trip b USING (person)', 'SELECT count(*) FROM trip JOIN street USING (place)', 'SELECT count(*) FROM trip LEFT JOIN street USING (place)', 'SELECT count(*) FROM trip, metre', 'SELECT count(*) FROM trip CROSS JOIN (SELECT 1) x',
	'SELECT count(*) FROM trip TABLESAMPLE SYSTEM (50)', 'SELECT count(*) FROM trip WHERE person = (SELECT 1)', 'SELECT count(*) FROM trip WHERE person IN (SELECT person FROM metre)',
	'SELECT (SELECT count(*) FROM trip WHERE hour < length) FROM street', 'SELECT count(*) OVER () FROM trip', 'SELECT sum(hour) OVER (PARTITION BY place) FROM trip', 'SELECT lag(place) OVER (ORDER BY hour) FROM trip', 'SELECT DISTINCT ON (place) place FROM trip',
	'SELECT place, count(*) FROM trip GROUP BY ROLLUP (place)', 'SELECT count(*) FROM trip WHERE random() < 0.5', 'SELECT string_agg(place, '','') FROM trip', 'SELECT array_agg(person) FROM trip',
	'SELECT count(*) FROM (SELECT place FROM trip LIMIT 5) t', 'SELECT count(*) FROM (SELECT place, note FROM trip WHERE note > ''n5'') t',
	'SELECT ldp_avg(level) FROM metre', 'SELECT ldp_response(level) FROM metre', 'SELECT min(hour) FROM trip', 'SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY hour) FROM trip',
	'EXPLAIN ANALYZE SELECT count(*) FROM trip']) q;
SELECT epsilon = :before_epsilon AND delta = :before_delta AS free FROM spent();

-- entries of every type
CREATE TABLE kinds (person int NOT NULL, hour int NOT NULL, b boolean, s smallint, i int, l bigint, n numeric(6,2), m numeric, t text COLLATE "C", v varchar(5), c char(4), u uuid, d date, ts timestamp, tz timestamptz, PRIMARY KEY (person, hour));
INSERT INTO kinds SELECT p, h, k = 0, k, k, k, k, k + 0.50, 't' || k, 'v' || k, 'c' || k, md5(k::text)::uuid, date '2024-01-31' + k, timestamp '2024-01-31 23:00' + k * interval '1 hour', timestamptz '2024-01-31 23:00+01' + k * interval '1 hour'
FROM generate_series(1, 100) p, generate_series(0, 4) h, LATERAL (SELECT (p * h) % 2 AS k) k;
DO $$
DECLARE
	entry name;
	states text[];
BEGIN
	FOREACH entry IN ARRAY '{b,s,i,l,n,m,t,v,c,u,d,ts,tz}'::name[] LOOP
		EXECUTE format('CREATE TABLE kind_%s (LIKE kinds INCLUDING ALL); INSERT INTO kind_%1$s SELECT * FROM kinds', entry);
		EXECUTE format('SELECT array_agg(DISTINCT %I::text) FROM kinds', entry) INTO states;
		PERFORM privacct.protect_entries(('kind_' || entry)::regclass, 'person', '{hour}', entry, privacct.chain_prior(states, '{{0.9,0.1},{0.2,0.8}}'), 1e5, fresh => true);
		PERFORM privacct.grant_budget(('kind_' || entry)::regclass, 'regress_pa_analyst', 1e5);
	END LOOP;
END
$$;
CREATE FUNCTION like_rows(query text) RETURNS text LANGUAGE sql AS $$ SELECT same('regress_pa_analyst', query, SESSION_USER, query) $$;
SELECT entry,
	like_rows(format('SELECT count(*), count(%1$I), count(*) FILTER (WHERE %1$I = %2$L) FROM kind_%1$s', entry, (SELECT p.keys[1] FROM privacct.group_key p JOIN privacct.policy q USING (policy_id) WHERE q.relation = ('kind_' || entry)::regclass))),
	like_rows(format('SELECT %1$I::text, count(*) FROM kind_%1$s GROUP BY %1$I', entry))
FROM unnest('{b,s,i,l,n,m,t,v,c,u,d,ts,tz}'::name[]) entry;
SET timezone = 'Asia/Tokyo';
SET datestyle = 'SQL, DMY';
SELECT like_rows('SELECT tz, count(*) FROM kind_tz GROUP BY tz'), like_rows('SELECT d, count(*) FROM kind_d GROUP BY d');
RESET timezone;
RESET datestyle;

--
-- Budgets to the last digit.
--
SET ROLE regress_pa_dba;
CREATE TABLE walk (person int NOT NULL, hour int NOT NULL, place text NOT NULL, PRIMARY KEY (person, hour));
INSERT INTO walk SELECT person, hour, place FROM trip WHERE hour < 10;
SELECT privacct.protect_entries('walk', 'person', '{hour}', 'place', chain_prior('{home,shop,work}'::text[], '{{0.6,0.3,0.1},{0.2,0.5,0.3},{0.3,0.3,0.4}}'), 3, max_entries => 10, min_epsilon => 1e-6, fresh => true) > 0 AS protected;
SELECT privacct.grant_budget('walk', 'regress_pa_analyst', 1000);
RESET ROLE;
-- pufferfish_epsilon: a release that raises what is spent by so much, and never by more
CREATE FUNCTION steps(size float8, number int, OUT excess float8, OUT nearly boolean, OUT spent numeric) LANGUAGE plpgsql AS $$
DECLARE
	before float8;
	after float8;
BEGIN
	excess := -1;
	nearly := true;
	FOR i IN 1..number LOOP
		SELECT b.epsilon_spent INTO before FROM pufferfish_budget b WHERE relation = 'walk'::regclass;
		PERFORM set_config('privacct.epsilon', btrim(ask('regress_pa_analyst', format('SELECT pufferfish_epsilon(''walk'', %s)', size)), '()'), false);
		PERFORM ask('regress_pa_analyst', 'SELECT count(*) FROM walk');
		SELECT b.epsilon_spent INTO after FROM pufferfish_budget b WHERE relation = 'walk'::regclass;
		excess := greatest(excess, after - before - size);
		nearly := nearly AND after - before >= size * (1 - 1e-9);
		spent := round(after::numeric, 9);
	END LOOP;
END
$$;
SELECT round(size, 3) AS size, number, s.excess < 1e-14 AS never_above, s.nearly, s.spent FROM (VALUES (0.1, 3), (0.01, 10), (1.0 / 3, 3), (0.7, 1)) v(size, number), steps(size, number) s;
SELECT round(epsilon_left::numeric, 9) AS left, releases, round(entry_epsilon_left, 6) AS entry_left FROM pufferfish_budget WHERE relation = 'walk'::regclass;
-- what is left fits exactly, once
SELECT set_config('privacct.epsilon', entry_epsilon_left::text, false) IS NOT NULL AS set FROM pufferfish_budget WHERE relation = 'walk'::regclass;
SELECT ask('regress_pa_analyst', 'SELECT count(*) > -100000 FROM walk') AS last;
SELECT entry_epsilon_left < 1e-15 AS nothing_left, epsilon_spent <= epsilon AS kept, round(epsilon_spent::numeric, 6) AS spent FROM pufferfish_budget WHERE relation = 'walk'::regclass;
SET privacct.epsilon = 0.000001;
SELECT left(ask('regress_pa_analyst', 'SELECT count(*) > -100000 FROM walk'), 33) AS one_more, ask('regress_pa_analyst', 'SELECT pufferfish_epsilon(''walk'', 0.1) > 0') AS would_need;
-- in ten steps, to the last
SET ROLE regress_pa_dba;
SELECT privacct.set_priors('walk', chain_prior('{home,shop,work}'::text[], '{{0.6,0.3,0.1},{0.2,0.5,0.3},{0.3,0.3,0.4}}'), 4, max_entries => 10) AS version;
RESET ROLE;
SELECT s.excess < 1e-14 AS never_above, s.nearly, s.spent FROM steps(0.1, 10) s;
SET privacct.epsilon = 0.000001;
SELECT left(ask('regress_pa_analyst', 'SELECT count(*) > -100000 FROM walk'), 33) AS one_more;
-- all of it at once, and a hair more
SET ROLE regress_pa_dba;
CREATE TABLE walk2 (LIKE walk INCLUDING ALL);
SELECT privacct.protect_entries('walk2', 'person', '{hour}', 'place', chain_prior('{home,shop,work}'::text[], '{{0.6,0.3,0.1},{0.2,0.5,0.3},{0.3,0.3,0.4}}'), 3, fresh => true) > 0 AS protected;
SELECT privacct.grant_budget('walk2', 'regress_pa_analyst', 1000);
RESET ROLE;
SELECT set_config('privacct.epsilon', (entry_epsilon_cap + 1e-12)::text, false) IS NOT NULL AS above FROM pufferfish_budget WHERE relation = 'walk2'::regclass;
SELECT left(ask('regress_pa_analyst', 'SELECT count(*) > -100000 FROM walk2'), 33) AS above;
SELECT set_config('privacct.epsilon', entry_epsilon_cap::text, false) IS NOT NULL AS exactly FROM pufferfish_budget WHERE relation = 'walk2'::regclass;
SELECT ask('regress_pa_analyst', 'SELECT count(*) > -100000 FROM walk2') AS exactly;
SELECT entry_epsilon_spent = entry_epsilon_cap AS all, entry_epsilon_left, epsilon_spent <= epsilon AS kept, releases FROM pufferfish_budget WHERE relation = 'walk2'::regclass;

--
-- Owners with more rows than the policy allows: refused before a charge.
--
SET privacct.epsilon = 10000;
SELECT epsilon FROM spent() \gset before_
INSERT INTO trip VALUES (3, 77, 'home', 1, 0), (3, 78, 'home', 1, 0);
SELECT ask('regress_pa_analyst', 'SELECT count(*) FROM trip'), ask('regress_pa_analyst', 'SELECT count(*) FROM trip WHERE person = 4');
SELECT longest_owner, max_entries, warnings[2] FROM pufferfish_budget WHERE relation = 'trip'::regclass;
SELECT epsilon = :before_epsilon AS free FROM spent();
SELECT ask('regress_pa_analyst', 'SELECT count(*) FROM trip');
SET ROLE regress_pa_dba;
SELECT privacct.set_priors('trip', chain_prior('{home,shop,work}'::text[], '{{0.6,0.3,0.1},{0.2,0.5,0.3},{0.3,0.3,0.4}}'), max_entries => 13) AS version;
RESET ROLE;
SELECT ask('regress_pa_analyst', 'SELECT count(*) FROM trip');
-- a plan goes by the version in force
SET ROLE regress_pa_analyst;
PREPARE q AS SELECT count(*) FROM trip;
EXECUTE q;
RESET ROLE;
SET ROLE regress_pa_dba;
SELECT privacct.set_priors('trip', chain_prior('{home,shop,work}'::text[], '{{0.6,0.3,0.1},{0.2,0.5,0.3},{0.3,0.3,0.4}}'), max_entries => 14) AS version;
RESET ROLE;
INSERT INTO trip VALUES (3, 79, 'home', 1, 0);
SET ROLE regress_pa_analyst;
EXECUTE q;
RESET ROLE;
INSERT INTO trip VALUES (3, 80, 'home', 1, 0);
SET ROLE regress_pa_analyst;
EXECUTE q;
RESET ROLE;
DEALLOCATE q;

SET client_min_messages = warning;
DROP SCHEMA pond CASCADE;
DROP OWNED BY regress_pa_dba, regress_pa_analyst;
DROP ROLE regress_pa_dba, regress_pa_analyst;
