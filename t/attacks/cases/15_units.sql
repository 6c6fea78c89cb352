-- SPDX-License-Identifier: GPL-3.0-or-later
-- Joins and paths of a unit, whose tables are keyed by patients through one another.

-- case: raw rows by join
-- errors: 12 42PA1
SELECT a.note, t.remark FROM care.admission a JOIN care.treatment t USING (adm);
SELECT t.* FROM care.treatment t JOIN care.sample s ON s.adm = t.adm AND s.step = t.step WHERE s.level > 1000;
SELECT max(a.note) FROM care.admission a JOIN care.treatment t USING (adm);
SELECT min(s.result) FROM care.sample s;
SELECT array_agg(t.remark) FROM care.admission a JOIN care.treatment t USING (adm) WHERE a.cost > 70000000;
SELECT row_to_json(a) FROM care.admission a JOIN care.treatment t USING (adm);
SELECT m.n FROM den.many m WHERE EXISTS (SELECT FROM care.admission a JOIN care.treatment t USING (adm) WHERE t.dose = m.n);
SELECT w.ward FROM care.ward w WHERE w.ward IN (SELECT a.ward FROM care.admission a JOIN care.treatment t USING (adm) WHERE t.dose > 1000);
SELECT (SELECT t.remark FROM care.treatment t WHERE t.adm = 200001 LIMIT 1);
SELECT a.note FROM care.admission a WHERE EXISTS (SELECT FROM care.treatment t WHERE t.adm = a.adm AND t.dose > 1000);
DELETE FROM care.treatment t USING care.admission a WHERE a.adm = t.adm;
UPDATE care.call SET caller = a.note FROM care.admission a WHERE a.adm = call.adm;

-- case: rows of others by join
-- errors: 14 42PA1
SELECT count(*) FROM care.admission a, care.treatment t;
SELECT count(*) FROM care.admission a JOIN care.admission b USING (ward);
SELECT count(*) FROM care.admission a JOIN care.treatment t ON t.step = a.adm;
SELECT count(*) FROM care.admission a JOIN care.treatment t ON t.adm <= a.adm;
SELECT count(*) FROM care.admission a JOIN care.treatment t ON t.adm = a.adm OR a.ward = 'annex';
SELECT count(*) FROM care.admission a JOIN care.treatment t ON t.adm = a.adm + 0;
SELECT count(*) FROM care.treatment t JOIN care.sample s USING (step);
SELECT count(*) FROM care.sample s JOIN care.sample r USING (level);
SELECT count(*) FROM care.admission a FULL JOIN care.treatment t ON t.dose = a.cost;
SELECT count(*) FROM care.admission a LEFT JOIN care.treatment t ON t.dose = a.cost WHERE t.adm = a.adm OR t.adm IS NULL;
SELECT count(*) FROM care.admission a LEFT JOIN care.treatment t ON t.adm = a.adm JOIN care.admission b ON b.cost = t.dose;
SELECT count(*) FROM care.admission a RIGHT JOIN care.treatment t ON a.adm = 200001;
SELECT count(*) FROM care.admission a JOIN care.stay s ON s.patient = a.patient;
SELECT count(*) FROM care.admission a JOIN care.admission b ON a.patient::float8 = b.patient::float8;

-- case: aggregates over rows of others
-- errors: 11 42PA1
SELECT count(*) FROM (SELECT ward, bit_or(cost) AS m FROM care.admission GROUP BY ward) s JOIN care.admission a USING (ward) WHERE a.cost = s.m;
SELECT count(*) FROM (SELECT bit_and(patient) AS patient, ward FROM care.admission GROUP BY ward) s JOIN care.admission a USING (patient);
SELECT count(*) FROM (SELECT drug, count(*) AS n FROM care.treatment GROUP BY drug) s, care.admission a WHERE s.n = a.adm;
SELECT count(*) FROM care.admission WHERE cost = (SELECT bit_or(cost) FROM care.admission);
SELECT count(*) FROM care.admission a WHERE a.cost > ALL (SELECT t.dose FROM care.treatment t);
SELECT count(*) FROM (SELECT rank() OVER (ORDER BY cost DESC) AS r FROM care.admission) s WHERE r = 1;
SELECT count(*) FROM (SELECT adm, sum(cost) OVER () AS w FROM care.admission) s WHERE w > 70000000;
SELECT count(*) FROM (SELECT t.adm, max(t.dose) OVER (PARTITION BY t.drug) AS w FROM care.treatment t) s WHERE w > 1000;
SELECT count(*) FROM (SELECT lag(cost) OVER (PARTITION BY patient ORDER BY adm) AS w FROM care.admission) s WHERE w > 1000;
SELECT count(*) FROM (SELECT patient FROM care.admission GROUP BY ROLLUP (patient)) s;
SELECT count(*) FROM (SELECT string_agg(remark, ',') AS x, adm FROM care.treatment GROUP BY adm) s WHERE x LIKE '%O%';

