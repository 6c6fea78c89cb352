/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * own_types.h
 *		Types of users in a statement, without which its rows cannot be handed up.
 */
#ifndef PA_OWN_TYPES_H
#define PA_OWN_TYPES_H

#include "postgres.h"

#include "nodes/plannodes.h"

/*
 * A plan, and an open cursor, outlive the types that they name: PostgreSQL locks tables, and not
 * types.  Errors out if one was dropped, and keeps the others until the transaction ends, so that what is
 * done with released numbers does not fail for it.  Before the charge.
 */
extern void pa_keep_types(const PlannedStmt *statement);

#endif							/* PA_OWN_TYPES_H */
