-- SPDX-License-Identifier: GPL-3.0-or-later
-- Statements of clients that the tests do not run themselves, as they send them.
--
--	-- client: NAME, what is asked for
--	-- price: how many charges, unless it is 1
--	-- rows: the statement asks for rows, and is refused, or empty with privacct.empty_rows
--
-- Each is asked again of open copies of the tables, in schema "open" instead of "care".

-- client: Metabase, fingerprints
-- rows
SELECT SUBSTRING("source"."ward", 1, 1234) AS "substring1", "source"."cost" AS "cost", "source"."day" AS "day" FROM (SELECT "care"."visit"."visit_id" AS "visit_id", "care"."visit"."ward" AS "ward", "care"."visit"."cost" AS "cost", "care"."visit"."day" AS "day" FROM "care"."visit" LIMIT 10000) AS "source";

-- client: Metabase, rows of a table
-- rows
SELECT "care"."visit"."visit_id" AS "visit_id", "care"."visit"."ward" AS "ward", "care"."visit"."cost" AS "cost" FROM "care"."visit" LIMIT 2000;

-- client: Metabase, values of a field
SELECT "care"."visit"."ward" AS "ward" FROM "care"."visit" GROUP BY "care"."visit"."ward" ORDER BY "care"."visit"."ward" ASC LIMIT 1000;

-- client: Metabase, different values
SELECT COUNT(DISTINCT "care"."visit"."ward") AS "count", COUNT(DISTINCT "care"."visit"."patient_id") AS "count_2" FROM "care"."visit";

-- client: Metabase, by month
SELECT CAST(DATE_TRUNC('month', "care"."visit"."day") AS date) AS "day", COUNT(*) AS "count", AVG("care"."visit"."cost") AS "avg" FROM "care"."visit" GROUP BY CAST(DATE_TRUNC('month', "care"."visit"."day") AS date) ORDER BY CAST(DATE_TRUNC('month', "care"."visit"."day") AS date) ASC;

-- client: Metabase, by week from Sunday
SELECT (CAST(DATE_TRUNC('week', ("care"."visit"."seen" + INTERVAL '1 day')) AS timestamptz) + INTERVAL '-1 day') AS "seen", COUNT(*) AS "count" FROM "care"."visit" WHERE "care"."visit"."seen" >= timestamp with time zone '2025-02-01 00:00:00.000Z' AND "care"."visit"."seen" < timestamp with time zone '2025-03-01 00:00:00.000Z' GROUP BY (CAST(DATE_TRUNC('week', ("care"."visit"."seen" + INTERVAL '1 day')) AS timestamptz) + INTERVAL '-1 day') ORDER BY 1 ASC;

-- client: Metabase, by day of the week
SELECT MOD(CAST(CAST(EXTRACT(DOW FROM "care"."visit"."day") AS integer) + 1 AS integer), 7) AS "day", COUNT(*) AS "count" FROM "care"."visit" GROUP BY MOD(CAST(CAST(EXTRACT(DOW FROM "care"."visit"."day") AS integer) + 1 AS integer), 7) ORDER BY 1 ASC;

-- client: Metabase, by month in a time zone
SELECT DATE_TRUNC('month', ("care"."visit"."seen" AT TIME ZONE 'Europe/Berlin')) AS "seen", SUM("care"."visit"."stay") AS "sum" FROM "care"."visit" GROUP BY DATE_TRUNC('month', ("care"."visit"."seen" AT TIME ZONE 'Europe/Berlin')) ORDER BY 1 ASC;

-- client: Metabase, bins
SELECT (FLOOR((("care"."visit"."cost" - 0.0) / 25.0)) * 25.0) + 0.0 AS "cost", COUNT(*) AS "count" FROM "care"."visit" GROUP BY (FLOOR((("care"."visit"."cost" - 0.0) / 25.0)) * 25.0) + 0.0 ORDER BY 1 ASC;

-- client: Metabase, a median
SELECT "care"."visit"."insured" AS "insured", PERCENTILE_CONT(0.5) within group (order by "care"."visit"."cost") AS "median", PERCENTILE_CONT(0.9) within group (order by "care"."visit"."cost") AS "percentile" FROM "care"."visit" GROUP BY "care"."visit"."insured" ORDER BY "care"."visit"."insured" ASC;

