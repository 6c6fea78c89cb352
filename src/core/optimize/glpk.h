/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * glpk.h
 *		GLPK at arm's length.
 *
 * GLPK calls abort() on what it takes for a fault, also when memory runs out.
 * While a step runs its error hook jumps out instead, past GLPK's frames and the
 * step's only, and glp_free_env() returns all that GLPK has allocated.  Its
 * messages are swallowed.
 */
#ifndef PA_GLPK_H
#define PA_GLPK_H

#include <glpk.h>
#include <stdbool.h>

#include "core/environment.h"
#include "core/status.h"

/*
 * Runs a step that calls GLPK and returns its status.  After a fault that is
 * PA_NO_SOLUTION, *lost is true, and no problem made before exists any more; else
 * *lost, which may be NULL, is left as it is.  A step holds nothing but GLPK's memory, and does not
 * run another.
 */
extern PaStatus pa_glpk_run(PaStatus (*step) (void *program), void *program, bool *lost);

/*
 * The simplex method for so many iterations at most, in slices, so that an
 * interrupt is seen soon.  The method starts anew with each slice, so slices of
 * time would make the result depend on the machine.  environment may be NULL.
 * PA_OK: it came to an end, see glp_get_status(); PA_INTERRUPTED;
 * PA_NO_SOLUTION: it did not.
 */
extern PaStatus pa_glpk_simplex(glp_prob *problem, glp_smcp *how, int iterations, const PaEnvironment *environment);

#endif							/* PA_GLPK_H */
