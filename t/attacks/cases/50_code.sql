-- SPDX-License-Identifier: GPL-3.0-or-later
-- Code of the spy, and built-ins with effects, where they would see rows.

-- case: functions in conditions
-- errors: 6 42PA1
SELECT count(*) FROM care.stay WHERE den.tell(name);
SELECT count(*) FROM care.stay WHERE den.tell_stable(name);
SELECT count(*) FROM care.stay WHERE den.tell_always(name);
SELECT count(*) FROM care.stay s JOIN care.ward w ON den.tell(s.name);
SELECT count(*) FILTER (WHERE den.tell(name)) FROM care.stay;
SELECT count(*) FROM (SELECT * FROM care.stay WHERE den.tell(name)) s;

-- case: functions in values and keys
-- errors: 5 42PA1
SELECT dp_sum(den.through(cost), 0, 1) FROM care.stay;
SELECT den.through(cost), count(*) FROM care.stay GROUP BY 1;
SELECT count(den.through(cost)) FROM care.stay;
SELECT count(x) FROM (SELECT den.through(cost) AS x FROM care.stay) s;
SELECT DISTINCT den.tell(name) FROM care.stay;

-- case: functions without arguments, in the block
-- errors: 3 42PA1
CREATE FUNCTION den.now() RETURNS boolean LANGUAGE plpgsql STABLE AS $$ BEGIN RAISE NOTICE 'BREACH: evaluated for a row'; RETURN true; END $$;
SELECT count(*) FROM care.stay WHERE stay_id = 200001 AND den.now();
SELECT count(*) FROM care.stay WHERE CASE WHEN stay_id = 200001 THEN den.now() END;
SELECT dp_sum(cost, 0, 1, CASE WHEN den.now() THEN '' END) FROM care.stay;

