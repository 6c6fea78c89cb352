/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * owned.c
 *		Every row that a block joins is of one owner.
 *
 * A part of FROM is owned if, with the rows of an owner taken away from the tables of
 * the unit, it loses the rows of that owner and no others change.  A table is owned by its
 * owner column.  Two owned parts that are joined are owned if only rows of one owner
 * meet: their owner columns are made equal by conditions that every pair has to meet.
 * The proof is in docs/theory.md.
 *
 * Conditions of WHERE, and of the ON of inner joins, hold in everything below them, and
 * in all that it is joined with.  Those of the ON of an outer join hold on the side that
 * can be made up only.  A table whose owner another table says is owned by the row that
 * it refers to there (owner_path.c).
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "catalog/owner_path.h"
#include "descend.h"
#include "guard/branches.h"
#include "guard/expose.h"
#include "guard/from.h"
#include "guard/union.h"

/* The table that has the owner column: this one, or the last one of its path. */
static const PaBlockTable *
end_of(const PaBlockTable *table)
{
	while (table->parent)
		table = table->parent;
	return table;
}

static PaColumn
owner_of(const PaBlockTable *table)
{
	table = end_of(table);
	return (PaColumn) {table->entry, table->policy ? table->policy->owner_attnum : table->owner};
}

/* --- parts of FROM --- */

static List *owners_of(const PaBlock *block, Query *query, Node *node, List *holds);

/* Which columns of both tables are equal so that their rows, where they meet, are of one owner; NIL: none. */
static List *
equal_owners(const PaBlockTable *a, const PaBlockTable *b, List *equalities)
{
	PaEquality *owners;
	List	   *row = pa_shared_row(a, b, equalities);

	if (row != NIL || a->step || b->step)
		return row;
	if (!pa_are_equal(owner_of(a), owner_of(b), equalities))
		return NIL;
	owners = palloc(sizeof(PaEquality));
	*owners = (PaEquality) {{owner_of(a), owner_of(b)}};
	return list_make1(owners);
}

/*
 * Whether rows of one owner only meet when the two owned parts are joined.  By which columns
 * is written into the condition of the join: what follows from other conditions, or through
 * other tables, would hold in the end, and first all pairs would be formed.
 */
static bool
agree(const PaBlock *block, Query *query, Node *join, List *left, List *right, List *holds)
{
	List	   *equalities = list_concat_copy(holds, block->paths);
	ListCell   *a;
	ListCell   *b;

	foreach(a, left)
		foreach(b, right)
		{
			List	   *owners = equal_owners(lfirst(a), lfirst(b), equalities);

			if (owners != NIL && pa_write_equalities(query, join, owners))
				return true;
		}
	return false;
}

static char *
name_of_column(const RangeTblEntry *rte, AttrNumber column)
{
	return psprintf("%s.%s", quote_identifier(rte->eref->aliasname), quote_identifier(get_rte_attribute_name(unconstify(RangeTblEntry *, rte), column)));
}

static char *
name_of_owner(const PaBlockTable *table)
{
	PaColumn	owner = owner_of(table);

	return name_of_column(owner.table, owner.attnum);
}

/* That a statement can write: not as those are called that the guard makes, and PostgreSQL. */
static bool
has_name(const PaBlockTable *table)
{
	const RangeTblEntry *rte = owner_of(table).table;

	return (rte->rtekind == RTE_RELATION || rte->alias) && rte->eref->aliasname[0] != '*';
}

/* All conditions by which a row refers to another one; the table that it refers to is the other one, or has to be joined. */
static char *
reference_text(const PaBlockTable *referencing, const PaBlockTable *other)
{
	const PaPathStep *step = referencing->step;
	const char *referenced = other->policy && other->policy->relation == step->referenced ? other->entry->eref->aliasname : get_rel_name(step->referenced);
	StringInfoData text;

	initStringInfo(&text);
	for (int i = 0; i < step->nkeys; i++)
		appendStringInfo(&text, " AND %s = %s.%s", name_of_column(referencing->entry, step->columns[i]), quote_identifier(referenced),
						 quote_identifier(get_attname(step->referenced, step->keys[i], false)));
	return text.data;
}

