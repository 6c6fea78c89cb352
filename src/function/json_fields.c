/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * json_fields.c
 *		Fields of json objects that a caller wrote by hand: checked, or refused.
 */
#include "postgres.h"

#include <math.h>

#include "utils/builtins.h"

#include "function/json_fields.h"

void
pa_fields_refuse(const PaFields *fields, const char *detail)
{
	ereport(ERROR,
			errcode(fields->sqlstate),
			errmsg("%s", fields->message),
			errdetail("%s", detail),
			errhint("%s", fields->hint));
}

static bool
is_known(const JsonbValue *key, const PaFieldNames *known)
{
	for (int i = 0; i < known->count; i++)
		if (strlen(known->names[i]) == key->val.string.len &&
			memcmp(known->names[i], key->val.string.val, key->val.string.len) == 0)
			return true;
	return false;
}

void
pa_fields_check(const PaFields *fields, const PaFieldNames *known)
{
	JsonbIterator *iterator = JsonbIteratorInit(fields->object);
	JsonbValue	key;
	JsonbIteratorToken token;

	while ((token = JsonbIteratorNext(&iterator, &key, true)) != WJB_DONE)
		if (token == WJB_KEY && !is_known(&key, known))
			pa_fields_refuse(fields, psprintf("A field%s has an unknown name.", fields->where));
}

/* False if there is none. */
static bool
find(const PaFields *fields, const char *name, enum jbvType type, JsonbValue *value)
{
	if (getKeyJsonValueFromContainer(fields->object, name, strlen(name), value) == NULL || value->type == jbvNull)
		return false;
	if (value->type != type)
		pa_fields_refuse(fields, psprintf("Field \"%s\"%s is not a %s.", name, fields->where,
										  type == jbvNumeric ? "number" : "text"));
	return true;
}

double
pa_field_number(const PaFields *fields, const char *name, double least, double most, double missing)
{
	JsonbValue	value;
	double		number;

	if (!find(fields, name, jbvNumeric, &value))
		return missing;
	number = DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow, NumericGetDatum(value.val.numeric)));
	if (!(number >= least && number <= most))
		pa_fields_refuse(fields, psprintf("Field \"%s\"%s is not between %g and %g.", name, fields->where, least, most));
	return number;
}

double
pa_field_required(const PaFields *fields, const char *name, double least, double most)
{
	double		number = pa_field_number(fields, name, least, most, NAN);

	if (isnan(number))
		pa_fields_refuse(fields, psprintf("Field \"%s\"%s is missing.", name, fields->where));
	return number;
}

char *
pa_field_text(const PaFields *fields, const char *name)
{
	JsonbValue	value;

	if (!find(fields, name, jbvString, &value))
		return NULL;
	return pnstrdup(value.val.string.val, value.val.string.len);
}
