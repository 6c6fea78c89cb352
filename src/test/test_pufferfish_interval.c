/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_pufferfish_interval.c
 *		Influence curves of laws in intervals against laws that are in them.
 */
#include <gsl/gsl_errno.h>
#include <math.h>
#include <string.h>

#include "core/pufferfish/interval.h"
#include "core/pufferfish/table.h"
#include "source.h"
#include "unit.h"

static double
conditional_ratio(const double *law, const PaFinite *finite, PaSecretPair pair, const int *key, int at)
{
	double		hit[2] = {0, 0};
	double		all[2] = {0, 0};
	int			side;
	int			i;

	for (side = 0; side < 2; side++)
		for (i = 0; i < finite->cells; i++)
			if (finite->mask[(side == 0 ? pair.first : pair.second) * finite->cells + i])
			{
				all[side] += law[i];
				hit[side] += key[i] == at ? law[i] : 0;
			}
	return hit[0] > 0 && hit[1] > 0 ? log(hit[0] / all[0]) - log(hit[1] / all[1]) : 0;
}

/* Random laws within the intervals: no set of any size may tell more than some curve allows. */
static void
intervals_bound_their_laws(void **state)
{
	static const int shape[3] = {2, 2, 2};
	static const unsigned char mask[16] = {1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1};
	static const PaSecretPair pairs[2] = {{0, 1}, {1, 0}};
	PaFinite	finite = {3, shape, 8, 2, mask, 2, pairs};
	uint64_t	seed = 16;
	PaRandom	random = seeded(&seed);
	int			i;
	int			k;
	int			b;

	(void) state;
	for (i = 0; i < 60; i++)
	{
		double		centre[8];
		double		low[8];
		double		high[8];
		double		loose[8] = {1, 0, 1, 0, 1, 0, 1, 0};
		double		one = 1;
		PaIntervals intervals = {PA_INTERVAL_JOINT, low, high, 0, NULL, NULL};
		PaInfluence exact[3];
		PaInfluence bound[3];
		PaInfluence program[3];
		PaInfluence table[3];

		random_law(&random, 8, 5, 0, centre);
		for (k = 0; k < 8; k++)
		{
			low[k] = centre[k] * uniform(&random, 0.5, 1);
			high[k] = fmin(1, centre[k] * uniform(&random, 1, 2));
		}
		assert_int_equal(pa_interval_curve(&finite, &intervals, &plain_memory, exact, NULL), PA_OK);
		intervals.mode = PA_INTERVAL_JOINT_BOUND;
		assert_int_equal(pa_interval_curve(&finite, &intervals, &plain_memory, bound, NULL), PA_OK);
		/* a constraint that says nothing: the program of Charnes and Cooper must agree */
		intervals.constraints = 1;
		intervals.row = loose;
		intervals.right = &one;
		assert_int_equal(pa_interval_curve(&finite, &intervals, &plain_memory, program, NULL), PA_OK);
		for (b = 0; b < 3; b++)
		{
			assert_true(exact[b].a <= bound[b].a + 1e-12);
			assert_true(fabs(program[b].a - bound[b].a) < 1e-6);
		}
		for (k = 0; k < 200; k++)
		{
			double		law[8];
			double		sum = 0;
			bool		inside = true;
			int			c;

			for (c = 0; c < 8; c++)
				sum += law[c] = k % 2 == 0 ? uniform(&random, low[c], high[c]) :
					pa_random_below(&random, 2) == 0 ? low[c] : high[c];
			for (c = 0; c < 8; c++)
			{
				law[c] /= sum;
				inside = inside && law[c] >= low[c] && law[c] <= high[c];
			}
			if (!inside)
				continue;
			assert_int_equal(pa_table_curve(&finite, law, 1, &plain_memory, table, NULL), PA_OK);
			for (b = 0; b < 3; b++)
				assert_true(table[b].a <= exact[b].a + 1e-9);
		}
	}
}