static void
refuse_disagreement(const PaBlock *block, List *left, List *right)
{
	const PaBlockTable *table = linitial(right);
	const PaBlockTable *other = linitial(left);

	if (table->step || other->step)
		pa_refuse_table(block->guard, table->entry,
						"The block joins rows of different owners.",
						psprintf("Join protected tables by equality of the keys that say whose the rows are, as in ...%s.",
								 table->step ? reference_text(table, other) : reference_text(other, table)));
	pa_refuse_table(block->guard, table->entry,
					"The block joins rows of different owners.",
					has_name(other) && has_name(table) ?
					psprintf("Join protected tables by equality of their owners, as in ... AND %s = %s.",
							 name_of_owner(other), name_of_owner(table)) :
					"Join protected tables by equality of their owners.");
}

/* The parts that inner joins put together, in any order: the owners of each. */
static List *
owners_of_each(const PaBlock *block, Query *query, Node *node, List *holds)
{
	List	   *parts = NIL;
	ListCell   *cell;

	pa_descend();
	if (IsA(node, JoinExpr) && ((JoinExpr *) node)->jointype == JOIN_INNER)
		return list_concat(owners_of_each(block, query, ((JoinExpr *) node)->larg, holds),
						   owners_of_each(block, query, ((JoinExpr *) node)->rarg, holds));
	if (!IsA(node, FromExpr))
		return list_make1(owners_of(block, query, node, holds));
	foreach(cell, ((FromExpr *) node)->fromlist)
		parts = list_concat(parts, owners_of_each(block, query, lfirst(cell), holds));
	return parts;
}

static List *
owners_of_inner_join(const PaBlock *block, Query *query, Node *node, List *holds)
{
	List	   *parts = owners_of_each(block, query, node, holds);
	List	   *owners = NIL;
	bool		grown = true;
	ListCell   *cell;

	while (grown)
	{
		grown = false;
		foreach(cell, parts)
			if (lfirst(cell) == NIL || owners == NIL || agree(block, query, node, owners, lfirst(cell), holds))
			{
				owners = list_concat(owners, lfirst(cell));
				parts = foreach_delete_current(parts, cell);
				grown = true;
			}
	}
	if (parts != NIL)
		refuse_disagreement(block, owners, linitial(parts));
	return owners;
}

/* Outer joins, semi- and anti-joins: rows of the preserved side, whatever they meet. */
static List *
owners_of_one_side(const PaBlock *block, Query *query, JoinExpr *join, List *holds)
{
	Node	   *preserved = join->jointype == JOIN_RIGHT ? join->rarg : join->larg;
	Node	   *made_up = join->jointype == JOIN_RIGHT ? join->larg : join->rarg;
	List	   *owners = owners_of(block, query, preserved, holds);
	List	   *pairs = pa_holds_in_pairs(query, join, made_up, holds);
	List	   *partners = owners_of(block, query, made_up, pairs);

	if (owners != NIL && partners != NIL && !agree(block, query, (Node *) join, owners, partners, pairs))
		refuse_disagreement(block, owners, partners);
	return owners;
}

static List *
owners_of_table(const PaBlock *block, const RangeTblEntry *rte)
{
	ListCell   *cell;

	foreach(cell, block->tables)
		if (((PaBlockTable *) lfirst(cell))->entry == rte)
			return list_make1(lfirst(cell));
	return NIL;
}

/* Equalities that the rows of the groups meet: a column that is equal to another one groups as that does. */
static bool
is_grouped_by(const Query *query, PaColumn column, List *equalities)
{
	ListCell   *cell;

	foreach(cell, query->groupClause)
	{
		PaColumn	key = pa_column_of(query, (Node *) get_sortgroupclause_tle(lfirst(cell), query->targetList)->expr);

		if (key.table && pa_are_equal(key, column, equalities))
			return true;
	}
	return false;
}

