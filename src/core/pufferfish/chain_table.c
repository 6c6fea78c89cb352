/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chain_table.c
 *		Powers of the matrix one by one, and the largest quotients in logarithms.
 *
 * Error bound, u = 2^-53, m states.  P has rows divided by their sums (u); a
 * product of numbers >= 0 adds at most (m + 1) u to the relative error of each
 * entry.  So the logarithm of an entry of P^d is right within d (m + 3) u and
 * its own rounding, 2 u |ln|; a quotient within twice that.  Entries of mu of a
 * given start are sums like those of a power; the stationary law is right within
 * m^3 4 u.  All this is added.
 *
 * What a chain cannot do at all is known from the support of P^d, which is kept
 * as zeros of the same matrix: an entry that is possible but below TINY may have
 * lost parts by underflow.  As a numerator it counts as TINY, as a denominator as
 * 0, so that the quotient can only come out larger.
 *
 * That neither influence grows with d is the data processing inequality: the row
 * at d + 1 depends on the secret only through the one at d.  So the smallest bound
 * so far is a bound.
 */
#include "core/pufferfish/chain_table.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define TINY 0x1p-900
#define UNIT (0.5 * DBL_EPSILON)

typedef struct Work
{
	const PaEnvironment *environment;
	PaChainTable *table;
	int			m;
	double	   *power;			/* P^d */
	double	   *next;
	double	   *high;			/* logarithms of the entries, at least */
	double	   *low;			/* at most */
	double	   *high_across;	/* transposed */
	double	   *low_across;
	double	   *gap;			/* of a row from all rows */
} Work;

static double *
numbers(const PaEnvironment *environment, size_t count)
{
	return environment->allocate(environment->context, count * sizeof(double));
}

static void
give_back(const PaEnvironment *environment, double *memory)
{
	if (memory != NULL)
		environment->release(environment->context, memory);
}

static bool
interrupted(const PaEnvironment *environment)
{
	return environment->interrupted != NULL && environment->interrupted(environment->context);
}

/* row += factor[0..3] times four rows of p */
static void
add_four(double *restrict row, const double *factor, const double *restrict p, int m)
{
	int			j;

	for (j = 0; j < m; j++)
		row[j] += (factor[0] * p[j] + factor[1] * p[m + j]) + (factor[2] * p[2 * m + j] + factor[3] * p[3 * m + j]);
}

/* What is possible never becomes 0. */
static void
keep_possible(double *row, const double *factor, const double *p, int m)
{
	int			j;
	int			k;

	for (j = 0; j < m; j++)
		if (!(row[j] >= TINY))
			for (k = 0; k < m; k++)
				if (factor[k] > 0 && p[k * m + j] > 0)
					row[j] = fmax(row[j], DBL_MIN);
}

/* to = from P */
static void
multiply(const double *from, const double *p, int m, double *to)
{
	int			i;
	int			j;
	int			k;

	for (i = 0; i < m; i++)
	{
		const double *factor = from + i * m;
		double	   *row = to + i * m;

		memset(row, 0, (size_t) m * sizeof(double));
		for (k = 0; k + 4 <= m; k += 4)
			add_four(row, factor + k, p + k * m, m);
		for (; k < m; k++)
			for (j = 0; j < m; j++)
				row[j] += factor[k] * p[k * m + j];
		keep_possible(row, factor, p, m);
	}
}

static void
log_bounds(double p, double *high, double *low)
{
	if (p >= TINY)
		*high = *low = log(p);
	else
	{
		*high = p > 0 ? log(TINY) : -INFINITY;
		*low = -INFINITY;
	}
}

/* Logarithms of the entries of P^d, and transposed; the largest |ln| is returned. */
static double
take_logs(Work *work)
{
	int			m = work->m;
	double		most = 0;
	int			i;
	int			j;

	for (i = 0; i < m; i++)
		for (j = 0; j < m; j++)
		{
			int			at = i * m + j;
			int			across = j * m + i;

			log_bounds(work->power[at], &work->high[at], &work->low[at]);
			work->high_across[across] = work->high[at];
			work->low_across[across] = work->low[at];
			if (work->high[at] > -INFINITY)
				most = fmax(most, fabs(work->high[at]));
		}
	return most;
}

/* Raises gap[t] to the difference of high and row[t]; one that is no number is not taken for larger. */
static inline double
raise(double gap, double high, double low)
{
	return high - low > gap ? high - low : gap;
}

