/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * asked_keys.c
 *		See asked_keys.h.
 *
 * What is said of the public table alone is taken only where it is made of plain comparisons that any block may
 * read.  The block would do without it, so it is looked at before: validators would refuse.
 */
#include "postgres.h"

#include "access/table.h"
#include "access/transam.h"
#include "catalog/pg_class.h"
#include "catalog/pg_collation.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "storage/bufmgr.h"
#include "storage/lockdefs.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "compat/planner.h"
#include "compat/statement.h"
#include "descend.h"
#include "allow/allowlist.h"
#include "catalog/public_table.h"
#include "catalog/public_writer.h"
#include "guard/asked_keys.h"
#include "guard/block_rules.h"
#include "guard/decorrelate.h"
#include "guard/make_query.h"
#include "guard/work.h"
#include "lookup/lookup.h"

#define MOST_BYTES 1024			/* of a constant */
#define SHARE 4					/* of the memory for public tables, that rows of one are taken to need at most */

/* Groups that are asked for by rows of one table. */
typedef struct AskedKeys
{
	const Query *release;
	Query	   *rows;			/* SELECT FROM the table WHERE ... */
	List	   *matches;		/* PaKeyMatch */
	List	   *references;		/* of their keys, in the release */
	bool		total;
} AskedKeys;

/* --- what WHERE says --- */

/* Conjuncts that all rows of a part of FROM meet. */
static List *
conditions_of(Query *query, Node *part)
{
	List	   *conditions = NIL;
	ListCell   *cell;

	pa_descend();
	if (IsA(part, FromExpr))
	{
		conditions = make_ands_implicit((Expr *) ((FromExpr *) part)->quals);
		foreach(cell, ((FromExpr *) part)->fromlist)
			conditions = list_concat_copy(conditions, conditions_of(query, lfirst(cell)));
	}
	else if (IsA(part, JoinExpr) && ((JoinExpr *) part)->jointype == JOIN_INNER)
	{
		const JoinExpr *join = (JoinExpr *) part;

		conditions = list_concat_copy(make_ands_implicit((Expr *) join->quals),
									  list_concat_copy(conditions_of(query, join->larg), conditions_of(query, join->rarg)));
	}
	return conditions;
}

/* Of the table alone. */
static bool
is_about(Node *condition, int table)
{
	Relids		tables = pull_varnos(NULL, condition);

	return bms_membership(tables) == BMS_SINGLETON && bms_is_member(table, tables);
}

/* SELECT FROM the table WHERE what is said of it alone; NULL: nothing is. */
static Query *
rows_of(PaGuard *guard, const Query *around, List *conditions, int table)
{
	Query	   *rows;
	List	   *own = NIL;
	ListCell   *cell;

	foreach(cell, conditions)
		if (is_about(lfirst(cell), table))
			own = lappend(own, lfirst(cell));
	if (own == NIL)
		return NULL;
	rows = pa_query_over(copyObject(rt_fetch(table, around->rtable)));
	own = pa_copy(guard, own);
	ChangeVarNodes((Node *) own, table, 1, 0);
	rows->jointree->quals = (Node *) own;	/* a list, until it is known which of them a block may read */
	return rows;
}

/* --- noting --- */

/* The column outside that the key is equal to; NULL: it is not a column of a table. */
static const Var *
column_outside(const Query *around, const PaKeyMatch *match)
{
	const Var  *outside = list_nth(match->test->args, 1 - match->side);

	if (!IsA(outside, Var) || outside->varlevelsup > 0 || outside->varattno <= 0 ||
		rt_fetch(outside->varno, around->rtable)->rtekind != RTE_RELATION)
		return NULL;
	return outside;
}

static AskedKeys *
asked_by(PaGuard *guard, const Query *release, const Query *around, List *matches, int table)
{
	AskedKeys  *asked = palloc0(sizeof(AskedKeys));
	ListCell   *cell;

	asked->release = release;
	foreach(cell, matches)
	{
		PaKeyMatch *match = lfirst(cell);
		const Var  *column = column_outside(around, match);

		if (column == NULL || (int) column->varno != table)
			continue;
		asked->matches = lappend(asked->matches, match);
		asked->references = lappend_int(asked->references, get_tle_by_resno(release->targetList, match->key)->ressortgroupref);
	}
	return asked;
}

