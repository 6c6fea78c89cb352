-- SPDX-License-Identifier: GPL-3.0-or-later
-- Metadata statements of clients that the tests do not run themselves, as they
-- send them, with names of this test's schema, and constants for parameters.
--
--	-- client: NAME, what is asked for
--	-- shows: REGEX of the output; may be repeated

-- client: sequelize 6.37.8, showAllTables
-- shows: ^visit$
SELECT table_name FROM information_schema.tables WHERE table_schema = 'care' AND table_type LIKE '%TABLE' AND table_name != 'spatial_ref_sys';

-- client: sequelize 6.37.8, describeTable
-- shows: ^PRIMARY KEY\|visit_id\|\|NO\|integer
-- shows: ^\|cost\|
SELECT pk.constraint_type as "Constraint",c.column_name as "Field", c.column_default as "Default",c.is_nullable as "Null", (CASE WHEN c.udt_name = 'hstore' THEN c.udt_name ELSE c.data_type END) || (CASE WHEN c.character_maximum_length IS NOT NULL THEN '(' || c.character_maximum_length || ')' ELSE '' END) as "Type", (SELECT array_agg(e.enumlabel) FROM pg_catalog.pg_type t JOIN pg_catalog.pg_enum e ON t.oid=e.enumtypid WHERE t.typname=c.udt_name) AS "special", (SELECT pgd.description FROM pg_catalog.pg_statio_all_tables AS st INNER JOIN pg_catalog.pg_description pgd on (pgd.objoid=st.relid) WHERE c.ordinal_position=pgd.objsubid AND c.table_name=st.relname) AS "Comment" FROM information_schema.columns c LEFT JOIN (SELECT tc.table_schema, tc.table_name, cu.column_name, tc.constraint_type FROM information_schema.TABLE_CONSTRAINTS tc JOIN information_schema.KEY_COLUMN_USAGE  cu ON tc.table_schema=cu.table_schema and tc.table_name=cu.table_name and tc.constraint_name=cu.constraint_name and tc.constraint_type='PRIMARY KEY') pk ON pk.table_schema=c.table_schema AND pk.table_name=c.table_name AND pk.column_name=c.column_name WHERE c.table_name = 'visit' AND c.table_schema = 'care';

-- client: sequelize 6.37.8, showIndex
-- shows: ^visit_pkey\|
-- shows: ^visit_ward\|
SELECT i.relname AS name, ix.indisprimary AS primary, ix.indisunique AS unique, ix.indkey AS indkey, array_agg(a.attnum) as column_indexes, array_agg(a.attname) AS column_names, pg_get_indexdef(ix.indexrelid) AS definition FROM pg_class t, pg_class i, pg_index ix, pg_attribute a, pg_namespace s WHERE t.oid = ix.indrelid AND i.oid = ix.indexrelid AND a.attrelid = t.oid AND t.relkind = 'r' and t.relname = 'visit' AND s.oid = t.relnamespace AND s.nspname = 'care' GROUP BY i.relname, ix.indexrelid, ix.indisprimary, ix.indisunique, ix.indkey ORDER BY i.relname;

-- client: sequelize 6.37.8, showAllSchemas
-- shows: ^care$
SELECT schema_name FROM information_schema.schemata WHERE schema_name <> 'information_schema' AND schema_name != 'public' AND schema_name !~ E'^pg_';

-- client: sequelize 6.37.8, tableExists
-- shows: ^visit$
SELECT table_name FROM information_schema.tables WHERE table_schema = 'care' AND table_name = 'visit';

-- client: knex 3.3.0, columnInfo
-- shows: \|visit\|visit_id\|
-- shows: \|visit\|cost\|
SET search_path = care;
PREPARE q(text) AS select * from information_schema.columns where table_name = $1 and table_catalog = current_database() and table_schema = current_schema();
EXECUTE q('visit');

-- client: knex 3.3.0, hasTable
-- shows: \|care\|visit\|BASE TABLE
SET search_path = care;
select * from information_schema.tables where table_name = 'visit' and table_schema = current_schema();

-- client: knex 3.3.0, hasColumn
-- shows: \|visit\|ward\|
SET search_path = care;
select * from information_schema.columns where table_name = 'visit' and column_name = 'ward' and table_schema = current_schema();

-- client: DBeaver, schemas
-- shows: \|care\|
SELECT n.oid,n.*,d.description FROM pg_catalog.pg_namespace n LEFT OUTER JOIN pg_catalog.pg_description d ON d.objoid=n.oid AND d.objsubid=0 AND d.classoid='pg_namespace'::regclass ORDER BY nspname;

