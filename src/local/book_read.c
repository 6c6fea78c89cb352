/*
 * book_read.c
 *		A book from the catalog: states as last written, then the answers since.
 *
 * All relations are read with one snapshot, so that what is read fits together
 * even while states are being written.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/namespace.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "local/book.h"
#include "local/incomplete.h"

/* columns of the catalog's relations; see migrations/ */
enum
{
	KEY_FIRST = 2, KEY_KEYS, KEY_RECORDS
};
enum
{
	ANSWER_QUESTION = 2, ANSWER_ANSWERED, ANSWER_WIDTH, ANSWER_OUTPUTS, ANSWER_BOUNDS, ANSWER_MOST_STATES
};
enum
{
	STATE_NUMBER = 2, STATE_TABLE, STATE_ERROR, STATE_BASIC, STATE_CENTRAL, STATE_RHO, STATE_ANSWERS, STATE_LOSS,
	STATE_CLOSED_LOSS, STATE_CLOSED, STATE_FOLDED
};
enum
{
	OWNER_STATE_FIRST = 2, OWNER_STATE_WIDTH, OWNER_STATE_STATES
};
enum
{
	AT_QUESTION = 2, AT_OWNERS, AT_STATES
};
enum
{
	ACCOUNT_ROLE = 2
};

/* What owner_state_at says; -1: not known, of states that version 0.1 wrote. */
typedef struct Written
{
	int			base;
	int			owners;			/* in owner_state */
	int			states;			/* in likelihood */
} Written;

/* A scan over the policy's rows of a relation, in order of its primary key. */
typedef struct Scan
{
	Relation	relation;
	Relation	index;
	SysScanDesc scan;
	TupleDesc	desc;
	HeapTuple	tuple;
	MemoryContext context;		/* of what the index keeps from row to row */
} Scan;

static Oid
catalog_oid(const char *name)
{
	Oid			relation = pa_catalog_relation(name);

	if (!OidIsValid(relation))
		elog(ERROR, "relation privacct.%s is missing", name);
	return relation;
}

/* By so many columns of the key: the policy's, and the second is at least `from`. */
static Scan
begin_scan_by(int nkeys, const char *name, int64 policy_id, int from, Snapshot snapshot)
{
	Scan		scan = {0};
	ScanKeyData keys[2];

	scan.context = CurrentMemoryContext;
	scan.relation = table_open(catalog_oid(name), AccessShareLock);
	scan.index = index_open(catalog_oid(psprintf("%s_pkey", name)), AccessShareLock);
	scan.desc = RelationGetDescr(scan.relation);
	ScanKeyInit(&keys[0], 1, BTEqualStrategyNumber, F_INT8EQ, Int64GetDatum(policy_id));
	ScanKeyInit(&keys[1], 2, BTGreaterEqualStrategyNumber, F_INT4GE, Int32GetDatum(from));
	scan.scan = systable_beginscan_ordered(scan.relation, scan.index, snapshot,
										   Min(nkeys, scan.index->rd_index->indnkeyatts), keys);
	return scan;
}

static Scan
begin_scan(const char *name, int64 policy_id, int from, Snapshot snapshot)
{
	return begin_scan_by(2, name, policy_id, from, snapshot);
}

static bool
next_row(Scan *scan)
{
	MemoryContext caller = MemoryContextSwitchTo(scan->context);

	CHECK_FOR_INTERRUPTS();
	scan->tuple = systable_getnext_ordered(scan->scan, ForwardScanDirection);
	MemoryContextSwitchTo(caller);
	return HeapTupleIsValid(scan->tuple);
}

static void
end_scan(Scan *scan)
{
	systable_endscan_ordered(scan->scan);
	index_close(scan->index, AccessShareLock);
	table_close(scan->relation, AccessShareLock);
}

static Datum
column(const Scan *scan, int attnum)
{
	bool		isnull;
	Datum		value = heap_getattr(scan->tuple, attnum, scan->desc, &isnull);

	if (isnull)
		elog(ERROR, "null column %d in %s", attnum, RelationGetRelationName(scan->relation));
	return value;
}

