/*
 * keyed_hash.c
 *		See keyed_hash.h.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "utils/uuid.h"

#include "aggregate/keyed_hash.h"

static uint64
hash_number(const uint8 *secret, int64 number)
{
	return pa_keyed_hash64(secret, &number, sizeof(number));
}

static uint64
hash_text(const uint8 *secret, Datum owner)
{
	struct varlena *text = PG_DETOAST_DATUM_PACKED(owner);
	uint64		hash = pa_keyed_hash64(secret, VARDATA_ANY(text), VARSIZE_ANY_EXHDR(text));

	if ((Pointer) text != DatumGetPointer(owner))
		pfree(text);
	return hash;
}

uint64
pa_owner_hash64(const uint8 *secret, Oid owner_type, Datum owner)
{
	switch (owner_type)
	{
		case INT2OID:
			return hash_number(secret, DatumGetInt16(owner));
		case INT4OID:
			return hash_number(secret, DatumGetInt32(owner));
		case INT8OID:
			return hash_number(secret, DatumGetInt64(owner));
		case UUIDOID:
			return pa_keyed_hash64(secret, DatumGetUUIDP(owner)->data, UUID_LEN);
		default:
			return hash_text(secret, owner);
	}
}
