/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * generated.c
 *		Columns that are computed where they are read become what they are computed from.
 *
 * PostgreSQL does so in its planner.  A condition on such a column would be validated as a
 * condition on a column, and be an expression over the row when it is evaluated, one that may
 * fail for it.  So a table of which a statement reads some becomes a subquery over it,
 *
 *		(SELECT a, b, 100 / b AS share FROM t) t
 *
 * which is validated, made total and bounded as if the user had written it.  As a subquery it
 * keeps its meaning below outer joins, where a row that has no partner has nulls and not what
 * is computed from them.
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "access/table.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "utils/rel.h"

#include "compat/generated.h"
#include "compat/permissions.h"
#include "descend.h"
#include "guard/guard.h"
#include "guard/make_query.h"
#include "guard/subquery_entry.h"

/* --- which columns of an entry are read --- */

typedef struct Reading
{
	const List *rtable;			/* of the query with the entry */
	Index		rtindex;
	Index		level;
	Bitmapset **columns;		/* from FirstLowInvalidHeapAttributeNumber on */
} Reading;

static bool read_walker(Node *node, Reading *reading);

/* A merged column of a join is made of columns that are in it; the whole row, of all. */
static void
read_merged(const RangeTblEntry *join, AttrNumber column, const Reading *around)
{
	Reading		reading = *around;

	reading.level = 0;
	(void) read_walker(column > 0 ? list_nth(join->joinaliasvars, column - 1) : (Node *) join->joinaliasvars, &reading);
}

static bool
read_walker(Node *node, Reading *reading)
{
	bool		stop;

	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Var))
	{
		const Var  *column = (const Var *) node;
		const RangeTblEntry *rte;

		if (column->varlevelsup != reading->level || column->varno <= 0 || column->varno > list_length(reading->rtable))
			return false;
		rte = rt_fetch(column->varno, reading->rtable);
		if (rte->rtekind == RTE_JOIN)
			read_merged(rte, column->varattno, reading);
		else if (column->varno == reading->rtindex)
			*reading->columns = bms_add_member(*reading->columns, column->varattno - FirstLowInvalidHeapAttributeNumber);
		return false;
	}
	if (!IsA(node, Query))
		return expression_tree_walker(node, read_walker, reading);
	reading->level++;
	stop = query_tree_walker((Query *) node, read_walker, reading, QTW_IGNORE_JOINALIASES);
	reading->level--;
	return stop;
}

static Bitmapset *
columns_read(Query *query, Index rtindex)
{
	Bitmapset  *columns = NULL;
	Reading		reading = {query->rtable, rtindex, 0, &columns};

	(void) query_tree_walker(query, read_walker, &reading, QTW_IGNORE_JOINALIASES);
	return columns;
}

static bool
is_read(const Bitmapset *columns, AttrNumber column)
{
	return bms_is_member(column - FirstLowInvalidHeapAttributeNumber, columns) ||
		bms_is_member(InvalidAttrNumber - FirstLowInvalidHeapAttributeNumber, columns);	/* the whole row */
}

/* --- the subquery --- */

static bool
reads_virtual_column(Relation rel, const Bitmapset *columns)
{
	for (AttrNumber column = 1; column <= RelationGetNumberOfAttributes(rel); column++)
		if (is_read(columns, column) && !TupleDescAttr(RelationGetDescr(rel), column - 1)->attisdropped &&
			pa_virtual_expression(rel, column) != NULL)
			return true;
	return false;
}

/* A column that nobody reads is a null of any type: what it is computed from need not be allowed, nor its own type. */
static Expr *
column_value(Relation rel, AttrNumber column, const Bitmapset *columns)
{
	const FormData_pg_attribute *attribute = TupleDescAttr(RelationGetDescr(rel), column - 1);
	Node	   *computed;

	if (attribute->attisdropped || !is_read(columns, column))
		return (Expr *) makeNullConst(INT4OID, -1, InvalidOid);
	computed = pa_virtual_expression(rel, column);
	return computed ? (Expr *) computed :
		(Expr *) makeVar(1, column, attribute->atttypid, attribute->atttypmod, attribute->attcollation, 0);
}

static Query *
read_computed(Relation rel, const RangeTblEntry *rte, const Bitmapset *columns)
{
	RangeTblEntry *table = makeNode(RangeTblEntry);
	Query	   *query;

	*table = *rte;				/* with its permissions */
	table->lateral = false;
	query = pa_query_over(table);
	for (AttrNumber column = 1; column <= RelationGetNumberOfAttributes(rel); column++)
		query->targetList = lappend(query->targetList,
									makeTargetEntry(column_value(rel, column, columns), column,
													pstrdup(NameStr(TupleDescAttr(RelationGetDescr(rel), column - 1)->attname)), false));
	return query;
}

static void
write_in_place(Query *query, Index rtindex, RangeTblEntry *rte)
{
	Relation	rel = table_open(rte->relid, NoLock);

	if (pa_has_virtual_columns(rel))
	{
		Bitmapset  *columns = columns_read(query, rtindex);

		if (reads_virtual_column(rel, columns))
			pa_become_subquery(rte, read_computed(rel, rte, columns));
	}
	table_close(rel, NoLock);
}

/* Others are refused where rows are protected, and are left to PostgreSQL where they are not. */
static bool
is_plain_table(const RangeTblEntry *rte)
{
	return rte->rtekind == RTE_RELATION && rte->tablesample == NULL && rte->securityQuals == NIL;
}

static bool
write_walker(Node *node, void *nothing)
{
	Query	   *query = (Query *) node;
	Index		rtindex = 0;
	ListCell   *cell;

	pa_descend();
	if (node == NULL)
		return false;
	if (!IsA(node, Query))
		return expression_tree_walker(node, write_walker, nothing);
	foreach(cell, query->rtable)
		if (++rtindex != query->resultRelation && query->rowMarks == NIL && is_plain_table(lfirst(cell)))
			write_in_place(query, rtindex, lfirst(cell));
	return query_tree_walker(query, write_walker, nothing, 0);
}

void
pa_write_generated(Query *query)
{
	(void) write_walker((Node *) query, NULL);
}
