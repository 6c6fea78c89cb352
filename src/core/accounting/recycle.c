/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * recycle.c
 *		The least lam of a scale, and the best scale.
 *
 * The recycled density is affine in lam,
 *		lam p + (1 - lam) p[inside]/Pr[inside],
 * and every hockey-stick divergence and every exp((a-1) Renyi) is jointly convex
 * in its pair, so the lam that meet a goal are an interval; it ends at 1 where
 * the plain law meets the goal.  Its other end is searched from within: only a
 * law that was itself tested against the goal, by a profile (or rho) that is
 * rounded up, is handed out, so no error of a search can cost privacy.
 *
 * Scales below the plain calibration's are not tried.  There lam = 1 fails, and
 * with it the reason why a root is all there is to find; lam towards 0 is the
 * truncated law, whose delta is about shift/band.
 *
 * Scales above: Pr[inside] falls like band/scale while the ratio of inside to
 * outside never needs to exceed e^epsilon.  For pure Laplace the optimum is
 * shift/scale = -ln(1-r)/r >= 1, so scale <= shift; 4 shifts, or 64 times the
 * plain scale, are well beyond any optimum seen.
 */
#include "core/accounting/recycle.h"

#include <float.h>
#include <math.h>

#include "core/noise/continuous.h"
#include "core/optimize/bisect.h"
#include "core/optimize/peak.h"
#include "core/optimize/root.h"

#define CLOSE 1e-10				/* delta may stay below its goal by about this fraction */
#define RHO_CLOSE 1e-6			/* likewise rho, which is not known better */
#define RHO_SEARCH_CLOSE 1e-4
#define CORRECTIONS 3
#define LEAST_KEEP 0x1p-60
#define PURE_ERROR (16 * DBL_EPSILON)
#define NUDGES 60

/* What is asked of every scale. */
typedef struct Goal
{
	PaShape		shape;
	PaSpace		space;
	double		band;
	double		shift;
	double		epsilon;
	double		delta;
	double		rho;			/* 0, or instead of epsilon and delta */
	double		least_round;
	double		plain_scale;	/* of a search: the least scale */
} Goal;

/* A law whose lam is being searched. */
typedef struct Trial
{
	const Goal *goal;
	PaLaw		law;
	double		target;			/* for the cheap rho */
	bool		careful;
} Trial;

static bool
goal_valid(const Goal *goal)
{
	if (!(goal->band >= 0 && goal->shift > 0 && isfinite(goal->band) && isfinite(goal->shift)))
		return false;
	if (!(goal->least_round > 0 && goal->least_round < 1))
		return false;
	if (goal->rho != 0)
		return goal->rho >= DBL_MIN && isfinite(goal->rho);
	return isfinite(goal->epsilon) && goal->epsilon >= 0 && goal->delta < 1 &&
		(goal->delta == 0 || goal->delta >= DBL_MIN);
}

static bool
meets(const Goal *goal, const PaLaw *law)
{
	if (goal->rho > 0)
		return pa_law_rho(law, goal->shift) <= goal->rho;
	return pa_law_delta(law, goal->shift, goal->epsilon) <= goal->delta;
}

static PaStatus
recycled(const Goal *goal, double scale, double keep, PaLaw *law)
{
	return pa_law_recycled(goal->shape, goal->space, scale, goal->band, keep, law);
}

/* 1 - lam out_mass without cancellation */
static double
inside_mass(const PaLaw *law, double lam)
{
	return law->band_mass + (1.0 - lam) * law->out_mass;
}

static double
lam_of_keep(const PaLaw *law, double keep)
{
	return keep / (law->band_mass + keep * law->out_mass);
}

static double
keep_of_lam(const PaLaw *law, double lam)
{
	return fmin(1.0, lam * law->band_mass / inside_mass(law, lam));
}

/*
 * As the constructor would set it, but for the last digits of step, for a law in
 * the middle of a search: the masses need not be computed again.
 */
static void
set_lam(PaLaw *law, double lam)
{
	law->outside = lam;
	law->inside = inside_mass(law, lam) / law->band_mass;
	law->step = log(law->inside / law->outside);
}

