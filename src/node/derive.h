/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * derive.h
 *		Answers that follow from releases that were paid for and kept.
 *
 * What is derived are the aggregates of a release that is not made: each from sums of noised totals, by
 * least squares over all that was released of the same bounded rows (docs/theory-derived.md).  It draws nothing, reads no
 * protected row, and costs nothing.
 */
#ifndef PA_DERIVE_H
#define PA_DERIVE_H

#include "postgres.h"

#include "utils/snapshot.h"

#include "price/release.h"

typedef struct PaDerivedRow
{
	uint32		level;			/* grouped by these keys (1 << key); others are null */
	Datum	   *keys;
	bool	   *nulls;
	PaEstimate *estimates;		/* of each aggregate */
} PaDerivedRow;

typedef struct PaDerived
{
	const char *problem;		/* why it does not follow; NULL: it does */
	List	   *rows;			/* PaDerivedRow */
	List	   *charges;		/* int64: by which the releases were paid for that it follows from, the first one first */
	double	   *errors;			/* half of the widest interval of each statistic; 0 of what is none of an aggregate */
	const char *scope;			/* which rows it is about, if not all; NULL: all */
} PaDerived;

/* Never NULL. */
extern PaDerived *pa_derive(const PaRelease *release, List *expressions, ExprContext *context, Snapshot snapshot);

#endif							/* PA_DERIVE_H */
