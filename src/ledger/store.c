/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * store.c
 *		The tables behind the ledger, read and written through SPI.
 *
 * All statements take arrays, one element per purse, charge or account line,
 * so that a batch costs three statements whatever its size, and two more each if
 * it asks for slots of a plan or names owners.  Caps are cut off after
 * PA_AMOUNT_DIGITS digits (down), sums are rounded up by pa_amount_parse.
 *
 * The sums are added to, never overwritten, so that they stay the sums of the
 * ledger even if an administrator has meddled with them.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "commands/sequence.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "storage/shmem.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"

#include "catalog/extension.h"
#include "catalog/price.h"
#include "ledger/place.h"
#include "ledger/statement.h"
#include "ledger/store.h"
#include "amount.h"

#define PA_COST_COLUMNS(alias) alias ".epsilon, " alias ".delta, " alias ".rho"
#define PA_CAP(column) "pg_catalog.trunc(" column ", 30)"

StaticAssertDecl(PA_AMOUNT_DIGITS == 30, "caps are cut off in SQL");

/* The columns of a row of read_statement. */
enum
{
	COL_N = 1,
	COL_ACCOUNTANT,
	COL_OPEN,
	COL_LOCAL,
	COL_GRANTED,
	COL_CAP_OF_POLICY,			/* epsilon, delta, rho */
	COL_CAP_OF_QUOTA = COL_CAP_OF_POLICY + 3,
	COL_TOTAL = COL_CAP_OF_QUOTA + 3,
	COL_SPENT = COL_TOTAL + 3,
	COL_BY_OWNER = COL_SPENT + 3,
	COL_MOST,					/* epsilon, delta */
	COL_MIN_EPSILON = COL_MOST + 2,
	COL_DEFAULT_FLOOR,
	COL_COMPLETE,
	COL_PLACE_OF_TOTAL,
	COL_PLACE_OF_SPENT
};

/*
 * The row of an account: where it was last (place.h), or else by its key.  No index
 * finds what is "not distinct".
 */
#define PA_PLACE(place, role) \
	"coalesce((SELECT c.ctid FROM privacct.account c WHERE c.ctid = " place \
	" AND c.policy_id IS NOT DISTINCT FROM r.policy_id AND c.role IS NOT DISTINCT FROM " role ")," \
	" (SELECT c.ctid FROM privacct.account c WHERE c.policy_id = r.policy_id AND c.role = " role "))"

