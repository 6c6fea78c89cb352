/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rephrase.c
 *		See rephrase.h.
 *
 *	 text || x			text || x::text, as the function behind the operator has it
 *	 concat(x, y)		coalesce(x, '') || coalesce(y, ''), of what x and y print
 *	 count('x')			count('x'::text)
 *	 f(constants)		what it comes to (constant_call.h); so x LIKE p ESCAPE e becomes x LIKE p, with e written as a backslash
 *	 a IS NOT DISTINCT FROM b, and longer forms of it
 *						a = b, where one is never null (null_safe.c)
 *	 EXISTS (SELECT DISTINCT x FROM s ORDER BY y LIMIT 1)
 *						EXISTS (SELECT FROM s)
 *	 EXISTS (SELECT FROM s WHERE s.a = x AND p)
 *						(x IN (SELECT s.a FROM s WHERE p)) IS TRUE
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parse_coerce.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "allow/allowlist.h"
#include "descend.h"
#include "guard/call_work.h"
#include "guard/constant_call.h"
#include "guard/parameters.h"
#include "guard/related.h"
#include "guard/rephrase.h"

/* --- || and concat() --- */

static Node *
joined(Node *left, Node *right, Oid collation, Oid input_collation, int location)
{
	OpExpr	   *join = makeNode(OpExpr);

	join->opno = OpernameGetOprid(list_make2(makeString("pg_catalog"), makeString("||")), TEXTOID, TEXTOID);
	join->opfuncid = F_TEXTCAT;
	join->opresulttype = TEXTOID;
	join->opcollid = collation;
	join->inputcollid = input_collation;
	join->args = list_make2(left, right);
	join->location = location;
	return (Node *) join;
}

/* As a cast that is written. */
static Node *
cast_to_text(Node *value)
{
	Node	   *text = coerce_to_target_type(NULL, value, exprType(value), TEXTOID, -1, COERCION_EXPLICIT, COERCE_EXPLICIT_CAST, -1);

	if (text != value && !OidIsValid(exprCollation(text)))
		exprSetCollation(text, OidIsValid(exprCollation(value)) ? exprCollation(value) : DEFAULT_COLLATION_OID);
	return text;
}

/* As the type prints it, which of a boolean and of char(n) is not what the cast makes of it. */
static Node *
printed(Node *value)
{
	CoerceViaIO *print;

	if (pa_is_text_type(exprType(value)))
		return exprType(value) == TEXTOID ? value :
			(Node *) makeRelabelType((Expr *) value, TEXTOID, -1, exprCollation(value), COERCE_EXPLICIT_CAST);
	print = makeNode(CoerceViaIO);
	print->arg = (Expr *) value;
	print->resulttype = TEXTOID;
	print->resultcollid = DEFAULT_COLLATION_OID;
	print->coerceformat = COERCE_EXPLICIT_CAST;
	print->location = exprLocation(value);
	return (Node *) print;
}

static Node *
nothing(Oid collation)
{
	return (Node *) makeConst(TEXTOID, -1, collation, -1, CStringGetTextDatum(""), false, false);
}

static Node *
or_nothing(Node *text)
{
	CoalesceExpr *either = makeNode(CoalesceExpr);

	either->coalescetype = TEXTOID;
	either->coalescecollid = exprCollation(text);
	either->args = list_make2(text, nothing(exprCollation(text)));
	either->location = exprLocation(text);
	return (Node *) either;
}

static bool
is_null(const Node *value)
{
	return IsA(value, Const) && ((const Const *) value)->constisnull;
}

/* What is quoted has no type as an argument of concat(). */
static List *
quoted_as_text(List *values)
{
	List	   *known = NIL;
	ListCell   *cell;

	foreach(cell, values)
		known = lappend(known, exprType(lfirst(cell)) == UNKNOWNOID ?
						coerce_type(NULL, lfirst(cell), UNKNOWNOID, TEXTOID, -1, COERCION_IMPLICIT, COERCE_IMPLICIT_CAST, -1) : lfirst(cell));
	return known;
}

