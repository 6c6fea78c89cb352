/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * account.c
 *		Caps and running sums as they stand, read without locks.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/namespace.h"
#include "catalog/pg_collation_d.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "catalog/account.h"
#include "catalog/policy.h"

/* A numeric column by name as an amount; 0 where it is NULL. */
static PaAmount
amount_column(HeapTuple tuple, Relation rel, const char *name)
{
	bool		isnull;
	Datum		value = heap_getattr(tuple, get_attnum(RelationGetRelid(rel), name), RelationGetDescr(rel), &isnull);
	PaAmount	amount = 0;

	if (!isnull)
		(void) pa_amount_parse(DatumGetCString(DirectFunctionCall1(numeric_out, value)), &amount);
	return amount;
}

static bool
has_key(HeapTuple tuple, Relation rel, int64 policy_id, Oid role)
{
	AttrNumber	role_column = get_attnum(RelationGetRelid(rel), "role");
	AttrNumber	policy_column = get_attnum(RelationGetRelid(rel), "policy_id");
	bool		isnull;

	if (DatumGetInt64(heap_getattr(tuple, policy_column, RelationGetDescr(rel), &isnull)) != policy_id)
		return false;
	return role_column == InvalidAttrNumber ||
		DatumGetObjectId(heap_getattr(tuple, role_column, RelationGetDescr(rel), &isnull)) == role;
}

/* Reads three columns (rho may be none) of the row of a relation; false if there is no such row. */
static bool
read_cost(const char *relation, int64 policy_id, Oid role, const char *epsilon, const char *delta, const char *rho, PaCost *cost)
{
	Relation	rel = table_open(pa_catalog_relation(relation), AccessShareLock);
	SysScanDesc scan = systable_beginscan(rel, InvalidOid, false, NULL, 0, NULL);
	HeapTuple	tuple;
	bool		found = false;

	while (!found && HeapTupleIsValid(tuple = systable_getnext(scan)))
		if (has_key(tuple, rel, policy_id, role))
		{
			cost->epsilon = amount_column(tuple, rel, epsilon);
			cost->delta = amount_column(tuple, rel, delta);
			cost->rho = rho ? amount_column(tuple, rel, rho) : 0;
			found = true;
		}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return found;
}

/* The most that one of the owners was charged by name. */
static PaCost
most_of(int64 policy_id, List *owners)
{
	Relation	rel = table_open(pa_catalog_relation("owner_account"), AccessShareLock);
	PaCost		most = {0};
	ListCell   *cell;

	foreach(cell, owners)
	{
		ScanKeyData keys[2];
		SysScanDesc scan;
		HeapTuple	tuple;

		ScanKeyInit(&keys[0], get_attnum(RelationGetRelid(rel), "policy_id"), BTEqualStrategyNumber, F_INT8EQ, Int64GetDatum(policy_id));
		ScanKeyEntryInitialize(&keys[1], 0, get_attnum(RelationGetRelid(rel), "owner"), BTEqualStrategyNumber, InvalidOid,
							   C_COLLATION_OID, F_TEXTEQ, CStringGetTextDatum(lfirst(cell)));
		scan = systable_beginscan(rel, pa_catalog_relation("owner_account_pkey"), true, NULL, 2, keys);
		while (HeapTupleIsValid(tuple = systable_getnext(scan)))
		{
			most.epsilon = Max(most.epsilon, amount_column(tuple, rel, "epsilon"));
			most.delta = Max(most.delta, amount_column(tuple, rel, "delta"));
		}
		systable_endscan(scan);
	}
	table_close(rel, AccessShareLock);
	return most;
}

/* What a policy has spent is what the owner charged most was, or the most charged of some owners. */
static bool
read_spent(int64 policy_id, List *owners, PaCost *spent)
{
	PaCost		spared,
				most = {0},
				most_named = {0};

	if (!read_cost("account", policy_id, InvalidOid, "epsilon", "delta", "rho", spent) ||
		!read_cost("account", policy_id, InvalidOid, "spared_epsilon", "spared_delta", NULL, &spared))
		return false;
	if (owners != NIL)
	{
		if (!read_cost("account", policy_id, InvalidOid, "most_epsilon", "most_delta", NULL, &most))
			return false;
		most_named = most_of(policy_id, owners);
	}
	spent->epsilon -= spared.epsilon + most.epsilon - most_named.epsilon;
	spent->delta -= spared.delta + most.delta - most_named.delta;
	return true;
}

int64
pa_releases_left_of_policy(const PaPolicy *policy, List *owners, const PaCost *cost)
{
	PaAccount	account = {.accountant = policy->accountant};

	if (!read_cost("policy", policy->unit, InvalidOid, "epsilon", "cap_delta", "cap_rho", &account.cap) ||
		!read_spent(policy->unit, owners, &account.spent))
		return 0;
	return pa_account_releases_left(&account, cost);
}

int64
pa_releases_left_of_quota(const PaPolicy *policy, Oid payer, const PaCost *cost)
{
	PaAccount	account = {.accountant = policy->accountant};

	if (!read_cost("quota", policy->unit, payer, "epsilon", "cap_delta", "cap_rho", &account.cap) ||
		!read_cost("account", policy->unit, payer, "epsilon", "delta", "rho", &account.spent))
		return 0;
	return pa_account_releases_left(&account, cost);
}
