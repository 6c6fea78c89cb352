/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_pufferfish_fault.c
 *		Priors that are refused, and memory or patience that run out.
 */
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>

#include "core/pufferfish/chain_fit.h"
#include "core/pufferfish/gaussian.h"
#include "core/pufferfish/interval.h"
#include "core/pufferfish/table.h"
#include "chain_budget.h"
#include "source.h"
#include "unit.h"

static void
assert_fault(PaStatus status, const PaFault *got, PaFault want)
{
	assert_int_equal(status, PA_INVALID);
	assert_string_equal(pa_fault_text(*got), pa_fault_text(want));
}

static void
chain_refused(const double *transition, const double *start, int states, int64_t length, int most, PaFault want)
{
	PaChain		chain = {states, transition, start, length, NULL};
	PaInfluence point[8];
	PaFault		fault = PA_FAULT_NONE;

	assert_fault(pa_chain_curve(&chain, most, &plain_memory, point, &fault), &fault, want);
}

static void
bad_chains_are_refused(void **state)
{
	static const double good[4] = {0.5, 0.5, 0.5, 0.5};
	static const double sum[4] = {0.5, 0.5, 0.5, 0.4};
	static const double negative[4] = {1.5, -0.5, 0.5, 0.5};
	static const double unknown[4] = {NAN, 0.5, 0.5, 0.5};
	static const double absorbing[4] = {1, 0, 0.5, 0.5};
	static const double apart[4] = {1, 0, 0, 1};
	static const double point[2] = {1, 0};

	(void) state;
	chain_refused(sum, NULL, 2, 0, 5, PA_FAULT_SUM);
	chain_refused(negative, NULL, 2, 0, 5, PA_FAULT_ENTRY);
	chain_refused(unknown, NULL, 2, 0, 5, PA_FAULT_ENTRY);
	chain_refused(absorbing, NULL, 2, 0, 5, PA_FAULT_UNREACHABLE);
	chain_refused(apart, NULL, 2, 10, 5, PA_FAULT_UNREACHABLE);
	chain_refused(apart, point, 2, 10, 5, PA_FAULT_UNREACHABLE);
	chain_refused(good, sum + 2, 2, 10, 5, PA_FAULT_SUM);
	chain_refused(good, point, 2, 0, 5, PA_FAULT_ARGUMENT);
	chain_refused(good, NULL, 2, -1, 5, PA_FAULT_ARGUMENT);
	chain_refused(good, NULL, 1, 0, 5, PA_FAULT_ARGUMENT);
	chain_refused(good, NULL, 2, 0, 0, PA_FAULT_ARGUMENT);
	chain_refused(good, NULL, 1000000, 0, 5, PA_FAULT_SIZE);
	chain_refused(good, NULL, 2, 0, 1000000, PA_FAULT_SIZE);
	chain_refused(good, good, 2, 1000000, 5, PA_FAULT_SIZE);
}

static void
bad_covariances_are_refused(void **state)
{
	double		s[4] = {1, 0.5, 0.5, 1};
	PaGaussianRows rows = {2, s, 5, 0.1};
	PaInfluence point[2];
	PaFault		fault = PA_FAULT_NONE;

	(void) state;
	s[1] = 0.4;
	assert_fault(pa_gaussian_curve(&rows, &plain_memory, point, &fault), &fault, PA_FAULT_SYMMETRY);
	s[1] = s[2] = 1.5;
	assert_fault(pa_gaussian_curve(&rows, &plain_memory, point, &fault), &fault, PA_FAULT_INDEFINITE);
	s[1] = s[2] = 1 - 1e-13;
	assert_fault(pa_gaussian_curve(&rows, &plain_memory, point, &fault), &fault, PA_FAULT_CONDITION);
	s[1] = s[2] = INFINITY;
	assert_fault(pa_gaussian_curve(&rows, &plain_memory, point, &fault), &fault, PA_FAULT_ENTRY);
	s[1] = s[2] = 0.5;
	rows.width = 6;
	assert_fault(pa_gaussian_curve(&rows, &plain_memory, point, &fault), &fault, PA_FAULT_ARGUMENT);
	rows.rows = 1000;
	assert_fault(pa_gaussian_curve(&rows, &plain_memory, point, &fault), &fault, PA_FAULT_SIZE);
}

