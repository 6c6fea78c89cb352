/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * protected.h
 *		Which tables are protected: asked for every table of every statement.
 *
 * The answers are kept per relation, in each backend.  Of the policy nothing is
 * read here.
 */
#ifndef PA_PROTECTED_H
#define PA_PROTECTED_H

#include "postgres.h"

#include "access/genam.h"
#include "nodes/pg_list.h"
#include "utils/relcache.h"

/* Registers the invalidation callback; called from _PG_init. */
extern void pa_protected_init(void);

/* True if this database has any open policy. */
extern bool pa_policies_exist(void);

/* True if this database has any policy, open or closed. */
extern bool pa_policies_existed(void);

/*
 * The table that a policy was declared for and that the relation is, or is a
 * partition or child of; InvalidOid: the relation is not protected.
 */
extern Oid	pa_protected_root(Oid relation);

/* The tables for which there is an open policy; only where pa_policies_exist(). */
extern List *pa_protected_roots(void);

/* A scan of privacct.policy for the open policy of a table, or, given InvalidOid, for all open ones. */
extern SysScanDesc pa_scan_open_policies(Relation policies, Oid relation);
extern HeapTuple pa_next_open_policy(SysScanDesc scan, Relation policies);

#endif							/* PA_PROTECTED_H */
