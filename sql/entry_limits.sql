-- What a promise about entries rests on, and may not be declared away: how many
-- rows an owner has, and that what is public does not follow from what is secret.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_pa_asker;
CREATE SCHEMA entry;
GRANT USAGE ON SCHEMA entry TO PUBLIC;
SET search_path = entry, public;
RESET client_min_messages;
-- runs a statement; what it raised, or ok
CREATE FUNCTION entry.try(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	message text; detail text;
BEGIN
	EXECUTE statement;
	RETURN 'ok';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
	RETURN concat_ws(E'\n', SQLSTATE || ': ' || message, 'detail: ' || nullif(detail, ''));
END
$$;
CREATE VIEW entry.versions AS
SELECT p.relation, v.version, v.epsilon_pufferfish, round(v.epsilon, 6) AS entry_epsilon, v.max_entries
FROM privacct.prior v JOIN privacct.policy p USING (policy_id) WHERE p.closed_at IS NULL ORDER BY 1, 2;
CREATE FUNCTION entry.alike(length int) RETURNS jsonb LANGUAGE sql AS $$
	SELECT privacct.chain_prior(ARRAY['a', 'b'], '{{0.99,0.01},{0.01,0.99}}', '{0.5,0.5}', length)
$$;
CREATE FUNCTION entry.apart() RETURNS jsonb LANGUAGE sql AS $$
	SELECT privacct.chain_prior(ARRAY['a', 'b'], '{{0.5,0.5},{0.5,0.5}}')
$$;

-- several priors: the shortest says how many rows may be there, as it says nothing of others
CREATE TABLE entry.walk (person int, hour int, place text NOT NULL, PRIMARY KEY (person, hour));
INSERT INTO entry.walk SELECT i, j, CASE WHEN (i + j) % 3 = 0 THEN 'a' ELSE 'b' END FROM generate_series(1, 20) i, generate_series(1, 10) j;
SELECT entry.try($$SELECT privacct.protect_entries('walk', 'person', '{hour}', 'place', jsonb_build_array(entry.alike(3), entry.alike(10)))$$);
SELECT entry.try($$SELECT privacct.protect_entries('walk', 'person', '{hour}', 'place', jsonb_build_array(entry.alike(10), entry.alike(3)), max_entries => 10)$$);
SELECT entry.try($$SELECT privacct.protect_entries('walk', 'person', '{hour}', 'place', jsonb_build_array(entry.apart(),
	privacct.table_prior(ARRAY['a', 'b'], '{2,2}', '{0.4,0.1,0.1,0.4}'), entry.alike(10)), max_entries => 3)$$);
SELECT entry.try($$SELECT privacct.protect_entries('walk', 'person', '{hour}', 'place', jsonb_build_array(entry.apart(), entry.alike(12), entry.alike(10)))$$);
SELECT * FROM entry.versions;

-- rows that are gone were in the releases that were paid for: max_entries cannot become less after them
SELECT privacct.unprotect('walk');
SELECT privacct.protect_entries('walk', 'person', '{hour}', 'place', entry.apart(), max_entries => 20) > 0 AS protected;
SELECT privacct.grant_budget('walk', 'regress_pa_asker', 10);
SELECT entry.try($$SELECT privacct.set_priors('walk', entry.alike(12), max_entries => 10)$$);
SET ROLE regress_pa_asker;
SET privacct.epsilon = 0.05;
SELECT c IS NOT NULL AS answered FROM (SELECT count(*) AS c FROM walk WHERE place = 'a') s;
RESET ROLE;
DELETE FROM walk WHERE hour > 2;
-- ten rows with 0.05 each may have lost 0.5, not 0.1
SELECT entry.try($$SELECT privacct.set_priors('walk', entry.alike(2))$$);
SELECT entry.try($$SELECT privacct.set_priors('walk', entry.apart(), max_entries => 9)$$);
SELECT entry.try($$SELECT privacct.set_priors('walk', entry.alike(12), max_entries => 10)$$);
SELECT entry.try($$SELECT privacct.set_priors('walk', entry.apart())$$);
SELECT entry.try($$SELECT privacct.set_priors('walk', entry.alike(4096))$$);
SELECT * FROM entry.versions;
BEGIN;
SELECT privacct.unprotect('walk');
SELECT entry.try($$SELECT privacct.protect_entries('walk', 'person', '{hour}', 'place', entry.apart(), max_entries => 4096)$$);
SELECT entry.try($$SELECT privacct.protect_entries('walk', 'person', '{hour}', 'place', entry.apart())$$);
SELECT entry.try($$SELECT privacct.set_priors('walk', entry.alike(2))$$);
COMMIT;
SELECT relation, entry_epsilon_spent, max_entries FROM privacct.pufferfish_budget;

-- what is generated from a secret is one, and what is generated from public columns is none
CREATE TABLE entry.copy (person int, hour int, place text NOT NULL, gps int, room text,
	twin text GENERATED ALWAYS AS (upper(place)) STORED, late boolean GENERATED ALWAYS AS (hour > 12) STORED,
	near boolean GENERATED ALWAYS AS (gps > 12 AND hour > 12) STORED,
	ordered text NOT NULL GENERATED ALWAYS AS (place || 'x') STORED, holder int NOT NULL GENERATED ALWAYS AS (length(place)) STORED,
	made text NOT NULL GENERATED ALWAYS AS (CASE WHEN room = 'x' THEN 'a' ELSE 'b' END) STORED,
	PRIMARY KEY (person, hour), UNIQUE (person, ordered), UNIQUE (holder, hour));
SELECT entry.try($$SELECT privacct.protect_entries('copy', 'person', '{ordered}', 'place', entry.apart(), max_entries => 5)$$);
SELECT entry.try($$SELECT privacct.protect_entries('copy', 'holder', '{hour}', 'place', entry.apart(), max_entries => 5)$$);
SELECT entry.try($$SELECT privacct.protect_entries('copy', 'person', '{hour}', 'place', entry.apart(), max_entries => 5)$$);
SELECT entry.try($$SELECT privacct.set_public('copy', 'twin')$$);
SELECT entry.try($$SELECT privacct.set_public('copy', 'late')$$);
SELECT entry.try($$SELECT privacct.set_public('copy', 'near')$$);
SELECT entry.try($$SELECT privacct.set_public('copy', 'gps')$$);
SELECT entry.try($$SELECT privacct.set_public('copy', 'near')$$);
SELECT column_name FROM privacct.public_column c JOIN privacct.policy p USING (policy_id) WHERE p.closed_at IS NULL AND p.relation = 'copy'::regclass ORDER BY 1;
SELECT privacct.unprotect('copy');
SELECT entry.try($$SELECT privacct.protect_entries('copy', 'person', '{hour}', 'made', entry.apart(), max_entries => 5)$$);
SELECT entry.try($$SELECT privacct.set_public('copy', 'room')$$);
SELECT entry.try($$SELECT privacct.set_public('copy', 'gps')$$);
-- children may generate what their parents do not
CREATE TABLE entry.year (person int, hour int, place text NOT NULL, near text, PRIMARY KEY (person, hour)) PARTITION BY RANGE (hour);
SELECT privacct.protect_entries('year', 'person', '{hour}', 'place', entry.apart(), max_entries => 5) > 0 AS protected;
SELECT entry.try($$SELECT privacct.set_public('year', 'near')$$);
SELECT entry.try($$CREATE TABLE entry.year_1 PARTITION OF entry.year (near GENERATED ALWAYS AS (upper(place)) STORED) FOR VALUES FROM (0) TO (10)$$);
CREATE TABLE entry.year_2 (person int NOT NULL, hour int NOT NULL, place text NOT NULL, near text GENERATED ALWAYS AS (upper(place)) STORED);
SELECT entry.try($$ALTER TABLE entry.year ATTACH PARTITION entry.year_2 FOR VALUES FROM (10) TO (20)$$);

RESET ROLE;
SET client_min_messages = warning;
DROP SCHEMA entry CASCADE;
DROP ROLE regress_pa_asker;
SELECT count(*) AS open_policies FROM privacct.policy WHERE closed_at IS NULL;
