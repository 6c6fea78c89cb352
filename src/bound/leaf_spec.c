/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * leaf_spec.c
 *		What the executor must know of a leaf, as a list that plans can carry.
 */
#include "postgres.h"

#include "nodes/value.h"

#include "bound/leaf_spec.h"

#define PUT(list, number) ((list) = lappend((list), makeInteger(number)))

List *
pa_leaf_spec_encode(const PaLeafSpec *spec)
{
	List	   *list = NIL;

	PUT(list, spec->ntables);
	for (int i = 0; i < spec->ntables; i++)
	{
		PUT(list, (int) spec->tables[i].relation);
		PUT(list, (int) (spec->tables[i].policy_id >> 32));
		PUT(list, (int) spec->tables[i].policy_id);
	}
	PUT(list, spec->entries);
	PUT(list, spec->owners);
	PUT(list, spec->one_row);
	PUT(list, spec->fanout);
	PUT(list, spec->row_work);
	PUT(list, spec->workers);
	PUT(list, spec->owner_input);
	PUT(list, spec->nkeys);
	for (int i = 0; i < spec->nkeys; i++)
	{
		PUT(list, spec->keys[i].table);
		PUT(list, spec->keys[i].column);
		PUT(list, spec->keys[i].listed);
		PUT(list, spec->keys[i].input);
		PUT(list, spec->keys[i].reference);
		PUT(list, (int) spec->keys[i].type);
		PUT(list, (int) spec->keys[i].collation);
	}
	PUT(list, spec->nlevels);
	for (int i = 0; i < spec->nlevels; i++)
		PUT(list, (int) spec->levels[i]);
	PUT(list, spec->ngroupings);
	for (int i = 0; i < spec->ngroupings; i++)
	{
		PUT(list, spec->groupings[i].nkeys);
		for (int j = 0; j < spec->groupings[i].nkeys; j++)
			PUT(list, spec->groupings[i].keys[j]);
	}
	list = lappend(list, makeString(pstrdup(spec->key_query ? spec->key_query : "")));
	list = lappend(list, makeString(pstrdup(spec->question ? spec->question : "")));
	list = lappend(list, makeString(pstrdup(spec->parts ? spec->parts : "")));
	PUT(list, spec->npublic);
	for (int i = 0; i < spec->npublic; i++)
		PUT(list, (int) spec->public_tables[i]);
	PUT(list, spec->first_value);
	PUT(list, spec->nvalues);
	PUT(list, spec->naggregates);
	for (int i = 0; i < spec->naggregates; i++)
	{
		PUT(list, spec->aggregates[i].kind);
		PUT(list, (int) spec->aggregates[i].result_type);
		PUT(list, spec->aggregates[i].input);
		PUT(list, (int) spec->aggregates[i].input_type);
		PUT(list, spec->aggregates[i].never_null);
		PUT(list, spec->aggregates[i].nfields);
		for (int j = 0; j < spec->aggregates[i].nfields; j++)
		{
			PUT(list, spec->aggregates[i].fields[j].input);
			PUT(list, (int) spec->aggregates[i].fields[j].type);
		}
		PUT(list, spec->aggregates[i].first_argument);
		PUT(list, spec->aggregates[i].column);
		list = lappend(list, makeString(spec->aggregates[i].label));
		PUT(list, spec->aggregates[i].together);
	}
	PUT(list, spec->ncomposed);
	for (int i = 0; i < spec->ncomposed; i++)
	{
		list = lappend(list, makeString(spec->composed[i].label));
		list = lappend(list, makeString(spec->composed[i].expressions));
		PUT(list, spec->composed[i].nparts);
		for (int j = 0; j < spec->composed[i].nparts; j++)
		{
			PUT(list, spec->composed[i].parts[j]);
			PUT(list, spec->composed[i].together[j]);
		}
	}
	PUT(list, spec->ncolumns);
	for (int i = 0; i < spec->ncolumns; i++)
		PUT(list, spec->columns[i]);
	return list;
}

static int
take(ListCell **cell, List *list)
{
	int			number = intVal(lfirst(*cell));

	*cell = lnext(list, *cell);
	return number;
}

static char *
take_text(ListCell **cell, List *list)
{
	char	   *text = strVal(lfirst(*cell));

	*cell = lnext(list, *cell);
	return text;
}