static PaStatement read_statement = {
	"SELECT r.n, p.accountant,"
	" p.policy_id IS NOT NULL AND p.closed_at IS NULL AND g.in_force, p.regime = 'local',"
	" q.policy_id IS NOT NULL,"
	" " PA_CAP("p.epsilon") ", " PA_CAP("p.cap_delta") ", " PA_CAP("p.cap_rho") ","
	" " PA_CAP("q.epsilon") ", " PA_CAP("q.cap_delta") ", " PA_CAP("q.cap_rho") ","
	" t.epsilon - t.spared_epsilon, t.delta - t.spared_delta, t.rho, " PA_COST_COLUMNS("m") ","
	" p.regime = 'pufferfish', t.most_epsilon, t.most_delta, g.min_epsilon, g.default_floor,"
	" t.policy_id IS NOT NULL AND m.policy_id IS NOT NULL AND CASE p.regime"
	" WHEN 'pufferfish' THEN (SELECT (v.epsilon, v.delta) = (p.epsilon, p.delta) FROM privacct.prior v WHERE v.policy_id = p.policy_id ORDER BY v.version DESC LIMIT 1)"
	" AND (t.most_epsilon + t.most_delta = 0"
	" OR EXISTS (SELECT FROM privacct.owner_account o WHERE o.ctid = r.owner AND o.policy_id IS NOT DISTINCT FROM p.policy_id)"
	" OR EXISTS (SELECT FROM privacct.owner_account o WHERE o.policy_id = p.policy_id))"
	" AND EXISTS (SELECT FROM privacct.domain d WHERE d.policy_id = p.policy_id)"
	" AND EXISTS (SELECT FROM privacct.public_column c WHERE c.policy_id = p.policy_id AND c.order_position IS NOT NULL)"
	" WHEN 'local' THEN EXISTS (SELECT FROM privacct.owner_state_at s WHERE s.policy_id = p.policy_id)"
	" OR NOT EXISTS (SELECT FROM privacct.inherited i WHERE i.policy_id = p.policy_id AND i.lost IS NOT NULL)"
	" ELSE true END"
	" AND g.noticed"
	" AND EXISTS (SELECT FROM privacct.home h WHERE h.database = $3 AND privacct._timeline_is_followed(h.cluster, h.timeline) AND CASE WHEN h.last_charge IS NULL"
	" THEN EXISTS (SELECT FROM privacct.identity i WHERE i.books = h.books)"
	" ELSE EXISTS (SELECT FROM privacct.ledger_line l WHERE l.charge_id = h.last_charge AND l.charged_at = h.charged_at)"
	" AND (h.dropped_books IS NULL OR EXISTS (SELECT FROM privacct.identity i WHERE i.books = h.dropped_books))"
	" AND EXISTS (SELECT FROM privacct._recorded c WHERE c.questions >= h.dropped_questions)"
	" AND privacct._agree() END)"
	" AND (SELECT pg_catalog.count(*) FROM privacct.identity) <= 1"
	" AND (p.regime <> 'local' OR NOT EXISTS (SELECT FROM privacct._recoded c WHERE c.policy_id = p.policy_id)),"
	" t.ctid, m.ctid"
	" FROM ROWS FROM (pg_catalog.unnest($1), pg_catalog.unnest($2), pg_catalog.unnest($4), pg_catalog.unnest($5), pg_catalog.unnest($6), pg_catalog.unnest($7))"
	" WITH ORDINALITY AS r(policy_id, payer, total, spent, owner, tables, n)"
	" CROSS JOIN LATERAL (SELECT " PA_PLACE("r.total", "0::pg_catalog.oid") ", " PA_PLACE("r.spent", "r.payer") " OFFSET 0) at(total, spent)"
	" LEFT JOIN privacct.policy p ON p.policy_id = r.policy_id"
	" CROSS JOIN LATERAL (SELECT pg_catalog.max(o.min_epsilon), pg_catalog.bool_or(o.min_epsilon IS NULL),"
	" coalesce(pg_catalog.bool_and(o.policy_id IS NOT NULL AND o.closed_at IS NULL AND o.name IS NULL"
	" AND (o.policy_id = p.policy_id OR o.unit = p.policy_id AND p.name IS NOT NULL AND o.regime = p.regime)), false),"
	" pg_catalog.bool_and(EXISTS (SELECT FROM privacct.history c WHERE c.policy_id = o.policy_id AND c.relation = o.relation AND c.left_at IS NULL))"
	" FROM pg_catalog.unnest(r.tables::pg_catalog.int8[]) m(id) LEFT JOIN privacct.policy o ON o.policy_id = m.id)"
	" g(min_epsilon, default_floor, in_force, noticed)"
	" LEFT JOIN privacct.account t ON t.ctid = at.total"
	" LEFT JOIN privacct.quota q ON q.policy_id = r.policy_id AND q.role = r.payer"
	" LEFT JOIN privacct.account m ON m.ctid = at.spent",
	7, {INT8ARRAYOID, OIDARRAYOID, OIDOID, TIDARRAYOID, TIDARRAYOID, TIDARRAYOID, TEXTARRAYOID}, NULL
};

static PaStatement last_statement = {
	"SELECT greatest((SELECT pg_catalog.max(l.charge_id) FROM privacct.ledger_line l),"
	" (SELECT pg_catalog.max(s.charge_id) FROM privacct.ledger_sum s WHERE s.policy_id = ANY ($1)), 0)",
	1, {INT8ARRAYOID}, NULL
};

/* A charge that is like an earlier one of the policy refers to its description; see migrations/parts/40_ledger.sql. */
static PaStatement insert_statement = {
	"INSERT INTO privacct.ledger_line"
	" (charge_id, policy_id, charged_at, role, payer, epsilon, delta, rho, detail, detail_of)"
	" SELECT r.charge_id, r.policy_id, pg_catalog.clock_timestamp(), r.role, nullif(r.payer, r.role),"
	" r.epsilon, r.delta, r.rho,"
	" CASE WHEN d.charge_id IS NULL THEN j.detail ELSE privacct._deciding(j.detail) END, d.charge_id"
	" FROM ROWS FROM (pg_catalog.unnest($1), pg_catalog.unnest($2), pg_catalog.unnest($3),"
	" pg_catalog.unnest($4), pg_catalog.unnest($5), pg_catalog.unnest($6),"
	" pg_catalog.unnest($7), pg_catalog.unnest($8))"
	" AS r(charge_id, policy_id, role, payer, epsilon, delta, rho, detail)"
	" CROSS JOIN LATERAL (SELECT r.detail) j(detail)"
	" LEFT JOIN LATERAL (SELECT l.charge_id FROM privacct.ledger_line l"
	" WHERE l.policy_id = r.policy_id AND l.detail_of IS NULL AND l.detail = j.detail"
	" AND pg_catalog.jsonb_hash_extended(l.detail, 0) = pg_catalog.jsonb_hash_extended(j.detail, 0) LIMIT 1) d ON true",
	8, {INT8ARRAYOID, INT8ARRAYOID, TEXTARRAYOID, TEXTARRAYOID,
	NUMERICARRAYOID, NUMERICARRAYOID, NUMERICARRAYOID, JSONBARRAYOID}, NULL
};

