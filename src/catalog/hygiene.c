/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hygiene.c
 *		What has been judged of PostgreSQL's own catalog: privacct.catalog_object.
 *
 * It is read where a user lacks a privilege on the system catalog, which is rare
 * enough to look it up in the table each time.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_class.h"
#include "catalog/pg_collation_d.h"
#include "catalog/pg_proc.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"

#include "catalog/hygiene.h"
#include "catalog/policy.h"

static Oid
judgements(void)
{
	return get_relname_relid("catalog_object", pa_schema());
}

bool
pa_catalog_is_judged(void)
{
	return OidIsValid(judgements());
}

bool
pa_catalog_is_hardened(void)
{
	return OidIsValid(pa_schema()) && pg_class_aclcheck(RelationRelationId, ACL_ID_PUBLIC, ACL_SELECT) != ACLCHECK_OK;
}

/* A text column of the entry of an object, or NULL. */
static char *
judged(const char *kind, const char *name, const char *column)
{
	Relation	rel = table_open(judgements(), AccessShareLock);
	ScanKeyData keys[2];
	SysScanDesc scan;
	HeapTuple	tuple;
	bool		isnull = true;
	char	   *value = NULL;

	ScanKeyEntryInitialize(&keys[0], 0, get_attnum(RelationGetRelid(rel), "kind"), BTEqualStrategyNumber, InvalidOid,
						   C_COLLATION_OID, F_TEXTEQ, CStringGetTextDatum(kind));
	ScanKeyEntryInitialize(&keys[1], 0, get_attnum(RelationGetRelid(rel), "name"), BTEqualStrategyNumber, InvalidOid,
						   C_COLLATION_OID, F_TEXTEQ, CStringGetTextDatum(name));
	scan = systable_beginscan(rel, get_relname_relid("catalog_object_pkey", pa_schema()), true, NULL, 2, keys);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
	{
		Datum		datum = heap_getattr(tuple, get_attnum(RelationGetRelid(rel), column), RelationGetDescr(rel), &isnull);

		if (!isnull)
			value = TextDatumGetCString(datum);
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return value;
}

/* name(types of arguments), as in the table; NULL if there is no such function. */
static char *
function_name(Oid function)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	Form_pg_proc form;
	char	   *name;

	if (!HeapTupleIsValid(tuple))
		return NULL;
	form = (Form_pg_proc) GETSTRUCT(tuple);
	name = psprintf("%s(%s)", NameStr(form->proname),
					TextDatumGetCString(DirectFunctionCall1(oidvectortypes, PointerGetDatum(&form->proargtypes))));
	ReleaseSysCache(tuple);
	return name;
}

PaJudgement
pa_function_judgement(Oid function)
{
	char	   *name = function_name(function);
	char	   *verdict = name ? judged("function", name, "verdict") : NULL;

	if (verdict && strcmp(verdict, "null") == 0)
		return PA_JUDGED_NULL;
	if (verdict && strcmp(verdict, "own") == 0)
		return PA_JUDGED_OWN;
	if (verdict && strcmp(verdict, "sessions") == 0)
		return PA_JUDGED_SESSIONS;
	return PA_JUDGED_CLOSED;
}

/* The columns of the table, those that tell as what is shown in their place. */
static char *
shown_columns(Oid relation, const char *name)
{
	const char *attribute;
	StringInfoData columns;

	initStringInfo(&columns);
	for (AttrNumber column = 1; (attribute = get_attname(relation, column, true)) != NULL; column++)
	{
		const char *shown = judged("column", psprintf("%s.%s", name, attribute), "shown");

		appendStringInfo(&columns, "%s%s AS %s", column == 1 ? "" : ", ", shown ? shown : quote_identifier(attribute), quote_identifier(attribute));
	}
	return columns.data;
}

char *
pa_shown_table(Oid relation)
{
	const char *schema = get_namespace_name(get_rel_namespace(relation));
	const char *table = get_rel_name(relation);
	char	   *name = psprintf("%s.%s", schema, table);
	char	   *verdict = judged("relation", name, "verdict");
	const char *from = quote_qualified_identifier(schema, table);

	if (verdict && strcmp(verdict, "columns") == 0)
		return psprintf("SELECT %s FROM %s", shown_columns(relation, name), from);
	if (verdict && strcmp(verdict, "rows") == 0)
		return psprintf("SELECT * FROM %s WHERE %s", from, judged("relation", name, "shown"));
	return NULL;
}
