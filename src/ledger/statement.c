/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * statement.c
 *		See statement.h.
 */
#include "postgres.h"

#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "ledger/statement.h"

void
pa_statement_run(PaStatement *statement, Datum *values, int expected)
{
	int			code;

	if (statement->plan == NULL)
	{
		SPIPlanPtr	plan = SPI_prepare(statement->sql, statement->nargs, statement->types);

		if (plan == NULL)
			elog(ERROR, "could not prepare a statement of the ledger: %s",
				 SPI_result_code_string(SPI_result));
		SPI_keepplan(plan);
		statement->plan = plan;
	}
	code = SPI_execute_plan(statement->plan, values, NULL, false, 0);
	if (code != expected)
		elog(ERROR, "could not run a statement of the ledger: %s",
			 SPI_result_code_string(code));
}

Datum
pa_statement_array(Datum *elements, int n, Oid type)
{
	int16		length;
	bool		by_value;
	char		alignment;

	get_typlenbyvalalign(type, &length, &by_value, &alignment);
	return PointerGetDatum(construct_array(elements, n, type, length, by_value, alignment));
}

bool
pa_read_amount(HeapTuple row, int column, PaAmount *amount)
{
	char	   *text = SPI_getvalue(row, SPI_tuptable->tupdesc, column);

	return text != NULL && pa_amount_parse(text, amount) == PA_OK && *amount >= 0;
}
