/*
 * account.c
 *		Caps and running sums as they stand, read without locks.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/namespace.h"
#include "utils/builtins.h"
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

/* Reads three columns of the row of a relation; false if there is no such row. */
static bool
read_cost(const char *relation, int64 policy_id, Oid role, const char *delta, const char *rho, PaCost *cost)
{
	Relation	rel = table_open(get_relname_relid(relation, pa_schema()), AccessShareLock);
	SysScanDesc scan = systable_beginscan(rel, InvalidOid, false, NULL, 0, NULL);
	HeapTuple	tuple;
	bool		found = false;

	while (!found && HeapTupleIsValid(tuple = systable_getnext(scan)))
		if (has_key(tuple, rel, policy_id, role))
		{
			cost->epsilon = amount_column(tuple, rel, "epsilon");
			cost->delta = amount_column(tuple, rel, delta);
			cost->rho = amount_column(tuple, rel, rho);
			found = true;
		}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return found;
}

static int64
left_of(const char *caps, int64 policy_id, Oid role, PaAccountant accountant, const PaCost *cost)
{
	PaAccount	account = {.accountant = accountant};

	if (!read_cost(caps, policy_id, role, "cap_delta", "cap_rho", &account.cap) ||
		!read_cost("account", policy_id, role, "delta", "rho", &account.spent))
		return 0;
	return pa_account_releases_left(&account, cost);
}

int64
pa_releases_left(const PaPolicy *policy, Oid payer, const PaCost *cost)
{
	int64		quota = left_of("quota", policy->policy_id, payer, policy->accountant, cost);

	if (policy->local)
		return quota;
	return Min(quota, left_of("policy", policy->policy_id, InvalidOid, policy->accountant, cost));
}
