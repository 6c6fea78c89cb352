/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * spec.c
 *		To and from the private list of a CustomScan.
 */
#include "postgres.h"

#include "nodes/value.h"

#include "local/spec.h"

#define NUMBERS 5				/* of a column */

List *
pa_local_spec_encode(const PaLocalSpec *spec)
{
	List	   *columns = NIL;

	for (int i = 0; i < spec->ncolumns; i++)
	{
		columns = lappend(columns, makeInteger(spec->columns[i].attnum));
		columns = lappend(columns, makeInteger(spec->columns[i].input));
		columns = lappend(columns, makeInteger((int) spec->columns[i].type));
		columns = lappend(columns, makeInteger(spec->columns[i].typmod));
		columns = lappend(columns, makeInteger((int) spec->columns[i].collation));
	}
	return list_make4(pa_leaf_spec_encode(spec->leaf), columns, spec->expressions, spec->public_columns);
}

PaLocalSpec *
pa_local_spec_decode(List *list)
{
	PaLocalSpec *spec = palloc0(sizeof(PaLocalSpec));
	List	   *columns = lsecond(list);

	spec->leaf = pa_leaf_spec_decode(linitial(list));
	spec->ncolumns = list_length(columns) / NUMBERS;
	spec->columns = palloc0(sizeof(PaLocalColumn) * Max(spec->ncolumns, 1));
	for (int i = 0; i < spec->ncolumns; i++)
	{
		spec->columns[i].attnum = intVal(list_nth(columns, NUMBERS * i));
		spec->columns[i].input = intVal(list_nth(columns, NUMBERS * i + 1));
		spec->columns[i].type = (Oid) intVal(list_nth(columns, NUMBERS * i + 2));
		spec->columns[i].typmod = intVal(list_nth(columns, NUMBERS * i + 3));
		spec->columns[i].collation = (Oid) intVal(list_nth(columns, NUMBERS * i + 4));
	}
	spec->expressions = lthird(list);
	spec->public_columns = castNode(Const, lfourth(list));
	return spec;
}
