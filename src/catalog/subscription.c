/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * subscription.c
 *		See subscription.h.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_subscription_rel.h"
#include "utils/lsyscache.h"

#include "catalog/extension.h"
#include "catalog/subscription.h"

bool
pa_books_are_subscribed(void)
{
	Oid			schema = pa_schema();
	Relation	subscribed = table_open(SubscriptionRelRelationId, AccessShareLock);
	SysScanDesc scan = systable_beginscan(subscribed, InvalidOid, false, NULL, 0, NULL);
	HeapTuple	tuple;
	bool		found = false;

	while (!found && HeapTupleIsValid(tuple = systable_getnext(scan)))
		found = get_rel_namespace(((Form_pg_subscription_rel) GETSTRUCT(tuple))->srrelid) == schema;
	systable_endscan(scan);
	table_close(subscribed, AccessShareLock);
	return found;
}