/* Rounds must be accepted often enough, and keep must be a number to work with. */
static double
least_keep(const Goal *goal, const PaLaw *law)
{
	double		keep = LEAST_KEEP;

	if (law->band_mass < goal->least_round)
		keep = (goal->least_round - law->band_mass) / law->out_mass * (1.0 + PURE_ERROR);
	return fmin(1.0, fmax(keep, LEAST_KEEP));
}

static double
delta_ratio(void *context, double lam)
{
	Trial	   *trial = context;
	const Goal *goal = trial->goal;

	set_lam(&trial->law, lam);
	return pa_law_delta(&trial->law, goal->shift, goal->epsilon) / goal->delta;
}

/* of order 1 + t */
static double
ratio_of_order(const Trial *trial, double t)
{
	return pa_law_renyi(&trial->law, trial->goal->shift, 1.0 + t) / (1.0 + t);
}

/* Up or down in ln t by ever smaller steps, from where the ratio is "best". */
static double
climb_orders(const Trial *trial, double t, double best)
{
	double		factor = 1.8;

	while (factor > 1.1 && t > 1e-3 && t < 1e4)
	{
		double		up = ratio_of_order(trial, t * factor);
		double		down = up > best ? 0.0 : ratio_of_order(trial, t / factor);

		if (up > best || down > best)
		{
			t = up > best ? t * factor : t / factor;
			best = fmax(up, down);
		}
		else
			factor = sqrt(factor);
	}
	return best;
}

/*
 * Nearly the supremum over orders of Renyi/order, from below: pa_law_rho's bound
 * would at times cost a thousand times as much.  There may be two maxima, one
 * near order 1 from recycling, one at large orders from a Gaussian base; the
 * base's own part is known.
 */
static double
cheap_rho(const Trial *trial)
{
	static const double orders[] = {1e-3, 0.3, 1, 3, 10};
	double		steps = trial->goal->shift / trial->law.base.scale;
	double		best = trial->goal->shape == PA_GAUSSIAN ? 0.5 * steps * steps : 0.0;
	double		at = 0;
	int			i;

	for (i = 0; i < 5; i++)
	{
		double		ratio = ratio_of_order(trial, orders[i]);

		if (ratio > best)
		{
			best = ratio;
			at = orders[i];
		}
	}
	return trial->careful ? climb_orders(trial, at, best) : best;
}

static double
rho_ratio(void *context, double lam)
{
	Trial	   *trial = context;

	set_lam(&trial->law, lam);
	return cheap_rho(trial) / trial->target;
}

/*
 * A keep that is mostly just too small:  the inside of the band is beside its
 * outside, so the whole goal would be spent on -ln keep.
 */
static double
guess_lam(const Trial *trial)
{
	const Goal *goal = trial->goal;
	double		loss = goal->rho > 0 ? goal->rho + sqrt(2.0 * goal->rho) : goal->epsilon;

	return lam_of_keep(&trial->law, exp(-loss));
}

/* Least lam by the given measure, between the least allowed and 1, where it is met. */
static double
least_lam(Trial *trial, PaFunction ratio, double close)
{
	double		low = lam_of_keep(&trial->law, least_keep(trial->goal, &trial->law));
	double		high = 1.0;
	double		guess = guess_lam(trial);
	double		at_low;
	double		at_high;

	if (!(low < 1.0))
		return 1.0;
	at_high = ratio(trial, high);
	if (guess > low && guess < 1.0)
	{
		at_low = ratio(trial, guess);
		if (at_low > 1.0)
			return at_high <= 1.0 ? pa_root(ratio, trial, guess, at_low, high, at_high, close) : 1.0;
		high = guess;
		at_high = at_low;
	}
	at_low = ratio(trial, low);
	if (at_low <= 1.0)
		return low;
	return at_low > 1.0 && at_high <= 1.0 ? pa_root(ratio, trial, low, at_low, high, at_high, close) : 1.0;
}

/*
 * The law with at least this keep that passes its test: keep grows from one
 * rounding error to everything.  keep = 1 is the plain law.
 */
