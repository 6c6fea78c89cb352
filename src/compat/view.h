/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * view.h
 *		Which view a subquery in FROM is the expansion of: until 15 the subquery begins with an
 *		entry for it (OLD), since 16 the entry of the subquery says so.
 */
#ifndef PA_COMPAT_VIEW_H
#define PA_COMPAT_VIEW_H

#include "compat/version.h"

#include "catalog/pg_class.h"
#include "nodes/parsenodes.h"

/* InvalidOid: of none. */
static inline Oid
pa_expanded_view(const RangeTblEntry *rte)
{
	const RangeTblEntry *view = rte;

	if (rte->rtekind != RTE_SUBQUERY)
		return InvalidOid;
#if PG_VERSION_NUM < 160000
	view = rte->subquery->rtable ? linitial(rte->subquery->rtable) : NULL;
	if (view == NULL || view->rtekind != RTE_RELATION)
		return InvalidOid;
#endif
	return view->relkind == RELKIND_VIEW ? view->relid : InvalidOid;
}

#endif							/* PA_COMPAT_VIEW_H */
