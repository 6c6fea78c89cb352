/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * central_path.c
 *		Planning a central release: what its child yields, and whether in parallel.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "compat/not_null.h"
#include "compat/planner.h"
#include "catalog/policy.h"
#include "node/central.h"
#include "node/partial.h"
#include "price/form/form.h"
#include "price/release.h"
#include "price/unit/unit.h"
#include "lookup/lookup.h"

/* --- what it computes --- */

/* The query that lists groups, and of which keys. */
static void
take_key_query(PaLeafDraft *draft)
{
	const Const *query = castNode(Const, pa_aggregate_argument(draft->marker, PA_MARK_KEY_QUERY));
	ArrayType  *keys;

	if (query->constisnull)
		return;
	draft->spec->key_query = TextDatumGetCString(query->constvalue);
	keys = DatumGetArrayTypeP(castNode(Const, pa_aggregate_argument(draft->marker, PA_MARK_LISTED_KEYS))->constvalue);
	for (int i = 0; i < ARR_DIMS(keys)[0]; i++)
		draft->listed_keys = lappend_int(draft->listed_keys, ((int32 *) ARR_DATA_PTR(keys))[i]);
}

void
pa_central_take_marker(PaLeafDraft *draft)
{
	PaLeafSpec *spec = draft->spec;

	spec->entries = DatumGetInt32(castNode(Const, pa_aggregate_argument(draft->marker, PA_MARK_ENTRIES))->constvalue);
	spec->one_row = DatumGetInt32(castNode(Const, pa_aggregate_argument(draft->marker, PA_MARK_ONE_ROW))->constvalue) != 0;
	take_key_query(draft);
	spec->fanout = DatumGetInt32(castNode(Const, pa_aggregate_argument(draft->marker, PA_MARK_FANOUT))->constvalue);
	spec->row_work = DatumGetInt32(castNode(Const, pa_aggregate_argument(draft->marker, PA_MARK_ROW_WORK))->constvalue);
}

/*
 * Where a value is never NULL, count(x) is count(*): one statistic serves both.
 * Known of constants and of NOT NULL columns of tables that no outer join makes rows of.
 */
static bool
never_null(PlannerInfo *root, Node *expression)
{
	RangeTblEntry *rte;

	if (IsA(expression, Const))
		return !((Const *) expression)->constisnull;
	if (IsA(expression, PlaceHolderVar) && !pa_is_place_nulled(root, (PlaceHolderVar *) expression))
		expression = pa_placed(expression);
	if (!IsA(expression, Var) || pa_is_nulled(root, (Var *) expression))
		return false;
	rte = rt_fetch(((Var *) expression)->varno, root->parse->rtable);
	if (rte->rtekind != RTE_RELATION)
		return false;
	return pa_column_is_not_null(rte->relid, ((Var *) expression)->varattno);
}

/* What makes the values that are told apart. */
static void
take_fields(PaLeafDraft *draft, const Aggref *call, PaLeafAggregate *aggregate)
{
	int			count = list_length(call->args) - PA_ARG_COUNT;

	aggregate->fields = palloc0(sizeof(PaLeafField) * count);
	for (int i = 0; i < count; i++)
	{
		Node	   *field = pa_aggregate_argument(call, PA_ARG_COUNT + i);

		aggregate->fields[aggregate->nfields++] = (PaLeafField) {pa_leaf_add_input(draft->target, field), exprType(field)};
	}
}

/* Whether every row counts, and nothing has to be read. */
static bool
counts_all(const PaLeafAggregate *aggregate, const Node *value, const Node *owner)
{
	bool		no_value = IsA(value, Const) && ((const Const *) value)->consttype == PA_NO_VALUE_TYPE;

	if (pa_aggregate_form(aggregate->kind)->distinct)
		return IsA(value, Const) && !((const Const *) value)->constisnull;
	return aggregate->kind == PA_AGG_COUNT_ROWS ||
		(aggregate->kind == PA_AGG_COUNT_OWNERS && (no_value || equal(value, owner)));
}

void
pa_central_take_aggregate(PaLeafDraft *draft, const Aggref *call, PaLeafAggregate *aggregate)
{
	Node	   *value = pa_aggregate_argument(call, PA_ARG_VALUE);
	Node	   *owner = pa_aggregate_argument(draft->marker, PA_MARK_OWNER);
	bool		no_value = IsA(value, Const) && ((Const *) value)->consttype == PA_NO_VALUE_TYPE;

	if (aggregate->kind == PA_AGG_COUNT_ROWS && !no_value)
		aggregate->kind = PA_AGG_COUNT; /* count(*) with FILTER */
	if (aggregate->kind == PA_AGG_COUNT && never_null(draft->root, value))
		aggregate->kind = PA_AGG_COUNT_ROWS;
	if (!counts_all(aggregate, value, owner))
		aggregate->input = pa_leaf_add_input(draft->target, value);
	aggregate->never_null = never_null(draft->root, value);
	if (pa_aggregate_form(aggregate->kind)->distinct)
		take_fields(draft, call, aggregate);
}

