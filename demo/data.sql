-- SPDX-License-Identifier: GPL-3.0-or-later
-- A hospital in a year: five tables, the same on every machine.
--
--	patient			40,000 persons
--	ward			five, in three buildings: nothing about them is secret
--	visit			of a patient, in a ward; 120,000
--	prescription	of a visit; 143,000
--	reaction		to a prescription, which has a key of two columns; 7,500
CREATE TABLE patient (
	patient_id int PRIMARY KEY,
	born int NOT NULL,
	sex text NOT NULL,
	district text NOT NULL
);
CREATE TABLE ward (ward text PRIMARY KEY, building text NOT NULL);
CREATE TABLE visit (
	visit_id int PRIMARY KEY,
	patient_id int NOT NULL REFERENCES patient,
	ward text NOT NULL REFERENCES ward,
	day date NOT NULL,
	cost int NOT NULL,
	los_days smallint NOT NULL,
	insured boolean NOT NULL
);
CREATE TABLE prescription (
	visit_id int NOT NULL REFERENCES visit,
	line smallint NOT NULL,
	drug text NOT NULL,
	days smallint NOT NULL,
	PRIMARY KEY (visit_id, line)
);
CREATE TABLE reaction (
	visit_id int NOT NULL,
	line smallint NOT NULL,
	severity smallint NOT NULL,
	PRIMARY KEY (visit_id, line),
	FOREIGN KEY (visit_id, line) REFERENCES prescription
);

INSERT INTO ward VALUES ('cardiology', 'north'), ('oncology', 'north'), ('paediatrics', 'south'),
	('surgery', 'south'), ('emergency', 'east');

-- Each step draws its numbers in one order, row by row.
DO $$ BEGIN PERFORM setseed(0.15); END $$;

INSERT INTO patient
SELECT i, 2025 - (94 * (0.9 * a + 0.1 * b))::int, CASE WHEN c < 0.51 THEN 'F' ELSE 'M' END,
	(ARRAY['old town', 'harbour', 'hills', 'west end'])[1 + floor(4 * d * (0.4 + 0.6 * d))]
FROM (SELECT i, random() AS a, random() AS b, random() AS c, random() AS d FROM generate_series(1, 40000) AS i) AS s;

-- Who comes once comes again, mostly to the same ward, and more often with age; fewer in summer.
INSERT INTO visit
SELECT row_number() OVER (ORDER BY patient_id, i), patient_id, ward, date '2025-01-01' + day,
	round((base + 300 * b + 190 * los) * CASE WHEN e > 0.99 THEN 3 ELSE 1 END), los, f < 0.82
FROM (SELECT *,
		CASE ward WHEN 'surgery' THEN 650 WHEN 'oncology' THEN 500 WHEN 'cardiology' THEN 350 ELSE 150 END AS base,
		least(floor(-ln(1 - d) * CASE ward WHEN 'surgery' THEN 3.5 WHEN 'oncology' THEN 3
			WHEN 'cardiology' THEN 2.5 ELSE 1.3 END), 14)::int AS los,
		((CASE WHEN a BETWEEN 0.4 AND 0.65 AND b < 0.35 THEN a + 0.5 ELSE a END * 365)::int) % 365 AS day
	FROM (SELECT *, CASE WHEN age < 18 THEN CASE WHEN c < 0.8 THEN 'paediatrics' ELSE 'emergency' END
				WHEN c < 0.3 THEN 'emergency'
				WHEN c < 0.37 THEN 'surgery'
				WHEN usual * 110 < age THEN 'cardiology'
				WHEN usual * 110 < age + 25 THEN 'oncology'
				ELSE 'surgery' END AS ward
		FROM (SELECT patient_id, age, usual, i,
				random() AS a, random() AS b, random() AS c, random() AS d, random() AS e, random() AS f
			FROM (SELECT patient_id, 2025 - born AS age, random() AS usual,
					CASE WHEN random() < 0.1 THEN 0
						ELSE 1 + floor(-1.4 * ln(1 - random())
							+ random() * (1 + (2025 - born) / 25.0))::int END AS visits
				FROM patient ORDER BY patient_id) AS p, generate_series(1, visits) AS i) AS s) AS w) AS v;

INSERT INTO prescription
SELECT visit_id, line, CASE
		WHEN a < 0.25 THEN 'ibuprofen'
		WHEN a < 0.45 THEN 'amoxicillin'
		WHEN ward = 'cardiology' THEN CASE WHEN a < 0.7 THEN 'warfarin' ELSE 'metoprolol' END
		WHEN ward = 'oncology' THEN 'cisplatin'
		WHEN ward = 'paediatrics' THEN 'salbutamol'
		WHEN a < 0.75 THEN 'metoprolol'
		ELSE 'salbutamol' END, 3 + floor(b * b * 28)
FROM (SELECT visit_id, ward, line, random() AS a, random() AS b
	FROM (SELECT visit_id, ward, floor(-0.9 * ln(1 - random()) + 1.6 * random())::int AS lines
			FROM visit ORDER BY visit_id) AS v,
		generate_series(1, least(lines, 8)) AS line) AS s;

INSERT INTO reaction
SELECT visit_id, line, 1 + floor(3 * b * b)
FROM (SELECT visit_id, line, drug, random() AS a, random() AS b FROM prescription ORDER BY visit_id, line) AS s
WHERE a < CASE drug WHEN 'cisplatin' THEN 0.22 WHEN 'warfarin' THEN 0.08 WHEN 'amoxicillin' THEN 0.06
	WHEN 'metoprolol' THEN 0.04 WHEN 'ibuprofen' THEN 0.03 ELSE 0.015 END;

ANALYZE patient, ward, visit, prescription, reaction;
