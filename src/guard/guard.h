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

#include "compat/version.h"

#include "nodes/params.h"
#include "nodes/parsenodes.h"
#include "nodes/plannodes.h"

#include "catalog/policy.h"
#include "guard/column.h"

typedef struct PaGuard
{
	const char *source;			/* text of the statement, for error positions; may be NULL */
	const Query *statement;		/* as analysed, and rewritten so far; may be NULL */
	const Query *query;			/* the part that is looked at: errors without a place of their own are there */
	Oid			user;			/* who asks */
	int			blocks;			/* protected blocks rewritten so far */
	int			copied;			/* nodes, by pa_copy() */
	double		expanded;		/* nodes, by pa_bound_expansion() */
	List	   *inputs;			/* PaBlockInput: releases that blocks may read (inputs.h) */
	int			named;			/* of them, with a name and a number; the largest so far */
	List	   *asked;			/* which groups of them are asked for (asked_keys.h) */
	ParamListInfo parameters;	/* their values; NULL: the plan is for any */
	bool		waits;			/* for a value that is not there (parameters.h) */
} PaGuard;

/* A WITH query that reads releases and no rows. */
typedef struct PaBlockInput
{
	const char *name;			/* of no other in the statement */
	const Query *query;			/* as rewritten */
	bool		keyed;			/* it is known that no two rows agree in the keys */
	Bitmapset  *keys;			/* columns; none: it has one row at most */
} PaBlockInput;

/* A protected table in the FROM of a block; or a union of such, by one of its columns that name owners. */
typedef struct PaBlockTable
{
	RangeTblEntry *entry;
	const PaPolicy *policy;		/* NULL: a union */
	const struct PaPathStep *step;	/* NULL: it has the owner column; else how its rows find their owners ... */
	const struct PaBlockTable *parent;	/* ... in this table of the block, in the same joined rows, once it is found */
	AttrNumber	owner;			/* of a union: the column */
} PaBlockTable;

/* A leaf under construction. */
typedef struct PaBlock
{
	PaGuard    *guard;
	List	   *tables;			/* PaBlockTable: the protected tables in it, all of one unit */
	List	   *paths;			/* PaEquality: between tables and those that were joined because owners are there */
	const PaPolicy *policy;		/* of the one whose owners may have most rows */
	Query	   *leaf;
	Var		   *owner;			/* whose row it is, in terms of the leaf */
	bool		alone;			/* one protected table is read, without joins */
	const struct PaBlockRules *rules;	/* what it may contain (block_rules.h) */
	int			entry_use;		/* PA_ENTRY_ flags (node/leaf.h) */
	int			fanout;			/* rows that one protected row becomes by joins, at most */
	Query	   *key_query;		/* lists its groups, as far as public data make them (key_query.c); NULL: they do not */
	List	   *listed_keys;	/* sort-group references of the keys that its columns are */
	List	   *composed_calls; /* aggregates that are computed above it from several in it (composed.h) ... */
	List	   *composed;		/* ... and how */
} PaBlock;

/* hooks.c: installs planner, executor and utility hooks; called from _PG_init */
extern void pa_guard_init(void);

/* privileges.c: what the query asks for, and has to be asked for whatever becomes of it */
extern List *pa_privileges_of(const PaGuard *guard, Query *query);

/* Puts those back that the plan no longer has. */
extern void pa_keep_privileges(PlannedStmt *plan, const List *privileges);

/* utility.c: installs the hook that sees what event triggers are not told; called by pa_guard_init */
extern void pa_utility_init(void);

/* copy.c: a copy of a node, or an error once the statement has grown too much by copies */
extern void *pa_copy(PaGuard *guard, const void *node);

/* generated.c: columns that are computed where they are read become what they are computed from. */
extern void pa_write_generated(Query *query);

/* expansion.c: refuses a block that becomes too large when columns of subqueries are followed to the tables */
extern void pa_bound_expansion(PaGuard *guard, const Query *query);

/* row_locks.c: refuses to show whether rows of a protected table refer to those of the table that is read */
extern void pa_refuse_row_locks(const RangeTblEntry *rte);

/*
 * shared_counters.c: puts constants in the place of what tells a counter of the
 * server, or errors out; true if it did, or would for another role.  What may be
 * executed is asked again of each table.
 */
