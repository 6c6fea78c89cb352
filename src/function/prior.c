/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * prior.c
 *		Priors of correlated rows, as json.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/numeric.h"

#include "compat/version.h"
#include "core/pufferfish/binary.h"
#include "core/pufferfish/chain.h"
#include "core/pufferfish/gaussian.h"
#include "core/pufferfish/interval.h"
#include "core/pufferfish/table.h"
#include "server_environment.h"
#include "errors.h"
#include "function/json_fields.h"
#include "function/prior.h"

#define MOST_STATES 1024
#define MOST_NUMBERS 4000000

static const struct
{
	const char *name;
	PaFieldNames fields;
}			kinds[] = {
	[PA_PRIOR_CHAIN] = {"chain", PA_FIELD_NAMES("kind", "source", "states", "transition", "start", "length")},
	[PA_PRIOR_BINARY] = {"binary", PA_FIELD_NAMES("kind", "source", "states", "p", "q")},
	[PA_PRIOR_GAUSSIAN] = {"gaussian", PA_FIELD_NAMES("kind", "source", "covariance", "centre", "bound", "width")},
	[PA_PRIOR_TABLE] = {"table", PA_FIELD_NAMES("kind", "source", "states", "shape", "probability")},
	[PA_PRIOR_INTERVALS] = {"intervals", PA_FIELD_NAMES("kind", "source", "states", "shape", "mode", "low", "high", "constraints", "right")},
};

StaticAssertDecl(lengthof(kinds) == PA_PRIOR_INTERVALS + 1, "every kind of prior has its fields");

static void PA_NORETURN
refuse(const char *detail, const char *hint)
{
	ereport(ERROR,
			errcode(ERRCODE_PA_INVALID_POLICY),
			errmsg("invalid prior"),
			errdetail("%s", detail),
			hint ? errhint("%s", hint) : 0);
}

/* --- arrays --- */

static double
number_of(const PaFields *fields, const char *name, const JsonbValue *value)
{
	double		number;

	if (value->type != jbvNumeric)
		pa_fields_refuse(fields, psprintf("Field \"%s\" has an element that is not a number.", name));
	number = DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow, NumericGetDatum(value->val.numeric)));
	if (!isfinite(number))
		pa_fields_refuse(fields, psprintf("Field \"%s\" has an element that is not finite.", name));
	return number;
}

static void
read_row(const PaFields *fields, const char *name, JsonbContainer *row, double *value)
{
	for (uint32 i = 0; i < JsonContainerSize(row); i++)
	{
		CHECK_FOR_INTERRUPTS();
		value[i] = number_of(fields, name, getIthJsonbValueFromContainer(row, i));
	}
}

static bool
is_array(const JsonbValue *value)
{
	return value->type == jbvBinary && JsonContainerIsArray(value->val.binary.data) &&
		!JsonContainerIsScalar(value->val.binary.data);
}

/* An array of numbers, or of such arrays of equal length; no rows if there is no such field. */
static PaNumbers
read_numbers(const PaFields *fields, const char *name)
{
	JsonbValue	value;
	JsonbValue *first;
	JsonbContainer *array;
	PaNumbers	numbers = {0};

	if (getKeyJsonValueFromContainer(fields->object, name, strlen(name), &value) == NULL || value.type == jbvNull)
		return numbers;
	if (!is_array(&value) || JsonContainerSize(value.val.binary.data) == 0)
		pa_fields_refuse(fields, psprintf("Field \"%s\" is not an array of numbers.", name));
	array = value.val.binary.data;
	first = getIthJsonbValueFromContainer(array, 0);
	numbers.nested = is_array(first);
	numbers.rows = is_array(first) ? JsonContainerSize(array) : 1;
	numbers.columns = is_array(first) ? JsonContainerSize(first->val.binary.data) : JsonContainerSize(array);
	if ((int64) numbers.rows * numbers.columns > MOST_NUMBERS)
		pa_fields_refuse(fields, psprintf("Field \"%s\" has more than %d numbers.", name, MOST_NUMBERS));
	numbers.value = palloc(sizeof(double) * Max(numbers.rows * numbers.columns, 1));
	if (!is_array(first))
		read_row(fields, name, array, numbers.value);
	for (int i = 0; is_array(first) && i < numbers.rows; i++)
	{
		JsonbValue *row = getIthJsonbValueFromContainer(array, i);

		if (!is_array(row) || JsonContainerSize(row->val.binary.data) != numbers.columns)
			pa_fields_refuse(fields, psprintf("Field \"%s\" is not a matrix.", name));
		read_row(fields, name, row->val.binary.data, numbers.value + (size_t) i * numbers.columns);
	}
	return numbers;
}

