/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * known_owners.h
 *		Of which tables the books know whose rows they have, or had: asked before every UPDATE.
 *
 * These are the tables that a policy covers or ever covered, open or closed, while they
 * are partitions or children and while they are away, the tables above them, and those by
 * way of which rows of others find their owners.
 */
#ifndef PA_KNOWN_OWNERS_H
#define PA_KNOWN_OWNERS_H

#include "postgres.h"

#include "nodes/pg_list.h"

typedef struct PaKnownOwners
{
	List	   *owners;			/* attribute numbers: columns that say whose rows these are */
	List	   *keys;			/* attribute numbers: columns that rows of other tables refer to, to find their owners */
} PaKnownOwners;

/* Registers the invalidation callback; called from _PG_init. */
extern void pa_known_owners_init(void);

/* Whether a policy covers the relation, or ever covered it, not only what is above or below it. */
extern bool pa_has_history(Oid relation);

/* Kept per relation; the lists last until the next call. */
extern PaKnownOwners pa_known_owners(Oid relation);

#endif							/* PA_KNOWN_OWNERS_H */
