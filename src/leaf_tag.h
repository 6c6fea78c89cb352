/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * leaf_tag.h
 *		How the leaf of a protected block (guard/guard.h) is known among queries.
 */
#ifndef PA_LEAF_TAG_H
#define PA_LEAF_TAG_H

#include "postgres.h"

#include "nodes/parsenodes.h"

/*
 * The queryId of leaves: random, of this process.  Whoever writes the marker aggregate
 * into a query of their own cannot give it this.
 */
extern uint64 pa_leaf_tag(void);

extern bool pa_is_leaf(const Query *query);

#endif							/* PA_LEAF_TAG_H */
