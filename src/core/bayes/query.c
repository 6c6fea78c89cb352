/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * query.c
 *		Randomised questions over finite domains: levels, worst outputs, answers.
 *
 * Level: the largest range of ln Pr[y | x] over x, over the outputs y, with the
 * error of its rounding added.  rho: D_alpha/alpha <= level^2/2 for pure
 * level-DP (Bun and Steinke 2016, Proposition 3.3); a kernel may know better.
 *
 * Worst of a k-ary response: the output y moves the points of category y by
 * ln Pr[same] and all others by ln Pr[other].  So the extremes per category, and
 * over all categories but one, give all k losses in O(size + k); the latter from
 * the extremes up to a category and from it on.  Rounding is monotone, so this
 * is bit for bit the loss of the table that pa_query_record would make, and the
 * error is no smaller.
 *
 * Worst of additive noise: over the outputs of its window.  Others are recorded
 * as the one of the window that tells the same (pa_additive_fold): as they are,
 * the grid of the table (likelihood.c) would round them another way, and far out
 * the numbers would be large.
 */
#include "core/bayes/query.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void *
allocate(const PaEnvironment *environment, size_t count, size_t size)
{
	return environment->allocate(environment->context, count * size);
}

static void
release(const PaEnvironment *environment, void *memory)
{
	if (memory != NULL)
		environment->release(environment->context, memory);
}

static bool
interrupted(const PaEnvironment *environment)
{
	return environment->interrupted != NULL && environment->interrupted(environment->context);
}

void
pa_query_free(PaQuery *query, const PaEnvironment *environment)
{
	release(environment, query->column);
	release(environment, query->coin);
	release(environment, query->truth);
	query->column = NULL;
	query->coin = NULL;
	query->truth = NULL;
}

static PaStatus
start(PaQuery *query, PaQueryKind kind, size_t size, int64_t outputs)
{
	if (size < 1 || size > PA_MOST_DOMAIN || outputs < 1 || outputs > PA_MOST_CATEGORIES)
		return PA_INVALID;
	memset(query, 0, sizeof(*query));
	query->kind = kind;
	query->size = size;
	query->outputs = outputs;
	return PA_OK;
}

/* max - min over the values; -INFINITY if the output is impossible */
static double
column_range(const double *column, size_t size)
{
	double		high = -INFINITY;
	double		low = 0.0;
	size_t		x;

	for (x = 0; x < size; x++)
	{
		high = fmax(high, column[x]);
		low = fmin(low, column[x]);
	}
	if (high == -INFINITY)
		return -INFINITY;
	return low == -INFINITY ? INFINITY : (high - low) + DBL_EPSILON * (8.0 * -low + (high - low));
}

static void
set_level(PaQuery *query, double level)
{
	query->level = fmax(0.0, level);
	query->rho = 0.5 * query->level * query->level * (1.0 + 4 * DBL_EPSILON);
}

static void
level_of_columns(PaQuery *query)
{
	double		level = 0.0;
	int64_t		y;

	for (y = 0; y < query->outputs; y++)
		level = fmax(level, column_range(query->column + (size_t) y * query->size, query->size));
	set_level(query, level);
}

static PaStatus
make_coins(PaQuery *query, const PaBinary *binary, const double *y)
{
	size_t		x;

	for (x = 0; x < query->size; x++)
	{
		if (pa_binary_coin(binary, y[x], &query->coin[x]) != PA_OK)
			return PA_INVALID;
		query->column[x] = pa_coin_log_likelihood(&query->coin[x], false);
		query->column[query->size + x] = pa_coin_log_likelihood(&query->coin[x], true);
	}
	level_of_columns(query);
	return PA_OK;
}

PaStatus
pa_query_binary(const PaBinary *binary, const double *y, size_t size,
				const PaEnvironment *environment, PaQuery *query)
{
	PaStatus	status = start(query, PA_QUERY_TABLE, size, 2);

	if (status != PA_OK)
		return status;
	query->column = allocate(environment, 2 * size, sizeof(double));
	query->coin = allocate(environment, size, sizeof(PaCoin));
	status = PA_NO_MEMORY;
	if (query->column != NULL && query->coin != NULL)
		status = make_coins(query, binary, y);
	if (status != PA_OK)
		pa_query_free(query, environment);
	return status;
}

