/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * statistic.h
 *		The noised quantities behind aggregates.
 *
 * Every aggregate is computed from one to three statistics (form/form.h), each an integer
 * sum over owners of a bounded contribution, but for the last three.  Equal statistics of one release are
 * shared and noised once.
 *
 *	 kind		per row				one owner contributes to a group
 *	 ROWS		1					min(rows, M)
 *	 VALUES		1 unless NULL		min(values, M)
 *	 OWNERS		1 unless NULL		1 if there is any
 *	 SUM		x					sum of x, clamped to what M rows can reach
 *	 OWNER_SUM	x					sum of x, clamped to bounds of an owner's sum; 0 without a value
 *	 CENTRED	x - mid				sum, or M times the owner's mean beyond M values
 *	 SQUARES	(x - mid)^2 - h^2/2	the same
 *	 ORDER		x					M of the values (order.h); no sum: what is released is drawn
 *	 DISTINCT	x					covers M of the values (distinct.h); no sum over owners
 *	 CAP							how many of the values are covered that are released (distinct.h): drawn
 *
 * where x is clamped to [lo, hi], mid = (lo + hi)/2, h = (hi - lo)/2 and M is how many
 * rows of an owner count.  Numbers are rounded to a lattice of 2^exponent, the bound
 * being about 2^30 steps, row by row, before anything is added.
 */
#ifndef PA_STATISTIC_H
#define PA_STATISTIC_H

#include "postgres.h"

#include "core/accounting/calibrate.h"
#include "core/derive/width.h"

#include "bound/keyed_hash.h"
#include "bound/leaf_spec.h"

typedef enum PaStatisticKind
{
	PA_STAT_ROWS,
	PA_STAT_VALUES,
	PA_STAT_OWNERS,
	PA_STAT_SUM,
	PA_STAT_OWNER_SUM,
	PA_STAT_CENTRED,
	PA_STAT_SQUARES,
	PA_STAT_ORDER,
	PA_STAT_DISTINCT,
	PA_STAT_CAP
} PaStatisticKind;

/* What bounds the sum of an owner in a group. */
typedef enum PaLimitKind
{
	PA_LIMIT_LEAST_NOISE,		/* which of those that are known gives least noise */
	PA_LIMIT_ROWS,				/* so many rows, of bounded values */
	PA_LIMIT_OWNER				/* bounds of the sum itself */
} PaLimitKind;

/* How the values of owners are covered (distinct.h). */
typedef enum PaCoverKind
{
	PA_COVER_DEFAULT,
	PA_COVER_GREEDY,
	PA_COVER_EXACT
} PaCoverKind;

/* How many values an owner covers: M, or up to M, which is drawn. */
typedef enum PaCapKind
{
	PA_CAP_DEFAULT,
	PA_CAP_FIXED,
	PA_CAP_AUTO
} PaCapKind;

/* Options of an aggregate, and the defaults of a release. */
typedef struct PaOptions
{
	double		epsilon;		/* 0: a share of the release's */
	double		delta;			/* 0: a share of the release's */
	bool		kernel_given;
	PaKernelKind kernel;
	bool		exponential;	/* dp_topk: by the exponential mechanism */
	double		within;			/* error bound of the aggregate; negative: none */
	bool		reach;			/* which decides the epsilon, in place of the shape of the noise */
	double		relative;		/* error wanted, as a share of the answer, or of "least" if that is larger; 0: none */
	double		least;
	int			parts;			/* statistics that share the error of an aggregate; 0 stands for 1 */
	double		rows;			/* how many values a mean is thought to be of; 0: unknown */
	double		together;		/* of how many aggregates the intervals are to hold at once; 0 stands for 1 */
	double		max_rows;		/* of an owner in a group; 0: the release's */
	PaCoverKind cover;
	PaCapKind	cap;
	PaLimitKind limit;
	double		owner_lo;		/* PA_LIMIT_OWNER: bounds of an owner's sum in a group */
	double		owner_hi;
} PaOptions;

