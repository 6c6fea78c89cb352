/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * explain.h
 *		What EXPLAIN prints: since 18, in headers of its own.
 */
#ifndef PA_COMPAT_EXPLAIN_H
#define PA_COMPAT_EXPLAIN_H

#include "compat/version.h"

#include "commands/explain.h"
#if PG_VERSION_NUM >= 180000
#include "commands/explain_format.h"
#include "commands/explain_state.h"
#endif

/* Whether ANALYZE counts pages, too, unless it is told not to. */
static inline bool
pa_analyze_counts_pages(void)
{
#if PG_VERSION_NUM >= 180000
	return true;
#else
	return false;
#endif
}

#endif							/* PA_COMPAT_EXPLAIN_H */
