/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * repeat_key.c
 *		By what a release is known again; see repeat.h.
 */
#include "postgres.h"

#include <sodium.h>

#include "executor/executor.h"
#include "nodes/nodeFuncs.h"
#include "utils/datum.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"

#include "bound/group_table.h"
#include "bound/distinct.h"
#include "bound/order.h"
#include "node/repeat.h"
#include "settings.h"

/* Of a session: what decides the meaning of functions that a block may use, and of what it asks for. */
static const char *const settings[] = {
	"TimeZone", "timezone_abbreviations", "DateStyle", "IntervalStyle", "extra_float_digits", "bytea_output", "array_nulls",
	"lc_collate", "lc_ctype", "lc_messages", "lc_monetary", "lc_numeric", "lc_time", "xmlbinary", "xmloption",
	"default_text_search_config", "quote_all_identifiers", "search_path", "client_encoding",
	"privacct.epsilon", "privacct.delta", "privacct.kernel", "privacct.within", "privacct.sample_rate",
	"privacct.max_groups", "privacct.max_rows"
};

typedef struct Digest
{
	crypto_generichash_state state;
} Digest;

static void
add_bytes(Digest *digest, const void *bytes, Size length)
{
	crypto_generichash_update(&digest->state, bytes, length);
}

/* What has no length of its own is preceded by it. */
static void
add_sized(Digest *digest, const void *bytes, Size length)
{
	uint64		size = length;

	add_bytes(digest, &size, sizeof(size));
	add_bytes(digest, bytes, length);
}

static void
add_text(Digest *digest, const char *text)
{
	add_sized(digest, text ? text : "", text ? strlen(text) : 0);
}

static void
add_number(Digest *digest, int64 number)
{
	add_bytes(digest, &number, sizeof(number));
}

static void
add_real(Digest *digest, double number)
{
	add_bytes(digest, &number, sizeof(number));
}

static void
add_amount(Digest *digest, PaAmount amount)
{
	add_bytes(digest, &amount, sizeof(amount));
}

static void
add_datum(Digest *digest, Oid type, Datum value, bool isnull)
{
	int16		length;
	bool		by_value;
	Size		size;
	char	   *image;
	char	   *end;

	get_typlenbyval(type, &length, &by_value);
	if (!isnull && length == -1)
		value = PointerGetDatum(PG_DETOAST_DATUM(value));
	size = datumEstimateSpace(value, isnull, by_value, length);
	image = end = palloc0(size);
	datumSerialize(value, isnull, by_value, length, &end);
	add_number(digest, type);
	add_sized(digest, image, end - image);
	pfree(image);
}

/* --- what is asked --- */

static void
add_values(Digest *digest, const PaLeafSpec *spec, List *expressions, ExprContext *context)
{
	for (int i = 0; i < spec->nvalues; i++)
	{
		Expr	   *expression = list_nth(expressions, spec->first_value + i);
		bool		isnull;
		Datum		value = ExecEvalExprSwitchContext(ExecInitExpr(expression, NULL), context, &isnull);

		add_datum(digest, exprType((Node *) expression), value, isnull);
	}
}

/* Which of its columns are wanted: statistics of others are not released. */
static void
add_columns(Digest *digest, const PaLeafSpec *spec)
{
	add_number(digest, spec->nkeys);
	add_number(digest, spec->naggregates);
	for (int i = 0; i < spec->naggregates; i++)
	{
		add_number(digest, spec->aggregates[i].kind);
		add_number(digest, spec->aggregates[i].result_type);
		add_text(digest, spec->aggregates[i].label);
	}
	add_number(digest, spec->nlevels);
	for (int i = 0; i < spec->nlevels; i++)
		add_number(digest, spec->levels[i]);
	add_number(digest, spec->ngroupings);
	for (int i = 0; i < spec->ngroupings; i++)
	{
		add_number(digest, spec->groupings[i].nkeys);
		for (int j = 0; j < spec->groupings[i].nkeys; j++)
			add_number(digest, spec->groupings[i].keys[j]);
	}
	for (int i = 0; i < spec->ncolumns; i++)
		if (!PA_IS_INTERVAL_COLUMN(spec->columns[i]))
			add_number(digest, spec->columns[i]);
}

static void
add_settings(Digest *digest)
{
	for (int i = 0; i < lengthof(settings); i++)
		add_text(digest, GetConfigOption(settings[i], true, false));
}

/* --- what the release would be --- */

static void
add_policies(Digest *digest, const PaRelease *release)
{
	add_number(digest, release->policy->unit);
	add_number(digest, release->spec->ntables);
	for (int i = 0; i < release->spec->ntables; i++)
	{
		add_number(digest, release->policies[i]->policy_id);
		add_number(digest, release->policies[i]->relation);
	}
}

