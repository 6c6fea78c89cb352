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
#include "catalog/pg_type.h"
#include "commands/sequence.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "catalog/price.h"
#include "ledger/owners.h"
#include "ledger/statement.h"
#include "ledger/store.h"

#define PA_COST_COLUMNS(alias) alias ".epsilon::text, " alias ".delta::text, " alias ".rho::text"
#define PA_CAP(column) "pg_catalog.trunc(" column ", 30)::text"

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
	COL_COMPLETE
};

static PaStatement read_statement = {
	"SELECT r.n, p.accountant,"
	" p.policy_id IS NOT NULL AND p.closed_at IS NULL, p.regime = 'local',"
	" q.policy_id IS NOT NULL,"
	" " PA_CAP("p.epsilon") ", " PA_CAP("p.cap_delta") ", " PA_CAP("p.cap_rho") ","
	" " PA_CAP("q.epsilon") ", " PA_CAP("q.cap_delta") ", " PA_CAP("q.cap_rho") ","
	" (t.epsilon - t.spared_epsilon)::text, (t.delta - t.spared_delta)::text, t.rho::text, " PA_COST_COLUMNS("m") ","
	" p.regime = 'pufferfish', t.most_epsilon::text, t.most_delta::text, p.min_epsilon::text,"
	" t.policy_id IS NOT NULL AND m.policy_id IS NOT NULL AND CASE p.regime"
	" WHEN 'pufferfish' THEN EXISTS (SELECT FROM privacct.prior v WHERE v.policy_id = p.policy_id)"
	" AND EXISTS (SELECT FROM privacct.domain d WHERE d.policy_id = p.policy_id)"
	" AND EXISTS (SELECT FROM privacct.public_column c WHERE c.policy_id = p.policy_id AND c.order_position IS NOT NULL)"
	" WHEN 'local' THEN EXISTS (SELECT FROM privacct.owner_state_at s WHERE s.policy_id = p.policy_id)"
	" OR NOT EXISTS (SELECT FROM privacct.inherited i WHERE i.policy_id = p.policy_id AND i.lost IS NOT NULL)"
	" ELSE true END"
	" AND EXISTS (SELECT FROM privacct.home h WHERE h.database = $3 AND (h.last_charge IS NULL"
	" OR EXISTS (SELECT FROM privacct.ledger l WHERE l.charge_id = h.last_charge AND l.charged_at = h.charged_at)))"
	" AND (SELECT pg_catalog.count(*) FROM privacct.identity) <= 1"
	" AND (p.regime <> 'local' OR NOT EXISTS (SELECT FROM privacct._recoded c WHERE c.policy_id = p.policy_id))"
	" FROM ROWS FROM (pg_catalog.unnest($1), pg_catalog.unnest($2))"
	" WITH ORDINALITY AS r(policy_id, payer, n)"
	" LEFT JOIN privacct.policy p ON p.policy_id = r.policy_id"
	" LEFT JOIN privacct.account t ON t.policy_id = r.policy_id AND t.role = 0::pg_catalog.oid"
	" LEFT JOIN privacct.quota q ON q.policy_id = r.policy_id AND q.role = r.payer"
	" LEFT JOIN privacct.account m ON m.policy_id = r.policy_id AND m.role = r.payer",
	3, {INT8ARRAYOID, OIDARRAYOID, OIDOID}, NULL
};

static PaStatement insert_statement = {
	"INSERT INTO privacct.ledger"
	" (charge_id, policy_id, charged_at, role, payer, epsilon, delta, rho, detail)"
	" SELECT r.charge_id, r.policy_id, pg_catalog.clock_timestamp(),"
	" r.role::pg_catalog.name, r.payer::pg_catalog.name,"
	" r.epsilon::numeric, r.delta::numeric, r.rho::numeric, r.detail::pg_catalog.jsonb"
	" FROM ROWS FROM (pg_catalog.unnest($1), pg_catalog.unnest($2), pg_catalog.unnest($3),"
	" pg_catalog.unnest($4), pg_catalog.unnest($5), pg_catalog.unnest($6),"
	" pg_catalog.unnest($7), pg_catalog.unnest($8))"
	" AS r(charge_id, policy_id, role, payer, epsilon, delta, rho, detail)",
	8, {INT8ARRAYOID, INT8ARRAYOID, TEXTARRAYOID, TEXTARRAYOID,
	TEXTARRAYOID, TEXTARRAYOID, TEXTARRAYOID, TEXTARRAYOID}, NULL
};

