--
-- Whether releases from finite models compose, and what they leak.
--
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE SCHEMA fin;
SET search_path = fin, privacct;
CREATE FUNCTION rounded(m float8[], s int[], p float8[] DEFAULT NULL, pairs int[] DEFAULT NULL, OUT first int, OUT second int, OUT necessary numeric, OUT sufficient numeric, OUT verdict text)
	RETURNS SETOF record LANGUAGE sql AS 'SELECT first_secret, second_secret, round(necessary::numeric, 6), round(sufficient::numeric, 6), verdict FROM privacct.check_composable(m, s, p, pairs)';
\pset format unaligned
\pset footer off
-- the necessary condition, from the test vectors: the largest over the data sets of the first secret
CREATE TABLE vector (id text, m float8[], s int[], first int, second int, expected float8);
INSERT INTO vector VALUES
	('pub-048', '{{0.5246,0.4754},{0.5765,0.4235},{0.4195,0.5805}}', '{1,2,2}', 1, 2, 0.011058819664740704),
	('pub-048', '{{0.5246,0.4754},{0.5765,0.4235},{0.4195,0.5805}}', '{1,2,2}', 2, 1, 0.19973324621185273),
	('pub-050', '{{{0.0589,0.2102,0.7309,0},{0.0049,0.7435,0.2516,0},{0.1242,0.8133,0.0625,0},{0.0,0.16138192143871274,0.8386180785612873,0}},{{0.4259,0.1339,0.2303,0.2099},{0.249,0.1185,0.0549,0.5776},{0.1016,0.1508,0.6657,0.0819},{0.0247,0.2498,0.1543,0.5712}}}', '{1,1,2,2}', 1, 2, 2.4591100947439903),
	('pub-050', '{{{0.0589,0.2102,0.7309,0},{0.0049,0.7435,0.2516,0},{0.1242,0.8133,0.0625,0},{0.0,0.16138192143871274,0.8386180785612873,0}},{{0.4259,0.1339,0.2303,0.2099},{0.249,0.1185,0.0549,0.5776},{0.1016,0.1508,0.6657,0.0819},{0.0247,0.2498,0.1543,0.5712}}}', '{1,1,2,2}', 2, 1, 1.2164678340716373),
	('pub-051', '{{0.006,0.6213,0.3562,0.0165},{0.7303,0.2137,0.0164,0.0396},{0.3431,0.2773,0.191,0.1886},{0.0105,0.0668,0.533,0.3897},{0.0991,0.1595,0.4725,0.2689}}', '{1,2,2,2,2}', 1, 2, 0.8067141044479158),
	('pub-051', '{{0.006,0.6213,0.3562,0.0165},{0.7303,0.2137,0.0164,0.0396},{0.3431,0.2773,0.191,0.1886},{0.0105,0.0668,0.533,0.3897},{0.0991,0.1595,0.4725,0.2689}}', '{1,2,2,2,2}', 2, 1, 4.80169593939801),
	('pub-053', '{{{0.0176,0.9824,0},{0.8603,0.1397,0},{0.3282,0.6718,0}},{{0.1101,0.2399,0.65},{0.0343,0.1285,0.8372},{0.1551,0.4631,0.3818}}}', '{1,1,2}', 1, 2, 0.963657986971312),
	('pub-053', '{{{0.0176,0.9824,0},{0.8603,0.1397,0},{0.3282,0.6718,0}},{{0.1101,0.2399,0.65},{0.0343,0.1285,0.8372},{0.1551,0.4631,0.3818}}}', '{1,1,2}', 2, 1, 0.9714118168250414),
	('pub-055', '{{0.3,0.3,0.4},{0.1103638323514327,0.3,0.5896361676485673},{0.3,0.1103638323514327,0.5896361676485673}}', '{1,2,2}', 1, 2, 0.4999999999999999),
	('pub-055', '{{0.3,0.3,0.4},{0.1103638323514327,0.3,0.5896361676485673},{0.3,0.1103638323514327,0.5896361676485673}}', '{1,2,2}', 2, 1, 0.38804113457328837);
