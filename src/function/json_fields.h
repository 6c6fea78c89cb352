/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * json_fields.h
 *		Fields of json objects that a caller wrote by hand: checked, or refused.
 *
 * What is not understood is refused, never passed over: it could be what matters.
 */
#ifndef PA_JSON_FIELDS_H
#define PA_JSON_FIELDS_H

#include "compat/version.h"

#include "utils/jsonb.h"

/* An object, and how to speak of it when refusing. */
typedef struct PaFields
{
	JsonbContainer *object;
	int			sqlstate;
	const char *message;		/* "invalid plan" */
	const char *hint;
	const char *where;			/* " of slot 3", or "" */
} PaFields;

extern void pa_fields_refuse(const PaFields *fields, const char *detail) PA_NORETURN;

/*
 * Names with their number, as an initialiser: PA_FIELD_NAMES("kind", "states").  An
 * array alone, which would have to end in some way, is of another type.
 */
typedef struct PaFieldNames
{
	int			count;
	const char *const *names;
} PaFieldNames;

#define PA_FIELD_NAMES(...) {lengthof(((const char *const[]) {__VA_ARGS__})), (const char *const[]) {__VA_ARGS__}}

/* Refuses names that are not in the list. */
extern void pa_fields_check(const PaFields *fields, const PaFieldNames *known);

/* A number in [least, most]; the default if there is no such field or it is null. */
extern double pa_field_number(const PaFields *fields, const char *name, double least, double most, double missing);

/* The same, refused if it is missing. */
extern double pa_field_required(const PaFields *fields, const char *name, double least, double most);

/* A text, or NULL. */
extern char *pa_field_text(const PaFields *fields, const char *name);

#endif							/* PA_JSON_FIELDS_H */
