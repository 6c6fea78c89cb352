/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * leaf_path.c
 *		Planning a leaf: its grouping step becomes one CustomPath.
 *
 * Rows and costs of the path are constants, so that nothing above the leaf, and
 * no EXPLAIN, depends on estimates from protected rows.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/planner.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "compat/planner.h"
#include "node/leaf.h"
#include "node/plan_tree.h"
#include "errors.h"
#include "leaf_tag.h"
#include "lookup/lookup.h"

#define LEAF_ROWS 100
#define LEAF_COST 1000.0

#define MOST_KINDS 2

static create_upper_paths_hook_type previous_upper_paths = NULL;

static const PaLeafKind *kinds[MOST_KINDS];
static int	nkinds = 0;

/* --- which leaf --- */

void
pa_leaf_register(const PaLeafKind *kind)
{
	Assert(nkinds < MOST_KINDS);
	kinds[nkinds++] = kind;
	pa_custom_register(&kind->node);
}

const PaLeafKind *
pa_leaf_kind(const CustomScan *scan)
{
	for (int i = 0; i < nkinds; i++)
		if (pa_is_custom_scan((const Plan *) scan, &kinds[i]->node))
			return kinds[i];
	return NULL;
}

static bool
is_marker(const Aggref *call)
{
	for (int i = 0; i < nkinds; i++)
		if (call->aggfnoid == kinds[i]->marker())
			return true;
	return false;
}

/* The kind of a block that the guard made, and its marker; NULL for any other query. */
static const PaLeafKind *
kind_of_block(const Query *query, const Aggref **marker)
{
	if (!pa_is_leaf(query))
		return NULL;
	*marker = castNode(Aggref, llast_node(TargetEntry, query->targetList)->expr);
	for (int i = 0; i < nkinds; i++)
		if ((*marker)->aggfnoid == kinds[i]->marker())
			return kinds[i];
	return NULL;
}

/* --- private data --- */

List *
pa_leaf_path_private(const PaLeafDraft *draft, List *private)
{
	return list_make3(pa_leaf_spec_encode(draft->spec), private, draft->arguments);
}

PaLeafSpec *
pa_leaf_spec(const CustomScan *scan, const char *source)
{
	PaLeafSpec *spec = pa_leaf_spec_decode(linitial(scan->custom_private));

	spec->source = source;
	return spec;
}

List *
pa_leaf_private(const CustomScan *scan)
{
	return lsecond(scan->custom_private);
}

List *
pa_leaf_arguments(const CustomScan *scan)
{
	return lthird(scan->custom_private);
}

/* --- what it computes --- */

Node *
pa_aggregate_argument(const Aggref *aggref, int position)
{
	return (Node *) ((TargetEntry *) list_nth(aggref->args, position))->expr;
}

int
pa_leaf_add_input(PathTarget *target, Node *expression)
{
	int			position = 0;
	ListCell   *cell;

	foreach(cell, target->exprs)
	{
		if (equal(lfirst(cell), expression))
			return position;
		position++;
	}
	add_column_to_pathtarget(target, (Expr *) expression, 0);
	return position;
}

/* Which of the leaf's tables the expression is a column of; -1: none. */
static int
table_of_column(PlannerInfo *root, const PaLeafSpec *spec, Node *expression)
{
	RangeTblEntry *rte;

	if (!IsA(expression, Var))
		return -1;
	rte = rt_fetch(((Var *) expression)->varno, root->parse->rtable);
	for (int i = 0; rte->rtekind == RTE_RELATION && i < spec->ntables; i++)
		if (rte->relid == spec->tables[i].relation)
			return i;
	return -1;
}

/* Which column of the key query lists the values of a key; -1: none. */
static int
column_of_list(const PaLeafDraft *draft, Index reference)
{
	int			position = 0;
	ListCell   *cell;

	foreach(cell, draft->listed_keys)
	{
		if (lfirst_int(cell) == (int) reference)
			return position;
		position++;
	}
	return -1;
}

