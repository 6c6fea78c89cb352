/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * form.c
 *		Recognises linear forms, cut or made a share, in expressions.
 *
 * Parameters are replaced by their values and the tree is folded first; then
 * what holds no column is a Const, or is not known before the query runs and is
 * refused.  What is left is a walk that takes the form of each subexpression and
 * applies one step of arithmetic to it.
 *
 * A form must be what the expression is but for the rounding of doubles: what
 * rounds more than that, or differently (division of integers, arithmetic of
 * type real, casts to fewer digits), is refused.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/primnodes.h"
#include "optimizer/optimizer.h"
#include "utils/datum.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "descend.h"
#include "allow/allowlist.h"
#include "local/form.h"
#include "number.h"

typedef struct FormContext
{
	int			dimensions;
	const char **problem;
} FormContext;

static PaForm *recognise(const FormContext *context, Node *node);

static PaForm *
refuse(const FormContext *context, const char *problem)
{
	*context->problem = problem;
	return NULL;
}

/* --- functions --- */

typedef enum Role
{
	ROLE_NONE,
	ROLE_SAME,					/* unary plus, and casts that keep the number */
	ROLE_NEGATE,
	ROLE_ADD,
	ROLE_SUBTRACT,
	ROLE_MULTIPLY,
	ROLE_DIVIDE,
	ROLE_EXP,
	ROLE_LOGISTIC,
	ROLE_WHOLE_DIVIDE,			/* the rest only to say why they are refused */
	ROLE_REAL,
	ROLE_ROUND
} Role;

