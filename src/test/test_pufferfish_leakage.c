/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_pufferfish_leakage.c
 *		What releases of chains give away, by enumeration, against the odometer.
 *
 * Nothing of the theory is used but the definition: the law of whole sequences, the
 * probability of a transcript given each of them, and quotients of averages.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/pufferfish/chain.h"
#include "core/pufferfish/odometer.h"
#include "source.h"
#include "unit.h"

#define STATES 4
#define ROWS 6
#define CELLS 4096				/* STATES^ROWS */
#define OUTPUTS 64
#define ROUNDS 3

typedef struct Model
{
	int			states;
	int			rows;
	int			cells;			/* states^rows */
	double		transition[STATES * STATES];
	double		start[STATES];
	PaChain		chain;
	int			value[CELLS][ROWS];
	double		law[CELLS];
	double		mass[ROWS][STATES]; /* Pr[row = value] */
} Model;

/* Pr[output | sequence], and the largest loss for the change of one row */
typedef struct Mechanism
{
	int			outputs;
	double		chance[CELLS * OUTPUTS];
	double		epsilon;
} Mechanism;

typedef struct Game
{
	const Model *model;
	PaRandom   *random;
	PaCurve		curve;
	int			rounds;
	Mechanism	mechanism[ROUNDS];
	double		likelihood[ROUNDS + 1][CELLS];	/* of the transcript so far */
	double		closest;		/* largest leakage/spent */
	double		leakage;		/* largest */
	double		most;			/* largest sum of epsilons */
} Game;

/* --- chains --- */

/* The stationary law by repeated steps, lazy ones, which do not go in circles */
static void
settle(const Model *model, double *law)
{
	int			m = model->states;
	int			step;
	int			i;
	int			j;

	for (i = 0; i < m; i++)
		law[i] = 1.0 / m;
	for (step = 0; step < 20000; step++)
	{
		double		next[STATES] = {0};

		for (i = 0; i < m; i++)
			for (j = 0; j < m; j++)
				next[j] += law[i] * (model->transition[i * m + j] + (i == j)) / 2;
		memcpy(law, next, sizeof(next));
	}
}

static void
enumerate(Model *model)
{
	double		first[STATES];
	int			m = model->states;
	int			i;
	int			t;

	memcpy(first, model->start, sizeof(first));
	if (model->chain.start == NULL)
		settle(model, first);
	memset(model->mass, 0, sizeof(model->mass));
	for (i = 0; i < model->cells; i++)
	{
		int			rest = i;

		for (t = model->rows - 1; t >= 0; t--, rest /= m)
			model->value[i][t] = rest % m;
		model->law[i] = first[model->value[i][0]];
		for (t = 1; t < model->rows; t++)
			model->law[i] *= model->transition[model->value[i][t - 1] * m + model->value[i][t]];
		for (t = 0; t < model->rows; t++)
			model->mass[t][model->value[i][t]] += model->law[i];
	}
}

/* Half of them with a start of their own, some with a curve for chains of any length, some with steps that cannot be */
static void
random_model(PaRandom *random, int number, int most_cells, Model *model)
{
	double		zeros = number % 5 == 0 ? 0.25 : 0;
	double		spread = exp(uniform(random, -1, 1.5));
	int			i;

	do
	{
		model->states = 2 + (int) pa_random_below(random, STATES - 1);
		model->rows = 2 + (int) pa_random_below(random, ROWS - 1);
		model->cells = (int) lround(pow(model->states, model->rows));
	} while (model->cells > most_cells);
	do
	{
		for (i = 0; i < model->states; i++)
			random_law(random, model->states, spread, zeros, model->transition + i * model->states);
		random_law(random, model->states, spread, zeros, model->start);
		model->chain = (PaChain) {model->states, model->transition, number % 2 == 0 ? model->start : NULL,
		number % 4 == 1 ? 0 : model->rows, NULL};
	} while (pa_chain_check(&model->chain, &plain_memory, NULL) != PA_OK);
	enumerate(model);
}

/* --- mechanisms --- */

/* Each row answers for itself: randomised response, or any table */
static void
answer_rows(const Model *model, PaRandom *random, double scale, Mechanism *made)
{
	double		answer[ROWS][STATES][2];
	int			i;
	int			t;
	int			v;
	int			w;

	for (t = 0; t < model->rows; t++)
		for (v = 0; v < model->states; v++)
		{
			random_law(random, 2, scale, 0, answer[t][v]);
			if (pa_random_below(random, 2) == 0)
				answer[t][v][v % 2] = 1 - (answer[t][v][1 - v % 2] = 1 / (1 + exp(scale)));
		}
	made->outputs = 1 << model->rows;
	for (i = 0; i < model->cells; i++)
		for (w = 0; w < made->outputs; w++)
		{
			double	   *chance = &made->chance[i * made->outputs + w];

			*chance = 1;
			for (t = 0; t < model->rows; t++)
				*chance *= answer[t][model->value[i][t]][w >> t & 1];
		}
}

/* A noised count of rows that have one of some values, of all rows or of some */
static void
count_rows(const Model *model, PaRandom *random, double scale, Mechanism *made)
{
	unsigned	values = 1 + (unsigned) pa_random_below(random, (1u << model->states) - 2);
	unsigned	rows = 1 + (unsigned) pa_random_below(random, (1u << model->rows) - 1);
	int			i;
	int			t;
	int			w;

	made->outputs = model->rows + 1;
	for (i = 0; i < model->cells; i++)
	{
		double	   *chance = &made->chance[i * made->outputs];
		double		sum = 0;
		int			count = 0;

		for (t = 0; t < model->rows; t++)
			count += rows >> t & 1 && values >> model->value[i][t] & 1;
		for (w = 0; w < made->outputs; w++)
			sum += chance[w] = exp(-scale * abs(w - count));
		for (w = 0; w < made->outputs; w++)
			chance[w] /= sum;
	}
}

