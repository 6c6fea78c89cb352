/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_quantiles.c
 *		Several quantiles: what is visited, loss between neighbours, draws.
 */
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/order/accuracy.h"
#include "order_law.h"
#include "source.h"
#include "unit.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const uint32_t quarters[] = {1, 2, 3};
static const uint32_t fifths[] = {1, 2, 3, 4};
static const uint32_t halves[] = {2};
static const uint32_t ends[] = {0, 2, 4};
static const uint32_t two[] = {1, 3};

static const PaQuantiles of_quarters = {quarters, 3, 4};
static const PaQuantiles of_fifths = {fifths, 4, 5};
static const PaQuantiles of_halves = {halves, 1, 4};
static const PaQuantiles of_ends = {ends, 3, 4};
static const PaQuantiles of_two = {two, 2, 4};

static PaExponential
mechanism_for(int count, double epsilon, int64_t steps)
{
	PaExponential mechanism;

	assert_int_equal(pa_quantiles_mechanism(count, epsilon, steps, &plain_memory, &mechanism), PA_OK);
	return mechanism;
}

/* Of a draw by itself */
static PaExponential
mechanism_with(double epsilon, int64_t steps)
{
	return mechanism_for(1, epsilon, steps);
}

/* --- what is visited, against its definition candidate by candidate --- */

typedef struct Check
{
	const PaSlice *slice;
	const PaRankLoss *loss;
	PaUint128	visited;
	PaUint128	weight;			/* of the slice in the candidates */
	PaUint128	next;			/* position from which all of a stretch is */
	PaStretch	kept;			/* some candidate, to cut at */
	PaUint128	kept_index;
	PaRandom   *random;
} Check;

static int64_t
rows_at(const PaCells *data, int64_t cell)
{
	size_t		i;

	for (i = 0; i < data->runs; i++)
		if (data->run[i].cell == cell)
			return data->run[i].rows;
	return 0;
}

static bool
is_at(const PaSubCell *edge, int64_t cell, uint64_t part)
{
	return edge->cell == cell && edge->part == part;
}

/* Weight of one sub-cell in the slice */
static PaUint128
weight_at(const PaSlice *slice, int64_t cell, uint64_t part)
{
	if (is_at(&slice->first, cell, part))
		return slice->first.weight;
	if (is_at(&slice->last, cell, part))
		return slice->last.weight;
	return (PaUint128) rows_at(slice->data, cell) * slice->fine;
}

/* Weight below a sub-cell, one by one */
static PaUint128
weight_below(const PaSlice *slice, int64_t cell, uint64_t part)
{
	PaUint128	sum = 0;
	int64_t		c = slice->first.cell;
	uint64_t	p = slice->first.part;

	while (c < cell || (c == cell && p < part))
	{
		sum += weight_at(slice, c, p);
		if (++p == slice->parts)
		{
			p = 0;
			c++;
		}
	}
	return sum;
}

static void
check_candidate(Check *check, const PaStretch *stretch, PaUint128 index)
{
	PaUint128	position = stretch->way < 0 ? (PaUint128) stretch->cell * check->slice->parts + stretch->part - index :
		(PaUint128) stretch->cell * check->slice->parts + stretch->part + index;
	int64_t		cell = (int64_t) (position / check->slice->parts);
	uint64_t	part = (uint64_t) (position % check->slice->parts);
	PaUint128	each = weight_at(check->slice, cell, part);
	PaUint128	below = weight_below(check->slice, cell, part);
	PaInt128	number = (PaInt128) (check->loss->scale * (below + each / 2)) - check->loss->target;
	PaUint128	units = (PaUint128) (number < 0 ? -number : number) * (PaUint128) check->loss->mechanism->steps / check->loss->step_size;

	if (units >= (PaUint128) check->loss->mechanism->entries)
		units = (PaUint128) check->loss->mechanism->entries - 1;
	assert_true(stretch->each == each);
	assert_true(stretch->below + (stretch->way < 0 ? -index : index) * each == below);
	assert_true(stretch->weight == check->loss->mechanism->weight[units]);
	assert_true(pa_stretch_cell(check->slice, stretch, index) == cell);
	check->visited++;
	check->weight += each;
	/* each is kept with the same probability, some with any rows preferred */
	if (pa_random_below(check->random, (uint64_t) check->visited) == 0 || (each > 0 && check->kept.each == 0))
	{
		check->kept = *stretch;
		check->kept_index = index;
	}
}

static void
check_stretch(void *context, const PaStretch *stretch)
{
	Check	   *check = context;
	PaUint128	index;

	for (index = 0; index < stretch->count; index++)
		check_candidate(check, stretch, index);
}

static PaCells
random_data(PaRandom *random, PaCellRun *run, int64_t cells)
{
	size_t		runs = 0;
	int64_t		cell;

	for (cell = 0; cell < cells; cell++)
		if (pa_random_below(random, 2) == 0)
			run[runs++] = (PaCellRun) {cell, 1 + (int64_t) pa_random_below(random, 40)};
	return (PaCells) {run, runs, cells};
}

