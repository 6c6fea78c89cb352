/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * image.c
 *		See image.h.
 */
#include "postgres.h"

#include "lib/ilist.h"
#include "miscadmin.h"
#include "storage/ipc.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"
#include "utils/guc.h"

#include "local/book/image.h"
#include "local/book/pages.h"

#define TRANCHE "privacct_books"

struct PaImage
{
	dlist_node	node;
	Oid			database;
	bool		listed;			/* in the directory */
	int			users;			/* processes that have it */
	Size		size;			/* of this and what is behind it; the states are elsewhere */
	PaBook		book;
};

typedef struct Directory
{
	LWLock	   *lock;			/* of all of it, and of each image's listed and users */
	dlist_head	images;			/* those taken last come first */
	uint64		lineages;
} Directory;

static int	shared_book_memory = 128 * 1024;	/* kB */
static Directory *directory = NULL;
static shmem_request_hook_type previous_shmem_request = NULL;
static shmem_startup_hook_type previous_shmem_startup = NULL;

static void
request_shmem(void)
{
	if (previous_shmem_request)
		previous_shmem_request();
	RequestAddinShmemSpace(add_size(sizeof(Directory), pa_pages_shmem_size((Size) shared_book_memory * 1024)));
	RequestNamedLWLockTranche(TRANCHE, 2);
}

static void
startup_shmem(void)
{
	LWLockPadded *locks;
	bool		found;

	if (previous_shmem_startup)
		previous_shmem_startup();
	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	locks = GetNamedLWLockTranche(TRANCHE);
	directory = ShmemInitStruct("privacct images", sizeof(Directory), &found);
	if (!found)
	{
		directory->lock = &locks[0].lock;
		dlist_init(&directory->images);
		directory->lineages = 0;
	}
	pa_pages_shmem_startup((Size) shared_book_memory * 1024, &locks[1].lock);
	LWLockRelease(AddinShmemInitLock);
}

void
pa_images_init(void)
{
	DefineCustomIntVariable("privacct.shared_book_memory",
							"Shared memory for what owners of tables of the local regime have answered.",
							"Sessions keep what does not fit to themselves; 0: each session keeps all of it.",
							&shared_book_memory, 128 * 1024, 0, MAX_KILOBYTES, PGC_POSTMASTER, GUC_UNIT_KB, NULL, NULL, NULL);
	previous_shmem_request = shmem_request_hook;
	shmem_request_hook = request_shmem;
	previous_shmem_startup = shmem_startup_hook;
	shmem_startup_hook = startup_shmem;
}

/* --- memory --- */

static void
free_spans(const PaSpans *spans)
{
	for (int i = 0; i < spans->nspans; i++)
		pa_pages_give(spans->list[i].start, spans->list[i].size);
}

static void
free_image(PaImage *image)
{
	free_spans(&image->book.room->pieces);
	free_spans(&image->book.room->answers);
	pa_pages_give(image, image->size);
}

/* Caller holds the lock. */
static void
strike_out(PaImage *image)
{
	if (image->listed)
		dlist_delete(&image->node);
	image->listed = false;
}

/* That which was taken longest ago, of those that no process has; false: there is none. */
static bool
free_oldest(void)
{
	PaImage    *oldest = NULL;
	dlist_iter	iter;

	LWLockAcquire(directory->lock, LW_EXCLUSIVE);
	dlist_reverse_foreach(iter, &directory->images)
	{
		PaImage    *image = dlist_container(PaImage, node, iter.cur);

		if (image->users > 0)
			continue;
		strike_out(oldest = image);
		break;
	}
	LWLockRelease(directory->lock);
	if (oldest)
		free_image(oldest);
	return oldest != NULL;
}

void *
pa_images_take_pages(Size size)
{
	void	   *start;

	while ((start = pa_pages_take(size)) == NULL && free_oldest())
		;
	return start;
}

/* --- taking --- */

/* Caller holds the lock. */
static PaImage *
find_image(const PaBook *book)
{
	dlist_iter	iter;

	dlist_foreach(iter, &directory->images)
	{
		PaImage    *image = dlist_container(PaImage, node, iter.cur);

		if (image->database == MyDatabaseId && image->book.policy_id == book->policy_id)
			return image;
	}
	return NULL;
}

static bool
is_newer(const PaImage *image, const PaBook *book)
{
	return pa_domain_equal(&image->book.domain, &book->domain) &&
		memcmp(image->book.secret, book->secret, PA_SECRET_BYTES) == 0 &&
		image->book.question >= book->question + (book->image != NULL);
}

/* The process has it until it leaves it. */
static void
become(PaBook *book, PaImage *image)
{
	PaBook		before = *book;

	pa_book_empty(book);
	*book = image->book;
	book->context = before.context;
	book->ahead = before.ahead;
	book->seen = before.seen;
	book->image = image;
	book->borrowed = true;
}

void
pa_image_take(PaBook *book)
{
	PaImage    *image;

	LWLockAcquire(directory->lock, LW_EXCLUSIVE);
	image = find_image(book);
	if (image && is_newer(image, book))
	{
		image->users++;
		dlist_move_head(&directory->images, &image->node);
	}
	else
		image = NULL;
	LWLockRelease(directory->lock);
	if (image == NULL)
		return;
	pa_book_note_seen(book);
	become(book, image);
}

