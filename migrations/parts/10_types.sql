-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Tables and roles that may be absent when a dump is restored.
--
-- A regclass or regrole of which there is no table or role fails, and with it the
-- whole COPY: one missing role would lose the accounts of all.  These types look and
-- compare like them, and read such a name as a number that nothing has.
--

CREATE TYPE privacct.table_reference;

CREATE OR REPLACE FUNCTION privacct._table_reference_in(cstring) RETURNS privacct.table_reference
	AS 'MODULE_PATHNAME', 'pa_table_reference_in' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION privacct._table_reference_in(cstring) IS 'reads a table_reference';

CREATE OR REPLACE FUNCTION privacct._table_reference_out(privacct.table_reference) RETURNS cstring AS 'regclassout'
	LANGUAGE internal STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION privacct._table_reference_out(privacct.table_reference) IS 'writes a table_reference';

CREATE OR REPLACE FUNCTION privacct._table_reference_send(privacct.table_reference) RETURNS bytea AS 'regclasssend'
	LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION privacct._table_reference_send(privacct.table_reference) IS 'writes a table_reference in binary';

CREATE OR REPLACE FUNCTION privacct._table_reference_recv(internal) RETURNS privacct.table_reference AS 'regclassrecv'
	LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION privacct._table_reference_recv(internal) IS 'reads a table_reference in binary';

CREATE TYPE privacct.table_reference (INPUT = privacct._table_reference_in, OUTPUT = privacct._table_reference_out,
	SEND = privacct._table_reference_send, RECEIVE = privacct._table_reference_recv, LIKE = pg_catalog.oid);
COMMENT ON TYPE privacct.table_reference
	IS 'like regclass, but the name of a table that does not exist is read as a number that no table has';

CREATE TYPE privacct.role_reference;

CREATE OR REPLACE FUNCTION privacct._role_reference_in(cstring) RETURNS privacct.role_reference
	AS 'MODULE_PATHNAME', 'pa_role_reference_in' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION privacct._role_reference_in(cstring) IS 'reads a role_reference';

CREATE OR REPLACE FUNCTION privacct._role_reference_out(privacct.role_reference) RETURNS cstring AS 'regroleout'
	LANGUAGE internal STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION privacct._role_reference_out(privacct.role_reference) IS 'writes a role_reference';

CREATE OR REPLACE FUNCTION privacct._role_reference_send(privacct.role_reference) RETURNS bytea AS 'regrolesend'
	LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION privacct._role_reference_send(privacct.role_reference) IS 'writes a role_reference in binary';

CREATE OR REPLACE FUNCTION privacct._role_reference_recv(internal) RETURNS privacct.role_reference AS 'regrolerecv'
	LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION privacct._role_reference_recv(internal) IS 'reads a role_reference in binary';

CREATE TYPE privacct.role_reference (INPUT = privacct._role_reference_in, OUTPUT = privacct._role_reference_out,
	SEND = privacct._role_reference_send, RECEIVE = privacct._role_reference_recv, LIKE = pg_catalog.oid);
COMMENT ON TYPE privacct.role_reference
	IS 'like regrole, but the name of a role that does not exist is read as a number that no role has';

CREATE OR REPLACE FUNCTION privacct._absent(role name) RETURNS oid AS 'MODULE_PATHNAME', 'pa_absent_role' LANGUAGE C
	IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION privacct._absent(name) IS 'the number that stands for a role of that name where there is none';

CREATE CAST (privacct.table_reference AS oid) WITHOUT FUNCTION AS IMPLICIT;

CREATE CAST (privacct.table_reference AS regclass) WITHOUT FUNCTION AS IMPLICIT;

CREATE CAST (oid AS privacct.table_reference) WITHOUT FUNCTION AS ASSIGNMENT;

CREATE CAST (regclass AS privacct.table_reference) WITHOUT FUNCTION AS ASSIGNMENT;

CREATE CAST (privacct.role_reference AS oid) WITHOUT FUNCTION AS IMPLICIT;

CREATE CAST (privacct.role_reference AS regrole) WITHOUT FUNCTION AS IMPLICIT;

CREATE CAST (oid AS privacct.role_reference) WITHOUT FUNCTION AS ASSIGNMENT;

CREATE CAST (regrole AS privacct.role_reference) WITHOUT FUNCTION AS ASSIGNMENT;
