/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_recycle.c
 *		Recycling keeps its goal, spends all of it, and finds the best scale.
 */
#include <math.h>
#include <stdlib.h>

#include "core/accounting/recycle.h"
#include "source.h"
#include "unit.h"

#define PATIENT 0x1p-40

typedef struct Setting
{
	PaShape		shape;
	PaSpace		space;
	double		scale;
	double		band;
	double		shift;
	double		epsilon;
	double		delta;
} Setting;

/* The base law's weight at x, and its mass above x on the line, in more digits */
static long double
base_log(const Setting *s, long double x)
{
	long double z = fabsl(x) / s->scale;

	return s->shape == PA_LAPLACE ? -z : -0.5L * z * z;
}

static long double
line_above(const Setting *s, long double x)
{
	long double z = x / s->scale;

	if (s->shape == PA_GAUSSIAN)
		return 0.5L * erfcl(z / sqrtl(2));
	return z > 0 ? 0.5L * expl(-z) : 1 - 0.5L * expl(z);
}

/* Sums over the lattice: what the law of this keep gives away */
static long double
lattice_delta(const Setting *s, long double keep)
{
	long		wide = (long) (60 * s->scale + s->shift) + 10;
	long double all = 0;
	long double sum = 0;
	long		k;

	if (s->shape == PA_GAUSSIAN)
		wide = (long) (13 * s->scale + s->shift) + 10;
	for (k = -wide; k <= wide; k++)
		all += expl(base_log(s, k)) * (labs(k) <= s->band ? 1 : keep);
	for (k = -wide; k <= wide; k++)
	{
		long		from = k - (long) s->shift;
		long double p = base_log(s, k) + (labs(k) <= s->band ? 0 : logl(keep));
		long double q = base_log(s, from) + (labs(from) <= s->band ? 0 : logl(keep));

		if (p - q > s->epsilon)
			sum += expl(p) * -expm1l(s->epsilon - (p - q));
	}
	return sum / all;
}

/* Where the base's loss is above l, as x below this */
static long double
line_cut(const Setting *s, long double l)
{
	long double D = s->shift;
	long double b = s->scale;

	if (s->shape == PA_GAUSSIAN)
		return D / 2 - b * b * l / D;
	return l >= D / b ? -INFINITY : l < -D / b ? INFINITY : (D - b * l) / 2;
}

/* The same on the line, piece by piece between the edges of the bands */
static long double
line_delta(const Setting *s, long double keep)
{
	long double edge[6] = {-INFINITY, -s->band, s->band, s->shift - s->band, s->shift + s->band, INFINITY};
	long double all = 1 - (1 - keep) * 2 * line_above(s, s->band);
	long double sum = 0;
	int			i;

	if (edge[3] < edge[2])
	{
		edge[2] = s->shift - s->band;
		edge[3] = s->band;
	}
	for (i = 0; i < 5; i++)
	{
		long double a = edge[i];
		long double b = edge[i + 1];
		long double middle = i == 0 ? -2 * s->band - s->shift : i == 4 ? s->shift + 2 * s->band + 1 : (a + b) / 2;
		long double cp = fabsl(middle) <= s->band && i > 0 && i < 4 ? 1 : keep;
		long double cq = fabsl(middle - s->shift) <= s->band && i > 0 && i < 4 ? 1 : keep;

		b = fminl(b, line_cut(s, s->epsilon - logl(cp / cq)));
		if (b > a)
			sum += cp * (line_above(s, a) - line_above(s, b)) -
				expl(s->epsilon) * cq * (line_above(s, a - s->shift) - line_above(s, b - s->shift));
	}
	return sum / all;
}

static long double
delta_of(const Setting *s, long double keep)
{
	return s->space == PA_LATTICE ? lattice_delta(s, keep) : line_delta(s, keep);
}

/*
 * What may be above the goal: on the lattice only the rounding of keep on its
 * way here; the line, where nothing is released, has the vectors' 1e-9.
 */
static long double
slack(const Setting *s)
{
	return s->space == PA_LATTICE ? 1e-11L : 1e-9L;
}

static Setting
random_setting(PaRandom *random)
{
	Setting		s = {
		.shape = pa_random_bit(random) ? PA_LAPLACE : PA_GAUSSIAN,
		.space = pa_random_bit(random) ? PA_LATTICE : PA_LINE,
		.shift = 1 + (double) pa_random_below(random, 30),
		.epsilon = exp(uniform(random, log(0.05), log(6))),
		.delta = exp(uniform(random, log(1e-8), log(0.05)))
	};

	s.band = floor(s.shift * uniform(random, 0, 2));
	if (s.space == PA_LINE)
		s.band += 0.25;
	s.scale = exp(uniform(random, log(0.3), log(20))) * s.shift / s.epsilon;
	return s;
}

