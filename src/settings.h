/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * settings.h
 *		Settings.  Those that users may change say how much of the budget a release
 *		asks for, never whether it is noised or charged.
 */
#ifndef PA_SETTINGS_H
#define PA_SETTINGS_H

#include "postgres.h"

#include "core/noise/kernel.h"

#include "wanted_accuracy.h"

extern double pa_default_epsilon;	/* privacct.epsilon: of one release */
extern double pa_default_delta; /* privacct.delta: of one release, used where noise or selection needs it */
extern int	pa_default_kernel;	/* privacct.kernel: a PaKernelKind, or PA_KERNEL_OF_POLICY */

extern double pa_default_within;	/* privacct.within: error bound; negative: none */
extern PaAccuracy pa_default_accuracy;	/* privacct.accuracy */
extern double pa_accuracy_floor;	/* privacct.accuracy_floor: an answer below it counts as it, for a relative error */
extern double pa_default_sample_rate;	/* privacct.sample_rate: in (0, 1] */

/* What one owner may contribute to a release; 0: what the policy says. */
extern int	pa_max_groups;		/* privacct.max_groups */
extern int	pa_max_rows;		/* privacct.max_rows */

extern bool pa_empty_rows;		/* privacct.empty_rows: protected tables look empty where their rows are asked for */

extern bool pa_error_bars;		/* privacct.error_bars: ends of intervals are columns beside the numbers */

extern bool pa_allow_serializable;	/* privacct.allow_serializable: see quiet/serializable.h */

extern bool pa_lossless_promotion;	/* privacct.lossless_promotion: see catalog/timeline.h */

#define PA_KERNEL_OF_POLICY (-1)

/* Memory and work of a session, none of which follows from rows. */
extern int	pa_repeat_size;		/* privacct.repeat_size, in kB */
extern int	pa_group_memory;	/* privacct.group_memory, in kB */
extern int	pa_owner_memory;	/* privacct.owner_memory, in kB */
extern int	pa_book_memory;		/* privacct.book_memory, in kB */
extern int	pa_filter_nodes;	/* privacct.filter_nodes: boxes that one search may bound */

extern void pa_settings_init(void);

#endif							/* PA_SETTINGS_H */