/* Cut again and again, down to single pieces of a sub-cell: whatever is visited is as defined. */
static void
candidates_are_as_defined(void **state)
{
	static const uint32_t seven[] = {1, 2, 3, 4, 5, 6, 7};
	static const PaQuantiles of_seven = {seven, 7, 8};
	uint64_t	seed = 14;
	PaRandom	random = seeded(&seed);
	int			round;

	(void) state;
	for (round = 0; round < 300; round++)
	{
		PaCellRun	run[6];
		PaCells		data = random_data(&random, run, 1 + (int64_t) pa_random_below(&random, 6));
		uint64_t	parts = 1 + pa_random_below(&random, round % 2 ? 60 : 3);
		PaExponential mechanism = mechanism_with(round % 3 ? 1 : 15, round % 3 == 1 ? 1 + (int64_t) pa_random_below(&random, 20) : 0);
		PaQuantileNode node;
		int64_t		rows;

		assert_int_equal(pa_cells_count(&data, NULL, &rows), PA_OK);
		node = pa_quantile_root(&data, rows, &of_seven, parts);
		while (pa_quantile_walk(&node) == pa_slice_sub_cells)
		{
			PaRankLoss	loss;
			Check		check = {&node.slice, &loss, 0, 0, 0, {0}, 0, &random};
			PaQuantileNode left;
			PaQuantileNode right;

			pa_quantile_loss(&node, &of_seven, 2, &mechanism, &loss);
			assert_int_equal(pa_slice_sub_cells(&node.slice, &loss, NULL, &(PaStretchVisitor) {check_stretch, NULL, &check}), PA_OK);
			assert_true(check.visited == (PaUint128) (node.slice.last.cell - node.slice.first.cell) * parts +
						node.slice.last.part - node.slice.first.part + 1);
			assert_true(check.weight == node.slice.weight);
			pa_quantile_split(&node, &of_seven, &check.kept, check.kept_index, &left, &right);
			assert_true(left.slice.weight + right.slice.weight == node.slice.weight);
			node = pa_random_bit(&random) ? left : right;
		}
		pa_exponential_free(&mechanism, &plain_memory);
	}
}

static void
sum_cells(void *context, const PaStretch *stretch)
{
	Check	   *check = context;
	PaUint128	i;

	for (i = 0; i < stretch->count; i++)
	{
		int64_t		cell = stretch->cell + (int64_t) i;
		PaUint128	mass = 0;
		PaInt128	low = (PaInt128) (check->loss->scale * check->weight) - check->loss->target;
		PaInt128	high;
		PaUint128	units;
		uint64_t	part;

		for (part = 0; part < check->slice->parts; part++)
			if ((cell > check->slice->first.cell || part >= check->slice->first.part) &&
				(cell < check->slice->last.cell || part <= check->slice->last.part))
				mass += weight_at(check->slice, cell, part);
		high = -low - (PaInt128) (check->loss->scale * mass);
		units = (PaUint128) (low > 0 ? low : high > 0 ? high : 0) * (PaUint128) check->loss->mechanism->steps / check->loss->step_size;
		if (units >= (PaUint128) check->loss->mechanism->entries)
			units = (PaUint128) check->loss->mechanism->entries - 1;
		assert_true(stretch->weight == check->loss->mechanism->weight[units]);
		assert_true(stretch->below == check->weight);
		check->weight += mass;
		check->visited++;
	}
}

/* The same of leaves: cells with what the slice has of them */
static void
leaves_have_what_was_left(void **state)
{
	uint64_t	seed = 15;
	PaRandom	random = seeded(&seed);
	int			round;

	(void) state;
	for (round = 0; round < 300; round++)
	{
		PaCellRun	run[6];
		PaCells		data = random_data(&random, run, 1 + (int64_t) pa_random_below(&random, 6));
		uint64_t	parts = 1 + pa_random_below(&random, 20);
		PaExponential mechanism = mechanism_with(1, 0);
		PaQuantileNode node;
		PaRankLoss	loss;
		int64_t		rows;

		assert_int_equal(pa_cells_count(&data, NULL, &rows), PA_OK);
		node = pa_quantile_root(&data, rows, &of_fifths, parts);
		while (pa_quantile_walk(&node) == pa_slice_sub_cells)
		{
			PaPick		pick;
			PaQuantileNode left;
			PaQuantileNode right;

			pa_quantile_loss(&node, &of_fifths, 1, &mechanism, &loss);
			assert_int_equal(pa_pick(pa_slice_sub_cells, &node.slice, &loss, &random, NULL, &pick), PA_OK);
			pa_quantile_split(&node, &of_fifths, &pick.stretch, pick.index, &left, &right);
			node = round % 2 ? left : right;
		}
		if (node.to > node.from)
		{
			Check		check = {&node.slice, &loss, 0, 0, 0, {0}, 0, &random};

			pa_quantile_loss(&node, &of_fifths, 1, &mechanism, &loss);
			assert_int_equal(pa_slice_cells(&node.slice, &loss, NULL, &(PaStretchVisitor) {sum_cells, NULL, &check}), PA_OK);
			assert_true(check.weight == node.slice.weight);
			assert_int_equal(check.visited, node.slice.last.cell - node.slice.first.cell + 1);
		}
		pa_exponential_free(&mechanism, &plain_memory);
	}
}

