-- SPDX-License-Identifier: GPL-3.0-or-later
-- Constraints that are others than in 0.1.

ALTER TABLE privacct.policy DROP CONSTRAINT policy_accounting_check;

ALTER TABLE privacct.policy ADD CONSTRAINT policy_accounting_check CHECK (accounting = 'table');
