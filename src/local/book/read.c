/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * read.c
 *		A book from the catalog: states as last written, then the answers since.
 *
 * All relations are read with one snapshot, so that what is read fits together
 * even while states are being written.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "access/xlog.h"
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

#include "compat/version.h"
#include "local/book/apply.h"
#include "local/book/read.h"
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
	STATE_CLOSED_LOSS, STATE_CLOSED, STATE_FOLDED, STATE_STEPS
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

enum
{
	COPY_QUESTION = 2, COPY_OWNERS, COPY_STATES, COPY_BASE, COPY_TRAIL, COPY_SEAL
};

/* What owner_state_at, or owner_state_copy_at, says; -1: not known, of states that version 0.1 wrote. */
typedef struct Written
{
	int			question;		/* the last that is in the states */
	PaOrigin	origin;
	int			owners;			/* in owner_state */
	int			states;			/* in likelihood */
	const char *owner_state;	/* the relations' names */
	const char *likelihood;
	uint64		trail;			/* of a copy: of the answers since the states that it was made from */
	size_t		answer_bytes;	/* of these */
	uint64		seal;			/* of a copy: of the states */
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

/* NULL, or what is wrong with them. */
static const char *
read_owner_states(PaBook *book, const Written *written, Snapshot snapshot)
{
	Scan		scan = begin_scan(written->owner_state, book->policy_id, 0, snapshot);
	const char *problem = NULL;
	int64		expected = 0;

	while (problem == NULL && next_row(&scan))
	{
		size_t		length;
		const uint8 *states = column_bytes(&scan, OWNER_STATE_STATES, &length);
		int			first = DatumGetInt32(column(&scan, OWNER_STATE_FIRST));
		int			width = DatumGetInt32(column(&scan, OWNER_STATE_WIDTH));
		int64		count = width > 0 ? (int64) (length * 8 / width) : 0;

		if (count == 0 || first != expected || first + count > book->nowners)
			problem = psprintf("privacct.%s has a state of nobody", written->owner_state);
		for (int64 i = 0; problem == NULL && i < count; i++)
			book->states[first + i] = (int32) pa_outputs_get(width, states, i);
		expected += count;
	}
	end_scan(&scan);
	if (problem == NULL && written->owners >= 0 && written->owners != expected)
		problem = psprintf("states of owners are missing from privacct.%s", written->owner_state);
	for (int owner = 0; problem == NULL && owner < book->nowners; owner++)
		if (book->states[owner] < 0 || book->states[owner] >= book->nstates)
			problem = psprintf("privacct.%s has a state that is none", written->owner_state);
	return problem;
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
	return state;
}

/* False if the table is none of this domain. */
static bool
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
		return false;
	state->borne.basic = DatumGetFloat8(column(scan, STATE_BASIC));
	state->borne.central = DatumGetFloat8(column(scan, STATE_CENTRAL));
	state->borne.rho = DatumGetFloat8(column(scan, STATE_RHO));
	state->answers = column_array(scan, STATE_ANSWERS, &count);
	state->nanswers = count / 2;
	state->bounds.loss = DatumGetFloat8(column(scan, STATE_LOSS));
	state->bounds.closed_loss = DatumGetFloat8(column(scan, STATE_CLOSED_LOSS));
	state->bounds.closed = DatumGetInt32(column(scan, STATE_CLOSED));
	state->folded = DatumGetFloat8(column(scan, STATE_FOLDED));
	state->steps_loss = DatumGetFloat8(column(scan, STATE_STEPS));
	pa_state_set_beside(state);
	return true;
}

/* Nobody was ever asked. */
static void
start_states(PaBook *book)
{
	PaOwnerState *state = empty_state(book->room, 0);

	(void) pa_likelihood_start(state->likelihood.value, book->domain.points, &state->likelihood);
	pa_room_take(book->room);
}

