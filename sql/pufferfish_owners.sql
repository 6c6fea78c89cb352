-- Releases about named owners cost the other owners nothing.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE SCHEMA puf;
SET search_path = puf, privacct;
CREATE ROLE regress_pa_dba;
GRANT privacct_admin TO regress_pa_dba;
CREATE ROLE regress_pa_analyst;
GRANT ALL ON SCHEMA puf TO regress_pa_dba;
GRANT USAGE ON SCHEMA puf TO regress_pa_analyst;
SET ROLE regress_pa_dba;
CREATE TABLE trip (person bigint, step int, place text NOT NULL, note text, PRIMARY KEY (person, step));
INSERT INTO trip SELECT p, s, (ARRAY['home', 'work'])[1 + (p + s) % 2] FROM generate_series(1, 8) p, generate_series(1, 10) s;
SELECT protect_entries('trip', 'person', ARRAY['step']::name[], 'place', chain_prior(ARRAY['home', 'work'], ARRAY[[.5, .5], [.5, .5]]), epsilon_pufferfish => 1) > 0 AS declared;
SELECT grant_budget('trip', 'regress_pa_analyst', 3);
CREATE VIEW spent AS SELECT entry_epsilon_spent AS spent, entry_epsilon_left AS left, entry_epsilon_everybodys AS everybodys, owners_named AS named, releases FROM pufferfish_budget;
-- rows are independent of each other, so the point (1, 0) decides: what is spent per entry is what is spent
SELECT * FROM spent;

SET ROLE regress_pa_analyst;
SET privacct.epsilon = 0.25;
-- of one owner, in each way to say so
SELECT count(*) IS NOT NULL AS ok FROM trip WHERE person = 1;
SELECT count(*) IS NOT NULL AS ok FROM trip WHERE 2 = person;
SELECT count(*) IS NOT NULL AS ok FROM trip WHERE person = 3::smallint AND step > 4 AND place = 'home';
SELECT count(*) IS NOT NULL AS ok FROM trip WHERE step > 4 AND (person IN (4, 5) AND place = 'home');
SELECT count(*) IS NOT NULL AS ok FROM (SELECT * FROM trip WHERE person = 6) t;
PREPARE one(int) AS SELECT count(*) IS NOT NULL AS ok FROM trip WHERE person = $1;
EXECUTE one(7);
PREPARE several(bigint[]) AS SELECT count(*) IS NOT NULL AS ok FROM trip WHERE person = ANY ($1);
SET plan_cache_mode = force_generic_plan;
EXECUTE several('{8, 8, NULL}');
RESET plan_cache_mode;
EXPLAIN (COSTS OFF) SELECT count(*) FROM trip WHERE person IN (4, 5, 4);
RESET ROLE; SET ROLE regress_pa_dba;
SELECT * FROM spent;
SELECT owner, entry_epsilon_named, entry_epsilon_left FROM pufferfish_owner ORDER BY owner;
RESET ROLE; SET ROLE regress_pa_analyst;
SELECT count(*) FROM pufferfish_owner;
SELECT detail->'owners' AS owners, epsilon FROM my_ledger WHERE relation_name = 'puf.trip' ORDER BY charge_id;