/* --- all neighbours --- */

typedef struct What
{
	const PaQuantiles *quantiles;
	int32_t		owner_rows;
	uint64_t	parts;
	const PaExponential *mechanism;
} What;

static PaStatus
law_of(const void *what, const PaCells *data, long double *probability)
{
	const What *of = what;

	return quantiles_law(data, of->quantiles, of->owner_rows, of->parts, of->mechanism, probability);
}

static PaStatus
joint_law_of(const void *what, const PaCells *data, long double *probability)
{
	const What *of = what;

	return joint_law(data, of->quantiles, of->owner_rows, of->mechanism, probability);
}

static int
outcomes_of(int cells, int count)
{
	int			outcomes = 1;

	while (count-- > 0)
		outcomes *= cells;
	return outcomes;
}

static void
check_neighbours(const PaQuantiles *quantiles, int32_t owner_rows, uint64_t parts, double epsilon, int64_t steps,
				 int cells, int rows)
{
	PaExponential mechanism = mechanism_for(quantiles->count, epsilon, steps);
	What		what = {quantiles, owner_rows, parts, &mechanism};
	LossFound	found = largest_loss(law_of, &what, cells, rows, owner_rows, outcomes_of(cells, quantiles->count));
	int			depth = pa_quantiles_depth(quantiles->count);

	if (!(found.loss <= depth * epsilon))
		fail_msg("%d quantiles, M %d, S %d, epsilon %g: loss %.17Lg", quantiles->count, owner_rows, (int) parts, epsilon, found.loss);
	if (!(found.loss >= 0.2 * depth * epsilon))
		fail_msg("%d quantiles, M %d, S %d, epsilon %g: a loss of %.17Lg only", quantiles->count, owner_rows, (int) parts, epsilon, found.loss);
	pa_exponential_free(&mechanism, &plain_memory);
}

static void
all_levels_lose_their_epsilon(void **state)
{
	(void) state;
	check_neighbours(&of_halves, 1, 3, 1, 0, 3, 10);
	check_neighbours(&of_two, 1, 1, 1, 0, 3, 7);
	check_neighbours(&of_two, 1, 3, 0.5, 0, 4, 5);
	check_neighbours(&of_quarters, 1, 2, 1, 0, 3, 6);
	check_neighbours(&of_quarters, 2, 1, 2, 0, 3, 5);
	check_neighbours(&of_ends, 1, 2, 1, 0, 3, 6);
	check_neighbours(&of_fifths, 1, 2, 1, 0, 3, 4);
	check_neighbours(&of_quarters, 1, 2, 1, 1, 3, 5);
	check_neighbours(&of_quarters, 1, 2, 20, 11, 3, 6);
}

/*
 * Many rows in one cell: whoever sends those that are equal to a cut to both sides loses 1.198 here,
 * where 1 is charged.
 */
static void
rows_of_a_cut_are_divided(void **state)
{
	static const int64_t rows[][6] = {{1, 0, 10, 0, 0, 10}, {0, 10, 0, 10, 0, 1}, {10, 0, 0, 10, 0, 1}, {0, 0, 20, 0, 0, 0},
	{5, 10, 5, 0, 0, 0}, {2, 12, 0, 0, 12, 2}};
	static const PaQuantiles *const quantiles[] = {&of_two, &of_quarters};
	size_t		i;
	size_t		j;
	uint64_t	parts;

	(void) state;
	for (i = 0; i < COUNT(rows); i++)
		for (j = 0; j < COUNT(quantiles); j++)
			for (parts = 1; parts <= 5; parts += 2)
			{
				PaExponential mechanism = mechanism_for(quantiles[j]->count, 0.5, 0);
				What		what = {quantiles[j], 1, parts, &mechanism};
				LossFound	found = loss_around(law_of, &what, 6, rows[i], 1, outcomes_of(6, quantiles[j]->count));

				if (!(found.loss <= 1))
					fail_msg("rows %zu, %d quantiles, S %d: loss %.17Lg", i, quantiles[j]->count, (int) parts, found.loss);
				pa_exponential_free(&mechanism, &plain_memory);
			}
}

static void
keep_weights(void *context, const PaStretch *stretch)
{
	long double *weight = context;
	PaUint128	i;

	for (i = 0; i < stretch->count; i++)
		weight[stretch->cell + (int64_t) i] = (long double) stretch->weight;
}

/*
 * Both leaves below one cut together, whichever the cut: a row in its cell is divided among
 * them, and each rounds its part of the row to whole units.
 */
