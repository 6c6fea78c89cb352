/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * unit.h
 *		What a release protects: the privacy unit, by the regime of its policy.
 *
 * Noise and price are for the change of one unit: that an owner comes or goes
 * (owner.c), that an owner's values are others (value.c), that the entry of a row is
 * another one (entry.c).  Releases know no regime: they ask the unit.
 */
#ifndef PA_UNIT_H
#define PA_UNIT_H

#include "postgres.h"

#include "utils/snapshot.h"

#include "compat/explain.h"
#include "core/random/random.h"

#include "catalog/policy.h"
#include "price/release.h"

typedef struct PaUnit
{
	/*
	 * Sets in how many groups a unit counts, with how many rows, and whether groups
	 * are declared or selected.  Errors out where the release is not for such units.
	 */
	void		(*limit) (PaRelease *release, Snapshot snapshot);

	/* The largest change of a statistic's total in one group, in lattice steps. */
	PaInt128	(*sensitivity) (const PaStatistics *set, const PaStatistic *statistic);

	/* A change is one unit that comes or goes, with all of its rows, so that all counts rise or all fall. */
	bool		comes_or_goes;

	/* In how many runs of dp_topk's column, each being all groups that share the other keys, counts change. */
	int64		(*runs) (const PaRelease *release);

	/* How many rows change, at most: so much work is added or left out. */
	int64		(*rows) (const PaPolicy *policy);

	/*
	 * The change of a unit is so many such changes: epsilon counts so often, rho by the
	 * square.  Delta and the selection of groups are not multiplied: more than 1 is
	 * for policies without a delta.
	 */
	int			changes;

	/* Numbers may be made finer by what was released of them: what a unit loses adds up to that of the finest. */
	bool		refines;

	/* Each owner has an account: the policy's cap is theirs, and rows are read one owner at a time. */
	bool		owners_pay;

	/* Before a charge, of public things alone: errors out if the release cannot be. */
	void		(*require) (const PaRelease *release, Snapshot snapshot);

	/* After it: errors out if it cannot be any more; returns who may be in it, for pa_owner_gate; NULL: everybody. */
	const void *(*admit) (const PaRelease *release, int64 charge_id, Snapshot snapshot);

	/* The limits, for EXPLAIN. */
	void		(*explain) (const PaRelease *release, ExplainState *es);
} PaUnit;

extern const PaUnit pa_unit_owner;
extern const PaUnit pa_unit_value;
extern const PaUnit pa_unit_entry;

/* unit.c */
extern const PaUnit *pa_unit_of(const PaPolicy *policy);

/* The largest change of a group's total by one unit, in lattice steps. */
extern PaInt128 pa_statistic_sensitivity(const PaStatistics *set, const PaStatistic *statistic);

/* owner.c: an owner who changes their values is one who goes and one who comes */
extern void pa_owner_limit(PaRelease *release, Snapshot snapshot);
extern PaInt128 pa_owner_sensitivity(const PaStatistics *set, const PaStatistic *statistic);
extern int64 pa_owner_runs(const PaRelease *release);
extern int64 pa_owner_rows(const PaPolicy *policy);
extern void pa_owner_explain(const PaRelease *release, ExplainState *es);

#endif							/* PA_UNIT_H */
