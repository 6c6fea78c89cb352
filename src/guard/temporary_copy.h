/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * temporary_copy.h
 *		Temporary tables of this session that have rows of tables that the books know.
 */
#ifndef PA_TEMPORARY_COPY_H
#define PA_TEMPORARY_COPY_H

#include "postgres.h"

#include "guard/origin.h"

extern void pa_remember_temporary(Oid relation, const List *targets);	/* of PaTarget */

/* Whether the table has any. */
extern bool pa_is_remembered(Oid relation);

/* List of PaOrigin, which is new: of a column, or of any. */
extern List *pa_temporary_origins(Oid relation, AttrNumber column);

#endif							/* PA_TEMPORARY_COPY_H */
