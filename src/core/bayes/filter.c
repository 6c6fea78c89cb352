/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * filter.c
 *		Decisions of the Bayesian Privacy Filter.
 *
 * Full and simplified.  Let P(t | x) be the probability of the owner's transcript
 * t.  Whoever asks chooses questions from t alone, so their part cancels in
 * P(t | x)/P(t | x'), which is at most e^(log L(t)) times e^central.  The filter
 * keeps log L + central within the cap for each t that can happen.  Where
 * some of the answers are kept elsewhere, log P = f + g, f of the table, and max
 * (f + g) - min (f + g) <= (max f - min f) + (max g - min g): the table's loss +
 * beside stands for log L.
 *
 * Approximate.  For one pair x, x' let Z be the loss of the transcript.  The
 * sums count every question that was accepted, for whatever reason.  Where
 * basic + central <= epsilon, Z <= epsilon.  With the order that suits the
 * largest rho with rho + 2 sqrt(rho ln 1/delta) <= epsilon, Ville's inequality
 * for the supermartingale exp((alpha - 1)(Z - alpha rho)) bounds the
 * probability, under x, that ever Z > epsilon while rho is no larger than that
 * by delta.  A transcript ends, at its last acceptance, either with sums that
 * are small enough, or with log L + central <= epsilon and so with Z <=
 * epsilon.  Hence Pr[Z > epsilon] <= delta, which implies (epsilon, delta)-DP.
 * Sums never shrink: once something was accepted that they could not bear they
 * decide no more, which is the halt of Algorithm 4.
 */
#include "core/bayes/filter.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define UP (1.0 + 4 * DBL_EPSILON)

static const char *const names[] = {"full", "simplified", "approximate", "basic"};

const char *
pa_filter_name(PaFilterKind kind)
{
	return kind <= PA_FILTER_BASIC ? names[kind] : NULL;
}

bool
pa_filter_by_name(const char *name, PaFilterKind *kind)
{
	int			i;

	for (i = PA_FILTER_FULL; i <= PA_FILTER_BASIC; i++)
		if (strcmp(name, names[i]) == 0)
		{
			*kind = (PaFilterKind) i;
			return true;
		}
	return false;
}

bool
pa_filter_valid(const PaFilter *filter)
{
	if (!(filter->epsilon >= 0) || !isfinite(filter->epsilon))
		return false;
	if (filter->kind == PA_FILTER_APPROXIMATE)
		return filter->delta > 0 && filter->delta < 1;
	return filter->delta == 0 && filter->kind <= PA_FILTER_BASIC;
}

static bool
within(const PaFilter *filter, double loss)
{
	return loss * UP <= filter->epsilon + PA_FILTER_TIE;
}

/* Algorithm 4's F0 */
bool
pa_filter_sums(const PaFilter *filter, const PaBorne *borne, double epsilon, double rho)
{
	double		basic = borne->basic + borne->central + epsilon;
	double		total = (borne->rho + rho) * UP;

	if (!pa_filter_valid(filter) || filter->kind == PA_FILTER_FULL || filter->kind == PA_FILTER_SIMPLIFIED)
		return false;
	return within(filter, basic) || (filter->kind == PA_FILTER_APPROXIMATE && within(filter, total + 2.0 * sqrt(-total * log(filter->delta)) * UP));
}

static void
decide(const PaFilter *filter, const PaBorne *borne, PaRealisedLoss worst, PaFilterVerdict *verdict)
{
	verdict->worst = worst.loss + borne->beside + borne->central;
	verdict->accepted = verdict->by_sums || (filter->kind != PA_FILTER_BASIC && within(filter, verdict->worst + worst.error));
}

PaStatus
pa_filter_query(const PaFilter *filter, const PaBorne *borne, const PaLikelihood *likelihood,
				const PaQuery *query, const PaEnvironment *environment, PaFilterVerdict *verdict)
{
	PaRealisedLoss worst;
	PaStatus	status = PA_OK;

	if (!pa_filter_valid(filter) || query->size != likelihood->size)
		return PA_INVALID;
	if (filter->kind != PA_FILTER_SIMPLIFIED && pa_query_enumerable(query))
		status = pa_query_worst(query, likelihood, environment, &worst);
	else
	{
		worst = pa_likelihood_loss(likelihood);
		worst.loss += query->level;
	}
	if (status != PA_OK)
		return status;
	verdict->by_sums = pa_filter_sums(filter, borne, query->level, query->rho);
	decide(filter, borne, worst, verdict);
	return PA_OK;
}

PaStatus
pa_filter_central(const PaFilter *filter, const PaBorne *borne, const PaLikelihood *likelihood,
				  double epsilon, PaFilterVerdict *verdict)
{
	PaRealisedLoss worst = pa_likelihood_loss(likelihood);

	if (!pa_filter_valid(filter) || !(epsilon >= 0))
		return PA_INVALID;
	worst.loss += epsilon;
	verdict->by_sums = pa_filter_sums(filter, borne, epsilon, 0.5 * epsilon * epsilon);
	decide(filter, borne, worst, verdict);
	return PA_OK;
}

static void
bear(PaBorne *borne, double *sum, double epsilon, double rho)
{
	*sum = (*sum + epsilon) * (1.0 + DBL_EPSILON);
	borne->rho = (borne->rho + rho) * (1.0 + DBL_EPSILON);
}

void
pa_bear_query(PaBorne *borne, const PaQuery *query)
{
	bear(borne, &borne->basic, query->level, query->rho);
}

void
pa_bear_central(PaBorne *borne, double epsilon)
{
	bear(borne, &borne->central, epsilon, 0.5 * epsilon * epsilon * UP);
}

/* The largest epsilon with basic or rho composition within the cap */
static double
left_by_sums(const PaFilter *filter, const PaBorne *borne)
{
	double		basic = filter->epsilon - borne->basic - borne->central;
	double		log_delta = -log(filter->delta);
	double		root = sqrt(log_delta + filter->epsilon) - sqrt(log_delta);
	double		rho = root * root - borne->rho;

	return fmax(basic, rho > 0 ? sqrt(2.0 * rho) : 0.0);
}

double
pa_filter_left(const PaFilter *filter, const PaBorne *borne, const PaLikelihood *likelihood)
{
	PaRealisedLoss now = pa_likelihood_loss(likelihood);
	double		left = filter->epsilon - borne->central - borne->beside - now.loss - now.error;

	if (filter->kind == PA_FILTER_APPROXIMATE)
		left = fmax(left, left_by_sums(filter, borne));
	if (filter->kind == PA_FILTER_BASIC)
		left = filter->epsilon - borne->basic - borne->central;
	return left > 0 ? left * (1.0 - 1e-12) : 0.0;
}
