/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * release.c
 *		Who asks, who pays, how much one owner can do: then noise and cost (shares.c).
 */
#include "postgres.h"

#include "utils/inval.h"
#include "utils/lsyscache.h"

#include "bound/owner_table.h"
#include "price/choice.h"
#include "price/form/form.h"
#include "price/key_rows.h"
#include "price/least_price.h"
#include "price/levels.h"
#include "price/release.h"
#include "price/unit/unit.h"
#include "errors.h"
#include "position.h"
#include "settings.h"
#include "size_limits.h"

/* The plan of an open cursor is not made anew: its owner column may be another one, and what it joins be refused now. */
static void
refuse_plan(void)
{
	ereport(ERROR,
			errcode(ERRCODE_PA_REFUSED),
			errmsg("query on a protected table is not allowed"),
			errdetail("The declarations of the table have changed since the query was planned."),
			errhint("Run the query again."));
}

static const PaPolicy *
policy_of(const PaLeafTable *table, Oid user, Oid *payer)
{
	const PaPolicy *policy = pa_policy_of(table->relation);

	*payer = policy ? pa_policy_payer(policy, user) : InvalidOid;
	if (!OidIsValid(*payer))
		ereport(ERROR,
				errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				errmsg("permission denied for table %s", get_rel_name(table->relation)),
				errdetail("The current role has no privacy budget for the table."),
				errhint("The table's owner can give one with privacct.grant_budget()."));
	if (policy->policy_id != table->policy_id)
		refuse_plan();
	return policy;
}

const PaPolicy **
pa_release_policies(const PaLeafSpec *spec, Oid user, Oid *payer)
{
	const PaPolicy **policies = palloc(sizeof(PaPolicy *) * spec->ntables);

	AcceptInvalidationMessages();	/* a cursor is fetched from without a lock being taken */
	for (int i = spec->ntables - 1; i >= 0; i--)
	{
		policies[i] = policy_of(&spec->tables[i], user, payer);
		if ((spec->ntables > 1 && policies[i]->time_epsilon > 0) || spec->workers > policies[i]->workers)
			refuse_plan();
	}
	for (int i = 1; i < spec->ntables; i++)
		if (policies[i]->unit != policies[0]->unit)
			elog(ERROR, "tables of different units are joined");
	return policies;
}

int
pa_release_position(const PaRelease *release, const PaStatistic *statistic)
{
	if (statistic == NULL && release->statistics->nstatistics > 0)
		statistic = &release->statistics->statistics[0];
	return statistic ? pa_position(release->spec->source, statistic->location) : 0;
}

/* By public numbers alone: neither time nor memory of a row, nor an error, may depend on how many there are. */
static void
require_room(const PaRelease *release)
{
	const PaStatistics *set = release->statistics;
	size_t		group = pa_owners_group_room(set);

	if (set->one_row || (group <= PA_MOST_GROUP_BYTES && group * release->max_groups <= PA_MOST_OWNER_BYTES))
		return;
	ereport(ERROR,
			errcode(ERRCODE_PA_INVALID_OPTION),
			errmsg("the rows of an owner could take too much memory"),
			errdetail("They could take %zu bytes in each of " INT64_FORMAT " groups; at most %d in a group and %d MB in all are allowed.",
					  group, (int64) release->max_groups, PA_MOST_GROUP_BYTES, PA_MOST_OWNER_BYTES / (1024 * 1024)),
			errhint("Set privacct.max_rows or the option max_rows lower, as in 'max_rows=10', ask for fewer aggregates at once, or set privacct.max_groups lower."),
			pa_release_position(release, NULL));
}

PaRelease *
pa_release_sketch(const PaLeafSpec *spec, List *expressions, ExprContext *context, Oid user, Snapshot snapshot)
{
	PaAggregateArguments *arguments = pa_release_arguments(spec, expressions, context);
	PaRelease  *release = palloc0(sizeof(PaRelease));
	PaProblem	problem = {0};

	release->policies = pa_release_policies(spec, user, &release->payer);
	release->policy = pa_strictest_policy(release->policies, spec->ntables);
	release->spec = spec;
	release->arguments = arguments;
	release->user = user;
	release->owners = pa_release_owners(spec, expressions, context);
	release->unit = pa_unit_of(release->policy);
	release->key_rows = pa_release_key_rows(spec, release->policies, context, snapshot);
	release->unit->limit(release, snapshot);
	release->levels = pa_levels_make(release);
	release->statistics = pa_statistics_build(spec, arguments, release->unit, release->select_groups, release->max_rows,
											  release->one_row_per_owner);
	release->statistics->rate = Min(pa_default_sample_rate, release->policy->sample_rate);
	pa_levels_add(release);
	if (pa_is_choice(release, arguments))
		pa_choice_set(release, arguments);
	if (!pa_release_calibrate(release, &problem))
		ereport(ERROR,
				errcode(ERRCODE_PA_INVALID_OPTION),
				errmsg("%s", problem.message),
				errdetail("%s", problem.detail),
				errhint("%s", problem.hint),
				pa_release_position(release, problem.statistic));
	return release;
}

PaRelease *
pa_release_prepare(const PaLeafSpec *spec, List *expressions, ExprContext *context, Oid user, Snapshot snapshot)
{
	PaRelease  *release = pa_release_sketch(spec, expressions, context, user, snapshot);

	require_room(release);
	if (release->declared_groups)
		pa_require_group_memory(pa_groups_public_room(spec, release->policies, release->key_rows, release->statistics));
	pa_require_least_price(release);
	if (release->delay.reach > 0)
		release->owners = NIL;	/* the time of the scan is about everybody */
	return release;
}
