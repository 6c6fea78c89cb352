/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * query.h
 *		One randomised question to an owner whose values are a finite domain.
 *
 * Made once per question and used for all owners and likelihood tables.  The
 * LDP level is always recomputed from the numbers that are accounted; a declared
 * one can only raise it.
 *
 * Outputs are numbered.  binary: 0 is "low", 1 is "high"; response: the
 * category; table: the column; additive: the output itself, a number of
 * lattice steps.
 */
#ifndef PA_QUERY_H
#define PA_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/bayes/likelihood.h"
#include "core/bayes/randomiser.h"
#include "core/environment.h"

/* pa_query_worst looks at no more than this many pairs of an output and a value. */
#define PA_QUERY_PAIRS (INT64_C(1) << 24)

typedef enum PaQueryKind
{
	PA_QUERY_TABLE,				/* also binary: two columns */
	PA_QUERY_RESPONSE,
	PA_QUERY_ADDITIVE
} PaQueryKind;

typedef struct PaQuery
{
	PaQueryKind kind;
	size_t		size;			/* points of the domain */
	int64_t		outputs;		/* table, response */
	double	   *column;			/* table: ln Pr[y | x] at [y * size + x] */
	PaCoin	   *coin;			/* binary: of each point, else NULL */
	int64_t    *truth;			/* response: category, additive: value, of each point */
	PaResponse	response;
	PaAdditive	additive;
	double		level;			/* LDP, rounded up; may be INFINITY */
	double		rho;			/* zCDP, rounded up; may be INFINITY */
} PaQuery;

/*
 * Each copies what it is given; pa_query_free frees it.  On failure nothing is
 * left to free.  PA_INVALID for a size that is not in [1, PA_MOST_DOMAIN], and
 * as said.
 */

/*
 * y[x] is the value to be randomised where the owner's value is x; NaN is
 * PA_INVALID.
 */
extern PaStatus pa_query_binary(const PaBinary *binary, const double *y, size_t size,
								const PaEnvironment *environment, PaQuery *query);

/* category[x] < k */
extern PaStatus pa_query_response(const PaResponse *response, const uint32_t *category, size_t size,
								  const PaEnvironment *environment, PaQuery *query);

/* value[x] in steps; clamped */
extern PaStatus pa_query_additive(const PaAdditive *additive, const int64_t *value, size_t size,
								  const PaEnvironment *environment, PaQuery *query);

/*
 * Any randomiser: probability[x * outputs + y] = Pr[y | x].  PA_INVALID unless
 * they are in [0, 1], each row adds up to 1 within 1e-9, and there are at most
 * PA_QUERY_PAIRS of them.
 */
extern PaStatus pa_query_table(const double *probability, size_t size, int64_t outputs,
							   const PaEnvironment *environment, PaQuery *query);

extern void pa_query_free(PaQuery *query, const PaEnvironment *environment);

/* Raises level and rho to what epsilon >= 0 allows. */
extern PaStatus pa_query_declare(PaQuery *query, double epsilon);

/* Whether y is an output of the query. */
extern bool pa_query_has_output(const PaQuery *query, int64_t y);

/* ln Pr[y | x] for an output y, x < size */
extern double pa_query_log_likelihood(const PaQuery *query, size_t x, int64_t y);

/*
 * The answer of an owner whose value is x.  PA_INVALID for a table that is not
 * binary.
 */
extern PaStatus pa_query_draw(const PaQuery *query, size_t x, PaRandom *random, int64_t *y);

/* Whether pa_query_worst can be computed. */
extern bool pa_query_enumerable(const PaQuery *query);

/*
 * The largest loss after the query, over all outputs that are possible for some
 * value.  PA_INVALID if the query is not enumerable or sizes differ.
 */
extern PaStatus pa_query_worst(const PaQuery *query, const PaLikelihood *likelihood,
							   const PaEnvironment *environment, PaRealisedLoss *worst);

/*
 * Adds the answer y; PA_INVALID, with nothing changed, as pa_likelihood_add,
 * or if y is no output.
 */
extern PaStatus pa_query_record(const PaQuery *query, int64_t y, PaLikelihood *likelihood,
								const PaEnvironment *environment);

#endif							/* PA_QUERY_H */
