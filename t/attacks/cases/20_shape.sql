-- SPDX-License-Identifier: GPL-3.0-or-later
-- Aggregates and groups that would carry single values or single persons.

-- case: exact aggregates
-- errors: 1 22PA5, 9 42PA1
SELECT max(cost), min(name) FROM care.stay;
SELECT string_agg(name, ',') FROM care.stay;
SELECT array_agg(cost ORDER BY cost DESC) FROM care.stay;
SELECT json_agg(name), jsonb_object_agg(card, cost) FROM care.stay;
SELECT percentile_disc(1) WITHIN GROUP (ORDER BY name) FROM care.stay;
SELECT bit_or(cost), bit_xor(cost) FROM care.stay;
SELECT bool_or(stay_id = 200001), every(cost < 5) FROM care.stay;
SELECT xmlagg(xmlelement(name x, name)) FROM care.stay;
SELECT corr(cost, ratio), bit_and(cost) FROM care.stay;
SELECT rank(70000000) WITHIN GROUP (ORDER BY cost) FROM care.stay;

-- case: one forbidden aggregate among allowed ones
-- errors: 4 42PA1
SELECT dp_count(*), bit_or(cost) FILTER (WHERE ward = 'annex') FROM care.stay;
SELECT ward, count(*) FROM care.stay GROUP BY ward HAVING bit_or(cost) > 70000000;
SELECT ward, count(*) FROM care.stay GROUP BY ward ORDER BY min(name);
SELECT count(*) FROM care.stay HAVING bool_or(stay_id = 200001);

-- case: distinct and order inside aggregates
-- errors: 5 42PA1
SELECT count(DISTINCT (name, den.tell(name))) FROM care.stay;
SELECT sum(DISTINCT cost) FROM care.stay;
SELECT count(DISTINCT (ward, (cost, name))) FILTER (WHERE ward = 'annex') FROM care.stay;
SELECT dp_sum(DISTINCT cost, 0, 1) FROM care.stay;
SELECT count(cost ORDER BY den.tell(name)) FROM care.stay;

-- case: windows below and above
-- errors: 4 42PA1
SELECT max(cost) OVER () FROM care.stay LIMIT 1;
SELECT count(*) OVER (PARTITION BY ward) FROM care.stay;
SELECT dp_count(*), first_value(cost) OVER (ORDER BY cost DESC) FROM care.stay GROUP BY cost, patient;
SELECT count(*) FROM (SELECT row_number() OVER (ORDER BY cost DESC) AS place, name FROM care.stay) s WHERE place = 1;

-- case: columns beside the groups
-- errors: 3 42PA1, 2 42803
SELECT stay_id, name, count(*) FROM care.stay GROUP BY stay_id;
SELECT count(*), name FROM care.stay;
SELECT ward, name, count(*) FROM care.stay GROUP BY ward;
SELECT DISTINCT ON (ward) ward, name FROM care.stay;
SELECT stay_id, (SELECT s.name) FROM care.stay s GROUP BY stay_id;

-- case: constant filters are honoured
-- charges: 3
-- prints: honoured,honoured,honoured
SELECT string_agg(CASE WHEN abs(den.number(q)) < 1000 THEN 'honoured' ELSE 'BREACH: dropped' END, ',')
FROM (VALUES ('SELECT count(*) FILTER (WHERE false) FROM care.stay'),
	('SELECT dp_count(*) FILTER (WHERE NULL) FROM care.stay'),
	('SELECT count(DISTINCT patient) FILTER (WHERE 1 = 2) FROM care.stay')) v(q);

-- case: groups of one person do not come out
-- charges: 5
SELECT name, count(*) FROM care.stay WHERE ward = 'annex' GROUP BY name;
SELECT card, cost, sum(cost) FROM care.stay GROUP BY card, cost;
SELECT note FROM care.stay WHERE ward = 'annex' GROUP BY note;
SELECT DISTINCT name, card FROM care.stay;
SELECT price, instant, big, dp_count(*) FROM care.stay GROUP BY 1, 2, 3;

-- case: many rows of one person are one person
-- charges: 2
SELECT 'BREACH: ' || ward FROM (SELECT ward, count(*) FROM care.stay WHERE patient = 7 GROUP BY ward) s;
SELECT 'BREACH: ' || note FROM (SELECT note, count(*) FROM care.stay WHERE patient = 7 GROUP BY note) s;

