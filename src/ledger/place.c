/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * place.c
 *		See place.h.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"

#include "ledger/place.h"

/* Forgotten all at once when there are so many: owners may be any number. */
#define MOST_PLACES 65536

typedef struct PlaceKey
{
	int64		kind;			/* no padding: compared as bytes */
	int64		policy_id;
	int64		row;
} PlaceKey;

typedef struct Place
{
	PlaceKey	key;
	ItemPointerData place;
} Place;

static HTAB *places = NULL;

static Place *
find(PaPlaceKind kind, int64 policy_id, int64 row, HASHACTION action)
{
	HASHCTL		ctl = {.keysize = sizeof(PlaceKey), .entrysize = sizeof(Place), .hcxt = TopMemoryContext};
	PlaceKey	key = {kind, policy_id, row};

	if (places == NULL)
		places = hash_create("privacct places of rows", 64, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	return hash_search(places, &key, action, NULL);
}

Datum
pa_place_of(PaPlaceKind kind, int64 policy_id, int64 row)
{
	static ItemPointerData nowhere;
	Place	   *entry = find(kind, policy_id, row, HASH_FIND);

	ItemPointerSetInvalid(&nowhere);
	return PointerGetDatum(entry ? &entry->place : &nowhere);
}

void
pa_place_note(PaPlaceKind kind, int64 policy_id, int64 row, ItemPointer place)
{
	if (places != NULL && hash_get_num_entries(places) >= MOST_PLACES)
	{
		hash_destroy(places);
		places = NULL;
	}
	ItemPointerCopy(place, &find(kind, policy_id, row, HASH_ENTER)->place);
}

int64
pa_place_of_owner(const char *owner)
{
	return DatumGetInt64(hash_any_extended((const unsigned char *) owner, strlen(owner), 0));
}
