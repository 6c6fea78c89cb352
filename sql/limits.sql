-- What bounds the contribution of an owner to a group: so many rows, or bounds of the sum; of
-- the policy, the session or an aggregate; which is taken, and who says so.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir '/sql/include/asking.psql'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_pl_steward;
GRANT privacct_admin TO regress_pl_steward;
CREATE ROLE regress_pl_analyst;
CREATE SCHEMA limits AUTHORIZATION regress_pl_steward;
GRANT USAGE ON SCHEMA limits TO PUBLIC;
SET search_path = limits, privacct;
\ir :helpers
\pset format unaligned
\pset footer off
CREATE FUNCTION ask(query text) RETURNS text LANGUAGE sql AS $$ SELECT ask('regress_pl_analyst', query) $$;
CREATE FUNCTION declare(call text) RETURNS text LANGUAGE sql AS $$ SELECT ask('regress_pl_steward', 'SELECT privacct.' || call) $$;
-- the noise lines of EXPLAIN
CREATE FUNCTION noise(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE line text;
BEGIN
	PERFORM set_config('role', 'regress_pl_analyst', true);
	FOR line IN EXECUTE 'EXPLAIN ' || query LOOP
		IF line ~ 'Noise|per Owner' THEN RETURN NEXT trim(line); END IF;
	END LOOP;
	PERFORM set_config('role', 'none', true);
END
$$;
CREATE FUNCTION previewed(query text) RETURNS TABLE(statistic text, used boolean, sensitivity float8, groups_per_owner int, owner_limit text) LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('role', 'regress_pl_analyst', true);
	RETURN QUERY SELECT p.statistic, p.used, round(p.sensitivity::numeric, 2)::float8, p.groups_per_owner, p.owner_limit FROM privacct.preview(query) p WHERE p.kernel = 'laplace';
	PERFORM set_config('role', 'none', true);
END
$$;
SET privacct.epsilon = 20000;

-- owner 1 has 10 rows of 50 in A, 2 one of 500 in A and one of 10 in B, 3 rows of null in A, 4 one of -20 and 30 of 10 in B
CREATE TABLE visit (o int NOT NULL, ward text NOT NULL, cost int, share numeric, day date, flag boolean);
INSERT INTO visit SELECT 1, 'A', 50, 0.5, '2024-01-01', true FROM generate_series(1, 10);
INSERT INTO visit VALUES (2, 'A', 500, 0.1, '2024-01-01', true), (2, 'B', 10, 1, '2024-01-01', false), (3, 'A', NULL, NULL, NULL, NULL), (3, 'A', NULL, NULL, NULL, NULL);
INSERT INTO visit SELECT 4, 'B', CASE k WHEN 1 THEN -20 ELSE 10 END, 0.5, '2024-01-01', false FROM generate_series(1, 31) k;
ALTER TABLE visit OWNER TO regress_pl_steward;
SELECT declare($$protect('limits.visit', 'o', epsilon => 1e6, min_epsilon => 1e-6, max_groups_contributed => 2, max_rows_contributed => 4)$$) ~ '^\(\d+\)$' AS protected,
	declare($$grant_budget('limits.visit', 'regress_pl_analyst', 1e6)$$), declare($$set_keys('limits.visit', 'ward', '{A,B,C}'::text[])$$);

--
-- Bounds of sums, as an option: rows are clamped first
--

SELECT ask('SELECT ward, round(dp_sum(cost, 0, 100, ''per_owner=0:300'')::numeric, -1) FROM limits.visit GROUP BY 1 ORDER BY 1');
SELECT ask('SELECT ward, round(dp_sum(cost, -100, 1000, ''per_owner=-1000:1000'')::numeric, -1) FROM limits.visit GROUP BY 1 ORDER BY 1');
-- nobody without a value adds anything, whatever the lower bound is
SELECT ask('SELECT ward, round(dp_sum(cost, 0, 100, ''per_owner=150:200'')::numeric, -1) FROM limits.visit GROUP BY 1 ORDER BY 1');
SELECT ask('SELECT ward, round(dp_sum(cost, -10, 1000, ''per_owner=-30:-5'')::numeric, -1) FROM limits.visit GROUP BY 1 ORDER BY 1');
-- all rows of an owner count, or, with max_rows, as much as so many can
SELECT ask('SELECT round(dp_sum(cost, 0, 100, ''per_owner=0:1000'')::numeric, -1), round(dp_sum(cost, 0, 100)::numeric, -1), round(dp_sum(cost, 0, 100, ''max_rows=3'')::numeric, -1), dp_count(cost), dp_count(cost, ''max_rows=30''), count(*) FROM limits.visit');
SELECT ask('SELECT round(dp_sum(cost, 0, 100, ''per_owner=0:1000'')::numeric, -1) FROM limits.visit WHERE cost > 40');
SELECT ask('SELECT round((dp_sum(cost, 0, 100, ''per_owner=0:1000'') FILTER (WHERE cost > 40))::numeric, -1) FROM limits.visit');
SELECT ask('SELECT (dp_sum(flag, ''per_owner=0:5''))::bigint FROM limits.visit');
-- averages: all rows are in the sum, but those within max_rows in the count
SELECT m, set_config('privacct.max_rows', m, false), ask('SELECT round(dp_avg(cost, 0, 100, ''per_owner=0:1000'')::numeric), round(dp_avg(cost, 0, 100, ''per_owner=0:200'')::numeric), round(dp_avg(cost, -100, 0, ''per_owner=-10:0'')::numeric), round(dp_avg(cost, 0, 100)::numeric) FROM limits.visit') FROM unnest('{4,31}'::text[]) m;
RESET privacct.max_rows;
SELECT ask('SELECT dp_avg(cost, 0, 100, ''per_owner=0:1000'') BETWEEN 0 AND 100 FROM limits.visit WHERE cost > 1000');
SELECT * FROM noise('SELECT dp_avg(cost, 0, 100, ''per_owner=0:300''), dp_avg(cost, 40, 60, ''per_owner=0:300''), dp_sum(cost, 0, 100, ''per_owner=0:300''), count(cost) FROM limits.visit');
-- within an error
SELECT * FROM noise('SELECT dp_avg(cost, 0, 100, ''per_owner=0:300, within=5'') FROM limits.visit');
-- what differs in its limits is not shared
SELECT ask('SELECT round(dp_sum(cost, 0, 100, ''per_owner=0:100'')::numeric, -1), round(dp_sum(cost, 0, 100, ''per_owner=0:300'')::numeric, -1), dp_count(cost, ''max_rows=1''), dp_count(cost, ''max_rows=3'') FROM limits.visit');
-- large and small bounds beside each other
SELECT ask('SELECT (dp_sum(cost, 0, 100, ''per_owner=0:1e15'') / 1e14)::bigint, (dp_sum(cost, -1e9, 1e9, ''per_owner=-3:3''))::bigint, (dp_sum(cost, -1e50, 1e50, ''per_owner=-3:3''))::bigint, (dp_sum(cost, 0, 100, ''per_owner=0:1e100'') / 1e99)::bigint FROM limits.visit');

-- what they change, as preview and EXPLAIN have it
SELECT * FROM noise('SELECT dp_sum(cost, 0, 100, ''per_owner=0:300''), dp_sum(cost, 0, 100), dp_sum(cost, 0, 100, ''max_rows=3''), count(*) FROM limits.visit');
SELECT * FROM previewed('SELECT dp_sum(cost, 0, 100, ''per_owner=-300:200''), dp_avg(cost, 0, 100), dp_avg(cost, 0, 100, ''max_rows=3''), count(*), count(DISTINCT o) FROM limits.visit');

-- refusals
SELECT ask('SELECT dp_sum(cost, 0, 100, ''per_owner=' || bounds || ''') FROM limits.visit') FROM unnest('{5,5:,:5,5:x,1:2:3,5:5,6:5,0:1e101,-1e-101:1e-101,nan:5,0:inf,0x1:5}'::text[]) bounds;
SELECT ask('SELECT dp_sum(cost, 0, 100, ''max_rows=' || n || ''') FROM limits.visit') FROM unnest('{0,1.5,-1,1000000001,x}'::text[]) n;
SELECT ask('SELECT dp_sum(cost, 0, 100, ''max_rows=2, per_owner=0:5'') FROM limits.visit');
SELECT ask('SELECT ' || a || '(cost, 0, 100, ''per_owner=0:5'') FROM limits.visit') FROM unnest('{dp_variance,dp_stddev_pop}'::text[]) a;
SELECT ask('SELECT dp_count(cost, ''per_owner=0:5'') FROM limits.visit');
SELECT ask('SELECT dp_sum(cost, 0, 100, ''per_owner=0:'' || cost) FROM limits.visit');

--
-- Bounds of sums that are declared: the limit with less noise is taken
--

SELECT declare('set_owner_bounds(''limits.visit'', ''' || c || ''', ' || b || ')') FROM (VALUES ('cost', '0, 0'), ('cost', '5, 1'), ('cost', '0, ''infinity'''), ('cost', '0, NULL'), ('cost', '0, ''nan'''),
	('cost', '-1e-101, 1e-101'), ('o', '0, 5'), ('day', '0, 5'), ('ward', '0, 5'), ('nothing', '0, 5')) v(c, b);
