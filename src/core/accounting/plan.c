/*
 * plan.c
 *		The largest common strength at which a plan keeps its promise.
 *
 * A strength is tried by making every slot's kernel, which is what will be drawn,
 * and composing the exact laws of all releases: by privacy-loss distributions,
 * whose epsilon is never below the truth, or by adding up largest losses, which
 * is all that counts for delta = 0.  Only a strength that passed is returned, so no
 * error of the search, nor a loss that does not quite grow with the strength,
 * can cost privacy.
 *
 * The search starts from what is known to pass.  Each kernel's rho is at most
 * (w x)^2/2 a coordinate: exactly so for Gaussian noise, and pure e-DP is
 * e^2/2-zCDP.  So x = sqrt(2 rho/sum of n L0 w^2) fits where rho-zCDP implies the
 * promise; and so does epsilon/sum of n L0 w for pure kernels.
 */
#include "core/accounting/plan.h"

#include <float.h>
#include <math.h>

#include "core/accounting/pld.h"
#include "core/accounting/promise.h"
#include "core/accounting/zcdp.h"

#define LEAST_EPSILON 1e-9
#define MOST_EPSILON 1e6
#define LEAST_STRENGTH 1e-9		/* of a slot: what a scale can express */
#define GROWTH 1.25
#define CLOSE 1e-5				/* relative width at which the search ends */
#define LOSS_ERROR 1e-10		/* of a sum of losses, each off by PA_LAW_ERROR */

typedef struct Plan
{
	const PaPlannedSlot *slots;
	int			nslots;
	double		epsilon;		/* below the promise by one unit */
	double		delta;
	double		most_weight;
	const PaEnvironment *environment;
} Plan;

static double
below(double x)
{
	return nextafter(x, 0.0);
}

bool
pa_plan_allows(PaKernelKind kind)
{
	return pa_calibrator(kind)->planned != NULL;
}

/* --- one slot --- */

static bool
slot_valid(const PaPlannedSlot *slot)
{
	if ((int) slot->kind < 0 || (int) slot->kind >= PA_KERNEL_KINDS || !pa_plan_allows(slot->kind))
		return false;
	if (slot->releases < 1 || slot->releases > PA_PLAN_RELEASES ||
		slot->groups < 1 || slot->groups > PA_PLAN_GROUPS)
		return false;
	if (!(slot->weight >= 1.0 / PA_PLAN_WEIGHTS && slot->weight <= PA_PLAN_WEIGHTS))
		return false;
	if (!(slot->within <= PA_PLAN_WITHIN))
		return false;
	return slot->within >= 0 || !pa_kernel_needs_band(slot->kind);
}

static PaStatus
make_kernel(const PaPlannedSlot *slot, double strength, int64_t band, PaKernel *kernel)
{
	if (strength < LEAST_STRENGTH)
		return PA_NO_SOLUTION;
	return pa_calibrator(slot->kind)->planned(strength, PA_PLAN_STEPS, band, kernel);
}

static int64_t
band_of(const PaPlannedSlot *slot)
{
	return slot->within < 0 ? -1 : (int64_t) floor(slot->within * PA_PLAN_STEPS);
}

/* The largest loss of one release, rounded up; INFINITY if there is none. */
static double
most_loss(const PaPlannedSlot *slot, const PaKernel *kernel)
{
	PaLaw		law = pa_kernel_law(kernel);

	return slot->groups * pa_law_most_loss(&law, PA_PLAN_STEPS) * (1.0 + LOSS_ERROR);
}

static PaRun
run_of(const PaPlannedSlot *slot, const PaKernel *kernel, uint64_t times, PaPart *part)
{
	PaRun		run = {.parts = part, .nparts = 1, .rate = 1, .times = times};

	part->law = pa_kernel_law(kernel);
	part->shift = PA_PLAN_STEPS;
	part->coordinates = slot->groups;
	return run;
}

/* --- all slots --- */

/* The sum of the largest losses, rounded up. */
static double
losses(const PaPlannedSlot *slots, const PaPlannedNoise *noise, int nslots)
{
	double		sum = 0;
	int			i;

	for (i = 0; i < nslots; i++)
		sum += (double) slots[i].releases * most_loss(&slots[i], &noise[i].kernel);
	return sum * (1.0 + LOSS_ERROR);
}

PaStatus
pa_plan_epsilon(const PaPlannedSlot *slots, const PaPlannedNoise *noise, int nslots,
				double delta, const PaEnvironment *environment, double *epsilon)
{
	PaRun		runs[PA_PLAN_SLOTS];
	PaPart		parts[PA_PLAN_SLOTS];
	double		composed = INFINITY;
	PaStatus	status = PA_OK;
	int			i;

	if (nslots < 1 || nslots > PA_PLAN_SLOTS)
		return PA_INVALID;
	for (i = 0; i < nslots; i++)
		runs[i] = run_of(&slots[i], &noise[i].kernel, slots[i].releases, &parts[i]);
	if (delta > 0)
		status = pa_compose_epsilon(runs, nslots, delta, environment, &composed);
	if (status == PA_OK)
		*epsilon = fmin(composed, losses(slots, noise, nslots));
	return status;
}

/*
 * Necessary, by other means than those of the composition: no coordinate alone
 * breaks the promise.  Should composing ever fail unnoticed, this limits the
 * harm; likewise an epsilon of 0 is not believed.
 */
static bool
coordinates_fit(const Plan *plan, const PaPlannedNoise *noise)
{
	int			i;

	for (i = 0; i < plan->nslots; i++)
		if (pa_kernel_delta(&noise[i].kernel, PA_PLAN_STEPS, plan->epsilon) > plan->delta)
			return false;
	return true;
}

