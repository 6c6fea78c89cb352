/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * named.c
 *		Relations that commands name.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "nodes/makefuncs.h"

#include "guard/named.h"

Oid
pa_relation_of(const RangeVar *name)
{
	return name && IsA(name, RangeVar) ? RangeVarGetRelid(name, NoLock, true) : InvalidOid;
}

static RangeVar *
without_last(const List *names)
{
	return list_length(names) < 2 ? NULL : makeRangeVarFromNameList(list_truncate(list_copy(names), list_length(names) - 1));
}

RangeVar *
pa_relation_in_name(ObjectType type, const Node *object)
{
	List	   *names = (List *) object;

	switch (type)
	{
		case OBJECT_TABLE:
		case OBJECT_VIEW:
		case OBJECT_MATVIEW:
		case OBJECT_INDEX:
		case OBJECT_SEQUENCE:
		case OBJECT_FOREIGN_TABLE:
			return makeRangeVarFromNameList(names);
		case OBJECT_COLUMN:
		case OBJECT_TABCONSTRAINT:
		case OBJECT_TRIGGER:
		case OBJECT_RULE:
		case OBJECT_POLICY:
			return without_last(names);
		default:
			return NULL;
	}
}