static void
take_key(PaLeafDraft *draft, Node *expression, Index reference)
{
	PaLeafSpec *spec = draft->spec;
	PaLeafKey  *key = &spec->keys[spec->nkeys++];
	Node	   *column = pa_placed(expression);

	key->table = table_of_column(draft->root, spec, column);
	key->column = key->table < 0 ? InvalidAttrNumber : ((Var *) column)->varattno;
	key->listed = column_of_list(draft, reference);
	key->input = pa_leaf_add_input(draft->target, expression);
	key->reference = (int) reference;
	draft->references = lappend_int(draft->references, (int) reference);
	key->type = exprType(expression);
	key->collation = exprCollation(expression);
}

/* PA_SHOWN() */
static int
shown_of(const Aggref *call)
{
	return DatumGetInt32(castNode(Const, pa_aggregate_argument(call, PA_ARG_SHOWN))->constvalue);
}

/* Its bounds and options are appended to the arguments. */
static void
add_aggregate(PaLeafDraft *draft, const PaLeafKind *kind, const Aggref *call)
{
	PaLeafAggregate *aggregate = &draft->spec->aggregates[draft->spec->naggregates++];
	const TargetEntry *entry;

	draft->calls = lappend(draft->calls, unconstify(Aggref *, call));
	if (!pa_aggregate_kind(call->aggfnoid, &aggregate->kind))
		elog(ERROR, "unexpected aggregate %u in a leaf", call->aggfnoid);
	aggregate->result_type = PA_SHOWN_END(shown_of(call)) == PA_SHOWN_VALUE ? call->aggtype : get_func_rettype(call->aggfnoid);
	aggregate->input = -1;
	aggregate->input_type = exprType(pa_aggregate_argument(call, PA_ARG_VALUE));
	aggregate->first_argument = list_length(draft->arguments);
	for (int i = PA_ARG_LO; i < PA_ARG_COUNT; i++)
		draft->arguments = lappend(draft->arguments, pa_aggregate_argument(call, i));
	entry = tlist_member((Expr *) unconstify(Aggref *, call), draft->root->parse->targetList);
	aggregate->column = entry->resno;
	aggregate->label = pstrdup(entry->resname);
	kind->take_aggregate(draft, call, aggregate);
}

/* Whether two calls are of the same aggregate, whatever they show of it. */
static bool
is_same_aggregate(const Aggref *a, const Aggref *b)
{
	if (a->aggfnoid != b->aggfnoid || list_length(a->args) != list_length(b->args))
		return false;
	for (int i = 0; i < list_length(a->args); i++)
		if (i != PA_ARG_SHOWN && !equal(pa_aggregate_argument(a, i), pa_aggregate_argument(b, i)))
			return false;
	return true;
}

/* Its column; several may show the same one. */
static int
take_aggregate(PaLeafDraft *draft, const PaLeafKind *kind, const Aggref *call)
{
	PaShown		shown = PA_SHOWN_END(shown_of(call));
	int			position = 0;

	while (position < list_length(draft->calls) && !is_same_aggregate(list_nth(draft->calls, position), call))
		position++;
	if (position == list_length(draft->calls))
		add_aggregate(draft, kind, call);
	return shown == PA_SHOWN_LOW ? PA_LOW_COLUMN(position) :
		shown == PA_SHOWN_HIGH ? PA_HIGH_COLUMN(position) : PA_AGGREGATE_COLUMN(position);
}

/* The aggregate once more, with an interval that holds at once with those of so many. */
static int
take_together(PaLeafSpec *spec, int position, int together)
{
	if (together == 1)
		return position;
	for (int i = 0; i < spec->naggregates; i++)
		if (spec->aggregates[i].together == together && spec->aggregates[i].column == spec->aggregates[position].column)
			return i;
	spec->aggregates[spec->naggregates] = spec->aggregates[position];
	spec->aggregates[spec->naggregates].together = together;
	return spec->naggregates++;
}

