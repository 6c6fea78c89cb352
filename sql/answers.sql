-- What whoever protects a table, or changes one, says of others covers what it names, and nothing else.
SET client_min_messages = warning;
\set SHOW_CONTEXT never
CREATE DATABASE regression_answers TEMPLATE template0;
\connect regression_answers
SET client_min_messages = warning;
CREATE EXTENSION privacct;
SET search_path = public, privacct;
CREATE TABLE decoy (dperson int NOT NULL, dv int);
CREATE TABLE st (sperson int NOT NULL, sv int, more int);
SELECT protect('decoy', 'dperson', epsilon => 3, delta => 0) > 0 AS protected, unprotect('decoy');
-- it was protected in other books: what these know of another table says nothing of that
GRANT REFERENCES ON st TO privacct_reader;
SELECT protect('st', 'sperson', epsilon => 3, delta => 0) > 0 AS protected;
SELECT protect('st', 'sperson', epsilon => 3, delta => 0, inherits => 'decoy') > 0 AS protected;
SELECT unprotect('st');

-- a protected table that gets the columns of another
CREATE TABLE t (person int NOT NULL, v int);
CREATE TABLE later (person int NOT NULL, v int, extra int);
CREATE TABLE third (person int NOT NULL);
SELECT protect('t', 'person', epsilon => 3, delta => 0) > 0 AS protected, protect('later', 'person', epsilon => 3, delta => 0) > 0 AS protected, protect('third', 'person', epsilon => 3, delta => 0) > 0 AS protected;
ALTER TABLE later DROP COLUMN extra;
ALTER TABLE third ADD COLUMN w int;
ALTER TABLE third RENAME COLUMN w TO v;
-- what was so before is not told again, nor what the table itself had
ALTER TABLE t ADD COLUMN again int;
ALTER TABLE later ADD COLUMN again int;
ALTER TABLE t DROP COLUMN again;
-- whoever said that they have nothing to do with each other is not told
CREATE TABLE other (person int NOT NULL, v int);
SELECT protect('other', 'person', epsilon => 3, delta => 0, fresh => true) > 0 AS protected;
ALTER TABLE other ADD COLUMN x int;
ALTER TABLE t ADD COLUMN x int;
\connect regression
DROP DATABASE regression_answers;
