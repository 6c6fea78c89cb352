/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ranking.c
 *		Orders of noisy counts.
 *
 * Item i comes at rank r if its noisy count x is exceeded by exactly r others:
 *		integral of f_i(x) [z^r] product over j /= i of (F_j(x) + (1 - F_j(x)) z) dx.
 * Products without one factor are made of those before and those after it, cut off
 * at z^k.  Eight points of Gauss on pieces of half a scale between neighbouring
 * counts (where Laplace densities have their kinks), and up to FAR scales around each
 * count, beyond which nothing lies.
 */
#include "ranking.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/noise/legendre.h"

#define FAR 45.0
#define PIECE 0.5

typedef struct Ranking
{
	PaTopKMechanism mechanism;
	const double *count;
	int			items;
	int			k;
	double		scale;
	const PaEnvironment *environment;
	double	   *before;			/* [i * k + r] product of the factors below i */
	double	   *after;			/* [i * k + r] of those from i on */
	double	   *above;			/* [i] Pr[noisy count > x] */
	double	   *density;
	double	   *edge;			/* counts in order */
	double	   *chance;
} Ranking;

double
pa_topk_scale(PaTopKMechanism mechanism, int k, double epsilon)
{
	if (!(epsilon > 0) || k < 1)
		return NAN;
	return (mechanism == PA_TOPK_HISTOGRAM ? 2.0 : 2.0 * k) / epsilon * (1 + 2 * DBL_EPSILON);
}

PaStatus
pa_exponential_choice(const double *score, int items, double epsilon, double sensitivity,
					  double *probability, PaFault *fault)
{
	double		high = -INFINITY;
	double		sum = 0;
	int			i;

	if (items < 1 || !(epsilon >= 0 && isfinite(epsilon)) || !(sensitivity > 0))
		return pa_fault(fault, PA_FAULT_ARGUMENT);
	for (i = 0; i < items; i++)
	{
		if (!isfinite(score[i]))
			return pa_fault(fault, PA_FAULT_ENTRY);
		high = fmax(high, score[i]);
	}
	for (i = 0; i < items; i++)
		sum += exp(epsilon * (score[i] - high) / (2 * sensitivity));
	for (i = 0; i < items; i++)
		probability[i] = exp(epsilon * (score[i] - high) / (2 * sensitivity)) / sum;
	return PA_OK;
}

/* Probability of more, and density, of the noise at x scales */
static void
noise_at(PaTopKMechanism mechanism, double x, double *above, double *density)
{
	if (mechanism == PA_TOPK_HISTOGRAM)
	{
		double		tail = 0.5 * exp(-fabs(x));

		*above = x > 0 ? tail : 1 - tail;
		*density = tail;
	}
	else
	{
		double		e = exp(-x);

		*above = -expm1(-e);
		*density = e < 700 ? e * exp(-e) : 0.0;
	}
}

/* to = from times (1 - s) + s z, up to z^(k - 1) */
static void
times(const double *from, double s, int k, double *to)
{
	int			r;

	for (r = 0; r < k; r++)
		to[r] = (1 - s) * from[r] + (r > 0 ? s * from[r - 1] : 0.0);
}

static void
add_point(Ranking *ranking, double x, double weight)
{
	int			n = ranking->items;
	int			k = ranking->k;
	int			i;
	int			r;
	int			t;

	for (i = 0; i < n; i++)
		noise_at(ranking->mechanism, (x - ranking->count[i]) / ranking->scale, &ranking->above[i], &ranking->density[i]);
	memset(ranking->before, 0, (size_t) k * sizeof(double));
	memset(ranking->after + n * k, 0, (size_t) k * sizeof(double));
	ranking->before[0] = ranking->after[n * k] = 1;
	for (i = 0; i < n; i++)
		times(ranking->before + i * k, ranking->above[i], k, ranking->before + (i + 1) * k);
	for (i = n - 1; i >= 0; i--)
		times(ranking->after + (i + 1) * k, ranking->above[i], k, ranking->after + i * k);
	for (i = 0; i < n; i++)
		for (r = 0; ranking->density[i] > 0 && r < k; r++)
		{
			double		sum = 0;

			for (t = 0; t <= r; t++)
				sum += ranking->before[i * k + t] * ranking->after[(i + 1) * k + r - t];
			ranking->chance[r * n + i] += weight / ranking->scale * ranking->density[i] * sum;
		}
}

static void
add_piece(Ranking *ranking, double low, double high)
{
	const PaLegendre *rule = &pa_legendre_8;
	double		half = 0.5 * (high - low);
	int			i;

	for (i = 0; i < rule->pairs; i++)
	{
		add_point(ranking, low + half * (1 - rule->node[i]), half * rule->weight[i]);
		add_point(ranking, low + half * (1 + rule->node[i]), half * rule->weight[i]);
	}
}

