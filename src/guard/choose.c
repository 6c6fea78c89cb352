/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * choose.c
 *		dp_choose: a block of scores, one for each candidate, and the candidate whose score was drawn.
 *
 *	 SELECT keys, dp_choose(ARRAY[a, b], ARRAY[x, y], lo, hi, options) FROM ... GROUP BY keys
 *
 * becomes
 *
 *	 SELECT keys, CASE WHEN _candidate(x, lo, hi, 1, options) > 0 THEN a
 *		WHEN _candidate(y, lo, hi, 2, options) > 0 THEN b END FROM ... GROUP BY keys
 *
 * of which the release makes one 1 and all others 0 in each group (price/choice.h).  Numbers keep apart candidates with
 * the same score.
 */
#include "postgres.h"

#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parse_coerce.h"
#include "utils/array.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "descend.h"
#include "bound/aggregate.h"
#include "guard/guard.h"
#include "guard/make_call.h"
#include "guard/query_level.h"

#define MOST_CANDIDATES 256

typedef struct ChoiceContext
{
	PaGuard    *guard;
	int			level;			/* sublinks between here and the query */
	Aggref	   *call;			/* the one dp_choose */
	int			location;		/* of what cannot be beside it; -2: there is nothing */
} ChoiceContext;

static void
find_call(const Query *query, ChoiceContext *context)
{
	ListCell   *cell;

	foreach(cell, pa_aggregates_of(query))
	{
		Aggref	   *call = lfirst_node(Aggref, cell);
		PaAggregateKind kind;

		if (!pa_aggregate_kind(call->aggfnoid, &kind) || kind != PA_AGG_CHOOSE || (context->call && !equal(context->call, call)))
			context->location = call->location;
		else
			context->call = call;
	}
}

static Node *
argument_of(const Aggref *call, int position)
{
	return (Node *) ((TargetEntry *) list_nth(call->args, position))->expr;
}

/* --- arrays --- */

static List *
constants_of(const Const *constant)
{
	ArrayType  *array = DatumGetArrayTypeP(constant->constvalue);
	Oid			type = ARR_ELEMTYPE(array);
	Datum	   *values;
	bool	   *nulls;
	int			count;
	int16		length;
	bool		by_value;
	char		align;
	List	   *elements = NIL;

	get_typlenbyvalalign(type, &length, &by_value, &align);
	deconstruct_array(array, type, length, by_value, align, &values, &nulls, &count);
	for (int i = 0; i < count; i++)
		elements = lappend(elements, makeConst(type, -1, constant->constcollid, length, values[i], nulls[i], by_value));
	return elements;
}

/* An array that is written out, also where its elements are converted; NIL for any other. */
static List *
elements_of(Node *node)
{
	List	   *elements = NIL;

	pa_descend();
	if (IsA(node, ArrayExpr) && !((ArrayExpr *) node)->multidims)
		return ((ArrayExpr *) node)->elements;
	if (IsA(node, Const) && !((Const *) node)->constisnull)
		return constants_of((Const *) node);
	if (IsA(node, ArrayCoerceExpr))
	{
		ListCell   *cell;
		Oid			type = get_element_type(exprType(node));

		foreach(cell, elements_of((Node *) ((ArrayCoerceExpr *) node)->arg))
		{
			Node	   *element = lfirst(cell);

			element = coerce_to_target_type(NULL, element, exprType(element), type, -1, COERCION_IMPLICIT, COERCE_IMPLICIT_CAST, -1);
			if (element == NULL)
				return NIL;
			elements = lappend(elements, element);
		}
	}
	return elements;
}

static List *
candidates_of(const ChoiceContext *context)
{
	Node	   *array = argument_of(context->call, 0);

	if (contain_var_clause(array) || contain_subplans(array) || contain_agg_clause(array))
		pa_refuse(context->guard, context->call->location, "The candidates of dp_choose are not constant.",
				  "Declare them in the query, as in dp_choose(ARRAY['a', 'b'], ARRAY[x, y], 0, 10).");
	return elements_of(array);
}

static List *
scores_of(const ChoiceContext *context, int candidates)
{
	List	   *scores = elements_of(argument_of(context->call, 1));

	if (candidates < 2 || candidates > MOST_CANDIDATES || list_length(scores) != candidates)
		pa_refuse(context->guard, context->call->location,
				  psprintf("dp_choose takes from 2 to %d candidates, and a score for each, both as arrays that are written out.", MOST_CANDIDATES),
				  "Write them, as in dp_choose(ARRAY['a', 'b'], ARRAY[x, y], 0, 10): a row adds x to the score of a, and y to that of b.");
	return scores;
}

/* --- the expression that takes its place --- */

static Node *
options_of(const Aggref *call)
{
	return list_length(call->args) > 4 ? copyObject(argument_of(call, 4)) : pa_no_options(call->location);
}

/* Whether the score of a candidate was drawn. */
static Node *
is_drawn(const ChoiceContext *context, Node *score, int number)
{
	const Aggref *call = context->call;
	Node	   *index = (Node *) makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(number), false, true);
	Node	   *zero = (Node *) makeConst(FLOAT8OID, -1, InvalidOid, sizeof(float8), Float8GetDatum(0), false, FLOAT8PASSBYVAL);
	Aggref	   *drawn = pa_make_call(pa_candidate_aggregate(), FLOAT8OID, InvalidOid,
									 list_make5(copyObject(score), copyObject(argument_of(call, 2)), copyObject(argument_of(call, 3)),
												index, options_of(call)), call->location);

	drawn->agglevelsup = context->level;
	return (Node *) makeFuncExpr(F_FLOAT8GT, BOOLOID, list_make2(drawn, zero), InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
}

static Node *
choice_of(const ChoiceContext *context)
{
	List	   *candidates = candidates_of(context);
	List	   *scores = scores_of(context, list_length(candidates));
	CaseExpr   *choice = makeNode(CaseExpr);

	choice->casetype = context->call->aggtype;
	choice->casecollid = context->call->aggcollid;
	choice->location = context->call->location;
	for (int i = 0; i < list_length(candidates); i++)
	{
		CaseWhen   *when = makeNode(CaseWhen);

		when->expr = (Expr *) is_drawn(context, list_nth(scores, i), i + 1);
		when->result = copyObject(list_nth(candidates, i));
		when->location = -1;
		choice->args = lappend(choice->args, when);
	}
	choice->defresult = (Expr *) makeNullConst(choice->casetype, -1, choice->casecollid);
	return (Node *) choice;
}

static Node *
replacement(Node *node, int level, void *data)
{
	ChoiceContext *context = data;

	if (!IsA(node, Aggref) || ((Aggref *) node)->agglevelsup != level)
		return NULL;
	context->level = level;
	return choice_of(context);
}

void
pa_expand_choice(PaGuard *guard, Query *query)
{
	ChoiceContext context = {.guard = guard,.location = -2};

	find_call(query, &context);
	if (context.call == NULL)
		return;
	if (context.location != -2)
		pa_refuse(guard, context.location, "A block with dp_choose has another aggregate.",
				  "Ask for it in a subquery of its own and join the results.");
	if (context.call->aggfilter || context.call->aggdistinct || context.call->aggorder)
		pa_refuse(guard, context.call->location, "dp_choose has FILTER, DISTINCT or ORDER BY.", "Put the condition into WHERE.");
	if (query->groupingSets)
		pa_refuse_grouping_sets(guard, query);
	query->targetList = (List *) pa_replace_at_level((Node *) query->targetList, replacement, &context);
	query->havingQual = pa_replace_at_level(query->havingQual, replacement, &context);
}
