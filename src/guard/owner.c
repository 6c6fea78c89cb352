/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * owner.c
 *		Whose row it is: the owner column of a block.
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"

#include "catalog/owner_key.h"
#include "guard/block_rules.h"
#include "guard/column.h"
#include "guard/expose.h"

void
pa_expose_owner(PaBlock *block)
{
	block->owner = pa_expose_column(block->leaf, pa_owned_by(block));
	if (block->owner == NULL)
		elog(ERROR, "a protected block has no owner column");
	/* before anything is charged, whatever type the inference has let through */
	if (pa_owner_key(block->owner->vartype) == PA_OWNER_KEY_NONE)
		elog(ERROR, "the owner column of a protected block has type %u", block->owner->vartype);
}

void
pa_refuse_owner_key(const PaBlock *block, Node *key)
{
	if (pa_mentions_owner(block->leaf, key))
		pa_refuse(block->guard, exprLocation(key), "The owner column cannot be grouped by.",
				  "Group by something that many owners share.");
}
