-- SPDX-License-Identifier: GPL-3.0-or-later
-- TPC-H 1, as printed: answered.
select l_returnflag,l_linestatus,sum(l_quantity),sum(l_extendedprice),sum(l_extendedprice*(1-l_discount)),sum(l_extendedprice*(1-l_discount)*(1+l_tax)),avg(l_quantity),avg(l_extendedprice),avg(l_discount),count(*) from lineitem where l_shipdate<=date '1998-12-01'-interval '90' day group by l_returnflag,l_linestatus order by 1,2;