/* Arguments of an aggregate, evaluated once. */
typedef struct PaAggregateArguments
{
	double		lo;
	double		hi;
	bool		owner_bounds;	/* of an owner's sum, given or declared: */
	double		owner_lo;
	double		owner_hi;
	PaOptions	options;
	int			ranks;			/* dp_topk: how many values are wanted */
	double		quantile;		/* of those that take one */
	int			location;		/* in the statement, of the options or of the call that has none; -1: unknown */
} PaAggregateArguments;

/* A column of the child that statistics read. */
typedef struct PaInput
{
	int			column;			/* -1: none, every row counts */
	Oid			type;
	bool		number;			/* whether its value is needed, not only whether it is NULL */
	int			nfields;		/* columns that make a value which is known by its hash; 0: none */
	const PaLeafField *fields;
} PaInput;

/* What a row has in such a column. */
typedef struct PaValue
{
	bool		present;
	double		value;
	PaHash128	hash;			/* keyed, of the fields */
} PaValue;

/*
 * The error of an estimate from several noised totals: a sum of noises, in units of the data, each so many
 * times; and what rounding to lattices adds at most.
 */
typedef struct PaSpread
{
	int			nparts;
	PaPart	   *parts;
	double	   *times;
	double		rounding;
	int			nknown;			/* widths that were computed, by confidence */
	double		confidence[4];
	double		width[4];
} PaSpread;

typedef struct PaStatistic
{
	PaStatisticKind kind;
	int			input;			/* index of PaInput, -1: none */
	PaOptions	options;
	const char *label;
	double		within;			/* error bound in units of the total; negative: none */
	double		error;			/* that is to be reached, with "confidence"; 0: none */
	double		confidence;
	double		lo;				/* clamp */
	double		hi;
	double		centre;			/* subtracted from x (CENTRED) or from the square (SQUARES) */
	int			exponent;		/* a lattice step is 2^exponent */
	double		steps;			/* lattice steps per unit: 2^-exponent */
	int64		row_lo;			/* what one row can add, in steps */
	int64		row_hi;
	int64		owner_lo;		/* OWNER_SUM: of an owner in a group, in steps */
	int64		owner_hi;
	int			base;			/* whose totals are noised: its own number, but for further levels of another one */
	const char *plain_label;	/* its label, but for the level: */
	int			level;			/* which groups (price/levels.h), */
	int64		widest;			/* of how many of the finest ones, at most, */
	int			shares;			/* and how many levels share the epsilon of the base */
	int64		threshold;		/* by which groups are selected: so many noised owners, each as often as they are counted, are enough */
	PaSpread   *spread;			/* NULL: the error is that of its noise */
	int			wide;			/* OWNER_SUM: the first of two accumulators that hold its sum; the usual one counts.
								 * ORDER: the first of those that refer to values; the usual one counts these */
	struct PaOrder *order;		/* ORDER: order.h */
	bool		exact;			/* DISTINCT: as many values as can be covered */
	struct PaCapChoice *choice; /* CAP, and DISTINCT if its cap is drawn: distinct.h */
	int64		max_rows;		/* M */
	int			count;			/* CENTRED, SQUARES: index of the statistic that counts values */
	bool		never_missing;	/* every row has a value */
	int			location;		/* of the aggregate that it is for */
	PaCalibration calibration;	/* set by the release */
} PaStatistic;

/* How many an aggregate has at most, and the columns that they read. */
#define PA_STATISTICS_OF_AGGREGATE 3
#define PA_INPUTS_OF_AGGREGATE 2

/* Which statistics an aggregate is computed from; -1: none. */
typedef struct PaAggregateSource
{
	int			count;
	int			sum;
	int			squares;
	int			order;
	int			rank;			/* which of the ranks of the order */
	int			together;		/* with how many aggregates it shares the probability that an interval misses */
} PaAggregateSource;