/* What the lows leave goes to cells in a random order, and a part of all to the law "inside": so it stays within. */
static void
law_at_corner(PaRandom *random, int cells, const double *low, const double *high, const double *inside, double part, double *law)
{
	double		left = 1;
	int			from = (int) pa_random_below(random, (uint64_t) cells);
	int			step = cells % 2 == 0 ? 1 + 2 * (int) pa_random_below(random, (uint64_t) cells / 2) : 1;
	int			i;

	for (i = 0; i < cells; i++)
		left -= law[i] = low[i];
	for (i = 0; i < cells; i++)
	{
		int			cell = (from + i * step) % cells;
		double		more = fmax(0, fmin(left, high[cell] - low[cell]));

		law[cell] += more;
		left -= more;
	}
	for (i = 0; i < cells; i++)
		law[i] = (1 - part) * law[i] + part * inside[i];
}

/* Cells that may have no mass, and secrets that may nearly have none */
static void
intervals_from_zero_bound_their_laws(void **state)
{
	static const int shape[2] = {2, 2};
	PaFinite	finite = {2, shape, 4, 0, NULL, 0, NULL};
	uint64_t	seed = 20;
	PaRandom	random = seeded(&seed);
	int			i;
	int			k;
	int			b;

	(void) state;
	for (i = 0; i < 2000; i++)
	{
		double		centre[4];
		double		low[4];
		double		high[4];
		PaIntervals intervals = {PA_INTERVAL_JOINT, low, high, 0, NULL, NULL};
		PaInfluence exact[2];
		PaInfluence bound[2];
		PaInfluence table[2];

		random_law(&random, 4, 5, 0, centre);
		for (k = 0; k < 4; k++)
		{
			low[k] = uniform(&random, 0, 1) < 0.6 ? 0 : centre[k] * uniform(&random, 0.3, 1);
			high[k] = fmin(1, centre[k] * exp(uniform(&random, 0, 3)));
		}
		assert_int_equal(pa_interval_curve(&finite, &intervals, &plain_memory, exact, NULL), PA_OK);
		intervals.mode = PA_INTERVAL_JOINT_BOUND;
		assert_int_equal(pa_interval_curve(&finite, &intervals, &plain_memory, bound, NULL), PA_OK);
		for (b = 0; b < 2; b++)
			assert_true(exact[b].a <= bound[b].a + 1e-11);
		for (k = 0; k < 60; k++)
		{
			double		law[4];

			law_at_corner(&random, 4, low, high, centre, exp(uniform(&random, -30, 0)), law);
			assert_int_equal(pa_table_curve(&finite, law, 1, &plain_memory, table, NULL), PA_OK);
			for (b = 0; b < 2; b++)
				assert_at_most(table[b].a, exact[b].a + 1e-9);
		}
	}
}

/* The same of laws given the value of the first row */
static void
conditional_intervals_from_zero_bound_their_laws(void **state)
{
	static const int shape[2] = {2, 4};
	static const unsigned char mask[16] = {1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1};
	static const PaSecretPair pairs[2] = {{0, 1}, {1, 0}};
	PaFinite	finite = {2, shape, 8, 2, mask, 2, pairs};
	uint64_t	seed = 26;
	PaRandom	random = seeded(&seed);
	int			i;
	int			k;

	(void) state;
	for (i = 0; i < 1000; i++)
	{
		double		centre[8];
		double		low[8];
		double		high[8];
		PaIntervals intervals = {PA_INTERVAL_CONDITIONAL, low, high, 0, NULL, NULL};
		PaInfluence bound[2];
		PaInfluence table[2];

		random_law(&random, 4, 5, 0, centre);
		random_law(&random, 4, 5, 0, centre + 4);
		for (k = 0; k < 8; k++)
		{
			low[k] = uniform(&random, 0, 1) < 0.4 ? 0 : centre[k] * uniform(&random, 0.3, 1);
			high[k] = fmin(1, centre[k] * exp(uniform(&random, 0, 3)));
		}
		assert_int_equal(pa_interval_curve(&finite, &intervals, &plain_memory, bound, NULL), PA_OK);
		for (k = 0; k < 40; k++)
		{
			double		law[8];
			double		first = uniform(&random, 0.1, 0.9);
			double		part = exp(uniform(&random, -30, 0));
			int			c;

			law_at_corner(&random, 4, low, high, centre, part, law);
			law_at_corner(&random, 4, low + 4, high + 4, centre + 4, part, law + 4);
			for (c = 0; c < 8; c++)
				law[c] *= c < 4 ? first : 1 - first;
			assert_int_equal(pa_table_curve(&finite, law, 1, &plain_memory, table, NULL), PA_OK);
			assert_at_most(table[0].a, bound[0].a + 1e-9);
		}
	}
}

