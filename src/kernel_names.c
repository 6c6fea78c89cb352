/*
 * kernel_names.c
 *		See kernel_names.h.
 */
#include "postgres.h"

#include "lib/stringinfo.h"

#include "core/noise/kernel.h"
#include "kernel_names.h"

char *
pa_kernel_names(uint32 kinds)
{
	StringInfoData text;

	initStringInfo(&text);
	for (int kind = 0; kind < PA_KERNEL_KINDS; kind++)
	{
		uint32		after = kinds >> kind >> 1;

		if ((kinds & PA_KERNEL_BIT(kind)) == 0)
			continue;
		appendStringInfoString(&text, pa_kernel_name((PaKernelKind) kind));
		if (after != 0)
			appendStringInfoString(&text, (after & (after - 1)) == 0 ? " and " : ", ");
	}
	return text.data;
}
