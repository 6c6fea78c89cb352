/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * traces.h
 *		What reading rows leaves in the process, and what takes it away again.
 *
 * A session can time its own next statements.  So what rows have used, and not only
 * what they have used first, must not be seen in what is kept for the session:
 *
 *	 formats	PostgreSQL keeps those by which dates were written last: all that a block
 *				has are used once more, in the same order
 *	 heap		the C library takes memory from the system and gives it back as
 *				it was used, and changes its mind about how: thresholds are fixed, and all
 *				that is free is given back
 */
#ifndef PA_TRACES_H
#define PA_TRACES_H

#include "postgres.h"

#include "nodes/pg_list.h"

/* Before the first row is read.  formats: those of the block, texts; copied. */
extern void pa_traces_begin(const List *formats);

/*
 * Around what is looked up, before or after that, whose size depends on rows; should it
 * fail, pa_traces_remove() is for it, too.
 */
extern void pa_traces_begin_look(void);
extern void pa_traces_end_look(void);

/* When memory that rows have filled has been freed, and more will be: gives it back. */
extern void pa_traces_shrink(void);

/* When all memory that rows have filled is free again; does nothing without pa_traces_begin(). */
extern void pa_traces_remove(void);

#endif							/* PA_TRACES_H */
