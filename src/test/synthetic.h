/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * synthetic.h
 *		The synthetic sequences of the test vectors: made anew, number by number.
 *
 * "capture" has people who change between activities, "foursquare" visitors of
 * places by country; generator_spec in vectors/pufferfish.json tells how.
 */
#ifndef PA_TEST_SYNTHETIC_H
#define PA_TEST_SYNTHETIC_H

#include <stdbool.h>
#include <stdint.h>

#define SYNTHETIC_STATES 78
#define SYNTHETIC_QUERIES 32
#define SYNTHETIC_FIRST 40
#define SYNTHETIC_KINDS 4

typedef struct SplitMix
{
	uint64_t	state;
} SplitMix;

extern uint64_t splitmix_next(SplitMix *random);
extern uint64_t splitmix_below(SplitMix *random, uint64_t n);
extern double splitmix_u01(SplitMix *random);

typedef struct SyntheticKind
{
	const char *config;
	int			states;
	int			length;			/* rows of one owner that a query is about */
	int			queries;		/* each about owners of its own */
	uint64_t	seed;
	int			history;		/* rows of the same owner before these, to train; 0: others train */
	const int  *owners;			/* of each query; NULL: equally many */
} SyntheticKind;

/* capture-participant, capture-group, foursquare-short, foursquare-long */
extern const SyntheticKind synthetic_kinds[SYNTHETIC_KINDS];

/* NULL if there is none of the name */
extern const SyntheticKind *synthetic_kind(const char *config);

typedef struct SyntheticRow
{
	bool		train;			/* for the prior, not for a query */
	int			owner;			/* from 0 */
	int			query;			/* -1 for owners of the capture kinds who only train */
	int			at;				/* place in the owner's sequence, from 0 */
	int			state;
	int			before;			/* the state of the row before, if at > 0 */
} SyntheticRow;

typedef void (*SyntheticVisit) (const SyntheticRow *row, void *to);

/* Every row of a kind in turn, owner by owner */
extern void synthetic_rows(const SyntheticKind *kind, SyntheticVisit visit, void *to);

typedef struct Synthetic
{
	const SyntheticKind *kind;
	double		count[SYNTHETIC_QUERIES][SYNTHETIC_STATES];
	double		train[SYNTHETIC_STATES];
	double		transitions[SYNTHETIC_STATES * SYNTHETIC_STATES];	/* of the training sequences */
	double		first[SYNTHETIC_FIRST];	/* of the first training sequence */
} Synthetic;

/* What was counted in the rows; false for a kind that is not there */
extern bool synthetic_make(const char *config, Synthetic *made);

#endif							/* PA_TEST_SYNTHETIC_H */
