-- Errors that are asked for: the option error and privacct.accuracy, in units of the answer
-- and in per cent; stages, what they cost, where the ledger stops them.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir '/sql/include/asking.psql'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_ac_steward;
GRANT privacct_admin TO regress_ac_steward;
CREATE ROLE regress_ac_analyst;
CREATE SCHEMA acc AUTHORIZATION regress_ac_steward;
GRANT USAGE ON SCHEMA acc TO PUBLIC;
SET search_path = acc, privacct;
\ir :helpers
\pset format unaligned
\pset footer off
CREATE FUNCTION ask(query text) RETURNS text LANGUAGE sql AS $$ SELECT ask('regress_ac_analyst', query) $$;
CREATE FUNCTION protect(relation regclass, epsilon numeric, more text DEFAULT '') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('SELECT privacct.protect(%L, %L, epsilon => %s, delta => 0.01, max_groups_contributed => 2, max_rows_contributed => 2, fresh => true %s)',
				   relation, 'owner_id', epsilon, CASE WHEN more !~ 'plan' THEN ', min_epsilon => 1e-6' ELSE '' END || more);
	PERFORM privacct.set_bounds(relation, 'x', -5, 5), privacct.set_keys(relation, 'g', '{A,B,C}'::text[]),
		privacct.grant_budget(relation, 'regress_ac_analyst', epsilon, 0.01);
END
$$;
SET ROLE regress_ac_steward;
CREATE TABLE rich (owner_id int NOT NULL, g text, x int);
INSERT INTO rich SELECT k / 2, (ARRAY['A', 'B', 'C'])[1 + k % 3], k % 11 - 5 FROM generate_series(0, 5999) k;
CREATE TABLE poor (LIKE rich);
CREATE TABLE cautious (LIKE rich);
CREATE TABLE planned (LIKE rich);
CREATE TABLE joining (LIKE rich);
CREATE TABLE spending (LIKE rich);
CREATE TABLE concentrated (LIKE rich);
INSERT INTO concentrated SELECT * FROM rich;
CREATE TABLE repeating (LIKE rich);
RESET ROLE;
SET client_min_messages = error;
SELECT protect('rich', 1e6), protect('poor', 1), protect('cautious', 1e3), protect('concentrated', 1e3, $$, accountant => 'zcdp'$$),
	protect('planned', 8, $$, accountant => 'plan'$$), protect('joining', 1), protect('spending', 20), protect('repeating', 1e3);
SELECT set_release_terms('cautious', min_epsilon => 0.1), set_repeats('repeating', '1 hour');
RESET client_min_messages;

-- charges of the analyst since the last look, the oldest first
CREATE TABLE seen (charge_id bigint);
INSERT INTO seen VALUES (0);
CREATE FUNCTION charged(OUT lines bigint, OUT epsilon numeric, OUT rho numeric, OUT stages text) LANGUAGE sql AS $$
	WITH new AS (SELECT l.* FROM privacct.ledger l WHERE l.charge_id > (SELECT charge_id FROM seen) AND l.role = 'regress_ac_analyst'),
	look AS (UPDATE seen SET charge_id = (SELECT coalesce(max(n.charge_id), seen.charge_id) FROM new n))
	SELECT count(*), trim_scale(sum(n.epsilon)), trim_scale(sum(n.rho)), string_agg(n.detail->>'stage', ' ' ORDER BY n.charge_id) FROM new n
$$;
GRANT SELECT, UPDATE ON seen TO regress_ac_analyst;

--
-- In units of the answer: the least decimal of four digits.
--

CREATE FUNCTION priced(query text) RETURNS TABLE (statistic text, kernel text, epsilon numeric, error float8) LANGUAGE sql AS $$
	SELECT statistic, kernel, epsilon, error_95 FROM privacct.preview(query) WHERE used AND statistic <> 'release' $$;
CREATE FUNCTION is_least(query text, error float8) RETURNS TABLE (statistic text, reached boolean, is_the_least boolean) LANGUAGE plpgsql AS $$
DECLARE
	got record;
