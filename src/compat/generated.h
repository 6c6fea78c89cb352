/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * generated.h
 *		Columns that are computed where they are read: since 18 (GENERATED ALWAYS AS ... VIRTUAL).
 */
#ifndef PA_COMPAT_GENERATED_H
#define PA_COMPAT_GENERATED_H

#include "compat/version.h"

#include "catalog/pg_attribute.h"
#include "rewrite/rewriteHandler.h"
#include "utils/rel.h"

static inline bool
pa_has_virtual_columns(const Relation rel)
{
#if PG_VERSION_NUM >= 180000
	return rel->rd_att->constr && rel->rd_att->constr->has_generated_virtual;
#else
	return false;
#endif
}

/* What the column is, over columns of a table that is the first of its query; NULL: it is stored. */
static inline Node *
pa_virtual_expression(Relation rel, AttrNumber column)
{
#if PG_VERSION_NUM >= 180000
	if (TupleDescAttr(rel->rd_att, column - 1)->attgenerated == ATTRIBUTE_GENERATED_VIRTUAL)
		return build_generation_expression(rel, column);
#endif
	return NULL;
}

#endif							/* PA_COMPAT_GENERATED_H */
