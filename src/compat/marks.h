/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * marks.h
 *		Which outer joins may have made a column null: what a column in a plan says since 16.
 *
 * The planner matches columns by it, too.  A node of ours that joins rows looks at the columns of one row of
 * both sides, before and after the join has made some null, and can have only one name for each.
 */
#ifndef PA_COMPAT_MARKS_H
#define PA_COMPAT_MARKS_H

#include "compat/version.h"

#include "nodes/pg_list.h"

/* A copy in which columns say what they say in the others, where they are found first, as far as they are there. */
extern List *pa_mark_alike(List *expressions, List *others);

#endif							/* PA_COMPAT_MARKS_H */
