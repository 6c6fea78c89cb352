--
-- The most frequent values: dp_topk and dp_mode, in both regimes and by both mechanisms.
-- With an epsilon this large the ranking is that of the rows, and ties fall by chance or in declared order.
--
\getenv abs_srcdir PG_ABS_SRCDIR
\set SHOW_CONTEXT never
\set helpers :abs_srcdir '/sql/include/asking.psql'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_pa_analyst;
CREATE SCHEMA ranks;
GRANT USAGE ON SCHEMA ranks TO PUBLIC;
SET search_path = ranks, privacct, public;
\i :helpers
-- of a to e there are 50, 40, 30, 20, 10; f is declared and never seen, x seen and not declared
CREATE TABLE sale (customer int NOT NULL, shop int NOT NULL, item text, amount int NOT NULL, day int NOT NULL, loose text);
INSERT INTO sale SELECT n, n % 2, i, 1 + ascii(i) - 97, n % 3, i FROM unnest('{a,b,c,d,e,x}'::text[], '{50,40,30,20,10,60}'::int[]) u(i, many), generate_series(1, many) n;
INSERT INTO sale SELECT n, 0, NULL, 0, 0, NULL FROM generate_series(1, 100) n;
CREATE TABLE step (person int NOT NULL, hour int NOT NULL, place text NOT NULL, zone int NOT NULL, PRIMARY KEY (person, hour));
INSERT INTO step SELECT n, ascii(i) - 97, i, n % 2 FROM unnest('{a,b,c,d,e,x}'::text[], '{50,40,30,20,10,60}'::int[]) u(i, many), generate_series(1, many) n;
CREATE TABLE hollow (customer int NOT NULL, item text);
CREATE TABLE single (customer int PRIMARY KEY, item text, size int);
INSERT INTO single SELECT i, chr(97 + i % 2), i % 4 FROM generate_series(1, 102) i;
SELECT privacct.protect('sale', 'customer', epsilon => 1e6, min_epsilon => 1e-6, delta => 0.1, max_groups_contributed => 6, max_rows_contributed => 2, fresh => true) > 0 AS sale, privacct.protect('hollow', 'customer', epsilon => 1e6, min_epsilon => 1e-6, fresh => true) > 0 AS hollow,
	privacct.protect('single', 'customer', epsilon => 1e6, min_epsilon => 1e-6, fresh => true) > 0 AS single,
	privacct.protect_entries('step', 'person', '{hour}', 'place', chain_prior('{a,b,c,d,e,f}'::text[], array_fill(1.0::float8 / 6, ARRAY[6,6])), 1e6, min_epsilon => 1e-6, fresh => true) > 0 AS step;
SELECT privacct.set_keys('sale', 'item', '{f,e,d,c,b,a}'::text[]), privacct.set_keys('sale', 'shop', '{0,1}'::int[]), privacct.set_keys('hollow', 'item', '{p,q,r}'::text[]), privacct.set_keys('single', 'item', '{a,b,c}'::text[]), privacct.set_keys('single', 'size', '{3,2,1,0}'::int[]),
	privacct.set_public('step', 'zone'), privacct.set_keys('step', 'zone', '{0,1}'::int[]), privacct.set_keys('step', 'person', '{1,2}'::int[]);
SELECT privacct.grant_budget(t::regclass, 'regress_pa_analyst', 1e6, CASE t WHEN 'sale' THEN 0.1 ELSE 0 END) FROM unnest('{sale,hollow,single,step}'::text[]) t;
-- the answer, what was charged, and by which mechanism
CREATE FUNCTION spent(OUT epsilon numeric, OUT delta numeric) LANGUAGE sql AS $$
	SELECT trim_scale(sum(a.epsilon)), trim_scale(sum(a.delta)) FROM privacct.account a JOIN privacct.policy p USING (policy_id) WHERE a.role = 0::regrole AND p.closed_at IS NULL
