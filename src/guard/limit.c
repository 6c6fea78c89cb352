/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * limit.c
 *		Long values are not looked at: arguments are read through a function that yields
 *		NULL for them.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"

#include "guard/call_work.h"
#include "guard/work.h"
#include "size_limits.h"

/* The column below changes of type that leave the value as it is; NULL: no column. */
static const Var *
column_of(const Node *node)
{
	while (IsA(node, RelabelType))
		node = (const Node *) ((const RelabelType *) node)->arg;
	return IsA(node, Var) ? (const Var *) node : NULL;
}

static bool
is_short_constant(const Node *node)
{
	while (node && IsA(node, RelabelType))
		node = (const Node *) ((const RelabelType *) node)->arg;
	return node && IsA(node, Const) && pa_constant_bytes((const Const *) node) <= PA_INLINE_BYTES;
}

static Node *
call_limiter(Node *argument, int limit)
{
	Oid			type = exprType(argument);
	List	   *args = list_make1(argument);

	if (type != NUMERICOID)
		args = lappend(args, makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(limit), false, true));
	return (Node *) makeFuncExpr(pa_short_function(type), type, args, exprCollation(argument),
								 exprCollation(argument), COERCE_EXPLICIT_CALL);
}

Node *
pa_limit_argument(PaWorkKind kind, int position, Node *argument, const Node *other)
{
	Oid			type = exprType(argument);
	const Var  *column = column_of(argument);
	int			limit = pa_work_limit(kind, position);

	if (IsA(argument, Const) || !pa_is_limited_type(type))
		return argument;
	if (limit == 0 && type != NUMERICOID)
		return argument;
	if (kind == WORK_TEXT_EQUAL && is_short_constant(other))
		return argument;		/* reads what is of the constant's length only */
	if (column && pa_declared_bytes(column->vartype, column->vartypmod) <= PA_INLINE_BYTES)
		return argument;
	return call_limiter(argument, limit);
}
