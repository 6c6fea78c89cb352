/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * privacy_unit.h
 *		Units of several tables by their names.
 */
#ifndef PA_PRIVACY_UNIT_H
#define PA_PRIVACY_UNIT_H

#include "postgres.h"

/* The open unit of that name, as in PaPolicy.unit; false if there is none. */
extern bool pa_find_unit(const char *name, int64 *unit);

#endif							/* PA_PRIVACY_UNIT_H */
