/*
 * incomplete.c
 *		See incomplete.h.
 */
#include "postgres.h"

#include "errors.h"
#include "local/incomplete.h"

void
pa_books_incomplete(const char *what)
{
	ereport(ERROR,
			errcode(ERRCODE_PA_LEDGER_UNAVAILABLE),
			errmsg("the books of the protected table are incomplete"),
			errdetail("Some of what its owners were asked and have answered is missing."),
			errdetail_log("%s", what),
			errhint("The owner of the table can find what is missing, and the remedy, with SELECT * FROM privacct.check_books()."));
}
