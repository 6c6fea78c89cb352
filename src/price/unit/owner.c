/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * owner.c
 *		The unit is an owner, with all rows: neighbours differ in whether one is there.
 */
#include "postgres.h"

#include "bound/group_table.h"
#include "catalog/unique_owner.h"
#include "price/unit/unit.h"
#include "errors.h"
#include "settings.h"
#include "size_limits.h"

/* So many groups that looking through them would take long are for the table's owner to allow. */
static void
check_groups(const PaRelease *release)
{
	int			most = Max(release->policy->max_groups_contributed, PA_QUICK_GROUPS);

	if (release->max_groups > most)
		ereport(ERROR,
				errcode(ERRCODE_PA_INVALID_OPTION),
				errmsg("privacct.max_groups is too large for this table"),
				errdetail("It may be up to %d, or what the policy says if that is more.", PA_QUICK_GROUPS),
				errhint("Set privacct.max_groups to %d or less.", most));
}

/* Policy, session, shape of the query and schema decide. */
void
pa_owner_limit(PaRelease *release, Snapshot snapshot)
{
	const PaPolicy *policy = release->policy;
	int64		public_groups = pa_groups_public_count(release->spec, release->policies, release->key_rows);

	if (release->spec->entries != 0)
		elog(ERROR, "a leaf does not fit the regime of its policy");
	release->max_groups = pa_max_groups > 0 ? pa_max_groups : policy->max_groups_contributed;
	release->max_rows = pa_max_rows > 0 ? pa_max_rows : policy->max_rows_contributed;
	release->one_row_per_owner = release->spec->fanout == 1 &&
		(release->spec->one_row ||
		 (release->spec->ntables == 1 && pa_owner_is_unique(policy->relation, policy->owner_attnum, snapshot)));
	if (release->one_row_per_owner)
		release->max_groups = release->max_rows = 1;
	if (release->spec->nkeys == 0)
		release->max_groups = 1;
	else if (public_groups >= 0)
		release->max_groups = Max(Min(release->max_groups, public_groups), 1);
	check_groups(release);
	release->declared_groups = public_groups >= 0;
	release->select_groups = release->spec->nkeys > 0 && (!release->declared_groups || policy->min_owners > 1);
}

PaInt128
pa_owner_sensitivity(const PaStatistics *set, const PaStatistic *statistic)
{
	if (statistic->kind == PA_STAT_OWNERS)
		return 1;
	if (statistic->kind == PA_STAT_OWNER_SUM)
		return Max(-statistic->owner_lo, statistic->owner_hi);
	/* clamped twice, to bounds that exclude each other, every row may be 0: the noise is that of one step */
	return Max((PaInt128) statistic->max_rows * Max(-statistic->row_lo, statistic->row_hi), 1);
}

int64
pa_owner_runs(const PaRelease *release)
{
	return release->max_groups;
}

int64
pa_owner_rows(const PaPolicy *policy)
{
	return (int64) policy->max_groups_contributed * policy->max_rows_contributed;
}

void
pa_owner_explain(const PaRelease *release, ExplainState *es)
{
	ExplainPropertyInteger("Groups per Owner", NULL, release->max_groups, es);
	ExplainPropertyInteger("Rows per Owner", NULL, release->max_rows, es);
}

static void
require(const PaRelease *release, Snapshot snapshot)
{
}

static const void *
admit(const PaRelease *release, int64 charge_id, Snapshot snapshot)
{
	return NULL;
}

const PaUnit pa_unit_owner = {
	.limit = pa_owner_limit,
	.sensitivity = pa_owner_sensitivity,
	.comes_or_goes = true,
	.runs = pa_owner_runs,
	.rows = pa_owner_rows,
	.changes = 1,
	.refines = true,
	.require = require,
	.admit = admit,
	.explain = pa_owner_explain,
};
