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

typedef struct SplitMix
{
	uint64_t	state;
} SplitMix;

extern uint64_t splitmix_next(SplitMix *random);
extern uint64_t splitmix_below(SplitMix *random, uint64_t n);
extern double splitmix_u01(SplitMix *random);

typedef struct Synthetic
{
	int			states;
	int			length;			/* rows of one owner that a query is about */
	int			queries;
	double		count[SYNTHETIC_QUERIES][SYNTHETIC_STATES];
	double		train[SYNTHETIC_STATES];
	double		transitions[SYNTHETIC_STATES * SYNTHETIC_STATES];	/* of the training sequences */
	double		first[SYNTHETIC_FIRST];	/* of the first training sequence */
} Synthetic;

/* capture-participant, capture-group, foursquare-short, foursquare-long; false for others */
extern bool synthetic_make(const char *config, Synthetic *made);

#endif							/* PA_TEST_SYNTHETIC_H */
