/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shape.h
 *		Queries that ask for the columns of a table and for no row.
 */
#ifndef PA_SHAPE_H
#define PA_SHAPE_H

#include "guard/guard.h"

/*
 * Replaces, in place, protected tables that the user may ask, in SELECTs that
 * return no row whatever is in them (with privacct.empty_rows: that would return
 * rows), by empty relations with the same columns.  Sets guard->waits where that
 * depends on the value of a parameter.
 */
extern void pa_empty_shapes(PaGuard *guard, Query *query);

#endif							/* PA_SHAPE_H */
