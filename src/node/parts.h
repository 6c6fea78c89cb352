/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * parts.h
 *		What a release that is kept consists of, for others to be derived from it (derive.h).
 *
 * Beside the rows that are repeated: what was asked, taken apart (asked.h); of each statistic what it
 * is the sum of and the law of its noise; and of each group what was released of each, that
 * is the noised total.  Each noise is there once, however many columns were made from it.
 */
#ifndef PA_PARTS_H
#define PA_PARTS_H

#include "postgres.h"

#include "lib/stringinfo.h"

#include "core/noise/base.h"

#include "node/asked.h"
#include "price/release.h"

#define PA_SUM_BYTES 16

/* What a noised total is the sum of, whatever its noise and its groups: a hash. */
typedef struct PaSumName
{
	unsigned char hash[PA_SUM_BYTES];
} PaSumName;

typedef struct PaPartKey
{
	Node	   *expression;
	Oid			type;
	Oid			collation;
	bool		listed;			/* public data list all values that rows have */
	char	   *name;
} PaPartKey;

/* A statistic with its noise, in one of the levels of the release. */
typedef struct PaPartSum
{
	PaSumName	name;
	uint32		level;			/* grouped by these keys (1 << key) */
	PaShape		shape;			/* Laplace or Gaussian: */
	double		scale;			/* in steps */
	double		step;			/* in units of the total */
	double		rounding;		/* by which the total was moved beside, at most */
} PaPartSum;

typedef struct PaPartCell
{
	uint32		level;
	Datum	   *keys;			/* null where the level does not group by them */
	bool	   *nulls;
	double	   *totals;			/* [nsums]; NAN: not of this level */
} PaPartCell;

typedef struct PaParts
{
	bool		whole;			/* bounding did nothing: an owner has one row */
	List	   *conditions;
	int			nkeys;
	PaPartKey  *keys;
	int			nsums;
	PaPartSum  *sums;
	int			ncells;
	PaPartCell *cells;
} PaParts;

/* A release that is being kept. */
typedef struct PaPartsWriter
{
	bool		too_large;
	const PaRelease *release;
	int			nsums;
	int		   *statistics;		/* which they are */
	int			ncells;
	StringInfoData data;
} PaPartsWriter;

/*
 * Why nothing can be derived from a release, or it cannot be derived itself, whatever is kept; NULL: it can.  made: it was,
 * so its groups are what they are.
 */
extern const char *pa_parts_problem(const PaRelease *release, bool made);

extern PaSumName pa_sum_name(const PaRelease *release, const PaAsked *asked, int statistic);

/* NULL if nothing can be derived from it. */
extern PaPartsWriter *pa_parts_begin(const PaRelease *release, const PaAsked *asked);

/* A group with its noised totals, by the numbers of statistics. */
extern void pa_parts_add(PaPartsWriter *writer, uint32 level, const Datum *keys, const bool *nulls, const double *totals);

/* NULL if there is too much of it. */
extern bytea *pa_parts_end(PaPartsWriter *writer);

/* NULL if it was written by another version, or is of types or collations that are gone. */
extern PaParts *pa_parts_read(const char *data, Size length);

#endif							/* PA_PARTS_H */