static PaStatement update_statement = {
	"UPDATE privacct.account a SET epsilon = a.epsilon + r.epsilon,"
	" delta = a.delta + r.delta, rho = a.rho + r.rho,"
	" releases = a.releases + r.releases"
	" FROM ROWS FROM (pg_catalog.unnest($1), pg_catalog.unnest($2), pg_catalog.unnest($3),"
	" pg_catalog.unnest($4), pg_catalog.unnest($5), pg_catalog.unnest($6), pg_catalog.unnest($7), pg_catalog.unnest($8))"
	" AS r(policy_id, role, epsilon, delta, rho, releases, place, line)"
	" WHERE a.ctid = r.place AND a.policy_id IS NOT DISTINCT FROM r.policy_id AND a.role IS NOT DISTINCT FROM r.role"
	" RETURNING r.line, a.ctid",
	8, {INT8ARRAYOID, OIDARRAYOID, NUMERICARRAYOID, NUMERICARRAYOID, NUMERICARRAYOID,
	INT8ARRAYOID, TIDARRAYOID, INT4ARRAYOID}, NULL
};

static PaStatement read_slots_statement = {
	"SELECT s.policy_id, s.plan_id, s.slot, s.role, s.releases - s.used, s.ctid"
	" FROM ROWS FROM (pg_catalog.unnest($1), pg_catalog.unnest($2), pg_catalog.unnest($3)) AS r(policy_id, slot, place)"
	" CROSS JOIN LATERAL (SELECT coalesce((SELECT c.ctid FROM privacct.slot c WHERE c.ctid = r.place"
	" AND c.policy_id IS NOT DISTINCT FROM r.policy_id AND c.slot IS NOT DISTINCT FROM r.slot),"
	" (SELECT c.ctid FROM privacct.slot c WHERE c.policy_id = r.policy_id AND c.slot = r.slot)) OFFSET 0) at(place)"
	" JOIN privacct.slot s ON s.ctid = at.place",
	3, {INT8ARRAYOID, INT4ARRAYOID, TIDARRAYOID}, NULL
};

static PaStatement update_slots_statement = {
	"UPDATE privacct.slot s SET used = s.used + r.uses"
	" FROM ROWS FROM (pg_catalog.unnest($1), pg_catalog.unnest($2), pg_catalog.unnest($3), pg_catalog.unnest($4), pg_catalog.unnest($5))"
	" AS r(policy_id, plan_id, slot, uses, place)"
	" WHERE s.ctid = r.place AND s.policy_id IS NOT DISTINCT FROM r.policy_id AND s.slot IS NOT DISTINCT FROM r.slot"
	" AND s.plan_id = r.plan_id"
	" RETURNING s.policy_id, s.slot, s.ctid",
	5, {INT8ARRAYOID, INT8ARRAYOID, INT4ARRAYOID, INT8ARRAYOID, TIDARRAYOID}, NULL
};

/* Few at a time, and none of a policy that somebody is changing: charges to others do not wait for that. */
static PaStatement forget_statement = {
	"DELETE FROM privacct.stored_release WHERE ctid = ANY (ARRAY(SELECT s.ctid FROM privacct.stored_release s"
	" WHERE s.expires_at < pg_catalog.clock_timestamp() LIMIT 10 FOR UPDATE SKIP LOCKED))", 0, {0}, NULL
};

static PaStatement last_question_statement = {
	"SELECT p.closed_at IS NULL, coalesce((SELECT pg_catalog.max(q.question) FROM privacct.question q"
	" WHERE q.policy_id = p.policy_id), 0), coalesce(a.questions, 0) FROM privacct.policy p"
	" LEFT JOIN privacct.account a ON a.policy_id = p.policy_id AND a.role = 0::pg_catalog.oid WHERE p.policy_id = $1",
	1, {INT8OID}, NULL
};

