/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * record.c
 *		Rows of the catalog's relations from a book; the ledger's worker writes them.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "compat/version.h"
#include "local/book/read.h"
#include "local/record.h"

/* Rows of about 8 kB each, one to a page. */
#define KEYS_OF_ROW 660
#define STATE_BITS_OF_ROW 64000

#define STATE_BYTES 200			/* of a row of privacct.likelihood beside its arrays, about */
#define ANSWERS_PER_STATES 3	/* room that answers take when states are written */
#define REPLAYS_OF_COPY 8		/* a copy is written by who made so many times as many states from answers */
#define LEAST_COPIED 256		/* states */
#define PART_BYTES (4 * 1024 * 1024)	/* of a copy */

static Datum
bytes_datum(const void *bytes, size_t length)
{
	bytea	   *datum = MemoryContextAllocHuge(CurrentMemoryContext, length + VARHDRSZ);

	SET_VARSIZE(datum, length + VARHDRSZ);
	if (length > 0)
		memcpy(VARDATA(datum), bytes, length);
	return PointerGetDatum(datum);
}

static Datum
double_array(const double *numbers, int64 count)
{
	ArrayType  *array;
	Size		size = ARR_OVERHEAD_NONULLS(1) + sizeof(double) * count;

	if (count == 0)
		return PointerGetDatum(construct_empty_array(FLOAT8OID));
	array = MemoryContextAllocZero(CurrentMemoryContext, size);
	SET_VARSIZE(array, size);
	array->ndim = 1;
	array->elemtype = FLOAT8OID;
	ARR_DIMS(array)[0] = (int) count;
	ARR_LBOUND(array)[0] = 1;
	memcpy(ARR_DATA_PTR(array), numbers, sizeof(double) * count);
	return PointerGetDatum(array);
}

static Datum
int_array(const int *numbers, int count)
{
	Datum	   *elements = palloc(sizeof(Datum) * Max(count, 1));

	for (int i = 0; i < count; i++)
		elements[i] = Int32GetDatum(numbers[i]);
	return PointerGetDatum(construct_array(elements, count, INT4OID, sizeof(int32), true, TYPALIGN_INT));
}

/* --- questions and answers --- */

static void
add_owners(PaRows *rows, const PaBook *book, int from)
{
	bool		nulls[4] = {false};

	for (int first = from; first < book->nowners; first += KEYS_OF_ROW)
	{
		int			count = Min(KEYS_OF_ROW, book->nowners - first);
		Datum		values[4] = {Int64GetDatum(book->policy_id), Int32GetDatum(first),
		bytes_datum(book->keys + first, sizeof(uint64) * count), bytes_datum(book->records + first, sizeof(uint32) * count)};

		pa_rows_add(rows, PA_ROWS_OWNER_KEY, values, nulls);
		pfree(DatumGetPointer(values[2]));
		pfree(DatumGetPointer(values[3]));
	}
}

static void
add_question(PaRows *rows, const PaBook *book, const PaQuestion *question, const PaAnswered *answered)
{
	Datum		row[QUESTION_COLUMN_COUNT];
	bool		row_nulls[QUESTION_COLUMN_COUNT];
	Datum		values[7] = {Int64GetDatum(book->policy_id), Int32GetDatum(question->number),
		bytes_datum(answered->answered, answered->answered_bytes), Int32GetDatum(pa_question_width(question)),
	bytes_datum(answered->outputs, answered->outputs_bytes)};
	bool		nulls[7] = {false, false, false, false, false, answered->bounds == NULL};

	if (answered->bounds)
		values[5] = double_array(answered->bounds, (int64) PA_BOUNDS * answered->nstates);
	values[6] = Int32GetDatum(answered->most_states);
	pa_question_row(question, book->policy_id, answered->count, &book->domain, row, row_nulls);
	pa_rows_add(rows, PA_ROWS_QUESTION, row, row_nulls);
	pa_rows_add(rows, PA_ROWS_ANSWER, values, nulls);
}

PaRows *
pa_record_answers(PaBook *book, int owners_before, const PaQuestion *question, const PaAnswered *answered)
{
	PaRows	   *rows = pa_rows_start(book->policy_id, question->number - 1);

	add_owners(rows, book, owners_before);
	add_question(rows, book, question, answered);
	book->answer_bytes += answered->answered_bytes + answered->outputs_bytes;
	return rows;
}

/* --- states --- */

/* What is written in parts: the rest of it. */
static PaRows *
next_part(PaRows *rows, const PaBook *book)
{
	if (pa_rows_length(rows) < PART_BYTES)
		return rows;
	pa_rows_write(rows);
	return pa_rows_start(book->policy_id, book->question);
}

