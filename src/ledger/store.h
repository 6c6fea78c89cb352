/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * store.h
 *		What the ledger's worker reads from and writes to its tables.
 *
 * Everything here runs inside one transaction of the worker, after
 * pa_lock_ledger(), and reports failure by ereport(ERROR).
 */
#ifndef PA_LEDGER_STORE_H
#define PA_LEDGER_STORE_H

#include "postgres.h"

#include "storage/itemptr.h"
#include "utils/hsearch.h"

#include "ledger/queue.h"

/* One row of privacct.account; role InvalidOid is the policy's total. */
typedef struct PaLine
{
	int64		policy_id;
	Oid			role;
	PaAccount	account;		/* cap and spent, moves along with every charge */
	PaAccount	added;			/* "spent" by this batch, no cap */
	int64		releases;		/* by this batch */
	ItemPointerData place;		/* of the row, moves along with every change */
	bool		by_owner;		/* a policy's total, and owners have accounts (owners.h): */
	PaCost		most;			/* what the owner charged most was charged by name; moves along */
	PaCost		spared;			/* of "added", what that owner was not charged */
} PaLine;

/* One row of privacct.owner_account. */
typedef struct PaOwnerLine
{
	int64		policy_id;
	char		owner[PA_LEDGER_OWNER];
	PaCost		spent;			/* by name; moves along with every charge */
	PaCost		added;			/* by this batch */
	ItemPointerData place;		/* of its row; invalid if there is none yet */
} PaOwnerLine;

/* One row of privacct.slot. */
typedef struct PaSlotLine
{
	int64		policy_id;
	int64		plan_id;
	int			slot;
	bool		everybodys;		/* else the role's alone */
	Oid			role;
	int64		left;			/* moves along with every charge */
	int64		added;			/* uses by this batch */
	ItemPointerData place;
} PaSlotLine;

/* Who pays on which policy, for what is read under which policies, and from which two lines. */
typedef struct PaPurse
{
	int64		policy_id;
	Oid			payer;
	const PaChargeRequest *request; /* the first of its requests: its tables are all the others' */
	PaVerdict	verdict;		/* CHARGED: it may pay, if the amounts suffice */
	bool		found;			/* in the tables */
	bool		local;			/* the policy's cap holds for each owner, and is kept elsewhere */
	PaAmount	floor;			/* the least that a look costs (catalog/price.h) */
	PaLine	   *total;
	PaLine	   *quota;
} PaPurse;

/*
 * The purses and lines of one batch.  A batch of n requests has at most n
 * purses and 2n lines.  Slots are those that are asked for.
 */
typedef struct PaAccounts
{
	int			npurses;
	int			nlines;
	int			nslots;
	int			nowners;
	PaPurse    *purses;
	PaLine	   *lines;
	PaSlotLine *slots;			/* in the memory of the transaction, as are */
	PaOwnerLine *owners;
	HTAB	   *owner_index;
} PaAccounts;

/* Zeroes with the alignment that amounts need, in the current memory context. */
extern void *pa_store_allocate(Size size);

/* Room for batches of up to n requests, in the current memory context. */
extern PaAccounts *pa_store_create(int n);

/*
 * Locks what a batch will write before any of it is read: who rebuilds an index of it
 * waits for the table, and not for an index while it holds the table.
 */
extern void pa_store_lock(void);

/* Fills in verdicts, lines, caps and sums of the purses, as of now. */
extern void pa_store_read(PaAccounts *accounts);

/* Fills in the slots that the requests ask for, as of now. */
extern void pa_store_read_slots(PaAccounts *accounts, PaLedgerSlot **slots, int count);

/* Learns which numbers of charges are taken. */
extern void pa_store_read_last(const PaAccounts *accounts);

/*
 * A new charge_id, larger than all that are taken; never given twice, not even after a
 * rollback, a crash or a setval().
 */
extern int64 pa_store_next_id(void);

/*
 * Whether the policy is open and `after` its last question; if not, a verdict: also
 * where fewer questions are there than were counted.
 */
extern bool pa_store_is_last_question(int64 policy_id, int after, PaVerdict *verdict);

/* Deletes the policy's rows of a relation of schema privacct. */
extern void pa_store_clear_rows(const char *relation, int64 policy_id);

/* So many questions are recorded under the policy; its account keeps the largest number. */
extern void pa_store_count_questions(int64 policy_id, int questions);

/*
 * In SPI_tuptable: number of a line, and where its row was written.  Remembers that
 * (place.h), and frees the result.
 */
extern void pa_store_note_places(const PaAccounts *accounts);

/* Deletes kept releases that are too old to be repeated. */
extern void pa_store_forget_releases(void);

/* rows.c: writes the rows of a request. */
extern void pa_store_write_rows(const PaChargeRequest *request, PaChargeAnswer *answer);

/* Appends the charges and adds what lines and slots have gained to the sums. */
extern void pa_store_write(PaLedgerSlot **charged, int count, const PaAccounts *accounts);

#endif							/* PA_LEDGER_STORE_H */