/* Columns that show ends of such intervals, when what is composed of them is known: whether they are wanted changes nothing. */
static void
take_intervals_together(PaLeafDraft *draft)
{
	PaLeafSpec *spec = draft->spec;
	ListCell   *cell;

	foreach(cell, draft->groups->reltarget->exprs)
	{
		int		   *column = &spec->columns[foreach_current_index(cell)];

		if (IsA(lfirst(cell), Aggref) && PA_IS_INTERVAL_COLUMN(*column))
			*column += take_together(spec, PA_AGGREGATE_OF_COLUMN(*column), PA_SHOWN_TOGETHER(shown_of(lfirst(cell)))) -
				PA_AGGREGATE_OF_COLUMN(*column);
	}
}

/* --- what is composed of aggregates --- */

/* The aggregate whose value is a column of the block; -1: nothing uses it. */
static int
aggregate_at(const PaLeafSpec *spec, int column)
{
	for (int i = 0; i < spec->naggregates; i++)
		if (spec->aggregates[i].column == column && spec->aggregates[i].together == 0)
			return i;
	return -1;
}

static bool
find_parts(const PaLeafSpec *spec, const List *columns, int *parts)
{
	ListCell   *cell;

	foreach(cell, columns)
		if ((parts[foreach_current_index(cell)] = aggregate_at(spec, lfirst_int(cell))) < 0)
			return false;
	return true;
}

/* As guard/composed.c wrote it: label, of how many intervals, columns of the parts, expressions. */
static void
take_composition(PaLeafSpec *spec, const List *written)
{
	PaLeafComposed *composed = &spec->composed[spec->ncomposed];
	const List *columns = lthird(written);	/* of integers */

	composed->nparts = list_length(columns);
	composed->parts = palloc(sizeof(int) * composed->nparts);
	composed->together = palloc(sizeof(int) * composed->nparts);
	if (!find_parts(spec, columns, composed->parts))
		return;
	for (int i = 0; i < composed->nparts; i++)
		composed->together[i] = take_together(spec, composed->parts[i], intVal(lsecond(written)));
	composed->label = strVal(linitial(written));
	composed->expressions = nodeToString(lfourth(written));
	spec->ncomposed++;
}

void
pa_leaf_take_composed(PaLeafDraft *draft, const Const *written)
{
	PaLeafSpec *spec = draft->spec;
	List	   *all = written->constisnull ? NIL : stringToNode(TextDatumGetCString(written->constvalue));
	ListCell   *cell;
	int			room = spec->naggregates + spec->ncolumns;

	foreach(cell, all)
		room += list_length(lthird(lfirst_node(List, cell)));
	spec->aggregates = repalloc(spec->aggregates, sizeof(PaLeafAggregate) * Max(room, 1));
	spec->composed = palloc0(sizeof(PaLeafComposed) * Max(list_length(all), 1));
	foreach(cell, all)
		take_composition(spec, lfirst_node(List, cell));
	take_intervals_together(draft);
}

/* --- groupings --- */

/* The guard has seen to it that every reference is to a key, but the planner may have found that to be a constant. */
static int
key_of_reference(const PaLeafDraft *draft, int reference)
{
	int			key = 0;
	ListCell   *cell;

	foreach(cell, draft->references)
	{
		if (lfirst_int(cell) == reference)
			return key;
		key++;
	}
	ereport(ERROR,
			errcode(ERRCODE_PA_REFUSED),
			errmsg("query on a protected table is not allowed"),
			errdetail("GROUPING SETS, ROLLUP or CUBE has an expression that is the same for all rows."),
			errhint("Leave it out of GROUP BY."));
}

static int
take_grouping(PaLeafDraft *draft, const GroupingFunc *call)
{
	PaLeafSpec *spec = draft->spec;
	PaLeafGrouping *grouping = &spec->groupings[spec->ngroupings++];
	ListCell   *cell;

	foreach(cell, call->refs)
		grouping->keys[grouping->nkeys++] = key_of_reference(draft, lfirst_int(cell));
	return PA_GROUPING_COLUMN(spec->ngroupings - 1);
}

