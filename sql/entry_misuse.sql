-- What surrounds questions about entries, misused.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE SCHEMA mis;
SET search_path = mis, privacct;
CREATE ROLE regress_pa_dba;
GRANT privacct_admin TO regress_pa_dba;
CREATE ROLE regress_pa_analyst;
GRANT ALL ON SCHEMA mis TO regress_pa_dba;
GRANT USAGE, CREATE ON SCHEMA mis TO regress_pa_analyst;
SET ROLE regress_pa_dba;
CREATE TABLE trip (person bigint, step int, place text NOT NULL, site text NOT NULL, PRIMARY KEY (person, step));
INSERT INTO trip SELECT p, s, (ARRAY['home', 'work'])[1 + (p + s) % 2], CASE WHEN p < 8 THEN 'north' ELSE 'south' END
FROM generate_series(1, 8) p, generate_series(1, 10) s;
SELECT protect_entries('trip', 'person', ARRAY['step']::name[], 'place', chain_prior(ARRAY['home', 'work'], ARRAY[[.5, .5], [.5, .5]]),
	epsilon_pufferfish => 1e6, max_entries => 10) > 0 AS declared;
SELECT set_public('trip', 'site'), set_keys('trip', 'site', ARRAY['north', 'south']);
SELECT grant_budget('trip', 'regress_pa_analyst', 1e6);
RESET ROLE; SET ROLE regress_pa_analyst;
SET privacct.epsilon = 1000;

-- nulls, which only the longest owner may be
\set VERBOSITY terse
SELECT _pufferfish_limit(NULL, NULL, NULL, NULL);
SELECT _pufferfish_limit('{1}', NULL, 2, 1);
SELECT _pufferfish_limit(NULL, '{0}', 2, 1);
SELECT _pufferfish_limit('{1}', '{0}', 2, NULL);
SELECT _pufferfish_spent('{1}', '{0}', NULL, NULL);
SELECT _pufferfish_needed('{1}', '{0}', NULL, NULL, 1);
SELECT _pufferfish_needed('{1}', '{0}', NULL, 1, NULL);
SELECT _pufferfish_sums('{1}', '{0}', NULL, NULL, NULL);
SELECT _pufferfish_sums('{1}', '{0}', NULL, '{1,2}', '{1}');
SELECT _pufferfish_sums('{1}', '{0}', NULL, '{1,2}', '{1,0}');
SELECT _pufferfish_sums('{1}', '{0}', NULL, '{1,2}', '{1,3}');
SELECT _pufferfish_limit('{1}', '{0}', NULL, 1);

-- a list of owners of a domain over an array
CREATE DOMAIN people AS bigint[];
PREPARE several(people) AS SELECT count(*) FROM trip WHERE person = ANY ($1);
EXECUTE several('{1,2}');
PREPARE cast_several(people) AS SELECT count(*) FROM trip WHERE person = ANY ($1::bigint[]);
EXECUTE cast_several('{1,2}');

-- the same column grouped by under another name
\set VERBOSITY default
CREATE VIEW twice WITH (security_invoker) AS SELECT person, step, place, place AS spot, site, site AS area FROM trip;
SELECT site, place, dp_mode(area) FROM twice GROUP BY site, place;
SELECT site, place, dp_topk(area, 1, 'kernel=laplace') FROM twice GROUP BY site, place ORDER BY 1, 2;
SELECT site, area, round(count(*), -1) AS count FROM twice GROUP BY site, area ORDER BY 1;
EXPLAIN (COSTS OFF) SELECT place, spot, count(*) FROM twice GROUP BY place, spot;

-- counting the rows of owners leaves no trace in the session's statistics
SELECT pg_stat_force_next_flush();
BEGIN;
SELECT round(count(*), -1) AS count FROM trip;
SELECT seq_scan, seq_tup_read, idx_scan, idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relname = 'trip';
ROLLBACK;

-- who is charged is who was asked about, whatever becomes of a variable afterwards
DO $$
DECLARE
	who int := 1;
	these bigint[] := '{2}';
	c refcursor;
	r record;
	n bigint;
BEGIN
	OPEN c FOR SELECT count(*) FROM trip WHERE person = who;
	who := 8;
	FETCH c INTO n;
	CLOSE c;
	these := these || 3::bigint;
	FOR r IN SELECT count(*) FROM trip WHERE person = ANY (these) LOOP
		these := '{8}';
	END LOOP;