void
pa_note_asked_keys(PaGuard *guard, const Query *release, const Query *around, List *matches, bool total)
{
	List	   *conditions = conditions_of(unconstify(Query *, around), (Node *) around->jointree);
	Relids		seen = NULL;
	ListCell   *cell;

	foreach(cell, matches)
	{
		const Var  *column = column_outside(around, lfirst(cell));
		Query	   *rows;
		AskedKeys  *asked;

		if (column == NULL || bms_is_member(column->varno, seen))
			continue;
		seen = bms_add_member(seen, column->varno);
		rows = rows_of(guard, around, conditions, column->varno);
		if (rows == NULL)
			continue;
		asked = asked_by(guard, release, around, matches, column->varno);
		asked->rows = rows;
		asked->total = total;
		guard->asked = lappend(guard->asked, asked);
	}
}

/* --- what a block may read --- */

static bool
is_usable_table(const RangeTblEntry *rte, const PaBlock *block)
{
	PaPublicWriter writer;
	Oid			owner;

	if (rte->rtekind != RTE_RELATION || rte->relkind != RELKIND_RELATION || rte->securityQuals || rte->tablesample || rte->lateral ||
		!pa_is_public(rte->relid))
		return false;
	owner = pa_table_owner(rte->relid);
	return (owner == pa_table_owner(block->policy->relation) || superuser_arg(owner)) && !pa_public_writer(rte->relid, &writer);
}

/* Its keys will find room, whatever is true of it. */
static bool
is_small(Oid relation)
{
	Relation	table = table_open(relation, AccessShareLock);
	BlockNumber blocks = RelationGetNumberOfBlocks(table);

	table_close(table, NoLock);
	return (double) blocks * (BLCKSZ / 1024) * SHARE <= pa_public_memory;
}

typedef struct UsableContext
{
	const PaBlock *block;
	bool		total;
} UsableContext;

static bool
is_usable_type(Oid type, Oid collation)
{
	return pa_type_allowed(type) &&
		(collation == InvalidOid || collation == DEFAULT_COLLATION_OID || collation == C_COLLATION_OID);
}

static bool
is_usable_constant(const Const *constant)
{
	Oid			element = get_element_type(constant->consttype);

	return is_usable_type(OidIsValid(element) ? element : constant->consttype, constant->constcollid) &&
		(constant->constisnull || datumGetSize(constant->constvalue, constant->constbyval, constant->constlen) <= MOST_BYTES);
}

/* A comparison, of whatever kind, or LIKE with a constant. */
static bool
is_usable_operator(Oid operator, Oid function, List *arguments, Oid collation)
{
	int			constants;

	if (operator >= FirstUnpinnedObjectId || pa_function_class(function, &constants) == PA_FUNCTION_REFUSED ||
		get_func_rettype(function) != BOOLOID || pa_function_work(function) == WORK_TEXT_REGEX)
		return false;
	if (constants != 0 && (constants != 2 || !IsA(lsecond(arguments), Const)))
		return false;
	return collation == InvalidOid || collation == DEFAULT_COLLATION_OID || collation == C_COLLATION_OID;
}

/* An equality with values of the column, each as the query around has it. */
static bool
is_usable_comparison(OpExpr *test, const Var *column, const UsableContext *context)
{
	set_opfuncid(test);
	return op_hashjoinable(test->opno, exprType(linitial(test->args))) && column->varlevelsup == 0 && column->varattno > 0 &&
		is_usable_operator(test->opno, test->opfuncid, test->args, test->inputcollid) &&
		is_usable_type(column->vartype, column->varcollid) && (context->total || get_typlen(column->vartype) > 0);
}

static Node *
is_not_false(Node *condition)
{
	BooleanTest *test = makeNode(BooleanTest);

	test->arg = (Expr *) condition;
	test->booltesttype = IS_NOT_FALSE;
	test->location = -1;
	return (Node *) test;
}

