/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * repeat_key.c
 *		By what a release is known again; see repeat.h.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "nodes/nodeFuncs.h"
#include "utils/guc.h"

#include "bound/group_table.h"
#include "bound/distinct.h"
#include "bound/order.h"
#include "node/digest.h"
#include "node/repeat.h"
#include "settings.h"

/* Of a session: what it asks for. */
static const char *const settings[] = {
	"privacct.epsilon", "privacct.delta", "privacct.kernel", "privacct.within", "privacct.sample_rate",
	"privacct.max_groups", "privacct.max_rows", "privacct.accuracy", "privacct.accuracy_floor"
};

static void
add_amount(PaDigest *digest, PaAmount amount)
{
	pa_digest_bytes(digest, &amount, sizeof(amount));
}

/* --- what is asked --- */

static void
add_values(PaDigest *digest, const PaLeafSpec *spec, List *expressions, ExprContext *context)
{
	for (int i = 0; i < spec->nvalues; i++)
	{
		Expr	   *expression = list_nth(expressions, spec->first_value + i);
		bool		isnull;
		Datum		value = ExecEvalExprSwitchContext(ExecInitExpr(expression, NULL), context, &isnull);

		pa_digest_datum(digest, exprType((Node *) expression), value, isnull);
	}
}

/* Which of its columns are wanted: statistics of others are not released. */
static void
add_columns(PaDigest *digest, const PaLeafSpec *spec)
{
	pa_digest_number(digest, spec->nkeys);
	pa_digest_number(digest, spec->naggregates);
	for (int i = 0; i < spec->naggregates; i++)
	{
		pa_digest_number(digest, spec->aggregates[i].kind);
		pa_digest_number(digest, spec->aggregates[i].result_type);
		pa_digest_text(digest, spec->aggregates[i].label);
	}
	pa_digest_number(digest, spec->nlevels);
	for (int i = 0; i < spec->nlevels; i++)
		pa_digest_number(digest, spec->levels[i]);
	pa_digest_number(digest, spec->ngroupings);
	for (int i = 0; i < spec->ngroupings; i++)
	{
		pa_digest_number(digest, spec->groupings[i].nkeys);
		for (int j = 0; j < spec->groupings[i].nkeys; j++)
			pa_digest_number(digest, spec->groupings[i].keys[j]);
	}
	for (int i = 0; i < spec->ncolumns; i++)
		if (!PA_IS_INTERVAL_COLUMN(spec->columns[i]))
			pa_digest_number(digest, spec->columns[i]);
}

static void
add_settings(PaDigest *digest)
{
	pa_digest_settings(digest);
	for (int i = 0; i < lengthof(settings); i++)
		pa_digest_text(digest, GetConfigOption(settings[i], true, false));
}

/* --- what the release would be --- */

static void
add_declared(PaDigest *digest, const PaLeafKey *key, const PaKeys *keys)
{
	pa_digest_number(digest, keys->count);
	for (int i = 0; i < keys->count; i++)
		pa_digest_datum(digest, key->type, keys->values[i], keys->nulls[i]);
}

/* Those that are in the answer whatever the rows are. */
static void
add_groups(PaDigest *digest, const PaRelease *release)
{
	const PaLeafSpec *spec = release->spec;

	for (int i = 0; i < spec->nkeys && release->declared_groups; i++)
	{
		const PaKeys *keys = pa_groups_keys_of(&spec->keys[i], release->policies);

		pa_digest_number(digest, spec->keys[i].listed);
		if (spec->keys[i].listed < 0 && keys)
			add_declared(digest, &spec->keys[i], keys);
	}
	if (release->key_rows)
	{
		Size		size = pa_key_rows_size(release->key_rows);
		char	   *rows = MemoryContextAllocHuge(CurrentMemoryContext, size);

		memset(rows, 0, size);
		pa_key_rows_write(release->key_rows, rows);
		pa_digest_sized(digest, rows, size);
		pfree(rows);
	}
}

