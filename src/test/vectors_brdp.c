/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vectors_brdp.c
 *		Test vectors of noise and of accounting.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/accounting/pld.h"
#include "core/accounting/recycle.h"
#include "core/accounting/sampling.h"
#include "core/noise/continuous.h"
#include "core/noise/law.h"
#include "core/noise/optimal.h"
#include "source.h"
#include "vectors.h"

#define LEAST_ROUND 0x1p-40		/* patience is no matter here */
#define MOST_RUNS 16

static Outcome
run_laplace_b(const Vector *vector)
{
	double		b = NAN;

	if (pa_laplace_scale(input(vector, "eps"), input(vector, "delta"),
						 input(vector, "Delta"), &b) != PA_OK)
		return complain(vector, "no scale");
	return compare(vector, "b", b, number(vector->expected, "b"));
}

/* Rule: besides the tolerance, delta(sigma) <= delta * (1 + 1e-7). */
static Outcome
run_gaussian_sigma(const Vector *vector)
{
	double		sigma = NAN;
	double		delta = input(vector, "delta");
	double		reached;

	if (pa_gaussian_sigma(input(vector, "eps"), delta, input(vector, "Delta"), &sigma) != PA_OK)
		return complain(vector, "no sigma");
	reached = pa_gaussian_profile(sigma, input(vector, "Delta"), input(vector, "eps"));
	if (!(reached <= delta * (1 + 1e-7)))
		return complain(vector, "delta(sigma) is %.17g, above %.17g", reached, delta);
	return compare(vector, "sigma", sigma, number(vector->expected, "sigma"));
}

static Outcome
run_kernel_profile(const Vector *vector)
{
	double		delta;

	if (input_is(vector, "kernel", "laplace"))
		delta = pa_laplace_profile(input(vector, "par"), input(vector, "Delta"), input(vector, "eps"));
	else if (input_is(vector, "kernel", "gaussian"))
		delta = pa_gaussian_profile(input(vector, "par"), input(vector, "Delta"), input(vector, "eps"));
	else
		return not_built(vector);
	return compare(vector, "delta", delta, number(vector->expected, "delta"));
}

/* pmf: {"k": Pr[N = k]} */
static Outcome
compare_pmf(const Vector *vector, const PaLaw *law)
{
	const char *k;
	json_t	   *want;

	json_object_foreach(json_object_get(vector->expected, "pmf"), k, want)
	{
		Outcome		outcome = compare(vector, k, pa_law_density(law, atof(k)), json_number_value(want));

		if (outcome != PASSED)
			return outcome;
	}
	return PASSED;
}

static bool
read_shape(const json_t *object, const char *name, PaShape *shape)
{
	const char *text = json_string_value(json_object_get(object, name));

	if (text == NULL)
		return false;
	*shape = strcmp(text, "laplace") == 0 || strcmp(text, "dlap") == 0 ? PA_LAPLACE : PA_GAUSSIAN;
	return *shape == PA_LAPLACE || strcmp(text, "gaussian") == 0 || strcmp(text, "dgauss") == 0;
}

/* Plain for q = 0; q = 1, which the core does not know, is the limit of keep to 0. */
static bool
read_recycled(const json_t *object, PaLaw *law)
{
	double		q = number(object, "q");
	PaShape		shape;

	if (!read_shape(object, "kernel", &shape))
		return false;
	if (q == 0)
		return pa_law_plain(shape, PA_LINE, number(object, "par"), law) == PA_OK;
	return pa_law_recycled(shape, PA_LINE, number(object, "par"), number(object, "theta"),
						   q < 1 ? 1 - q : 1e-300, law) == PA_OK;
}

/* acc_rel: the tolerance of the acceptance. */
static Outcome
run_brdp_profile(const Vector *vector)
{
	double		want = number(vector->expected, "acceptance");
	double		acceptance;
	PaLaw		law;

	if (!read_recycled(vector->input, &law))
		return complain(vector, "no law");
	acceptance = pa_law_acceptance(&law, input(vector, "theta"));
	if (!(fabs(acceptance - want) <= number(vector->tol, "acc_rel") * want))
		return complain(vector, "acceptance is %.17g, expected %.17g", acceptance, want);
	return compare_sound(vector, "delta", pa_law_delta(&law, input(vector, "Delta"), input(vector, "eps")),
						 number(vector->expected, "delta"));
}

/* valid: whether the delta of the input is kept. */
static Outcome
run_verify(const Vector *vector)
{
	bool		valid = json_is_true(json_object_get(vector->expected, "valid"));
	double		delta;
	PaLaw		law;

	if (!read_recycled(vector->input, &law))
		return complain(vector, "no law");
	delta = pa_law_delta(&law, input(vector, "Delta"), input(vector, "eps"));
	if ((delta <= input(vector, "delta")) != valid)
		return complain(vector, "delta %.17g is taken to be %s", delta, valid ? "invalid" : "valid");
	return compare_sound(vector, "delta", delta, number(vector->expected, "true_delta"));
}

