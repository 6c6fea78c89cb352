/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pld_items.c
 *		Equal pairs are counted once; a sampled release of several parts is one pair.
 *
 * The parts of a release on a sample share the sample, so their losses are
 * added first (on a grid, by plain convolution) and the sum is sampled.  Without
 * sampling each part stands for itself.
 *
 * A pilot is the law of the loss on a few points, made like the final grid: it
 * overstates, so the moments are upper bounds, and good for choosing the rest.
 */
#include "core/accounting/pld_items.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/accounting/pld_convolve.h"

#define PILOT_POINTS 20.0		/* at least, and */
#define PILOT_MOST 256.0		/* at most, for each of */
#define PILOT_ALL 8192.0		/* all together */
#define RELEASE_POINTS 2048		/* of the grid of a sampled release */
#define RELEASE_WIDTH 0.03		/* its width, in deviations of a part's loss */
#define KEY_NUMBERS 12

typedef struct Key
{
	double		number[KEY_NUMBERS];
	const void *table;
} Key;

typedef struct Collector
{
	PaPool	   *pool;
	PaDirection direction;
	double		tail;
	double		hint;			/* the last reach */
	double		points;			/* of a pilot */
	PaItems    *items;
	Key		   *keys;			/* one for each item */
	int64_t    *slots;			/* hash table of items; -1: free */
	uint64_t	nslots;			/* power of two */
} Collector;

static Key
key_of(const PaPair *pair)
{
	const PaLaw *law = pair->law;
	Key			key = {{law->form, law->space, law->base.shape, law->base.scale, law->band, pa_law_keep(law),
	law->loss, law->width, law->leak, pair->shift, pair->rate, 0}, law->table};

	return key;
}

static bool
same_key(const Key *a, const Key *b)
{
	return memcmp(a->number, b->number, sizeof(a->number)) == 0 && a->table == b->table;
}

static uint64_t
hash_key(const Key *key)
{
	uint64_t	hash = 0;
	int			i;

	for (i = 0; i < KEY_NUMBERS; i++)
	{
		uint64_t	bits;

		memcpy(&bits, &key->number[i], sizeof(bits));
		hash = (hash ^ bits) * UINT64_C(0x9E3779B97F4A7C15);
		hash ^= hash >> 29;
	}
	return hash;
}

/* The slot of the key's item, or the free one where it belongs. */
static int64_t *
find_slot(Collector *collector, const Key *key)
{
	uint64_t	at = hash_key(key);

	for (;; at++)
	{
		int64_t    *slot = &collector->slots[at & (collector->nslots - 1)];

		if (*slot < 0 || same_key(&collector->keys[*slot], key))
			return slot;
	}
}

static double
grid_variance(const PaGrid *grid)
{
	double		sum = 0;
	double		first = 0;
	double		second = 0;
	int64_t		i;

	for (i = 0; i < grid->count; i++)
	{
		sum += grid->mass[i];
		first += grid->mass[i] * (grid->lowest + i);
		second += grid->mass[i] * (grid->lowest + i) * (grid->lowest + i);
	}
	first /= sum;
	return fmax(0.0, second / sum - first * first) * grid->width * grid->width;
}

static PaStatus
look_at(Collector *collector, PaItem *item)
{
	PaStatus	status;

	item->reach = pa_pair_reach(&item->pair, collector->tail, collector->hint);
	collector->hint = fmax(item->reach, DBL_MIN);
	status = pa_grid_make(&item->pair, fmax(item->reach / collector->points, DBL_MIN), item->reach, INFINITY,
						  collector->pool, &item->pilot);
	if (status != PA_OK)
		return status;
	item->variance = fmax(grid_variance(&item->pilot), 1e-6 * item->reach * item->reach);
	return pa_pool_interrupted(collector->pool) ? PA_INTERRUPTED : PA_OK;
}

static PaStatus
append(Collector *collector, const PaPair *pair, double times)
{
	PaItem	   *item = &collector->items->item[collector->items->count++];

	*item = (PaItem) {.pair = *pair, .times = times};
	return pa_pool_interrupted(collector->pool) ? PA_INTERRUPTED : PA_OK;
}

