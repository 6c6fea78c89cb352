/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * periods.h
 *		Keys that are periods of a date or time with declared bounds: they can be listed.
 */
#ifndef PA_PERIODS_H
#define PA_PERIODS_H

#include "postgres.h"

#include "nodes/parsenodes.h"

#include "catalog/policy.h"

/* More than these, in all combinations, are not gone through. */
#define PA_MOST_POINTS 4000000

/* A column of a protected table, and points in time, one at least in each period between its bounds. */
typedef struct PaPoints
{
	RangeTblEntry *table;
	AttrNumber	column;
	Oid			type;			/* date, timestamp or timestamptz */
	int64		first;			/* microseconds, or days, since 2000-01-01; both bounds are points */
	int64		last;
	int64		step;			/* in the same */
	bool		exact;			/* every value between the bounds is a point */
	bool		nullable;
} PaPoints;

/*
 * The points by which the values of an expression of the query are known: it depends on
 * rows only by date_trunc, extract or date_part of one column with bounds.  NULL if it is
 * something else, or there are too many points.
 */
extern PaPoints *pa_points_of(const Query *query, Node *expression);

/* How many there are. */
extern double pa_points_count(const PaPoints *points);

/* SELECT with a column for each of the table's: points (in every combination) where there are some, else nulls. */
extern Query *pa_points_query(const RangeTblEntry *table, List *points);

/* A one-column VALUES (true), (false) as an entry of a range table. */
extern RangeTblEntry *pa_both_entry(void);

#endif							/* PA_PERIODS_H */
