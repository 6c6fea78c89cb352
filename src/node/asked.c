/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * asked.c
 *		See asked.h.
 */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/pg_class.h"
#include "executor/executor.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "allow/allowlist.h"
#include "bound/aggregate.h"
#include "compat/not_null.h"
#include "node/asked.h"
#include "node/digest.h"
#include "node/leaf.h"
#include "descend.h"
#include "tree_text.h"

/* --- what is known at execution --- */

typedef struct Known
{
	List	   *expressions;
	List	   *values;			/* constants, in the same order */
} Known;

static Const *
value_of(Expr *expression, ExprContext *context)
{
	Oid			type = exprType((Node *) expression);
	int16		length;
	bool		by_value;
	bool		isnull;
	Datum		value = ExecEvalExprSwitchContext(ExecInitExpr(expression, NULL), context, &isnull);

	get_typlenbyval(type, &length, &by_value);
	if (!isnull && length == -1)
		value = PointerGetDatum(PG_DETOAST_DATUM_COPY(value));
	return makeConst(type, exprTypmod((Node *) expression), exprCollation((Node *) expression), length, value, isnull, by_value);
}

static Node *
put_in_mutator(Node *node, Known *known)
{
	ListCell   *expression;
	ListCell   *value;

	pa_descend();
	if (node == NULL)
		return NULL;
	forboth(expression, known->expressions, value, known->values)
		if (equal(node, lfirst(expression)))
			return copyObject(lfirst(value));
	if (IsA(node, Query))
		return (Node *) query_tree_mutator((Query *) node, put_in_mutator, known, 0);
	return expression_tree_mutator(node, put_in_mutator, known);
}

static Known
evaluate(const PaLeafSpec *spec, List *written, List *expressions, ExprContext *context)
{
	Known		known = {written, NIL};

	if (list_length(written) != spec->nvalues)
		elog(ERROR, "a question has other values than its leaf");
	for (int i = 0; i < spec->nvalues; i++)
		known.values = lappend(known.values, value_of(list_nth(expressions, spec->first_value + i), context));
	return known;
}

/* --- the parts --- */

/* A constant is compared with from the right. */
static bool
commute_walker(Node *node, void *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, OpExpr) && list_length(((OpExpr *) node)->args) == 2 && IsA(linitial(((OpExpr *) node)->args), Const) &&
		!IsA(lsecond(((OpExpr *) node)->args), Const) && OidIsValid(get_commutator(((OpExpr *) node)->opno)))
		CommuteOpExpr((OpExpr *) node);
	return expression_tree_walker(node, commute_walker, context);
}

/* One form of what is written in several: constants are computed, too. */
static Node *
simple(Node *node)
{
	Node	   *computed = eval_const_expressions(NULL, node);

	(void) commute_walker(computed, NULL);
	return computed;
}

static List *
take_keys(const PaLeafSpec *spec, const Query *leaf)
{
	List	   *keys = NIL;

	for (int i = 0; i < spec->nkeys; i++)
		keys = lappend(keys, simple((Node *) get_sortgroupref_tle((Index) spec->keys[i].reference, leaf->targetList)->expr));
	return keys;
}

static List *
take_values(const PaLeafSpec *spec, const Query *leaf)
{
	List	   *values = NIL;

	for (int i = 0; i < spec->naggregates; i++)
	{
		const TargetEntry *entry = list_nth(leaf->targetList, spec->aggregates[i].column - 1);

		values = lappend(values, simple(pa_aggregate_argument(castNode(Aggref, entry->expr), PA_ARG_VALUE)));
	}
	return values;
}

static List *
take_conditions(Query *leaf)
{
	List	   *conditions = NIL;
	ListCell   *cell;

	foreach(cell, make_ands_implicit((Expr *) simple(leaf->jointree->quals)))
		conditions = list_append_unique(conditions, lfirst(cell));
	return conditions;
}

static const Query *
take_rows(const Query *leaf)
{
	Query	   *rows = makeNode(Query);

	rows->commandType = CMD_SELECT;
	rows->rtable = leaf->rtable;
	rows->jointree = makeFromExpr(leaf->jointree->fromlist, NULL);
	return rows;
}

/* Whose rows these are. */
static void
take_source(const PaRelease *release, PaAsked *asked)
{
	PaDigest	digest;

	pa_digest_begin(&digest, PA_SOURCE_BYTES);
	pa_digest_text(&digest, pa_tree_text(asked->rows));
	pa_digest_policies(&digest, release);
	pa_digest_settings(&digest);
	pa_digest_end(&digest, asked->source, PA_SOURCE_BYTES);
}

