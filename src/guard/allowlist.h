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

/* constants: bit i is set where argument i must be free of columns */
extern PaFunctionClass pa_function_class(Oid function, int *constants);

/* The function of schema privacct that is NULL where this one raises an error. */
extern Oid	pa_total_twin(Oid function);

/* The built-in function whose total twin this is; a built-in one itself; InvalidOid for any other. */
extern Oid	pa_built_in_of_twin(Oid function);

/* privacct.logistic(double precision). */
extern bool pa_is_logistic(Oid function);

/* The function of schema privacct that lets only short values of the type pass. */
extern Oid	pa_parameter_function(Oid type);

/* Built-in types without user code behind them, whose comparisons are total. */
extern bool pa_type_allowed(Oid type);

#endif							/* PA_ALLOWLIST_H */
