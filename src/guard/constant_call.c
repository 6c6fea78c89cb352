/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * constant_call.c
 *		See constant_call.h.
 *
 * An immutable function is its value.  to_date() and to_timestamp() are not declared
 * immutable, since the latter depends on the time zone of the session, and both on its
 * locale if the format has names in the language of that:
 *
 *	 to_date(text, format)			the date, a constant
 *	 to_timestamp(text, format)		timestamp '...'::timestamptz, of which the cast depends on the zone
 */
#include "postgres.h"

#include <ctype.h>

#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parse_coerce.h"
#include "pgtime.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"

#include "allow/allowlist.h"
#include "guard/constant_call.h"
#include "guard/parameters.h"

static bool
is_refused(Oid function)
{
	int			constants;

	return pa_function_class(function, &constants) == PA_FUNCTION_REFUSED;
}

/* Where a parameter has no value yet anything will do, for there will be another plan. */
static Const *
value_of(PaGuard *guard, Node *expression)
{
	bool		waits;
	Const	   *value = pa_constant(guard, expression, &waits);

	guard->waits |= waits;
	if (waits)
		return makeNullConst(exprType(expression), exprTypmod(expression), exprCollation(expression));
	if (value == NULL)
		return NULL;
	value = copyObject(value);
	value->location = exprLocation(expression);
	return value;
}

/* Time zones, or names in the language of the session; also where a text in quotes only looks so. */
static bool
depends_on_session(const char *format)
{
	for (; format[0] && format[1]; format++)
	{
		char		first = toupper((unsigned char) format[0]);
		char		second = toupper((unsigned char) format[1]);

		if ((first == 'T' && (second == 'Z' || second == 'M')) || (first == 'O' && second == 'F'))
			return true;
	}
	return false;
}

/* The time that is written, whatever the time zone. */
static Const *
read_time(const Const *written, const Const *format, Oid collation)
{
	pg_tz	   *zone = session_timezone;
	Datum		time;

	session_timezone = pg_tzset("GMT");
	PG_TRY();
	{
		time = OidFunctionCall2Coll(F_TO_TIMESTAMP_TEXT_TEXT, collation, written->constvalue, format->constvalue);
		time = DirectFunctionCall1(timestamptz_timestamp, time);
	}
	PG_FINALLY();
	{
		session_timezone = zone;
	}
	PG_END_TRY();
	return makeConst(TIMESTAMPOID, -1, InvalidOid, sizeof(int64), time, false, FLOAT8PASSBYVAL);
}

static Node *
read_by_format(PaGuard *guard, FuncExpr *call)
{
	Const	   *written = value_of(guard, linitial(call->args));
	Const	   *format = value_of(guard, lsecond(call->args));
	Const	   *time;
	Node	   *value;

	if (written == NULL || format == NULL)
		return (Node *) call;
	if (written->constisnull || format->constisnull)
		return (Node *) makeNullConst(call->funcresulttype, -1, InvalidOid);
	if (depends_on_session(TextDatumGetCString(format->constvalue)))
		return (Node *) call;
	time = read_time(written, format, call->inputcollid);
	time->location = call->location;
	value = coerce_to_target_type(NULL, (Node *) time, TIMESTAMPOID, call->funcresulttype, -1, COERCION_EXPLICIT, COERCE_EXPLICIT_CAST, -1);
	return call->funcresulttype == DATEOID ? eval_const_expressions(NULL, value) : value;
}

Node *
pa_constant_call(PaGuard *guard, Node *call)
{
	Oid			function;
	Const	   *value;

	if (IsA(call, OpExpr))
		set_opfuncid((OpExpr *) call);
	function = IsA(call, FuncExpr) ? ((FuncExpr *) call)->funcid : castNode(OpExpr, call)->opfuncid;
	if (!is_refused(function) || contain_var_clause(call) || contain_subplans(call))
		return call;
	if (function == F_TO_DATE || function == F_TO_TIMESTAMP_TEXT_TEXT)
		return read_by_format(guard, (FuncExpr *) call);
	value = value_of(guard, call);
	return value ? (Node *) value : call;
}
