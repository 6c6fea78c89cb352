/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * number_set.c
 *		See number_set.h.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "lookup/number_set.h"

#define MOST_BITS ((uint64) 64 * 1024 * 1024)	/* more would no longer be in cache */
#define FIRST_BITS 4096

PaNumberSet *
pa_number_set_create(void)
{
	return palloc0(sizeof(PaNumberSet));
}

static int64
word_of(int64 number)
{
	return number >= 0 ? number / 64 : -((63 - number) / 64);
}

/* Room for so many words from this one on, where those that there are keep their bits. */
static void
make_room(PaNumberSet *set, int64 first_word, uint64 words)
{
	uint64	   *bits = MemoryContextAllocZero(GetMemoryChunkContext(set), words * sizeof(uint64));

	if (set->nbits > 0)
	{
		memcpy(bits + (set->first / 64 - first_word), set->bits, set->nbits / BITS_PER_BYTE);
		pfree(set->bits);
	}
	set->bits = bits;
	set->first = first_word * 64;
	set->nbits = words * 64;
}

/* Twice as much as before, towards the number; false: it is too far away. */
static bool
widen(PaNumberSet *set, int64 number)
{
	int64		words = (int64) (set->nbits / 64);
	int64		first = words > 0 ? set->first / 64 : word_of(number);
	int64		end = first + words;

	if (number < PG_INT64_MIN / 2 || number > PG_INT64_MAX / 2)
		return false;
	if (word_of(number) < first)
		first = Min(word_of(number), first - words);
	else
		end = Max(word_of(number) + 1, words > 0 ? end + words : end + FIRST_BITS / 64);
	if ((uint64) (end - first) > MOST_BITS / 64)
		return false;
	make_room(set, first, end - first);
	return true;
}

void
pa_number_set_add(PaNumberSet *set, int64 number)
{
	uint64		place = (uint64) number - (uint64) set->first;

	if (set->too_wide || pa_number_set_has(set, number))
		return;
	if (place >= set->nbits)
	{
		set->too_wide = !widen(set, number);
		if (set->too_wide)
			return;
		place = (uint64) number - (uint64) set->first;
	}
	set->bits[place / 64] |= UINT64CONST(1) << (place % 64);
	set->least = set->count == 0 ? number : Min(set->least, number);
	set->greatest = set->count == 0 ? number : Max(set->greatest, number);
	set->count++;
}

bool
pa_number_set_is_sparse(const PaNumberSet *set)
{
	return !set->too_wide && set->count < ((uint64) set->greatest - (uint64) set->least + 1) / 2;
}
