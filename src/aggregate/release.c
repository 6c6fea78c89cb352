/*
 * release.c
 *		Who asks, who pays, how much one owner can do: then noise and cost (shares.c).
 */
#include "postgres.h"

#include "utils/lsyscache.h"

#include "aggregate/choice.h"
#include "aggregate/gate.h"
#include "aggregate/group_table.h"
#include "aggregate/price.h"
#include "aggregate/release.h"
#include "catalog/unique_owner.h"
#include "errors.h"
#include "position.h"
#include "settings.h"

const PaOwnerGate *pa_owner_gate = NULL;

/* Another entry of a row changes at most the group that it leaves and the one that it goes to. */
static void
set_entry_limits(PaRelease *release)
{
	int64		groups = pa_groups_public_count(release->spec, release->policy);

	if (release->spec->nkeys > 0 && groups == 0)
		ereport(ERROR,
				errcode(ERRCODE_PA_REFUSED),
				errmsg("query on a protected table is not allowed"),
				errdetail("The query groups entries by something that has no declared keys."),
				errhint("Group by columns with keys, which the table's owner can declare with privacct.set_keys()."));
	if (pa_default_sample_rate < 1)
		ereport(ERROR,
				errcode(ERRCODE_PA_INVALID_OPTION),
				errmsg("releases of entries cannot use a sample of owners"),
				errdetail("privacct.sample_rate is below 1, and the table has a Pufferfish policy."),
				errhint("Set privacct.sample_rate to 1."));
	release->max_groups = release->spec->entries & PA_ENTRY_GROUPS && groups > 1 ? 2 : 1;
	release->max_rows = 1;
	release->one_row_per_owner = true;
	release->declared_groups = groups > 0;
}

/* How much one owner can do: policy, shape of the query and schema decide. */
static void
set_contribution_limits(PaRelease *release, Snapshot snapshot)
{
	const PaPolicy *policy = release->policy;
	int64		public_groups = pa_groups_public_count(release->spec, policy);

	release->max_groups = policy->max_groups_contributed;
	release->max_rows = policy->max_rows_contributed;
	release->one_row_per_owner = release->spec->fanout == 1 &&
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

const PaPolicy *
pa_release_policy(const PaLeafSpec *spec, Oid user, Oid *payer)
{
	const PaPolicy *policy = pa_policy_of(spec->relation);

	*payer = policy ? pa_policy_payer(policy, user) : InvalidOid;
	if (!OidIsValid(*payer))
		ereport(ERROR,
				errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				errmsg("permission denied for table %s", get_rel_name(spec->relation)),
				errdetail("The current role has no privacy budget for the table."),
				errhint("The table's owner can give one with privacct.grant_budget()."));
	/* the plan of an open cursor is not made anew: its owner column may be another one */
	if (policy->policy_id != spec->policy_id)
		ereport(ERROR,
				errcode(ERRCODE_PA_REFUSED),
				errmsg("query on a protected table is not allowed"),
				errdetail("The declarations of the table have changed since the query was planned."),
				errhint("Run the query again."));
	return policy;
}

int
pa_release_position(const PaRelease *release, const PaStatistic *statistic)
{
	if (statistic == NULL && release->statistics->nstatistics > 0)
		statistic = &release->statistics->statistics[0];
	return statistic ? pa_position(release->spec->source, statistic->location) : 0;
}

PaRelease *
pa_release_prepare(const PaLeafSpec *spec, List *expressions, ExprContext *context, Oid user, Snapshot snapshot)
{
	PaAggregateArguments *arguments = pa_release_arguments(spec, expressions, context);
	PaRelease  *release = palloc0(sizeof(PaRelease));
	PaProblem	problem = {0};

	release->policy = pa_release_policy(spec, user, &release->payer);
	release->spec = spec;
	release->user = user;
	release->owners = pa_release_owners(spec, expressions, context);
	if ((release->policy->pufferfish) != (spec->entries != 0))
		elog(ERROR, "a leaf does not fit the regime of its policy");
	if (release->policy->pufferfish)
		set_entry_limits(release);
	else
		set_contribution_limits(release, snapshot);
	release->statistics = pa_statistics_build(spec, arguments, release->select_groups, release->max_rows);
	release->statistics->rate = Min(pa_default_sample_rate, release->policy->sample_rate);
	if (pa_is_choice(release, arguments))
		release->choose = (int) arguments->lo;
	if (!pa_release_calibrate(release, &problem))
		ereport(ERROR,
				errcode(ERRCODE_PA_INVALID_OPTION),
				errmsg("%s", problem.message),
				errdetail("%s", problem.detail),
				errhint("%s", problem.hint),
				pa_release_position(release, problem.statistic));
	pa_price_require(release);
	if (release->delay.reach > 0)
		release->owners = NIL;	/* the time of the scan is about everybody */
	return release;
}
