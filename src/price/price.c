/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * price.c
 *		The price of time.
 *
 * The time that one owner adds to a release is not amplified by sampling, nor
 * smaller for a release that uses few of the owner's rows: all rows are read.
 */
#include "postgres.h"

#include <float.h>

#include "price/price.h"
#include "price/unit/unit.h"
#include "size_limits.h"

PaStatus
pa_price_delay(const PaPolicy *policy, bool one_row, PaDelayLaw *delay)
{
	int64		rows = one_row ? 1 : pa_unit_of(policy)->rows(policy);
	PaStatus	status = pa_delay_make(rows, policy->time_epsilon, policy->time_delta, delay);

	if (status == PA_OK && 2 * delay->reach > PA_LONGEST_DELAY / PA_ROW_WORK_MICROSECONDS)
		status = PA_OUT_OF_RANGE;
	return status;
}

PaAmount
pa_price_amount(double value)
{
	PaAmount	result;

	if (pa_amount_from_double_up(value, &result) != PA_OK)
		ereport(ERROR,
				errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				errmsg("the cost of the release is out of range"),
				errdetail("The ledger cannot record so much epsilon, delta or rho."),
				errhint("Ask for less epsilon."));
	return result;
}

/* In every currency: (epsilon, delta)-DP is a loss of at most epsilon but for delta (docs/theory.md). */
PaCost
pa_price_of_time(const PaPolicy *policy, const PaDelayLaw *delay)
{
	double		epsilon = policy->time_epsilon;

	if (delay->reach == 0)
		return (PaCost) {0};
	return (PaCost) {
		.epsilon = pa_price_amount(epsilon),
		.delta = pa_price_amount(delay->delta),
		.rho = pa_price_amount(pa_currency(PA_CURRENCY_RHO)->of_loss(epsilon) * (1 + 4 * DBL_EPSILON))
	};
}

bool
pa_price_is_look(const PaRelease *release)
{
	return release->statistics->nstatistics > 0;
}

bool
pa_price_add_time(PaRelease *release, PaProblem *problem)
{
	PaCost		time;

	release->delay = (PaDelayLaw) {0};
	if (release->policy->time_epsilon == 0 || !pa_price_is_look(release))
		return true;
	if (pa_price_delay(release->policy, release->one_row_per_owner, &release->delay) != PA_OK)
	{
		*problem = (PaProblem) {"no delay hides the time of this release",
			"The rows that one owner may have take too long for the policy's time_epsilon.",
		"The table's owner can change it with privacct.set_release_terms()."};
		return false;
	}
	time = pa_price_of_time(release->policy, &release->delay);
	release->cost.epsilon += time.epsilon;
	release->cost.delta += time.delta;
	release->cost.rho += time.rho;
	return true;
}
