/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * column.c
 *		See column.h.
 */
#include "postgres.h"

#include "catalog/pg_am.h"
#include "catalog/pg_type.h"
#include "commands/defrem.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "descend.h"
#include "guard/branches.h"
#include "guard/column.h"

static Oid
family_of(Oid type)
{
	Oid			class = GetDefaultOpClass(type, BTREE_AM_OID);

	return OidIsValid(class) ? get_opclass_family(class) : InvalidOid;
}

/* Whether it leaves open neither what the value is nor what it is equal to: text as varchar, but not as char. */
static bool
keeps_equality(const RelabelType *cast)
{
	Oid			type = exprType((Node *) cast->arg);

	return cast->resultcollid == exprCollation((Node *) cast->arg) &&
		(cast->resulttype == type || (OidIsValid(family_of(type)) && family_of(type) == family_of(cast->resulttype)));
}

/* What a change of type is made of that leaves the value as it is; NULL: it is another expression. */
static Node *
before_cast(const Node *node)
{
	const FuncExpr *cast = (const FuncExpr *) node;

	if (IsA(node, RelabelType))
		return keeps_equality((const RelabelType *) node) ? (Node *) ((const RelabelType *) node)->arg : NULL;
	if (IsA(node, FuncExpr) && (cast->funcid == F_INT4_INT2 || cast->funcid == F_INT8_INT2 || cast->funcid == F_INT8_INT4))
		return linitial(cast->args);
	return NULL;
}

Node *
pa_behind_column(const Query *query, const Var *var, const Query **inner)
{
	RangeTblEntry *rte = rt_fetch(var->varno, query->rtable);
	TargetEntry *entry;

	*inner = query;
	if (rte->rtekind == RTE_JOIN)
		return list_nth(rte->joinaliasvars, var->varattno - 1);
	if (rte->rtekind != RTE_SUBQUERY || pa_is_union(rte))
		return NULL;
	entry = get_tle_by_resno(rte->subquery->targetList, var->varattno);
	*inner = rte->subquery;
	return entry ? (Node *) entry->expr : NULL;
}

PaColumn
pa_column_of(const Query *query, Node *node)
{
	const Query *inner;
	Node	   *behind;

	pa_descend();
	while (node && before_cast(node))
		node = before_cast(node);
	if (node == NULL || !IsA(node, Var) || ((Var *) node)->varlevelsup != 0)
		return (PaColumn) {NULL, 0};
	behind = pa_behind_column(query, (Var *) node, &inner);
	if (behind)
		return pa_column_of(inner, behind);
	return (PaColumn) {rt_fetch(((Var *) node)->varno, query->rtable), ((Var *) node)->varattno};
}

/* --- all columns of an expression --- */

typedef struct ColumnsContext
{
	const Query *query;
	bool		(*visit) (RangeTblEntry *table, AttrNumber column, void *argument);
	void	   *argument;
} ColumnsContext;

static bool columns_walker(Node *node, ColumnsContext *context);

static bool
visit_union(const ColumnsContext *context, const RangeTblEntry *rte, AttrNumber column)
{
	ListCell   *cell;

	foreach(cell, pa_union_inputs(rte->subquery))
	{
		const RangeTblEntry *input = lfirst(cell);
		ColumnsContext inside = {input->subquery, context->visit, context->argument};

		if (columns_walker(pa_union_column(input, column), &inside))
			return true;
	}
	return false;
}

static bool
columns_walker(Node *node, ColumnsContext *context)
{
	const Query *inner;
	const Var  *var = (const Var *) node;
	RangeTblEntry *rte;
	Node	   *behind;

	pa_descend();
	if (node == NULL)
		return false;
	if (!IsA(node, Var))
		return expression_tree_walker(node, columns_walker, context);
	if (var->varlevelsup != 0)
		return false;
	behind = pa_behind_column(context->query, var, &inner);
	if (behind)
	{
		ColumnsContext inside = {inner, context->visit, context->argument};

		return columns_walker(behind, &inside);
	}
	rte = rt_fetch(var->varno, context->query->rtable);
	if (pa_is_union(rte) && var->varattno > 0)
		return visit_union(context, rte, var->varattno);
	return context->visit(rte, var->varattno, context->argument);
}

static bool
add_table(RangeTblEntry *table, AttrNumber column, void *tables)
{
	*(List **) tables = list_append_unique_ptr(*(List **) tables, table);
	return false;
}

List *
pa_tables_of(const Query *query, Node *node)
{
	List	   *tables = NIL;
	ColumnsContext context = {query, add_table, &tables};

	(void) columns_walker(node, &context);
	return tables;
}

bool
pa_is_exact(Oid type, Oid collation)
{
	switch (type)
	{
		case BOOLOID:
		case INT2OID:
		case INT4OID:
		case INT8OID:
		case UUIDOID:
		case DATEOID:
		case TIMEOID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			return true;
		case TEXTOID:
		case VARCHAROID:
			return OidIsValid(collation) && get_collation_isdeterministic(collation);
		default:
			return get_typtype(type) == TYPTYPE_ENUM;
	}
}

