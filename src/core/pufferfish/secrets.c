/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * secrets.c
 *		Masks and pairs of secrets, given or made.
 */
#include "core/pufferfish/secrets.h"

#include <string.h>

#define MOST_SECRETS 4096
#define MOST_PAIRS 65536
#define MOST_MASKS 0x1000000	/* bytes */

static PaFault
fault_of_shape(const PaFinite *finite)
{
	int64_t		cells = 1;
	int			i;

	if (finite->entries < 0 || (finite->entries == 0 && finite->secrets == 0))
		return PA_FAULT_ARGUMENT;
	if (finite->entries > PA_FINITE_ENTRIES || finite->cells > PA_FINITE_CELLS)
		return PA_FAULT_SIZE;
	for (i = 0; i < finite->entries; i++)
	{
		if (finite->shape[i] < 1)
			return PA_FAULT_ARGUMENT;
		cells *= finite->shape[i];
		if (cells > PA_FINITE_CELLS)
			return PA_FAULT_SIZE;
	}
	return finite->cells < 1 || (finite->entries > 0 && cells != finite->cells) ? PA_FAULT_ARGUMENT : PA_FAULT_NONE;
}

static bool
overlap(const PaSecrets *secrets, PaSecretPair pair)
{
	const unsigned char *first = secrets->mask + (size_t) pair.first * (size_t) secrets->cells;
	const unsigned char *second = secrets->mask + (size_t) pair.second * (size_t) secrets->cells;
	int			i;

	for (i = 0; i < secrets->cells; i++)
		if (first[i] && second[i])
			return true;
	return false;
}

static PaFault
fault_of_pairs(const PaSecrets *secrets)
{
	int			i;

	for (i = 0; i < secrets->pairs; i++)
	{
		PaSecretPair pair = secrets->pair[i];

		if (pair.first < 0 || pair.first >= secrets->secrets || pair.second < 0 ||
			pair.second >= secrets->secrets || overlap(secrets, pair))
			return PA_FAULT_SECRET;
	}
	return PA_FAULT_NONE;
}

/* Masks of "row i = v", rows in turn */
static void
mark_values(const PaFinite *finite, PaSecrets *secrets)
{
	int			secret = 0;
	int			stride = finite->cells;
	int			i;

	for (i = 0; i < finite->entries; i++)
	{
		int			cell;

		stride /= finite->shape[i];
		for (cell = 0; cell < finite->cells; cell++)
			secrets->mask[(size_t) (secret + cell / stride % finite->shape[i]) * (size_t) finite->cells +
						  (size_t) cell] = 1;
		secret += finite->shape[i];
	}
}

static void
pair_values(const PaFinite *finite, PaSecrets *secrets)
{
	int			secret = 0;
	int			count = 0;
	int			i;
	int			v;
	int			w;

	for (i = 0; i < finite->entries; i++)
	{
		for (v = 0; v < finite->shape[i]; v++)
			for (w = 0; w < finite->shape[i]; w++)
				if (v != w)
					secrets->pair[count++] = (PaSecretPair) {secret + v, secret + w};
		secret += finite->shape[i];
	}
}

static void
count_values(const PaFinite *finite, int *secrets, int64_t *pairs)
{
	int			i;

	*secrets = 0;
	*pairs = 0;
	for (i = 0; i < finite->entries; i++)
	{
		*secrets += finite->shape[i];
		*pairs += (int64_t) finite->shape[i] * (finite->shape[i] - 1);
	}
}

PaStatus
pa_secrets_open(const PaFinite *finite, const PaEnvironment *environment, PaSecrets *secrets, PaFault *fault)
{
	PaFault		found = fault_of_shape(finite);
	PaSecrets	made = {finite->cells, finite->secrets, 0, NULL, NULL};
	int64_t		pairs = finite->pairs;
	size_t		size;

	if (found != PA_FAULT_NONE)
		return pa_fault(fault, found);
	if (finite->secrets == 0)
		count_values(finite, &made.secrets, &pairs);
	size = (size_t) made.secrets * (size_t) made.cells;
	if (made.secrets < 0 || pairs < 0)
		return pa_fault(fault, PA_FAULT_ARGUMENT);
	if (made.secrets > MOST_SECRETS || size > MOST_MASKS || pairs > MOST_PAIRS)
		return pa_fault(fault, PA_FAULT_SIZE);
	made.pairs = (int) pairs;
	/* pairs first: they need the stricter alignment */
	made.pair = environment->allocate(environment->context, (size_t) pairs * sizeof(PaSecretPair) + size);
	if (made.pair == NULL)
		return PA_NO_MEMORY;
	made.mask = (unsigned char *) (made.pair + pairs);
	memset(made.mask, 0, size);
	if (finite->secrets == 0)
	{
		mark_values(finite, &made);
		pair_values(finite, &made);
	}
	else
	{
		memcpy(made.mask, finite->mask, size);
		if (pairs > 0)
			memcpy(made.pair, finite->pair, (size_t) pairs * sizeof(PaSecretPair));
	}
	found = fault_of_pairs(&made);
	if (found != PA_FAULT_NONE)
	{
		pa_secrets_release(&made, environment);
		return pa_fault(fault, found);
	}
	*secrets = made;
	return PA_OK;
}

void
pa_secrets_release(PaSecrets *secrets, const PaEnvironment *environment)
{
	environment->release(environment->context, secrets->pair);
}

int
pa_finite_keys(const PaFinite *finite, unsigned high, int *key)
{
	int			keys = 1;
	int			stride = finite->cells;
	int			cell;
	int			i;

	memset(key, 0, (size_t) finite->cells * sizeof(int));
	for (i = 0; i < finite->entries; i++)
	{
		stride /= finite->shape[i];
		if (high >> i & 1)
			continue;
		for (cell = 0; cell < finite->cells; cell++)
			key[cell] = key[cell] * finite->shape[i] + cell / stride % finite->shape[i];
		keys *= finite->shape[i];
	}
	return keys;
}
