/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * declare.c
 *		SQL-callable side of the declarations.
 *
 * A declaration f(relation, ...) runs with the caller's own rights.  It checks
 * that the current user (not the session's user) owns the relation, then calls
 * the worker _f(caller, relation, ...) of the same schema.  Whose a privacy unit is
 * only its catalog knows: the worker _f(caller, unit, ...) of f(unit, ...), which is told
 * the name, sees to that itself.  What may be either, f(text, ...), is the unit if there
 * is one of that name, else the table.  The worker is
 * SECURITY DEFINER: user, security context and search_path are switched and
 * restored by the function manager, also when an error is thrown.  Nobody may
 * execute a worker directly, so this check cannot be passed by.
 *
 * Arguments are handed on as they are where the types agree.  Where the worker
 * takes text, a value is written by its type's output function; where it takes
 * text[], the elements of an array of any type are.  That happens before the
 * switch, so output functions of user-defined types run with the rights of
 * the caller.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/numeric.h"
#include "utils/syscache.h"

#include "compat/rights.h"
#include "catalog/isolation.h"
#include "catalog/policy.h"
#include "catalog/privacy_unit.h"
#include "errors.h"

PG_FUNCTION_INFO_V1(pa_declare);
PG_FUNCTION_INFO_V1(pa_is_protected_sql);

static void
check_ownership(Oid relation)
{
	char	   *name = get_rel_name(relation);

	if (name == NULL)
		ereport(ERROR,
				errcode(ERRCODE_UNDEFINED_TABLE),
				errmsg("relation with OID %u does not exist", relation));
	if (!pa_owns_object(RelationRelationId, relation, GetUserId()))
		aclcheck_error(ACLCHECK_NOT_OWNER, get_relkind_objtype(get_rel_relkind(relation)), name);
}

/* The type by which a worker takes what a declaration takes as another: text for single values, text[] for lists. */
static Oid
text_type_for(Oid type)
{
	return type == ANYARRAYOID || OidIsValid(get_element_type(type)) ? TEXTARRAYOID : TEXTOID;
}

/*
 * The worker of a declaration: its name with an underscore, the caller as one
 * argument more, then the same types; or, where there is no such worker, those that
 * it takes as text.  Both are the extension's own or are not found.
 */
static Oid
find_worker(Oid declaration, Oid subject)
{
	char	   *name = psprintf("_%s", get_func_name(declaration));
	Oid		   *declared;
	int			nargs;
	Oid			types[FUNC_MAX_ARGS] = {REGROLEOID};
	Oid			worker;

	(void) get_func_signature(declaration, &declared, &nargs);
	memcpy(types + 1, declared, nargs * sizeof(Oid));
	types[1] = subject;
	worker = pa_find_own_function(name, nargs + 1, types);
	if (OidIsValid(worker))
		return worker;
	for (int i = 1; i <= nargs; i++)
		if (types[i] != REGCLASSOID && types[i] != NAMEOID)
			types[i] = text_type_for(types[i]);
	return pa_own_function(name, nargs + 1, types);
}

static Datum
value_as_text(Datum value, Oid type)
{
	Oid			output;
	bool		is_varlena;

	getTypeOutputInfo(type, &output, &is_varlena);
	return CStringGetTextDatum(OidOutputFunctionCall(output, value));
}

/* An array of any type as an array of text, of the same shape. */
static Datum
array_as_text(Datum value, Oid array_type)
{
	ArrayType  *array = DatumGetArrayTypeP(value);
	Oid			element = get_element_type(array_type);
	int16		length;
	bool		by_value;
	char		align;
	Datum	   *values;
	bool	   *nulls;
	int			count;

	if (!OidIsValid(element))
		elog(ERROR, "type %u is not an array", array_type);
	get_typlenbyvalalign(element, &length, &by_value, &align);
	deconstruct_array(array, element, length, by_value, align, &values, &nulls, &count);
	for (int i = 0; i < count; i++)
		if (!nulls[i])
			values[i] = value_as_text(values[i], element);
	return PointerGetDatum(construct_md_array(values, nulls, ARR_NDIM(array), ARR_DIMS(array), ARR_LBOUND(array),
											  TEXTOID, -1, false, TYPALIGN_INT));
}

/* A value of one type for an argument of another. */
static Datum
convert_argument(Datum value, Oid given, Oid wanted)
{
	if (given == wanted)
		return value;
	if (wanted == TEXTOID)
		return value_as_text(value, given);
	if (wanted == TEXTARRAYOID)
		return array_as_text(value, given);
	elog(ERROR, "no way from type %u to type %u", given, wanted);
}

static void
set_for_output(const char *name, const char *value)
{
	(void) set_config_option(name, value, PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
}

/* What a text names: a privacy unit (NAMEOID) or a table (REGCLASSOID). */
static Oid
subject_named(Datum *value)
{
	char	   *name = TextDatumGetCString(*value);
	int64		unit;
	const PaPolicy *policy;

	if (!pa_find_unit(name, &unit))
	{
		*value = DirectFunctionCall1(regclassin, CStringGetDatum(name));
		return REGCLASSOID;
	}
	policy = pa_policy_of(RelnameGetRelid(name));
	if (policy && policy->unit != unit)
		ereport(ERROR,
				errcode(ERRCODE_PA_INVALID_POLICY),
				errmsg("both a table and a privacy unit are called \"%s\"", name),
				errdetail("The table does not belong to that unit."),
				errhint("Write '%s'::regclass for the table, or '%s'::name for the unit.", name, name));
	*value = DirectFunctionCall1(namein, CStringGetDatum(name));
	return NAMEOID;
}

/* Checks whose it is, where that is not left to the worker; returns the type by which the worker takes it. */
static Oid
judge_subject(Datum *value, Oid type)
{
	if (type == TEXTOID)
		type = subject_named(value);
	if (type == REGCLASSOID)
		check_ownership(DatumGetObjectId(*value));
	return type;
}

PGDLLEXPORT Datum
pa_declare(PG_FUNCTION_ARGS)
{
	LOCAL_FCINFO(call, FUNC_MAX_ARGS);
	FmgrInfo	worker;
	Oid		   *types;
	int			nargs;
	int			guc_level;
	Datum		subject = PG_GETARG_DATUM(0);
	Oid			subject_type = get_fn_expr_argtype(fcinfo->flinfo, 0);
	Datum		result;

	if (PG_ARGISNULL(0))
		ereport(ERROR,
				errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				errmsg("%s must not be null", subject_type == NAMEOID ? "the name of a unit" : "relation"));
	pa_require_version();
	subject_type = judge_subject(&subject, subject_type);
	pa_require_read_committed();

	/* values are written in one form, whatever the session prefers to see */
	guc_level = NewGUCNestLevel();
	set_for_output("datestyle", "ISO");
	set_for_output("extra_float_digits", "1");

	fmgr_info(find_worker(fcinfo->flinfo->fn_oid, subject_type), &worker);
	(void) get_func_signature(worker.fn_oid, &types, &nargs);
	/* a worker that returns rows hands them to our caller */
	InitFunctionCallInfoData(*call, &worker, nargs, InvalidOid, NULL, fcinfo->resultinfo);
	call->args[0].value = ObjectIdGetDatum(GetUserId());
	call->args[0].isnull = false;
	call->args[1].value = subject;
	call->args[1].isnull = false;
	for (int i = 1; i < PG_NARGS(); i++)
	{
		NullableDatum *argument = &call->args[i + 1];

		argument->isnull = PG_ARGISNULL(i);
		argument->value = argument->isnull ? (Datum) 0 :
			convert_argument(PG_GETARG_DATUM(i), get_fn_expr_argtype(fcinfo->flinfo, i), types[i + 1]);
	}
	result = FunctionCallInvoke(call);
	AtEOXact_GUC(true, guc_level);
	fcinfo->isnull = call->isnull;
	return result;
}

/* _is_protected(relation): whether a policy covers it, its own or one of a table above it */
PGDLLEXPORT Datum
pa_is_protected_sql(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(OidIsValid(pa_protected_root(PG_GETARG_OID(0))));
}
