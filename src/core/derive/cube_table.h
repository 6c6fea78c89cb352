/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cube_table.h
 *		Tables of a cube, for the files of this folder.
 */
#ifndef PA_CUBE_TABLE_H
#define PA_CUBE_TABLE_H

#include <stdbool.h>

#include "core/derive/cube.h"

extern bool pa_cube_valid(const PaCube *cube);

/* pa_cube_estimate of a valid cube, or one with a level more, in which what no released level says is taken for 0. */
extern PaStatus pa_cube_fit(const PaCube *cube, const double *variance, double *const *table,
							const PaEnvironment *environment);

#endif							/* PA_CUBE_TABLE_H */
