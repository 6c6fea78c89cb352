/*
 * book.h
 *		What all owners of a local policy have answered so far: their states.
 *
 * A state is a likelihood table with what goes with it.  Owners whose answers
 * say the same share one: state[owner] is a number.  States are numbered by the
 * first owner who is in them, so every process that has applied the same answers
 * has the same numbers.  State 0 is that of owners who were never asked; they
 * need no number, and get one with their first answer.
 *
 * The book is a copy of what the catalog's relations say, kept in the process
 * from one statement to the next and brought up to date by what was recorded
 * since.  Whoever changes it ahead of the catalog (applies answers that are not
 * recorded yet) marks it so first; it is thrown away unless they say it was.
 */
#ifndef PA_LOCAL_BOOK_H
#define PA_LOCAL_BOOK_H

#include "postgres.h"

#include "core/bayes/filter.h"
#include "core/bayes/regression.h"

#include "local/domain.h"
#include "local/question.h"

typedef struct PaOwnerState
{
	PaLikelihood likelihood;	/* over the points of the domain */
	PaBorne		borne;			/* beside: folded and bounds.loss */
	double		folded;			/* bound of what answers gave away that neither table nor answers tell any more */
	int			nanswers;
	int		   *answers;		/* linear and logistic ones: question, output, ... */
	PaRegressionState bounds;	/* of these */
	int			child[3];		/* book_states.c: after no answer, 0 and 1, where there are no more */
} PaOwnerState;

/*
 * Memory of states, each with its table behind it.  A book has two rooms that take
 * turns: states are made in one from those in the other.  What a room has once
 * grown to it keeps, so that questions to owners with many different histories do
 * not take all of it from the system each time.
 */
typedef struct PaStateRoom
{
	int			count;			/* states that were taken */
	size_t		points;			/* of each table */
	Size		stride;			/* bytes from state to state */
	int			shift;			/* 1 << shift states in a piece */
	int			npieces;
	char	  **pieces;
	MemoryContext context;		/* of all of it */
	MemoryContext answers;		/* of the states' answers */
} PaStateRoom;

typedef struct PaBook
{
	int64		policy_id;
	PaDomain	domain;
	uint8		secret[PA_SECRET_BYTES];
	bool		ahead;			/* of what is recorded: not to be used by another statement */
	int			question;		/* the last that is in it */
	int			base;			/* the last that is in the catalog's states */
	size_t		answer_bytes;	/* of the answers recorded since, as far as known */
	uint64		trail;			/* hash of the answers after question trail_base */
	int			trail_base;		/* -1: not known */
	int64		replayed;		/* states that answers made when it was read from the beginning; 0: a copy of it was written */
	int			nowners;
	uint64	   *keys;			/* of each owner */
	uint32	   *records;		/* of each owner: hash of what the columns held at the first answer */
	int		   *states;			/* of each owner */
	int			nstates;
	PaStateRoom *room;			/* of the states */
	PaStateRoom *next_room;		/* of those that the next answers make; NULL at first */
	int			nregressions;
	PaQuestion **regressions;	/* linear and logistic questions that may be among answers, by number */
	uint32	   *slots;			/* from keys to owners: number + 1, 0 where empty */
	uint32		slot_mask;
	int			capacity;		/* of keys and states */
	MemoryContext context;		/* of all of it */
} PaBook;

/* Outputs of those who answered, in the order of owners. */
typedef struct PaAnswers
{
	const uint8 *answered;		/* a bit for each owner, lowest first */
	size_t		answered_bytes;
	int			width;
	const uint8 *outputs;
	size_t		outputs_bytes;
	const double *bounds;		/* PA_BOUNDS for each state; NULL: none known */
	int			nbounds;
	int			most_states;	/* beyond that tables are folded; 0: no matter how many */
} PaAnswers;

/* loss, closed_loss and closed after output 0, then after output 1 */
#define PA_BOUNDS 6

static inline PaOwnerState *
pa_room_state(const PaStateRoom *room, int number)
{
	return (PaOwnerState *) (room->pieces[number >> room->shift] + (number & ((1 << room->shift) - 1)) * room->stride);
}

static inline PaOwnerState *
pa_book_state(const PaBook *book, int number)
{
	return pa_room_state(book->room, number);
}

/*
 * As of now.  Whoever is going to ask holds the policy's lock (pa_book_lock), so
 * that nobody else asks before the answers are recorded.
 */
