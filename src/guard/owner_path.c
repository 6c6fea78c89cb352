/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * owner_path.c
 *		Tables whose rows find their owners in other tables (catalog/owner_path.h).
 *
 * The owner of such a row is that of the row which it refers to.  Where conditions of the
 * block say that it is joined with that row, this is what owns it; else the table is read
 * as a subquery that joins it,
 *
 *	 line		(SELECT line.* FROM line JOIN orders ON line.order_id = orders.order_id)
 *
 * and so on along the path.  Either way a row without the row that it refers to is gone.
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "access/table.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "parser/parse_node.h"
#include "parser/parse_relation.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "catalog/owner_path.h"
#include "compat/permissions.h"
#include "descend.h"
#include "guard/from.h"
#include "guard/make_query.h"
#include "guard/subquery_entry.h"

/* Entries of the subquery that is made. */
#define REFERENCING 1
#define REFERENCED 2

/* --- what is there already --- */

/* Whether the conditions say that each row is joined with the one that it refers to there. */
static bool
is_joined(const RangeTblEntry *referencing, const RangeTblEntry *referenced, const PaPathStep *step, List *equalities)
{
	for (int i = 0; i < step->nkeys; i++)
		if (!pa_are_equal((PaColumn) {unconstify(RangeTblEntry *, referencing), step->columns[i]},
						  (PaColumn) {unconstify(RangeTblEntry *, referenced), step->keys[i]}, equalities))
			return false;
	return true;
}

static const PaBlockTable *
find_parent(const PaBlock *block, const PaBlockTable *table, List *equalities)
{
	ListCell   *cell;

	foreach(cell, block->tables)
	{
		const PaBlockTable *parent = lfirst(cell);

		if (parent->policy->relation == table->step->referenced &&
			is_joined(table->entry, parent->entry, table->step, equalities))
			return parent;
	}
	return NULL;
}

/* --- what is joined --- */

static Var *
column_of(int rtindex, Oid relation, AttrNumber column)
{
	Oid			type,
				collation;
	int32		typmod;

	get_atttypetypmodcoll(relation, column, &type, &typmod, &collation);
	return makeVar(rtindex, column, type, typmod, collation, 0);
}

static Node *
make_condition(const PaPathStep *step)
{
	List	   *tests = NIL;

	for (int i = 0; i < step->nkeys; i++)
	{
		Var		   *key = column_of(REFERENCED, step->referenced, step->keys[i]);
		Expr	   *test = make_opclause(step->operators[i], BOOLOID, false, (Expr *) key,
										 (Expr *) column_of(REFERENCING, step->referencing, step->columns[i]),
										 InvalidOid, key->varcollid);

		set_opfuncid((OpExpr *) test);
		tests = lappend(tests, test);
	}
	return (Node *) make_ands_explicit(tests);
}

static RangeTblEntry *
read_referenced(const PaPathStep *step)
{
	Relation	relation = table_open(step->referenced, AccessShareLock);
	ParseState *state = make_parsestate(NULL);
	RangeTblEntry *rte = addRangeTableEntryForRelation(state, relation, AccessShareLock, NULL, true, true)->p_rte;

	pa_adopt_permissions(rte, state);
	for (int i = 0; i < step->nkeys; i++)
		pa_read_column(rte, step->keys[i]);
	table_close(relation, NoLock);
	return rte;
}

/* The columns under the numbers that they have in the table. */
static List *
all_columns(Oid relation)
{
	Relation	table = table_open(relation, NoLock);
	TupleDesc	desc = RelationGetDescr(table);
	List	   *columns = NIL;

	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute column = TupleDescAttr(desc, i);
		Node	   *value = column->attisdropped ? (Node *) makeNullConst(INT4OID, -1, InvalidOid) :
			(Node *) makeVar(REFERENCING, i + 1, column->atttypid, column->atttypmod, column->attcollation, 0);

		columns = lappend(columns, makeTargetEntry((Expr *) value, i + 1, pstrdup(NameStr(column->attname)), false));
	}
	table_close(table, NoLock);
	return columns;
}

static Query *
make_join(RangeTblEntry *referencing, RangeTblEntry *referenced, const PaPathStep *step)
{
	Query	   *join = pa_make_query();

	join->rtable = list_make2(referencing, referenced);
	join->jointree = makeFromExpr(list_make2(pa_reference_to(REFERENCING), pa_reference_to(REFERENCED)), make_condition(step));
	join->targetList = all_columns(step->referencing);
	return join;
}

static void follow(PaBlock *block, Query *query, int rtindex, List *holds);