static PaStatus
first_that_meets(const Goal *goal, double scale, double keep, PaLaw *law)
{
	double		growth = goal->rho > 0 ? RHO_CLOSE : 2 * DBL_EPSILON;
	int			i;

	for (i = 0; i < NUDGES && keep < 1.0; i++)
	{
		if (recycled(goal, scale, keep, law) == PA_OK && meets(goal, law))
			return PA_OK;
		keep *= 1.0 + growth;
		growth *= 2.0;
	}
	if (recycled(goal, scale, 1.0, law) == PA_OK && meets(goal, law))
		return PA_OK;
	return PA_NO_SOLUTION;
}

/* delta = 0, Laplace only: the largest loss is shift/scale - ln keep. */
static double
pure_keep(const Goal *goal, const PaLaw *law)
{
	double		spent = goal->shift / law->base.scale;
	double		left = goal->epsilon - spent - PURE_ERROR * (goal->epsilon + spent);
	double		keep = left > 0 ? exp(-left) * (1.0 + PURE_ERROR) : 1.0;

	return fmin(1.0, fmax(keep, least_keep(goal, law)));
}

static double
keep_for_delta(const Goal *goal, const PaLaw *law)
{
	Trial		trial = {.goal = goal, .law = *law};

	if (goal->delta == 0)
		return pure_keep(goal, law);
	return keep_of_lam(law, least_lam(&trial, delta_ratio, CLOSE));
}

/* If it must be certain, the bound of rho corrects what the cheap one missed. */
static double
keep_for_rho(const Goal *goal, const PaLaw *law, bool certain)
{
	Trial		trial = {.goal = goal, .law = *law, .target = goal->rho, .careful = certain};
	double		lam = 1.0;
	int			i;

	for (i = 0; i < CORRECTIONS; i++)
	{
		double		bound;

		lam = least_lam(&trial, rho_ratio, certain ? RHO_CLOSE : RHO_SEARCH_CLOSE);
		if (!certain || lam == 1.0)
			break;
		set_lam(&trial.law, lam);
		bound = pa_law_rho(&trial.law, goal->shift);
		if (bound <= goal->rho)
			break;
		trial.target *= goal->rho / bound * (1.0 - RHO_CLOSE);
	}
	return keep_of_lam(law, lam);
}

static double
keep_for(const Goal *goal, const PaLaw *law, bool certain)
{
	double		keep = goal->rho > 0 ? keep_for_rho(goal, law, certain) : keep_for_delta(goal, law);

	return fmax(keep, least_keep(goal, law));
}

static bool
plain_meets(const Goal *goal, double scale)
{
	PaLaw		plain;

	return pa_law_plain(goal->shape, goal->space, scale, &plain) == PA_OK && meets(goal, &plain);
}

/* The best law of a scale, tested. */
static PaStatus
solve(const Goal *goal, double scale, PaLaw *out)
{
	PaLaw		law;
	double		keep = 1.0;
	PaStatus	status;

	status = recycled(goal, scale, 1.0, &law);
	if (status != PA_OK)
		return status;
	if (!plain_meets(goal, scale))
		return PA_NO_SOLUTION;
	if (law.band_mass > 0 && law.out_mass > 0)
		keep = keep_for(goal, &law, true);
	status = first_that_meets(goal, scale, keep, &law);
	if (status == PA_OK)
		*out = law;
	return status;
}

PaStatus
pa_recycle_at(PaShape shape, PaSpace space, double scale, double band, double shift,
			  double epsilon, double delta, double least_round, PaLaw *law)
{
	Goal		goal = {
		.shape = shape, .space = space, .band = band, .shift = shift,
		.epsilon = epsilon, .delta = delta, .least_round = least_round
	};

	return goal_valid(&goal) ? solve(&goal, scale, law) : PA_INVALID;
}

PaStatus
pa_recycle_at_rho(PaShape shape, PaSpace space, double scale, double band, double shift,
				  double rho, double least_round, PaLaw *law)
{
	Goal		goal = {
		.shape = shape, .space = space, .band = band, .shift = shift,
		.rho = rho, .least_round = least_round
	};

	return goal_valid(&goal) && rho > 0 ? solve(&goal, scale, law) : PA_INVALID;
}

