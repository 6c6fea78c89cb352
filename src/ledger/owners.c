/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * owners.c
 *		See owners.h.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "storage/shmem.h"
#include "utils/builtins.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"

#include "ledger/owners.h"
#include "ledger/place.h"
#include "ledger/statement.h"
#include "amount.h"

/* What lines are found by. */
typedef struct OwnerKey
{
	int64		policy_id;
	char		owner[PA_LEDGER_OWNER];
} OwnerKey;

typedef struct OwnerEntry
{
	OwnerKey	key;
	int			line;			/* amounts stand apart: they need more alignment than a hash table gives */
} OwnerEntry;

static PaStatement read_statement = {
	"SELECT r.n, o.epsilon, o.delta, o.ctid"
	" FROM ROWS FROM (pg_catalog.unnest($1), pg_catalog.unnest($2), pg_catalog.unnest($3)) WITH ORDINALITY AS r(policy_id, owner, place, n)"
	" CROSS JOIN LATERAL (SELECT coalesce((SELECT c.ctid FROM privacct.owner_account c WHERE c.ctid = r.place"
	" AND c.policy_id IS NOT DISTINCT FROM r.policy_id AND c.owner IS NOT DISTINCT FROM r.owner),"
	" (SELECT c.ctid FROM privacct.owner_account c WHERE c.policy_id = r.policy_id AND c.owner = r.owner)) OFFSET 0) at(place)"
	" JOIN privacct.owner_account o ON o.ctid = at.place",
	3, {INT8ARRAYOID, TEXTARRAYOID, TIDARRAYOID}, NULL
};

#define PA_OWNER_COLUMNS 6

/* Of those who have a row. */
static PaStatement update_statement = {
	"UPDATE privacct.owner_account o SET epsilon = o.epsilon + r.epsilon, delta = o.delta + r.delta"
	" FROM ROWS FROM (pg_catalog.unnest($1), pg_catalog.unnest($2), pg_catalog.unnest($3), pg_catalog.unnest($4),"
	" pg_catalog.unnest($5), pg_catalog.unnest($6)) AS r(policy_id, owner, epsilon, delta, place, line)"
	" WHERE o.ctid = r.place AND o.policy_id IS NOT DISTINCT FROM r.policy_id AND o.owner IS NOT DISTINCT FROM r.owner"
	" RETURNING r.line, o.ctid",
	PA_OWNER_COLUMNS, {INT8ARRAYOID, TEXTARRAYOID, NUMERICARRAYOID, NUMERICARRAYOID, TIDARRAYOID, INT4ARRAYOID}, NULL
};

/* Of those who had none when it was looked for. */
static PaStatement insert_statement = {
	"INSERT INTO privacct.owner_account AS o (policy_id, owner, epsilon, delta)"
	" SELECT r.policy_id, r.owner, r.epsilon, r.delta"
	" FROM ROWS FROM (pg_catalog.unnest($1), pg_catalog.unnest($2), pg_catalog.unnest($3), pg_catalog.unnest($4))"
	" AS r(policy_id, owner, epsilon, delta)"
	" ON CONFLICT (policy_id, owner) DO UPDATE SET epsilon = o.epsilon + excluded.epsilon, delta = o.delta + excluded.delta",
	4, {INT8ARRAYOID, TEXTARRAYOID, NUMERICARRAYOID, NUMERICARRAYOID}, NULL
};

static PaStatement spare_statement = {
	"UPDATE privacct.account a SET spared_epsilon = a.spared_epsilon + r.spared_epsilon,"
	" spared_delta = a.spared_delta + r.spared_delta,"
	" most_epsilon = greatest(a.most_epsilon, r.most_epsilon),"
	" most_delta = greatest(a.most_delta, r.most_delta)"
	" FROM ROWS FROM (pg_catalog.unnest($1), pg_catalog.unnest($2), pg_catalog.unnest($3),"
	" pg_catalog.unnest($4), pg_catalog.unnest($5), pg_catalog.unnest($6), pg_catalog.unnest($7))"
	" AS r(policy_id, spared_epsilon, spared_delta, most_epsilon, most_delta, place, line)"
	" WHERE a.ctid = r.place AND a.policy_id IS NOT DISTINCT FROM r.policy_id AND a.role IS NOT DISTINCT FROM 0::pg_catalog.oid"
	" RETURNING r.line, a.ctid",
	7, {INT8ARRAYOID, NUMERICARRAYOID, NUMERICARRAYOID, NUMERICARRAYOID, NUMERICARRAYOID, TIDARRAYOID, INT4ARRAYOID}, NULL
};

static OwnerKey
make_key(const PaChargeRequest *request, const char *owner)
{
	OwnerKey	key;

	memset(&key, 0, sizeof(key));	/* compared as bytes */
	key.policy_id = request->policy_id;
	strlcpy(key.owner, owner, PA_LEDGER_OWNER);
	return key;
}

