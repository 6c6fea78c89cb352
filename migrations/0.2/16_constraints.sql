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
