/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * allowlist.h
 *		What may be evaluated on protected rows.
 */
#ifndef PA_ALLOWLIST_H
#define PA_ALLOWLIST_H

#include "postgres.h"

typedef enum PaFunctionClass
{
	PA_FUNCTION_REFUSED,
	PA_FUNCTION_TOTAL,			/* raises no error */
	PA_FUNCTION_PARTIAL			/* to be replaced by its total twin */
} PaFunctionClass;

/*
 * What kind of work a call is: which arguments it looks at, and what comes out.
 * Each kind has a bound in guard/work.c.
 */
typedef enum PaWorkKind
{
	WORK_UNKNOWN,				/* of no function that is allowed */
	WORK_QUICK,					/* a few machine instructions */
	WORK_MATH,					/* functions of the mathematical library */
	WORK_GAMMA,					/* those of it that take longer */
	WORK_TIME,					/* calendars */
	WORK_ZONE,					/* calendars and time zones */
	WORK_FIELD,					/* a named unit of a time */
	WORK_ZONE_FIELD,
	WORK_NAMED_ZONE,			/* a zone by its name */
	WORK_NAMED_ZONE_STEPS,		/* there and back for months and for days */
	WORK_FORMAT,				/* to_char */
	WORK_NUMERIC_ORDER,
	WORK_NUMERIC_COPY,
	WORK_NUMERIC_SUM,
	WORK_NUMERIC_PRODUCT,
	WORK_NUMERIC_QUOTIENT,
	WORK_NUMERIC_ROUND,
	WORK_NUMERIC_FIT,			/* to a precision */
	WORK_NUMERIC_READ,			/* to binary numbers */
	WORK_NUMERIC_MAKE,			/* from binary numbers */
	WORK_TEXT_EQUAL,			/* looks at texts of the same length only */
	WORK_BPCHAR_EQUAL,
	WORK_TEXT_ORDER,			/* collations */
	WORK_TEXT_SCAN,				/* counts characters */
	WORK_TEXT_COPY,				/* at most as long as the argument */
	WORK_TEXT_HEAD,				/* the same, but only its head if the lengths are constants */
	WORK_TEXT_JOIN,
	WORK_TEXT_TRIM,				/* of each character of one text each of the other */
	WORK_TEXT_FIND,
	WORK_TEXT_SPLIT,
	WORK_TEXT_START,
	WORK_TEXT_CASE,
	WORK_TEXT_FOLD,				/* the same by Unicode */
	WORK_TEXT_INITCAP,
	WORK_TEXT_DIGEST,
	WORK_TEXT_LIKE,
	WORK_TEXT_ILIKE,
	WORK_TEXT_REGEX,
	WORK_TEXT_REPLACE,
	WORK_TEXT_READ,				/* casts of a text to another type */
	WORK_KINDS					/* how many there are */
} PaWorkKind;

/* constants: bit i is set where argument i must be free of columns */
extern PaFunctionClass pa_function_class(Oid function, int *constants);

/* Bit i is set where argument i must be known when the block is planned: units, time zones, patterns. */
extern int	pa_known_arguments(Oid function);

/* Whether a time zone is named, and by which argument, from 0, of such a function. */
extern bool pa_is_named_zone(PaWorkKind kind);
extern int	pa_zone_argument(Oid function);

/* Whether a function that matches regular expressions takes a letter for the same in the other case. */
extern bool pa_ignores_case(Oid function);

/* The built-in functions of the list, from 0; InvalidOid after the last.  Some may be refused in this database. */
extern Oid	pa_allowed_function(int i);

/* The function of the same name with double precision in the place of numeric, if that one is allowed; else InvalidOid. */
extern Oid	pa_function_of_doubles(Oid function);

/* WORK_UNKNOWN for a function that is not allowed. */
extern PaWorkKind pa_function_work(Oid function);

/* Errors out if a function of the list has no kind of work; called at start. */
extern void pa_allowlist_check(void);

/* The function of schema privacct that is NULL where this one raises an error. */
extern Oid	pa_total_twin(Oid function);

/* The built-in function whose total twin this is; a built-in one itself; InvalidOid for any other. */
extern Oid	pa_built_in_of_twin(Oid function);

/* privacct.logistic(double precision). */
extern bool pa_is_logistic(Oid function);

/* The functions of schema privacct that let only short parameters, and short values of rows, of the type pass. */
extern Oid	pa_parameter_function(Oid type);
extern Oid	pa_short_function(Oid type);

/* The function of schema privacct that casts a text to the type, or to NULL; InvalidOid: that is not allowed. */
extern Oid	pa_text_cast(Oid type);

/* Built-in types without user code behind them, whose comparisons are total. */
extern bool pa_type_allowed(Oid type);

#endif							/* PA_ALLOWLIST_H */
