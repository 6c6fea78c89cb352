-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Twins of built-in functions.
--

-- Stand-ins for built-in functions inside guarded blocks: NULL where the built-in raises an error.  Each function of
-- the library's list (privacct.allowed_functions) that may raise one has a twin, computed by the function of the
-- library that is named after the one behind the built-in, or, where that is a query, after the built-in itself.
-- A worker would open a time zone when a row needs it.
-- Those of built-in functions that newer servers have are made everywhere: pg_upgrade brings what there is.
DO $$
DECLARE
	f record;
	name text;
BEGIN
	FOR f IN
		SELECT p.proname AS name, pg_catalog.oidvectortypes(p.proargtypes) AS arguments,
			pg_catalog.format_type(p.prorettype, NULL) AS result,
			CASE p.provolatile WHEN 'i' THEN 'IMMUTABLE' ELSE 'STABLE' END AS volatility,
			coalesce(w.symbol, CASE l.lanname WHEN 'sql' THEN p.proname ELSE p.prosrc END) AS symbol
		FROM privacct._allowed_functions() a
		JOIN pg_catalog.pg_proc p ON p.oid = a.function
		JOIN pg_catalog.pg_language l ON l.oid = p.prolang
		LEFT JOIN (VALUES
			('age(timestamp)', 'timestamp_age_today'),
			('age(timestamptz)', 'timestamptz_age_today'),
			('round(numeric)', 'numeric_round_whole'),
			('trunc(numeric)', 'numeric_trunc_whole'),
			('date_part(text, date)', 'date_part_date')) w(function, symbol)
			ON p.oid = ('pg_catalog.' || w.function)::pg_catalog.regprocedure
		WHERE a.null_on_error
		UNION
		SELECT * FROM (VALUES
			('date_add', 'timestamp with time zone, interval', 'timestamp with time zone', 'STABLE',
				'timestamptz_pl_interval'),
			('date_add', 'timestamp with time zone, interval, text', 'timestamp with time zone', 'IMMUTABLE',
				'timestamptz_pl_interval_at_zone'),
			('date_subtract', 'timestamp with time zone, interval', 'timestamp with time zone', 'STABLE',
				'timestamptz_mi_interval'),
			('date_subtract', 'timestamp with time zone, interval, text', 'timestamp with time zone', 'IMMUTABLE',
				'timestamptz_mi_interval_at_zone'),
			('timezone', 'timestamp without time zone', 'timestamp with time zone', 'STABLE', 'timestamp_at_local'),
			('timezone', 'timestamp with time zone', 'timestamp without time zone', 'STABLE',
				'timestamptz_at_local'),
			('casefold', 'text', 'text', 'IMMUTABLE', 'casefold'),
			('gamma', 'double precision', 'double precision', 'IMMUTABLE', 'dgamma'),
			('lgamma', 'double precision', 'double precision', 'IMMUTABLE', 'dlgamma')) newer
	LOOP
		name := pg_catalog.format('privacct.%I(%s)', 'total_' || f.name, f.arguments);
		EXECUTE pg_catalog.format(
			'CREATE OR REPLACE FUNCTION %s RETURNS %s %s STRICT PARALLEL %s LANGUAGE C AS %L, %L',
			name, f.result, f.volatility, CASE WHEN f.symbol LIKE '%\_zone' THEN 'RESTRICTED' ELSE 'SAFE' END,
			'MODULE_PATHNAME', 'pa_total_' || f.symbol);
	END LOOP;
END
$$;

-- Casts from text, which have no function of their own.
DO $$
DECLARE
	type text;
BEGIN
	FOREACH type IN ARRAY '{bool,int2,int4,int8,float4,float8,numeric,uuid,date,timestamp,timestamptz}'::text[]
	LOOP
		EXECUTE pg_catalog.format(
			'CREATE OR REPLACE FUNCTION privacct.%I(text) RETURNS pg_catalog.%I %s STRICT PARALLEL SAFE '
			'LANGUAGE C AS %L, %L',
			'cast_' || type, type, CASE type WHEN 'timestamptz' THEN 'STABLE' ELSE 'IMMUTABLE' END,
			'MODULE_PATHNAME', 'pa_total_text_' || type);
		EXECUTE pg_catalog.format('COMMENT ON FUNCTION privacct.%I(text) IS %L', 'cast_' || type,
			'the text as that type, or NULL where the cast raises an error');
	END LOOP;
END
$$;

CREATE OR REPLACE FUNCTION privacct.total_parameter(text) RETURNS text
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_text_parameter';

CREATE OR REPLACE FUNCTION privacct.total_parameter(character varying) RETURNS character varying
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_text_parameter';

CREATE OR REPLACE FUNCTION privacct.total_parameter(character) RETURNS character
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_text_parameter';

CREATE OR REPLACE FUNCTION privacct.total_parameter(anyarray) RETURNS anyarray
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_array_parameter';

CREATE OR REPLACE FUNCTION privacct.total_parameter(numeric) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_parameter';

DO $$
DECLARE
	f regprocedure;
BEGIN
	FOR f IN SELECT oid::pg_catalog.regprocedure FROM pg_catalog.pg_proc
		WHERE pronamespace = 'privacct'::pg_catalog.regnamespace AND proname LIKE 'total\_%'
	LOOP
		EXECUTE pg_catalog.format('COMMENT ON FUNCTION %s IS %L', f,
			'as the built-in function, but NULL where that raises an error');
	END LOOP;
END $$;

-- Values of rows that are longer than a function is given in a guarded block are null there.
CREATE OR REPLACE FUNCTION privacct.total_short(text, integer) RETURNS text
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_short';
COMMENT ON FUNCTION privacct.total_short(text, integer)
	IS 'the text, or NULL if it has more bytes or is stored out of line';

CREATE OR REPLACE FUNCTION privacct.total_short(character varying, integer) RETURNS character varying
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_short';
COMMENT ON FUNCTION privacct.total_short(character varying, integer)
	IS 'the text, or NULL if it has more bytes or is stored out of line';

CREATE OR REPLACE FUNCTION privacct.total_short(character, integer) RETURNS character
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_short';
COMMENT ON FUNCTION privacct.total_short(character, integer)
	IS 'the text, or NULL if it has more bytes or is stored out of line';

CREATE OR REPLACE FUNCTION privacct.total_short(numeric) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_short_numeric';
COMMENT ON FUNCTION privacct.total_short(numeric)
	IS 'the number, or NULL if it has too many digits or is stored out of line';
