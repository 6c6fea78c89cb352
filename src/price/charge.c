/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * charge.c
 *		What a release leaves in the ledger: its cost, and its noise as json.
 *
 * The json says of every statistic which law was drawn from, exactly ("noise",
 * in steps of the lattice; "steps" is the sensitivity), so that the odometer can
 * compose what was released.  What does not fit is summed up as the epsilon and
 * delta that it is worth.
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "lib/stringinfo.h"
#include "utils/builtins.h"
#include "utils/json.h"
#include "utils/lsyscache.h"

#include "core/accounting/zcdp.h"
#include "ledger/ledger.h"
#include "price/limits.h"
#include "price/mechanism.h"
#include "price/order.h"
#include "price/price.h"
#include "price/refine.h"
#include "price/release.h"
#include "errors.h"
#include "size_limits.h"

#define TAIL_ROOM 128			/* for what follows the list of statistics */
#define REST_DELTA 1e-6			/* of the policy's delta: what a rest without bounded loss may add to it */
#define REST_EPSILON 1e6		/* compose() reads no larger one */

/* JSON has no infinity. */
static void
append_number(StringInfo json, const char *name, double value)
{
	if (isfinite(value))
		appendStringInfo(json, ", \"%s\": %.17g", name, value);
}

/* What was drawn is no noise, nor under a policy with noise on time: for the odometer it is its epsilon. */
static void
describe_draw(StringInfo json, const PaStatistic *statistic)
{
	appendStringInfoString(json, "{\"statistic\": ");
	escape_json(json, statistic->label);
	appendStringInfo(json, ", \"kernel\": \"%s\", \"levels\": %d", pa_mechanism_of_choice()->name, statistic->order ? pa_order_levels(statistic) : 1);
	append_number(json, "epsilon", statistic->calibration.epsilon);
	append_number(json, "delta", 0);
	append_number(json, "rho", statistic->calibration.rho);
	appendStringInfoChar(json, '}');
}

/* What a level's noise is worth, whose groups have several of the finest ones: the odometer knows no law for it. */
static void
append_level(StringInfo json, const PaRelease *release, const PaStatistic *statistic)
{
	double		loss = pa_release_loss(release, statistic);
	double		delta = isfinite(loss) ? 0 : Max(release->policy->delta, 1e-30) * REST_DELTA;

	append_number(json, "epsilon", (isfinite(loss) ? loss : pa_zcdp_epsilon(statistic->calibration.rho * (1 + 1e-12), delta)) * (1 + 1e-12));
	append_number(json, "delta", delta);
}

static void
describe_statistic(StringInfo json, const PaRelease *release, const PaStatistic *statistic)
{
	const PaCalibration *calibration = &statistic->calibration;
	char		noise[PA_KERNEL_TEXT];

	appendStringInfoString(json, "{\"statistic\": ");
	escape_json(json, statistic->label);
	appendStringInfo(json, ", \"kernel\": \"%s\"", pa_kernel_name(calibration->kernel.kind));
	append_number(json, "scale", pa_kernel_scale(&calibration->kernel) * pa_statistic_value(statistic, 1));
	append_number(json, "sensitivity", pa_statistic_value(statistic, calibration->shift));
	append_number(json, "step", pa_statistic_value(statistic, 1));
	if (statistic->widest > 1)
		append_level(json, release, statistic);
	else
	{
		append_number(json, "epsilon", calibration->epsilon);
		append_number(json, "delta", calibration->delta);
	}
	append_number(json, "rho", calibration->rho);
	if (release->levels && statistic->threshold > 0)
		appendStringInfo(json, ", \"threshold\": " INT64_FORMAT, statistic->threshold);
	if (calibration->band >= 0)
	{
		append_number(json, "within", statistic->within);
		append_number(json, "acceptance", calibration->acceptance);
	}
	if (pa_kernel_recycles(calibration->kernel.kind))
		append_number(json, "q", pa_kernel_recycling(&calibration->kernel));
	if (statistic->kind == PA_STAT_DISTINCT)
		appendStringInfo(json, ", \"cover\": \"%s\"", statistic->exact ? "exact" : "greedy");
	if (pa_limit_is_own(release, statistic))
		appendStringInfo(json, ", \"owner_limit\": \"%s\"", pa_limit_text(release, statistic));
	if (statistic->widest == 1 && pa_kernel_print(&calibration->kernel, noise) == PA_OK)
		appendStringInfo(json, ", \"noise\": \"%s\", \"steps\": " INT64_FORMAT, noise, calibration->shift);
	appendStringInfoChar(json, '}');
}

/*
 * The (epsilon, delta) that statistics from "first" on are worth together: what
 * is bounded adds up its losses, and other zCDP its rho, which is turned into
 * epsilon at a small part of the policy's delta.
 */
