/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * owned_joins.h
 *		In the joins of a finished plan only rows of one owner meet.
 */
#ifndef PA_OWNED_JOINS_H
#define PA_OWNED_JOINS_H

#include "postgres.h"

#include "nodes/execnodes.h"
#include "nodes/plannodes.h"

/*
 * Errors out unless each hash join below a leaf looks rows up by an equality of their owners
 * (lookup/owner_equality.h): otherwise one row could meet those of all others, which takes long.
 */
extern void pa_require_owned_joins(Plan *child, EState *estate);

/* The number of the first key of a join by which alone rows of its tables that meet are of one owner; -1: there is none. */
extern int	pa_key_of_owners(const HashJoin *join, EState *estate);

#endif							/* PA_OWNED_JOINS_H */
