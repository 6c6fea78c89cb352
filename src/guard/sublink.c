/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sublink.c
 *		Subqueries in the expressions of a block become joins.
 *
 * PostgreSQL would run them when, and if, a row asks for them.  As joined
 * subqueries they are read whole and first, like every public table.
 *
 *	 EXISTS (S)		a column of a joined row: SELECT count(*) > 0 FROM S
 *	 x IN (S)		whether x is among the keys of a left join with the different
 *					values of S; where it is not, the answer is null if x or a
 *					value of S is, unless S is empty
 *	 WHERE x IN (S)	an inner join with the different values of S
 */
#include "postgres.h"

#include "catalog/pg_operator.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "parser/parse_oper.h"
#include "parser/parsetree.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "descend.h"
#include "guard/guard.h"
#include "guard/make_query.h"
#include "guard/subquery_entry.h"

typedef struct SublinkContext
{
	PaGuard    *guard;
	Query	   *query;			/* that the joins are added to */
	bool		null_is_false;	/* of the condition that is looked at */
} SublinkContext;

/* --- building blocks --- */

static Node *
is_less(Node *left, Node *right)
{
	return (Node *) make_opclause(Int8LessOperator, BOOLOID, false, (Expr *) left, (Expr *) right, InvalidOid, InvalidOid);
}

static Node *
is_null(Node *node, NullTestType type)
{
	NullTest   *test = makeNode(NullTest);

	test->arg = (Expr *) node;
	test->nulltesttype = type;
	test->location = -1;
	return (Node *) test;
}

static Node *
column_of_subquery(int rtindex, const Query *subquery, AttrNumber number)
{
	Node	   *expression = (Node *) ((TargetEntry *) list_nth(subquery->targetList, number - 1))->expr;

	return (Node *) makeVar(rtindex, number, exprType(expression), exprTypmod(expression), exprCollation(expression), 0);
}

/* Joins the subquery with all that the query reads so far; returns its number. */
static int
join_subquery(Query *query, Query *subquery, JoinType type)
{
	RangeTblRef *reference = makeNode(RangeTblRef);
	JoinExpr   *join = makeNode(JoinExpr);
	List	   *from = query->jointree->fromlist;

	query->rtable = lappend(query->rtable, pa_subquery_entry(subquery, "public"));
	reference->rtindex = list_length(query->rtable);
	join->jointype = type;
	join->larg = list_length(from) == 1 ? linitial(from) : (Node *) makeFromExpr(from, NULL);
	join->rarg = (Node *) reference;
	query->jointree->fromlist = list_make1(join);
	return reference->rtindex;
}

/* --- a row of facts about the subquery --- */

static Node *
count_call(Oid function, Node *argument)
{
	Aggref	   *count = makeNode(Aggref);

	count->aggfnoid = function;
	count->aggtype = INT8OID;
	count->aggtranstype = InvalidOid;	/* the planner finds it */
	count->aggkind = 'n';
	count->aggno = count->aggtransno = -1;
	count->aggstar = argument == NULL;
	count->location = -1;
	if (argument)
	{
		count->args = list_make1(makeTargetEntry((Expr *) argument, 1, NULL, false));
		count->aggargtypes = list_make1_oid(exprType(argument));
	}
	return (Node *) count;
}

/* Whether it has rows, and whether the value is null in some, in a row of its own that is joined with every row. */
static int
join_facts(Query *query, Query *subquery, Node *value)
{
	Query	   *facts = pa_query_over(pa_subquery_entry(subquery, "subquery"));
	Node	   *zero = (Node *) makeConst(INT8OID, -1, InvalidOid, sizeof(int64), Int64GetDatum(0), false, FLOAT8PASSBYVAL);

	facts->hasAggs = true;
	(void) pa_add_output(facts, is_less(zero, count_call(F_COUNT_, NULL)));
	if (value)
		(void) pa_add_output(facts, is_less(count_call(F_COUNT_ANY, value), count_call(F_COUNT_, NULL)));
	return join_subquery(query, facts, JOIN_INNER);
}

static Node *
replace_exists(SublinkContext *context, Query *subquery)
{
	int			rtindex = join_facts(context->query, subquery, NULL);

	return column_of_subquery(rtindex, rt_fetch(rtindex, context->query->rtable)->subquery, 1);
}

/* --- IN --- */