static void
describe_rest(StringInfo json, const PaRelease *release, int first)
{
	double		epsilon = 0,
				delta = 0,
				rho = 0,
				room = Max(release->policy->delta, 1e-30) * REST_DELTA;

	for (int i = first; i < release->statistics->nstatistics; i++)
	{
		const PaStatistic *statistic = &release->statistics->statistics[i];
		double		loss = pa_release_loss(release, statistic);

		if (isfinite(loss))
			epsilon += loss;
		else if (isfinite(statistic->calibration.rho))
			rho += statistic->calibration.rho;
		else
		{
			epsilon += statistic->calibration.epsilon;
			delta += statistic->calibration.delta;
		}
	}
	if (rho > 0)
	{
		epsilon += pa_zcdp_epsilon(rho * (1 + 1e-12), room);
		delta += room;
	}
	epsilon *= 1 + 1e-12;
	if (!(epsilon <= REST_EPSILON))
		delta = epsilon = 1;	/* no promise at all */
	if (first < release->statistics->nstatistics)
		appendStringInfo(json, ", \"rest\": {\"epsilon\": %.17g, \"delta\": %.17g}", epsilon, Min(delta * (1 + 1e-12), 1));
}

/* Which slots of the plan paid, and how often. */
static void
describe_uses(StringInfo json, const PaRelease *release)
{
	if (release->nuses == 0)
		return;
	appendStringInfo(json, ", \"plan\": " INT64_FORMAT ", \"slots\": {", release->plan_id);
	for (int i = 0; i < release->nuses; i++)
		appendStringInfo(json, "%s\"%d\": %d", i > 0 ? ", " : "", release->uses[i].slot, release->uses[i].uses);
	appendStringInfoChar(json, '}');
}

/* What noise on time cost, and its law: delays in steps of so many microseconds. */
static void
describe_time(StringInfo json, const PaRelease *release)
{
	if (release->delay.reach == 0)
		return;
	appendStringInfo(json, ", \"time\": {\"kernel\": \"%s\", \"step_us\": %d",
					 pa_kernel_name(release->delay.kernel.kind), PA_ROW_WORK_MICROSECONDS);
	append_number(json, "epsilon", release->policy->time_epsilon);
	append_number(json, "delta", release->delay.delta);
	append_number(json, "scale", pa_kernel_scale(&release->delay.kernel));
	appendStringInfo(json, ", \"reach\": " INT64_FORMAT "}", release->delay.reach);
}

/* Of a unit of several tables: those that were read. */
static void
describe_tables(StringInfo json, const PaRelease *release)
{
	List	   *described = NIL;

	if (release->policy->unit == release->policy->policy_id)
		return;
	for (int i = 0; i < release->spec->ntables; i++)
	{
		Oid			relation = release->spec->tables[i].relation;

		if (list_member_oid(described, relation))
			continue;
		appendStringInfoString(json, described == NIL ? ", \"tables\": [" : ", ");
		escape_json(json, quote_qualified_identifier(get_namespace_name(get_rel_namespace(relation)), get_rel_name(relation)));
		described = lappend_oid(described, relation);
	}
	appendStringInfoChar(json, ']');
	list_free(described);
}

/* What was drawn is no noise: for the odometer it is its epsilon. */
static void
describe_choice(StringInfo json, const PaRelease *release)
{
	appendStringInfoString(json, "{\"statistics_count\": 1, \"statistics\": [], \"choice\": {\"statistic\": ");
	escape_json(json, release->statistics->statistics[0].label);
	appendStringInfo(json, ", \"kernel\": \"%s\", \"draws\": %d", pa_mechanism_of_choice()->name, release->choose);
	append_number(json, "epsilon", release->draw_epsilon);
	appendStringInfo(json, "}, \"rest\": {\"epsilon\": %.17g, \"delta\": 0}",
					 pa_amount_to_double(release->cost.epsilon) * (1 + 4 * DBL_EPSILON));
	describe_tables(json, release);
	appendStringInfoChar(json, '}');
}

/* How many stages there are, and which one of them is charged. */
static void
describe_stage(StringInfo json, const PaRelease *release, int stage)
{
	if (release->refinement)
		appendStringInfo(json, ", \"stage\": %d, \"stages\": %d", stage + 1, release->refinement->nstages);
}

