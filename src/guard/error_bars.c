/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * error_bars.c
 *		privacct.error_bars: the ends of intervals beside every number that a statement releases.
 *
 * Columns of a result are settled when a statement is analyzed, before a client asks what they
 * are, so that is where more are added: to what a client sends itself, not to queries
 * inside functions, cursors and other commands, whose columns somebody has counted.
 */
#include "postgres.h"

#include "access/table.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "commands/defrem.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "parser/analyze.h"
#include "rewrite/rewriteHandler.h"
#include "tcop/pquery.h"
#include "tcop/tcopprot.h"
#include "utils/lsyscache.h"

#include "catalog/extension.h"
#include "catalog/policy.h"
#include "descend.h"
#include "guard/guard.h"
#include "guard/interval_call.h"
#include "settings.h"

static post_parse_analyze_hook_type previous_analyze = NULL;

/* --- which statements --- */

/* Analyzed for the client, for the first time or again: no command is under way, and the text is its own. */
static bool
client_asks(const ParseState *pstate)
{
	return MyProcPort != NULL && ActivePortal == NULL &&
		(debug_query_string == NULL || pstate->p_sourcetext == debug_query_string);
}

/* A query, and the ones around it, whose WITH queries it may read. */
typedef struct Scope
{
	const Query *query;
	const struct Scope *around;
} Scope;

static bool hands_up_rows(const Query *query, const Scope *around);

static bool
view_hands_up_rows(Oid relation)
{
	Relation	view = table_open(relation, AccessShareLock);
	bool		found = hands_up_rows(get_view_query(view), NULL);

	table_close(view, AccessShareLock);
	return found;
}

static bool
with_query_hands_up_rows(const RangeTblEntry *rte, const Scope *scope)
{
	ListCell   *cell;

	for (Index level = rte->ctelevelsup; level > 0; level--)
		scope = scope->around;
	foreach(cell, scope->query->cteList)
	{
		CommonTableExpr *cte = lfirst(cell);

		if (strcmp(cte->ctename, rte->ctename) == 0)
			return !cte->cterecursive && hands_up_rows(castNode(Query, cte->ctequery), scope);
	}
	return false;
}

/* Rows of a table whose numbers are noised for the current user. */
static bool
yields_protected_rows(const RangeTblEntry *rte, const Scope *scope)
{
	if (!rte->inFromCl)
		return false;			/* a view knows itself */
	if (rte->rtekind == RTE_SUBQUERY)
		return hands_up_rows(rte->subquery, scope);
	if (rte->rtekind == RTE_CTE)
		return with_query_hands_up_rows(rte, scope);
	if (rte->rtekind != RTE_RELATION)
		return false;
	if (rte->relkind == RELKIND_VIEW)
		return view_hands_up_rows(rte->relid);
	return OidIsValid(pa_protected_root(rte->relid)) && !pa_reads_raw(pa_protected_root(rte->relid), GetUserId());
}

static bool
reads_protected_rows(const Query *query, const Scope *around)
{
	Scope		scope = {query, around};
	ListCell   *cell;

	pa_descend();
	foreach(cell, query->rtable)
		if (yields_protected_rows(lfirst(cell), &scope))
			return true;
	return false;
}

static bool
hands_up_rows(const Query *query, const Scope *around)
{
	return query->commandType == CMD_SELECT && !pa_groups_rows(query) && reads_protected_rows(query, around);
}

static bool
gets_error_bars(const ParseState *pstate, const Query *query)
{
	return query->commandType == CMD_SELECT && query->hasAggs && query->setOperations == NULL && query->distinctClause == NIL &&
		client_asks(pstate) && OidIsValid(pa_schema()) && reads_protected_rows(query, NULL);
}

/* --- the columns --- */

static TargetEntry *
end_of_interval(const TargetEntry *entry, PaShown shown, const char *label)
{
	Expr	   *call = (Expr *) pa_interval_call(castNode(Aggref, entry->expr), shown, 1);

	return makeTargetEntry(call, 0, makeObjectName(entry->resname, NULL, label), false);
}

static bool
is_number_with_interval(const TargetEntry *entry)
{
	return !entry->resjunk && IsA(entry->expr, Aggref) && ((Aggref *) entry->expr)->agglevelsup == 0 &&
		pa_has_interval((const Aggref *) entry->expr);
}

static void
add_error_bars(Query *query)
{
	List	   *columns = NIL;
	ListCell   *cell;

	foreach(cell, query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		columns = lappend(columns, entry);
		if (!is_number_with_interval(entry))
			continue;
		columns = lappend(columns, end_of_interval(entry, PA_SHOWN_LOW, "low"));
		columns = lappend(columns, end_of_interval(entry, PA_SHOWN_HIGH, "high"));
	}
	foreach(cell, columns)
		lfirst_node(TargetEntry, cell)->resno = foreach_current_index(cell) + 1;
	query->targetList = columns;
}

static void
analyzed(ParseState *pstate, Query *query, JumbleState *jstate)
{
	if (previous_analyze)
		previous_analyze(pstate, query, jstate);
	if (pa_error_bars && gets_error_bars(pstate, query))
		add_error_bars(query);
}

void
pa_error_bars_init(void)
{
	previous_analyze = post_parse_analyze_hook;
	post_parse_analyze_hook = analyzed;
}
