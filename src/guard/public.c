/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * public.c
 *		The other tables of a block.
 *
 * They are read whole before the first protected row, so nothing that happens to
 * them tells of protected rows.  They must have been declared by their owner,
 * who is the protected table's owner or a superuser, and be for the owner alone
 * to change.
 */
#include "postgres.h"

#include "access/transam.h"
#include "catalog/pg_class.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "descend.h"
#include "catalog/public_table.h"
#include "catalog/public_writer.h"
#include "guard/guard.h"

static void
require_kind(const PaGuard *guard, const RangeTblEntry *rte)
{
	if (rte->relkind != RELKIND_RELATION && rte->relkind != RELKIND_PARTITIONED_TABLE && rte->relkind != RELKIND_MATVIEW)
		pa_refuse_table(guard, rte, "A block joins a protected table with something that is not a local table.",
						"Join with ordinary tables or materialized views, or join the result of the block.");
	if (rte->relid < FirstNormalObjectId)
		pa_refuse_table(guard, rte, "A block joins a protected table with a system catalog.",
						"Join the result of the block.");
}

static void
require_public(const PaBlock *block, const RangeTblEntry *rte)
{
	const char *name = get_rel_name(rte->relid);
	Oid			owner = pa_table_owner(rte->relid);
	PaPublicWriter writer;

	require_kind(block->guard, rte);
	if (owner != pa_table_owner(block->policy->relation) && !superuser_arg(owner))
		pa_refuse_table(block->guard, rte,
						psprintf("Table %s has another owner than the protected table.", name),
						"Join the result of the block with that table, or have the protected table's owner provide it.");
	if (!pa_is_public(rte->relid))
		pa_refuse_table(block->guard, rte,
						psprintf("Table %s is not declared public.", name),
						psprintf("Join the result of the block with that table, or have its owner call privacct.declare_public(%s).",
								 quote_literal_cstr(pa_name_of_table(rte->relid))));
	if (pa_public_writer(rte->relid, &writer))
		pa_refuse_table(block->guard, rte,
						psprintf("Table %s may be changed by others than its owner.", name),
						"Join the result of the block with that table, or have its owner revoke their privileges to write.");
}

typedef struct PublicContext
{
	const PaBlock *block;
	const Query *query;
} PublicContext;

/* What a query reads stands in its join tree; the range table also has views, for their privileges. */
static bool
validate_walker(Node *node, PublicContext *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		PublicContext inside = {context->block, (Query *) node};

		return query_tree_walker((Query *) node, validate_walker, &inside, 0);
	}
	if (IsA(node, RangeTblRef))
	{
		const RangeTblEntry *rte = rt_fetch(((RangeTblRef *) node)->rtindex, context->query->rtable);

		if (rte->rtekind == RTE_RELATION && !pa_is_stamped(rte))
			require_public(context->block, rte);
		return false;
	}
	return expression_tree_walker(node, validate_walker, context);
}

void
pa_validate_public_tables(const PaBlock *block)
{
	PublicContext context = {block, NULL};

	(void) validate_walker((Node *) block->leaf, &context);
}