-- case: a value of the rows of others is a release
-- charges: 2
SELECT count(*) >= 0 FROM care.admission a WHERE a.cost > (SELECT avg(t.dose) FROM care.treatment t WHERE t.drug = a.adm);

-- case: owners read through paths
-- errors: 6 42PA1, 2 42703
SELECT a.patient, count(*) FROM care.admission a JOIN care.treatment t USING (adm) GROUP BY a.patient;
SELECT a.patient + t.step, count(*) FROM care.admission a JOIN care.treatment t USING (adm) GROUP BY 1;
SELECT DISTINCT a.patient FROM care.admission a JOIN care.sample s USING (adm) JOIN care.treatment t USING (adm);
SELECT patient FROM care.treatment;
SELECT count(*) FROM care.treatment t WHERE t.patient = 4711;
SELECT (SELECT a.patient FROM care.admission a WHERE a.adm = t.adm), count(*) FROM care.treatment t GROUP BY 1;
SELECT s.patient, count(*) FROM (SELECT a.patient FROM care.admission a JOIN care.treatment t USING (adm) UNION ALL SELECT patient FROM care.admission) s GROUP BY 1;
SELECT dp_topk(a.patient, 3) FROM care.admission a JOIN care.treatment t USING (adm);

-- case: groups by columns that say whose the rows are
-- errors: 3 42PA1
SELECT t.adm, count(*) FROM care.treatment t GROUP BY t.adm;
SELECT s.adm, s.step, count(*) FROM care.sample s GROUP BY 1, 2;
SELECT t.adm, sum(s.level) FROM care.treatment t JOIN care.sample s USING (adm, step) GROUP BY t.adm;

-- case: groups by keys of a table on the path
-- errors: 1 42PA1
-- charges: 3
-- the key of an admission is almost a name, and refused as one; nothing comes out that one patient makes
SELECT adm,
	'BREACH: ' || adm FROM (SELECT a.adm, count(*) FROM care.admission a JOIN care.treatment t USING (adm) GROUP BY a.adm) s;
SELECT 'BREACH: ' || id FROM (SELECT s.id, count(*) FROM care.sample s GROUP BY 1) s;
SELECT 'BREACH: ' || remark FROM (SELECT t.remark, count(*) FROM care.treatment t JOIN care.sample s USING (adm, step) WHERE t.dose > 1000 GROUP BY 1) s;
SELECT 'BREACH: ' || result FROM (SELECT result, count(*) FROM care.sample WHERE level > 1000 GROUP BY 1) s;

-- case: the key of a table on the path, made public
-- charges: 2
\c - keeper
CREATE TABLE care.numbers (adm int PRIMARY KEY);
INSERT INTO care.numbers SELECT generate_series(199990, 200010);
SELECT privacct.declare_public('care.numbers');
GRANT SELECT ON care.numbers TO PUBLIC;
\c - spy
SELECT 'BREACH: ' || adm FROM (SELECT n.adm, count(*) FROM care.treatment t JOIN care.numbers n ON n.adm = t.adm GROUP BY n.adm) s;
SELECT 'BREACH: ' || adm FROM (SELECT n.adm, count(*) FROM care.numbers n LEFT JOIN care.admission a ON n.adm = a.adm LEFT JOIN care.treatment t ON t.adm = a.adm GROUP BY n.adm) s;