/* The comparison with parameters replaced by the columns of the subquery they stand for. */
static Node *
bind_mutator(Node *node, Query *subquery)
{
	pa_descend();
	if (node == NULL)
		return NULL;
	if (IsA(node, Param) && ((Param *) node)->paramkind == PARAM_SUBLINK)
		return column_of_subquery(1, subquery, ((Param *) node)->paramid);
	return expression_tree_mutator(node, bind_mutator, subquery);
}

static List *
comparisons(SublinkContext *context, const SubLink *sublink)
{
	List	   *tests = is_andclause(sublink->testexpr) ? ((BoolExpr *) sublink->testexpr)->args : list_make1(sublink->testexpr);
	ListCell   *cell;

	foreach(cell, tests)
	{
		OpExpr	   *test = lfirst(cell);

		if (!IsA(test, OpExpr) || !op_hashjoinable(test->opno, exprType(linitial(test->args))))
			pa_refuse(context->guard, sublink->location, "A comparison with a subquery is not by equality.",
					  "Use IN (SELECT ...), or a constant.");
	}
	return tests;
}

static SortGroupClause *
group_by(Node *expression, Index reference)
{
	SortGroupClause *clause = makeNode(SortGroupClause);

	clause->tleSortGroupRef = reference;
	get_sort_group_operators(exprType(expression), false, true, false,
							 &clause->sortop, &clause->eqop, NULL, &clause->hashable);
	return clause;
}

/* SELECT y, ... FROM S WHERE y IS NOT NULL AND ... GROUP BY y, ... */
static Query *
different_values(Query *subquery, List *tests)
{
	Query	   *query = pa_query_over(pa_subquery_entry(subquery, "subquery"));
	List	   *conditions = NIL;
	ListCell   *cell;

	foreach(cell, tests)
	{
		Node	   *value = bind_mutator(lsecond(((OpExpr *) lfirst(cell))->args), subquery);

		(void) pa_add_output(query, value);
		((TargetEntry *) llast(query->targetList))->ressortgroupref = list_length(query->targetList);
		query->groupClause = lappend(query->groupClause, group_by(value, list_length(query->targetList)));
		conditions = lappend(conditions, is_null(copyObject(value), IS_NOT_NULL));
	}
	query->jointree->quals = (Node *) make_ands_explicit(conditions);
	return query;
}

static CaseWhen *
when(Node *condition, Node *result)
{
	CaseWhen   *branch = makeNode(CaseWhen);

	branch->expr = (Expr *) condition;
	branch->result = (Expr *) result;
	branch->location = -1;
	return branch;
}

/* Found: true; nothing to be found: false; a null on either side: null; else false. */
static Node *
three_valued(Node *found, Node *any, List *nulls)
{
	CaseExpr   *answer = makeNode(CaseExpr);

	answer->casetype = BOOLOID;
	answer->args = list_make3(when(found, makeBoolConst(true, false)),
							  when((Node *) make_notclause((Expr *) any), makeBoolConst(false, false)),
							  when((Node *) make_orclause(nulls), makeBoolConst(false, true)));
	answer->defresult = (Expr *) makeBoolConst(false, false);
	answer->location = -1;
	return (Node *) answer;
}

/* Joins the different values of the subquery, by the tests; returns the first of them, null where there is none. */
static Node *
join_values(SublinkContext *context, Query *subquery, List *tests, JoinType type)
{
	Query	   *values = different_values(pa_copy(context->guard, subquery), tests);
	int			rtindex = join_subquery(context->query, values, type);
	JoinExpr   *join = linitial(context->query->jointree->fromlist);
	List	   *on = NIL;
	ListCell   *cell;

	foreach(cell, tests)
	{
		OpExpr	   *test = pa_copy(context->guard, lfirst(cell));

		test->args = list_make2(linitial(test->args),
								column_of_subquery(rtindex, values, foreach_current_index(cell) + 1));
		on = lappend(on, test);
	}
	join->quals = (Node *) make_ands_explicit(on);
	return column_of_subquery(rtindex, values, 1);
}

static Node *
replace_in(SublinkContext *context, const SubLink *sublink, Query *subquery)
{
	List	   *tests = comparisons(context, sublink);
	Node	   *found = is_null(join_values(context, subquery, tests, JOIN_LEFT), IS_NOT_NULL);
	OpExpr	   *test;
	int			facts;
	Query	   *fact_row;

	if (context->null_is_false)
		return found;
	if (list_length(tests) > 1)
		pa_refuse(context->guard, sublink->location, "IN over several columns is used where its result may be null.",
				  "Use it as a condition of WHERE, FILTER or CASE, without NOT, or compare one column.");
	test = linitial(tests);
	facts = join_facts(context->query, subquery, bind_mutator(pa_copy(context->guard, lsecond(test->args)), subquery));
	fact_row = rt_fetch(facts, context->query->rtable)->subquery;
	return three_valued(found, column_of_subquery(facts, fact_row, 1),
						list_make2(is_null(pa_copy(context->guard, linitial(test->args)), IS_NULL),
								   column_of_subquery(facts, fact_row, 2)));
}

