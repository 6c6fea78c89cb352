-- Privacy units: one promise for each owner over several tables, one set of books.
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_pa_un_shop;
CREATE ROLE regress_pa_un_other;
GRANT privacct_admin TO regress_pa_un_shop, regress_pa_un_other;
CREATE ROLE regress_pa_un_buyer;
CREATE SCHEMA un AUTHORIZATION regress_pa_un_shop;
GRANT USAGE ON SCHEMA un TO PUBLIC;
SET ROLE regress_pa_un_shop;
CREATE TABLE un.customer (c_id int PRIMARY KEY, region text NOT NULL);
CREATE TABLE un.purchase (p_id int PRIMARY KEY, c_id int NOT NULL REFERENCES un.customer, price int NOT NULL);
INSERT INTO un.customer SELECT i, 'r' || i % 3 FROM generate_series(1, 300) i;
INSERT INTO un.purchase SELECT i, 1 + i % 300, i % 50 FROM generate_series(1, 900) i;

-- what a unit is called, and who may make one
SELECT privacct.create_unit('Shop');
SELECT privacct.create_unit(NULL);
SELECT privacct.create_unit('shop', epsilon => -1);
SELECT privacct.create_unit('shop', accountant => 'none');
SELECT privacct.create_unit('shop', epsilon => 3, delta => 1e-6) > 0 AS ok;
SELECT privacct.create_unit('shop', epsilon => 4);
RESET ROLE;
SET ROLE regress_pa_un_buyer;
SELECT privacct.create_unit('mine');
RESET ROLE;

-- its tables promise nothing by themselves, and are its owner's
SET ROLE regress_pa_un_shop;
SELECT privacct.protect('un.customer', 'c_id', unit => 'shops');
SELECT privacct.protect('un.customer', 'c_id', epsilon => 1, unit => 'shop');
SELECT privacct.protect('un.customer', 'c_id', unit => 'shop') > 0 AS ok;
SELECT privacct.protect('un.purchase', 'c_id', max_groups_contributed => 1, max_rows_contributed => 5, unit => 'shop') > 0 AS ok;
SELECT privacct.set_bounds('un.purchase', 'price', 0, 50);
RESET ROLE;
SET ROLE regress_pa_un_other;
CREATE TEMP TABLE nothing ();
SELECT privacct.grant_budget('shop', 'regress_pa_un_buyer', epsilon => 1);
SELECT privacct.drop_unit('shop');
RESET ROLE;

-- a budget of the unit; a table stands for its unit
SET ROLE regress_pa_un_shop;
SELECT privacct.grant_budget('shop', 'regress_pa_un_shop', epsilon => 1);
SELECT privacct.grant_budget('shop', 'regress_pa_un_buyer', epsilon => 2.5);
SELECT privacct.grant_budget('un.purchase', 'regress_pa_un_buyer', epsilon => 2, delta => 1e-7);
RESET ROLE;

-- one set of books
SET ROLE regress_pa_un_buyer;
SET privacct.epsilon = 0.5;
SELECT count(*) BETWEEN 200 AND 400 AS near FROM un.customer;
SELECT sum(price) BETWEEN 15000 AND 30000 AS near FROM un.purchase;
SELECT unit, tables, epsilon, epsilon_spent, epsilon_left, releases FROM privacct.my_budget;
SELECT relation, least_epsilon FROM privacct.release_terms ORDER BY 1;
SELECT relation, relation_name, epsilon, detail->'tables' AS tables FROM privacct.my_ledger ORDER BY charge_id;
-- a block over two tables is one charge
SET privacct.epsilon = 0.25;
SELECT count(*) IS NOT NULL AS answered FROM un.customer JOIN un.purchase USING (c_id) WHERE price > 10;
SELECT epsilon, detail->'tables' AS tables FROM privacct.my_ledger LIMIT 1;
SET privacct.epsilon = 1.1;
SELECT count(*) FROM un.customer;
SELECT count(*) FROM un.purchase;
RESET privacct.epsilon;
RESET ROLE;
SET ROLE regress_pa_un_shop;
SELECT relation_name, unit, tables, epsilon, epsilon_spent, epsilon_left, releases, round(epsilon_tight::numeric, 6) AS tight FROM privacct.odometer;
SELECT unit, role, epsilon, epsilon_spent, releases FROM privacct.budget;
SELECT problem, detail FROM privacct.check_books();
RESET ROLE;
SELECT p.name, q.relation_name, q.unit = p.policy_id AS of_it, EXISTS (SELECT FROM privacct.account a WHERE a.policy_id = q.policy_id) AS has_account
FROM privacct.policy p JOIN privacct.policy q ON q.unit = p.policy_id WHERE p.name = 'shop' ORDER BY 2;

DROP SCHEMA un CASCADE;