void
pa_image_leave(PaImage *image)
{
	bool		last;

	LWLockAcquire(directory->lock, LW_EXCLUSIVE);
	last = --image->users == 0 && !image->listed;
	LWLockRelease(directory->lock);
	if (last)
		free_image(image);
}

void
pa_image_reject(PaImage *image)
{
	LWLockAcquire(directory->lock, LW_EXCLUSIVE);
	strike_out(image);
	LWLockRelease(directory->lock);
}

/* --- making --- */

static Size
size_of_room(const PaStateRoom *room)
{
	return MAXALIGN(sizeof(PaStateRoom)) + MAXALIGN(sizeof(PaSpan) * room->pieces.nspans) + MAXALIGN(sizeof(PaSpan) * room->answers.nspans);
}

static Size
size_of_image(const PaBook *book)
{
	Size		owners = book->nowners;
	Size		size = MAXALIGN(sizeof(PaImage)) + size_of_room(book->room) + MAXALIGN(sizeof(uint64) * owners) +
		MAXALIGN(sizeof(uint32) * owners) + MAXALIGN(sizeof(int) * owners) + MAXALIGN(sizeof(uint32) * 2 * book->capacity) +
		MAXALIGN(sizeof(PaQuestion *) * book->nregressions);

	for (int i = 0; i < book->nregressions; i++)
		size += MAXALIGN(sizeof(PaQuestion)) + MAXALIGN(sizeof(double) * book->regressions[i]->npoints) +
			MAXALIGN(sizeof(double) * book->regressions[i]->ncuts);
	return size;
}

/* A copy behind what was put there before; NULL of nothing. */
static void *
put(char **end, const void *bytes, Size size)
{
	void	   *copy = *end;

	if (size == 0)
		return NULL;
	memcpy(copy, bytes, size);
	*end += MAXALIGN(size);
	return copy;
}

static PaStateRoom *
put_room(char **end, const PaStateRoom *room)
{
	PaStateRoom *copy = put(end, room, sizeof(PaStateRoom));

	copy->context = copy->pieces.context = copy->answers.context = NULL;
	copy->pieces.list = put(end, room->pieces.list, sizeof(PaSpan) * room->pieces.nspans);
	copy->answers.list = put(end, room->answers.list, sizeof(PaSpan) * room->answers.nspans);
	return copy;
}

static PaQuestion *
put_question(char **end, const PaQuestion *question)
{
	PaQuestion *copy = put(end, question, sizeof(PaQuestion));

	copy->points = put(end, question->points, sizeof(double) * question->npoints);
	copy->regression.theta = copy->points;
	copy->cuts = put(end, question->cuts, sizeof(double) * question->ncuts);
	return copy;
}

static void
fill_image(PaImage *image, const PaBook *book)
{
	char	   *end = (char *) image + MAXALIGN(sizeof(PaImage));
	PaBook	   *copy = &image->book;

	*copy = *book;
	copy->context = NULL;
	copy->next_room = NULL;
	copy->replayed = 0;
	copy->room = put_room(&end, book->room);
	copy->keys = put(&end, book->keys, sizeof(uint64) * book->nowners);
	copy->records = put(&end, book->records, sizeof(uint32) * book->nowners);
	copy->states = put(&end, book->states, sizeof(int) * book->nowners);
	copy->slots = put(&end, book->slots, sizeof(uint32) * 2 * book->capacity);
	copy->regressions = put(&end, book->regressions, sizeof(PaQuestion *) * book->nregressions);
	for (int i = 0; i < book->nregressions; i++)
		copy->regressions[i] = put_question(&end, book->regressions[i]);
}

/* Caller holds the lock.  Whether the book says what the image does not. */
static bool
is_needed(const PaBook *book, const PaImage *image)
{
	return image == NULL || image->book.question < book->question || image->book.base != book->base ||
		!pa_origin_equal(image->book.origin, book->origin);
}

/* The image that was there before, if now nobody has it, is for the caller to free. */
static PaImage *
list_image(PaImage *image, bool *listed)
{
	PaImage    *before;

	LWLockAcquire(directory->lock, LW_EXCLUSIVE);
	before = find_image(&image->book);
	*listed = is_needed(&image->book, before);
	if (*listed)
	{
		if (before)
			strike_out(before);
		dlist_push_head(&directory->images, &image->node);
		image->listed = true;
		if (image->book.lineage == 0)
			image->book.lineage = ++directory->lineages;
	}
	if (!*listed || (before && before->users > 0))
		before = NULL;
	LWLockRelease(directory->lock);
	return before;
}

/* Whether it is worth copying what is to be in the image. */
static bool
would_be_needed(const PaBook *book)
{
	bool		needed;

	LWLockAcquire(directory->lock, LW_SHARED);
	needed = is_needed(book, find_image(book));
	LWLockRelease(directory->lock);
	return needed;
}

void
pa_image_make(PaBook *book)
{
	Size		size = size_of_image(book);
	PaImage    *image = would_be_needed(book) ? pa_images_take_pages(size) : NULL;
	PaImage    *before;
	bool		listed;

	if (image == NULL)
		return;
	*image = (PaImage) {.database = MyDatabaseId,.users = 1,.size = size};
	fill_image(image, book);
	before = list_image(image, &listed);
	if (before)
		free_image(before);
	if (!listed)
	{
		pa_pages_give(image, size);
		return;
	}
	pa_room_hand_over(book->room);
	become(book, image);
}
