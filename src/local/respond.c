/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * respond.c
 *		See respond.h.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "bound/ring.h"
#include "price/release.h"
#include "compat.h"
#include "core/bayes/cells.h"
#include "core/bayes/randomiser.h"
#include "local/book/apply.h"
#include "local/book/fold.h"
#include "local/respond.h"
#include "number.h"
#include "short_value.h"
#include "session_random.h"

#define LOOK_AHEAD 32			/* respondents whose place in the book is being fetched */

/* How the columns of a row are read. */
typedef struct RowReader
{
	PaRespondents *respondents;
	const PaPolicy *policy;
	const PaBook *book;
	PaPlaces  **places;			/* of listed columns */
	const PaDomainColumn **declared;
	bool	   *number_wanted;
	int		   *domain_column;	/* of each column: which of the domain's it is */
	int		   *place;			/* of the current row */
	double	   *number;
	double		record[PA_REGRESSION_DIMENSIONS];	/* place or number, by the domain's columns */
} RowReader;

/* --- reading --- */

static void
start_reader(RowReader *reader, PaRespondents *respondents, const PaPolicy *policy, const PaBook *book)
{
	const PaLocalSpec *spec = respondents->spec;
	int			n = spec->ncolumns + 1;

	*reader = (RowReader) {respondents, policy, book, palloc0(sizeof(PaPlaces *) * n), palloc0(sizeof(PaDomainColumn *) * n),
	palloc0(sizeof(bool) * n), palloc0(sizeof(int) * n), palloc0(sizeof(int) * n), palloc0(sizeof(double) * n)};
	for (int i = 0; i < spec->ncolumns; i++)
	{
		reader->declared[i] = pa_policy_domain(policy, spec->columns[i].attnum);
		reader->domain_column[i] = pa_domain_column(&book->domain, reader->declared[i]->position);
		reader->number_wanted[i] = !reader->declared[i]->listed;
		for (int j = 0; j < spec->leaf->naggregates; j++)
			reader->number_wanted[i] |= respondents->asks[j].coefficient[i] != 0;
		if (reader->declared[i]->listed)
			reader->places[i] = pa_places_create(reader->declared[i], spec->columns[i].collation);
	}
}

/* The value as a number of the interval; NULL and what is no number count as its lower end. */
static double
clamped_number(const PaDomainColumn *declared, Datum value, bool isnull)
{
	double		number;

	if (isnull || (declared->type == NUMERICOID && !pa_numeric_is_short(value)) ||
		!pa_read_number(declared->type, value, &number))
		return declared->lo;
	return number < declared->lo ? declared->lo : number > declared->hi ? declared->hi : number;
}

/* A listed column's number is that of its place, so that unlisted values count as the first everywhere. */
static void
read_columns(RowReader *reader, TupleTableSlot *slot)
{
	const PaLocalSpec *spec = reader->respondents->spec;

	for (int i = 0; i < spec->ncolumns; i++)
	{
		int			input = spec->columns[i].input;
		const PaDomainColumn *declared = reader->declared[i];

		if (declared->listed)
			reader->place[i] = pa_places_find(reader->places[i], slot->tts_values[input], slot->tts_isnull[input]);
		if (reader->number_wanted[i])
			reader->number[i] = declared->listed ?
				clamped_number(declared, declared->values[reader->place[i]], declared->nulls[reader->place[i]]) :
				clamped_number(declared, slot->tts_values[input], slot->tts_isnull[input]);
		reader->record[reader->domain_column[i]] = declared->listed ? reader->place[i] : reader->number[i] + 0.0;	/* 0, not -0 */
	}
}

static uint32
point_of(const RowReader *reader, const PaAsk *ask)
{
	uint32		point = 0;

	if (ask->question.ncuts > 0)
		return (uint32) pa_cell_of(&(PaCuts) {ask->question.ncuts, ask->question.cuts}, reader->number[ask->cell_column]);
	for (int i = 0; i < reader->respondents->spec->ncolumns; i++)
		point += ask->weight[i] * (uint32) reader->place[i];
	return point;
}

