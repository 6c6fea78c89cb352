/*
 * sample.c
 *		A Poisson sample of owners: each is in it or not, with all their rows.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "utils/uuid.h"

#include "aggregate/keyed_hash.h"
#include "aggregate/sample.h"

PaSample
pa_sample_draw(double rate)
{
	PaSample	sample = {.everybody = rate >= 1};

	if (sample.everybody)
		return sample;
	sample.threshold = (uint64) ldexp(rate, 64);
	if (!pg_strong_random(sample.key, PA_SAMPLE_KEY))
		ereport(ERROR,
				errcode(ERRCODE_INTERNAL_ERROR),
				errmsg("could not draw a sample of owners"),
				errdetail("The operating system gave no random bits."));
	return sample;
}

static uint64
hash_number(const PaSample *sample, int64 number)
{
	return pa_keyed_hash64(sample->key, &number, sizeof(number));
}

static uint64
hash_text(const PaSample *sample, Datum owner)
{
	struct varlena *text = PG_DETOAST_DATUM_PACKED(owner);
	uint64		hash = pa_keyed_hash64(sample->key, VARDATA_ANY(text), VARSIZE_ANY_EXHDR(text));

	if ((Pointer) text != DatumGetPointer(owner))
		pfree(text);
	return hash;
}

/* Equal owners have equal bytes: the types of owner columns are those of owner_table.c. */
bool
pa_sample_has(const PaSample *sample, Oid owner_type, Datum owner)
{
	if (sample->everybody)
		return true;
	switch (owner_type)
	{
		case INT2OID:
			return hash_number(sample, DatumGetInt16(owner)) < sample->threshold;
		case INT4OID:
			return hash_number(sample, DatumGetInt32(owner)) < sample->threshold;
		case INT8OID:
			return hash_number(sample, DatumGetInt64(owner)) < sample->threshold;
		case UUIDOID:
			return pa_keyed_hash64(sample->key, DatumGetUUIDP(owner)->data, UUID_LEN) < sample->threshold;
		default:
			return hash_text(sample, owner) < sample->threshold;
	}
}
