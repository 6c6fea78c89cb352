/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rows.c
 *		Blocks that aggregate rows of owners: any FROM that the guard allows, any keys
 *		but the owner.
 */
#include "postgres.h"

#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"

#include "price/form/form.h"
#include "guard/block_rules.h"

static void
validate(const PaBlock *block)
{
}

static void
validate_call(const PaBlock *block, const Aggref *call, PaAggregateKind kind)
{
	if (pa_aggregate_form(kind)->responds)
		pa_refuse(block->guard, call->location, "dp_response draws the value of a single entry, and the policy protects owners.",
				  "Use dp_mode(x), or in the local regime ldp_response(x).");
}

static void
validate_value(const PaBlock *block, Node *value)
{
}

static void
restrict_rows(PaBlock *block, List *keys)
{
}

/* A release is about all owners. */
static void
mark(const PaBlock *block, Aggref *marker)
{
	pa_mark_release(block, marker, (Node *) makeNullConst(TEXTOID, -1, DEFAULT_COLLATION_OID));
}

const PaBlockRules pa_row_rules = {
	.lists_keys = true,
	.has_levels = true,
	.marker = pa_marker_aggregate,
	.mark = mark,
	.validate = validate,
	.validate_key = pa_refuse_owner_key,
	.validate_call = validate_call,
	.validate_value = validate_value,
	.restrict_rows = restrict_rows,
};
