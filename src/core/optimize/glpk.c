/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * glpk.c
 *		See glpk.h.
 */
#include "core/optimize/glpk.h"

#include <setjmp.h>
#include <stddef.h>

#define SLICE 200				/* iterations between looks at interrupts */

static void
jump_out(void *fault)
{
	longjmp(*(jmp_buf *) fault, 1);
}

static int
swallow(void *info, const char *message)
{
	(void) info;
	(void) message;
	return 1;
}

PaStatus
pa_glpk_run(PaStatus (*step) (void *program), void *program, bool *lost)
{
	jmp_buf		fault;
	PaStatus	status;

	if (setjmp(fault) != 0)
	{
		glp_free_env();
		if (lost != NULL)
			*lost = true;
		return PA_NO_SOLUTION;
	}
	glp_error_hook(jump_out, &fault);
	glp_term_hook(swallow, NULL);
	status = step(program);
	glp_term_hook(NULL, NULL);
	glp_error_hook(NULL, NULL);
	return status;
}

static bool
interrupted(const PaEnvironment *environment)
{
	return environment != NULL && environment->interrupted != NULL &&
		environment->interrupted(environment->context);
}

PaStatus
pa_glpk_simplex(glp_prob *problem, glp_smcp *how, int iterations, const PaEnvironment *environment)
{
	int			code = GLP_EITLIM;
	int			done;

	how->msg_lev = GLP_MSG_OFF;
	how->it_lim = SLICE;
	for (done = 0; done < iterations && code == GLP_EITLIM; done += SLICE)
	{
		if (interrupted(environment))
			return PA_INTERRUPTED;
		code = glp_simplex(problem, how);
	}
	return code == 0 ? PA_OK : PA_NO_SOLUTION;
}
