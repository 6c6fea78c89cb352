/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tree.c
 *		Two passes over a tree: what parts say of totals, then what totals say of parts.
 *
 * Upwards, a node has z, the best estimate from the node and all below it, and its
 * variance s.  Downwards, what the parent learned from elsewhere is shared among the
 * children in proportion to s.  A node about which nothing below it says anything has
 * s = INFINITY; it takes all that its parent leaves if it is the only such child, and
 * is not determined if it is one of several.
 */
#include "core/derive/tree.h"

#include <math.h>

typedef struct Node
{
	double		parts;			/* sum of z of the children that are known */
	double		parts_variance; /* sum of their s */
	int32_t		children;
	int32_t		unknown;		/* children with s = INFINITY */
	double		z;
	double		s;
} Node;

static bool
valid(const PaTree *tree)
{
	int32_t		i;

	for (i = 0; i < tree->nodes; i++)
		if (tree->parent[i] < -1 || tree->parent[i] >= i || !(tree->variance[i] >= 0) || !isfinite(tree->released[i]))
			return false;
	return tree->nodes >= 0;
}

/* The node's own number and the sum of its parts, each by how sure it is */
static void
combine(Node *node, double released, double variance)
{
	bool		parts_known = node->children > 0 && node->unknown == 0;

	if (!parts_known)
	{
		node->z = released;
		node->s = variance;
	}
	else if (isinf(variance) || node->parts_variance == 0)
	{
		node->z = node->parts;
		node->s = node->parts_variance;
	}
	else
	{
		double		weight = node->parts_variance / (node->parts_variance + variance);

		node->z = node->parts + weight * (released - node->parts);
		node->s = weight * variance;
	}
}

static void
pass_up(const PaTree *tree, Node *node)
{
	int32_t		i;

	for (i = 0; i < tree->nodes; i++)
		node[i] = (Node) {.z = 0};
	for (i = tree->nodes - 1; i >= 0; i--)
	{
		Node	   *parent = tree->parent[i] < 0 ? NULL : &node[tree->parent[i]];

		combine(&node[i], tree->released[i], tree->variance[i]);
		if (parent == NULL)
			continue;
		parent->children++;
		if (isinf(node[i].s))
			parent->unknown++;
		else
		{
			parent->parts += node[i].z;
			parent->parts_variance += node[i].s;
		}
	}
}

/* A node whose parent has the estimate e of variance v; s and z become the node's own. */
static void
refine(Node *child, const Node *parent, double e, double v)
{
	if (isinf(child->s))
	{
		if (parent->unknown > 1 || isinf(v))
			return;
		child->z = e - parent->parts;
		child->s = v + parent->parts_variance;
	}
	else if (parent->unknown == 0 && parent->parts_variance > 0)
	{
		double		share = child->s / parent->parts_variance;

		child->z += share * (e - parent->parts);
		child->s = child->s * (1 - share) + share * share * v;
	}
}

PaStatus
pa_tree_estimate(const PaTree *tree, const PaEnvironment *environment, double *estimate, double *variance)
{
	Node	   *node;
	int32_t		i;

	if (!valid(tree))
		return PA_INVALID;
	node = environment->allocate(environment->context, ((size_t) tree->nodes + 1) * sizeof(Node));
	if (node == NULL)
		return PA_NO_MEMORY;
	pass_up(tree, node);
	for (i = 0; i < tree->nodes; i++)
	{
		const Node *parent = tree->parent[i] < 0 ? NULL : &node[tree->parent[i]];

		if (parent != NULL)
			refine(&node[i], parent, parent->z, parent->s);
		estimate[i] = isinf(node[i].s) ? NAN : node[i].z;
		variance[i] = node[i].s;
	}
	environment->release(environment->context, node);
	return PA_OK;
}