static bool
column_is_null(const Scan *scan, int attnum)
{
	bool		isnull;

	(void) heap_getattr(scan->tuple, attnum, scan->desc, &isnull);
	return isnull;
}

static int
column_or(const Scan *scan, int attnum, int otherwise)
{
	return column_is_null(scan, attnum) ? otherwise : DatumGetInt32(column(scan, attnum));
}

static const uint8 *
column_bytes(const Scan *scan, int attnum, size_t *length)
{
	bytea	   *bytes = DatumGetByteaPP(column(scan, attnum));

	*length = VARSIZE_ANY_EXHDR(bytes);
	return (const uint8 *) VARDATA_ANY(bytes);
}

static void *
column_array(const Scan *scan, int attnum, int *count)
{
	ArrayType  *array = DatumGetArrayTypePCopy(column(scan, attnum));

	*count = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
	return ARR_DATA_PTR(array);
}

/* --- owners --- */

static void
read_owners(PaBook *book, Snapshot snapshot)
{
	Scan		scan = begin_scan("owner_key", book->policy_id, book->nowners, snapshot);

	while (next_row(&scan))
	{
		size_t		length,
					records_length;
		const uint8 *keys = column_bytes(&scan, KEY_KEYS, &length);
		const uint8 *records = column_bytes(&scan, KEY_RECORDS, &records_length);
		size_t		count = length / sizeof(uint64);

		if (DatumGetInt32(column(&scan, KEY_FIRST)) != book->nowners || records_length != count * sizeof(uint32))
			pa_books_incomplete("owners are missing from privacct.owner_key");
		pa_book_reserve(book, book->nowners + (int64) count);
		for (size_t i = 0; i < count; i++)
		{
			uint64		key;
			uint32		record;

			memcpy(&key, keys + i * sizeof(key), sizeof(key));
			memcpy(&record, records + i * sizeof(record), sizeof(record));
			if (pa_book_number(book, key, record) != book->nowners - 1)
				pa_books_incomplete("an owner is in privacct.owner_key twice");
		}
	}
	end_scan(&scan);
}

static void
read_owner_states(PaBook *book, const Written *written, Snapshot snapshot)
{
	Scan		scan = begin_scan("owner_state", book->policy_id, 0, snapshot);
	int64		expected = 0;

	while (next_row(&scan))
	{
		size_t		length;
		const uint8 *states = column_bytes(&scan, OWNER_STATE_STATES, &length);
		int			first = DatumGetInt32(column(&scan, OWNER_STATE_FIRST));
		int			width = DatumGetInt32(column(&scan, OWNER_STATE_WIDTH));
		int64		count = (int64) (length * 8 / width);

		if (first != expected || first + count > book->nowners)
			pa_books_incomplete("privacct.owner_state has a state of nobody");
		for (int64 i = 0; i < count; i++)
			book->states[first + i] = (int32) pa_outputs_get(width, states, i);
		expected += count;
	}
	end_scan(&scan);
	if (written->owners >= 0 && written->owners != expected)
		pa_books_incomplete("states of owners are missing from privacct.owner_state");
	for (int owner = 0; owner < book->nowners; owner++)
		if (book->states[owner] < 0 || book->states[owner] >= book->nstates)
			pa_books_incomplete("privacct.owner_state has a state that is none");
}

/* --- states --- */

static PaOwnerState *
empty_state(PaStateRoom *room, int number)
{
	PaOwnerState *state = pa_room_place(room, number);
	PaLikelihood table = state->likelihood;

	memset(state, 0, sizeof(PaOwnerState));
	state->likelihood.size = table.size;
	state->likelihood.value = table.value;
	memset(state->child, 0xff, sizeof(state->child));
	return state;
}