-- client: DBeaver, databases
-- shows: \|postgres\|
SELECT db.oid,db.* FROM pg_catalog.pg_database db WHERE datname='postgres';

-- client: DBeaver, tables of a schema
-- shows: \|visit\|
SELECT c.oid,c.*,d.description,pg_catalog.pg_get_expr(c.relpartbound, c.oid) as partition_expr,  pg_catalog.pg_get_partkeydef(c.oid) as partition_key 
FROM pg_catalog.pg_class c
LEFT OUTER JOIN pg_catalog.pg_description d ON d.objoid=c.oid AND d.objsubid=0 AND d.classoid='pg_class'::regclass
WHERE c.relnamespace='care'::regnamespace AND c.relkind not in ('i','I','c');

-- client: DBeaver, columns
-- shows: ^visit\|.*\|patient_id\|
SELECT c.relname,a.*,pg_catalog.pg_get_expr(ad.adbin, ad.adrelid, true) as def_value,dsc.description FROM pg_catalog.pg_attribute a INNER JOIN pg_catalog.pg_class c ON (a.attrelid=c.oid) LEFT OUTER JOIN pg_catalog.pg_attrdef ad ON (a.attrelid=ad.adrelid AND a.attnum = ad.adnum) LEFT OUTER JOIN pg_catalog.pg_description dsc ON (c.oid=dsc.objoid AND a.attnum = dsc.objsubid) WHERE NOT a.attisdropped AND c.oid='care.visit'::regclass ORDER BY a.attnum;

-- client: DBeaver, constraints
-- shows: \|visit_pkey\|
SELECT c.oid,c.*,t.relname as tabrelname,rt.relnamespace as refnamespace,d.description, case when c.contype='c' then "substring"(pg_get_constraintdef(c.oid), 7) else null end consrc_copy FROM pg_catalog.pg_constraint c INNER JOIN pg_catalog.pg_class t ON t.oid=c.conrelid LEFT OUTER JOIN pg_catalog.pg_class rt ON rt.oid=c.confrelid LEFT OUTER JOIN pg_catalog.pg_description d ON d.objoid=c.oid AND d.objsubid=0 AND d.classoid='pg_constraint'::regclass WHERE c.conrelid='care.visit'::regclass ORDER BY c.oid;

-- client: DBeaver, indexes with sizes and scans
-- shows: \|visit_pkey\|.*\|visit\|.*\|\|$
-- shows: \|visit_ward\|
SELECT i.*,i.indkey as keys,c.relname,c.relnamespace,c.relam,c.reltablespace,tc.relname as tabrelname,dsc.description,pg_catalog.pg_get_expr(i.indpred, i.indrelid) as pred_expr,pg_catalog.pg_get_expr(i.indexprs, i.indrelid, true) as expr,pg_catalog.pg_relation_size(i.indexrelid) as index_rel_size,pg_catalog.pg_stat_get_numscans(i.indexrelid) as index_num_scans FROM pg_catalog.pg_index i INNER JOIN pg_catalog.pg_class c ON c.oid=i.indexrelid INNER JOIN pg_catalog.pg_class tc ON tc.oid=i.indrelid LEFT OUTER JOIN pg_catalog.pg_description dsc ON i.indexrelid=dsc.objoid WHERE i.indrelid='care.visit'::regclass ORDER BY c.relname;

-- client: DBeaver, sizes
-- shows: ^\d+\|\|$
select c.oid,pg_catalog.pg_total_relation_size(c.oid) as total_rel_size,pg_catalog.pg_relation_size(c.oid) as rel_size FROM pg_class c WHERE c.relnamespace='care'::regnamespace;

-- client: DBeaver, roles, tablespaces, parents
-- shows: \|analyst\|
SELECT a.oid,a.*,pd.description FROM pg_catalog.pg_roles a left join pg_catalog.pg_shdescription pd on a.oid = pd.objoid ORDER BY a.rolname;
SELECT t.oid,t.*,pg_tablespace_location(t.oid) loc FROM pg_catalog.pg_tablespace t ORDER BY t.oid;
SELECT i.*,c.relnamespace FROM pg_catalog.pg_inherits i,pg_catalog.pg_class c WHERE i.inhrelid='care.visit'::regclass AND c.oid=i.inhparent ORDER BY i.inhseqno;

