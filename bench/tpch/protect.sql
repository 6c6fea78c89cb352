-- SPDX-License-Identifier: GPL-3.0-or-later
-- One unit of customers: orders by their customer, lines by the path through their order; the rest is
-- public.  Bounds and groups are those of the benchmark's specification; limits are round numbers.
-- psql -v owner=... -v analyst=... -v epsilon=...
SET ROLE :"owner";
BEGIN;
SELECT privacct.create_unit('customer', epsilon => :epsilon, delta => 1e-4);
SELECT privacct.protect('customer', 'c_custkey', unit => 'customer', max_groups_contributed => 1);
SELECT privacct.protect('orders', 'o_custkey', unit => 'customer', max_groups_contributed => 10, max_rows_contributed => 40);
SELECT privacct.protect('lineitem', 'l_orderkey', unit => 'customer', max_groups_contributed => 30, max_rows_contributed => 160);
SELECT privacct.declare_public(t) FROM unnest('{region,nation,supplier,part,partsupp}'::regclass[]) t;
SELECT privacct.set_bounds('lineitem', 'l_quantity', 1, 50), privacct.set_bounds('lineitem', 'l_extendedprice', 0, 105000),
	privacct.set_bounds('lineitem', 'l_discount', 0, 0.1), privacct.set_bounds('lineitem', 'l_tax', 0, 0.08),
	privacct.set_bounds('customer', 'c_acctbal', -1000, 10000),
	privacct.set_bounds('orders', 'o_orderdate', date '1992-01-01', date '1998-12-31'), privacct.set_bounds('lineitem', 'l_shipdate', date '1992-01-01', date '1998-12-31'),
	-- of a customer in a group, whatever the number of lines
	privacct.set_owner_bounds('lineitem', 'l_quantity', 0, 5000), privacct.set_owner_bounds('lineitem', 'l_extendedprice', 0, 5000000);
SELECT privacct.set_keys('nation', 'n_name'),
	privacct.set_keys('orders', 'o_orderpriority', '{1-URGENT,2-HIGH,3-MEDIUM,4-NOT SPECIFIED,5-LOW}'::text[]),
	privacct.set_keys('lineitem', 'l_returnflag', '{A,N,R}'::text[]), privacct.set_keys('lineitem', 'l_linestatus', '{F,O}'::text[]);
SELECT privacct.grant_budget('customer', :'analyst', epsilon => :epsilon, delta => 1e-4);
GRANT SELECT ON region, nation, supplier, part, partsupp TO :"analyst";
COMMIT;
RESET ROLE;
