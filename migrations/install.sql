-- SPDX-License-Identifier: GPL-3.0-or-later
-- What must hold before anything is created or called.  The search_path of a script
-- begins with the extension's schema: whoever made that schema, or may create in
-- it, could have their functions and operators called by a superuser.  So
-- everything in this file is qualified, operators too, and what follows it may rely
-- on a schema in which there is nothing but the extension.

\echo Use "CREATE EXTENSION privacct" or "ALTER EXTENSION privacct UPDATE" to load this file. \quit

-- as 91_pins.sql does for functions; the literals of the script itself have no backslashes
SELECT pg_catalog.set_config('standard_conforming_strings', 'on', true), pg_catalog.set_config('quote_all_identifiers', 'off', true);

DO $$
DECLARE
	installed pg_catalog.pg_extension := (SELECT e FROM pg_catalog.pg_extension e WHERE e.extname OPERATOR(pg_catalog.=) 'privacct'::pg_catalog.name);
	loaded pg_catalog.text := (SELECT s.setting FROM pg_catalog.pg_settings s WHERE s.name OPERATOR(pg_catalog.=) 'privacct.loaded_version'::pg_catalog.text);
	house pg_catalog.pg_namespace := (SELECT n FROM pg_catalog.pg_namespace n WHERE n.oid OPERATOR(pg_catalog.=) installed.extnamespace);
	stranger pg_catalog.text;
BEGIN
	IF loaded IS NULL THEN
		RAISE EXCEPTION 'privacct must be loaded when the server starts'
			USING ERRCODE = '55000', HINT = 'Add privacct to shared_preload_libraries and restart the server.';
	ELSIF loaded OPERATOR(pg_catalog.<>) installed.extversion THEN
		RAISE EXCEPTION 'the server has loaded another version of privacct'
			USING ERRCODE = '55000',
				  DETAIL = pg_catalog.format('The library is of version %s, this script of version %s.'::pg_catalog.text, loaded, installed.extversion),
				  HINT = 'Restart the server with the library of that version.';
	ELSIF NOT (SELECT r.rolsuper FROM pg_catalog.pg_roles r WHERE r.oid OPERATOR(pg_catalog.=) house.nspowner) THEN
		RAISE EXCEPTION 'schema "privacct" was made by somebody else'
			USING ERRCODE = '42PA4',
				  DETAIL = 'Its owner is not a superuser, and could replace what the extension keeps there.',
				  HINT = 'See what is in it, then drop or rename it.';
	ELSIF EXISTS (SELECT FROM pg_catalog.aclexplode(house.nspacl) a
				  WHERE a.privilege_type OPERATOR(pg_catalog.=) 'CREATE'::pg_catalog.text AND a.grantee OPERATOR(pg_catalog.<>) house.nspowner) THEN
		RAISE EXCEPTION 'others may create objects in schema "privacct"'
			USING ERRCODE = '42PA4', HINT = 'Revoke CREATE on the schema from everybody but its owner.';
	END IF;
	stranger := (SELECT pg_catalog.pg_describe_object(d.classid, d.objid, 0)
		FROM pg_catalog.pg_depend d
		WHERE d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_namespace'::pg_catalog.regclass::pg_catalog.oid
		AND d.refobjid OPERATOR(pg_catalog.=) house.oid
		AND NOT (d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_extension'::pg_catalog.regclass::pg_catalog.oid
				 AND d.objid OPERATOR(pg_catalog.=) installed.oid)
		AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend m
			WHERE m.classid OPERATOR(pg_catalog.=) d.classid AND m.objid OPERATOR(pg_catalog.=) d.objid
			AND m.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_extension'::pg_catalog.regclass::pg_catalog.oid
			AND m.refobjid OPERATOR(pg_catalog.=) installed.oid AND m.deptype OPERATOR(pg_catalog.=) 'e'::pg_catalog."char")
		LIMIT 1);
	IF stranger IS NOT NULL THEN
		RAISE EXCEPTION 'schema "privacct" holds objects that are not of the extension'
			USING ERRCODE = '42PA4', DETAIL = pg_catalog.format('One of them: %s.'::pg_catalog.text, stranger),
				  HINT = 'Move or drop them.';
	END IF;
END
$$;
