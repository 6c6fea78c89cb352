/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * entry.c
 *		The unit is the entry of one row: neighbours differ in its value, and whose rows
 *		there are is no secret (docs/theory-pufferfish.md).
 */
#include "postgres.h"

#include "bound/group_table.h"
#include "look/longest_owner.h"
#include "price/unit/unit.h"
#include "errors.h"
#include "settings.h"

/* Another entry of a row changes at most the group that it leaves and the one that it goes to. */
static void
limit(PaRelease *release, Snapshot snapshot)
{
	int64		groups = pa_groups_public_count(release->spec, release->policies, release->key_rows);

	if (release->spec->entries == 0)
		elog(ERROR, "a leaf does not fit the regime of its policy");
	if (release->spec->nkeys > 0 && groups < 0)
		ereport(ERROR,
				errcode(ERRCODE_PA_REFUSED),
				errmsg("query on a protected table is not allowed"),
				errdetail("What entries are grouped by, or what is drawn of them, has no declared keys."),
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
	release->declared_groups = groups >= 0;
}

/* No row leaves its group for another entry, nor comes into one; and it has a value whatever the entry is. */
static bool
always_counts(const PaStatistics *set, const PaStatistic *statistic)
{
	return set->entries == PA_ENTRY_UNIT && statistic->never_missing;
}

/*
 * What the row adds to a group moves from anywhere in its range to anywhere else; 0 is
 * in the range if the row may count elsewhere, or not at all.
 */
static PaInt128
sensitivity(const PaStatistics *set, const PaStatistic *statistic)
{
	bool		always = always_counts(set, statistic);
	int64		lo = always ? statistic->row_lo : Min(statistic->row_lo, 0);
	int64		hi = always ? statistic->row_hi : Max(statistic->row_hi, 0);

	return (PaInt128) hi - lo;
}

static int64
runs(const PaRelease *release)
{
	return release->spec->entries & PA_ENTRY_RUNS ? 2 : 1;
}

static int64
rows(const PaPolicy *policy)
{
	return 1;
}

static void
require(const PaRelease *release, Snapshot snapshot)
{
	pa_require_longest_owner(release->policy, snapshot);
}

static const void *
admit(const PaRelease *release, int64 charge_id, Snapshot snapshot)
{
	pa_recheck_longest_owner(release->policy, snapshot);
	return NULL;
}

static void
explain(const PaRelease *release, ExplainState *es)
{
	ExplainPropertyInteger("Groups per Entry", NULL, release->max_groups, es);
	if (release->owners != NIL)
		ExplainPropertyInteger("Owners Charged", NULL, list_length(release->owners), es);
}

const PaUnit pa_unit_entry = {
	.limit = limit,
	.sensitivity = sensitivity,
	.runs = runs,
	.rows = rows,
	.changes = 1,
	.require = require,
	.admit = admit,
	.explain = explain,
};
