/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * local_preview.c
 *		privacct.preview() of questions to owners: what each costs, who can bear it,
 *		and how exact the estimate is for so many answers.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"

#include "catalog/account.h"
#include "core/bayes/estimate.h"
#include "local/able.h"
#include "local/ask.h"
#include "local/spec.h"
#include "price/release.h"

/* Half the width of the interval of an estimate from so many answers; NAN where it is not known. */
static double
question_error(const PaAsk *ask, double owners)
{
	uint64_t	n = (uint64_t) owners;
	PaLocalEstimate estimate;
	PaStatus	status;

	if (!(owners >= 1 && owners <= 0x1p51))
		return NAN;
	if (ask->question.kind == PA_ASK_RESPONSE)
		status = pa_estimate_category(&ask->question.response, n / ask->question.response.categories, n, PA_CONFIDENCE, &estimate);
	else if (ask->question.kind == PA_ASK_ADDITIVE)
		status = pa_estimate_additive(&ask->question.additive, ask->noise_variance, 0, n, PA_CONFIDENCE, &estimate);
	else
		status = pa_estimate_sum(&ask->question.binary, n / 2, n, PA_CONFIDENCE, &estimate);
	if (status != PA_OK)
		return NAN;
	if (ask->question.kind == PA_ASK_ADDITIVE)
		estimate.error *= ask->question.step;
	if (ask->call->kind == PA_AGG_LDP_AVG)
		estimate = pa_estimate_per_owner(estimate, n);
	return PA_NORMAL_95 * estimate.error;
}

static void
put_question(PaPreview *preview, const PaAsk *ask, const PaAble *able, int i)
{
	pa_preview_begin(preview, ask->question.text, true);
	pa_preview_text(preview, PA_PREVIEW_KERNEL, pa_question_randomiser(&ask->question));
	pa_preview_number(preview, PA_PREVIEW_TOTAL_ERROR, question_error(ask, preview->owners));
	pa_preview_amount(preview, PA_PREVIEW_EPSILON, pa_ask_amount(ask->epsilon));
	pa_preview_owners(preview, able->able[i], able->known, able->newcomers[i]);
	pa_preview_end(preview);
}

/* What all questions cost the quota. */
static void
put_total(PaPreview *preview, const PaPolicy *policy, Oid payer, double epsilon, const PaAble *able)
{
	PaCost		cost = {.epsilon = pa_ask_amount(epsilon)};

	pa_preview_begin(preview, "release", true);
	pa_preview_amount(preview, PA_PREVIEW_EPSILON, cost.epsilon);
	pa_preview_left(preview, Min(pa_releases_left_of_quota(policy, payer, &cost), able->releases));
	pa_preview_end(preview);
}

void
pa_local_preview(PaLeafSpec *leaf, const CustomScan *scan, ExprContext *context, PaPreview *preview)
{
	int			count = leaf->naggregates;
	Oid			payer;
	const PaPolicy *policy = pa_release_policies(leaf, GetUserId(), &payer)[0];
	PaDomain	domain = pa_domain_of(policy);
	PaAsk	   *asks = pa_ask_prepare(pa_local_spec_decode(leaf, pa_leaf_private(scan)), pa_leaf_arguments(scan), policy,
									  &domain, context);
	PaQuestion **questions = palloc(sizeof(PaQuestion *) * Max(count, 1));
	PaAble		able;

	for (int i = 0; i < count; i++)
		questions[i] = &asks[i].question;
	able = pa_able(policy, count, questions);
	for (int i = 0; i < count; i++)
		put_question(preview, &asks[i], &able, i);
	put_total(preview, policy, payer, pa_ask_total(asks, count), &able);
}
