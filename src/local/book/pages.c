/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pages.c
 *		See pages.h.
 */
#include "postgres.h"

#include "storage/shmem.h"
#include "utils/freepage.h"

#include "local/book/pages.h"

typedef struct Pages
{
	LWLock	   *lock;
	char	   *base;			/* page 0, in which the manager is */
	Size		count;			/* of all, the manager's among them */
} Pages;

static Pages *pages = NULL;

static FreePageManager *
manager(void)
{
	return (FreePageManager *) pages->base;
}

/* Beside what is asked for, in whole pages: this, the manager, and what is left of a page before the first. */
Size
pa_pages_shmem_size(Size bytes)
{
	Size		own = MAXALIGN(sizeof(Pages)) + FPM_PAGE_SIZE + sizeof(FreePageManager) + FPM_PAGE_SIZE;

	return bytes > 0 ? add_size(TYPEALIGN(FPM_PAGE_SIZE, bytes), own) : sizeof(Pages);
}

static void
initialise(Size bytes, LWLock *lock)
{
	char	   *end = (char *) pages + pa_pages_shmem_size(bytes);
	Size		first = fpm_size_to_pages(sizeof(FreePageManager));

	pages->lock = lock;
	pages->base = NULL;
	pages->count = 0;
	if (bytes == 0)
		return;
	pages->base = (char *) TYPEALIGN(FPM_PAGE_SIZE, pages + 1);
	pages->count = (end - pages->base) / FPM_PAGE_SIZE;
	FreePageManagerInitialize(manager(), pages->base);
	FreePageManagerPut(manager(), first, pages->count - first);
}

void
pa_pages_shmem_startup(Size bytes, LWLock *lock)
{
	bool		found;

	pages = ShmemInitStruct("privacct books", pa_pages_shmem_size(bytes), &found);
	if (!found)
		initialise(bytes, lock);
}

void *
pa_pages_take(Size size)
{
	Size		first;
	bool		taken;

	if (pages->count == 0)
		return NULL;
	LWLockAcquire(pages->lock, LW_EXCLUSIVE);
	taken = FreePageManagerGet(manager(), fpm_size_to_pages(size), &first);
	LWLockRelease(pages->lock);
	return taken ? fpm_page_to_pointer(pages->base, first) : NULL;
}

void
pa_pages_give(void *start, Size size)
{
	LWLockAcquire(pages->lock, LW_EXCLUSIVE);
	FreePageManagerPut(manager(), fpm_pointer_to_page(pages->base, start), fpm_size_to_pages(size));
	LWLockRelease(pages->lock);
}

bool
pa_pages_hold(const void *pointer)
{
	const char *at = pointer;

	return at >= pages->base && at < pages->base + pages->count * FPM_PAGE_SIZE;
}