-- case: groups by owner
-- errors: 5 42PA1
SELECT patient, count(*) FROM care.stay GROUP BY patient;
SELECT patient + 0, count(*) FROM care.stay GROUP BY 1;
SELECT CASE WHEN patient > 4000 THEN patient::text ELSE '' END, count(*) FROM care.stay GROUP BY 1;
SELECT DISTINCT patient FROM care.stay;
SELECT p, count(*) FROM (SELECT patient AS p FROM (SELECT * FROM care.stay) s) t GROUP BY p;

-- case: the owner by another table's name
-- charges: 2
\c - keeper
CREATE TABLE care.id (id int PRIMARY KEY);
INSERT INTO care.id SELECT generate_series(4700, 4720);
SELECT privacct.declare_public('care.id');
GRANT SELECT ON care.id TO PUBLIC;
\c - spy
SELECT 'BREACH: ' || id FROM (SELECT i.id, count(*) FROM care.stay s JOIN care.id i ON i.id = s.patient GROUP BY i.id) q;
SELECT 'BREACH: ' || id FROM (SELECT i.id, count(*) FROM care.id i LEFT JOIN care.stay s ON i.id = s.patient GROUP BY i.id) q;

-- case: grouping sets
-- errors: 2 42PA1
-- charges: 3
SELECT ward, cost, count(*) FROM care.stay GROUP BY GROUPING SETS ((ward), (cost), ());
SELECT ward, count(*) FROM care.stay GROUP BY ROLLUP (ward);
SELECT ward, day, count(*) FROM care.stay GROUP BY CUBE (ward, day);
SELECT count(*) FROM care.stay GROUP BY GROUPING SETS ((), ());
SELECT patient, count(*) FROM care.stay GROUP BY CUBE (patient);

-- case: very many keys and columns
-- errors: 1 42PA1
SELECT format('SELECT count(*) FROM care.stay GROUP BY %s', string_agg('cost + ' || i, ',')) FROM generate_series(1, 200) i \gexec

-- case: keys with subqueries and arrays
-- errors: 4 42PA1
SELECT (SELECT floor FROM care.ward WHERE floor = cost), count(*) FROM care.stay GROUP BY 1;
SELECT cost IN (SELECT floor FROM care.ward), count(*) FROM care.stay GROUP BY 1;
SELECT ARRAY[name, card], count(*) FROM care.stay GROUP BY 1;
SELECT ROW(name, card), count(*) FROM care.stay GROUP BY 1;

-- case: set returning functions
-- errors: 4 42PA1
SELECT unnest(ARRAY[cost]), count(*) FROM care.stay GROUP BY 1;
SELECT count(*) FROM (SELECT generate_series(1, cost) FROM care.stay) s;
SELECT count(*) FROM care.stay, generate_series(1, cost) g;
SELECT count(*) FROM care.stay, LATERAL (SELECT n FROM care.many WHERE n < cost) l;

-- case: system columns
-- errors: 6 42PA1
SELECT count(*) FROM care.stay WHERE ctid = '(0,1)';
SELECT xmin::text, count(*) FROM care.stay GROUP BY 1;
SELECT tableoid::regclass::text, count(*) FROM care.reading GROUP BY 1;
SELECT count(*) FROM care.stay s JOIN care.ward w ON w.ctid = s.ctid;
SELECT count(*) FROM care.reading WHERE tableoid = 'care.reading_annex'::regclass;
SELECT dp_sum(cmin::text::int, 0, 1) FROM care.stay;

-- case: one release of all groups, for each row of a query around
-- charges: 1
SELECT (SELECT count(*) FROM care.stay s WHERE s.ward = m.ward) FROM den.many m;

-- case: correlation with a query around
-- errors: 3 42PA1
SELECT (SELECT count(*) FROM care.stay s WHERE s.ward < m.ward) FROM den.many m;
SELECT * FROM den.many m, LATERAL (SELECT count(*) FROM care.stay s WHERE s.stay_id = m.n) l;
SELECT (SELECT dp_sum(cost, 0, m.n) FROM care.stay) FROM den.many m;

-- case: an empty group is noise, not null
-- charges: 4
-- prints: number,number,number,number
SELECT string_agg(CASE WHEN den.number(q) IS NULL THEN 'BREACH: null' ELSE 'number' END, ',')
FROM (VALUES ('SELECT count(*) FROM care.stay WHERE false'), ('SELECT sum(cost) FROM care.stay WHERE stay_id < 0'),
	('SELECT avg(cost) FROM care.stay WHERE cost IS NULL'), ('SELECT stddev(cost) FROM care.stay WHERE stay_id = 200001')) v(q);