static PaStatement update_statement = {
	"UPDATE privacct.account a SET epsilon = a.epsilon + r.epsilon::numeric,"
	" delta = a.delta + r.delta::numeric, rho = a.rho + r.rho::numeric,"
	" releases = a.releases + r.releases"
	" FROM ROWS FROM (pg_catalog.unnest($1), pg_catalog.unnest($2), pg_catalog.unnest($3),"
	" pg_catalog.unnest($4), pg_catalog.unnest($5), pg_catalog.unnest($6))"
	" AS r(policy_id, role, epsilon, delta, rho, releases)"
	" WHERE a.policy_id = r.policy_id AND a.role = r.role",
	6, {INT8ARRAYOID, OIDARRAYOID, TEXTARRAYOID, TEXTARRAYOID, TEXTARRAYOID,
	INT8ARRAYOID}, NULL
};

static PaStatement read_slots_statement = {
	"SELECT s.policy_id, s.plan_id, s.slot, s.role, s.releases - s.used"
	" FROM privacct.slot s WHERE s.policy_id = ANY ($1)",
	1, {INT8ARRAYOID}, NULL
};

static PaStatement update_slots_statement = {
	"UPDATE privacct.slot s SET used = s.used + r.uses"
	" FROM ROWS FROM (pg_catalog.unnest($1), pg_catalog.unnest($2), pg_catalog.unnest($3), pg_catalog.unnest($4))"
	" AS r(policy_id, plan_id, slot, uses)"
	" WHERE s.policy_id = r.policy_id AND s.slot = r.slot AND s.plan_id = r.plan_id",
	4, {INT8ARRAYOID, INT8ARRAYOID, INT4ARRAYOID, INT8ARRAYOID}, NULL
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

/* An amount needs 16-byte alignment, which palloc does not promise. */
void *
pa_store_allocate(Size size)
{
	return (void *) TYPEALIGN(16, palloc0(size + 15));
}

PaBooks *
pa_store_create(int n)
{
	PaBooks    *books = palloc0(sizeof(PaBooks));

	books->purses = palloc0(mul_size(n, sizeof(PaPurse)));
	books->lines = pa_store_allocate(mul_size(n, 2 * sizeof(PaLine)));
	return books;
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

static bool
read_accountant(HeapTuple row, PaAccountant *accountant)
{
	char	   *name = SPI_getvalue(row, SPI_tuptable->tupdesc, COL_ACCOUNTANT);

	if (name != NULL && strcmp(name, "basic") == 0)
		*accountant = PA_ACCOUNTANT_BASIC;
	else if (name != NULL && strcmp(name, "zcdp") == 0)
		*accountant = PA_ACCOUNTANT_ZCDP;
	else if (name != NULL && strcmp(name, "plan") == 0)
		*accountant = PA_ACCOUNTANT_PLAN;
	else
		return false;
	return true;
}

/*
 * Caps from three columns starting at "cap", sums from three starting at
 * "spent".  Only the parts that the accountant guards are looked at: the others
 * have no bound and may have outgrown an amount.  Under a plan slots decide; the
 * sums only have to be there.
 */
static bool
read_account(HeapTuple row, int cap, int spent, PaAccount *account)
{
	if (!read_accountant(row, &account->accountant) ||
		!pa_read_amount(row, cap + 1, &account->cap.delta) ||
		!pa_read_amount(row, spent + 1, &account->spent.delta))
		return false;
	if (account->accountant == PA_ACCOUNTANT_PLAN)
		return true;
	if (account->accountant == PA_ACCOUNTANT_ZCDP)
		return pa_read_amount(row, cap + 2, &account->cap.rho) &&
			pa_read_amount(row, spent + 2, &account->spent.rho);
	return pa_read_amount(row, cap, &account->cap.epsilon) &&
		pa_read_amount(row, spent, &account->spent.epsilon);
}

/*
 * The line of a role on a policy, read from the row unless the batch has it
 * already; NULL if it cannot be read.
 */
static PaLine *
find_or_read_line(PaBooks *books, HeapTuple row, int64 policy_id, Oid role)
{
	PaLine	   *line;

	for (int i = 0; i < books->nlines; i++)
	{
		line = &books->lines[i];
		if (line->policy_id == policy_id && line->role == role)
			return line;
	}
	line = &books->lines[books->nlines];
	memset(line, 0, sizeof(PaLine));
	line->policy_id = policy_id;
	line->role = role;
	if (!read_account(row,
					  OidIsValid(role) ? COL_CAP_OF_QUOTA : COL_CAP_OF_POLICY,
					  OidIsValid(role) ? COL_SPENT : COL_TOTAL,
					  &line->account))
		return NULL;
	line->by_owner = !OidIsValid(role) && read_flag(row, COL_BY_OWNER);
	if (line->by_owner &&
		!(pa_read_amount(row, COL_MOST, &line->most.epsilon) && pa_read_amount(row, COL_MOST + 1, &line->most.delta)))
		return NULL;
	books->nlines++;
	return line;
}

static bool
read_floor(HeapTuple row, const PaAccount *total, PaAmount *floor)
{
	return pa_price_floor(total->accountant, &total->cap, SPI_getvalue(row, SPI_tuptable->tupdesc, COL_MIN_EPSILON), floor);
}

static void
read_purse(PaBooks *books, HeapTuple row)
{
	bool		isnull;
	int64		n = DatumGetInt64(SPI_getbinval(row, SPI_tuptable->tupdesc, COL_N, &isnull));
	PaPurse    *purse = &books->purses[n - 1];

	purse->local = read_flag(row, COL_LOCAL);
	if (!read_flag(row, COL_OPEN))
		purse->verdict = PA_VERDICT_NO_POLICY;
	else if (!OidIsValid(purse->payer) || !read_flag(row, COL_GRANTED))
		purse->verdict = PA_VERDICT_NO_QUOTA;
	else if (!read_flag(row, COL_COMPLETE))
		purse->verdict = PA_VERDICT_INCOMPLETE;
	else if ((purse->total = find_or_read_line(books, row, purse->policy_id, InvalidOid)) != NULL &&
			 read_floor(row, &purse->total->account, &purse->floor) &&
			 (purse->quota = find_or_read_line(books, row, purse->policy_id, purse->payer)) != NULL)
		purse->verdict = PA_VERDICT_CHARGED;
}

void
pa_store_read(PaBooks *books)
{
	int			n = books->npurses;
	Datum	   *policies = palloc(n * sizeof(Datum));
	Datum	   *payers = palloc(n * sizeof(Datum));
	Datum		arguments[3];

	for (int i = 0; i < n; i++)
	{
		policies[i] = Int64GetDatum(books->purses[i].policy_id);
		payers[i] = ObjectIdGetDatum(books->purses[i].payer);
		/* until its row proves otherwise */
		books->purses[i].verdict = PA_VERDICT_UNREADABLE;
	}
	arguments[0] = pa_statement_array(policies, n, INT8OID);
	arguments[1] = pa_statement_array(payers, n, OIDOID);
	arguments[2] = ObjectIdGetDatum(MyDatabaseId);
	pa_statement_run(&read_statement, arguments, SPI_OK_SELECT);
	books->nlines = 0;
	for (uint64 i = 0; i < SPI_processed; i++)
		read_purse(books, SPI_tuptable->vals[i]);
	SPI_freetuptable(SPI_tuptable);
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
}

void
pa_store_read_slots(PaBooks *books, const int64 *policies, int npolicies)
{
	Datum	   *elements = palloc(npolicies * sizeof(Datum));
	Datum		argument;

	for (int i = 0; i < npolicies; i++)
		elements[i] = Int64GetDatum(policies[i]);
	argument = pa_statement_array(elements, npolicies, INT8OID);
	pa_statement_run(&read_slots_statement, &argument, SPI_OK_SELECT);
	books->nslots = (int) SPI_processed;
	books->slots = palloc(Max(books->nslots, 1) * sizeof(PaSlotLine));
	for (int i = 0; i < books->nslots; i++)
		read_slot(SPI_tuptable->vals[i], &books->slots[i]);
	SPI_freetuptable(SPI_tuptable);
}

int64
pa_store_next_id(void)
{
	Oid			schema = get_namespace_oid("privacct", false);
	Oid			sequence = get_relname_relid("charge_id_seq", schema);

	if (!OidIsValid(sequence))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("sequence \"privacct.charge_id_seq\" does not exist")));
	return nextval_internal(sequence, false);
}

