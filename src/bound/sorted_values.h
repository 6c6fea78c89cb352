/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sorted_values.h
 *		Which owners have which values, in all groups: first collected, then read by owner.
 *
 * They are sorted by PostgreSQL, in temporary files where they are many.  The order is a
 * function of owners and values, whatever the order of rows was: owners come by their
 * keyed hash, and the values of an owner by a keyed hash of both.
 */
#ifndef PA_SORTED_VALUES_H
#define PA_SORTED_VALUES_H

#include "postgres.h"

#include "bound/owner.h"

typedef struct PaSortedValues PaSortedValues;

/* An owner has a value in a group; or counts in it at all, which comes before the owner's values. */
typedef struct PaOwnedValue
{
	int			group;
	int			statistic;
	PaOwner		owner;
	bool		counts;			/* there is no value: */
	PaHash128	value;
} PaOwnedValue;

extern PaSortedValues *pa_sorted_values_create(void);
extern void pa_sorted_values_add(PaSortedValues *values, const PaOwnedValue *value);

/* No more are added from here on. */
extern void pa_sorted_values_sort(PaSortedValues *values);

/* The next by group, statistic, owner and value, each once; false at the end. */
extern bool pa_sorted_values_next(PaSortedValues *values, PaOwnedValue *value);

extern void pa_sorted_values_end(PaSortedValues *values);

#endif							/* PA_SORTED_VALUES_H */