-- case: lateral subqueries
-- errors: 6 42PA1
SELECT count(*) FROM care.admission a, LATERAL (SELECT t.dose FROM care.treatment t WHERE t.adm = a.adm LIMIT 1) l;
SELECT count(*) FROM care.admission a, LATERAL (SELECT t.dose FROM care.treatment t WHERE t.adm = a.adm ORDER BY t.dose DESC LIMIT 1) l;
SELECT count(*) FROM care.admission a, LATERAL (SELECT t.dose FROM care.treatment t WHERE t.adm = a.adm OFFSET 3) l;
SELECT count(*) FROM care.admission a, LATERAL (SELECT t.dose FROM care.treatment t WHERE t.drug = a.adm) l;
SELECT l.remark FROM care.admission a, LATERAL (SELECT t.remark FROM care.treatment t WHERE t.adm = a.adm) l;
SELECT l.n FROM den.many m, LATERAL (SELECT count(*) AS n FROM care.admission a JOIN care.treatment t USING (adm) WHERE a.adm = m.n) l;

-- case: subqueries about other owners
-- errors: 8 42PA1
SELECT count(*) FROM care.admission a WHERE EXISTS (SELECT FROM care.treatment t WHERE t.dose > 1000);
SELECT count(*) FROM care.admission a WHERE NOT EXISTS (SELECT FROM care.treatment t WHERE t.drug = a.cost);
SELECT count(*) FROM care.admission a WHERE a.cost IN (SELECT t.dose FROM care.treatment t);
SELECT count(*) FROM care.admission a WHERE a.cost NOT IN (SELECT t.dose FROM care.treatment t WHERE t.adm = 200001);
SELECT count(*) FROM care.admission a WHERE EXISTS (SELECT FROM care.treatment t WHERE t.adm = a.adm AND EXISTS (SELECT FROM care.sample s WHERE s.level > t.dose));
SELECT count(*) FROM care.drug d JOIN care.admission a ON d.drug = a.cost AND EXISTS (SELECT FROM care.treatment t WHERE t.drug = d.drug AND t.dose > 1000);
SELECT count(*) FROM care.admission a JOIN (SELECT * FROM care.drug d WHERE EXISTS (SELECT FROM care.treatment t WHERE t.drug = d.drug)) d ON d.drug = a.cost;
SELECT count(*) FROM care.drug d WHERE EXISTS (SELECT FROM care.treatment t WHERE t.drug = d.drug AND t.dose > 1000);

-- case: set operations over the unit
-- errors: 5 42PA1
SELECT count(*) FROM (SELECT patient FROM care.admission UNION SELECT adm FROM care.treatment) u;
SELECT count(*) FROM (SELECT adm FROM care.admission EXCEPT SELECT adm FROM care.treatment) u;
SELECT count(*) FROM (SELECT adm FROM care.admission INTERSECT SELECT adm FROM care.call) u;
SELECT count(*) FROM (SELECT patient AS o FROM care.admission UNION ALL SELECT step FROM care.treatment) u JOIN care.admission a ON a.patient = u.o;
SELECT count(*) FROM (SELECT cost FROM care.admission UNION ALL SELECT cost FROM care.stay) u;

-- case: sets whose rows say whose they are
-- charges: 3
-- prints: bounded,bounded,bounded
-- what one patient has in them is one patient's
SET privacct.epsilon = 100;
SELECT string_agg(CASE WHEN den.number(q) > 60 THEN 'BREACH: unbounded' ELSE 'bounded' END, ',')
FROM (VALUES ('SELECT count(*) FROM (SELECT a.patient, t.step FROM care.admission a JOIN care.treatment t USING (adm) WHERE t.dose > 1000 UNION SELECT patient, cost FROM care.admission WHERE cost > 70000000) u'),
	('SELECT count(*) FROM (SELECT a.patient, t.step FROM care.admission a JOIN care.treatment t USING (adm) WHERE t.dose > 1000 EXCEPT SELECT patient, cost FROM care.admission) u'),
	('SELECT count(*) FROM care.admission a FULL JOIN care.treatment t ON t.adm = a.adm WHERE t.dose > 1000')) v(q);

