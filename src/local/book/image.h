/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * image.h
 *		Books that sessions share.
 *
 * An image is a book in shared memory that nobody changes.  Whoever has a book that is
 * not ahead of the catalog makes one of it and goes on with that; who opens a book
 * takes the newest image there is, if what the catalog says agrees with it (read.c),
 * and brings it up to date as a book of their own: keys and the owners' states are
 * copied when the first answer comes, states are made from those of the image.
 *
 * The directory has one image of a policy, the newest.  An image goes when it is not
 * in the directory and no process has it, or when memory is needed and no process has
 * it.  The directory's lock is held for a few instructions; nothing here raises an error.
 */
#ifndef PA_BOOK_IMAGE_H
#define PA_BOOK_IMAGE_H

#include "local/book/book.h"

/* Called from _PG_init. */
extern void pa_images_init(void);

/* Shared memory; images that nobody has make room for it.  NULL: there is none left. */
extern void *pa_images_take_pages(Size size);

/* The book becomes that of the newest image of its policy, if that is newer; what it was is noted in book->seen. */
extern void pa_image_take(PaBook *book);

/* The book becomes that of an image of itself, if there is memory and no image that says as much. */
extern void pa_image_make(PaBook *book);

extern void pa_image_leave(PaImage *image);

/* The catalog does not agree with it: nobody is to take it any more. */
extern void pa_image_reject(PaImage *image);

#endif							/* PA_BOOK_IMAGE_H */
