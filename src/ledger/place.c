/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * place.c
 *		See place.h.
 */
#include "postgres.h"

#include "utils/hsearch.h"
#include "utils/memutils.h"

#include "ledger/place.h"

typedef struct PlaceKey
{
	int64		policy_id;
	int64		role;			/* no padding: compared as bytes */
} PlaceKey;

typedef struct Place
{
	PlaceKey	key;
	ItemPointerData place;
} Place;

static HTAB *places = NULL;

/* Invalid when it is new; as many as there are accounts that were charged. */
static Place *
find_or_add(int64 policy_id, Oid role)
{
	HASHCTL		ctl = {.keysize = sizeof(PlaceKey), .entrysize = sizeof(Place), .hcxt = TopMemoryContext};
	PlaceKey	key = {policy_id, role};
	Place	   *entry;
	bool		found;

	if (places == NULL)
		places = hash_create("privacct places of accounts", 64, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	entry = hash_search(places, &key, HASH_ENTER, &found);
	if (!found)
		ItemPointerSetInvalid(&entry->place);
	return entry;
}

Datum
pa_place_of(int64 policy_id, Oid role)
{
	return PointerGetDatum(&find_or_add(policy_id, role)->place);
}

void
pa_place_note(int64 policy_id, Oid role, ItemPointer place)
{
	ItemPointerCopy(place, &find_or_add(policy_id, role)->place);
}