/* Whose rows alone it is about is one expression, unless it is everybody's. */
static void
take_owners(PaLeafDraft *draft)
{
	Node	   *owners = pa_aggregate_argument(draft->marker, PA_MARK_OWNERS);

	draft->spec->owners = -1;
	if (IsA(owners, Const) && ((Const *) owners)->constisnull)
		return;
	draft->spec->owners = list_length(draft->arguments);
	draft->arguments = lappend(draft->arguments, owners);
}

static void
take_public_tables(PaLeafSpec *spec, const Const *relations)
{
	ArrayType  *array;

	spec->npublic = -1;
	if (relations->constisnull)
		return;
	array = DatumGetArrayTypeP(relations->constvalue);
	spec->npublic = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
	spec->public_tables = memcpy(palloc(sizeof(Oid) * Max(spec->npublic, 1)), ARR_DATA_PTR(array), sizeof(Oid) * spec->npublic);
}

/* What tells the question from others like it are the expressions after these. */
static void
take_question(PaLeafDraft *draft)
{
	PaLeafSpec *spec = draft->spec;
	const Const *question = castNode(Const, pa_aggregate_argument(draft->marker, PA_MARK_QUESTION));

	if (question->constisnull)
		return;
	spec->question = TextDatumGetCString(question->constvalue);
	spec->parts = TextDatumGetCString(castNode(Const, pa_aggregate_argument(draft->marker, PA_MARK_PARTS))->constvalue);
	take_public_tables(spec, castNode(Const, pa_aggregate_argument(draft->marker, PA_MARK_PUBLIC_TABLES)));
	spec->first_value = list_length(draft->arguments);
	spec->nvalues = list_length(draft->marker->args) - PA_MARK_COUNT;
	for (int i = 0; i < spec->nvalues; i++)
		draft->arguments = lappend(draft->arguments, pa_aggregate_argument(draft->marker, PA_MARK_COUNT + i));
}

/* --- its child --- */

/* The terms of all tables; NULL if one has lost its policy, which execution refuses. */
static const PaPolicy *
strictest_policy(const PaLeafSpec *spec)
{
	const PaPolicy **policies = palloc(sizeof(PaPolicy *) * spec->ntables);

	for (int i = 0; i < spec->ntables; i++)
	{
		policies[i] = pa_policy_of(spec->tables[i].relation);
		if (policies[i] == NULL)
			return NULL;
	}
	return pa_strictest_policy(policies, spec->ntables);
}

/*
 * As many as the policy asks for, if it can be read in parallel.  Owners with
 * accounts of their own are let in one by one.
 */
static int
count_workers(const PaLeafDraft *draft)
{
	const PaPolicy *policy = strictest_policy(draft->spec);

	if (policy == NULL || pa_unit_of(policy)->owners_pay || pa_lookup_path(draft->root, draft->rows, true) == NULL || !draft->root->glob->parallelModeOK ||
		!is_parallel_safe(draft->root, (Node *) draft->target->exprs) || !is_parallel_safe(draft->root, (Node *) draft->arguments))
		return 0;
	return Min(policy->workers, max_parallel_workers_per_gather);
}

/* A column that stands for the chunks of a partial node. */
static PathTarget *
chunk_target(void)
{
	PathTarget *target = create_empty_pathtarget();
	Oid			function = pa_own_function("_partial_state", 0, NULL);

	add_column_to_pathtarget(target, (Expr *) makeFuncExpr(function, BYTEAOID, NIL, InvalidOid, InvalidOid,
														   COERCE_EXPLICIT_CALL), 0);
	return target;
}

/* Gather over partial nodes over the cheapest partial path. */
static Path *
make_parallel_child(const PaLeafDraft *draft)
{
	Path	   *partial = pa_lookup_path(draft->root, draft->rows, true);
	CustomPath *path;

	partial = (Path *) create_projection_path(draft->root, draft->rows, partial, draft->target);
	path = pa_custom_path(&pa_partial_node, draft->groups, chunk_target(), list_make1(partial), pa_leaf_path_private(draft, NIL));
	path->path.parallel_aware = true;
	path->path.parallel_safe = true;
	path->path.parallel_workers = draft->spec->workers;
	return (Path *) create_gather_path(draft->root, draft->groups, &path->path, path->path.pathtarget, NULL, NULL);
}

Path *
pa_central_finish(PaLeafDraft *draft, List **private)
{
	take_owners(draft);
	take_question(draft);
	pa_leaf_take_composed(draft, castNode(Const, pa_aggregate_argument(draft->marker, PA_MARK_COMPOSED)));
	draft->spec->workers = count_workers(draft);
	return draft->spec->workers > 0 ? make_parallel_child(draft) : pa_leaf_child(draft);
}
