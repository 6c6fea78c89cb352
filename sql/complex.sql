-- SPDX-License-Identifier: GPL-3.0-or-later
-- Statements of which one production is repeated: what the guard has to find out grows with the
-- text, or the statement is refused before it takes the server's time and memory.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_cx_owner;
CREATE ROLE regress_cx_analyst;
GRANT privacct_admin TO regress_cx_owner;
CREATE SCHEMA regress_cx_owner AUTHORIZATION regress_cx_owner;
GRANT USAGE ON SCHEMA regress_cx_owner TO PUBLIC;
SET ROLE regress_cx_owner;
SET search_path = regress_cx_owner, privacct;
CREATE TABLE visit (o int NOT NULL, x int NOT NULL);
INSERT INTO visit SELECT i, i FROM generate_series(1, 9) i;
DO $$ BEGIN
	PERFORM protect('visit', 'o', 1e6), set_keys('visit', 'x', '{1,2,3}'::int[]), grant_budget('visit', 'regress_cx_analyst', 1e6);
END $$;
SET ROLE regress_cx_analyst;
SET privacct.epsilon = 200;

-- so many times, one in the other: %s is what is put into the next
CREATE FUNCTION pg_temp.nest(inner_query text, production text, n int) RETURNS text LANGUAGE plpgsql AS $$ BEGIN
	FOR i IN 1..n LOOP
		inner_query := replace(replace(production, '%s', inner_query), '%i', i::text);
	END LOOP;
	RETURN inner_query;
END $$;
-- so many times, one beside the other
CREATE FUNCTION pg_temp.chain(production text, n int, separator text) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(replace(replace(production, '%i', i::text), '%j', (i - 1)::text), separator ORDER BY i) FROM generate_series(1, n) i
$$;
CREATE FUNCTION pg_temp.list(production text, n int) RETURNS text LANGUAGE sql AS $$ SELECT pg_temp.chain(production, n, ', ') $$;
CREATE FUNCTION pg_temp.query(kind text, n int) RETURNS text LANGUAGE sql AS $$
	SELECT CASE kind
		WHEN 'UNION ALL of 8 columns' THEN format('SELECT %1$s, count(*) FROM (%2$s) s GROUP BY %1$s', pg_temp.list('c%i', 8),
			pg_temp.nest(format('SELECT %s FROM visit', pg_temp.list('x AS c%i', 8)), format('SELECT %s FROM (%%s) s%%i UNION ALL SELECT %s FROM visit', pg_temp.list('c%i', 8), pg_temp.list('x AS c%i', 8)), n))
		WHEN 'UNION' THEN 'SELECT count(*) FROM (' || pg_temp.nest('SELECT o, x FROM visit', '(%s) UNION SELECT o, x FROM visit', n) || ') s'
		WHEN 'WITH, values' THEN 'WITH c0 AS (SELECT count(*) AS n FROM visit), ' || pg_temp.list('c%i AS (SELECT count(*) AS n FROM visit WHERE x > (SELECT n FROM c%j) AND x < (SELECT n FROM c%j))', n) || format(' SELECT * FROM c%s', n)
		WHEN 'WITH, joins' THEN 'WITH c0 AS (SELECT x, count(*) AS n FROM visit GROUP BY x), ' || pg_temp.list('c%i AS (SELECT x, count(*) AS n FROM visit JOIN c%j a USING (x) JOIN c%j b USING (x) WHERE a.n < b.n GROUP BY x)', n) || format(' SELECT * FROM c%s', n)
		WHEN 'WITH, rows' THEN 'WITH c0 AS (SELECT * FROM visit), ' || pg_temp.list('c%i AS (SELECT a.o, a.x FROM c%j a JOIN c%j b USING (o))', n) || format(' SELECT count(*) FROM c%s', n)
		WHEN 'value' THEN pg_temp.nest('SELECT count(*) FROM visit', 'SELECT count(*) FROM visit WHERE x > (%s)', n)
		WHEN 'IN' THEN 'SELECT count(*) FROM visit WHERE x IN (' || pg_temp.nest('SELECT x FROM visit', 'SELECT v%i.x FROM visit v%i WHERE v%i.o IN (%s)', n) || ') AND o = 1'
		WHEN 'EXISTS' THEN 'SELECT count(*) FROM visit v WHERE ' || pg_temp.chain('EXISTS (SELECT FROM visit w WHERE w.o = v.o AND w.x = %i)', n, ' AND ')
		WHEN 'value of the owner' THEN 'SELECT count(*) FROM visit v WHERE ' || pg_temp.chain('x > (SELECT count(*) FROM visit w WHERE w.o = v.o AND w.x = %i)', n, ' AND ')
		WHEN 'GROUP BY owner' THEN 'SELECT count(*) FROM (' || pg_temp.nest('SELECT o, x FROM visit', 'SELECT o, max(x) AS x FROM (%s) g%i GROUP BY o', n) || ') s'
		WHEN 'window' THEN 'SELECT count(*) FROM (' || pg_temp.nest('SELECT o, x FROM visit', 'SELECT o, sum(x) OVER (PARTITION BY o)::int AS x FROM (%s) w%i', n) || ') s'
		WHEN 'subquery' THEN 'SELECT count(*) FROM (' || pg_temp.nest('SELECT o, x FROM visit', 'SELECT o, x FROM (%s) s%i WHERE x > %i', n) || ') s'
		WHEN 'expression' THEN 'SELECT count(*) FROM (' || pg_temp.nest('SELECT o, x FROM visit', 'SELECT o, x * x AS x FROM (%s) s%i', n) || ') s WHERE x > 0'
		WHEN 'join' THEN 'SELECT count(*) FROM visit ' || pg_temp.chain('JOIN visit v%i USING (o)', n, ' ')
		WHEN 'FULL JOIN' THEN 'SELECT count(*) FROM visit ' || pg_temp.chain('FULL JOIN visit v%i USING (o)', n, ' ')
		WHEN 'LATERAL' THEN 'SELECT count(*) FROM visit v0 ' || pg_temp.chain('JOIN LATERAL (SELECT count(*) AS n FROM visit w WHERE w.o = v0.o AND w.x > %i) l%i ON true', n, ' ')
		WHEN 'OR' THEN 'SELECT count(*) FROM visit WHERE ' || pg_temp.chain('(x = %i AND o > %i)', n, ' OR ')
		WHEN 'CASE' THEN 'SELECT count(*) FROM visit WHERE ' || pg_temp.nest('x', 'CASE WHEN (%s) > %i THEN (x) ELSE 1 END', n) || ' > 0'
		WHEN 'releases' THEN 'SELECT ' || pg_temp.list('(SELECT count(*) FROM visit WHERE x = %i)', n)
		WHEN 'aggregates' THEN 'SELECT ' || pg_temp.list('count(*) FILTER (WHERE x = %i)', n) || ' FROM visit'
	END