static double
response_of(const RowReader *reader, const PaAsk *ask)
{
	double		z = ask->question.regression.constant;

	for (int i = 0; i < reader->respondents->spec->ncolumns; i++)
		z += ask->coefficient[i] * reader->number[i];
	return ask->question.kind == PA_ASK_LOGISTIC ? 1 / (1 + exp(-z)) : z;
}

static void *
grown(MemoryContext context, void *array, Size size)
{
	return array ? repalloc_huge(array, size) : MemoryContextAllocHuge(context, size);
}

static void
grow(PaRespondents *respondents)
{
	int64		capacity = Max(1024, respondents->capacity * 2);
	MemoryContext context = respondents->context;

	respondents->capacity = capacity;
	respondents->keys = grown(context, respondents->keys, sizeof(uint64) * capacity);
	respondents->records = grown(context, respondents->records, sizeof(uint32) * capacity);
	respondents->owners = grown(context, respondents->owners, sizeof(int) * capacity);
	respondents->group = grown(context, respondents->group, sizeof(int) * capacity);
	for (int i = 0; i < respondents->spec->leaf->naggregates; i++)
		if (pa_ask_is_regression(&respondents->asks[i]))
			respondents->responses[i] = grown(context, respondents->responses[i], sizeof(double) * capacity);
		else
			respondents->points[i] = grown(context, respondents->points[i], sizeof(uint32) * capacity);
}

static void
take_row(RowReader *reader, TupleTableSlot *slot)
{
	PaRespondents *respondents = reader->respondents;
	int			owner = respondents->spec->leaf->owner_input;
	int64		at = respondents->count;

	slot_getallattrs(slot);
	if (slot->tts_isnull[owner] || !pa_owner_is_short(reader->policy->owner_type, slot->tts_values[owner]))
		return;
	if (at == respondents->capacity)
		grow(respondents);
	respondents->keys[at] = pa_book_key(reader->book, reader->policy->owner_type, slot->tts_values[owner]);
	respondents->group[at] = pa_groups_find(respondents->groups, slot);
	read_columns(reader, slot);
	respondents->records[at] = pa_book_record(reader->book, reader->record);
	for (int i = 0; i < respondents->spec->leaf->naggregates; i++)
		if (respondents->responses[i])
			respondents->responses[i][at] = response_of(reader, &respondents->asks[i]);
		else
			respondents->points[i][at] = point_of(reader, &respondents->asks[i]);
	respondents->count++;
}

