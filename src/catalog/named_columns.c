/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * named_columns.c
 *		See named_columns.h.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "utils/array.h"
#include "utils/lsyscache.h"

#include "catalog/named_columns.h"

bool
pa_named_column(HeapTuple row, TupleDesc desc, const char *name, Datum *value)
{
	int			attnum = SPI_fnumber(desc, name);
	bool		isnull;

	if (attnum <= 0)
		return false;
	*value = heap_getattr(row, attnum, desc, &isnull);
	return !isnull;
}

List *
pa_columns_named(Oid relation, Datum names)
{
	List	   *columns = NIL;
	Datum	   *elements;
	int			count;

	deconstruct_array(DatumGetArrayTypePCopy(names), NAMEOID, NAMEDATALEN, false, TYPALIGN_CHAR, &elements, NULL, &count);
	for (int i = 0; i < count; i++)
		columns = lappend_int(columns, get_attnum(relation, NameStr(*DatumGetName(elements[i]))));
	return columns;
}