$$;
CREATE FUNCTION top(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	before record;
	answer text;
	after record;
	used text;
BEGIN
	SELECT * INTO before FROM spent();
	answer := ask('regress_pa_analyst', query);
	SELECT * INTO after FROM spent();
	IF after.epsilon > before.epsilon THEN
		SELECT coalesce(l.detail->'choice'->>'statistic' || ': ' || (l.detail->'choice'->>'draws') || ' draws of ' || round((l.detail->'choice'->>'epsilon')::numeric, 3),
			(SELECT string_agg(concat(s->>'statistic', ': ', s->>'kernel', ' ', l.detail->>'groups_per_owner', ' x ', s->>'sensitivity', ' at ', round((s->>'epsilon')::numeric, 3)), ', ') FROM jsonb_array_elements(l.detail->'statistics') s)) INTO used
		FROM privacct.ledger l ORDER BY charge_id DESC LIMIT 1;
		RETURN format('%s | epsilon %s delta %s | %s', answer, after.epsilon - before.epsilon, trim_scale(after.delta - before.delta), used);
	END IF;
	RETURN answer;
END
$$;
SET privacct.epsilon = 10000;
-- central: k of 1 by the exponential mechanism, of more by noised counts, unless the options say otherwise
SELECT q, top('SELECT ' || q) FROM unnest(ARRAY['dp_topk(item, 1) FROM sale', 'dp_topk(item, 2) FROM sale', 'dp_topk(item, 5) FROM sale', 'dp_mode(item) FROM sale',
	'dp_topk(item, 1, ''kernel=laplace'') FROM sale', 'dp_topk(item, 3, ''kernel=exponential'') FROM sale', 'dp_topk(item, 5, ''kernel=exponential'') FROM sale', 'dp_mode(item, ''kernel=laplace'') FROM sale', 'dp_mode(item, ''epsilon=500'') FROM sale',
	'dp_topk(item, 2, ''epsilon=500'') FROM sale', 'dp_topk(item, 2, ''kernel=gaussian, epsilon=500, delta=0.001'') FROM sale', 'dp_topk(item, 2, ''within=5'') FROM sale', 'dp_topk(item, 1, ''kernel=staircase, within=5'') FROM sale', 'dp_mode(item, NULL) FROM sale',
	'shop, dp_topk(item, 3) FROM sale GROUP BY shop', 'shop, dp_topk(item, 3, ''kernel=exponential'') FROM sale GROUP BY shop', 'shop, dp_mode(item) FROM sale GROUP BY shop', 'shop, dp_mode(item) FROM sale WHERE item <> ''a'' AND day > 0 GROUP BY shop',
	'shop, dp_mode(item) FROM sale GROUP BY shop HAVING dp_mode(item) = ''a'' ORDER BY shop DESC LIMIT 1', 'upper(dp_mode(item)) || shop || dp_mode(item) FROM sale GROUP BY shop', 'shop FROM sale GROUP BY shop HAVING ''b'' = ANY (dp_topk(item, 2))', '(dp_topk(item, 3))[2:3] FROM sale',
	'unnest(dp_topk(item, 3)) FROM sale', 'array_length(dp_topk(item, 3), 1), (SELECT count(*) FROM generate_series(1, 3)) FROM sale', 'dp_topk(item, 1 + 1) FROM (SELECT item, shop AS s FROM sale WHERE day < 2) v WHERE s = 0', 'm, count(*) FROM (SELECT shop, dp_mode(item) AS m FROM sale GROUP BY shop) x GROUP BY m',
	'shop + 10, dp_mode(item) FROM sale GROUP BY 1', 'dp_mode(item), dp_mode(item) FROM sale', 'dp_topk(size, 1) <@ ''{1,2}'' FROM single', 'item, dp_topk(size, 1, ''kernel=exponential'') FROM single GROUP BY item HAVING item < ''c''', 'dp_mode(loose) FROM sale', 'dp_topk(loose, 2) FROM sale']) q;
-- the largest groups are not all there are: k above their number gives all, by both mechanisms; an empty table and ties rank something
SELECT q, top('SELECT ' || q) FROM unnest(ARRAY['dp_topk(item, 6) = ''{a,b,c,d,e,f}'' FROM sale', 'dp_topk(item, 7) = ''{a,b,c,d,e,f}'' FROM sale', 'dp_topk(item, 100000) = ''{a,b,c,d,e,f}'' FROM sale', 'dp_topk(item, 100, ''kernel=exponential'') = ''{a,b,c,d,e,f}'' FROM sale',
	'cardinality(dp_topk(item, 2)), dp_topk(item, 2) <@ ''{p,q,r}'' FROM hollow', 'dp_mode(item) IN (''p'', ''q'', ''r'') FROM hollow', 'cardinality(dp_topk(item, 9, ''kernel=exponential'')) FROM hollow', 'cardinality(dp_topk(item, 2)) FROM sale WHERE false', 'dp_mode(item) IS NOT NULL FROM sale WHERE customer < 0',
	'dp_topk(item, 2) <@ ''{a,b}'' FROM single', 'dp_topk(item, 2, ''kernel=exponential'') <@ ''{a,b}'' FROM single']) q;
-- entries: one of them moves two counts of one run, or one count each of two runs where the runs are by entry
SELECT q, top('SELECT ' || q) FROM unnest(ARRAY['dp_topk(place, 1) FROM step', 'dp_topk(place, 3) FROM step', 'dp_topk(place, 5, ''kernel=exponential'') FROM step', 'dp_mode(place) FROM step', 'dp_mode(place, ''kernel=laplace, epsilon=500'') FROM step', 'dp_topk(place, 99) FROM step',
	'zone, dp_topk(place, 2) FROM step GROUP BY zone', 'zone, dp_topk(place, 2, ''kernel=exponential'') FROM step GROUP BY zone', 'zone, dp_mode(place) FROM step WHERE hour > 0 AND place <> ''b'' GROUP BY zone', 'person, dp_topk(place, 3) <@ ''{a,b,c,d,e}'' FROM step GROUP BY person',
	'place, dp_mode(zone) FROM step WHERE zone = 1 GROUP BY place HAVING place < ''f''', 'place, dp_mode(zone) FROM step WHERE zone = 1 AND place < ''c'' GROUP BY place HAVING place < ''c''', 'dp_mode(zone) FROM step WHERE zone = 1', 'dp_mode(zone) FROM step WHERE zone = 1 AND place = ''a''', 'dp_topk(place, 2, ''within=3'') FROM step', 'dp_mode(place, ''kernel=gaussian'') FROM step']) q;
-- refused, for nothing
SELECT epsilon FROM spent() \gset before_
SELECT q, top('SELECT ' || q) FROM unnest(ARRAY['dp_topk(item, 0) FROM sale', 'dp_topk(item, -1) FROM sale', 'dp_topk(item, NULL) FROM sale', 'dp_topk(item, 100001) FROM sale', 'dp_topk(item, 2147483647) FROM sale', 'dp_topk(item, shop) FROM sale', 'dp_topk(item, (SELECT 2)) FROM sale', 'dp_topk(item, 2.5) FROM sale',
	'dp_topk(item, (random() * 3)::int) FROM sale', 'dp_topk(item, 1 / 0) FROM sale', 'dp_topk(item) FROM sale', 'dp_topk(*) FROM sale', 'dp_topk(item, 2, item) FROM sale', 'dp_topk(item, 2, ''kernel=magic'') FROM sale', 'dp_topk(item, 2, ''k=3'') FROM sale', 'dp_topk(item, 2, ''epsilon=0'') FROM sale', 'dp_topk(item, 2, ''kernel'') FROM sale',
	'dp_mode(item, ''kernel=gaussian'') FROM single', 'dp_mode(item, ''kernel=exponential, epsilon=0.000000001'') FROM sale',
	'dp_topk(item, 2), count(*) FROM sale', 'dp_topk(item, 2), dp_topk(item, 3) FROM sale', 'dp_mode(item), dp_mode(shop) FROM sale', 'dp_mode(item) FROM sale HAVING count(*) > 1', 'dp_mode(item) FROM sale ORDER BY sum(amount)', 'dp_mode(item) FILTER (WHERE shop = 1) FROM sale', 'dp_mode(DISTINCT item) FROM sale', 'dp_mode(item ORDER BY shop) FROM sale',
	'dp_mode(item) OVER () FROM sale', 'item, dp_mode(item) FROM sale GROUP BY item', 'shop, dp_mode(item) FROM sale', 'shop, dp_mode(item) FROM sale GROUP BY ROLLUP (shop)', 'dp_mode(customer) FROM sale', 'customer, dp_mode(item) FROM sale GROUP BY customer', 'dp_mode(amount * random()) FROM sale', 'dp_mode((SELECT 1)) FROM sale',
	'dp_mode(sale) FROM sale', 'dp_mode(ctid) FROM sale', 'dp_mode(ARRAY[item]) FROM sale', '(SELECT dp_mode(s.item)) FROM sale s', '(SELECT dp_mode(s.item) FROM generate_series(1, 2)) FROM sale s', '(SELECT dp_mode(item) FROM sale WHERE shop < g) FROM generate_series(0, 1) g', 'dp_mode(a.item) FROM sale a JOIN sale b USING (shop)', 'DISTINCT ON (dp_mode(item)) 1 FROM sale GROUP BY shop, item',
	'dp_mode(dp_mode(item)) FROM sale', 'dp_topk(n, 2) FROM generate_series(1, 3) n', 'dp_mode(place) FROM step JOIN single ON person = customer', 'dp_mode(hour) FROM step', 'dp_mode(person + 1) FROM step', 'dp_mode(upper(place)) FROM step', 'hour, dp_mode(place) FROM step GROUP BY hour', 'dp_mode(zone) FROM step GROUP BY zone',
	'dp_mode(item) FROM nothing']) q;
SELECT epsilon = :before_epsilon AS free FROM spent();
SELECT privacct._first(n, n, -1) FROM generate_series(1, 3) n;
SELECT privacct._first(n, n, NULL) AS null_k, privacct._first(n, CASE WHEN n < 3 THEN n END, 2) AS null_score, privacct._top(ARRAY[n], n, 1) AS of_arrays FROM generate_series(1, 3) n;
SELECT privacct._first(n, n, 2) IS NULL AS nothing FROM generate_series(1, 0) n;
-- what is shown beforehand is what is charged
SET ROLE regress_pa_analyst;
EXPLAIN (COSTS OFF) SELECT shop, dp_topk(item, 3) FROM sale GROUP BY shop;
EXPLAIN (COSTS OFF) SELECT shop, dp_mode(item) FROM sale GROUP BY shop;
EXPLAIN (COSTS OFF) SELECT dp_topk(place, 2, 'kernel=exponential, epsilon=1') FROM step;
RESET ROLE;
SELECT q, ask('regress_pa_analyst', format('SELECT statistic, kernel, round(scale::numeric, 5), sensitivity, groups_per_owner, epsilon, trim_scale(delta::numeric), rho <= epsilon * 1.0001 FROM preview(%L) WHERE used', 'SELECT ' || q)) FROM unnest(ARRAY['dp_topk(item, 3) FROM sale', 'dp_mode(item) FROM sale', 'dp_topk(place, 3) FROM step', 'zone, dp_mode(place) FROM step GROUP BY zone']) q;
SELECT epsilon = :before_epsilon AS free FROM spent();
-- the session's choice of noise
SET privacct.kernel = 'laplace';
SELECT top('SELECT dp_mode(item) FROM sale');
SET privacct.within = 5;
RESET privacct.kernel;
SELECT top('SELECT dp_mode(item) FROM sale');
RESET privacct.within;
SET privacct.sample_rate = 0.5;
SELECT top('SELECT dp_mode(item, ''kernel=exponential'') FROM sale'), top('SELECT dp_mode(item) IN (''a'', ''b'') FROM sale') LIKE '(t)%laplace%' AS noised, top('SELECT dp_mode(place) FROM step');
RESET privacct.sample_rate;
SET ROLE regress_pa_analyst;
PREPARE q(int) AS SELECT dp_topk(item, $1) FROM sale;
EXECUTE q(2);
EXECUTE q(0);
SET plan_cache_mode = force_generic_plan;
EXECUTE q(3);
RESET plan_cache_mode;
DEALLOCATE q;
CREATE TEMPORARY TABLE kept AS SELECT shop, dp_topk(item, 2) AS best FROM sale GROUP BY shop;
SELECT * FROM kept ORDER BY shop;
RESET ROLE;
-- the odometer takes draws at their epsilon
SELECT epsilon_spent >= epsilon_tight AND epsilon_tight > 10000 AS drawn FROM odometer WHERE relation = 'single'::regclass;

-- policies of other kinds
CREATE TABLE by_rho (LIKE single INCLUDING ALL);
CREATE TABLE by_plan (LIKE single INCLUDING ALL);
CREATE TABLE by_kernels (LIKE single INCLUDING ALL);
CREATE TABLE by_owners (LIKE single INCLUDING ALL);
INSERT INTO by_rho SELECT i, chr(97 + (i % 3) / 2), 0 FROM generate_series(1, 99) i;
INSERT INTO by_plan SELECT * FROM by_rho;
INSERT INTO by_kernels SELECT * FROM by_rho;
INSERT INTO by_owners SELECT * FROM by_rho;
SELECT privacct.protect('by_rho', 'customer', epsilon => 1000, min_epsilon => 1e-6, delta => 0.01, accountant => 'zcdp', fresh => true) > 0 AS rho, privacct.protect('by_plan', 'customer', epsilon => 100, delta => 0.01, accountant => 'plan', fresh => true) > 0 AS plan,
	privacct.protect('by_kernels', 'customer', epsilon => 1000, min_epsilon => 1e-6, kernels => '{laplace,staircase}', fresh => true) > 0 AS kernels, privacct.protect('by_owners', 'customer', epsilon => 1000, min_epsilon => 1e-6, delta => 0.01, min_owners => 40, fresh => true) > 0 AS owners;
SELECT privacct.set_keys(t::regclass, 'item', '{c,b,a}'::text[]), privacct.grant_budget(t::regclass, 'regress_pa_analyst', 100, 0.001) FROM unnest('{by_rho,by_kernels,by_owners}'::text[]) t;
SET client_min_messages = error;
SELECT privacct.set_keys('by_plan', 'item', '{c,b,a}'::text[]), privacct.grant_budget('by_plan', 'regress_pa_analyst', 100, 0.001);
RESET client_min_messages;
SELECT count(*) FROM privacct.plan_budget('by_plan', '[{"kernel": "laplace", "releases": 2}]');
SET privacct.epsilon = 5;
SELECT t, top(format('SELECT dp_mode(item) = ''a'' FROM %s', t)) AS mode, top(format('SELECT dp_topk(item, 2, ''kernel=exponential'') IS NULL FROM %s', t)) AS exponential, top(format('SELECT (dp_topk(item, 2))[1] = ''a'' FROM %s', t)) AS top FROM unnest('{by_rho,by_plan,by_kernels,by_owners}'::text[]) t;
SELECT relation, trim_scale(rho_spent) > 0 AS rho, releases FROM odometer WHERE relation = 'by_rho'::regclass;
SELECT releases, used FROM privacct.plan WHERE relation = 'by_plan'::regclass;

-- keys too long to be told apart are one group, and make no runs
CREATE TABLE long_keys (LIKE single INCLUDING ALL);
INSERT INTO long_keys SELECT * FROM by_rho;
SET client_min_messages = error;
SELECT privacct.protect('long_keys', 'customer', epsilon => 1000, fresh => true) > 0 AS protected;
RESET client_min_messages;
SELECT privacct.set_keys('long_keys', 'item', ARRAY(SELECT repeat('x', 257) || i FROM generate_series(1, 3000) i) || '{b,a}'::text[]), privacct.set_keys('long_keys', 'size', '{0,1}'::int[]), privacct.grant_budget('long_keys', 'regress_pa_analyst', 100);
SELECT top('SELECT ' || q) FROM unnest(ARRAY['dp_mode(item) FROM long_keys', 'mode() WITHIN GROUP (ORDER BY item) FROM long_keys', 'item, dp_mode(size) FROM long_keys GROUP BY item HAVING item = ''a''',
	'dp_topk(item, 2, ''kernel=exponential'') FROM long_keys', 'item, dp_mode(size, ''kernel=exponential'') FROM long_keys GROUP BY item']) q;

-- what answers only in a block is refused above it before the block is paid for
SELECT epsilon AS before FROM spent() \gset
SELECT top('SELECT dp_mode(m) FROM (SELECT dp_mode(item) AS m FROM by_rho) x'), top('SELECT dp_count(n) FROM (SELECT item, count(*) AS n FROM by_rho GROUP BY item) x'),
	top('SELECT (SELECT dp_count(*)) FROM (SELECT count(*) AS n FROM by_rho) x'), top('SELECT 1 FROM (SELECT count(*) AS n FROM by_rho) x HAVING dp_sum(1, 0, 2) > 0');
SELECT top('WITH w AS (SELECT dp_count(n) FROM (SELECT item, count(*) AS n FROM by_rho GROUP BY item) x) SELECT * FROM w'),
	top('WITH w AS (SELECT 1 FROM (SELECT count(*) AS n FROM by_rho) x HAVING dp_sum(1, 0, 2) > 0) SELECT 1 FROM w, w v');
SELECT epsilon = :before AS free FROM spent();

SET client_min_messages = warning;
DROP SCHEMA ranks CASCADE;
DROP OWNED BY regress_pa_analyst;
DROP ROLE regress_pa_analyst;
