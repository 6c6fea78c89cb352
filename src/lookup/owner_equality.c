/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * owner_equality.c
 *		See owner_equality.h.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/primnodes.h"
#include "parser/parsetree.h"
#include "utils/fmgroids.h"

#include "allow/allowlist.h"
#include "catalog/owner_path.h"
#include "descend.h"
#include "lookup/owner_equality.h"

/* --- owners --- */

/* The way of a table's rows to their owners; NULL if they say it themselves. */
static const PaPathStep *
step_of(Oid relation)
{
	const PaPolicy *policy = OidIsValid(relation) ? pa_policy_of(relation) : NULL;

	return policy && policy->path != NIL ? linitial(pa_owner_path(policy)->steps) : NULL;
}

/* Whether the column is the owner, or refers to the key that the owner is. */
static bool
is_owner(Oid relation, AttrNumber column)
{
	const PaPolicy *policy = OidIsValid(relation) ? pa_policy_of(relation) : NULL;
	const PaPathStep *step = step_of(relation);

	pa_descend();
	if (step == NULL)
		return policy && policy->owner_attnum == column;
	for (int i = 0; i < step->nkeys; i++)
		if (step->columns[i] == column && is_owner(step->referenced, step->keys[i]))
			return true;
	return false;
}

/* Whether the column is, or refers to, that key of the table. */
static bool
is_key(const PaSource *source, Oid referenced, AttrNumber key)
{
	const PaPathStep *step;

	if (source->relation == referenced && source->column == key)
		return true;
	step = step_of(source->relation);
	if (step == NULL || step->referenced != referenced)
		return false;
	for (int i = 0; i < step->nkeys; i++)
		if (step->columns[i] == source->column && step->keys[i] == key)
			return true;
	return false;
}

/* Whether the column of a foreign key is equal to its part of the key, as a column of the other table says it. */
static bool
is_matched(List *equalities, const void *referencing, const void *other, const PaPathStep *step, int part)
{
	ListCell   *cell;

	foreach(cell, equalities)
	{
		const PaSourceEquality *equality = lfirst(cell);

		for (int i = 0; i < 2; i++)
		{
			const PaSource *from = &equality->sides[i];
			const PaSource *to = &equality->sides[1 - i];

			if (from->table == referencing && from->column == step->columns[part] && to->table == other &&
				is_key(to, step->referenced, step->keys[part]))
				return true;
		}
	}
	return false;
}

static bool
refer_to_one_row(List *equalities, const PaSource *from, const PaSource *to)
{
	const PaPathStep *step = step_of(from->relation);

	if (step == NULL || !OidIsValid(to->relation))
		return false;
	for (int i = 0; i < step->nkeys; i++)
		if (!is_matched(equalities, from->table, to->table, step, i))
			return false;
	return true;
}

/* --- one row --- */

/* Keys of the table of both by which others refer to its rows; NIL: it is not one table. */
static List *
keys_of_both(const PaSource *a, const PaSource *b)
{
	const PaPolicy *policy = OidIsValid(a->relation) && a->relation == b->relation ? pa_policy_of(a->relation) : NULL;

	return policy ? policy->referred : NIL;
}

static bool
is_equal_in_both(List *equalities, const void *a, const void *b, AttrNumber column)
{
	ListCell   *cell;

	foreach(cell, equalities)
	{
		const PaSourceEquality *equality = lfirst(cell);

		for (int i = 0; i < 2; i++)
			if (equality->sides[i].table == a && equality->sides[1 - i].table == b &&
				equality->sides[i].column == column && equality->sides[1 - i].column == column)
				return true;
	}
	return false;
}

static bool
are_one_row(List *equalities, const PaSource *a, const PaSource *b)
{
	const ListCell *key;
	const ListCell *column;

	foreach(key, keys_of_both(a, b))
	{
		bool		all = true;

		foreach(column, (List *) lfirst(key))
			all = all && is_equal_in_both(equalities, a->table, b->table, lfirst_int(column));
		if (all)
			return true;
	}
	return false;
}

static bool
is_of_one_row(const PaSourceEquality *equality)
{
	const ListCell *key;

	foreach(key, keys_of_both(&equality->sides[0], &equality->sides[1]))
		if (equality->sides[0].column == equality->sides[1].column && list_member_int(lfirst(key), equality->sides[0].column))
			return true;
	return false;
}

static bool
are_owners(const PaSourceEquality *equality)
{
	return is_owner(equality->sides[0].relation, equality->sides[0].column) &&
		is_owner(equality->sides[1].relation, equality->sides[1].column);
}

bool
pa_is_of_owners(const PaSourceEquality *equality)
{
	if (are_owners(equality) || is_of_one_row(equality))
		return true;
	for (int i = 0; i < 2; i++)
	{
		const PaPathStep *step = step_of(equality->sides[i].relation);

		for (int part = 0; step && part < step->nkeys; part++)
			if (step->columns[part] == equality->sides[i].column &&
				is_key(&equality->sides[1 - i], step->referenced, step->keys[part]))
				return true;
	}
	return false;
}

static bool
make_one_owner(List *equalities)
{
	ListCell   *cell;

	foreach(cell, equalities)
	{
		const PaSourceEquality *equality = lfirst(cell);
		const PaSource *left = &equality->sides[0];
		const PaSource *right = &equality->sides[1];

		if (are_owners(equality) || refer_to_one_row(equalities, left, right) ||
			refer_to_one_row(equalities, right, left) || are_one_row(equalities, left, right))
			return true;
	}
	return false;
}