/* NULL, or what is wrong with them. */
static const char *
read_states(PaBook *book, const Written *written, Snapshot snapshot)
{
	Scan		scan = begin_scan(written->likelihood, book->policy_id, 0, snapshot);
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext context = AllocSetContextCreate(caller, "privacct state", ALLOCSET_DEFAULT_SIZES);
	const char *problem = NULL;
	int			expected = 0;

	book->room = pa_room_create(book->context, book->domain.points);
	while (problem == NULL && next_row(&scan))
	{
		MemoryContextSwitchTo(context);
		if (DatumGetInt32(column(&scan, STATE_NUMBER)) != expected)
			problem = "a state is missing from";
		else if (!read_state(book, &scan, empty_state(book->room, expected++)))
			problem = "a likelihood table does not fit the domain in";
		else
			pa_room_take(book->room);
		MemoryContextSwitchTo(caller);
		MemoryContextReset(context);
	}
	MemoryContextDelete(context);
	end_scan(&scan);
	if (problem == NULL && ((written->states >= 0 && written->states != expected) || (written->question > 0 && expected == 0)))
		problem = "states are missing from";
	if (problem == NULL && expected == 0)
		start_states(book);
	book->nstates = book->room->count;
	return problem ? psprintf("%s privacct.%s", problem, written->likelihood) : NULL;
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

/* Whatever was written by hand: a book is not made of what is there now.  -1: this transaction writes. */
static int64
count_written_by_hand(Snapshot snapshot)
{
	Scan		scan = begin_scan_by(0, "written_by_hand", 0, 0, snapshot);
	int64		count = 0;

	while (count >= 0 && next_row(&scan))
		count = TransactionIdIsCurrentTransactionId(HeapTupleHeaderGetRawXmin(scan.tuple->t_data)) ? -1 : count + 1;
	end_scan(&scan);
	return count;
}

/* What was written of states, and up to which question they tell the answers. */
static Written
read_written(const PaBook *book, Snapshot snapshot)
{
	Scan		scan = begin_scan("owner_state_at", book->policy_id, 0, snapshot);
	Written		written = {.owners = -1,.states = -1,.owner_state = "owner_state",.likelihood = "likelihood"};

	written.origin.by_hand = count_written_by_hand(snapshot);
	if (!next_row(&scan))
		check_starts_anew(book, snapshot);
	else
	{
		written.question = DatumGetInt32(column(&scan, AT_QUESTION));
		written.origin.writer = HeapTupleHeaderGetRawXmin(scan.tuple->t_data);
		written.owners = column_or(&scan, AT_OWNERS, -1);
		written.states = column_or(&scan, AT_STATES, -1);
		check_answers_are_new(book, written.question, snapshot);
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

/* Questions about the box up to that of the states, which refer to them. */
static void
read_regressions(PaBook *book, Snapshot snapshot)
{
	Scan		scan = begin_scan("question", book->policy_id, 1, snapshot);

	while (next_row(&scan) && DatumGetInt32(column(&scan, QUESTION_NUMBER)) <= book->question)
	{
		PaQuestion *question = pa_question_read(scan.tuple, scan.desc, &book->domain);

		if (pa_question_is_about_box(question))
			pa_book_remember(book, question);
	}
	end_scan(&scan);
}

static PaAnswers
read_answers(const Scan *answers)
{
	PaAnswers	given = {0};

	given.answered = column_bytes(answers, ANSWER_ANSWERED, &given.answered_bytes);
	given.width = DatumGetInt32(column(answers, ANSWER_WIDTH));
	given.outputs = column_bytes(answers, ANSWER_OUTPUTS, &given.outputs_bytes);
	if (!column_is_null(answers, ANSWER_BOUNDS))
	{
		given.bounds = column_array(answers, ANSWER_BOUNDS, &given.nbounds);
		given.nbounds /= PA_BOUNDS;
	}
	given.most_states = column_or(answers, ANSWER_MOST_STATES, 0);
	return given;
}

static void
apply_row(PaBook *book, const Scan *questions, const Scan *answers)
{
	PaQuestion *question = pa_question_read(questions->tuple, questions->desc, &book->domain);
	PaAnswers	given = read_answers(answers);

	if (question->number != book->question + 1 || DatumGetInt32(column(answers, ANSWER_QUESTION)) != question->number)
		pa_books_incomplete(psprintf("answers to question %d are missing", book->question + 1));
	if (given.width != pa_question_width(question))
		elog(ERROR, "answers to question %d cannot be read", question->number);
	book->answer_bytes += given.answered_bytes + given.outputs_bytes;
	pa_book_apply(book, question, &given);
}

static void
apply_new_answers(PaBook *book, bool from_beginning, Snapshot snapshot)
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
		if (from_beginning)
			book->replayed += book->nstates;
		MemoryContextReset(context);
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
	end_scan(&answers);
	end_scan(&questions);
}

/* --- states that were made before --- */

/* Goes over the answers from one question to another; false if they are not all there. */
static bool
follow_trail(const PaBook *book, int after, Written *copy, Snapshot snapshot)
{
	Scan		questions = begin_scan("question", book->policy_id, after + 1, snapshot);
	Scan		answers = begin_scan("answer", book->policy_id, after + 1, snapshot);
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "privacct answers", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	int			question = after;

	while (question < copy->question && next_row(&questions) && next_row(&answers) &&
		   DatumGetInt32(column(&questions, QUESTION_NUMBER)) == question + 1 && DatumGetInt32(column(&answers, ANSWER_QUESTION)) == question + 1)
	{
		PaAnswers	given = read_answers(&answers);

		copy->trail = pa_answers_trail(book, copy->trail, DatumGetInt64(column(&questions, QUESTION_CHARGE)), &given);
		copy->answer_bytes += given.answered_bytes + given.outputs_bytes;
		MemoryContextReset(context);
		question++;
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
	end_scan(&answers);
	end_scan(&questions);
	return question == copy->question;
}

/*
 * A copy counts if it was made of these states and these answers, and is what was
 * written.  Else it is as if there were none: answers are gone through one after the
 * other.
 */
static bool
find_copy(const PaBook *book, const Written *written, Written *copy, Snapshot snapshot)
{
	Scan		scan;
	bool		found;
	uint64		trail = 0;

	if (RecoveryInProgress())	/* the relations are not logged */
		return false;
	scan = begin_scan("owner_state_copy_at", book->policy_id, 0, snapshot);
	found = next_row(&scan) && DatumGetInt32(column(&scan, COPY_BASE)) == written->question;
	if (found)
	{
		*copy = (Written) {
			.question = DatumGetInt32(column(&scan, COPY_QUESTION)),.owners = DatumGetInt32(column(&scan, COPY_OWNERS)),
			.states = DatumGetInt32(column(&scan, COPY_STATES)),.owner_state = "owner_state_copy",.likelihood = "likelihood_copy"
		};
		copy->seal = (uint64) DatumGetInt64(column(&scan, COPY_SEAL));
		trail = (uint64) DatumGetInt64(column(&scan, COPY_TRAIL));
	}
	end_scan(&scan);
	return found && follow_trail(book, written->question, copy, snapshot) && copy->trail == trail;
}

/* NULL, or what is wrong with what is there. */
static const char *
read_from(PaBook *book, const Written *from, Snapshot snapshot)
{
	const char *problem;

	if (book->room)				/* of a copy that does not count */
		MemoryContextDelete(book->room->context);
	if (book->nowners > 0)
		memset(book->states, 0, sizeof(int) * book->nowners);
	book->question = from->question;
	book->trail = from->trail;
	book->answer_bytes = from->answer_bytes;
	problem = read_states(book, from, snapshot);
	return problem ? problem : read_owner_states(book, from, snapshot);
}

/* What is wrong with a copy is no matter: there are the states that it was made from. */
static bool
read_copy(PaBook *book, const Written *written, Snapshot snapshot)
{
	Written		copy;

	return find_copy(book, written, &copy, snapshot) && read_from(book, &copy, snapshot) == NULL &&
		pa_states_seal(book, copy.owners) == copy.seal;
}

static void
read_all(PaBook *book, const Written *written, Snapshot snapshot)
{
	const char *problem = NULL;

	book->base = book->trail_base = written->question;
	book->origin = written->origin;
	if (!read_copy(book, written, snapshot))
		problem = read_from(book, written, snapshot);
	if (problem)
		pa_books_incomplete(problem);
	read_regressions(book, snapshot);
}

/* Whether the catalog's owners from a number on are those of the book. */
static bool
has_owners_from(const PaBook *book, int from, Snapshot snapshot)
{
	Scan		scan = begin_scan("owner_key", book->policy_id, from, snapshot);
	bool		same = true;

	while (same && from < book->nowners && next_row(&scan))
	{
		size_t		length,
					records_length;
		const uint8 *keys = column_bytes(&scan, KEY_KEYS, &length);
		const uint8 *records = column_bytes(&scan, KEY_RECORDS, &records_length);
		int			count = (int) Min(length / sizeof(uint64), (size_t) (book->nowners - from));

		same = DatumGetInt32(column(&scan, KEY_FIRST)) == from && records_length / sizeof(uint32) >= count &&
			memcmp(keys, book->keys + from, sizeof(uint64) * count) == 0 &&
			memcmp(records, book->records + from, sizeof(uint32) * count) == 0;
		from += count;
	}
	end_scan(&scan);
	return same && from == book->nowners;
}

/*
 * An image counts if it was made of the states, answers and owners that are there.
 * What this process has seen of its descent need not be looked at again.
 */
static bool
image_counts(const PaBook *book, const Written *written, Snapshot snapshot)
{
	PaSeen		seen = book->seen;
	Written		image = {.question = book->question};

	if (book->trail_base != written->question)
		return false;
	if (seen.lineage != book->lineage || seen.base != book->base ||
		!pa_origin_equal(seen.origin, book->origin) || seen.question > book->question)
		seen = (PaSeen) {.question = book->base};
	image.trail = seen.trail;
	return follow_trail(book, seen.question, &image, snapshot) && image.trail == book->trail &&
		has_owners_from(book, seen.owners, snapshot);
}

/*
 * The states of the catalog may be ahead of this book: then the answers between are
 * gone.  Or they are others than those it was made of.
 */
static bool
is_usable(const PaBook *book, const Written *written, Snapshot snapshot)
{
	return written->question <= book->question &&
		written->origin.by_hand >= 0 && written->origin.by_hand == book->origin.by_hand &&
		(written->question != book->base || written->origin.writer == book->origin.writer) &&
		(!book->borrowed || image_counts(book, written, snapshot));
}

bool
pa_book_read(PaBook *book)
{
	Snapshot	snapshot = RegisterSnapshot(GetCatalogSnapshot(catalog_oid("question")));
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "privacct reading", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	Written		written = read_written(book, snapshot);
	bool		from_beginning = book->question < 0;
	bool		usable = from_beginning || is_usable(book, &written, snapshot);

	if (usable)
	{
		read_owners(book, snapshot);
		if (from_beginning)
			read_all(book, &written, snapshot);
		if (written.question > book->base)
			pa_book_rebase(book, written.question, written.origin);
		apply_new_answers(book, from_beginning, snapshot);
		check_last_question(book, snapshot);
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
	UnregisterSnapshot(snapshot);
	return usable;
}

void
pa_book_read_base(PaBook *book)
{
	Snapshot	snapshot = RegisterSnapshot(GetCatalogSnapshot(catalog_oid("owner_state_at")));
	Written		written = read_written(book, snapshot);

	UnregisterSnapshot(snapshot);
	pa_book_rebase(book, written.question, written.origin);
}