-- case: inlinable sql functions
-- errors: 2 42PA1
CREATE FUNCTION den.plain(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1';
SELECT count(*) FROM care.stay WHERE den.plain(cost) > 0;
SELECT den.plain(cost), count(*) FROM care.stay GROUP BY 1;

-- case: operators
-- errors: 4 42PA1
CREATE FUNCTION den.op(int, int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RAISE NOTICE 'told %', $1; RETURN true; END $$;
CREATE OPERATOR den.> (FUNCTION = den.op, LEFTARG = int, RIGHTARG = int, RESTRICT = scalargtsel);
CREATE OPERATOR den.=== (FUNCTION = den.op, LEFTARG = int, RIGHTARG = int, HASHES, MERGES, RESTRICT = eqsel, JOIN = eqjoinsel);
SELECT count(*) FROM care.stay WHERE cost OPERATOR(den.>) 5;
SELECT count(*) FROM care.stay s JOIN care.many m ON s.cost OPERATOR(den.===) m.n;
SET search_path = den, pg_catalog, care, privacct;
SELECT count(*) FROM stay WHERE cost > 5;
SELECT count(*) FROM stay WHERE cost > ANY (ARRAY[5]);

-- case: operators behind other syntax
-- errors: 3 42PA1
-- charges: 1
CREATE FUNCTION den.eq(int, int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RAISE NOTICE 'told %', $1; RETURN true; END $$;
CREATE OPERATOR den.= (FUNCTION = den.eq, LEFTARG = int, RIGHTARG = int);
SET search_path = den, pg_catalog, care, privacct;
SELECT count(*) FROM stay WHERE cost IS DISTINCT FROM 5;
SELECT count(*) FROM stay WHERE nullif(cost, 5) > 0;
SELECT count(*) FROM stay WHERE CASE cost WHEN 5 THEN true END;
SELECT note, count(*) FROM stay WHERE note IS NOT NULL GROUP BY note HAVING count(*) > 100000;

-- case: functions that shadow built-ins
-- errors: 2 42PA1
CREATE FUNCTION den.lower(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RAISE NOTICE 'told %', $1; RETURN $1; END $$;
CREATE FUNCTION den.float8(int) RETURNS float8 LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RAISE NOTICE 'told %', $1; RETURN 1; END $$;
SET search_path = den, pg_catalog, care, privacct;
SELECT count(*) FROM stay WHERE lower(name) = 'x';
SELECT dp_sum(den.float8(cost), 0, 1) FROM stay;

-- case: aggregates that shadow ours
-- errors: 5 42PA1
CREATE FUNCTION den.add(text, int) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $1 || '','' || $2';
CREATE AGGREGATE den.dp_sum(int) (SFUNC = den.add, STYPE = text, INITCOND = '');
CREATE AGGREGATE den.sum(int) (SFUNC = den.add, STYPE = text, INITCOND = '');
CREATE FUNCTION den.add3(text, int, int, int) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $1 || '','' || $2';
CREATE AGGREGATE den.dp_sum(int, int, int) (SFUNC = den.add3, STYPE = text, INITCOND = '');
CREATE AGGREGATE den.last(int ORDER BY int) (SFUNC = den.add, STYPE = text, INITCOND = '');
SELECT den.dp_sum(cost) FROM care.stay;
SET search_path = den, pg_catalog, care, privacct;
SELECT dp_sum(cost) FROM stay;
SELECT sum(cost) FROM stay;
SELECT dp_sum(cost, 0, 1) FROM stay;
SELECT last(1) WITHIN GROUP (ORDER BY cost) FROM stay;

-- case: temporary objects that shadow
-- errors: 2 42PA1
CREATE FUNCTION pg_temp.upper(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RAISE NOTICE 'told %', $1; RETURN $1; END $$;
CREATE TEMP TABLE stay (patient int, ward text);
SET search_path = pg_temp, care, privacct;
SELECT count(*) FROM care.stay WHERE pg_temp.upper(name) = 'x';
SELECT count(*) FROM care.stay WHERE EXISTS (SELECT FROM pg_temp.stay t WHERE pg_temp.upper(t.ward) = 'x');
SELECT count(*) FROM stay;

-- case: types and casts of the spy
-- errors: 3 42PA1
CREATE TYPE den.box AS (n int);
CREATE FUNCTION den.to_box(int) RETURNS den.box LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RAISE NOTICE 'told %', $1; RETURN ROW($1); END $$;
CREATE CAST (int AS den.box) WITH FUNCTION den.to_box(int) AS IMPLICIT;
SELECT count(*) FROM care.stay WHERE cost::den.box IS NOT NULL;
SELECT count(*) FROM care.stay WHERE (cost::den.box).n > 0;
SELECT cost::den.box, count(*) FROM care.stay GROUP BY 1;

-- case: collations of the spy
-- errors: 3 42PA1
CREATE COLLATION den.loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
SELECT count(*) FROM care.stay WHERE name = 'x' COLLATE den.loose;
SELECT note COLLATE den.loose, count(*) FROM care.stay GROUP BY 1;
SELECT dp_count(name COLLATE den.loose) FROM care.stay;

-- case: views of the spy beside the table
-- errors: 3 42PA1
CREATE VIEW den.loud AS SELECT n, den.tell(ward) AS told, ward FROM den.many WHERE den.tell(ward);
SELECT count(*) FROM care.stay s JOIN den.loud l ON l.ward = s.ward;
SELECT count(*) FROM care.stay s WHERE s.ward IN (SELECT ward FROM den.loud);
CREATE VIEW den.wrap AS SELECT *, den.through(cost) AS x FROM care.stay;
SELECT count(*) FROM den.wrap WHERE x > 0;

-- case: row-level security of the spy beside the table
-- errors: 3 42PA1
CREATE TABLE den.guarded (ward text);
INSERT INTO den.guarded VALUES ('annex');
ALTER TABLE den.guarded ENABLE ROW LEVEL SECURITY;
ALTER TABLE den.guarded FORCE ROW LEVEL SECURITY;
CREATE POLICY p ON den.guarded USING (den.tell(ward));
SELECT count(*) FROM care.stay s JOIN den.guarded g ON g.ward = s.ward;
SELECT count(*) FROM care.stay s WHERE EXISTS (SELECT FROM den.guarded);
SELECT count(*) FROM care.stay s JOIN (SELECT * FROM den.guarded) g USING (ward);

-- case: other sources beside the table
-- errors: 7 42PA1
SELECT count(*) FROM care.stay s JOIN pg_class c ON c.relname = s.name;
SELECT count(*) FROM care.stay s JOIN (VALUES (random()::text), ('annex')) v(w) ON v.w = s.ward;
SELECT count(*) FROM care.stay s JOIN unnest(ARRAY['annex']) u(w) ON u.w = s.ward;
WITH w AS MATERIALIZED (SELECT 'annex' AS w UNION SELECT 'b') SELECT count(*) FROM care.stay s JOIN w ON w.w = s.ward;
SELECT count(*) FROM care.stay s JOIN information_schema.tables t ON t.table_name = s.ward;
SELECT count(*) FROM care.stay s JOIN (SELECT ward FROM care.many LIMIT 1) l USING (ward);
SELECT count(*) FROM care.stay s JOIN (SELECT DISTINCT ward FROM care.many) l USING (ward);

-- case: a column type of the spy beside the table
-- errors: 2 42PA1
CREATE DOMAIN den.loud_int AS int CHECK (den.tell(VALUE::text));
CREATE TABLE den.typed (k den.loud_int);
SELECT count(*) FROM care.stay s JOIN den.typed t ON t.k = s.cost;
SELECT count(*) FROM care.stay s WHERE s.cost IN (SELECT k FROM den.typed);

-- case: a public table that the spy may not read
-- errors: 1 42501
-- charges: 0
\c - keeper
CREATE TABLE care.closed (ward text PRIMARY KEY);
SELECT privacct.declare_public('care.closed');
\c - spy
SELECT count(*) FROM care.stay s JOIN care.closed c ON c.ward = s.ward;

-- case: built-ins with effects
-- errors: 15 42PA1
CREATE SEQUENCE den.tick;
SELECT count(*) FROM care.stay WHERE nextval('den.tick') > 0;
SELECT count(*) FROM care.stay WHERE setval('den.tick', cost) > 0;
SELECT count(*) FROM care.stay WHERE set_config('den.x', name, false) <> '';
SELECT count(*) FROM care.stay WHERE current_setting(name, true) IS NULL;
SELECT count(*) FROM care.stay WHERE pg_try_advisory_lock(cost);
SELECT count(*) FROM care.stay WHERE pg_notify('c', name) IS NULL;
SELECT count(*) FROM care.stay WHERE lo_create(cost::oid) > 0;
SELECT count(*) FROM care.stay WHERE pg_cancel_backend(cost);
SELECT count(*) FROM care.stay WHERE pg_terminate_backend(cost);
SELECT count(*) FROM care.stay WHERE has_table_privilege(name, 'select');
SELECT count(*) FROM care.stay WHERE to_regclass(name) IS NOT NULL;
SELECT count(*) FROM care.stay WHERE random() < 0.5;
SELECT count(*) FROM care.stay WHERE clock_timestamp() > instant;
SELECT count(*) FROM care.stay WHERE gen_random_uuid() IS NULL;
SELECT 'BREACH: the sequence moved' FROM den.tick WHERE is_called;
\c - postgres
SET ROLE spy;
SELECT count(*) FROM care.stay WHERE pg_try_advisory_lock(cost);
RESET ROLE;
SELECT 'BREACH: a lock' FROM pg_locks WHERE locktype = 'advisory' AND objsubid IN (1, 2);

-- case: built-ins that run queries, in a block
-- errors: 4 42PA1
CREATE FUNCTION den.witness() RETURNS int LANGUAGE plpgsql STABLE AS $$ BEGIN RAISE NOTICE 'BREACH: reached'; RETURN 1; END $$;
CREATE VIEW den.witnessed AS SELECT den.witness() FROM den.one;
SELECT count(*) FROM care.stay WHERE stay_id = 200001 AND table_to_xml('den.witnessed', true, false, '') IS NOT NULL;
SELECT count(*) FROM care.stay WHERE stay_id = 200001 AND query_to_xml('TABLE den.witnessed', true, false, '') IS NOT NULL;
SELECT count(*) FROM care.stay WHERE stay_id = 200001 AND ts_rewrite('a'::tsquery, 'SELECT ''a''::tsquery, ''b''::tsquery FROM den.witnessed') IS NOT NULL;
SELECT count(*) FROM care.stay WHERE stay_id = 200001 AND EXISTS (SELECT FROM den.witnessed);

-- case: sleeping
-- errors: 3 42PA1
SELECT count(*) FROM care.stay WHERE CASE WHEN stay_id = 200001 THEN pg_sleep(1) IS NOT NULL ELSE true END;
SELECT count(*) FROM care.stay WHERE stay_id <> 200001 OR pg_sleep_for('1 s')::text = '';
SELECT dp_sum(CASE WHEN stay_id = 200001 THEN pg_sleep(1)::text::int ELSE 1 END, 0, 1) FROM care.stay;

-- case: conditions from above are not pushed down
-- charges: 7
SELECT * FROM (SELECT name, count(*) AS c FROM care.stay GROUP BY name) q WHERE den.tell(name);
SELECT * FROM (SELECT name, count(*) AS c FROM care.stay GROUP BY name) q WHERE den.tell_always(name) AND name > 'O';
SELECT q.* FROM (SELECT card, count(*) AS c FROM care.stay GROUP BY card) q JOIN den.one o ON den.tell_always(q.card);
SELECT card, count(*) FROM care.stay GROUP BY card HAVING den.tell_always(card);
SELECT DISTINCT ON (den.tell_always(card)) card FROM (SELECT card, count(*) FROM care.stay GROUP BY card) q;
SELECT o.n FROM den.one o WHERE EXISTS (SELECT FROM (SELECT cost, count(*) FROM care.stay GROUP BY cost) q WHERE den.tell_always(q.cost::text));
CREATE VIEW den.held WITH (security_barrier) AS SELECT name, count(*) AS c FROM care.stay GROUP BY name;
SELECT * FROM den.held WHERE den.tell_always(name);

-- case: code of the spy above the block sees only noise
-- charges: 1
-- prints: told \d+
SELECT den.through(c::int) > 0 FROM (SELECT count(*) AS c FROM care.stay) s;

-- case: the negator of an operator over a built-in function
-- errors: 3 42PA1
CREATE FUNCTION den.told(text, text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RAISE NOTICE 'told %', $1; RETURN true; END $$;
CREATE OPERATOR den.!@! (FUNCTION = den.told, LEFTARG = text, RIGHTARG = text);
CREATE OPERATOR den.@@@@ (FUNCTION = pg_catalog.texteq, LEFTARG = text, RIGHTARG = text, NEGATOR = OPERATOR(den.!@!));
SELECT count(*) FROM care.stay WHERE NOT (name OPERATOR(den.@@@@) 'x');
SELECT count(*) FROM care.stay WHERE NOT (name OPERATOR(den.@@@@) ANY (ARRAY['x', 'y']));
SELECT count(*) FILTER (WHERE NOT (name OPERATOR(den.@@@@) 'x')) FROM care.stay;

-- case: a partial function behind distinct and nullif
-- errors: 2 42PA1
CREATE OPERATOR den.= (FUNCTION = pg_catalog.textlike, LEFTARG = text, RIGHTARG = text);
SET search_path = den, pg_catalog, care, privacct;
SELECT count(*) FROM care.stay WHERE name IS DISTINCT FROM '%a\';
SELECT count(*) FROM care.stay WHERE nullif(name, '%a\') IS NULL;

-- case: lists of patterns
-- errors: 3 42PA1
SELECT count(*) FROM care.stay WHERE NOT (name LIKE ANY (ARRAY['%a\']));
SELECT count(*) FROM care.stay WHERE name LIKE ALL (ARRAY['%a\']);
EXPLAIN SELECT count(*) FROM care.stay WHERE name LIKE ANY (ARRAY['%a\']);

-- case: a forged marker
-- errors: 3 42501
SELECT privacct.dp_count(*) FROM den.many ORDER BY privacct._owner_marker(n, '{1}'::oid[], '{1}'::bigint[], 1, 1, 1, 1, 1, NULL, '{}', NULL, NULL, 0, NULL);
SELECT count(*) FROM den.many ORDER BY privacct._owner_marker(n, ARRAY['care.stay'::regclass::oid], '{1}', 1, 1, 1, 1, 1, NULL, '{}', NULL, NULL, 0, NULL);
SELECT count(*) FROM generate_series(1, 3) k ORDER BY privacct._owner_marker(k, ARRAY[k::oid], '{1}', 1, 1, 1, 1, 1, NULL, '{}', NULL, NULL, 0, NULL);

-- case: settings between opening a cursor and its first fetch
-- errors: 1 42PA1
BEGIN;
DECLARE c CURSOR FOR SELECT count(*) FROM care.stay;
SET debug_print_plan = on;
FETCH ALL FROM c;
ROLLBACK;