-- client: Metabase, a share
SELECT "care"."visit"."ward" AS "ward", CAST(SUM(CASE WHEN "care"."visit"."insured" = TRUE THEN 1 ELSE 0.0 END) AS float) / NULLIF(COUNT(*), 0) AS "share", COUNT(CASE WHEN "care"."visit"."cost" > 100 THEN 1 END) AS "count_where", SUM(CASE WHEN "care"."visit"."insured" THEN "care"."visit"."cost" ELSE 0.0 END) AS "sum_where" FROM "care"."visit" GROUP BY "care"."visit"."ward" ORDER BY "care"."visit"."ward" ASC;

-- client: Metabase, a running count
SELECT DATE_TRUNC('month', "care"."visit"."day") AS "day", SUM(COUNT(*)) OVER (ORDER BY DATE_TRUNC('month', "care"."visit"."day") ASC ROWS UNBOUNDED PRECEDING) AS "sum" FROM "care"."visit" GROUP BY DATE_TRUNC('month', "care"."visit"."day") ORDER BY 1 ASC;

-- client: Metabase, a joined table
SELECT "Ward"."building" AS "Ward__building", COUNT(*) AS "count" FROM "care"."visit" LEFT JOIN "care"."ward" AS "Ward" ON "care"."visit"."ward" = "Ward"."ward" WHERE (LOWER("Ward"."building") LIKE '%o%') AND ("care"."visit"."cost" BETWEEN 10 AND 150) GROUP BY "Ward"."building" ORDER BY "Ward"."building" ASC;

-- client: Metabase, a saved question
SELECT "source"."building" AS "building", COUNT(*) AS "count" FROM (SELECT "care"."visit"."visit_id" AS "visit_id", "care"."visit"."cost" AS "cost", "Ward"."building" AS "building" FROM "care"."visit" LEFT JOIN "care"."ward" AS "Ward" ON "care"."visit"."ward" = "Ward"."ward") AS "source" WHERE "source"."cost" >= 50 GROUP BY "source"."building" ORDER BY "count" DESC, "source"."building" ASC LIMIT 10;

-- client: Metabase, the last 30 days
SELECT COUNT(*) AS "count" FROM "care"."visit" WHERE ("care"."visit"."day" >= CAST((NOW() + (INTERVAL '-30 day')) AS date)) AND ("care"."visit"."day" < CAST(NOW() AS date));

-- client: Metabase, a question on a question
SELECT AVG("source"."count") AS "avg", MAX("source"."count") AS "max" FROM (SELECT "care"."visit"."ward" AS "ward", COUNT(*) AS "count" FROM "care"."visit" GROUP BY "care"."visit"."ward") AS "source";

-- client: DBeaver, rows of a table
-- rows
SELECT v.visit_id, v.ward, v."cost" FROM care.visit v LIMIT 200;

-- client: DBeaver, the number of rows
SELECT count(*) FROM (SELECT * FROM care.visit) dbvrcnt;

-- client: DBeaver, columns of a script's result
-- price: 0
SELECT * FROM (SELECT ward, count(*) FROM care.visit GROUP BY ward) q LIMIT 0;

-- client: DBeaver, values to filter by
SELECT ward, COUNT(*) FROM care.visit GROUP BY ward ORDER BY 2 DESC LIMIT 8;

-- client: DBeaver, the grouping panel
SELECT ward,insured,COUNT(*),AVG(cost) FROM (SELECT * FROM care.visit) subquery GROUP BY ward,insured ORDER BY ward,insured;

-- client: Power BI, preview
-- rows
select "$Table"."visit_id" as "visit_id", "$Table"."ward" as "ward", "$Table"."cost" as "cost" from "care"."visit" "$Table" limit 1000;

-- client: Power BI, columns
-- price: 0
select * from ( select "$Table"."visit_id" as "visit_id", "$Table"."ward" as "ward" from "care"."visit" "$Table" ) "_" limit 0;

-- client: Power BI, a bar chart
select "ward", "a0" from ( select "rows"."ward" as "ward", count(1) as "a0" from ( select "_"."ward" as "ward", "_"."cost" as "cost" from "care"."visit" "_" where "_"."cost" >= 10 ) "rows" group by "ward" ) "_" where not "a0" is null order by "ward" limit 1000001;