static PaStatement count_questions_statement = {
	"UPDATE privacct.account a SET questions = $2"
	" WHERE a.policy_id = $1 AND a.role = 0::pg_catalog.oid AND a.questions < $2",
	2, {INT8OID, INT4OID}, NULL
};

/* What a charge writes, and what it stands on. */
static const char *const kept[] = {"account", "ledger_line", "owner_account", "slot", "ledger_sum", "payer_sum", "release_sum",
	"policy", "quota", "history", "inherited", "home", "prior", "domain", "public_column",
"question", "answer", "owner_key", "owner_state", "owner_state_at", "likelihood"};

#define WRITTEN 7

void
pa_store_lock(void)
{
	for (int i = 0; i < WRITTEN; i++)
	{
		Oid			relation = pa_catalog_relation(kept[i]);

		if (OidIsValid(relation))
			LockRelationOid(relation, RowExclusiveLock);
	}
}

/* False if a crash would empty one of the tables. */
static bool
is_logged(void)
{
	for (int i = 0; i < lengthof(kept); i++)
	{
		Oid			relation = pa_catalog_relation(kept[i]);

		if (OidIsValid(relation) && get_rel_persistence(relation) != RELPERSISTENCE_PERMANENT)
			return false;
	}
	return true;
}

/* An amount needs 16-byte alignment, which palloc does not promise. */
void *
pa_store_allocate(Size size)
{
	return (void *) TYPEALIGN(16, palloc0(size + 15));
}

PaAccounts *
pa_store_create(int n)
{
	PaAccounts    *accounts = palloc0(sizeof(PaAccounts));

	accounts->purses = palloc0(mul_size(n, sizeof(PaPurse)));
	accounts->lines = pa_store_allocate(mul_size(n, 2 * sizeof(PaLine)));
	return accounts;
}

/* The role's name as of now; a role may be dropped while it is charged. */
static Datum
role_datum(Oid role)
{
	char	   *name = GetUserNameFromId(role, true);

	return CStringGetTextDatum(name ? name : psprintf("%u", role));
}

static bool
read_flag(HeapTuple row, int column)
{
	bool		isnull;
	Datum		value = SPI_getbinval(row, SPI_tuptable->tupdesc, column, &isnull);

	return !isnull && DatumGetBool(value);
}

/* False if the row has none. */
static bool
read_place(HeapTuple row, int column, ItemPointer place)
{
	bool		isnull;
	Datum		value = SPI_getbinval(row, SPI_tuptable->tupdesc, column, &isnull);

	if (!isnull)
		ItemPointerCopy((ItemPointer) DatumGetPointer(value), place);
	return !isnull;
}

static bool
read_accountant(HeapTuple row, PaAccountant *accountant)
{
	char	   *name = SPI_getvalue(row, SPI_tuptable->tupdesc, COL_ACCOUNTANT);

	return name != NULL && pa_accountant_by_name(name, accountant);
}

/*
 * Caps from three columns starting at "cap", sums from three starting at
 * "spent".  Only the parts that the accountant guards are looked at: the others
 * have no bound and may have outgrown an amount.  Where slots decide, the sums only
 * have to be there.
 */
static bool
read_account(HeapTuple row, int cap, int spent, PaAccount *account)
{
	static const int column[] = {[PA_CURRENCY_EPSILON] = 0,[PA_CURRENCY_RHO] = 2};
	const PaAccountantForm *form;

	StaticAssertStmt(lengthof(column) == PA_CURRENCIES, "a currency has no column");
	if (!read_accountant(row, &account->accountant) ||
		!pa_read_amount(row, cap + 1, &account->cap.delta) ||
		!pa_read_amount(row, spent + 1, &account->spent.delta))
		return false;
	form = pa_accountant(account->accountant);
	return form->counts_uses ||
		(pa_read_amount(row, cap + column[form->currency], pa_currency_part(form->currency, &account->cap)) &&
		 pa_read_amount(row, spent + column[form->currency], pa_currency_part(form->currency, &account->spent)));
}

/*
 * The line of a role on a policy, read from the row unless the batch has it
 * already; NULL if it cannot be read.
 */
