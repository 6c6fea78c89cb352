-- SPDX-License-Identifier: GPL-3.0-or-later
-- TPC-H 10, as printed: lists single orders or customers: refused.
select c_custkey,c_name,sum(l_extendedprice*(1-l_discount)) as revenue from customer,orders,lineitem,nation where c_custkey=o_custkey and l_orderkey=o_orderkey and o_orderdate>=date '1993-10-01' and o_orderdate<date '1994-01-01' and l_returnflag='R' and c_nationkey=n_nationkey group by c_custkey,c_name order by revenue desc limit 20;
