/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * own_types.c
 *		See own_types.h.
 */
#include "postgres.h"

#include "access/transam.h"
#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "storage/lmgr.h"
#include "utils/syscache.h"

#include "descend.h"
#include "node/own_types.h"
#include "node/plan_tree.h"

static void
keep_type(Oid type)
{
	if (type < FirstNormalObjectId)
		return;
	LockDatabaseObject(TypeRelationId, type, 0, AccessShareLock);
	if (!SearchSysCacheExists1(TYPEOID, ObjectIdGetDatum(type)))
		ereport(ERROR,
				errcode(ERRCODE_UNDEFINED_OBJECT),
				errmsg("a type that the statement uses was dropped"),
				errdetail("It was there when the statement was planned. Nothing was charged for the release."),
				errhint("Send the statement anew."));
}

static bool
keep_types_walker(Node *node, void *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	switch ((int) nodeTag(node))
	{
		case T_Const:
		case T_Param:
		case T_Var:
		case T_FuncExpr:
		case T_OpExpr:
		case T_CoerceViaIO:
		case T_RelabelType:
		case T_ArrayCoerceExpr:
		case T_ConvertRowtypeExpr:
		case T_CoerceToDomain:
		case T_ArrayExpr:
		case T_RowExpr:
		case T_CaseExpr:
			keep_type(exprType(node));
			break;
		default:
			break;
	}
	return expression_tree_walker(node, keep_types_walker, context);
}

static bool
keep_types_of_plan(Plan *plan, void *context)
{
	(void) keep_types_walker((Node *) plan->targetlist, context);
	(void) keep_types_walker((Node *) plan->qual, context);
	return true;
}

void
pa_keep_types(const PlannedStmt *statement)
{
	ListCell   *cell;

	foreach(cell, statement->subplans)
		pa_plan_visit(lfirst(cell), keep_types_of_plan, NULL);
	pa_plan_visit(statement->planTree, keep_types_of_plan, NULL);
}