static PaLine *
find_or_read_line(PaAccounts *accounts, HeapTuple row, int64 policy_id, Oid role)
{
	PaLine	   *line;

	for (int i = 0; i < accounts->nlines; i++)
	{
		line = &accounts->lines[i];
		if (line->policy_id == policy_id && line->role == role)
			return line;
	}
	line = &accounts->lines[accounts->nlines];
	memset(line, 0, sizeof(PaLine));
	line->policy_id = policy_id;
	line->role = role;
	if (!read_account(row,
					  OidIsValid(role) ? COL_CAP_OF_QUOTA : COL_CAP_OF_POLICY,
					  OidIsValid(role) ? COL_SPENT : COL_TOTAL,
					  &line->account) ||
		!read_place(row, OidIsValid(role) ? COL_PLACE_OF_SPENT : COL_PLACE_OF_TOTAL, &line->place))
		return NULL;
	line->by_owner = !OidIsValid(role) && read_flag(row, COL_BY_OWNER);
	if (line->by_owner &&
		!(pa_read_amount(row, COL_MOST, &line->most.epsilon) && pa_read_amount(row, COL_MOST + 1, &line->most.delta)))
		return NULL;
	accounts->nlines++;
	return line;
}

/* The largest of those of the tables that are read, of which some declare one and others have the default. */
static bool
read_floor(HeapTuple row, const PaAccount *total, PaAmount *floor)
{
	char	   *declared = SPI_getvalue(row, SPI_tuptable->tupdesc, COL_MIN_EPSILON);
	PaAmount	by_default = 0;

	if (read_flag(row, COL_DEFAULT_FLOOR) && !pa_price_floor(total->accountant, &total->cap, NULL, &by_default))
		return false;
	*floor = 0;
	if (declared && !pa_price_floor(total->accountant, &total->cap, declared, floor))
		return false;
	*floor = Max(*floor, by_default);
	return true;
}

/* As the output of an array of bigint. */
static Datum
tables_datum(const PaChargeRequest *request)
{
	StringInfoData text;

	initStringInfo(&text);
	for (int i = 0; i < request->ntables; i++)
		appendStringInfo(&text, "%c" INT64_FORMAT, i == 0 ? '{' : ',', request->tables[i]);
	appendStringInfoString(&text, request->ntables == 0 ? "{}" : "}");
	return CStringGetTextDatum(text.data);
}

static void
read_purse(PaAccounts *accounts, HeapTuple row)
{
	bool		isnull;
	int64		n = DatumGetInt64(SPI_getbinval(row, SPI_tuptable->tupdesc, COL_N, &isnull));
	PaPurse    *purse = &accounts->purses[n - 1];

	purse->local = read_flag(row, COL_LOCAL);
	if (!read_flag(row, COL_OPEN))
		purse->verdict = PA_VERDICT_NO_POLICY;
	else if (!OidIsValid(purse->payer) || !read_flag(row, COL_GRANTED))
		purse->verdict = PA_VERDICT_NO_QUOTA;
	else if (purse->found || !read_flag(row, COL_COMPLETE))	/* rows that are there twice are not to choose from */
		purse->verdict = PA_VERDICT_INCOMPLETE;
	else if ((purse->total = find_or_read_line(accounts, row, purse->policy_id, InvalidOid)) != NULL &&
			 read_floor(row, &purse->total->account, &purse->floor) &&
			 (purse->quota = find_or_read_line(accounts, row, purse->policy_id, purse->payer)) != NULL)
		purse->verdict = PA_VERDICT_CHARGED;
	purse->found = true;
}

void
pa_store_read(PaAccounts *accounts)
{
	int			n = accounts->npurses;
	Datum	   *policies = palloc(n * sizeof(Datum));
	Datum	   *payers = palloc(n * sizeof(Datum));
	Datum	   *totals = palloc(n * sizeof(Datum));
	Datum	   *spent = palloc(n * sizeof(Datum));
	Datum	   *owners = palloc(n * sizeof(Datum));
	Datum	   *tables = palloc(n * sizeof(Datum));
	Datum		arguments[7];

	for (int i = 0; i < n; i++)
	{
		policies[i] = Int64GetDatum(accounts->purses[i].policy_id);
		payers[i] = ObjectIdGetDatum(accounts->purses[i].payer);
		totals[i] = pa_place_of(PA_PLACE_ACCOUNT, accounts->purses[i].policy_id, InvalidOid);
		spent[i] = pa_place_of(PA_PLACE_ACCOUNT, accounts->purses[i].policy_id, accounts->purses[i].payer);
		owners[i] = pa_place_of(PA_PLACE_SOME_OWNER, accounts->purses[i].policy_id, 0);
		tables[i] = tables_datum(accounts->purses[i].request);
		/* until its row proves otherwise */
		accounts->purses[i].verdict = PA_VERDICT_UNREADABLE;
		accounts->purses[i].found = false;
	}
	arguments[0] = pa_statement_array(policies, n, INT8OID);
	arguments[1] = pa_statement_array(payers, n, OIDOID);
	arguments[2] = ObjectIdGetDatum(MyDatabaseId);
	arguments[3] = pa_statement_array(totals, n, TIDOID);
	arguments[4] = pa_statement_array(spent, n, TIDOID);
	arguments[5] = pa_statement_array(owners, n, TIDOID);
	arguments[6] = pa_statement_array(tables, n, TEXTOID);
	pa_statement_run(&read_statement, arguments, SPI_OK_SELECT);
	accounts->nlines = 0;
	for (uint64 i = 0; i < SPI_processed; i++)
		read_purse(accounts, SPI_tuptable->vals[i]);
	SPI_freetuptable(SPI_tuptable);
	if (!is_logged())
		for (int i = 0; i < n; i++)
			accounts->purses[i].verdict = PA_VERDICT_INCOMPLETE;
}