static PaStatus
append_law(Collector *collector, const PaPart *part, double rate, double times)
{
	PaPair		pair = {.law = &part->law, .shift = part->shift, .rate = rate, .direction = collector->direction};
	Key			key = key_of(&pair);
	int64_t    *slot = find_slot(collector, &key);

	if (*slot >= 0)
	{
		collector->items->item[*slot].times += times;
		return PA_OK;
	}
	*slot = collector->items->count;
	collector->keys[*slot] = key;
	return append(collector, &pair, times);
}

/* *sum += term, whose mass is released; sum->mass is NULL for nothing yet */
static PaStatus
add_grid(Collector *collector, PaGrid *sum, PaGrid *term)
{
	PaGrid		old = *sum;
	PaStatus	status;

	if (old.mass == NULL)
	{
		*sum = *term;
		return PA_OK;
	}
	status = pa_grid_add(&old, term, collector->tail, RELEASE_POINTS, collector->pool, sum);
	pa_pool_release(collector->pool, old.mass);
	pa_pool_release(collector->pool, term->mass);
	return status;
}

static PaStatus
copy_grid(Collector *collector, const PaGrid *grid, PaGrid *copy)
{
	*copy = *grid;
	copy->mass = pa_pool_get(collector->pool, grid->count + 2, sizeof(double));
	if (copy->mass == NULL)
		return PA_NO_MEMORY;
	memcpy(copy->mass, grid->mass, grid->count * sizeof(double));
	return PA_OK;
}

/* *sum += so many copies of the grid, by doubling; its mass is released */
static PaStatus
add_copies(Collector *collector, PaGrid *sum, PaGrid *grid, uint32_t copies)
{
	for (;; copies /= 2)
	{
		PaGrid		first;
		PaGrid		second;
		PaStatus	status = PA_OK;

		if (copies == 1)
			return add_grid(collector, sum, grid);
		if (copies % 2 == 1 && (status = copy_grid(collector, grid, &first)) == PA_OK)
			status = add_grid(collector, sum, &first);
		if (status == PA_OK && (status = copy_grid(collector, grid, &second)) == PA_OK)
			status = add_grid(collector, grid, &second);
		if (status != PA_OK)
			return status;
	}
}

/* Reaches of all parts, and the width for their sum. */
static PaStatus
plan_release(Collector *collector, const PaRun *run, double *reach, double *width)
{
	double		variance = 0;
	double		copies = 0;
	double		longest = 0;
	int			i;

	for (i = 0; i < run->nparts; i++)
	{
		const PaPart *part = &run->parts[i];
		PaItem		item = {.pair = {.law = &part->law, .shift = part->shift, .rate = 1.0}};
		PaStatus	status = look_at(collector, &item);

		if (status != PA_OK)
			return status;
		pa_pool_release(collector->pool, item.pilot.mass);
		reach[i] = item.reach;
		variance += part->coordinates * item.variance;
		copies += part->coordinates;
		longest = fmax(longest, item.reach);
	}
	*width = fmax(RELEASE_WIDTH * sqrt(variance / copies), 2.0 * longest / (RELEASE_POINTS - 8));
	*width = fmax(*width, DBL_MIN);
	return PA_OK;
}

/* The losses of all parts of one release. */
static PaStatus
release_grid(Collector *collector, const PaRun *run, PaGrid *sum)
{
	double	   *reach = pa_pool_get(collector->pool, run->nparts, sizeof(double));
	double		width = 0;
	PaStatus	status;
	int			i;

	sum->mass = NULL;
	if (reach == NULL)
		return PA_NO_MEMORY;
	status = plan_release(collector, run, reach, &width);
	for (i = 0; i < run->nparts && status == PA_OK; i++)
	{
		const PaPart *part = &run->parts[i];
		PaPair		pair = {.law = &part->law, .shift = part->shift, .rate = 1.0};
		PaGrid		grid;

		status = pa_grid_make(&pair, width, reach[i], INFINITY, collector->pool, &grid);
		if (status == PA_OK)
			status = add_copies(collector, sum, &grid, part->coordinates);
	}
	pa_pool_release(collector->pool, reach);
	return status;
}

