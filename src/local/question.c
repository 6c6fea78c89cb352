/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * question.c
 *		The law of a question, and its row in privacct.question.
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "server_environment.h"
#include "local/incomplete.h"
#include "local/question.h"

static const struct
{
	const char *name;
	int			parameters;
}			kinds[] = {
	[PA_ASK_BINARY] = {"binary", 3},
	[PA_ASK_RESPONSE] = {"response", 2},
	[PA_ASK_ADDITIVE] = {"additive", 4},
	[PA_ASK_LINEAR] = {"linear", 4},
	[PA_ASK_LOGISTIC] = {"logistic", 2},
	[PA_ASK_CENTRAL] = {"central", 2},
};

#define MOST_PARAMETERS 4

const char *
pa_question_randomiser(const PaQuestion *question)
{
	return kinds[question->kind].name;
}

bool
pa_question_is_regression(const PaQuestion *question)
{
	return question->kind == PA_ASK_LINEAR || question->kind == PA_ASK_LOGISTIC;
}

bool
pa_question_is_about_box(const PaQuestion *question)
{
	return pa_question_is_regression(question) || question->ncuts > 0;
}

/* Numbers with noise are never the same twice, so these are not looked at. */
bool
pa_question_is_alike(const PaQuestion *a, const PaQuestion *b)
{
	if (a->kind != b->kind || a->ncuts != b->ncuts || a->columns[0] != b->columns[0] ||
		memcmp(a->cuts, b->cuts, sizeof(double) * a->ncuts) != 0 ||
		memcmp(a->points, b->points, sizeof(double) * (a->ncuts + 1)) != 0)
		return false;
	if (a->kind == PA_ASK_RESPONSE)
		return a->response.categories == b->response.categories && a->response.lie == b->response.lie;
	return a->kind == PA_ASK_BINARY && a->binary.low == b->binary.low && a->binary.high == b->binary.high &&
		a->binary.flip == b->binary.flip;
}

int
pa_question_width(const PaQuestion *question)
{
	switch (question->kind)
	{
		case PA_ASK_RESPONSE:
			return question->response.categories <= 256 ? 8 : 16;
		case PA_ASK_ADDITIVE:
			return 64;
		case PA_ASK_CENTRAL:
			return 0;
		case PA_ASK_BINARY:
		case PA_ASK_LINEAR:
		case PA_ASK_LOGISTIC:
			break;
	}
	return 1;
}

int
pa_question_outputs(const PaQuestion *question)
{
	switch (question->kind)
	{
		case PA_ASK_RESPONSE:
			return (int) question->response.categories;
		case PA_ASK_ADDITIVE:
			return 0;
		case PA_ASK_CENTRAL:
			return 1;
		case PA_ASK_BINARY:
		case PA_ASK_LINEAR:
		case PA_ASK_LOGISTIC:
			break;
	}
	return 2;
}

static void
check(PaStatus status, const PaQuestion *question)
{
	if (status == PA_INTERRUPTED)
		ereport(ERROR, errcode(ERRCODE_QUERY_CANCELED), errmsg("canceling statement due to user request"));
	if (status != PA_OK)
		elog(ERROR, "question \"%s\" cannot be asked: %s", question->text, pa_status_text(status));
}

/* --- the law --- */

static void
complete_binary(PaQuestion *question, const uint32 *projection, size_t size)
{
	double	   *y = palloc(sizeof(double) * size);

	for (size_t x = 0; x < size; x++)
		y[x] = question->points[projection[x]];
	check(pa_query_binary(&question->binary, y, size, pa_server_environment(), &question->query), question);
	pfree(y);
}

static void
complete_response(PaQuestion *question, const uint32 *projection, size_t size)
{
	uint32	   *category = palloc(sizeof(uint32) * size);

	for (size_t x = 0; x < size; x++)
		category[x] = (uint32) question->points[projection[x]];
	check(pa_query_response(&question->response, category, size, pa_server_environment(), &question->query), question);
	pfree(category);
}

static void
complete_additive(PaQuestion *question, const uint32 *projection, size_t size)
{
	int64_t    *value = palloc(sizeof(int64_t) * size);

	for (size_t x = 0; x < size; x++)
		value[x] = (int64_t) question->points[projection[x]];
	check(pa_query_additive(&question->additive, value, size, pa_server_environment(), &question->query), question);
	pfree(value);
}

/*
 * The bit is drawn for a response that was computed in floating point, the loss
 * is certified for the exact one.  The form is off by rounding of (d + 2) terms,
 * so is the response, and the logarithm of a probability of at least flip by no
 * more than e^epsilon - 1 times that; 1e-13 is for the coin's own rounding.
 * Twice, since a loss is a difference of two log-likelihoods.
 */
double
pa_drawing_slack(const PaQuestion *question, const PaDomain *domain)
{
	const PaRegression *regression = &question->regression;
	double		reach = fabs(regression->constant);
	double		steepest = question->kind == PA_ASK_LINEAR ? 1 / (regression->b - regression->a) : 0.25;

	for (int i = 0; i < domain->dimensions; i++)
		reach += fabs(regression->theta[i]) * fmax(fabs(domain->low[i]), fabs(domain->high[i]));
	return 2 * (expm1(regression->epsilon) * (steepest * reach * (domain->dimensions + 4) * 0x1p-51 + 0x1p-50) + 1e-13);
}