/* Of rows x columns numbers; 0 for any. */
static PaNumbers
numbers_of(const PaFields *fields, const char *name, int rows, int columns)
{
	PaNumbers	numbers = read_numbers(fields, name);

	if (numbers.value == NULL)
		pa_fields_refuse(fields, psprintf("Field \"%s\" is missing.", name));
	if (rows == 1 && numbers.nested)
		pa_fields_refuse(fields, psprintf("Field \"%s\" is an array of arrays.", name));
	if ((rows > 0 && numbers.rows != rows) || (columns > 0 && numbers.columns != columns))
		pa_fields_refuse(fields, rows == 1 ?
						 psprintf("Field \"%s\" does not have %d numbers.", name, columns) :
						 psprintf("Field \"%s\" is not a matrix of %d times %d numbers.", name, rows, columns));
	return numbers;
}

static void
read_states(const PaFields *fields, PaPrior *prior)
{
	JsonbValue	value;

	if (getKeyJsonValueFromContainer(fields->object, "states", strlen("states"), &value) == NULL || !is_array(&value))
		pa_fields_refuse(fields, "Field \"states\" is not an array.");
	prior->nstates = JsonContainerSize(value.val.binary.data);
	if (prior->nstates < 2 || prior->nstates > MOST_STATES)
		pa_fields_refuse(fields, psprintf("There are not between 2 and %d states.", MOST_STATES));
	prior->states = palloc(sizeof(char *) * prior->nstates);
	for (int i = 0; i < prior->nstates; i++)
	{
		JsonbValue *state = getIthJsonbValueFromContainer(value.val.binary.data, i);

		if (state->type != jbvString)
			pa_fields_refuse(fields, "A state is not written as a text.");
		prior->states[i] = pnstrdup(state->val.string.val, state->val.string.len);
		for (int j = 0; j < i; j++)
			if (strcmp(prior->states[i], prior->states[j]) == 0)
				pa_fields_refuse(fields, "A state is listed twice.");
	}
}

/* --- kinds --- */

static void
read_chain(const PaFields *fields, PaPrior *prior)
{
	double		length;

	prior->transition = numbers_of(fields, "transition", prior->nstates, prior->nstates);
	prior->start = read_numbers(fields, "start");
	length = pa_field_number(fields, "length", 1, PA_CHAIN_RADIUS, 0);
	if (length != rint(length))
		pa_fields_refuse(fields, "Field \"length\" is not a whole number.");
	prior->length = (int64) length;
	if (prior->start.value != NULL && (prior->start.rows != 1 || prior->start.columns != prior->nstates))
		pa_fields_refuse(fields, "Field \"start\" does not have a number for each state.");
	if (prior->start.value != NULL && prior->length == 0)
		pa_fields_refuse(fields, "A chain with a start of its own needs a length.");
}

static void
read_binary(const PaFields *fields, PaPrior *prior)
{
	if (prior->nstates != 2)
		pa_fields_refuse(fields, "A binary chain does not have two states.");
	prior->p = numbers_of(fields, "p", 1, 2);
	prior->q = numbers_of(fields, "q", 1, 2);
}

static void
read_gaussian(const PaFields *fields, PaPrior *prior)
{
	prior->covariance = numbers_of(fields, "covariance", 0, 0);
	if (prior->covariance.rows != prior->covariance.columns)
		pa_fields_refuse(fields, "Field \"covariance\" is not a square matrix.");
	prior->length = prior->covariance.rows;
	prior->centre = pa_field_number(fields, "centre", -1e100, 1e100, 0);
	prior->bound = pa_field_required(fields, "bound", 1e-100, 1e100);
	prior->width = pa_field_required(fields, "width", 1e-100, 1e100);
}

