-- SPDX-License-Identifier: GPL-3.0-or-later
-- The prior comes from the rows of "history", the promise is for those of "visit".
\set QUIET on
\pset footer off
SET client_min_messages = error;	-- one data set after another has tables of these names
SET search_path = activity, privacct, public;
SELECT max(state) + 1 AS states, max(cohort) + 1 AS cohorts, count(DISTINCT at) FILTER (WHERE NOT train) AS length FROM generated \gset
SET ROLE bench_owner;
CREATE TABLE history AS SELECT person, at, state FROM generated WHERE train;
CREATE TABLE visit (person int NOT NULL, cohort int NOT NULL, at int NOT NULL, state int NOT NULL,
	PRIMARY KEY (person, cohort, at));
INSERT INTO visit SELECT person, cohort, at, state FROM generated WHERE NOT train;
CREATE TABLE truth AS SELECT cohort, state, count(v.at) AS n, row_number() OVER (PARTITION BY cohort ORDER BY count(v.at) DESC, state) AS rank
FROM generate_series(0, :cohorts - 1) cohort CROSS JOIN generate_series(0, :states - 1) state LEFT JOIN visit v USING (cohort, state) GROUP BY cohort, state;
RESET ROLE;
SELECT fit_chain_prior('history', 'person', '{at}', 'state', ARRAY(SELECT generate_series(0, :states - 1)), 1e-5) AS prior \gset
SET ROLE bench_owner;

-- Each budget in a table of its own: one release spends all of it.
CREATE FUNCTION with_budget(budget numeric, prior jsonb, cohorts int, length int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	name text := format('visit_%s', replace(budget::text, '.', '_'));
BEGIN
	EXECUTE format('CREATE TABLE %I (LIKE visit INCLUDING INDEXES)', name);
	EXECUTE format('INSERT INTO %I SELECT * FROM visit', name);
	PERFORM protect_entries(name::regclass, 'person', '{cohort,at}', 'state', prior, epsilon_pufferfish => budget, max_entries => length, max_b => least(length, 288));
	PERFORM set_keys(name::regclass, 'cohort', ARRAY(SELECT generate_series(0, cohorts - 1)));
	PERFORM grant_budget(name::regclass, 'bench_analyst', epsilon => budget);
	RETURN name;
END
$$;
CREATE TABLE budget AS SELECT epsilon, with_budget(epsilon::numeric, :'prior', :cohorts, :length) AS name FROM rate;
GRANT SELECT ON budget TO bench_analyst;
SELECT protect_entries('visit', 'person', '{cohort,at}', 'state', :'prior', epsilon_pufferfish => 1e6, min_epsilon => 1e-6, max_entries => :length, max_b => least(:length, 288)) \g /dev/null
SELECT set_keys('visit', 'cohort', ARRAY(SELECT generate_series(0, :cohorts - 1))) \g /dev/null
SELECT grant_budget('visit', 'bench_analyst', epsilon => 1e6) \g /dev/null

RESET ROLE;
VACUUM (ANALYZE) visit;
