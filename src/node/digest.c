/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * digest.c
 *		See digest.h.
 */
#include "postgres.h"

#include "utils/datum.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"

#include "node/digest.h"

static const char *const settings[] = {
	"TimeZone", "timezone_abbreviations", "DateStyle", "IntervalStyle", "extra_float_digits", "bytea_output", "array_nulls",
	"lc_collate", "lc_ctype", "lc_messages", "lc_monetary", "lc_numeric", "lc_time", "xmlbinary", "xmloption",
	"default_text_search_config", "quote_all_identifiers", "search_path", "client_encoding"
};

void
pa_digest_begin(PaDigest *digest, Size bytes)
{
	crypto_generichash_init(&digest->state, NULL, 0, bytes);
}

void
pa_digest_end(PaDigest *digest, unsigned char *hash, Size bytes)
{
	crypto_generichash_final(&digest->state, hash, bytes);
}

void
pa_digest_bytes(PaDigest *digest, const void *bytes, Size length)
{
	crypto_generichash_update(&digest->state, bytes, length);
}

void
pa_digest_sized(PaDigest *digest, const void *bytes, Size length)
{
	uint64		size = length;

	pa_digest_bytes(digest, &size, sizeof(size));
	pa_digest_bytes(digest, bytes, length);
}

void
pa_digest_text(PaDigest *digest, const char *text)
{
	pa_digest_sized(digest, text ? text : "", text ? strlen(text) : 0);
}

void
pa_digest_number(PaDigest *digest, int64 number)
{
	pa_digest_bytes(digest, &number, sizeof(number));
}

void
pa_digest_real(PaDigest *digest, double number)
{
	pa_digest_bytes(digest, &number, sizeof(number));
}

void
pa_digest_datum(PaDigest *digest, Oid type, Datum value, bool isnull)
{
	int16		length;
	bool		by_value;
	Size		size;
	char	   *image;
	char	   *end;

	get_typlenbyval(type, &length, &by_value);
	if (!isnull && length == -1)
		value = PointerGetDatum(PG_DETOAST_DATUM(value));
	size = datumEstimateSpace(value, isnull, by_value, length);
	image = end = palloc0(size);
	datumSerialize(value, isnull, by_value, length, &end);
	pa_digest_number(digest, type);
	pa_digest_sized(digest, image, end - image);
	pfree(image);
}

void
pa_digest_settings(PaDigest *digest)
{
	for (int i = 0; i < lengthof(settings); i++)
		pa_digest_text(digest, GetConfigOption(settings[i], true, false));
}

void
pa_digest_policies(PaDigest *digest, const PaRelease *release)
{
	pa_digest_number(digest, release->policy->unit);
	pa_digest_number(digest, release->spec->ntables);
	for (int i = 0; i < release->spec->ntables; i++)
	{
		pa_digest_number(digest, release->policies[i]->policy_id);
		pa_digest_number(digest, release->policies[i]->relation);
	}
}

void
pa_digest_statistic(PaDigest *digest, const PaStatistic *statistic)
{
	pa_digest_number(digest, statistic->kind);
	pa_digest_real(digest, statistic->lo);
	pa_digest_real(digest, statistic->hi);
	pa_digest_real(digest, statistic->centre);
	pa_digest_number(digest, statistic->exponent);
	pa_digest_number(digest, statistic->row_lo);
	pa_digest_number(digest, statistic->row_hi);
	pa_digest_number(digest, statistic->owner_lo);
	pa_digest_number(digest, statistic->owner_hi);
	pa_digest_number(digest, statistic->max_rows);
	pa_digest_number(digest, statistic->exact);
}