static void
read_rows(RowReader *reader, PlanState *child)
{
	MemoryContext row_context = AllocSetContextCreate(reader->respondents->context, "privacct input row", ALLOCSET_SMALL_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(child->state->es_query_cxt);
	BufferAccessStrategy ring = pa_ring_begin(child);
	TupleTableSlot *row;

	while (row = ExecProcNode(child), !TupIsNull(row))
	{
		MemoryContext query_context = MemoryContextSwitchTo(row_context);

		CHECK_FOR_INTERRUPTS();
		take_row(reader, row);
		MemoryContextReset(row_context);
		MemoryContextSwitchTo(query_context);
	}
	pa_ring_end(child, ring);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(row_context);
}

/* Rows mostly come in the order in which their owners were numbered; where not, places are fetched ahead. */
static void
find_owners(PaRespondents *respondents, const PaBook *book)
{
	int			expected = 0;

	for (int64 i = 0; i < respondents->count; i++)
	{
		uint64		key = respondents->keys[i];

		if (!pa_book_is(book, expected, key))
		{
			if (i + LOOK_AHEAD < respondents->count)
				pa_book_fetch(book, respondents->keys[i + LOOK_AHEAD]);
			expected = pa_book_find(book, key);
		}
		respondents->owners[i] = expected++;
	}
}

static void
count_asked(PaRespondents *respondents)
{
	int			ngroups = pa_groups_count(respondents->groups);

	respondents->asked = palloc0(sizeof(int64) * Max(ngroups, 1));
	for (int64 i = 0; i < respondents->count; i++)
		respondents->asked[respondents->group[i]]++;
	for (int i = 0; i < respondents->spec->leaf->naggregates; i++)
		respondents->tallies[i] = palloc0(sizeof(PaTally) * Max(ngroups, 1));
}

PaRespondents *
pa_respondents_read(PlanState *child, PlanState *node, const PaLocalSpec *spec, const PaPolicy *policy,
					const PaBook *book, const PaAsk *asks, MemoryContext context)
{
	static const PaStatistics no_statistics = {0};
	MemoryContext caller = MemoryContextSwitchTo(context);
	PaRespondents *respondents = palloc0(sizeof(PaRespondents));
	int			calls = Max(spec->leaf->naggregates, 1);
	RowReader	reader;

	respondents->spec = spec;
	respondents->asks = asks;
	respondents->context = context;
	respondents->groups = pa_groups_create(node, ExecGetResultType(child), spec->leaf, &no_statistics, policy->secret, context);
	respondents->points = palloc0(sizeof(uint32 *) * calls);
	respondents->responses = palloc0(sizeof(double *) * calls);
	respondents->tallies = palloc0(sizeof(PaTally *) * calls);
	grow(respondents);
	start_reader(&reader, respondents, policy, book);
	read_rows(&reader, child);
	find_owners(respondents, book);
	count_asked(respondents);
	MemoryContextSwitchTo(caller);
	return respondents;
}

/* --- asking --- */

static int64
draw(const PaAsk *ask, const PaRespondents *respondents, int i, int64 at)
{
	const PaQuestion *question = &ask->question;
	int64_t		output = 0;
	PaStatus	status;

	if (pa_question_is_regression(question))
	{
		PaCoin		coin;
		bool		bit = false;

		status = pa_binary_coin(&question->binary, respondents->responses[i][at], &coin);
		if (status == PA_OK)
			status = pa_coin_draw(&coin, pa_session_random(), &bit);
		output = bit;
	}
	else
		status = pa_query_draw(&question->query, ask->representative[respondents->points[i][at]], pa_session_random(), &output);
	if (status != PA_OK)
		ereport(ERROR,
				errcode(ERRCODE_INTERNAL_ERROR),
				errmsg("drawing an answer failed: %s", pa_status_text(status)));
	return output;
}

static void
keep_output(const PaRespondents *respondents, PaTally *tally, int64 output)
{
	if (tally->answered > tally->capacity)
	{
		tally->capacity = Max(1024, tally->capacity * 2);
		tally->outputs = grown(respondents->context, tally->outputs, sizeof(int64) * tally->capacity);
	}
	tally->outputs[tally->answered - 1] = output;
}

static void
count_output(const PaRespondents *respondents, const PaAsk *ask, PaTally *tally, int64 output)
{
	tally->answered++;
	switch (ask->question.kind)
	{
		case PA_ASK_RESPONSE:
			if (tally->counts == NULL)
				tally->counts = MemoryContextAllocZero(respondents->context, sizeof(int64) * ask->question.response.categories);
			tally->counts[output]++;
			break;
		case PA_ASK_ADDITIVE:
			tally->total += output;
			if (ask->call->kind == PA_AGG_LDP_RESPONSE)
				keep_output(respondents, tally, output);
			break;
		case PA_ASK_BINARY:
		case PA_ASK_LINEAR:
		case PA_ASK_LOGISTIC:
		case PA_ASK_CENTRAL:
			tally->hits += output;
			break;
	}
}

/*
 * Those who have no number get one; two of equal keys are one owner.  The places of
 * some are loaded without waiting before they are needed, so that one wait is for all.
 */
static void
number_owners(PaRespondents *respondents, PaBook *book)
{
	int64		owners = book->nowners;

	for (int64 at = 0; at < respondents->count; at++)
		owners += respondents->owners[at] < 0;
	if (owners == book->nowners)
		return;
	pa_book_reserve(book, owners);
	for (int64 first = 0; first < respondents->count; first += LOOK_AHEAD)
	{
		int64		end = Min(first + LOOK_AHEAD, respondents->count);

		CHECK_FOR_INTERRUPTS();
		for (int64 at = first; at < end; at++)
			(void) *(const volatile uint32 *) &book->slots[respondents->keys[at] & book->slot_mask];
		for (int64 at = first; at < end; at++)
			if (respondents->owners[at] < 0)
				respondents->owners[at] = pa_book_number(book, respondents->keys[at], respondents->records[at]);
	}
}

/* Outputs by owner become outputs of those who answered, without gaps. */
static void
pack_outputs(PaAnswered *answered, int width, int owners)
{
	int64		next = 0;

	for (int owner = 0; owner < owners; owner++)
	{
		int64		output;

		if (!pa_bit(answered->answered, answered->answered_bytes, owner))
			continue;
		if (next < owner)
		{
			output = pa_outputs_get(width, answered->outputs, owner);
			if (width == 1)
				answered->outputs[next / 8] &= (uint8) ~(1 << (next % 8));
			pa_outputs_put(width, answered->outputs, next, output);
		}
		next++;
	}
	answered->outputs_bytes = pa_outputs_size(width, next);
	if (width == 1 && next % 8 != 0)
		answered->outputs[next / 8] &= (uint8) ((1 << (next % 8)) - 1);
}

/*
 * Realised loss is about one record.  Whose record is another one now is not asked
 * again: their answers so far say nothing certain about it.  Sums of levels hold
 * whatever the record.
 */
static bool
same_record(const PaRespondents *respondents, const PaPolicy *policy, const PaBook *book, int64 at)
{
	return policy->filter.kind == PA_FILTER_BASIC ||
		book->records[respondents->owners[at]] == respondents->records[at];
}

static PaAnswered
collect(PaRespondents *respondents, int i, PaAsk *ask, const PaAdmission *admission, const PaPolicy *policy, PaBook *book)
{
	int			width = pa_question_width(&ask->question);
	int64		most = book->nowners + respondents->count;
	PaAnswered	answered = {
		.answered_bytes = (size_t) (most + 7) / 8,
		.answered = MemoryContextAllocExtended(respondents->context, (most + 7) / 8 + 1, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO),
		.outputs = MemoryContextAllocExtended(respondents->context, pa_outputs_size(width, most) + 1, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO)
	};

	if (admission->admitted[0])
		number_owners(respondents, book);
	for (int64 at = 0; at < respondents->count; at++)
	{
		int			owner = respondents->owners[at];
		int64		output;

		if (at % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
		if (owner < 0 || !admission->admitted[book->states[owner]] || pa_bit(answered.answered, answered.answered_bytes, owner) ||
			!same_record(respondents, policy, book, at))
			continue;
		answered.answered[owner / 8] |= (uint8) (1 << (owner % 8));
		output = draw(ask, respondents, i, at);
		pa_outputs_put(width, answered.outputs, owner, output);
		count_output(respondents, ask, &respondents->tallies[i][respondents->group[at]], output);
		answered.count++;
	}
	if (answered.count == book->nowners)
		answered.outputs_bytes = pa_outputs_size(width, answered.count);
	else
		pack_outputs(&answered, width, book->nowners);
	while (answered.answered_bytes > 0 && answered.answered[answered.answered_bytes - 1] == 0)
		answered.answered_bytes--;
	return answered;
}

PaAdmission
pa_respondents_admit(PaRespondents *respondents, PaAsk *ask, const PaPolicy *policy, const PaBook *book)
{
	MemoryContext caller = MemoryContextSwitchTo(respondents->context);
	PaAdmission admission;

	ask->question.number = book->question + 1;
	admission = pa_admit(policy, book, &ask->question);
	MemoryContextSwitchTo(caller);
	return admission;
}

PaAnswered
pa_respondents_ask(PaRespondents *respondents, int i, PaAsk *ask, const PaAdmission *admission,
				   const PaPolicy *policy, PaBook *book)
{
	MemoryContext caller = MemoryContextSwitchTo(respondents->context);
	PaAnswered	answered = collect(respondents, i, ask, admission, policy, book);
	PaAnswers	answers;

	answered.bounds = admission->bounds;
	answered.nstates = admission->bounds ? book->nstates : 0;
	answered.most_states = pa_book_most_states(book);
	answers = (PaAnswers) {answered.answered, answered.answered_bytes, pa_question_width(&ask->question),
	answered.outputs, answered.outputs_bytes, answered.bounds, answered.nstates, answered.most_states};
	pa_book_apply(book, &ask->question, &answers);
	MemoryContextSwitchTo(caller);
	return answered;
}