SELECT id, first, second, round(c.necessary::numeric, 6) AS necessary, abs(necessary - expected) < 1e-6 AS right, verdict
FROM vector, check_composable(m, s) c WHERE (c.first_secret, c.second_secret) = (first, second) ORDER BY id, first;
-- the sufficient condition, from the test vectors
SELECT id, round(sufficient::numeric, 6) AS sufficient, abs(sufficient - expected) < 1e-6 AS right, verdict
FROM (VALUES
	('pub-049', '{{0.5246,0.4754},{0.5765,0.4235},{0.4195,0.5805}}'::float8[], '{1,2,2}'::int[], '{0.6918,0.1561,0.1521}'::float8[], 0.06255361182249741),
	('pub-052', '{{0.006,0.6213,0.3562,0.0165},{0.7303,0.2137,0.0164,0.0396},{0.3431,0.2773,0.191,0.1886},{0.0105,0.0668,0.533,0.3897},{0.0991,0.1595,0.4725,0.2689}}'::float8[], '{1,2,2,2,2}'::int[], '{0.1397,0.1888,0.1982,0.2548,0.2185}'::float8[], 1.4259303355945794),
	('pub-054', '{{{0.0176,0.9824,0},{0.8603,0.1397,0},{0.3282,0.6718,0}},{{0.1101,0.2399,0.65},{0.0343,0.1285,0.8372},{0.1551,0.4631,0.3818}}}'::float8[], '{1,1,2}'::int[], '{0.1599,0.1676,0.6725}'::float8[], 0.963657986971312),
	('pub-056', '{{0.3,0.3,0.4},{0.1103638323514327,0.3,0.5896361676485673},{0.3,0.1103638323514327,0.5896361676485673}}'::float8[], '{1,2,2}'::int[], '{0.5,0.25,0.25}'::float8[], 0.4999999999999999)) v(id, m, s, p, expected),
	check_composable(m, s, p, '{{1,2}}') ORDER BY id;
-- leakage, from the test vectors
SELECT id, round(leakage::numeric, 9) AS leakage, abs(leakage - expected) < 1e-9 AS right
FROM (VALUES
	('pub-064', '{{0.4462,0.2107,0.3431},{0.1021,0.6855,0.2124},{0.1626,0.2419,0.5955},{0.1467,0.1589,0.6944}}'::float8[], '{{1,1,0,0},{0,0,1,1}}'::int[], '{{0.5348,0.2342,0.1146,0.1164},{0.1707,0.0978,0.6407,0.0908}}'::float8[], 1, '{{1,2},{2,1}}'::int[], 0.7923023115752486),
	('pub-065', '{{0.4284,0.3965,0.1751},{0.4577,0.4966,0.0457},{0.0122,0.8927,0.0951},{0.0797,0.8214,0.0989},{0.0046,0.2923,0.7031}}'::float8[], '{{1,1,0,0,0},{0,0,1,1,1}}'::int[], '{{0.021,0.2887,0.3352,0.0664,0.2887},{0.0498,0.1084,0.1777,0.574,0.0901}}'::float8[], 2, '{{1,2},{2,1}}'::int[], 5.704211829122172)) v(id, m, s, p, k, pairs, expected),
	pufferfish_leakage(m, s, p, k, pairs) leakage ORDER BY id;
-- The first collapse: the true data set beside one drawn from the other secret.  One run says nothing, two say all.
CREATE FUNCTION decoy(p1 float8[], p2 float8[]) RETURNS float8[] LANGUAGE sql AS $$
	SELECT array_agg(likelihood ORDER BY d) FROM generate_series(1, cardinality(p1) + cardinality(p2)) d,
		LATERAL (SELECT array_agg(CASE d WHEN i THEN p2[j] WHEN cardinality(p1) + j THEN p1[i] ELSE 0 END ORDER BY i, j) AS likelihood
			FROM generate_series(1, cardinality(p1)) i, generate_series(1, cardinality(p2)) j) l $$;
CREATE TABLE collapse (id text, m float8[], s int[], p float8[], leak float8);
INSERT INTO collapse SELECT 'pub-058', decoy(p1, p2), '{1,1,2,2}', (SELECT array_agg(0.5 * p) FROM unnest(p1) p) || (SELECT array_agg((1 - 0.5) * p) FROM unnest(p2) p), 0
	FROM (VALUES ('{0.5,0.5}'::float8[], '{0.5,0.5}'::float8[])) v(p1, p2);
