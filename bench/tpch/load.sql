-- SPDX-License-Identifier: GPL-3.0-or-later
-- TPC-H-like schema and data, made in the database: psql -v sf=0.1 -f load.sql
-- Same tables, columns, keys and value ranges as the benchmark's specification describes;
-- one third of the customers has no order; deterministic for a given sf.
\set ON_ERROR_STOP 1
\if :{?sf}
\else
\set sf 0.05
\endif
SELECT setseed(0.42);
SELECT greatest(100, (10000 * :sf)::int) AS s, greatest(2000, (200000 * :sf)::int) AS p,
	greatest(1500, (150000 * :sf)::int) AS c, greatest(15000, (1500000 * :sf)::int) AS o \gset

CREATE TABLE region (r_regionkey int PRIMARY KEY, r_name text NOT NULL);
INSERT INTO region SELECT i, (ARRAY['AFRICA','AMERICA','ASIA','EUROPE','MIDDLE EAST'])[i + 1] FROM generate_series(0, 4) i;
CREATE TABLE nation (n_nationkey int PRIMARY KEY, n_name text NOT NULL, n_regionkey int NOT NULL REFERENCES region);
INSERT INTO nation SELECT o - 1, n, r FROM unnest(
	ARRAY['ALGERIA','ARGENTINA','BRAZIL','CANADA','EGYPT','ETHIOPIA','FRANCE','GERMANY','INDIA','INDONESIA','IRAN','IRAQ','JAPAN','JORDAN','KENYA','MOROCCO','MOZAMBIQUE','PERU','CHINA','ROMANIA','SAUDI ARABIA','VIETNAM','RUSSIA','UNITED KINGDOM','UNITED STATES'],
	ARRAY[0,1,1,1,4,0,3,3,2,2,4,4,2,4,0,0,0,1,2,3,4,2,3,3,1]) WITH ORDINALITY t(n, r, o);
CREATE TABLE supplier (s_suppkey int PRIMARY KEY, s_name text NOT NULL, s_address text NOT NULL, s_nationkey int NOT NULL REFERENCES nation,
	s_phone text NOT NULL, s_acctbal numeric(15,2) NOT NULL, s_comment text NOT NULL);
INSERT INTO supplier SELECT i, 'Supplier#' || lpad(i::text, 9, '0'), 'addr' || i, n, (10 + n) || '-111-1111', round((random() * 11000 - 1000)::numeric, 2),
	CASE WHEN random() < 0.005 THEN 'x Customer y Complaints z' ELSE 'fluffy' END
FROM (SELECT i, floor(random() * 25)::int n FROM generate_series(1, :s) i) x;
CREATE TABLE part (p_partkey int PRIMARY KEY, p_name text NOT NULL, p_mfgr text NOT NULL, p_brand text NOT NULL, p_type text NOT NULL,
	p_size int NOT NULL, p_container text NOT NULL, p_retailprice numeric(15,2) NOT NULL);
INSERT INTO part SELECT i,
	(ARRAY['green','almond','blue','red','forest','ivory','lace','maroon','navy','olive','peach','plum','rose','salmon','sienna','sky','snow','steel','tan','violet'])[1 + floor(random() * 20)::int] || ' ' || (ARRAY['green','chiffon','azure','beige','coral','cyan'])[1 + floor(random() * 6)::int],
	'Manufacturer#' || m, 'Brand#' || m || (1 + floor(random() * 5)::int),
	(ARRAY['STANDARD','SMALL','MEDIUM','LARGE','ECONOMY','PROMO'])[1 + floor(random() * 6)::int] || ' ' || (ARRAY['ANODIZED','BURNISHED','PLATED','POLISHED','BRUSHED'])[1 + floor(random() * 5)::int] || ' ' || (ARRAY['TIN','NICKEL','BRASS','STEEL','COPPER'])[1 + floor(random() * 5)::int],
	1 + floor(random() * 50)::int,
	(ARRAY['SM','LG','MED','JUMBO','WRAP'])[1 + floor(random() * 5)::int] || ' ' || (ARRAY['CASE','BOX','BAG','JAR','PKG','PACK','CAN','DRUM'])[1 + floor(random() * 8)::int],
	(90000 + ((i / 10) % 20001) + 100 * (i % 1000)) / 100.0
FROM (SELECT i, 1 + floor(random() * 5)::int m FROM generate_series(1, :p) i) x;
CREATE TABLE partsupp (ps_partkey int REFERENCES part, ps_suppkey int REFERENCES supplier, ps_availqty int NOT NULL, ps_supplycost numeric(15,2) NOT NULL CHECK (ps_supplycost BETWEEN 0 AND 1000),
	PRIMARY KEY (ps_partkey, ps_suppkey));
