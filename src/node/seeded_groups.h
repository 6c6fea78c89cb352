/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * seeded_groups.h
 *		Groups of protected rows below a release are found by hash functions with a secret.
 */
#ifndef PA_SEEDED_GROUPS_H
#define PA_SEEDED_GROUPS_H

#include "postgres.h"

#include "nodes/execnodes.h"

/* Of the plan, which was just begun: before its first row. */
extern void pa_seed_groups(PlanState *plan);

#endif							/* PA_SEEDED_GROUPS_H */
