-- Entries that are none of the declared states: which other value it is never
-- shows, that it is none does (docs/theory-pufferfish.md, "What one entry changes").
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_pa_states;
CREATE SCHEMA other;
GRANT USAGE ON SCHEMA other TO PUBLIC;
SET search_path = other, privacct;
-- at the third hour: the first is where one can be, the next two at two other
-- places, the fourth nowhere that is known, the last has no such row
CREATE TABLE stay (person int, hour int, place int, PRIMARY KEY (person, hour));
INSERT INTO stay SELECT p, h, CASE WHEN h = 3 THEN (ARRAY[100, 7, -200, NULL])[p] ELSE 100 + h % 2 END
FROM generate_series(1, 5) p, generate_series(1, 4) h WHERE (p, h) <> (5, 3);
SELECT privacct.protect_entries('stay', 'person', '{hour}', 'place', privacct.chain_prior(ARRAY[100, 101], '{{.8,.2},{.2,.8}}'),
	epsilon_pufferfish => 1e6, max_entries => 4, min_epsilon => 0.1, fresh => true) > 0 AS protected;
SELECT privacct.grant_budget('stay', 'regress_pa_states', epsilon => 1e6);
RESET client_min_messages;
SET ROLE regress_pa_states;
SET privacct.epsilon = 20000;
-- noise is a hundredth at most
SELECT 1 AS person, count(*) AS rows, count(*) FILTER (WHERE place < 101) AS low, round(sum(place)) AS sum FROM stay WHERE person = 1 AND hour = 3 UNION ALL
SELECT 2, count(*), count(*) FILTER (WHERE place < 101), round(sum(place)) FROM stay WHERE person = 2 AND hour = 3 UNION ALL
SELECT 3, count(*), count(*) FILTER (WHERE place < 101), round(sum(place)) FROM stay WHERE person = 3 AND hour = 3 UNION ALL
SELECT 4, count(*), count(*) FILTER (WHERE place < 101), round(sum(place)) FROM stay WHERE person = 4 AND hour = 3 UNION ALL
SELECT 5, count(*), count(*) FILTER (WHERE place < 101), round(sum(place)) FROM stay WHERE person = 5 AND hour = 3 ORDER BY person;
-- the noise of a sum of entries that are never null is for one state in place of another, not for none
SET privacct.epsilon = 1;
SELECT statistic, scale AS nullable FROM preview('SELECT sum(place) FROM stay') WHERE kernel IS NOT NULL AND statistic <> 'release';
RESET ROLE;
DELETE FROM stay WHERE place IS NULL;
ALTER TABLE stay ALTER place SET NOT NULL;
SET ROLE regress_pa_states;
SELECT statistic, scale AS never_null FROM preview('SELECT sum(place) FROM stay') WHERE kernel IS NOT NULL AND statistic <> 'release';
RESET ROLE;
SET client_min_messages = warning;
DROP SCHEMA other CASCADE;
DROP OWNED BY regress_pa_states;
DROP ROLE regress_pa_states;