static PaStatus
copy_truth(PaQuery *query, const PaEnvironment *environment)
{
	query->truth = allocate(environment, query->size, sizeof(int64_t));
	return query->truth == NULL ? PA_NO_MEMORY : PA_OK;
}

PaStatus
pa_query_response(const PaResponse *response, const uint32_t *category, size_t size,
				  const PaEnvironment *environment, PaQuery *query)
{
	PaStatus	status = start(query, PA_QUERY_RESPONSE, size, response->categories);
	bool		differ = false;
	size_t		x;

	for (x = 0; status == PA_OK && x < size; x++)
	{
		differ |= category[x] != category[0];
		if (category[x] >= response->categories)
			status = PA_INVALID;
	}
	if (status == PA_OK)
		status = copy_truth(query, environment);
	if (status != PA_OK)
		return status;
	for (x = 0; x < size; x++)
		query->truth[x] = category[x];
	query->response = *response;
	set_level(query, differ ? pa_response_level(response) : 0.0);
	return PA_OK;
}

/* The level is of the values that the domain has, not of all that are allowed. */
PaStatus
pa_query_additive(const PaAdditive *additive, const int64_t *value, size_t size,
				  const PaEnvironment *environment, PaQuery *query)
{
	PaStatus	status = start(query, PA_QUERY_ADDITIVE, size, 1);
	PaAdditive *own = &query->additive;
	size_t		x;

	if (status == PA_OK)
		status = copy_truth(query, environment);
	if (status != PA_OK)
		return status;
	*own = *additive;
	for (x = 0; x < size; x++)
	{
		int64_t		v = value[x];

		v = v < additive->least ? additive->least : v > additive->most ? additive->most : v;
		query->truth[x] = v;
		own->least = x == 0 || v < own->least ? v : own->least;
		own->most = x == 0 || v > own->most ? v : own->most;
	}
	set_level(query, pa_additive_level(own));
	query->rho = fmin(query->rho, pa_additive_rho(own));
	return PA_OK;
}

static bool
row_valid(const double *row, int64_t outputs)
{
	double		sum = 0.0;
	int64_t		y;

	for (y = 0; y < outputs; y++)
	{
		if (!(row[y] >= 0.0 && row[y] <= 1.0))
			return false;
		sum += row[y];
	}
	return fabs(sum - 1.0) <= 1e-9;
}

PaStatus
pa_query_table(const double *probability, size_t size, int64_t outputs,
			   const PaEnvironment *environment, PaQuery *query)
{
	PaStatus	status = start(query, PA_QUERY_TABLE, size, outputs);
	size_t		x;
	int64_t		y;

	for (x = 0; status == PA_OK && x < size; x++)
		if (!row_valid(probability + x * (size_t) outputs, outputs))
			status = PA_INVALID;
	if (status != PA_OK || (int64_t) size > PA_QUERY_PAIRS / outputs)
		return PA_INVALID;
	query->column = allocate(environment, size * (size_t) outputs, sizeof(double));
	if (query->column == NULL)
		return PA_NO_MEMORY;
	for (x = 0; x < size; x++)
		for (y = 0; y < outputs; y++)
			query->column[(size_t) y * size + x] = log(probability[x * (size_t) outputs + (size_t) y]);
	level_of_columns(query);
	return PA_OK;
}

PaStatus
pa_query_declare(PaQuery *query, double epsilon)
{
	double		rho = 0.5 * epsilon * epsilon * (1.0 + 4 * DBL_EPSILON);

	if (!(epsilon >= 0))
		return PA_INVALID;
	query->level = fmax(query->level, epsilon);
	query->rho = fmax(query->rho, rho);
	return PA_OK;
}