static bool
is_grouped_by_all(const Query *query, RangeTblEntry *table, const List *columns, List *equalities)
{
	const ListCell *cell;

	foreach(cell, columns)
		if (!is_grouped_by(query, (PaColumn) {table, lfirst_int(cell)}, equalities))
			return false;
	return columns != NIL;
}

/* Whether the keys of the groups are, or lead to, the owner of the table's rows. */
static bool
says_owner(const Query *query, const PaBlockTable *table, List *equalities)
{
	PaColumn	owner = owner_of(table);

	for (; table; table = table->parent)
	{
		const ListCell *cell;

		if (table->policy == NULL)
			continue;			/* a union has its owner column only */
		if (table->parent && is_grouped_by_all(query, table->entry, table->policy->path, equalities))
			return true;
		foreach(cell, table->policy->referred)
			if (is_grouped_by_all(query, table->entry, lfirst(cell), equalities))
				return true;
	}
	return is_grouped_by(query, owner, equalities);
}

/* The owners of what the query reads, whatever is around it. */
static List *
owners_of_rows(const PaBlock *block, Query *query)
{
	Node	   *from = (Node *) query->jointree;

	return owners_of(block, query, from, pa_with_established(NIL, query, from));
}

/* What holds of groups need not hold of the rows in them, so these are looked at by themselves. */
static List *
owners_of_groups(const PaBlock *block, Query *query)
{
	List	   *grouped = NIL;
	ListCell   *cell;
	List	   *owners = owners_of_rows(block, query);
	List	   *equalities = list_concat(pa_with_established(NIL, query, (Node *) query->jointree), block->paths);

	foreach(cell, owners)
		if (says_owner(query, lfirst(cell), equalities))
			grouped = lappend(grouped, lfirst(cell));
	if (owners != NIL && grouped == NIL)
		pa_refuse_table(block->guard, ((PaBlockTable *) linitial(owners))->entry,
						"A subquery groups rows of different owners.",
						has_name(linitial(owners)) ? psprintf("Group by %s, among others.", name_of_owner(linitial(owners))) :
						"Group by the owner, among others.");
	return grouped;
}

/* --- unions --- */

static bool
names_owner(const Query *query, Node *key, List *owners)
{
	PaColumn	column = pa_column_of(query, key);
	ListCell   *cell;

	foreach(cell, owners)
		if (pa_same_column(column, owner_of(lfirst(cell))))
			return true;
	return false;
}

/* The owners in the rows of an input, which is looked at by itself: what holds of the union is about other columns. */
static List *
owners_of_input(const PaBlock *block, Query *query)
{
	List	   *owners = pa_groups_rows(query) ? owners_of_groups(block, query) : owners_of_rows(block, query);

	if (owners == NIL)
		elog(ERROR, "an input of a union has no owners");
	return owners;
}

static PaBlockTable *
owner_in_union(RangeTblEntry *rte, AttrNumber column)
{
	PaBlockTable *owner = palloc0(sizeof(PaBlockTable));

	owner->entry = rte;
	owner->owner = column;
	return owner;
}

/* The columns of the union that name the owner in each of its inputs. */
static List *
named_in_all(RangeTblEntry *rte, List *owners)
{
	List	   *inputs = pa_union_inputs(rte->subquery);
	List	   *named = NIL;
	ListCell   *input;
	ListCell   *those;

	for (AttrNumber column = 1; column <= list_length(rte->subquery->targetList); column++)
	{
		bool		all = true;

		forboth(input, inputs, those, owners)
			all &= names_owner(((RangeTblEntry *) lfirst(input))->subquery, pa_union_column(lfirst(input), column), lfirst(those));
		if (all)
			named = lappend(named, owner_in_union(rte, column));
	}
	return named;
}

static List *
owners_of_union(const PaBlock *block, RangeTblEntry *rte)
{
	List	   *owners = NIL;
	List	   *columns = NIL;
	List	   *named;
	ListCell   *cell;

	foreach(cell, pa_branches(rte->subquery))
		owners = lappend(owners, owners_of_input(block, lfirst(cell)));
	named = named_in_all(rte, owners);
	if (named != NIL)
		return named;
	foreach(cell, pa_branches(rte->subquery))
		columns = lappend(columns, pa_expose_column(lfirst(cell), owner_of(linitial(list_nth(owners, foreach_current_index(cell))))));
	return list_make1(owner_in_union(rte, pa_add_union_column(rte, columns)));
}