PaAsked *
pa_asked(const PaRelease *release, List *expressions, ExprContext *context)
{
	const PaLeafSpec *spec = release->spec;
	PaAsked    *asked;
	List	   *parts;
	Query	   *leaf;
	Known		known;

	if (spec->parts == NULL || spec->parts[0] == '\0')
		return NULL;
	parts = stringToNode(unconstify(char *, spec->parts));
	known = evaluate(spec, lsecond(parts), expressions, context);
	leaf = castNode(Query, put_in_mutator(linitial(parts), &known));
	asked = palloc0(sizeof(PaAsked));
	asked->conditions = take_conditions(leaf);
	asked->keys = take_keys(spec, leaf);
	asked->values = take_values(spec, leaf);
	asked->rows = take_rows(leaf);
	take_source(release, asked);
	return asked;
}

/* --- columns --- */

/* The table that an expression is a column of; NULL: it is something else. */
static const RangeTblEntry *
table_of(const PaAsked *asked, Node *expression)
{
	const RangeTblEntry *rte;

	if (!IsA(expression, Var) || ((Var *) expression)->varlevelsup > 0)
		return NULL;
	rte = rt_fetch(((Var *) expression)->varno, asked->rows->rtable);
	return rte->rtekind == RTE_RELATION ? rte : NULL;
}

const char *
pa_asked_name(const PaAsked *asked, Node *expression)
{
	const RangeTblEntry *rte = table_of(asked, expression);

	return rte ? get_attname(rte->relid, ((Var *) expression)->varattno, false) : "an expression";
}

/* The only table, which is not joined: its place in the range table; 0: there are others. */
static Index
only_table(const PaAsked *asked)
{
	List	   *from = asked->rows->jointree->fromlist;
	Index		place;

	if (list_length(from) != 1 || !IsA(linitial(from), RangeTblRef))
		return 0;
	place = (Index) ((RangeTblRef *) linitial(from))->rtindex;
	return rt_fetch(place, asked->rows->rtable)->rtekind == RTE_RELATION ? place : 0;
}

bool
pa_asked_never_null(const PaAsked *asked, Node *expression)
{
	const RangeTblEntry *rte = table_of(asked, expression);

	return rte != NULL && only_table(asked) != 0 && pa_column_is_not_null(rte->relid, ((Var *) expression)->varattno);
}

/* Of it a check says the same of a row today as when the row was written, to everybody, without an error or others' code. */
static bool
refuses_function(Oid function, void *context)
{
	int			constants;

	return pa_function_class(function, &constants) != PA_FUNCTION_TOTAL || constants != 0;
}

static bool
is_plain(const Node *node)
{
	static const NodeTag plain[] = {
		T_List, T_Var, T_Const, T_BoolExpr, T_NullTest, T_BooleanTest, T_RelabelType, T_FuncExpr, T_OpExpr, T_DistinctExpr,
		T_ScalarArrayOpExpr, T_ArrayExpr, T_ArrayCoerceExpr, T_CaseTestExpr
	};

	for (int i = 0; i < lengthof(plain); i++)
		if (nodeTag(node) == plain[i])
			return true;
	return false;
}

static bool
uncertain_walker(Node *node, void *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	return !is_plain(node) || check_functions_in_node(node, refuses_function, NULL) ||
		expression_tree_walker(node, uncertain_walker, context);
}

static bool
is_certain(Node *check)
{
	return !contain_mutable_functions(check) && !uncertain_walker(check, NULL);
}

/* What partitions and children need not keep to, and what was not validated, may be false of a row. */
List *
pa_asked_checks(const PaAsked *asked)
{
	Index		place = only_table(asked);
	Relation	table;
	const TupleConstr *constraints;
	List	   *checks = NIL;

	if (place == 0)
		return NIL;
	table = relation_open(rt_fetch(place, asked->rows->rtable)->relid, AccessShareLock);
	constraints = RelationGetDescr(table)->constr;
	for (int i = 0; constraints && i < constraints->num_check; i++)
	{
		Node	   *check;

		if (!constraints->check[i].ccvalid || constraints->check[i].ccnoinherit)
			continue;
		check = stringToNode(constraints->check[i].ccbin);
		if (!is_certain(check))
			continue;
		ChangeVarNodes(check, 1, (int) place, 0);
		checks = lappend(checks, simple(check));
	}
	relation_close(table, AccessShareLock);
	return checks;
}
