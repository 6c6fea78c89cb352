/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * guard.h
 *		The planner's side: what a statement may ask of protected tables.
 *
 * A protected block is one SELECT with aggregates (or GROUP BY, or DISTINCT)
 * whose FROM reads a protected table.  The guard splits it in two:
 *
 *	 outer	what the user wrote, over the columns of the leaf; any SQL
 *	 leaf	SELECT keys, aggregates FROM ... WHERE ... GROUP BY keys OFFSET 0,
 *			fully validated, with the protected table stamped to be read as
 *			privacct_reader and one marker aggregate that says whose rows they are
 *
 * OFFSET 0 keeps the planner from pushing anything of the outer query down.
 * node/leaf_path.c turns the leaf into one plan node.  Should anything else
 * ever execute a leaf, the marker aggregate raises an error.
 */
#ifndef PA_GUARD_H
#define PA_GUARD_H

#include "postgres.h"

#include "nodes/parsenodes.h"

#include "catalog/policy.h"

typedef struct PaGuard
{
	const char *source;			/* text of the statement, for error positions; may be NULL */
	const Query *statement;		/* as analysed, and rewritten so far; may be NULL */
	const Query *query;			/* the part that is looked at: errors without a place of their own are there */
	Oid			user;			/* who asks */
	int			blocks;			/* protected blocks rewritten so far */
	int			copied;			/* nodes, by pa_copy() */
} PaGuard;

/* A leaf under construction. */
typedef struct PaBlock
{
	PaGuard    *guard;
	const PaPolicy *policy;		/* of the one protected table in it */
	Query	   *leaf;
	Var		   *owner;			/* the owner column, in terms of the leaf */
	bool		alone;			/* the protected table is read without joins */
	const struct PaBlockRules *rules;	/* what it may contain (block_rules.h) */
	int			entry_use;		/* PA_ENTRY_ flags (node/leaf.h) */
	int			fanout;			/* rows that one protected row becomes by joins, at most */
	List	   *expansions;		/* expansion.c */
} PaBlock;

/* hooks.c: installs planner, executor and utility hooks; called from _PG_init */
extern void pa_guard_init(void);

/* utility.c: installs the hook that sees what event triggers are not told; called by pa_guard_init */
extern void pa_utility_init(void);

/* copy.c: a copy of a node, or an error once the statement has grown too much by copies */
extern void *pa_copy(PaGuard *guard, const void *node);

/* expansion.c: refuses a subquery, those in it being counted, with columns that are made of too many others */
extern void pa_count_columns(PaBlock *block, const Query *query);

/* row_locks.c: refuses to show whether rows of a protected table refer to those of the table that is read */
extern void pa_refuse_row_locks(const RangeTblEntry *rte);

/* rights.c: refuses commands that would lock a table before they look at the rights that are needed */
extern void pa_require_rights(const Node *statement);

/* locks.c: refuses commands that would lock what is written with protected rows, by whoever may not read these */
extern void pa_refuse_locks(const Node *statement);

/* owner_type.c: refuses a new type of an owner column that might give two owners one name */
extern void pa_before_alter_table(const AlterTableStmt *statement);

/*
 * drop_extension.c: a command begins, and ends with what its begin returned; in between
 * the drop of the extension is announced once
 */
extern bool pa_drop_begins(void);
extern void pa_drop_ends(bool before);
extern void pa_drop_extension_init(void);

/* reads.c: whether the table is protected from who asks; whether one is named anywhere below */
extern bool pa_is_protected(const PaGuard *guard, const RangeTblEntry *rte);
extern bool pa_names_protected(Node *node, PaGuard *guard);

/* Whether the query reads rows of a protected table, groups them, or hands them up; a table whose rows it reads. */
extern bool pa_reads_rows(const PaGuard *guard, const Query *query);
extern bool pa_groups_rows(const Query *query);
extern bool pa_hands_up_rows(const PaGuard *guard, const Query *query);
extern const RangeTblEntry *pa_table_read(const PaGuard *guard, const Query *query);

/* rewrite.c: rewrites every protected block of the statement in place, or errors out */
extern void pa_guard_rewrite(PaGuard *guard, Query *query);

/* block.c: turns one SELECT that reads protected rows into outer and leaf */
extern void pa_make_block(PaGuard *guard, Query *query);

