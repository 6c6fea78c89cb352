/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * object_parts.h
 *		Objects that are parts of relations.
 */
#ifndef PA_OBJECT_PARTS_H
#define PA_OBJECT_PARTS_H

#include "postgres.h"

#include "nodes/pg_list.h"

/* The relations, Oid, that the object is a part of, those that a foreign key refers to included; NIL for all others. */
extern List *pa_relations_of_part(Oid class, Oid object);

#endif							/* PA_OBJECT_PARTS_H */
