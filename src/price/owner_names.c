/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * owner_names.c
 *		The owners that a leaf of entries is about, evaluated once.
 *
 * The guard found a value or an array of which every row's owner is
 * (guard/named_owners.c).  What is too long or too much for the ledger's queue
 * is charged to all owners.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "nodes/nodeFuncs.h"
#include "utils/array.h"
#include "utils/lsyscache.h"

#include "price/release.h"

static bool
is_named(List *owners, const char *name)
{
	ListCell   *cell;

	foreach(cell, owners)
		if (strcmp(lfirst(cell), name) == 0)
			return true;
	return false;
}

/* The types of owners are written one way only. */
static List *
append_name(List *owners, Oid type, Datum value)
{
	Oid			output;
	bool		varlena;
	char	   *name;

	getTypeOutputInfo(type, &output, &varlena);
	name = OidOutputFunctionCall(output, value);
	return is_named(owners, name) ? owners : lappend(owners, name);
}

static List *
name_elements(ArrayType *array)
{
	List	   *owners = NIL;
	Datum	   *elements;
	bool	   *nulls;
	int			count;
	int16		length;
	bool		by_value;
	char		alignment;

	if (ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array)) > PA_LEDGER_OWNERS / 2)
		return NIL;
	get_typlenbyvalalign(ARR_ELEMTYPE(array), &length, &by_value, &alignment);
	deconstruct_array(array, ARR_ELEMTYPE(array), length, by_value, alignment, &elements, &nulls, &count);
	for (int i = 0; i < count; i++)
		if (!nulls[i])			/* equal to nobody */
			owners = append_name(owners, ARR_ELEMTYPE(array), elements[i]);
	return owners;
}

/* Whether the request has room for them. */
static bool
fits(List *owners)
{
	Size		total = 0;
	ListCell   *cell;

	foreach(cell, owners)
	{
		Size		length = strlen(lfirst(cell)) + 1;

		total += length;
		if (length > PA_LEDGER_OWNER || total > PA_LEDGER_OWNERS)
			return false;
	}
	return true;
}

List *
pa_release_owners(const PaLeafSpec *spec, List *expressions, ExprContext *context)
{
	Expr	   *expression;
	Oid			type;
	bool		isnull;
	Datum		value;
	List	   *owners;

	if (spec->owners < 0)
		return NIL;
	expression = list_nth(expressions, spec->owners);
	value = ExecEvalExprSwitchContext(ExecInitExpr(expression, NULL), context, &isnull);
	if (isnull)
		return NIL;
	type = exprType((Node *) expression);
	if (type_is_array(type))
		owners = name_elements(DatumGetArrayTypeP(value));
	else
		owners = append_name(NIL, type, value);
	return fits(owners) ? owners : NIL;
}
