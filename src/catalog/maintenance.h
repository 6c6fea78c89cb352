/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * maintenance.h
 *		VACUUM, ANALYZE and their kin of protected tables look alike to other
 *		sessions, whether or not rows were written since the last time.
 *
 * PostgreSQL tells other sessions to forget what they know of a table only if its
 * figures (pg_class.reltuples, relpages, relallvisible; pg_statistic) came out
 * other than before: plans that are made anew, and entries of the catalog that are
 * read again, would tell that rows came.  So they are told each time.
 */
#ifndef PA_MAINTENANCE_H
#define PA_MAINTENANCE_H

#include "postgres.h"

/* Installs the utility hook and the callback at the end of transactions; called from _PG_init. */
extern void pa_maintenance_init(void);

#endif							/* PA_MAINTENANCE_H */
