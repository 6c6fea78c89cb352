/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * prior.h
 *		Priors of correlated rows, as json: read, checked, and their influence curves.
 *
 * A prior is an object with a "kind" and the fields of that kind; docs/reference.md
 * lists them, and privacct.chain_prior() and its kin write them.  Whatever is not
 * understood is refused.
 */
#ifndef PA_PRIOR_H
#define PA_PRIOR_H

#include "postgres.h"

#include "core/pufferfish/curve.h"
#include "utils/jsonb.h"

#define PA_MOST_PRIORS 64
#define PA_MOST_POINTS 4096		/* of a curve */

typedef enum PaPriorKind
{
	PA_PRIOR_CHAIN,
	PA_PRIOR_BINARY,
	PA_PRIOR_GAUSSIAN,
	PA_PRIOR_TABLE,
	PA_PRIOR_INTERVALS
} PaPriorKind;

/* An array of numbers of one or two dimensions; rows is 1 for one. */
typedef struct PaNumbers
{
	int			rows;
	int			columns;
	bool		nested;			/* two dimensions */
	double	   *value;			/* NULL: there is none */
} PaNumbers;

typedef struct PaPrior
{
	PaPriorKind kind;
	int			nstates;		/* 0: values are numbers (Gaussian) */
	char	  **states;
	int64		length;			/* rows of an owner that it tells about; 0: any number */
	PaNumbers	transition;		/* chain */
	PaNumbers	start;
	PaNumbers	p;				/* binary: intervals of the stay probabilities */
	PaNumbers	q;
	PaNumbers	covariance;		/* Gaussian */
	double		centre;
	double		bound;
	double		width;
	PaNumbers	shape;			/* table and intervals */
	PaNumbers	probability;
	PaNumbers	low;
	PaNumbers	high;
	PaNumbers	constraints;
	PaNumbers	right;
	int			mode;			/* PaIntervalMode */
} PaPrior;

/* One object, or an array of up to PA_MOST_PRIORS with the same states. */
extern PaPrior *pa_priors_read(Jsonb *json, int *count);

/*
 * The curve of the prior for b = 1..most, for the given ordered pairs of states; errors
 * out if there is none.  Beyond its length a curve is 0.
 */
extern void pa_prior_curve(const PaPrior *prior, const PaSecretPair *pairs, int npairs, int most, PaInfluence *point);

#endif							/* PA_PRIOR_H */