static Outcome
run_lattice_profile(const Vector *vector)
{
	PaShape		shape;
	PaLaw		law;
	Outcome		outcome;

	if (!read_shape(vector->input, "kind", &shape) ||
		pa_law_recycled(shape, PA_LATTICE, input(vector, "par"), input(vector, "m"),
						1 - input(vector, "q"), &law) != PA_OK)
		return complain(vector, "no law");
	outcome = compare_sound(vector, "delta", pa_law_delta(&law, input(vector, "shift"), input(vector, "eps")),
							number(vector->expected, "delta"));
	if (outcome == PASSED)
		outcome = compare(vector, "acceptance", pa_law_acceptance(&law, input(vector, "m")),
						  number(vector->expected, "acceptance"));
	return outcome == PASSED ? compare_pmf(vector, &law) : outcome;
}

/* Rule: besides the tolerance, delta(q) <= delta * (1 + 1e-7). */
static Outcome
compare_recycling(const Vector *vector, const PaLaw *law, double theta, double shift)
{
	double		delta = pa_law_delta(law, shift, input(vector, "eps"));
	Outcome		outcome;

	if (!(delta <= input(vector, "delta") * (1 + 1e-7)))
		return complain(vector, "delta(q) is %.17g, above %.17g", delta, input(vector, "delta"));
	outcome = compare(vector, "q", 1 - pa_law_keep(law), number(vector->expected, "q"));
	if (outcome == PASSED)
		outcome = compare(vector, "acceptance", pa_law_acceptance(law, theta),
						  number(vector->expected, "acceptance"));
	return outcome;
}

static Outcome
run_exact_q(const Vector *vector)
{
	PaShape		shape;
	PaLaw		law;

	if (!read_shape(vector->input, "kernel", &shape) ||
		pa_recycle_at(shape, PA_LINE, input(vector, "par"), input(vector, "theta"), input(vector, "Delta"),
					  input(vector, "eps"), input(vector, "delta"), LEAST_ROUND, &law) != PA_OK)
		return complain(vector, "no law");
	return compare_recycling(vector, &law, input(vector, "theta"), input(vector, "Delta"));
}

static Outcome
run_lattice_exact_q(const Vector *vector)
{
	PaShape		shape;
	PaLaw		law;

	if (!read_shape(vector->input, "kind", &shape) ||
		pa_recycle_at(shape, PA_LATTICE, input(vector, "par"), input(vector, "m"), input(vector, "shift"),
					  input(vector, "eps"), input(vector, "delta"), LEAST_ROUND, &law) != PA_OK)
		return complain(vector, "no law");
	return compare_recycling(vector, &law, input(vector, "m"), input(vector, "shift"));
}

/*
 * Rule: acceptance_kernel_self_feasible - 2e-5 <= acceptance <=
 * acceptance_unrestricted + 1e-7, and delta <= delta asked * (1 + 1e-7).
 */
static Outcome
run_exact_opt(const Vector *vector)
{
	double		low = number(vector->expected, "acceptance_kernel_self_feasible") - 2e-5;
	double		high = number(vector->expected, "acceptance_unrestricted") + 1e-7;
	double		acceptance;
	double		delta;
	PaShape		shape;
	PaLaw		law;

	if (!read_shape(vector->input, "kernel", &shape) ||
		pa_recycle_best(shape, PA_LINE, input(vector, "theta"), input(vector, "Delta"),
						input(vector, "eps"), input(vector, "delta"), LEAST_ROUND, &law) != PA_OK)
		return complain(vector, "no law");
	acceptance = pa_law_acceptance(&law, input(vector, "theta"));
	delta = pa_law_delta(&law, input(vector, "Delta"), input(vector, "eps"));
	if (!(delta <= input(vector, "delta") * (1 + 1e-7)))
		return complain(vector, "delta is %.17g, above %.17g", delta, input(vector, "delta"));
	if (!(acceptance >= low && acceptance <= high))
		return complain(vector, "acceptance is %.17g, outside of %.17g to %.17g", acceptance, low, high);
	return PASSED;
}

static Outcome
run_br_laplace_pure(const Vector *vector)
{
	PaPureRecycler got;
	Outcome		outcome;

	if (pa_recycle_pure(input(vector, "theta"), input(vector, "Delta"), input(vector, "eps"), &got) != PA_OK)
		return complain(vector, "no recycler");
	outcome = compare(vector, "eps_y", got.epsilon_y, number(vector->expected, "eps_y"));
	if (outcome == PASSED)
		outcome = compare(vector, "b", got.b, number(vector->expected, "b"));
	if (outcome == PASSED)
		outcome = compare(vector, "q", 1 - got.keep, number(vector->expected, "q"));
	if (outcome == PASSED)
		outcome = compare(vector, "acceptance", got.acceptance, number(vector->expected, "acceptance"));
	return outcome;
}