bool
pa_store_is_last_question(int64 policy_id, int after, PaVerdict *verdict)
{
	Datum		argument = Int64GetDatum(policy_id);
	bool		isnull;
	bool		open = false;
	int			last = 0,
				counted = 0;

	pa_statement_run(&last_question_statement, &argument, SPI_OK_SELECT);
	if (SPI_processed == 1)
	{
		open = read_flag(SPI_tuptable->vals[0], 1);
		last = DatumGetInt32(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 2, &isnull));
		counted = DatumGetInt32(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 3, &isnull));
	}
	SPI_freetuptable(SPI_tuptable);
	if (!open)
		*verdict = PA_VERDICT_NO_POLICY;
	else if (last < counted)
		*verdict = PA_VERDICT_INCOMPLETE;
	else
		*verdict = last == after ? PA_VERDICT_CHARGED : PA_VERDICT_STALE;
	return *verdict == PA_VERDICT_CHARGED;
}

void
pa_store_clear_rows(const char *relation, int64 policy_id)
{
	Oid			types[1] = {INT8OID};
	Datum		argument = Int64GetDatum(policy_id);
	char	   *sql = psprintf("DELETE FROM privacct.%s WHERE policy_id = $1", quote_identifier(relation));

	if (SPI_execute_with_args(sql, 1, types, &argument, NULL, false, 0) != SPI_OK_DELETE)
		elog(ERROR, "could not delete rows of privacct.%s", relation);
	pfree(sql);
}

void
pa_store_forget_releases(void)
{
	pa_statement_run(&forget_statement, NULL, SPI_OK_DELETE);
}

void
pa_store_count_questions(int64 policy_id, int questions)
{
	Datum		arguments[2] = {Int64GetDatum(policy_id), Int32GetDatum(questions)};

	pa_statement_run(&count_questions_statement, arguments, SPI_OK_UPDATE);
}

static void
read_slot(HeapTuple row, PaSlotLine *line)
{
	TupleDesc	desc = SPI_tuptable->tupdesc;
	bool		isnull;
	bool		everybodys;

	line->policy_id = DatumGetInt64(SPI_getbinval(row, desc, 1, &isnull));
	line->plan_id = DatumGetInt64(SPI_getbinval(row, desc, 2, &isnull));
	line->slot = DatumGetInt32(SPI_getbinval(row, desc, 3, &isnull));
	line->role = DatumGetObjectId(SPI_getbinval(row, desc, 4, &everybodys));
	line->everybodys = everybodys;
	line->left = DatumGetInt64(SPI_getbinval(row, desc, 5, &isnull));
	line->added = 0;
	(void) read_place(row, 6, &line->place);
}

/* How many slots a request asks for, if that is not nonsense, of which batch.c is told later. */
static int
slots_of(const PaChargeRequest *request)
{
	return Max(0, Min(request->nuses, PA_PLAN_SLOTS));
}

/* Which slots the requests ask for, each once: policies, numbers and places. */
static int
list_slots(PaLedgerSlot **slots, int count, Datum *columns[3])
{
	int			n = 0;

	for (int i = 0; i < count; i++)
	{
		const PaChargeRequest *request = &slots[i]->request;

		for (int u = 0; u < slots_of(request); u++)
		{
			int			j = 0;

			while (j < n && (DatumGetInt64(columns[0][j]) != request->policy_id || DatumGetInt32(columns[1][j]) != request->uses[u].slot))
				j++;
			if (j < n)
				continue;
			columns[0][n] = Int64GetDatum(request->policy_id);
			columns[1][n] = Int32GetDatum(request->uses[u].slot);
			columns[2][n++] = pa_place_of(PA_PLACE_SLOT, request->policy_id, request->uses[u].slot);
		}
	}
	return n;
}

