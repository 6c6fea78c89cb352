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
 * To be called for each WITH query that was rewritten: blocks may read it if it reads
 * releases.  Its name is from then on that of no other in the statement.
 */
extern void pa_note_input(PaGuard *guard, Query *holder, CommonTableExpr *cte);

/* Whether the entry of FROM is an input; then the most of its rows that agree in the columns, or 0 if nobody knows. */
extern bool pa_is_input(const PaGuard *guard, const RangeTblEntry *rte);
extern int	pa_input_rows(const PaGuard *guard, const RangeTblEntry *rte, const Bitmapset *columns);

/* The WITH query is an input from now on; a name of no other in the statement. */
extern const PaBlockInput *pa_register_input(PaGuard *guard, CommonTableExpr *cte);
extern char *pa_new_input_name(PaGuard *guard, const char *prefix);

#endif							/* PA_INPUTS_H */
