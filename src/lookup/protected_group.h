/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * protected_group.h
 *		Subqueries that group protected rows by their owner: by hashing, in any order.
 */
#ifndef PA_PROTECTED_GROUP_H
#define PA_PROTECTED_GROUP_H

/* Registers the planner's hook; called from _PG_init. */
extern void pa_protected_group_init(void);

#endif							/* PA_PROTECTED_GROUP_H */