void
pa_store_read_slots(PaAccounts *accounts, PaLedgerSlot **slots, int count)
{
	static const Oid types[3] = {INT8OID, INT4OID, TIDOID};
	Datum	   *columns[3];
	Datum		arguments[3];
	int			most = 0;
	int			n;

	accounts->nslots = 0;
	for (int i = 0; i < count; i++)
		most += slots_of(&slots[i]->request);
	if (most == 0)
		return;
	for (int c = 0; c < 3; c++)
		columns[c] = palloc(most * sizeof(Datum));
	n = list_slots(slots, count, columns);
	for (int c = 0; c < 3; c++)
		arguments[c] = pa_statement_array(columns[c], n, types[c]);
	pa_statement_run(&read_slots_statement, arguments, SPI_OK_SELECT);
	accounts->nslots = (int) SPI_processed;
	accounts->slots = palloc(Max(accounts->nslots, 1) * sizeof(PaSlotLine));
	for (int i = 0; i < accounts->nslots; i++)
		read_slot(SPI_tuptable->vals[i], &accounts->slots[i]);
	SPI_freetuptable(SPI_tuptable);
}

/* The last number that was given out before this batch, as far as its policies know. */
static int64 last_id;

void
pa_store_read_last(const PaAccounts *accounts)
{
	Datum	   *policies = palloc(Max(accounts->npurses, 1) * sizeof(Datum));
	Datum		argument;
	bool		isnull;

	for (int i = 0; i < accounts->npurses; i++)
		policies[i] = Int64GetDatum(accounts->purses[i].policy_id);
	argument = pa_statement_array(policies, accounts->npurses, INT8OID);
	pa_statement_run(&last_statement, &argument, SPI_OK_SELECT);
	last_id = DatumGetInt64(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &isnull));
	SPI_freetuptable(SPI_tuptable);
}

static Oid
id_sequence(void)
{
	Oid			sequence = get_relname_relid("charge_id_seq", get_namespace_oid("privacct", false));

	if (!OidIsValid(sequence))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("sequence \"privacct.charge_id_seq\" does not exist")));
	return sequence;
}

/* The ledger's sums go up to a number: a charge with a smaller one would never be in them. */
int64
pa_store_next_id(void)
{
	Oid			sequence = id_sequence();
	int64		id = nextval_internal(sequence, false);

	if (id <= last_id)
	{
		ereport(LOG,
				(errmsg("privacct.charge_id_seq was set back"),
				 errdetail("It gave " INT64_FORMAT ", and the ledger goes up to " INT64_FORMAT ": charges are numbered from there.", id, last_id)));
		/* not what it would give next, whichever way somebody lets it count */
		id = last_id + 1;
		(void) DirectFunctionCall2(setval_oid, ObjectIdGetDatum(sequence), Int64GetDatum(id));
	}
	return last_id = id;
}

static void
insert_charges(PaLedgerSlot **charged, int n)
{
	static const Oid types[8] = {INT8OID, INT8OID, TEXTOID, TEXTOID,
	NUMERICOID, NUMERICOID, NUMERICOID, JSONBOID};
	Datum	   *columns[8];
	Datum		arguments[8];

	for (int c = 0; c < 8; c++)
		columns[c] = palloc(n * sizeof(Datum));
	for (int i = 0; i < n; i++)
	{
		const PaChargeRequest *request = &charged[i]->request;

		columns[0][i] = Int64GetDatum(charged[i]->answer.charge_id);
		columns[1][i] = Int64GetDatum(request->policy_id);
		columns[2][i] = role_datum(request->user);
		columns[3][i] = role_datum(request->payer);
		columns[4][i] = pa_amount_datum(request->cost.epsilon);
		columns[5][i] = pa_amount_datum(request->cost.delta);
		columns[6][i] = pa_amount_datum(request->cost.rho);
		columns[7][i] = DirectFunctionCall1(jsonb_in, CStringGetDatum(request->detail));
	}
	for (int c = 0; c < 8; c++)
		arguments[c] = pa_statement_array(columns[c], n, types[c]);
	pa_statement_run(&insert_statement, arguments, SPI_OK_INSERT);
	if (SPI_processed != (uint64) n)
		elog(ERROR, "the ledger took " UINT64_FORMAT " of %d charges", SPI_processed, n);
}

