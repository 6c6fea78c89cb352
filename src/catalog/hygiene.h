/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hygiene.h
 *		What has been judged of PostgreSQL's own catalog: privacct.catalog_object.
 */
#ifndef PA_HYGIENE_H
#define PA_HYGIENE_H

#include "postgres.h"

/* What stands in the place of a function that was taken from the user. */
typedef enum PaJudgement
{
	PA_JUDGED_CLOSED,			/* nothing: it is an error */
	PA_JUDGED_NULL,
	PA_JUDGED_OWN,				/* null but for relations of the user's roles */
	PA_JUDGED_SESSIONS			/* sessions of the user's roles */
} PaJudgement;

/* True if the extension is of a version that has judged the catalog. */
extern bool pa_catalog_is_judged(void);

/* True if harden_catalog() was called: PUBLIC does not read the whole of pg_class. */
extern bool pa_catalog_is_hardened(void);

extern PaJudgement pa_function_judgement(Oid function);

/*
 * A query that reads a table of the system catalog, all columns in order, with what
 * is shown in the place of those that tell, and without rows that tell; NULL if the
 * table is not judged by its columns or rows.
 */
extern char *pa_shown_table(Oid relation);

#endif							/* PA_HYGIENE_H */
