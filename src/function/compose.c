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

#include "core/accounting/pld.h"
#include "core/noise/kernel.h"
#include "environment.h"
#include "errors.h"

#define MOST_MECHANISMS 100000

static void pg_attribute_noreturn()
refuse_mechanism(const char *detail)
{
	ereport(ERROR,
			errcode(ERRCODE_PA_INVALID_OPTION),
			errmsg("invalid mechanism"),
			errdetail("%s", detail),
			errhint("Give an array such as [{\"kernel\": \"laplace\", \"scale\": 10, \"sensitivity\": 1, \"count\": 100}]."));
}

/* --- fields --- */

static JsonbValue *
field(JsonbContainer *object, const char *name, JsonbValue *value)
{
	return getKeyJsonValueFromContainer(object, name, strlen(name), value);
}

/* A finite number in [least, most], or the default where the field is missing. */
static double
number(JsonbContainer *object, const char *name, double least, double most, double missing)
{
	JsonbValue	value;
	double		result;

	if (field(object, name, &value) == NULL || value.type == jbvNull)
		return missing;
	if (value.type != jbvNumeric)
		refuse_mechanism(psprintf("Field \"%s\" is not a number.", name));
	result = DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow, NumericGetDatum(value.val.numeric)));
	if (!(result >= least && result <= most))
		refuse_mechanism(psprintf("Field \"%s\" is out of range.", name));
	return result;
}

static double
required(JsonbContainer *object, const char *name, double least, double most)
{
	double		result = number(object, name, least, most, NAN);

	if (isnan(result))
		refuse_mechanism(psprintf("Field \"%s\" is missing.", name));
	return result;
}

static char *
string(JsonbContainer *object, const char *name)
{
	JsonbValue	value;

	if (field(object, name, &value) == NULL || value.type == jbvNull)
		return NULL;
	if (value.type != jbvString)
		refuse_mechanism(psprintf("Field \"%s\" is not a text.", name));
	return pnstrdup(value.val.string.val, value.val.string.len);
}

/* What is not understood could be what matters. */
static void
check_fields(JsonbContainer *object, const char *const *known)
{
	JsonbIterator *iterator = JsonbIteratorInit(object);
	JsonbValue	key;
	JsonbIteratorToken token;

	while ((token = JsonbIteratorNext(&iterator, &key, true)) != WJB_DONE)
	{
		bool		found = false;

		if (token != WJB_KEY)
			continue;
		for (int i = 0; known[i] && !found; i++)
			found = strlen(known[i]) == key.val.string.len &&
				memcmp(known[i], key.val.string.val, key.val.string.len) == 0;
		if (!found)
			refuse_mechanism("A field has an unknown name.");
	}
}

/* --- one part --- */

static void
check_law(PaStatus status)
{
	if (status != PA_OK)
		refuse_mechanism("Its parameters are not those of a law.");
}

/* As it was drawn: "noise" in steps, and the sensitivity in steps. */
static void
exact_law(JsonbContainer *object, const char *noise, PaPart *part)
{
	PaKernel	kernel;

	if (pa_kernel_parse(noise, &kernel) != PA_OK)
		refuse_mechanism("Field \"noise\" is not the text of a kernel.");
	part->law = pa_kernel_law(&kernel);
	part->shift = required(object, "steps", 0, 0x1p62);
}

/* As an analyst thinks of it: continuous, or on a lattice of the given step. */
static void
named_law(JsonbContainer *object, const char *name, PaPart *part)
{
	PaKernelKind kind;
	double		step = number(object, "step", 1e-300, 1e300, 0);
	PaSpace		space = step > 0 ? PA_LATTICE : PA_LINE;
	double		unit = step > 0 ? step : 1;
	double		scale = required(object, "scale", 1e-300, 1e300) / unit;
	double		band = number(object, "within", 0, 1e300, NAN) / unit;
	double		keep = 1 - number(object, "q", 0, 1 - DBL_EPSILON, 0);
	PaShape		shape;

	if (!pa_kernel_by_name(name, &kind) || kind == PA_KERNEL_OPTIMAL)
		refuse_mechanism("Its kernel is unknown.");
	if (pa_kernel_needs_band(kind) && isnan(band))
		refuse_mechanism("Its kernel needs the field \"within\".");
	part->shift = number(object, "sensitivity", 0, 1e300, 1) / unit;
	if (space == PA_LATTICE)
	{
		part->shift = ceil(part->shift);
		band = floor(band);
	}
	shape = kind == PA_KERNEL_GAUSSIAN || kind == PA_KERNEL_BRDP_GAUSSIAN ? PA_GAUSSIAN : PA_LAPLACE;
	if (kind == PA_KERNEL_STAIRCASE)
		check_law(pa_law_staircase(space, part->shift / scale, part->shift, band, &part->law));
	else if (pa_kernel_recycles(kind))
		check_law(pa_law_recycled(shape, space, scale, band, keep, &part->law));
	else
		check_law(pa_law_plain(shape, space, scale, &part->law));
}

static void
read_part(JsonbContainer *object, PaPart *part)
{
	char	   *noise = string(object, "noise");
	char	   *kernel = string(object, "kernel");

	part->coordinates = (uint32) number(object, "groups", 1, 1e6, 1);
	part->shift = 1;
	if (noise)
		exact_law(object, noise, part);
	else if (kernel)
		named_law(object, kernel, part);
	else
		check_law(pa_law_response(required(object, "epsilon", 0, 1e6), number(object, "delta", 0, 1, 0), &part->law));
}

/* --- one run --- */

#define PART_FIELDS "noise", "steps", "kernel", "scale", "sensitivity", "within", "q", "step", "groups", "epsilon"

static const char *const single_fields[] = {PART_FIELDS, "delta", "count", "sample_rate", NULL};
static const char *const part_fields[] = {PART_FIELDS, "delta", NULL};
static const char *const release_fields[] = {"statistics", "delta", "count", "sample_rate", NULL};

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

		if (element->type != jbvBinary || !JsonContainerIsObject(element->val.binary.data))
			refuse_mechanism("Field \"statistics\" is not an array of objects.");
		check_fields(element->val.binary.data, part_fields);
		read_part(element->val.binary.data, &parts[i]);
	}
	run->parts = parts;
	run->nparts = JsonContainerSize(array);
}

static void
read_run(JsonbContainer *object, PaRun *run)
{
	JsonbValue	statistics;

	run->rate = number(object, "sample_rate", 1e-9, 1, 1);
	run->times = (uint64) number(object, "count", 1, 1e9, 1);
	if (field(object, "statistics", &statistics))
	{
		check_fields(object, release_fields);
		if (statistics.type != jbvBinary)
			refuse_mechanism("Field \"statistics\" is not an array of objects.");
		read_parts(statistics.val.binary.data, run);
		run->delta = number(object, "delta", 0, 1, 0);
	}
	else
	{
		PaPart	   *part = palloc0(sizeof(PaPart));

		check_fields(object, single_fields);
		read_part(object, part);
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
