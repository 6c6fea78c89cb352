/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * preview.c
 *		privacct.preview(query): what a query would cost and how exact it would be.
 *
 * The query is parsed, guarded and planned as its caller's, and not executed:
 * no row of a protected table is read, nothing is charged.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/tuplestore.h"

#include "node/leaf.h"
#include "node/plan_tree.h"
#include "price/mechanism.h"
#include "price/price.h"
#include "price/release.h"
#include "price/slots.h"
#include "price/unit/unit.h"
#include "errors.h"
#include "catalog/account.h"
#include "core/bayes/estimate.h"
#include "function/dry_plan.h"
#include "local/able.h"
#include "local/ask.h"
#include "size_limits.h"

#define MOST_OWNERS 1e15
#define NORMAL_95 1.959964		/* standard deviations that hold 95 % of a normal law */

static bool
is_leaf(const CustomScan *scan)
{
	return pa_is_leaf_scan(scan) || pa_is_local_scan(scan);
}

static Datum
amount_datum(PaAmount amount)
{
	char		text[PA_AMOUNT_TEXT];

	pa_amount_print(amount, text);
	return DirectFunctionCall3(numeric_in, CStringGetDatum(text), ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
}

/* The columns of a row. */
enum
{
	COL_RELEASE, COL_STATISTIC, COL_KERNEL, COL_USED, COL_SCALE, COL_Q, COL_SENSITIVITY, COL_GROUPS,
	COL_WITHIN, COL_ACCEPTANCE, COL_ERROR, COL_TOTAL_ERROR, COL_EPSILON, COL_DELTA, COL_RHO, COL_LEFT,
	COL_ABLE, COL_KNOWN, COL_NEWCOMERS, COLUMNS
};

static void
put_number(Datum *values, bool *nulls, int column, double number)
{
	values[column] = Float8GetDatum(number);
	nulls[column] = isnan(number);
}

/* Of owners with accounts of their own: who can bear it; i: of which question. */
static void
put_able(Datum *values, bool *nulls, const PaAble *able, int i)
{
	values[COL_ABLE] = Int64GetDatum(able->able[i]);
	values[COL_KNOWN] = Int64GetDatum(able->known);
	values[COL_NEWCOMERS] = BoolGetDatum(able->newcomers[i]);
	nulls[COL_ABLE] = nulls[COL_KNOWN] = nulls[COL_NEWCOMERS] = false;
}

static PaAble
able_to_bear(const PaRelease *release)
{
	PaDomain	domain = pa_domain_of(release->policy);
	PaQuestion *question = pa_central_question(&domain, pa_amount_to_double(release->cost.epsilon));

	return pa_able(release->policy, 1, &question);
}

static int64
releases_left(const PaRelease *release)
{
	int64		quota;

	if (pa_accountant(release->policy->accountant)->counts_uses)
		return pa_plan_releases_left(release);
	quota = pa_releases_left_of_quota(release->policy, release->payer, &release->cost);
	return release->unit->owners_pay ? quota :
		Min(quota, pa_releases_left_of_policy(release->policy, release->owners, &release->cost));
}

/* What the whole release costs, and how often that is left. */
static void
put_cost(Datum *values, bool *nulls, const PaRelease *release)
{
	values[COL_EPSILON] = amount_datum(release->cost.epsilon);
	values[COL_DELTA] = amount_datum(release->cost.delta);
	values[COL_RHO] = amount_datum(release->cost.rho);
	nulls[COL_RHO] = !release->rho_known;
	values[COL_LEFT] = Int64GetDatum(releases_left(release));
	nulls[COL_EPSILON] = nulls[COL_DELTA] = nulls[COL_LEFT] = false;
	nulls[COL_ABLE] = nulls[COL_KNOWN] = nulls[COL_NEWCOMERS] = true;
	if (release->unit->owners_pay)
	{
		PaAble		able = able_to_bear(release);

		put_able(values, nulls, &able, 0);
		values[COL_LEFT] = Int64GetDatum(Min(DatumGetInt64(values[COL_LEFT]), able.releases));
	}
}

/*
 * Error of noise and sampling together, if so many owners contribute the most
 * that they can; NAN where that many is not known and matters.
 */
static double
total_error(const PaRelease *release, const PaStatistic *statistic, double owners)
{
	double		rate = release->statistics->rate;
	double		noise = pa_statistic_error(statistic, PA_CONFIDENCE) / rate;
	double		reach = pa_statistic_value(statistic, statistic->calibration.shift);

	if (rate == 1)
		return noise;
	return hypot(noise, NORMAL_95 * sqrt((1 - rate) / rate * owners) * reach);
}

static void
put_statistic(ReturnSetInfo *result, int number, const PaRelease *release, int index, bool used, double owners)
{
	const PaStatistic *statistic = &release->statistics->statistics[index];
	const PaCalibration *calibration = &statistic->calibration;
	double		step = pa_statistic_value(statistic, 1);
	double		rate = release->statistics->rate;
	Datum		values[COLUMNS];
	bool		nulls[COLUMNS] = {false};

	values[COL_RELEASE] = Int32GetDatum(number);
	values[COL_STATISTIC] = CStringGetTextDatum(statistic->label);
	values[COL_KERNEL] = CStringGetTextDatum(pa_kernel_name(calibration->kernel.kind));
	values[COL_USED] = BoolGetDatum(used);
	put_number(values, nulls, COL_SCALE, pa_kernel_is_table(calibration->kernel.kind) ? NAN :
			   pa_kernel_scale(&calibration->kernel) * step);
	put_number(values, nulls, COL_Q, pa_kernel_recycles(calibration->kernel.kind) ?
			   pa_kernel_recycling(&calibration->kernel) : NAN);
	put_number(values, nulls, COL_SENSITIVITY, calibration->shift * step);
	values[COL_GROUPS] = Int32GetDatum(release->max_groups);
	put_number(values, nulls, COL_WITHIN, statistic->within < 0 ? NAN : statistic->within);
	put_number(values, nulls, COL_ACCEPTANCE, calibration->acceptance);
	put_number(values, nulls, COL_ERROR, pa_statistic_error(statistic, PA_CONFIDENCE) / rate);
	put_number(values, nulls, COL_TOTAL_ERROR, total_error(release, statistic, owners));
	put_cost(values, nulls, release);
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/*
 * The noise that would be used, and every other kind at the same cost.  Each is a
 * copy of the whole release, so it is forgotten before the next.
 */
static void
put_comparison(ReturnSetInfo *result, int number, const PaRelease *release, int index, double owners)
{
	PaKernelKind used = release->statistics->statistics[index].calibration.kernel.kind;
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "privacct comparison", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);

	for (int kind = 0; kind < PA_KERNEL_KINDS; kind++)
	{
		const PaRelease *shown = kind == (int) used ? release :
			pa_release_alternative(release, index, (PaKernelKind) kind);

		CHECK_FOR_INTERRUPTS();
		if (shown)
			put_statistic(result, number, shown, index, shown == release, owners);
		MemoryContextReset(context);
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
}

/* What is drawn by the exponential mechanism has no noise to compare. */
static void
put_choice(ReturnSetInfo *result, int number, const PaRelease *release)
{
	Datum		values[COLUMNS];
	bool		nulls[COLUMNS];

	memset(nulls, true, sizeof(nulls));
	values[COL_RELEASE] = Int32GetDatum(number);
	values[COL_STATISTIC] = CStringGetTextDatum(release->statistics->statistics[0].label);
	values[COL_KERNEL] = CStringGetTextDatum(pa_mechanism_of_choice()->name);
	values[COL_USED] = BoolGetDatum(true);
	values[COL_GROUPS] = Int32GetDatum(release->max_groups);
	nulls[COL_RELEASE] = nulls[COL_STATISTIC] = nulls[COL_KERNEL] = nulls[COL_USED] = nulls[COL_GROUPS] = false;
	put_number(values, nulls, COL_SCALE, 2 / release->draw_epsilon);
	put_cost(values, nulls, release);
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/* What noise on time adds to the cost; its scale in seconds. */
static void
put_time(ReturnSetInfo *result, int number, const PaRelease *release)
{
	PaCost		time = pa_price_of_time(release->policy, &release->delay);
	Datum		values[COLUMNS];
	bool		nulls[COLUMNS];

	if (release->delay.reach == 0)
		return;
	memset(nulls, true, sizeof(nulls));
	values[COL_RELEASE] = Int32GetDatum(number);
	values[COL_STATISTIC] = CStringGetTextDatum("time");
	values[COL_KERNEL] = CStringGetTextDatum(pa_kernel_name(release->delay.kernel.kind));
	values[COL_USED] = BoolGetDatum(true);
	put_number(values, nulls, COL_SCALE, pa_kernel_scale(&release->delay.kernel) * PA_ROW_WORK_MICROSECONDS / 1e6);
	values[COL_EPSILON] = amount_datum(time.epsilon);
	values[COL_DELTA] = amount_datum(time.delta);
	values[COL_RHO] = amount_datum(time.rho);
	nulls[COL_RELEASE] = nulls[COL_STATISTIC] = nulls[COL_KERNEL] = nulls[COL_USED] = false;
	nulls[COL_EPSILON] = nulls[COL_DELTA] = nulls[COL_RHO] = false;
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

static void
put_total(ReturnSetInfo *result, int number, const PaRelease *release)
{
	Datum		values[COLUMNS];
	bool		nulls[COLUMNS];

	memset(nulls, true, sizeof(nulls));
	values[COL_RELEASE] = Int32GetDatum(number);
	values[COL_STATISTIC] = CStringGetTextDatum("release");
	values[COL_USED] = BoolGetDatum(true);
	nulls[COL_RELEASE] = nulls[COL_STATISTIC] = nulls[COL_USED] = false;
	put_cost(values, nulls, release);
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

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
	return NORMAL_95 * estimate.error;
}

/* A leaf that asks owners: each question with the error for so many answers, then what all cost the quota. */
static void
put_questions(ReturnSetInfo *result, int number, PaLocalSpec *spec, const CustomScan *scan, ExprContext *context, double owners)
{
	Oid			payer;
	const PaPolicy *policy = pa_release_policy(spec->leaf, GetUserId(), &payer);
	PaDomain	domain = pa_domain_of(policy);
	PaAsk	   *asks = pa_ask_prepare(spec, scan->custom_exprs, policy, &domain, context);
	PaQuestion **questions = palloc(sizeof(PaQuestion *) * Max(spec->leaf->naggregates, 1));
	PaAble		able;
	double		epsilon = 0;
	PaCost		cost = {0};
	Datum		values[COLUMNS];
	bool		nulls[COLUMNS];

	for (int i = 0; i < spec->leaf->naggregates; i++)
		questions[i] = &asks[i].question;
	able = pa_able(policy, spec->leaf->naggregates, questions);
	for (int i = 0; i <= spec->leaf->naggregates; i++)
	{
		bool		total = i == spec->leaf->naggregates;
		double		share = total ? epsilon : asks[i].epsilon;

		memset(nulls, true, sizeof(nulls));
		values[COL_RELEASE] = Int32GetDatum(number);
		values[COL_STATISTIC] = CStringGetTextDatum(total ? "release" : asks[i].question.text);
		values[COL_USED] = BoolGetDatum(true);
		if (pa_amount_from_double_up(share, &cost.epsilon) != PA_OK)
			ereport(ERROR,
					errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
					errmsg("the cost of the release is out of range"),
					errdetail("The ledger cannot record so much epsilon."),
					errhint("Ask for less epsilon."));
		values[COL_EPSILON] = amount_datum(cost.epsilon);
		nulls[COL_RELEASE] = nulls[COL_STATISTIC] = nulls[COL_USED] = nulls[COL_EPSILON] = false;
		if (total)
			values[COL_LEFT] = Int64GetDatum(Min(pa_releases_left_of_quota(policy, payer, &cost), able.releases));
		else
		{
			values[COL_KERNEL] = CStringGetTextDatum(pa_question_randomiser(&asks[i].question));
			put_number(values, nulls, COL_TOTAL_ERROR, question_error(&asks[i], owners));
			put_able(values, nulls, &able, i);
		}
		nulls[COL_LEFT] = !total;
		nulls[COL_KERNEL] = total;
		epsilon += total ? 0 : asks[i].epsilon;
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
}

PG_FUNCTION_INFO_V1(pa_preview);
PGDLLEXPORT Datum
pa_preview(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	double		owners = PG_ARGISNULL(1) ? NAN : PG_GETARG_FLOAT8(1);
	char	   *query;
	ExprContext *context;
	List	   *leaves;
	int			number = 0;
	ListCell   *cell;

	if (PG_ARGISNULL(0))
		pa_refuse_preview("The text is null.", PA_PREVIEW_HINT);
	if (!PG_ARGISNULL(1) && !(owners >= 0 && owners <= MOST_OWNERS))
		ereport(ERROR,
				errcode(ERRCODE_PA_INVALID_OPTION),
				errmsg("owners is out of range"),
				errdetail("It is how many owners contribute, from 0 to 1e15."),
				errhint("Leave it out if it is not known."));
	query = text_to_cstring(PG_GETARG_TEXT_PP(0));
	leaves = pa_plan_custom_scans(pa_dry_plan(query), is_leaf);
	context = CreateStandaloneExprContext();

	if (leaves == NIL)
		pa_refuse_preview("It reads no protected table, or the current role may read it without protection.", PA_PREVIEW_HINT);
	InitMaterializedSRF(fcinfo, 0);
	foreach(cell, leaves)
	{
		CustomScan *scan = lfirst(cell);
		PaLeafSpec *spec;
		PaRelease  *release;

		number++;
		if (pa_is_local_scan(scan))
		{
			PaLocalSpec *local = pa_local_spec_decode(scan->custom_private);

			local->leaf->source = query;
			put_questions(result, number, local, scan, context, owners);
			continue;
		}
		spec = pa_leaf_spec_decode(scan->custom_private);
		spec->source = query;
		release = pa_release_prepare(spec, scan->custom_exprs, context, GetUserId(), GetActiveSnapshot());
		if (release->choose > 0)
			put_choice(result, number, release);
		for (int i = 0; release->choose == 0 && i < release->statistics->nstatistics; i++)
			put_comparison(result, number, release, i, owners);
		put_time(result, number, release);
		put_total(result, number, release);
	}
	FreeExprContext(context, true);
	return (Datum) 0;
}
