/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * role_objects.h
 *		What belongs to a role, or speaks of it.
 */
#ifndef PA_ROLE_OBJECTS_H
#define PA_ROLE_OBJECTS_H

#include "postgres.h"

#include "nodes/pg_list.h"

/* Objects of this database that the role owns, and policies of row security that name it: ObjectAddress *. */
extern List *pa_objects_of_role(Oid role);

/* Relations of this database on which the role has a privilege: Oid. */
extern List *pa_tables_usable_by(Oid role);

/* Whether the role has a privilege on an object of a catalog in a database, which need not be this one. */
extern bool pa_role_may_use(Oid role, Oid database, Oid catalog);

#endif							/* PA_ROLE_OBJECTS_H */
