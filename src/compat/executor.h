/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * executor.h
 *		Running plans, sorting, index scans, tuples.
 */
#ifndef PA_COMPAT_EXECUTOR_H
#define PA_COMPAT_EXECUTOR_H

#include "compat/version.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "executor/executor.h"
#include "utils/tuplesort.h"

/* Parameters and arguments of ExecutorRun_hook. */
#if PG_VERSION_NUM >= 180000
#define PA_RUN_PARAMETERS QueryDesc *query, ScanDirection direction, uint64 count
#define PA_RUN_ARGUMENTS query, direction, count
#else
#define PA_RUN_PARAMETERS QueryDesc *query, ScanDirection direction, uint64 count, bool once
#define PA_RUN_ARGUMENTS query, direction, count, once
#endif

/* Runs a query to its end, once. */
static inline void
pa_run_whole(QueryDesc *query)
{
#if PG_VERSION_NUM >= 180000
	ExecutorRun(query, ForwardScanDirection, 0);
#else
	ExecutorRun(query, ForwardScanDirection, 0, true);
#endif
}

/* The next value, a copy of it. */
static inline bool
pa_next_sorted(Tuplesortstate *sort, Datum *value, bool *isnull)
{
#if PG_VERSION_NUM >= 160000
	return tuplesort_getdatum(sort, true, true, value, isnull, NULL);
#else
	return tuplesort_getdatum(sort, true, value, isnull, NULL);
#endif
}

static inline IndexScanDesc
pa_begin_index_scan(Relation table, Relation index, Snapshot snapshot, int nkeys)
{
#if PG_VERSION_NUM >= 180000
	return index_beginscan(table, index, snapshot, NULL, nkeys, 0);
#else
	return index_beginscan(table, index, snapshot, nkeys, 0);
#endif
}

static inline MinimalTuple
pa_form_minimal_tuple(TupleDesc shape, const Datum *values, const bool *nulls)
{
#if PG_VERSION_NUM >= 180000
	return heap_form_minimal_tuple(shape, values, nulls, 0);
#else
	return heap_form_minimal_tuple(shape, unconstify(Datum *, values), unconstify(bool *, nulls));
#endif
}

static inline MinimalTuple
pa_copy_minimal_tuple(const void *tuple)
{
#if PG_VERSION_NUM >= 180000
	return heap_copy_minimal_tuple((MinimalTuple) unconstify(void *, tuple), 0);
#else
	return heap_copy_minimal_tuple((MinimalTuple) unconstify(void *, tuple));
#endif
}

#endif							/* PA_COMPAT_EXECUTOR_H */