SELECT declare('set_owner_bounds(''limits.visit'', ''cost'', 0, 300)');
-- they bound sums, not values
SELECT ask('SELECT sum(cost) FROM limits.visit');
SELECT * FROM noise('SELECT dp_sum(cost, 0, 100), dp_sum(cost, 0, 70), dp_sum(cost, 0, 100, ''max_rows=5''), dp_avg(cost, 0, 100) FROM limits.visit');
SELECT declare('set_bounds(''limits.visit'', ''cost'', 0, 100)'), declare('set_bounds(''limits.visit'', ''share'', 0, 1)'), declare('set_owner_bounds(''limits.visit'', ''share'', 0.5, 3)');
SELECT ask('SELECT ward, sum(cost) FROM limits.visit GROUP BY 1 ORDER BY 1');
SELECT * FROM previewed('SELECT sum(cost), dp_sum(cost, 0, 70), dp_sum(cost, 0, 100, ''max_rows=5''), dp_sum(cost, 0, 100, ''per_owner=0:7''), avg(cost) FROM limits.visit');
-- through expressions
SELECT e, n FROM string_to_table('cost;-cost;cost * 2;cost * share;cost / 2.0;cost + cost;cost + 1;cost - share;cost::float8 * (1 - share);CASE WHEN flag THEN cost END;CASE WHEN flag THEN cost ELSE 0 END;CASE WHEN flag THEN cost ELSE 1 END;CASE WHEN flag THEN cost ELSE -share END;coalesce(cost, 0);abs(cost);round(share);greatest(cost, 1);(cost - 50) * share;flag::int', ';') e,
	LATERAL noise('SELECT dp_sum(' || e || ', 0, 100) FROM limits.visit') n WHERE n LIKE 'Noise%';
