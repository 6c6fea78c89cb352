/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * unit.c
 *		Which unit a policy protects.
 */
#include "postgres.h"

#include "price/unit/unit.h"

static const PaUnit *const unit_of_regime[] = {
	[PA_REGIME_CENTRAL] = &pa_unit_owner,
	[PA_REGIME_LOCAL] = &pa_unit_value,
	[PA_REGIME_ENTRIES] = &pa_unit_entry,
};

StaticAssertDecl(lengthof(unit_of_regime) == PA_REGIMES, "a regime protects nothing");

const PaUnit *
pa_unit_of(const PaPolicy *policy)
{
	if (unit_of_regime[policy->regime] == NULL)
		elog(ERROR, "regime %d protects nothing", (int) policy->regime);
	return unit_of_regime[policy->regime];
}

PaInt128
pa_statistic_sensitivity(const PaStatistics *set, const PaStatistic *statistic)
{
	return set->unit->sensitivity(set, statistic);
}