-- client: DBeaver, dependencies
-- shows: \|visit_pkey
SELECT DISTINCT dep.deptype, dep.classid, dep.objid, cl.relkind, attr.attname,pg_get_expr(ad.adbin, ad.adrelid) adefval, COALESCE(coc.relname, clrw.relname, tgr.relname) AS ownertable, CASE WHEN cl.relname IS NOT NULL AND att.attname IS NOT NULL THEN cl.relname || '.' || att.attname ELSE COALESCE(cl.relname, co.conname, pr.proname, tg.tgname, ty.typname, la.lanname, rw.rulename, ns.nspname) END AS refname, COALESCE(nsc.nspname, nso.nspname, nsp.nspname, nst.nspname, nsrw.nspname, tgrn.nspname) AS nspname FROM pg_depend dep LEFT JOIN pg_class cl ON dep.objid=cl.oid LEFT JOIN pg_attribute att ON dep.objid=att.attrelid AND dep.objsubid=att.attnum LEFT JOIN pg_namespace nsc ON cl.relnamespace=nsc.oid LEFT JOIN pg_proc pr ON dep.objid=pr.oid LEFT JOIN pg_namespace nsp ON pr.pronamespace=nsp.oid LEFT JOIN pg_trigger tg ON dep.objid=tg.oid LEFT JOIN pg_class tgr ON tg.tgrelid=tgr.oid LEFT JOIN pg_namespace tgrn ON tgr.relnamespace=tgrn.oid LEFT JOIN pg_type ty ON dep.objid=ty.oid LEFT JOIN pg_namespace nst ON ty.typnamespace=nst.oid LEFT JOIN pg_constraint co ON dep.objid=co.oid LEFT JOIN pg_class coc ON co.conrelid=coc.oid LEFT JOIN pg_namespace nso ON co.connamespace=nso.oid LEFT JOIN pg_rewrite rw ON dep.objid=rw.oid LEFT JOIN pg_class clrw ON clrw.oid=rw.ev_class LEFT JOIN pg_namespace nsrw ON clrw.relnamespace=nsrw.oid LEFT JOIN pg_language la ON dep.objid=la.oid LEFT JOIN pg_namespace ns ON dep.objid=ns.oid LEFT JOIN pg_attrdef ad ON ad.oid=dep.objid LEFT JOIN pg_attribute attr ON attr.attrelid=ad.adrelid and attr.attnum=ad.adnum WHERE dep.refobjid='care.visit'::regclass;

-- client: DBeaver, sessions
-- shows: \|analyst\|
SELECT sa.* FROM pg_catalog.pg_stat_activity sa;

-- client: Metabase, which tables the user may read
-- shows: \|care\|visit\|f\|t\|f\|f$
-- shows: \|care\|secret\|f\|f\|f\|f$
with table_privileges as (
 select
   NULL as role,
   t.schemaname as schema,
   t.objectname as table,
   pg_catalog.has_any_column_privilege(current_user, '"' || replace(t.schemaname, '"', '""') || '"' || '.' || '"' || replace(t.objectname, '"', '""') || '"',  'update') as update,
   pg_catalog.has_any_column_privilege(current_user, '"' || replace(t.schemaname, '"', '""') || '"' || '.' || '"' || replace(t.objectname, '"', '""') || '"',  'select') as select,
   pg_catalog.has_any_column_privilege(current_user, '"' || replace(t.schemaname, '"', '""') || '"' || '.' || '"' || replace(t.objectname, '"', '""') || '"',  'insert') as insert,
   pg_catalog.has_table_privilege(     current_user, '"' || replace(t.schemaname, '"', '""') || '"' || '.' || '"' || replace(t.objectname, '"', '""') || '"',  'delete') as delete
 from (
   select schemaname, tablename as objectname from pg_catalog.pg_tables
   union
   select schemaname, viewname as objectname from pg_catalog.pg_views
   union
   select schemaname, matviewname as objectname from pg_catalog.pg_matviews
 ) t
 where t.schemaname !~ '^pg_'
   and t.schemaname <> 'information_schema'
   and pg_catalog.has_schema_privilege(current_user, t.schemaname, 'usage')
)
select t.*
from table_privileges t;

