/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * secrets.h
 *		Secrets of a finite model, as sets of its cells.
 *
 * A cell is one whole data set: of a table with "entries" rows of which row i
 * takes shape[i] values, in the order in which the last row runs fastest.  Where
 * no rows are known (entries = 0) cells are just numbered.
 */
#ifndef PA_SECRETS_H
#define PA_SECRETS_H

#include "core/pufferfish/curve.h"

#define PA_FINITE_ENTRIES 16
#define PA_FINITE_CELLS 65536

typedef struct PaFinite
{
	int			entries;
	const int  *shape;
	int			cells;			/* the product of the shape, if there are entries */
	int			secrets;		/* 0: all "row i has the value v", all ordered pairs within a row */
	const unsigned char *mask;	/* [secret * cells + cell]: whether the secret holds there */
	int			pairs;
	const PaSecretPair *pair;	/* the masks of a pair must not overlap */
} PaFinite;

/* The same with all masks and pairs written out; from the environment */
typedef struct PaSecrets
{
	int			cells;
	int			secrets;
	int			pairs;
	unsigned char *mask;
	PaSecretPair *pair;
} PaSecrets;

/* PA_FAULT_SIZE, _ARGUMENT (shape), _SECRET.  After PA_OK to be released. */
extern PaStatus pa_secrets_open(const PaFinite *finite, const PaEnvironment *environment,
								PaSecrets *secrets, PaFault *fault);
extern void pa_secrets_release(PaSecrets *secrets, const PaEnvironment *environment);

/*
 * For the rows outside of H (bit i of "high": row i is in H) the number of values
 * they take together, and which one each cell has.
 */
extern int	pa_finite_keys(const PaFinite *finite, unsigned high, int *key);

#endif							/* PA_SECRETS_H */
