/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * form.h
 *		Expressions over columns that are one linear form, cut or made a share.
 */
#ifndef PA_FORM_H
#define PA_FORM_H

#include "postgres.h"

#include "nodes/nodes.h"
#include "nodes/params.h"

typedef enum PaFormKind
{
	PA_FORM_LINEAR,
	PA_FORM_CUT,
	PA_FORM_LOGISTIC
} PaFormKind;

/*
 * What an owner's response is, with z = theta.x + constant: z as it is, cut to
 * [a, b], or 1/(1 + e^-z).  It lies in [a, b] in any case: of a cut one end may
 * be infinite, of a linear form both are, and of a logistic one they are 0 and 1.
 */
typedef struct PaForm
{
	PaFormKind	kind;
	int			dimensions;
	double	   *theta;			/* one finite coefficient per column, palloc'd */
	double		constant;
	double		a;				/* a < b */
	double		b;
} PaForm;

/* The expression with the values of parameters in their place, and folded. */
extern Node *pa_form_fold(Node *expression, ParamListInfo params);

/*
 * Recognises the expression, whose Vars have varno 1 and varattno 1 to
 * dimensions.  The tree is not changed.  NULL if it is no such form; *problem is
 * then a constant sentence that says why, for errdetail.  An error in a part
 * without columns (1/0) is raised.
 *
 * The form is what the expression is in exact arithmetic and for columns that
 * are finite and not NULL.  Where they differ (LEAST and GREATEST skip a NULL, an
 * integer overflows, a double rounds) the form says what the response is.
 */
extern PaForm *pa_form_recognise(Node *expression, int dimensions, ParamListInfo params,
								 const char **problem);

#endif							/* PA_FORM_H */