static long double
loss_below_cut(const PaQuantiles *quantiles, const PaExponential *mechanism, uint64_t parts,
			   const PaCells *data, const PaCells *other, PaUint128 position)
{
	const PaCells *both[2] = {data, other};
	long double law[2][2][HISTOGRAM_CELLS] = {{{0}}};
	long double loss = 0;
	int			side;
	int			i;

	for (i = 0; i < 2; i++)
	{
		int64_t		rows;
		PaQuantileNode root;
		PaQuantileNode node[2];
		PaStretch	cut = {.cell = (int64_t) (position / parts),.part = (uint64_t) (position % parts),.way = 1,.count = 1};

		assert_int_equal(pa_cells_count(both[i], NULL, &rows), PA_OK);
		root = pa_quantile_root(both[i], rows, quantiles, parts);
		while (cut.run < both[i]->runs && both[i]->run[cut.run].cell < cut.cell)
			cut.run++;
		cut.each = weight_at(&root.slice, cut.cell, cut.part);
		cut.below = weight_below(&root.slice, cut.cell, cut.part);
		pa_quantile_split(&root, quantiles, &cut, 0, &node[0], &node[1]);
		for (side = 0; side < 2; side++)
		{
			PaRankLoss	rank_loss;

			pa_quantile_loss(&node[side], quantiles, 1, mechanism, &rank_loss);
			assert_int_equal(pa_slice_cells(&node[side].slice, &rank_loss, NULL, &(PaStretchVisitor) {keep_weights, NULL, law[i][side]}), PA_OK);
		}
	}
	for (side = 0; side < 2; side++)
	{
		long double largest = -INFINITY;
		long double smallest = INFINITY;

		for (i = 0; i < data->cells; i++)
			if (law[0][side][i] > 0)
			{
				long double ratio = logl(law[0][side][i] / law[1][side][i]);

				largest = fmaxl(largest, ratio);
				smallest = fminl(smallest, ratio);
			}
		loss += largest - smallest;
	}
	return loss;
}

/* A row comes to the middle one of five cells, where the cut is: then it counts on both sides, for cells above and below. */
static void
a_level_loses_its_epsilon(void **state)
{
	static const double epsilons[] = {1, 2, 0.3};
	static const int64_t steps[] = {1, 3, 0};
	long double largest = 0;
	size_t		i;

	(void) state;
	for (i = 0; i < COUNT(steps); i++)
	{
		PaExponential mechanism = mechanism_for(3, epsilons[i], steps[i]);
		int64_t		rows[5] = {0};

		do
		{
			int64_t		more[5] = {rows[0], rows[1], rows[2] + 1, rows[3], rows[4]};
			PaCellRun	run[2][5];
			PaCells		data = runs_of(rows, 5, run[0]);
			PaCells		other = runs_of(more, 5, run[1]);
			int			position;

			for (position = 10; position < 15; position++)
			{
				long double loss = loss_below_cut(&of_quarters, &mechanism, 5, &data, &other, (PaUint128) position);

				largest = fmaxl(largest, loss / epsilons[i]);
				if (!(loss <= epsilons[i]))
					fail_msg("rows %d %d %d %d %d, one more in 2, cut at %d: %.17Lg of %g", (int) rows[0], (int) rows[1],
							 (int) rows[2], (int) rows[3], (int) rows[4], position, loss, epsilons[i]);
			}
		}
		while (next_histogram(rows, 5, 7));
		pa_exponential_free(&mechanism, &plain_memory);
	}
	assert_true(largest > 0.9);
}

static void
the_joint_law_loses_epsilon(void **state)
{
	static const PaQuantiles *const quantiles[] = {&of_halves, &of_two, &of_quarters, &of_fifths, &of_ends};
	static const double epsilons[] = {1, 0.2, 20};
	size_t		i;
	size_t		j;

	(void) state;
	for (i = 0; i < COUNT(quantiles); i++)
		for (j = 0; j < COUNT(epsilons); j++)
		{
			PaExponential mechanism = mechanism_with(epsilons[j], 0);
			What		what = {quantiles[i], 1 + (int32_t) (j % 2), 0, &mechanism};
			LossFound	found = largest_loss(joint_law_of, &what, 3, 8, what.owner_rows, outcomes_of(3, quantiles[i]->count));

			assert_at_most(found.range, epsilons[j]);
			assert_true(found.range > 0.3 * epsilons[j]);
			pa_exponential_free(&mechanism, &plain_memory);
		}
}

/* --- draws --- */

static void
fail_if_unlikely(const char *what, const double *seen, const long double *law, int outcomes, long draws)
{
	double	   *expected = calloc((size_t) outcomes, sizeof(double));
	double		p;
	int			i;

	assert_non_null(expected);
	for (i = 0; i < outcomes; i++)
		expected[i] = (double) law[i] * (double) draws;
	p = chi_square_p(seen, expected, outcomes);
	free(expected);
	if (!(p > FALSE_ALARM))
		fail_msg("%s: p = %g", what, p);
}