extern bool pa_guard_counters(const PaGuard *guard, Query *query);
extern void pa_refuse_counters(const RangeTblEntry *rte);
/* whether it reads xmax otherwise than to compare it with 0 */
extern bool pa_shows_row_mark(const Node *expression);

/* row_mark_conditions.c: the trigger (of a table that is not only read) or policy whose condition does; NULL: none */
extern const char *pa_condition_on_row_mark(Oid relation, bool only_read);
extern void pa_row_mark_conditions_init(void);

/*
 * record_fields.c: has functions in PL/pgSQL refused that read xmax from a row; to be
 * called before any may run, because other libraries watch PL/pgSQL as well
 */
extern void pa_watch_record_fields(void);
extern void pa_record_fields_init(void);

/* error_bars.c: adds columns to statements as they are analyzed */
extern void pa_error_bars_init(void);

/* rights.c: refuses commands that would lock a table before they look at the rights that are needed */
extern void pa_require_rights(const Node *statement);

/* locks.c: refuses commands that would lock what is written with protected rows, by whoever may not read these */
extern void pa_refuse_locks(const Node *statement);

/* own_commands.c: before a command, and after it: what concerns the books, and no event trigger sees */
extern void pa_refuse_own_command(const Node *statement);
extern void pa_warn_if_unhinged(const Node *statement);

/* database_marks.c: what tells that a database had books, before a command that might take it ... */
typedef struct PaDatabaseMarks
{
	Oid			database;		/* InvalidOid: the command is about none */
	bool		dropped;		/* books that were dropped have left how far they went */
	bool		tables;			/* are known by their privileges, and go */
} PaDatabaseMarks;

extern PaDatabaseMarks pa_database_marks(const Node *statement);

/* ... and after it: says so if it is gone. */
extern void pa_warn_of_lost_marks(const Node *statement, const PaDatabaseMarks *marks);

/* table_marks.c: tables that say that they were protected, before a command that might take that, of Oid ... */
extern List *pa_marked_tables(const Node *statement);

/* ... and after it: says so if it is gone. */
extern void pa_warn_of_lost_table_marks(const List *marked);

/* new_owners.c: tells whoever makes other owners of those who have lost something */
extern void pa_warn_of_new_owners(const Query *query);

/* Whether a statement assigns a column of rows that the table has already. */
extern bool pa_updates_column(const Query *query, AttrNumber column);

/* Says so if a trigger that is made may do the same. */
extern void pa_warn_of_assigning_trigger(const CreateTrigStmt *statement);

/* copied_owners.c: tells whoever copies rows of owners into a table that passes for one without them */
extern void pa_warn_of_copied_owners(const Query *query);

/* Before a command: the table that it will make of a query, or NULL; and after it. */
typedef struct PaTableCopy PaTableCopy;
extern PaTableCopy *pa_copy_begins(const Node *statement);
extern void pa_copy_ends(const PaTableCopy *copy);

/* owner_type.c: refuses a new type of an owner column that might give two owners one name */
extern void pa_before_alter_table(const AlterTableStmt *statement);

/* unfollowed.c: refuses what event triggers would hear of, where none fires; before a command, and after it */
extern void pa_refuse_unfollowed(Node *statement);

/* detach.c: a partition of a table of an edition is not detached concurrently */
extern void pa_refuse_concurrent_detach(const AlterTableStmt *statement);

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
extern bool pa_entry_reads_rows(const PaGuard *guard, const RangeTblEntry *rte);
extern bool pa_groups_rows(const Query *query);
extern bool pa_groups_by_owner(const Query *query);
extern bool pa_hands_up_rows(const PaGuard *guard, const Query *query);

/* Whether the table is stamped (protected.c) ... */
extern bool pa_is_stamped(const RangeTblEntry *rte);

/* ... or a child, of which the stamped ones of the range table are parents */
extern bool pa_is_stamped_part(const RangeTblEntry *rte, const List *range_table);
/* Whether a part of FROM reads one that is. */
extern bool pa_reads_stamped(const Query *query, const Node *node);
extern bool pa_query_reads_stamped(const Query *query);

extern const RangeTblEntry *pa_table_read(const PaGuard *guard, const Query *query);

/*
 * writers.c: whether the statement writes to a table without reading it; and may, by privileges of its user; or does so to
 * a table whose part this is
 */
extern bool pa_only_writes(const RangeTblEntry *rte);
extern bool pa_may_write(const RangeTblEntry *rte);
extern bool pa_is_written_part(const RangeTblEntry *rte, const List *range_table);

