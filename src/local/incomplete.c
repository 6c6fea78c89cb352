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
			errdetail("Something is missing of what its owners were asked and have answered."),
			errdetail_log("%s", what),
			errhint("The owner of the table finds what is missing, and what mends it, with SELECT * FROM privacct.check_books()."));
}