END
$$;
RESET ROLE;
SELECT o.owner, o.epsilon FROM owner_account o JOIN policy p USING (policy_id) WHERE p.relation = 'trip'::regclass ORDER BY 1;

-- a plan that outlives the policy it was made under
SET ROLE regress_pa_analyst;
PREPARE first_person AS SELECT count(*) < 100 AS ok FROM trip WHERE person = 1;
EXECUTE first_person;
BEGIN;
DECLARE held CURSOR FOR SELECT count(*) FROM trip WHERE person = 1;
RESET ROLE; SET ROLE regress_pa_dba;
SET LOCAL client_min_messages = error;
SELECT unprotect('trip');
SELECT protect_entries('trip', 'person', ARRAY['step']::name[], 'place', chain_prior(ARRAY['home', 'work'], ARRAY[[.5, .5], [.5, .5]]),
	epsilon_pufferfish => 1e6) > 0 AS declared;
SELECT grant_budget('trip', 'regress_pa_analyst', 1e6);
RESET ROLE; SET ROLE regress_pa_analyst;
SAVEPOINT asking;
FETCH held;
ROLLBACK TO asking;
COMMIT;
EXECUTE first_person;
RESET ROLE;
SELECT a.epsilon - a.spared_epsilon - a.most_epsilon AS everybodys, (SELECT count(*) FROM owner_account o WHERE o.policy_id = a.policy_id) AS named
FROM account a JOIN policy p USING (policy_id) WHERE p.relation = 'trip'::regclass AND p.closed_at IS NULL AND a.role = 0::regrole;

-- books of many releases, kept once more by who asked them; a name of more than 127 bytes makes a release everybody's
SET ROLE regress_pa_dba;
SET client_min_messages = warning;
CREATE TABLE walk (person text, step int, place boolean NOT NULL, PRIMARY KEY (person, step));
INSERT INTO walk SELECT rpad(p::text, 7 + 12 * p, 'x'), s, (p + s) % 2 = 0 FROM generate_series(0, 10) p, generate_series(1, 3) s;
SELECT protect_entries('walk', 'person', ARRAY['step']::name[], 'place', chain_prior(ARRAY[true, false], ARRAY[[.5, .5], [.5, .5]]),
	epsilon_pufferfish => 5, delta_pufferfish => 1e-3) > 0 AS declared;
SELECT grant_budget('walk', 'regress_pa_analyst', 100, 1e-4);
RESET ROLE; SET ROLE regress_pa_analyst;
CREATE TABLE asked (n int, owners text[], epsilon numeric, delta numeric, admitted boolean);
DO $$
DECLARE
	names text[];
	twice text[];		-- and nobody
	noised bigint;
	gaussian boolean;
	wanted text;
BEGIN
	FOR i IN 1..150 LOOP
		names := CASE WHEN i % 11 <> 0 THEN ARRAY(SELECT rpad(p::text, 7 + 12 * p, 'x') FROM generate_series(0, 11) p WHERE (p * 7 + i * i) % 5 < 1 + i % 3) END;
		twice := names || names || NULL::text;
		gaussian := i % 4 = 0;
		wanted := format('epsilon=%s', (ARRAY['0.1', '0.07', '0.333333333333333', '0.0125', '0.5'])[1 + i % 5]) ||
			CASE WHEN gaussian THEN ', kernel=gaussian, delta=1e-7' ELSE '' END;
		BEGIN
			IF names IS NULL THEN
				SELECT dp_count(place, wanted) INTO noised FROM walk;
			ELSE
				SELECT dp_count(place, wanted) INTO noised FROM walk WHERE person = ANY (twice);
			END IF;
			INSERT INTO asked VALUES (i, CASE WHEN cardinality(names) > 0 AND length(names[cardinality(names)]) <= 127 THEN names END, substring(wanted FROM 'epsilon=([0-9.]+)')::numeric,
				CASE WHEN gaussian THEN 1e-7 ELSE 0 END, true);
		EXCEPTION WHEN SQLSTATE '53PA2' THEN
			INSERT INTO asked VALUES (i, names, 0, 0, false);
		END;
	END LOOP;
