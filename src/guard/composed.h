/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * composed.h
 *		What a block shows that is computed above it from several aggregates in it.
 *
 * The outer query computes it, and nobody below knows of it.  But its interval is to be in
 * privacct.intervals() as that of any other aggregate.  So the leaf is told what is composed of its
 * columns, and how; by this the release node computes the same for the record.
 */
#ifndef PA_GUARD_COMPOSED_H
#define PA_GUARD_COMPOSED_H

#include "guard/moments.h"

/* The column of the leaf, from 1, that shows the aggregate; made if there is none yet. */
typedef AttrNumber (*PaColumnOf) (void *context, Aggref *call);

/* The call is one of those of the block: known by its label once, however often it is written. */
extern void pa_note_composed(PaBlock *block, const Aggref *call, const PaMoments *moments, PaColumnOf column_of, void *context);

/* All of them, as the marker carries them (PA_MARK_COMPOSED); NULL: there are none. */
extern char *pa_composed_text(const PaBlock *block);

#endif							/* PA_GUARD_COMPOSED_H */
