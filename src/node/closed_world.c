/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * closed_world.c
 *		See closed_world.h.
 *
 * The guard has judged the statement; this judges the plan, after inlining,
 * folding, and whatever indexes and partitions brought along, in the moment of
 * its execution: a cached plan may be older than what it names.
 *
 * Locks are as strong as is needed to keep others from changing the object:
 * ALTER TYPE ... ADD VALUE and RENAME VALUE take ExclusiveLock on the type, DROP
 * takes AccessExclusiveLock on either.  What a collation means cannot change
 * while it exists, and is opened before the charge.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/stratnum.h"
#include "access/table.h"
#include "access/transam.h"
#include "catalog/pg_class.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_enum.h"
#include "catalog/pg_type.h"
#include "commands/tablespace.h"
#include "common/md5.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/formatting.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"

#include "compat/collation.h"
#include "compat/pruning.h"
#include "descend.h"
#include "allow/made_constants.h"
#include "catalog/policy.h"
#include "node/closed_world.h"
#include "node/owned_joins.h"
#include "node/plan_tree.h"
#include "quiet/date_format.h"
#include "quiet/quiet.h"
#include "errors.h"
#include "lookup/lookup.h"
#include "size_limits.h"

/* Everything that a plan names. */
typedef struct Inventory
{
	EState	   *estate;
	List	   *relations;
	List	   *functions;
	List	   *operators;
	List	   *types;
	List	   *collations;
	List	   *dates;			/* calls that write dates */
	List	   *formats;		/* by which they do, as texts */
	List	   *makers;			/* calls that make something of a constant */
	bool		indeterminate;
	bool		elsewhere;		/* a constant's value is not in the plan */
} Inventory;

static bool
is_pinned(Oid object)
{
	return object < FirstUnpinnedObjectId;
}

static void
refuse(const char *detail, const char *hint)
{
	ereport(ERROR,
			errcode(ERRCODE_PA_REFUSED),
			errmsg("query on a protected table is not allowed"),
			errdetail("%s", detail),
			errhint("%s", hint));
}

/* --- objects of the tables themselves --- */

/* Whether a column of one of the relations has this type or collation. */
static bool
is_of_column(List *relations, Oid type, Oid collation)
{
	ListCell   *cell;

	foreach(cell, relations)
	{
		int			columns = pa_table_columns(lfirst_oid(cell));

		for (AttrNumber column = 1; column <= columns; column++)
		{
			Oid			column_type,
						column_collation;
			int32		typmod;

			get_atttypetypmodcoll(lfirst_oid(cell), column, &column_type, &typmod, &column_collation);
			if (OidIsValid(type) ? column_type == type : column_collation == collation)
				return true;
		}
	}
	return false;
}

static bool
owner_is_trusted(Oid object_owner, Oid owner)
{
	return OidIsValid(object_owner) && (object_owner == owner || superuser_arg(object_owner));
}

static Oid
owner_of_type(Oid type)
{
	HeapTuple	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(type));
	Oid			owner;

	if (!HeapTupleIsValid(tuple))
		return InvalidOid;
	owner = ((Form_pg_type) GETSTRUCT(tuple))->typowner;
	ReleaseSysCache(tuple);
	return owner;
}

static Oid
owner_of_collation(Oid collation)
{
	HeapTuple	tuple = SearchSysCache1(COLLOID, ObjectIdGetDatum(collation));
	Oid			owner;

	if (!HeapTupleIsValid(tuple))
		return InvalidOid;
	owner = ((Form_pg_collation) GETSTRUCT(tuple))->collowner;
	ReleaseSysCache(tuple);
	return owner;
}

bool
pa_type_is_known(Oid type, Oid owner, List *relations)
{
	if (is_pinned(type))
		return true;
	return get_typtype(type) == TYPTYPE_ENUM && owner_is_trusted(owner_of_type(type), owner) &&
		is_of_column(relations, type, InvalidOid);
}

bool
pa_collation_is_known(Oid collation, Oid owner, List *relations)
{
	if (is_pinned(collation))
		return true;
	return owner_is_trusted(owner_of_collation(collation), owner) && is_of_column(relations, InvalidOid, collation);
}

static char *
text_of(HeapTuple tuple, AttrNumber column)
{
	bool		isnull;
	Datum		value = SysCacheGetAttr(COLLOID, tuple, column, &isnull);

	return isnull ? NULL : TextDatumGetCString(value);
}

