/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reference.c
 *		Types table_reference and role_reference: as regclass and regrole, but a
 *		name of which there is no table or role is no error.
 *
 * A dump that is restored without one of its roles or tables would lose every row
 * of the catalog's relations otherwise, for one COPY fails whole.  Such a name
 * becomes a number that no object has, the same wherever it is read, so that it
 * can be told later that a role of that name was meant.  What was dropped before
 * the dump has no name there, only its number in the old cluster, which may be
 * another's in the new one: that becomes a number of another kind.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "common/hashfn.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/value.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/regproc.h"

#include "compat/names.h"

#define ABSENT_NAME		0xC0000000u		/* what SQL calls _absent() is above this */
#define DROPPED_NUMBER	0x80000000u
#define HASH_BITS		0x3FFFFFFFu

static Oid
absent(Oid kind, const char *name)
{
	return kind | (hash_bytes((const unsigned char *) name, (int) strlen(name)) & HASH_BITS);
}

/* What names nothing: "-", or a number. */
static bool
is_unnamed(const char *text, Oid *number)
{
	*number = InvalidOid;
	if (strcmp(text, "-") == 0 || strcmp(text, "0") == 0)
		return true;
	if (strspn(text, "0123456789") != strlen(text) || *text == '\0')
		return false;
	*number = absent(DROPPED_NUMBER, text);
	return true;
}

PG_FUNCTION_INFO_V1(pa_table_reference_in);
PGDLLEXPORT Datum
pa_table_reference_in(PG_FUNCTION_ARGS)
{
	const char *text = PG_GETARG_CSTRING(0);
	Oid			table;

	if (!is_unnamed(text, &table))
	{
		table = RangeVarGetRelid(makeRangeVarFromNameList(pa_qualified_name(text)), NoLock, true);
		if (!OidIsValid(table))
			table = absent(ABSENT_NAME, text);
	}
	PG_RETURN_OID(table);
}

PG_FUNCTION_INFO_V1(pa_role_reference_in);
PGDLLEXPORT Datum
pa_role_reference_in(PG_FUNCTION_ARGS)
{
	const char *text = PG_GETARG_CSTRING(0);
	Oid			role;

	if (!is_unnamed(text, &role))
	{
		const char *name = strVal(llast(pa_qualified_name(text)));

		role = get_role_oid(name, true);
		if (!OidIsValid(role))
			role = absent(ABSENT_NAME, name);
	}
	PG_RETURN_OID(role);
}

/* _absent(name): the number that stands for a role of that name where there is none */
PG_FUNCTION_INFO_V1(pa_absent_role);
PGDLLEXPORT Datum
pa_absent_role(PG_FUNCTION_ARGS)
{
	PG_RETURN_OID(absent(ABSENT_NAME, NameStr(*PG_GETARG_NAME(0))));
}