/* --- columns that are equal within a row --- */

static bool
is_same(const PaSource *a, const PaSource *b)
{
	return a->table == b->table && a->column == b->column;
}

static bool
has_source(const List *sources, const PaSource *wanted)
{
	const ListCell *cell;

	foreach(cell, sources)
		if (is_same(lfirst(cell), wanted))
			return true;
	return false;
}

/* The column, and those of the same row that are equal to it. */
static List *
with_equal_ones(const PaSource *source, List *within)
{
	List	   *sources = list_make1(unconstify(PaSource *, source));

	if (!OidIsValid(source->relation))
		return sources;
	for (int i = 0; i < list_length(sources); i++)
	{
		ListCell   *cell;

		foreach(cell, within)
		{
			PaSourceEquality *equality = lfirst(cell);

			for (int side = 0; side < 2; side++)
				if (OidIsValid(equality->sides[1 - side].relation) &&
					is_same(&equality->sides[side], list_nth(sources, i)) && !has_source(sources, &equality->sides[1 - side]))
					sources = lappend(sources, &equality->sides[1 - side]);
		}
	}
	return sources;
}

/* What follows: from a = b, a = c within the one row and b = d within the other one: c = b, a = d, c = d. */
static List *
with_consequences(List *equalities, List *within)
{
	List	   *all = NIL;
	ListCell   *cell;

	foreach(cell, equalities)
	{
		const PaSourceEquality *equality = lfirst(cell);
		List	   *lefts = with_equal_ones(&equality->sides[0], within);
		List	   *rights = with_equal_ones(&equality->sides[1], within);
		ListCell   *left;
		ListCell   *right;

		foreach(left, lefts)
			foreach(right, rights)
			{
				PaSourceEquality *follows = palloc(sizeof(PaSourceEquality));

				*follows = (PaSourceEquality) {{*(PaSource *) lfirst(left), *(PaSource *) lfirst(right)}};
				all = lappend(all, follows);
			}
	}
	return all;
}

bool
pa_have_one_owner(List *equalities, List *within)
{
	return make_one_owner(equalities) || (within != NIL && make_one_owner(with_consequences(equalities, within)));
}

/* --- sources --- */

const Node *
pa_source_expression(const Node *node)
{
	const FuncExpr *call = (const FuncExpr *) node;

	pa_descend();
	if (IsA(node, RelabelType))
		return pa_source_expression((const Node *) ((const RelabelType *) node)->arg);
	if (IsA(node, FuncExpr) && (call->funcid == F_INT4_INT2 || call->funcid == F_INT8_INT2 || call->funcid == F_INT8_INT4))
		return pa_source_expression(linitial(call->args));
	if (IsA(node, FuncExpr) && (call->funcid == pa_short_function(TEXTOID) || call->funcid == pa_short_function(VARCHAROID)))
		return pa_source_expression(linitial(call->args));
	return node;
}

/* The column of a union of rows; if each of its inputs hands up owners there, as one of them. */
PaSource
pa_source_of_union(const void *table, List *sources)
{
	ListCell   *cell;

	foreach(cell, sources)
	{
		const PaSource *source = lfirst(cell);

		if (!is_owner(source->relation, source->column))
			return (PaSource) {NULL, InvalidOid, 0};
	}
	return sources == NIL ? (PaSource) {NULL, InvalidOid, 0} :
		(PaSource) {table, ((PaSource *) linitial(sources))->relation, ((PaSource *) linitial(sources))->column};
}

static PaSource
source_of_output(const Query *query, AttrNumber column)
{
	const TargetEntry *entry = get_tle_by_resno(query->targetList, column);

	return entry ? pa_source_of(query, (const Node *) entry->expr) : (PaSource) {NULL, InvalidOid, 0};
}

static PaSource
source_of_subquery(const RangeTblEntry *rte, AttrNumber column)
{
	List	   *sources = NIL;
	ListCell   *cell;

	pa_descend();
	if (rte->subquery->setOperations == NULL)
		return source_of_output(rte->subquery, column);
	foreach(cell, rte->subquery->rtable)
	{
		PaSource   *source = palloc0(sizeof(PaSource));

		if (((RangeTblEntry *) lfirst(cell))->rtekind == RTE_SUBQUERY)
			*source = source_of_subquery(lfirst(cell), column);
		sources = lappend(sources, source);
	}
	return pa_source_of_union(rte, sources);
}

PaSource
pa_source_of(const Query *query, const Node *node)
{
	const Var  *var = (const Var *) pa_source_expression(node);
	RangeTblEntry *rte;

	pa_descend();
	if (!IsA(var, Var) || var->varlevelsup != 0 || var->varattno <= 0)
		return (PaSource) {NULL, InvalidOid, 0};
	rte = rt_fetch(var->varno, query->rtable);
	if (rte->rtekind == RTE_RELATION)
		return (PaSource) {rte, rte->relid, var->varattno};
	return rte->rtekind == RTE_SUBQUERY && rte->subquery ? source_of_subquery(rte, var->varattno) : (PaSource) {NULL, InvalidOid, 0};
}