/*
 * gap[t] becomes the largest high[x] - low[x][t].  0/0 is -inf + inf, not a number;
 * x/0 is infinite.  Four x at a time, since all t would come and go for each.
 */
static void
largest_gaps(const double *restrict high, const double *restrict low, int m, double *restrict gap)
{
	int			x;
	int			t;

	for (t = 0; t < m; t++)
		gap[t] = -INFINITY;
	for (x = 0; x + 4 <= m; x += 4)
	{
		const double *row = low + x * m;

		for (t = 0; t < m; t++)
			gap[t] = raise(raise(raise(raise(gap[t], high[x], row[t]), high[x + 1], row[m + t]),
								 high[x + 2], row[2 * m + t]), high[x + 3], row[3 * m + t]);
	}
	for (; x < m; x++)
		for (t = 0; t < m; t++)
			gap[t] = raise(gap[t], high[x], low[x * m + t]);
}

/*
 * One column d of a table: rows of high are compared, low is transposed.
 * beside: ln mu, or NULL.
 */
static void
fill(const Work *work, const double *high, const double *low, const double *beside, double margin, int d, double *influence)
{
	int			m = work->m;
	int			radius = work->table->radius;
	int			s;
	int			t;

	for (s = 0; s < m; s++)
	{
		double	   *at = influence + (size_t) (s * m) * (size_t) radius + d - 1;

		largest_gaps(high + s * m, low, m, work->gap);
		for (t = 0; t < m; t++, at += radius)
		{
			double		gap = s == t ? 0.0 : work->gap[t] + margin;

			if (beside != NULL && s != t)
				gap += beside[t] - beside[s];
			*at = d > 1 && at[-1] < gap ? at[-1] : gap;
		}
	}
}

static PaStatus
fill_all(Work *work, const double *beside)
{
	PaChainTable *table = work->table;
	int			m = work->m;
	int			d;

	for (d = 1; d <= table->radius; d++)
	{
		double	   *power = work->next;
		double		margin;

		if (interrupted(work->environment))
			return PA_INTERRUPTED;
		if (d > 1)
		{
			multiply(work->power, table->transition, m, work->next);
			work->next = work->power;
			work->power = power;
		}
		margin = UNIT * (2.0 * d * (m + 3) + 4 * take_logs(work));
		fill(work, work->high, work->low_across, NULL, margin, d, table->right);
		fill(work, work->high_across, work->low, beside, beside == NULL ? margin : margin + UNIT * (8.0 * m * m * m + 4000),
			 d, table->left);
		if (table->power != NULL)
			memcpy(table->power + (size_t) (d - 1) * (size_t) (m * m), work->power,
				   (size_t) (m * m) * sizeof(double));
	}
	return PA_OK;
}

static PaStatus
compute(PaChainTable *table, const double *beside, const PaEnvironment *environment)
{
	size_t		cells = (size_t) table->states * (size_t) table->states;
	Work		work = {.environment = environment, .table = table, .m = table->states};
	double	   *all = numbers(environment, 6 * cells + (size_t) table->states);
	PaStatus	status;

	if (all == NULL)
		return PA_NO_MEMORY;
	work.power = all;
	work.next = all + cells;
	work.high = all + 2 * cells;
	work.low = all + 3 * cells;
	work.high_across = all + 4 * cells;
	work.low_across = all + 5 * cells;
	work.gap = all + 6 * cells;
	memcpy(work.power, table->transition, cells * sizeof(double));
	status = fill_all(&work, beside);
	give_back(environment, all);
	return status;
}

static void
normalise(const double *from, int m, double *to)
{
	double		sum = 0;
	int			j;

	for (j = 0; j < m; j++)
		sum += from[j];
	for (j = 0; j < m; j++)
		to[j] = from[j] / sum;
}

/* mu of rows 1..T; what is possible stays above 0 as in multiply() */
static PaStatus
walk(const PaChain *chain, const PaEnvironment *environment, PaChainTable *table)
{
	int			m = table->states;
	int64_t		t;
	int			i;
	int			j;

	normalise(chain->start, m, table->law);
	for (t = 1; t < chain->length; t++)
	{
		const double *from = table->law + (t - 1) * m;
		double	   *to = table->law + t * m;

		if (interrupted(environment))
			return PA_INTERRUPTED;
		for (j = 0; j < m; j++)
		{
			to[j] = 0;
			for (i = 0; i < m; i++)
				if (from[i] > 0 && table->transition[i * m + j] > 0)
					to[j] = fmax(to[j] + from[i] * table->transition[i * m + j], DBL_MIN);
		}
	}
	return PA_OK;
}

