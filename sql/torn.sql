-- A restore in place of what was there whose parts are of different moments: it counts only if nothing is less than it was.
SET client_min_messages = error;
\set SHOW_CONTEXT never
CREATE DATABASE regression_torn TEMPLATE template0;
\connect regression_torn
SET client_min_messages = error;
CREATE EXTENSION privacct;
CREATE ROLE regress_torn_analyst;
SET search_path = public, privacct;
SET privacct.epsilon = 0.5;
CREATE TABLE visit (visit_person int PRIMARY KEY);
CREATE TABLE planned (planned_person int PRIMARY KEY);
CREATE TABLE vote (vote_person int PRIMARY KEY, vote_v int);
CREATE TABLE bought (bought_person int PRIMARY KEY);
CREATE TABLE walk (person int, hour int, place text NOT NULL, PRIMARY KEY (person, hour));
INSERT INTO visit SELECT generate_series(1, 50);
INSERT INTO planned SELECT generate_series(1, 50);
INSERT INTO bought SELECT generate_series(1, 50);
INSERT INTO vote SELECT i, i % 2 FROM generate_series(1, 50) i;
INSERT INTO walk SELECT i, j, substr('ab', 1 + (i + j) % 2, 1) FROM generate_series(1, 20) i, generate_series(1, 6) j;
SELECT create_unit('shop', epsilon => 9, delta => 1e-6) > 0 AS unit;
SELECT protect('visit', 'visit_person', epsilon => 9), protect('planned', 'planned_person', accountant => 'plan', epsilon => 3, delta => 1e-6), protect('vote', 'vote_person', regime => 'local', epsilon => 9),
	protect('bought', 'bought_person', unit => 'shop'), protect_entries('walk', 'person', '{hour}', 'place', chain_prior(ARRAY['a', 'b'], '{{.7,.3},{.3,.7}}'), 50, max_entries => 6);
SELECT set_domain('vote', 'vote_v', ARRAY[0, 1]);
SELECT grant_budget(t, 'regress_torn_analyst', CASE WHEN t = 'planned'::regclass THEN 1 ELSE 9 END) FROM unnest('{visit,planned,vote,walk}'::regclass[]) t;
SELECT grant_budget('shop', 'regress_torn_analyst', 9);
SELECT slot FROM plan_budget('planned', '[{"kernel": "laplace", "releases": 3}]');

CREATE PROCEDURE ask() LANGUAGE plpgsql AS $$
DECLARE
	query text;
	n numeric;
BEGIN
	SET LOCAL ROLE regress_torn_analyst;
	FOREACH query IN ARRAY ARRAY['SELECT count(*) FROM visit', 'SELECT count(*) FROM planned', 'SELECT ldp_count(vote_v = 1) FROM vote', 'SELECT count(*) FROM bought',
		'SELECT count(*) FROM walk WHERE place = ''a''', 'SELECT count(*) FROM walk WHERE place = ''a'' AND person = 1'] LOOP
		EXECUTE query INTO n;
	END LOOP;
	RESET ROLE;
END
$$;
CREATE TABLE kept (moment int, relation text, line jsonb);
CREATE FUNCTION dumped() RETURNS SETOF text LANGUAGE sql AS $$
	SELECT c.relname::text FROM pg_extension e CROSS JOIN LATERAL unnest(e.extconfig, e.extcondition) x(oid, condition) JOIN pg_class c ON c.oid = x.oid
	WHERE e.extname = 'privacct' AND c.relkind = 'r' AND x.condition = '' $$;
CREATE PROCEDURE dump(moment int) LANGUAGE plpgsql AS $$
DECLARE
	r text;
BEGIN
	FOR r IN SELECT dumped() LOOP
		EXECUTE format('INSERT INTO kept SELECT %s, %L, to_jsonb(t) FROM privacct.%s t', moment, r, r);
	END LOOP;
END
$$;
-- what must never become less
CREATE FUNCTION spent() RETURNS TABLE (what text, much numeric) LANGUAGE sql AS $$
	SELECT 'account ' || policy_id || ' ' || role::text, epsilon FROM privacct.account
	UNION ALL SELECT 'slot ' || slot, used FROM privacct.slot
	UNION ALL SELECT 'questions ' || policy_id, count(*) FROM privacct.question GROUP BY policy_id
	UNION ALL SELECT 'answers ' || policy_id, count(*) FROM privacct.answer GROUP BY policy_id
	UNION ALL SELECT 'owner ' || owner, epsilon FROM privacct.owner_account $$;
-- a dump of a moment, but for some tables, in whatever order but for the last
CREATE FUNCTION torn(moment int, other text[], last text, OUT vouched boolean, OUT less text) LANGUAGE plpgsql AS $$
DECLARE
	r text;
BEGIN
	CREATE TEMP TABLE was AS SELECT * FROM spent();
	SET LOCAL privacct.allow_drop_extension = on;
	DROP EXTENSION privacct;
	CREATE EXTENSION privacct;
	FOR r IN SELECT d FROM dumped() d ORDER BY d = last, random() LOOP
		EXECUTE format('INSERT INTO privacct.%1$s SELECT t.* FROM kept k CROSS JOIN LATERAL jsonb_populate_record(NULL::privacct.%1$s, k.line) t WHERE k.relation = %1$L AND k.moment = %2$s', r,
			CASE WHEN r = ANY (other) THEN 3 - moment ELSE moment END);
	END LOOP;
	vouched := NOT EXISTS (SELECT FROM privacct._away);
	less := (SELECT string_agg(w.what, ', ' ORDER BY w.what) FROM was w LEFT JOIN spent() s ON s.what = w.what WHERE s.much IS NULL OR s.much < w.much);
	RAISE SQLSTATE 'ZZZZZ';
EXCEPTION WHEN SQLSTATE 'ZZZZZ' THEN
	NULL;
END
$$;
CALL ask();
CALL dump(1);
CALL ask();
CALL dump(2);
SELECT count(*) > 20 AS tables FROM dumped();
-- whole, it counts, if it is the later one
SELECT t.* FROM torn(2, '{}', '') t;
SELECT t.vouched FROM torn(1, '{}', '') t;
-- one table is older; each of these would be lost in silence
SELECT other, t.* FROM unnest('{account,slot,ledger_line,question,owner_account,owner_state}'::text[]) other, torn(2, ARRAY[other], '') t WHERE t.vouched AND t.less IS NOT NULL;
-- the ledger is later, and the policy comes last: what accounts say is raised
SELECT t.* FROM torn(1, '{ledger_line,ledger_sum,payer_sum,release_sum}', 'policy') t;
\connect regression
SET client_min_messages = error;
DROP DATABASE regression_torn;
DROP ROLE regress_torn_analyst;
