-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Views and functions that were parsed are made again of how the server writes them.
--
-- pg_upgrade brings them so, and what it makes of that is written with a few more words: an alias
-- for each constant.  privacct.check_books() compares with what the script has left (99_made.sql),
-- and must not tell of what nobody has changed.
--

DO $$
DECLARE
	v record;
BEGIN
	FOR v IN SELECT c.oid, c.reloptions FROM pg_catalog.pg_class c
		WHERE c.relnamespace = 'privacct'::pg_catalog.regnamespace AND c.relkind = 'v' LOOP
		EXECUTE pg_catalog.format('CREATE OR REPLACE VIEW %s %s AS %s', v.oid::pg_catalog.regclass,
			'WITH (' || pg_catalog.array_to_string(v.reloptions, ', ') || ')', pg_catalog.pg_get_viewdef(v.oid));
	END LOOP;
	FOR v IN SELECT p.oid FROM pg_catalog.pg_proc p
		WHERE p.pronamespace = 'privacct'::pg_catalog.regnamespace AND p.prosqlbody IS NOT NULL LOOP
		EXECUTE pg_catalog.pg_get_functiondef(v.oid);
	END LOOP;
END
$$;