static Outcome
run_staircase(const Vector *vector)
{
	PaLaw		law;

	if (pa_law_staircase(PA_LINE, input(vector, "eps"), input(vector, "Delta"), input(vector, "theta"), &law) != PA_OK)
		return complain(vector, "no law");
	return compare(vector, "acceptance", pa_law_acceptance(&law, input(vector, "theta")),
				   number(vector->expected, "acceptance"));
}

static Outcome
run_staircase_lattice(const Vector *vector)
{
	PaLaw		law;
	Outcome		outcome;

	if (pa_law_staircase(PA_LATTICE, input(vector, "eps"), input(vector, "shift"), input(vector, "m"), &law) != PA_OK)
		return complain(vector, "no law");
	outcome = compare(vector, "acceptance", pa_law_acceptance(&law, input(vector, "m")),
					  number(vector->expected, "acceptance"));
	return outcome == PASSED ? compare_pmf(vector, &law) : outcome;
}

/* A mechanism: {"kernel", "par", "Delta", "theta", "q", "count", "p": rate of sampling, if any} */
static bool
read_run(const json_t *object, PaPart *part, PaRun *run)
{
	double		rate = number(object, "p");

	if (!read_recycled(object, &part->law))
		return false;
	part->shift = number(object, "Delta");
	part->coordinates = 1;
	run->parts = part;
	run->nparts = 1;
	run->delta = 0;
	run->rate = isnan(rate) ? 1 : rate;
	run->times = (uint64_t) number(object, "count");
	return true;
}

/* Rule: sound_min <= eps <= accept_max. */
static Outcome
run_compose_eps(const Vector *vector)
{
	json_t	   *mechanisms = json_object_get(vector->input, "mechanisms");
	double		low = number(vector->expected, "sound_min");
	double		high = number(vector->expected, "accept_max");
	double		epsilon;
	PaPart		parts[MOST_RUNS];
	PaRun		runs[MOST_RUNS];
	size_t		count = json_array_size(mechanisms);
	size_t		i;

	if (count < 1 || count > MOST_RUNS)
		return complain(vector, "%zu mechanisms", count);
	for (i = 0; i < count; i++)
		if (!read_run(json_array_get(mechanisms, i), &parts[i], &runs[i]))
			return complain(vector, "mechanism %zu is no law", i);
	if (pa_compose_epsilon(runs, (int) count, input(vector, "delta"), &plain_memory, &epsilon) != PA_OK)
		return complain(vector, "no epsilon");
	if (!(epsilon >= low && epsilon <= high))
		return complain(vector, "eps is %.17g, outside of %.17g to %.17g", epsilon, low, high);
	return PASSED;
}

static Outcome
run_poisson_profile(const Vector *vector)
{
	PaSampledDelta got;
	PaLaw		law;
	Outcome		outcome;

	if (!read_recycled(vector->input, &law))
		return complain(vector, "no law");
	got = pa_sampled_delta(&law, input(vector, "Delta"), input(vector, "p"), input(vector, "eps"));
	outcome = compare_sound(vector, "remove", got.remove, number(vector->expected, "remove"));
	if (outcome == PASSED)
		outcome = compare_sound(vector, "add", got.add, number(vector->expected, "add"));
	if (outcome == PASSED)
		outcome = compare_sound(vector, "delta", fmax(got.remove, got.add), number(vector->expected, "delta"));
	return outcome;
}

/* The core's laws are always unimodal. */
static Outcome
run_lp_optimum(const Vector *vector)
{
	double		acceptance;

	if (!json_is_true(json_object_get(vector->input, "unimodal")))
		return not_built(vector);
	if (pa_optimal_acceptance((int64_t) input(vector, "shift"), (int64_t) input(vector, "m"),
							  (int32_t) input(vector, "K"), input(vector, "eps"), input(vector, "delta"),
							  &plain_memory, &acceptance) != PA_OK)
		return complain(vector, "no optimum");
	return compare(vector, "acceptance", acceptance, number(vector->expected, "acceptance"));
}

const Kind vector_kinds_brdp[] = {
	{"br_laplace_pure", run_br_laplace_pure},
	{"brdp_profile", run_brdp_profile},
	{"compose_eps", run_compose_eps},
	{"exact_opt", run_exact_opt},
	{"exact_q", run_exact_q},
	{"gaussian_sigma", run_gaussian_sigma},
	{"kernel_profile", run_kernel_profile},
	{"laplace_b", run_laplace_b},
	{"lattice_exact_q", run_lattice_exact_q},
	{"lattice_profile", run_lattice_profile},
	{"lp_optimum", run_lp_optimum},
	{"poisson_profile", run_poisson_profile},
	{"staircase", run_staircase},
	{"staircase_lattice", run_staircase_lattice},
	{"verify", run_verify},
	{NULL, NULL}
};