-- client: Power BI, between dates
select sum("rows"."stay") as "a0", cast(avg("rows"."cost") as double precision) as "a1" from ( select "_"."stay", "_"."cost" from "care"."visit" "_" where "_"."day" >= timestamp '2025-02-01 00:00:00' and "_"."day" < timestamp '2025-05-01 00:00:00' and "_"."ward" in ('W07', 'W08', 'W09') ) "rows";

-- client: Power BI, different values
select count(distinct("rows"."ward")) + max(case when "rows"."ward" is null then 1 else 0 end) as "a0" from ( select "_"."ward" as "ward" from "care"."visit" "_" ) "rows";

-- client: Power BI, the first by value
select "ward", "a0" from ( select "rows"."ward" as "ward", sum("rows"."stay") as "a0" from "care"."visit" "rows" group by "ward" ) "_" order by "a0" desc, "ward" limit 3;

-- client: Power BI, a relationship
select "rows"."building" as "building", count("rows"."visit_id") as "a0" from ( select "$Outer"."visit_id", "$Inner"."building" from "care"."visit" as "$Outer" left outer join "care"."ward" as "$Inner" on ("$Outer"."ward" = "$Inner"."ward" or "$Outer"."ward" is null and "$Inner"."ward" is null) ) "rows" group by "building" order by "building";

-- client: Power BI, a relationship of subqueries
select "rows"."building" as "building", sum("rows"."cost") as "a0" from ( select "$Outer"."cost", "$Inner"."building" from ( select "_"."cost" as "cost", "_"."ward" as "t0_0" from "care"."visit" "_" where "_"."insured" = true ) as "$Outer" inner join ( select "_"."ward" as "ward", "_"."building" as "building" from "care"."ward" "_" where "_"."beds" > 12 ) as "$Inner" on ("$Outer"."t0_0" = "$Inner"."ward") ) "rows" group by "building" order by "building";

-- client: Power BI, tables
-- price: 0
select TABLE_NAME, TABLE_TYPE from INFORMATION_SCHEMA.tables where TABLE_SCHEMA not in ('information_schema', 'pg_catalog') and TABLE_SCHEMA = 'care' order by TABLE_SCHEMA, TABLE_NAME;

-- client: Power BI, columns of a table
-- price: 0
select COLUMN_NAME, ORDINAL_POSITION, IS_NULLABLE, case when (data_type like '%unsigned%') then DATA_TYPE || ' unsigned' else DATA_TYPE end as DATA_TYPE from INFORMATION_SCHEMA.columns where TABLE_SCHEMA = 'care' and TABLE_NAME = 'visit' order by TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION;

-- client: Power BI, keys
-- price: 0
select ii.COLUMN_NAME, ii.ORDINAL_POSITION, case when i.CONSTRAINT_TYPE = 'PRIMARY KEY' then 'Y' else 'N' end as PRIMARY_KEY from INFORMATION_SCHEMA.table_constraints i inner join INFORMATION_SCHEMA.key_column_usage ii on i.CONSTRAINT_SCHEMA = ii.CONSTRAINT_SCHEMA and i.CONSTRAINT_NAME = ii.CONSTRAINT_NAME and i.TABLE_SCHEMA = ii.TABLE_SCHEMA and i.TABLE_NAME = ii.TABLE_NAME where i.TABLE_SCHEMA = 'care' and i.TABLE_NAME = 'visit' and i.CONSTRAINT_TYPE in ('PRIMARY KEY', 'UNIQUE') order by ii.COLUMN_NAME;

-- client: Power BI, relationships
-- price: 0
select pkcol.COLUMN_NAME as PK_COLUMN_NAME, pkcol.TABLE_NAME as PK_TABLE_NAME, fkcol.COLUMN_NAME as FK_COLUMN_NAME, fkcol.ORDINAL_POSITION as ORDINAL from (select distinct constraint_catalog, constraint_schema, unique_constraint_schema, constraint_name, unique_constraint_name from INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS) fkcon inner join INFORMATION_SCHEMA.KEY_COLUMN_USAGE fkcol on fkcon.CONSTRAINT_SCHEMA = fkcol.CONSTRAINT_SCHEMA and fkcon.CONSTRAINT_NAME = fkcol.CONSTRAINT_NAME inner join INFORMATION_SCHEMA.KEY_COLUMN_USAGE pkcol on fkcon.UNIQUE_CONSTRAINT_SCHEMA = pkcol.CONSTRAINT_SCHEMA and fkcon.UNIQUE_CONSTRAINT_NAME = pkcol.CONSTRAINT_NAME where fkcol.TABLE_SCHEMA = 'care' and fkcol.TABLE_NAME = 'visit' and pkcol.ORDINAL_POSITION = fkcol.ORDINAL_POSITION order by 1, 2;

