/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * make_call.c
 *		See make_call.h.
 */
#include "postgres.h"

#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"

#include "guard/make_call.h"

Aggref *
pa_make_call(Oid function, Oid type, Oid collation, List *arguments, int location)
{
	Aggref	   *aggref = makeNode(Aggref);
	ListCell   *cell;

	aggref->aggfnoid = function;
	aggref->aggtype = type;
	aggref->aggcollid = aggref->inputcollid = collation;
	foreach(cell, arguments)
	{
		aggref->aggargtypes = lappend_oid(aggref->aggargtypes, exprType(lfirst(cell)));
		aggref->args = lappend(aggref->args, makeTargetEntry(lfirst(cell), list_length(aggref->args) + 1, NULL, false));
	}
	aggref->aggkind = 'n';
	aggref->aggno = aggref->aggtransno = -1;
	aggref->location = location;
	return aggref;
}

Node *
pa_no_options(int location)
{
	Const	   *options = makeNullConst(TEXTOID, -1, DEFAULT_COLLATION_OID);

	options->location = location;
	return (Node *) options;
}