INSERT INTO partsupp SELECT p, 1 + (p + j * (:s / 4 + (p - 1) / :s)) % :s, 1 + floor(random() * 9999)::int, round((1 + random() * 999)::numeric, 2)
FROM generate_series(1, :p) p, generate_series(0, 3) j ON CONFLICT DO NOTHING;
CREATE TABLE customer (c_custkey int PRIMARY KEY, c_name text NOT NULL, c_address text NOT NULL, c_nationkey int NOT NULL REFERENCES nation,
	c_phone text NOT NULL, c_acctbal numeric(15,2) NOT NULL, c_mktsegment text NOT NULL, c_comment text NOT NULL);
INSERT INTO customer SELECT i, 'Customer#' || lpad(i::text, 9, '0'), 'addr' || i, n, (10 + n) || '-' || (100 + floor(random() * 900))::int || '-1111',
	round((random() * 11000 - 1000)::numeric, 2), (ARRAY['AUTOMOBILE','BUILDING','FURNITURE','MACHINERY','HOUSEHOLD'])[1 + floor(random() * 5)::int], 'c'
FROM (SELECT i, floor(random() * 25)::int n FROM generate_series(1, :c) i) x;
CREATE TABLE orders (o_orderkey int PRIMARY KEY, o_custkey int NOT NULL REFERENCES customer, o_orderstatus text NOT NULL, o_totalprice numeric(15,2) NOT NULL,
	o_orderdate date NOT NULL, o_orderpriority text NOT NULL, o_clerk text NOT NULL, o_shippriority int NOT NULL, o_comment text NOT NULL);
INSERT INTO orders SELECT i, 3 * floor(random() * (:c / 3))::int + 1 + floor(random() * 2)::int, 'F', 0, date '1992-01-01' + floor(random() * 2406)::int,
	(ARRAY['1-URGENT','2-HIGH','3-MEDIUM','4-NOT SPECIFIED','5-LOW'])[1 + floor(random() * 5)::int], 'Clerk#' || floor(random() * 100)::int, 0,
	CASE WHEN random() < 0.012 THEN 'a special b requests c' ELSE 'plain' END
FROM generate_series(1, :o) i;
CREATE TABLE lineitem (l_orderkey int NOT NULL REFERENCES orders, l_linenumber int NOT NULL, l_partkey int NOT NULL, l_suppkey int NOT NULL,
	l_quantity numeric(15,2) NOT NULL, l_extendedprice numeric(15,2) NOT NULL, l_discount numeric(15,2) NOT NULL, l_tax numeric(15,2) NOT NULL,
	l_returnflag char(1) NOT NULL, l_linestatus char(1) NOT NULL, l_shipdate date NOT NULL, l_commitdate date NOT NULL, l_receiptdate date NOT NULL,
	l_shipinstruct text NOT NULL, l_shipmode text NOT NULL, PRIMARY KEY (l_orderkey, l_linenumber));
INSERT INTO lineitem SELECT o, j, p, 1 + (p + floor(random() * 4)::int * (:s / 4 + (p - 1) / :s)) % :s, q,
	round(q * (90000 + ((p / 10) % 20001) + 100 * (p % 1000)) / 100.0, 2), d / 100.0, t / 100.0,
	CASE WHEN sd + rd <= date '1995-06-17' THEN (ARRAY['R','A'])[1 + floor(random() * 2)::int] ELSE 'N' END,
	CASE WHEN sd > date '1995-06-17' THEN 'O' ELSE 'F' END, sd, od + 30 + floor(random() * 61)::int, sd + rd,
	(ARRAY['DELIVER IN PERSON','COLLECT COD','NONE','TAKE BACK RETURN'])[1 + floor(random() * 4)::int],
	(ARRAY['REG AIR','AIR','RAIL','SHIP','TRUCK','MAIL','FOB'])[1 + floor(random() * 7)::int]
FROM (SELECT o_orderkey o, j, 1 + floor(random() * :p)::int p, (1 + floor(random() * 50)::int)::numeric q, floor(random() * 11)::numeric d, floor(random() * 9)::numeric t,
		o_orderdate od, o_orderdate + 1 + floor(random() * 121)::int sd, 1 + floor(random() * 30)::int rd
	FROM (SELECT *, 1 + floor(random() * 7)::int n FROM orders OFFSET 0) x, LATERAL generate_series(1, n) j OFFSET 0) y;
UPDATE orders SET o_totalprice = t, o_orderstatus = st
FROM (SELECT l_orderkey k, round(sum(l_extendedprice * (1 + l_tax) * (1 - l_discount)), 2) t,
		CASE WHEN min(l_linestatus) = 'O' THEN 'O' WHEN max(l_linestatus) = 'F' THEN 'F' ELSE 'P' END st FROM lineitem GROUP BY 1) s WHERE k = o_orderkey;
CLUSTER orders USING orders_pkey;	-- as from the benchmark's own file: in the order of keys, and without gaps
ALTER TABLE lineitem ADD FOREIGN KEY (l_partkey, l_suppkey) REFERENCES partsupp;
CREATE INDEX ON lineitem (l_partkey, l_suppkey);
CREATE INDEX ON orders (o_custkey);
VACUUM ANALYZE region, nation, part, supplier, partsupp, customer, orders, lineitem;
