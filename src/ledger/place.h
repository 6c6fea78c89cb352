/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * place.h
 *		Where the ledger's worker left the rows that every charge changes.
 *
 * Each charge makes a new version of an account.  While an older transaction is open
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

/* Of an account, as a tid; an invalid one if none is known. */
extern Datum pa_place_of(int64 policy_id, Oid role);

/* The account was found or written there. */
extern void pa_place_note(int64 policy_id, Oid role, ItemPointer place);

#endif							/* PA_LEDGER_PLACE_H */
