/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * referred_keys.h
 *		Keys of a protected table that other tables find their owners by.
 */
#ifndef PA_REFERRED_KEYS_H
#define PA_REFERRED_KEYS_H

#include "postgres.h"

#include "nodes/pg_list.h"

/*
 * The sets of columns, each a List of attribute numbers, that the paths of open policies refer to
 * (owner_path.h) and of which every row of the table has values of its own, none of them null: so
 * they say whose the row is.  In the current memory context.  Any change of it invalidates the table.
 */
extern List *pa_referred_keys(Oid relation);

#endif							/* PA_REFERRED_KEYS_H */