static PaStatus
recycle(const Setting *s, PaLaw *law)
{
	return pa_recycle_at(s->shape, s->space, s->scale, s->band, s->shift, s->epsilon, s->delta, PATIENT, law);
}

/* The law keeps delta, and the next smaller keep does not. */
static void
keep_is_the_least(void **state)
{
	uint64_t	seed = 31;
	PaRandom	random;
	int			found = 0;
	int			refused = 0;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 400; i++)
	{
		Setting		s = random_setting(&random);
		PaLaw		law;
		double		keep;

		if (recycle(&s, &law) != PA_OK)
		{
			assert_at_most(s.delta * (1 - 1e-7), delta_of(&s, 1));
			refused++;
			continue;
		}
		keep = pa_law_keep(&law);
		assert_at_most(delta_of(&s, keep), s.delta * (1 + slack(&s)));
		if (keep > 1e-10)
			assert_at_most(s.delta * (1 - 1e-7), delta_of(&s, keep * (1 - 1e-6)));
		found++;
	}
	assert_at_most(100, found);
	assert_at_most(50, refused);
}

static void
rounds_stay_likely(void **state)
{
	uint64_t	seed = 32;
	PaRandom	random;
	int			raised = 0;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 300; i++)
	{
		Setting		s = random_setting(&random);
		PaLaw		law;
		PaLaw		patient;
		double		round;

		s.delta = 0.3;
		s.epsilon = 3;
		if (recycle(&s, &patient) != PA_OK)
			continue;
		assert_int_equal(pa_recycle_at(s.shape, s.space, s.scale, s.band, s.shift, s.epsilon, s.delta, 0.25, &law), PA_OK);
		round = law.band_mass + pa_law_keep(&law) * law.out_mass;
		assert_at_most(0.25, round);
		assert_at_most(delta_of(&s, pa_law_keep(&law)), s.delta * (1 + slack(&s)));
		raised += pa_law_keep(&law) > pa_law_keep(&patient) * 1.01;
	}
	assert_at_most(5, raised);
}

static void
best_beats_every_scale(void **state)
{
	uint64_t	seed = 33;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 40; i++)
	{
		Setting		s = random_setting(&random);
		PaLaw		best;
		double		acceptance;
		int			j;

		assert_int_equal(pa_recycle_best(s.shape, s.space, s.band, s.shift, s.epsilon, s.delta, PATIENT, &best), PA_OK);
		s.scale = best.base.scale;
		assert_at_most(delta_of(&s, pa_law_keep(&best)), s.delta * (1 + slack(&s)));
		assert_at_most(delta_of(&s, 1), s.delta * (1 + 1e-9L));
		acceptance = pa_law_acceptance(&best, s.band);
		for (j = 0; j < 200; j++)
		{
			PaLaw		law;

			s.scale = s.shift / s.epsilon * exp(-1.5 + 0.04 * j);
			if (recycle(&s, &law) == PA_OK)
				assert_at_most(pa_law_acceptance(&law, s.band), acceptance + 2e-6);
		}
	}
}

/* delta = 0: the closed form on the line, and nearly so on a fine lattice */
static void
pure_recycling(void **state)
{
	uint64_t	seed = 34;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 60; i++)
	{
		double		epsilon = exp(uniform(&random, log(0.1), log(12)));
		double		shift = uniform(&random, 0.5, 30);
		double		band = shift * uniform(&random, 0.01, 1.5);
		PaPureRecycler pure;
		PaLaw		law;

		assert_int_equal(pa_recycle_pure(band, shift, epsilon, &pure), PA_OK);
		assert_int_equal(pa_recycle_best(PA_LAPLACE, PA_LINE, band, shift, epsilon, 0, PATIENT, &law), PA_OK);
		assert_at_most(shift / law.base.scale - logl(pa_law_keep(&law)), epsilon * (1 + 1e-16L));
		assert_close(pa_law_acceptance(&law, band), pure.acceptance, 1e-8);
		assert_close(pure.b, shift / pure.epsilon_y, 1e-15);
		assert_close(shift / pure.b - logl(pure.keep), epsilon, 1e-12);
		shift = ceil(shift * 3000);
		band = floor(band * 3000);
		assert_int_equal(pa_recycle_pure(band + 0.5, shift, epsilon, &pure), PA_OK);
		assert_int_equal(pa_recycle_best(PA_LAPLACE, PA_LATTICE, band, shift, epsilon, 0, PATIENT, &law), PA_OK);
		assert_at_most(shift / law.base.scale - logl(pa_law_keep(&law)), epsilon * (1 + 1e-16L));
		assert_close(pa_law_acceptance(&law, band), pure.acceptance, 1e-3);
	}
	assert_int_equal(pa_recycle_best(PA_GAUSSIAN, PA_LINE, 1, 1, 1, 0, PATIENT, &(PaLaw) {0}), PA_NO_SOLUTION);
}