static void
add_declared(Digest *digest, const PaLeafKey *key, const PaKeys *keys)
{
	add_number(digest, keys->count);
	for (int i = 0; i < keys->count; i++)
		add_datum(digest, key->type, keys->values[i], keys->nulls[i]);
}

/* Those that are in the answer whatever the rows are. */
static void
add_groups(Digest *digest, const PaRelease *release)
{
	const PaLeafSpec *spec = release->spec;

	for (int i = 0; i < spec->nkeys && release->declared_groups; i++)
	{
		const PaKeys *keys = pa_groups_keys_of(&spec->keys[i], release->policies);

		add_number(digest, spec->keys[i].listed);
		if (spec->keys[i].listed < 0 && keys)
			add_declared(digest, &spec->keys[i], keys);
	}
	if (release->key_rows)
	{
		Size		size = pa_key_rows_size(release->key_rows);
		char	   *rows = MemoryContextAllocHuge(CurrentMemoryContext, size);

		memset(rows, 0, size);
		pa_key_rows_write(release->key_rows, rows);
		add_sized(digest, rows, size);
		pfree(rows);
	}
}

static void
add_limits(Digest *digest, const PaRelease *release)
{
	add_number(digest, release->max_groups);
	add_number(digest, release->max_rows);
	add_number(digest, release->one_row_per_owner);
	add_number(digest, release->declared_groups);
	add_number(digest, release->select_groups);
	add_real(digest, release->selection_delta);
	add_number(digest, release->threshold);
	add_real(digest, release->statistics->rate);
	add_number(digest, release->choose);
	add_real(digest, release->draw_epsilon);
	add_amount(digest, release->cost.epsilon);
	add_amount(digest, release->cost.delta);
	add_amount(digest, release->cost.rho);
	add_number(digest, release->plan_id);
}

static void
add_order(Digest *digest, const PaOrder *order)
{
	add_number(digest, order->kind);
	add_number(digest, order->nranks);
	for (int i = 0; i < order->nranks; i++)
		add_number(digest, order->quantiles[i]);
	add_number(digest, order->first);
	add_number(digest, order->cells);
	add_number(digest, order->k);
	add_real(digest, order->mechanism.epsilon);
}

static void
add_statistic(Digest *digest, const PaStatistic *statistic)
{
	const PaCalibration *calibration = &statistic->calibration;
	char		kernel[PA_KERNEL_TEXT] = "";

	add_number(digest, statistic->kind);
	add_number(digest, statistic->input);
	add_real(digest, statistic->within);
	add_real(digest, statistic->lo);
	add_real(digest, statistic->hi);
	add_real(digest, statistic->centre);
	add_number(digest, statistic->exponent);
	add_number(digest, statistic->row_lo);
	add_number(digest, statistic->row_hi);
	add_number(digest, statistic->owner_lo);
	add_number(digest, statistic->owner_hi);
	add_number(digest, statistic->max_rows);
	add_number(digest, statistic->exact);
	add_number(digest, statistic->base);
	add_number(digest, statistic->level);
	add_number(digest, statistic->shares);
	(void) pa_kernel_print(&calibration->kernel, kernel);	/* a table has no text: what it is made from follows */
	add_text(digest, kernel);
	add_number(digest, calibration->kernel.kind);
	add_number(digest, calibration->shift);
	add_number(digest, calibration->band);
	add_real(digest, calibration->epsilon);
	add_real(digest, calibration->delta);
	add_real(digest, calibration->rho);
	add_number(digest, statistic->choice ? statistic->choice->caps : 0);
	add_number(digest, statistic->order != NULL);
	if (statistic->order)
		add_order(digest, statistic->order);
}

static void
add_release(Digest *digest, const PaRelease *release)
{
	const PaStatistics *set = release->statistics;

	add_policies(digest, release);
	add_groups(digest, release);
	add_limits(digest, release);
	add_number(digest, set->nstatistics);
	for (int i = 0; i < set->nstatistics; i++)
		add_statistic(digest, &set->statistics[i]);
}

/* --- all of it --- */

bool
pa_repeat_key(const PaRelease *release, List *expressions, ExprContext *context, PaRepeatKey *key)
{
	const PaLeafSpec *spec = release->spec;
	Digest		digest;

	if (release->policy->repeat_age == 0 || spec->question == NULL || spec->question[0] == '\0' || release->owners != NIL ||
		pa_release_is_free(release))
		return false;
	crypto_generichash_init(&digest.state, NULL, 0, PA_REPEAT_KEY);
	add_text(&digest, spec->question);
	add_values(&digest, spec, expressions, context);
	add_columns(&digest, spec);
	add_settings(&digest);
	add_release(&digest, release);
	add_number(&digest, release->policy->repeats_shared ? InvalidOid : release->user);
	crypto_generichash_final(&digest.state, key->hash, PA_REPEAT_KEY);
	return true;
}