static void
read_state(PaBook *book, const Scan *scan, PaOwnerState *state)
{
	int			count;
	double	   *table = column_array(scan, STATE_TABLE, &count);

	if (count == 0)				/* carried over, before there was a domain */
		(void) pa_likelihood_start(state->likelihood.value, book->domain.points, &state->likelihood);
	else if ((size_t) count == book->domain.points)
	{
		memcpy(state->likelihood.value, table, sizeof(double) * count);
		state->likelihood.error = DatumGetFloat8(column(scan, STATE_ERROR));
	}
	if ((count != 0 && (size_t) count != book->domain.points) || !pa_likelihood_valid(&state->likelihood))
		pa_books_incomplete("a likelihood table does not fit the domain");
	state->borne.basic = DatumGetFloat8(column(scan, STATE_BASIC));
	state->borne.central = DatumGetFloat8(column(scan, STATE_CENTRAL));
	state->borne.rho = DatumGetFloat8(column(scan, STATE_RHO));
	state->answers = column_array(scan, STATE_ANSWERS, &count);
	state->nanswers = count / 2;
	state->bounds.loss = DatumGetFloat8(column(scan, STATE_LOSS));
	state->bounds.closed_loss = DatumGetFloat8(column(scan, STATE_CLOSED_LOSS));
	state->bounds.closed = DatumGetInt32(column(scan, STATE_CLOSED));
	state->folded = DatumGetFloat8(column(scan, STATE_FOLDED));
	pa_state_set_beside(state);
}

