/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * domain.h
 *		What is possible: the values that an owner's row can have in the columns
 *		that may be asked about.
 *
 * A point is one combination of the listed columns' values, numbered with the
 * last column running fastest.  The box is spanned by the interval columns and
 * by the listed columns that hold numbers.  The owner's record is a point and a
 * vector of the box; answers about points have likelihood tables, linear and
 * logistic ones certified bounds.  A listed number in a linear form is taken for
 * any number of its interval: that only makes the bound larger.
 */
#ifndef PA_LOCAL_DOMAIN_H
#define PA_LOCAL_DOMAIN_H

#include "postgres.h"

#include "core/bayes/branch_sum.h"

#include "catalog/policy.h"

/* Shape without values; outlives a transaction. */
typedef struct PaDomain
{
	size_t		points;			/* of all listed columns; 1 without any */
	double		low[PA_REGRESSION_DIMENSIONS];
	double		high[PA_REGRESSION_DIMENSIONS];
	int			dimensions;		/* of the box */
	int			ncolumns;
	int			positions[PA_REGRESSION_DIMENSIONS];	/* of each column, ascending */
	int			counts[PA_REGRESSION_DIMENSIONS];	/* of its listed values; 0: an interval */
	int			dimension[PA_REGRESSION_DIMENSIONS];	/* in the box; -1: none */
} PaDomain;

extern PaDomain pa_domain_of(const PaPolicy *policy);
extern bool pa_domain_equal(const PaDomain *a, const PaDomain *b);
extern PaBox pa_domain_box(const PaDomain *domain);

/* The column of a position; -1: there is none. */
extern int	pa_domain_column(const PaDomain *domain, int position);

/*
 * For each point of the domain the number of its projection on some columns
 * (indexes, ascending), again with the last running fastest; palloc'd.
 */
extern uint32 *pa_domain_project(const PaDomain *domain, int ncolumns, const int *columns);

/* The place of a value in a listed column; 0 for what is not listed. */
typedef struct PaPlaces PaPlaces;

extern PaPlaces *pa_places_create(const PaDomainColumn *column, Oid collation);
extern int	pa_places_find(PaPlaces *places, Datum value, bool isnull);

#endif							/* PA_LOCAL_DOMAIN_H */
