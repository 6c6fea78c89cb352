/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * planner.h
 *		What the planner is asked, and what is taken from it.
 */
#ifndef PA_COMPAT_PLANNER_H
#define PA_COMPAT_PLANNER_H

#include "compat/version.h"

#include "access/stratnum.h"
#include "nodes/pathnodes.h"
#include "optimizer/optimizer.h"
#include "optimizer/prep.h"
#include "optimizer/restrictinfo.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/lsyscache.h"

/* Merged columns of joins become what is behind them; no column is marked as nullable yet (compat/statement.h). */
static inline Node *
pa_flatten_join_columns(Query *query, Node *node)
{
#if PG_VERSION_NUM >= 160000
	return flatten_join_alias_vars(NULL, query, node);
#else
	return flatten_join_alias_vars(query, node);
#endif
}

/* Entries below a part of FROM, those of joins included or not. */
static inline Relids
pa_entries_below(Node *from, bool joins)
{
#if PG_VERSION_NUM >= 160000
	return get_relids_in_jointree(from, joins, joins);
#else
	return get_relids_in_jointree(from, joins);
#endif
}

/* Columns of an entry become those of the list; one that is not in it is an error; whether the query has subqueries in expressions is noted. */
static inline Node *
pa_replace_columns(Node *node, int rtindex, RangeTblEntry *rte, List *columns, bool *has_sublinks)
{
#if PG_VERSION_NUM >= 180000
	return ReplaceVarsFromTargetList(node, rtindex, 0, rte, columns, 0, REPLACEVARS_REPORT_ERROR, 0, has_sublinks);
#else
	return ReplaceVarsFromTargetList(node, rtindex, 0, rte, columns, REPLACEVARS_REPORT_ERROR, 0, has_sublinks);
#endif
}

/* Another condition in the place of one, to be evaluated where that is. */
static inline RestrictInfo *
pa_restrict_alike(PlannerInfo *root, Expr *condition, const RestrictInfo *model)
{
#if PG_VERSION_NUM >= 160000
	return make_restrictinfo(root, condition, model->is_pushed_down, model->has_clone, model->is_clone, false,
							 model->security_level, model->required_relids, model->incompatible_relids, model->outer_relids);
#else
	return make_restrictinfo(root, condition, model->is_pushed_down, model->outerjoin_delayed, false,
							 model->security_level, model->required_relids, model->outer_relids, model->nullable_relids);
#endif
}

/* Whether an outer join may have made the column null. */
static inline bool
pa_is_nulled(const PlannerInfo *root, const Var *column)
{
#if PG_VERSION_NUM >= 160000
	return !bms_is_empty(column->varnullingrels);
#else
	return bms_is_member(column->varno, root->nullable_baserels);
#endif
}

/*
 * The column that a placeholder is around, if it is a column.  Since 18 each column of a subquery that
 * becomes a part of a query with grouping sets is in one.
 */
static inline Node *
pa_placed(Node *expression)
{
	return IsA(expression, PlaceHolderVar) && IsA(((PlaceHolderVar *) expression)->phexpr, Var) ?
		(Node *) ((PlaceHolderVar *) expression)->phexpr : expression;
}

/* Whether an outer join may have made what is in the placeholder null. */
static inline bool
pa_is_place_nulled(const PlannerInfo *root, const PlaceHolderVar *place)
{
#if PG_VERSION_NUM >= 160000
	return !bms_is_empty(place->phnullingrels);
#else
	return bms_overlap(place->phrels, root->nullable_baserels);
#endif
}

/* The same of all columns of a table. */
static inline bool
pa_is_table_nulled(const PlannerInfo *root, const RelOptInfo *table)
{
#if PG_VERSION_NUM >= 160000
	return !bms_is_empty(table->nulling_relids);
#else
	return bms_is_member(table->relid, root->nullable_baserels);
#endif
}

/* What rows are grouped by: since 16 without keys that others imply. */
static inline List *
pa_group_clauses(const PlannerInfo *root)
{
#if PG_VERSION_NUM >= 160000
	return root->processed_groupClause;
#else
	return root->parse->groupClause;
#endif
}

/* Of the relations that are joined those that are read; since 16, outer joins are among them. */
static inline Relids
pa_relations_read(const PlannerInfo *root, Relids joined)
{
#if PG_VERSION_NUM >= 160000
	return bms_difference(joined, root->outer_join_rels);
#else
	return joined;
#endif
}

/* What the operator means to indexes, a strategy of B-trees; 0: nothing. */
static inline int
pa_order_strategy(Oid operator)
{
#if PG_VERSION_NUM >= 180000
	List	   *meanings = get_op_index_interpretation(operator);

	return meanings == NIL ? 0 : (int) ((OpIndexInterpretation *) linitial(meanings))->cmptype;
#else
	List	   *meanings = get_op_btree_interpretation(operator);

	return meanings == NIL ? 0 : ((OpBtreeInterpretation *) linitial(meanings))->strategy;
#endif
}

#endif							/* PA_COMPAT_PLANNER_H */