/* -ln of the probability to miss the band, by a search that is not tested at its end. */
static double
gain(void *context, double scale)
{
	const Goal *goal = context;
	PaLaw		law;
	double		keep;
	double		miss;

	if (recycled(goal, fmax(scale, goal->plain_scale), 1.0, &law) != PA_OK)
		return -INFINITY;
	if (!(law.band_mass > 0 && law.out_mass > 0))
		return -log(law.out_mass);
	keep = keep_for(goal, &law, false);
	miss = lam_of_keep(&law, keep) * law.out_mass;
	return isnan(miss) ? -INFINITY : -log(miss);
}

static bool
scale_suffices(void *context, double scale)
{
	return plain_meets(context, scale);
}

/* First guess of the least scale, from the line. */
static double
guess_scale(const Goal *goal)
{
	double		unit = 1.0;

	if (goal->rho > 0)
		unit = goal->shape == PA_GAUSSIAN ? sqrt(0.5 / goal->rho) :
			1.0 / (goal->rho + sqrt(2.0 * goal->rho));
	else if (goal->shape == PA_GAUSSIAN)
		(void) pa_gaussian_sigma(goal->epsilon, goal->delta, 1.0, &unit);
	else if (goal->epsilon > 0 || goal->delta > 0)
		(void) pa_laplace_scale(goal->epsilon, goal->delta, 1.0, &unit);
	return unit * goal->shift;
}

static PaStatus
search(Goal *goal, const PaPeakSearch *how, PaLaw *law)
{
	double		guess = guess_scale(goal);
	double		scale;
	PaStatus	status;

	if (!isfinite(guess) || guess <= 0 ||
		!pa_bisect(scale_suffices, goal, guess, &goal->plain_scale))
		return PA_NO_SOLUTION;
	(void) pa_peak(gain, goal, goal->plain_scale,
				   fmax(64.0 * goal->plain_scale, 4.0 * goal->shift), how, &scale);
	status = solve(goal, fmax(scale, goal->plain_scale), law);
	return status == PA_OK ? status : solve(goal, goal->plain_scale, law);
}

PaStatus
pa_recycle_best(PaShape shape, PaSpace space, double band, double shift,
				double epsilon, double delta, double least_round, PaLaw *law)
{
	static const PaPeakSearch how = {.points = 40, .peaks = 2, .close = 1e-6};
	Goal		goal = {
		.shape = shape, .space = space, .band = band, .shift = shift,
		.epsilon = epsilon, .delta = delta, .least_round = least_round
	};

	if (!goal_valid(&goal))
		return PA_INVALID;
	if (delta == 0 && shape == PA_GAUSSIAN)
		return PA_NO_SOLUTION;
	return search(&goal, &how, law);
}

PaStatus
pa_recycle_best_rho(PaShape shape, PaSpace space, double band, double shift,
					double rho, double least_round, PaLaw *law)
{
	static const PaPeakSearch how = {.points = 14, .peaks = 1, .close = 4e-3};
	Goal		goal = {
		.shape = shape, .space = space, .band = band, .shift = shift,
		.rho = rho, .least_round = least_round
	};

	return goal_valid(&goal) && rho > 0 ? search(&goal, &how, law) : PA_INVALID;
}

/*
 * The miss over the hit is e^(y - epsilon)/(e^(r y) - 1), y = D/b; the logarithm
 * is convex in y, with its minimum where e^(r y) (1 - r) = 1.
 */
PaStatus
pa_recycle_pure(double theta, double sensitivity, double epsilon, PaPureRecycler *out)
{
	double		r = theta / sensitivity;
	double		y = epsilon;
	double		hit;

	if (!(theta >= 0 && isfinite(theta) && sensitivity > 0 && isfinite(sensitivity) &&
		  epsilon > 0 && isfinite(epsilon)))
		return PA_INVALID;
	if (r < 1)
		y = fmin(epsilon, r > DBL_MIN ? -log1p(-r) / r : 1.0);
	out->epsilon_y = y;
	out->b = sensitivity / y;
	out->keep = exp(-(epsilon - y));
	hit = -expm1(-r * y);
	out->acceptance = hit / (hit + out->keep * exp(-r * y));
	return PA_OK;
}