static int
outcome_of(const int64_t *cell, int count, int64_t cells)
{
	int			outcome = 0;

	while (count-- > 0)
		outcome = outcome * (int) cells + (int) *cell++;
	return outcome;
}

static void
check_draws(const PaCells *data, const PaQuantiles *quantiles, uint64_t parts, double epsilon)
{
	PaExponential mechanism = mechanism_for(quantiles->count, epsilon, 0);
	long		draws = draws_wanted() / 8;
	int			outcomes = outcomes_of((int) data->cells, quantiles->count);
	double		seen[2][HISTOGRAM_OUTCOMES] = {{0}};
	long double law[2][HISTOGRAM_OUTCOMES] = {{0}};
	PaRandom	random;
	int64_t		cell[PA_QUANTILES_MOST];
	long		n;

	assert_int_equal(quantiles_law(data, quantiles, 1, parts, &mechanism, law[0]), PA_OK);
	assert_int_equal(joint_law(data, quantiles, 1, &mechanism, law[1]), PA_OK);
	pa_random_init(&random, source_system, NULL);
	for (n = 0; n < draws; n++)
	{
		assert_int_equal(pa_quantiles_draw(data, quantiles, 1, parts, &mechanism, &random, NULL, cell), PA_OK);
		seen[0][outcome_of(cell, quantiles->count, data->cells)]++;
		assert_int_equal(pa_joint_draw(data, quantiles, 1, &mechanism, &random, &plain_memory, cell), PA_OK);
		seen[1][outcome_of(cell, quantiles->count, data->cells)]++;
	}
	fail_if_unlikely("recursion", seen[0], law[0], outcomes, draws);
	fail_if_unlikely("joint", seen[1], law[1], outcomes, draws);
	pa_exponential_free(&mechanism, &plain_memory);
}

static void
draws_follow_their_laws(void **state)
{
	static const PaCellRun run[] = {{0, 3}, {2, 9}, {4, 1}};
	PaCells		data = {run, COUNT(run), 6};
	PaCells		empty = {NULL, 0, 5};

	(void) state;
	check_draws(&data, &of_two, 3, 1);
	check_draws(&data, &of_quarters, 3, 2);
	check_draws(&data, &of_ends, 2, 0.5);
	check_draws(&data, &of_fifths, 2, 1);
	check_draws(&empty, &of_quarters, 2, 1);
}

/* With 2^32 sub-cells, in a wide lattice: in order, and as near as is stated */
static void
answers_are_in_order_and_near(void **state)
{
	enum
	{
		ROWS = 3000, DRAWS = 60
	};
	uint32_t	numerator[99];
	PaQuantiles quantiles = {numerator, 99, 100};
	PaCellRun	run[ROWS];
	PaCells		data = {run, ROWS, INT64_C(1) << 40};
	PaExponential mechanism = mechanism_for(99, 1, 0);
	PaRankError error[99];
	PaRandom	random;
	double		squares = 0;
	int			i;
	int			j;

	(void) state;
	for (i = 0; i < 99; i++)
		numerator[i] = (uint32_t) i + 1;
	for (i = 0; i < ROWS; i++)
		run[i] = (PaCellRun) {((int64_t) 1 << 28) * i, 1};
	assert_int_equal(pa_quantiles_error(&quantiles, 1, pa_quantiles_parts(data.cells), &mechanism, data.cells, 1e-11, error), PA_OK);
	pa_random_init(&random, source_system, NULL);
	for (j = 0; j < DRAWS; j++)
	{
		int64_t		cell[99];

		assert_int_equal(pa_quantiles_draw(&data, &quantiles, 1, pa_quantiles_parts(data.cells), &mechanism, &random, NULL, cell), PA_OK);
		for (i = 0; i < 99; i++)
		{
			double		rank = (double) (cell[i] >> 28) + 0.5;
			double		off = rank - ROWS * (i + 1) / 100.0;

			assert_true(i == 0 || cell[i] >= cell[i - 1]);
			assert_at_most(fabs(off), error[i].certain + 1);
			squares += off * off;
		}
	}
	/* 17/sqrt(49)-ish: with 7 levels of epsilon 1, the root mean square is near 2.4 */
	assert_at_most(sqrt(squares / (99.0 * DRAWS)), 4);
	pa_exponential_free(&mechanism, &plain_memory);
}

/* Four fifths of the rows are equal: they are their own median and lower quartile, and the rest is not mistaken for all */
static void
ties_are_their_own_quantiles(void **state)
{
	static const PaCellRun run[] = {{0, 80000}, {50, 5000}, {60, 5000}, {70, 10000}};
	PaCells		data = {run, COUNT(run), 100};
	PaExponential mechanism = mechanism_for(3, 1, 0);
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_system, NULL);
	for (i = 0; i < 200; i++)
	{
		int64_t		cell[3];

		assert_int_equal(pa_quantiles_draw(&data, &of_quarters, 1, pa_quantiles_parts(100), &mechanism, &random, NULL, cell), PA_OK);
		assert_true(cell[0] == 0 && cell[1] == 0 && cell[2] == 0);
	}
	pa_exponential_free(&mechanism, &plain_memory);
}

