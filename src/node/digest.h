/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * digest.h
 *		Hashes of what tells releases from each other.
 */
#ifndef PA_DIGEST_H
#define PA_DIGEST_H

#include "postgres.h"

#include <sodium.h>

#include "core/accounting/budget.h"

#include "price/release.h"

typedef struct PaDigest
{
	crypto_generichash_state state;
} PaDigest;

extern void pa_digest_begin(PaDigest *digest, Size bytes);
extern void pa_digest_end(PaDigest *digest, unsigned char *hash, Size bytes);

extern void pa_digest_bytes(PaDigest *digest, const void *bytes, Size length);

/* What has no length of its own is preceded by it. */
extern void pa_digest_sized(PaDigest *digest, const void *bytes, Size length);
extern void pa_digest_text(PaDigest *digest, const char *text);
extern void pa_digest_number(PaDigest *digest, int64 number);
extern void pa_digest_real(PaDigest *digest, double number);
extern void pa_digest_datum(PaDigest *digest, Oid type, Datum value, bool isnull);

/* Settings of the session that decide the meaning of functions; and whose books pay for which tables, by which policies. */
extern void pa_digest_settings(PaDigest *digest);
extern void pa_digest_policies(PaDigest *digest, const PaRelease *release);

/* What a statistic is the sum of, whatever its noise. */
extern void pa_digest_statistic(PaDigest *digest, const PaStatistic *statistic);

#endif							/* PA_DIGEST_H */