static const struct
{
	Oid			function;
	Role		role;
}			roles[] = {
	{F_INT2UP, ROLE_SAME}, {F_INT4UP, ROLE_SAME}, {F_INT8UP, ROLE_SAME}, {F_FLOAT4UP, ROLE_SAME},
	{F_FLOAT8UP, ROLE_SAME}, {F_NUMERIC_UPLUS, ROLE_SAME}, {F_INT4_BOOL, ROLE_SAME},
	{F_INT4_INT2, ROLE_SAME}, {F_INT8_INT2, ROLE_SAME}, {F_INT8_INT4, ROLE_SAME},
	{F_NUMERIC_INT2, ROLE_SAME}, {F_NUMERIC_INT4, ROLE_SAME}, {F_NUMERIC_INT8, ROLE_SAME},
	{F_FLOAT8_INT2, ROLE_SAME}, {F_FLOAT8_INT4, ROLE_SAME}, {F_FLOAT8_INT8, ROLE_SAME},
	{F_FLOAT8_FLOAT4, ROLE_SAME}, {F_FLOAT8_NUMERIC, ROLE_SAME},

	{F_INT2UM, ROLE_NEGATE}, {F_INT4UM, ROLE_NEGATE}, {F_INT8UM, ROLE_NEGATE},
	{F_FLOAT4UM, ROLE_NEGATE}, {F_FLOAT8UM, ROLE_NEGATE}, {F_NUMERIC_UMINUS, ROLE_NEGATE},

	{F_INT2PL, ROLE_ADD}, {F_INT24PL, ROLE_ADD}, {F_INT28PL, ROLE_ADD}, {F_INT42PL, ROLE_ADD},
	{F_INT4PL, ROLE_ADD}, {F_INT48PL, ROLE_ADD}, {F_INT82PL, ROLE_ADD}, {F_INT84PL, ROLE_ADD},
	{F_INT8PL, ROLE_ADD}, {F_FLOAT48PL, ROLE_ADD}, {F_FLOAT84PL, ROLE_ADD}, {F_FLOAT8PL, ROLE_ADD},
	{F_NUMERIC_ADD, ROLE_ADD},

	{F_INT2MI, ROLE_SUBTRACT}, {F_INT24MI, ROLE_SUBTRACT}, {F_INT28MI, ROLE_SUBTRACT},
	{F_INT42MI, ROLE_SUBTRACT}, {F_INT4MI, ROLE_SUBTRACT}, {F_INT48MI, ROLE_SUBTRACT},
	{F_INT82MI, ROLE_SUBTRACT}, {F_INT84MI, ROLE_SUBTRACT}, {F_INT8MI, ROLE_SUBTRACT},
	{F_FLOAT48MI, ROLE_SUBTRACT}, {F_FLOAT84MI, ROLE_SUBTRACT}, {F_FLOAT8MI, ROLE_SUBTRACT},
	{F_NUMERIC_SUB, ROLE_SUBTRACT},

	{F_INT2MUL, ROLE_MULTIPLY}, {F_INT24MUL, ROLE_MULTIPLY}, {F_INT28MUL, ROLE_MULTIPLY},
	{F_INT42MUL, ROLE_MULTIPLY}, {F_INT4MUL, ROLE_MULTIPLY}, {F_INT48MUL, ROLE_MULTIPLY},
	{F_INT82MUL, ROLE_MULTIPLY}, {F_INT84MUL, ROLE_MULTIPLY}, {F_INT8MUL, ROLE_MULTIPLY},
	{F_FLOAT48MUL, ROLE_MULTIPLY}, {F_FLOAT84MUL, ROLE_MULTIPLY}, {F_FLOAT8MUL, ROLE_MULTIPLY},
	{F_NUMERIC_MUL, ROLE_MULTIPLY},

	{F_FLOAT48DIV, ROLE_DIVIDE}, {F_FLOAT84DIV, ROLE_DIVIDE}, {F_FLOAT8DIV, ROLE_DIVIDE},
	{F_NUMERIC_DIV, ROLE_DIVIDE},

	{F_EXP_FLOAT8, ROLE_EXP}, {F_DEXP, ROLE_EXP},

	{F_INT2DIV, ROLE_WHOLE_DIVIDE}, {F_INT24DIV, ROLE_WHOLE_DIVIDE}, {F_INT28DIV, ROLE_WHOLE_DIVIDE},
	{F_INT42DIV, ROLE_WHOLE_DIVIDE}, {F_INT4DIV, ROLE_WHOLE_DIVIDE}, {F_INT48DIV, ROLE_WHOLE_DIVIDE},
	{F_INT82DIV, ROLE_WHOLE_DIVIDE}, {F_INT84DIV, ROLE_WHOLE_DIVIDE}, {F_INT8DIV, ROLE_WHOLE_DIVIDE},

	{F_FLOAT4PL, ROLE_REAL}, {F_FLOAT4MI, ROLE_REAL}, {F_FLOAT4MUL, ROLE_REAL}, {F_FLOAT4DIV, ROLE_REAL},

	{F_INT2_INT4, ROLE_ROUND}, {F_INT2_INT8, ROLE_ROUND}, {F_INT2_FLOAT4, ROLE_ROUND},
	{F_INT2_FLOAT8, ROLE_ROUND}, {F_INT2_NUMERIC, ROLE_ROUND}, {F_INT4_INT8, ROLE_ROUND},
	{F_INT4_FLOAT4, ROLE_ROUND}, {F_INT4_FLOAT8, ROLE_ROUND}, {F_INT4_NUMERIC, ROLE_ROUND},
	{F_INT8_FLOAT4, ROLE_ROUND}, {F_INT8_FLOAT8, ROLE_ROUND}, {F_INT8_NUMERIC, ROLE_ROUND},
	{F_FLOAT4_INT2, ROLE_ROUND}, {F_FLOAT4_INT4, ROLE_ROUND}, {F_FLOAT4_INT8, ROLE_ROUND},
	{F_FLOAT4_FLOAT8, ROLE_ROUND}, {F_FLOAT4_NUMERIC, ROLE_ROUND}, {F_NUMERIC_FLOAT4, ROLE_ROUND},
	{F_NUMERIC_FLOAT8, ROLE_ROUND}, {F_NUMERIC_NUMERIC_INT4, ROLE_ROUND}, {F_ROUND_FLOAT8, ROLE_ROUND},
	{F_DROUND, ROLE_ROUND}, {F_ROUND_NUMERIC, ROLE_ROUND}, {F_ROUND_NUMERIC_INT4, ROLE_ROUND},
	{F_TRUNC_FLOAT8, ROLE_ROUND}, {F_DTRUNC, ROLE_ROUND}, {F_TRUNC_NUMERIC, ROLE_ROUND},
	{F_TRUNC_NUMERIC_INT4, ROLE_ROUND}, {F_FLOOR_FLOAT8, ROLE_ROUND}, {F_FLOOR_NUMERIC, ROLE_ROUND},
	{F_CEIL_FLOAT8, ROLE_ROUND}, {F_CEIL_NUMERIC, ROLE_ROUND}, {F_CEILING_FLOAT8, ROLE_ROUND},
	{F_CEILING_NUMERIC, ROLE_ROUND}
};

