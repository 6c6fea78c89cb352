-- What tells that tables were protected, and that books were dropped, is outside of the books: whoever takes it is told,
-- or refused, by whatever command.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir '/sql/include/trying.psql'
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE DATABASE regression_marks TEMPLATE template0;
CREATE DATABASE regression_unmarked TEMPLATE template0;
\connect regression_marks
SET client_min_messages = warning;
CREATE EXTENSION privacct;
CREATE ROLE regress_lm_owner IN ROLE privacct_admin;
CREATE ROLE regress_lm_analyst;
GRANT CREATE ON SCHEMA public TO regress_lm_owner;
\ir :helpers
CREATE FUNCTION ask() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	n numeric;
BEGIN
	SET LOCAL ROLE regress_lm_analyst;
	SELECT count(*) INTO n FROM orders;
	RESET ROLE;
	RETURN 'answered';
END
$$;
CREATE TABLE orders (person int NOT NULL, part int NOT NULL) PARTITION BY LIST (part);
CREATE TABLE orders_1 PARTITION OF orders FOR VALUES IN (1);
INSERT INTO orders SELECT i, 1 FROM generate_series(1, 50) i;
SELECT privacct.protect('orders', 'person', epsilon => 1) > 0 AS protected, privacct.grant_budget('orders', 'regress_lm_analyst', 1);
SET privacct.epsilon = 1;
SELECT ask();

-- an owner needs no privilege, and leaves none
SELECT try(statement) FROM unnest(ARRAY['ALTER TABLE orders_1 OWNER TO privacct_reader', 'ALTER VIEW orders_1 OWNER TO privacct_reader',
	'REASSIGN OWNED BY regress_lm_owner TO privacct_reader', 'ALTER ROLE privacct_reader RENAME TO regress_lm_reader']) statement;
SELECT relation, has_table_privilege('privacct_reader', relation, 'REFERENCES') AS marked FROM privacct.history ORDER BY 1;

-- what a dump has of the tables of the extension is compared, too
BEGIN;
ALTER EXTENSION privacct DROP TABLE privacct.account;
ALTER EXTENSION privacct ADD TABLE privacct.account;
SELECT problem FROM privacct.check_books() WHERE problem !~ 'by hand';
ROLLBACK;
-- an index of one's own keeps no line of who wrote by hand from being written
BEGIN;
CREATE UNIQUE INDEX once ON privacct.written_by_hand ((true));
SET LOCAL client_min_messages = error;
SET LOCAL privacct.write_books = on;
UPDATE privacct.quota SET granted_by = granted_by;
SELECT try('UPDATE privacct.account SET epsilon = epsilon');
ROLLBACK;

-- books that were dropped, and what they left with the database
SET privacct.allow_drop_extension = on;
DROP EXTENSION privacct;
RESET privacct.allow_drop_extension;
SELECT count(*) FROM pg_db_role_setting s, unnest(s.setconfig) c WHERE c ~ '^privacct[.]dropped_books=[0-9]';
BEGIN;
ALTER DATABASE regression_marks SET work_mem = '5MB';
ALTER DATABASE regression_marks RESET ALL;
ROLLBACK;
BEGIN;
ALTER ROLE ALL IN DATABASE regression_marks RESET ALL;
ROLLBACK;
BEGIN;
ALTER DATABASE regression_marks RESET privacct.dropped_books;
ROLLBACK;
BEGIN;
DO $$ BEGIN ALTER DATABASE regression_marks SET privacct.dropped_books TO DEFAULT; END $$;
ROLLBACK;
CREATE EXTENSION privacct;
BEGIN;
ALTER DATABASE regression_marks RESET ALL;
ROLLBACK;
-- who answers for it is told in other words
SELECT privacct.accept_books();
ALTER DATABASE regression_marks RESET ALL;
REVOKE ALL ON orders, orders_1 FROM privacct_reader;
SELECT privacct.protect('orders', 'person', epsilon => 1) > 0 AS protected;
SELECT privacct.uninstall();

-- a database goes with what its tables have spent
CREATE EXTENSION privacct;
CREATE TABLE visit (person int NOT NULL);
SELECT privacct.protect('visit', 'person') > 0 AS protected;
\connect regression
SET client_min_messages = warning;
DROP DATABASE regression_unmarked;
DROP DATABASE regression_marks;
DROP ROLE regress_lm_owner, regress_lm_analyst;
