/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * spec.c
 *		To and from the private data of a plan.
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
	return list_make3(columns, spec->expressions, spec->public_columns);
}

PaLocalSpec *
pa_local_spec_decode(PaLeafSpec *leaf, List *list)
{
	PaLocalSpec *spec = palloc0(sizeof(PaLocalSpec));
	List	   *columns = linitial(list);

	spec->leaf = leaf;
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
	spec->expressions = lsecond(list);
	spec->public_columns = castNode(Const, lthird(list));
	return spec;
}