static Role
role_of_function(Oid function)
{
	Oid			built_in = pa_built_in_of_twin(function);

	for (int i = 0; i < lengthof(roles); i++)
		if (roles[i].function == built_in)
			return roles[i].role;
	return pa_is_logistic(function) ? ROLE_LOGISTIC : ROLE_NONE;
}

/* What a call or an operator does; ROLE_NONE for any other node. */
static Role
role_of(Node *node, List **args)
{
	*args = NIL;
	if (IsA(node, FuncExpr))
	{
		*args = ((FuncExpr *) node)->args;
		return role_of_function(((FuncExpr *) node)->funcid);
	}
	if (IsA(node, OpExpr))
	{
		*args = ((OpExpr *) node)->args;
		return role_of_function(((OpExpr *) node)->opfuncid);	/* known since the tree was folded */
	}
	return ROLE_NONE;
}

/* --- arithmetic of forms; each changes the form it is given and returns it --- */

static PaForm *
checked(const FormContext *context, PaForm *form)
{
	bool		finite = isfinite(form->constant);

	for (int i = 0; i < form->dimensions; i++)
		finite &= isfinite(form->theta[i]);
	if (!finite)
		return refuse(context, "A coefficient is too large.");
	if (!(form->a < form->b))
		return refuse(context, "A cut leaves no range of values.");
	return form;
}

/* An open end stays open; one that gets lost by overflow, or times 0, is none. */
static double
moved_end(double end, double moved)
{
	return !isinf(end) == !isinf(moved) ? moved + 0.0 : NAN;
}

/* The form times factor/divisor, one of which is 1. */
static PaForm *
scale(const FormContext *context, PaForm *form, double factor, double divisor)
{
	if (form->kind == PA_FORM_LOGISTIC)
		return refuse(context, "A logistic function is part of a larger expression.");
	for (int i = 0; i < form->dimensions; i++)
		form->theta[i] = form->theta[i] * factor / divisor + 0.0;	/* no -0 */
	form->constant = form->constant * factor / divisor + 0.0;
	if (form->kind == PA_FORM_CUT)
	{
		double		a = moved_end(form->a, form->a * factor / divisor);
		double		b = moved_end(form->b, form->b * factor / divisor);
		bool		turn = (factor < 0) != (divisor < 0);

		form->a = turn ? b : a;
		form->b = turn ? a : b;
	}
	return checked(context, form);
}

static PaForm *
shift(const FormContext *context, PaForm *form, double distance)
{
	if (form->kind == PA_FORM_LOGISTIC)
		return refuse(context, "A logistic function is part of a larger expression.");
	form->constant += distance;
	form->a = moved_end(form->a, form->a + distance);
	form->b = moved_end(form->b, form->b + distance);
	return checked(context, form);
}

static PaForm *
add(const FormContext *context, PaForm *form, const PaForm *other)
{
	if (form->kind != PA_FORM_LINEAR || other->kind != PA_FORM_LINEAR)
		return refuse(context, "A cut or a logistic function is added to other columns.");
	for (int i = 0; i < form->dimensions; i++)
		form->theta[i] += other->theta[i];
	form->constant += other->constant;
	return checked(context, form);
}

/* Cuts nest: both ends move into [low, high]. */
static PaForm *
cut(const FormContext *context, PaForm *form, double low, double high)
{
	if (form->kind == PA_FORM_LOGISTIC)
		return refuse(context, "A logistic function is part of a larger expression.");
	form->a = fmin(fmax(form->a, low), high);
	form->b = fmin(fmax(form->b, low), high);
	if (!isinf(form->a) || !isinf(form->b))
		form->kind = PA_FORM_CUT;
	return checked(context, form);
}

static PaForm *
logistic(const FormContext *context, PaForm *form)
{
	if (form->kind != PA_FORM_LINEAR)
		return refuse(context, "The argument of a logistic function is not linear.");
	form->kind = PA_FORM_LOGISTIC;
	form->a = 0;
	form->b = 1;
	return form;
}

/* --- leaves --- */