typedef struct PaStatistics
{
	int			nstatistics;	/* with noise of their own: */
	int			nsummed;		/* those that rows add to come first, then further levels of them */
	int			room;			/* for those of aggregates */
	PaStatistic *statistics;
	int			ninputs;
	PaInput    *inputs;
	PaAggregateSource *sources; /* one for each aggregate of the leaf */
	int			selection;		/* index of the statistic that selects groups, -1: none */
	int			naccumulators;	/* one for each statistic, then those of wide sums, and those that refer to values */
	int			nreleased;		/* numbers: one for each statistic, then those of ranks */
	int64		max_rows;		/* M, where an aggregate has none of its own */
	bool		one_row;		/* an owner has one row: what it adds is what the owner contributes */
	const struct PaUnit *unit;	/* what is protected (unit/unit.h) */
	int			entries;		/* PA_ENTRY_ flags of the leaf */
	double		rate;			/* of owners sampled; totals are of the sample, estimates of all */
	double		confidence;		/* with which intervals of estimates hold */
} PaStatistics;

/*
 * A released aggregate with the interval that holds it with the given confidence,
 * and the probability that the noise of all its parts keeps to their error bounds.
 */
typedef struct PaEstimate
{
	double		value;
	double		low;
	double		high;
	double		acceptance;		/* NAN: no error bound */
	double		error;			/* local: standard error, NAN where nobody answered */
	int64		answered;		/* local: owners */
	int64		asked;			/* local: owners who would have answered, had the filter let them; 0: central */
} PaEstimate;

#define PA_CONFIDENCE 0.95

/* Of an estimate from so many statistics: the probability that an interval fails is split over them. */
static inline double
pa_part_confidence(double confidence, int parts)
{
	return 1 - (1 - confidence) / parts;
}

/* By the exponential mechanism, where others are noised */
static inline bool
pa_is_drawn(const PaStatistic *statistic)
{
	return statistic->kind == PA_STAT_ORDER || statistic->kind == PA_STAT_CAP;
}

/* Reads from a row of the child what statistics need of it: set->ninputs values; leaves scratch in the current context. */
extern void pa_statistics_read_row(const PaStatistics *set, const uint8 *secret, const Datum *values, const bool *nulls,
								   PaValue *inputs);

/* Where values are kept that an owner's accumulators refer to, and how many bytes were taken there. */
typedef struct PaKeptRoom
{
	MemoryContext context;
	size_t		used;
} PaKeptRoom;

/* What an owner has in a group as it is handed on. */
typedef struct PaPacked
{
	const int64 *accumulators;	/* what they refer to is elsewhere: */
	const char *values;			/* those that each statistic of order keeps, one after the other */
} PaPacked;

/* Adds one row to an owner's accumulators of a group; room: NULL where each row is an owner. */
extern void pa_statistics_add_row(const PaStatistics *set, const PaValue *inputs, int64 *accumulators, PaKeptRoom *room);

/* Adds accumulators of the same owner and group from elsewhere. */
extern void pa_statistics_merge(const PaStatistics *set, int64 *accumulators, const PaPacked *others, PaKeptRoom *room);

/* Makes the accumulators those of no row, for another group; the memory to which they refer stays theirs. */
extern void pa_statistics_clear(const PaStatistics *set, int64 *accumulators);

/* Adds what an owner accumulated for a group, bounded, to the group's totals. */
extern void pa_statistics_contribute(const PaStatistics *set, const int64 *accumulators, PaInt128 *totals);

/* The value of steps of the noise's lattice in units of the data, and the half width of the noise. */
extern double pa_statistic_value(const PaStatistic *statistic, PaInt128 steps);
extern double pa_statistic_error(const PaStatistic *statistic, double confidence);

/* spread.c: half the width of an interval that the error keeps to with such a probability */
extern double pa_spread_error(PaSpread *spread, double confidence);

/* The error bound in the fine steps in which totals are summed; negative: none. */
extern double pa_statistic_within(const PaStatistic *statistic);

#endif							/* PA_STATISTIC_H */
