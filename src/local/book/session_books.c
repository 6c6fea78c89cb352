/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session_books.c
 *		See session_books.h.
 */
#include "postgres.h"

#include "access/xact.h"
#include "miscadmin.h"
#include "storage/ipc.h"
#include "storage/lock.h"
#include "utils/memutils.h"

#include "catalog/charge_lock.h"
#include "local/book/image.h"
#include "local/book/read.h"
#include "local/book/session_books.h"

static List *books = NIL;		/* in CacheMemoryContext */

static void
lock_tag(int64 policy_id, LOCKTAG *tag)
{
	SET_LOCKTAG_ADVISORY(*tag, MyDatabaseId, (uint32) (policy_id >> 32), (uint32) policy_id, PA_LOCK_BOOK);
}

void
pa_book_lock(int64 policy_id)
{
	LOCKTAG		tag;

	lock_tag(policy_id, &tag);
	(void) LockAcquire(&tag, ExclusiveLock, false, false);
}

static PaBook *
find_book(int64 policy_id)
{
	ListCell   *cell;

	foreach(cell, books)
		if (((PaBook *) lfirst(cell))->policy_id == policy_id)
			return lfirst(cell);
	return NULL;
}

/* Who has written in this transaction may see what others never will. */
static bool
sees_what_all_see(void)
{
	return !TransactionIdIsValid(GetTopTransactionIdIfAny());
}

/* Not if it is not known of which answers it was made. */
static void
share(PaBook *book)
{
	if (!book->ahead && !book->image && book->trail_base == book->base && pa_room_is_shared(book->room) &&
		sees_what_all_see())
		pa_image_make(book);
}

void
pa_book_unlock(int64 policy_id)
{
	LOCKTAG		tag;
	PaBook	   *book = find_book(policy_id);

	if (book)
		share(book);
	lock_tag(policy_id, &tag);
	(void) LockRelease(&tag, ExclusiveLock, false);
}

/* A session that waits for its next statement keeps no image from being freed, and nothing that is of no use any more. */
static void
end_transaction(XactEvent event, void *argument)
{
	ListCell   *cell;

	if (event == XACT_EVENT_PRE_COMMIT || event == XACT_EVENT_PARALLEL_PRE_COMMIT || event == XACT_EVENT_PRE_PREPARE)
		return;
	foreach(cell, books)
	{
		PaBook	   *book = lfirst(cell);

		pa_book_note_seen(book);
		if (book->ahead || book->image)
			pa_book_empty(book);
	}
}

/* Shared memory is given back by who has it. */
static void
end_process(int code, Datum argument)
{
	ListCell   *cell;

	foreach(cell, books)
		pa_book_empty(lfirst(cell));
}

static PaBook *
create_book(int64 policy_id)
{
	MemoryContext caller = MemoryContextSwitchTo(CacheMemoryContext);
	PaBook	   *book = palloc0(sizeof(PaBook));

	if (books == NIL)
	{
		RegisterXactCallback(end_transaction, NULL);
		before_shmem_exit(end_process, (Datum) 0);
	}
	book->policy_id = policy_id;
	book->context = AllocSetContextCreate(CacheMemoryContext, "privacct book", ALLOCSET_DEFAULT_SIZES);
	pa_book_empty(book);
	books = lappend(books, book);
	MemoryContextSwitchTo(caller);
	return book;
}

static bool
is_of(const PaBook *book, const PaPolicy *policy, const PaDomain *domain)
{
	return pa_domain_equal(&book->domain, domain) && memcmp(book->secret, policy->secret, PA_SECRET_BYTES) == 0;
}

/* Empty, unless it can be brought up to date. */
static PaBook *
book_of(const PaPolicy *policy)
{
	PaDomain	domain = pa_domain_of(policy);
	PaBook	   *book = find_book(policy->policy_id);

	if (book == NULL)
		book = create_book(policy->policy_id);
	if (book->ahead || !is_of(book, policy, &domain))
		pa_book_empty(book);
	book->domain = domain;
	memcpy(book->secret, policy->secret, PA_SECRET_BYTES);
	return book;
}

/* Of what others left and what it has itself the book begins with the later, if the catalog agrees with it. */
PaBook *
pa_book_open(const PaPolicy *policy)
{
	PaBook	   *book = book_of(policy);

	pa_image_take(book);
	book->ahead = true;
	if (!pa_book_read(book))
	{
		if (book->image && sees_what_all_see())
			pa_image_reject(book->image);
		pa_book_empty(book);
		(void) pa_book_read(book);
	}
	book->ahead = false;
	share(book);
	return book;
}