static bool
all_allowed(List *values)
{
	ListCell   *cell;

	foreach(cell, values)
		if (!pa_type_allowed(exprType(lfirst(cell))) && !is_null(lfirst(cell)))
			return false;
	return true;
}

static Node *
concatenation(const FuncExpr *call, List *values)
{
	Node	   *all = NULL;
	Oid			input_collation = OidIsValid(call->inputcollid) ? call->inputcollid : call->funccollid;
	ListCell   *cell;

	foreach(cell, values)
	{
		Node	   *next = is_null(lfirst(cell)) ? nothing(DEFAULT_COLLATION_OID) : or_nothing(printed(lfirst(cell)));

		all = all ? joined(all, next, call->funccollid, input_collation, call->location) : next;
	}
	return all;
}

/* || of a text and another type, by the function behind it. */
static Node *
join_with_other(Oid function, List *args, Oid collation, Oid input_collation, int location)
{
	Node	   *left = linitial(args);
	Node	   *right = lsecond(args);

	if (function == F_TEXTANYCAT)
		right = cast_to_text(right);
	else
		left = cast_to_text(left);
	return joined(left, right, collation, input_collation, location);
}

/* --- EXISTS --- */

/* A limit that lets a row pass, if there is one. */
static bool
lets_one_pass(PaGuard *guard, Node *limit)
{
	bool		waits;
	const Const *value = pa_constant(guard, limit, &waits);

	guard->waits |= waits;
	return waits || (value && (value->constisnull || DatumGetInt64(value->constvalue) > 0));
}

/* Whether there is a row does not depend on their order, nor on how many there are beside it. */
static void
drop_what_makes_no_difference(PaGuard *guard, Query *query)
{
	if (query->limitCount && !query->limitOffset && lets_one_pass(guard, query->limitCount))
		query->limitCount = NULL;
	if (query->limitCount || query->limitOffset || query->hasTargetSRFs || query->hasAggs || query->groupClause || query->groupingSets || query->havingQual)
		return;
	query->distinctClause = NIL;
	query->hasDistinctOn = false;
	query->sortClause = NIL;
}

static Node *
parameter_for(const Node *value, int number)
{
	Param	   *parameter = makeNode(Param);

	parameter->paramkind = PARAM_SUBLINK;
	parameter->paramid = number;
	parameter->paramtype = exprType(value);
	parameter->paramtypmod = exprTypmod(value);
	parameter->paramcollid = exprCollation(value);
	parameter->location = -1;
	return (Node *) parameter;
}

/* A comparison of a column outside, first, with one of the subquery; NULL: it is something else. */
static OpExpr *
as_related(Node *condition)
{
	OpExpr	   *test = (OpExpr *) condition;
	Node	   *left;
	Node	   *right;

	if (!IsA(condition, OpExpr) || list_length(test->args) != 2)
		return NULL;
	left = linitial(test->args);
	right = lsecond(test->args);
	if (contain_vars_of_level(left, 0) && !contain_vars_of_level(left, 1))
	{
		if (!OidIsValid(get_commutator(test->opno)))
			return NULL;
		test = copyObject(test);
		CommuteOpExpr(test);
		left = linitial(test->args);
		right = lsecond(test->args);
	}
	if (contain_vars_of_level(left, 0) || contain_vars_of_level(right, 1) || !op_hashjoinable(test->opno, exprType(left)))
		return NULL;
	return test;
}

/* Takes the conditions that refer to the row outside from the subquery's WHERE; NIL if something else does, too. */
static List *
take_related(Query *subquery)
{
	List	   *rest = NIL;
	List	   *related = NIL;
	ListCell   *cell;

	foreach(cell, make_ands_implicit((Expr *) subquery->jointree->quals))
	{
		OpExpr	   *test = contain_vars_of_level(lfirst(cell), 1) ? as_related(lfirst(cell)) : NULL;

		if (test)
			related = lappend(related, test);
		else
			rest = lappend(rest, lfirst(cell));
	}
	subquery->jointree->quals = rest ? (Node *) make_ands_explicit(rest) : NULL;
	subquery->targetList = NIL;
	return contain_vars_of_level((Node *) subquery, 1) ? NIL : related;
}

