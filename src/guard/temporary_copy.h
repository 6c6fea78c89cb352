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

/* List of PaOrigin. */
extern const List *pa_temporary_origins(Oid relation, AttrNumber column);

#endif							/* PA_TEMPORARY_COPY_H */
