/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * repeat.h
 *		Releases that are kept, and repeated to whoever asks the same again.
 *
 * A release has a key: a hash of what is asked (guard/question.c), of everything that
 * decides what it would be now, but for the rows, and of who asks, unless the policies
 * share releases among roles.  Where it is not certain that the key says all, there is
 * none, and the release is made and paid for.
 *
 * What is kept are the rows as they were released, before the query around the block saw
 * them.  To say them again tells nothing of the protected rows that was not paid for
 * (docs/theory.md).
 */
#ifndef PA_REPEAT_H
#define PA_REPEAT_H

#include "postgres.h"

#include "datatype/timestamp.h"
#include "lib/stringinfo.h"

#include "node/parts.h"
#include "price/release.h"

#define PA_REPEAT_KEY 32

/* Columns of privacct.stored_release. */
enum
{
	PA_STORED_KEY = 1, PA_STORED_CHARGE, PA_STORED_POLICY, PA_STORED_ROLE, PA_STORED_MADE, PA_STORED_EXPIRES, PA_STORED_ROWS,
	PA_STORED_EDITIONS, PA_STORED_SOURCE, PA_STORED_PARTS,
	PA_STORED_COLUMNS = PA_STORED_PARTS
};

typedef struct PaRepeatKey
{
	unsigned char hash[PA_REPEAT_KEY];
} PaRepeatKey;

/* A release that was kept. */
typedef struct PaRepeat
{
	int64		charge_id;
	TimestampTz made_at;
	const char *position;		/* of the next row */
	const char *end;
} PaRepeat;

/* A release that is being kept. */
typedef struct PaKeeping
{
	PaRepeatKey key;
	int64		charge_id;
	TimestampTz made_at;
	const PaAsked *asked;		/* NULL: nobody knows */
	PaPartsWriter *parts;		/* NULL: nothing can be derived from it */
	List	   *editions;		/* that its tables are of; NIL: one of them may be written to */
	bool		too_large;
	StringInfoData rows;
} PaKeeping;

/* repeat_key.c: false if the release is not to be repeated */
extern bool pa_repeat_key(const PaRelease *release, List *expressions, ExprContext *context, PaRepeatKey *key);

/* repeat.c: the youngest release of the key that may be repeated, as the policies say, or NULL; editions: those that are seen (editions.h) */
extern PaRepeat *pa_repeat_find(const PaRelease *release, const PaRepeatKey *key, List *editions);

/* The next row, grouped by the keys of the level (PaLeafSpec.levels); false if there is none. */
extern bool pa_repeat_next(PaRepeat *repeat, const PaLeafSpec *spec, uint32 *level, Datum *keys, bool *nulls, PaEstimate *estimates);

/* For EXPLAIN and preview: which release would be repeated, as a text; NULL: none. */
extern char *pa_repeat_describe(const PaRelease *release, List *expressions, ExprContext *context, Snapshot snapshot);

/* A release from which others may be derived. */
typedef struct PaKept
{
	int64		charge_id;
	List	   *editions;
	PaParts    *parts;
} PaKept;

/*
 * Those of a source (PaKept) that may be repeated to whoever asks, the youngest ones if there are more than so many.
 * others: there are some that nothing can be derived from.
 */
extern List *pa_repeat_of_source(const PaRelease *release, List *editions, const unsigned char *source, int most,
								bool *others);

/* Before rows are read, for each row of the release, and when all are released. */
extern PaKeeping *pa_keep_begin(const PaRelease *release, const PaRepeatKey *key, const PaAsked *asked, List *editions,
								int64 charge_id);
extern void pa_keep_row(PaKeeping *keeping, const PaLeafSpec *spec, uint32 level, const Datum *keys, const bool *nulls,
						const PaEstimate *estimates, const double *totals);
extern void pa_keep_end(PaKeeping *keeping, const PaRelease *release);

#endif							/* PA_REPEAT_H */
