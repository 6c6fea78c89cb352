/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * periods.c
 *		See periods.h.
 *
 * Points are so close that none of the periods between them is left out: the value of
 * the expression is computed for each.  A day has 23 hours or more, and clocks are
 * changed by quarters of an hour.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "datatype/timestamp.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

#include "compat/not_null.h"
#include "descend.h"
#include "guard/column.h"
#include "guard/make_query.h"
#include "guard/periods.h"

#define MOST_PERIODS 1000000

/* --- which column, which unit --- */

typedef struct Search
{
	const Query *query;
	RangeTblEntry *table;
	AttrNumber	column;
	int64		step;			/* microseconds; 0: none found yet */
	bool		truncated;		/* to that step: there are as many periods as steps */
} Search;

/* The least length of a period; 0: it has no length, or is too short. */
static int64
length_of_unit(const Const *unit, bool truncates)
{
	static const char *const days[] = {"day", "week", "month", "quarter", "year", "decade", "century", "millennium",
	"dow", "isodow", "doy", "isoyear"};
	char	   *name;

	if (unit->constisnull || unit->consttype != TEXTOID)
		return 0;
	name = TextDatumGetCString(unit->constvalue);
	for (int i = 0; i < lengthof(days); i++)
		if (pg_strcasecmp(name, days[i]) == 0)
			return USECS_PER_DAY;
	if (pg_strcasecmp(name, "hour") == 0)
		return USECS_PER_HOUR;
	if (pg_strcasecmp(name, "minute") == 0)
		return USECS_PER_MINUTE;
	return truncates && pg_strcasecmp(name, "second") == 0 ? USECS_PER_SEC : 0;
}

static bool
is_time(Oid type)
{
	return type == DATEOID || type == TIMESTAMPOID || type == TIMESTAMPTZOID;
}

/* Without changes from one type of times to another. */
static Node *
strip(Node *node)
{
	for (;;)
	{
		FuncExpr   *call = (FuncExpr *) node;

		if (IsA(node, RelabelType))
			node = (Node *) ((RelabelType *) node)->arg;
		else if (IsA(node, FuncExpr) && call->funcformat != COERCE_EXPLICIT_CALL && list_length(call->args) == 1 &&
				 is_time(call->funcresulttype) && is_time(exprType(linitial(call->args))))
			node = linitial(call->args);
		else
			return node;
	}
}

/* The column behind the argument of a period: of a protected table, and always the same. */
static bool
take_column(Search *search, const Query *query, Node *argument)
{
	const Query *inner = query;
	Node	   *node = strip(argument);
	PaColumn	column;

	while (IsA(node, Var))
	{
		const Query *next;
		Node	   *behind = ((Var *) node)->varlevelsup == 0 ? pa_behind_column(inner, (Var *) node, &next) : NULL;

		if (behind == NULL)
			break;
		node = strip(behind);
		inner = next;
	}
	column = pa_column_of(inner, node);
	if (column.table == NULL || column.attnum <= 0 || !is_time(exprType(node)) ||
		(search->table && (search->table != column.table || search->column != column.attnum)))
		return false;
	search->table = column.table;
	search->column = column.attnum;
	return true;
}

/* True if the call is a period that can be listed; *periods if it is one at all. */
static bool
take_period(Search *search, const Query *query, const FuncExpr *call, bool *period)
{
	const char *name = get_func_name(call->funcid);
	bool		truncates = strcmp(name, "date_trunc") == 0;
	int64		step;

	*period = call->funcid < FirstGenbkiObjectId && list_length(call->args) >= 2 &&
		(truncates || strcmp(name, "extract") == 0 || strcmp(name, "date_part") == 0);
	if (!*period)
		return true;
	if (!IsA(linitial(call->args), Const) || !take_column(search, query, lsecond(call->args)))
		return false;
	step = length_of_unit(linitial(call->args), truncates);
	if (search->step == 0 || step < search->step)
		search->step = step;
	search->truncated |= truncates;
	return step > 0;
}

static bool
search_walker(Node *node, Search *search)
{
	const Query *inner;
	bool		period;

	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, FuncExpr))
	{
		if (!take_period(search, search->query, (FuncExpr *) node, &period))
			return true;
		if (period)
			return false;
	}
	if (IsA(node, Var))
	{
		const Query *outer = search->query;
		Node	   *behind = ((Var *) node)->varlevelsup == 0 ? pa_behind_column(outer, (Var *) node, &inner) : NULL;
		bool		stop;

		if (behind == NULL)
			return true;
		search->query = inner;
		stop = search_walker(behind, search);
		search->query = outer;
		return stop;
	}
	if (IsA(node, SubLink) || IsA(node, Aggref) || IsA(node, WindowFunc))
		return true;
	return expression_tree_walker(node, search_walker, search);
}

/* How far apart points are, for periods of the given length. */
static int64
step_for(Oid type, int64 length)
{
	if (type == DATEOID)
		return 1;
	if (length == USECS_PER_DAY)
		return USECS_PER_DAY / 2;
	return length == USECS_PER_HOUR ? USECS_PER_HOUR / 4 : length;
}

double
pa_points_count(const PaPoints *points)
{
	return ((double) points->last - points->first) / points->step + 2;
}

