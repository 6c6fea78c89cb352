/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * owner.h
 *		An owner, as contribution bounding knows it.
 */
#ifndef PA_BOUND_OWNER_H
#define PA_BOUND_OWNER_H

#include "postgres.h"

#include "bound/keyed_hash.h"

/* The value of the owner column itself if it fits, else its keyed hash. */
typedef struct PaOwner
{
	PaHash128	key;
	uint64		hash;			/* keyed */
} PaOwner;

#endif							/* PA_BOUND_OWNER_H */
