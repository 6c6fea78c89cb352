-- SPDX-License-Identifier: GPL-3.0-or-later
-- The ledger, the policies, the extension's own functions.

-- case: tables of the extension
-- prints: refused [1-9]\d*
DO $$ DECLARE t regclass; n int := 0; q text; BEGIN
	FOR t IN SELECT oid FROM pg_class WHERE relnamespace = 'privacct'::regnamespace AND relkind IN ('r', 'S') LOOP
		FOREACH q IN ARRAY ARRAY['SELECT * FROM %s', 'DELETE FROM %s', 'TRUNCATE %s', 'LOCK TABLE %s IN ACCESS SHARE MODE', 'ALTER TABLE %s ADD x int',
			'DROP TABLE %s', 'CREATE TRIGGER x AFTER INSERT ON %s EXECUTE FUNCTION suppress_redundant_updates_trigger()', 'GRANT SELECT ON %s TO spy'] LOOP
			BEGIN
				EXECUTE format(q, t);
				RAISE NOTICE 'BREACH: %', format(q, t);
			EXCEPTION WHEN insufficient_privilege OR wrong_object_type OR feature_not_supported OR object_not_in_prerequisite_state THEN n := n + 1; END;
		END LOOP;
	END LOOP;
	RAISE NOTICE 'refused %', n;
END $$;

-- case: views of the extension cannot be written
-- errors: 5 55000
DELETE FROM privacct.my_ledger;
UPDATE privacct.my_budget SET epsilon = 1e6;
UPDATE privacct.odometer SET epsilon = 1e6;
UPDATE privacct.budget SET epsilon = 1e6;
INSERT INTO privacct.my_ledger DEFAULT VALUES;

-- case: cheap functions over the extension's views see only the own lines
-- prints: told spy
SELECT count(*) >= 0 FROM my_ledger WHERE den.tell_always(payer);
SELECT count(*) >= 0 FROM my_budget WHERE den.tell_always(role::text);
SELECT 'BREACH: the odometer of others' FROM odometer WHERE den.tell_always('BREACH ' || relation_name);
SELECT 'BREACH: the budget of others' FROM budget WHERE den.tell_always('BREACH ' || relation_name);
SELECT 'BREACH: the ledger of others' FROM my_ledger WHERE role <> 'spy';

-- case: the dba cannot rewrite the ledger either
-- as: postgres
-- errors: 4 42501
DELETE FROM privacct.ledger;
UPDATE privacct.ledger SET epsilon = 0;
TRUNCATE privacct.ledger_line;
UPDATE privacct.ledger SET detail = NULL WHERE charge_id = 1;

-- case: declarations by others than the owner
-- errors: 13 42501
SELECT privacct.protect('care.ward', owner => 'floor');
SELECT privacct.unprotect('care.stay');
SELECT privacct.set_bounds('care.stay', 'price', 0, 1);
SELECT privacct.set_bounds('care.stay', 'day', '2020-01-01'::date, '2021-01-01');
SELECT privacct.drop_bounds('care.stay', 'cost');
SELECT privacct.set_keys('care.stay', 'ward', ARRAY['annex']);
SELECT privacct.drop_keys('care.stay', 'ward');
SELECT privacct.grant_budget('care.stay', 'spy', epsilon => 1000);
SELECT privacct.grant_budget('care.reading_annex', 'spy', epsilon => 1000);
SELECT privacct.revoke_budget('care.stay', 'mate');
SELECT privacct.plan_budget('care.stay', '[{"kernel": "laplace", "releases": 1}]');
SELECT privacct.harden_catalog();
SELECT privacct.soften_catalog();

