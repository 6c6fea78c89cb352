-- SPDX-License-Identifier: GPL-3.0-or-later
-- Lines of a copy of the ledger that are added to it, as after a promotion: what was folded since the copy is not counted
-- again, and what got the number of another charge since is never left out.
\set SHOW_CONTEXT never
\set VERBOSITY terse
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_ll_analyst;
CREATE TABLE ll (pid int NOT NULL, c int);
INSERT INTO ll SELECT i, i FROM generate_series(1, 100) i;
GRANT USAGE ON SCHEMA privacct TO regress_ll_analyst;
SELECT privacct.protect('ll', 'pid', epsilon => 50) > 0 AS protected;
SELECT privacct.grant_budget('ll', 'regress_ll_analyst', 50);
CREATE PROCEDURE ask(times int) LANGUAGE plpgsql AS $$
BEGIN
	FOR i IN 1 .. times LOOP
		SET LOCAL ROLE regress_ll_analyst;
		PERFORM count(*) FROM ll;
		RESET ROLE;
		COMMIT;
	END LOOP;
END
$$;
CREATE VIEW spent AS SELECT a.epsilon, a.releases, s.folded_charges, s.folded_to FROM privacct.account a
	LEFT JOIN privacct.ledger_sum s USING (policy_id) WHERE a.role = 0::regrole;
-- what the guide says
CREATE PROCEDURE add_lost() LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO privacct.ledger SELECT l.* FROM lost l WHERE NOT EXISTS (SELECT FROM privacct.ledger g
		WHERE (g.charge_id, g.charged_at) = (l.charge_id, l.charged_at));
END
$$;
SET privacct.epsilon = 0.5;
CALL ask(4);
CREATE TABLE lost AS TABLE privacct.ledger;
SELECT privacct.fold_ledger('ll', now()) > 0 AS folded;
CALL ask(1);
SELECT * FROM spent;
CALL add_lost();
SELECT privacct.repair_books('ll');
SELECT * FROM spent;
SELECT problem FROM privacct.check_books();
-- one that is lost indeed
UPDATE lost SET charge_id = charge_id + 10, charged_at = charged_at + interval '1 ms' WHERE charge_id = 1;
INSERT INTO lost SELECT charge_id + 1, policy_id, charged_at, role, payer, epsilon, delta, rho, detail FROM lost WHERE charge_id = 11;
SET client_min_messages = error;
BEGIN;
DELETE FROM lost WHERE charge_id = 12;
CALL add_lost();
SELECT epsilon, releases FROM spent;
-- the books of a server on which it is not missed, and others get the number of what else is lost
SELECT privacct.accept_books();
COMMIT;
INSERT INTO lost SELECT charge_id + 1, policy_id, charged_at, role, payer, epsilon, delta, rho, detail FROM lost WHERE charge_id = 11;
CALL ask(1);
SELECT max(charge_id) FROM privacct.ledger;
CALL add_lost();
CALL ask(2);
SELECT privacct.fold_ledger('ll', now()) > 0 AS folded;
SELECT * FROM spent;
SELECT charge_id FROM privacct.ledger ORDER BY 1;
CALL add_lost();
SELECT privacct.repair_books('ll');
SELECT * FROM spent;
SELECT privacct.accept_books();
SET privacct.allow_drop_extension = on;
DROP VIEW spent;
DROP EXTENSION privacct;
DROP TABLE ll, lost CASCADE;
DROP PROCEDURE ask, add_lost;
DROP OWNED BY regress_ll_analyst;
DROP ROLE regress_ll_analyst;