/* PA_OK: fits; PA_NO_SOLUTION: does not. */
static PaStatus
try_strength(const Plan *plan, double strength, PaPlannedNoise *noise)
{
	double		epsilon;
	PaStatus	status;
	int			i;

	for (i = 0; i < plan->nslots; i++)
	{
		const PaPlannedSlot *slot = &plan->slots[i];

		noise[i].band = band_of(slot);
		status = make_kernel(slot, strength * (slot->weight / plan->most_weight), noise[i].band, &noise[i].kernel);
		if (status != PA_OK)
			return PA_NO_SOLUTION;
		if (plan->environment->interrupted && plan->environment->interrupted(plan->environment->context))
			return PA_INTERRUPTED;
	}
	if (losses(plan->slots, noise, plan->nslots) <= plan->epsilon)
		return PA_OK;
	if (plan->delta == 0 || !coordinates_fit(plan, noise))
		return PA_NO_SOLUTION;
	status = pa_plan_epsilon(plan->slots, noise, plan->nslots, plan->delta, plan->environment, &epsilon);
	if (status != PA_OK)
		return status;
	return epsilon > 0 && epsilon <= plan->epsilon ? PA_OK : PA_NO_SOLUTION;
}

/* A strength that should fit. */
static double
first_guess(const Plan *plan)
{
	double		linear = 0,
				square = 0,
				guess,
				rho;
	int			i;

	for (i = 0; i < plan->nslots; i++)
	{
		double		coordinates = (double) plan->slots[i].releases * plan->slots[i].groups;
		double		weight = plan->slots[i].weight / plan->most_weight;

		linear += coordinates * weight;
		square += coordinates * weight * weight;
	}
	guess = plan->epsilon / linear * (1.0 - 1e-6);
	if (plan->delta > 0 && pa_zcdp_rho(plan->epsilon, plan->delta, &rho) == PA_OK)
		guess = fmax(guess, sqrt(2.0 * rho / square) * (1.0 - 1e-6));
	return fmin(guess, MOST_EPSILON);
}

/* Goes down to a strength that fits, and up to one that does not. */
static PaStatus
bracket(const Plan *plan, PaPlannedNoise *noise, double *fits, double *fails)
{
	PaPlannedNoise trial[PA_PLAN_SLOTS];
	double		strength = first_guess(plan);
	PaStatus	status;
	int			i;

	*fails = INFINITY;
	while ((status = try_strength(plan, strength, noise)) == PA_NO_SOLUTION)
	{
		*fails = strength;
		strength /= 2;
		if (strength < LEAST_STRENGTH)
			return PA_NO_SOLUTION;
	}
	*fits = strength;
	while (status == PA_OK && isinf(*fails))
	{
		strength *= GROWTH;
		if (strength > MOST_EPSILON)
			break;
		status = try_strength(plan, strength, trial);
		if (status == PA_NO_SOLUTION)
		{
			*fails = strength;
			status = PA_OK;
		}
		else if (status == PA_OK)
		{
			*fits = strength;
			for (i = 0; i < plan->nslots; i++)
				noise[i] = trial[i];
		}
	}
	return status;
}

static PaStatus
narrow(const Plan *plan, PaPlannedNoise *noise, double fits, double fails)
{
	PaPlannedNoise trial[PA_PLAN_SLOTS];
	int			i;

	while (isfinite(fails) && fails > fits * (1.0 + CLOSE))
	{
		double		middle = sqrt(fits * fails);
		PaStatus	status = try_strength(plan, middle, trial);

		if (status == PA_NO_SOLUTION)
			fails = middle;
		else if (status != PA_OK)
			return status;
		else
		{
			fits = middle;
			for (i = 0; i < plan->nslots; i++)
				noise[i] = trial[i];
		}
	}
	return PA_OK;
}

/* What one release of a slot is worth by itself. */
static PaStatus
describe(const Plan *plan, const PaPlannedSlot *slot, PaPlannedNoise *noise)
{
	PaPlannedSlot once = *slot;

	once.releases = 1;
	noise->acceptance = noise->band < 0 ? NAN : pa_kernel_acceptance(&noise->kernel, noise->band);
	noise->rho = slot->groups * pa_kernel_rho(&noise->kernel, PA_PLAN_STEPS) * (1.0 + DBL_EPSILON);
	return pa_plan_epsilon(&once, noise, 1, plan->delta, plan->environment, &noise->epsilon);
}

static bool
plan_valid(const Plan *plan)
{
	int			i;

	if (plan->nslots < 1 || plan->nslots > PA_PLAN_SLOTS || plan->environment == NULL)
		return false;
	for (i = 0; i < plan->nslots; i++)
		if (!slot_valid(&plan->slots[i]))
			return false;
	return true;
}

PaStatus
pa_plan_fit(const PaPlannedSlot *slots, int nslots, double epsilon, double delta,
			const PaEnvironment *environment, PaPlannedNoise *noise)
{
	Plan		plan = {
		.slots = slots, .nslots = nslots, .epsilon = below(epsilon),
		.delta = delta < DBL_MIN ? 0 : below(delta), .environment = environment
	};
	double		fits,
				fails;
	PaStatus	status;
	int			i;

	if (!(epsilon >= LEAST_EPSILON && epsilon <= MOST_EPSILON && delta >= 0 && delta < 1) || !plan_valid(&plan))
		return PA_INVALID;
	for (i = 0; i < nslots; i++)
		plan.most_weight = fmax(plan.most_weight, slots[i].weight);
	status = bracket(&plan, noise, &fits, &fails);
	if (status == PA_OK)
		status = narrow(&plan, noise, fits, fails);
	for (i = 0; i < nslots && status == PA_OK; i++)
		status = describe(&plan, &slots[i], &noise[i]);
	return status;
}
