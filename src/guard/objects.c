/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * objects.c
 *		Enums and collations of a block: which may take part below the leaf.
 *
 * The rule is that of node/closed_world.h, which is asked again when the
 * block is executed; here it is said where in the statement it is broken.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "descend.h"
#include "guard/guard.h"
#include "node/closed_world.h"

/* The tables of a block. */
typedef struct TableContext
{
	const PaGuard *guard;
	List	   *relations;
	Oid			owner;			/* of the protected one */
} TableContext;

static bool
table_walker(Node *node, TableContext *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, table_walker, context, QTW_EXAMINE_RTES_BEFORE);
	if (IsA(node, RangeTblEntry))
	{
		const RangeTblEntry *rte = (RangeTblEntry *) node;

		/* views stay behind in range tables */
		if (rte->rtekind != RTE_RELATION || rte->relkind == RELKIND_VIEW)
			return false;
		context->relations = list_append_unique_oid(context->relations, rte->relid);
		if (pa_policy_covering(rte->relid) != NULL)
			context->owner = pa_table_owner(rte->relid);
		return false;
	}
	return expression_tree_walker(node, table_walker, context);
}

static TableContext
tables_of(const PaBlock *block)
{
	TableContext context = {block->guard, NIL, InvalidOid};

	(void) table_walker((Node *) block->leaf, &context);
	return context;
}

void
pa_validate_enum(const PaBlock *block, Oid type, int location)
{
	TableContext tables;

	if (pa_type_is_known(type, InvalidOid, NIL))
		return;
	tables = tables_of(block);
	if (!pa_type_is_known(type, tables.owner, tables.relations))
		pa_refuse(block->guard, location,
				  psprintf("Type %s is not an enum of a column of the block's tables, owned by their owner.",
						   format_type_be(type)),
				  "Use a text column, or have the owner of the table own the enum.");
}

void
pa_validate_collation(const PaBlock *block, Oid collation, int location)
{
	TableContext tables;

	if (!OidIsValid(collation))
		return;
	if (!SearchSysCacheExists1(COLLOID, ObjectIdGetDatum(collation)))
		pa_refuse(block->guard, location, "A collation of the statement no longer exists.",
				  "Prepare the statement again.");
	if (!get_collation_isdeterministic(collation))
		pa_refuse(block->guard, location, "A nondeterministic collation is not allowed over protected rows.",
				  "Write COLLATE \"C\".");
	if (pa_collation_is_known(collation, InvalidOid, NIL))
		return;
	tables = tables_of(block);
	if (!pa_collation_is_known(collation, tables.owner, tables.relations))
		pa_refuse(block->guard, location,
				  psprintf("Collation %s is neither built in nor of a column of the block's tables, owned by their owner.",
						   quote_identifier(get_collation_name(collation))),
				  "Write COLLATE \"C\" or COLLATE \"default\".");
	if (!pa_collation_is_current(collation))
		pa_refuse(block->guard, location,
				  psprintf("Collation %s was created with another version of its library.",
						   quote_identifier(get_collation_name(collation))),
				  "Have its owner rebuild what depends on it and run ALTER COLLATION ... REFRESH VERSION, or write COLLATE \"C\".");
}

void
pa_validate_input_collation(const PaBlock *block, Node *node)
{
	if (pa_lacks_collation(node))
		pa_refuse(block->guard, exprLocation(node),
				  "Texts with different collations are combined, and none was chosen.",
				  "Write COLLATE \"C\" after one of them.");
	pa_validate_collation(block, exprInputCollation(node), exprLocation(node));
}