bool
pa_collation_is_current(Oid collation)
{
	HeapTuple	tuple = SearchSysCache1(COLLOID, ObjectIdGetDatum(collation));
	char		provider;
	char	   *recorded,
			   *locale,
			   *actual;

	if (!HeapTupleIsValid(tuple))
		return false;
	provider = ((Form_pg_collation) GETSTRUCT(tuple))->collprovider;
	recorded = text_of(tuple, Anum_pg_collation_collversion);
	locale = text_of(tuple, pa_locale_column(provider));
	ReleaseSysCache(tuple);
	if (recorded == NULL || locale == NULL)
		return recorded == NULL;
	actual = get_collation_actual_version(provider, locale);
	return actual != NULL && strcmp(actual, recorded) == 0;
}

/* --- what a plan names --- */

static bool
has_collatable(List *arguments)
{
	ListCell   *cell;

	foreach(cell, arguments)
		if (type_is_collatable(exprType(lfirst(cell))))
			return true;
	return false;
}

bool
pa_lacks_collation(Node *node)
{
	if (OidIsValid(exprInputCollation(node)))
		return false;
	switch (nodeTag(node))
	{
		case T_FuncExpr:
			return has_collatable(((FuncExpr *) node)->args);
		case T_OpExpr:
		case T_DistinctExpr:
		case T_NullIfExpr:
			return has_collatable(((OpExpr *) node)->args);
		case T_ScalarArrayOpExpr:
			return has_collatable(((ScalarArrayOpExpr *) node)->args);
		case T_MinMaxExpr:
			return has_collatable(((MinMaxExpr *) node)->args);
		default:
			return false;
	}
}

static void
note(List **list, Oid object)
{
	if (OidIsValid(object))
		*list = list_append_unique_oid(*list, object);
}

static bool
note_function(Oid function, void *inventory)
{
	note(&((Inventory *) inventory)->functions, function);
	return false;
}

static void
note_result(Node *node, Inventory *inventory)
{
	note(&inventory->types, exprType(node));
	note(&inventory->collations, exprCollation(node));
	note(&inventory->collations, exprInputCollation(node));
	inventory->indeterminate |= pa_lacks_collation(node);
}

static bool
is_elsewhere(const Const *constant)
{
	return !constant->constisnull && constant->constlen == -1 &&
		VARATT_IS_EXTERNAL(DatumGetPointer(constant->constvalue));
}

static void
note_maker(FuncExpr *call, Inventory *inventory)
{
	if (pa_makes_constant(call->funcid))
		inventory->makers = lappend(inventory->makers, call);
}

static bool
expression_walker(Node *node, Inventory *inventory)
{
	pa_descend();
	if (node == NULL)
		return false;
	check_functions_in_node(node, note_function, inventory);
	switch (nodeTag(node))
	{
		case T_TargetEntry:
			/* a column that is only handed on is not used */
			if (IsA(((TargetEntry *) node)->expr, Var))
				return false;
			break;
		case T_OpExpr:
		case T_DistinctExpr:
		case T_NullIfExpr:
			note(&inventory->operators, ((OpExpr *) node)->opno);
			note_result(node, inventory);
			break;
		case T_ScalarArrayOpExpr:
			if (OidIsValid(((ScalarArrayOpExpr *) node)->hashfuncid) || OidIsValid(((ScalarArrayOpExpr *) node)->negfuncid))
				elog(ERROR, "a list that protected rows are compared with is hashed");
			note(&inventory->operators, ((ScalarArrayOpExpr *) node)->opno);
			note_result(node, inventory);
			break;
		case T_Const:
			inventory->elsewhere |= is_elsewhere((Const *) node);
			note_result(node, inventory);
			break;
		case T_FuncExpr:
			if (pa_writes_date((FuncExpr *) node))
				inventory->dates = lappend(inventory->dates, node);
			note_maker((FuncExpr *) node, inventory);
			note_result(node, inventory);
			break;
		case T_Aggref:
		case T_Var:
		case T_Param:
		case T_RelabelType:
		case T_CoerceViaIO:
		case T_ArrayCoerceExpr:
		case T_ArrayExpr:
		case T_CaseExpr:
		case T_CaseTestExpr:
		case T_CoalesceExpr:
		case T_MinMaxExpr:
		case T_SQLValueFunction:
			note_result(node, inventory);
			break;
		case T_List:
		case T_BoolExpr:
		case T_BooleanTest:
		case T_NullTest:
		case T_CaseWhen:
			break;
		default:
			elog(ERROR, "an expression over protected rows has an unexpected node of type %d", (int) nodeTag(node));
	}
	return expression_tree_walker(node, expression_walker, inventory);
}

