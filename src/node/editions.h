/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * editions.h
 *		Of which editions the rows of a release are.
 */
#ifndef PA_NODE_EDITIONS_H
#define PA_NODE_EDITIONS_H

#include "postgres.h"

#include "price/release.h"

/*
 * One for each protected table of the release (int64 *), if its policies repeat releases of an edition, and what stands for
 * the rows of its public tables: they are read.  NIL if one of the former is of none, or has rows that the snapshot sees
 * otherwise, or if others are read.
 */
extern List *pa_editions_seen(const PaRelease *release, Snapshot snapshot);

extern bool pa_same_editions(List *a, List *b);

#endif							/* PA_NODE_EDITIONS_H */
