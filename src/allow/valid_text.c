/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * valid_text.c
 *		See valid_text.h.
 */
#include "postgres.h"

#include "catalog/pg_type_d.h"
#include "mb/pg_wchar.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "allow/valid_text.h"

static bool
is_text_type(Oid type)
{
	return type == TEXTOID || type == VARCHAROID || type == BPCHAROID;
}

static bool
is_valid_text(Datum value)
{
	const text *bytes = DatumGetTextPP(value);

	return pg_verifymbstr(VARDATA_ANY(bytes), VARSIZE_ANY_EXHDR(bytes), true);
}

static bool
is_valid_array(ArrayType *array)
{
	ArrayIterator elements = array_create_iterator(array, 0, NULL);
	bool		valid = true;
	Datum		element;
	bool		isnull;

	while (valid && array_iterate(elements, &element, &isnull))
		valid = isnull || is_valid_text(element);
	array_free_iterator(elements);
	return valid;
}

bool
pa_is_valid_value(Oid type, Datum value)
{
	Oid			base = getBaseType(type);
	Oid			element = get_element_type(base);

	if (OidIsValid(element))
		return !is_text_type(getBaseType(element)) || is_valid_array(DatumGetArrayTypeP(value));
	return !is_text_type(base) || is_valid_text(value);
}