static void
bad_tables_are_refused(void **state)
{
	static const int shape[2] = {2, 2};
	static const unsigned char mask[8] = {1, 1, 0, 0, 0, 1, 1, 1};
	static const PaSecretPair outside[1] = {{0, 2}};
	static const PaSecretPair overlapping[1] = {{0, 1}};
	double		prior[4] = {0.25, 0.25, 0.25, 0.25};
	PaFinite	finite = {2, shape, 4, 2, mask, 1, outside};
	double		low[4] = {0.3, 0.3, 0.3, 0.3};
	double		high[4] = {0.4, 0.4, 0.4, 0.4};
	PaIntervals intervals = {PA_INTERVAL_JOINT, low, high, 0, NULL, NULL};
	PaInfluence point[2];
	PaFault		fault = PA_FAULT_NONE;

	(void) state;
	assert_fault(pa_table_curve(&finite, prior, 1, &plain_memory, point, &fault), &fault, PA_FAULT_SECRET);
	finite.pair = overlapping;
	assert_fault(pa_table_curve(&finite, prior, 1, &plain_memory, point, &fault), &fault, PA_FAULT_SECRET);
	finite.secrets = finite.pairs = 0;
	prior[0] = 0.3;
	assert_fault(pa_table_curve(&finite, prior, 1, &plain_memory, point, &fault), &fault, PA_FAULT_SUM);
	prior[0] = -0.25;
	assert_fault(pa_table_curve(&finite, prior, 1, &plain_memory, point, &fault), &fault, PA_FAULT_ENTRY);
	finite.cells = 5;
	assert_fault(pa_table_curve(&finite, prior, 1, &plain_memory, point, &fault), &fault, PA_FAULT_ARGUMENT);
	finite.cells = 4;
	finite.entries = 100;
	assert_fault(pa_table_curve(&finite, prior, 1, &plain_memory, point, &fault), &fault, PA_FAULT_SIZE);
	finite.entries = 2;
	assert_fault(pa_interval_curve(&finite, &intervals, &plain_memory, point, &fault), &fault, PA_FAULT_EMPTY);
	low[0] = 0.5;
	assert_fault(pa_interval_curve(&finite, &intervals, &plain_memory, point, &fault), &fault, PA_FAULT_ENTRY);
}

/* Memory that fails, or an interrupt, after a number of calls; counts what is out. */
typedef struct Trouble
{
	int			calls;
	int			looks;
	int			held;
} Trouble;

static void *
grudging(void *context, size_t size)
{
	Trouble    *trouble = context;

	if (trouble->calls-- == 0)
		return NULL;
	trouble->held++;
	return malloc(size);
}

static void
take_back(void *context, void *memory)
{
	((Trouble *) context)->held--;
	free(memory);
}

static bool
impatient(void *context)
{
	return ((Trouble *) context)->looks-- == 0;
}

typedef PaStatus (*Task) (const PaEnvironment *environment);

static PaStatus
chain_task(const PaEnvironment *environment)
{
	static const double transition[4] = {0.9, 0.1, 0.2, 0.8};
	static const double start[2] = {0.5, 0.5};
	PaChain		chain = {2, transition, start, 5, NULL};
	PaInfluence point[5];
	PaChainLimits limits;
	PaStatus	status = pa_chain_curve(&chain, 5, environment, point, NULL);

	return status == PA_OK ? pa_chain_limits(&chain, 1, environment, &limits, NULL) : status;
}

static PaStatus
interval_task(const PaEnvironment *environment)
{
	static const int shape[2] = {2, 2};
	static const double low[4] = {0.1, 0.1, 0.1, 0.1};
	static const double high[4] = {0.5, 0.5, 0.5, 0.5};
	static const double row[4] = {1, 1, 0, 0};
	static const double right[1] = {0.6};
	PaFinite	finite = {2, shape, 4, 0, NULL, 0, NULL};
	PaIntervals intervals = {PA_INTERVAL_JOINT_BOUND, low, high, 1, row, right};
	PaInfluence point[2];

	return pa_interval_curve(&finite, &intervals, environment, point, NULL);
}

static PaStatus
gaussian_task(const PaEnvironment *environment)
{
	static const double s[9] = {1, 0.5, 0.2, 0.5, 1, 0.5, 0.2, 0.5, 1};
	PaGaussianRows rows = {3, s, 5, 0.1};
	PaInfluence point[3];

	return pa_gaussian_curve(&rows, environment, point, NULL);
}

static void
trouble_leaves_nothing_behind(void **state)
{
	static const Task task[3] = {chain_task, interval_task, gaussian_task};
	int			i;
	int			k;
	int			calls;

	(void) state;
	for (i = 0; i < 3; i++)
		for (k = 0; k < 2; k++)
		{
			PaStatus	status = PA_INVALID;

			for (calls = 0; status != PA_OK; calls++)
			{
				Trouble		trouble = {k == 0 ? calls : -1, k == 1 ? calls : -1, 0};
				PaEnvironment environment = {grudging, take_back, impatient, &trouble};

				status = task[i] (&environment);
				assert_true(status == PA_OK || status == (k == 0 ? PA_NO_MEMORY : PA_INTERRUPTED));
				assert_int_equal(trouble.held, 0);
				assert_true(calls < 100000);
			}
			assert_true(calls > 1);
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_chains_are_refused),
		cmocka_unit_test(bad_covariances_are_refused),
		cmocka_unit_test(bad_tables_are_refused),
		cmocka_unit_test(trouble_leaves_nothing_behind),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