/* Walks over what is said of a row; true: a block might refuse it. */
static bool
is_unusable_walker(Node *node, UsableContext *context)
{
	bool		usable = false;
	int			constants;

	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Var))
		return ((Var *) node)->varlevelsup > 0 || ((Var *) node)->varattno <= 0 ||
			!is_usable_type(((Var *) node)->vartype, ((Var *) node)->varcollid);
	if (IsA(node, Const))
		return !is_usable_constant((Const *) node);
	if (IsA(node, OpExpr))
	{
		OpExpr	   *test = (OpExpr *) node;

		set_opfuncid(test);
		usable = is_usable_operator(test->opno, test->opfuncid, test->args, test->inputcollid);
	}
	else if (IsA(node, ScalarArrayOpExpr))
	{
		ScalarArrayOpExpr *test = (ScalarArrayOpExpr *) node;

		set_sa_opfuncid(test);
		usable = is_usable_operator(test->opno, test->opfuncid, test->args, test->inputcollid) &&
			pa_function_class(test->opfuncid, &constants) == PA_FUNCTION_TOTAL && IsA(lsecond(test->args), Const);
	}
	else if (IsA(node, RelabelType))
		usable = is_usable_type(((RelabelType *) node)->resulttype, ((RelabelType *) node)->resultcollid);
	else if (IsA(node, NullTest))
		usable = context->total || IsA(((NullTest *) node)->arg, Var);
	else if (IsA(node, BooleanTest))
		usable = context->total || IsA(((BooleanTest *) node)->arg, Var);
	else
		usable = IsA(node, BoolExpr) || IsA(node, List);
	return !usable || expression_tree_walker(node, is_unusable_walker, context);
}

static List *usable_conditions(List *conditions, UsableContext *context);

/* x IN (SELECT y FROM tables WHERE ...), of whose conditions those are left out that a block might refuse. */
static Node *
usable_membership(SubLink *in, UsableContext *context)
{
	Query	   *query = castNode(Query, in->subselect);
	OpExpr	   *test = (OpExpr *) in->testexpr;
	Node	   *column;
	List	   *conditions;
	ListCell   *cell;

	if (in->subLinkType != ANY_SUBLINK || !IsA(test, OpExpr) || !pa_is_plain(query))
		return NULL;
	column = (Node *) linitial_node(TargetEntry, query->targetList)->expr;
	if (!IsA(column, Var) || !IsA(linitial(test->args), Var) || !IsA(lsecond(test->args), Param) || !is_usable_comparison(test, (Var *) linitial(test->args), context) ||
		!is_usable_comparison(test, (Var *) column, context))
		return NULL;
	foreach(cell, query->rtable)
		if (!is_usable_table(lfirst(cell), context->block))
			return NULL;
	conditions = usable_conditions(make_ands_implicit((Expr *) query->jointree->quals), context);
	if (conditions == NIL)		/* it leaves out too little */
		return NULL;
	query->jointree->quals = (Node *) make_ands_explicit(conditions);
	query->hasSubLinks = checkExprHasSubLink(query->jointree->quals);
	return (Node *) in;
}

/*
 * Those of the conditions that a block may read, as it may.  Long values, and what would be an error, are null to it,
 * which makes a condition null and not false: so rows of which it cannot tell are kept, unless the query around is a
 * part of a block, too, and leaves them out.
 */
static List *
usable_conditions(List *conditions, UsableContext *context)
{
	List	   *usable = NIL;
	ListCell   *cell;

	pa_descend();
	foreach(cell, conditions)
	{
		Node	   *condition = lfirst(cell);

		if (IsA(condition, SubLink))
			condition = usable_membership((SubLink *) condition, context);
		else if (is_unusable_walker(condition, context))
			condition = NULL;
		else if (!context->total)
			condition = is_not_false(condition);
		if (condition)
			usable = lappend(usable, condition);
	}
	return usable;
}

