/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * group_order.h
 *		The groups of a release in the order of their keys, and those that agree in some of them.
 */
#ifndef PA_GROUP_ORDER_H
#define PA_GROUP_ORDER_H

#include "bound/group_table.h"

/* Numbers of all groups: public ones as declared, others in the order of their keys, never in that of rows.  All of this is made in the current memory context. */
extern int *pa_groups_order(PaGroupTable *table);

/* The values of each of these keys by number, from 0 in their order.  So values are compared once, however many ways of grouping follow. */
typedef struct PaGroupRanks PaGroupRanks;

extern PaGroupRanks *pa_groups_rank(PaGroupTable *table, uint32 keys);

/* Groups that agree in some of the keys that were ranked, classes being numbered in the order of these; without keys there is one, whatever groups there are. */
typedef struct PaGroupClasses
{
	int			count;
	int		   *class_of;		/* by number of the group */
	int		   *first;			/* a group of each class */
} PaGroupClasses;

extern PaGroupClasses pa_groups_classes(const PaGroupRanks *ranks, uint32 keys);

#endif							/* PA_GROUP_ORDER_H */