/* The lines of the request's owners, one after another; *owner moves along the names. */
static PaOwnerLine *
next_line(const PaAccounts *accounts, const PaChargeRequest *request, const char **owner)
{
	OwnerKey	key = make_key(request, *owner);
	OwnerEntry *entry = hash_search(accounts->owner_index, &key, HASH_FIND, NULL);

	*owner += strlen(*owner) + 1;
	if (entry == NULL)
		elog(ERROR, "an owner's account was not read");
	return &accounts->owners[entry->line];
}

static int
count_names(PaLedgerSlot **slots, int count)
{
	int			names = 0;

	for (int i = 0; i < count; i++)
		names += slots[i]->request.nowners;
	return names;
}

/* Lines of all owners named, with nothing spent. */
static void
list_owners(PaAccounts *accounts, PaLedgerSlot **slots, int count)
{
	HASHCTL		control = {.keysize = sizeof(OwnerKey),.entrysize = sizeof(OwnerEntry),.hcxt = CurrentMemoryContext};
	int			names = count_names(slots, count);

	accounts->owners = pa_store_allocate(mul_size(names, sizeof(PaOwnerLine)));
	accounts->owner_index = hash_create("privacct owners", names, &control, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	for (int i = 0; i < count; i++)
	{
		const char *owner = slots[i]->request.owners;

		for (int j = 0; j < slots[i]->request.nowners; j++)
		{
			OwnerKey	key = make_key(&slots[i]->request, owner);
			bool		found;
			OwnerEntry *entry = hash_search(accounts->owner_index, &key, HASH_ENTER, &found);

			if (!found)
			{
				entry->line = accounts->nowners++;
				accounts->owners[entry->line].policy_id = key.policy_id;
				strlcpy(accounts->owners[entry->line].owner, key.owner, PA_LEDGER_OWNER);
			}
			owner += strlen(owner) + 1;
		}
	}
}

void
pa_owners_read(PaAccounts *accounts, PaLedgerSlot **slots, int count)
{
	Datum	   *policies,
			   *owners,
			   *places;
	Datum		arguments[3];

	accounts->nowners = 0;
	if (count_names(slots, count) == 0)
		return;
	list_owners(accounts, slots, count);
	policies = palloc(accounts->nowners * sizeof(Datum));
	owners = palloc(accounts->nowners * sizeof(Datum));
	places = palloc(accounts->nowners * sizeof(Datum));
	for (int i = 0; i < accounts->nowners; i++)
	{
		policies[i] = Int64GetDatum(accounts->owners[i].policy_id);
		owners[i] = CStringGetTextDatum(accounts->owners[i].owner);
		places[i] = pa_place_of(PA_PLACE_OWNER, accounts->owners[i].policy_id, pa_place_of_owner(accounts->owners[i].owner));
		ItemPointerSetInvalid(&accounts->owners[i].place);
	}
	arguments[0] = pa_statement_array(policies, accounts->nowners, INT8OID);
	arguments[1] = pa_statement_array(owners, accounts->nowners, TEXTOID);
	arguments[2] = pa_statement_array(places, accounts->nowners, TIDOID);
	pa_statement_run(&read_statement, arguments, SPI_OK_SELECT);
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		HeapTuple	row = SPI_tuptable->vals[i];
		bool		isnull;
		PaOwnerLine *line = &accounts->owners[DatumGetInt64(SPI_getbinval(row, SPI_tuptable->tupdesc, 1, &isnull)) - 1];

		if (!pa_read_amount(row, 2, &line->spent.epsilon) || !pa_read_amount(row, 3, &line->spent.delta))
			elog(ERROR, "the account of an owner is unreadable");
		ItemPointerCopy((ItemPointer) DatumGetPointer(SPI_getbinval(row, SPI_tuptable->tupdesc, 4, &isnull)), &line->place);
	}
	SPI_freetuptable(SPI_tuptable);
}

/* rho is not guarded in the regime that has owners' accounts: it is charged in full. */
PaCost
pa_owners_cost(const PaAccounts *accounts, const PaChargeRequest *request, const PaLine *total)
{
	const char *owner = request->owners;
	PaCost		cost = request->cost;

	if (request->nowners == 0 || !total->by_owner)
		return cost;
	cost.epsilon = cost.delta = 0;
	for (int i = 0; i < request->nowners; i++)
	{
		const PaOwnerLine *line = next_line(accounts, request, &owner);

		cost.epsilon = Max(cost.epsilon, line->spent.epsilon + request->cost.epsilon - total->most.epsilon);
		cost.delta = Max(cost.delta, line->spent.delta + request->cost.delta - total->most.delta);
	}
	return cost;
}

static void
charge_owner(PaOwnerLine *line, const PaCost *cost, PaCost *most)
{
	line->spent.epsilon += cost->epsilon;
	line->spent.delta += cost->delta;
	line->added.epsilon += cost->epsilon;
	line->added.delta += cost->delta;
	most->epsilon = Max(most->epsilon, line->spent.epsilon);
	most->delta = Max(most->delta, line->spent.delta);
}

