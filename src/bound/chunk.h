/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chunk.h
 *		Groups, cells, values and owners as byte strings between the processes of one release.
 *
 * A chunk is native binary: its writer and reader are one server.  All groups of
 * a process come before its cells, values and owners, which refer to them by number.
 * Cells are sent where each row is an owner; else owners have them (order.h).
 */
#ifndef PA_CHUNK_H
#define PA_CHUNK_H

#include "postgres.h"

#include "executor/tuptable.h"

#include "bound/reader.h"

/* Where a process is with sending; the reader's cells and values are sorted. */
typedef struct PaChunkWriter
{
	const PaReader *reader;
	int			process;		/* number of the worker */
	int			next_group;
	uint64		next_owner;
} PaChunkWriter;

/* Which of the leader's groups those of each worker are. */
typedef struct PaChunkReader
{
	PaReader   *reader;
	TupleTableSlot *row;		/* minimal tuples of the rows' shape */
	int			nprocesses;
	int		  **numbers;		/* of each process */
	int		   *counts;
} PaChunkReader;

/* The next chunk, or NULL at the end. */
extern bytea *pa_chunk_write(PaChunkWriter *writer);

/* Adds a chunk to the leader's groups and owners. */
extern void pa_chunk_read(PaChunkReader *reader, const bytea *chunk);

#endif							/* PA_CHUNK_H */