-- case: the extension's inner functions
-- prints: refused [1-9]\d\d*
DO $$ DECLARE f record; n int := 0; BEGIN
	FOR f IN SELECT p.oid::regprocedure AS name, has_function_privilege('spy', p.oid, 'EXECUTE') AS open FROM pg_proc p
			WHERE p.pronamespace = 'privacct'::regnamespace AND p.proname LIKE '\_%' LOOP
		-- of the open ones: what shows the caller's own rows, what tables rest on and whose that is, their names and columns with the caller's rights, keys as pg_constraint has them, relations, sessions, budgets and timelines, arithmetic over nothing but its arguments, which tables hang together and are protected, what the library allows, and suggest_bounds(), which asks with the caller's rights
		IF f.open AND f.name NOT IN ('privacct._tree(regclass)'::regprocedure, 'privacct._ancestors(regclass)'::regprocedure,
			'privacct._is_protected(regclass)'::regprocedure, 'privacct._foundation(oid[])'::regprocedure, 'privacct._of_others(oid[])'::regprocedure, 'privacct._described_of_others(oid[])'::regprocedure, 'privacct._refuse_fit(regclass,regclass)'::regprocedure,
			'privacct._administers(regclass)'::regprocedure, 'privacct._administers_books(regclass,oid)'::regprocedure,
			'privacct._columns_called(oid,int2[])'::regprocedure, 'privacct._column_called(oid,int2)'::regprocedure, 'privacct._path_key(regclass,name[],oid,name[],boolean)'::regprocedure, 'privacct._referred(pg_constraint,name[])'::regprocedure, 'privacct._describe(oid)'::regprocedure, 'privacct._describe_all(oid[])'::regprocedure, 'privacct._foreign_keys(regclass,name[])'::regprocedure, 'privacct._sorted(name[])'::regprocedure, 'privacct._why_no_path(pg_constraint,boolean)'::regprocedure,
			'privacct._absent(name)'::regprocedure, 'privacct._timeline()'::regprocedure, 'privacct._timeline_is_followed(bigint,bigint)'::regprocedure, 'privacct._question(text,numeric,numeric,numeric)'::regprocedure, 'privacct._require_epsilon(jsonb,numeric,numeric,int)'::regprocedure, 'privacct._accountants(text)'::regprocedure, 'privacct._currency(text)'::regprocedure, 'privacct._spent(text,numeric,numeric)'::regprocedure, 'privacct._worth(text,numeric,numeric)'::regprocedure,
			'privacct._kept_releases(regclass)'::regprocedure, 'privacct._local_states(regclass)'::regprocedure, 'privacct._terms_of(regclass)'::regprocedure, 'privacct._owner_states(regclass)'::regprocedure, 'privacct._local_likelihoods(regclass)'::regprocedure, 'privacct._local_points(regclass)'::regprocedure, 'privacct._local_cells(regclass)'::regprocedure, 'privacct._most_lost(privacct.policy)'::regprocedure,
			'privacct._longest_owner(regclass,name)'::regprocedure, 'privacct._checked_prior(jsonb)'::regprocedure,
			'privacct._smooth_chain(float8[],float8)'::regprocedure, 'privacct._group_delta(float8,float8)'::regprocedure,
			'privacct._usable_points(int[],float8[],numeric,numeric,numeric)'::regprocedure,
			'privacct._pufferfish_limit(int[],float8[],bigint,numeric)'::regprocedure, 'privacct._pufferfish_spent(int[],float8[],bigint,numeric)'::regprocedure,
			'privacct._pufferfish_needed(int[],float8[],bigint,numeric,float8)'::regprocedure, 'privacct._pufferfish_sums(int[],float8[],bigint,float8[],float8[])'::regprocedure,
			'privacct._own_counter(oid,oid)'::regprocedure, 'privacct._own_duration(oid,oid)'::regprocedure, 'privacct._own_size(oid,oid,text)'::regprocedure, 'privacct._own_moment(oid,oid)'::regprocedure,
			'privacct._own_number(oid,oid)'::regprocedure, 'privacct._own_path(oid,oid)'::regprocedure, 'privacct._own_sessions(int)'::regprocedure, 'privacct._own_signal(oid,int,bigint)'::regprocedure,
			'privacct._may_ask(oid)'::regprocedure, 'privacct._may_ask_any(text,text)'::regprocedure, 'privacct._may_ask_any(oid,text)'::regprocedure,
			'privacct._may_ask_any(name,text,text)'::regprocedure, 'privacct._may_ask_any(name,oid,text)'::regprocedure,
			'privacct._may_ask_any(oid,text,text)'::regprocedure, 'privacct._may_ask_any(oid,oid,text)'::regprocedure,
			'privacct._first(anyelement,float8,int)'::regprocedure, 'privacct._here()'::regprocedure, 'privacct._left()'::regprocedure, 'privacct._mechanisms(jsonb)'::regprocedure, 'privacct._column_number(oid,name)'::regprocedure, 'privacct._owner_key_is(name,oid)'::regprocedure, 'privacct._as_is()'::regprocedure, 'privacct._allowed_functions()'::regprocedure, 'privacct._top(anyelement,float8,int)'::regprocedure,
			'privacct._contributions(text)'::regprocedure, 'privacct._conditions(jsonb)'::regprocedure, 'privacct._least_limit(text,numeric[],numeric,numeric)'::regprocedure, 'privacct._declaration(text,jsonb,numeric,numeric)'::regprocedure, 'privacct._suggest_bounds(jsonb,float8,numeric)'::regprocedure)
			-- pictures of what the caller may see, texts of arguments, and the caller's own sessions
			AND f.name::text !~ '^(privacct[.])?_((my_)?report_\w+|bar|column_chart|date_axis|figure|four_digits|html|html_name|last_days|lasts|line_chart|line_labels|noise_of|noise_row|page|percent|power_of_ten|progress|round_up|row|section|style|table|tile|waits_for_values)[(]' THEN
			RAISE NOTICE 'BREACH: % may be executed', f.name;
		END IF;
		n := n + (NOT f.open)::int;
	END LOOP;
	RAISE NOTICE 'refused %', n;
