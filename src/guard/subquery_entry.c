/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * subquery_entry.c
 *		See subquery_entry.h.
 */
#include "postgres.h"

#include "nodes/makefuncs.h"

#include "compat/permissions.h"
#include "guard/subquery_entry.h"

RangeTblEntry *
pa_subquery_entry(Query *subquery, const char *name)
{
	RangeTblEntry *rte = makeNode(RangeTblEntry);
	ListCell   *cell;

	rte->rtekind = RTE_SUBQUERY;
	rte->subquery = subquery;
	rte->eref = makeAlias(name, NIL);
	foreach(cell, subquery->targetList)
	{
		TargetEntry *entry = lfirst(cell);

		if (!entry->resjunk)
			rte->eref->colnames = lappend(rte->eref->colnames, makeString(pstrdup(entry->resname ? entry->resname : "value")));
	}
	rte->inFromCl = true;
	return rte;
}

void
pa_name_columns(RangeTblEntry *rte)
{
	while (list_length(rte->eref->colnames) < list_length(rte->subquery->targetList))
		rte->eref->colnames = lappend(rte->eref->colnames, makeString(pstrdup("key")));
}

void
pa_leave_out(RangeTblEntry *rte)
{
	pa_become_subquery(rte, NULL);
	rte->rtekind = RTE_RESULT;
	rte->security_barrier = false;
	rte->lateral = false;
	rte->tablesample = NULL;
	rte->values_lists = rte->functions = rte->securityQuals = NIL;
	rte->joinaliasvars = rte->joinleftcols = rte->joinrightcols = NIL;
	rte->jointype = JOIN_INNER;
	rte->ctename = NULL;
}

void
pa_become_subquery(RangeTblEntry *rte, Query *subquery)
{
	pa_drop_permissions(rte);
	rte->rtekind = RTE_SUBQUERY;
	rte->subquery = subquery;
	rte->relid = InvalidOid;
	rte->relkind = 0;
	rte->rellockmode = 0;
	rte->inh = false;
}
