/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * asked_keys.h
 *		Of a release whose groups a query looks up by columns of a public table, only those are made
 *		that it can ask for.
 *
 *	 SELECT ... FROM p, ... WHERE p.c = 1 AND x < (SELECT avg(y) FROM t WHERE t.k = p.k)
 *
 * reads groups k of rows of p with c = 1.  So WHERE k IN (SELECT k FROM p WHERE c = 1) is added
 * to the release: fewer rows are counted, and fewer groups of an owner vie for the limit.
 */
#ifndef PA_ASKED_KEYS_H
#define PA_ASKED_KEYS_H

#include "postgres.h"

#include "guard/guard.h"

/* around: the query that reads the release; matches: PaKeyMatch, by which it does (decorrelate.h). */
extern void pa_leave_asked_keys(PaGuard *guard, Query *release, const Query *around, List *matches);

#endif							/* PA_ASKED_KEYS_H */
