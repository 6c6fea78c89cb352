/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * least_price.c
 *		The least price of a release.
 *
 * What is compared with the policy's floor is what is charged: on a sample the
 * amplified cost, with time the sum.  src/catalog/price.c decides; here it is said
 * what to ask for instead.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/price.h"
#include "price/least_price.h"
#include "price/price.h"
#include "price/unit/unit.h"
#include "errors.h"
#include "position.h"
#include "settings.h"

#define SHOWN_DIGITS 6			/* of a least epsilon */
#define SEARCH_ROUNDS 18

/* A number that reads as at least the amount, with few digits. */
static char *
round_up(PaAmount least)
{
	double		value = pa_amount_to_double(least);
	double		unit = pow(10, floor(log10(value)) - (SHOWN_DIGITS - 1));

	for (double count = floor(value / unit);; count++)
	{
		char	   *text = psprintf("%.*g", SHOWN_DIGITS, count * unit);
		PaAmount	shown;

		if (pa_amount_from_double_up(strtod(text, NULL), &shown) != PA_OK || shown >= least)
			return text;
	}
}

static bool
suffices(const PaRelease *release)
{
	return pa_price_suffices(release->policy->accountant, release->policy->floor, &release->cost);
}

static int
count_own(const PaRelease *release)
{
	int			own = 0;

	for (int i = 0; i < release->statistics->nsummed; i++)
		own += release->statistics->statistics[i].options.epsilon > 0;
	return own;
}

/* Whether epsilon follows from errors that are asked for, beside which no other one may be named. */
static bool
follows_from_errors(const PaRelease *release)
{
	for (int i = 0; i < release->statistics->nsummed; i++)
		if (release->statistics->statistics[i].options.reach)
			return true;
	return false;
}

/* Whether the release would cost enough with so many times the epsilon. */
static bool
suffices_at(const PaRelease *release, double factor)
{
	PaRelease  *other = pa_release_copy(release);
	const PaStatistics *set = other->statistics;
	int			sharing = set->nsummed - count_own(release);
	PaProblem	problem;

	for (int i = 0; i < set->nstatistics; i++)
	{
		double	   *epsilon = &set->statistics[i].options.epsilon;

		/* a little less: the shares of a sum are */
		*epsilon = (*epsilon > 0 ? *epsilon : pa_default_epsilon / sharing) * factor * (1 - 1e-12);
	}
	return pa_release_calibrate(other, &problem) && suffices(other);
}

/* By trying: what a release costs in another currency is not linear in epsilon (rho: nor more than quadratic). */
static double
least_factor(const PaRelease *release)
{
	double		low = 1,
				high = 2;

	for (int i = 0; i < SEARCH_ROUNDS && !suffices_at(release, high); i++)
	{
		low = high;
		high *= 16;
	}
	for (int i = 0; i < SEARCH_ROUNDS; i++)
	{
		double		middle = sqrt(low * high);

		if (suffices_at(release, middle))
			high = middle;
		else
			low = middle;
	}
	return high;
}

/* What all statistics together would have to ask for, if so much is asked for now. */
static PaAmount
least_epsilon(const PaRelease *release, PaAmount asked)
{
	PaAmount	missing = release->policy->floor - release->cost.epsilon;

	if (pa_currency_is_converted(pa_accountant(release->policy->accountant)->currency))
		return pa_price_amount(pa_amount_to_double(asked) * least_factor(release));
	return asked + (missing + release->unit->changes - 1) / release->unit->changes;
}

/* location: of what is too cheap, in the text of the statement */
static void
refuse(const PaPolicy *policy, const PaCost *cost, const char *hint, const char *source, int location)
{
	PaCurrency	currency = pa_accountant(policy->accountant)->currency;
	char		price[PA_AMOUNT_TEXT];
	char		least[PA_AMOUNT_TEXT];

	pa_amount_print(pa_currency_of(currency, cost), price);
	pa_amount_print(policy->floor, least);
	ereport(ERROR,
			errcode(ERRCODE_PA_INVALID_OPTION),
			errmsg("the release costs less than the policy allows"),
			errdetail("It would cost %s %s; the least is %s.", pa_currency(currency)->name, price, least),
			errhint("%s", hint),
			pa_position(source, location));
}

void
pa_require_least_price(const PaRelease *release)
{
	PaAmount	asked = release->cost.epsilon - pa_price_of_time(release->policy, &release->delay).epsilon;
	int			own = count_own(release);
	PaAmount	least;
	const char *hint;

	if (!pa_price_is_look(release) || suffices(release))
		return;
	asked /= release->unit->changes;	/* finish_cost() of shares.c */
	least = least_epsilon(release, asked);
	if (follows_from_errors(release))
		hint = "Ask for a smaller error.";
	else if (own == 0)
		hint = psprintf("Use SET privacct.epsilon = %s, or more.", round_up(least));
	else if (release->statistics->nstatistics == 1)
		hint = psprintf("Use the option epsilon=%s, or more.", round_up(least));
	else
		hint = psprintf("Ask for %.3g times as much epsilon, or more.",
						pa_amount_to_double(least) / pa_amount_to_double(asked) * 1.005);
	refuse(release->policy, &release->cost, hint, release->spec->source, release->statistics->statistics[0].location);
}

void
pa_require_least_price_of_question(const PaPolicy *policy, double epsilon, int sharing, const char *source, int location)
{
	PaCost		cost = {.epsilon = pa_price_amount(epsilon)};

	if (pa_price_suffices(policy->accountant, policy->floor, &cost))
		return;
	refuse(policy, &cost, sharing > 0 ?
		   psprintf("Use SET privacct.epsilon = %s, or more.", round_up(policy->floor * sharing)) :
		   psprintf("Use the option epsilon=%s, or more.", round_up(policy->floor)),
		   source, location);
}
