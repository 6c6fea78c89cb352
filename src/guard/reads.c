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
#include "optimizer/prep.h"
#include "parser/parsetree.h"

#include "guard/guard.h"

bool
pa_is_protected(const PaGuard *guard, const RangeTblEntry *rte)
{
	Oid			root;

	if (rte->rtekind != RTE_RELATION)
		return false;
	root = pa_protected_root(rte->relid);
	return OidIsValid(root) && rte->checkAsUser != pa_reader_role() && !pa_reads_raw(root, guard->user);
}

bool
pa_groups_rows(const Query *query)
{
	return query->hasAggs || query->groupClause || query->groupingSets || query->distinctClause;
}

bool
pa_hands_up_rows(const PaGuard *guard, const Query *query)
{
	return pa_reads_rows(guard, query) && !pa_groups_rows(query);
}

bool
pa_reads_rows(const PaGuard *guard, const Query *query)
{
	Relids		members;
	int			member = -1;

	if (query->jointree == NULL)
		return false;
	members = get_relids_in_jointree((Node *) query->jointree, false);
	while ((member = bms_next_member(members, member)) >= 0)
	{
		RangeTblEntry *rte = rt_fetch(member, query->rtable);

		if (pa_is_protected(guard, rte))
			return true;
		if (rte->rtekind == RTE_SUBQUERY && pa_hands_up_rows(guard, rte->subquery))
			return true;
	}
	return false;
}

const RangeTblEntry *
pa_table_read(const PaGuard *guard, const Query *query)
{
	Relids		members = query->jointree ? get_relids_in_jointree((Node *) query->jointree, false) : NULL;
	int			member = -1;

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
	if (node == NULL)
		return false;
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, pa_names_protected, guard, QTW_EXAMINE_RTES_BEFORE);
	if (IsA(node, RangeTblEntry))
		return pa_is_protected(guard, (RangeTblEntry *) node);
	return expression_tree_walker(node, pa_names_protected, guard);
}
