/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * order.h
 *		Statistics of order: quantiles, the least and the greatest of values.
 *
 * A value is a cell of a lattice between the bounds.  Of an owner's values in a group M
 * stay: each gets a fresh tag, and those with the least tags are kept.  So which ones
 * stay depends on the owner's own rows and on chance, never on others or on the order of
 * rows, and parts of an owner's rows may be read apart and put together.
 *
 * What is released of a group's cells is drawn (price/order.h), not noised.
 */
#ifndef PA_ORDER_H
#define PA_ORDER_H

#include "postgres.h"

#include "core/order/node.h"

#include "bound/sorted_cells.h"
#include "bound/statistic.h"

#define PA_MOST_KEPT 1024		/* M of an order */
#define PA_CELL_BITS 20			/* the bounds are at most 1 << PA_CELL_BITS cells apart */

typedef enum PaOrderKind
{
	PA_ORDER_QUANTILES,
	PA_ORDER_LEAST,
	PA_ORDER_GREATEST
} PaOrderKind;

typedef struct PaOrder
{
	PaOrderKind kind;
	int			nranks;			/* how many numbers it releases: 1 but for quantiles */
	uint32		quantiles[PA_QUANTILES_MOST];	/* numerators over PA_QUANTILE_DENOMINATOR, each once */
	int			released;		/* the first of its numbers, among those of the release */
	int64		first;			/* the lowest cell, in steps of the statistic's lattice */
	int64		cells;
	PaExponential mechanism;	/* of one draw, or of one level of several; set by the release */
	int64		k;				/* LEAST and GREATEST: which one it is about; set by the release */
} PaOrder;

/* Accumulators that an order needs beside the usual one. */
extern int	pa_order_room(const PaStatistic *statistic);

/* Adds a row's value to those that an owner has in a group; by the usual accumulator and all of them. */
extern void pa_order_keep(const PaStatistic *statistic, double x, int64 *count, int64 *accumulators, PaKeptRoom *room);

/* Puts what was kept elsewhere of the same owner and group, packed, to what was kept here. */
extern void pa_order_merge(const PaStatistic *statistic, int64 *count, int64 *accumulators,
						   int64 other_count, const char *values, PaKeptRoom *room);

/* The values that an owner keeps in a group: how many bytes they are when packed, or can be at most. */
extern size_t pa_orders_packed_size(const PaStatistics *set, const int64 *accumulators);
extern size_t pa_orders_most_packed(const PaStatistics *set);
extern void pa_orders_pack(const PaStatistics *set, const int64 *accumulators, char *values);
extern size_t pa_order_packed_size(int64 count);

/* What an owner keeps in a group, by the owner's accumulators; or a row's value, where each row is an owner. */
extern void pa_orders_contribute(const PaStatistics *set, const int64 *accumulators, int group, PaSortedCells *cells);
extern void pa_orders_take_row(const PaStatistics *set, const PaValue *inputs, int group, PaSortedCells *cells);

/* The value in the middle of what a cell stands for. */
extern double pa_order_value(const PaStatistic *statistic, int64 cell);

extern bool pa_has_orders(const PaStatistics *set);

#endif							/* PA_ORDER_H */