/* As whom the table is read or written to. */
extern Oid	pa_asks_as(const RangeTblEntry *rte);

/* Refuses to write to a protected table to whoever has a budget for it. */
extern void pa_refuse_asking_writers(const RangeTblEntry *rte);

/* rewrite.c: rewrites every protected block of the statement in place, or errors out */
extern void pa_guard_rewrite(PaGuard *guard, Query *query);

/* rewrite.c: errors out if the user has no budget for a protected table that is named anywhere */
extern void pa_require_budget(PaGuard *guard, Query *query);

/* block.c: turns one SELECT that reads protected rows into outer and leaf */
extern void pa_make_block(PaGuard *guard, Query *query);

/* topk.c: a block with dp_topk or dp_mode becomes a query over a block without */
extern void pa_expand_topk(PaGuard *guard, Query *query);

/* choose.c: dp_choose as a block of scores. */
extern void pa_expand_choice(PaGuard *guard, Query *query);

/* flatten.c: conditions that all parts of an OR have stand beside it from now on, here and in subqueries. */
extern void pa_factor_conditions(Query *query);

/*
 * Conditions of inner joins that are wanted become conditions of WHERE; errors out for one
 * of an outer join, or of a join below one, which has a subquery that has no place to be joined.
 */
extern void pa_lift_conditions(const PaGuard *guard, Query *query, bool (*wanted) (Node *condition, void *argument), void *argument);

/* Merged columns of JOIN USING are written as the columns behind them. */
extern void pa_flatten_joins(Query *query);

/* Views and subqueries that are all of a query's FROM become the table itself. */
extern void pa_flatten_subqueries(Query *query);

/* Only FROM, WHERE and columns. */
extern bool pa_is_plain(const Query *query);

/* FROM and WHERE of a plain subquery, an item of FROM by itself, move into the query. */
extern void pa_pull_up(Query *query, int rtindex);

/* join.c: an outer join whose made-up rows are nobody's, or meet no condition, becomes an inner one */
extern void pa_simplify_outer_joins(PaBlock *block);

/* key_query.c: how public tables, and bounds of dates, list the block's groups; the keys are known */
extern void pa_list_keys(PaBlock *block, List *keys);

/*
 * reach.c: the fan-out of the block's joins with public tables, and the rows that one row of each
 * protected table becomes by these and by unions; errors out if it is not known, or too large
 */
extern int	pa_reach_public_tables(const PaBlock *block, int *rows);

/* never_null.c: whether the expression is a column that cannot be null where the query names it, or in the rows of a part of FROM */
extern bool pa_is_never_null(const Query *query, Node *node);
extern bool pa_is_never_null_in(const Query *query, Node *from, Node *node);

/* join_related.c: subqueries over protected rows that refer to the row outside become joins, in the query and its subqueries */
extern void pa_join_related(PaGuard *guard, Query *query);

/* sublink.c: subqueries in expressions, which are of public tables, become joins */
extern void pa_join_sublinks(PaGuard *guard, Query *query);

/* once.c: has conditions of a block, when they are total, evaluated as often as they were written */
extern void pa_evaluate_once(Query *query);

/* Whether the rows of a subquery in FROM are made by it; and, being public, before a protected row is read. */
extern bool pa_makes_rows(const Query *subquery);
extern bool pa_is_read_first(const Query *subquery);

/* protected.c: finds the protected tables of a block and has them read as the reader role; one more of them */
extern void pa_take_protected(PaBlock *block);
extern PaBlockTable *pa_take_table(PaBlock *block, RangeTblEntry *rte);

/* ... and has one more column of it read */
extern void pa_read_column(RangeTblEntry *rte, AttrNumber column);

/* owner_path.c: finds the tables that say whose rows others have, among those of the block or by joining them */
extern void pa_follow_paths(PaBlock *block);

/*
 * owner_path.c: equalities of columns of both tables, which hold by those that are given, and say that their
 * owners are found in one and the same row; NIL if there are none
 */
extern List *pa_shared_row(const PaBlockTable *a, const PaBlockTable *b, List *equalities);

/* owned.c: a column that names the owner of every row of the block; errors out if rows of several owners are joined */
extern PaColumn pa_owned_by(const PaBlock *block);

/* owned.c: whether the block reads protected rows in groups only that are whole owners */
extern bool pa_one_row_per_owner(const PaBlock *block);

