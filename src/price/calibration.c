/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * calibration.c
 *		Calibrations that the session has made before.
 *
 * Finding the best noise takes milliseconds, and sessions ask the same again and
 * again.  What is found depends on the request alone, so it may be kept; when
 * MOST are known all are forgotten.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"

#include "price/calibration.h"
#include "server_environment.h"

#define MOST 4096

/* Compared byte by byte: built in zeroed memory, without padding of the compiler's. */
typedef struct Key
{
	PaInt128	per_group;
	uint32		groups;
	uint32		kinds;
	double		epsilon;
	double		delta;
	double		rho;
	double		within;
} Key;

typedef struct Known
{
	Key			key;
	PaStatus	status;
	PaCalibration calibration;
} Known;

static MemoryContext memory = NULL;
static HTAB *known = NULL;

static void
forget_all(void)
{
	HASHCTL		control = {.keysize = sizeof(Key),.entrysize = sizeof(Known)};

	if (memory == NULL)
		memory = AllocSetContextCreate(TopMemoryContext, "privacct calibrations", ALLOCSET_DEFAULT_SIZES);
	known = NULL;
	MemoryContextReset(memory);
	control.hcxt = memory;
	known = hash_create("privacct calibrations", MOST, &control, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

static PaNoiseTable *
copy_table(const PaNoiseTable *table)
{
	PaNoiseTable *copy = palloc(sizeof(PaNoiseTable));
	uint64	   *weight = palloc(sizeof(uint64) * (table->last + 1));

	*copy = *table;
	memcpy(weight, table->weight, sizeof(uint64) * (table->last + 1));
	copy->weight = weight;
	return copy;
}

static PaStatus
calibrate(const PaRequest *request, uint32 kinds, PaCalibration *out)
{
	PaRequest	single = *request;

	if ((kinds & (kinds - 1)) != 0)
		return pa_calibrate_best(request, kinds, pa_server_environment(), out);
	if (kinds == 0)
		return PA_NO_SOLUTION;
	single.kind = (PaKernelKind) pg_rightmost_one_pos32(kinds);
	return pa_calibrate(&single, pa_server_environment(), out);
}

/* What can fail for want of memory comes before the entry: one that points to a caller's table must not stay. */
static void
remember(const Key *key, PaStatus status, const PaCalibration *calibration)
{
	MemoryContext caller;
	PaCalibration copy = {0};
	Known	   *entry;

	if (known == NULL || hash_get_num_entries(known) >= MOST)
		forget_all();
	caller = MemoryContextSwitchTo(memory);
	if (status == PA_OK)
	{
		copy = *calibration;
		if (copy.kernel.table)
			copy.kernel.table = copy_table(copy.kernel.table);
	}
	entry = hash_search(known, key, HASH_ENTER, NULL);
	entry->status = status;
	entry->calibration = copy;
	MemoryContextSwitchTo(caller);
}

PaStatus
pa_calibration_find(const PaRequest *request, uint32 kinds, PaCalibration *out)
{
	Key			key;
	Known	   *entry;
	PaStatus	status;

	memset(&key, 0, sizeof(key));
	key.per_group = request->sensitivity.per_group;
	key.groups = request->sensitivity.groups;
	key.kinds = kinds;
	key.epsilon = request->epsilon;
	key.delta = request->delta;
	key.rho = request->rho;
	key.within = request->within;
	entry = known ? hash_search(known, &key, HASH_FIND, NULL) : NULL;
	if (entry)
	{
		if (entry->status == PA_OK)
		{
			*out = entry->calibration;
			if (out->kernel.table)
				out->kernel.table = copy_table(out->kernel.table);
		}
		return entry->status;
	}
	status = calibrate(request, kinds, out);
	CHECK_FOR_INTERRUPTS();
	if (status != PA_INTERRUPTED && status != PA_NO_MEMORY)
		remember(&key, status, out);
	return status;
}