$$;
CREATE FUNCTION pg_temp.outcome(query text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN
	EXECUTE 'EXPLAIN ' || query;
	RETURN 'planned';
EXCEPTION
	WHEN SQLSTATE '42PA1' THEN RETURN 'refused';
	WHEN SQLSTATE '22PA5' THEN RETURN 'too cheap';	-- planned, with many to share epsilon
	WHEN statement_too_complex THEN RETURN 'too complex';
END $$;
SELECT kind, string_agg(format('%s: %s', n, pg_temp.outcome(pg_temp.query(kind, n))), ', ' ORDER BY n) AS outcomes
FROM unnest(ARRAY['UNION ALL of 8 columns', 'UNION', 'WITH, values', 'WITH, joins', 'WITH, rows', 'value', 'IN', 'EXISTS', 'value of the owner', 'GROUP BY owner', 'window',
	'subquery', 'expression', 'join', 'FULL JOIN', 'LATERAL', 'OR', 'CASE', 'releases', 'aggregates']) WITH ORDINALITY k(kind, i), unnest('{1,3,8,20,60}'::int[]) n GROUP BY i, kind ORDER BY i;
SELECT kind, pg_temp.outcome(pg_temp.query(kind, 300)) FROM unnest(ARRAY['UNION', 'WITH, values']) kind;
SELECT pg_temp.query('UNION', 200) AS query \gset
EXPLAIN :query;

RESET ROLE;
RESET search_path;
DROP SCHEMA regress_cx_owner CASCADE;
DROP OWNED BY regress_cx_owner, regress_cx_analyst;
DROP ROLE regress_cx_owner, regress_cx_analyst;
