/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * explain.h
 *		What nodes print in EXPLAIN: since 18, in headers of its own.
 */
#ifndef PA_COMPAT_EXPLAIN_H
#define PA_COMPAT_EXPLAIN_H

#include "compat/version.h"

#include "commands/explain.h"
#if PG_VERSION_NUM >= 180000
#include "commands/explain_format.h"
#include "commands/explain_state.h"
#endif

#endif							/* PA_COMPAT_EXPLAIN_H */