/* --- work --- */

#define VISITS_PER_NODE 10

static void
count_visit(void *context, const PaStretch *stretch)
{
	int64_t    *count = context;

	(void) stretch;
	(*count)++;
}

/* Visits of all nodes whose draws fall into one cell, the given one, as long as they can */
static int64_t
count_visits(const PaCells *data, const PaQuantiles *quantiles, const PaExponential *mechanism, PaRandom *random)
{
	PaQuantileNode waiting[PA_QUANTILES_DEPTH + 1];
	int			nodes = 1;
	int64_t		visits = 0;
	int64_t		rows;

	assert_int_equal(pa_cells_count(data, NULL, &rows), PA_OK);
	waiting[0] = pa_quantile_root(data, rows, quantiles, pa_quantiles_parts(data->cells));
	while (nodes > 0)
	{
		PaQuantileNode node = waiting[--nodes];
		PaSliceWalk walk = pa_quantile_walk(&node);
		PaQuantileNode side[2];
		PaRankLoss	loss;
		PaPick		pick;
		int			i;

		pa_quantile_loss(&node, quantiles, 1, mechanism, &loss);
		assert_int_equal(walk(&node.slice, &loss, NULL, &(PaStretchVisitor) {count_visit, NULL, &visits}), PA_OK);
		if (walk == pa_slice_cells)
			continue;
		assert_int_equal(pa_pick(walk, &node.slice, &loss, random, NULL, &pick), PA_OK);
		pa_quantile_split(&node, quantiles, &pick.stretch, pick.index, &side[0], &side[1]);
		for (i = 0; i < 2; i++)
			if (side[i].to > side[i].from)
				waiting[nodes++] = side[i];
	}
	return visits;
}

/* One row in one cell, in which all cuts fall: whatever epsilon */
static void
a_row_is_a_bounded_number_of_visits(void **state)
{
	static const int counts[] = {2, 3, 4, 9, 15, 16, 99, 255};
	static const double epsilons[] = {1e-6, 1e-3, 0.1, 1, 2, 8, 63, 64, 130, 1000, 5000, 1e5};
	static const PaCellRun run[] = {{0, 1}};
	PaCells		data = {run, 1, 1};
	uint64_t	seed = 16;
	PaRandom	random = seeded(&seed);
	size_t		i;
	size_t		j;

	(void) state;
	for (i = 0; i < COUNT(counts); i++)
		for (j = 0; j < COUNT(epsilons); j++)
		{
			uint32_t	numerator[PA_QUANTILES_MOST];
			PaQuantiles quantiles = {numerator, counts[i], PA_QUANTILE_DENOMINATOR};
			PaExponential mechanism = mechanism_for(counts[i], epsilons[j], 0);
			int64_t		most = pa_quantiles_row_units(counts[i]) + VISITS_PER_NODE * counts[i];
			int64_t		visits;
			int			k;

			for (k = 0; k < counts[i]; k++)
				numerator[k] = (uint32_t) (((int64_t) k + 1) * PA_QUANTILE_DENOMINATOR / (counts[i] + 1));
			visits = count_visits(&data, &quantiles, &mechanism, &random);
			if (visits > most)
				fail_msg("%d quantiles, epsilon %g: %ld visits, at most %ld are stated", counts[i], epsilons[j], (long) visits, (long) most);
			pa_exponential_free(&mechanism, &plain_memory);
		}
}

static void
add_weight(void *context, const PaStretch *stretch)
{
	PaUint128  *sum = context;

	*sum += stretch->count * stretch->weight;
}

/* What is only weighed weighs what its visits do: however units and sub-cells lie to each other, and far from the target */
static void
weighed_as_visited(void **state)
{
	uint64_t	seed = 17;
	PaRandom	random = seeded(&seed);
	int			round;

	(void) state;
	for (round = 0; round < 400; round++)
	{
		PaCellRun	run[6];
		PaCells		data = random_data(&random, run, 1 + (int64_t) pa_random_below(&random, 6));
		uint64_t	parts = 1 + pa_random_below(&random, UINT64_C(1) << pa_random_below(&random, 12));
		PaExponential mechanism = mechanism_for(3, round % 3 ? 1 : 15, round % 2 ? 8 + (int64_t) pa_random_below(&random, 300) : 0);
		PaQuantileNode root;
		PaRankLoss	loss;
		PaUint128	weighed;
		PaUint128	visited = 0;
		int64_t		rows;

		assert_int_equal(pa_cells_count(&data, NULL, &rows), PA_OK);
		root = pa_quantile_root(&data, rows, &of_quarters, parts);
		pa_quantile_loss(&root, &of_quarters, 1 + (int32_t) pa_random_below(&random, 9), &mechanism, &loss);
		assert_int_equal(pa_pick_total(pa_slice_sub_cells, &root.slice, &loss, NULL, &weighed), PA_OK);
		assert_int_equal(pa_slice_sub_cells(&root.slice, &loss, NULL, &(PaStretchVisitor) {add_weight, NULL, &visited}), PA_OK);
		assert_true(weighed == visited);
		pa_exponential_free(&mechanism, &plain_memory);
	}
}

