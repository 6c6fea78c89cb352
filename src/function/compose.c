/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compose.c
 *		privacct.compose(): what releases lose together, by privacy-loss distributions.
 *
 * Takes mechanisms as json, as analysts write them and as the ledger keeps them;
 * docs/reference.md lists the fields.  Reads nothing but its arguments.
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"

#include "compat/version.h"
#include "core/accounting/pld.h"
#include "core/noise/kernel.h"
#include "server_environment.h"
#include "errors.h"
#include "function/json_fields.h"

#define MOST_MECHANISMS 100000

static PaFields
fields_of(JsonbContainer *object)
{
	return (PaFields) {
		.object = object,.sqlstate = ERRCODE_PA_INVALID_OPTION,.message = "invalid mechanism",.where = "",
		.hint = "Give an array such as [{\"kernel\": \"laplace\", \"scale\": 10, \"sensitivity\": 1, \"count\": 100}]."
	};
}

static void PA_NORETURN
refuse_mechanism(const char *detail)
{
	PaFields	fields = fields_of(NULL);

	pa_fields_refuse(&fields, detail);
}

/* A number that is counted with: to cut it off would be to forget a part. */
static double
whole_number(const PaFields *fields, const char *name, double number)
{
	if (number != floor(number))
		pa_fields_refuse(fields, psprintf("Field \"%s\" is not a whole number.", name));
	return number;
}

/* --- one part --- */

static void
check_law(PaStatus status)
{
	if (status != PA_OK)
		refuse_mechanism("Its parameters do not describe a law.");
}

/* As it was drawn: "noise" in steps, and the sensitivity in steps. */
static void
exact_law(const PaFields *fields, const char *noise, PaPart *part)
{
	PaKernel	kernel;

	if (pa_kernel_parse(noise, &kernel) != PA_OK)
		refuse_mechanism("Field \"noise\" does not describe a kernel.");
	part->law = pa_kernel_law(&kernel);
	part->shift = whole_number(fields, "steps", pa_field_required(fields, "steps", 0, 0x1p62));
}

/* As an analyst thinks of it: continuous, or on a lattice of the given step. */
static void
named_law(const PaFields *fields, const char *name, PaPart *part)
{
	PaKernelKind kind;
	double		step = pa_field_number(fields, "step", 1e-300, 1e300, 0);
	double		unit = step > 0 ? step : 1;
	PaKernelNumbers numbers = {.space = step > 0 ? PA_LATTICE : PA_LINE};

	numbers.scale = pa_field_required(fields, "scale", 1e-300, 1e300) / unit;
	numbers.band = pa_field_number(fields, "within", 0, 1e300, NAN) / unit;
	numbers.keep = 1 - pa_field_number(fields, "q", 0, 1 - DBL_EPSILON, 0);
	if (!pa_kernel_by_name(name, &kind) || pa_kernel_is_table(kind))
		refuse_mechanism("Its kernel is unknown.");
	if (pa_kernel_needs_band(kind) && isnan(numbers.band))
		refuse_mechanism("Its kernel needs the field \"within\".");
	part->shift = pa_field_number(fields, "sensitivity", 0, 1e300, 1) / unit;
	if (numbers.space == PA_LATTICE)
	{
		part->shift = ceil(part->shift);
		numbers.band = floor(numbers.band);
	}
	numbers.sensitivity = part->shift;
	check_law(pa_kernel_law_of(kind, &numbers, &part->law));
}

static void
read_part(const PaFields *fields, PaPart *part)
{
	char	   *noise = pa_field_text(fields, "noise");
	char	   *kernel = pa_field_text(fields, "kernel");

	part->coordinates = (uint32) whole_number(fields, "groups", pa_field_number(fields, "groups", 1, 1e6, 1));
	part->shift = 1;
	if (noise)
		exact_law(fields, noise, part);
	else if (kernel)
		named_law(fields, kernel, part);
	else
		check_law(pa_law_response(pa_field_required(fields, "epsilon", 0, 1e6), pa_field_number(fields, "delta", 0, 1, 0), &part->law));
}

/* --- one run --- */

#define PART_FIELDS "noise", "steps", "kernel", "scale", "sensitivity", "within", "q", "step", "groups", "epsilon"

static const PaFieldNames single_fields = PA_FIELD_NAMES(PART_FIELDS, "delta", "count", "sample_rate");
static const PaFieldNames part_fields = PA_FIELD_NAMES(PART_FIELDS, "delta");
static const PaFieldNames release_fields = PA_FIELD_NAMES("statistics", "delta", "count", "sample_rate");