INSERT INTO collapse SELECT 'pub-059', decoy(p1, p2), '{1,1,1,2,2}', (SELECT array_agg(0.3 * p) FROM unnest(p1) p) || (SELECT array_agg((1 - 0.3) * p) FROM unnest(p2) p), 0
	FROM (VALUES ('{0.7,0.2,0.1}'::float8[], '{0.25,0.75}'::float8[])) v(p1, p2);
-- The second: bits, each of which is a secret; either all differences to the first one, or a parity.
CREATE FUNCTION bit_of(d int, i int, n int) RETURNS int LANGUAGE sql AS 'SELECT d >> (n - i) & 1';
CREATE FUNCTION differences(n int) RETURNS float8[] LANGUAGE sql AS $$
	SELECT array_agg(likelihood ORDER BY d) FROM generate_series(0, (1 << n) - 1) d,
		LATERAL (SELECT (1 << (n - 1)) - 1 AS low) l,
		LATERAL (SELECT (d & low) # (low * bit_of(d, 1, n)) AS first, low + 1 + bit_count((CASE n % 2 WHEN 1 THEN d ELSE d & low END)::bit(8)) % 2 AS second) o,
		LATERAL (SELECT array_agg(CASE WHEN w IN (first, second) THEN 0.5 ELSE 0 END ORDER BY w) AS likelihood FROM generate_series(0, low + 2) w) w $$;
CREATE FUNCTION bits(n int) RETURNS int[] LANGUAGE sql AS $$
	SELECT array_agg(holds ORDER BY i, v) FROM generate_series(1, n) i, generate_series(0, 1) v,
		LATERAL (SELECT array_agg((bit_of(d, i, n) = v)::int ORDER BY d) AS holds FROM generate_series(0, (1 << n) - 1) d) h $$;
INSERT INTO collapse SELECT 'pub-060', differences(3), bits(3), array_agg(0.5 ^ 3), 0 FROM generate_series(1, 1 << 3);
INSERT INTO collapse SELECT 'pub-061', differences(4), bits(4), array_agg(0.5 ^ 4), 0 FROM generate_series(1, 1 << 4);
-- The third: intervals of priors, as their corners.  The printed epsilon of pub-063 is 0.588.
INSERT INTO collapse SELECT 'pub-062', decoy('{0.5,0.5}', '{0.5,0.5}'), '{1,1,2,2}', array_agg(ARRAY[t / 2, (1 - t) / 2, f / 2, (1 - f) / 2]), 0.7731898882334818
	FROM unnest('{0.3,0.6}'::float8[]) t, unnest('{0.35,0.65}'::float8[]) f;
INSERT INTO collapse SELECT 'pub-063', decoy('{0.5,0.5}', '{0.5,0.5}'), '{1,1,2,2}', array_agg(ARRAY[t / 2, (1 - t) / 2, f / 2, (1 - f) / 2]), 1.6094379124341003
	FROM unnest('{0.1,0.1}'::float8[]) t, unnest('{0.5,0.5}'::float8[]) f;
SELECT id, round(pufferfish_leakage(m, s, p)::numeric, 9) AS one_run, abs(pufferfish_leakage(m, s, p) - leak) < 1e-9 AS right,
	pufferfish_leakage(m, s, p, 2) AS two_runs FROM collapse ORDER BY id;
SELECT id, count(*) AS pairs, min(necessary) AS necessary, min(sufficient) AS sufficient, min(verdict), max(verdict)
FROM collapse, check_composable(m, s, p) GROUP BY id ORDER BY id;
SELECT id, min(necessary) AS without_prior, min(verdict), max(verdict) FROM collapse, check_composable(m, s) GROUP BY id ORDER BY id;
SELECT c.* FROM collapse, rounded(m, s, p) c WHERE id = 'pub-060';
-- not sufficient: one run is far below the necessary epsilon, two are above
CREATE FUNCTION above(OUT m float8[], OUT s int[], OUT p float8[]) LANGUAGE sql AS
	$$ SELECT '{{0.45,0.55},{0.03,0.97},{0.9,0.1}}'::float8[], '{1,2,2}'::int[], '{0.5,0.35,0.15}'::float8[] $$;
SELECT runs, round(pufferfish_leakage(m, s, p, runs)::numeric, 3) AS leakage, round((pufferfish_leakage(m, s, p, runs) / runs)::numeric, 3) AS per_run
FROM above(), unnest('{1,2,3,10,1000}'::int[]) runs;
SELECT c.* FROM above(), rounded(m, s, p) c;
-- without a prior: what does for whatever prior, which is what the worst one leaks in one run
SELECT c.*, round(pufferfish_leakage(m, s, '{{0.5,0.5,0},{0.5,0,0.5}}', 1, ARRAY[[first, second]])::numeric, 6) AS worst FROM above(), rounded(m, s) c;
-- pairs by choice, data sets of no secret (which may lack mass), nulls in secrets
SELECT * FROM rounded('{{0.5,0.5},{0.25,0.75},{1,0}}', '{1,2,0}', '{0.5,0.5,0}', '{{2,1}}');
SELECT * FROM rounded('{{0.5,0.5},{0.25,0.75},{1,0}}', '{1,2,NULL}', '{0.5,0.25,0.25}', '{{2,1}}');
-- only what has mass matters, and a prior without mass on one side compares nothing
SELECT * FROM rounded('{{0.5,0.5},{0.25,0.75},{1,0}}', '{1,2,2}', '{0.5,0.5,0}');
SELECT * FROM rounded('{{0.5,0.5},{0.25,0.75},{1,0}}', '{1,2,2}', '{0.5,0,0.5}');
SELECT * FROM rounded('{{0.5,0.5},{0.25,0.75},{1,0}}', '{1,2,3}', '{0.5,0.5,0}');
SELECT pufferfish_leakage('{{0.5,0.5},{0.25,0.75},{1,0}}', '{1,2,3}', '{0.5,0.5,0}') - ln(2::float8) BETWEEN -1e-9 AND 1e-9 AS right;
-- several priors: the worst of them
SELECT count(*), bool_and(c.necessary = greatest(a.necessary, b.necessary)) AS necessary, bool_and(c.sufficient = greatest(a.sufficient, b.sufficient)) AS sufficient
FROM above(), LATERAL (SELECT '{0.2,0.2,0.6}'::float8[] AS q) q, check_composable(m, s, p) a, check_composable(m, s, q) b, check_composable(m, s, ARRAY[p, q]) c
WHERE (a.first_secret, a.second_secret) = (b.first_secret, b.second_secret) AND (a.first_secret, a.second_secret) = (c.first_secret, c.second_secret);
-- a mechanism beside itself, with an output that never comes, or with one that says nothing
SELECT bool_and(abs(a.necessary - b.necessary) < 1e-9 AND abs(a.sufficient - b.sufficient) < 1e-9) AS twice
FROM above(), check_composable(m, s, p) a, check_composable('{{{0.45,0.55,0},{0.03,0.97,0},{0.9,0.1,0}},{{0,0.45,0.55},{0,0.03,0.97},{0,0.9,0.1}},{{0.2,0.2,0.6},{0.2,0.2,0.6},{0.2,0.2,0.6}}}', s, p) b
WHERE (a.first_secret, a.second_secret) = (b.first_secret, b.second_secret);
-- mass that nothing may be carried to: one more ln(1/mass) in all does, whatever the number of runs
SELECT runs, round(pufferfish_leakage('{{0.5,0.5,0},{0.5,0.5,0},{0,0.5,0.5}}', '{1,2,2}', '{0.5,0.25,0.25}', runs, '{{1,2}}')::numeric, 6) AS leakage FROM unnest('{1,2,10}'::int[]) runs;
SELECT * FROM rounded('{{0.5,0.5,0},{0.5,0.5,0},{0,0.5,0.5}}', '{1,2,2}', '{0.5,0.25,0.25}');
SELECT * FROM rounded('{{0.5,0.5,0},{0.5,0.5,0},{0,0.5,0.5}}', '{1,2,2}');
-- random models: what is sufficient is never exceeded, and never below what is necessary; what is necessary holds in the long run
CREATE TABLE model AS SELECT (SELECT array_agg(ARRAY[x[3 * d + 1] / t, x[3 * d + 2] / t, x[3 * d + 3] / t] ORDER BY d)
		FROM generate_series(0, 3) d, LATERAL (SELECT x[3 * d + 1] + x[3 * d + 2] + x[3 * d + 3] AS t) t) AS m,
	ARRAY[x[13] / u, x[14] / u, x[15] / u, x[16] / u] AS p
FROM setseed(0.5), generate_series(1, 100) g, LATERAL (SELECT array_agg(random() + 0.02 + 0 * (g + i)) AS x FROM generate_series(1, 16) i) x,
	LATERAL (SELECT x[13] + x[14] + x[15] + x[16] AS u) u;
SELECT count(*), count(DISTINCT m), bool_and(necessary <= sufficient + 1e-9) AS ordered, bool_and(per_run[1] <= sufficient + 1e-9 AND per_run[2] <= sufficient + 1e-9 AND per_run[3] <= sufficient + 1e-9 AND per_run[4] <= sufficient + 1e-9) AS never_exceeded,
	bool_and(per_run[4] <= necessary + ln(1 / least(p[1] / (p[1] + p[2]), p[2] / (p[1] + p[2]), p[3] / (p[3] + p[4]), p[4] / (p[3] + p[4]))) / 40 + 1e-9) AS long_run,
	count(*) FILTER (WHERE per_run[1] < necessary - 1e-9) AS one_run_below, count(*) FILTER (WHERE per_run[2] > necessary + 1e-9) AS two_runs_above
FROM model, check_composable(m, '{1,1,2,2}', p) c,
	LATERAL (SELECT array_agg(pufferfish_leakage(m, '{1,1,2,2}', p, runs, ARRAY[[first_secret, second_secret]]) / runs ORDER BY runs) AS per_run FROM unnest('{1,2,3,40}'::int[]) runs) l;
-- more than can be computed, and more than is waited for
CREATE TABLE large AS SELECT array_agg(r ORDER BY d) AS m, array_agg(1 + d % 2 ORDER BY d) AS s, array_agg(1.0::float8 / 400) AS p
FROM generate_series(1, 400) d, LATERAL (SELECT array_agg((1 + (d * w * w + w) % 7) / t ORDER BY w) AS r
	FROM generate_series(1, 500) w, LATERAL (SELECT sum(1.0::float8 + (d * v * v + v) % 7) AS t FROM generate_series(1, 500) v) t) r;
CREATE FUNCTION try(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
	answer text;
BEGIN
	EXECUTE 'SELECT string_agg(x::text, '' '') FROM privacct.' || query || ' x' INTO answer;
	RETURN answer;
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	RETURN concat_ws(' - ', SQLSTATE || ': ' || SQLERRM, nullif(detail, ''));
END
$$;
SELECT try(format('pufferfish_leakage(%L, %L, %L, 4)', m, s, p)) FROM large;
SET statement_timeout = '200ms';
SELECT c.* FROM large, check_composable(m, s) c;
SELECT pufferfish_leakage(m, s, p, 2) FROM large;
RESET statement_timeout;
-- bad input
SELECT q, try(q) FROM unnest(ARRAY[
	'check_composable(NULL, ''{1,2}'')', 'check_composable(''{}'', ''{1,2}'')', 'check_composable(''{0.5,0.5}'', ''{1,2}'')', 'check_composable(''{{{{1}}}}'', ''{1}'')',
	'check_composable(''{{0.5,0.6},{0.5,0.5}}'', ''{1,2}'')', 'check_composable(''{{0.5,0.5},{1.5,-0.5}}'', ''{1,2}'')', 'check_composable(''{{NaN,1},{0,1}}'', ''{1,2}'')',
	'check_composable(''{{Infinity,0},{0,1}}'', ''{1,2}'')', 'check_composable(''{{NULL,1},{0,1}}'', ''{1,2}'')', 'check_composable(''{{{1,0},{0,1}},{{1,0},{0.3,0.3}}}'', ''{1,2}'')',
	'check_composable(''{{1,0},{0,1}}'', NULL)', 'check_composable(''{{1,0},{0,1}}'', ''{}'')', 'check_composable(''{{1,0},{0,1}}'', ''{1,2,2}'')', 'check_composable(''{{1,0},{0,1}}'', ''{1,1}'')',
	'check_composable(''{{1,0},{0,1}}'', ''{0,0}'')', 'check_composable(''{{1,0},{0,1}}'', ''{1,-1}'')', 'check_composable(''{{1,0},{0,1}}'', ''{1,2147483647}'')', 'check_composable(''{{1,0},{1,0},{0,1}}'', ''{1,1,3}'')',
	'check_composable(''{{1,0},{0,1}}'', ''{{1,0},{0,0}}'')', 'check_composable(''{{1,0},{0,1}}'', ''{{1,0},{0,2}}'')', 'check_composable(''{{1,0},{0,1}}'', ''{{1,0},{1,1}}'')', 'check_composable(''{{1,0},{0,1}}'', ''{{1,0,0}}'')',
	'check_composable(''{{1,0},{0,1}}'', ''{1,2}'', ''{0.5}'')', 'check_composable(''{{1,0},{0,1}}'', ''{1,2}'', ''{0.5,0.6}'')', 'check_composable(''{{1,0},{0,1}}'', ''{1,2}'', ''{{0.5,0.5},{2,-1}}'')',
	'check_composable(''{{1,0},{0,1}}'', ''{1,2}'', ''{NULL,1}'')', 'check_composable(''{{1,0},{0,1}}'', ''{1,2}'', ''{NaN,1}'')', 'check_composable(''{{1,0},{0,1}}'', ''{1,2}'', ''{}'')',
	'check_composable(''{{1,0},{0,1}}'', ''{1,2}'', NULL, ''{}'')', 'check_composable(''{{1,0},{0,1}}'', ''{1,2}'', NULL, ''{1,2}'')', 'check_composable(''{{1,0},{0,1}}'', ''{1,2}'', NULL, ''{{1,2,1}}'')',
	'check_composable(''{{1,0},{0,1}}'', ''{1,2}'', NULL, ''{{1,3}}'')', 'check_composable(''{{1,0},{0,1}}'', ''{1,2}'', NULL, ''{{1,2},{0,1}}'')', 'check_composable(''{{1,0},{0,1}}'', ''{1,2}'', NULL, ''{{1,1}}'')',
	'check_composable(''{{1,0},{0,1}}'', ''{1,2}'', NULL, ''{{1,NULL}}'')', 'check_composable(array_fill(1.0::float8, ARRAY[4097,1]), array_fill(1, ARRAY[4097]))',
	'check_composable(array_fill(1.0::float8, ARRAY[1,1]), array_fill(1, ARRAY[4097,1]))', 'check_composable(''{{1,0},{0,1}}'', ''{1,2}'', NULL, (SELECT array_agg(ARRAY[1, 2]) FROM generate_series(1, 65537)))',
	'check_composable(array_fill(0.00001::float8, ARRAY[2,100000]), ''{1,2}'')',
	'pufferfish_leakage(''{{{1,0},{0,1}}}'', ''{1,2}'', ''{0.5,0.5}'')', 'pufferfish_leakage(''{{1,0},{0,1}}'', ''{1,2}'', NULL)', 'pufferfish_leakage(''{{1,0},{0,1}}'', ''{1,2}'', ''{1,0}'')',
	'pufferfish_leakage(''{{1,0},{0,1}}'', ''{1,2}'', ''{0.5,0.5}'', 0)', 'pufferfish_leakage(''{{1,0},{0,1}}'', ''{1,2}'', ''{0.5,0.5}'', 1001)', 'pufferfish_leakage(''{{1,0},{0,1}}'', ''{1,2}'', ''{0.5,0.5}'', NULL)',
	'pufferfish_leakage(''{{1,0},{0,1}}'', ''{1,2}'', ''{0.5,0.5}'')']) q;
SELECT * FROM check_composable('{{0.7,0.3},{0.4,0.5}}', '{1,2}');
SET client_min_messages = warning;
DROP SCHEMA fin CASCADE;
