/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * extension.h
 *		What belongs to the extension in this database.
 *
 * An object is the extension's own if it is a member of it.  The name of the
 * schema alone proves nothing: where the extension is not installed anybody may
 * make a schema of that name, and a superuser may add functions to ours.
 */
#ifndef PA_EXTENSION_H
#define PA_EXTENSION_H

#include "postgres.h"

#define PA_EXTENSION "privacct"	/* its name, and that of its schema */

/* Defines privacct.loaded_version, by which the SQL scripts know; called from _PG_init. */
extern void pa_extension_init(void);

/* The extension's schema, or InvalidOid where the extension is not installed. */
extern Oid	pa_schema(void);

/* A table or index of the extension by its name, or InvalidOid where it is not installed. */
extern Oid	pa_catalog_relation(const char *name);

/* Whether the function is a member of the extension. */
extern bool pa_is_own_function(Oid function);

/* Whether the function is in a language, and outside of the extension: those in C only superusers make. */
extern bool pa_runs_others_code(Oid function);

/* Whether a script of the extension runs, and not that of another one. */
extern bool pa_in_own_script(void);

/* Whether the object of a catalog of PostgreSQL is a member of the extension. */
extern bool pa_is_own_object(Oid catalog, Oid object);

/* The member function of exactly this signature; InvalidOid or an error if there is none. */
extern Oid	pa_find_own_function(const char *name, int nargs, const Oid *args);
extern Oid	pa_own_function(const char *name, int nargs, const Oid *args);

/*
 * Errors out (55PA3) unless the extension's SQL objects are of this library's
 * version.  Looked up once for each session and installation.
 */
extern void pa_require_version(void);

#endif							/* PA_EXTENSION_H */
