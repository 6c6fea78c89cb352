/*
 * release.c
 *		Sharing a release's epsilon among its statistics, calibration, cost, noise.
 *
 * The release's epsilon is shared equally by the statistics that were given none
 * of their own; so is its delta, by those of them that need one (Gaussian noise,
 * selection of groups).  docs/theory.md proves what the sum is worth.
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "executor/executor.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/json.h"
#include "utils/lsyscache.h"

#include "aggregate/group_table.h"
#include "aggregate/options.h"
#include "aggregate/release.h"
#include "catalog/unique_owner.h"
#include "errors.h"
#include "ledger/ledger.h"
#include "settings.h"

#define BOUND_LIMIT 1e100		/* |bound| at most; and not all of them below 1/BOUND_LIMIT */

static void
core_failed(const char *what, PaStatus status)
{
	ereport(ERROR,
			errcode(status == PA_NO_RANDOMNESS ? ERRCODE_INTERNAL_ERROR : ERRCODE_PA_INVALID_OPTION),
			errmsg("%s failed: %s", what, pa_status_text(status)),
			errhint("Choose another epsilon, delta or other bounds."));
}

/* --- arguments --- */

static Datum
evaluate(Expr *expression, ExprContext *context, bool *isnull)
{
	ExprState  *state = ExecInitExpr(expression, NULL);

	return ExecEvalExprSwitchContext(state, context, isnull);
}

static double
evaluate_bound(Expr *expression, ExprContext *context)
{
	bool		isnull;
	Datum		value = evaluate(expression, context, &isnull);

	if (isnull || !isfinite(DatumGetFloat8(value)) || fabs(DatumGetFloat8(value)) > BOUND_LIMIT)
		ereport(ERROR,
				errcode(ERRCODE_PA_INVALID_OPTION),
				errmsg("bounds of an aggregate must be finite numbers"),
				errdetail("A bound is NULL, NaN, infinite or larger than 1e100."),
				errhint("Give bounds such as dp_sum(x, 0, 100)."));
	return DatumGetFloat8(value);
}

static void
evaluate_bounds(PaAggregateArguments *arguments, List *expressions, int first, ExprContext *context)
{
	arguments->lo = evaluate_bound(list_nth(expressions, first), context);
	arguments->hi = evaluate_bound(list_nth(expressions, first + 1), context);
	if (!(arguments->lo < arguments->hi) ||
		Max(fabs(arguments->lo), fabs(arguments->hi)) < 1 / BOUND_LIMIT ||
		(arguments->hi - arguments->lo) < 1e-12 * Max(fabs(arguments->lo), fabs(arguments->hi)))
		ereport(ERROR,
				errcode(ERRCODE_PA_INVALID_OPTION),
				errmsg("lower bound of an aggregate must be below its upper bound"),
				errhint("Give bounds such as dp_sum(x, 0, 100)."));
}

PaAggregateArguments *
pa_release_arguments(const PaLeafSpec *spec, List *expressions, ExprContext *context)
{
	PaAggregateArguments *arguments = palloc0(sizeof(PaAggregateArguments) * Max(spec->naggregates, 1));

	for (int i = 0; i < spec->naggregates; i++)
	{
		int			first = spec->aggregates[i].first_argument;
		bool		isnull;
		Datum		options;

		if (pa_aggregate_needs_bounds(spec->aggregates[i].kind))
			evaluate_bounds(&arguments[i], expressions, first, context);
		options = evaluate(list_nth(expressions, first + 2), context, &isnull);
		if (!isnull)
			arguments[i].options = pa_options_parse(TextDatumGetCString(options));
	}
	return arguments;
}

/* --- noise and cost --- */

static PaKernelKind
kernel_of(const PaRelease *release, const PaOptions *options)
{
	if (options->kernel_given)
		return options->kernel;
	if (pa_default_kernel != PA_KERNEL_OF_POLICY)
		return (PaKernelKind) pa_default_kernel;
	return release->policy->kernel;
}

static bool
is_selection(const PaRelease *release, const PaStatistic *statistic)
{
	return release->select_groups && statistic == &release->statistics->statistics[release->statistics->selection];
}

/* Whether a group is shown at all may depend on one owner: that takes a delta.  Declared groups are no secret. */
static bool
selects_unknown(const PaRelease *release, const PaStatistic *statistic)
{
	return is_selection(release, statistic) && !release->declared_groups;
}

static bool
needs_delta(const PaRelease *release, const PaStatistic *statistic)
{
	return selects_unknown(release, statistic) || kernel_of(release, &statistic->options) == PA_KERNEL_GAUSSIAN;
}

/*
 * What one statistic may spend: so much less than an equal share that the
 * decimals that the shares stand for do not sum to more than the decimal that
 * is charged for the whole, either being off by up to DBL_EPSILON / 2.
 */
