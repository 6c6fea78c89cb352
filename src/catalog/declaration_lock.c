/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * declaration_lock.c
 *		See declaration_lock.h.
 *
 * A lock per relation: exclusive for who changes it or declares it protected, shared
 * for who looks at it.  Nobody waits for what concerns other relations, and nobody
 * who looks for others who look.  However many relations a command concerns, each is
 * locked by itself: one lock for all would let whoever has many of their own hold up
 * everybody else.
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"
#include "storage/lock.h"

#include "catalog/charge_lock.h"
#include "catalog/declaration_lock.h"
#include "catalog/near.h"

typedef struct Held
{
	Oid			relation;
	bool		changed;
} Held;

/* returns whether it was not held before */
static bool
lock(Oid relation, LOCKMODE mode)
{
	LOCKTAG		tag;

	SET_LOCKTAG_ADVISORY(tag, MyDatabaseId, 0, relation, PA_LOCK_DECLARATION);
	return LockAcquire(&tag, mode, false, false) == LOCKACQUIRE_OK;
}

static int
compare_held(const void *a, const void *b)
{
	const Held *x = a;
	const Held *y = b;

	if (x->relation != y->relation)
		return x->relation < y->relation ? -1 : 1;
	return (int) y->changed - (int) x->changed;
}

static int
add_held(const List *relations, bool changed, Held *held)
{
	int			count = list_length(relations);

	for (int i = 0; i < count; i++)
		held[i] = (Held) {.relation = list_nth_oid(relations, i), .changed = changed};
	return count;
}

/* In the order of numbers, so that two of these do not wait for each other. */
bool
pa_hold_relations(const List *changed, const List *seen)
{
	Held	   *held = palloc(sizeof(Held) * Max(list_length(changed) + list_length(seen), 1));
	int			n = add_held(changed, true, held);
	bool		new = false;

	n += add_held(seen, false, held + n);
	qsort(held, n, sizeof(Held), compare_held);
	for (int i = 0; i < n; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (i == 0 || held[i].relation != held[i - 1].relation)
			new |= lock(held[i].relation, held[i].changed ? ExclusiveLock : ShareLock);
	}
	pfree(held);
	return new;
}

/* _hold_grants(relation): waits for grants that may concern the table and holds others back, until the transaction ends */
PG_FUNCTION_INFO_V1(pa_hold_grants);
PGDLLEXPORT Datum
pa_hold_grants(PG_FUNCTION_ARGS)
{
	lock(PG_GETARG_OID(0), ExclusiveLock);
	PG_RETURN_VOID();
}

/* _hold(changed, seen): see declaration_lock.h */
PG_FUNCTION_INFO_V1(pa_hold);
PGDLLEXPORT Datum
pa_hold(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(pa_hold_relations(pa_relations_of_array(PG_GETARG_ARRAYTYPE_P(0)), pa_relations_of_array(PG_GETARG_ARRAYTYPE_P(1))));
}