static void
add_limits(PaDigest *digest, const PaRelease *release)
{
	pa_digest_number(digest, release->max_groups);
	pa_digest_number(digest, release->max_rows);
	pa_digest_number(digest, release->one_row_per_owner);
	pa_digest_number(digest, release->declared_groups);
	pa_digest_number(digest, release->select_groups);
	pa_digest_real(digest, release->selection_delta);
	pa_digest_number(digest, release->select_groups ? release->statistics->statistics[release->statistics->selection].threshold : 0);
	pa_digest_real(digest, release->statistics->rate);
	pa_digest_number(digest, release->choose);
	pa_digest_real(digest, release->draw_epsilon);
	add_amount(digest, release->cost.epsilon);
	add_amount(digest, release->cost.delta);
	add_amount(digest, release->cost.rho);
	pa_digest_number(digest, release->plan_id);
}

static void
add_order(PaDigest *digest, const PaOrder *order)
{
	pa_digest_number(digest, order->kind);
	pa_digest_number(digest, order->nranks);
	for (int i = 0; i < order->nranks; i++)
		pa_digest_number(digest, order->quantiles[i]);
	pa_digest_number(digest, order->first);
	pa_digest_number(digest, order->cells);
	pa_digest_number(digest, order->k);
	pa_digest_real(digest, order->mechanism.epsilon);
}

static void
add_statistic(PaDigest *digest, const PaStatistic *statistic)
{
	const PaCalibration *calibration = &statistic->calibration;
	char		kernel[PA_KERNEL_TEXT] = "";

	pa_digest_statistic(digest, statistic);
	pa_digest_number(digest, statistic->input);
	pa_digest_real(digest, statistic->within);
	pa_digest_real(digest, statistic->error);
	pa_digest_number(digest, statistic->base);
	pa_digest_number(digest, statistic->level);
	pa_digest_number(digest, statistic->shares);
	(void) pa_kernel_print(&calibration->kernel, kernel);	/* a table has no text: what it is made from follows */
	pa_digest_text(digest, kernel);
	pa_digest_number(digest, calibration->kernel.kind);
	pa_digest_number(digest, calibration->shift);
	pa_digest_number(digest, calibration->band);
	pa_digest_real(digest, calibration->epsilon);
	pa_digest_real(digest, calibration->delta);
	pa_digest_real(digest, calibration->rho);
	pa_digest_number(digest, statistic->choice ? statistic->choice->caps : 0);
	pa_digest_number(digest, statistic->order != NULL);
	if (statistic->order)
		add_order(digest, statistic->order);
}

static void
add_release(PaDigest *digest, const PaRelease *release)
{
	const PaStatistics *set = release->statistics;

	pa_digest_policies(digest, release);
	add_groups(digest, release);
	add_limits(digest, release);
	pa_digest_number(digest, set->nstatistics);
	for (int i = 0; i < set->nstatistics; i++)
		add_statistic(digest, &set->statistics[i]);
	for (int i = 0; i < release->spec->naggregates; i++)
	{
		pa_digest_real(digest, release->arguments[i].options.relative);
		pa_digest_real(digest, release->arguments[i].options.least);
	}
}

/* --- all of it --- */

bool
pa_repeat_key(const PaRelease *release, List *expressions, ExprContext *context, PaRepeatKey *key)
{
	const PaLeafSpec *spec = release->spec;
	PaDigest		digest;

	if (!pa_policy_repeats(release->policy) || spec->question == NULL || spec->question[0] == '\0' || release->owners != NIL ||
		pa_release_is_free(release))
		return false;
	pa_digest_begin(&digest, PA_REPEAT_KEY);
	pa_digest_text(&digest, spec->question);
	add_values(&digest, spec, expressions, context);
	add_columns(&digest, spec);
	add_settings(&digest);
	add_release(&digest, release);
	pa_digest_number(&digest, release->policy->repeats_shared ? InvalidOid : release->user);
	pa_digest_end(&digest, key->hash, PA_REPEAT_KEY);
	return true;
}
