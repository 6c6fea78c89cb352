/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * intervals.h
 *		The session's memory of what was released to it, with error bounds.
 */
#ifndef PA_INTERVALS_H
#define PA_INTERVALS_H

#include "postgres.h"

#include "bound/statistic.h"

/* Before a release, whether it is remembered or not: what an earlier one left that came to nothing is gone. */
extern void pa_intervals_drop(void);

/*
 * Starts the record of a release to a user; what it then remembers is noised already,
 * and not shown before it is published.
 */
extern void pa_intervals_begin(int64 charge_id, Oid user);

/* The same for a release that is repeated; true if the user's record of it is still there, and is taken. */
extern bool pa_intervals_begin_again(int64 charge_id, Oid user);

/*
 * Where owners have accounts of their own: how many of those who were asked before
 * are in the release that was begun, of how many.
 */
extern void pa_intervals_owners(int64 admitted, int64 known);

/* One aggregate of one group; keys are texts, NULL for NULL. */
extern void pa_intervals_add(int nkeys, char **keys, const char *aggregate, const PaEstimate *estimate);

/* A group of the release has so many rows of a table, or values. */
extern void pa_intervals_count(Oid relation, double count);

/* The least of those of the last release to the user that counted them; NAN: there was none. */
extern double pa_intervals_last_count(Oid relation, Oid user);

/* The release is handed up; does nothing for one without a record. */
extern void pa_intervals_publish(void);

#endif							/* PA_INTERVALS_H */
