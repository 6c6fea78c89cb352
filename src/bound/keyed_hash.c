/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * keyed_hash.c
 *		See keyed_hash.h.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/uuid.h"

#include "compat/version.h"
#include "bound/keyed_hash.h"
#include "catalog/owner_key.h"

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
	switch (pa_owner_key(owner_type))
	{
		case PA_OWNER_KEY_INTEGER:
			return hash_number(secret, pa_owner_integer(owner_type, owner));
		case PA_OWNER_KEY_UUID:
			return pa_keyed_hash64(secret, DatumGetUUIDP(owner)->data, UUID_LEN);
		case PA_OWNER_KEY_TEXT:
			return hash_text(secret, owner);
		case PA_OWNER_KEY_NONE:
			break;
	}
	elog(ERROR, "type %u has no keys of owners", owner_type);
}
