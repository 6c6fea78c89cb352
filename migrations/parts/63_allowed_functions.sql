-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- What expressions over protected rows may use.
--

--
-- What expressions over protected rows may use.
--

CREATE OR REPLACE FUNCTION privacct._allowed_functions()
	RETURNS TABLE (function regprocedure, null_on_error boolean, constants int[])
LANGUAGE C STABLE STRICT PARALLEL SAFE ROWS 700 AS 'MODULE_PATHNAME', 'pa_allowed_functions';
COMMENT ON FUNCTION privacct._allowed_functions()
	IS 'the functions of the library''s list that are allowed in this database';

CREATE OR REPLACE VIEW privacct.allowed_functions AS
SELECT f.function,
	ARRAY(SELECT pg_catalog.concat_ws(' ', nullif(o.oprleft, 0)::pg_catalog.regtype, o.oprname,
		nullif(o.oprright, 0)::pg_catalog.regtype)
		  FROM pg_catalog.pg_operator o WHERE o.oprcode = f.function AND o.oid < 16384 ORDER BY 1) AS operators,
	ARRAY(SELECT pg_catalog.format('%s AS %s', c.castsource::pg_catalog.regtype, c.casttarget::pg_catalog.regtype)
		  FROM pg_catalog.pg_cast c WHERE c.castfunc = f.function AND c.oid < 16384 ORDER BY 1) AS casts,
	f.null_on_error, f.constants
FROM privacct._allowed_functions() f;
COMMENT ON VIEW privacct.allowed_functions
	IS 'functions that expressions over protected rows may use, and the operators and casts that call them';
COMMENT ON COLUMN privacct.allowed_functions.function IS 'the function, by its arguments';
COMMENT ON COLUMN privacct.allowed_functions.operators IS 'operators that call it';
COMMENT ON COLUMN privacct.allowed_functions.casts IS 'casts that call it';
COMMENT ON COLUMN privacct.allowed_functions.null_on_error
	IS 'whether it is null, over protected rows, where it raises an error elsewhere';
COMMENT ON COLUMN privacct.allowed_functions.constants
	IS 'positions of arguments that must not depend on a row, from 1';
