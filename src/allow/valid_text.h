/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * valid_text.h
 *		Whether texts that come with a statement are valid in the encoding of the database.
 *
 * PostgreSQL takes no other from a client, but servers have made them of what was valid.
 * Functions over rows raise an error for such a text, and so only if they get to it.
 */
#ifndef PA_VALID_TEXT_H
#define PA_VALID_TEXT_H

#include "postgres.h"

/* Of a value that is not null; elements of arrays are looked at, other types hold no text. */
extern bool pa_is_valid_value(Oid type, Datum value);

#endif							/* PA_VALID_TEXT_H */
