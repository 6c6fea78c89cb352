/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scan_filter.h
 *		Rows that can meet nothing in a join are left out by the scan that reads them.
 *
 * The scan reads every row still, but of one that is left out no more than the columns up to the
 * key, and none of its conditions: these say the same of the joined rows whichever is asked first,
 * since none of them can fail.
 */
#ifndef PA_SCAN_FILTER_H
#define PA_SCAN_FILTER_H

#include "postgres.h"

#include "nodes/execnodes.h"

#include "lookup/key_filter.h"
#include "lookup/number_set.h"

/* A column of a table as a scan below reads it. */
typedef struct PaScannedColumn
{
	ScanState  *scan;			/* NULL: there is no such scan */
	AttrNumber	column;
	Oid			type;
} PaScannedColumn;

/*
 * Where the key, an expression over the rows of a plan (varno is what it calls them), comes from, if it is a column
 * and rows of that table which are left out would be missing from the plan's rows, and nothing else.
 */
extern PaScannedColumn pa_scanned_column(PlanState *plan, const Node *key, int varno);

/* From its next row on, the scan leaves out rows whose column is null or of no such number. */
extern void pa_filter_scan(const PaScannedColumn *column, const PaKeyFilter *keys);
extern void pa_filter_scan_exactly(const PaScannedColumn *column, const PaNumberSet *numbers);

/*
 * Has heaps leave these rows out in their pages, which takes less time than handing them up does.  To be called when
 * the scans of the plan have begun (bound/ring.h), before its first row.
 */
extern void pa_filter_pages(PlanState *rows);

#endif							/* PA_SCAN_FILTER_H */