BEGIN
	PERFORM set_config('role', 'regress_ac_analyst', true);
	FOR got IN SELECT * FROM priced(format(query, 'error=' || error)) LOOP
		RETURN QUERY SELECT got.statistic, got.error <= is_least.error,
			(SELECT max(p.error) > is_least.error FROM priced(format(query, 'epsilon=' || got.epsilon - 10 ^ (floor(log(got.epsilon)) - 3))) p);
	END LOOP;
	PERFORM set_config('role', 'none', true);
END
$$;
SELECT e AS error, i.* FROM unnest('{1,7.5,100,1234,1e5}'::float8[]) e, is_least('SELECT dp_count(x, %L) FROM rich', e) i;
SELECT e AS error, i.* FROM unnest('{1,7.5,100,1234,1e5}'::float8[]) e, is_least('SELECT dp_sum(x, %L) FROM rich', e) i;
SELECT e AS error, i.* FROM unnest('{1,100,1234}'::float8[]) e, is_least('SELECT g, dp_sum(x, %L) FROM concentrated GROUP BY g', e) i;
SELECT e AS error, i.* FROM unnest('{3,100}'::float8[]) e, is_least('SELECT dp_count_distinct(x, %L), g FROM rich GROUP BY g', e) i;
SELECT k, e AS error, i.* FROM unnest('{100,1234}'::float8[]) e, unnest('{laplace,gaussian}'::text[]) k,
	is_least('SELECT dp_count(x, ' || quote_literal(format('kernel=%s, ', k) || '%s') || ') FROM rich', e) i;

-- what it is paid for is what an equal epsilon costs; other aggregates have the session's
SET ROLE regress_ac_analyst;
SELECT statistic, kernel, used, epsilon, error_95 FROM preview('SELECT dp_count(x, ''error=100''), sum(x) FROM rich');
EXPLAIN (COSTS off) SELECT dp_count(x, 'error=100') FROM rich;
SET privacct.accuracy = ' 100 ';
EXPLAIN (COSTS off) SELECT count(*), dp_sum(x, 'error=50'), dp_count(x, 'epsilon=0.2'), dp_count_owners(*) FROM rich;
RESET privacct.accuracy;

-- a mean of at least so many values is within the error, whatever they are
SELECT statistic, epsilon FROM preview('SELECT dp_avg(x, ''error=0.5, rows=1000'') FROM rich') WHERE statistic = 'release';
SELECT abs(dp_avg(x, 'error=0.001, rows=5000') - 0) < 0.01, abs(dp_stddev(x, 'error=0.05, rows=5000') - 3.16) < 0.06 FROM rich;

--
-- preview says of averages, deviations and quantiles what is known for a group of so many values.
--

SELECT statistic, kernel, error_95, epsilon FROM preview('SELECT dp_avg(x), dp_stddev(x, ''epsilon=1''), dp_median(x), count(*) FROM rich', rows => 6000) WHERE used;
SELECT avg(x), dp_var_pop(x), dp_stddev(x, 'epsilon=1'), dp_avg(x, -5, 5, 'per_owner=-10:10, epsilon=1'), count(*) AS n FROM rich \gset
SELECT i.aggregate, (i.high - i.low) / 2 <= p.error_95 * 1.01 AS covered, i.high - i.low > 0 AS some
FROM intervals() i JOIN preview('SELECT avg(x), dp_var_pop(x), dp_stddev(x, ''epsilon=1''), dp_avg(x, -5, 5, ''per_owner=-10:10, epsilon=1''), count(*) FROM rich') p ON p.statistic = format('%s of %s values', i.aggregate, :n);
SELECT statistic FROM preview('SELECT avg(x) FROM concentrated') WHERE statistic ~ 'of \d+ values';
SELECT statistic, owners_at_least > 10 AS threshold FROM preview('SELECT x, count(*) FROM rich GROUP BY x') WHERE used;
SELECT * FROM preview('SELECT avg(x) FROM rich', rows => 0);
SELECT statistic, scale, sensitivity, error_95 FROM preview('SELECT sum(x), count(*) FROM concentrated') WHERE kernel IS NOT NULL;
SELECT dp_count(x) IS NOT NULL FROM concentrated;
SELECT epsilon_spent > 0 AS spent, epsilon_spent = round(epsilon_spent, 3 - floor(log(epsilon_spent))::int) AND rho_left = round(rho_left, 3 - floor(log(rho_left))::int) AS four_digits FROM my_budget WHERE accountant = 'zcdp';
SELECT _four_digits(x, true) AS up, _four_digits(x, false) AS down FROM unnest('{0,1,0.00123456,12345.6,99999,0.0000000000000000000012345,-1}'::numeric[]) x;
RESET ROLE;
SELECT lines FROM charged();

