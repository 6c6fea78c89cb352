-- SPDX-License-Identifier: GPL-3.0-or-later
-- Below the leaf everything is known, resolved and silent before it is paid for.

-- case: two implicit collations that meet only if a row gets there
-- prints: ^alike 42PA1$
SELECT DISTINCT den.twins(q) FROM (VALUES
	('SELECT dp_count(*) FROM (SELECT stay_id, name COLLATE "C" AS a, ward COLLATE "POSIX" AS b FROM care.stay) s WHERE CASE WHEN stay_id = {} THEN a < b ELSE false END'),
	('SELECT dp_count(*) FILTER (WHERE CASE WHEN stay_id = {} THEN lower(a) IN (b) ELSE false END) FROM (SELECT stay_id, name COLLATE "C" AS a, ward COLLATE "POSIX" AS b FROM care.stay) s'),
	('SELECT dp_count(CASE WHEN stay_id = {} THEN lower(name) = ANY (ARRAY[ward]) END) FROM (SELECT stay_id, name COLLATE "C" AS name, ward COLLATE "POSIX" AS ward FROM care.stay) s'),
	('SELECT count(*) FROM (SELECT stay_id, name COLLATE "C" AS a, ward COLLATE "POSIX" AS b FROM care.stay) s JOIN care.ward w ON w.floor = 4 AND CASE WHEN stay_id = {} THEN a = b ELSE true END')) v(q);

-- case: a collation that warns when a row first uses it
-- errors: 3 42PA1
SET client_min_messages = error;
CREATE COLLATION den.hit (provider = icu, locale = 'en-US', version = '1');
CREATE COLLATION den.fresh (provider = icu, locale = 'en-US');
SET client_min_messages = notice;
SELECT count(*) FROM care.stay WHERE CASE WHEN stay_id = 200001 THEN lower(name COLLATE den.hit) = 'x' ELSE false END;
SELECT count(*) FROM care.stay WHERE CASE WHEN stay_id = 200001 THEN name COLLATE den.fresh < 'x' ELSE false END;
SELECT count(*) FROM care.stay WHERE CASE WHEN stay_id = 200001 THEN name COLLATE "en-US-x-icu" LIKE 'x%' ELSE false END;

-- case: a collation that is dropped under a prepared statement
-- prints: ^t$
CREATE COLLATION den.brief (provider = icu, locale = 'en-US');
PREPARE late AS SELECT count(*) FROM care.stay WHERE CASE WHEN stay_id = 200001 THEN name COLLATE den.brief < 'x' ELSE false END;
DROP COLLATION den.brief;
SELECT den.state('EXECUTE late') IN ('42704', '42PA1');

-- case: a parameter that is no more when a row needs it
-- prints: ^alike \w+$
CREATE TABLE den.far (t text, u text, v text);
ALTER TABLE den.far ALTER t SET STORAGE EXTERNAL, ALTER u SET STORAGE EXTERNAL, ALTER v SET STORAGE EXTERNAL;
ALTER TABLE den.far SET (toast_tuple_target = 128);
CREATE FUNCTION den.probe(victim int) RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE s text; n bigint;
BEGIN
	DELETE FROM den.far;
	INSERT INTO den.far SELECT x, x, x FROM (SELECT string_agg(md5(i::text), '') AS x FROM generate_series(1, 28) i) a;
	SELECT t INTO s FROM den.far;
	TRUNCATE den.far;
	SELECT count(*) INTO n FROM care.stay WHERE CASE WHEN stay_id = victim THEN name < s ELSE false END;
END $$;
SELECT den.twins('SELECT den.probe({})');

-- case: a function that asks while a preview is planned
-- errors: 4 42PA1
CREATE FUNCTION den.asks() RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN PERFORM count(*) FROM care.stay; PERFORM count(*), ward FROM care.stay GROUP BY ward; RETURN 1; END $$;
CREATE FUNCTION den.caught() RETURNS int IMMUTABLE LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN PERFORM den.asks(); RETURN 1; EXCEPTION WHEN OTHERS THEN RETURN 2; END $$;
SELECT count(*) FROM privacct.preview('SELECT count(*) + den.asks() FROM care.stay');
SELECT count(*) FROM privacct.preview('SELECT den.asks()');
SELECT count(*) FROM privacct.preview('SELECT ldp_count(pain > 3) + den.caught() FROM care.survey');
SELECT count(*) FROM privacct.preview($$SELECT count(*) + den.caught() FROM care.stay WHERE 1 = (SELECT count(*) FROM privacct.preview('SELECT den.asks()'))$$);

-- case: a cursor that a preview is to fetch from
-- charges: 0
-- errors: 1 42PA1
BEGIN;
DECLARE c CURSOR FOR SELECT count(*) FROM care.stay;
CREATE FUNCTION den.fetches() RETURNS bigint IMMUTABLE LANGUAGE plpgsql AS $$
DECLARE c refcursor := 'c'; n bigint; BEGIN FETCH c INTO n; RETURN n; END $$;
SELECT count(*) FROM privacct.preview('SELECT count(*) + den.fetches() FROM care.stay');
ROLLBACK;

-- case: a function that is folded turns on what shows the plan
-- errors: 1 42PA1
CREATE FUNCTION den.shows() RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN RETURN length(set_config('debug_print_plan', 'on', false)); END $$;
SELECT count(*) + den.shows() FROM care.stay WHERE name = 'Ottilie ' || 'Nacht' || 'igall' OR stay_id = 4;
