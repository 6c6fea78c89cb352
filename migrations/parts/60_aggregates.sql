-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Aggregates.
--

-- What the release node computes is in a list of the library.  A version with another aggregate changes nothing here.
CREATE OR REPLACE FUNCTION privacct._aggregates()
	RETURNS TABLE (name text, arguments text, result text, remark text)
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 60 AS 'MODULE_PATHNAME', 'pa_aggregates';
COMMENT ON FUNCTION privacct._aggregates()
	IS 'the aggregates of the library''s list, each with its arguments, the kind of its result and its comment';

-- All are alike: what they are computed from is in their arguments, and how is for the release node.  Their transition
-- and final functions raise an error wherever else they are called.
DO $$
DECLARE
	a record;
	f record;
	made text;
BEGIN
	FOR a IN
		SELECT l.name, l.arguments, l.remark, '_block_final_' || l.result AS final_function,
			l.result IN ('array', 'element') AS of_argument,
			CASE l.result WHEN 'float8' THEN 'double precision' WHEN 'numbers' THEN 'double precision[]'
				WHEN 'array' THEN 'anyarray' WHEN 'element' THEN 'anyelement' ELSE l.result END AS returned,
			-- without the names of arguments
			pg_catalog.concat_ws(', ', 'internal',
				pg_catalog.regexp_replace(nullif(l.arguments, '*'), '(^|, )[a-z]+ (?=[a-z])', '\1', 'g')) AS types
		FROM privacct._aggregates() l
	LOOP
		FOR f IN SELECT * FROM (VALUES
			('_block_transition', a.types, 'internal'),
			(a.final_function, CASE WHEN a.of_argument THEN a.types ELSE 'internal' END, a.returned))
			v(name, arguments, returned)
		LOOP
			made := pg_catalog.format('privacct.%I(%s)', f.name, f.arguments);
			EXECUTE pg_catalog.format(
				'CREATE OR REPLACE FUNCTION %s RETURNS %s IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS %L, %L',
				made, f.returned, 'MODULE_PATHNAME', 'pa_only_in_block');
			EXECUTE pg_catalog.format('COMMENT ON FUNCTION %s IS %L', made,
				'raises an error: dp_ and ldp_ aggregates are computed by the release node only');
		END LOOP;
		made := pg_catalog.format('privacct.%I(%s)', a.name, a.arguments);
		EXECUTE pg_catalog.format(
			'CREATE OR REPLACE AGGREGATE %s (SFUNC = privacct._block_transition, STYPE = internal,'
			' FINALFUNC = privacct.%I, FINALFUNC_EXTRA = %s, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED)',
			made, a.final_function, a.of_argument::text);
		EXECUTE pg_catalog.format('COMMENT ON AGGREGATE %s IS %L', made, a.remark);
	END LOOP;
END
$$;

-- What dp_topk and dp_mode are made of, outside of the block.
CREATE OR REPLACE FUNCTION privacct._rank(internal, anyelement, double precision, integer) RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_rank';
COMMENT ON FUNCTION privacct._rank(internal, anyelement, double precision, integer)
	IS 'internal: collects values with their scores';

CREATE OR REPLACE FUNCTION privacct._first_ranked(internal, anyelement, double precision, integer) RETURNS anyarray
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_first_ranked';
COMMENT ON FUNCTION privacct._first_ranked(internal, anyelement, double precision, integer)
	IS 'internal: the values with the greatest scores';

CREATE OR REPLACE FUNCTION privacct._top_ranked(internal, anyelement, double precision, integer) RETURNS anyelement
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_top_ranked';
COMMENT ON FUNCTION privacct._top_ranked(internal, anyelement, double precision, integer)
	IS 'internal: the value with the greatest score';

-- the planner looks up who may execute these: they stand in the query of whoever asks
CREATE OR REPLACE AGGREGATE privacct._first(x anyelement, score double precision, k integer)
	(SFUNC = privacct._rank, STYPE = internal,
	FINALFUNC = privacct._first_ranked, FINALFUNC_EXTRA, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct._first(anyelement, double precision, integer)
	IS 'internal: the k values with the greatest scores';

CREATE OR REPLACE AGGREGATE privacct._top(x anyelement, score double precision, k integer)
	(SFUNC = privacct._rank, STYPE = internal,
	FINALFUNC = privacct._top_ranked, FINALFUNC_EXTRA, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct._top(anyelement, double precision, integer)
	IS 'internal: the value with the greatest score';