--
-- In per cent: stages.
--

-- reached at once: a 64th; not to be reached: all of it, and exactly that
SELECT ask($$SELECT dp_count(x, 'error=1000 %, floor=1e9, epsilon=0.64') > 0 FROM rich$$);
SELECT * FROM charged();
SELECT ask($$SELECT dp_count(x, 'error=0.001 %, epsilon=0.64') > 0 FROM rich$$);
SELECT lines, epsilon, stages FROM charged();
SELECT ask($$SELECT count(s), count(n) FROM (SELECT g, dp_sum(x, 'error=0.001 %') AS s, count(*) AS n FROM rich GROUP BY g) t$$);
SELECT lines, epsilon, stages FROM charged();

-- the interval is that of the stage
SET privacct.epsilon = 0.64;
SET ROLE regress_ac_analyst;
SELECT count(*) BETWEEN 5000 AND 7000 AS near FROM rich;
SET privacct.accuracy = '10 %';
SELECT count(*) BETWEEN 5000 AND 7000 AS near FROM rich;
SELECT aggregate, (high - low) / 2 AS error, (high - low) / 2 <= 0.1 * value AS reached, confidence FROM intervals();
EXPLAIN (COSTS off) SELECT count(*) FROM rich;
SELECT statistic, kernel, used, scale, epsilon FROM preview('SELECT count(*) FROM rich');
RESET ROLE;
SELECT lines, epsilon, stages FROM charged();

-- a group that is small decides; a floor for what is near 0
SET privacct.accuracy = '5 %';
SELECT ask($$SELECT count(n) FROM (SELECT g, count(*) AS n FROM rich GROUP BY g) t$$);
SELECT lines BETWEEN 2 AND 6 AS some FROM charged();
SELECT ask($$SELECT count(n) FROM (SELECT g, count(*) FILTER (WHERE x > 100) AS n FROM rich GROUP BY g) t$$);
SELECT lines, epsilon FROM charged();
SET privacct.accuracy_floor = 6000;
SELECT ask($$SELECT count(n) FROM (SELECT g, count(*) FILTER (WHERE x > 100) AS n FROM rich GROUP BY g) t$$);
SELECT lines < 7 AS fewer FROM charged();
RESET privacct.accuracy_floor;

-- averages, which are ratios of two numbers
SELECT ask($$SELECT dp_avg(x + 10, 5, 15) BETWEEN 9 AND 11 FROM rich$$);
SELECT lines < 7 AS fewer FROM charged();

-- under zcdp each stage is a release of its own
SELECT ask($$SELECT dp_count(x, 'error=1000 %, floor=1e9') > 0 FROM concentrated$$);
SELECT lines, epsilon, stages FROM charged();
SELECT ask($$SELECT dp_count(x, 'error=0.001 %') > 0 FROM concentrated$$);
SELECT lines, epsilon, stages, round(rho / (SELECT rho FROM preview('SELECT count(*) FROM concentrated') WHERE statistic = 'release'), 9) FROM charged(), LATERAL (SELECT set_config('role', 'regress_ac_analyst', true)) r;
RESET ROLE;
SELECT stage, kernel, round(rho / sum(rho) OVER (), 4) AS share FROM (SELECT l.detail->>'stage' AS stage, s->>'kernel' AS kernel, (s->>'rho')::numeric AS rho
	FROM privacct.ledger l JOIN privacct.policy p USING (policy_id), jsonb_array_elements(l.detail->'statistics') s WHERE p.relation = 'concentrated'::regclass ORDER BY l.charge_id DESC LIMIT 7) t ORDER BY stage;
RESET privacct.accuracy;

--
-- Where the ledger does not take a stage, what was paid for is released.
--

SELECT ask($$SELECT dp_count(x, 'epsilon=0.9') IS NOT NULL FROM poor$$);
SELECT ask($$SELECT dp_count(x, 'error=0.001 %, epsilon=3.2') IS NOT NULL FROM poor$$);
SELECT lines, epsilon, stages FROM charged();
SELECT ask($$SELECT dp_count(x, 'error=0.001 %, epsilon=3.2') IS NOT NULL FROM poor$$);
SELECT lines FROM charged();

