-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Roles and schema.
--

-- The role that alone may read protected tables.  Guarded blocks are planned to
-- be read as this role, so it must never be somebody: no login, no members, no
-- attribute that opens more than the grants made by privacct.protect().
DO $$
BEGIN
	IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'privacct_reader') THEN
		CREATE ROLE privacct_reader NOLOGIN NOINHERIT;
		COMMENT ON ROLE privacct_reader
			IS 'reads protected tables on behalf of guarded queries (privacct); must have no members';
	END IF;
	IF EXISTS (SELECT FROM pg_catalog.pg_roles
			   WHERE rolname = 'privacct_reader'
			   AND (rolcanlogin OR rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls))
	   OR EXISTS (SELECT FROM pg_catalog.pg_auth_members m
				  JOIN pg_catalog.pg_roles r ON r.oid IN (m.roleid, m.member)
				  WHERE r.rolname = 'privacct_reader') THEN
		RAISE EXCEPTION 'role "privacct_reader" exists and cannot be used'
			USING ERRCODE = '42PA4',
				  DETAIL = 'The role must be NOLOGIN without other attributes, without members and member of nothing.',
				  HINT = 'Rename or alter the existing role, then create the extension.';
	END IF;
END
$$;

COMMENT ON SCHEMA privacct IS 'differential privacy enforced by the database';

-- Declaring is a right that the DBA gives: to members of privacct_admin, for tables
-- that they own.  Superusers have it.
DO $$
BEGIN
	IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'privacct_admin') THEN
		CREATE ROLE privacct_admin NOLOGIN;
		COMMENT ON ROLE privacct_admin IS 'members may declare tables that they own protected (privacct)';
	END IF;
	IF EXISTS (SELECT FROM pg_catalog.pg_roles
			   WHERE rolname = 'privacct_admin'
			   AND (rolcanlogin OR rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls))
	   OR EXISTS (SELECT FROM pg_catalog.pg_auth_members m
				  JOIN pg_catalog.pg_roles r ON r.oid = m.member WHERE r.rolname = 'privacct_admin') THEN
		RAISE EXCEPTION 'role "privacct_admin" exists and cannot be used'
			USING ERRCODE = '42PA4',
				  DETAIL = 'The role must be NOLOGIN without other attributes and member of nothing.',
				  HINT = 'Rename or alter the existing role, then try again.';
	END IF;
END
$$;
