/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * query.h
 *		What is asked for, of the paper's algorithms and of ours alike.
 */
#ifndef QUERY_H
#define QUERY_H

#include "core/noise/base.h"

typedef struct Query
{
	PaShape		shape;			/* of the kernel, where there is a choice */
	double		theta;			/* error bound */
	double		sensitivity;
	double		epsilon;
	double		delta;
} Query;

#endif							/* QUERY_H */