-- with the first stage rows are read: it costs the least price
SELECT ask($$SELECT dp_count(x, 'error=0.001 %, epsilon=0.8') IS NOT NULL FROM cautious$$);
SELECT lines, epsilon, stages FROM charged();
SELECT ask($$SELECT dp_count(x, 'error=0.001 %, epsilon=0.15') IS NOT NULL FROM cautious$$);
SELECT lines, epsilon, stages FROM charged();
SELECT ask($$SELECT dp_count(x, 'error=1e9') IS NOT NULL FROM cautious$$);
SET ROLE regress_ac_analyst;
SELECT dp_count(x, 'error=1e9') FROM cautious;
RESET ROLE;

-- no run spends more than the cap
CREATE FUNCTION spend() RETURNS TABLE (asked int, refused int) LANGUAGE plpgsql AS $$
BEGIN
	asked := 0; refused := 0;
	WHILE refused < 5 AND asked < 500 LOOP
		asked := asked + 1;
		IF ask(format('SELECT dp_count(x, %L), dp_sum(x, %L) FROM spending %s', format('error=%s %%, floor=%s, epsilon=%s', 1 + random() * 100, random() * 300, round((0.01 + random())::numeric, 3)),
			CASE WHEN random() < 0.5 THEN 'error=' || 10 + random() * 1000 ELSE '' END, CASE WHEN random() < 0.3 THEN 'GROUP BY g' ELSE '' END)) LIKE '53PA2%' THEN
			refused := refused + 1;
		END IF;
	END LOOP;
	RETURN NEXT;
END
$$;
SELECT asked > 5, refused FROM spend();
SELECT a.epsilon <= 20, a.epsilon = (SELECT sum(l.epsilon) FROM privacct.ledger l WHERE l.policy_id = a.policy_id) FROM privacct.account a JOIN privacct.policy p USING (policy_id) WHERE p.relation = 'spending'::regclass AND a.role = 0::regrole;
SELECT lines > 5 FROM charged();

--
-- The books.
--

SELECT relation, problem FROM check_books() WHERE relation::text ~ '^acc';
SELECT relation_name, epsilon_tight <= epsilon_spent AS no_more FROM odometer WHERE relation_name ~ '^acc\.' AND epsilon_tight IS NOT NULL ORDER BY 1;
SELECT _mechanisms('{"stage": 2, "stages": 7, "statistics": []}'), _mechanisms('{"stage": 1, "stages": 7, "groups_per_owner": 1, "statistics": [{"noise": "laplace 2/2^0", "steps": 1}]}');

-- how far one went follows from answers: in another currency only epsilon itself counts
SELECT ask($$SELECT dp_count(x, 'epsilon=0.2') IS NOT NULL FROM joining$$);
SELECT (_in_currency(ROW(NULL, p.policy_id, a.epsilon, a.delta, a.rho, a.releases, 0, 0, NULL)::inherited, 'basic', 0.01, 'zcdp')).rho FROM policy p JOIN account a USING (policy_id) WHERE p.relation = 'joining'::regclass AND a.role = 0::regrole;
SELECT ask($$SELECT dp_count(x, 'error=1000 %, floor=1e9, epsilon=0.64') IS NOT NULL FROM joining$$);
SELECT (_in_currency(ROW(NULL, p.policy_id, a.epsilon, a.delta, a.rho, a.releases, 0, 0, NULL)::inherited, 'basic', 0.01, 'zcdp')).rho FROM policy p JOIN account a USING (policy_id) WHERE p.relation = 'joining'::regclass AND a.role = 0::regrole;
SELECT _sum_ledger(policy_id) FROM policy WHERE relation = 'joining'::regclass;
SELECT (_in_currency(ROW(NULL, p.policy_id, a.epsilon, a.delta, a.rho, a.releases, 0, 0, NULL)::inherited, 'basic', 0.01, 'zcdp')).rho FROM policy p JOIN account a USING (policy_id) WHERE p.relation = 'joining'::regclass AND a.role = 0::regrole;

