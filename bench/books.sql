-- SPDX-License-Identifier: GPL-3.0-or-later
-- Many policies and charges, written as a restore would write them.
SET client_min_messages = warning;
CREATE EXTENSION privacct;
SET synchronous_commit = off;
SET privacct.write_books = on;

CREATE TABLE bench_plain (a int);
SELECT format('CREATE TABLE protected_%s (id int PRIMARY KEY, owner int NOT NULL, v int)', i) FROM generate_series(1, :policies) i \gexec
SELECT privacct.protect('protected_1', 'owner', epsilon => 10000);
CREATE TEMP TABLE one_policy AS SELECT * FROM privacct.policy;
CREATE TEMP TABLE one_history AS SELECT * FROM privacct.history;
CREATE TEMP TABLE member AS SELECT i, format('protected_%s', i)::regclass::oid AS relation, format('public.protected_%s', i) AS name FROM generate_series(2, :policies) i;
INSERT INTO privacct.policy SELECT (jsonb_populate_record(p, jsonb_build_object('policy_id', m.i, 'relation', m.name, 'relation_name', m.name))).* FROM one_policy p, member m;
INSERT INTO privacct.history SELECT (jsonb_populate_record(h, jsonb_build_object('policy_id', m.i, 'relation', m.name, 'relation_name', m.name, 'names', ARRAY[m.name]))).* FROM one_history h, member m;
SELECT setval(pg_get_serial_sequence('privacct.policy', 'policy_id'), :policies);
GRANT SELECT ON ALL TABLES IN SCHEMA public TO privacct_reader;
REVOKE SELECT ON bench_plain FROM privacct_reader;
-- charges of a policy are all alike: the first describes the others
INSERT INTO privacct.ledger_line (policy_id, charged_at, role, payer, epsilon, delta, rho, detail, detail_of)
SELECT 1 + i % :policies, '2026-01-01'::timestamptz + i * interval '1 second', CASE WHEN i % 100 = 0 THEN 'bench_analyst' ELSE 'bench_owner' END, CASE WHEN i % 100 <> 0 THEN 'bench_analyst' END,
	0.0001, 0, 0.000000004999999995833481,
	CASE WHEN i <= :policies THEN '{"statistics": [{"rho": 0.0000000049999999958334765, "step": 1, "delta": 0, "noise": "laplace 10000/2^0", "scale": 10000, "steps": 1, "kernel": "laplace", "epsilon": 0.0001, "statistic": "count(*)", "sensitivity": 1}], "rows_per_owner": 1, "groups_per_owner": 1, "statistics_count": 1}'::jsonb END,
	CASE WHEN i > :policies THEN 1 + (i - 1) % :policies END
FROM generate_series(1, :charges::bigint) i;
INSERT INTO privacct.account (policy_id, role, epsilon, delta, rho, releases)
SELECT l.policy_id, r.role, sum(l.epsilon), 0, sum(l.rho), count(*) FROM privacct.ledger l, (VALUES (0::oid), ('bench_analyst'::regrole::oid)) r(role)
GROUP BY 1, 2 ON CONFLICT ON CONSTRAINT account_pkey DO UPDATE SET epsilon = excluded.epsilon, rho = excluded.rho, releases = excluded.releases;
INSERT INTO privacct.quota SELECT p.policy_id, 'bench_analyst'::regrole::oid, 10000, 0, NULL, 0, now(), 'postgres' FROM privacct.policy p;
ANALYZE privacct.ledger_line;
-- up to some lines before the last, as the worker leaves them
SELECT privacct._sum_ledger(p.policy_id, greatest(:charges / :policies - 4, 1)) FROM privacct.policy p;
VACUUM ANALYZE;
