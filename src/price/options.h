/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * options.h
 *		Options of a dp_ aggregate.
 */
#ifndef PA_OPTIONS_H
#define PA_OPTIONS_H

#include "bound/statistic.h"

/* An aggregate without options. */
extern PaOptions pa_options_none(void);

/* Whether the word stands in them, in any case of letters; before they are parsed. */
extern bool pa_options_name(const char *text, const char *word);

/*
 * "name=value, ..."; errors out with ERRCODE_PA_INVALID_OPTION, at that location of the
 * statement (position.h).
 */
extern PaOptions pa_options_parse(const char *text, const char *statement, int location);

#endif							/* PA_OPTIONS_H */