static double
share(double whole, int parts)
{
	return parts > 1 ? whole / parts * (1 - 4 * DBL_EPSILON) : whole;
}

static void
require_delta(const PaRelease *release)
{
	if (release->policy->delta > 0)
		return;
	ereport(ERROR,
			errcode(ERRCODE_PA_INVALID_OPTION),
			errmsg("this release needs a delta, and the policy has none"),
			errdetail("Gaussian noise and the private selection of groups give (epsilon, delta)-privacy with delta above 0."),
			errhint("Use the laplace kernel, group by columns with declared keys, or have the policy made with a delta."));
}

static PaAmount
amount(double value)
{
	PaAmount	result;
	PaStatus	status = pa_amount_from_double_up(value, &result);

	if (status != PA_OK)
		core_failed("computing the cost", status);
	return result;
}

static void
calibrate(PaRelease *release, PaStatistic *statistic, double epsilon, double delta)
{
	PaSensitivity sensitivity = {
		.per_group = pa_statistic_sensitivity(release->statistics, statistic),
		.groups = release->max_groups
	};
	PaStatus	status = pa_calibrate(kernel_of(release, &statistic->options), &sensitivity,
									  epsilon, delta, &statistic->calibration);

	if (status != PA_OK)
		core_failed("calibrating the noise", status);
	release->cost.rho += amount(statistic->calibration.rho);
}

/*
 * Gaussian noise spends its delta under the basic accountant only: as zCDP it
 * is worth its rho alone.  Selection spends delta under both.
 */
static bool
charges_delta(const PaRelease *release, const PaStatistic *statistic)
{
	if (selects_unknown(release, statistic))
		return true;
	return release->policy->accountant == PA_ACCOUNTANT_BASIC &&
		kernel_of(release, &statistic->options) == PA_KERNEL_GAUSSIAN;
}

static void
calibrate_selection(PaRelease *release, PaStatistic *statistic, double epsilon, double delta)
{
	PaStatus	status;

	if (release->declared_groups)
	{
		calibrate(release, statistic, epsilon, delta);
		release->threshold = release->policy->min_owners;
		return;
	}
	/* Gaussian noise under the basic accountant has a delta of its own: half of it each */
	if (release->policy->accountant == PA_ACCOUNTANT_BASIC &&
		kernel_of(release, &statistic->options) == PA_KERNEL_GAUSSIAN)
		delta /= 2;
	calibrate(release, statistic, epsilon, delta);
	status = pa_selection_threshold(&statistic->calibration.kernel, release->max_groups, delta, &release->threshold);
	if (status != PA_OK)
		core_failed("computing the selection threshold", status);
	release->threshold += release->policy->min_owners - 1;
}

/* Counts who shares the release's epsilon and delta. */
static void
count_shares(const PaRelease *release, int *epsilons, int *deltas)
{
	*epsilons = *deltas = 0;
	for (int i = 0; i < release->statistics->nstatistics; i++)
	{
		const PaStatistic *statistic = &release->statistics->statistics[i];

		*epsilons += statistic->options.epsilon == 0;
		*deltas += statistic->options.delta == 0 && needs_delta(release, statistic);
	}
}

static void
calibrate_all(PaRelease *release)
{
	int			epsilons,
				deltas;
	bool		shared_delta_charged = false;

	count_shares(release, &epsilons, &deltas);
	for (int i = 0; i < release->statistics->nstatistics; i++)
	{
		PaStatistic *statistic = &release->statistics->statistics[i];
		double		epsilon = statistic->options.epsilon;
		double		delta = statistic->options.delta;

		if (epsilon > 0)
			release->cost.epsilon += amount(epsilon);
		else
			epsilon = share(pa_default_epsilon, epsilons);
		if (needs_delta(release, statistic))
		{
			require_delta(release);
			if (delta == 0)
				delta = share(pa_default_delta, deltas);
			if (charges_delta(release, statistic) && statistic->options.delta > 0)
				release->cost.delta += amount(delta);
			shared_delta_charged |= charges_delta(release, statistic) && statistic->options.delta == 0;
		}
		if (is_selection(release, statistic))
			calibrate_selection(release, statistic, epsilon, delta);
		else
			calibrate(release, statistic, epsilon, delta);
	}
	if (epsilons > 0)
		release->cost.epsilon += amount(pa_default_epsilon);
	if (shared_delta_charged)
		release->cost.delta += amount(pa_default_delta);
}

