/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * make_call.h
 *		Calls of aggregates that the guard writes.
 */
#ifndef PA_MAKE_CALL_H
#define PA_MAKE_CALL_H

#include "postgres.h"

#include "nodes/primnodes.h"

/* A plain call of an aggregate of the query itself. */
extern Aggref *pa_make_call(Oid function, Oid type, Oid collation, List *arguments, int location);

/* Options of an aggregate that has none; refusals of what it costs point there. */
extern Node *pa_no_options(int location);

#endif							/* PA_MAKE_CALL_H */
