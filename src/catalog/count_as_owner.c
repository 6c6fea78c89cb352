/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * count_as_owner.c
 *		Counts of rows with the rights of the table's owner, for declarations.
 *
 * As foreign keys are checked: planning such a query may already call functions of
 * that role, from expressions of indexes.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"

#include "compat/rights.h"
#include "catalog/policy.h"

/* The first column of the first row, a bigint, or null; the query may have a text[] as $1. */
static int64
first_number(const char *query, Datum values, bool *isnull)
{
	Oid			type = TEXTARRAYOID;
	char		absent = values == (Datum) 0 ? 'n' : ' ';
	int64		number = 0;

	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "SPI_connect failed");
	if (SPI_execute_with_args(query, 1, &type, &values, &absent, true, 1) != SPI_OK_SELECT)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("the rows of owners cannot be counted by something else than a query"));
	*isnull = SPI_processed == 0;
	if (!*isnull)
	{
		Datum		value = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, isnull);

		number = *isnull ? 0 : DatumGetInt64(value);
	}
	SPI_finish();
	return number;
}

/*
 * The session's statistics do not show how many rows were read.  Planning may call
 * functions of the table's owner, and it is not for the session to say by its
 * search_path what these call, or by other settings how the table is read.
 */
static const char *const settings[][2] = {
	{"search_path", "pg_catalog, pg_temp"},
	{"track_counts", "off"},
	{"max_parallel_workers_per_gather", "0"},
	{"jit", "off"},
};

static void
set_as_owner(void)
{
	for (int i = 0; i < lengthof(settings); i++)
		(void) set_config_option(settings[i][0], settings[i][1], PGC_SUSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
}

/* With the rights of the table's owner, and nothing that lasts. */
static int64
as_table_owner(Oid relation, const char *query, Datum values, bool *isnull)
{
	int			guc_level = NewGUCNestLevel();
	Oid			user;
	int			context;
	int64		number;

	GetUserIdAndSecContext(&user, &context);
	SetUserIdAndSecContext(pa_table_owner(relation),
						   context | SECURITY_LOCAL_USERID_CHANGE | SECURITY_RESTRICTED_OPERATION);
	set_as_owner();
	number = first_number(query, values, isnull);
	AtEOXact_GUC(false, guc_level);
	SetUserIdAndSecContext(user, context);	/* an error restores them too */
	return number;
}

static const char *
name_of(Oid relation)
{
	return quote_qualified_identifier(get_namespace_name(get_rel_namespace(relation)), get_rel_name(relation));
}

/* _longest_owner(relation, owner): the most rows that an owner has, for the owner of the table */
PG_FUNCTION_INFO_V1(pa_longest_owner_sql);
PGDLLEXPORT Datum
pa_longest_owner_sql(PG_FUNCTION_ARGS)
{
	Oid			relation = PG_GETARG_OID(0);
	const char *owner = quote_identifier(NameStr(*PG_GETARG_NAME(1)));
	int64		longest;
	bool		isnull;

	if (get_rel_name(relation) == NULL)
		PG_RETURN_NULL();
	if (!pa_owns_object(RelationRelationId, relation, GetUserId()))
		aclcheck_error(ACLCHECK_NOT_OWNER, get_relkind_objtype(get_rel_relkind(relation)), get_rel_name(relation));
	longest = as_table_owner(relation,
							 psprintf("SELECT pg_catalog.max(n) FROM (SELECT pg_catalog.count(*) AS n FROM %s GROUP BY %s) c", name_of(relation), owner),
							 (Datum) 0, &isnull);
	PG_RETURN_INT64(longest);
}

/* _count_as_owner(relation, query, values): a bigint, with the rights of the table's owner; the values are $1 */
PG_FUNCTION_INFO_V1(pa_count_as_owner);
PGDLLEXPORT Datum
pa_count_as_owner(PG_FUNCTION_ARGS)
{
	bool		isnull;
	int64		count;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1) || get_rel_name(PG_GETARG_OID(0)) == NULL)
		PG_RETURN_NULL();
	count = as_table_owner(PG_GETARG_OID(0), text_to_cstring(PG_GETARG_TEXT_PP(1)),
						   PG_ARGISNULL(2) ? (Datum) 0 : PG_GETARG_DATUM(2), &isnull);
	if (isnull)
		PG_RETURN_NULL();
	PG_RETURN_INT64(count);
}