-- a repeat is what was released, with its interval
SELECT lines FROM charged();
SET ROLE regress_ac_analyst;
SELECT dp_count(x, 'error=0.001 %') AS n FROM repeating \gset
SELECT value AS value, low, high FROM intervals() \gset
SELECT dp_count(x, 'error=0.001 %') = :n AS same FROM repeating;
SELECT value = :value AND low = :low AND high = :high AS same FROM intervals();
SELECT dp_count(x, 'error=0.002 %') IS NOT NULL AS other FROM repeating;
RESET ROLE;
SELECT lines FROM charged();

--
-- Refusals.
--

CREATE FUNCTION tell(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	state text;
	message text;
	detail text;
	hint text;
BEGIN
	PERFORM set_config('role', 'regress_ac_analyst', true);
	BEGIN
		EXECUTE query;
	EXCEPTION WHEN OTHERS THEN
		GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
		PERFORM set_config('role', 'none', true);
		RETURN concat_ws(' | ', state, message, detail, hint);
	END;
	PERFORM set_config('role', 'none', true);
	RETURN 'ANSWERED';
END
$$;
SELECT q, tell('SELECT ' || q) FROM unnest(ARRAY[
	$$dp_count(x, 'error=0') FROM rich$$, $$dp_count(x, 'error=') FROM rich$$, $$dp_count(x, 'error=-5') FROM rich$$, $$dp_count(x, 'error=x') FROM rich$$,
	$$dp_count(x, 'error=2 % 3') FROM rich$$, $$dp_count(x, 'error=0 %') FROM rich$$, $$dp_count(x, 'error=2000 %') FROM rich$$, $$dp_count(x, 'floor=-1') FROM rich$$,
	$$dp_count(x, 'error=5, within=5') FROM rich$$, $$dp_count(x, 'error=5 %, within=5') FROM rich$$, $$dp_count(x, 'error=5, epsilon=1') FROM rich$$,
	$$dp_sum(x, 'error=1e-9') FROM rich$$, $$dp_avg(x, 'error=0.5') FROM rich$$, $$dp_variance(x, 'error=0.5') FROM rich$$,
	$$dp_median(x, 'error=5') FROM rich$$, $$dp_min(x, 'error=5 %') FROM rich$$, $$dp_topk(g, 2, 'error=5') FROM rich$$, $$dp_topk(g, 2, 'error=5 %') FROM rich$$,
	$$dp_count_distinct(x, 'cap=auto, error=5') FROM rich$$, $$dp_count_distinct(x, 'cap=auto, error=5 %') FROM rich$$,
	$$g, dp_count(x, 'error=5') FROM rich GROUP BY ROLLUP (g)$$, $$g, dp_count(x, 'error=5 %') FROM rich GROUP BY ROLLUP (g)$$,
	$$dp_count(x, 'error=5 %, kernel=gaussian') FROM rich$$, $$dp_count(x, 'error=5 %, kernel=laplace') FROM concentrated$$,
	$$dp_count(x, 'error=5') FROM planned$$, $$dp_count(x, 'error=5 %') FROM planned$$]) q;
SET privacct.sample_rate = 0.5;
SELECT tell($$SELECT dp_count(x, 'error=50') FROM rich$$);
SELECT tell($$SELECT dp_count(x, 'error=50 %') FROM rich$$);
RESET privacct.sample_rate;
SET privacct.accuracy = '2 per cent';
SET privacct.accuracy = '1e-200';
SET privacct.accuracy = '0x10';
SET privacct.accuracy_floor = -1;
SET privacct.accuracy = '50';
SET privacct.within = 50;
SELECT tell($$SELECT count(*) FROM rich$$);
RESET privacct.within;
SELECT tell($$SELECT avg(x) FROM rich$$);
-- the order of values has no noise, and is as it would be
SELECT tell($$SELECT dp_median(x), dp_count_distinct(x, 'cap=auto') FROM rich$$), tell($$SELECT dp_topk(g, 2) FROM rich$$);
SELECT tell($$SELECT count(*) FROM planned$$);
RESET privacct.accuracy;
SELECT lines > 0 FROM charged();

SET client_min_messages = error;
DROP SCHEMA acc CASCADE;
DROP ROLE regress_ac_steward, regress_ac_analyst;
