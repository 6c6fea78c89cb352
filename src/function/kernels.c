/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kernels.c
 *		privacct._kernels(): names of kinds of noise, for SQL.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "core/accounting/plan.h"
#include "core/noise/kernel.h"

typedef struct Property
{
	const char *name;
	bool		(*has) (PaKernelKind kind);
} Property;

static bool
is_any(PaKernelKind kind)
{
	return true;
}

static bool
is_plain(PaKernelKind kind)
{
	return !pa_kernel_needs_band(kind);
}

static const Property properties[] = {
	{"any", is_any},
	{"plain", is_plain},		/* without an error bound */
	{"pure", pa_kernel_is_pure},	/* without a delta */
	{"planned", pa_plan_allows}
};

/* _kernels(property): names */
PG_FUNCTION_INFO_V1(pa_kernels);
PGDLLEXPORT Datum
pa_kernels(PG_FUNCTION_ARGS)
{
	char	   *property = text_to_cstring(PG_GETARG_TEXT_PP(0));
	Datum		names[PA_KERNEL_KINDS];
	int			count = 0;

	for (int i = 0; i < lengthof(properties); i++)
	{
		if (strcmp(property, properties[i].name) != 0)
			continue;
		for (int kind = 0; kind < PA_KERNEL_KINDS; kind++)
			if (properties[i].has((PaKernelKind) kind))
				names[count++] = CStringGetTextDatum(pa_kernel_name((PaKernelKind) kind));
		PG_RETURN_ARRAYTYPE_P(construct_array(names, count, TEXTOID, -1, false, TYPALIGN_INT));
	}
	ereport(ERROR,
			errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			errmsg("kernels have no such property"),
			errhint("Use any, plain, pure or planned."));
}