/* --- parts of FROM, whatever they are --- */

static List *
owners_of_part(const PaBlock *block, Query *query, Node *node, List *holds)
{
	RangeTblEntry *rte;

	pa_descend();
	if (IsA(node, FromExpr) || (IsA(node, JoinExpr) && ((JoinExpr *) node)->jointype == JOIN_INNER))
		return owners_of_inner_join(block, query, node, holds);
	if (IsA(node, JoinExpr))
		return owners_of_one_side(block, query, (JoinExpr *) node, holds);
	rte = rt_fetch(castNode(RangeTblRef, node)->rtindex, query->rtable);
	if (pa_is_union(rte))
		return owners_of_union(block, rte);
	if (rte->rtekind == RTE_SUBQUERY && pa_groups_rows(rte->subquery))
		return owners_of_groups(block, rte->subquery);
	if (rte->rtekind == RTE_SUBQUERY)
		return owners_of(block, rte->subquery, (Node *) rte->subquery->jointree, holds);
	return owners_of_table(block, rte);
}

/*
 * The protected tables and unions in the part whose owner columns name the owner of each of its
 * rows; NIL if it reads no protected row.  holds: equalities that its rows meet, or have to meet to matter.
 */
static List *
owners_of(const PaBlock *block, Query *query, Node *node, List *holds)
{
	List	   *owners = owners_of_part(block, query, node, holds);

	if (owners == NIL && pa_reads_stamped(query, node))
		pa_refuse(block->guard, -1, "Which rows of public tables are joined depends on protected rows of many owners.",
				  "Join the protected table itself, or put the condition on it where protected rows of the same owner are read.");
	return owners;
}

PaColumn
pa_owned_by(const PaBlock *block)
{
	return owner_of(linitial(owners_of_rows(block, block->leaf)));
}

/* --- one row --- */

/* Whether owners, who are in each of its rows, are all that it is grouped by. */
static bool
is_grouped_by_owners_alone(const PaBlock *block, Query *query)
{
	List	   *owners = owners_of_rows(block, query);
	ListCell   *cell;

	foreach(cell, query->groupClause)
		if (!names_owner(query, (Node *) get_sortgroupclause_tle(lfirst(cell), query->targetList)->expr, owners))
			return false;
	return query->groupClause != NIL;
}

/* The parts of FROM that hand up protected rows: of semi- and anti-joins, one side only. */
static List *
protected_parts(const Query *query, Node *node)
{
	List	   *parts = NIL;
	ListCell   *cell;
	RangeTblEntry *rte;

	pa_descend();
	if (IsA(node, JoinExpr))
	{
		JoinExpr   *join = (JoinExpr *) node;

		parts = protected_parts(query, join->larg);
		return join->jointype == JOIN_SEMI || join->jointype == JOIN_ANTI ? parts :
			list_concat(parts, protected_parts(query, join->rarg));
	}
	if (IsA(node, FromExpr))
	{
		foreach(cell, ((FromExpr *) node)->fromlist)
			parts = list_concat(parts, protected_parts(query, lfirst(cell)));
		return parts;
	}
	if (!pa_reads_stamped(query, node))
		return NIL;
	rte = rt_fetch(castNode(RangeTblRef, node)->rtindex, query->rtable);
	if (rte->rtekind == RTE_SUBQUERY && !pa_is_union(rte) && !pa_groups_rows(rte->subquery))
		return protected_parts(rte->subquery, (Node *) rte->subquery->jointree);
	return list_make1(rte);
}

bool
pa_one_row_per_owner(const PaBlock *block)
{
	List	   *parts = protected_parts(block->leaf, (Node *) block->leaf->jointree);
	const RangeTblEntry *part = linitial(parts);

	return list_length(parts) == 1 && part->rtekind == RTE_SUBQUERY && is_grouped_by_owners_alone(block, part->subquery);
}
