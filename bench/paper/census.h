/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * census.h
 *		The Adult data set (UCI), as much of it as Fig. 7 needs.
 */
#ifndef CENSUS_H
#define CENSUS_H

#include <stdbool.h>

#define CENSUS_SUBSETS 10
#define CENSUS_SUBSET 1000		/* persons of a subset */

typedef struct Person
{
	double		gain;			/* capital-gain, thousands of dollars */
	bool		rich;			/* salary > 50K */
} Person;

typedef struct Census
{
	long		read;			/* lines */
	long		complete;		/* without a missing field */
	Person		person[CENSUS_SUBSETS][CENSUS_SUBSET];
} Census;

/*
 * Persons drawn without replacement from the complete ones, in the order of the
 * file.  False if the file cannot be read or has too few.
 */
extern bool census_read(const char *file, Census *census);

#endif							/* CENSUS_H */
