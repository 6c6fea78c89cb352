/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * central_numbers.h
 *		The numbers of the groups of a release: groups are selected, statistics noised, and refined
 *		until they are exact enough.
 */
#ifndef PA_CENTRAL_NUMBERS_H
#define PA_CENTRAL_NUMBERS_H

#include "postgres.h"

#include "bound/group_table.h"
#include "price/release.h"

typedef struct PaNumbers
{
	const PaRelease *release;
	PaGroupTable *groups;
	const int  *order;			/* in which groups come out */
	const double *drawn;		/* what was drawn of the groups' values; NULL: nothing */
	const PaStatistics *known;	/* the statistics, with the errors that the numbers have */
	double	   *numbers;		/* of a group at a time, or, where they are refined, of all */
	bool	   *shown;			/* then: which groups come out */
	struct PaRefined *refined;	/* [group][statistic] */
} PaNumbers;

/* Where numbers are refined, charges stages, and draws all; else noise is drawn as groups are asked for. */
extern PaNumbers *pa_numbers_begin(const PaRelease *release, PaGroupTable *groups, const int *order, const double *drawn);

/* Those of a group, by its place in the order, each once; NULL: it does not come out. */
extern const double *pa_numbers_of(PaNumbers *numbers, int place);

#endif							/* PA_CENTRAL_NUMBERS_H */