/* The level over the box is exact, and at most the epsilon of the coin; with what drawing may add it is what an owner bears. */
static void
complete_regression(PaQuestion *question, const PaDomain *domain)
{
	PaBox		box = pa_domain_box(domain);

	question->regression.kind = question->kind == PA_ASK_LINEAR ? PA_REGRESSION_LINEAR : PA_REGRESSION_LOGISTIC;
	question->regression.theta = question->points;
	check(pa_binary_make(question->regression.a, question->regression.b, question->regression.epsilon,
						 &question->binary), question);
	check(pa_regression_level(&box, &question->regression, &question->level), question);
	question->slack = pa_drawing_slack(question, domain);
	question->level += question->slack;
	question->rho = 0.5 * question->level * question->level * (1 + 1e-15);
}

/* The number in points of each point that the law is over: of the domain, or of the cells themselves. */
static uint32 *
project(const PaQuestion *question, const PaDomain *domain, size_t *size)
{
	uint32	   *projection;

	*size = question->ncuts > 0 ? (size_t) question->ncuts + 1 : domain->points;
	if (question->ncuts == 0)
		return pa_domain_project(domain, question->ncolumns, question->columns);
	projection = palloc(sizeof(uint32) * *size);
	for (size_t x = 0; x < *size; x++)
		projection[x] = (uint32) x;
	return projection;
}

void
pa_question_complete(PaQuestion *question, const PaDomain *domain)
{
	uint32	   *projection;
	size_t		size;

	if (question->kind == PA_ASK_CENTRAL)
	{
		question->rho = 0.5 * question->level * question->level * (1 + 1e-15);
		return;
	}
	if (pa_question_is_regression(question))
	{
		complete_regression(question, domain);
		return;
	}
	projection = project(question, domain, &size);
	if (question->kind == PA_ASK_BINARY)
		complete_binary(question, projection, size);
	else if (question->kind == PA_ASK_RESPONSE)
		complete_response(question, projection, size);
	else
		complete_additive(question, projection, size);
	pfree(projection);
	question->level = question->query.level;
	question->rho = question->query.rho;
}

/* --- its row --- */