-- case: rows of nobody
-- charges: 4
-- prints: none,none,none,none
SET privacct.epsilon = 100;
SELECT string_agg(CASE WHEN den.number(q) > 200 THEN 'BREACH: counted' ELSE 'none' END, ',')
FROM (VALUES ('SELECT count(*) FROM care.call WHERE minutes > 1000'), ('SELECT count(*) FROM care.call WHERE adm IS NULL'),
	('SELECT count(*) FROM care.call c LEFT JOIN care.admission a ON a.adm = c.adm WHERE c.minutes > 1000'),
	('SELECT dp_sum(minutes, 0, 1) FROM (SELECT c.minutes FROM care.call c UNION ALL SELECT a.cost FROM care.admission a WHERE a.adm < 0) u WHERE minutes > 1000')) v(q);

-- case: rows of nobody in what is joined
-- charges: 1
-- prints: ^none$
SET privacct.epsilon = 100;
SELECT CASE WHEN den.number('SELECT count(*) FROM care.call c JOIN care.call d ON d.adm = c.adm WHERE d.minutes > 1000') > 100 THEN 'BREACH: counted' ELSE 'none' END;

-- case: many rows of one person through joins
-- charges: 5
-- prints: bounded,bounded,bounded,bounded,bounded
SET privacct.epsilon = 100;
SELECT string_agg(CASE WHEN den.number(q) > bound THEN 'BREACH: unbounded' ELSE 'bounded' END, ',')
FROM (VALUES ('SELECT count(*) FROM care.treatment WHERE dose > 1000', 60),
	('SELECT count(*) FROM care.treatment t JOIN care.treatment u ON u.adm = t.adm JOIN care.sample s ON s.adm = u.adm AND s.step = u.step WHERE t.dose > 1000', 80),
	('SELECT sum(t.dose) FROM care.admission a JOIN care.treatment t USING (adm) WHERE a.cost > 70000000', 600),
	('SELECT count(*) FROM (SELECT adm FROM care.sample WHERE level > 1000 UNION ALL SELECT adm FROM care.sample WHERE level > 1000) u', 80),
	('SELECT dp_sum(n, 0, 5) FROM (SELECT a.patient, count(*) AS n FROM care.admission a JOIN care.treatment t USING (adm) WHERE t.dose > 1000 GROUP BY a.patient) s', 60)) v(q, bound);

-- case: limits of owners chosen by data
-- errors: 6 42PA1, 4 22PA5
SELECT dp_sum(t.dose, 0, a.cost) FROM care.admission a JOIN care.treatment t USING (adm);
SELECT dp_sum(t.dose, 0, 50, 'max_rows=' || a.cost) FROM care.admission a JOIN care.treatment t USING (adm);
SELECT dp_sum(t.dose, 0, 50, 'per_owner=0:' || a.cost) FROM care.admission a JOIN care.treatment t USING (adm);
SELECT dp_sum(t.dose, 0, (SELECT max(a.cost) FROM care.admission a WHERE a.adm = t.adm)) FROM care.treatment t;
SELECT dp_sum(t.dose, 0, 50, 'max_rows=' || (SELECT count(*) FROM care.admission)) FROM care.treatment t;
SELECT dp_sum(t.dose, 0, 50, 'per_owner=0:' || (SELECT max(cost) FROM (SELECT cost FROM care.admission LIMIT 1) x)) FROM care.treatment t;
SELECT dp_sum(dose, 0, 50, 'max_rows=0') FROM care.treatment;
SELECT dp_sum(dose, 0, 50, 'per_owner=0:infinity') FROM care.treatment;
SELECT dp_sum(dose, 0, 50, 'per_owner=0:0') FROM care.treatment;
SELECT dp_sum(dose, 0, 50, 'max_rows=2, per_owner=0:10') FROM care.treatment;

-- case: one line for a block over three tables
-- charges: 1
-- prints: 0.5 3 infirmary
SET privacct.epsilon = 0.5;
SELECT count(*) >= 0 FROM care.admission a JOIN care.treatment t USING (adm) JOIN care.sample s ON s.adm = t.adm AND s.step = t.step;
SELECT l.epsilon::float8 || ' ' || jsonb_array_length(l.detail->'tables') || ' ' || (SELECT unit FROM my_budget WHERE unit IS NOT NULL) FROM my_ledger l ORDER BY charge_id DESC LIMIT 1;