extern PaBook *pa_book_open(const PaPolicy *policy);
extern void pa_book_lock(int64 policy_id);
extern void pa_book_unlock(int64 policy_id);

/* The owner as the book knows them, and their number; -1: never asked. */
extern uint64 pa_book_key(const PaBook *book, Oid type, Datum owner);
extern int	pa_book_find(const PaBook *book, uint64 key);

/* Whether that is the owner's number; there may be no such number. */
static inline bool
pa_book_is(const PaBook *book, int number, uint64 key)
{
	return number < book->nowners && book->keys[number] == key;
}

/* Brings the place where a key is looked up into cache. */
static inline void
pa_book_fetch(const PaBook *book, uint64 key)
{
	if (book->slots)
		__builtin_prefetch(&book->slots[key & book->slot_mask]);
}

/* The owner's number, a new one if they have none. */
extern int	pa_book_number(PaBook *book, uint64 key, uint32 record);

/* Room for so many owners. */
extern void pa_book_reserve(PaBook *book, int64 owners);

/* The hash of an owner's record: a number for each column of the domain. */
extern uint32 pa_book_record(const PaBook *book, const double *values);

/*
 * How many states there may be after the next question: as many as fit into
 * privacct.book_memory.  It is recorded with the answers, so that all who read
 * them fold the same tables.
 */
extern int	pa_book_most_states(const PaBook *book);

/* How many owners are in each state; palloc'd. */
extern int64 *pa_book_owners_of_states(const PaBook *book);

/* The answers to a question become part of the states. */
extern void pa_book_apply(PaBook *book, PaQuestion *question, const PaAnswers *answers);

/* The next question's answers, written into `outputs` as they come. */
extern size_t pa_outputs_size(int width, int64 count);
extern void pa_outputs_put(int width, uint8 *outputs, int64 at, int64 output);
extern int64 pa_outputs_get(int width, const uint8 *outputs, int64 at);

static inline bool
pa_bit(const uint8 *bits, size_t bytes, int at)
{
	return (size_t) at / 8 < bytes && (bits[at / 8] >> (at % 8) & 1) != 0;
}

/* The states were written as they are after a question, and the answers up to it deleted. */
extern void pa_book_rebase(PaBook *book, int question);

/* Throws the process's copy away. */
extern void pa_book_forget(PaBook *book);

/* --- between book.c, book_fold.c, book_read.c, book_room.c and book_states.c --- */

/* The loss of a state's answers that its table does not hold; rounded up. */
static inline void
pa_state_set_beside(PaOwnerState *state)
{
	state->borne.beside = state->folded > 0 ? (state->folded + state->bounds.loss) * (1 + 1e-15) : state->bounds.loss;
}

/* The table, with the answer to the question in it, becomes a number. */
extern void pa_state_fold(PaOwnerState *state, const PaQuestion *question);

/* Of the states from `first` on the one with the least number that bounds that of a folded state; -1: none. */
extern int	pa_find_bound(const PaStateRoom *room, int first, const PaOwnerState *state);

extern PaStateRoom *pa_room_create(MemoryContext parent, size_t points);

/* Forgets the states, keeps the memory. */
extern void pa_room_clear(PaStateRoom *room);

/*
 * Where the state of that number is to be: one that is not taken, places being
 * asked for in order.  Its table has its place; the rest is the caller's to fill.
 */
extern PaOwnerState *pa_room_place(PaStateRoom *room, int number);

/* Children that wait to be compared with states, at places behind these. */
#define PA_PENDING_STATES 64

/* How many numbers the tables of a room may have together. */
#define PA_ROOM_NUMBERS ((Size) 1 << 27)

/* The lowest state that is not taken stays; its answers are copied. */
extern void pa_room_take(PaStateRoom *room);

/* Brings the book up to date; false if it has to be started over. */
extern bool pa_book_read(PaBook *book);

/* A linear or logistic question that answers of states refer to. */
extern void pa_book_remember(PaBook *book, const PaQuestion *question);

/*
 * Hashes keyed by the policy's secret, by which a copy of states is known to be of
 * this book.  That of answers, continued; and that of the states and of which of so
 * many owners are in them, as this version of the library makes them.
 */
extern uint64 pa_answers_trail(const PaBook *book, uint64 trail, int64 charge_id, const PaAnswers *answers);
extern uint64 pa_states_seal(const PaBook *book, int owners);

/* The question of that number, linear or logistic. */
extern const PaQuestion *pa_book_regression(const PaBook *book, int number);

#endif							/* PA_LOCAL_BOOK_H */