static PaStatus
append_release(Collector *collector, const PaRun *run)
{
	PaGridTails *tails = pa_pool_get(collector->pool, 1, sizeof(PaGridTails));
	PaPair		pair = {.tails = tails, .rate = run->rate, .direction = collector->direction};
	PaGrid		sum;
	PaStatus	status;

	if (tails == NULL)
		return PA_NO_MEMORY;
	status = release_grid(collector, run, &sum);
	if (status == PA_OK)
		status = pa_grid_tails(&sum, collector->pool, tails);
	if (status == PA_OK)
		status = append(collector, &pair, (double) run->times);
	return status;
}

static PaStatus
append_run(Collector *collector, const PaRun *run)
{
	PaStatus	status = PA_OK;
	int			i;

	if (run->rate < 1 && (run->nparts > 1 || (run->nparts == 1 && run->parts[0].coordinates > 1)))
		return append_release(collector, run);
	for (i = 0; i < run->nparts && status == PA_OK; i++)
		if (run->parts[i].shift > 0 || run->parts[i].law.form == PA_LAW_RESPONSE)
			status = append_law(collector, &run->parts[i], run->rate,
								(double) run->times * run->parts[i].coordinates);
	return status;
}

static PaStatus
make_room(Collector *collector, const PaRun *runs, int nruns)
{
	uint64_t	most = 1;
	uint64_t	i;

	for (i = 0; i < (uint64_t) nruns; i++)
		most += (uint64_t) runs[i].nparts;
	for (collector->nslots = 4; collector->nslots < 2 * most; collector->nslots *= 2)
		;
	collector->items->item = pa_pool_get(collector->pool, most, sizeof(PaItem));
	collector->keys = pa_pool_get(collector->pool, most, sizeof(Key));
	collector->slots = pa_pool_get(collector->pool, collector->nslots, sizeof(int64_t));
	if (!collector->items->item || !collector->keys || !collector->slots)
		return PA_NO_MEMORY;
	memset(collector->slots, -1, collector->nslots * sizeof(int64_t));
	return PA_OK;
}

PaStatus
pa_items_collect(const PaRun *runs, int nruns, PaDirection direction, double tail,
				 PaPool *pool, PaItems *items)
{
	Collector	collector = {.pool = pool, .direction = direction, .tail = tail, .hint = 1.0,
	.points = PILOT_POINTS, .items = items};
	double		log_finite = 0;
	PaStatus	status;
	int64_t		i;

	*items = (PaItems) {0};
	status = make_room(&collector, runs, nruns);
	for (i = 0; i < nruns && status == PA_OK; i++)
		status = append_run(&collector, &runs[i]);
	collector.points = fmin(fmax(PILOT_ALL / (items->count + 1), PILOT_POINTS), PILOT_MOST);
	for (i = 0; i < items->count && status == PA_OK; i++)
	{
		PaItem	   *item = &items->item[i];

		status = look_at(&collector, item);
		items->times += item->times;
		log_finite += item->times * log1p(-fmin(item->pilot.infinite, 1.0));
		items->variance += item->times * item->variance;
	}
	items->infinite = fmin(1.0, -expm1(log_finite) * (1.0 + DBL_EPSILON * (4.0 + items->count)));
	return status;
}

double
pa_items_log_moment(const PaItems *items, double s)
{
	double		sum = 0;
	double		size = 0;
	int64_t		i;

	for (i = 0; i < items->count; i++)
	{
		const PaGrid *pilot = &items->item[i].pilot;
		double		moment = pa_log_phi(pilot->mass, pilot->count, pilot->lowest, s * pilot->width);

		sum += items->item[i].times * moment;
		size += items->item[i].times * (fabs(moment) + s * pilot->width * pilot->count + pilot->count);
	}
	return sum + 8 * DBL_EPSILON * size;
}