-- case: tables of a unit are no second purse
-- charges: 4
-- prints: \n4$
-- what each costs is taken from the one account
SET privacct.epsilon = 1;
SELECT epsilon_spent AS before FROM my_budget WHERE unit = 'infirmary' \gset
SELECT count(*) >= 0 FROM care.admission;
SELECT count(*) >= 0 FROM care.treatment;
SELECT count(*) >= 0 FROM care.sample s WHERE EXISTS (SELECT FROM care.treatment t WHERE t.adm = s.adm AND t.step = s.step);
SELECT count(*) >= 0 FROM care.call;
SELECT round((epsilon_spent - :before)::numeric, 6)::float8 FROM my_budget WHERE unit = 'infirmary';

-- case: a table of the unit without a budget for it
-- as: nobody
-- errors: 4 42501
SELECT count(*) FROM care.admission;
SELECT count(*) FROM care.treatment t JOIN care.admission a USING (adm);
SELECT count(*) FROM care.sample;
SELECT privacct.grant_budget('infirmary', 'nobody', epsilon => 1);

-- case: a release that a block of the unit reads is paid for too
-- charges: 4
SELECT count(*) >= 0 FROM care.treatment WHERE dose > (SELECT avg(dose) FROM care.treatment);
SELECT count(*) >= 0 FROM care.admission a JOIN (SELECT ward, avg(cost) AS c FROM care.admission GROUP BY ward) w ON w.ward = a.ward AND a.cost > w.c;

-- case: keys of public tables are those of the table
-- charges: 2
-- prints: 3,3
SELECT string_agg(n::text, ',') FROM (
	SELECT count(c) AS n FROM (SELECT d.kind, count(*) AS c FROM care.treatment t JOIN care.drug d USING (drug) WHERE t.dose > 1000 GROUP BY d.kind) s UNION ALL
	SELECT count(c) FROM (SELECT d.kind, count(*) AS c FROM care.treatment t JOIN care.drug d USING (drug) WHERE t.dose < 0 GROUP BY d.kind) s) x;

-- case: writing to paths, and through them
-- errors: 2 42PA1, 4 42501
INSERT INTO care.treatment VALUES (200001, 500, 1, 1, 'x');
INSERT INTO care.call VALUES (1000000, 200001, 1, 'x') ON CONFLICT DO NOTHING;
CREATE TABLE den.child (adm int REFERENCES care.admission);
CREATE TABLE den.child (adm int, step int, FOREIGN KEY (adm, step) REFERENCES care.treatment);
ALTER TABLE care.sample DROP CONSTRAINT sample_adm_step_fkey;
TRUNCATE care.call;

-- case: errors of rows that are joined
-- charges: 6
SELECT den.twins('SELECT count(*) FROM care.admission a JOIN care.treatment t USING (adm) WHERE CASE WHEN a.adm = {} THEN 1 / (t.dose - t.dose) > 0 ELSE false END');
SELECT den.twins('SELECT count(*) FROM care.admission a WHERE EXISTS (SELECT FROM care.treatment t WHERE t.adm = a.adm AND t.adm = {} AND t.dose * a.cost > 0)');
SELECT den.twins('SELECT count(*) FROM (SELECT a.patient, sum(t.dose) AS s FROM care.admission a LEFT JOIN care.treatment t ON t.adm = a.adm AND t.adm = {} GROUP BY a.patient HAVING 1 / (count(t.adm) - 100) > 0) s');

-- case: explain and previews of joins
-- errors: 2 42PA1
-- prints: alike fine
SELECT den.twins('EXPLAIN SELECT count(*) FROM care.admission a JOIN care.treatment t USING (adm) WHERE a.adm = {}');
EXPLAIN ANALYZE SELECT count(*) FROM care.admission a JOIN care.treatment t USING (adm);
EXPLAIN (ANALYZE, BUFFERS) SELECT count(*) FROM care.sample WHERE level > 1000;
