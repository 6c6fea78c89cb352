-- SPDX-License-Identifier: GPL-3.0-or-later
-- What a DBA does, once.  The owner of tables reads them raw, so nobody else should be it.
\set ECHO queries
CREATE EXTENSION privacct;
CREATE ROLE steward LOGIN;
GRANT privacct_admin TO steward;
GRANT CREATE ON SCHEMA public TO steward;
CREATE ROLE analyst LOGIN;
ALTER ROLE analyst SET search_path = public, privacct;
