/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * parts.c
 *		See parts.h.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/catversion.h"
#include "nodes/nodeFuncs.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "bound/group_table.h"
#include "compat/version.h"
#include "node/digest.h"
#include "node/parts.h"
#include "price/form/form.h"
#include "price/levels.h"
#include "descend.h"
#include "settings.h"
#include "tree_text.h"

#define FORMAT 1				/* of what is written; what has another one, or is of another PostgreSQL or of types that were dropped, is not read */

/* --- what can be derived --- */

/* Of what is listed together, which groups there are is told by these alone. */
static bool
shows_finest(const PaRelease *release)
{
	uint32		all = (uint32) ((UINT64CONST(1) << release->spec->nkeys) - 1);

	return pa_levels_times(release->spec, all) > 0;
}

const char *
pa_parts_problem(const PaRelease *release, bool made)
{
	const PaLeafSpec *spec = release->spec;

	if (release->select_groups && (made || release->declared_groups || release->levels))
		return "Its groups are selected privately, so those that are shown are not all, and their counts are too large on average.";
	if (release->statistics->rate < 1)
		return "It is made on a sample of owners, another one each time.";
	if (release->choose > 0)
		return "Its values are chosen, not added up.";
	if (!pa_groups_told_apart(spec, release->policies, release->key_rows))
		return "A key is too long for a group of its own: its rows are in the group of null.";
	if (made && release->refinement)
		return "Its numbers were refined until they were exact enough, which says something of them.";
	for (int i = 0; i < spec->naggregates; i++)
		if (!pa_aggregate_form(spec->aggregates[i].kind)->adds_up)
			return psprintf("%s is not a sum of its parts.", spec->aggregates[i].label);
	if (spec->naggregates == 0)
		return "It has no aggregate.";
	if (made && release->levels && release->levels->nparts > 0 && !shows_finest(release))
		return "Its groupings are by some of the columns whose values public data list together, and none is by all of them.";
	return NULL;
}

/* The aggregate that reads what a statistic is the sum of; -1: nothing is read. */
static int
aggregate_of(const PaRelease *release, int statistic)
{
	const PaAggregateSource *sources = release->statistics->sources;

	for (int i = 0; i < release->spec->naggregates; i++)
		if (sources[i].count == statistic || sources[i].sum == statistic || sources[i].squares == statistic)
			return i;
	elog(ERROR, "statistic %d belongs to no aggregate", statistic);
}

PaSumName
pa_sum_name(const PaRelease *release, const PaAsked *asked, int statistic)
{
	const PaStatistic *described = &release->statistics->statistics[statistic];
	PaSumName	name;
	PaDigest	digest;

	pa_digest_begin(&digest, PA_SUM_BYTES);
	pa_digest_statistic(&digest, described);
	pa_digest_number(&digest, described->input >= 0);
	if (described->input >= 0)
		pa_digest_text(&digest, pa_tree_text(list_nth(asked->values, aggregate_of(release, described->base))));
	pa_digest_end(&digest, name.hash, PA_SUM_BYTES);
	return name;
}

/* Other laws have no bounds for their sums here. */
static bool
has_known_law(const PaStatistic *statistic)
{
	PaKernelKind kind = statistic->calibration.kernel.kind;

	return kind == PA_KERNEL_LAPLACE || kind == PA_KERNEL_GAUSSIAN;
}

/* --- writing --- */

static bool
make_room(PaPartsWriter *writer, Size needed)
{
	writer->too_large |= writer->data.len + needed > (Size) pa_repeat_size * 1024;
	if (!writer->too_large)
		enlargeStringInfo(&writer->data, (int) needed);
	return !writer->too_large;
}

static void
put(PaPartsWriter *writer, const void *bytes, Size length)
{
	if (make_room(writer, length))
		appendBinaryStringInfo(&writer->data, bytes, (int) length);
}

static void
put_number(PaPartsWriter *writer, int32 number)
{
	put(writer, &number, sizeof(number));
}

static void
put_text(PaPartsWriter *writer, const char *text)
{
	put(writer, text, strlen(text) + 1);
}

static void
put_datum(PaPartsWriter *writer, Oid type, Datum value, bool isnull)
{
	int16		length;
	bool		by_value;
	char	   *end;

	get_typlenbyval(type, &length, &by_value);
	if (!isnull && length == -1)
		value = PointerGetDatum(PG_DETOAST_DATUM(value));
	if (!make_room(writer, datumEstimateSpace(value, isnull, by_value, length)))
		return;
	end = writer->data.data + writer->data.len;
	datumSerialize(value, isnull, by_value, length, &end);
	writer->data.len = (int) (end - writer->data.data);
}

