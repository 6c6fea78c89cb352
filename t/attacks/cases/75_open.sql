-- SPDX-License-Identifier: GPL-3.0-or-later
-- Ways that would be open without the guard: each is refused while it is being made,
-- also for a keeper who is talked into it.

-- case: views with the rights of their owner
-- as: keeper
-- errors: 5 42PA4
CREATE VIEW care.open_view AS SELECT name, ward FROM care.stay;
GRANT SELECT ON care.open_view TO spy;
GRANT SELECT (name) ON care.open_view TO PUBLIC;
CREATE VIEW care.open_above WITH (security_invoker) AS SELECT * FROM care.open_view;
GRANT SELECT ON care.open_above TO spy;
CREATE VIEW care.open_top AS SELECT * FROM care.open_above;
GRANT SELECT ON care.open_top TO spy;
ALTER VIEW care.open_view SET (security_invoker);
GRANT SELECT ON care.open_view TO spy;
ALTER VIEW care.open_view RESET (security_invoker);
CREATE OR REPLACE VIEW care.open_view AS SELECT name, ward FROM care.stay;
\c - spy
SELECT count(*) > 0 FROM pg_views WHERE viewname = 'open_view';
\c - keeper
DROP VIEW care.open_view CASCADE;

-- case: copies and rules
-- as: keeper
-- errors: 3 42PA4
CREATE MATERIALIZED VIEW care.open_copy AS SELECT name FROM care.stay;
GRANT SELECT ON care.open_copy TO spy;
CREATE TABLE care.open_bell (n int);
GRANT INSERT ON care.open_bell TO spy;
CREATE RULE tell AS ON INSERT TO care.open_bell DO ALSO SELECT name FROM care.stay;
REVOKE INSERT ON care.open_bell FROM spy;
CREATE RULE tell AS ON INSERT TO care.open_bell DO ALSO SELECT name FROM care.stay;
GRANT INSERT ON care.open_bell TO spy;
DROP TABLE care.open_bell;
DROP MATERIALIZED VIEW care.open_copy;

-- case: the spy's own views, given away
-- errors: 1 42501, 3 42PA1, 1 42PA4
CREATE VIEW den.gift AS SELECT name FROM care.stay WHERE ward = 'annex';
GRANT ALL ON den.gift TO PUBLIC;
SELECT * FROM den.gift;
\c - keeper
-- asks as the keeper, of a view whose owner may not read the table
SELECT count(*) FROM den.gift;
\c - postgres
ALTER VIEW den.gift OWNER TO keeper;
\c - spy
SELECT name FROM den.gift;
TABLE den.gift;
DROP VIEW den.gift;

-- case: declaring is not the spy's right
-- errors: 6 42501
SELECT privacct.protect('den.many', 'n');
SELECT privacct.set_keys('den.many', 'ward', '{a}'::text[]);
SELECT privacct.unprotect('care.stay');
SELECT privacct.grant_budget('care.stay', 'spy', 1e6);
SELECT privacct.declare_public('den.many');
GRANT privacct_admin TO spy;

-- case: dropping the extension and what is around it
-- errors: 6 42501
SET privacct.allow_drop_extension = on;
DROP EXTENSION privacct;
DROP SCHEMA privacct CASCADE;
ALTER EXTENSION privacct UPDATE;
ALTER EXTENSION privacct DROP TABLE privacct.policy;
DROP EVENT TRIGGER privacct_ddl_end;
