/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * relation_set.h
 *		A set of relations, kept in the current memory context.
 */
#ifndef PA_RELATION_SET_H
#define PA_RELATION_SET_H

#include "postgres.h"

#include "nodes/pg_list.h"

typedef struct PaRelationSet PaRelationSet;

extern PaRelationSet *pa_relation_set(void);

/* True if it was not in the set yet. */
extern bool pa_relation_set_add(PaRelationSet *set, Oid relation);

extern void pa_relation_set_add_all(PaRelationSet *set, const List *relations);

extern bool pa_relation_set_has(const PaRelationSet *set, Oid relation);

/* In the order in which they were added. */
extern const List *pa_relation_set_members(const PaRelationSet *set);

#endif							/* PA_RELATION_SET_H */