bool
pa_query_has_output(const PaQuery *query, int64_t y)
{
	if (query->kind == PA_QUERY_ADDITIVE)
		return y >= -(INT64_C(1) << 54) && y <= INT64_C(1) << 54;
	return y >= 0 && y < query->outputs;
}

double
pa_query_log_likelihood(const PaQuery *query, size_t x, int64_t y)
{
	switch (query->kind)
	{
		case PA_QUERY_TABLE:
			return query->column[(size_t) y * query->size + x];
		case PA_QUERY_RESPONSE:
			return pa_response_log_likelihood(&query->response, query->truth[x] == y);
		case PA_QUERY_ADDITIVE:
			return pa_additive_log_likelihood(&query->additive, query->truth[x], y);
	}
	return -INFINITY;
}

PaStatus
pa_query_draw(const PaQuery *query, size_t x, PaRandom *random, int64_t *y)
{
	uint32_t	category = 0;
	bool		high = false;
	PaStatus	status;

	if (x >= query->size)
		return PA_INVALID;
	if (query->kind == PA_QUERY_ADDITIVE)
		return pa_additive_draw(&query->additive, query->truth[x], random, y);
	if (query->kind == PA_QUERY_RESPONSE)
		status = pa_response_draw(&query->response, (uint32_t) query->truth[x], random, &category);
	else if (query->coin != NULL)
		status = pa_coin_draw(&query->coin[x], random, &high);
	else
		status = PA_INVALID;
	if (status == PA_OK)
		*y = query->kind == PA_QUERY_RESPONSE ? (int64_t) category : high;
	return status;
}

bool
pa_query_enumerable(const PaQuery *query)
{
	int64_t		first;
	int64_t		last;

	if (query->kind != PA_QUERY_ADDITIVE)
		return true;
	return pa_additive_window(&query->additive, &first, &last) &&
		last - first < PA_QUERY_PAIRS / (int64_t) query->size;
}

static void
worsen(PaRealisedLoss *worst, PaRealisedLoss other)
{
	if (other.loss + other.error > worst->loss + worst->error)
		*worst = other;
}

static PaStatus
worst_of_columns(const PaQuery *query, const PaLikelihood *likelihood,
				 const PaEnvironment *environment, PaRealisedLoss *worst)
{
	size_t		stride = query->size;
	int64_t		y;

	for (y = 0; y < query->outputs; y++)
	{
		worsen(worst, pa_likelihood_after(likelihood, query->column + (size_t) y * stride));
		if (interrupted(environment))
			return PA_INTERRUPTED;
	}
	return PA_OK;
}

/*
 * ln Pr[y | x] for all x, of a query without columns; for additive noise up to a
 * constant
 */
static void
fill_column(const PaQuery *query, int64_t y, double *column)
{
	double		same;
	double		other;
	size_t		x;

	if (query->kind == PA_QUERY_RESPONSE)
	{
		same = pa_response_log_likelihood(&query->response, true);
		other = pa_response_log_likelihood(&query->response, false);
		for (x = 0; x < query->size; x++)
			column[x] = query->truth[x] == y ? same : other;
	}
	else
	{
		y = pa_additive_fold(&query->additive, y);
		for (x = 0; x < query->size; x++)
			column[x] = pa_additive_log_likelihood(&query->additive, query->truth[x], y);
	}
}

static PaStatus
worst_of_window(const PaQuery *query, const PaLikelihood *likelihood,
				const PaEnvironment *environment, PaRealisedLoss *worst)
{
	double	   *column = allocate(environment, query->size, sizeof(double));
	PaStatus	status = PA_OK;
	int64_t		last = -1;
	int64_t		y = 0;

	if (column == NULL)
		return PA_NO_MEMORY;
	pa_additive_window(&query->additive, &y, &last);
	for (; status == PA_OK && y <= last; y++)
	{
		fill_column(query, y, column);
		worsen(worst, pa_likelihood_after(likelihood, column));
		if (interrupted(environment))
			status = PA_INTERRUPTED;
	}
	release(environment, column);
	return status;
}

