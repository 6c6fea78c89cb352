/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * position.h
 *		Where in its text a statement is wrong.
 */
#ifndef PA_POSITION_H
#define PA_POSITION_H

#include "postgres.h"

/*
 * For use inside ereport(): the error is at this byte of the text, counted from
 * 0.  Says nothing if the location is unknown (negative), or the text (NULL).
 */
extern int	pa_position(const char *text, int location);

#endif							/* PA_POSITION_H */