static uint32
level_of(const PaRelease *release, const PaStatistic *statistic)
{
	return release->levels ? release->levels->keys[statistic->level] : release->spec->levels[0];
}

static PaPartSum
describe_sum(const PaRelease *release, const PaAsked *asked, int number)
{
	const PaStatistic *statistic = &release->statistics->statistics[number];
	const PaCalibration *calibration = &statistic->calibration;
	double		step = pa_statistic_value(statistic, 1);

	return (PaPartSum) {
		.name = pa_sum_name(release, asked, number),.level = level_of(release, statistic),
		.shape = calibration->kernel.kind == PA_KERNEL_LAPLACE ? PA_LAPLACE : PA_GAUSSIAN,
		.scale = pa_kernel_scale(&calibration->kernel),.step = step,
		.rounding = calibration->lattice.divisor > 1 ? step / 2 : 0
	};
}

static void
put_keys(PaPartsWriter *writer, const PaAsked *asked)
{
	const PaLeafSpec *spec = writer->release->spec;

	put_number(writer, spec->nkeys);
	for (int i = 0; i < spec->nkeys; i++)
	{
		put_text(writer, nodeToString(list_nth(asked->keys, i)));
		put_text(writer, pa_asked_name(asked, list_nth(asked->keys, i)));
		put_number(writer, (int32) spec->keys[i].type);
		put_number(writer, (int32) spec->keys[i].collation);
		put_number(writer, spec->keys[i].listed >= 0);
	}
}

static void
put_sums(PaPartsWriter *writer, const PaAsked *asked)
{
	const PaStatistics *set = writer->release->statistics;

	writer->statistics = palloc(sizeof(int) * (set->nstatistics + 1));
	for (int i = 0; i < set->nstatistics; i++)
		if (has_known_law(&set->statistics[i]))
			writer->statistics[writer->nsums++] = i;
	put_number(writer, writer->nsums);
	for (int i = 0; i < writer->nsums; i++)
	{
		PaPartSum	sum = describe_sum(writer->release, asked, writer->statistics[i]);

		put(writer, &sum, sizeof(sum));
	}
}

PaPartsWriter *
pa_parts_begin(const PaRelease *release, const PaAsked *asked)
{
	PaPartsWriter *writer;

	if (asked == NULL || pa_parts_problem(release, true) != NULL)
		return NULL;
	writer = palloc0(sizeof(PaPartsWriter));
	writer->release = release;
	initStringInfo(&writer->data);
	put_number(writer, FORMAT);
	put_number(writer, CATALOG_VERSION_NO);
	put_number(writer, release->one_row_per_owner);
	put_text(writer, nodeToString(asked->conditions));
	put_keys(writer, asked);
	put_sums(writer, asked);
	return writer->nsums > 0 ? writer : NULL;
}

/* Totals that are sums of others have no noise of their own, and are not kept. */
static bool
has_sums(const PaPartsWriter *writer, uint32 level)
{
	const PaRelease *release = writer->release;

	for (int i = 0; i < writer->nsums; i++)
		if (level_of(release, &release->statistics->statistics[writer->statistics[i]]) == level)
			return true;
	return false;
}

void
pa_parts_add(PaPartsWriter *writer, uint32 level, const Datum *keys, const bool *nulls, const double *totals)
{
	const PaRelease *release = writer->release;

	if (!has_sums(writer, level))
		return;
	put_number(writer, (int32) level);
	for (int i = 0; i < release->spec->nkeys; i++)
		put_datum(writer, release->spec->keys[i].type, keys[i], nulls[i]);
	for (int i = 0; i < writer->nsums; i++)
	{
		const PaStatistic *statistic = &release->statistics->statistics[writer->statistics[i]];

		if (level_of(release, statistic) == level)
			put(writer, &totals[writer->statistics[i]], sizeof(double));
	}
	writer->ncells++;
}

bytea *
pa_parts_end(PaPartsWriter *writer)
{
	bytea	   *result;

	if (writer->too_large)
		return NULL;
	result = palloc(VARHDRSZ + writer->data.len);
	SET_VARSIZE(result, VARHDRSZ + writer->data.len);
	memcpy(VARDATA(result), writer->data.data, writer->data.len);
	return result;
}

/* --- reading --- */

typedef struct Cursor
{
	const char *position;
	const char *end;
} Cursor;

static void
take(Cursor *cursor, void *bytes, Size length)
{
	if ((Size) (cursor->end - cursor->position) < length)
		elog(ERROR, "a kept release ends too early");
	memcpy(bytes, cursor->position, length);
	cursor->position += length;
}