SELECT * FROM noise('SELECT dp_sum(x, 0, 100) FROM (SELECT o, -cost AS x FROM limits.visit) v');
SELECT * FROM noise('SELECT dp_sum(x, 0, 100) FROM (SELECT o, sum(cost) AS x FROM limits.visit GROUP BY o) v');
-- who may declare, and what
SELECT ask('SELECT privacct.set_owner_bounds(''limits.visit'', ''cost'', 0, 1)');
SELECT column_name, lo, hi, owner_lo, owner_hi FROM privacct.bound JOIN privacct.policy USING (policy_id) WHERE relation = 'visit'::regclass ORDER BY 1;
SELECT declare('drop_bounds(''limits.visit'', ''cost'')'), declare('set_owner_bounds(''limits.visit'', ''share'', NULL, NULL)');
SELECT column_name, lo, hi, owner_lo, owner_hi FROM privacct.bound JOIN privacct.policy USING (policy_id) WHERE relation = 'visit'::regclass ORDER BY 1;
-- not lost unseen
SET ROLE regress_pl_steward;
ALTER TABLE limits.visit ALTER cost TYPE text;
ALTER TABLE limits.visit RENAME cost TO price;
RESET ROLE;
SELECT column_name, lo, hi, owner_lo, owner_hi FROM privacct.bound JOIN privacct.policy USING (policy_id) WHERE relation = 'visit'::regclass ORDER BY 1;
SELECT declare('drop_owner_bounds(''limits.visit'', ''price'')');
SET ROLE regress_pl_steward;
ALTER TABLE limits.visit RENAME price TO cost;
RESET ROLE;
SELECT column_name, lo, hi, owner_lo, owner_hi FROM privacct.bound JOIN privacct.policy USING (policy_id) WHERE relation = 'visit'::regclass ORDER BY 1;

