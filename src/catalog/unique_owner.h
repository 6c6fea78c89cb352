/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * unique_owner.h
 *		Whether an owner has at most one row.
 */
#ifndef PA_UNIQUE_OWNER_H
#define PA_UNIQUE_OWNER_H

#include "postgres.h"

#include "access/attnum.h"
#include "utils/snapshot.h"

/*
 * True if a unique index proves that among the rows the snapshot sees no two
 * have the same owner.  Asked at execution: a cached plan, an exported snapshot
 * or a function may bring a snapshot older than the plan.
 */
extern bool pa_owner_is_unique(Oid relation, AttrNumber owner, Snapshot snapshot);

#endif							/* PA_UNIQUE_OWNER_H */