PaLeafSpec *
pa_leaf_spec_decode(List *list)
{
	PaLeafSpec *spec = palloc0(sizeof(PaLeafSpec));
	ListCell   *cell = list_head(list);

	spec->ntables = take(&cell, list);
	spec->tables = palloc0(sizeof(PaLeafTable) * spec->ntables);
	for (int i = 0; i < spec->ntables; i++)
	{
		spec->tables[i].relation = (Oid) take(&cell, list);
		spec->tables[i].policy_id = (int64) take(&cell, list) << 32;
		spec->tables[i].policy_id |= (uint32) take(&cell, list);
	}
	spec->entries = take(&cell, list);
	spec->owners = take(&cell, list);
	spec->one_row = take(&cell, list);
	spec->fanout = take(&cell, list);
	spec->row_work = take(&cell, list);
	spec->workers = take(&cell, list);
	spec->owner_input = take(&cell, list);
	spec->nkeys = take(&cell, list);
	spec->keys = palloc0(sizeof(PaLeafKey) * Max(spec->nkeys, 1));
	for (int i = 0; i < spec->nkeys; i++)
	{
		spec->keys[i].table = take(&cell, list);
		spec->keys[i].column = take(&cell, list);
		spec->keys[i].listed = take(&cell, list);
		spec->keys[i].input = take(&cell, list);
		spec->keys[i].reference = take(&cell, list);
		spec->keys[i].type = (Oid) take(&cell, list);
		spec->keys[i].collation = (Oid) take(&cell, list);
	}
	spec->nlevels = take(&cell, list);
	spec->levels = palloc0(sizeof(uint32) * Max(spec->nlevels, 1));
	for (int i = 0; i < spec->nlevels; i++)
		spec->levels[i] = (uint32) take(&cell, list);
	spec->ngroupings = take(&cell, list);
	spec->groupings = palloc0(sizeof(PaLeafGrouping) * Max(spec->ngroupings, 1));
	for (int i = 0; i < spec->ngroupings; i++)
	{
		spec->groupings[i].nkeys = take(&cell, list);
		for (int j = 0; j < spec->groupings[i].nkeys; j++)
			spec->groupings[i].keys[j] = take(&cell, list);
	}
	spec->key_query = take_text(&cell, list);
	spec->question = take_text(&cell, list);
	spec->parts = take_text(&cell, list);
	spec->npublic = take(&cell, list);
	spec->public_tables = palloc0(sizeof(Oid) * Max(spec->npublic, 1));
	for (int i = 0; i < spec->npublic; i++)
		spec->public_tables[i] = (Oid) take(&cell, list);
	spec->first_value = take(&cell, list);
	spec->nvalues = take(&cell, list);
	spec->naggregates = take(&cell, list);
	spec->aggregates = palloc0(sizeof(PaLeafAggregate) * Max(spec->naggregates, 1));
	for (int i = 0; i < spec->naggregates; i++)
	{
		PaLeafAggregate *aggregate = &spec->aggregates[i];

		aggregate->kind = take(&cell, list);
		aggregate->result_type = (Oid) take(&cell, list);
		aggregate->input = take(&cell, list);
		aggregate->input_type = (Oid) take(&cell, list);
		aggregate->never_null = take(&cell, list);
		aggregate->nfields = take(&cell, list);
		aggregate->fields = palloc0(sizeof(PaLeafField) * Max(aggregate->nfields, 1));
		for (int j = 0; j < aggregate->nfields; j++)
		{
			aggregate->fields[j].input = take(&cell, list);
			aggregate->fields[j].type = (Oid) take(&cell, list);
		}
		aggregate->first_argument = take(&cell, list);
		aggregate->column = take(&cell, list);
		aggregate->label = take_text(&cell, list);
		aggregate->together = take(&cell, list);
	}
	spec->ncomposed = take(&cell, list);
	spec->composed = palloc0(sizeof(PaLeafComposed) * Max(spec->ncomposed, 1));
	for (int i = 0; i < spec->ncomposed; i++)
	{
		PaLeafComposed *composed = &spec->composed[i];

		composed->label = take_text(&cell, list);
		composed->expressions = take_text(&cell, list);
		composed->nparts = take(&cell, list);
		composed->parts = palloc0(sizeof(int) * composed->nparts);
		composed->together = palloc0(sizeof(int) * composed->nparts);
		for (int j = 0; j < composed->nparts; j++)
		{
			composed->parts[j] = take(&cell, list);
			composed->together[j] = take(&cell, list);
		}
	}
	spec->ncolumns = take(&cell, list);
	spec->columns = palloc0(sizeof(int) * Max(spec->ncolumns, 1));
	for (int i = 0; i < spec->ncolumns; i++)
		spec->columns[i] = take(&cell, list);
	return spec;
}