/* --- the query --- */

static Node *replace_mutator(Node *node, SublinkContext *context);

/* To the condition of a branch, as to that of FILTER, which has become one, null is as good as false. */
static Node *
replace_in_branch(const CaseWhen *branch, SublinkContext *context)
{
	bool		null_is_false = context->null_is_false;
	Node	   *condition;
	Node	   *result;

	context->null_is_false = true;
	condition = replace_mutator((Node *) branch->expr, context);
	context->null_is_false = false;
	result = replace_mutator((Node *) branch->result, context);
	context->null_is_false = null_is_false;
	return (Node *) when(condition, result);
}

/* A copy, whose own subqueries have become joins. */
static SubLink *
without_subqueries(SublinkContext *context, const SubLink *original)
{
	bool		null_is_false = context->null_is_false;
	SubLink    *sublink = pa_copy(context->guard, original);

	pa_join_sublinks(context->guard, castNode(Query, sublink->subselect));
	context->null_is_false = false;
	sublink->testexpr = replace_mutator(sublink->testexpr, context);
	context->null_is_false = null_is_false;
	return sublink;
}

static Node *
replace_mutator(Node *node, SublinkContext *context)
{
	bool		null_is_false = context->null_is_false;
	Node	   *result;

	pa_descend();
	if (node == NULL)
		return NULL;
	if (IsA(node, SubLink))
	{
		SubLink    *sublink = without_subqueries(context, (SubLink *) node);
		Query	   *subquery = castNode(Query, sublink->subselect);

		return sublink->subLinkType == EXISTS_SUBLINK ? replace_exists(context, subquery) : replace_in(context, sublink, subquery);
	}
	if (IsA(node, CaseWhen))
		return replace_in_branch((CaseWhen *) node, context);
	if (IsA(node, BooleanTest) && ((BooleanTest *) node)->booltesttype == IS_TRUE)
		context->null_is_false = true;
	else if (!IsA(node, List))	/* of what is around it */
		context->null_is_false &= is_andclause(node) || is_orclause(node);
	result = expression_tree_mutator(node, replace_mutator, context);
	context->null_is_false = null_is_false;
	return result;
}

static Node *
replace_in_expression(SublinkContext *context, Node *node, bool null_is_false)
{
	if (!contain_subplans(node))
		return node;
	context->null_is_false = null_is_false;
	return replace_mutator(node, context);
}

/* Rows that have no partner are none of the query's. */
static Node *
replace_in_where(SublinkContext *context, Node *quals)
{
	List	   *conditions = NIL;
	ListCell   *cell;

	foreach(cell, make_ands_implicit((Expr *) quals))
	{
		Node	   *condition = lfirst(cell);

		if (IsA(condition, SubLink) && ((SubLink *) condition)->subLinkType == ANY_SUBLINK)
		{
			SubLink    *sublink = without_subqueries(context, (SubLink *) condition);

			(void) join_values(context, castNode(Query, sublink->subselect), comparisons(context, sublink), JOIN_INNER);
		}
		else
			conditions = lappend(conditions, replace_in_expression(context, condition, true));
	}
	return conditions == NIL ? NULL : (Node *) make_ands_explicit(conditions);
}

static bool
has_subquery(Node *condition, void *nothing)
{
	return contain_subplans(condition);
}

void
pa_join_sublinks(PaGuard *guard, Query *query)
{
	SublinkContext context = {guard, query, false};
	ListCell   *cell;

	pa_descend();
	foreach(cell, query->rtable)
		if (((RangeTblEntry *) lfirst(cell))->rtekind == RTE_SUBQUERY)
			pa_join_sublinks(guard, ((RangeTblEntry *) lfirst(cell))->subquery);
	if (!query->hasSubLinks)
		return;
	pa_lift_conditions(guard, query, has_subquery, NULL);
	query->targetList = (List *) replace_in_expression(&context, (Node *) query->targetList, false);
	query->jointree->quals = replace_in_where(&context, query->jointree->quals);
	query->hasSubLinks = false;
}
