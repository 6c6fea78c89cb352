-- SPDX-License-Identifier: GPL-3.0-or-later
-- Adapter for an attack runner that brings its own fixture: protects what the
-- runner names and entitles pa_analyst, but not pa_other.  The environment
-- variable PA_BUDGET is the epsilon of table and analyst (default: plenty).
\getenv budget PA_BUDGET
\if :{?budget}
\else
\set budget 1000000
\endif
SET client_min_messages = warning;
CREATE EXTENSION privacct;
SELECT privacct.harden_catalog();
SELECT format('ALTER DATABASE %I SET search_path = "$user", public, privacct', current_database()) \gexec
-- Enough epsilon for each release that noise is never mistaken for a leak.
ALTER ROLE pa_analyst SET privacct.epsilon = 2;

CREATE TABLE pa_admin.setting (budget numeric NOT NULL);
INSERT INTO pa_admin.setting VALUES (:budget);

CREATE FUNCTION pa_admin.protect(rel regclass, owner text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
	budget numeric := (SELECT s.budget FROM pa_admin.setting s);
BEGIN
	PERFORM privacct.protect(rel, owner, epsilon => budget, min_epsilon => least(budget, 1e-6), delta => 1e-4, fresh => true);
	PERFORM privacct.grant_budget(rel, 'pa_analyst', epsilon => budget, delta => 1e-4);
END
$$;

CREATE FUNCTION pa_admin.charges() RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS 'SELECT count(*) FROM privacct.ledger';

SELECT privacct.declare_public('hr.dim_dept');
SELECT pa_admin.protect('hr.emp', 'owner'), pa_admin.protect('hr.emp_part', 'owner');
