/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * position.c
 *		See position.h.
 *
 * A client marks the position in the text that it has just sent.  Where the
 * statement was sent before (EXECUTE, FETCH), or stands in a function, it is told
 * the text as well, as PostgreSQL does for statements within functions.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "tcop/tcopprot.h"

#include "position.h"

static bool
is_what_was_sent(const char *text)
{
	return debug_query_string != NULL && strcmp(text, debug_query_string) == 0;
}

int
pa_position(const char *text, int location)
{
	int			position;

	if (location < 0 || text == NULL || location > (int) strlen(text))
		return 0;
	position = pg_mbstrlen_with_len(text, location) + 1;
	if (is_what_was_sent(text))
		return errposition(position);
	internalerrposition(position);
	return internalerrquery(text);
}
