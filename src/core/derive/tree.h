/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tree.h
 *		Least squares where totals are sums of their parts.
 *
 * Every node of a tree has a number; that of an inner node is the sum of its children's.
 * Some are known with independent noise of known variances.  What comes out are the
 * best linear unbiased estimates of all nodes, in which totals equal the sum of their
 * parts (up to rounding), in two passes (docs/theory-derived.md); Hay and others (2010)
 * is the case of equal variances.  Negative estimates stay: to clamp them breaks sums
 * and makes them biased.
 */
#ifndef PA_TREE_H
#define PA_TREE_H

#include <stdint.h>

#include "core/environment.h"

typedef struct PaTree
{
	int32_t		nodes;
	const int32_t *parent;		/* below the node's own number; -1 for roots */
	const double *released;		/* anything finite for a node that is not released */
	const double *variance;		/* >= 0, 0 for what is exact; INFINITY for a node that is not released */
} PaTree;

/*
 * estimate[node] and variance[node], in the units of what was released and their
 * square; NAN and INFINITY for a node that what was released does not determine.  Several
 * roots are several trees.  If exact numbers contradict each other, the parts win.
 * PA_INVALID, PA_NO_MEMORY.
 */
extern PaStatus pa_tree_estimate(const PaTree *tree, const PaEnvironment *environment,
								 double *estimate, double *variance);

#endif							/* PA_TREE_H */