static int32
take_number(Cursor *cursor)
{
	int32		number;

	take(cursor, &number, sizeof(number));
	return number;
}

static char *
take_text(Cursor *cursor)
{
	Size		length = strnlen(cursor->position, cursor->end - cursor->position) + 1;
	char	   *text = palloc(length);

	take(cursor, text, length);
	return text;
}

static void
read_keys(Cursor *cursor, PaParts *parts)
{
	parts->nkeys = take_number(cursor);
	parts->keys = palloc0(sizeof(PaPartKey) * Max(parts->nkeys, 1));
	for (int i = 0; i < parts->nkeys; i++)
	{
		PaPartKey  *key = &parts->keys[i];

		key->expression = stringToNode(take_text(cursor));
		key->name = take_text(cursor);
		key->type = (Oid) take_number(cursor);
		key->collation = (Oid) take_number(cursor);
		key->listed = take_number(cursor);
	}
}

static void
read_sums(Cursor *cursor, PaParts *parts)
{
	parts->nsums = take_number(cursor);
	parts->sums = palloc0(sizeof(PaPartSum) * Max(parts->nsums, 1));
	for (int i = 0; i < parts->nsums; i++)
		take(cursor, &parts->sums[i], sizeof(PaPartSum));
}

static PaPartCell
read_cell(Cursor *cursor, const PaParts *parts)
{
	PaPartCell	cell = {.level = (uint32) take_number(cursor)};
	char	   *position = unconstify(char *, cursor->position);

	cell.keys = palloc(sizeof(Datum) * Max(parts->nkeys, 1));
	cell.nulls = palloc(sizeof(bool) * Max(parts->nkeys, 1));
	cell.totals = palloc(sizeof(double) * Max(parts->nsums, 1));
	for (int i = 0; i < parts->nkeys; i++)
		cell.keys[i] = datumRestore(&position, &cell.nulls[i]);
	cursor->position = position;
	for (int i = 0; i < parts->nsums; i++)
		if (parts->sums[i].level == cell.level)
			take(cursor, &cell.totals[i], sizeof(double));
		else
			cell.totals[i] = NAN;
	return cell;
}

static bool
is_gone(Oid type, Oid collation)
{
	return !SearchSysCacheExists1(TYPEOID, ObjectIdGetDatum(type)) ||
		(OidIsValid(collation) && !SearchSysCacheExists1(COLLOID, ObjectIdGetDatum(collation)));
}

/*
 * Functions and operators are of the system catalogs.  Types and collations are those of columns, and of what is made
 * of them: they may have been dropped, when the columns had others.
 */
static bool
gone_walker(Node *node, void *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	if ((IsA(node, Var) || IsA(node, Const) || IsA(node, FuncExpr) || IsA(node, RelabelType) || IsA(node, CoerceViaIO) ||
		 IsA(node, ArrayExpr) || IsA(node, ArrayCoerceExpr) || IsA(node, CoerceToDomain) || IsA(node, CaseExpr) ||
		 IsA(node, CoalesceExpr) || IsA(node, MinMaxExpr)) &&
		is_gone(exprType(node), exprCollation(node)))
		return true;
	return expression_tree_walker(node, gone_walker, context);
}

static bool
is_of_what_is_gone(const PaParts *parts)
{
	for (int i = 0; i < parts->nkeys; i++)
		if (is_gone(parts->keys[i].type, parts->keys[i].collation) || gone_walker(parts->keys[i].expression, NULL))
			return true;
	return gone_walker((Node *) parts->conditions, NULL);
}

PaParts *
pa_parts_read(const char *data, Size length)
{
	Cursor		cursor = {data, data + length};
	PaParts    *parts = palloc0(sizeof(PaParts));
	int			room = 16;

	if (take_number(&cursor) != FORMAT || take_number(&cursor) != CATALOG_VERSION_NO)
		return NULL;
	parts->whole = take_number(&cursor);
	parts->conditions = stringToNode(take_text(&cursor));
	read_keys(&cursor, parts);
	read_sums(&cursor, parts);
	if (is_of_what_is_gone(parts))
		return NULL;
	parts->cells = palloc(sizeof(PaPartCell) * room);
	while (cursor.position < cursor.end)
	{
		if (parts->ncells == room)
			parts->cells = repalloc_huge(parts->cells, sizeof(PaPartCell) * (room *= 2));
		parts->cells[parts->ncells++] = read_cell(&cursor, parts);
	}
	return parts;
}
