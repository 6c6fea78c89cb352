/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stream.h
 *		Random queries to one owner until a filter refuses one.
 *
 * The experiment of Section 6 of "Actual Knowledge Gain as Privacy Loss in Local
 * Privacy Accounting": the owner's record is 0 in [-1, 1]^9.  Coefficients are
 * uniform; of a linear regression they are divided by the sum of their
 * magnitudes, so that its value is in [-1, 1].  Each query has eps 0.1.
 */
#ifndef STREAM_H
#define STREAM_H

#include <stdint.h>

#include "core/bayes/regression.h"
#include "core/random/random.h"

#define STREAM_DIMENSIONS 9
#define STREAM_MOST 400			/* queries */
#define STREAM_EPSILON 0.1

/* What the queries are like. */
typedef struct StreamLaw
{
	PaRegressionKind kind;
	double		reach;			/* coefficients are drawn from [-reach, reach] */
} StreamLaw;

typedef struct Stream
{
	StreamLaw	law;
	PaRandom	random;
	uint64_t	seed;
	double		theta[STREAM_MOST][STREAM_DIMENSIONS];
	PaAnswer	answer[STREAM_MOST];
	int			answers;
	PaRegressionState known;	/* of these answers, by the filter's rules */
	bool		undetermined;	/* the search of the last decision was cut short */
} Stream;

extern const PaBox stream_box;

/* No answers yet.  The same law and seed give the same queries; the next seed gives others. */
extern void stream_start(Stream *stream, StreamLaw law, uint64_t seed);

/* Draws the next query and the output that it would have, behind the last answer. */
extern PaRegression *stream_draw(Stream *stream);

/* Asks until the filter refuses (or STREAM_MOST); false for an error. */
extern bool stream_filter(Stream *stream, const PaRegressionRules *rules);

#endif							/* STREAM_H */