END
$$;
RESET ROLE;
SELECT count(*) FILTER (WHERE admitted) > 20 AS many_admitted, count(*) FILTER (WHERE NOT admitted) > 20 AS many_refused, count(*) FILTER (WHERE owners IS NULL AND admitted) AS about_all FROM asked;
WITH named AS (SELECT o AS owner, sum(epsilon) AS epsilon, sum(delta) AS delta FROM asked CROSS JOIN LATERAL (SELECT DISTINCT unnest(owners)) u(o) WHERE admitted GROUP BY 1),
	everybody AS (SELECT coalesce(sum(epsilon), 0) AS epsilon, coalesce(sum(delta), 0) AS delta FROM asked WHERE owners IS NULL AND admitted),
	kept AS (SELECT a.*, p.epsilon AS cap, p.cap_delta FROM account a JOIN policy p USING (policy_id) WHERE p.relation = 'walk'::regclass AND a.role = 0::regrole)
SELECT k.epsilon = (SELECT sum(epsilon) FROM asked) AS sums, k.delta = (SELECT sum(delta) FROM asked) AS deltas,
	k.epsilon - k.spared_epsilon = e.epsilon + (SELECT max(epsilon) FROM named) AS spent, k.delta - k.spared_delta = e.delta + (SELECT max(delta) FROM named) AS spent_delta,
	k.most_epsilon = (SELECT max(epsilon) FROM named) AS most, k.most_delta = (SELECT max(delta) FROM named) AS most_delta,
	k.epsilon - k.spared_epsilon <= k.cap AND k.delta - k.spared_delta <= k.cap_delta AS within_caps,
	NOT EXISTS (SELECT owner, epsilon, delta FROM named EXCEPT SELECT o.owner, o.epsilon, o.delta FROM owner_account o WHERE o.policy_id = k.policy_id) AND
	(SELECT count(*) FROM named) = (SELECT count(*) FROM owner_account o WHERE o.policy_id = k.policy_id) AS owners
FROM kept k CROSS JOIN everybody e;

-- rows are counted with the rights of the table's owner, and with none of the asker's functions
RESET ROLE;
SET ROLE regress_pa_dba;
CREATE TABLE route (person int, step int, place text NOT NULL, PRIMARY KEY (person, step)) PARTITION BY RANGE (step);
CREATE TABLE route_1 PARTITION OF route FOR VALUES FROM (0) TO (5);
CREATE TABLE route_2 PARTITION OF route FOR VALUES FROM (5) TO (11);
INSERT INTO route SELECT p, s, (ARRAY['home', 'work'])[1 + (p + s) % 2] FROM generate_series(1, 8) p, generate_series(1, 10) s;
CREATE FUNCTION shifted(p int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT p + (1 + 2)';
CREATE INDEX ON route ((shifted(person)));
CREATE STATISTICS shifts ON shifted(person), step FROM route;
SELECT protect_entries('route', 'person', ARRAY['step']::name[], 'place', chain_prior(ARRAY['home', 'work'], ARRAY[[.5, .5], [.5, .5]]),
	epsilon_pufferfish => 1e6, max_entries => 10, fresh => true) > 0 AS declared;
SELECT grant_budget('route', 'regress_pa_analyst', 1e6);
RESET ROLE;
CREATE SCHEMA AUTHORIZATION regress_pa_analyst;
SET ROLE regress_pa_analyst;
GRANT USAGE ON SCHEMA regress_pa_analyst TO PUBLIC;
CREATE FUNCTION regress_pa_analyst.sum(a int, b int) RETURNS int LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog AS $$
BEGIN
	RAISE NOTICE 'called as %', current_user;
	RETURN a OPERATOR(pg_catalog.+) b;
END
$$;
CREATE OPERATOR regress_pa_analyst.+ (FUNCTION = regress_pa_analyst.sum, LEFTARG = int, RIGHTARG = int);
SET client_min_messages = notice;
SET search_path = mis, regress_pa_analyst, pg_catalog, privacct;
SELECT 1 + 1;
SELECT count(*) > 0 AS answered FROM route WHERE place = 'home' AND step < 5;
SET search_path = mis, privacct;
SET client_min_messages = warning;
DROP SCHEMA regress_pa_analyst CASCADE;

RESET ROLE;
SELECT unprotect('trip'), unprotect('walk');
DROP SCHEMA mis CASCADE;
DROP OWNED BY regress_pa_dba, regress_pa_analyst;
DROP ROLE regress_pa_dba, regress_pa_analyst;
