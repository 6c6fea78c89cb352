/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pruning.h
 *		How a plan leaves out partitions: since 18, in a list of the statement.
 */
#ifndef PA_COMPAT_PRUNING_H
#define PA_COMPAT_PRUNING_H

#include "compat/version.h"

#include "nodes/execnodes.h"
#include "nodes/plannodes.h"

/* NULL: it leaves out none. */
static inline const PartitionPruneInfo *
pa_pruning_of(const Append *append, const EState *estate)
{
#if PG_VERSION_NUM >= 180000
	return append->part_prune_index < 0 ? NULL : list_nth(estate->es_part_prune_infos, append->part_prune_index);
#else
	return append->part_prune_info;
#endif
}

#endif							/* PA_COMPAT_PRUNING_H */
