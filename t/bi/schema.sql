-- SPDX-License-Identifier: GPL-3.0-or-later
SET client_min_messages=error;
CREATE TABLE dim(dept int PRIMARY KEY, dname text, region text); INSERT INTO dim SELECT g,'d'||g, 'r'||g%3 FROM generate_series(0,9) g; GRANT SELECT ON dim TO PUBLIC;
CREATE TABLE emp(id int primary key, owner int NOT NULL, region text, salary int, bonus float8, price numeric, dept int, name text, hired date, ts timestamp, tz timestamptz, active bool, status text);
INSERT INTO emp SELECT g,g/3,'r'||g%4, g*100, g*1.5, g*2.25, g%10, 'n'||g, date '2020-01-01'+g, timestamp '2020-01-01'+g*interval '1 hour', timestamptz '2020-01-01'+g*interval '1 hour', g%2=0, (array['open','closed','won'])[1+g%3] FROM generate_series(1,2000) g;
 
