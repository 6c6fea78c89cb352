/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tree_text.h
 *		A query or an expression as a text that tells it from others, wherever it is written.
 */
#ifndef PA_TREE_TEXT_H
#define PA_TREE_TEXT_H

#include "postgres.h"

/* nodeToString() without the places in the statement. */
extern char *pa_tree_text(const void *tree);

#endif							/* PA_TREE_TEXT_H */