END $$;

-- case: inner functions called
-- errors: 6 42501
SELECT privacct._owner_marker(1, ARRAY['den.one'::regclass::oid], '{1}', 1, 1, 1, 1, 1, NULL, '{}', NULL, NULL, 0, NULL);
SELECT privacct._owner_marker(n, ARRAY['care.stay'::regclass::oid], '{1}', 1, 1, 1, 1, 1, NULL, '{}', NULL, NULL, 0, NULL) FROM den.one;
SELECT privacct._protect('keeper', 'care.stay', 'patient'::name, 1, 1e-6, 1, 1, 'basic', 'central', 1, NULL, NULL, 1, 'full', 0, NULL, NULL, NULL, 0, NULL, false, NULL, NULL);
SELECT privacct._grant_budget('keeper', 'care.stay', 'spy', 1e6, 1e-6);
SELECT privacct._check_grants('care.stay');
SELECT privacct._on_drop();

-- case: our aggregates on tables of the spy
-- errors: 2 42PA1, 1 0A000
SELECT dp_count(*) FROM den.many;
SELECT ward, dp_sum(n, 0, 1) FROM den.many GROUP BY ward;
SELECT dp_count(*) OVER () FROM den.many;

-- case: a guarded block inside tricks with our aggregates
-- errors: 1 42PA1, 2 42803
SELECT dp_sum(privacct._owner_marker(1, '{1}', '{1}', 1, 1, 1, 1, 1, NULL, '{}', NULL, NULL, 0, NULL)::int, 0, 1) FROM care.stay;
SELECT count(dp_count(*)) FROM care.stay;
SELECT sum(c) > -1000000 FROM (SELECT dp_count(*) OVER () AS c FROM care.stay) s;

-- case: a protected table of the spy as a lever
-- errors: 4 42PA1
\c - postgres
GRANT privacct_admin TO spy;
\c - spy
CREATE TABLE den.mine (patient int NOT NULL, v int);
INSERT INTO den.mine SELECT i, i FROM generate_series(1, 100) i;
SELECT privacct.protect('den.mine', owner => 'patient', epsilon => 1000) > 0;
SELECT count(*) FROM den.mine;
SELECT count(*) FROM den.mine m JOIN care.stay s ON s.patient = m.patient;
SELECT count(*) FROM care.stay s WHERE s.patient IN (SELECT patient FROM den.mine);
SELECT m.v, count(*) FROM care.stay s JOIN den.mine m ON m.patient = s.patient GROUP BY m.v;
SELECT count(*) FROM care.stay s, (SELECT max(v) AS v FROM den.mine) m;
\c - postgres
REVOKE privacct_admin FROM spy;

-- case: a table that looks like the protected one
-- prints: ^500$
CREATE SCHEMA decoy;
CREATE TABLE decoy.stay AS SELECT * FROM den.many;
SET search_path = decoy, care, privacct;
SELECT count(*) FROM stay;
SET client_min_messages = warning;
DROP SCHEMA decoy CASCADE;

