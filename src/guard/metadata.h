/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * metadata.h
 *		What the system catalog shows to roles without privileges.
 */
#ifndef PA_METADATA_H
#define PA_METADATA_H

#include "postgres.h"

#include "nodes/parsenodes.h"

/*
 * Rewrites what the query reads of the system catalog, in place, for the current
 * user.  True if it changed anything: then the plan is for this role only.
 */
extern bool pa_guard_metadata(Query *query);

#endif							/* PA_METADATA_H */
