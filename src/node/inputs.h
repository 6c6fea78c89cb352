/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * inputs.h
 *		Releases that a leaf reads (guard/inputs.h), in its execution.
 *
 * They are WITH queries of the statement, whose rows PostgreSQL keeps.  They are read to
 * their end before the leaf does anything itself: each release in them has been priced,
 * charged, made and stored by then, and what is computed of it is computed.  From then on
 * their rows are as those of a public table.
 */
#ifndef PA_NODE_INPUTS_H
#define PA_NODE_INPUTS_H

#include "postgres.h"

#include "nodes/execnodes.h"

/*
 * A scan of each WITH query that the plan reads.  They have to be there as long as the
 * statement, because the first scan of a WITH query keeps its rows for all others.
 */
extern List *pa_inputs_begin(Plan *plan, EState *estate, int eflags);

/* The plan nodes of extensions in them, and in WITH queries that they read; some may be there twice. */
extern List *pa_inputs_custom_scans(List *inputs);

/* Has them read to their end; nothing if they are. */
extern void pa_inputs_read(List *inputs);

extern void pa_inputs_end(List *inputs);

#endif							/* PA_NODE_INPUTS_H */
