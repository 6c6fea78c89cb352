/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * key_rows.h
 *		Reads the groups of a release that public data make.
 */
#ifndef PA_PRICE_KEY_ROWS_H
#define PA_PRICE_KEY_ROWS_H

#include "postgres.h"

#include "nodes/execnodes.h"
#include "utils/snapshot.h"

#include "bound/key_rows.h"
#include "catalog/policy.h"

/*
 * Runs the leaf's key query, with the rights of the current user and of the owners of
 * views, as the block itself reads public tables.  Each combination of values is there
 * once, in one form (bound/canonical_key.h).  NULL if the block has no such query, or
 * one of its keys is listed neither by it nor by a policy.  Errors out with 42PA1 if
 * there are too many rows.  Nothing protected is read: it may be called before a charge.
 */
extern const PaKeyRows *pa_release_key_rows(const PaLeafSpec *spec, const PaPolicy *const *policies,
											ExprContext *context, Snapshot snapshot);

/* Errors out with 53200 if these bytes are more than groups with public keys may take.  Before the charge. */
extern void pa_require_group_memory(double bytes);

#endif							/* PA_PRICE_KEY_ROWS_H */
