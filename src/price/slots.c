/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slots.c
 *		Slots for the statistics of a release.
 *
 * A slot's noise is one law on a lattice of PA_PLAN_STEPS steps for the
 * sensitivity.  Each statistic gets a lattice on which its own sensitivity is at
 * most that many steps, so it loses no more than the slot was composed with.
 *
 * Each statistic takes one use of the first slot, by number, that fits: of any
 * role or of the one that pays, for enough groups, and of the kernel that the
 * query or the session names, if any.  Nothing else can be asked for: the noise
 * is what was planned.
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "catalog/slot.h"
#include "core/accounting/plan.h"
#include "price/distinct.h"
#include "price/order.h"
#include "price/refine.h"
#include "price/slots.h"
#include "price/unit/unit.h"
#include "settings.h"

static bool
fails(PaProblem *problem, const char *message, const char *detail, const char *hint)
{
	*problem = (PaProblem) {message, detail, hint};
	return false;
}

static bool
is_selection(const PaRelease *release, int index)
{
	return release->select_groups && index == release->statistics->selection;
}

/* --- what may be asked --- */

static bool
check_statistic(const PaRelease *release, const PaStatistic *statistic, PaProblem *problem)
{
	if (statistic->order)
		return pa_order_allowed(release, statistic, problem);
	if (statistic->kind == PA_STAT_CAP)
		return pa_cap_allowed(release, statistic, problem);
	if (!pa_distinct_allowed(release, statistic, problem))
		return false;
	if (statistic->options.epsilon > 0 || statistic->options.delta > 0)
		return fails(problem, "epsilon and delta cannot be chosen under a plan",
					 "The noise of every release was fixed when the plan was declared.",
					 "Leave the options epsilon and delta out; the option kernel chooses among the slots.");
	if (statistic->error > 0 || pa_is_refined(release, statistic))
		return fails(problem, "an error cannot be chosen under a plan",
					 "The noise of every release was fixed when the plan was declared.",
					 "Leave the option error out and RESET privacct.accuracy; privacct.plan shows the noise of the slots.");
	if (statistic->options.within >= 0)
		return fails(problem, "an error bound cannot be chosen under a plan",
					 "The noise of every release was fixed when the plan was declared.",
					 "Leave the option within out and reset privacct.within; privacct.plan shows the bounds of the slots.");
	return true;
}

static bool
check_release(const PaRelease *release, PaProblem *problem)
{
	if (release->select_groups && !release->declared_groups)
		return fails(problem, "groups cannot be selected privately under a plan",
					 "Selecting the groups would take a delta that the plan did not reserve.",
					 "Group by columns with declared keys (privacct.set_keys), or do not group.");
	if (release->statistics->rate < 1)
		return fails(problem, "a release under a plan cannot use a sample of owners",
					 "The plan was made for releases on all owners.", "Set privacct.sample_rate to 1.");
	if (release->statistics->nstatistics == 0)
		return fails(problem, "this release would not use a slot of the plan",
					 "It computes nothing from protected rows.", "Ask for an aggregate, such as count(*).");
	for (int i = 0; i < release->statistics->nstatistics; i++)
		if (!check_statistic(release, &release->statistics->statistics[i], problem))
		{
			problem->statistic = &release->statistics->statistics[i];
			return false;
		}
	return true;
}

/* --- which slot --- */

/* The kernel that is asked for; false if any will do. */
static bool
wanted_kernel(const PaRelease *release, int index, PaKernelKind *kind)
{
	const PaOptions *options = &release->statistics->statistics[index].options;

	*kind = options->kernel_given ? options->kernel : (PaKernelKind) pa_default_kernel;
	if (options->kernel_given)
		return true;
	return pa_default_kernel != PA_KERNEL_OF_POLICY &&
		!(is_selection(release, index) && pa_kernel_needs_band(*kind));
}

static bool
fits(const PaRelease *release, int index, const PaSlot *slot)
{
	PaKernelKind kind;

	if (!slot->everybodys && slot->role != release->payer)
		return false;
	if (slot->groups < release->max_groups)
		return false;
	return !wanted_kernel(release, index, &kind) || kind == slot->kernel.kind;
}

/* The first with a use left, else the first; NULL if none fits. */
static PaSlot *
choose(const PaRelease *release, int index, List *slots)
{
	PaSlot	   *first = NULL;
	ListCell   *cell;

	foreach(cell, slots)
	{
		PaSlot	   *slot = lfirst(cell);

		if (!fits(release, index, slot))
			continue;
		if (slot->left > 0)
			return slot;
		if (first == NULL)
			first = slot;
	}
	return first;
}

static bool
no_slot(const PaRelease *release, List *slots, PaProblem *problem)
{
	if (slots == NIL)
		return fails(problem, "no plan was declared for the table",
					 "Its budget is managed by a plan, and nothing is released until one is declared.",
					 "The table's owner can declare one with privacct.plan_budget().");
	return fails(problem, "the plan has no slot for this release",
				 "No slot that this role may use has the requested kernel and covers as many groups as an owner may count in.",
				 "privacct.plan shows the slots; one may fit with fewer groups, or with another kernel or none.");
}