/* --- numbers, and bad input --- */

static void
costs_are_those_of_levels(void **state)
{
	double		amount;
	int			count;

	(void) state;
	assert_int_equal(pa_quantiles_depth(1), 1);
	assert_int_equal(pa_quantiles_depth(2), 2);
	assert_int_equal(pa_quantiles_depth(3), 2);
	assert_int_equal(pa_quantiles_depth(4), 3);
	assert_int_equal(pa_quantiles_depth(255), PA_QUANTILES_DEPTH);
	assert_int_equal(pa_quantiles_widest(1), 1);
	assert_int_equal(pa_quantiles_widest(2), 1);
	assert_int_equal(pa_quantiles_widest(3), 2);
	assert_int_equal(pa_quantiles_widest(4), 2);
	assert_int_equal(pa_quantiles_widest(7), 4);
	assert_int_equal(pa_quantiles_widest(99), 36);
	assert_int_equal(pa_quantiles_widest(255), 128);
	assert_true(pa_quantiles_parts(1) == UINT64_C(1) << 32);
	assert_true(pa_quantiles_parts(INT64_C(1) << 33) == UINT64_C(1) << 32);
	assert_true(pa_quantiles_parts(INT64_C(1) << 34) == UINT64_C(1) << 31);
	assert_true(pa_quantiles_parts(PA_CELLS_MOST) == 8);
	for (count = 1; count < 200; count += 7)
		for (amount = 1e-6; amount < 50; amount *= 1.3)
		{
			double		epsilon = pa_order_level_of_epsilon(count, amount);
			double		of_rho = pa_order_level_of_rho(count, amount);

			assert_true(pa_order_cost(count, epsilon).epsilon <= amount);
			assert_true((long double) pa_order_cost(count, epsilon).epsilon >= pa_quantiles_depth(count) * (long double) epsilon);
			assert_close(epsilon * pa_quantiles_depth(count), amount, 1e-14L);
			assert_true(pa_order_cost(count, of_rho).rho <= amount);
			assert_close(fmin(of_rho * of_rho / 8, of_rho) * pa_quantiles_depth(count), amount, 1e-13L);
		}
}

static void
the_widest_numbers_fit(void **state)
{
	uint32_t	numerator[PA_QUANTILES_MOST];
	PaQuantiles quantiles = {numerator, PA_QUANTILES_MOST, PA_QUANTILE_DENOMINATORS};
	static const PaCellRun run[] = {{0, 1}, {7, PA_CELLS_ROWS - 3}, {(INT64_C(1) << 33) - 1, 1}};
	static const double epsilons[] = {0x1p-40, 1e-5, 1, 1e5};
	PaCells		data = {run, 3, INT64_C(1) << 33};
	PaRandom	random;
	size_t		i;
	int			j;

	(void) state;
	for (j = 0; j < PA_QUANTILES_MOST; j++)
		numerator[j] = PA_QUANTILE_DENOMINATORS - 2 * (PA_QUANTILES_MOST - 1 - (uint32_t) j);
	pa_random_init(&random, source_system, NULL);
	for (i = 0; i < COUNT(epsilons); i++)
	{
		PaExponential mechanism = mechanism_for(PA_QUANTILES_MOST, epsilons[i], 0);
		int64_t		cell[PA_QUANTILES_MOST];

		assert_int_equal(pa_quantiles_draw(&data, &quantiles, i % 2 ? INT32_MAX : 1, pa_quantiles_parts(data.cells), &mechanism,
										   &random, NULL, cell), PA_OK);
		for (j = 1; j < PA_QUANTILES_MOST; j++)
			assert_true(cell[j - 1] <= cell[j] && cell[j] < data.cells);
		pa_exponential_free(&mechanism, &plain_memory);
	}
}