/* Sums over the lattice of one order's moment */
static long double
lattice_renyi(const Setting *s, long double keep, long double order)
{
	long		wide = (long) (80 * s->scale + s->shift * (order + 1)) + 10;
	long double all = 0;
	long double sum = 0;
	long		k;

	if (s->shape == PA_GAUSSIAN)
		wide = (long) (13 * s->scale + s->shift * (order + 1)) + 10;
	for (k = -wide; k <= wide; k++)
	{
		long		from = k - (long) s->shift;
		long double p = base_log(s, k) + (labs(k) <= s->band ? 0 : logl(keep));
		long double q = base_log(s, from) + (labs(from) <= s->band ? 0 : logl(keep));

		all += expl(p);
		sum += expl(order * p + (1 - order) * q);
	}
	return logl(sum / all) / (order - 1);
}

static long double
lattice_rho(const Setting *s, long double keep)
{
	long double most = 0;
	long double t;

	for (t = 0.01L; t < 60; t *= 1.5L)
		most = fmaxl(most, lattice_renyi(s, keep, 1 + t) / (1 + t));
	return most;
}

static void
rho_is_kept_and_spent(void **state)
{
	uint64_t	seed = 35;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 16; i++)
	{
		Setting		s = random_setting(&random);
		double		rho = exp(uniform(&random, log(0.01), log(3)));
		double		plain;
		PaLaw		law;
		PaLaw		at;

		s.shift = fmin(s.shift, 6);
		s.band = floor(s.band / 4);
		s.space = PA_LATTICE;
		assert_int_equal(pa_recycle_best_rho(s.shape, s.space, s.band, s.shift, rho, PATIENT, &law), PA_OK);
		s.scale = law.base.scale;
		assert_at_most(lattice_rho(&s, pa_law_keep(&law)), rho * (1 + 1e-12L));
		assert_at_most(rho * (1 - 2e-2L), lattice_rho(&s, pa_law_keep(&law)));
		/* no worse than plain noise */
		plain = s.shape == PA_GAUSSIAN ? s.shift * sqrt(0.5 / rho) : s.shift / (rho + sqrt(2 * rho));
		if (pa_recycle_at_rho(s.shape, s.space, plain * 1.3, s.band, s.shift, rho, PATIENT, &at) == PA_OK)
			assert_at_most(pa_law_acceptance(&at, s.band), pa_law_acceptance(&law, s.band) + 1e-4);
	}
}

static void
nothing_to_gain_is_no_failure(void **state)
{
	PaLaw		law;

	(void) state;
	/* a scale that just suffices leaves nothing to a band as wide as everything */
	assert_int_equal(pa_recycle_at(PA_LAPLACE, PA_LINE, 1, 1e6, 1, 1, 0, PATIENT, &law), PA_OK);
	assert_int_equal(pa_recycle_at(PA_LAPLACE, PA_LINE, 1, 1, 1, 1, 0, PATIENT, &law), PA_OK);
	assert_true(pa_law_keep(&law) == 1);
	assert_int_equal(pa_recycle_at(PA_LAPLACE, PA_LINE, 0.99, 1, 1, 1, 0, PATIENT, &law), PA_NO_SOLUTION);
	assert_int_equal(pa_recycle_at(PA_GAUSSIAN, PA_LINE, 1, 1, 5, 1, 1e-5, PATIENT, &law), PA_NO_SOLUTION);
	assert_int_equal(pa_recycle_at(PA_LAPLACE, PA_LINE, 2, 0, 1, 1, 0, PATIENT, &law), PA_OK);
}