-- client: Grafana, a time series
SELECT floor((extract(epoch from seen)/86400))*86400 AS "time", ward AS metric, count(*) AS "value" FROM care.visit WHERE seen BETWEEN '2025-02-01T00:00:00Z' AND '2025-02-04T00:00:00Z' AND ward IN ('W10', 'W11') GROUP BY 1, 2 ORDER BY 1, 2;

-- client: Grafana, a time series by month
SELECT date_trunc('month', seen) AS "time", avg(cost) AS "cost", max(stay) AS "stay" FROM care.visit WHERE seen >= '2025-02-01T00:00:00Z' AND seen <= '2025-05-01T00:00:00Z' GROUP BY 1 ORDER BY 1;

-- client: Grafana, seconds
SELECT count(*) AS "value" FROM care.visit WHERE extract(epoch from seen) >= 1738368000 AND extract(epoch from seen) <= 1746057600;

-- client: Grafana, the query builder
SELECT AVG(cost) AS "cost", ward FROM care.visit WHERE (seen >= '2025-02-01T00:00:00Z' AND seen <= '2025-05-01T00:00:00Z') GROUP BY ward ORDER BY ward LIMIT 50;

-- client: Grafana, raw points
-- rows
SELECT seen AS "time", cost FROM care.visit WHERE seen BETWEEN '2025-02-01T00:00:00Z' AND '2025-05-01T00:00:00Z' ORDER BY 1;

-- client: Grafana, a variable
SELECT DISTINCT ward FROM care.visit ORDER BY ward;

-- client: Grafana, columns
-- price: 0
SELECT quote_ident(column_name) AS "column", data_type AS "type" FROM information_schema.columns WHERE CASE WHEN array_length(parse_ident('care.visit'),1) = 2 THEN quote_ident(table_schema) = (parse_ident('care.visit'))[1] AND quote_ident(table_name) = (parse_ident('care.visit'))[2] ELSE quote_ident(table_name) = 'care.visit' END;

-- client: Tableau, a measure by a dimension
SELECT "visit"."ward" AS "ward", SUM("visit"."cost") AS "sum:cost:ok", SUM(1) AS "cnt:visit:ok" FROM "care"."visit" "visit" INNER JOIN (SELECT "visit"."ward" AS "ward", COUNT(1) AS "$__alias__0" FROM "care"."visit" "visit" GROUP BY 1 ORDER BY 2 DESC NULLS LAST LIMIT 4) "t0" ON ("visit"."ward" = "t0"."ward") GROUP BY 1 ORDER BY 1;
-- price: 2

-- client: Tableau, the domain of a filter
SELECT MIN("visit"."day") AS "min", MAX("visit"."day") AS "max", COUNT(1) AS "n" FROM "care"."visit" "visit" HAVING (COUNT(1) > 0);

-- client: Superset, the first series
SELECT DATE_TRUNC('month', seen) AS __timestamp, ward AS ward, count(*) AS count FROM care.visit JOIN (SELECT ward AS ward__, count(*) AS mme_inner__ FROM care.visit WHERE seen >= TO_TIMESTAMP('2025-02-01 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US') GROUP BY ward ORDER BY mme_inner__ DESC LIMIT 3) AS anon_1 ON ward = ward__ WHERE seen >= TO_TIMESTAMP('2025-02-01 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US') AND seen < TO_TIMESTAMP('2025-04-01 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US') GROUP BY DATE_TRUNC('month', seen), ward ORDER BY 1, 2;
-- price: 2

-- client: Superset, a box plot
SELECT ward AS ward, percentile_cont(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY cost) AS q, count(DISTINCT patient_id) AS patients FROM (SELECT * FROM care.visit WHERE insured) AS virtual_table WHERE stay > 1 GROUP BY ward ORDER BY ward LIMIT 1000;
