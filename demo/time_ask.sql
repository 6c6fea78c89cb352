-- SPDX-License-Identifier: GPL-3.0-or-later
-- The analyst asks a table with noise on time: twice the same, for twice another time.
\set ECHO queries
EXPLAIN (COSTS OFF) SELECT count(*) FROM visit WHERE ward = 'surgery';
\timing on
SELECT count(*) FROM visit WHERE ward = 'surgery';
SELECT count(*) FROM visit WHERE ward = 'surgery';
\timing off
SELECT epsilon, delta::float4, detail->'time' AS time FROM privacct.my_ledger ORDER BY charge_id DESC LIMIT 2;