/* --- protected tables --- */

static bool
is_owner(RangeTblEntry *table, AttrNumber column, void *nothing)
{
	const PaPolicy *policy = table->rtekind == RTE_RELATION ? pa_policy_of(table->relid) : NULL;

	return policy && column == policy->owner_attnum;
}

bool
pa_mentions_owner(const Query *query, Node *node)
{
	ColumnsContext context = {query, is_owner, NULL};

	return columns_walker(node, &context);
}

bool
pa_is_owner_column(const Query *query, Node *node)
{
	PaColumn	column = pa_column_of(query, node);
	ListCell   *cell;

	pa_descend();
	if (column.table == NULL || column.attnum <= 0)
		return false;
	if (!pa_is_union(column.table))
		return is_owner(column.table, column.attnum, NULL);
	foreach(cell, pa_union_inputs(column.table->subquery))
		if (!pa_is_owner_column(((RangeTblEntry *) lfirst(cell))->subquery, pa_union_column(lfirst(cell), column.attnum)))
			return false;
	return true;
}

static bool
has_column(const List *columns, const RangeTblEntry *table, AttrNumber attnum)
{
	ListCell   *cell;

	foreach(cell, columns)
	{
		const PaColumn *column = lfirst(cell);

		if (column->table == table && column->attnum == attnum)
			return true;
	}
	return false;
}

/* Those of the columns that are of the union, in terms of each of its inputs. */
static bool
name_owners_of_inputs(const List *columns, const RangeTblEntry *table)
{
	ListCell   *input;
	ListCell   *cell;

	pa_descend();
	foreach(input, pa_union_inputs(table->subquery))
	{
		List	   *inside = NIL;

		foreach(cell, columns)
		{
			const PaColumn *column = lfirst(cell);
			PaColumn   *below = palloc(sizeof(PaColumn));

			if (column->table != table || column->attnum <= 0)
				continue;
			*below = pa_column_of(((RangeTblEntry *) lfirst(input))->subquery, pa_union_column(lfirst(input), column->attnum));
			inside = lappend(inside, below);
		}
		if (!pa_name_owners(inside))
			return false;
	}
	return true;
}

static bool
has_columns(const List *columns, const RangeTblEntry *table, const List *attnums)
{
	const ListCell *cell;

	foreach(cell, attnums)
		if (!has_column(columns, table, lfirst_int(cell)))
			return false;
	return true;
}

/* Whether the column is the owner, or refers to the owner column of the row that its row belongs to. */
static bool
holds_owner(const PaPolicy *policy, AttrNumber column)
{
	const ListCell *own;
	const ListCell *referred;

	pa_descend();
	if (policy == NULL || policy->path == NIL)
		return policy && column == policy->owner_attnum;
	forboth(own, policy->path, referred, policy->path_keys)
		if (lfirst_int(own) == column && holds_owner(pa_policy_of(policy->path_to), lfirst_int(referred)))
			return true;
	return false;
}

/*
 * Whether the columns say whose rows of the table they are: they hold the owner, or are all that refer to where it is,
 * or all by which others refer to this table.
 */
static bool
name_owners(const List *columns, const RangeTblEntry *table)
{
	const PaPolicy *policy = table && table->rtekind == RTE_RELATION ? pa_policy_of(table->relid) : NULL;
	const ListCell *cell;

	if (table && pa_is_union(table))
		return name_owners_of_inputs(columns, table);
	if (policy == NULL || policy->regime != PA_REGIME_CENTRAL)
		return false;
	foreach(cell, columns)
		if (((PaColumn *) lfirst(cell))->table == table && holds_owner(policy, ((PaColumn *) lfirst(cell))->attnum))
			return true;
	foreach(cell, policy->referred)
		if (has_columns(columns, table, lfirst(cell)))
			return true;
	return policy->path != NIL && has_columns(columns, table, policy->path);
}

bool
pa_name_owners(const List *columns)
{
	List	   *tables = NIL;
	ListCell   *cell;

	foreach(cell, columns)
	{
		RangeTblEntry *table = ((PaColumn *) lfirst(cell))->table;

		if (list_member_ptr(tables, table))
			continue;
		tables = lappend(tables, table);
		if (name_owners(columns, table))
			return true;
	}
	return false;
}

AttrNumber
pa_protected_column(const Query *query, const Var *var, const PaPolicy **policy)
{
	const Query *inner;
	Node	   *behind;
	const RangeTblEntry *rte;
	const PaPolicy *found;

	pa_descend();
	if (policy)
		*policy = NULL;
	if (var->varlevelsup != 0 || var->varattno <= 0)
		return InvalidAttrNumber;
	behind = pa_behind_column(query, var, &inner);
	if (behind)
		return IsA(behind, Var) ? pa_protected_column(inner, (Var *) behind, policy) : InvalidAttrNumber;
	rte = rt_fetch(var->varno, query->rtable);
	found = rte->rtekind == RTE_RELATION ? pa_policy_of(rte->relid) : NULL;
	if (policy)
		*policy = found;
	return found ? var->varattno : InvalidAttrNumber;
}