/* --- its noise --- */

static void
add_use(PaRelease *release, PaSlot *slot)
{
	slot->left--;
	release->plan_id = slot->plan_id;
	for (int i = 0; i < release->nuses; i++)
		if (release->uses[i].slot == slot->number)
		{
			release->uses[i].uses++;
			return;
		}
	if (release->nuses == PA_PLAN_SLOTS)
		elog(ERROR, "a plan has more than %d slots", PA_PLAN_SLOTS);
	release->uses[release->nuses++] = (PaSlotUses) {.slot = slot->number,.uses = 1};
}

/* The bound is a fraction of the sensitivity, so its steps are those of this lattice. */
static void
set_bound(PaStatistic *statistic, double sensitivity, const PaSlot *slot)
{
	PaCalibration *calibration = &statistic->calibration;

	calibration->band = -1;
	calibration->acceptance = NAN;
	statistic->within = -1;
	if (slot->within < 0)
		return;
	statistic->within = ldexp(slot->within * sensitivity, statistic->exponent);
	calibration->band = (int64) floor(slot->within * sensitivity / pa_lattice_step(&calibration->lattice));
	calibration->acceptance = pa_kernel_acceptance(&calibration->kernel, calibration->band);
}

static bool
set_noise(PaStatistics *set, PaStatistic *statistic, const PaSlot *slot, double delta, PaProblem *problem)
{
	PaInt128	sensitivity = pa_statistic_sensitivity(set, statistic);
	PaCalibration calibration = {.kernel = slot->kernel,.epsilon = slot->epsilon,.delta = delta,.rho = slot->rho};
	PaInt128	shift;

	if (pa_lattice_fit(sensitivity, PA_PLAN_STEPS, &calibration.lattice) != PA_OK)
		return fails(problem, "no lattice is known for this release",
					 "What one owner can add to a total is out of range.", "Use narrower bounds.");
	shift = pa_lattice_shift(&calibration.lattice, sensitivity);
	if (shift > PA_PLAN_STEPS)
		elog(ERROR, "a sensitivity does not fit the lattice of the plan");
	calibration.shift = (int64) shift;
	statistic->calibration = calibration;
	set_bound(statistic, (double) sensitivity, slot);
	return true;
}

/* A cost that nobody guards, for the ledger to show. */
static void
set_cost(PaRelease *release, double rho)
{
	PaAmount	amount;

	release->cost = (PaCost) {0};
	rho *= 1 + 4 * DBL_EPSILON * release->statistics->nstatistics;
	release->rho_known = pa_amount_from_double_up(rho, &amount) == PA_OK;
	if (release->rho_known)
		release->cost.rho = amount;
}

bool
pa_plan_calibrate(PaRelease *release, PaProblem *problem)
{
	List	   *slots = pa_slots_of(release->policy->unit);
	double		rho = 0;

	release->nuses = 0;
	if (!check_release(release, problem))
		return false;
	for (int i = 0; i < release->statistics->nstatistics; i++)
	{
		PaSlot	   *slot = choose(release, i, slots);

		PaStatistic *statistic = &release->statistics->statistics[i];

		if (slot == NULL ? !no_slot(release, slots, problem) :
			!set_noise(release->statistics, statistic, slot, release->policy->delta, problem))
		{
			problem->statistic = statistic;
			return false;
		}
		add_use(release, slot);
		rho += slot->rho;
	}
	if (release->select_groups)
		release->statistics->statistics[release->statistics->selection].threshold = release->policy->min_owners;
	set_cost(release, rho);
	return true;
}

/* --- how often --- */

/* Lets every statistic take a use; false if one finds none. */
static bool
take_all(const PaRelease *release, List *slots)
{
	for (int i = 0; i < release->statistics->nstatistics; i++)
	{
		PaSlot	   *slot = choose(release, i, slots);

		if (slot == NULL || slot->left <= 0)
			return false;
		slot->left--;
	}
	return true;
}

/*
 * Goes on as releases would, in strides: after one release, the same slots serve
 * as long as each of them has what it served then.  Each stride all but empties
 * a slot, so there are few.
 */
int64
pa_plan_releases_left(const PaRelease *release)
{
	List	   *slots = pa_slots_of(release->policy->unit);
	int64		total = 0;

	for (;;)
	{
		List	   *before = NIL;
		int64		again = PG_INT64_MAX;
		ListCell   *cell,
				   *old;

		foreach(cell, slots)
		{
			PaSlot	   *copy = palloc(sizeof(PaSlot));

			*copy = *(PaSlot *) lfirst(cell);
			before = lappend(before, copy);
		}
		if (!take_all(release, slots))
			return total;
		forboth(cell, slots, old, before)
		{
			int64		left = ((PaSlot *) lfirst(cell))->left;
			int64		uses = ((PaSlot *) lfirst(old))->left - left;

			if (uses > 0)
				again = Min(again, left / uses);
		}
		total += 1 + again;
		forboth(cell, slots, old, before)
		{
			PaSlot	   *slot = lfirst(cell);

			slot->left -= again * (((PaSlot *) lfirst(old))->left - slot->left);
		}
	}
}
