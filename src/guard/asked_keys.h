/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * asked_keys.h
 *		Of a release whose groups a query looks up by columns of a public table, only those are made that it can
 *		ask for.
 *
 *	 SELECT ... FROM p, ... WHERE p.c = 1 AND x < (SELECT avg(y) FROM t WHERE t.k = p.k)
 *
 * reads groups k of rows of p with c = 1.  So k IN (SELECT k FROM p WHERE c = 1) becomes a condition of the block
 * of the release: fewer rows are counted, and fewer groups of an owner vie for the limit.  That is so where the
 * value is computed of rows that WHERE has kept, or is a part of WHERE, not of the ON of an outer join.
 *
 * It is noted when the value is taken from the query, and done when everything else is known of the block: what could
 * have it refused is left as it was.
 */
#ifndef PA_ASKED_KEYS_H
#define PA_ASKED_KEYS_H

#include "postgres.h"

#include "guard/guard.h"

/*
 * matches: PaKeyMatch, by which the query around looks groups of the release up, for rows that its WHERE keeps.
 * total: the query around is a part of a block, too, whose conditions are made total as those of the release are.
 */
extern void pa_note_asked_keys(PaGuard *guard, const Query *release, const Query *around, List *matches, bool total);

/* To be called for each block, whose groups have these keys, and of which one row becomes so many. */
extern void pa_leave_asked_keys(PaBlock *block, const Query *release, List *keys, int rows);

#endif							/* PA_ASKED_KEYS_H */
