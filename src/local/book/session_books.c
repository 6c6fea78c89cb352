/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session_books.c
 *		See session_books.h.
 */
#include "postgres.h"

#include "storage/lock.h"
#include "utils/memutils.h"

#include "catalog/charge_lock.h"
#include "local/book/read.h"
#include "local/book/session_books.h"
#include "miscadmin.h"

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

void
pa_book_unlock(int64 policy_id)
{
	LOCKTAG		tag;

	lock_tag(policy_id, &tag);
	(void) LockRelease(&tag, ExclusiveLock, false);
}

static PaBook *
create_book(const PaPolicy *policy, const PaDomain *domain)
{
	MemoryContext context = AllocSetContextCreate(CacheMemoryContext, "privacct book", ALLOCSET_DEFAULT_SIZES);
	PaBook	   *book = MemoryContextAllocZero(context, sizeof(PaBook));
	MemoryContext caller;

	book->context = context;
	book->policy_id = policy->policy_id;
	book->domain = *domain;
	memcpy(book->secret, policy->secret, PA_SECRET_BYTES);
	book->ahead = true;			/* until it was read */
	book->base = book->trail_base = -1;
	book->question = -1;
	caller = MemoryContextSwitchTo(CacheMemoryContext);
	books = lappend(books, book);
	MemoryContextSwitchTo(caller);
	return book;
}

void
pa_book_forget(PaBook *book)
{
	books = list_delete_ptr(books, book);
	MemoryContextDelete(book->context);
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

PaBook *
pa_book_open(const PaPolicy *policy)
{
	PaDomain	domain = pa_domain_of(policy);
	PaBook	   *book = find_book(policy->policy_id);

	if (book && (book->ahead || !pa_domain_equal(&book->domain, &domain) ||
				 memcmp(book->secret, policy->secret, PA_SECRET_BYTES) != 0))
	{
		pa_book_forget(book);
		book = NULL;
	}
	if (book == NULL)
		book = create_book(policy, &domain);
	book->ahead = true;
	if (!pa_book_read(book))
	{
		pa_book_forget(book);
		book = create_book(policy, &domain);
		(void) pa_book_read(book);
	}
	book->ahead = false;
	return book;
}
