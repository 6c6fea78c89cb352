/*
 * kernel_table.c
 *		Noise by a table of weights: the optimum of a linear program.
 */
#include "core/noise/kernel_routine.h"
#include "core/noise/optimal.h"

/* Fewer than 2^11 weights of 64 bits do not overflow their sum. */
static bool
valid_table(const PaNoiseTable *table)
{
	PaUint128	sum;
	int32_t		k;

	if (table == NULL || table->weight == NULL || table->last < 0 || table->last > PA_OPTIMAL_LAST ||
		table->total < 1 || table->total > UINT64_C(1) << 62)
		return false;
	sum = table->weight[0];
	for (k = 1; k <= table->last; k++)
	{
		if (table->weight[k] > table->weight[k - 1])
			return false;
		sum += (PaUint128) 2 * table->weight[k];
	}
	return sum == table->total;
}

static bool
valid(const PaKernel *kernel)
{
	return valid_table(kernel->table);
}

static double
scale(const PaKernel *kernel)
{
	(void) kernel;
	return 0;
}

static PaLaw
law(const PaKernel *kernel)
{
	PaLaw		made = {0};

	(void) pa_law_table(kernel->table, &made);
	return made;
}

/* The cells 0, 1, -1, 2, -2, ... in turn, each as wide as its weight */
static int64_t
draw_cell(const PaNoiseTable *table, PaRandom *random)
{
	uint64_t	rest = pa_random_below(random, table->total);
	int32_t		k;

	if (rest < table->weight[0])
		return 0;
	rest -= table->weight[0];
	for (k = 1; k < table->last && rest >= 2 * table->weight[k]; k++)
		rest -= 2 * table->weight[k];
	return rest < table->weight[k] ? k : -k;
}

static int64_t
draw(const PaKernel *kernel, PaRandom *random, uint32_t patience)
{
	(void) patience;
	return draw_cell(kernel->table, random);
}

const PaKernelRoutine pa_kernel_optimal = {
	.needs_band = true, .tabulated = true,
	.valid = valid, .scale = scale, .law = law, .draw = draw
};
