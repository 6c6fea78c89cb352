-- SPDX-License-Identifier: GPL-3.0-or-later
-- Real data: the UCI Adult census extract, one row per person.
\set ECHO none
CREATE TABLE adult (person int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, age int, workclass text, fnlwgt int,
	education text, education_num int, marital_status text, occupation text, relationship text, race text,
	sex text, capital_gain int, capital_loss int, hours_per_week int, native_country text, salary text);
COPY adult (age, workclass, fnlwgt, education, education_num, marital_status, occupation, relationship, race,
	sex, capital_gain, capital_loss, hours_per_week, native_country, salary)
	FROM :'file' (FORMAT csv, HEADER);
ANALYZE adult;
\set ECHO queries
SELECT privacct.protect('adult', owner => 'person', epsilon => 4, delta => 1e-6, accountant => 'zcdp');
SELECT privacct.set_bounds('adult', 'age', 17, 90), privacct.set_bounds('adult', 'hours_per_week', 1, 99);
SELECT privacct.set_keys('adult', 'salary', ARRAY['<=50K', '>50K']);
SELECT privacct.grant_budget('adult', 'analyst', epsilon => 4, delta => 1e-6);
\set ECHO none