/* owner.c: finds whose rows the block joins, and exposes the column that says so */
extern void pa_expose_owner(PaBlock *block);

/* aggregate_call.c: the canonical form of an aggregate of the leaf, or an error */
extern Aggref *pa_canonical_aggregate(PaBlock *block, const Aggref *aggref);

/* FILTER (WHERE condition) is the same as NULL for the rows that do not meet it; the filter may be NULL, which all meet. */
extern Node *pa_apply_filter(Node *value, Node *filter);

/*
 * Bounds and options are computed here, so that they keep their locations: should
 * they be wrong, the executor says where.  To be called when they are total.
 */
extern void pa_keep_places(Query *leaf);

/* checked_bounds.c: whether CHECK constraints of the table say what the column is at least and at most */
extern bool pa_checked_bounds(Oid relation, AttrNumber column, Const **least, Const **largest);

/* A short name for reports. */
extern char *pa_aggregate_label(const PaBlock *block, const Aggref *aggref);

/* validate.c: errors out unless leaf (FROM and WHERE) or expression contain only what is allowed */
extern void pa_validate_from(PaBlock *block, Query *query);
extern void pa_validate_expression(PaBlock *block, const Query *query, Node *expression);

/* grouped.c: the same for a subquery that groups by the owner, and for an aggregate in it; errors out for other aggregates */
extern void pa_validate_grouped(const PaBlock *block, Query *query);
extern void pa_validate_grouped_aggregate(const PaBlock *block, const Query *query, const Aggref *aggref);

/* Has the query hand up all that it groups by, and nothing that it only sorts by. */
extern void pa_keep_keys(Query *query);

/* Whether the aggregate is zero, and not null, of no rows. */
extern bool pa_is_count(Oid function);

/* objects.c: errors out unless the enum or collation may be used by the block (node/closed_world.h) */
extern void pa_validate_enum(const PaBlock *block, Oid type, int location);
extern void pa_validate_collation(const PaBlock *block, Oid collation, int location);

/* ... and unless it is known by which collation the node compares */
extern void pa_validate_input_collation(const PaBlock *block, Node *node);

/* public.c: errors out unless every other table of the leaf, wherever it stands, was declared public */
extern void pa_validate_public_tables(const PaBlock *block);

/* total.c: replaces partial functions by their total twins, everywhere in the leaf, or in a copy of an expression */
extern void pa_make_query_total(Query *query);
extern Node *pa_total_expression(Node *expression);

/* bounds.c: the interval that contains the expression if columns keep to their declared bounds */
extern bool pa_infer_bounds(const PaBlock *block, const Query *query, Node *expression, double *lo, double *hi);

/* bounds.c: bounds of the sum of an expression over the rows of an owner in a group, from declared ones of columns; false if none follow */
extern bool pa_infer_owner_bounds(const PaBlock *block, const Query *query, Node *expression, double *lo, double *hi);

/* estimate.c: what the planner may know of protected tables */
extern void pa_estimate_init(void);

/* planner_settings.c: plans, with what was given, while the session's planner settings are kept within range */
extern PlannedStmt *pa_plan_within_range(PlannedStmt *(*plan) (void *argument), void *argument);

/* place.c: where in the text the query, or the entry of a query's FROM, stands; of what is in a view, the view; -1: unknown */
extern int	pa_place_of_query(const PaGuard *guard, const Query *query);
extern int	pa_place_of_table(const PaGuard *guard, const RangeTblEntry *entry);

/* The function in FROM of the statement, if there is one only: which one the planner took apart cannot be told. */
extern int	pa_place_of_function(const PaGuard *guard);

/* That of the first expression of the query itself; -1: none is known, as in views. */
extern int	pa_location_of_query(const Query *query);

/* refuse.c: refusals, all with ERRCODE_PA_REFUSED; a location of -1 is that of the query that is looked at */
extern void pa_refuse(const PaGuard *guard, int location, const char *detail, const char *hint) PA_NORETURN;
extern void pa_refuse_table(const PaGuard *guard, const RangeTblEntry *entry, const char *detail, const char *hint) PA_NORETURN;

extern void pa_refuse_grouping_sets(const PaGuard *guard, const Query *query) PA_NORETURN;

/* For use inside ereport(). */
extern int	pa_error_position(const PaGuard *guard, int location);

/* The relation as a statement has to name it under the search_path of the session. */
extern char *pa_name_of_table(Oid relation);

#endif							/* PA_GUARD_H */
