/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * settings.c
 *		See settings.h.
 */
#include "postgres.h"

#include <limits.h>

#include "utils/guc.h"
#include "utils/plancache.h"

#include "settings.h"
#include "size_limits.h"

double		pa_default_epsilon = 0.1;
double		pa_default_delta = 1e-9;
int			pa_default_kernel = PA_KERNEL_OF_POLICY;
double		pa_default_within = -1;
PaAccuracy	pa_default_accuracy = {0};
double		pa_accuracy_floor = 0;
double		pa_default_sample_rate = 1;
int			pa_max_groups = 0;
int			pa_max_rows = 0;
bool		pa_empty_rows = false;
bool		pa_error_bars = false;
int			pa_repeat_size = 1024;
int			pa_owner_memory = 256 * 1024;
int			pa_group_memory = 1024 * 1024;
int			pa_book_memory = 256 * 1024;
int			pa_filter_nodes = 20000;
bool		pa_allow_serializable = false;
bool		pa_lossless_promotion = false;
static char *accuracy_text = NULL;
static bool allow_drop_extension = false;	/* read by privacct._check_may_forget() */

static const struct config_enum_entry kernel_options[] = {
	{"policy", PA_KERNEL_OF_POLICY, false},
#define PA_KERNEL(kind, name) {#name, kind, false},
#include "core/noise/kernel_list.h"
	{NULL, 0, false}
};

/* A plan that returns no rows says nothing of how it came about. */
static void
forget_plans(bool value, void *extra)
{
	if (value != pa_empty_rows)
		ResetPlanCache();
}

static bool
check_accuracy(char **value, void **extra, GucSource source)
{
	PaAccuracy	accuracy;

	if (!pa_accuracy_parse(*value, &accuracy))
	{
		GUC_check_errdetail("It is no error that can be asked for.");
		GUC_check_errhint("%s", PA_ACCURACY_FORM);
		return false;
	}
	return true;
}

static void
assign_accuracy(const char *value, void *extra)
{
	(void) pa_accuracy_parse(value, &pa_default_accuracy);
}

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
							 "Noise of a release.",
							 "policy: what suits an error bound best, or without one what the policy says.",
							 &pa_default_kernel, PA_KERNEL_OF_POLICY, kernel_options,
							 PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomRealVariable("privacct.within",
							 "Error bound within which noise should stay as often as possible; -1: none.",
							 "In units of the answer; an aggregate's own option within takes precedence.",
							 &pa_default_within, -1, -1, 1e100, PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomStringVariable("privacct.accuracy",
							   "Error of 95 % that answers should have, as '100' or '2 %'; empty: none.",
							   "In units of the answer: the least epsilon that reaches it is charged. "
							   "In per cent: as much of the release's epsilon as that takes. "
							   "An aggregate's own option error takes precedence.",
							   &accuracy_text, "", PGC_USERSET, 0, check_accuracy, assign_accuracy, NULL);
	DefineCustomRealVariable("privacct.accuracy_floor",
							 "Answers closer to 0 than this may have the error that this one may have.",
							 "For errors in per cent; an aggregate's own option floor takes precedence.",
							 &pa_accuracy_floor, 0, 0, 1e100, PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomRealVariable("privacct.sample_rate",
							 "Probability with which each owner enters the sample that a release is computed from.",
							 "1: no sampling.",
							 &pa_default_sample_rate, 1, 1e-6, 1, PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("privacct.max_groups",
							"How many groups of a release one owner may contribute to; 0: as many as the policy says.",
							"More of them let more of an owner's rows count, and take more noise.",
							&pa_max_groups, 0, 0, PA_MOST_GROUPS, PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("privacct.max_rows",
							"With how many rows one owner may count in a group of a release; 0: as many as the policy says.",
							"An aggregate's own option max_rows takes precedence.",
							&pa_max_rows, 0, 0, PA_MOST_ROWS, PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomBoolVariable("privacct.empty_rows",
							 "Returns no rows where a SELECT would return rows of protected tables, instead of an error.",
							 "For clients that read a row to learn the columns.",
							 &pa_empty_rows, false, PGC_USERSET, 0, NULL, forget_plans, NULL);
	DefineCustomBoolVariable("privacct.error_bars",
							 "Shows beside each number that a SELECT releases the ends of its interval, as further columns.",
							 "For what a client sends itself: not in functions, cursors, other commands and prepared statements of SQL.",
							 &pa_error_bars, false, PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomBoolVariable("privacct.allow_serializable",
							 "Allows isolation level serializable also to who reads protected tables only through releases.",
							 "For applications that have nothing to do with protected tables: ALTER ROLE ... SET privacct.allow_serializable = on.",
							 &pa_allow_serializable, false, PGC_SUSET, GUC_NOT_IN_SAMPLE, NULL, NULL, NULL);
	DefineCustomBoolVariable("privacct.lossless_promotion",
							 "Says that every server that is promoted has confirmed each commit of the one whose place it takes.",
							 "After a promotion, questions are then answered without privacct.accept_books().",
							 &pa_lossless_promotion, false, PGC_SIGHUP, 0, NULL, NULL, NULL);
	DefineCustomBoolVariable("privacct.allow_drop_extension",
							 "Lets DROP EXTENSION forget what protected tables have spent.",
							 NULL,
							 &allow_drop_extension, false, PGC_SUSET, GUC_NOT_IN_SAMPLE, NULL, NULL, NULL);
	DefineCustomIntVariable("privacct.filter_nodes",
							"How many boxes a search for an owner's loss over interval columns may look at.",
							"A search that is not finished by then leaves the owner out.",
							&pa_filter_nodes, 20000, 0, 100000, PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("privacct.book_memory",
							"Memory of a session for the likelihood tables of each table of the local regime that it asks.",
							"What tables that do not fit have given away becomes a number, which is added to what the owner is asked from then on.",
							&pa_book_memory, 256 * 1024, 64, MAX_KILOBYTES, PGC_SUSET, GUC_UNIT_KB, NULL, NULL, NULL);
	DefineCustomIntVariable("privacct.repeat_size",
							"Size up to which a release is kept for repeats.",
							"Larger ones are made and paid for each time.",
							&pa_repeat_size, 1024, 1, 64 * 1024, PGC_SUSET, GUC_UNIT_KB, NULL, NULL, NULL);
	DefineCustomIntVariable("privacct.group_memory",
							"Memory of a release, in each of its processes, for groups whose keys are public.",
							"A block that needs more is refused before it is charged.",
							&pa_group_memory, 1024 * 1024, 64, MAX_KILOBYTES, PGC_SUSET, GUC_UNIT_KB, NULL, NULL, NULL);
	DefineCustomIntVariable("privacct.owner_memory",
							"Memory of a release, in each of its processes, for the owners it has seen.",
							"Owners that do not fit wait in temporary files.",
							&pa_owner_memory, 256 * 1024, 64, MAX_KILOBYTES, PGC_SUSET, GUC_UNIT_KB, NULL, NULL, NULL);
}
