/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plan_budget.c
 *		privacct._planned(...): the slots of a plan, from json, with their noise.
 *
 * Reads nothing but its arguments.  What is not understood is refused: a plan
 * is declared once, and somebody will rely on it.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/tuplestore.h"

#include "compat/version.h"
#include "core/accounting/plan.h"
#include "server_environment.h"
#include "errors.h"
#include "function/json_fields.h"
#include "kernel_names.h"

typedef struct Draft
{
	int			nslots;
	PaPlannedSlot slots[PA_PLAN_SLOTS];
	PaPlannedNoise noise[PA_PLAN_SLOTS];
	char	   *roles[PA_PLAN_SLOTS];	/* NULL: any */
	int			most_groups;
	ArrayType  *kernels;		/* NULL: all */
} Draft;

/* Of slot i, from 1, or of all of it. */
static PaFields
fields_of(JsonbContainer *object, int i)
{
	return (PaFields) {
		.object = object,.sqlstate = ERRCODE_PA_INVALID_POLICY,.message = "invalid plan",
		.where = i > 0 ? psprintf(" of slot %d", i) : "",
		.hint = "Give an array such as [{\"kernel\": \"gaussian\", \"releases\": 100}, {\"kernel\": \"staircase\", \"within\": 0.5, \"releases\": 10}]."
	};
}

static void PA_NORETURN
refuse_plan(const char *detail)
{
	PaFields	fields = fields_of(NULL, 0);

	pa_fields_refuse(&fields, detail);
}

static double
whole_number(const PaFields *fields, const char *name, double most, double missing)
{
	double		result = pa_field_number(fields, name, 1, most, missing);

	if (result != floor(result))
		pa_fields_refuse(fields, psprintf("Field \"%s\"%s is not a whole number.", name, fields->where));
	return result;
}

/* --- slots --- */

static bool
is_allowed(const Draft *plan, const char *kernel)
{
	Datum	   *names;
	bool	   *nulls;
	int			count;

	if (plan->kernels == NULL)
		return true;
	deconstruct_array(plan->kernels, TEXTOID, -1, false, TYPALIGN_INT, &names, &nulls, &count);
	for (int i = 0; i < count; i++)
		if (!nulls[i] && strcmp(TextDatumGetCString(names[i]), kernel) == 0)
			return true;
	return false;
}

static PaKernelKind
read_kernel(const Draft *plan, const PaFields *fields)
{
	char	   *name = pa_field_text(fields, "kernel");
	PaKernelKind kind;

	if (name == NULL || !pa_kernel_by_name(name, &kind) || !pa_plan_allows(kind))
		refuse_plan(psprintf("The kernel%s is none of %s.", fields->where, pa_kernel_names(pa_kernel_kinds(pa_plan_allows))));
	if (!is_allowed(plan, name))
		refuse_plan(psprintf("The policy does not allow the kernel%s.", fields->where));
	return kind;
}

static const PaFieldNames slot_fields = PA_FIELD_NAMES("kernel", "releases", "within", "groups", "weight", "role");

static void
read_slot(Draft *plan, JsonbContainer *object, int i)
{
	PaPlannedSlot *slot = &plan->slots[i - 1];
	PaFields	fields = fields_of(object, i);

	pa_fields_check(&fields, &slot_fields);
	slot->kind = read_kernel(plan, &fields);
	slot->releases = (uint64) whole_number(&fields, "releases", PA_PLAN_RELEASES, 0);
	slot->groups = (uint32) whole_number(&fields, "groups", plan->most_groups, plan->most_groups);
	slot->within = pa_field_number(&fields, "within", 0, PA_PLAN_WITHIN, -1);
	slot->weight = pa_field_number(&fields, "weight", 1 / PA_PLAN_WEIGHTS, PA_PLAN_WEIGHTS, 1);
	plan->roles[i - 1] = pa_field_text(&fields, "role");
	if (slot->releases == 0)
		refuse_plan(psprintf("Field \"releases\" of slot %d is missing.", i));
	if (slot->within < 0 && pa_kernel_needs_band(slot->kind))
		refuse_plan(psprintf("The kernel of slot %d needs the field \"within\", a fraction of the sensitivity.", i));
}

static void
read_plan(Draft *plan, Jsonb *json)
{
	if (!JB_ROOT_IS_ARRAY(json) || JB_ROOT_IS_SCALAR(json) ||
		JB_ROOT_COUNT(json) < 1 || JB_ROOT_COUNT(json) > PA_PLAN_SLOTS)
		refuse_plan(psprintf("It is not an array of 1 to %d objects.", PA_PLAN_SLOTS));
	plan->nslots = JB_ROOT_COUNT(json);
	for (int i = 1; i <= plan->nslots; i++)
	{
		JsonbValue *element = getIthJsonbValueFromContainer(&json->root, i - 1);

		if (element->type != jbvBinary || !JsonContainerIsObject(element->val.binary.data))
			refuse_plan(psprintf("Slot %d is not an object.", i));
		read_slot(plan, element->val.binary.data, i);
	}
}