/* Takes down where the rows of the lines are now, from two columns of the result. */
void
pa_store_note_places(const PaAccounts *accounts)
{
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		HeapTuple	row = SPI_tuptable->vals[i];
		bool		isnull;
		PaLine	   *line = &accounts->lines[DatumGetInt32(SPI_getbinval(row, SPI_tuptable->tupdesc, 1, &isnull))];

		if (read_place(row, 2, &line->place))
			pa_place_note(PA_PLACE_ACCOUNT, line->policy_id, line->role, &line->place);
	}
	SPI_freetuptable(SPI_tuptable);
}

static void
update_accounts(const PaAccounts *accounts)
{
	static const Oid types[8] = {INT8OID, OIDOID, NUMERICOID, NUMERICOID, NUMERICOID, INT8OID, TIDOID, INT4OID};
	Datum	   *columns[8];
	Datum		arguments[8];
	int			n = 0;

	for (int c = 0; c < 8; c++)
		columns[c] = palloc(accounts->nlines * sizeof(Datum));
	for (int i = 0; i < accounts->nlines; i++)
	{
		PaLine	   *line = &accounts->lines[i];

		if (line->releases == 0)
			continue;
		columns[0][n] = Int64GetDatum(line->policy_id);
		columns[1][n] = ObjectIdGetDatum(line->role);
		columns[2][n] = pa_amount_datum(line->added.spent.epsilon);
		columns[3][n] = pa_amount_datum(line->added.spent.delta);
		columns[4][n] = pa_amount_datum(line->added.spent.rho);
		columns[5][n] = Int64GetDatum(line->releases);
		columns[6][n] = PointerGetDatum(&line->place);
		columns[7][n] = Int32GetDatum(i);
		n++;
	}
	for (int c = 0; c < 8; c++)
		arguments[c] = pa_statement_array(columns[c], n, types[c]);
	pa_statement_run(&update_statement, arguments, SPI_OK_UPDATE_RETURNING);
	if (SPI_processed != (uint64) n)
		elog(ERROR, "the ledger found " UINT64_FORMAT " of %d accounts", SPI_processed, n);
	pa_store_note_places(accounts);
}

static void
note_slots(void)
{
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		HeapTuple	row = SPI_tuptable->vals[i];
		TupleDesc	desc = SPI_tuptable->tupdesc;
		bool		isnull;
		ItemPointerData place;

		if (read_place(row, 3, &place))
			pa_place_note(PA_PLACE_SLOT, DatumGetInt64(SPI_getbinval(row, desc, 1, &isnull)),
						  DatumGetInt32(SPI_getbinval(row, desc, 2, &isnull)), &place);
	}
	SPI_freetuptable(SPI_tuptable);
}

static void
update_slots(const PaAccounts *accounts)
{
	static const Oid types[5] = {INT8OID, INT8OID, INT4OID, INT8OID, TIDOID};
	Datum	   *columns[5];
	Datum		arguments[5];
	int			n = 0;

	for (int c = 0; c < 5; c++)
		columns[c] = palloc(accounts->nslots * sizeof(Datum));
	for (int i = 0; i < accounts->nslots; i++)
	{
		PaSlotLine *line = &accounts->slots[i];

		if (line->added == 0)
			continue;
		columns[0][n] = Int64GetDatum(line->policy_id);
		columns[1][n] = Int64GetDatum(line->plan_id);
		columns[2][n] = Int32GetDatum(line->slot);
		columns[3][n] = Int64GetDatum(line->added);
		columns[4][n++] = PointerGetDatum(&line->place);
	}
	if (n == 0)
		return;
	for (int c = 0; c < 5; c++)
		arguments[c] = pa_statement_array(columns[c], n, types[c]);
	pa_statement_run(&update_slots_statement, arguments, SPI_OK_UPDATE_RETURNING);
	if (SPI_processed != (uint64) n)
		elog(ERROR, "the ledger found " UINT64_FORMAT " of %d slots", SPI_processed, n);
	note_slots();
}

void
pa_store_write(PaLedgerSlot **charged, int count, const PaAccounts *accounts)
{
	insert_charges(charged, count);
	update_accounts(accounts);
	if (accounts->nslots > 0)
		update_slots(accounts);
}
