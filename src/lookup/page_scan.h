/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * page_scan.h
 *		A scan of a heap that looks at keys of rows where they lie in the page.
 *
 * Of most rows of a large table that is joined nothing matters but that they meet nothing.  The executor would
 * find out whether each is visible, hand it up, and take it apart before it asks.
 */
#ifndef PA_PAGE_SCAN_H
#define PA_PAGE_SCAN_H

#include "postgres.h"

#include "nodes/execnodes.h"

#include "lookup/row_filter.h"

/*
 * From its first row on, which has not been read, the scan yields no row of which a filter sees in the page that it
 * meets nothing.  It may yield others that meet nothing: its condition has to ask the same.  False, and nothing is
 * changed, if there is no such scan: of something else than a heap, or one that processes share, or where
 * the column has no fixed place in rows.
 */
extern bool pa_scan_by_pages(ScanState *node, const PaRowFilter *filter);

#endif							/* PA_PAGE_SCAN_H */