--
-- Limits of the session
--

SET privacct.max_rows = 20;
SELECT ask('SELECT count(*), dp_count(cost, ''max_rows=2''), round(dp_sum(cost, 0, 100)::numeric, -1) FROM limits.visit');
SELECT * FROM noise('SELECT count(*), dp_count(cost, ''max_rows=2''), round(dp_sum(cost, 0, 100)::numeric, -1) FROM limits.visit');
SET privacct.max_groups = 1;
SELECT * FROM noise('SELECT ward, count(*) FROM limits.visit GROUP BY 1');
SELECT ask('SELECT sum(n) FROM (SELECT ward, count(DISTINCT o) AS n FROM limits.visit GROUP BY 1) w');
SET privacct.max_groups = 3;
SELECT ask('SELECT sum(n) FROM (SELECT ward, count(DISTINCT o) AS n FROM limits.visit GROUP BY 1) w');
SELECT * FROM noise('SELECT ward, count(*) FROM limits.visit GROUP BY 1');
-- as large as they can be
SET privacct.max_groups = 1000000;
SELECT ask('SELECT cost, count(*) FROM limits.visit GROUP BY 1'), ask('SELECT count(DISTINCT o) FROM limits.visit');
SET privacct.max_groups = 5000;
SET privacct.max_rows = 1000000000;
SELECT * FROM noise('SELECT cost, ward, sum(share) FROM limits.visit GROUP BY 1, 2');
SET privacct.max_groups = 1000001;
SET privacct.max_rows = -1;
RESET privacct.max_groups;
RESET privacct.max_rows;
-- they are of the statement that runs, not of its plan
SET plan_cache_mode = force_generic_plan;
SET ROLE regress_pl_analyst;
PREPARE counted AS SELECT count(*) FROM limits.visit;
EXECUTE counted;
SET privacct.max_rows = 1;
EXECUTE counted;
RESET privacct.max_rows;
DEALLOCATE counted;
RESET ROLE;

--
-- Where an owner has one row
--

CREATE TABLE person (o int PRIMARY KEY, x int);
INSERT INTO person SELECT k, k * 10 FROM generate_series(1, 10) k;
INSERT INTO person VALUES (11, NULL);
ALTER TABLE person OWNER TO regress_pl_steward;
SELECT declare($$protect('limits.person', 'o', epsilon => 1e6, min_epsilon => 1e-6)$$) ~ '^\(\d+\)$' AS protected, declare($$grant_budget('limits.person', 'regress_pl_analyst', 1e6)$$);
SET privacct.max_rows = 7;
SELECT ask('SELECT round(dp_sum(x, 0, 100, ''per_owner=20:50'')::numeric, -1), round(dp_sum(x, 0, 100, ''max_rows=3'')::numeric, -1), round(dp_sum(x, 0, 10, ''per_owner=20:50'')::numeric, -1) FROM limits.person');
SELECT * FROM noise('SELECT dp_sum(x, 0, 100, ''per_owner=20:50''), dp_sum(x, 0, 100, ''max_rows=3''), dp_sum(x, 0, 10, ''per_owner=20:50'') FROM limits.person');
SELECT * FROM previewed('SELECT dp_sum(x, 0, 100, ''per_owner=20:50'') FROM limits.person');
RESET privacct.max_rows;

--
-- What is charged says what was taken
--

SELECT ask('SELECT round(dp_sum(cost, 0, 100, ''per_owner=0:300'')::numeric, -1), dp_count(cost, ''max_rows=2''), count(*) FROM limits.visit');
SELECT s->>'statistic' AS statistic, s->>'owner_limit' AS owner_limit FROM privacct.ledger_line l, jsonb_array_elements(l.detail->'statistics') s WHERE l.charge_id = (SELECT max(charge_id) FROM privacct.ledger_line);

--
-- Where owners are not bounded
--

CREATE TABLE stay (person int NOT NULL, place text NOT NULL, at int NOT NULL);
SELECT declare($$set_owner_bounds('limits.stay', 'at', 0, 5)$$);

SET client_min_messages = warning;
DROP SCHEMA limits CASCADE;
DROP ROLE regress_pl_analyst, regress_pl_steward;