static void
read_shape(const PaFields *fields, PaPrior *prior, int *cells)
{
	prior->shape = numbers_of(fields, "shape", 1, 0);
	prior->length = prior->shape.columns;
	*cells = 1;
	if (prior->shape.columns > PA_FINITE_ENTRIES)
		pa_fields_refuse(fields, psprintf("Field \"shape\" has more than %d rows.", PA_FINITE_ENTRIES));
	for (int i = 0; i < prior->shape.columns; i++)
	{
		double		values = prior->shape.value[i];

		if (values != rint(values) || values < 1 || values > prior->nstates)
			pa_fields_refuse(fields, "Field \"shape\" has a row with more values than there are states, or none.");
		if (*cells * values > PA_FINITE_CELLS)
			pa_fields_refuse(fields, psprintf("The shape has more than %d combinations.", PA_FINITE_CELLS));
		*cells *= (int) values;
	}
}

static void
read_intervals(const PaFields *fields, PaPrior *prior)
{
	static const char *const modes[] = {
		[PA_INTERVAL_CONDITIONAL] = "conditional",[PA_INTERVAL_JOINT] = "joint",[PA_INTERVAL_JOINT_BOUND] = "joint_bound"
	};
	char	   *mode = pa_field_text(fields, "mode");
	int			cells;

	read_shape(fields, prior, &cells);
	prior->low = numbers_of(fields, "low", 1, cells);
	prior->high = numbers_of(fields, "high", 1, cells);
	prior->constraints = read_numbers(fields, "constraints");
	if (prior->constraints.value != NULL)
	{
		if (prior->constraints.columns != cells)
			pa_fields_refuse(fields, "A constraint does not have a number for each combination of values.");
		prior->right = numbers_of(fields, "right", 1, prior->constraints.rows);
	}
	for (int i = 0; mode != NULL && i < lengthof(modes); i++)
		if (strcmp(mode, modes[i]) == 0)
		{
			prior->mode = i;
			return;
		}
	pa_fields_refuse(fields, "Field \"mode\" is not conditional, joint or joint_bound.");
}

static void
read_prior(JsonbContainer *object, PaPrior *prior)
{
	PaFields	fields = {
		.object = object,.sqlstate = ERRCODE_PA_INVALID_POLICY,.message = "invalid prior",.where = "",
		.hint = "Priors are made by privacct.chain_prior(), binary_chain_prior(), gaussian_prior(), table_prior() and interval_prior()."
	};
	char	   *kind;
	int			cells;

	if (!JsonContainerIsObject(object))
		pa_fields_refuse(&fields, "It is not an object.");
	kind = pa_field_text(&fields, "kind");
	for (prior->kind = 0; prior->kind < lengthof(kinds); prior->kind++)
		if (kind != NULL && strcmp(kind, kinds[prior->kind].name) == 0)
			break;
	if (prior->kind == lengthof(kinds))
		pa_fields_refuse(&fields, "Field \"kind\" is not chain, binary, gaussian, table or intervals.");
	pa_fields_check(&fields, &kinds[prior->kind].fields);
	if (prior->kind != PA_PRIOR_GAUSSIAN)
		read_states(&fields, prior);
	switch (prior->kind)
	{
		case PA_PRIOR_CHAIN:
			read_chain(&fields, prior);
			break;
		case PA_PRIOR_BINARY:
			read_binary(&fields, prior);
			break;
		case PA_PRIOR_GAUSSIAN:
			read_gaussian(&fields, prior);
			break;
		case PA_PRIOR_TABLE:
			read_shape(&fields, prior, &cells);
			prior->probability = numbers_of(&fields, "probability", 1, cells);
			break;
		case PA_PRIOR_INTERVALS:
			read_intervals(&fields, prior);
			break;
	}
}

/* Or the same interval, for numbers. */
static bool
same_states(const PaPrior *a, const PaPrior *b)
{
	if (a->nstates != b->nstates || a->centre != b->centre || a->bound != b->bound)
		return false;
	for (int i = 0; i < a->nstates; i++)
		if (strcmp(a->states[i], b->states[i]) != 0)
			return false;
	return true;
}