static void
read_parts(JsonbContainer *array, PaRun *run)
{
	PaPart	   *parts;

	if (!JsonContainerIsArray(array) || JsonContainerIsScalar(array) || JsonContainerSize(array) > MOST_MECHANISMS)
		refuse_mechanism("Field \"statistics\" is not an array of objects.");
	parts = palloc0(sizeof(PaPart) * Max(JsonContainerSize(array), 1));
	for (uint32 i = 0; i < JsonContainerSize(array); i++)
	{
		JsonbValue *element = getIthJsonbValueFromContainer(array, i);
		PaFields	fields;

		CHECK_FOR_INTERRUPTS();
		if (element->type != jbvBinary || !JsonContainerIsObject(element->val.binary.data))
			refuse_mechanism("Field \"statistics\" is not an array of objects.");
		fields = fields_of(element->val.binary.data);
		pa_fields_check(&fields, &part_fields);
		read_part(&fields, &parts[i]);
	}
	run->parts = parts;
	run->nparts = JsonContainerSize(array);
}

static void
read_run(JsonbContainer *object, PaRun *run)
{
	PaFields	fields = fields_of(object);
	JsonbValue	statistics;

	run->rate = pa_field_number(&fields, "sample_rate", 1e-9, 1, 1);
	run->times = (uint64) whole_number(&fields, "count", pa_field_number(&fields, "count", 1, 1e9, 1));
	if (getKeyJsonValueFromContainer(object, "statistics", strlen("statistics"), &statistics))
	{
		pa_fields_check(&fields, &release_fields);
		if (statistics.type != jbvBinary)
			refuse_mechanism("Field \"statistics\" is not an array of objects.");
		read_parts(statistics.val.binary.data, run);
		run->delta = pa_field_number(&fields, "delta", 0, 1, 0);
	}
	else
	{
		PaPart	   *part = palloc0(sizeof(PaPart));

		pa_fields_check(&fields, &single_fields);
		read_part(&fields, part);
		run->parts = part;
		run->nparts = 1;
	}
}

static PaRun *
read_runs(Jsonb *json, int *count)
{
	JsonbContainer *array = &json->root;
	PaRun	   *runs;

	if (!JB_ROOT_IS_ARRAY(json) || JB_ROOT_IS_SCALAR(json) || JB_ROOT_COUNT(json) > MOST_MECHANISMS)
		refuse_mechanism("It is not an array of at most 100,000 objects.");
	*count = JB_ROOT_COUNT(json);
	runs = palloc0(sizeof(PaRun) * Max(*count, 1));
	for (int i = 0; i < *count; i++)
	{
		JsonbValue *element = getIthJsonbValueFromContainer(array, i);

		CHECK_FOR_INTERRUPTS();
		if (element->type != jbvBinary || !JsonContainerIsObject(element->val.binary.data))
			refuse_mechanism("It is not an array of objects.");
		read_run(element->val.binary.data, &runs[i]);
	}
	return runs;
}

/* --- the functions --- */

static void
check_composition(PaStatus status)
{
	CHECK_FOR_INTERRUPTS();
	if (status != PA_OK)
		ereport(ERROR,
				errcode(status == PA_NO_MEMORY ? ERRCODE_OUT_OF_MEMORY : ERRCODE_PA_INVALID_OPTION),
				errmsg("composition failed: %s", pa_status_text(status)));
}

/* compose(mechanisms, delta): epsilon */
PG_FUNCTION_INFO_V1(pa_compose);
PGDLLEXPORT Datum
pa_compose(PG_FUNCTION_ARGS)
{
	double		delta = PG_GETARG_FLOAT8(1);
	double		epsilon = 0;
	int			count;
	PaRun	   *runs = read_runs(PG_GETARG_JSONB_P(0), &count);

	if (!(delta >= 0 && delta < 1))
		refuse_mechanism("delta is not in [0, 1).");
	check_composition(pa_compose_epsilon(runs, count, delta, pa_server_environment(), &epsilon));
	PG_RETURN_FLOAT8(epsilon);
}

/* compose_delta(mechanisms, epsilon): delta */
PG_FUNCTION_INFO_V1(pa_compose_profile);
PGDLLEXPORT Datum
pa_compose_profile(PG_FUNCTION_ARGS)
{
	double		epsilon = PG_GETARG_FLOAT8(1);
	double		delta = 0;
	int			count;
	PaRun	   *runs = read_runs(PG_GETARG_JSONB_P(0), &count);

	if (!(epsilon >= 0 && epsilon <= 1e9))
		refuse_mechanism("epsilon is not in [0, 1e9].");
	check_composition(pa_compose_delta(runs, count, epsilon, pa_server_environment(), &delta));
	PG_RETURN_FLOAT8(delta);
}