static PaRows *
add_states(PaRows *rows, PaRowTable table, const PaBook *book, bool in_parts)
{
	bool		nulls[13] = {false};

	for (int i = 0; i < book->nstates; i++)
	{
		const PaOwnerState *state = pa_book_state(book, i);
		Datum		values[13] = {Int64GetDatum(book->policy_id), Int32GetDatum(i),
			double_array(state->likelihood.value, (int64) state->likelihood.size), Float8GetDatum(state->likelihood.error),
			Float8GetDatum(state->borne.basic), Float8GetDatum(state->borne.central), Float8GetDatum(state->borne.rho),
			int_array(state->answers, 2 * state->nanswers), Float8GetDatum(state->bounds.loss),
		Float8GetDatum(state->bounds.closed_loss), Int32GetDatum(state->bounds.closed), Float8GetDatum(state->folded),
		Float8GetDatum(state->steps_loss)};

		pa_rows_add(rows, table, values, nulls);
		pfree(DatumGetPointer(values[2]));
		pfree(DatumGetPointer(values[7]));
		if (in_parts)
			rows = next_part(rows, book);
	}
	return rows;
}

/* Bits that the number of any state fits in. */
static int
state_width(const PaBook *book)
{
	return book->nstates <= 1 << 8 ? 8 : book->nstates <= 1 << 16 ? 16 : 32;
}

static PaRows *
add_owner_states(PaRows *rows, PaRowTable table, const PaBook *book, bool in_parts)
{
	int			width = state_width(book);
	int			most = STATE_BITS_OF_ROW / width;
	bytea	   *states = palloc(VARHDRSZ + pa_outputs_size(width, most));
	bool		nulls[4] = {false};

	for (int first = 0; first < book->nowners; first += most)
	{
		int			count = Min(most, book->nowners - first);
		Datum		values[4] = {Int64GetDatum(book->policy_id), Int32GetDatum(first), Int32GetDatum(width),
		PointerGetDatum(states)};

		SET_VARSIZE(states, VARHDRSZ + pa_outputs_size(width, count));
		for (int i = 0; i < count; i++)
			pa_outputs_put(width, (uint8 *) VARDATA(states), i, book->states[first + i]);
		pa_rows_add(rows, table, values, nulls);
		if (in_parts)
			rows = next_part(rows, book);
	}
	pfree(states);
	return rows;
}

static size_t
size_of_states(const PaBook *book)
{
	size_t		size = pa_outputs_size(state_width(book), book->nowners) +
		(STATE_BYTES + sizeof(double) * book->domain.points) * (size_t) book->nstates;

	for (int i = 0; book->nregressions > 0 && i < book->nstates; i++)
		size += 2 * sizeof(int) * pa_book_state(book, i)->nanswers;
	return size;
}

static void
clear_copy(PaRows *rows)
{
	pa_rows_clear(rows, PA_ROWS_LIKELIHOOD_COPY);
	pa_rows_clear(rows, PA_ROWS_OWNER_STATE_COPY);
	pa_rows_clear(rows, PA_ROWS_OWNER_STATE_COPY_AT);
}

static void
write_states(PaBook *book)
{
	PaRows	   *rows = pa_rows_start(book->policy_id, book->question);
	Datum		at[4] = {Int64GetDatum(book->policy_id), Int32GetDatum(book->question), Int32GetDatum(book->nowners), Int32GetDatum(book->nstates)};
	bool		nulls[4] = {false};

	pa_rows_clear(rows, PA_ROWS_LIKELIHOOD);
	pa_rows_clear(rows, PA_ROWS_OWNER_STATE);
	pa_rows_clear(rows, PA_ROWS_OWNER_STATE_AT);
	pa_rows_clear(rows, PA_ROWS_ANSWER);
	clear_copy(rows);
	(void) add_states(rows, PA_ROWS_LIKELIHOOD, book, false);
	(void) add_owner_states(rows, PA_ROWS_OWNER_STATE, book, false);
	pa_rows_add(rows, PA_ROWS_OWNER_STATE_AT, at, nulls);
	pa_rows_write(rows);
	pa_book_read_base(book);
}

/*
 * In parts, for shared memory may be scarce and a question must not fail by this; who
 * finds no row in owner_state_copy_at, the last, does not look at the others.
 */
static void
write_copy(PaBook *book)
{
	PaRows	   *rows = pa_rows_start(book->policy_id, book->question);
	Datum		at[7] = {Int64GetDatum(book->policy_id), Int32GetDatum(book->question), Int32GetDatum(book->nowners),
		Int32GetDatum(book->nstates), Int32GetDatum(book->base), Int64GetDatum((int64) book->trail),
	Int64GetDatum((int64) pa_states_seal(book, book->nowners))};
	bool		nulls[7] = {false};

	clear_copy(rows);
	rows = add_states(rows, PA_ROWS_LIKELIHOOD_COPY, book, true);
	rows = add_owner_states(rows, PA_ROWS_OWNER_STATE_COPY, book, true);
	pa_rows_add(rows, PA_ROWS_OWNER_STATE_COPY_AT, at, nulls);
	pa_rows_write(rows);
}

/* Of few states there is no need: these are soon made again. */
static bool
copy_is_due(const PaBook *book)
{
	return book->nstates >= LEAST_COPIED && book->replayed / REPLAYS_OF_COPY >= book->nstates && book->trail_base == book->base;
}

void
pa_record_states_if_due(PaBook *book)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "privacct states to be written", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);

	if (book->answer_bytes >= ANSWERS_PER_STATES * size_of_states(book))
		write_states(book);
	else if (copy_is_due(book))
		write_copy(book);
	book->replayed = 0;
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
}
