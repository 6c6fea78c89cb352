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

#endif							/* PA_MAKE_CALL_H */