static PaForm *
constant_form(const FormContext *context, double constant)
{
	PaForm	   *form = palloc(sizeof(PaForm));

	*form = (PaForm) {PA_FORM_LINEAR, context->dimensions, palloc0(sizeof(double) * context->dimensions),
		constant, -INFINITY, INFINITY
	};
	return form;
}

static PaForm *
recognise_const(const FormContext *context, const Const *constant)
{
	double		value;

	if (constant->constisnull)
		return refuse(context, "A constant is null.");
	if (!pa_read_number(constant->consttype, constant->constvalue, &value))
		return refuse(context, "A constant is not a finite number.");
	return constant_form(context, value);
}

static PaForm *
recognise_var(const FormContext *context, const Var *var)
{
	PaForm	   *form;

	if (var->varno != 1 || var->varlevelsup != 0 || var->varattno < 1 || var->varattno > context->dimensions)
		return refuse(context, "A column is not among those declared.");
	if (!pa_is_number_type(var->vartype))
		return refuse(context, "A column is neither a number nor a boolean.");
	form = constant_form(context, 0);
	form->theta[var->varattno - 1] = 1;
	return form;
}

/* --- calls --- */

static PaForm *
recognise_sum(const FormContext *context, Node *left, Node *right, double sign)
{
	PaForm	   *first = recognise(context, left);
	PaForm	   *second = first ? recognise(context, right) : NULL;

	if (second && sign < 0)
		second = scale(context, second, -1, 1);
	if (!second)
		return NULL;
	if (IsA(right, Const))
		return shift(context, first, second->constant);
	if (IsA(left, Const))
		return shift(context, second, first->constant);
	return add(context, first, second);
}

static PaForm *
recognise_product(const FormContext *context, Node *left, Node *right)
{
	PaForm	   *first = recognise(context, left);
	PaForm	   *second = first ? recognise(context, right) : NULL;

	if (!second)
		return NULL;
	if (IsA(right, Const))
		return scale(context, first, second->constant, 1);
	if (IsA(left, Const))
		return scale(context, second, first->constant, 1);
	return refuse(context, "Neither factor of a product is a constant.");
}

static bool
is_one(Node *node)
{
	Const	   *constant = (Const *) node;
	double		value;

	return IsA(node, Const) && !constant->constisnull &&
		pa_read_number(constant->consttype, constant->constvalue, &value) && value == 1;
}

/* The e of 1 + exp(e) or exp(e) + 1, else NULL. */
static Node *
exponent_beside_one(Node *sum)
{
	List	   *terms;
	List	   *exponent;

	if (role_of(sum, &terms) != ROLE_ADD)
		return NULL;
	if (is_one(linitial(terms)) && role_of(lsecond(terms), &exponent) == ROLE_EXP)
		return linitial(exponent);
	if (is_one(lsecond(terms)) && role_of(linitial(terms), &exponent) == ROLE_EXP)
		return linitial(exponent);
	return NULL;
}

/* 1/(1 + e^-z) written out. */
static PaForm *
recognise_reciprocal(const FormContext *context, Node *dividend, Node *divisor)
{
	Node	   *exponent = exponent_beside_one(divisor);
	PaForm	   *form;

	if (!exponent || !is_one(dividend))
		return refuse(context, "A divisor is not a constant.");
	form = recognise(context, exponent);
	if (form)
		form = scale(context, form, -1, 1);
	return form ? logistic(context, form) : NULL;
}

static PaForm *
recognise_quotient(const FormContext *context, Node *dividend, Node *divisor)
{
	PaForm	   *form;
	PaForm	   *constant;

	if (!IsA(divisor, Const))
		return recognise_reciprocal(context, dividend, divisor);
	form = recognise(context, dividend);
	constant = form ? recognise(context, divisor) : NULL;
	if (!constant)
		return NULL;
	if (constant->constant == 0)
		return refuse(context, "A divisor is zero.");
	return scale(context, form, 1, constant->constant);
}