static void
any_table(const Model *model, PaRandom *random, double scale, Mechanism *made)
{
	int			i;

	made->outputs = 2 + (int) pa_random_below(random, 3);
	for (i = 0; i < model->cells; i++)
		random_law(random, made->outputs, scale, 0, made->chance + i * made->outputs);
}

/* The largest loss between sequences that differ in one row */
static double
per_row(const Model *model, const Mechanism *mechanism)
{
	double		most = 0;
	int			stride = model->cells;
	int			i;
	int			t;
	int			w;

	for (t = 0; t < model->rows; t++)
	{
		int			v;

		stride /= model->states;
		for (i = 0; i < model->cells; i++)
			for (v = 0; v < model->states; v++)
				for (w = 0; w < mechanism->outputs; w++)
					most = fmax(most, mechanism->chance[i * mechanism->outputs + w] /
								mechanism->chance[(i + (v - model->value[i][t]) * stride) * mechanism->outputs + w]);
	}
	return log(most);
}

static void
random_mechanism(const Model *model, PaRandom *random, Mechanism *made)
{
	void		(*const kind[3]) (const Model *, PaRandom *, double, Mechanism *) = {answer_rows, count_rows, any_table};

	kind[pa_random_below(random, 3)](model, random, exp(uniform(random, -4, 0.5)), made);
	made->epsilon = per_row(model, made);
}

/* --- transcripts --- */

/* The largest ln Pr[transcript | row = s]/Pr[transcript | row = s'] */
static double
leakage_of(const Model *model, const double *likelihood)
{
	double		chance[ROWS][STATES] = {{0}};
	double		most = 0;
	int			i;
	int			s;
	int			t;
	int			v;

	for (i = 0; i < model->cells; i++)
		for (t = 0; t < model->rows; t++)
			chance[t][model->value[i][t]] += model->law[i] * likelihood[i];
	for (t = 0; t < model->rows; t++)
		for (s = 0; s < model->states; s++)
			for (v = 0; v < model->states; v++)
				if (model->mass[t][s] > 0 && model->mass[t][v] > 0)
					most = fmax(most, log(chance[t][s] / model->mass[t][s]) - log(chance[t][v] / model->mass[t][v]));
	return most;
}

static void
judge(Game *game, const double *likelihood, double sum)
{
	double		leakage = leakage_of(game->model, likelihood);
	double		spent;

	assert_int_equal(pa_pufferfish_spent(&game->curve, sum, &spent, NULL, NULL), PA_OK);
	assert_at_most(leakage, spent + 1e-10);
	game->closest = fmax(game->closest, leakage / spent);
	game->leakage = fmax(game->leakage, leakage);
	game->most = fmax(game->most, sum);
}

/* Which mechanism comes next, and whether one does, depends on all outputs before. */
static void
play(Game *game, int round, double sum)
{
	Mechanism  *mechanism = &game->mechanism[round];
	const double *before = game->likelihood[round];
	double	   *after = game->likelihood[round + 1];
	int			i;
	int			w;

	if (round == game->rounds || (round > 0 && pa_random_below(game->random, 5) == 0))
	{
		judge(game, before, sum);
		return;
	}
	random_mechanism(game->model, game->random, mechanism);
	for (w = 0; w < mechanism->outputs; w++)
	{
		for (i = 0; i < game->model->cells; i++)
			after[i] = before[i] * mechanism->chance[i * mechanism->outputs + w];
		play(game, round + 1, sum + mechanism->epsilon);
	}
}

/*
 * Each transcript by itself keeps to spent(E) of its own epsilons, which is more than
 * the theorem about the largest E promises.
 */
static void
play_games(uint64_t seed, int games, int most_cells, int most_rounds, double *closest)
{
	static Model model;
	static Game game;
	PaRandom	random;
	int			number;

	pa_random_init(&random, source_seeded, &seed);
	game.closest = 0;
	for (number = 0; number < games; number++)
	{
		PaInfluence point[ROWS];
		double		spent;
		int			i;

		random_model(&random, number, most_cells, &model);
		assert_int_equal(pa_chain_curve(&model.chain, model.rows, &plain_memory, point, NULL), PA_OK);
		game.model = &model;
		game.random = &random;
		game.curve = (PaCurve) {point, model.rows, model.rows};
		game.rounds = 1 + number % most_rounds;
		game.leakage = game.most = 0;
		for (i = 0; i < model.cells; i++)
			game.likelihood[0][i] = 1;
		play(&game, 0, 0);
		assert_int_equal(pa_pufferfish_spent(&game.curve, game.most, &spent, NULL, NULL), PA_OK);
		assert_at_most(game.leakage, spent + 1e-10);
	}
	*closest = game.closest;
}

static void
short_chains_never_leak_more_than_is_spent(void **state)
{
	double		closest;

	(void) state;
	play_games(41, 4000, 32, 3, &closest);
	/* there are cases in which hardly more could be promised */
	assert_true(closest > 0.9);
}

static void
longer_chains_never_leak_more_than_is_spent(void **state)
{
	double		closest;

	(void) state;
	play_games(42, 500, 256, 2, &closest);
	play_games(43, 40, CELLS, 1, &closest);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(short_chains_never_leak_more_than_is_spent),
		cmocka_unit_test(longer_chains_never_leak_more_than_is_spent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
