/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timeline.h
 *		Charges that a promotion or a recovery may have lost.
 *
 * A server that is promoted, or recovered to a point in time, goes on under a new
 * timeline, from a point that may be before the last charge.  The books remember
 * under which one of which cluster they were kept.
 */
#ifndef PA_TIMELINE_H
#define PA_TIMELINE_H

#include "access/xlogdefs.h"

/*
 * False if charges that were made under this timeline of this cluster may be missing:
 * the server has another one, unless it only was promoted since, each time without a
 * recovery target, and privacct.lossless_promotion says that nothing is lost by that.
 * True during recovery, when nothing is charged.  The books of another cluster were
 * brought by pg_upgrade, which lets the new cluster begin with timeline 1.
 */
extern bool pa_timeline_is_followed(uint64 cluster, TimeLineID timeline);

#endif							/* PA_TIMELINE_H */