static Datum
number_array(const double *numbers, int count)
{
	Datum	   *elements = palloc(sizeof(Datum) * Max(count, 1));

	for (int i = 0; i < count; i++)
		elements[i] = Float8GetDatum(numbers[i]);
	return PointerGetDatum(construct_array(elements, count, FLOAT8OID, sizeof(float8), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
}

static Datum
column_array(const PaQuestion *question, const PaDomain *domain)
{
	Datum		elements[PA_REGRESSION_DIMENSIONS];

	for (int i = 0; i < question->ncolumns; i++)
		elements[i] = Int32GetDatum(domain->positions[question->columns[i]]);
	return PointerGetDatum(construct_array(elements, question->ncolumns, INT4OID, sizeof(int32), true, TYPALIGN_INT));
}

static void
get_parameters(const PaQuestion *question, double *parameters)
{
	switch (question->kind)
	{
		case PA_ASK_BINARY:
			parameters[0] = question->binary.low;
			parameters[1] = question->binary.high;
			parameters[2] = question->binary.flip;
			break;
		case PA_ASK_RESPONSE:
			parameters[0] = question->response.categories;
			parameters[1] = question->response.lie;
			break;
		case PA_ASK_ADDITIVE:
			parameters[0] = question->additive.least;
			parameters[1] = question->additive.most;
			parameters[2] = question->low;
			parameters[3] = question->step;
			break;
		case PA_ASK_LINEAR:
			parameters[0] = question->regression.constant;
			parameters[1] = question->regression.a;
			parameters[2] = question->regression.b;
			parameters[3] = question->regression.epsilon;
			break;
		case PA_ASK_LOGISTIC:
			parameters[0] = question->regression.constant;
			parameters[1] = question->regression.epsilon;
			break;
		case PA_ASK_CENTRAL:
			parameters[0] = question->level;
			parameters[1] = question->everybody_new;
			break;
	}
}

static void
set_parameters(PaQuestion *question, const double *parameters, const char *kernel)
{
	PaKernel	noise;

	switch (question->kind)
	{
		case PA_ASK_BINARY:
			question->binary = (PaBinary) {parameters[0], parameters[1], parameters[2]};
			break;
		case PA_ASK_RESPONSE:
			question->response = (PaResponse) {(uint32_t) parameters[0], parameters[1]};
			break;
		case PA_ASK_ADDITIVE:
			check(pa_kernel_parse(kernel, &noise), question);
			check(pa_additive_make(&noise, (int64_t) parameters[0], (int64_t) parameters[1], &question->additive), question);
			question->low = parameters[2];
			question->step = parameters[3];
			break;
		case PA_ASK_LINEAR:
			question->regression.constant = parameters[0];
			question->regression.a = parameters[1];
			question->regression.b = parameters[2];
			question->regression.epsilon = parameters[3];
			break;
		case PA_ASK_LOGISTIC:
			question->regression.constant = parameters[0];
			question->regression.a = 0;
			question->regression.b = 1;
			question->regression.epsilon = parameters[1];
			break;
		case PA_ASK_CENTRAL:
			question->level = parameters[0];
			question->everybody_new = parameters[1] != 0;
			break;
	}
}

void
pa_question_row(const PaQuestion *question, int64 policy_id, int owners, const PaDomain *domain, Datum *values, bool *nulls)
{
	double		parameters[MOST_PARAMETERS];
	char		kernel[PA_KERNEL_TEXT];

	memset(nulls, false, sizeof(bool) * QUESTION_COLUMN_COUNT);
	get_parameters(question, parameters);
	values[QUESTION_POLICY - 1] = Int64GetDatum(policy_id);
	values[QUESTION_NUMBER - 1] = Int32GetDatum(question->number);
	values[QUESTION_CHARGE - 1] = Int64GetDatum(question->charge_id);
	values[QUESTION_ASKED_AT - 1] = TimestampTzGetDatum(GetCurrentTimestamp());
	values[QUESTION_TEXT - 1] = CStringGetTextDatum(question->text);
	values[QUESTION_RANDOMISER - 1] = CStringGetTextDatum(kinds[question->kind].name);
	values[QUESTION_LEVEL - 1] = Float8GetDatum(question->level);
	values[QUESTION_RHO - 1] = Float8GetDatum(question->rho);
	values[QUESTION_COLUMNS - 1] = column_array(question, domain);
	values[QUESTION_PARAMETERS - 1] = number_array(parameters, kinds[question->kind].parameters);
	nulls[QUESTION_KERNEL - 1] = question->kind != PA_ASK_ADDITIVE ||
		pa_kernel_print(&question->additive.kernel, kernel) != PA_OK;
	if (!nulls[QUESTION_KERNEL - 1])
		values[QUESTION_KERNEL - 1] = CStringGetTextDatum(kernel);
	values[QUESTION_POINTS - 1] = number_array(question->points, question->npoints);
	values[QUESTION_OWNERS - 1] = Int32GetDatum(owners);
	nulls[QUESTION_CUTS - 1] = question->ncuts == 0;
	if (question->ncuts > 0)
		values[QUESTION_CUTS - 1] = number_array(question->cuts, question->ncuts);
}

static double *
read_numbers(Datum array, int *count)
{
	ArrayType  *numbers = DatumGetArrayTypePCopy(array);

	*count = ArrayGetNItems(ARR_NDIM(numbers), ARR_DIMS(numbers));
	return (double *) ARR_DATA_PTR(numbers);
}

static void
read_columns(PaQuestion *question, Datum array, const PaDomain *domain)
{
	ArrayType  *columns = DatumGetArrayTypePCopy(array);

	question->ncolumns = ArrayGetNItems(ARR_NDIM(columns), ARR_DIMS(columns));
	for (int i = 0; i < question->ncolumns; i++)
	{
		question->columns[i] = pa_domain_column(domain, ((int32 *) ARR_DATA_PTR(columns))[i]);
		if (question->columns[i] < 0)
			pa_books_incomplete(psprintf("question %d is about a column that has no domain", question->number));
	}
}

PaQuestion *
pa_question_read(HeapTuple tuple, TupleDesc desc, const PaDomain *domain)
{
	PaQuestion *question = palloc0(sizeof(PaQuestion));
	Datum		values[QUESTION_COLUMN_COUNT];
	bool		nulls[QUESTION_COLUMN_COUNT];
	char	   *name;
	int			count;
	double	   *parameters;

	heap_deform_tuple(tuple, desc, values, nulls);
	question->number = DatumGetInt32(values[QUESTION_NUMBER - 1]);
	question->charge_id = DatumGetInt64(values[QUESTION_CHARGE - 1]);
	question->text = TextDatumGetCString(values[QUESTION_TEXT - 1]);
	name = TextDatumGetCString(values[QUESTION_RANDOMISER - 1]);
	while (question->kind < PA_ASK_CENTRAL && strcmp(kinds[question->kind].name, name) != 0)
		question->kind++;
	read_columns(question, values[QUESTION_COLUMNS - 1], domain);
	parameters = read_numbers(values[QUESTION_PARAMETERS - 1], &count);
	if (strcmp(kinds[question->kind].name, name) != 0 || count != kinds[question->kind].parameters)
		pa_books_incomplete(psprintf("question %d cannot be read", question->number));
	set_parameters(question, parameters, nulls[QUESTION_KERNEL - 1] ? "" : TextDatumGetCString(values[QUESTION_KERNEL - 1]));
	question->points = read_numbers(values[QUESTION_POINTS - 1], &question->npoints);
	if (!nulls[QUESTION_CUTS - 1])
		question->cuts = read_numbers(values[QUESTION_CUTS - 1], &question->ncuts);
	if (question->ncuts > 0 && question->npoints != question->ncuts + 1)
		pa_books_incomplete(psprintf("question %d cannot be read", question->number));
	pa_question_complete(question, domain);
	return question;
}
