/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * value.c
 *		The unit is what an owner of a local policy has: neighbours differ in it, as if
 *		one owner went and another one came (docs/theory-local.md).
 *
 * Each owner pays from an account of their own, so some may not be in a release.
 */
#include "postgres.h"

#include <float.h>

#include "bound/gate.h"
#include "price/unit/unit.h"

static double
epsilon_of_owner(const PaRelease *release)
{
	return pa_amount_to_double(release->cost.epsilon) * (1 + 4 * DBL_EPSILON);
}

static void
require(const PaRelease *release, Snapshot snapshot)
{
	pa_owner_gate->require(release->policy, epsilon_of_owner(release), snapshot);
}

static const void *
admit(const PaRelease *release, int64 charge_id, Snapshot snapshot)
{
	if (release->spec->workers > 0)
		elog(ERROR, "a release with a gate is planned to be read in parallel");
	return pa_owner_gate->open(release->policy, epsilon_of_owner(release), charge_id);
}

const PaUnit pa_unit_value = {
	.limit = pa_owner_limit,
	.sensitivity = pa_owner_sensitivity,
	.comes_or_goes = true,
	.runs = pa_owner_runs,
	.rows = pa_owner_rows,
	.changes = 2,
	.owners_pay = true,
	.require = require,
	.admit = admit,
	.explain = pa_owner_explain,
};