/* topk.c: a block with dp_topk or dp_mode becomes a query over a block without */
extern void pa_expand_topk(PaGuard *guard, Query *query);

/* flatten.c: merged columns of JOIN USING are written as the columns behind them. */
extern void pa_flatten_joins(Query *query);

/* Views and subqueries that are all of a query's FROM become the table itself. */
extern void pa_flatten_subqueries(Query *query);

/* join.c: an outer join that makes up rows of nobody becomes an inner one. */
extern void pa_keep_owned_rows(Query *leaf);

/* reach.c: the fan-out of the block's joins with public tables; errors out if it is not known, or too large */
extern int	pa_reach_public_tables(const PaBlock *block);

/* sublink.c: subqueries in expressions become joins */
extern void pa_join_sublinks(PaGuard *guard, Query *query);

/* once.c: has conditions of a block, when they are total, evaluated as often as they were written */
extern void pa_evaluate_once(Query *query);

/* Whether the rows of a subquery in FROM are made before a row of another table is read. */
extern bool pa_is_read_first(const Query *subquery);

/* owner.c: finds the one protected table of a block, stamps it, exposes its owner column */
extern void pa_expose_owner(PaBlock *block);

/*
 * The table column behind a Var of the query, through joins and simple
 * subqueries; InvalidAttrNumber if it is not a column of a protected table.
 */
extern AttrNumber pa_protected_column(const PaGuard *guard, const Query *query, const Var *var);

/* aggregate_call.c: the canonical form of an aggregate of the leaf, or an error */
extern Aggref *pa_canonical_aggregate(PaBlock *block, const Aggref *aggref);

/*
 * Bounds and options are computed here, so that they keep their locations: should
 * they be wrong, the executor says where.  To be called when they are total.
 */
extern void pa_keep_places(Query *leaf);

/* A short name for reports. */
extern char *pa_aggregate_label(const PaBlock *block, const Aggref *aggref);

/* validate.c: errors out unless leaf (FROM and WHERE) or expression contain only what is allowed */
extern void pa_validate_from(PaBlock *block, Query *query);
extern void pa_validate_expression(PaBlock *block, const Query *query, Node *expression);

/* objects.c: errors out unless the enum or collation may be used by the block (node/closed_world.h) */
extern void pa_validate_enum(const PaBlock *block, Oid type, int location);
extern void pa_validate_collation(const PaBlock *block, Oid collation, int location);

/* ... and unless it is known by which collation the node compares */
extern void pa_validate_input_collation(const PaBlock *block, Node *node);

/* public.c: errors out unless every other table of the leaf, wherever it stands, was declared public */
extern void pa_validate_public_tables(const PaBlock *block);

/* total.c: replaces partial functions by their total twins, everywhere in the leaf */
extern void pa_make_query_total(Query *query);

/* bounds.c: the interval that contains the expression if columns keep to their declared bounds */
extern bool pa_infer_bounds(const PaBlock *block, const Query *query, Node *expression, double *lo, double *hi);

/* estimate.c: what the planner may know of protected tables */
extern void pa_estimate_init(void);

/* place.c: where in the text the query, or the entry of a query's FROM, stands; of what is in a view, the view; -1: unknown */
extern int	pa_place_of_query(const PaGuard *guard, const Query *query);
extern int	pa_place_of_table(const PaGuard *guard, const RangeTblEntry *entry);

/* The function in FROM of the statement, if there is one only: which one the planner took apart cannot be told. */
extern int	pa_place_of_function(const PaGuard *guard);

/* That of the first expression of the query itself; -1: none is known, as in views. */
extern int	pa_location_of_query(const Query *query);

/* refuse.c: refusals, all with ERRCODE_PA_REFUSED; a location of -1 is that of the query that is looked at */
extern void pa_refuse(const PaGuard *guard, int location, const char *detail, const char *hint) pg_attribute_noreturn();
extern void pa_refuse_table(const PaGuard *guard, const RangeTblEntry *entry, const char *detail, const char *hint) pg_attribute_noreturn();

extern void pa_refuse_grouping_sets(const PaGuard *guard, const Query *query) pg_attribute_noreturn();

/* For use inside ereport(). */
extern int	pa_error_position(const PaGuard *guard, int location);

/* The relation as a statement has to name it under the search_path of the session. */
extern char *pa_name_of_table(Oid relation);

#endif							/* PA_GUARD_H */
