-- SPDX-License-Identifier: GPL-3.0-or-later
-- What a DBA does.
CREATE EXTENSION privacct;
CREATE ROLE analyst LOGIN;
ALTER ROLE analyst SET search_path = public, privacct;
GRANT SELECT ON ward TO analyst;
\set ECHO queries
SELECT privacct.declare_public('ward');
SELECT privacct.protect('visit', owner => 'patient_id', epsilon => 8, delta => 1e-7,
						max_groups_contributed => 3, max_rows_contributed => 10,
						min_epsilon => 0.01, time_grid => '20 ms');
SELECT privacct.set_bounds('visit', 'cost', 0, 4000);
SELECT privacct.set_bounds('visit', 'los_days', 0, 14);
SELECT privacct.set_keys('visit', 'ward',
						 ARRAY['cardiology', 'oncology', 'paediatrics', 'surgery', 'emergency']);
SELECT privacct.grant_budget('visit', 'analyst', epsilon => 2, delta => 1e-8);
\set ECHO none