static void
insert_charges(PaLedgerSlot **charged, int n)
{
	static const Oid types[8] = {INT8OID, INT8OID, TEXTOID, TEXTOID,
	TEXTOID, TEXTOID, TEXTOID, TEXTOID};
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
		columns[7][i] = CStringGetTextDatum(request->detail);
	}
	for (int c = 0; c < 8; c++)
		arguments[c] = pa_statement_array(columns[c], n, types[c]);
	pa_statement_run(&insert_statement, arguments, SPI_OK_INSERT);
	if (SPI_processed != (uint64) n)
		elog(ERROR, "the ledger took " UINT64_FORMAT " of %d charges", SPI_processed, n);
}

static void
update_accounts(const PaBooks *books)
{
	static const Oid types[6] = {INT8OID, OIDOID, TEXTOID, TEXTOID, TEXTOID, INT8OID};
	Datum	   *columns[6];
	Datum		arguments[6];
	int			n = 0;

	for (int c = 0; c < 6; c++)
		columns[c] = palloc(books->nlines * sizeof(Datum));
	for (int i = 0; i < books->nlines; i++)
	{
		const PaLine *line = &books->lines[i];

		if (line->releases == 0)
			continue;
		columns[0][n] = Int64GetDatum(line->policy_id);
		columns[1][n] = ObjectIdGetDatum(line->role);
		columns[2][n] = pa_amount_datum(line->added.spent.epsilon);
		columns[3][n] = pa_amount_datum(line->added.spent.delta);
		columns[4][n] = pa_amount_datum(line->added.spent.rho);
		columns[5][n] = Int64GetDatum(line->releases);
		n++;
	}
	for (int c = 0; c < 6; c++)
		arguments[c] = pa_statement_array(columns[c], n, types[c]);
	pa_statement_run(&update_statement, arguments, SPI_OK_UPDATE);
	if (SPI_processed != (uint64) n)
		elog(ERROR, "the ledger found " UINT64_FORMAT " of %d accounts", SPI_processed, n);
}

