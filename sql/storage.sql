-- Values that are stored out of line are not read while rows are: owners, keys,
-- values of domains and entries.  Their table's owner is told.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_sg_steward;
CREATE ROLE regress_sg_analyst;
GRANT privacct_admin TO regress_sg_steward;
CREATE SCHEMA store AUTHORIZATION regress_sg_steward;
GRANT USAGE ON SCHEMA store TO PUBLIC;
SET search_path = store, privacct;
CREATE FUNCTION try(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
	hint text;
BEGIN
	EXECUTE statement;
	RETURN 'done';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	RETURN format('%s: %s | %s | %s', SQLSTATE, SQLERRM, detail, hint);
END
$$;
\pset format unaligned
\pset footer off

SET ROLE regress_sg_steward;
-- of 90 rows 29 are so wide that the owner and the ward are elsewhere, and 3 belong to somebody with a long name
CREATE TABLE visit (visit_id int, patient text NOT NULL, ward varchar(300), pad text);
ALTER TABLE visit ALTER pad SET STORAGE plain;
INSERT INTO visit SELECT i, CASE WHEN i > 87 THEN repeat('long ', 250) ELSE 'patient of a name that is long enough ' || i END, CASE WHEN i % 3 > 0 THEN 'ward ' || i % 3 ELSE 'the ward with a name of many words ' END,
	repeat('x', CASE WHEN i % 3 = 0 AND i < 88 THEN 2500 ELSE 10 END) FROM generate_series(1, 90) i;
SELECT count(*), count(total_short(patient, 1024)) AS owned, count(total_short(ward, 256)) AS keyed FROM visit;
\pset tuples_only on
SELECT protect('visit', 'patient', epsilon => 1e6, delta => 0.01) > 0 AS protected;
SELECT set_keys('visit', 'ward', '{ward 1,ward 2,"the ward with a name of many words "}'::text[]);
SELECT grant_budget('visit', 'regress_sg_analyst', 1e6, 0.01);
-- of which the answer knows nothing
SET privacct.epsilon = 1000;
SET ROLE regress_sg_analyst;
SELECT ward, count(*) FROM visit GROUP BY ward ORDER BY ward;
-- the hint mends it, but for the long names
SET ROLE regress_sg_steward;
ALTER TABLE visit ALTER patient SET STORAGE MAIN, ALTER ward SET STORAGE MAIN;
RESET ROLE;
VACUUM FULL visit;
SET ROLE regress_sg_analyst;
SELECT ward, count(*) FROM visit GROUP BY ward ORDER BY ward;
SET ROLE regress_sg_steward;
SELECT set_keys('visit', 'ward', '{ward 1,ward 2,"the ward with a name of many words "}'::text[]);
SELECT unprotect('visit');
UPDATE visit SET patient = left(patient, 100);
SELECT protect('visit', 'patient', epsilon => 1e6, delta => 0.01) > 0 AS protected;

-- storage external is refused, then and afterwards, of partitions too
CREATE TABLE split (id int, patient text NOT NULL, ward text, age int, pain text) PARTITION BY RANGE (id);
CREATE TABLE split_1 PARTITION OF split FOR VALUES FROM (0) TO (100);
ALTER TABLE split_1 ALTER patient SET STORAGE EXTERNAL;
SELECT try($$SELECT protect('split', 'patient', epsilon => 1e6, delta => 0.01)$$);
ALTER TABLE split ALTER patient SET STORAGE EXTENDED, ALTER ward SET STORAGE EXTERNAL;
SELECT try($$SELECT protect('split', 'patient', epsilon => 1e6, delta => 0.01)$$);
SELECT try($$SELECT set_keys('split', 'ward', '{a,b}'::text[])$$);
ALTER TABLE split ALTER ward SET STORAGE EXTENDED;
SELECT try($$SELECT set_keys('split', 'ward', '{a,b}'::text[])$$);
SELECT statement, try(statement) FROM unnest(ARRAY['ALTER TABLE split ALTER patient SET STORAGE EXTERNAL', 'ALTER TABLE split_1 ALTER patient SET STORAGE EXTERNAL',
	'ALTER TABLE split_1 ALTER ward SET STORAGE EXTERNAL', 'ALTER TABLE split ALTER pain SET STORAGE EXTERNAL', 'ALTER TABLE split_1 ALTER ward SET STORAGE MAIN', 'ALTER TABLE split ALTER patient SET STORAGE PLAIN']) statement;

-- domains of the local regime and entries
CREATE TABLE survey (person text NOT NULL PRIMARY KEY, answer text);
INSERT INTO survey VALUES ('somebody', 'yes');
SELECT protect('survey', 'person', epsilon => 1, regime => 'local') > 0 AS protected;
ALTER TABLE survey ALTER answer SET STORAGE EXTERNAL;
SELECT try($$SELECT set_domain('survey', 'answer', '{yes,no}'::text[])$$);
ALTER TABLE survey ALTER answer SET STORAGE EXTENDED;
SELECT set_domain('survey', 'answer', '{yes,no}'::text[]);
SELECT try('ALTER TABLE survey ALTER answer SET STORAGE EXTERNAL');
CREATE TABLE trip (person text NOT NULL, hour int NOT NULL, place text NOT NULL, pad text, PRIMARY KEY (person, hour));
ALTER TABLE trip ALTER place SET STORAGE EXTERNAL, ALTER pad SET STORAGE PLAIN;
INSERT INTO trip VALUES ('somebody', 1, 'home', NULL), ('somebody', 2, 'a place that has a name of many words', repeat('x', 2500));
\set protect_trip 'SELECT protect_entries(''trip'', ''person'', ''{hour}'', ''place'', chain_prior(''{home,a place that has a name of many words}''::text[], ''{{0.6,0.4},{0.4,0.6}}''), 1, max_entries => 5) > 0'
SELECT try(:'protect_trip');
ALTER TABLE trip ALTER place SET STORAGE EXTENDED;
:protect_trip;
SELECT try('ALTER TABLE trip ALTER place SET STORAGE EXTERNAL');
SELECT try('ALTER TABLE trip ALTER person SET STORAGE EXTERNAL');
RESET ROLE;

SET client_min_messages = error;
RESET search_path;
DROP SCHEMA store CASCADE;
DROP OWNED BY regress_sg_steward, regress_sg_analyst;
DROP ROLE regress_sg_steward, regress_sg_analyst;
