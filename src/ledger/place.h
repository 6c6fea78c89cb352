/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * place.h
 *		Where the ledger's worker left the rows that every charge changes.
 *
 * Each charge makes a new version of an account, of slots, of owners' accounts.  While an older transaction is open
 * anywhere (a dump) the versions before it stay, and whoever comes by the index of the
 * key looks at all of them.  So the worker remembers where it wrote the last one, and
 * looks there first.
 *
 * A place decides nothing: the row is taken from there only if it has the key and is
 * the version that the snapshot sees, of which there is one.  Else, because somebody
 * else has changed it or what wrote it was rolled back, it is looked up by its key.
 */
#ifndef PA_LEDGER_PLACE_H
#define PA_LEDGER_PLACE_H

#include "postgres.h"

#include "storage/itemptr.h"

/* The rows of which places are kept. */
typedef enum PaPlaceKind
{
	PA_PLACE_ACCOUNT,			/* by role */
	PA_PLACE_SLOT,				/* by number */
	PA_PLACE_OWNER,				/* by pa_place_of_owner */
	PA_PLACE_SOME_OWNER			/* of the policy, whichever: 0 */
} PaPlaceKind;

/* A tid, until the next place is noted; an invalid one if none is known. */
extern Datum pa_place_of(PaPlaceKind kind, int64 policy_id, int64 row);

/* The row was found or written there. */
extern void pa_place_note(PaPlaceKind kind, int64 policy_id, int64 row, ItemPointer place);

/* A number for an owner's name; if two have the same, one of them is looked up by its key. */
extern int64 pa_place_of_owner(const char *owner);

#endif							/* PA_LEDGER_PLACE_H */
