/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * number_table.h
 *		A hash table whose keys are whole numbers, for look-ups by one such column.
 *
 * PostgreSQL's hash tables of tuples call a function for the hash and another one
 * for each comparison, which for numbers takes longer than the look-up.
 */
#ifndef PA_NUMBER_TABLE_H
#define PA_NUMBER_TABLE_H

#include "postgres.h"

#include "lookup/seeded_hash.h"

/* The rows of a key, and how many. */
typedef struct PaKeyRows
{
	struct PaLookupRow *first;	/* lookup_table.h */
	int64		count;
} PaKeyRows;

typedef struct PaNumberEntry
{
	int64		number;
	uint32		hash;
	char		status;
	PaKeyRows	rows;
} PaNumberEntry;

#define SH_PREFIX number_table
#define SH_ELEMENT_TYPE PaNumberEntry
#define SH_KEY_TYPE int64
#define SH_KEY number
#define SH_HASH_KEY(table, key) pa_hash_number(key)
#define SH_EQUAL(table, a, b) ((a) == (b))
#define SH_STORE_HASH
#define SH_GET_HASH(table, entry) (entry)->hash
#define SH_SCOPE static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

#endif							/* PA_NUMBER_TABLE_H */
