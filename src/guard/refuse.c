/*
 * refuse.c
 *		How the guard says no.  A refusal names what and where, and what to write
 *		instead; it never quotes a value of a row.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"

#include "errors.h"
#include "guard/guard.h"

/* For use inside ereport(); locations inside views and functions are unknown (-1). */
int
pa_error_position(const PaGuard *guard, int location)
{
	if (location < 0 || guard->source == NULL || location > (int) strlen(guard->source))
		return 0;
	return errposition(pg_mbstrlen_with_len(guard->source, location) + 1);
}

void
pa_refuse(const PaGuard *guard, int location, const char *detail, const char *hint)
{
	ereport(ERROR,
			errcode(ERRCODE_PA_REFUSED),
			errmsg("query on a protected table is not allowed"),
			errdetail("%s", detail),
			errhint("%s", hint),
			pa_error_position(guard, location));
	pg_unreachable();
}
