/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * keyed_hash.h
 *		A hash that nobody can predict without the policy's secret (SipHash-2-4).
 */
#ifndef PA_KEYED_HASH_H
#define PA_KEYED_HASH_H

#include "postgres.h"

#include <sodium.h>

typedef struct PaHash128
{
	uint64		high;
	uint64		low;
} PaHash128;

static inline uint64
pa_keyed_hash64(const uint8 *secret, const void *data, size_t length)
{
	uint64		hash;

	crypto_shorthash_siphash24((unsigned char *) &hash, data, length, secret);
	return hash;
}

static inline PaHash128
pa_keyed_hash128(const uint8 *secret, const void *data, size_t length)
{
	PaHash128	hash;

	crypto_shorthash_siphashx24((unsigned char *) &hash, data, length, secret);
	return hash;
}

/*
 * Of a value of an owner column: equal owners have equal bytes, the types of
 * owner columns being those of catalog/owner_key.h.
 */
extern uint64 pa_owner_hash64(const uint8 *secret, Oid owner_type, Datum owner);

/* A bijection of 64 bits that lets every input bit reach every output bit (MurmurHash3's finalizer). */
static inline uint64
pa_mix64(uint64 x)
{
	x ^= x >> 33;
	x *= UINT64CONST(0xff51afd7ed558ccd);
	x ^= x >> 33;
	x *= UINT64CONST(0xc4ceb9fe1a85ec53);
	x ^= x >> 33;
	return x;
}

#endif							/* PA_KEYED_HASH_H */