void
pa_owners_charge(PaAccounts *accounts, const PaChargeRequest *request, PaLine *total, const PaCost *raised)
{
	const char *owner = request->owners;

	if (request->nowners == 0 || !total->by_owner)
		return;
	for (int i = 0; i < request->nowners; i++)
		charge_owner(next_line(accounts, request, &owner), &request->cost, &total->most);
	total->spared.epsilon += request->cost.epsilon - raised->epsilon;
	total->spared.delta += request->cost.delta - raised->delta;
}

/* What owners who have a row, or have none, were charged by the batch: columns of the statements. */
static int
list_charged(const PaAccounts *accounts, bool known, Datum *columns[PA_OWNER_COLUMNS])
{
	int			n = 0;

	for (int c = 0; c < PA_OWNER_COLUMNS; c++)
		columns[c] = palloc(accounts->nowners * sizeof(Datum));
	for (int i = 0; i < accounts->nowners; i++)
	{
		PaOwnerLine *line = &accounts->owners[i];

		if ((line->added.epsilon == 0 && line->added.delta == 0) || ItemPointerIsValid(&line->place) != known)
			continue;
		columns[0][n] = Int64GetDatum(line->policy_id);
		columns[1][n] = CStringGetTextDatum(line->owner);
		columns[2][n] = pa_amount_datum(line->added.epsilon);
		columns[3][n] = pa_amount_datum(line->added.delta);
		columns[4][n] = PointerGetDatum(&line->place);
		columns[5][n++] = Int32GetDatum(i);
	}
	return n;
}

static void
note_owners(const PaAccounts *accounts)
{
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		HeapTuple	row = SPI_tuptable->vals[i];
		bool		isnull;
		const PaOwnerLine *line = &accounts->owners[DatumGetInt32(SPI_getbinval(row, SPI_tuptable->tupdesc, 1, &isnull))];
		Datum		place = SPI_getbinval(row, SPI_tuptable->tupdesc, 2, &isnull);

		pa_place_note(PA_PLACE_OWNER, line->policy_id, pa_place_of_owner(line->owner), (ItemPointer) DatumGetPointer(place));
		pa_place_note(PA_PLACE_SOME_OWNER, line->policy_id, 0, (ItemPointer) DatumGetPointer(place));
	}
	SPI_freetuptable(SPI_tuptable);
}

static void
write_owners(const PaAccounts *accounts, bool known)
{
	static const Oid types[PA_OWNER_COLUMNS] = {INT8OID, TEXTOID, NUMERICOID, NUMERICOID, TIDOID, INT4OID};
	PaStatement *statement = known ? &update_statement : &insert_statement;
	Datum	   *columns[PA_OWNER_COLUMNS];
	Datum		arguments[PA_OWNER_COLUMNS];
	int			n = list_charged(accounts, known, columns);

	if (n == 0)
		return;
	for (int c = 0; c < statement->nargs; c++)
		arguments[c] = pa_statement_array(columns[c], n, types[c]);
	pa_statement_run(statement, arguments, known ? SPI_OK_UPDATE_RETURNING : SPI_OK_INSERT);
	if (SPI_processed != (uint64) n)
		elog(ERROR, "the ledger wrote " UINT64_FORMAT " of %d accounts of owners", SPI_processed, n);
	if (known)
		note_owners(accounts);
}

static void
write_spared(const PaAccounts *accounts)
{
	static const Oid types[7] = {INT8OID, NUMERICOID, NUMERICOID, NUMERICOID, NUMERICOID, TIDOID, INT4OID};
	Datum	   *columns[7];
	Datum		arguments[7];
	int			n = 0;

	for (int c = 0; c < 7; c++)
		columns[c] = palloc(accounts->nlines * sizeof(Datum));
	for (int i = 0; i < accounts->nlines; i++)
	{
		PaLine	   *line = &accounts->lines[i];

		if (!line->by_owner || line->releases == 0)
			continue;
		columns[0][n] = Int64GetDatum(line->policy_id);
		columns[1][n] = pa_amount_datum(line->spared.epsilon);
		columns[2][n] = pa_amount_datum(line->spared.delta);
		columns[3][n] = pa_amount_datum(line->most.epsilon);
		columns[4][n] = pa_amount_datum(line->most.delta);
		columns[5][n] = PointerGetDatum(&line->place);
		columns[6][n] = Int32GetDatum(i);
		n++;
	}
	for (int c = 0; c < 7; c++)
		arguments[c] = pa_statement_array(columns[c], n, types[c]);
	pa_statement_run(&spare_statement, arguments, SPI_OK_UPDATE_RETURNING);
	if (SPI_processed != (uint64) n)
		elog(ERROR, "the ledger found " UINT64_FORMAT " of %d accounts with owners", SPI_processed, n);
	pa_store_note_places(accounts);
}

void
pa_owners_write(const PaAccounts *accounts)
{
	if (accounts->nowners == 0)
		return;
	write_owners(accounts, true);
	write_owners(accounts, false);
	write_spared(accounts);
}