static bool visit_plan(Plan *plan, void *opaque);

static bool
note_relation(Plan *plan, void *opaque)
{
	Inventory  *inventory = opaque;
	Index		relation = 0;

	switch (nodeTag(plan))
	{
		case T_SeqScan:
		case T_IndexScan:
		case T_IndexOnlyScan:
		case T_BitmapHeapScan:
		case T_ForeignScan:
		case T_CustomScan:
			relation = ((const Scan *) plan)->scanrelid;
			break;
		default:
			break;
	}
	if (relation > 0)
		note(&inventory->relations, exec_rt_fetch(relation, inventory->estate)->relid);
	return true;
}

/* Partitions that are left out at execution: by functions of the partition key's operator class. */
static void
note_pruning(const PartitionPruneInfo *info, Inventory *inventory)
{
	ListCell   *hierarchy;
	ListCell   *table;
	ListCell   *cell;

	if (info == NULL)
		return;
	foreach(hierarchy, info->prune_infos)
		foreach(table, (List *) lfirst(hierarchy))
		{
			const PartitionedRelPruneInfo *pruning = lfirst(table);

			foreach(cell, list_concat_copy(pruning->initial_pruning_steps, pruning->exec_pruning_steps))
			{
				const PartitionPruneStepOp *step = lfirst(cell);

				if (!IsA(step, PartitionPruneStepOp))
					continue;	/* combines others */
				inventory->functions = list_union_oid(inventory->functions, step->cmpfns);
				(void) expression_walker((Node *) step->exprs, inventory);
			}
		}
}

static bool
functions_walker(Node *node, Inventory *inventory)
{
	pa_descend();
	if (node == NULL)
		return false;
	check_functions_in_node(node, note_function, inventory);
	if (IsA(node, FuncExpr))
		note_maker((FuncExpr *) node, inventory);
	return expression_tree_walker(node, functions_walker, inventory);
}

/* It is read before the charge: of it the tables matter, whose code it runs, and what that makes of constants. */
static bool
note_public_plan(Plan *plan, void *inventory)
{
	(void) functions_walker((Node *) pa_plan_public_expressions(plan), inventory);
	return note_relation(plan, inventory);
}

static void
note_lookup(const CustomScan *scan, Inventory *inventory)
{
	inventory->operators = list_union_oid(inventory->operators, pa_lookup_operators(scan));
	inventory->collations = list_union_oid(inventory->collations, pa_lookup_collations(scan));
	pa_plan_visit(linitial(scan->custom_plans), visit_plan, inventory);
	pa_plan_visit(lsecond(scan->custom_plans), note_public_plan, inventory);
}

static bool
visit_plan(Plan *plan, void *opaque)
{
	Inventory  *inventory = opaque;

	pa_descend();
	(void) note_relation(plan, inventory);
	if (IsA(plan, Append))
		note_pruning(pa_pruning_of((Append *) plan, inventory->estate), inventory);
	if (IsA(plan, Agg))
	{
		const Agg  *groups = (Agg *) plan;

		for (int i = 0; i < groups->numCols; i++)
		{
			note(&inventory->operators, groups->grpOperators[i]);
			note(&inventory->collations, groups->grpCollations[i]);
		}
	}
	if (IsA(plan, HashJoin))
	{
		inventory->operators = list_union_oid(inventory->operators, ((HashJoin *) plan)->hashoperators);
		inventory->collations = list_union_oid(inventory->collations, ((HashJoin *) plan)->hashcollations);
	}
	(void) expression_walker((Node *) plan->initPlan, inventory);
	(void) expression_walker((Node *) pa_plan_expressions(plan), inventory);
	if (!pa_is_lookup_scan(plan))
		return true;
	note_lookup((CustomScan *) plan, inventory);
	return false;
}

static bool
has_format(const List *formats, const text *format)
{
	const ListCell *cell;

	foreach(cell, formats)
	{
		const text *other = lfirst(cell);

		if (VARSIZE_ANY_EXHDR(other) == VARSIZE_ANY_EXHDR(format) &&
			memcmp(VARDATA_ANY(other), VARDATA_ANY(format), VARSIZE_ANY_EXHDR(format)) == 0)
			return true;
	}
	return false;
}

