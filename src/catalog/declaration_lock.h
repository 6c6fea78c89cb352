/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * declaration_lock.h
 *		Declarations, grants, and changes of what is read: none sees what another has
 *		not committed, so who looks at a relation and who changes it, or what is
 *		declared of it, wait for each other.
 */
#ifndef PA_DECLARATION_LOCK_H
#define PA_DECLARATION_LOCK_H

#include "postgres.h"

#include "nodes/pg_list.h"

/*
 * Waits for who changes or looks at relations that are changed, and who changes those
 * that are seen, and holds others back until the transaction ends.  True if any of
 * them was not held yet: what is near may have changed meanwhile.
 */
extern bool pa_hold_relations(const List *changed, const List *seen);

#endif							/* PA_DECLARATION_LOCK_H */
