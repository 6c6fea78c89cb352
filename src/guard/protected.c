/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * protected.c
 *		The protected tables of a block.
 *
 * They are of one unit, so that one charge pays for all of them.  From here on they
 * are known by the role that they are read as.
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"

#include "compat/permissions.h"
#include "catalog/owner_path.h"
#include "descend.h"
#include "guard/branches.h"
#include "guard/guard.h"

void
pa_read_column(RangeTblEntry *rte, AttrNumber column)
{
	PaPermissions *permissions = pa_change_permissions(rte);

	permissions->selectedCols = bms_add_member(permissions->selectedCols, column - FirstLowInvalidHeapAttributeNumber);
}

/* As the reader role, the columns that say who the owner is included. */
static void
stamp(RangeTblEntry *rte, const PaPolicy *policy)
{
	PaPermissions *permissions = pa_change_permissions(rte);
	ListCell   *cell;

	permissions->checkAsUser = pa_reader_role();
	permissions->requiredPerms = ACL_SELECT;
	if (policy->path == NIL)
		pa_read_column(rte, policy->owner_attnum);
	foreach(cell, policy->path)
		pa_read_column(rte, lfirst_int(cell));
}

static const PaPathStep *
first_step(const PaPolicy *policy)
{
	if (policy->path == NIL)
	{
		pa_require_owner_column(policy);
		return NULL;
	}
	return linitial(pa_owner_path(policy)->steps);
}

/* Whose account pays for several tables, and which owners count, is known where owners have none of their own. */
static void
require_joinable(const PaBlock *block, const RangeTblEntry *rte, const PaPolicy *policy)
{
	const PaBlockTable *first = linitial(block->tables);

	if (first->policy->regime != PA_REGIME_CENTRAL || policy->regime != PA_REGIME_CENTRAL)
		pa_refuse_table(block->guard, rte,
						"A block joins protected tables, and the owners of one have budgets of their own, or its entries are protected.",
						"Query each table in a subquery of its own, with aggregates, and join the results.");
	if (first->policy->unit != policy->unit)
		pa_refuse_table(block->guard, rte,
						psprintf("Tables %s and %s are protected by different privacy units.",
								 get_rel_name(first->policy->relation), get_rel_name(rte->relid)),
						"Query each table in a subquery of its own, with aggregates, and join the results.");
	if (pa_table_owner(first->entry->relid) != pa_table_owner(rte->relid))
		pa_refuse_table(block->guard, rte,
						psprintf("Table %s has another owner than the other protected tables of the block.", get_rel_name(rte->relid)),
						"Query each table in a subquery of its own, with aggregates, and join the results.");
	if (first->policy->time_epsilon > 0 || policy->time_epsilon > 0)
		pa_refuse_table(block->guard, rte,
						"A block joins protected tables, and the policy of one hides how long a release takes: an owner's rows can take any time once they are joined with each other.",
						"Query each table in a subquery of its own, with aggregates, and join the results.");
}

PaBlockTable *
pa_take_table(PaBlock *block, RangeTblEntry *rte)
{
	const PaPolicy *policy = pa_policy_of(rte->relid);
	PaBlockTable *table = palloc(sizeof(PaBlockTable));

	if (policy == NULL)
		pa_refuse_table(block->guard, rte,
						"A partition or child of a protected table cannot be queried by itself.",
						psprintf("Query %s, for which the policy was declared, with a condition that selects the part.",
								 pa_name_of_table(pa_protected_root(rte->relid))));
	*table = (PaBlockTable) {rte, policy, first_step(policy), NULL};
	if (block->tables != NIL)
		require_joinable(block, rte, policy);
	stamp(rte, policy);
	block->tables = lappend(block->tables, table);
	return table;
}

/* The one that the statement names; its rows are counted. */
static void
take_named(PaBlock *block, RangeTblEntry *rte)
{
	const PaPolicy *policy = pa_take_table(block, rte)->policy;

	if (block->policy == NULL || policy->max_rows_contributed > block->policy->max_rows_contributed)
		block->policy = policy;
	if (policy->path != NIL)
		block->alone = false;
}

static void
take_tables(PaBlock *block, Query *query)
{
	Relids		members = pa_members(query);
	int			member = -1;

	pa_descend();
	while ((member = bms_next_member(members, member)) >= 0)
	{
		RangeTblEntry *rte = rt_fetch(member, query->rtable);

		if (pa_is_protected(block->guard, rte))
			take_named(block, rte);
		else if (rte->rtekind == RTE_SUBQUERY)
			take_tables(block, rte->subquery);
	}
	if (bms_num_members(members) != 1)
		block->alone = false;
}

void
pa_take_protected(PaBlock *block)
{
	block->alone = true;		/* until a join says otherwise, or an owner path */
	take_tables(block, block->leaf);
	if (block->tables == NIL)
		elog(ERROR, "a protected block has no protected table");
}
