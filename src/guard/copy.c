/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * copy.c
 *		Copies of parts of a statement, of which there must not be too many.
 *
 * A WITH query is copied to each place that refers to it, and the subquery of an
 * IN where a null may tell.  Copies of what holds copies grow with a power of two
 * for each level of a short text.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "nodes/nodeFuncs.h"

#include "descend.h"
#include "guard/guard.h"

#define MOST_COPIED 100000		/* nodes, in a statement */

static bool
count_walker(Node *node, PaGuard *guard)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (++guard->copied > MOST_COPIED)
		return true;
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, count_walker, guard, 0);
	return expression_tree_walker(node, count_walker, guard);
}

void *
pa_copy(PaGuard *guard, const void *node)
{
	CHECK_FOR_INTERRUPTS();
	if (count_walker((Node *) unconstify(void *, node), guard))
		pa_refuse(guard, -1, "Parts of the statement are copied to where they are used, as WITH queries, subqueries of IN and the sides of FULL JOIN are, and the copies are too large.",
				  "Refer to each WITH query once, write EXISTS for nested IN, join fewer tables by FULL JOIN, put long lists of values into a declared public table, or split the statement.");
	return copyObjectImpl(node);
}