PaPoints *
pa_points_of(const Query *query, Node *expression)
{
	Search		search = {query};
	const PaPolicy *policy;
	const PaBound *bound;
	PaPoints   *points;
	double		unit;

	if (search_walker(expression, &search) || search.table == NULL || search.table->rtekind != RTE_RELATION ||
		(policy = pa_policy_of(search.table->relid)) == NULL || (bound = pa_policy_bound(policy, search.column)) == NULL)
		return NULL;
	points = palloc0(sizeof(PaPoints));
	points->table = search.table;
	points->column = search.column;
	points->type = get_atttype(search.table->relid, search.column);
	points->nullable = !pa_column_is_not_null(search.table->relid, search.column);
	points->exact = points->type == DATEOID;
	points->step = step_for(points->type, search.step);
	unit = points->exact ? 1 : USECS_PER_SEC;
	if ((bound->hi - bound->lo) * unit / points->step > PA_MOST_POINTS ||
		(search.truncated && (bound->hi - bound->lo) * USECS_PER_SEC / search.step > MOST_PERIODS && !points->exact))
		return NULL;
	points->first = (int64) rint(bound->lo * unit);
	points->last = (int64) rint(bound->hi * unit);
	return points;
}

/* --- the points as a query --- */

RangeTblEntry *
pa_both_entry(void)
{
	RangeTblEntry *rte = makeNode(RangeTblEntry);

	rte->rtekind = RTE_VALUES;
	rte->values_lists = list_make2(list_make1(makeBoolConst(true, false)), list_make1(makeBoolConst(false, false)));
	rte->coltypes = list_make1_oid(BOOLOID);
	rte->coltypmods = list_make1_int(-1);
	rte->colcollations = list_make1_oid(InvalidOid);
	rte->eref = makeAlias("both", list_make1(makeString(pstrdup("matched"))));
	rte->inFromCl = true;
	return rte;
}

static Const *
instant(Oid type, int64 microseconds)
{
	return makeConst(type, -1, InvalidOid, sizeof(int64), Int64GetDatum(microseconds), false, FLOAT8PASSBYVAL);
}

static Const *
interval_of(int64 microseconds)
{
	Interval   *interval = palloc0(sizeof(Interval));

	interval->time = microseconds;
	return makeConst(INTERVALOID, -1, InvalidOid, sizeof(Interval), IntervalPGetDatum(interval), false, false);
}

static Oid
type_of_series(const PaPoints *points)
{
	return points->exact ? TIMESTAMPOID : points->type;
}

static int64
scale_of(const PaPoints *points)
{
	return points->exact ? USECS_PER_DAY : 1;
}

/* generate_series(first, last, step), one step too far where the last point is not met. */
static RangeTblEntry *
series_entry(const PaPoints *points)
{
	RangeTblEntry *rte = makeNode(RangeTblEntry);
	RangeTblFunction *function = makeNode(RangeTblFunction);
	Oid			type = type_of_series(points);
	int64		scale = scale_of(points);
	FuncExpr   *call = makeFuncExpr(type == TIMESTAMPOID ? F_GENERATE_SERIES_TIMESTAMP_TIMESTAMP_INTERVAL :
									F_GENERATE_SERIES_TIMESTAMPTZ_TIMESTAMPTZ_INTERVAL, type,
									list_make3(instant(type, points->first * scale),
											   instant(type, (points->last + points->step - 1) * scale),
											   interval_of(points->step * scale)),
									InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);

	call->funcretset = true;
	function->funcexpr = (Node *) call;
	function->funccolcount = 1;
	rte->rtekind = RTE_FUNCTION;
	rte->functions = list_make1(function);
	rte->eref = makeAlias("series", list_make1(makeString(pstrdup("point"))));
	rte->inFromCl = true;
	return rte;
}

/* The point as a value of the column: dates are cast, others do not go beyond the last one; null stays null. */
static Expr *
point_of(const PaPoints *points, int rtindex)
{
	Oid			type = type_of_series(points);
	Var		   *point = makeVar(rtindex, 1, type, -1, InvalidOid, 0);

	if (points->exact)
		return (Expr *) makeFuncExpr(F_DATE_TIMESTAMP, DATEOID, list_make1(point), InvalidOid, InvalidOid, COERCE_EXPLICIT_CAST);
	return (Expr *) makeFuncExpr(type == TIMESTAMPOID ? F_TIMESTAMP_SMALLER : F_TIMESTAMPTZ_SMALLER, type,
								 list_make2(point, instant(type, points->last)), InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
}

/* Adds the series to FROM; null is one point more where the column may be null. */
static Expr *
add_points(Query *query, const PaPoints *points)
{
	Node	   *series;
	JoinExpr   *join;
	int			rtindex;

	query->rtable = lappend(query->rtable, series_entry(points));
	rtindex = list_length(query->rtable);
	series = (Node *) pa_reference_to(rtindex);
	if (points->nullable)
	{
		query->rtable = lappend(query->rtable, pa_both_entry());
		join = makeNode(JoinExpr);
		join->jointype = JOIN_LEFT;
		join->larg = (Node *) pa_reference_to(list_length(query->rtable));
		join->rarg = series;
		join->quals = (Node *) makeVar(list_length(query->rtable), 1, BOOLOID, -1, InvalidOid, 0);
		series = (Node *) join;
	}
	query->jointree->fromlist = lappend(query->jointree->fromlist, series);
	return point_of(points, rtindex);
}

Query *
pa_points_query(const RangeTblEntry *table, List *points)
{
	Query	   *query = pa_make_query();
	int			columns = pa_table_columns(table->relid);

	for (int i = 1; i <= columns; i++)
	{
		Expr	   *value = NULL;
		ListCell   *cell;

		foreach(cell, points)
			if (((PaPoints *) lfirst(cell))->column == i)
				value = add_points(query, lfirst(cell));
		if (value == NULL)
			value = (Expr *) makeNullConst(INT4OID, -1, InvalidOid);
		query->targetList = lappend(query->targetList, makeTargetEntry(value, i, psprintf("c%d", i), false));
	}
	return query;
}