/* A secret of nearly no mass, and one of mass that doubles hardly hold: sup over laws is ln 1/.3, and infinite */
static void
closed_form_has_its_limits(void **state)
{
	static const int shape[2] = {2, 2};
	static const double low[4] = {0, 0, 0.3, 0};
	static const double high[4] = {0.5, 0.5, 0.5, 0.9};
	static const double none[4] = {0, 0.1, 0, 0.3};
	static const double trifle[4] = {1e-40, 0.7, 0.5, 0.9};
	PaFinite	finite = {2, shape, 4, 2, NULL, 1, NULL};
	static const unsigned char mask[8] = {1, 1, 0, 0, 0, 0, 1, 1};
	static const PaSecretPair pair[1] = {{0, 1}};
	PaIntervals intervals = {PA_INTERVAL_JOINT, low, high, 0, NULL, NULL};
	PaInfluence point[2];

	(void) state;
	finite.mask = mask;
	finite.pair = pair;
	assert_int_equal(pa_interval_curve(&finite, &intervals, &plain_memory, point, NULL), PA_OK);
	assert_at_most(log(1 / 0.3), point[0].a);
	intervals.low = none;
	intervals.high = trifle;
	assert_int_equal(pa_interval_curve(&finite, &intervals, &plain_memory, point, NULL), PA_OK);
	assert_true(isinf(point[0].a));
}

/* The closed form is attained: a search over laws comes close to it. */
static void
joint_intervals_are_exact(void **state)
{
	static const int shape[2] = {2, 2};
	static const unsigned char mask[8] = {1, 1, 0, 0, 0, 0, 1, 1};
	static const PaSecretPair pairs[1] = {{0, 1}};
	static const int key[4] = {0, 1, 0, 1};
	PaFinite	finite = {2, shape, 4, 2, mask, 1, pairs};
	uint64_t	seed = 17;
	PaRandom	random = seeded(&seed);
	int			i;
	int			k;

	(void) state;
	for (i = 0; i < 40; i++)
	{
		double		centre[4];
		double		low[4];
		double		high[4];
		PaIntervals intervals = {PA_INTERVAL_JOINT, low, high, 0, NULL, NULL};
		PaInfluence point[2];
		double		best = 0;

		random_law(&random, 4, 5, 0, centre);
		for (k = 0; k < 4; k++)
		{
			low[k] = centre[k] * uniform(&random, 0.5, 1);
			high[k] = fmin(1, centre[k] * uniform(&random, 1, 2));
		}
		assert_int_equal(pa_interval_curve(&finite, &intervals, &plain_memory, point, NULL), PA_OK);
		for (k = 0; k < 60 * 60 * 60; k++)
		{
			double		law[4];

			law[0] = low[0] + (high[0] - low[0]) * (k % 60) / 59;
			law[1] = low[1] + (high[1] - low[1]) * (k / 60 % 60) / 59;
			law[2] = low[2] + (high[2] - low[2]) * (k / 3600) / 59;
			law[3] = 1 - law[0] - law[1] - law[2];
			if (law[3] < low[3] || law[3] > high[3])
				continue;
			best = fmax(best, fmax(conditional_ratio(law, &finite, pairs[0], key, 0),
								   conditional_ratio(law, &finite, pairs[0], key, 1)));
		}
		assert_true(best <= point[0].a + 1e-12);
		assert_true(best >= point[0].a - 0.1);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_bound_their_laws),
		cmocka_unit_test(intervals_from_zero_bound_their_laws),
		cmocka_unit_test(conditional_intervals_from_zero_bound_their_laws),
		cmocka_unit_test(closed_form_has_its_limits),
		cmocka_unit_test(joint_intervals_are_exact),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