static void
note_formats(Inventory *inventory)
{
	ListCell   *cell;

	foreach(cell, inventory->dates)
	{
		text	   *format = pa_format_of(lfirst(cell), inventory->estate->es_param_list_info);

		if (format && !has_format(inventory->formats, format))
			inventory->formats = lappend(inventory->formats, format);
	}
}

static Inventory
take_inventory(const PaLeafSpec *spec, Plan *child, EState *estate)
{
	Inventory	inventory = {.estate = estate};

	for (int i = 0; i < spec->ntables; i++)
		note(&inventory.relations, spec->tables[i].relation);
	pa_plan_visit(child, visit_plan, &inventory);
	for (int i = 0; i < spec->nkeys; i++)
	{
		note(&inventory.types, spec->keys[i].type);
		note(&inventory.collations, spec->keys[i].collation);
		inventory.indeterminate |= type_is_collatable(spec->keys[i].type) && !OidIsValid(spec->keys[i].collation);
	}
	note_formats(&inventory);
	return inventory;
}

/* --- judging --- */

static void
require_known_code(const Inventory *inventory)
{
	ListCell   *cell;

	foreach(cell, inventory->functions)
		if (!is_pinned(lfirst_oid(cell)) && get_func_namespace(lfirst_oid(cell)) != pa_schema())
			refuse("The plan uses a function that is not built in.",
				   "Drop the index or constraint that has it, or run the query again if the query was prepared earlier.");
	foreach(cell, inventory->operators)
		if (!is_pinned(lfirst_oid(cell)))
			refuse("The plan uses an operator that is not built in.",
				   "Drop the index that has it, or run the query again if the query was prepared earlier.");
	if (inventory->indeterminate)
		refuse("The plan compares texts whose collation cannot be determined.",
			   "Write COLLATE \"C\" after one of them.");
	if (inventory->elsewhere)
		refuse("The plan has a constant whose value is stored in a table.", "Run the query again.");
}

/* With more than it keeps PostgreSQL would forget those that rows do not use. */
static void
require_kept_formats(const Inventory *inventory)
{
	if (list_length(inventory->formats) > PA_MAX_DATE_FORMATS)
		refuse(psprintf("The block writes dates by %d formats.", list_length(inventory->formats)),
			   psprintf("At most %d are allowed; apply to_char() to the result of the block.", PA_MAX_DATE_FORMATS));
}

static Oid
element_or_self(Oid type)
{
	Oid			element = get_element_type(type);

	return OidIsValid(element) ? element : type;
}

/* Once it is locked an object stays as it is, so what is asked of it is asked then. */
static void
lock_types(const Inventory *inventory, Oid owner)
{
	ListCell   *cell;

	foreach(cell, inventory->types)
	{
		Oid			type = element_or_self(lfirst_oid(cell));

		if (is_pinned(type))
			continue;
		LockDatabaseObject(TypeRelationId, type, 0, RowShareLock);
		if (!pa_type_is_known(type, owner, inventory->relations))
			refuse("A type in the block is neither built in nor an enum of a column of its tables, owned by the table's owner.",
				   "Compare as text, or run the query again if the query was prepared earlier.");
	}
}

static void
lock_collations(const Inventory *inventory, Oid owner)
{
	ListCell   *cell;

	foreach(cell, inventory->collations)
	{
		Oid			collation = lfirst_oid(cell);

		if (is_pinned(collation))	/* or none, of what has none */
			continue;
		LockDatabaseObject(CollationRelationId, collation, 0, AccessShareLock);
		if (!pa_collation_is_known(collation, owner, inventory->relations) ||
			!get_collation_isdeterministic(collation))
			refuse("A collation in the block is neither built in nor of a column of its tables, owned by the table's owner.",
				   "Write COLLATE \"C\", or run the query again if the query was prepared earlier.");
		if (!pa_collation_is_current(collation))
			refuse(psprintf("Collation %s was created with another version of its library.", get_collation_name(collation)),
				   "Have its owner rebuild what depends on it and run ALTER COLLATION ... REFRESH VERSION, or write COLLATE \"C\".");
	}
}

/* --- resolving --- */

