/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dry_plan.h
 *		Planning a statement without executing anything.
 *
 * The planner calls functions: immutable ones whose arguments are constants, and
 * for its estimates stable ones too.  A function may do anything, and ask a
 * protected table.  While a statement is planned dry no function runs that is
 * written in a language, and nothing is charged (ledger.h).
 */
#ifndef PA_DRY_PLAN_H
#define PA_DRY_PLAN_H

#include "compat/version.h"

#include "nodes/plannodes.h"

/* Installs the function manager's hooks; called from _PG_init. */
extern void pa_dry_plan_init(void);

/*
 * The plan of one SELECT, guarded as if its caller asked it.  Errors out as
 * parser, guard and planner do, where its caller may not read what it reads, and with ERRCODE_PA_REFUSED if the text is
 * something else or a function would have to be called.
 */
extern PlannedStmt *pa_dry_plan(const char *text);

/* One SELECT, parsed, analysed and rewritten, but not guarded. */
extern Query *pa_dry_analyze(const char *text);

/* It is none that is planned so: a detail, and what to write instead. */
extern void pa_refuse_text(const char *detail, const char *hint) PA_NORETURN;
#define PA_PREVIEW_ROW_HINT "Give the text of one SELECT over a protected table."

#endif							/* PA_DRY_PLAN_H */
