-- SPDX-License-Identifier: GPL-3.0-or-later
-- Constraints that are others than in 0.1.

ALTER TABLE privacct.policy DROP CONSTRAINT policy_kernel_check;

ALTER TABLE privacct.policy DROP CONSTRAINT policy_kernels_check;

ALTER TABLE privacct.policy ADD CONSTRAINT policy_kernel_check CHECK (kernel = ANY (privacct._kernels('plain')));

ALTER TABLE privacct.policy ADD CONSTRAINT policy_kernels_check CHECK (kernels <@ privacct._kernels('any'));

ALTER TABLE privacct.slot DROP CONSTRAINT slot_kernel_check;

ALTER TABLE privacct.slot ADD CONSTRAINT slot_kernel_check CHECK (kernel = ANY (privacct._kernels('planned')));

ALTER TABLE privacct.policy DROP CONSTRAINT policy_accounting_check;

ALTER TABLE privacct.policy ADD CONSTRAINT policy_accounting_check CHECK (accounting = 'table');

ALTER TABLE privacct.policy ALTER COLUMN accounting SET DEFAULT 'table';

ALTER TABLE privacct.policy DROP CONSTRAINT policy_accountant_check;

ALTER TABLE privacct.policy ADD CONSTRAINT policy_accountant_check
	CHECK (accountant = ANY (privacct._accountants('any')));

ALTER TABLE privacct.policy DROP CONSTRAINT policy_check1;

ALTER TABLE privacct.policy ADD CONSTRAINT policy_check1
	CHECK ((privacct._currency(accountant) = 'rho') = (cap_rho IS NOT NULL));

ALTER TABLE privacct.policy DROP CONSTRAINT policy_check3;

ALTER TABLE privacct.policy ADD CONSTRAINT policy_relation_check
	CHECK (relation <> 0::regclass OR closed_at IS NOT NULL OR name IS NOT NULL);

ALTER TABLE privacct.policy ADD CONSTRAINT policy_unit_check
	CHECK (unit IS NULL OR (name IS NULL AND regime <> 'pufferfish'));

ALTER TABLE privacct.policy ADD CONSTRAINT policy_name_check CHECK ((name IS NULL) = (unit_owner IS NULL)
	AND (name IS NULL OR (relation = 0::regclass AND regime = 'central')));

ALTER TABLE privacct.policy ADD CONSTRAINT policy_path_check CHECK ((path IS NULL) = (path_to IS NULL)
	AND (path IS NULL) = (path_keys IS NULL)
	AND (path IS NULL OR (owner_column = '' AND unit IS NOT NULL AND regime = 'central')));
