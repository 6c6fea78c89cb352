/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * inputs.h
 *		Releases that a block reads.
 *
 * What was released is public.  A query that reads releases and no rows may so stand in
 * another block, as an input: its rows are joined like those of a public table.  It
 * becomes a WITH query around the block, computed once in a statement, and the node of the
 * block reads it to its end before it does anything itself (node/inputs.h).
 */
#ifndef PA_INPUTS_H
#define PA_INPUTS_H

#include "postgres.h"

#include "guard/guard.h"

/*
 * Whether the query reads what is released, and no rows; to be asked before it is
 * rewritten.
 */
extern bool pa_reads_releases(const PaGuard *guard, const Query *query);

/*
 * Makes the inputs of a query that reads rows, and of the subqueries in it, WITH queries
 * of the holder, rewritten, at the position of its list, which moves on.  holder: the query
 * itself, or the one whose WITH query it is (depth 1).
 */
extern void pa_take_inputs(PaGuard *guard, Query *holder, int *position, Query *query, int depth);

/*
 * To be called for each WITH query that was rewritten: blocks may read it if it reads
 * releases.  Its name is from then on that of no other in the statement.
 */
extern void pa_note_input(PaGuard *guard, Query *holder, CommonTableExpr *cte);

/* In a query that reads no rows: correlated subqueries that are blocks read one of all their groups. */
extern void pa_decorrelate(PaGuard *guard, Query *query);

/* Whether the entry of FROM is an input; then the most of its rows that agree in the columns, or 0 if nobody knows. */
extern bool pa_is_input(const PaGuard *guard, const RangeTblEntry *rte);
extern int	pa_input_rows(const PaGuard *guard, const RangeTblEntry *rte, const Bitmapset *columns);

/* When all blocks are made: says at each reference where its WITH query stands. */
extern void pa_settle_inputs(PaGuard *guard, Query *statement);

#endif							/* PA_INPUTS_H */
