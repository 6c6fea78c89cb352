/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rows.h
 *		Rows that the ledger's worker writes for its clients: of the local regime, and
 *		releases that are kept (node/repeat.h).
 *
 * Answers of owners must be durable before they leave, whatever becomes of the
 * client's transaction; so they take the same way as charges.  A client collects
 * rows, as values of the columns of the catalog's relations; the worker writes
 * all of them in one transaction, and only if no question was recorded under the
 * policy since the client looked: what was decided then still holds.
 */
#ifndef PA_LEDGER_ROWS_H
#define PA_LEDGER_ROWS_H

#include "postgres.h"

/* Relations of schema privacct; see migrations/ for their columns. */
typedef enum PaRowTable
{
	PA_ROWS_QUESTION,
	PA_ROWS_OWNER_KEY,
	PA_ROWS_ANSWER,
	PA_ROWS_LIKELIHOOD,
	PA_ROWS_OWNER_STATE,
	PA_ROWS_OWNER_STATE_AT,
	PA_ROWS_LIKELIHOOD_COPY,
	PA_ROWS_OWNER_STATE_COPY,
	PA_ROWS_OWNER_STATE_COPY_AT,
	PA_ROWS_STORED_RELEASE,
	PA_ROWS_TABLES
} PaRowTable;

typedef struct PaRows PaRows;

/* The rows say nothing of questions. */
#define PA_ROWS_AFTER_ANY (-1)

/* after: the last question recorded under the policy, 0 if there is none; or PA_ROWS_AFTER_ANY */
extern PaRows *pa_rows_start(int64 policy_id, int after);

/* The policy's rows of the table are deleted before any is written. */
extern void pa_rows_clear(PaRows *rows, PaRowTable table);

/* One value for each column of the table. */
extern void pa_rows_add(PaRows *rows, PaRowTable table, const Datum *values, const bool *nulls);

/* Bytes that the rows take so far. */
extern Size pa_rows_length(const PaRows *rows);

/* Returns once the rows are durable, or errors out; frees them. */
extern void pa_rows_write(PaRows *rows);

/* The same for rows that nobody depends on: if the ledger does not take them, they are forgotten. */
extern void pa_rows_offer(PaRows *rows);

#endif							/* PA_LEDGER_ROWS_H */
