/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lock_reach.h
 *		Which relations a command may lock, rather more than less (see locks.c).
 *
 * PostgreSQL looks at rights on the relation that is named before it locks it, or
 * rights.c has done so: what it would refuse reaches nothing.
 */
#ifndef PA_LOCK_REACH_H
#define PA_LOCK_REACH_H

#include "postgres.h"

#include "nodes/parsenodes.h"

#include "catalog/relation_set.h"

/* --- lock_reach.c: what PostgreSQL lets the user do with the relation; false if it is InvalidOid --- */

extern bool pa_owns(Oid relation);
extern bool pa_may_drop(Oid relation);	/* the owner of a schema may drop what others have in it */
extern bool pa_may_lock(Oid relation);
extern bool pa_may_vacuum(Oid relation);

/* The relation and its partitions and children: PostgreSQL does not ask whose these are. */
extern void pa_reach_tree(PaRelationSet *reached, Oid relation);

/* The same, if the user owns the relation. */
extern void pa_reach_owned_tree(PaRelationSet *reached, const RangeVar *name);
extern void pa_reach_owned_trees(PaRelationSet *reached, const List *names);

/* Also the other tables of foreign keys, typed tables, and whatever else depends on it. */
extern void pa_reach_all_of(PaRelationSet *reached, Oid relation);

/* --- lock_tables.c: commands that name tables --- */

extern void pa_reach_by_create(PaRelationSet *reached, const CreateStmt *statement);
extern void pa_reach_by_alter(PaRelationSet *reached, const AlterTableStmt *statement);
extern void pa_reach_by_rename(PaRelationSet *reached, const RenameStmt *statement);
extern void pa_reach_by_truncate(PaRelationSet *reached, const TruncateStmt *statement);
extern void pa_reach_by_lock(PaRelationSet *reached, const LockStmt *statement);
extern void pa_reach_published(PaRelationSet *reached, const List *objects);
extern void pa_reach_by_publication(PaRelationSet *reached, const AlterPublicationStmt *statement);

/* --- lock_objects.c: commands that name other objects --- */

extern void pa_reach_by_domain(PaRelationSet *reached, const AlterDomainStmt *statement);
extern void pa_reach_by_set_schema(PaRelationSet *reached, const AlterObjectSchemaStmt *statement);
extern void pa_reach_by_drop(PaRelationSet *reached, const DropStmt *statement);
extern void pa_reach_by_drop_owned(PaRelationSet *reached, const DropOwnedStmt *statement);
extern void pa_reach_by_reassign(PaRelationSet *reached, const ReassignOwnedStmt *statement);
extern void pa_reach_by_discard(PaRelationSet *reached, const DiscardStmt *statement);

/* --- lock_many.c: commands that need not name anything --- */

extern void pa_reach_by_vacuum(PaRelationSet *reached, const VacuumStmt *statement);
extern void pa_reach_by_cluster(PaRelationSet *reached, const ClusterStmt *statement);
extern void pa_reach_by_reindex(PaRelationSet *reached, const ReindexStmt *statement);
extern void pa_reach_by_move(PaRelationSet *reached);

#endif							/* PA_LOCK_REACH_H */