/* How much one owner can do: policy, shape of the query and schema decide. */
static void
set_contribution_limits(PaRelease *release, Snapshot snapshot)
{
	const PaPolicy *policy = release->policy;
	int64		public_groups = pa_groups_public_count(release->spec, policy);

	release->max_groups = policy->max_groups_contributed;
	release->max_rows = policy->max_rows_contributed;
	release->one_row_per_owner = release->spec->alone &&
		pa_owner_is_unique(policy->relation, policy->owner_attnum, snapshot);
	if (release->one_row_per_owner)
		release->max_groups = release->max_rows = 1;
	if (release->spec->nkeys == 0)
		release->max_groups = 1;
	else if (public_groups > 0)
		release->max_groups = Min(release->max_groups, public_groups);
	release->declared_groups = public_groups > 0;
	release->select_groups = release->spec->nkeys > 0 && (!release->declared_groups || policy->min_owners > 1);
}

PaRelease *
pa_release_prepare(const PaLeafSpec *spec, const PaAggregateArguments *arguments, Oid user, Snapshot snapshot)
{
	PaRelease  *release = palloc0(sizeof(PaRelease));

	release->policy = pa_policy_of(spec->relation);
	release->spec = spec;
	release->user = user;
	if (release->policy)
		release->payer = pa_policy_payer(release->policy, user);
	if (release->policy == NULL || !OidIsValid(release->payer))
		ereport(ERROR,
				errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				errmsg("permission denied for table %s", get_rel_name(spec->relation)),
				errdetail("The current role has no privacy budget for the table."),
				errhint("The table's owner can give one with privacct.grant_budget()."));
	set_contribution_limits(release, snapshot);
	release->statistics = pa_statistics_build(spec, arguments, release->select_groups, release->max_rows);
	calibrate_all(release);
	return release;
}

/* --- the charge --- */

static void
describe_statistic(StringInfo json, const PaRelease *release, const PaStatistic *statistic)
{
	const PaCalibration *calibration = &statistic->calibration;

	appendStringInfoString(json, "{\"statistic\": ");
	escape_json(json, statistic->label);
	appendStringInfo(json, ", \"kernel\": \"%s\", \"scale\": %.17g, \"sensitivity\": %.17g, \"step\": %.17g, "
					 "\"epsilon\": %.17g, \"delta\": %.17g, \"rho\": %.17g}",
					 pa_kernel_name(calibration->kernel.kind),
					 pa_kernel_scale(&calibration->kernel) * pa_statistic_value(statistic, 1),
					 pa_statistic_value(statistic, calibration->shift), pa_statistic_value(statistic, 1),
					 calibration->epsilon, calibration->delta, calibration->rho);
}

/* What the ledger remembers of a release; as many statistics as fit. */
static void
describe_release(const PaRelease *release, char detail[PA_LEDGER_DETAIL])
{
	StringInfoData json;

	initStringInfo(&json);
	appendStringInfo(&json, "{\"groups_per_owner\": %u, \"rows_per_owner\": " INT64_FORMAT, release->max_groups, release->max_rows);
	if (release->select_groups)
		appendStringInfo(&json, ", \"selection_threshold\": " INT64_FORMAT, release->threshold);
	appendStringInfo(&json, ", \"statistics_count\": %d, \"statistics\": [", release->statistics->nstatistics);
	for (int i = 0; i < release->statistics->nstatistics; i++)
	{
		int			before = json.len;

		if (i > 0)
			appendStringInfoString(&json, ", ");
		describe_statistic(&json, release, &release->statistics->statistics[i]);
		if (json.len + 3 > PA_LEDGER_DETAIL)
		{
			json.len = before;
			break;
		}
	}
	json.data[json.len] = '\0';
	appendStringInfoString(&json, "]}");
	strlcpy(detail, json.data, PA_LEDGER_DETAIL);
	pfree(json.data);
}

int64
pa_release_charge(const PaRelease *release)
{
	PaChargeRequest *request = palloc0(sizeof(PaChargeRequest));
	int64		charge_id;

	request->policy_id = release->policy->policy_id;
	request->payer = release->payer;
	request->user = release->user;
	request->cost = release->cost;
	describe_release(release, request->detail);
	charge_id = pa_ledger_charge(request);
	pfree(request);
	return charge_id;
}

/* --- the draw --- */

static bool
fill_strong(void *context, void *bytes, size_t length)
{
	return pg_strong_random(bytes, length);
}

/* One generator for each process: a buffer must not be shared across a fork. */
static PaRandom *
session_random(void)
{
	static PaRandom random;
	static int	owner = 0;

	if (owner != MyProcPid || random.failed)
	{
		pa_random_init(&random, fill_strong, NULL);
		owner = MyProcPid;
	}
	return &random;
}

PaInt128
pa_release_noise(const PaStatistic *statistic, PaInt128 total)
{
	int64_t		noise;
	PaStatus	status = pa_kernel_sample(&statistic->calibration.kernel, session_random(), &noise);

	if (status != PA_OK)
		core_failed("drawing noise", status);
	return pa_coarsen(total, statistic->calibration.coarsen) + noise;
}