-- case: changing the extension
-- errors: 9 42501
SET privacct.allow_drop_extension = on;
DROP EXTENSION privacct;
ALTER EXTENSION privacct UPDATE;
CREATE OR REPLACE FUNCTION privacct.intervals() RETURNS int LANGUAGE sql AS 'SELECT 1';
ALTER FUNCTION privacct.preview(text, float8, float8) OWNER TO spy;
DROP FUNCTION privacct.preview(text, float8, float8);
ALTER EVENT TRIGGER privacct_ddl_end DISABLE;
CREATE TABLE privacct.x (n int);
ALTER SCHEMA privacct RENAME TO y;

-- case: the owner opens a back door, and may not
-- as: keeper
-- errors: 12 42PA4
GRANT SELECT ON care.stay TO spy;
GRANT SELECT (ward) ON care.stay TO PUBLIC;
GRANT SELECT ON care.reading_annex TO spy;
GRANT REFERENCES ON care.stay TO spy;
GRANT SELECT ON ALL TABLES IN SCHEMA care TO spy;
ALTER TABLE care.stay ENABLE ROW LEVEL SECURITY;
CREATE POLICY p ON care.stay; ALTER TABLE care.stay ENABLE ROW LEVEL SECURITY;
CREATE RULE r AS ON INSERT TO care.stay DO ALSO SELECT 1;
ALTER TABLE care.stay ALTER patient DROP NOT NULL;
ALTER TABLE care.reading ALTER patient TYPE numeric;
ALTER TABLE care.reading DROP COLUMN patient;
ALTER TABLE care.reading ALTER pulse TYPE text;

-- case: families and keys across the border, by the owner
-- as: keeper
-- errors: 5 42PA4
CREATE TABLE care.parent (LIKE care.stay);
ALTER TABLE care.stay INHERIT care.parent;
CREATE TABLE care.over (patient int NOT NULL, ward text NOT NULL, pulse int NOT NULL) PARTITION BY LIST (ward);
ALTER TABLE care.over ATTACH PARTITION care.reading DEFAULT;
CREATE TABLE care.open (patient int NOT NULL, ward text NOT NULL, pulse int NOT NULL);
GRANT SELECT ON care.open TO spy;
ALTER TABLE care.reading ATTACH PARTITION care.open FOR VALUES IN ('open');
ALTER DEFAULT PRIVILEGES IN SCHEMA care GRANT SELECT ON TABLES TO spy;
CREATE TABLE care.reading_new PARTITION OF care.reading FOR VALUES IN ('new');
ALTER DEFAULT PRIVILEGES IN SCHEMA care REVOKE SELECT ON TABLES FROM spy;
CREATE TABLE care.pick (n int PRIMARY KEY);
GRANT INSERT, DELETE ON care.pick TO spy;
ALTER TABLE care.stay ADD FOREIGN KEY (seq) REFERENCES care.pick NOT VALID;
DROP TABLE care.parent, care.over, care.open, care.pick;

-- case: a new partition is protected at once
-- as: keeper
-- errors: 1 42PA1
CREATE TABLE care.reading_fresh PARTITION OF care.reading FOR VALUES IN ('fresh');
INSERT INTO care.reading VALUES (4711, 'fresh', 70000000 + 3915824);
\c - spy
SELECT pulse FROM care.reading_fresh;
\c - keeper
DROP TABLE care.reading_fresh;

-- case: owners that may be null
-- as: keeper
-- errors: 2 42PA4
CREATE TABLE care.loose (patient int, v int);
SELECT privacct.protect('care.loose', owner => 'patient');
CREATE TABLE care.odd (patient float8 NOT NULL, v int);
SELECT privacct.protect('care.odd', owner => 'patient');
DROP TABLE care.loose, care.odd;

-- case: without the library nothing is open
-- as: postgres
-- prints: ^42501$
SELECT CASE WHEN has_table_privilege('spy', 'care.stay', 'SELECT') OR has_any_column_privilege('spy', 'care.stay', 'SELECT') THEN 'BREACH: granted' ELSE '42501' END;