/*
 * The labels of an enum are cached one by one as they are first written, and their
 * order when it is first needed: a session could see which, and whether.
 */
static void
cache_labels(Oid type)
{
	Relation	labels = table_open(EnumRelationId, AccessShareLock);
	FmgrInfo	compare;
	Oid			previous = InvalidOid;
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;

	fmgr_info(F_ENUM_CMP, &compare);
	ScanKeyInit(&key, Anum_pg_enum_enumtypid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(type));
	scan = systable_beginscan(labels, EnumTypIdLabelIndexId, true, NULL, 1, &key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Oid			label = ((Form_pg_enum) GETSTRUCT(tuple))->oid;

		(void) SearchSysCacheExists1(ENUMOID, ObjectIdGetDatum(label));
		if (OidIsValid(previous))
			(void) FunctionCall2(&compare, ObjectIdGetDatum(previous), ObjectIdGetDatum(label));
		previous = label;
	}
	systable_endscan(scan);
	table_close(labels, AccessShareLock);
}

/* What libraries load when they are first used takes long: the case maps of a collation, the digest of md5(). */
static void
use_libraries(Oid collation)
{
	char		digest[MD5_PASSWD_LEN + 1];
	const char *error;

	(void) str_tolower("a", 1, collation);
	(void) str_toupper("a", 1, collation);
	(void) str_initcap("a", 1, collation);
	(void) pg_md5_hash("a", 1, digest, &error);
}

/* Of a locale whose encoding it does not know PostgreSQL says so, the first time. */
static void
name_months(void *nothing)
{
	cache_locale_time();
}

/* The elements of an array are asked for their length when the first row is compared with them. */
static void
cache_type(Oid type)
{
	if (get_typtype(type) == TYPTYPE_ENUM)
		cache_labels(type);
	(void) get_typlen(element_or_self(type));
}

static void
make_constants(const Inventory *inventory)
{
	ListCell   *cell;

	pa_made_begin();
	foreach(cell, inventory->makers)
	{
		const FuncExpr *call = lfirst(cell);

		pa_make_constant(call->funcid, call->args, call->inputcollid);
	}
}

/*
 * PostgreSQL opens a collation when it first compares by it, the names of months
 * when it first writes one, takes the format of a date apart when it first writes
 * by it, and looks for the tablespaces for temporary files when it first makes one.
 */
static void
resolve(const Inventory *inventory)
{
	ListCell   *cell;

	foreach(cell, inventory->types)
		cache_type(lfirst_oid(cell));
	PrepareTempTablespaces();

	foreach(cell, inventory->collations)
	{
		Oid			collation = lfirst_oid(cell);

		if (OidIsValid(collation) && (!pa_orders_bytes(collation) || !pa_knows_ascii(collation)))
			(void) pg_newlocale_from_collation(collation);
		if (OidIsValid(collation))
			use_libraries(collation);
	}
	pa_log_alone(name_months, NULL);
	foreach(cell, inventory->formats)
		pa_use_format(lfirst(cell));
	make_constants(inventory);
}

List *
pa_world_relations(const PaLeafSpec *spec, Plan *child, EState *estate)
{
	return take_inventory(spec, child, estate).relations;
}

List *
pa_close_world(const PaLeafSpec *spec, Plan *child, EState *estate)
{
	Inventory	inventory = take_inventory(spec, child, estate);
	Oid			owner = pa_table_owner(spec->tables[0].relation);

	require_known_code(&inventory);
	pa_require_owned_joins(child, estate);
	require_kept_formats(&inventory);
	lock_types(&inventory, owner);
	lock_collations(&inventory, owner);
	resolve(&inventory);
	return inventory.formats;
}

void
pa_resolve_again(const PaLeafSpec *spec, Plan *child, EState *estate)
{
	Inventory	inventory = take_inventory(spec, child, estate);

	resolve(&inventory);
}

/* --- parameters --- */

ParamListInfo
pa_freeze_parameters(ParamListInfo params)
{
	ParamListInfo frozen = copyParamList(params);

	for (int i = 0; frozen && i < frozen->numParams; i++)
	{
		ParamExternData *param = &frozen->params[i];

		if (!param->isnull && OidIsValid(param->ptype) && get_typlen(param->ptype) == -1)
			param->value = PointerGetDatum(PG_DETOAST_DATUM_COPY(param->value));
	}
	return frozen;
}
