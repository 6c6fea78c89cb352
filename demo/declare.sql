-- SPDX-License-Identifier: GPL-3.0-or-later
-- What the owner of the hospital's tables declares.
\set ECHO queries
\echo '-- One promise to each patient, over all tables.'
SELECT privacct.create_unit('hospital', epsilon => 8, delta => 1e-7) AS unit;

\echo '-- Whose row is it?  Patients and visits name the patient.  Prescriptions and reactions do not:'
\echo '-- their rows belong to whom the row belongs that they refer to by a foreign key.'
SELECT privacct.protect('patient', 'patient_id', unit => 'hospital') AS patient,
	   privacct.protect('visit', 'patient_id', unit => 'hospital',
						max_groups_contributed => 3, max_rows_contributed => 5) AS visit,
	   privacct.protect('prescription', 'visit_id', unit => 'hospital',
						max_groups_contributed => 5, max_rows_contributed => 6) AS prescription,
	   privacct.protect('reaction', '{visit_id,line}'::name[], unit => 'hospital',
						max_groups_contributed => 2, max_rows_contributed => 2) AS reaction;

\echo '-- Wards are public, and each is a group, whether anybody was there or not.'
SELECT privacct.declare_public('ward'), privacct.set_keys('ward', 'ward'), privacct.set_keys('ward', 'building');
GRANT SELECT ON ward TO analyst;

\echo '-- What everybody knows about the columns: bounds, and values to group by.'
SELECT privacct.set_bounds('visit', 'cost', 0, 4000), privacct.set_bounds('visit', 'los_days', 0, 14),
	   privacct.set_bounds('visit', 'day', '2025-01-01', '2025-12-31');
SELECT privacct.set_keys('prescription', 'drug',
						 '{amoxicillin,cisplatin,ibuprofen,metoprolol,salbutamol,warfarin}'::text[]);

\echo '-- Five visits could cost 20,000.  Hardly anybody costs a ward more than 6,000.'
SELECT privacct.set_owner_bounds('visit', 'cost', 0, 6000);

\echo '-- The analyst may spend half of the promise.'
SELECT privacct.grant_budget('hospital', 'analyst', epsilon => 4, delta => 1e-8);