/* Whether the test reads "key = value", as that of IN does, or can be written so. */
static bool
is_usable_match(const PaKeyMatch *match, const UsableContext *context)
{
	return is_usable_comparison(match->test, list_nth(match->test->args, 1 - match->side), context) &&
		(match->side == 0 || OidIsValid(get_commutator(match->test->opno)));
}

/* --- the condition --- */

/* key = what a column of the rows will be in IN */
static Node *
make_test(const AskedKeys *asked, const PaKeyMatch *match, Node *key, Query *rows)
{
	OpExpr	   *test = copyObject(match->test);
	Var		   *column = copyObject((Var *) list_nth(match->test->args, 1 - match->side));
	Param	   *value = makeNode(Param);

	column->varno = 1;
	column->varnosyn = 1;
	value->paramkind = PARAM_SUBLINK;
	value->paramid = pa_add_output(rows, (Node *) column)->resno;
	value->paramtype = column->vartype;
	value->paramtypmod = column->vartypmod;
	value->paramcollid = column->varcollid;
	value->location = -1;
	lfirst(list_nth_cell(test->args, match->side)) = copyObject(key);
	lfirst(list_nth_cell(test->args, 1 - match->side)) = value;
	if (match->side == 1)
		CommuteOpExpr(test);
	return (Node *) test;
}

/* keys IN (SELECT columns FROM the table WHERE ...); NULL: the block does without. */
static Node *
make_condition(PaBlock *block, const AskedKeys *asked, List *keys)
{
	UsableContext context = {block, asked->total};
	const RangeTblEntry *table = linitial(asked->rows->rtable);
	List	   *conditions;
	SubLink    *in = makeNode(SubLink);
	Query	   *rows;
	List	   *tests = NIL;
	ListCell   *match;
	ListCell   *reference;

	if (!is_usable_table(table, block) || !is_small(table->relid))
		return NULL;
	rows = pa_copy(block->guard, asked->rows);
	conditions = usable_conditions((List *) rows->jointree->quals, &context);
	if (conditions == NIL)
		return NULL;
	forboth(match, asked->matches, reference, asked->references)
		if (is_usable_match(lfirst(match), &context))
			tests = lappend(tests, make_test(asked, lfirst(match),
											 (Node *) get_sortgroupref_tle(lfirst_int(reference), keys)->expr, rows));
	if (tests == NIL)
		return NULL;
	rows->jointree->quals = (Node *) make_ands_explicit(conditions);
	rows->hasSubLinks = checkExprHasSubLink(rows->jointree->quals);
	in->subLinkType = ANY_SUBLINK;
	in->testexpr = (Node *) make_ands_explicit(tests);
	in->operName = list_make1(makeString("="));
	in->subselect = (Node *) rows;
	in->location = -1;
	return (Node *) in;
}

static void
add_condition(Query *leaf, Node *condition)
{
	leaf->jointree->quals = (Node *) make_ands_explicit(lappend(make_ands_implicit((Expr *) leaf->jointree->quals), condition));
	leaf->hasSubLinks = true;
}

/* Whether a row may take as long with it. */
static bool
has_time(const PaBlock *block, Node *condition, int rows)
{
	PaBlock		with = *block;

	with.leaf = pa_copy(block->guard, block->leaf);
	add_condition(with.leaf, pa_copy(block->guard, condition));
	pa_join_sublinks(block->guard, with.leaf);
	return !pa_is_much_work(&with, rows);
}

void
pa_leave_asked_keys(PaBlock *block, const Query *release, List *keys, int rows)
{
	ListCell   *cell;

	if (block->rules != &pa_row_rules || block->leaf->groupingSets)
		return;
	foreach(cell, block->guard->asked)
	{
		const AskedKeys *asked = lfirst(cell);
		Node	   *condition = asked->release == release ? make_condition(block, asked, keys) : NULL;

		if (condition == NULL || !has_time(block, condition, rows))
			continue;
		add_condition(block->leaf, condition);
		pa_validate_expression(block, block->leaf, condition);
		pa_validate_public_tables(block);
	}
}
