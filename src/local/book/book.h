/* SPDX-License-Identifier: GPL-3.0-or-later */
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
 * Who reads it from the catalog is read.h, who has it for a statement session_books.h,
 * what answers make of its states is apply.h, and how sessions share it image.h.
 */
#ifndef PA_LOCAL_BOOK_H
#define PA_LOCAL_BOOK_H

#include "postgres.h"

#include "local/book/state_room.h"
#include "local/domain.h"
#include "local/question.h"

typedef struct PaImage PaImage;

/* Which rows a book was made of, beside its answers; others may have the same contents. */
typedef struct PaOrigin
{
	TransactionId writer;		/* of the states of its base; invalid: they were not written */
	int64		by_hand;		/* lines in privacct.written_by_hand; -1: some by the transaction itself */
} PaOrigin;

static inline bool
pa_origin_equal(PaOrigin a, PaOrigin b)
{
	return a.writer == b.writer && a.by_hand == b.by_hand;
}

/* What of a book was found to be what the catalog says: an image of the same descent says no less. */
typedef struct PaSeen
{
	int			question;
	int			owners;
	int			base;
	PaOrigin	origin;
	uint64		lineage;
	uint64		trail;
} PaSeen;

typedef struct PaBook
{
	int64		policy_id;
	PaDomain	domain;
	uint8		secret[PA_SECRET_BYTES];
	bool		ahead;			/* of what is recorded: not to be used by another statement */
	int			question;		/* the last that is in it */
	int			base;			/* the last that is in the catalog's states */
	PaOrigin	origin;
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
	PaQuestion **regressions;	/* questions about the box that may be among answers, by number */
	uint32	   *slots;			/* from keys to owners: number + 1, 0 where empty */
	uint32		slot_mask;
	int			capacity;		/* of keys and states */
	MemoryContext context;		/* of all of it that is neither shared nor an image's */
	PaImage    *image;			/* that has the states; NULL: this book */
	bool		borrowed;		/* keys, records, slots, the owners' states and regressions are the image's, too */
	uint64		lineage;		/* images of the same one were made of one another; 0: not of an image */
	PaSeen		seen;			/* of an image's book: by this process, before */
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

static inline const PaOwnerState *
pa_book_state(const PaBook *book, int number)
{
	return pa_room_state(book->room, number);
}

/* Nothing was read. */
extern void pa_book_empty(PaBook *book);

/* Before it becomes another one. */
extern void pa_book_note_seen(PaBook *book);

/* Before anything is changed, but for states, which never are. */
extern void pa_book_own(PaBook *book);

/* The states are those of the next room now. */
extern void pa_book_move(PaBook *book);

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

/* How many owners are in each state; palloc'd. */
extern int64 *pa_book_owners_of_states(const PaBook *book);

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
extern void pa_book_rebase(PaBook *book, int question, PaOrigin origin);

/* A question about the box, that answers of states refer to. */
extern void pa_book_remember(PaBook *book, const PaQuestion *question);

/*
 * The first question with steps that has the same law, if it is only itself: states name that one, so that
 * it does not matter which of them was answered how.
 */
extern int	pa_book_first_alike(const PaBook *book, const PaQuestion *question);

/*
 * Hashes keyed by the policy's secret, by which a copy of states is known to be of
 * this book.  That of answers, continued; and that of the states and of which of so
 * many owners are in them, as this version of the library makes them.
 */
extern uint64 pa_answers_trail(const PaBook *book, uint64 trail, int64 charge_id, const PaAnswers *answers);
extern uint64 pa_states_seal(const PaBook *book, int owners);

/* The question of that number, about the box. */
extern const PaQuestion *pa_book_regression(const PaBook *book, int number);

#endif							/* PA_LOCAL_BOOK_H */
