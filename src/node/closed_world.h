/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * closed_world.h
 *		What may take part while protected rows are read: objects that cannot change,
 *		and cannot complain, then.
 *
 * These are the functions, operators, types and collations that are pinned by
 * the system catalogs, and the functions of this extension.  Of others only the
 * enums and collations of columns of the tables that a block reads, if they
 * belong to the protected table's owner or a superuser.
 */
#ifndef PA_CLOSED_WORLD_H
#define PA_CLOSED_WORLD_H

#include "postgres.h"

#include "nodes/execnodes.h"

#include "node/leaf.h"

/* Whether the object is pinned, or such a one of the owner and of the relations (a list of OIDs). */
extern bool pa_type_is_known(Oid type, Oid owner, List *relations);
extern bool pa_collation_is_known(Oid collation, Oid owner, List *relations);

/* Whether the library that compares by it has the version with which it was made; true if it has none. */
extern bool pa_collation_is_current(Oid collation);

/* Whether an expression has to compare texts and cannot know how: two implicit collations met. */
extern bool pa_lacks_collation(Node *node);

/*
 * To be called before the charge.  Looks at everything that the finished plan
 * below the leaf evaluates, locks what is not pinned, looks that it is still
 * there, and has everything resolved that PostgreSQL would resolve only when the
 * first row needs it.  Errors out with ERRCODE_PA_REFUSED.  Returns the formats by
 * which dates are written, for pa_traces_begin().
 *
 * The locks are kept until the transaction ends: whoever waits for one, which
 * anybody can who only tries to drop the object, must not see when the last row
 * was read.
 */
extern List *pa_close_world(const PaLeafSpec *spec, Plan *child, EState *estate);

/* All tables that the plan below the leaf reads, public ones too; OIDs. */
extern List *pa_world_relations(const PaLeafSpec *spec, Plan *child, EState *estate);

/*
 * The same resolving once more, for what was thrown away since, or is another
 * process's: before the first row is read, in silence.  In a parallel worker the
 * leader has looked, and holds the locks.
 */
extern void pa_resolve_again(const PaLeafSpec *spec, Plan *child, EState *estate);

/*
 * Copies of the statement's parameters, in memory and not compressed: values that
 * a variable of a function only refers to may be gone when a row needs them.
 * NULL if there are none.
 */
extern ParamListInfo pa_freeze_parameters(ParamListInfo params);

#endif							/* PA_CLOSED_WORLD_H */
