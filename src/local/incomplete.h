/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * incomplete.h
 *		What was recorded of owners' answers is not there any more.
 */
#ifndef PA_LOCAL_INCOMPLETE_H
#define PA_LOCAL_INCOMPLETE_H

#include "compat/version.h"

/*
 * 55PA3, as the ledger refuses where accounts are missing.  What is missing is for
 * the server log; privacct.check_books() says it to the owner of the table.
 */
extern void pa_books_incomplete(const char *what) PA_NORETURN;

#endif							/* PA_LOCAL_INCOMPLETE_H */
