/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_regression_failure.c
 *		A search that is interrupted or finds no memory gives everything back and changes nothing.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/bayes/regression.h"
#include "source.h"
#include "unit.h"

#define ANSWERS 12
#define DIMENSIONS 4
#define FEW 6					/* answers for which linear programs are used, if they are steep */

typedef struct Trouble
{
	long		allocations;	/* that still succeed */
	long		questions;		/* answered with no before yes */
	long		held;			/* allocations not given back */
	long		asked;
} Trouble;

static void *
allocate(void *context, size_t size)
{
	Trouble    *trouble = context;

	if (trouble->allocations-- <= 0)
		return NULL;
	trouble->held++;
	return malloc(size);
}

static void
release(void *context, void *memory)
{
	Trouble    *trouble = context;

	assert_non_null(memory);
	trouble->held--;
	free(memory);
}

static bool
interrupted(void *context)
{
	Trouble    *trouble = context;

	return trouble->asked++ >= trouble->questions;
}

static double low[DIMENSIONS] = {-1, -1, 0, -2};
static double high[DIMENSIONS] = {1, 2, 1, 3};
static double theta[ANSWERS + 1][DIMENSIONS];
static PaAnswer answer[ANSWERS + 1];
static const PaBox box = {DIMENSIONS, low, high};
static int	answers;

static int
start(void **state)
{
	double		size = state == NULL ? 80 : 8;
	PaRandom	random;
	uint64_t	seed = 77;
	int			i,
				j;

	answers = state == NULL ? FEW : ANSWERS;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i <= ANSWERS; i++)
	{
		for (j = 0; j < DIMENSIONS; j++)
			theta[i][j] = uniform(&random, -size, size);
		answer[i].query.kind = i % 2 ? PA_REGRESSION_LINEAR : PA_REGRESSION_LOGISTIC;
		answer[i].query.theta = theta[i];
		answer[i].query.constant = uniform(&random, -3, 3);
		answer[i].query.a = -4;
		answer[i].query.b = 5;
		answer[i].query.epsilon = 1;
		answer[i].output = i % 3 == 0;
	}
	return 0;
}

/* One of the three computations, none of which may write unless it succeeds */
static PaStatus
compute(int which, const PaEnvironment *environment)
{
	PaRegressionRules rules = {6, false, which == 2 ? answers : 0, 1e-6, 100000};
	PaRegressionState	known = {.loss = 1e3};
	PaRegressionBounds bounds;
	PaRegressionDecision decision;
	PaStatus	status;

	memset(&bounds, 0xab, sizeof(bounds));
	memset(&decision, 0xab, sizeof(decision));
	if (which == 0)
		status = pa_regression_bounds(&box, answer, answers, 1e-6, 100000, environment, &bounds);
	else if (which == 3)
		status = pa_regression_refine(&box, answer, answers, &rules, environment, &known);
	else
		status = pa_regression_decide(&box, answer, answers, &known, &answer[answers].query, &rules,
									  environment, &decision);
	if (status != PA_OK)
	{
		const unsigned char *bytes = which == 0 ? (unsigned char *) &bounds : (unsigned char *) &decision;
		size_t		size = which == 0 ? sizeof(bounds) : sizeof(decision);
		size_t		i;

		for (i = 0; i < size; i++)
			assert_int_equal(bytes[i], 0xab);
		assert_true(known.loss == 1e3);
	}
	return status;
}

static void
test_memory(void **state)
{
	int			which;

	(void) state;
	for (which = 0; which < 4; which++)
	{
		long		k = 0;
		PaStatus	status;

		do
		{
			Trouble		trouble = {.allocations = k++};
			PaEnvironment environment = {allocate, release, NULL, &trouble};

			status = compute(which, &environment);
			assert_true(status == PA_OK || status == PA_NO_MEMORY);
			assert_int_equal(trouble.held, 0);
		} while (status != PA_OK);
		assert_true(k > 3);
	}
}

static void
test_interrupts(void **state)
{
	int			which;

	(void) state;
	for (which = 0; which < 4; which++)
	{
		long		k;

		for (k = 0;; k = 2 * k + 1)
		{
			Trouble		trouble = {.allocations = 1000000, .questions = k};
			PaEnvironment environment = {allocate, release, interrupted, &trouble};
			PaStatus	status = compute(which, &environment);

			assert_int_equal(trouble.held, 0);
			if (status == PA_OK)
				break;
			assert_int_equal(status, PA_INTERRUPTED);
			assert_int_equal(trouble.asked, k + 1);
		}
	}
}

static int
start_steep(void **state)
{
	(void) state;
	return start(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_memory, start),
		cmocka_unit_test_setup(test_interrupts, start),
		cmocka_unit_test_setup(test_memory, start_steep),
		cmocka_unit_test_setup(test_interrupts, start_steep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
