-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- What the functions of the extension mean and write is the same in every session.
--
-- Whoever calls them has settings of their own, and triggers run under those of whoever
-- changes a table.  Bodies that are strings are read under the settings of their caller,
-- names are quoted, numbers and times written as the caller likes.  What is compared
-- with what another session has written must not depend on that: so each function that
-- has a search path of its own has these settings as well.  The others are made of
-- what was parsed once, and write nothing.  Event triggers, which look at each command, come later.
--

DO $$
DECLARE
	pins text := (SELECT string_agg(format('SET %I = %L', p.name, p.value), ' ') FROM (VALUES
		('quote_all_identifiers', 'off'),
		('standard_conforming_strings', 'on'),
		('transform_null_equals', 'off'),
		('array_nulls', 'on'),
		('bytea_output', 'hex'),
		('datestyle', 'ISO'),
		('intervalstyle', 'postgres'),
		('extra_float_digits', '1'),
		-- an index finds all that there is
		('gin_fuzzy_search_limit', '0')) p(name, value));
	f regprocedure;
BEGIN
	FOR f IN SELECT p.oid FROM pg_proc p WHERE p.pronamespace = 'privacct'::regnamespace
		AND 'search_path=pg_catalog, pg_temp' = ANY (p.proconfig)
	LOOP
		EXECUTE format('ALTER FUNCTION %s %s', f, pins);
	END LOOP;
END
$$;
