/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * layout.h
 *		What expressions over rows can be, as far as releases tell it apart.
 *
 * A dimension is an expression.  Its points are the values that keys have and that conditions
 * compare it with; between two neighbours, and beyond the first and the last, are the gaps.  So
 * each value of the expression is in one of these places, and each comparison with a point is
 * the same for all values of a place:
 *
 *	 0			NULL
 *	 2 i + 1	the gap before point i (after the last: i is how many there are)
 *	 2 i + 2	point i
 */
#ifndef PA_LAYOUT_H
#define PA_LAYOUT_H

#include "postgres.h"

#include "nodes/execnodes.h"
#include "utils/typcache.h"

#include "node/asked.h"

#define PA_ANYWHERE (-1)		/* a place that is not said */

typedef struct PaDimension
{
	Node	   *expression;
	char	   *name;
	Oid			type;
	Oid			collation;
	TypeCacheEntry *cache;
	bool		exact;			/* equal values are the same, so functions of them are */
	bool		whole;			/* no value is between neighbours */
	bool		never_null;
	bool		long_as_null;	/* rows may have values that releases take for null, as too long to be looked at */
	int			npoints;
	Datum	   *points;			/* in their order, no two equal */
} PaDimension;

typedef struct PaLayout
{
	int			ndimensions;
	int			room;
	PaDimension *dimensions;
	ExprContext *context;		/* in which functions of points are evaluated */
} PaLayout;

typedef enum PaVerdict
{
	PA_FALSE, PA_TRUE, PA_NULL, PA_UNDECIDED
} PaVerdict;

extern PaLayout *pa_layout_make(ExprContext *context);

/* The dimension of an expression, which is added if it is new; -1 if its values have no order. */
extern int	pa_layout_add(PaLayout *layout, Node *expression, const char *name);
extern int	pa_layout_find(const PaLayout *layout, Node *expression);

extern void pa_layout_add_point(PaLayout *layout, int dimension, Datum value);

/* All that a condition compares with constants; add: as dimensions too, if they are none yet and it has a name for them. */
extern void pa_layout_add_constants(PaLayout *layout, Node *condition, const PaAsked *add);

/* When all points are there: how many places there are, whether a value can be there, where a value is. */
extern int	pa_layout_places(const PaDimension *dimension);
extern bool pa_layout_possible(const PaDimension *dimension, int place);
extern int	pa_layout_place(const PaDimension *dimension, Datum value, bool isnull);

/* Whether all values of such a dimension are looked at if it has no other ones than its points. */
extern bool pa_layout_short_points(const PaDimension *dimension);

static inline bool
pa_is_gap(int place)
{
	return place > 0 && place % 2 == 1;
}

/* Whether the expression is of dimensions alone. */
extern bool pa_layout_covers(const PaLayout *layout, Node *expression);

/* Which dimensions it is of, as bits (those from 31 on as that of 31). */
extern uint32 pa_layout_uses(const PaLayout *layout, Node *expression);

/* A condition where each dimension is in one of its places, or anywhere. */
extern PaVerdict pa_layout_judge(const PaLayout *layout, Node *condition, const int *places);

/* The value of an expression there; false if it is not decided. */
extern bool pa_layout_value(const PaLayout *layout, Node *expression, const int *places, Datum *value, bool *isnull);

#endif							/* PA_LAYOUT_H */
