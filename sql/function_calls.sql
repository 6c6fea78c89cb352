-- Every function of the schema, called by a superuser with nulls and extremes of its
-- types: it answers or refuses, without an internal error, and the server stays up.
--	psql -v calls=1000 -v seed=0.5 -f sql/function_calls.sql		by hand, for longer
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
\if :{?calls}
\else
	\set calls 6
	\set seed 0.25
\endif
CREATE TABLE called (id int PRIMARY KEY, v int);

CREATE FUNCTION extremes(type text) RETURNS text[] LANGUAGE sql AS $$
	SELECT ARRAY['NULL'] || array_agg(quote_literal(v) || '::' || type) FROM unnest(CASE
		WHEN type ~ '\[\]$' THEN ARRAY['{}', '{NULL}', '{1}', '{1,2}', '{{1,2},{3,4}}', '[5:6]={0,1}']
		WHEN type = 'regclass' THEN ARRAY['pg_class', '0', '999999', 'called', 'privacct.policy']
		WHEN type = 'jsonb' THEN ARRAY['null', '{}', '[]', '1', '{"kind":"intervals","zzz":1}', '{"kind":"chain"}', '[{"kernel":"laplace"}]', '{"a":[[]]}']
		WHEN type IN ('numeric', 'double precision') THEN ARRAY['0', '-1', 'NaN', 'Infinity', '1e300', '0.5']
		WHEN type = 'smallint' THEN ARRAY['0', '-1', '32767', '-32768', '2']
		WHEN type = 'integer' THEN ARRAY['0', '-1', '2147483647', '-2147483648', '2']
		WHEN type = 'bigint' THEN ARRAY['0', '-1', '9223372036854775807', '-9223372036854775808', '2']
		WHEN type = 'oid' THEN ARRAY['0', '23', '4294967295']
		WHEN type = 'boolean' THEN ARRAY['t', 'f']
		WHEN type = 'interval' THEN ARRAY['0', '-1 day', '178000000 years']
		WHEN type ~ '^(date|timestamp)' THEN ARRAY['infinity', '-infinity', '2024-01-01']
		WHEN type = 'bytea' THEN ARRAY['', '\x00']
		WHEN type IN ('text', 'name', 'character varying', 'character') THEN ARRAY['', 'id', 'SELECT count(*) FROM called', repeat('x', 60)]
		ELSE ARRAY['1'] END) v
$$;
-- of pseudotypes some type
CREATE FUNCTION one_type(type regtype) RETURNS text LANGUAGE sql AS $$
	SELECT CASE type::text WHEN 'anyelement' THEN 'integer' WHEN '"any"' THEN 'integer' WHEN 'anyarray' THEN 'integer[]' ELSE type::text END
$$;
CREATE FUNCTION random_arguments(types regtype[]) RETURNS text LANGUAGE sql VOLATILE AS $$
	SELECT coalesce(string_agg((SELECT e[1 + floor(random() * cardinality(e))::int] FROM extremes(one_type(t)) e), ', ' ORDER BY place), '')
	FROM unnest(types) WITH ORDINALITY a (t, place)
$$;
CREATE FUNCTION nulls(types regtype[]) RETURNS text LANGUAGE sql AS $$
	SELECT coalesce(string_agg('NULL::' || one_type(t), ', '), '') FROM unnest(types) t
$$;

CREATE PROCEDURE call_all(calls int) LANGUAGE plpgsql AS $$
DECLARE
	f record;
	arguments text;
BEGIN
	FOR f IN SELECT p.oid::regproc AS name, proargtypes::regtype[] AS types FROM pg_proc p
		WHERE pronamespace = 'privacct'::regnamespace AND prokind = 'f'
			AND prorettype NOT IN ('trigger'::regtype, 'event_trigger'::regtype) AND NOT 'internal'::regtype::oid = ANY (proargtypes)
			AND proname NOT IN ('_before_drop', '_check_may_forget')		-- they warn, as they should
		ORDER BY p.oid::regprocedure::text
	LOOP
		FOR i IN 0 .. calls LOOP
			arguments := CASE i WHEN 0 THEN nulls(f.types) ELSE random_arguments(f.types) END;
			BEGIN
				SET LOCAL client_min_messages = error;	-- some warn, of whatever they are told
				EXECUTE format('SELECT %s(%s)', f.name, arguments);
				RAISE EXCEPTION 'undo';
			EXCEPTION
				WHEN internal_error THEN RAISE WARNING '%(%): %', f.name, arguments, SQLERRM;
				WHEN OTHERS THEN NULL;
			END;
		END LOOP;
	END LOOP;
END $$;
SELECT setseed(:seed) \g /dev/null
CALL call_all(:calls);
SELECT count(*) AS policies FROM privacct.policy WHERE relation = 'called'::regclass;

DROP TABLE called;
DROP PROCEDURE call_all;
DROP FUNCTION nulls, random_arguments, one_type, extremes;
