/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * marker.c
 *		The hidden last column of a leaf: which table, by which policy, whose rows, and
 *		what the release has to know of the block (bound/aggregate.h).
 */
#include "postgres.h"

#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "compat/statement.h"
#include "compat/permissions.h"
#include "bound/aggregate.h"
#include "guard/block_rules.h"
#include "guard/composed.h"

void
pa_add_to_marker(Aggref *marker, Node *node)
{
	marker->aggargtypes = lappend_oid(marker->aggargtypes, exprType(node));
	marker->args = lappend(marker->args, makeTargetEntry((Expr *) node, list_length(marker->args) + 1, NULL, false));
}

static void
add_number(Aggref *marker, int32 number)
{
	pa_add_to_marker(marker, (Node *) makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(number), false, true));
}

static void
add_array(Aggref *marker, Oid type, Oid element, Datum *values, int count)
{
	int16		length;
	bool		by_value;
	char		align;

	get_typlenbyvalalign(element, &length, &by_value, &align);
	pa_add_to_marker(marker, (Node *) makeConst(type, -1, InvalidOid, -1,
												PointerGetDatum(construct_array(values, count, element, length, by_value, align)),
												false, false));
}

/* It is planned by itself. */
static char *
text_of_key_query(const PaBlock *block)
{
	Query	   *query = copyObject(block->key_query);

	pa_close_statement(query);
	pa_settle_permissions(query);
	return nodeToString(query);
}

static void
add_text(Aggref *marker, const char *text)
{
	pa_add_to_marker(marker, (Node *) makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1,
												text ? CStringGetTextDatum(text) : (Datum) 0, text == NULL, false));
}

static void
add_key_query(Aggref *marker, const PaBlock *block)
{
	int			count = 0;
	Datum	   *references = palloc(sizeof(Datum) * (list_length(block->listed_keys) + 1));
	ListCell   *cell;

	foreach(cell, block->listed_keys)
		references[count++] = Int32GetDatum(lfirst_int(cell));
	add_text(marker, block->key_query ? text_of_key_query(block) : NULL);
	add_array(marker, INT4ARRAYOID, INT4OID, references, count);
}

/* NULL: it reads others. */
static void
add_public_tables(Aggref *marker, const PaBlock *block)
{
	List	   *relations;
	Datum	   *values;
	int			count = 0;
	ListCell   *cell;

	if (!pa_public_tables(block, &relations))
	{
		pa_add_to_marker(marker, (Node *) makeNullConst(OIDARRAYOID, -1, InvalidOid));
		return;
	}
	values = palloc(sizeof(Datum) * (list_length(relations) + 1));
	foreach(cell, relations)
		values[count++] = ObjectIdGetDatum(lfirst_oid(cell));
	add_array(marker, OIDARRAYOID, OIDOID, values, count);
}

static void
add_question(Aggref *marker, const PaBlock *block)
{
	List	   *values;
	char	   *parts;
	ListCell   *cell;

	add_text(marker, pa_question(block, &values, &parts));
	add_text(marker, parts);
	add_public_tables(marker, block);
	add_text(marker, pa_composed_text(block));
	foreach(cell, values)
		pa_add_to_marker(marker, copyObject(lfirst(cell)));
}

void
pa_mark_release(const PaBlock *block, Aggref *marker, Node *owners)
{
	add_number(marker, block->fanout);
	add_number(marker, 0);		/* pa_mark_row_work() */
	add_number(marker, pa_one_row_per_owner(block));
	add_number(marker, block->entry_use);
	pa_add_to_marker(marker, owners);
	add_key_query(marker, block);
	add_question(marker, block);
}

/* Each table as often as it is read, with the policy that the block is validated by: an open cursor may outlive it. */
static void
add_tables(Aggref *marker, const PaBlock *block)
{
	int			count = 1;
	Datum	   *relations = palloc(sizeof(Datum) * list_length(block->tables));
	Datum	   *policies = palloc(sizeof(Datum) * list_length(block->tables));
	bool		first_is_in = false;
	ListCell   *cell;

	foreach(cell, block->tables)
	{
		const PaPolicy *policy = ((PaBlockTable *) lfirst(cell))->policy;
		int			place = policy == block->policy && !first_is_in ? 0 : count++;

		first_is_in |= place == 0;
		relations[place] = ObjectIdGetDatum(policy->relation);
		policies[place] = Int64GetDatum(policy->policy_id);
	}
	add_array(marker, OIDARRAYOID, OIDOID, relations, count);
	add_array(marker, INT8ARRAYOID, INT8OID, policies, count);
}

TargetEntry *
pa_make_marker(const PaBlock *block, AttrNumber resno)
{
	Aggref	   *marker = makeNode(Aggref);

	marker->aggfnoid = block->rules->marker();
	marker->aggtype = BOOLOID;
	pa_add_to_marker(marker, (Node *) block->owner);
	add_tables(marker, block);
	block->rules->mark(block, marker);
	marker->aggkind = 'n';
	marker->aggno = marker->aggtransno = -1;
	marker->location = -1;
	return makeTargetEntry((Expr *) marker, resno, pstrdup("owner"), true);
}

void
pa_mark_row_work(const PaBlock *block, int work)
{
	Aggref	   *marker = castNode(Aggref, llast_node(TargetEntry, block->leaf->targetList)->expr);

	if (block->rules->has_levels)
		castNode(Const, list_nth_node(TargetEntry, marker->args, PA_MARK_ROW_WORK)->expr)->constvalue = Int32GetDatum(work);
}
