--
-- The Pufferfish regime: priors, influence curves, versions, and what is refused.
--
\getenv abs_srcdir PG_ABS_SRCDIR
\set SHOW_CONTEXT never
\set helpers :abs_srcdir '/sql/include/asking.psql'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_pa_dba;
CREATE ROLE regress_pa_other;
GRANT privacct_admin TO regress_pa_dba, regress_pa_other;
CREATE ROLE regress_pa_analyst;
CREATE ROLE regress_pa_nobody;
CREATE SCHEMA fish;
GRANT ALL ON SCHEMA fish TO regress_pa_dba;
GRANT USAGE ON SCHEMA fish TO PUBLIC;
SET search_path = fish, privacct, public;
\i :helpers
CREATE FUNCTION try(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
	state text;
BEGIN
	EXECUTE statement;
	RETURN 'done';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, detail = PG_EXCEPTION_DETAIL;
	RETURN concat_ws(' ', state || ':', SQLERRM, '- ' || nullif(detail, ''));
END
$$;
CREATE FUNCTION near(a float8, b float8, relative float8 DEFAULT 1e-9) RETURNS boolean LANGUAGE sql AS
	$$ SELECT a = b OR abs(a - b) <= relative * (1 + abs(b)) $$;

--
-- Curves against values that were computed elsewhere, in other ways (src/test/vectors/pufferfish.json, or by hand).
--
CREATE TABLE reference (id text, priors jsonb, b int[], a float8[], relative float8 DEFAULT 1e-9);
INSERT INTO reference (id, priors, b, a) VALUES
	('two states', chain_prior('{x,y}'::text[], '{{0.9,0.1},{0.2,0.8}}'), '{1,2,3,4,5,8,13,20}',
	 '{4.158883083359673,3.435882939650047,2.7128827959404207,2.2988715180474015,1.884860240154382,1.1405374834469395,0.4768296750918737,0.14236700299664834}'),
	('two states, falling', chain_prior('{x,y}'::text[], '{{0.1,0.9},{0.6,0.4}}'), '{1,2,3,4,5,8,13,20}',
	 '{3.58351893845611,2.2335922215070942,1.015724628862342,0.8109302162163288,0.5471932679368655,0.20597574769184435,0.03262582502487944,0.003254547467050589}'),
	('binary at a point', binary_chain_prior('{x,y}'::text[], 0.6, 0.6, 0.3, 0.3), '{1,2,3,4,5,8,13,20}',
	 '{0.5753641449035622,0.3034304294199203,0.05479794837622898,0.028970066420155694,0.0055020667437797755,0.0002907039416607951,5.500000206250076e-07,2.907142857039421e-10}'),
	('binary, upper corner', binary_chain_prior('{x,y}'::text[], 0.55, 0.9, 0.5, 0.8), '{1,2,3,4,5,8,13,20}',
	 '{4.158883083359673,3.435882939650047,2.7128827959404207,2.2988715180474015,1.884860240154382,1.1405374834469395,0.4768296750918737,0.14236700299664834}'),
	('binary, lower corner', binary_chain_prior('{x,y}'::text[], 0.2, 0.45, 0.2, 0.5), '{1,2,3,4,5,8,13,20}',
	 '{2.772588722239781,2.1400661634962708,1.5075436047527602,1.1926848445520846,0.8778260843514087,0.41650058944004936,0.11200366302778948,0.0193493555407422}'),
	('two states, length 8', chain_prior('{x,y}'::text[], '{{0.9,0.1},{0.2,0.8}}', length => 8), '{1,2,3,4,5,6,7,8,9}',
	 '{4.158883083359674,3.4358829396500474,2.712882795940421,2.079441541679838,1.3564413979702117,0.9424301200771924,0.6667456470876291,0,0}'),
	('three states', chain_prior('{x,y,z}'::text[], '{{0.90016,0.04028,0.05956},{0.13424,0.84152,0.02424},{0.19972,0.16708,0.6332}}'), '{1,2,3,5,9,15}',
	 '{5.65755303822559,4.810776219862229,4.07615196176512,3.1216508146077504,1.9316728328786725,0.9625123795044981}'),
	('a start of its own', chain_prior('{x,y,z}'::text[], '{{0.77645,0.10535,0.1182},{0.42885,0.5009,0.07025},{0.27915,0.192,0.52885}}', '{0.1281,0.0195,0.8524}', 10), '{1,2,3,4,5,6,7,8,9,10}',
	 '{3.839534792973724,2.380518920456643,1.583933982122343,1.0870722236190713,0.6946957065498641,0.4254554711409513,0.24153950576074767,0.14289876565632365,0.07724556731176607,0}'),
	('forbidden steps', chain_prior('{x,y,z}'::text[], '{{0.7,0.3,0},{0.2,0.5,0.3},{0,0.4,0.6}}', length => 12), '{1,2,3,4,5,6,7,8,9,10,11,12}',
	 '{Infinity,Infinity,3.85578328710527,3.0827617348708394,2.309740182636409,1.9000948331161267,1.4904494835958444,1.154870091318205,0.7452247417979228,0.49230528656712913,0.32771365038541744,0}'),
	('one tells all', chain_prior('{x,y}'::text[], '{{0,1},{1,0}}', length => 6), '{1,2,3,4,5,6}', '{Infinity,Infinity,Infinity,Infinity,Infinity,0}'),
	('independent', chain_prior('{x,y}'::text[], '{{0.5,0.5},{0.5,0.5}}'), '{1,2,300}', '{0,0,0}'),
	('table', table_prior('{x,y}'::text[], '{2,2,2}', '{0.2116,0.1442,0.037,0.0352,0.4527,0.0525,0.0512,0.0156}'), '{1,2,3,4}', '{1.3004038510512714,0.5602798061859766,0,0}'),
	('two tables', jsonb_build_array(table_prior('{x,y,z}'::text[], '{3,2}', '{0.229,0.0333,0.1865,0.0513,0.4075,0.0924}'),
		table_prior('{x,y,z}'::text[], '{3,2}', '{0.1183,0.0091,0.0107,0.0182,0.6214,0.2223}')), '{1,2,3}', '{2.1766373285796217,0,0}');
INSERT INTO reference VALUES
	('joint intervals', interval_prior('{x,y}'::text[], '{2,2}', '{0.1127,0.01267,0.27181,0.30282}', '{0.2415,0.02715,0.58245,0.6489}', 'joint'), '{1,2}', '{2.8943798976889754,0}', 1e-6),
	('joint intervals, bound', interval_prior('{x,y}'::text[], '{2,2}', '{0.1127,0.01267,0.27181,0.30282}', '{0.2415,0.02715,0.58245,0.6489}', 'joint_bound'), '{1,2}', '{3.129171226137387,0}', 1e-6),
	('joint intervals of three', interval_prior('{x,y}'::text[], '{2,2,2}', '{0.01078,0.02786,0.07259,0.16723,0.04949,0.2065,0.09317,0.07238}', '{0.0231,0.0597,0.15555,0.35835,0.10605,0.4425,0.19965,0.1551}', 'joint'),
	 '{1,2,3}', '{2.7159631370315487,1.4641925291735558,0}', 1e-6),
	('conditional intervals', interval_prior('{x,y}'::text[], '{2,2}', '{0.61168,0.18832,0.32704,0.47296}', '{0.99398,0.30602,0.53144,0.76856}'), '{1,2}', '{1.2735432490023684,0}', 1e-6),
	('Gaussian', gaussian_prior((SELECT array_agg(r ORDER BY i) FROM (SELECT i, array_agg(exp(-((i - j) ^ 2) / 0.5) ORDER BY j) AS r FROM generate_series(1, 7) i, generate_series(1, 7) j GROUP BY i) m), 5, 0.1),
	 '{1,2,3,5,7,8}', '{16.330560006743195,8.032626411826387,0.0383752758949818,1.5065170320127663e-06,0,0}', 1e-6),
	('Gaussian, not the centre', gaussian_prior((SELECT array_agg(r ORDER BY i) FROM (SELECT i, array_agg(exp(-((i - j) ^ 2) / 5.0) ORDER BY j) AS r FROM generate_series(1, 21) i, generate_series(1, 21) j GROUP BY i) m), 5, 0.1),
	 '{1,2,3,5,7}', '{760684.4931753916,90328.85060395533,13577.943023569678,1924.883439888221,525.7991638471208}', 1e-6);
SELECT id, bool_and(near(c.a, v.a, relative)) AS right, bool_and(v.a = 'Infinity' OR c.a >= v.a - 1e-12 * (1 + v.a) OR relative > 1e-9) AS not_below
FROM reference r CROSS JOIN LATERAL unnest(r.b, r.a) v(b, a) JOIN LATERAL influence_curve(priors) c ON c.b = v.b GROUP BY id ORDER BY id;
-- a curve never rises, and tells how many rows before and after the secret's are set aside
SELECT count(*) AS curves, bool_and(falls) AS falls, bool_and(around) AS around
FROM (SELECT id, bool_and(c.a <= before) AS falls, bool_and("left" + "right" + 1 <= c.b OR "left" IS NULL) AS around
	FROM reference, LATERAL (SELECT *, lag(a, 1, 'Infinity') OVER (ORDER BY b) AS before FROM influence_curve(priors, max_b => 40)) c GROUP BY id) f;
SELECT c.b, round(c.a::numeric, 6) AS a, "left", "right" FROM reference, influence_curve(priors, max_b => 5) c WHERE id = 'two states, falling' ORDER BY c.b;
-- secrets and pairs: only what is listed decides
SELECT c.b, round(c.a::numeric, 9) AS everything, round(x.a::numeric, 9) AS yz, x.a = y.a AS pair, round(z.a::numeric, 9) AS xz, w.a = greatest(x.a, z.a) AS two_pairs
FROM reference r, influence_curve(priors, max_b => 3) c, influence_curve(priors, '{y,z}', max_b => 3) x, influence_curve(priors, pairs => '{{z,y}}', max_b => 3) y,
	influence_curve(priors, pairs => '{{x,z}}', max_b => 3) z, influence_curve(priors, pairs => '{{z,y},{x,z}}', max_b => 3) w
WHERE id = 'three states' AND x.b = c.b AND y.b = c.b AND z.b = c.b AND w.b = c.b ORDER BY c.b;
-- several priors: the largest, point by point
SELECT count(*), bool_and(c.a = greatest(one.a, two.a)) AS largest, bool_or(one.a > two.a) AND bool_or(one.a < two.a) AS both_matter
FROM influence_curve(chain_prior('{x,y}'::text[], '{{0.9,0.1},{0.2,0.8}}')) one JOIN influence_curve(chain_prior('{x,y}'::text[], '{{0.01,0.99},{0.4,0.6}}')) two USING (b)
JOIN influence_curve(jsonb_build_array(chain_prior('{x,y}'::text[], '{{0.9,0.1},{0.2,0.8}}'), chain_prior('{x,y}'::text[], '{{0.01,0.99},{0.4,0.6}}'))) c USING (b);
-- a secret that is listed often is one secret, and takes the memory of one
SELECT count(*) AS points, (SELECT count(*) FROM influence_curve(chain_prior('{x,y}'::text[], '{{0.9,0.1},{0.2,0.8}}'), max_b => 3)) AS expected
FROM influence_curve(chain_prior('{x,y}'::text[], '{{0.9,0.1},{0.2,0.8}}'), array_fill('x'::text, '{300000}') || 'y'::text, max_b => 3);
-- fitted: counted transitions, smoothed (vector pub-073); states in the type of the column, whatever they look like as text
SET client_min_messages = warning;
CREATE TABLE history (who int, t int, place int, code numeric(5,2), mark char(3), day date, flag boolean);
INSERT INTO history (who, t, place) SELECT 1, n, x FROM unnest('{1,2,0,0,0,1,2,1,1,1,1,0}'::int[]) WITH ORDINALITY u(x, n)
UNION ALL SELECT 2, n, x FROM unnest('{2,1,2,2,2,1,0,1,0,2,0,2}'::int[]) WITH ORDINALITY u(x, n);
UPDATE history SET code = place, mark = chr(97 + place) || repeat('z', place), day = date '2024-02-01' + place, flag = place = 0;
GRANT SELECT ON history TO regress_pa_dba;
SET ROLE regress_pa_dba;
SELECT (SELECT bool_and(near((p->'transition'->(i - 1)->>(j - 1))::float8, expected[i][j])) FROM generate_series(1, 4) i, generate_series(1, 4) j) AS right, p->>'source' AS source, p->'states' AS states
FROM fit_chain_prior('history', 'who', '{t}', 'place', '{0,1,2,3}'::int[]) p,
	(SELECT '{{0.33333,0.33333,0.33333,0.00001},{0.33333,0.33333,0.33333,0.00001},{0.28571142857142856,0.4285671428571428,0.28571142857142856,0.00001},{0.25,0.25,0.25,0.25}}'::float8[] AS expected) e;
SET datestyle = 'SQL, DMY';
SELECT p->'transition' = (SELECT q->'transition' FROM fit_chain_prior('history', 'who', '{t}', 'place', '{0,1,2}'::int[]) q) AS same, p->'states' AS states FROM unnest(ARRAY[
	fit_chain_prior('history', 'who', '{t}', 'code', '{0,1,2}'::int[]), fit_chain_prior('history', 'who', '{t}', 'mark', '{a,bz,czz}'::text[]),
	fit_chain_prior('history', 'who', '{t}', 'day', '{01/02/2024,02/02/2024,03/02/2024}'::date[])]) p;
SELECT chain_prior('{01/02/2024,02/02/2024}'::date[], '{{0.9,0.1},{0.2,0.8}}')->'states' AS states;
RESET datestyle;
SELECT fit_chain_prior('history', 'who', '{t}', 'flag', '{true,false}'::boolean[], 0.01)->'transition' AS two_states;
RESET ROLE;

--
-- Declaring.
--
CREATE FUNCTION policies() RETURNS bigint LANGUAGE sql AS
	$$ SELECT count(*) FROM privacct.policy p WHERE p.closed_at IS NULL AND p.relation::text LIKE ANY ('{trip%,fish.%,part%}') $$;
CREATE TABLE trip (person int NOT NULL, hour int NOT NULL, place text NOT NULL, speed float8, code numeric(5,2), mark char(3), label varchar(8), day date, moment timestamptz, flag boolean, weird point, folded text,
	district int NOT NULL, PRIMARY KEY (person, hour));
INSERT INTO trip SELECT i, t, (ARRAY['home', 'shop', 'work'])[1 + (i * t) % 3], 10 + (i + t) % 5, (i * t) % 3, chr(97 + (i * t) % 2), 'l' || (i * t) % 2, date '2024-02-01' + (i * t) % 2,
	timestamptz '2024-02-01 00:00+00' + (i * t) % 2 * interval '1 hour', (i * t) % 2 = 0, point(1, 2), 'x', i % 2
FROM generate_series(1, 100) i, generate_series(0, 9) t;
ALTER TABLE trip OWNER TO regress_pa_dba;
CREATE TABLE prior (name text PRIMARY KEY, p jsonb);
INSERT INTO prior VALUES ('places', chain_prior('{home,shop,work}'::text[], '{{0.6,0.3,0.1},{0.2,0.5,0.3},{0.3,0.3,0.4}}')),
	('ten hours', chain_prior('{home,shop,work}'::text[], '{{0.6,0.3,0.1},{0.2,0.5,0.3},{0.3,0.3,0.4}}', '{0.8,0.1,0.1}', 10)),
	('certain', chain_prior('{home,shop,work}'::text[], '{{0,1,0},{0,0,1},{1,0,0}}')),
	('speeds', gaussian_prior((SELECT array_agg(r ORDER BY i) FROM (SELECT i, array_agg(exp(-((i - j) ^ 2) / 0.5) ORDER BY j) AS r FROM generate_series(1, 10) i, generate_series(1, 10) j GROUP BY i) m), 20, 0.1, 30)),
	('flags', binary_chain_prior('{false,true}'::boolean[], 0.5, 0.9, 0.5, 0.8));
GRANT SELECT ON prior TO PUBLIC;
CREATE FUNCTION p(text) RETURNS jsonb LANGUAGE sql STABLE AS $$ SELECT p FROM prior WHERE name = $1 $$;
-- every kind of prior and every type of entry: what is declared, and what a release may cost per entry
CREATE FUNCTION declared(call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	seen text;
BEGIN
	EXECUTE 'SELECT privacct.protect_entries(''trip'', ''person'', ''{hour}'', ' || call || ', fresh => true)';
	SELECT format('%s %s%s%s; cap %s delta %s, at most %s', v.kind, d.column_name, d.points::text, '[' || d.lo || ', ' || d.hi || ']', round(r.epsilon, 6), r.delta::float8, coalesce(r.max_entries::text, 'any'))
		|| coalesce(', bounds ' || b.lo || ' ' || b.hi, '') || coalesce(', keys ' || k.keys::text, '') INTO seen
	FROM privacct.policy q JOIN privacct.prior r USING (policy_id) JOIN privacct.domain d USING (policy_id) LEFT JOIN privacct.bound b USING (policy_id) LEFT JOIN privacct.group_key k USING (policy_id)
	CROSS JOIN LATERAL (SELECT CASE jsonb_typeof(r.priors) WHEN 'array' THEN jsonb_array_length(r.priors)::text ELSE r.priors->>'kind' END) v(kind) WHERE q.relation = 'trip'::regclass AND closed_at IS NULL;
	RAISE EXCEPTION 'undo';
EXCEPTION WHEN raise_exception THEN
	RETURN seen;
WHEN OTHERS THEN
	RETURN SQLSTATE || ': ' || SQLERRM;
END
$$;
SELECT call, declared(call) FROM unnest(ARRAY[
	$$'place', p('places')$$,
	$$'place', p('places'), 5$$,
	$$'place', p('places'), 5, 1e-6$$,
	$$'place', p('places'), 0.001$$,
	$$'place', p('places'), 0.001, max_entries => 10$$,
	$$'place', p('ten hours'), 5$$,
	$$'place', p('ten hours'), 0.5, max_entries => 10$$,
	$$'place', p('certain'), 5, max_entries => 10$$,
	$$'place', p('certain'), 5, 1e-6, max_entries => 10$$,
	$$'place', p('places'), 5, secrets => '{home,work}'$$,
	$$'place', p('places'), 5, pairs => '{{home,shop}}'$$,
	$$'place', jsonb_build_array(p('places'), p('ten hours')), 5$$,
	$$'place', p('places'), 5, max_b => 3$$,
	$$'speed', p('speeds'), 2$$,
	$$'speed', p('speeds') - 'centre', 2$$,
	$$'code', chain_prior('{0,1,2}'::int[], '{{0.6,0.3,0.1},{0.2,0.5,0.3},{0.3,0.3,0.4}}')$$,
	$$'mark', chain_prior('{a,b}'::text[], '{{0.9,0.1},{0.2,0.8}}')$$,
	$$'mark', chain_prior('{aaa,bbb}'::text[], '{{0.9,0.1},{0.2,0.8}}')$$,
	$$'label', chain_prior('{l0,l1}'::text[], '{{0.9,0.1},{0.2,0.8}}')$$,
	$$'day', chain_prior('{2024-02-01,2024-02-02}'::date[], '{{0.9,0.1},{0.2,0.8}}')$$,
	$$'moment', chain_prior('{2024-02-01 00:00+00,2024-02-01 01:00+00}'::timestamptz[], '{{0.9,0.1},{0.2,0.8}}')$$,
	$$'flag', p('flags'), 5$$,
	$$'flag', table_prior('{f,t}'::text[], array_fill(2, ARRAY[10]), array_fill(1.0 / 1024, ARRAY[1024]))$$,
	$$'flag', interval_prior('{f,t}'::text[], '{2,2,1,1,1,1,1,1,1,1}', '{0.1127,0.01267,0.27181,0.30282}', '{0.2415,0.02715,0.58245,0.6489}', 'joint'), 3$$,
	$$'flag', interval_prior('{f,t}'::text[], '{2,2,1,1,1,1,1,1,1,1}', '{0.61168,0.18832,0.32704,0.47296}', '{0.99398,0.30602,0.53144,0.76856}'), 3$$]) call;
SELECT policies();
-- what is refused, and leaves nothing behind
SELECT call, try('SELECT privacct.protect_entries(' || call || ', fresh => true)') FROM unnest(ARRAY[
	$$'trip', 'person', '{hour}', 'place', NULL$$, $$'trip', NULL, '{hour}', 'place', p('places')$$, $$'trip', 'person', NULL, 'place', p('places')$$, $$'trip', 'person', '{hour}', NULL, p('places')$$, $$NULL, 'person', '{hour}', 'place', p('places')$$,
	$$'trip', 'person', '{}', 'place', p('places')$$, $$'trip', 'person', '{NULL}', 'place', p('places')$$, $$'trip', 'person', '{hour,hour}', 'place', p('places')$$, $$'trip', 'person', '{person}', 'place', p('places')$$,
	$$'trip', 'person', '{nothing}', 'place', p('places')$$, $$'trip', 'person', '{district}', 'place', p('places')$$, $$'trip', 'person', '{hour,district}', 'place', p('places')$$, $$'trip', 'person', '{label}', 'place', p('places')$$,
	$$'trip', 'nothing', '{hour}', 'place', p('places')$$, $$'trip', 'label', '{hour}', 'place', p('places')$$, $$'trip', 'speed', '{hour}', 'place', p('places')$$, $$'trip', 'person', '{hour}', 'nothing', p('places')$$,
	$$'trip', 'person', '{hour}', 'person', p('places')$$, $$'trip', 'person', '{hour}', 'hour', p('places')$$, $$'trip', 'person', '{hour}', 'ctid', p('places')$$,
	$$'trip', 'person', '{hour}', 'weird', p('places')$$, $$'trip', 'person', '{hour}', 'speed', p('places')$$, $$'trip', 'person', '{hour}', 'place', p('speeds')$$, $$'trip', 'person', '{hour}', 'flag', p('places')$$,
	$$'trip', 'person', '{hour}', 'code', p('places')$$, $$'trip', 'person', '{hour}', 'mark', chain_prior('{a,abcd}'::text[], '{{0.9,0.1},{0.2,0.8}}')$$, $$'trip', 'person', '{hour}', 'mark', chain_prior('{a,"a "}'::text[], '{{0.9,0.1},{0.2,0.8}}')$$,
	$$'trip', 'person', '{hour}', 'code', chain_prior('{1,1.0}'::text[], '{{0.9,0.1},{0.2,0.8}}')$$, $$'trip', 'person', '{hour}', 'code', chain_prior('{1,1000}'::text[], '{{0.9,0.1},{0.2,0.8}}')$$,
	$$'trip', 'person', '{hour}', 'code', chain_prior('{1,NaN}'::text[], '{{0.9,0.1},{0.2,0.8}}')$$, $$'trip', 'person', '{hour}', 'code', chain_prior('{1,Infinity}'::text[], '{{0.9,0.1},{0.2,0.8}}')$$,
	$$'trip', 'person', '{hour}', 'speed', p('speeds') || '{"centre": 1e100}'$$, $$'trip', 'person', '{hour}', 'speed', p('speeds') || '{"centre": 1e100, "bound": 1e100}'$$,
	$$'trip', 'person', '{hour}', 'place', p('places'), 0$$, $$'trip', 'person', '{hour}', 'place', p('places'), -1$$, $$'trip', 'person', '{hour}', 'place', p('places'), 'NaN'$$, $$'trip', 'person', '{hour}', 'place', p('places'), 'Infinity'$$,
	$$'trip', 'person', '{hour}', 'place', p('places'), 1e7$$, $$'trip', 'person', '{hour}', 'place', p('places'), 1e-10$$, $$'trip', 'person', '{hour}', 'place', p('places'), NULL$$, $$'trip', 'person', '{hour}', 'place', p('certain'), 100$$,
	$$'trip', 'person', '{hour}', 'place', p('places'), 1, -0.1$$, $$'trip', 'person', '{hour}', 'place', p('places'), 1, 1$$, $$'trip', 'person', '{hour}', 'place', p('places'), 1, 'NaN'$$, $$'trip', 'person', '{hour}', 'place', p('places'), 1, 1e-40$$,
	$$'trip', 'person', '{hour}', 'place', p('places'), secrets => '{home}'$$, $$'trip', 'person', '{hour}', 'place', p('places'), secrets => '{home,home}'$$, $$'trip', 'person', '{hour}', 'place', p('places'), secrets => '{home,church}'$$,
	$$'trip', 'person', '{hour}', 'place', p('places'), secrets => '{home,NULL}'$$, $$'trip', 'person', '{hour}', 'place', p('places'), secrets => '{}'$$, $$'trip', 'person', '{hour}', 'place', p('places'), secrets => '{home,shop}', pairs => '{{home,shop}}'$$,
	$$'trip', 'person', '{hour}', 'place', p('places'), pairs => '{home,shop}'$$, $$'trip', 'person', '{hour}', 'place', p('places'), pairs => '{{home,home}}'$$, $$'trip', 'person', '{hour}', 'place', p('places'), pairs => '{{home,shop,work}}'$$,
	$$'trip', 'person', '{hour}', 'place', p('places'), pairs => '{}'$$, $$'trip', 'person', '{hour}', 'speed', p('speeds'), secrets => '{1,2}'$$,
	$$'trip', 'person', '{hour}', 'place', p('places'), max_entries => 0$$, $$'trip', 'person', '{hour}', 'place', p('places'), max_entries => -1$$, $$'trip', 'person', '{hour}', 'place', p('places'), max_entries => 1000000001$$,
	$$'trip', 'person', '{hour}', 'place', p('places'), max_entries => 9$$, $$'trip', 'person', '{hour}', 'place', p('ten hours'), max_entries => 11$$,
	$$'trip', 'person', '{hour}', 'place', chain_prior('{home,shop}'::text[], '{{0.9,0.1},{0.2,0.8}}', length => 5)$$, $$'trip', 'person', '{hour}', 'flag', table_prior('{f,t}'::text[], '{2,2}', '{0.25,0.25,0.25,0.25}')$$,
	$$'trip', 'person', '{hour}', 'place', p('places'), max_b => 0$$, $$'trip', 'person', '{hour}', 'place', p('places'), max_b => NULL$$, $$'trip', 'person', '{hour}', 'place', p('places'), max_b => 1000000$$,
	$$'trip', 'person', '{hour}', 'place', p('places'), kernel => 'gaussian'$$, $$'trip', 'person', '{hour}', 'place', p('places'), kernel => 'staircase'$$, $$'trip', 'person', '{hour}', 'place', p('places'), kernels => '{gaussian}'$$,
	$$'trip', 'person', '{hour}', 'place', p('places'), kernels => '{laplace,exponential}'$$,
	$$'trip', 'person', '{hour}', 'place', jsonb_build_array(p('places'), p('flags'))$$, $$'trip', 'person', '{hour}', 'speed', jsonb_build_array(p('speeds'), p('speeds') || '{"bound": 30}')$$, $$'trip', 'person', '{hour}', 'place', jsonb_build_array(p('places'), p('speeds'))$$]) call;
SELECT call, try('SELECT privacct.protect(' || call || ')') FROM unnest(ARRAY[$$'trip', 'person', regime => 'pufferfish'$$]) call;
SELECT policies(), has_table_privilege('privacct_reader', 'trip', 'SELECT') AS readable;
-- other relations
SET client_min_messages = error;
CREATE TABLE part (LIKE trip INCLUDING ALL) PARTITION BY LIST (person);
CREATE TABLE part_1 PARTITION OF part FOR VALUES IN (1);
INSERT INTO part SELECT * FROM trip WHERE person = 1;
CREATE TABLE loose (person int NOT NULL, hour int NOT NULL, place text);
CREATE TABLE partial (LIKE loose);
CREATE UNIQUE INDEX ON partial (person, hour) WHERE hour > 0;
CREATE TABLE computed (LIKE loose);
CREATE UNIQUE INDEX ON computed (person, (hour + 0));
CREATE TABLE late (LIKE loose, UNIQUE (person, hour) DEFERRABLE);
CREATE TABLE wide (LIKE loose, UNIQUE (person, hour, place));
CREATE TABLE vague (person int, hour int NOT NULL, place text, UNIQUE (person, hour));
CREATE TABLE covering (LIKE loose, UNIQUE (hour, person) INCLUDE (place));
CREATE TABLE parent (LIKE trip INCLUDING ALL);
CREATE TABLE child () INHERITS (parent);
CREATE VIEW trip_view AS SELECT * FROM trip;
CREATE MATERIALIZED VIEW trip_copy AS SELECT * FROM trip;
CREATE TEMPORARY TABLE trip_temp (LIKE trip INCLUDING ALL);
CREATE FOREIGN DATA WRAPPER regress_pa_wrapper;
CREATE SERVER regress_pa_server FOREIGN DATA WRAPPER regress_pa_wrapper;
CREATE FOREIGN TABLE trip_far (person int NOT NULL, hour int NOT NULL, place text) SERVER regress_pa_server;
RESET client_min_messages;
SELECT relation, try(format('SELECT privacct.protect_entries(%L, ''person'', ''{hour}'', ''place'', fish.p(''places''))', relation))
FROM unnest('{loose,partial,computed,late,wide,vague,parent,child,part_1,trip_view,trip_copy,trip_temp,trip_far,trip_pkey,pg_class}'::text[]) relation;
BEGIN;
SELECT privacct.protect_entries(relation::regclass, 'person', '{hour}', 'place', p('places'), fresh => true) > 0 AS done FROM unnest('{covering,part}'::text[]) relation;
ROLLBACK;
SET ROLE regress_pa_other;
SELECT try($$SELECT privacct.protect_entries('fish.trip', 'person', '{hour}', 'place', fish.p('places'), fresh => true)$$);
RESET ROLE;
SELECT policies();
-- priors that are none
SELECT call, try('SELECT privacct.' || call) FROM unnest(ARRAY[
	$$chain_prior('{x,y}'::text[], '{{0.9,0.2},{0.2,0.8}}')$$, $$chain_prior('{x,y}'::text[], '{{0.9,0.1},{1.2,-0.2}}')$$, $$chain_prior('{x,y}'::text[], '{{NaN,0.1},{0.2,0.8}}')$$, $$chain_prior('{x,y}'::text[], '{{Infinity,0.1},{0.2,0.8}}')$$,
	$$chain_prior('{x,y}'::text[], '{{NULL,0.1},{0.2,0.8}}')$$, $$chain_prior('{x,y}'::text[], '{{0.9,0.1}}')$$, $$chain_prior('{x,y}'::text[], '{0.9,0.1,0.2,0.8}')$$, $$chain_prior('{x,y}'::text[], '{}')$$, $$chain_prior('{x,y}'::text[], NULL)$$,
	$$chain_prior('{x}'::text[], '{{1}}')$$, $$chain_prior('{x,x}'::text[], '{{0.9,0.1},{0.2,0.8}}')$$, $$chain_prior('{x,NULL}'::text[], '{{0.9,0.1},{0.2,0.8}}')$$, $$chain_prior('{{x,y},{z,w}}'::text[], '{{0.9,0.1},{0.2,0.8}}')$$, $$chain_prior(NULL::text[], '{{0.9,0.1},{0.2,0.8}}')$$,
	$$chain_prior('{x,y}'::text[], '{{1,0},{0,1}}')$$, $$chain_prior('{x,y}'::text[], '{{1,0},{0.2,0.8}}')$$, $$chain_prior('{x,y,z}'::text[], '{{0.5,0.5,0},{0.5,0.5,0},{0.1,0.1,0.8}}')$$, $$chain_prior('{x,y}'::text[], '{{0.9,0.1},{0.2,0.8}}', '{0.5,0.5}')$$,
	$$chain_prior('{x,y}'::text[], '{{0.9,0.1},{0.2,0.8}}', '{0.5,0.6}', 5)$$, $$chain_prior('{x,y}'::text[], '{{0.9,0.1},{0.2,0.8}}', '{1}', 5)$$, $$chain_prior('{x,y}'::text[], '{{0.9,0.1},{0.2,0.8}}', '{1.5,-0.5}', 5)$$,
	$$chain_prior('{x,y}'::text[], '{{0.9,0.1},{0.2,0.8}}', length => 0)$$, $$chain_prior('{x,y}'::text[], '{{0.9,0.1},{0.2,0.8}}', length => -1)$$, $$chain_prior('{x,y}'::text[], '{{0.9,0.1},{0.2,0.8}}', length => 2000000000)$$,
	$$chain_prior(ARRAY(SELECT generate_series(1, 1025)), array_fill(1.0::float8 / 1025, ARRAY[1025,1025]))$$,
	$$binary_chain_prior('{x,y,z}'::text[], 0.5, 0.9, 0.5, 0.8)$$, $$binary_chain_prior('{x,y}'::text[], 0.9, 0.5, 0.5, 0.8)$$, $$binary_chain_prior('{x,y}'::text[], -0.1, 0.5, 0.5, 0.8)$$, $$binary_chain_prior('{x,y}'::text[], 0.5, 1.5, 0.5, 0.8)$$,
	$$binary_chain_prior('{x,y}'::text[], 0.5, 0.9, 0.5, 'NaN')$$, $$binary_chain_prior('{x,y}'::text[], 0.5, 0.9, 0.5, NULL)$$, $$binary_chain_prior('{x,y}'::text[], 0.5, 1, 0.5, 1)$$,
	$$gaussian_prior('{{1,0.5},{0.4,1}}', 5, 0.1)$$, $$gaussian_prior('{{1,2},{2,1}}', 5, 0.1)$$, $$gaussian_prior('{{1,1},{1,1}}', 5, 0.1)$$, $$gaussian_prior('{{1,0},{0,1e-13}}', 5, 0.1)$$, $$gaussian_prior('{{0,0},{0,0}}', 5, 0.1)$$,
	$$gaussian_prior('{{1,0.5}}', 5, 0.1)$$, $$gaussian_prior('{{1,NaN},{NaN,1}}', 5, 0.1)$$, $$gaussian_prior('{{1,NULL},{NULL,1}}', 5, 0.1)$$, $$gaussian_prior('{{1,0.5},{0.5,1}}', 0, 0.1)$$, $$gaussian_prior('{{1,0.5},{0.5,1}}', -5, 0.1)$$,
	$$gaussian_prior('{{1,0.5},{0.5,1}}', 5, 0)$$, $$gaussian_prior('{{1,0.5},{0.5,1}}', 5, 11)$$, $$gaussian_prior('{{1,0.5},{0.5,1}}', 'Infinity', 0.1)$$, $$gaussian_prior('{{1,0.5},{0.5,1}}', 5, 0.1, 'NaN')$$, $$gaussian_prior(array_fill(1.0::float8, ARRAY[300,300]), 5, 0.1)$$,
	$$gaussian_prior('{{1,0.5},{0.5,1}}', NULL, 0.1)$$,
	$$table_prior('{x,y}'::text[], '{2,2}', '{0.25,0.25,0.25}')$$, $$table_prior('{x,y}'::text[], '{2,2}', '{0.25,0.25,0.25,0.5}')$$, $$table_prior('{x,y}'::text[], '{2,3}', array_fill(1.0::float8 / 6, ARRAY[6]))$$, $$table_prior('{x,y}'::text[], '{2,0}', '{1}')$$,
	$$table_prior('{x,y}'::text[], '{1,1}', '{1}')$$, $$table_prior('{x,y}'::text[], '{}', '{1}')$$, $$table_prior('{x,y}'::text[], '{{2,2}}', '{0.25,0.25,0.25,0.25}')$$, $$table_prior('{x,y}'::text[], array_fill(2, ARRAY[30]), '{1}')$$,
	$$interval_prior('{x,y}'::text[], '{2,2}', '{0.1,0.1,0.1,0.1}', '{0.2,0.2,0.2,0.2}', 'joint')$$, $$interval_prior('{x,y}'::text[], '{2,2}', '{0.3,0.3,0.3,0.3}', '{0.4,0.4,0.4,0.4}', 'joint')$$, $$interval_prior('{x,y}'::text[], '{2,2}', '{0.5,0.1,0.1,0.1}', '{0.4,0.4,0.4,0.4}', 'joint')$$,
	$$interval_prior('{x,y}'::text[], '{2,2}', '{-0.1,0.1,0.1,0.1}', '{0.4,0.4,0.4,0.4}', 'joint')$$, $$interval_prior('{x,y}'::text[], '{2,2}', '{0.1,0.1,0.1,0.1}', '{0.2,0.2,0.2,0.2}')$$, $$interval_prior('{x,y}'::text[], '{2,2}', '{0.1,0.1,0.1}', '{0.4,0.4,0.4,0.4}', 'joint')$$,
	$$interval_prior('{x,y}'::text[], '{2,2}', '{0.1,0.1,0.1,0.1}', '{0.6,0.6,0.6,0.6}', 'free')$$, $$interval_prior('{x,y}'::text[], '{2,2}', '{0.1,0.1,0.1,0.1}', '{0.6,0.6,0.6,0.6}', 'joint', '{{1,0,0,0}}', '{0.5}')$$,
	$$interval_prior('{x,y}'::text[], '{2,2}', '{0.1,0.1,0.1,0.1}', '{0.6,0.6,0.6,0.6}', 'joint_bound', '{{1,0,0,0}}')$$, $$interval_prior('{x,y}'::text[], '{2,2}', '{0.1,0.1,0.1,0.1}', '{0.6,0.6,0.6,0.6}', 'joint_bound', '{{1,0,0}}', '{0.5}')$$,
	$$interval_prior('{x,y}'::text[], '{2,2}', '{0.1,0.1,0.1,0.1}', '{0.6,0.6,0.6,0.6}', 'joint_bound', '{{1,0,0,0}}', '{0.05}')$$,
	$$fit_chain_prior('history', 'who', '{t}', 'place', '{0,1}'::int[], 0.6)$$, $$fit_chain_prior('history', 'who', '{t}', 'place', '{0,1}'::int[], -1)$$, $$fit_chain_prior('history', 'who', '{t}', 'place', '{0,1}'::int[], 'NaN')$$, $$fit_chain_prior('history', 'who', '{t}', 'place', '{0}'::int[])$$,
	$$fit_chain_prior('history', 'who', '{t}', 'place', '{0,0}'::int[])$$, $$fit_chain_prior('history', 'who', '{t}', 'place', '{0,NULL}'::int[])$$, $$fit_chain_prior('history', 'who', '{t}', 'place', '{a,b}'::text[])$$, $$fit_chain_prior('history', 'who', '{}', 'place', '{0,1}'::int[])$$,
	$$fit_chain_prior('history', 'who', array_fill('t'::name, '{17}'), 'place', '{0,1}'::int[])$$,
	$$fit_chain_prior('history', 'who', '{t}', 'nothing', '{0,1}'::int[])$$, $$fit_chain_prior('history', 'nobody', '{t}', 'place', '{0,1}'::int[])$$, $$fit_chain_prior('history', 'who', '{t}', 'place', NULL::int[])$$, $$fit_chain_prior(NULL, 'who', '{t}', 'place', '{0,1}'::int[])$$]) call;
-- written by hand: protect_entries looks at them alike
SELECT p, try(format('SELECT privacct.protect_entries(''trip'', ''person'', ''{hour}'', ''flag'', %L, fresh => true)', p)) FROM unnest(ARRAY[
	'null', '1', '"chain"', '[]', '{}', '[1]', '[[]]', '[null]', '{"kind": "markov"}', '{"kind": 1}', '{"kind": "chain"}', '{"kind": "chain", "states": "f,t", "transition": [[0.9,0.1],[0.2,0.8]]}',
	'{"kind": "chain", "states": [false, true], "transition": [[0.9,0.1],[0.2,0.8]]}', '{"kind": "chain", "states": ["f","t"]}', '{"kind": "chain", "states": ["f","t"], "transition": [[0.9,0.1],[0.2]]}',
	'{"kind": "chain", "states": ["f","t"], "transition": [[0.9,0.1],["0.2",0.8]]}', '{"kind": "chain", "states": ["f","t"], "transition": [[0.9,0.1],[[0.2],0.8]]}', '{"kind": "chain", "states": ["f","t"], "transition": {"a": 1}}',
	'{"kind": "chain", "states": ["f","t"], "transition": [[1e400,0.1],[0.2,0.8]]}', '{"kind": "chain", "states": ["f","t"], "transition": [[0.9,0.1],[0.2,0.8]], "length": "long"}', '{"kind": "chain", "states": ["f","t"], "transition": [[0.9,0.1],[0.2,0.8]], "length": 12.5}',
	'{"kind": "chain", "states": ["f","t"], "transition": [[0.9,0.1],[0.2,0.8]], "length": 1e12}', '{"kind": "chain", "states": ["f","t"], "transition": [[0.9,0.1],[0.2,0.8]], "lenght": 12}', '{"kind": "chain", "states": ["f","t"], "transition": [[0.9,0.1],[0.2,0.8]], "start": 1, "length": 12}',
	'{"kind": "binary", "states": ["f","t"], "p": 0.5, "q": [0.5,0.6]}', '{"kind": "binary", "states": ["f","t"], "p": [0.5], "q": [0.5,0.6]}', '{"kind": "binary", "states": ["f","t"], "p": [[0.5,0.6]], "q": [0.5,0.6]}',
	'{"kind": "table", "states": ["f","t"], "shape": 2, "probability": [0.5,0.5]}', '{"kind": "table", "states": ["f","t"], "shape": [[2,2]], "probability": [0.25,0.25,0.25,0.25]}', '{"kind": "table", "states": ["f","t"], "shape": [2.5], "probability": [0.5,0.5]}',
	'{"kind": "gaussian", "covariance": 1, "bound": 1, "width": 0.1}', '{"kind": "gaussian", "covariance": [[1]], "bound": "1", "width": 0.1}', '{"kind": "gaussian", "covariance": [[1]], "bound": 1, "width": 0.1, "states": ["f","t"]}',
	'{"kind": "intervals", "states": ["f","t"], "shape": [2], "low": [0.1,0.1], "high": [0.9,0.9]}']) p;
SELECT try(format('SELECT privacct.protect_entries(''trip'', ''person'', ''{hour}'', ''flag'', %L, fresh => true)', (SELECT jsonb_agg(p('flags')) FROM generate_series(1, 1000))));
-- as many pairs of secrets as an int can number, for a row each
SELECT try($$SELECT privacct.influence_curve(jsonb_build_object('kind', 'table', 'states', (SELECT jsonb_agg('s' || i) FROM generate_series(1, 1024) i),
	'shape', (SELECT jsonb_agg(CASE i WHEN 1 THEN 1024 ELSE 1 END) FROM generate_series(1, 4100) i), 'probability', (SELECT jsonb_agg(1 / 1024.0) FROM generate_series(1, 1024))))$$);
SELECT try('SELECT privacct.influence_curve(NULL)'), try('SELECT privacct.influence_curve(fish.p(''flags''), max_b => 5000)');
SELECT policies();

--
-- Versions.  With an epsilon this large noise is nothing; what counts is what it costs.
--
SET ROLE regress_pa_dba;
SELECT privacct.protect_entries('trip', 'person', '{hour}', 'place', p('places'), 5, 1e-5, max_entries => 10, fresh => true) > 0 AS protected;
SELECT privacct.set_keys('trip', 'district', '{0,1}'::int[]), privacct.set_public('trip', 'district'), privacct.grant_budget('trip', 'regress_pa_analyst', 1000, 0.01);
RESET ROLE;
SELECT try(format('SELECT privacct.protect_entries(%L, ''person'', ''{hour}'', ''place'', fish.p(''places''))', 'trip'));
CREATE VIEW figures AS SELECT version, round(epsilon, 6) AS epsilon, round(epsilon_spent::numeric, 6) AS spent, round(epsilon_left::numeric, 6) AS rest, delta::float8 AS delta, active_b AS b, round(active_a::numeric, 6) AS a,
	active_left AS l, active_right AS r, entry_epsilon_spent AS entry_spent, round(entry_epsilon_cap, 6) AS entry_cap, entry_delta_spent::float8 AS d_spent, round(paper_sum::numeric, 4) AS paper, round(naive_sum::numeric, 4) AS naive,
	releases, longest_owner AS longest, max_entries AS most, group_privacy AS "group", prior, source, warnings FROM privacct.pufferfish_budget;
GRANT SELECT ON figures TO PUBLIC;
SELECT * FROM figures;
-- spent(E) is the least of a(b) + b E: by the curve, and by the definition
CREATE FUNCTION by_definition(spent numeric) RETURNS numeric LANGUAGE sql AS $$
	SELECT round(least(min(c.a + c.b * spent::float8), 10 * spent::float8)::numeric, 6) FROM privacct.influence_curve(p('places')) c
$$;
SET privacct.epsilon = 0.05;
SELECT ask('regress_pa_analyst', 'SELECT count(*) > -1000 FROM trip'), ask('regress_pa_analyst', 'SELECT place, count(*) > -1000 FROM trip GROUP BY place');
SELECT spent, b, a, entry_spent, spent = by_definition(entry_spent) AS right, releases, "group", warnings FROM figures;
SET privacct.epsilon = 0.6;
SELECT ask('regress_pa_analyst', 'SELECT count(*) > -1000 FROM trip');
SELECT spent, rest, b, a, l, r, entry_spent, spent = by_definition(entry_spent) AS right, paper >= spent AND naive >= paper AS never_above, releases, "group" FROM figures;
SELECT ask('regress_pa_analyst', 'SELECT count(*) > -1000 FROM trip');
SELECT spent, b, entry_spent, spent = by_definition(entry_spent) AS right FROM figures;
SELECT ask('regress_pa_analyst', 'SELECT count(*) > -1000 FROM trip WHERE place = ''home'''), ask('regress_pa_analyst', 'SELECT count(*) > -1000 FROM trip WHERE hour = 3');
SELECT spent, rest, b, entry_spent, entry_cap, spent = by_definition(entry_spent) AS right FROM figures;
-- Gaussian noise costs a delta per entry, and what that comes to at the point in force is in bounds
SET privacct.epsilon = 0.1;
SET privacct.delta = 1e-7;
SELECT ask('regress_pa_analyst', 'SELECT dp_count(hour, ''kernel=gaussian'') > -1000 FROM trip');
SELECT spent, rest, b, a, entry_spent, d_spent, (SELECT entry_delta_cap >= 1e-7 FROM pufferfish_budget) AS in_bounds FROM figures;
RESET privacct.delta;
-- the next version: what was spent per entry stays spent, and is worth what the new prior says
SET ROLE regress_pa_dba;
SELECT privacct.set_priors('trip', jsonb_build_array(p('places'), p('ten hours')), 6);
RESET ROLE;
SELECT version, epsilon, spent, rest, delta, b, entry_spent, entry_cap, releases, most, prior, source FROM figures;
SELECT version, round(epsilon_pufferfish, 6) AS pufferfish, round(r.epsilon, 6) AS entry, max_entries, secrets, pairs, hash = encode(sha256(convert_to(priors::text, 'UTF8')), 'hex') AS hashed, cardinality(curve_b), declared_by FROM privacct.prior r JOIN privacct.policy USING (policy_id)
WHERE relation = 'trip'::regclass ORDER BY version;
SET ROLE regress_pa_dba;
SELECT privacct.set_priors('trip', p('places'), NULL, 0, '{home,shop}', max_b => 7);
RESET ROLE;
SELECT version, epsilon, delta, b, entry_spent, entry_cap, most, warnings FROM figures;
-- no delta is promised any more, and some was spent: nothing can be promised
SET privacct.epsilon = 0.01;
SELECT ask('regress_pa_analyst', 'SELECT count(*) > -1000 FROM trip');
-- a version that allows less than is spent releases nothing more
SET ROLE regress_pa_dba;
SELECT privacct.set_priors('trip', p('places'), 1);
RESET ROLE;
SELECT version, spent, rest, entry_spent, entry_cap FROM figures;
SET privacct.epsilon = 0.001;
SELECT ask('regress_pa_analyst', 'SELECT count(*) > -1000 FROM trip');
-- set_priors refuses, and leaves the version in force
SELECT call, try('SELECT privacct.set_priors(' || call || ')') FROM unnest(ARRAY[$$'trip', NULL$$, $$'trip', p('flags')$$, $$'trip', p('speeds')$$, $$'trip', p('places') || '{"states": ["shop", "home", "work"]}'$$, $$'trip', '{}'$$, $$'trip', p('places'), 0$$, $$'trip', p('places'), 'NaN'$$,
	$$'trip', p('places'), 1, -1$$, $$'trip', p('places'), max_entries => 0$$, $$'trip', p('places'), max_entries => 9$$, $$'trip', p('certain'), 100$$, $$'trip', p('places'), secrets => '{home}'$$, $$'trip', p('places'), max_b => 0$$,
	$$'history', p('places')$$, $$'trip', p('places') || '{"source": "fitted from fish.trip"}'$$]) call;
SET ROLE regress_pa_other;
SELECT try('SELECT privacct.set_priors(''fish.trip'', fish.p(''places''), 100)');
RESET ROLE;
SELECT version FROM figures;
-- frozen, for everybody
SELECT try('UPDATE privacct.prior SET epsilon_pufferfish = 100'), try('DELETE FROM privacct.prior'), try('TRUNCATE privacct.prior');
SET ROLE regress_pa_dba;
SELECT try('UPDATE privacct.prior SET epsilon_pufferfish = 100'), try('SELECT * FROM privacct.prior'), try('INSERT INTO privacct.prior SELECT * FROM privacct.prior');
RESET ROLE;
SET session_replication_role = replica;
SELECT try('UPDATE privacct.prior SET epsilon_pufferfish = 100');
RESET session_replication_role;
-- protecting anew carries over what was spent per entry
BEGIN;
SET LOCAL client_min_messages = notice;
SELECT privacct.unprotect('trip');
SELECT privacct.protect_entries('trip', 'person', '{hour}', 'place', p('places'), 5, fresh => true) > 0 AS protected;
COMMIT;
SELECT version, spent, entry_spent, d_spent, entry_cap, releases FROM figures;
SET ROLE regress_pa_dba;
SELECT privacct.grant_budget('trip', 'regress_pa_analyst', 1, 0);
RESET ROLE;
-- a regime cannot change once something was spent
BEGIN;
SELECT privacct.unprotect('trip');
SELECT try($$SELECT privacct.protect('trip', 'person')$$), try($$SELECT privacct.protect('trip', 'person', regime => 'local')$$);
ROLLBACK;
-- declarations of other regimes and of this one
SELECT call, try('SELECT privacct.' || call) FROM unnest(ARRAY[$$set_domain('trip', 'place', '{home,shop}'::text[])$$, $$drop_domain('trip', 'place')$$, $$set_prior('trip', 'place', '{0.5,0.2,0.3}')$$, $$set_public('trip', 'place')$$, $$set_public('trip', 'person')$$,
	$$set_public('trip', 'hour')$$, $$set_keys('trip', 'person', '{1,2}'::int[])$$, $$drop_keys('trip', 'person')$$, $$plan_budget('trip', '[]')$$, $$set_bounds('trip', 'person', 0, 1)$$]) call;

-- views: the owner of the table sees the budget, whoever may ask sees the curve, others nothing
SELECT who, ask(who, 'SELECT relation, version, epsilon FROM pufferfish_budget'), ask(who, 'SELECT relation, epsilon, max_entries, cardinality(b) = cardinality(a) AS fits, entry_epsilon_spent FROM pufferfish_curve'),
	ask(who, 'SELECT pufferfish_epsilon(''fish.trip'', 0.1) IS NULL') AS unknown, ask(who, 'SELECT count(*) FROM privacct.prior')
FROM unnest('{regress_pa_dba,regress_pa_analyst,regress_pa_nobody}'::name[]) who;
SELECT b = curve_b AND a = curve_a AND "left" = curve_left AND "right" = curve_right AND round(entry_epsilon_cap, 9) = round(r.epsilon, 9) AS same FROM pufferfish_curve c JOIN privacct.prior r ON r.declared_at = (SELECT max(declared_at) FROM privacct.prior);
SELECT pufferfish_epsilon('history', 0.1) IS NULL AS none, pufferfish_epsilon(NULL, 0.1) IS NULL AS no_table, try('SELECT privacct.pufferfish_epsilon(''fish.trip'', ''NaN'')'), try('SELECT privacct.pufferfish_epsilon(''fish.trip'', -1)'), pufferfish_epsilon('trip', 0) < 1e-12 AS nothing;
-- warnings
CREATE TABLE tour (LIKE trip INCLUDING ALL);
INSERT INTO tour SELECT * FROM trip;
CREATE FUNCTION warnings(call text) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
	seen text[];
BEGIN
	EXECUTE 'SELECT privacct.protect_entries(''tour'', ''person'', ''{hour}'', ' || call || ', fresh => true)';
	INSERT INTO tour (person, hour, place, district) SELECT 1, hour, 'home', 0 FROM generate_series(10, 11) hour;
	SELECT b.warnings INTO seen FROM pufferfish_budget b WHERE relation = 'tour'::regclass;
	RAISE EXCEPTION 'undo';
EXCEPTION WHEN raise_exception THEN
	RETURN seen[2:];
END
$$;
SELECT call, warnings(call) FROM unnest(ARRAY[$$'place', p('places')$$, $$'place', p('places'), max_entries => 20$$, $$'place', p('places'), max_entries => 10$$, $$'place', p('places'), 1e-3, max_entries => 12$$, $$'place', p('certain'), max_entries => 12$$,
	$$'speed', p('speeds')$$, $$'place', p('places'), secrets => '{home,work}', max_entries => 12$$, $$'place', p('places'), pairs => '{{home,work}}'$$]) call;
-- group privacy alone, with a delta: what is spent is the sum times the rows of an owner
CREATE TABLE ring (LIKE tour INCLUDING ALL);
INSERT INTO ring SELECT * FROM tour;
SELECT privacct.protect_entries('ring', 'person', '{hour}', 'place', p('certain'), 20, 0.5, max_entries => 10, fresh => true) > 0 AS protected, privacct.grant_budget('ring', 'regress_pa_analyst', 2, 1e-8);
SET privacct.epsilon = 0.1;
SET privacct.delta = 1e-9;
SELECT ask('regress_pa_analyst', 'SELECT dp_count(hour, ''kernel=gaussian'') > -10000 FROM ring');
SELECT round(epsilon_spent::numeric, 9) AS spent, active_b, active_a, group_privacy, entry_delta_spent::float8 FROM pufferfish_budget WHERE relation = 'ring'::regclass;
RESET privacct.delta;
-- entries of Gaussian priors stay in their interval, whatever the version
CREATE TABLE pace (LIKE tour INCLUDING ALL);
SELECT privacct.protect_entries('pace', 'person', '{hour}', 'speed', p('speeds'), fresh => true) > 0 AS protected;
SELECT try('SELECT privacct.set_priors(''pace'', fish.p(''speeds'') || ''{"bound": 30}'')'), try('SELECT privacct.set_priors(''pace'', fish.p(''speeds'') - ''centre'')'), privacct.set_priors('pace', jsonb_build_array(p('speeds') || '{"width": 0.2}', p('speeds'))) AS version;

--
-- Fits: whatever is made from protected rows is no source.
--
SET client_min_messages = error;
CREATE TABLE years (person int NOT NULL, hour int NOT NULL, place text, PRIMARY KEY (person, hour)) PARTITION BY LIST (person);
CREATE TABLE years_1 PARTITION OF years FOR VALUES IN (1) PARTITION BY LIST (hour);
CREATE TABLE years_1_1 PARTITION OF years_1 FOR VALUES IN (1);
CREATE TABLE years_2 PARTITION OF years FOR VALUES IN (2);
CREATE VIEW years_view AS SELECT y.person, y.hour, y.place FROM years_1 y;
CREATE VIEW years_twice AS SELECT * FROM (SELECT * FROM years_view WHERE hour IN (SELECT 1)) v;
CREATE MATERIALIZED VIEW years_kept AS SELECT * FROM years_twice;
CREATE TABLE years_copy AS SELECT * FROM years;
CREATE VIEW trip_over AS SELECT person, hour, place FROM trip_view;
RESET client_min_messages;
SELECT source, try(format('SELECT privacct.fit_chain_prior(%L, ''person'', ''{hour}'', ''place'', ''{home,shop,work}''::text[])', source)) FROM unnest('{trip,trip_view,trip_over,trip_copy,years,years_view}'::text[]) source;
-- fitted before the table is protected, from itself or from what reads it
SELECT source, try(format('SELECT privacct.protect_entries(''years'', ''person'', ''{hour}'', ''place'', privacct.fit_chain_prior(%L, ''person'', ''{hour}'', ''place'', ''{home,shop,work}''::text[]), fresh => true)', source))
FROM unnest('{years,years_1,years_1_1,years_2,years_view,years_twice,years_kept,trip}'::text[]) source;
BEGIN;
SELECT privacct.protect_entries('years', 'person', '{hour}', 'place', fit_chain_prior('years_copy', 'person', '{hour}', 'place', '{home,shop,work}'::text[]), fresh => true) > 0 AS from_a_copy;
SELECT source, try(format('SELECT privacct.fit_chain_prior(%L, ''person'', ''{hour}'', ''place'', ''{home,shop,work}''::text[])', source)) FROM unnest('{years,years_1_1,years_2,years_twice,years_kept,years_copy}'::text[]) source;
ROLLBACK;
CREATE FUNCTION undone(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RAISE EXCEPTION 'done';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ': ' || SQLERRM;
END
$$;
SELECT source, undone(format('SELECT privacct.protect_entries(''years'', ''person'', ''{hour}'', ''place'', %L, fresh => true)', p('places') || jsonb_build_object('source', source)))
FROM unnest('{fitted from fish.years,"fitted from \"",fitted from a.b.c.d.e,fitted from nothing,from memory}'::text[]) source;
-- who may not read the source cannot fit from it
SET ROLE regress_pa_nobody;
SELECT try('SELECT privacct.fit_chain_prior(''fish.history'', ''who'', ''{t}'', ''place'', ''{0,1}''::int[])');
RESET ROLE;

--
-- What keeps entries single, and the entry what it was declared to be.
--
SET ROLE regress_pa_dba;
CREATE TABLE walk (person int NOT NULL, hour int NOT NULL, place text NOT NULL, note text);
CREATE UNIQUE INDEX walk_index ON walk (hour, person) INCLUDE (note);
CREATE INDEX walk_third ON walk (place);
SELECT privacct.protect_entries('walk', 'person', '{hour}', 'place', fish.p('places'), fresh => true) > 0 AS protected;
SELECT privacct.set_public('walk', 'note');
SELECT statement, try(statement) FROM unnest(ARRAY['DROP INDEX walk_index', 'DROP INDEX walk_third', 'ALTER TABLE walk DROP COLUMN note',
	'ALTER TABLE walk ADD CONSTRAINT walk_once UNIQUE (person, hour)', 'DROP INDEX walk_index', 'ALTER TABLE walk DROP CONSTRAINT walk_once',
	'ALTER TABLE walk ALTER hour DROP NOT NULL', 'ALTER TABLE walk ALTER person DROP NOT NULL', 'ALTER TABLE walk DROP COLUMN hour', 'ALTER TABLE walk DROP COLUMN place', 'ALTER TABLE walk DROP COLUMN person', 'ALTER TABLE walk DROP COLUMN hour CASCADE',
	'ALTER TABLE walk ALTER place TYPE varchar(10)', 'ALTER TABLE walk ALTER place TYPE int USING 1', 'ALTER TABLE walk ALTER hour TYPE bigint', 'CREATE TABLE walk_child () INHERITS (walk)', 'ALTER TABLE walk ENABLE ROW LEVEL SECURITY',
	'GRANT SELECT ON walk TO regress_pa_nobody', 'ALTER TABLE walk ADD COLUMN more int', 'ALTER TABLE walk RENAME place TO spot', 'ALTER TABLE walk RENAME hour TO moment', 'ALTER TABLE walk RENAME person TO walker', 'ALTER TABLE walk RENAME TO stroll']) statement;
RESET ROLE;
SELECT d.column_name, k.keys, c.column_name, c.order_position, p.owner_column, p.relation FROM privacct.policy p JOIN privacct.domain d USING (policy_id) JOIN privacct.group_key k USING (policy_id) JOIN privacct.public_column c USING (policy_id) WHERE p.relation = 'stroll'::regclass ORDER BY 3;
SET ROLE regress_pa_dba;
SELECT privacct.grant_budget('stroll', 'regress_pa_analyst', 0.1);
RESET ROLE;
SET privacct.epsilon = 0.01;
SELECT ask('regress_pa_analyst', 'SELECT spot, count(*) > -10000 FROM stroll WHERE moment > 3 AND walker < 10 GROUP BY spot');
SELECT try('ALTER TABLE stroll DROP CONSTRAINT walk_once');
DROP TABLE stroll;
SELECT count(*) FROM privacct.policy WHERE relation_name = 'fish.walk' AND closed_at IS NULL;

--
-- Functions that the owner of a table put into an index run with the owner's rights,
-- whoever makes the plan: a superuser who looks, or declarations, which run as one.
--
GRANT CREATE ON SCHEMA fish TO regress_pa_other;
SET ROLE regress_pa_other;
CREATE TABLE trap (person int NOT NULL, hour int NOT NULL, place text, PRIMARY KEY (person, hour));
CREATE FUNCTION spring(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
	IF current_user <> 'regress_pa_other' THEN
		RAISE EXCEPTION 'runs as somebody else';
	END IF;
	RETURN $1;
END
$$;
CREATE INDEX ON trap ((hour + spring(1)));
\c -
SET search_path = fish, privacct, public;
SET ROLE regress_pa_other;
SELECT privacct.protect_entries('trap', 'person', '{hour}', 'place', p('places'), max_entries => 10, fresh => true) > 0 AS protected;
\c -
SET search_path = fish, privacct, public;
SELECT longest_owner FROM pufferfish_budget WHERE relation = 'trap'::regclass;
SELECT privacct.set_priors('trap', p('places'), max_entries => 11);
SET ROLE regress_pa_nobody;
SELECT try('SELECT privacct._longest_owner(''fish.trap'', ''person'')'), try('SELECT privacct._count_as_owner(''fish.trap'', ''SELECT 1::bigint'', NULL)');
RESET ROLE;
SET client_min_messages = warning;
DROP SCHEMA fish CASCADE;
DROP FOREIGN DATA WRAPPER regress_pa_wrapper CASCADE;
DROP OWNED BY regress_pa_dba, regress_pa_other, regress_pa_analyst, regress_pa_nobody;
DROP ROLE regress_pa_dba, regress_pa_other, regress_pa_analyst, regress_pa_nobody;
