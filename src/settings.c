/*
 * settings.c
 *		Session defaults of a release, as GUCs.
 */
#include "postgres.h"

#include "utils/guc.h"

#include "aggregate/owner_table.h"
#include "settings.h"

double		pa_default_epsilon = 0.1;
double		pa_default_delta = 1e-9;
int			pa_default_kernel = PA_KERNEL_OF_POLICY;

static const struct config_enum_entry kernel_options[] = {
	{"policy", PA_KERNEL_OF_POLICY, false},
	{"laplace", PA_KERNEL_LAPLACE, false},
	{"gaussian", PA_KERNEL_GAUSSIAN, false},
	{NULL, 0, false}
};

void
pa_settings_init(void)
{
	DefineCustomRealVariable("privacct.epsilon",
							 "Epsilon that a release asks for, shared by its statistics.",
							 "An aggregate with an epsilon option of its own is paid for in addition.",
							 &pa_default_epsilon, 0.1, 1e-6, 1e5, PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomRealVariable("privacct.delta",
							 "Delta that a release asks for, where its noise or the selection of groups needs one.",
							 NULL,
							 &pa_default_delta, 1e-9, 1e-30, 0.1, PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomEnumVariable("privacct.kernel",
							 "Noise of a release: laplace, gaussian, or what the policy says.",
							 NULL,
							 &pa_default_kernel, PA_KERNEL_OF_POLICY, kernel_options,
							 PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("privacct.owner_memory",
							"Memory of a release, in each of its processes, for the owners it has seen.",
							"Owners that find no room wait in temporary files.",
							&pa_owner_memory, 256 * 1024, 64, MAX_KILOBYTES, PGC_SUSET, GUC_UNIT_KB, NULL, NULL, NULL);
}
