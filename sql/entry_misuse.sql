-- What surrounds questions about entries, misused.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE SCHEMA mis;
SET search_path = mis, privacct;
CREATE ROLE regress_pa_dba;
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
SELECT _pufferfish_sums('{1}', '{0}', NULL, NULL);
SELECT _pufferfish_limit('{1}', '{0}', NULL, 1);

-- a list of owners of a domain over an array
CREATE DOMAIN people AS bigint[];
PREPARE several(people) AS SELECT count(*) FROM trip WHERE person = ANY ($1);
EXECUTE several('{1,2}');
PREPARE cast_several(people) AS SELECT count(*) FROM trip WHERE person = ANY ($1::bigint[]);
EXECUTE cast_several('{1,2}');

-- the same column grouped by under another name
\set VERBOSITY default
CREATE VIEW twice AS SELECT person, step, place, place AS spot, site, site AS area FROM trip;
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

RESET ROLE;
SELECT unprotect('trip');
DROP SCHEMA mis CASCADE;
DROP OWNED BY regress_pa_dba, regress_pa_analyst;
DROP ROLE regress_pa_dba, regress_pa_analyst;