typedef struct Extremes
{
	double		high;
	double		low;
} Extremes;

static const Extremes nothing = {-INFINITY, INFINITY};

static Extremes
join(Extremes a, Extremes b)
{
	Extremes	both = {fmax(a.high, b.high), fmin(a.low, b.low)};

	return both;
}

static Extremes
move(Extremes a, double by)
{
	Extremes	moved = {a.high + by, a.low + by};

	return moved;
}

/*
 * of[c]: the extremes of the table's values over category c; from[c]: over
 * categories c, c + 1, ...
 */
static void
extremes_by_category(const PaQuery *query, const PaLikelihood *likelihood, Extremes *of, Extremes *from)
{
	size_t		k = (size_t) query->outputs;
	size_t		x;
	size_t		c;

	for (c = 0; c <= k; c++)
		of[c] = from[c] = nothing;
	for (x = 0; x < query->size; x++)
	{
		Extremes	value = {likelihood->value[x], likelihood->value[x]};

		of[query->truth[x]] = join(of[query->truth[x]], value);
	}
	for (c = k; c-- > 0;)
		from[c] = join(of[c], from[c + 1]);
}

static PaStatus
worst_of_categories(const PaQuery *query, const PaLikelihood *likelihood,
					const PaEnvironment *environment, PaRealisedLoss *worst)
{
	size_t		k = (size_t) query->outputs;
	Extremes   *of = allocate(environment, 2 * (k + 1), sizeof(Extremes));
	double		same = pa_likelihood_grid(pa_response_log_likelihood(&query->response, true));
	double		other = pa_likelihood_grid(pa_response_log_likelihood(&query->response, false));
	double		largest = fmax(-same, -other);
	double		before = pa_likelihood_loss(likelihood).loss;
	double		sum = (isfinite(before) ? before : 0.0) + largest;
	Extremes	below = nothing;
	Extremes   *from = of + k + 1;
	size_t		y;

	if (of == NULL)
		return PA_NO_MEMORY;
	extremes_by_category(query, likelihood, of, from);
	for (y = 0; y < k; y++)
	{
		Extremes	all = join(move(of[y], same), move(join(below, from[y + 1]), other));
		PaRealisedLoss after = {all.high - all.low, 0.0};

		after.error = pa_likelihood_error_after(likelihood, largest, sum, after.loss);
		worsen(worst, after);
		below = join(below, of[y]);
	}
	release(environment, of);
	return PA_OK;
}

PaStatus
pa_query_worst(const PaQuery *query, const PaLikelihood *likelihood,
			   const PaEnvironment *environment, PaRealisedLoss *worst)
{
	PaRealisedLoss found = {-INFINITY, 0.0};
	PaStatus	status = PA_INVALID;

	if (query->size != likelihood->size || !pa_query_enumerable(query))
		return PA_INVALID;
	switch (query->kind)
	{
		case PA_QUERY_TABLE:
			status = worst_of_columns(query, likelihood, environment, &found);
			break;
		case PA_QUERY_RESPONSE:
			status = worst_of_categories(query, likelihood, environment, &found);
			break;
		case PA_QUERY_ADDITIVE:
			status = worst_of_window(query, likelihood, environment, &found);
			break;
	}
	if (status == PA_OK)
		*worst = found;
	return status;
}

PaStatus
pa_query_record(const PaQuery *query, int64_t y, PaLikelihood *likelihood,
				const PaEnvironment *environment)
{
	PaStatus	status;
	double	   *column;

	if (query->size != likelihood->size || !pa_query_has_output(query, y))
		return PA_INVALID;
	if (query->kind == PA_QUERY_TABLE)
		return pa_likelihood_add(likelihood, query->column + (size_t) y * query->size);
	column = allocate(environment, query->size, sizeof(double));
	if (column == NULL)
		return PA_NO_MEMORY;
	fill_column(query, y, column);
	status = pa_likelihood_add(likelihood, column);
	release(environment, column);
	return status;
}