static PaForm *
recognise_call(const FormContext *context, Node *node)
{
	List	   *args;
	Role		role = role_of(node, &args);
	PaForm	   *form;

	switch (role)
	{
		case ROLE_SAME:
			return recognise(context, linitial(args));
		case ROLE_NEGATE:
			form = recognise(context, linitial(args));
			return form ? scale(context, form, -1, 1) : NULL;
		case ROLE_ADD:
			return recognise_sum(context, linitial(args), lsecond(args), 1);
		case ROLE_SUBTRACT:
			return recognise_sum(context, linitial(args), lsecond(args), -1);
		case ROLE_MULTIPLY:
			return recognise_product(context, linitial(args), lsecond(args));
		case ROLE_DIVIDE:
			return recognise_quotient(context, linitial(args), lsecond(args));
		case ROLE_LOGISTIC:
			form = recognise(context, linitial(args));
			return form ? logistic(context, form) : NULL;
		case ROLE_WHOLE_DIVIDE:
			return refuse(context, "A division of integers drops the remainder.");
		case ROLE_REAL:
			return refuse(context, "Arithmetic of type real rounds to six digits.");
		case ROLE_ROUND:
			return refuse(context, "A cast or a function rounds, or narrows the type.");
		case ROLE_EXP:
		case ROLE_NONE:
			break;
	}
	return refuse(context, "A function or an operator is not allowed in a linear form.");
}

/* LEAST or GREATEST of one form and constants. */
static PaForm *
recognise_extreme(const FormContext *context, const MinMaxExpr *expression)
{
	bool		greatest = expression->op == IS_GREATEST;
	double		end = greatest ? -INFINITY : INFINITY;
	PaForm	   *form = NULL;
	ListCell   *cell;

	foreach(cell, expression->args)
	{
		PaForm	   *argument = recognise(context, lfirst(cell));

		if (!argument)
			return NULL;
		if (IsA(lfirst(cell), Const))
			end = greatest ? fmax(end, argument->constant) : fmin(end, argument->constant);
		else if (form)
			return refuse(context, "LEAST or GREATEST has columns in two arguments.");
		else
			form = argument;
	}
	if (!form)
		return refuse(context, "LEAST or GREATEST has no columns.");
	return cut(context, form, greatest ? end : -INFINITY, greatest ? INFINITY : end);
}

static PaForm *
recognise(const FormContext *context, Node *node)
{
	pa_descend();
	switch (nodeTag(node))
	{
		case T_Const:
			return recognise_const(context, (Const *) node);
		case T_Var:
			return recognise_var(context, (Var *) node);
		case T_Param:
			return refuse(context, "A parameter has no value yet.");
		case T_FuncExpr:
		case T_OpExpr:
			return recognise_call(context, node);
		case T_MinMaxExpr:
			return recognise_extreme(context, (MinMaxExpr *) node);
		case T_RelabelType:
			if (pa_is_number_type(((RelabelType *) node)->resulttype))
				return recognise(context, (Node *) ((RelabelType *) node)->arg);
			break;
		default:
			break;
	}
	return refuse(context, "Part of the expression is neither arithmetic nor LEAST, GREATEST or logistic.");
}

/* --- parameters --- */

static Node *
value_of_parameter(Param *parameter, ParamListInfo params)
{
	ParamExternData space;
	ParamExternData *value;
	int16		length;
	bool		by_value;

	if (!params || parameter->paramid < 1 || parameter->paramid > params->numParams)
		return (Node *) parameter;
	value = params->paramFetch ? params->paramFetch(params, parameter->paramid, false, &space) :
		&params->params[parameter->paramid - 1];
	if (value->ptype != parameter->paramtype)	/* also where there is none */
		return (Node *) parameter;
	get_typlenbyval(parameter->paramtype, &length, &by_value);
	return (Node *) makeConst(parameter->paramtype, parameter->paramtypmod, parameter->paramcollid, length,
							  value->isnull ? (Datum) 0 : datumCopy(value->value, by_value, length),
							  value->isnull, by_value);
}

static Node *
replace_parameters(Node *node, void *params)
{
	pa_descend();
	if (node == NULL)
		return NULL;
	if (IsA(node, Param) && ((Param *) node)->paramkind == PARAM_EXTERN)
		return value_of_parameter((Param *) node, params);
	return expression_tree_mutator(node, replace_parameters, params);
}

Node *
pa_form_fold(Node *expression, ParamListInfo params)
{
	return eval_const_expressions(NULL, replace_parameters(expression, params));
}

PaForm *
pa_form_recognise(Node *expression, int dimensions, ParamListInfo params, const char **problem)
{
	FormContext context = {dimensions, problem};

	*problem = NULL;
	return recognise(&context, pa_form_fold(expression, params));
}
