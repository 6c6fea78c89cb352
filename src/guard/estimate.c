/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * estimate.c
 *		What the planner knows of a protected table that it plans a block over: nothing.
 *
 * Size, statistics and indexes follow from the rows, and a plan can be seen: by
 * its time, by the workers it starts, by what it does to other tables.  So the size of
 * a protected table follows from its policy; it has no statistics and no index, and is
 * read by a sequential scan; how many workers read it is declared with its policy.
 * Owners who read their table raw have their plans as ever.
 */
#include "postgres.h"

#include "access/transam.h"
#include "access/xact.h"
#include "miscadmin.h"
#include "optimizer/plancat.h"
#include "parser/parsetree.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"

#include "compat/permissions.h"
#include "catalog/extension.h"
#include "catalog/policy.h"
#include "guard/guard.h"

#define ASSUMED_PAGES 100
#define ASSUMED_ROWS 10000

static get_relation_info_hook_type previous_info = NULL;
static get_relation_stats_hook_type previous_stats = NULL;
static get_attavgwidth_hook_type previous_width = NULL;

static bool
is_read_for_block(const PlannerInfo *root, Index rtindex)
{
	Oid			reader = pa_read_as(root, rtindex);

	return OidIsValid(reader) && IsTransactionState() && pa_policies_exist() && reader == pa_reader_role();
}

/* The same of an entry; what is not planned has no statistics either. */
static bool
is_entry_for_block(const PlannerInfo *root, const RangeTblEntry *rte)
{
	for (int i = 1; i < root->simple_rel_array_size; i++)
		if (root->simple_rte_array[i] == rte)
			return is_read_for_block(root, i);
	return true;
}

static void
assumed_info(PlannerInfo *root, Oid relation, bool inherits, RelOptInfo *rel)
{
	const PaPolicy *policy;
	double		rows;			/* of an owner, as declared: of joined tables the one with fewer is hashed */

	if (previous_info)
		previous_info(root, relation, inherits, rel);
	if (!is_read_for_block(root, rel->relid))
		return;
	rel->allvisfrac = 0;
	rel->indexlist = NIL;
	rel->statlist = NIL;
	policy = pa_policy_covering(relation);	/* gone, if it was closed just now: execution refuses */
	rows = policy ? policy->max_rows_contributed : 1;
	rel->pages = ASSUMED_PAGES * rows;
	rel->tuples = ASSUMED_ROWS * rows;
	rel->rel_parallel_workers = policy ? policy->workers : 0;
}

/*
 * What the system catalog hides from the user has no statistics either: of a column
 * that reads as something else, or of a table below a view, estimates would tell,
 * and by them the order of rows.
 */
static bool
is_hidden(const RangeTblEntry *rte, AttrNumber column)
{
	return rte->rtekind == RTE_RELATION && rte->relid < FirstNormalObjectId && column > 0 &&
		IsTransactionState() && OidIsValid(pa_schema()) &&
		pg_class_aclcheck(rte->relid, GetUserId(), ACL_SELECT) != ACLCHECK_OK &&
		pg_attribute_aclcheck(rte->relid, column, GetUserId(), ACL_SELECT) != ACLCHECK_OK;
}

static bool
no_statistics(PlannerInfo *root, RangeTblEntry *rte, AttrNumber column, VariableStatData *data)
{
	if (!is_entry_for_block(root, rte) && !is_hidden(rte, column))
		return previous_stats && previous_stats(root, rte, column, data);
	data->statsTuple = NULL;
	data->freefunc = NULL;
	return true;
}

/*
 * Average widths of columns come from statistics of the rows and are shown by
 * EXPLAIN; of protected tables the planner sees what it assumes of the type.
 */
static int32
assumed_width(Oid relation, AttrNumber column)
{
	int32		width = previous_width ? previous_width(relation, column) : 0;
	Oid			type;
	int32		typmod;
	Oid			collation;

	if (!IsTransactionState() || !OidIsValid(pa_protected_root(relation)) || column <= 0)
		return width;
	get_atttypetypmodcoll(relation, column, &type, &typmod, &collation);
	return get_typavgwidth(type, typmod);
}

void
pa_estimate_init(void)
{
	previous_info = get_relation_info_hook;
	get_relation_info_hook = assumed_info;
	previous_stats = get_relation_stats_hook;
	get_relation_stats_hook = no_statistics;
	previous_width = get_attavgwidth_hook;
	get_attavgwidth_hook = assumed_width;
}
