/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * block_rules.h
 *		What a block may contain, by what its table protects.
 *
 * There is one set of rules for each kind of block: aggregates of owners' rows
 * (rows.c), questions to owners (questions.c) and aggregates of entries (entries.c).
 * The guard knows no regime: it splits a block, checks that everything in it is
 * allowed over protected rows, and asks the rules the rest.  A function of the rules
 * errors out (pa_refuse) where they are broken.
 */
#ifndef PA_BLOCK_RULES_H
#define PA_BLOCK_RULES_H

#include "postgres.h"

#include "nodes/primnodes.h"

#include "bound/aggregate.h"
#include "guard/guard.h"

typedef struct PaBlockRules
{
	bool		one_table;		/* FROM is the table: views and subqueries become it */
	bool		lists_keys;		/* public data may list its groups (key_query.c) */
	bool		has_levels;		/* it may group in several ways (grouping_sets.c) */

	/* FROM and WHERE, when the owner column is known */
	void		(*validate) (const PaBlock *block);

	/* A grouping expression. */
	void		(*validate_key) (const PaBlock *block, Node *key);

	/* An aggregate, count(DISTINCT owner) being of the kind PA_AGG_COUNT_OWNERS. */
	void		(*validate_call) (const PaBlock *block, const Aggref *call, PaAggregateKind kind);

	/* What is aggregated, or the condition of FILTER. */
	void		(*validate_value) (const PaBlock *block, Node *value);

	/* Adds conditions of its own to WHERE, and notes what the release has to know. */
	void		(*restrict_rows) (PaBlock *block, List *keys);

	/* The marker aggregate of the leaf, and its arguments after owner, table and policy. */
	Oid			(*marker) (void);
	void		(*mark) (const PaBlock *block, Aggref *marker);
} PaBlockRules;

extern const PaBlockRules pa_row_rules;
extern const PaBlockRules pa_question_rules;
extern const PaBlockRules pa_entry_rules;

/* block_rules.c: those of a query that reads rows of a protected table */
extern const PaBlockRules *pa_block_rules(PaGuard *guard, const Query *query);

/* questions.c: whether the query's aggregates are questions to owners; errors out if only some are */
extern bool pa_asks_owners(PaGuard *guard, const Query *query);

/* owner.c: errors out if the owner column goes into the key, also through subqueries and joins */
extern void pa_refuse_owner_key(const PaBlock *block, Node *key);

/* grouping_sets.c: GROUPING SETS, ROLLUP and CUBE, with what they group by; an aggregate of the leaf; GROUPING() */
extern void pa_take_grouping_sets(PaBlock *block, Query *query, List *keys);
extern void pa_validate_level_aggregate(const PaBlock *block, const Aggref *written, const Aggref *canonical);
extern Node *pa_grouping_of_one_level(const PaBlock *block, const GroupingFunc *call);

/* named_owners.c: the owners that the block is about, a value or an array, the same for every row; a null constant: all */
extern Node *pa_named_owners(const PaBlock *block);

/*
 * question.c: what the block asks, as text, and the expressions that say the rest when they are evaluated;
 * NULL if its release cannot be known again, or need not be.  *parts: the same taken apart (node/asked.h).
 */
extern char *pa_question(const PaBlock *block, List **values, char **parts);

/* The same file: the public tables that the block reads; false if it reads others as well that are not protected. */
extern bool pa_public_tables(const PaBlock *block, List **relations);

/* marker.c: the marker of a block's leaf; a further argument; those of bound/aggregate.h from the fan-out on */
extern TargetEntry *pa_make_marker(const PaBlock *block, AttrNumber resno);
extern void pa_add_to_marker(Aggref *marker, Node *node);
extern void pa_mark_release(const PaBlock *block, Aggref *marker, Node *owners);

/* Adds the work of a row, for releases whose levels take more; it is known last, when what is asked has been written down. */
extern void pa_mark_row_work(const PaBlock *block, int work);

#endif							/* PA_BLOCK_RULES_H */
