-- SPDX-License-Identifier: GPL-3.0-or-later
-- The local regime: patients answer a questionnaire by themselves.
\set ECHO none
SET client_min_messages = warning;
CREATE TABLE checkup (patient_id int PRIMARY KEY, region text NOT NULL, grade int NOT NULL, age float8 NOT NULL);
INSERT INTO checkup SELECT i, (ARRAY['north', 'south', 'west'])[1 + i % 3], (i::bigint * 7919 % 10007) * 4 / 10007, 10 + i::bigint * 104729 % 90
FROM generate_series(1, 30000) i;
\set ECHO queries
SELECT privacct.protect('checkup', owner => 'patient_id', regime => 'local', epsilon => 3);
SELECT privacct.set_domain('checkup', 'grade', ARRAY[0, 1, 2, 3]), privacct.set_domain('checkup', 'age', 10, 100);
SELECT privacct.set_public('checkup', 'region'), privacct.grant_budget('checkup', 'analyst', epsilon => 20);
\set ECHO none