static PaStatus
add_span(Ranking *ranking, double low, double high)
{
	double		pieces = ceil((high - low) / (PIECE * ranking->scale));
	double		i;

	for (i = 0; i < pieces; i++)
	{
		if (ranking->environment->interrupted != NULL &&
			ranking->environment->interrupted(ranking->environment->context))
			return PA_INTERRUPTED;
		add_piece(ranking, low + (high - low) * i / pieces, low + (high - low) * (i + 1) / pieces);
	}
	return PA_OK;
}

static int
ascending(const void *a, const void *b)
{
	double		left = *(const double *) a;
	double		right = *(const double *) b;

	return (left > right) - (left < right);
}

/* Between counts that are far apart only what is near to either */
static PaStatus
integrate(Ranking *ranking)
{
	double		far = FAR * ranking->scale;
	int			n = ranking->items;
	PaStatus	status;
	int			i;

	memcpy(ranking->edge, ranking->count, (size_t) n * sizeof(double));
	qsort(ranking->edge, (size_t) n, sizeof(double), ascending);
	memset(ranking->chance, 0, (size_t) ranking->k * (size_t) n * sizeof(double));
	status = add_span(ranking, ranking->edge[0] - far, ranking->edge[0]);
	for (i = 0; status == PA_OK && i < n; i++)
	{
		double		low = ranking->edge[i];
		double		high = i + 1 < n ? ranking->edge[i + 1] : INFINITY;

		if (high - low <= 2 * far)
			status = add_span(ranking, low, high);
		else
		{
			status = add_span(ranking, low, low + far);
			if (status == PA_OK && i + 1 < n)
				status = add_span(ranking, high - far, high);
		}
	}
	return status;
}

PaStatus
pa_topk_chances(PaTopKMechanism mechanism, const double *count, int items, int k, double scale,
				const PaEnvironment *environment, double *chance, PaFault *fault)
{
	Ranking		ranking = {mechanism, count, items, k, scale, environment, NULL, NULL, NULL, NULL, NULL, chance};
	size_t		products = (size_t) (items + 1) * (size_t) k;
	PaStatus	status;
	int			i;

	if (items > PA_TOPK_ITEMS)
		return pa_fault(fault, PA_FAULT_SIZE);
	if (items < 1 || k < 1 || k > items || !(scale > 0 && isfinite(scale)))
		return pa_fault(fault, PA_FAULT_ARGUMENT);
	for (i = 0; i < items; i++)
		if (!isfinite(count[i]))
			return pa_fault(fault, PA_FAULT_ENTRY);
	ranking.before = environment->allocate(environment->context, (2 * products + 3 * (size_t) items) * sizeof(double));
	if (ranking.before == NULL)
		return PA_NO_MEMORY;
	ranking.after = ranking.before + products;
	ranking.above = ranking.after + products;
	ranking.density = ranking.above + items;
	ranking.edge = ranking.density + items;
	status = integrate(&ranking);
	environment->release(environment->context, ranking.before);
	return status;
}

/* The true order of the first k, by count, ties by index */
static void
find_order(const double *count, int items, int k, int *order)
{
	int			found = 0;
	int			i;

	for (i = 0; i < items; i++)
	{
		int			at = found < k ? found : k;

		if (found == k && !(count[order[k - 1]] < count[i]))
			continue;
		if (found == k)
			at--;
		for (; at > 0 && count[order[at - 1]] < count[i]; at--)
			order[at] = order[at - 1];
		order[at] = i;
		found = found < k ? found + 1 : k;
	}
}

PaStatus
pa_topk_figures(const double *count, int items, int k, const double *chance,
				const PaEnvironment *environment, PaTopKFigures *figures, double *right)
{
	PaTopKFigures made = {0, 0, 0};
	double		ideal = 0;
	int		   *order;
	int			rank;
	int			i;

	if (items < 1 || k < 1 || k > items)
		return PA_INVALID;
	order = environment->allocate(environment->context, (size_t) k * sizeof(int));
	if (order == NULL)
		return PA_NO_MEMORY;
	find_order(count, items, k, order);
	for (rank = 0; rank < k; rank++)
	{
		const double *law = chance + (size_t) rank * (size_t) items;

		ideal += count[order[rank]] / log2(rank + 2);
		if (right != NULL)
			right[rank] = law[order[rank]];
		for (i = 0; i < k; i++)
			made.hits += law[order[i]] / k;
		for (i = 0; i < items; i++)
		{
			made.ndcg += law[i] * count[i] / log2(rank + 2);
			made.l1 += law[i] * fabs(count[i] - count[order[rank]]);
		}
	}
	made.ndcg = ideal > 0 ? made.ndcg / ideal : 1.0;
	environment->release(environment->context, order);
	*figures = made;
	return PA_OK;
}