PaPrior *
pa_priors_read(Jsonb *json, int *count)
{
	bool		several = JB_ROOT_IS_ARRAY(json) && !JB_ROOT_IS_SCALAR(json);
	PaPrior    *priors;

	*count = several ? JB_ROOT_COUNT(json) : 1;
	if (*count < 1 || *count > PA_MOST_PRIORS)
		refuse(psprintf("There are not between 1 and %d priors.", PA_MOST_PRIORS), NULL);
	priors = palloc0(sizeof(PaPrior) * *count);
	if (!several)
		read_prior(&json->root, priors);
	for (int i = 0; several && i < *count; i++)
	{
		JsonbValue *value = getIthJsonbValueFromContainer(&json->root, i);

		if (value->type != jbvBinary)
			refuse("It is not an object.", NULL);
		read_prior(value->val.binary.data, &priors[i]);
		if (!same_states(&priors[i], &priors[0]))
			refuse("Two priors have different states.", "List the same states in the same order, and give Gaussian priors the same centre and bound.");
	}
	return priors;
}

/* --- curves --- */

/* By address: the fault is written by the call that gives the status. */
static void
check(PaStatus status, const PaFault *fault)
{
	CHECK_FOR_INTERRUPTS();
	if (status == PA_INVALID)
		refuse(psprintf("Reason: %s.", pa_fault_text(*fault)), NULL);
	if (status != PA_OK)
		ereport(ERROR,
				errcode(status == PA_NO_MEMORY ? ERRCODE_OUT_OF_MEMORY : ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				errmsg("the influence curve cannot be computed: %s", pa_status_text(status)));
}

/* How many of the pairs a row with so many values can have both values of. */
static int
count_pairs(const PaSecretPair *pairs, int npairs, int values)
{
	int			count = 0;

	for (int k = 0; k < npairs; k++)
		count += Max(pairs[k].first, pairs[k].second) < values;
	return count;
}

/* Sizes of the model of rows from..to-1; its shape has at most PA_FINITE_ENTRIES rows and PA_FINITE_CELLS cells. */
static PaFinite
finite_size(const PaPrior *prior, const PaSecretPair *pairs, int npairs, int from, int to)
{
	int			entries = prior->shape.columns;
	int		   *shape = palloc(sizeof(int) * entries);
	PaFinite	finite = {.entries = entries,.shape = shape,.cells = 1};

	for (int i = 0; i < entries; i++)
	{
		shape[i] = (int) prior->shape.value[i];
		finite.cells *= shape[i];
		if (i < from || i >= to)
			continue;
		finite.secrets += shape[i];
		finite.pairs += count_pairs(pairs, npairs, shape[i]);
	}
	return finite;
}

/* Secrets "row i is s" against "row i is t" for the rows from..to-1, where they can be either. */
static PaFinite
finite_model(const PaPrior *prior, const PaSecretPair *pairs, int npairs, int from, int to)
{
	PaFinite	finite = finite_size(prior, pairs, npairs, from, to);
	unsigned char *mask = palloc0((size_t) finite.secrets * finite.cells);
	PaSecretPair *pair = palloc(sizeof(PaSecretPair) * Max(finite.pairs, 1));
	int			count = 0;

	for (int i = 0, first = 0, stride = finite.cells; i < to; i++)
	{
		stride /= finite.shape[i];
		if (i < from)
			continue;
		for (int cell = 0; cell < finite.cells; cell++)
			mask[(size_t) (first + cell / stride % finite.shape[i]) * finite.cells + cell] = 1;
		for (int k = 0; k < npairs; k++)
			if (Max(pairs[k].first, pairs[k].second) < finite.shape[i])
				pair[count++] = (PaSecretPair) {first + pairs[k].first, first + pairs[k].second};
		first += finite.shape[i];
	}
	Assert(count == finite.pairs);
	finite.mask = mask;
	finite.pair = pair;
	return finite;
}

/* The secrets of several rows overlap: where probabilities are given the secret, row by row. */
static PaStatus
conditional_curve(const PaPrior *prior, const PaSecretPair *pairs, int npairs, const PaIntervals *intervals,
				  PaInfluence *point, PaFault *fault)
{
	int			entries = prior->shape.columns;
	PaInfluence *one = palloc(sizeof(PaInfluence) * entries);
	bool		first = true;
	PaStatus	status = PA_OK;

	for (int i = 0; status == PA_OK && i < entries; i++)
	{
		PaFinite	finite = finite_model(prior, pairs, npairs, i, i + 1);

		if (finite.pairs == 0)
			continue;
		status = pa_interval_curve(&finite, intervals, pa_server_environment(), first ? point : one, fault);
		if (status == PA_OK && !first)
			status = pa_curve_join(point, one, entries, fault);
		first = false;
	}
	return status;
}

static PaStatus
finite_curve(const PaPrior *prior, const PaSecretPair *pairs, int npairs, PaInfluence *point, PaFault *fault)
{
	PaFinite	finite = finite_model(prior, pairs, npairs, 0, prior->shape.columns);
	PaIntervals intervals = {
		.mode = prior->mode,.low = prior->low.value,.high = prior->high.value,
		.constraints = prior->constraints.rows,.row = prior->constraints.value,.right = prior->right.value
	};

	if (finite.pairs == 0)
		refuse("No row can have both values of a pair of secrets.", NULL);
	if (prior->kind == PA_PRIOR_TABLE)
		return pa_table_curve(&finite, prior->probability.value, 1, pa_server_environment(), point, fault);
	if (prior->mode == PA_INTERVAL_CONDITIONAL)
		return conditional_curve(prior, pairs, npairs, &intervals, point, fault);
	return pa_interval_curve(&finite, &intervals, pa_server_environment(), point, fault);
}

/* The pairs as a matrix. */
static const unsigned char *
wanted_pairs(const PaPrior *prior, const PaSecretPair *pairs, int npairs)
{
	unsigned char *wanted = palloc0((size_t) prior->nstates * prior->nstates);

	for (int i = 0; i < npairs; i++)
		wanted[pairs[i].first * prior->nstates + pairs[i].second] = 1;
	return wanted;
}

/* The points for b = 1..count, which is the length of the prior if it has one. */
static PaStatus
curve_points(const PaPrior *prior, const PaSecretPair *pairs, int npairs, int count, PaInfluence *point, PaFault *fault)
{
	const PaEnvironment *environment = pa_server_environment();

	switch (prior->kind)
	{
		case PA_PRIOR_CHAIN:
			{
				PaChain		chain = {prior->nstates, prior->transition.value, prior->start.value, prior->length,
				wanted_pairs(prior, pairs, npairs)};

				return pa_chain_curve(&chain, count, environment, point, fault);
			}
		case PA_PRIOR_BINARY:
			{
				PaBinaryChains chains = {prior->p.value[0], prior->p.value[1], prior->q.value[0], prior->q.value[1], 0};

				return pa_binary_curve(&chains, count, environment, point, fault);
			}
		case PA_PRIOR_GAUSSIAN:
			{
				PaGaussianRows rows = {prior->covariance.rows, prior->covariance.value, prior->bound, prior->width};

				return pa_gaussian_curve(&rows, environment, point, fault);
			}
		case PA_PRIOR_TABLE:
		case PA_PRIOR_INTERVALS:
			break;
	}
	return finite_curve(prior, pairs, npairs, point, fault);
}

void
pa_prior_curve(const PaPrior *prior, const PaSecretPair *pairs, int npairs, int most, PaInfluence *point)
{
	bool		whole = prior->length > 0 && (prior->kind != PA_PRIOR_CHAIN || prior->length < most);
	int			count = whole ? (int) prior->length : most;
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "privacct prior", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	PaInfluence *all = palloc(sizeof(PaInfluence) * Max(count, most));
	PaFault		fault = PA_FAULT_NONE;

	check(curve_points(prior, pairs, npairs, count, all, &fault), &fault);
	for (int b = count + 1; b <= most; b++)
		all[b - 1] = (PaInfluence) {0, b, -1, -1};
	memcpy(point, all, sizeof(PaInfluence) * most);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
}