-- client: Metabase, tables
-- shows: ^care\|visit\|TABLE\|stays\|$
SELECT "n"."nspname" AS "schema", "c"."relname" AS "name", CASE "c"."relkind" WHEN 'r' THEN 'TABLE' WHEN 'p' THEN 'PARTITIONED TABLE' WHEN 'v' THEN 'VIEW' WHEN 'f' THEN 'FOREIGN TABLE' WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE NULL END AS "type", "d"."description" AS "description", "stat"."n_live_tup" AS "estimated_row_count" FROM "pg_catalog"."pg_class" AS "c" INNER JOIN "pg_catalog"."pg_namespace" AS "n" ON "c"."relnamespace" = "n"."oid" LEFT JOIN "pg_catalog"."pg_description" AS "d" ON ("c"."oid" = "d"."objoid") AND ("d"."objsubid" = 0) AND ("d"."classoid" = 'pg_class'::regclass) LEFT JOIN "pg_stat_user_tables" AS "stat" ON ("n"."nspname" = "stat"."schemaname") AND ("c"."relname" = "stat"."relname") WHERE ("c"."relnamespace" = "n"."oid") AND ("n"."nspname" !~ '^pg_') AND ("n"."nspname" <> 'information_schema') AND c.relkind in ('r', 'p', 'v', 'f', 'm') AND ("n"."nspname" IN ('care')) ORDER BY "type" ASC, "schema" ASC, "name" ASC;

-- client: Metabase, fields
-- shows: ^visit_id\|int4\|0\|care\|visit\|t\|
-- shows: ^cost\|float8\|3\|care\|visit\|f\|
SELECT "c"."column_name" AS "name", CASE WHEN "c"."udt_schema" IN ('public', 'pg_catalog') THEN FORMAT('%s', "c"."udt_name") ELSE FORMAT('"%s"."%s"', "c"."udt_schema", "c"."udt_name") END AS "database-type", "c"."ordinal_position" - 1 AS "database-position", "c"."table_schema" AS "table-schema", "c"."table_name" AS "table-name", "pk"."column_name" IS NOT NULL AS "pk?", COL_DESCRIPTION(CAST(CAST(FORMAT('%I.%I', CAST("c"."table_schema" AS TEXT), CAST("c"."table_name" AS TEXT)) AS REGCLASS) AS OID), "c"."ordinal_position") AS "field-comment" FROM "information_schema"."columns" AS "c" LEFT JOIN (SELECT "tc"."table_schema", "tc"."table_name", "kc"."column_name" FROM "information_schema"."table_constraints" AS "tc" INNER JOIN "information_schema"."key_column_usage" AS "kc" ON ("tc"."constraint_name" = "kc"."constraint_name") AND ("tc"."table_schema" = "kc"."table_schema") AND ("tc"."table_name" = "kc"."table_name") WHERE "tc"."constraint_type" = 'PRIMARY KEY') AS "pk" ON ("c"."table_schema" = "pk"."table_schema") AND ("c"."table_name" = "pk"."table_name") AND ("c"."column_name" = "pk"."column_name") WHERE c.table_schema !~ '^information_schema|catalog_history|pg_' ORDER BY "table-schema", "table-name", "database-position";

-- client: Metabase, whether a table can be read
SELECT true AS "_" FROM "care"."visit" WHERE 1 <> 1 LIMIT 0;

-- client: RPostgres, dbListTables
-- shows: ^care\|visit$
SET search_path = care;
SELECT table_schema, table_name 
FROM information_schema.tables 
WHERE TRUE 
  AND (table_schema = ANY(current_schemas(true))) 
  AND (table_schema <> 'pg_catalog') 
ORDER BY table_type, table_name;

-- client: RPostgres, dbExistsTable
-- shows: ^t$
SELECT EXISTS ( 
SELECT table_schema, table_name 
FROM information_schema.tables 
WHERE TRUE 
AND table_schema = 'care'
AND table_name = 'visit'
);

-- client: RPostgres, dbListFields
-- shows: ^visit_id$
-- shows: ^cost$
SET search_path = care;
SELECT column_name FROM (SELECT *, rank() OVER (ORDER BY nr) AS rnr FROM (SELECT nr, schemas[nr] AS table_schema FROM (SELECT *, generate_subscripts(schemas, 1) AS nr FROM (SELECT current_schemas(true) AS schemas) t) tt WHERE schemas[nr] <> 'pg_catalog') ttt INNER JOIN INFORMATION_SCHEMA.columns USING (table_schema) WHERE table_name = 'visit') tttt WHERE rnr = 1 ORDER BY ordinal_position;

-- client: dbplyr, columns of a table
-- shows: ^visit_id\|patient_id\|ward\|cost$
\pset tuples_only off
SELECT *
FROM "care"."visit" AS "q01"
WHERE (0 = 1);

-- client: dbplyr, columns of a query
-- shows: ^ward\|cost$
\pset tuples_only off
SELECT *
FROM (SELECT ward, cost FROM care.visit) AS "q02"
WHERE (0 = 1);