static void
bad_quantiles_are_refused(void **state)
{
	static const uint32_t falling[] = {2, 1};
	static const uint32_t twice[] = {1, 1};
	static const uint32_t above[] = {1, 5};
	static const PaQuantiles bad[] = {{falling, 2, 4}, {twice, 2, 4}, {above, 2, 4}, {quarters, 0, 4}, {quarters, 3, 0},
	{quarters, PA_QUANTILES_MOST + 1, 4}, {quarters, 3, PA_QUANTILE_DENOMINATORS + 1}};
	static const PaCellRun beyond[] = {{100, 1}};
	PaCells		data = {NULL, 0, 100};
	PaCells		wrong = {beyond, 1, 100};
	PaCells		wide = {NULL, 0, INT64_C(1) << 34};
	PaExponential mechanism = mechanism_for(3, 1, 0);
	PaExponential lone;
	PaRankError error[PA_QUANTILES_MOST];
	PaRandom	random;
	Tape		tape = {NULL, 0, 0};
	int64_t		cell[3] = {-7, -7, -7};
	size_t		i;

	(void) state;
	pa_random_init(&random, source_system, NULL);
	for (i = 0; i < COUNT(bad); i++)
	{
		assert_int_equal(pa_quantiles_draw(&data, &bad[i], 1, 4, &mechanism, &random, NULL, cell), PA_INVALID);
		assert_int_equal(pa_joint_draw(&data, &bad[i], 1, &mechanism, &random, &plain_memory, cell), PA_INVALID);
		assert_int_equal(pa_quantiles_error(&bad[i], 1, 4, &mechanism, 100, 0.05, error), PA_INVALID);
	}
	lone = mechanism_with(1, 0);
	assert_int_equal(pa_quantiles_draw(&data, &of_quarters, 1, 4, &lone, &random, NULL, cell), PA_INVALID);
	pa_exponential_free(&lone, &plain_memory);
	assert_int_equal(pa_quantiles_draw(&wrong, &of_quarters, 1, 4, &mechanism, &random, NULL, cell), PA_INVALID);
	assert_int_equal(pa_quantiles_draw(&data, &of_quarters, 0, 4, &mechanism, &random, NULL, cell), PA_INVALID);
	assert_int_equal(pa_quantiles_draw(&data, &of_quarters, 1, 0, &mechanism, &random, NULL, cell), PA_INVALID);
	assert_int_equal(pa_quantiles_draw(&data, &of_quarters, 1, (UINT64_C(1) << 32) + 1, &mechanism, &random, NULL, cell), PA_INVALID);
	assert_int_equal(pa_quantiles_draw(&wide, &of_quarters, 1, UINT64_C(1) << 32, &mechanism, &random, NULL, cell), PA_INVALID);
	assert_int_equal(pa_joint_draw(&wide, &of_quarters, 1, &mechanism, &random, &plain_memory, cell), PA_OUT_OF_RANGE);
	assert_int_equal(pa_joint_tuples(100, 3), 171700);
	assert_int_equal(pa_joint_tuples(INT64_C(1) << 61, 3), PA_JOINT_TUPLES + 1);
	pa_random_init(&random, source_tape, &tape);
	assert_int_equal(pa_quantiles_draw(&data, &of_quarters, 1, 4, &mechanism, &random, NULL, cell), PA_NO_RANDOMNESS);
	assert_int_equal(pa_joint_draw(&data, &of_quarters, 1, &mechanism, &random, &plain_memory, cell), PA_NO_RANDOMNESS);
	assert_true(cell[0] == -7 && cell[1] == -7 && cell[2] == -7);
	pa_exponential_free(&mechanism, &plain_memory);
}

/* Says true the n-th time it is asked */
static bool
patience(void *context)
{
	int		   *left = context;

	return (*left)-- <= 0;
}

static void
draws_can_be_interrupted(void **state)
{
	PaCellRun	run[10000];
	PaCells		data = {run, 10000, 10000};
	PaExponential mechanism = mechanism_for(3, 1, 0);
	PaEnvironment environment = plain_memory;
	PaRandom	random;
	int64_t		cell[3] = {-7, -7, -7};
	int			asked;
	int			i;

	(void) state;
	for (i = 0; i < 10000; i++)
		run[i] = (PaCellRun) {i, 1};
	pa_random_init(&random, source_system, NULL);
	environment.interrupted = patience;
	environment.context = &asked;
	for (i = 0; i < 11; i++)
	{
		asked = i;
		assert_int_equal(pa_quantiles_draw(&data, &of_quarters, 1, 4, &mechanism, &random, &environment, cell), PA_INTERRUPTED);
		assert_true(cell[0] == -7 && cell[1] == -7 && cell[2] == -7);
	}
	asked = 0;
	data.cells = 100;
	data.runs = 10;
	for (i = 0; i < 2; i++)
	{
		asked = i;
		assert_int_equal(pa_joint_draw(&data, &of_quarters, 1, &mechanism, &random, &environment, cell), PA_INTERRUPTED);
	}
	pa_exponential_free(&mechanism, &plain_memory);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(candidates_are_as_defined),
		cmocka_unit_test(leaves_have_what_was_left),
		cmocka_unit_test(all_levels_lose_their_epsilon),
		cmocka_unit_test(rows_of_a_cut_are_divided),
		cmocka_unit_test(a_level_loses_its_epsilon),
		cmocka_unit_test(the_joint_law_loses_epsilon),
		cmocka_unit_test(draws_follow_their_laws),
		cmocka_unit_test(answers_are_in_order_and_near),
		cmocka_unit_test(ties_are_their_own_quantiles),
		cmocka_unit_test(a_row_is_a_bounded_number_of_visits),
		cmocka_unit_test(weighed_as_visited),
		cmocka_unit_test(costs_are_those_of_levels),
		cmocka_unit_test(the_widest_numbers_fit),
		cmocka_unit_test(bad_quantiles_are_refused),
		cmocka_unit_test(draws_can_be_interrupted),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
