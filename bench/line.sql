-- SPDX-License-Identifier: GPL-3.0-or-later
INSERT INTO line (charge_id, policy_id, charged_at, role, epsilon, delta, rho, detail_of)
VALUES (nextval('line_id'), 1, clock_timestamp(), 'bench_analyst', 0.001, 0, 0.0000005, 1);
