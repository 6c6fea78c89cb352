/*
 * intervals.h
 *		The session's memory of what was released to it, with error bounds.
 */
#ifndef PA_INTERVALS_H
#define PA_INTERVALS_H

#include "postgres.h"

#include "aggregate/statistic.h"

/* Starts the record of a release to a user; what it then remembers is noised already. */
extern void pa_intervals_begin(int64 charge_id, Oid user);

/* One aggregate of one group; keys are texts, NULL for NULL. */
extern void pa_intervals_add(int nkeys, char **keys, const char *aggregate, const PaEstimate *estimate);

#endif							/* PA_INTERVALS_H */
