/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * owner_key.h
 *		What the key of an owner is made of, by the type of the owner column.
 *
 * Whoever reads a value of an owner column, or allows the column another type, asks
 * here.  Of two types with the same kind of key a value that is cast from one to the
 * other keeps its key, and books that are kept by keys (those of the local regime)
 * find their owner again.
 */
#ifndef PA_OWNER_KEY_H
#define PA_OWNER_KEY_H

#include "postgres.h"

#include "catalog/pg_type.h"

typedef enum PaOwnerKey
{
	PA_OWNER_KEY_NONE,			/* not the type of an owner column */
	PA_OWNER_KEY_INTEGER,		/* the number */
	PA_OWNER_KEY_UUID,			/* its 16 bytes */
	PA_OWNER_KEY_TEXT			/* the bytes in the server's encoding */
} PaOwnerKey;

static inline PaOwnerKey
pa_owner_key(Oid type)
{
	switch (type)
	{
		case INT2OID:
		case INT4OID:
		case INT8OID:
			return PA_OWNER_KEY_INTEGER;
		case UUIDOID:
			return PA_OWNER_KEY_UUID;
		case TEXTOID:
		case VARCHAROID:
			return PA_OWNER_KEY_TEXT;
		default:
			return PA_OWNER_KEY_NONE;
	}
}

/* Of a type whose key is the number. */
static inline int64
pa_owner_integer(Oid type, Datum owner)
{
	return type == INT2OID ? DatumGetInt16(owner) : type == INT4OID ? DatumGetInt32(owner) : DatumGetInt64(owner);
}

/* Whether a type of pg_catalog, by its name, has the kind of key that another type has. */
extern bool pa_owner_key_is(const char *name, Oid type);

#endif							/* PA_OWNER_KEY_H */
