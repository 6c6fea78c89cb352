/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * key_rows.c
 *		See key_rows.h.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "utils/memutils.h"

#include "compat/executor.h"
#include "bound/key_rows.h"

struct PaKeyRows
{
	TupleDesc	shape;
	MemoryContext context;
	int64		count;
	int64		capacity;
	MinimalTuple *rows;
	Size		size;			/* as they are written one after the other */
};

static TupleDesc
shape_of(const PaLeafSpec *spec)
{
	int			width = 0;
	TupleDesc	shape;

	for (int i = 0; i < spec->nkeys; i++)
		width = Max(width, spec->keys[i].listed + 1);
	shape = CreateTemplateTupleDesc(width);
	for (int i = 0; i < spec->nkeys; i++)
		if (spec->keys[i].listed >= 0)
			TupleDescInitEntry(shape, spec->keys[i].listed + 1, NULL, spec->keys[i].type, -1, 0);
	return shape;
}

PaKeyRows *
pa_key_rows_create(const PaLeafSpec *spec)
{
	PaKeyRows  *rows = palloc0(sizeof(PaKeyRows));

	rows->shape = shape_of(spec);
	rows->context = CurrentMemoryContext;
	rows->size = MAXALIGN(sizeof(int64));
	return rows;
}

int
pa_key_rows_width(const PaKeyRows *rows)
{
	return rows->shape->natts;
}

int64
pa_key_rows_count(const PaKeyRows *rows)
{
	return rows->count;
}

/* Makes room for one more; the row is in the rows' own context. */
static void
append(PaKeyRows *rows, MinimalTuple row)
{
	if (rows->count == rows->capacity)
	{
		rows->capacity = Max(64, rows->capacity * 2);
		rows->rows = rows->rows == NULL ?
			MemoryContextAllocHuge(rows->context, sizeof(MinimalTuple) * rows->capacity) :
			repalloc_huge(rows->rows, sizeof(MinimalTuple) * rows->capacity);
	}
	rows->rows[rows->count++] = row;
	rows->size += MAXALIGN(row->t_len);
}

void
pa_key_rows_add(PaKeyRows *rows, const Datum *values, const bool *nulls)
{
	MemoryContext caller = MemoryContextSwitchTo(rows->context);

	append(rows, pa_form_minimal_tuple(rows->shape, values, nulls));
	MemoryContextSwitchTo(caller);
}

void
pa_key_rows_get(const PaKeyRows *rows, int64 number, Datum *values, bool *nulls)
{
	MinimalTuple row = rows->rows[number];
	HeapTupleData tuple = {
		.t_len = row->t_len + MINIMAL_TUPLE_OFFSET,
		.t_data = (HeapTupleHeader) ((char *) row - MINIMAL_TUPLE_OFFSET)
	};

	heap_deform_tuple(&tuple, rows->shape, values, nulls);
}

Size
pa_key_rows_size(const PaKeyRows *rows)
{
	return rows->size;
}

void
pa_key_rows_write(const PaKeyRows *rows, char *target)
{
	memcpy(target, &rows->count, sizeof(int64));
	target += MAXALIGN(sizeof(int64));
	for (int64 i = 0; i < rows->count; i++)
	{
		memcpy(target, rows->rows[i], rows->rows[i]->t_len);
		target += MAXALIGN(rows->rows[i]->t_len);
	}
}

PaKeyRows *
pa_key_rows_read(const PaLeafSpec *spec, const char *source)
{
	PaKeyRows  *rows = pa_key_rows_create(spec);
	int64		count;

	memcpy(&count, source, sizeof(int64));
	source += MAXALIGN(sizeof(int64));
	for (int64 i = 0; i < count; i++)
	{
		append(rows, pa_copy_minimal_tuple(source));
		source += MAXALIGN(((MinimalTuple) source)->t_len);
	}
	return rows;
}
