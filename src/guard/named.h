/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * named.h
 *		Relations that commands name.
 */
#ifndef PA_NAMED_H
#define PA_NAMED_H

#include "postgres.h"

#include "nodes/parsenodes.h"

/*
 * Found without a lock; InvalidOid: there is none of that name, or the name is NULL.  Some commands take
 * whatever may stand in FROM for a list of names, and refuse the rest later: that names no relation either.
 */
extern Oid	pa_relation_of(const RangeVar *name);

/* The relation that the object is, or is a part of, as a column is; NULL: none. */
extern RangeVar *pa_relation_in_name(ObjectType type, const Node *object);

#endif							/* PA_NAMED_H */