/* Without GROUPING SETS there is one level, of all keys; with them the planner has written them out. */
static void
take_levels(PaLeafDraft *draft)
{
	PaLeafSpec *spec = draft->spec;
	List	   *sets = draft->root->parse->groupingSets;
	ListCell   *cell,
			   *key;

	spec->levels = palloc0(sizeof(uint32) * Max(list_length(sets), 1));
	if (sets == NIL)
		spec->levels[spec->nlevels++] = (uint32) ((UINT64CONST(1) << spec->nkeys) - 1);
	foreach(cell, sets)
	{
		foreach(key, (List *) lfirst(cell))
			spec->levels[spec->nlevels] |= UINT32_C(1) << key_of_reference(draft, lfirst_int(key));
		spec->nlevels++;
	}
}

/* --- columns --- */

/* What one column of the scan tuple is; see leaf_spec.h. */
static int
take_column(PaLeafDraft *draft, const PaLeafKind *kind, Node *expression, Index reference)
{
	if (IsA(expression, Const) || equal(expression, draft->marker))
		return -1;				/* constants: keys without a choice, or outputs that nothing uses */
	if (IsA(expression, Aggref))
		return take_aggregate(draft, kind, (Aggref *) expression);
	if (IsA(expression, GroupingFunc))
		return take_grouping(draft, (GroupingFunc *) expression);
	take_key(draft, expression, reference);
	return draft->spec->nkeys - 1;
}

static ArrayType *
array_of(const Aggref *marker, int position)
{
	return DatumGetArrayTypeP(castNode(Const, pa_aggregate_argument(marker, position))->constvalue);
}

/* The protected tables that the marker names. */
static void
take_tables(PaLeafDraft *draft)
{
	PaLeafSpec *spec = draft->spec;
	ArrayType  *relations = array_of(draft->marker, PA_MARK_RELATIONS);
	ArrayType  *policies = array_of(draft->marker, PA_MARK_POLICIES);

	spec->ntables = ARR_DIMS(relations)[0];
	spec->tables = palloc(sizeof(PaLeafTable) * spec->ntables);
	for (int i = 0; i < spec->ntables; i++)
		spec->tables[i] = (PaLeafTable) {((Oid *) ARR_DATA_PTR(relations))[i], ((int64 *) ARR_DATA_PTR(policies))[i]};
}

/* What the leaf computes, what its child must yield, and the expressions to evaluate once. */
static void
describe(PaLeafDraft *draft, const PaLeafKind *kind)
{
	const PathTarget *output = draft->groups->reltarget;
	PaLeafSpec *spec = draft->spec = palloc0(sizeof(PaLeafSpec));
	int			columns = list_length(output->exprs);
	ListCell   *cell;

	spec->keys = palloc0(sizeof(PaLeafKey) * columns);
	spec->aggregates = palloc0(sizeof(PaLeafAggregate) * columns);
	spec->columns = palloc0(sizeof(int) * columns);
	spec->groupings = palloc0(sizeof(PaLeafGrouping) * columns);
	take_tables(draft);
	spec->owner_input = pa_leaf_add_input(draft->target, pa_aggregate_argument(draft->marker, PA_MARK_OWNER));
	kind->take_marker(draft);
	foreach(cell, output->exprs)
	{
		spec->columns[spec->ncolumns] = take_column(draft, kind, lfirst(cell), get_pathtarget_sortgroupref(output, spec->ncolumns));
		spec->ncolumns++;
	}
	take_levels(draft);
	set_pathtarget_cost_width(draft->root, draft->target);
}

/* --- its path --- */