static void
join_parent(PaBlock *block, Query *query, int rtindex, PaBlockTable *table, List *holds)
{
	RangeTblEntry *referenced = read_referenced(table->step);
	Query	   *join = make_join(table->entry, referenced, table->step);

	lfirst(list_nth_cell(query->rtable, rtindex - 1)) = pa_subquery_entry(join, table->entry->eref->aliasname);
	table->parent = pa_take_table(block, referenced);
	block->paths = pa_with_equalities(block->paths, join, join->jointree->quals);
	follow(block, join, REFERENCED, holds);
}

static void
follow(PaBlock *block, Query *query, int rtindex, List *holds)
{
	const RangeTblEntry *rte = rt_fetch(rtindex, query->rtable);
	ListCell   *cell;

	pa_descend();
	foreach(cell, block->tables)
	{
		PaBlockTable *table = lfirst(cell);

		if (table->entry != rte || table->step == NULL || table->parent)
			continue;
		table->parent = find_parent(block, table, list_concat_copy(holds, block->paths));
		if (table->parent == NULL)
			join_parent(block, query, rtindex, table, holds);
		return;
	}
}

static void
follow_path(PaBlock *block, Query *query, Node *part, List *holds)
{
	if (IsA(part, RangeTblRef))
		follow(block, query, ((RangeTblRef *) part)->rtindex, holds);
}

void
pa_follow_paths(PaBlock *block)
{
	pa_visit_from(block, follow_path);
}

/* --- rows in common --- */

static List *
with_equality(List *equalities, RangeTblEntry *left, AttrNumber left_column, RangeTblEntry *right, AttrNumber right_column)
{
	PaEquality *equality = palloc(sizeof(PaEquality));

	*equality = (PaEquality) {{{left, left_column}, {right, right_column}}};
	return lappend(equalities, equality);
}

/* Those that say that the row of the table refers to that of the other table. */
static List *
reference_to(const PaBlockTable *table, const PaBlockTable *other, List *equalities)
{
	const PaPathStep *step = table->step;
	List	   *keys = NIL;

	if (step == NULL || other->policy == NULL || step->referenced != other->policy->relation || !is_joined(table->entry, other->entry, step, equalities))
		return NIL;
	for (int i = 0; i < step->nkeys; i++)
		keys = with_equality(keys, table->entry, step->columns[i], other->entry, step->keys[i]);
	return keys;
}

/* The column of a foreign key that refers to this one of the key. */
static AttrNumber
column_for(const PaPathStep *step, AttrNumber key)
{
	for (int i = 0; i < step->nkeys; i++)
		if (step->keys[i] == key)
			return step->columns[i];
	return InvalidAttrNumber;
}

/* Those that say that both rows refer to one row. */
static List *
common_reference(const PaBlockTable *a, const PaBlockTable *b, List *equalities)
{
	List	   *keys = NIL;

	if (a->step == NULL || b->step == NULL || a->step->referenced != b->step->referenced)
		return NIL;
	for (int i = 0; i < a->step->nkeys; i++)
	{
		PaColumn	left = {a->entry, a->step->columns[i]};
		PaColumn	right = {b->entry, column_for(b->step, a->step->keys[i])};

		if (right.attnum == InvalidAttrNumber || !pa_are_equal(left, right, equalities))
			return NIL;
		keys = with_equality(keys, left.table, left.attnum, right.table, right.attnum);
	}
	return keys;
}

/* Those that say that both are the same row, by a key that others refer to. */
static List *
same_row(const PaBlockTable *a, const PaBlockTable *b, List *equalities)
{
	const ListCell *key;
	const ListCell *cell;

	if (a->policy == NULL || a->policy != b->policy)
		return NIL;
	foreach(key, a->policy->referred)
	{
		List	   *keys = NIL;

		foreach(cell, (List *) lfirst(key))
			if (pa_are_equal((PaColumn) {a->entry, lfirst_int(cell)}, (PaColumn) {b->entry, lfirst_int(cell)}, equalities))
				keys = with_equality(keys, a->entry, lfirst_int(cell), b->entry, lfirst_int(cell));
		if (list_length(keys) == list_length(lfirst(key)))
			return keys;
	}
	return NIL;
}

List *
pa_shared_row(const PaBlockTable *a, const PaBlockTable *b, List *equalities)
{
	List	   *keys = reference_to(a, b, equalities);

	if (keys == NIL)
		keys = reference_to(b, a, equalities);
	if (keys == NIL)
		keys = common_reference(a, b, equalities);
	return keys ? keys : same_row(a, b, equalities);
}