/* --- noise --- */

/* Not above the number of SQL. */
static double
round_down(Numeric value)
{
	double		nearest = DatumGetFloat8(DirectFunctionCall1(numeric_float8, NumericGetDatum(value)));

	return nearest > 0 ? nextafter(nearest, 0) : nearest;
}

static void
fit_plan(Draft *plan, double epsilon, double delta)
{
	PaStatus	status = pa_plan_fit(plan->slots, plan->nslots, epsilon, delta, pa_server_environment(), plan->noise);

	CHECK_FOR_INTERRUPTS();
	if (status == PA_OK)
		return;
	ereport(ERROR,
			errcode(status == PA_NO_MEMORY ? ERRCODE_OUT_OF_MEMORY : ERRCODE_PA_INVALID_POLICY),
			errmsg("no noise can be computed for this plan"),
			status != PA_NO_SOLUTION ? errdetail_internal("%s", pa_status_text(status)) :
			delta > 0 ? errdetail("The noise would be larger than what can be drawn.") :
			errdetail("The noise would be larger than what can be drawn, or it needs a delta and none is left."),
			errhint("Plan fewer releases or, without a delta, only the kernels %s.",
					pa_kernel_names(pa_kernel_kinds(pa_plan_allows) & pa_kernel_kinds(pa_kernel_is_pure))));
}

/* The columns of a row. */
enum
{
	COL_SLOT, COL_ROLE, COL_KERNEL, COL_NOISE, COL_RELEASES, COL_GROUPS, COL_WITHIN, COL_WEIGHT,
	COL_SCALE, COL_Q, COL_ACCEPTANCE, COL_RHO, COL_EPSILON, COLUMNS
};

static void
put_slot(ReturnSetInfo *result, const Draft *plan, int i)
{
	const PaPlannedSlot *slot = &plan->slots[i];
	const PaPlannedNoise *noise = &plan->noise[i];
	char		text_of_kernel[PA_KERNEL_TEXT];
	Datum		values[COLUMNS];
	bool		nulls[COLUMNS] = {false};

	if (pa_kernel_print(&noise->kernel, text_of_kernel) != PA_OK)
		elog(ERROR, "a planned kernel has no text");
	values[COL_SLOT] = Int32GetDatum(i + 1);
	nulls[COL_ROLE] = plan->roles[i] == NULL;
	values[COL_ROLE] = nulls[COL_ROLE] ? (Datum) 0 : CStringGetTextDatum(plan->roles[i]);
	values[COL_KERNEL] = CStringGetTextDatum(pa_kernel_name(slot->kind));
	values[COL_NOISE] = CStringGetTextDatum(text_of_kernel);
	values[COL_RELEASES] = Int64GetDatum(slot->releases);
	values[COL_GROUPS] = Int32GetDatum(slot->groups);
	nulls[COL_WITHIN] = nulls[COL_ACCEPTANCE] = slot->within < 0;
	values[COL_WITHIN] = Float8GetDatum(slot->within);
	values[COL_WEIGHT] = Float8GetDatum(slot->weight);
	values[COL_SCALE] = Float8GetDatum(pa_kernel_scale(&noise->kernel) / PA_PLAN_STEPS);
	nulls[COL_Q] = !pa_kernel_recycles(slot->kind);
	values[COL_Q] = Float8GetDatum(pa_kernel_recycling(&noise->kernel));
	values[COL_ACCEPTANCE] = Float8GetDatum(noise->acceptance);
	values[COL_RHO] = Float8GetDatum(noise->rho);
	values[COL_EPSILON] = Float8GetDatum(noise->epsilon);
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/* _planned(slots, epsilon, delta, most groups, kernels or NULL) */
PG_FUNCTION_INFO_V1(pa_planned);
PGDLLEXPORT Datum
pa_planned(PG_FUNCTION_ARGS)
{
	Draft	   *plan = palloc0(sizeof(Draft));

	for (int i = 0; i < 4; i++)
		if (PG_ARGISNULL(i))
			refuse_plan("It is null.");
	plan->most_groups = PG_GETARG_INT32(3);
	plan->kernels = PG_ARGISNULL(4) ? NULL : PG_GETARG_ARRAYTYPE_P(4);
	read_plan(plan, PG_GETARG_JSONB_P(0));
	fit_plan(plan, round_down(PG_GETARG_NUMERIC(1)), round_down(PG_GETARG_NUMERIC(2)));
	InitMaterializedSRF(fcinfo, 0);
	for (int i = 0; i < plan->nslots; i++)
		put_slot((ReturnSetInfo *) fcinfo->resultinfo, plan, i);
	return (Datum) 0;
}