static void
describe_release(const PaRelease *release, int stage, char detail[PA_LEDGER_DETAIL])
{
	StringInfoData json;
	int			described = 0;

	initStringInfo(&json);
	if (release->choose > 0)
	{
		describe_choice(&json, release);
		strlcpy(detail, json.data, PA_LEDGER_DETAIL);
		return;
	}
	appendStringInfo(&json, "{\"groups_per_owner\": %u, \"rows_per_owner\": " INT64_FORMAT, release->max_groups, release->max_rows);
	if (release->statistics->rate < 1)
		append_number(&json, "sample_rate", release->statistics->rate);
	if (release->select_groups)
		appendStringInfo(&json, ", \"selection_threshold\": " INT64_FORMAT, release->statistics->statistics[release->statistics->selection].threshold);
	if (release->selection_delta > 0)
		append_number(&json, "selection_delta", release->selection_delta);
	if (release->owners != NIL)
		appendStringInfo(&json, ", \"owners\": %d", list_length(release->owners));
	describe_tables(&json, release);
	describe_time(&json, release);
	describe_stage(&json, release, stage);
	describe_uses(&json, release);
	appendStringInfo(&json, ", \"statistics_count\": %d, \"statistics\": [", release->statistics->nstatistics);
	for (int i = 0; i < release->statistics->nstatistics; i++)
	{
		int			before = json.len;

		if (i > 0)
			appendStringInfoString(&json, ", ");
		if (pa_is_drawn(&release->statistics->statistics[i]))
			describe_draw(&json, &release->statistics->statistics[i]);
		else
			describe_statistic(&json, release, &release->statistics->statistics[i]);
		if (json.len + TAIL_ROOM > PA_LEDGER_DETAIL)
		{
			json.len = before;
			break;
		}
		described++;
	}
	json.data[json.len] = '\0';
	appendStringInfoChar(&json, ']');
	describe_rest(&json, release, described);
	appendStringInfoChar(&json, '}');
	strlcpy(detail, json.data, PA_LEDGER_DETAIL);
	pfree(json.data);
}

static void
copy_owners(PaChargeRequest *request, List *owners)
{
	char	   *position = request->owners;
	ListCell   *cell;

	foreach(cell, owners)
	{
		strcpy(position, lfirst(cell));	/* pa_release_owners() saw to the room */
		position += strlen(position) + 1;
		request->nowners++;
	}
}

/* By whose policies, each once. */
static void
copy_tables(PaChargeRequest *request, const PaRelease *release)
{
	for (int i = 0; i < release->spec->ntables; i++)
	{
		int64		policy_id = release->policies[i]->policy_id;
		int			known = 0;

		while (known < request->ntables && request->tables[known] != policy_id)
			known++;
		if (known == PA_LEDGER_TABLES)
			ereport(ERROR,
					errcode(ERRCODE_PA_REFUSED),
					errmsg("query on a protected table is not allowed"),
					errdetail("It reads more than %d protected tables at once.", PA_LEDGER_TABLES),
					errhint("Ask for less in one query."));
		request->tables[known] = policy_id;
		request->ntables = Max(request->ntables, known + 1);
	}
}

bool
pa_release_is_free(const PaRelease *release)
{
	return !pa_price_is_look(release) &&
		release->cost.epsilon == 0 && release->cost.delta == 0 && release->cost.rho == 0;
}

/*
 * The release as the ledger has it with a stage: what is drawn, and not known to it already.  All that is seen of
 * a number whose noise is gradual loses no more than the finest, which the first line has.
 */
static const PaRelease *
stage_of(const PaRelease *release, int stage)
{
	const PaStatistics *all = release->statistics;
	PaRelease  *shown;

	if (release->refinement == NULL || (stage == 0 && release->refinement->gradual))
		return release;
	shown = pa_release_copy(release);
	if (stage > 0)
	{
		shown->select_groups = false;
		shown->selection_delta = 0;
		shown->delay.reach = 0;
		shown->statistics->nstatistics = 0;
	}
	for (int i = 0; i < all->nstatistics; i++)
	{
		bool		refined = i < all->nsummed && pa_is_refined(release, &all->statistics[i]);
		const PaStatistic *statistic = refined ? &release->refinement->stages[stage].drawn[i] : &all->statistics[i];

		if (stage == 0)
			shown->statistics->statistics[i] = *statistic;
		else if (refined && release->refinement->gradual == NULL)
			shown->statistics->statistics[shown->statistics->nstatistics++] = *statistic;
	}
	return shown;
}

static PaChargeRequest *
make_request(const PaRelease *release, int stage)
{
	PaChargeRequest *request = palloc0(sizeof(PaChargeRequest));

	request->policy_id = release->policy->unit;
	copy_tables(request, release);
	request->payer = release->payer;
	request->user = release->user;
	request->cost = stage > 0 ? release->refinement->stages[stage].cost :
		release->refinement ? pa_refinement_cost(release, 0) : release->cost;
	request->is_look = stage == 0 && pa_price_is_look(release);
	request->look = request->cost;
	request->plan_id = release->plan_id;
	request->nuses = release->nuses;
	memcpy(request->uses, release->uses, sizeof(request->uses));
	copy_owners(request, release->owners);
	describe_release(stage_of(release, stage), stage, request->detail);
	return request;
}

int64
pa_release_charge(const PaRelease *release)
{
	PaChargeRequest *request = make_request(release, 0);
	int64		charge_id = pa_ledger_charge(request);

	pfree(request);
	return charge_id;
}

bool
pa_release_charge_stage(const PaRelease *release, int stage)
{
	PaChargeRequest *request = make_request(release, stage);
	bool		charged = pa_ledger_try_charge(request);

	pfree(request);
	return charged;
}