static void
update_slots(const PaBooks *books)
{
	static const Oid types[4] = {INT8OID, INT8OID, INT4OID, INT8OID};
	Datum	   *columns[4];
	Datum		arguments[4];
	int			n = 0;

	for (int c = 0; c < 4; c++)
		columns[c] = palloc(books->nslots * sizeof(Datum));
	for (int i = 0; i < books->nslots; i++)
	{
		const PaSlotLine *line = &books->slots[i];

		if (line->added == 0)
			continue;
		columns[0][n] = Int64GetDatum(line->policy_id);
		columns[1][n] = Int64GetDatum(line->plan_id);
		columns[2][n] = Int32GetDatum(line->slot);
		columns[3][n] = Int64GetDatum(line->added);
		n++;
	}
	if (n == 0)
		return;
	for (int c = 0; c < 4; c++)
		arguments[c] = pa_statement_array(columns[c], n, types[c]);
	pa_statement_run(&update_slots_statement, arguments, SPI_OK_UPDATE);
	if (SPI_processed != (uint64) n)
		elog(ERROR, "the ledger found " UINT64_FORMAT " of %d slots", SPI_processed, n);
}

void
pa_store_write(PaLedgerSlot **charged, int count, const PaBooks *books)
{
	insert_charges(charged, count);
	update_accounts(books);
	if (books->nslots > 0)
		update_slots(books);
	pa_owners_write(books);
}
