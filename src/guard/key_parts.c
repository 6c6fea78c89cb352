/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * key_parts.c
 *		See key_parts.h.
 *
 *	 SELECT DISTINCT n_name, year(day) FROM nation, supplier, days WHERE s_nation = n_nation
 *
 * has every supplier with every day.  What conditions tie together is a part; each part
 * is made distinct by itself, and only what is left of them is combined:
 *
 *	 SELECT DISTINCT a, b FROM (SELECT DISTINCT n_name AS a FROM nation, supplier WHERE ...) p,
 *							   (SELECT DISTINCT year(day) AS b FROM days) q
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/prep.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"

#include "compat/planner.h"
#include "guard/guard.h"
#include "guard/key_parts.h"
#include "guard/make_query.h"
#include "guard/subquery_entry.h"

/* --- which --- */

static bool
is_plain_subquery(const Query *query, const Node *item)
{
	const RangeTblEntry *rte;

	if (!IsA(item, RangeTblRef))
		return false;
	rte = rt_fetch(((const RangeTblRef *) item)->rtindex, query->rtable);
	return rte->rtekind == RTE_SUBQUERY && !rte->lateral && !rte->security_barrier && pa_is_plain(rte->subquery);
}

static void
pull_up_all(Query *query)
{
	ListCell   *cell;

	for (bool found = true; found;)
	{
		found = false;
		foreach(cell, query->jointree->fromlist)
			if (is_plain_subquery(query, lfirst(cell)))
			{
				pa_pull_up(query, ((RangeTblRef *) lfirst(cell))->rtindex);
				found = true;
				break;
			}
	}
}

/* The part together with those that the tables tie it to. */
static List *
join_parts(List *parts, Relids tables)
{
	List	   *others = NIL;
	Relids		joined = bms_copy(tables);
	ListCell   *cell;

	foreach(cell, parts)
		if (bms_overlap(lfirst(cell), tables))
			joined = bms_add_members(joined, lfirst(cell));
		else
			others = lappend(others, lfirst(cell));
	return lappend(others, joined);
}

/* Sets of tables that neither a condition nor a key has in common; each holds a key. */
static List *
parts_of(const Query *query)
{
	List	   *parts = NIL;
	Relids		keys = pull_varnos(NULL, (Node *) query->targetList);
	Relids		without_key;
	ListCell   *cell;

	if (bms_is_empty(keys))
		return NIL;
	foreach(cell, query->jointree->fromlist)
		parts = lappend(parts, pa_entries_below(lfirst(cell), true));
	foreach(cell, (List *) query->jointree->quals)
		parts = join_parts(parts, pull_varnos(NULL, lfirst(cell)));
	foreach(cell, query->targetList)
		parts = join_parts(parts, pull_varnos(NULL, lfirst(cell)));
	without_key = bms_make_singleton(bms_next_member(keys, -1));
	foreach(cell, parts)
		if (!bms_overlap(lfirst(cell), keys))
			without_key = bms_add_members(without_key, lfirst(cell));
	return join_parts(parts, without_key);
}

/* --- the queries --- */

/* The key as a column of the query, which is made distinct by it. */
static void
add_key(Query *query, const TargetEntry *key, const List *clauses)
{
	TargetEntry *entry = pa_add_output(query, copyObject((Node *) key->expr));
	SortGroupClause *clause = copyObject(get_sortgroupref_clause(key->ressortgroupref, unconstify(List *, clauses)));

	clause->tleSortGroupRef = entry->ressortgroupref = entry->resno;
	query->distinctClause = lappend(query->distinctClause, clause);
}

/* SELECT DISTINCT the keys FROM the tables of the part WHERE what is said of them */
static Query *
make_part(const Query *query, Relids part, const List *clauses)
{
	Query	   *subquery = copyObject(unconstify(Query *, query));
	FromExpr   *from = makeFromExpr(NIL, NULL);
	List	   *conditions = NIL;
	ListCell   *cell;

	foreach(cell, subquery->jointree->fromlist)
		if (bms_overlap(pa_entries_below(lfirst(cell), true), part))
			from->fromlist = lappend(from->fromlist, lfirst(cell));
	foreach(cell, (List *) subquery->jointree->quals)
		if (bms_overlap(pull_varnos(NULL, lfirst(cell)), part))
			conditions = lappend(conditions, lfirst(cell));
	from->quals = (Node *) make_ands_explicit(conditions);
	subquery->jointree = from;
	subquery->targetList = NIL;
	foreach(cell, query->targetList)
		if (bms_overlap(pull_varnos(NULL, lfirst(cell)), part))
			add_key(subquery, lfirst(cell), clauses);
	return subquery;
}

/* A column of the entry of its part. */
static Expr *
read_key(Node *key, const List *parts, int *columns)
{
	Relids		tables = pull_varnos(NULL, key);
	const ListCell *cell;

	foreach(cell, parts)
	{
		int			part = foreach_current_index(cell);

		if (bms_overlap(tables, lfirst(cell)))
			return (Expr *) makeVar(part + 1, ++columns[part], exprType(key), exprTypmod(key), exprCollation(key), 0);
	}
	return (Expr *) key;		/* a constant */
}

static void
combine(Query *query, const List *parts, const List *clauses)
{
	int		   *columns = palloc0(sizeof(int) * list_length(parts));
	List	   *entries = NIL;
	FromExpr   *from = makeFromExpr(NIL, NULL);
	List	   *conditions = NIL;
	const ListCell *cell;

	foreach(cell, parts)
	{
		entries = lappend(entries, pa_subquery_entry(make_part(query, lfirst(cell), clauses), "part"));
		from->fromlist = lappend(from->fromlist, pa_reference_to(list_length(entries)));
	}
	foreach(cell, (List *) query->jointree->quals)
		if (bms_is_empty(pull_varnos(NULL, lfirst(cell))))
			conditions = lappend(conditions, lfirst(cell));
	from->quals = (Node *) make_ands_explicit(conditions);
	foreach(cell, query->targetList)
	{
		TargetEntry *entry = lfirst(cell);

		entry->expr = read_key((Node *) entry->expr, parts, columns);
	}
	query->rtable = entries;
	query->jointree = from;
}

bool
pa_split_key_query(Query *query, const List *clauses)
{
	List	   *parts;

	pull_up_all(query);
	query->jointree->quals = (Node *) make_ands_implicit((Expr *) query->jointree->quals);
	parts = parts_of(query);
	if (list_length(parts) > 1)
	{
		combine(query, parts, clauses);
		return true;
	}
	query->jointree->quals = (Node *) make_ands_explicit((List *) query->jointree->quals);
	return false;
}
