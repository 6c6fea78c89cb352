/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stream.c
 *		Random queries to one owner until a filter refuses one.
 */
#include "stream.h"

#include <math.h>

#include "source.h"

static const double box_low[STREAM_DIMENSIONS] = {-1, -1, -1, -1, -1, -1, -1, -1, -1};
static const double box_high[STREAM_DIMENSIONS] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
const PaBox stream_box = {STREAM_DIMENSIONS, box_low, box_high};

void
stream_start(Stream *stream, StreamLaw law, uint64_t seed)
{
	stream->law = law;
	stream->seed = seed * UINT64_C(0x9E3779B97F4A7C15) ^ UINT64_C(0xD1B54A32D192ED03);
	stream->answers = 0;
	stream->known = (PaRegressionState) {.loss = 0};
	stream->undetermined = false;
	pa_random_init(&stream->random, source_seeded, &stream->seed);
}

PaRegression *
stream_draw(Stream *stream)
{
	PaAnswer   *answer = &stream->answer[stream->answers];
	double	   *theta = stream->theta[stream->answers];
	double		reach = stream->law.reach;
	double		constant = uniform(&stream->random, -reach, reach);
	double		norm = fabs(constant);
	double		u;
	int			j;

	for (j = 0; j < STREAM_DIMENSIONS; j++)
	{
		theta[j] = uniform(&stream->random, -reach, reach);
		norm += fabs(theta[j]);
	}
	if (stream->law.kind == PA_REGRESSION_LINEAR)
	{
		for (j = 0; j < STREAM_DIMENSIONS; j++)
			theta[j] /= norm;
		constant /= norm;
	}
	answer->query.kind = stream->law.kind;
	answer->query.theta = theta;
	answer->query.constant = constant;
	answer->query.a = -1;
	answer->query.b = 1;
	answer->query.epsilon = STREAM_EPSILON;
	u = stream->law.kind == PA_REGRESSION_LINEAR ? (constant + 1) / 2 : 1 / (1 + exp(-constant));
	answer->output = uniform(&stream->random, 0, 1) <
		(1 + expm1(STREAM_EPSILON) * u) / (exp(STREAM_EPSILON) + 1);
	return &answer->query;
}

bool
stream_filter(Stream *stream, const PaRegressionRules *rules)
{
	while (stream->answers < STREAM_MOST)
	{
		PaRegressionDecision decision;
		PaRegression *query = stream_draw(stream);

		if (pa_regression_decide(&stream_box, stream->answer, stream->answers, &stream->known, query, rules,
								 &plain_memory, &decision) != PA_OK)
			return false;
		stream->undetermined = decision.verdict == PA_REGRESSION_UNDETERMINED;
		if (decision.verdict != PA_REGRESSION_ACCEPT)
			break;
		stream->known = decision.after[stream->answer[stream->answers].output];
		stream->answers++;
	}
	return true;
}
