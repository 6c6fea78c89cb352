/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dropped_with.h
 *		What PostgreSQL locks when an object is dropped, or altered with all that uses it.
 */
#ifndef PA_DROPPED_WITH_H
#define PA_DROPPED_WITH_H

#include "postgres.h"

#include "catalog/relation_set.h"

/*
 * Adds the relations among the objects that would be dropped with the object by
 * CASCADE, at any depth, and those that one of these is a part of: a foreign key is
 * part of both its tables.  PostgreSQL locks them also where it then refuses, for
 * want of CASCADE.
 */
extern void pa_add_dropped_with(PaRelationSet *set, Oid class, Oid object);

#endif							/* PA_DROPPED_WITH_H */