-- one owner twice: that one is the one who lost most
SELECT count(*) IS NOT NULL AS ok FROM trip WHERE person = 1;
SELECT epsilon_left, epsilon_spent FROM my_budget WHERE relation = 'trip'::regclass;
SELECT statistic, epsilon, releases_left FROM preview('SELECT count(*) FROM trip WHERE person IN (1, 2)') WHERE statistic = 'release'
UNION ALL SELECT statistic, epsilon, releases_left FROM preview('SELECT count(*) FROM trip WHERE person = 2') WHERE statistic = 'release'
UNION ALL SELECT statistic, epsilon, releases_left FROM preview('SELECT count(*) FROM trip WHERE person = 99') WHERE statistic = 'release'
UNION ALL SELECT statistic, epsilon, releases_left FROM preview('SELECT count(*) FROM trip') WHERE statistic = 'release';
-- what is about everybody, in doubt too, adds to everybody's
SELECT count(*) IS NOT NULL AS ok FROM trip WHERE person = 1 OR step = 1;
RESET ROLE; SET ROLE regress_pa_dba;
SELECT * FROM spent;
RESET ROLE; SET ROLE regress_pa_analyst;
-- 1 has .25 left, 2 has .5
SET privacct.epsilon = 0.5;
SELECT count(*) IS NOT NULL AS ok FROM trip WHERE person = 1;
SELECT count(*) IS NOT NULL AS ok FROM trip WHERE person IN (1, 2);
SELECT count(*) IS NOT NULL AS ok FROM trip WHERE person = 2;
SET privacct.epsilon = 0.001;
SELECT count(*) IS NOT NULL AS ok FROM trip WHERE person = 2;
SELECT count(*) IS NOT NULL AS ok FROM trip WHERE person = 1;
-- not known to be about one owner, or not the same for all rows: everybody's, of whom one has .249 left
SET privacct.epsilon = 0.25;
\set VERBOSITY terse
SELECT count(*) FROM trip;
SELECT count(*) FROM trip WHERE person < 2;
SELECT count(*) FROM trip WHERE person <> 1;
SELECT count(*) FROM trip WHERE NOT person = 1;
SELECT count(*) FROM trip WHERE person = step;
SELECT count(*) FROM trip WHERE person = ALL (ARRAY[1]);
SELECT count(*) FROM trip WHERE person + 0 = 1;
SELECT count(*) FILTER (WHERE person = 1) FROM trip;
SELECT count(*) FROM trip WHERE (person = 1) IS NOT NULL;
SELECT count(*) FROM trip WHERE person = 1 OR person = 3;
SELECT count(*) FROM trip HAVING 1 = 1;
EXECUTE several('{}');
EXECUTE several(NULL);
SELECT array_agg(n) AS many, array_agg(n) FILTER (WHERE n < 500) AS fewer FROM generate_series(100, 1500) n \gset
EXECUTE several(:'many');
\set VERBOSITY default
-- many owners, of whom 400 have names short enough to be charged together
EXECUTE several(:'fewer');
RESET ROLE; SET ROLE regress_pa_dba;
SELECT * FROM spent;
SELECT count(*), min(entry_epsilon_left), max(entry_epsilon_left) FROM pufferfish_owner;
-- the ledger's lines are the sums of the account; what is spent is less
RESET ROLE;
SELECT a.epsilon = l.epsilon AS sums_agree, a.epsilon - a.spared_epsilon AS spent, a.most_epsilon
FROM privacct.account a JOIN (SELECT policy_id, sum(epsilon) AS epsilon FROM privacct.ledger GROUP BY 1) l USING (policy_id)
WHERE a.role = 0::regrole AND policy_id = (SELECT policy_id FROM privacct.policy WHERE relation = 'trip'::regclass AND closed_at IS NULL);
-- another policy of the table goes on from the owner who lost most
SET ROLE regress_pa_dba;
SELECT unprotect('trip');
SELECT protect_entries('trip', 'person', ARRAY['step']::name[], 'place', chain_prior(ARRAY['home', 'work'], ARRAY[[.5, .5], [.5, .5]]), epsilon_pufferfish => 2) > 0 AS declared;
SELECT * FROM spent;
SELECT grant_budget('trip', 'regress_pa_analyst', 3);
RESET ROLE; SET ROLE regress_pa_analyst;
SELECT count(*) IS NOT NULL AS ok FROM trip WHERE person = 2;
RESET ROLE; SET ROLE regress_pa_dba;
SELECT * FROM spent;
SELECT unprotect('trip');
DROP TABLE trip CASCADE;

-- owners that are texts: equal ones are written the same
CREATE TABLE visit (card varchar(400), step int, place text NOT NULL, PRIMARY KEY (card, step));
INSERT INTO visit VALUES ('a', 1, 'home'), ('A', 1, 'work'), ('', 1, 'home'), (repeat('x', 200), 1, 'home');
SELECT protect_entries('visit', 'card', ARRAY['step']::name[], 'place', chain_prior(ARRAY['home', 'work'], ARRAY[[.5, .5], [.5, .5]]), epsilon_pufferfish => 1) > 0 AS declared;
SELECT grant_budget('visit', 'regress_pa_analyst', 10);
RESET ROLE; SET ROLE regress_pa_analyst;
SET privacct.epsilon = 0.125;
SELECT count(*) IS NOT NULL AS ok FROM visit WHERE card = 'a';
SELECT count(*) IS NOT NULL AS ok FROM visit WHERE card = ANY ('{A,a,""}'::varchar[]);
SELECT count(*) IS NOT NULL AS ok FROM visit WHERE card = 'a'::text COLLATE "C";
RESET ROLE; SET ROLE regress_pa_dba;
SELECT owner, entry_epsilon_named FROM pufferfish_owner ORDER BY owner;
SELECT * FROM spent;
RESET ROLE; SET ROLE regress_pa_analyst;
-- a name too long: everybody's
SELECT repeat('x', 200) AS long \gset
SELECT count(*) IS NOT NULL AS ok FROM visit WHERE card = :'long';
RESET ROLE; SET ROLE regress_pa_dba;
SELECT * FROM spent;

RESET ROLE;
SELECT unprotect('visit');
DROP SCHEMA puf CASCADE;
DROP OWNED BY regress_pa_dba, regress_pa_analyst;
DROP ROLE regress_pa_dba, regress_pa_analyst;