static void
read_states(PaBook *book, const Written *written, Snapshot snapshot)
{
	Scan		scan = begin_scan("likelihood", book->policy_id, 0, snapshot);
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "privacct state", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	int			expected = 0;

	book->room = pa_room_create(book->context, book->domain.points);
	while (next_row(&scan))
	{
		if (DatumGetInt32(column(&scan, STATE_NUMBER)) != expected)
			pa_books_incomplete("a state is missing from privacct.likelihood");
		read_state(book, &scan, empty_state(book->room, expected++));
		pa_room_take(book->room);
		MemoryContextReset(context);
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
	end_scan(&scan);
	if ((written->states >= 0 && written->states != expected) || (written->base > 0 && expected == 0))
		pa_books_incomplete("states are missing from privacct.likelihood");
	if (expected == 0)			/* nothing was written yet: nobody was ever asked */
	{
		PaOwnerState *state = empty_state(book->room, 0);

		(void) pa_likelihood_start(state->likelihood.value, book->domain.points, &state->likelihood);
		pa_room_take(book->room);
	}
	book->nstates = book->room->count;
}

/* What owners lost under an earlier policy is the state that they start with. */
static void
check_starts_anew(const PaBook *book, Snapshot snapshot)
{
	Scan		scan = begin_scan_by(1, "inherited", book->policy_id, 0, snapshot);

	while (next_row(&scan))
		if (!column_is_null(&scan, get_attnum(RelationGetRelid(scan.relation), "lost")))
			pa_books_incomplete("what was lost under an earlier policy is missing");
	end_scan(&scan);
}

/* Answers go when states are written that tell them: who has both has states that nobody was in. */
static void
check_answers_are_new(const PaBook *book, int base, Snapshot snapshot)
{
	Scan		scan = begin_scan("answer", book->policy_id, 0, snapshot);

	if (next_row(&scan) && DatumGetInt32(column(&scan, ANSWER_QUESTION)) <= base)
		pa_books_incomplete(psprintf("states up to question %d were not written from the answers", base));
	end_scan(&scan);
}

/* What was written of states, and up to which question they tell the answers. */
static Written
read_written(const PaBook *book, Snapshot snapshot)
{
	Scan		scan = begin_scan("owner_state_at", book->policy_id, 0, snapshot);
	Written		written = {.base = 0,.owners = -1,.states = -1};

	if (!next_row(&scan))
		check_starts_anew(book, snapshot);
	else
	{
		written.base = DatumGetInt32(column(&scan, AT_QUESTION));
		written.owners = column_or(&scan, AT_OWNERS, -1);
		written.states = column_or(&scan, AT_STATES, -1);
		check_answers_are_new(book, written.base, snapshot);
	}
	end_scan(&scan);
	return written;
}

/*
 * The account says how many questions were recorded: with it, a loss of all that is
 * kept of them is no start from nothing.
 */
static void
check_last_question(const PaBook *book, Snapshot snapshot)
{
	Scan		scan = begin_scan_by(1, "account", book->policy_id, 0, snapshot);
	int			recorded = 0;

	if (next_row(&scan) && DatumGetObjectId(column(&scan, ACCOUNT_ROLE)) == InvalidOid)
		recorded = DatumGetInt32(column(&scan, get_attnum(RelationGetRelid(scan.relation), "questions")));
	end_scan(&scan);
	if (book->question < recorded)
		pa_books_incomplete(psprintf("%d questions were recorded, %d are there", recorded, book->question));
}

/* --- questions and answers --- */

/* Linear and logistic questions up to the base: states refer to them. */
static void
read_regressions(PaBook *book, Snapshot snapshot)
{
	Scan		scan = begin_scan("question", book->policy_id, 1, snapshot);

	while (next_row(&scan) && DatumGetInt32(column(&scan, QUESTION_NUMBER)) <= book->base)
	{
		PaQuestion *question = pa_question_read(scan.tuple, scan.desc, &book->domain);

		if (pa_question_is_regression(question))
			pa_book_remember(book, question);
	}
	end_scan(&scan);
}

static void
apply_row(PaBook *book, const Scan *questions, const Scan *answers)
{
	PaQuestion *question = pa_question_read(questions->tuple, questions->desc, &book->domain);
	PaAnswers	given = {0};

	if (question->number != book->question + 1 || DatumGetInt32(column(answers, ANSWER_QUESTION)) != question->number)
		pa_books_incomplete(psprintf("answers to question %d are missing", book->question + 1));
	given.answered = column_bytes(answers, ANSWER_ANSWERED, &given.answered_bytes);
	given.width = DatumGetInt32(column(answers, ANSWER_WIDTH));
	given.outputs = column_bytes(answers, ANSWER_OUTPUTS, &given.outputs_bytes);
	if (given.width != pa_question_width(question))
		elog(ERROR, "answers to question %d cannot be read", question->number);
	if (!column_is_null(answers, ANSWER_BOUNDS))
	{
		given.bounds = column_array(answers, ANSWER_BOUNDS, &given.nbounds);
		given.nbounds /= PA_BOUNDS;
	}
	given.most_states = column_or(answers, ANSWER_MOST_STATES, 0);
	book->answer_bytes += given.answered_bytes + given.outputs_bytes;
	pa_book_apply(book, question, &given);
}

static void
apply_new_answers(PaBook *book, Snapshot snapshot)
{
	Scan		questions = begin_scan("question", book->policy_id, book->question + 1, snapshot);
	Scan		answers = begin_scan("answer", book->policy_id, book->question + 1, snapshot);
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "privacct question", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);

	while (next_row(&questions))
	{
		if (!next_row(&answers))
			pa_books_incomplete(psprintf("answers to question %d are missing", book->question + 1));
		apply_row(book, &questions, &answers);
		MemoryContextReset(context);
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
	end_scan(&answers);
	end_scan(&questions);
}

static void
read_all(PaBook *book, const Written *written, Snapshot snapshot)
{
	book->base = book->question = written->base;
	read_regressions(book, snapshot);
	read_states(book, written, snapshot);
	read_owner_states(book, written, snapshot);
}

/* The states of the catalog may be ahead of this book: then the answers between are gone. */
static bool
must_start_over(const PaBook *book, int base)
{
	return book->question >= 0 && base > book->question;
}

bool
pa_book_read(PaBook *book)
{
	Snapshot	snapshot = RegisterSnapshot(GetCatalogSnapshot(catalog_oid("question")));
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "privacct reading", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	Written		written = read_written(book, snapshot);
	bool		usable = !must_start_over(book, written.base);

	if (usable)
	{
		read_owners(book, snapshot);
		if (book->question < 0)
			read_all(book, &written, snapshot);
		if (written.base > book->base)
		{
			book->base = written.base;
			book->answer_bytes = 0;
		}
		apply_new_answers(book, snapshot);
		check_last_question(book, snapshot);
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
	UnregisterSnapshot(snapshot);
	return usable;
}