/* What cannot be written in this way is left as it is, and refused by whoever reads it. */
static Node *
membership(PaGuard *guard, SubLink *exists)
{
	Query	   *subquery = copyObject(castNode(Query, exists->subselect));
	BooleanTest *found;
	SubLink    *in;
	List	   *tests = NIL;
	ListCell   *cell;

	if (!pa_is_plain(subquery) || pa_names_protected((Node *) subquery, guard) || !contain_vars_of_level((Node *) subquery, 1))
		return (Node *) exists;
	foreach(cell, take_related(subquery))
	{
		OpExpr	   *test = copyObject(lfirst_node(OpExpr, cell));
		Node	   *inside = lsecond(test->args);

		subquery->targetList = lappend(subquery->targetList,
									   makeTargetEntry((Expr *) inside, list_length(subquery->targetList) + 1, pstrdup("key"), false));
		test->args = list_make2(pa_as_outside(linitial(test->args)), parameter_for(inside, list_length(subquery->targetList)));
		tests = lappend(tests, test);
	}
	if (tests == NIL)
		return (Node *) exists;
	in = copyObject(exists);
	in->subLinkType = ANY_SUBLINK;
	in->testexpr = (Node *) make_ands_explicit(tests);
	in->subselect = (Node *) subquery;
	found = makeNode(BooleanTest);
	found->arg = (Expr *) in;
	found->booltesttype = IS_TRUE;
	found->location = exists->location;
	return (Node *) found;
}

/* --- the query --- */

/* What is quoted has no type as an argument of count() either. */
static void
count_as_text(Aggref *count)
{
	TargetEntry *entry = linitial_node(TargetEntry, count->args);

	entry->expr = linitial(quoted_as_text(list_make1(entry->expr)));
	linitial_oid(count->aggargtypes) = exprType((Node *) entry->expr);
}

static Node *
rephrase_mutator(Node *node, PaGuard *guard)
{
	pa_descend();
	if (node == NULL)
		return NULL;
	if (IsA(node, Query))
	{
		(void) query_tree_mutator((Query *) node, rephrase_mutator, guard, QTW_DONT_COPY_QUERY);
		pa_settle_null_safe((Query *) node);
		return node;
	}
	node = expression_tree_mutator(node, rephrase_mutator, guard);
	if (IsA(node, FuncExpr))
	{
		FuncExpr   *call = (FuncExpr *) node;

		if (call->funcid == F_CONCAT && !call->funcvariadic)
		{
			List	   *values = quoted_as_text(call->args);

			if (all_allowed(values))
				return concatenation(call, values);
		}
		if ((call->funcid == F_TEXTANYCAT || call->funcid == F_ANYTEXTCAT) && all_allowed(call->args))
			return join_with_other(call->funcid, call->args, call->funccollid, call->inputcollid, call->location);
		return pa_constant_call(guard, node);
	}
	if (IsA(node, OpExpr))
	{
		OpExpr	   *join = (OpExpr *) node;

		set_opfuncid(join);
		if ((join->opfuncid == F_TEXTANYCAT || join->opfuncid == F_ANYTEXTCAT) && all_allowed(join->args))
			return join_with_other(join->opfuncid, join->args, join->opcollid, join->inputcollid, join->location);
		return pa_constant_call(guard, node);
	}
	if (IsA(node, Aggref) && ((Aggref *) node)->aggfnoid == F_COUNT_ANY)
		count_as_text((Aggref *) node);
	if (IsA(node, SubLink) && ((SubLink *) node)->subLinkType == EXISTS_SUBLINK)
	{
		drop_what_makes_no_difference(guard, castNode(Query, ((SubLink *) node)->subselect));
		return membership(guard, (SubLink *) node);
	}
	return node;
}

void
pa_rephrase(PaGuard *guard, Query *query)
{
	(void) rephrase_mutator((Node *) query, guard);
}
