-- A hospital: 100,000 patients, 1,000,000 visits; the same on every machine.
-- The mixing constants only spread the numbers; nothing here is random.
CREATE TABLE ward (ward text PRIMARY KEY, building text NOT NULL);
INSERT INTO ward VALUES ('cardiology', 'north'), ('oncology', 'north'), ('paediatrics', 'south'),
	('surgery', 'south'), ('emergency', 'east');

CREATE TABLE visit (
	visit_id bigint PRIMARY KEY,
	patient_id int NOT NULL,
	ward text NOT NULL,
	day date NOT NULL,
	cost int NOT NULL,
	los_days smallint NOT NULL,
	insured boolean NOT NULL
);
INSERT INTO visit
SELECT i, patient, (ARRAY['cardiology', 'oncology', 'paediatrics', 'surgery', 'emergency'])[1 + least((patient * 13 + h % 3 * (patient % 2)) % 7, 4)],
	date '2025-01-01' + (h / 11 % 365)::int,
	(100 + h / 13 % 900 + CASE WHEN h % 7 = 3 THEN 2500 ELSE 0 END)::int,
	(h / 17 % 14)::smallint, h / 19 % 10 < 8
FROM (SELECT i, (i * 7919 % 100000)::int AS patient, (i * 2654435761 % 4294967296) / 64 AS h
	FROM generate_series(1::bigint, 1000000) AS i) AS s;
ANALYZE visit, ward;
