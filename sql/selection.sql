--
-- Private selection of groups: what one person can make visible, and in what form.
--
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE selection_analyst;
RESET client_min_messages;

-- One owner with 2000 keys and L0 = 1: at most the one group that is kept can
-- come out, whatever the noise (with delta 0.1 per group hundreds of empty
-- groups would pass the threshold if they were tried).
CREATE TABLE lone (owner int NOT NULL, k int NOT NULL);
INSERT INTO lone SELECT 1, i FROM generate_series(1, 2000) i;
SELECT privacct.protect('lone', 'owner', epsilon => 1000, delta => 0.9, max_groups_contributed => 1,
	max_rows_contributed => 1, fresh => true) > 0 AS protected;
SELECT privacct.grant_budget('lone', 'selection_analyst', epsilon => 1000, delta => 0.9);

-- Equal keys of different form: 1.0 and 1.00, -0 and 0, '24:00' and '1 day',
-- and a text that one row stores compressed.
CREATE TABLE forms (owner int NOT NULL, n numeric, f float8, i interval, secret boolean, t text, c text, pad text);
ALTER TABLE forms ALTER pad SET STORAGE plain;	-- which makes rows so wide that t is compressed
INSERT INTO forms
SELECT o, CASE WHEN o = 1 THEN 1.000 ELSE 1.0 END, CASE WHEN o = 1 THEN '-0'::float8 ELSE 0 END,
	CASE WHEN o = 1 THEN interval '24:00' ELSE interval '1 day' END, o = 1, repeat('x', 200), 'k', repeat('y', 1900)
FROM generate_series(1, 200) o;
SELECT bool_and(pg_column_compression(t) IS NOT NULL) AS compressed, bool_and(pg_column_compression(t || '') IS NULL) AS not_when_joined FROM forms;
SELECT privacct.protect('forms', 'owner', epsilon => 100000, delta => 0.1, fresh => true) > 0 AS protected;
SELECT privacct.set_keys('forms', 'n', ARRAY[1.0]);
SELECT privacct.grant_budget('forms', 'selection_analyst', epsilon => 100000, delta => 0.1);

SET ROLE selection_analyst;
SET privacct.epsilon = 1;
SET privacct.delta = 0.1;
SELECT count(*) <= 1 AS at_most_one FROM (SELECT k, count(*) FROM lone GROUP BY k) s;

SET privacct.epsilon = 1000;
SET privacct.delta = 1e-5;
SELECT n, c, count(*) FROM forms GROUP BY n, c;
SELECT n * 1 AS n, count(*) FROM forms GROUP BY 1;
SELECT f, count(*) FROM forms GROUP BY f;
SELECT i, count(*) FROM forms GROUP BY i;
SELECT pg_column_size(k), n
FROM (SELECT CASE WHEN secret THEN t ELSE t || '' END AS k, count(*) AS n FROM forms GROUP BY 1) s;
SELECT pg_column_size(k), n
FROM (SELECT CASE WHEN secret THEN t || '' ELSE t END AS k, count(*) AS n FROM forms GROUP BY 1) s;
-- the longest key has 256 bytes, longer ones are null
SELECT repeat('z', 56) AS rest \gset
SELECT octet_length(k), n FROM (SELECT t || :'rest' AS k, count(*) AS n FROM forms GROUP BY 1) s;
SELECT octet_length(k), n FROM (SELECT t || :'rest' || 'z' AS k, count(*) AS n FROM forms GROUP BY 1) s;
RESET ROLE;
-- those are of the group of null wherever rows come from, a row of the table as it lies in its page or one that is computed; whether another
-- row has a null, which of them comes first, and how many there are changes nothing else
CREATE TABLE long_keys (owner int NOT NULL, t text, u text);
INSERT INTO long_keys SELECT i, repeat('x', 300), 'u' FROM generate_series(1, 5000) i;
SELECT privacct.protect('long_keys', 'owner', epsilon => 100000, delta => 0.1, max_groups_contributed => 1, max_rows_contributed => 1, fresh => true) > 0 AS protected;
SELECT privacct.grant_budget('long_keys', 'selection_analyst', epsilon => 100000, delta => 0.1);
CREATE VIEW long_groups AS SELECT t, n FROM (SELECT t, u, count(*) AS n FROM long_keys GROUP BY t, u) a UNION ALL SELECT t, n FROM (SELECT t, count(*) AS n FROM long_keys GROUP BY t) b
	UNION ALL SELECT t, n FROM (SELECT t, u, count(*) AS n FROM long_keys WHERE owner > 1 GROUP BY t, u) c;
ALTER VIEW long_groups SET (security_invoker);
GRANT SELECT ON long_groups TO selection_analyst;
SET ROLE selection_analyst;
SELECT t, n FROM long_groups;
RESET ROLE;
UPDATE long_keys SET t = NULL WHERE owner = 5000;		-- the last row
SET ROLE selection_analyst;
SELECT t, n FROM long_groups;
RESET ROLE;
DELETE FROM long_keys;
VACUUM long_keys;
INSERT INTO long_keys SELECT i, CASE WHEN i > 1 THEN repeat('x', 300) END, 'u' FROM generate_series(1, 5000) i;		-- the first row
SET ROLE selection_analyst;
SELECT t, n FROM long_groups;
RESET ROLE;
DROP VIEW long_groups;
SELECT privacct.unprotect('long_keys');
DROP TABLE long_keys;

-- a minimum of owners holds for declared groups as well: of 0, 5 and 200 owners
CREATE TABLE small (owner int PRIMARY KEY, ward text NOT NULL);
INSERT INTO small SELECT i, CASE WHEN i <= 5 THEN 'B' ELSE 'C' END FROM generate_series(1, 205) i;
SELECT privacct.protect('small', 'owner', epsilon => 100000, min_owners => 10, fresh => true) > 0 AS protected;
SELECT privacct.set_keys('small', 'ward', ARRAY['A', 'B', 'C']);
SELECT privacct.grant_budget('small', 'selection_analyst', epsilon => 100000);
SET ROLE selection_analyst;
SELECT ward, count(*) FROM small GROUP BY ward;
SELECT statistic, sensitivity FROM privacct.preview('SELECT ward, count(*) FROM small GROUP BY ward') WHERE used;
RESET ROLE;
-- enums are compared and grouped by like texts
RESET ROLE;
CREATE TYPE triage AS ENUM ('red', 'amber', 'green');
CREATE TABLE triaged (owner int PRIMARY KEY, level triage);
INSERT INTO triaged SELECT i, (ARRAY['red', 'amber', 'green', NULL])[1 + i % 4]::triage FROM generate_series(1, 400) i;
SELECT privacct.protect('triaged', 'owner', epsilon => 100000, delta => 1e-3, fresh => true) > 0 AS protected;
SELECT privacct.grant_budget('triaged', 'selection_analyst', epsilon => 100000, delta => 1e-3);
SET ROLE selection_analyst;
SELECT level, count(*) FROM triaged GROUP BY level;
SELECT count(*) FILTER (WHERE level = 'red') AS red, count(*) FILTER (WHERE level IN ('red', 'green')) AS two,
	count(*) FILTER (WHERE level::text LIKE 'a%') AS amber, count(level) AS known FROM triaged;
RESET ROLE;
SELECT privacct.unprotect('triaged');
DROP TABLE triaged;
DROP TYPE triage;
SELECT privacct.unprotect('small');
DROP TABLE small;
SELECT privacct.unprotect('lone');
SELECT privacct.unprotect('forms');
DROP TABLE lone, forms;
DROP OWNED BY selection_analyst;
DROP ROLE selection_analyst;