static void
bad_settings_are_refused(void **state)
{
	PaPureRecycler pure;
	PaLaw		law;

	(void) state;
	assert_int_equal(pa_recycle_at(PA_LAPLACE, PA_LINE, 0, 1, 1, 1, 0.1, PATIENT, &law), PA_INVALID);
	assert_int_equal(pa_recycle_at(PA_LAPLACE, PA_LINE, NAN, 1, 1, 1, 0.1, PATIENT, &law), PA_INVALID);
	assert_int_equal(pa_recycle_at(PA_LAPLACE, PA_LINE, 1, -1, 1, 1, 0.1, PATIENT, &law), PA_INVALID);
	assert_int_equal(pa_recycle_at(PA_LAPLACE, PA_LINE, 1, 1, 0, 1, 0.1, PATIENT, &law), PA_INVALID);
	assert_int_equal(pa_recycle_at(PA_LAPLACE, PA_LINE, 1, 1, 1, -1, 0.1, PATIENT, &law), PA_INVALID);
	assert_int_equal(pa_recycle_at(PA_LAPLACE, PA_LINE, 1, 1, 1, 1, 1, PATIENT, &law), PA_INVALID);
	assert_int_equal(pa_recycle_at(PA_LAPLACE, PA_LINE, 1, 1, 1, 1, NAN, PATIENT, &law), PA_INVALID);
	assert_int_equal(pa_recycle_at(PA_LAPLACE, PA_LINE, 1, 1, 1, 1, 0.1, 0, &law), PA_INVALID);
	assert_int_equal(pa_recycle_at(PA_LAPLACE, PA_LINE, 1, 1, 1, 1, 0.1, 1, &law), PA_INVALID);
	assert_int_equal(pa_recycle_best(PA_LAPLACE, PA_LINE, NAN, 1, 1, 0.1, PATIENT, &law), PA_INVALID);
	assert_int_equal(pa_recycle_best_rho(PA_LAPLACE, PA_LINE, 1, 1, 0, PATIENT, &law), PA_INVALID);
	assert_int_equal(pa_recycle_best_rho(PA_LAPLACE, PA_LINE, 1, 1, INFINITY, PATIENT, &law), PA_INVALID);
	assert_int_equal(pa_recycle_pure(-1, 1, 1, &pure), PA_INVALID);
	assert_int_equal(pa_recycle_pure(1, 0, 1, &pure), PA_INVALID);
	assert_int_equal(pa_recycle_pure(1, 1, NAN, &pure), PA_INVALID);
}

/* Whatever a double can state: an answer that was tested, or a refusal. */
static void
any_setting_has_an_answer(void **state)
{
	static const double sizes[] = {1e-300, 1e-20, 1e-3, 1, 7, 1e6, 1e20, 1e300};
	static const double epsilons[] = {0, 1e-9, 1, 700, 1e6};
	static const double deltas[] = {0, 1e-300, 1e-9, 0.3, 0.999999};
	uint64_t	seed = 36;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 300; i++)
	{
		Setting		s = {
			.shape = pa_random_bit(&random) ? PA_LAPLACE : PA_GAUSSIAN,
			.space = pa_random_bit(&random) ? PA_LATTICE : PA_LINE,
			.scale = sizes[pa_random_below(&random, 8)], .band = sizes[pa_random_below(&random, 8)],
			.shift = sizes[pa_random_below(&random, 8)], .epsilon = epsilons[pa_random_below(&random, 5)],
			.delta = deltas[pa_random_below(&random, 5)]
		};
		PaLaw		law;
		PaStatus	status;

		if (s.space == PA_LATTICE)
		{
			s.band = floor(s.band);
			s.shift = ceil(s.shift);
		}
		status = recycle(&s, &law);
		assert_true(status == PA_OK || status == PA_NO_SOLUTION || status == PA_INVALID);
		if (status == PA_OK)
			assert_at_most(pa_law_delta(&law, s.shift, s.epsilon), s.delta);
		status = pa_recycle_best(s.shape, s.space, s.band, s.shift, s.epsilon, s.delta, PATIENT, &law);
		assert_true(status == PA_OK || status == PA_NO_SOLUTION || status == PA_INVALID);
		if (status == PA_OK)
			assert_at_most(pa_law_delta(&law, s.shift, s.epsilon), s.delta);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keep_is_the_least),
		cmocka_unit_test(rounds_stay_likely),
		cmocka_unit_test(best_beats_every_scale),
		cmocka_unit_test(pure_recycling),
		cmocka_unit_test(rho_is_kept_and_spent),
		cmocka_unit_test(nothing_to_gain_is_no_failure),
		cmocka_unit_test(bad_settings_are_refused),
		cmocka_unit_test(any_setting_has_an_answer),
	};

	return cmocka_run_group_tests_name("recycle", tests, NULL, NULL);
}
