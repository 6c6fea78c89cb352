/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * statement.h
 *		Statements of the ledger's worker: kept plans over arrays, run through SPI.
 *
 * They name every object with its schema, and cast nothing: a cast between types of
 * PostgreSQL may be somebody's own.  Amounts travel as numerics and lose nothing.
 */
#ifndef PA_LEDGER_STATEMENT_H
#define PA_LEDGER_STATEMENT_H

#include "postgres.h"

#include "access/htup.h"
#include "executor/spi.h"

#include "core/accounting/budget.h"

typedef struct PaStatement
{
	const char *sql;
	int			nargs;
	Oid			types[8];
	SPIPlanPtr	plan;			/* prepared at first use, kept for the process */
} PaStatement;

/* Runs it, or errors out unless it ends as expected; the result is in SPI_tuptable and SPI_processed. */
extern void pa_statement_run(PaStatement *statement, Datum *values, int expected);

extern Datum pa_statement_array(Datum *elements, int n, Oid type);

/* One column of the row in SPI_tuptable as an amount; false if it is not one. */
extern bool pa_read_amount(HeapTuple row, int column, PaAmount *amount);

#endif							/* PA_LEDGER_STATEMENT_H */