static void
refuse_order(const PaLeafDraft *draft)
{
	bool		public = pa_lookup_joins_public(draft->root, draft->rows);

	ereport(ERROR,
			errcode(ERRCODE_PA_REFUSED),
			errmsg("query on a protected table is not allowed"),
			public ?
			errdetail("There is no order in which the block's tables can be joined: public tables are read before protected rows, and protected tables are joined by hashing columns.") :
			errdetail("There is no order in which the block's tables can be joined: whatever two of them are joined first, rows of different owners would meet."),
			public ? errhint("Join protected tables by equality of plain columns, and public tables with their result.") :
			errhint("Join each table by equality of plain columns that are its owner, or that its foreign key on the way to the owner has."));
}

/* The rows of the block, read by nothing but scans of protected tables, lookups, and hash joins of the former. */
Path *
pa_leaf_child(const PaLeafDraft *draft)
{
	Path	   *path = pa_lookup_path(draft->root, draft->rows, false);

	if (path == NULL)
		refuse_order(draft);
	return (Path *) create_projection_path(draft->root, draft->rows, path, draft->target);
}

static CustomPath *
make_path(PaLeafDraft *draft, const PaLeafKind *kind)
{
	List	   *private = NIL;
	CustomPath *path;
	Path	   *child;

	describe(draft, kind);
	child = kind->finish(draft, &private);
	path = pa_custom_path(&kind->node, draft->groups, draft->groups->reltarget, list_make1(child),
						  pa_leaf_path_private(draft, private));
	path->path.rows = LEAF_ROWS;
	path->path.startup_cost = path->path.total_cost = LEAF_COST;
	return path;
}

/* The grouped relation has this path only. */
static void
replace_paths(RelOptInfo *grouped_rel, CustomPath *path)
{
	grouped_rel->pathlist = list_make1(path);
	grouped_rel->partial_pathlist = NIL;
	grouped_rel->rows = LEAF_ROWS;
}

static void
leaf_upper_paths(PlannerInfo *root, UpperRelationKind stage,
				 RelOptInfo *input_rel, RelOptInfo *output_rel, void *extra)
{
	PaLeafDraft draft = {.root = root,.rows = input_rel,.groups = output_rel};
	const PaLeafKind *kind;

	if (previous_upper_paths)
		previous_upper_paths(root, stage, input_rel, output_rel, extra);
	if (stage != UPPERREL_GROUP_AGG || IS_OTHER_REL(output_rel))
		return;					/* of a partition: the parent's paths are replaced anyway */
	kind = kind_of_block(root->parse, &draft.marker);
	if (kind == NULL)
		return;
	draft.target = create_empty_pathtarget();
	replace_paths(output_rel, make_path(&draft, kind));
}

/* Nothing reads its value, and all that it says is in the private data: so EXPLAIN VERBOSE need not show it. */
static void
leave_marker_out(List *tlist)
{
	ListCell   *cell;

	foreach(cell, tlist)
	{
		TargetEntry *entry = lfirst(cell);

		if (IsA(entry->expr, Aggref) && is_marker((Aggref *) entry->expr))
			entry->expr = (Expr *) makeNullConst(BOOLOID, -1, InvalidOid);
	}
}

Plan *
pa_leaf_plan_path(PlannerInfo *root, RelOptInfo *rel, CustomPath *path,
				  List *tlist, List *clauses, List *children)
{
	CustomScan *scan = pa_custom_scan(path, tlist, path->path.pathtarget->exprs, children);

	scan->custom_private = list_copy(path->custom_private);
	scan->custom_exprs = lthird(scan->custom_private) = copyObject(lthird(path->custom_private));
	fix_opfuncids((Node *) scan->custom_exprs);
	leave_marker_out(tlist);
	leave_marker_out(scan->custom_scan_tlist);
	pa_plan_make_steady((Plan *) scan);
	return (Plan *) scan;
}

void
pa_leaf_init(void)
{
	previous_upper_paths = create_upper_paths_hook;
	create_upper_paths_hook = leaf_upper_paths;
}