static PaStatus
allocate(const PaChain *chain, const PaEnvironment *environment, PaChainTable *table)
{
	size_t		cells = (size_t) table->states * (size_t) table->states;
	size_t		rows = chain->start == NULL ? 1 : (size_t) chain->length;

	table->right = numbers(environment, cells * (size_t) table->radius);
	table->left = numbers(environment, cells * (size_t) table->radius);
	table->transition = numbers(environment, cells);
	table->law = numbers(environment, rows * (size_t) table->states);
	if (!table->stationary)
		table->power = numbers(environment, cells * (size_t) table->radius);
	return table->right == NULL || table->left == NULL || table->transition == NULL ||
		table->law == NULL || (!table->stationary && table->power == NULL) ? PA_NO_MEMORY : PA_OK;
}

PaStatus
pa_chain_table(const PaChain *chain, int radius, const PaEnvironment *environment,
			   PaChainTable *table, PaFault *fault)
{
	PaChainTable made = {chain->states, radius, NULL, NULL, chain->start == NULL, NULL, NULL, NULL};
	double		log_law[PA_CHAIN_STATES];
	PaStatus	status = allocate(chain, environment, &made);
	int			i;

	for (i = 0; status == PA_OK && i < made.states; i++)
		normalise(chain->transition + i * made.states, made.states, made.transition + i * made.states);
	if (status == PA_OK && made.stationary)
	{
		status = pa_chain_stationary(chain, environment, made.law, fault);
		for (i = 0; status == PA_OK && i < made.states; i++)
			log_law[i] = log(made.law[i]);
	}
	else if (status == PA_OK)
		status = walk(chain, environment, &made);
	if (status == PA_OK)
		status = compute(&made, made.stationary ? log_law : NULL, environment);
	if (status == PA_OK)
		*table = made;
	else
		pa_chain_table_release(&made, environment);
	return status;
}

void
pa_chain_table_release(PaChainTable *table, const PaEnvironment *environment)
{
	give_back(environment, table->right);
	give_back(environment, table->left);
	give_back(environment, table->transition);
	give_back(environment, table->law);
	give_back(environment, table->power);
}

/* The largest ln P^d(x, s)/P^d(x, t) over the values x of a row of law mu */
static double
left_gap(const PaChainTable *table, const double *mu, int d, int s, int t)
{
	int			m = table->states;
	const double *power = table->power + (size_t) (d - 1) * (size_t) (m * m);
	double		best = -INFINITY;
	double		most = 0;
	int			x;

	for (x = 0; x < m; x++)
	{
		double		high;
		double		low;
		double		unused;

		if (mu[x] == 0 || power[x * m + s] == 0)
			continue;
		log_bounds(power[x * m + s], &high, &unused);
		log_bounds(power[x * m + t], &unused, &low);
		best = fmax(best, high - low);
		most = fmax(most, fmax(fabs(high), low > -INFINITY ? fabs(low) : 0.0));
	}
	return best + UNIT * (2.0 * d * (m + 3) + 4 * most);
}

static bool
everywhere(const double *mu, int m)
{
	int			x;

	for (x = 0; x < m; x++)
		if (mu[x] == 0)
			return false;
	return true;
}

bool
pa_chain_possible(const PaChainTable *table, int64_t node, int value)
{
	return table->stationary || table->law[(node - 1) * table->states + value] > 0;
}

void
pa_chain_left(const PaChainTable *table, int64_t node, int first, int second, int most, double *left)
{
	int			m = table->states;
	const double *mu = table->law + (node - 1) * m;
	const double *shared = table->left + (size_t) (first * m + second) * (size_t) table->radius;
	double		own_low;
	double		other_high;
	double		unused;
	double		beside;
	int			d;

	log_bounds(mu[first], &unused, &own_low);
	log_bounds(mu[second], &other_high, &unused);
	beside = other_high - own_low + UNIT * (2.0 * (double) node * (m + 3) + 4000);
	for (d = 1; d <= most; d++)
	{
		const double *before = table->law + (node - 1 - d) * m;
		double		gap = everywhere(before, m) ? shared[d - 1] : left_gap(table, before, d, first, second);

		left[d - 1] = d > 1 ? fmin(left[d - 2], gap + beside) : gap + beside;
	}
}
