/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * marker.c
 *		The hidden last column of a leaf: which table, by which policy, whose rows, and
 *		what the release has to know of the block (bound/aggregate.h).
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"

#include "bound/aggregate.h"
#include "guard/block_rules.h"

void
pa_add_to_marker(Aggref *marker, Node *node)
{
	marker->aggargtypes = lappend_oid(marker->aggargtypes, exprType(node));
	marker->args = lappend(marker->args, makeTargetEntry((Expr *) node, list_length(marker->args) + 1, NULL, false));
}

static void
add_number(Aggref *marker, int32 number)
{
	pa_add_to_marker(marker, (Node *) makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(number), false, true));
}

void
pa_mark_release(const PaBlock *block, Aggref *marker, Node *owners)
{
	add_number(marker, block->fanout);
	add_number(marker, block->entry_use);
	pa_add_to_marker(marker, owners);
}

TargetEntry *
pa_make_marker(const PaBlock *block, AttrNumber resno)
{
	Aggref	   *marker = makeNode(Aggref);

	marker->aggfnoid = block->rules->marker();
	marker->aggtype = BOOLOID;
	pa_add_to_marker(marker, (Node *) block->owner);
	pa_add_to_marker(marker, (Node *) makeConst(OIDOID, -1, InvalidOid, sizeof(Oid),
												ObjectIdGetDatum(block->policy->relation), false, true));
	/* by what the block is validated: an open cursor may outlive it */
	pa_add_to_marker(marker, (Node *) makeConst(INT8OID, -1, InvalidOid, sizeof(int64),
												Int64GetDatum(block->policy->policy_id), false, FLOAT8PASSBYVAL));
	block->rules->mark(block, marker);
	marker->aggkind = 'n';
	marker->aggno = marker->aggtransno = -1;
	marker->location = -1;
	return makeTargetEntry((Expr *) marker, resno, pstrdup("owner"), true);
}
