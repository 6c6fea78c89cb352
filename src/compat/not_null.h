/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * not_null.h
 *		Columns without nulls.
 *
 * Since 18 a column that is declared NOT NULL may have nulls of before (NOT VALID).
 */
#ifndef PA_COMPAT_NOT_NULL_H
#define PA_COMPAT_NOT_NULL_H

#include "compat/version.h"

#include "access/attnum.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "utils/rel.h"
#include "utils/relcache.h"

/* Whether no row of the table, which the session has locked, has a null there.  Partitions have what it has; children need not. */
static inline bool
pa_column_is_not_null(Oid relation, AttrNumber column)
{
	Relation	rel = RelationIdGetRelation(relation);
	bool		not_null = false;

	if (!RelationIsValid(rel))
		return false;
	if (column > 0 && column <= RelationGetNumberOfAttributes(rel))
#if PG_VERSION_NUM >= 180000
		not_null = TupleDescCompactAttr(RelationGetDescr(rel), column - 1)->attnullability == ATTNULLABLE_VALID;
#else
		not_null = TupleDescAttr(RelationGetDescr(rel), column - 1)->attnotnull;
#endif
	if (rel->rd_rel->relkind == RELKIND_RELATION && has_subclass(relation))
		not_null = false;
	RelationClose(rel);
	return not_null;
}

#endif							/* PA_COMPAT_NOT_NULL_H */
