/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reads.c
 *		Which queries read rows of protected tables.
 *
 * A query "reads rows" if its FROM has a protected table, or a subquery that
 * hands up rows of one.
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"

#include "compat/permissions.h"
#include "descend.h"
#include "guard/branches.h"
#include "guard/column.h"
#include "guard/guard.h"

bool
pa_is_stamped(const RangeTblEntry *rte)
{
	return rte->rtekind == RTE_RELATION && pa_permissions(rte)->checkAsUser == pa_reader_role();
}

bool
pa_is_protected(const PaGuard *guard, const RangeTblEntry *rte)
{
	Oid			root;

	if (rte->rtekind != RTE_RELATION)
		return false;
	root = pa_protected_root(rte->relid);
	return OidIsValid(root) && !pa_is_stamped(rte) && !pa_reads_raw(root, guard->user) &&
		!pa_may_write(rte);
}

/*
 * The entry of a child that the planner has added asks for no permissions: its parent does, which is in
 * the same range table.  Where all that the statement names of the tree is stamped, so is the parent.
 */
bool
pa_is_stamped_part(const RangeTblEntry *rte, const List *range_table)
{
	bool		stamped = false;
	const ListCell *cell;

	if (!pa_is_child(rte))
		return false;
	foreach(cell, range_table)
	{
		const RangeTblEntry *other = lfirst(cell);

		if (other->rtekind != RTE_RELATION || pa_is_child(other) || pa_protected_root(other->relid) != pa_protected_root(rte->relid))
			continue;
		if (!pa_is_stamped(other))
			return false;
		stamped = true;
	}
	return stamped;
}

/* What PostgreSQL groups: with HAVING alone the rows are one group, too. */
bool
pa_groups_rows(const Query *query)
{
	return query->hasAggs || query->groupClause || query->groupingSets || query->distinctClause || query->havingQual;
}

/* What it groups by. */
static List *
key_columns(const Query *query)
{
	List	   *clauses = query->groupClause ? query->groupClause : query->hasAggs || query->havingQual ? NIL : query->distinctClause;
	List	   *columns = NIL;
	ListCell   *cell;

	foreach(cell, clauses)
	{
		PaColumn   *column = palloc(sizeof(PaColumn));

		*column = pa_column_of(query, (Node *) get_sortgroupclause_tle(lfirst(cell), query->targetList)->expr);
		columns = lappend(columns, column);
	}
	return columns;
}

bool
pa_groups_by_owner(const Query *query)
{
	if (query->groupingSets || query->hasDistinctOn || query->setOperations)
		return false;
	return pa_name_owners(key_columns(query));
}

bool
pa_hands_up_rows(const PaGuard *guard, const Query *query)
{
	return pa_reads_rows(guard, query) && (!pa_groups_rows(query) || pa_groups_by_owner(query));
}

bool
pa_reads_stamped(const Query *query, const Node *node)
{
	const RangeTblEntry *rte;
	ListCell   *cell;

	pa_descend();
	if (IsA(node, JoinExpr))
		return pa_reads_stamped(query, ((const JoinExpr *) node)->larg) || pa_reads_stamped(query, ((const JoinExpr *) node)->rarg);
	if (IsA(node, FromExpr))
	{
		foreach(cell, ((const FromExpr *) node)->fromlist)
			if (pa_reads_stamped(query, lfirst(cell)))
				return true;
		return false;
	}
	rte = rt_fetch(castNode(RangeTblRef, (Node *) node)->rtindex, query->rtable);
	if (rte->rtekind == RTE_SUBQUERY)
		return pa_query_reads_stamped(rte->subquery);
	return pa_is_stamped(rte);
}

bool
pa_query_reads_stamped(const Query *query)
{
	ListCell   *cell;

	foreach(cell, pa_branches(query))
		if (pa_reads_stamped(lfirst(cell), (Node *) ((Query *) lfirst(cell))->jointree))
			return true;
	return false;
}

bool
pa_entry_reads_rows(const PaGuard *guard, const RangeTblEntry *rte)
{
	return pa_is_protected(guard, rte) || (rte->rtekind == RTE_SUBQUERY && pa_hands_up_rows(guard, rte->subquery));
}

bool
pa_reads_rows(const PaGuard *guard, const Query *query)
{
	Relids		members = pa_members(query);
	int			member = -1;

	pa_descend();
	while ((member = bms_next_member(members, member)) >= 0)
		if (pa_entry_reads_rows(guard, rt_fetch(member, query->rtable)))
			return true;
	return false;
}

const RangeTblEntry *
pa_table_read(const PaGuard *guard, const Query *query)
{
	Relids		members = pa_members(query);
	int			member = -1;

	pa_descend();
	while ((member = bms_next_member(members, member)) >= 0)
	{
		const RangeTblEntry *rte = rt_fetch(member, query->rtable);

		if (rte->rtekind == RTE_SUBQUERY)
			rte = pa_table_read(guard, rte->subquery);
		if (rte && pa_is_protected(guard, rte))
			return rte;
	}
	return NULL;
}

bool
pa_names_protected(Node *node, PaGuard *guard)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, pa_names_protected, guard, QTW_EXAMINE_RTES_BEFORE);
	if (IsA(node, RangeTblEntry))
		return pa_is_protected(guard, (RangeTblEntry *) node);
	return expression_tree_walker(node, pa_names_protected, guard);
}
