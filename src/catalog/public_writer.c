/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * public_writer.c
 *		See public_writer.h.
 *
 * From the table on every relation is looked at whose changes change one that was
 * reached.  Views and rules write with the rights of their owner, so only those of
 * roles that have the rights of the table's owner lead on: whoever else owns one
 * needs privileges on what it writes to, and is found there.  A view with
 * security_invoker writes with the rights of whoever asks: its own privileges let
 * nobody in, but a view or rule above it passes on the rights of its owner.
 *
 * Nothing is locked, so that nobody can keep a block waiting by a view.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/reloptions.h"
#include "access/stratnum.h"
#include "access/table.h"
#include "catalog/dependency.h"
#include "catalog/indexing.h"
#include "catalog/pg_attribute.h"
#include "catalog/pg_class.h"
#include "catalog/pg_constraint.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_rewrite.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteHandler.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"

#include "descend.h"
#include "catalog/dependencies.h"
#include "catalog/policy.h"
#include "catalog/public_writer.h"

#define WRITES (ACL_INSERT | ACL_UPDATE | ACL_DELETE | ACL_TRUNCATE | ACL_TRIGGER | ACL_REFERENCES)

typedef struct Search
{
	Oid			owner;			/* of the public table */
	List	   *reached;		/* relations whose changes change it */
	List	   *judged;			/* of these, the ones by whose privileges nobody else may */
	PaPublicWriter *found;
} Search;

/* --- privileges --- */

/* Whether the list lets others than the two owners write; then the first is the writer. */
static bool
acl_writer(Search *search, Datum list, bool isnull, Oid owner)
{
	Acl		   *acl;
	bool		found = false;

	if (isnull)
		return false;
	acl = DatumGetAclPCopy(list);
	for (int i = 0; i < ACL_NUM(acl) && !found; i++)
	{
		const AclItem *item = &ACL_DAT(acl)[i];

		search->found->role = item->ai_grantee;
		found = item->ai_grantee != search->owner && item->ai_grantee != owner &&
			(ACLITEM_GET_PRIVS(*item) & WRITES) != 0;
	}
	pfree(acl);
	return found;
}

static bool
column_writer(Search *search, Oid relation, AttrNumber column, Oid owner)
{
	HeapTuple	tuple = SearchSysCache2(ATTNUM, ObjectIdGetDatum(relation), Int16GetDatum(column));
	bool		isnull;
	Datum		acl;
	bool		found;

	if (!HeapTupleIsValid(tuple))
		return false;
	acl = SysCacheGetAttr(ATTNUM, tuple, Anum_pg_attribute_attacl, &isnull);
	found = acl_writer(search, acl, isnull, owner);
	ReleaseSysCache(tuple);
	return found;
}

static bool
relation_writer(Search *search, Oid relation)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
	Form_pg_class form;
	bool		isnull;
	Datum		acl;
	bool		found;

	if (!HeapTupleIsValid(tuple))
		return false;			/* it was just dropped */
	form = (Form_pg_class) GETSTRUCT(tuple);
	search->found->way = relation;
	acl = SysCacheGetAttr(RELOID, tuple, Anum_pg_class_relacl, &isnull);
	found = acl_writer(search, acl, isnull, form->relowner);
	for (AttrNumber column = 1; !found && column <= form->relnatts; column++)
		found = column_writer(search, relation, column, form->relowner);
	if (!found && !has_privs_of_role(form->relowner, search->owner))
	{
		search->found->role = form->relowner;
		found = true;
	}
	ReleaseSysCache(tuple);
	return found;
}

/* --- what changes it --- */

/* Tables that it is a partition or a child of, and theirs: whoever writes to these writes to it. */
static List *
add_parents(Oid relation, List *relations)
{
	ListCell   *cell;

	pa_descend();
	foreach(cell, pa_parents(relation))
		if (!list_member_oid(relations, lfirst_oid(cell)))
			relations = add_parents(lfirst_oid(cell), lappend_oid(relations, lfirst_oid(cell)));
	return relations;
}

/* Children, and the tables above a partition, into which its rows may be inserted. */
static List *
family(Oid relation)
{
	List	   *relations;

	if (!SearchSysCacheExists1(RELOID, ObjectIdGetDatum(relation)))
		return NIL;
	relations = add_parents(relation, find_all_inheritors(relation, NoLock, NULL));
	return relations;
}

/* True if somebody else may change a relation that was reached. */
static bool
reach(Search *search, Oid relation)
{
	ListCell   *cell;

	foreach(cell, family(relation))
	{
		if (list_member_oid(search->judged, lfirst_oid(cell)))
			continue;
		if (relation_writer(search, lfirst_oid(cell)))
			return true;
		search->judged = lappend_oid(search->judged, lfirst_oid(cell));
		search->reached = list_append_unique_oid(search->reached, lfirst_oid(cell));
	}
	return false;
}

/* True if a query, at any depth, writes to the relation. */
static bool
writes_to_walker(Node *node, Oid *relation)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		Query	   *query = (Query *) node;

		if (query->resultRelation > 0 && rt_fetch(query->resultRelation, query->rtable)->relid == *relation)
			return true;
		return query_tree_walker(query, writes_to_walker, relation, 0);
	}
	return expression_tree_walker(node, writes_to_walker, relation);
}

/* True if what is written to the view goes to the relation without a rule. */
static bool
is_updatable_view_of(Query *view, Oid relation)
{
	RangeTblRef *base;

	if (view_query_is_auto_updatable(view, false) != NULL)
		return false;
	base = linitial_node(RangeTblRef, view->jointree->fromlist);
	return rt_fetch(base->rtindex, view->rtable)->relid == relation;
}

static bool
is_invoker_view(HeapTuple class)
{
	bool		isnull;
	Datum		options = SysCacheGetAttr(RELOID, class, Anum_pg_class_reloptions, &isnull);

	return !isnull && ((ViewOptions *) view_reloptions(options, false))->security_invoker;
}

/* True if the rule lets somebody else change the relation. */
static bool
reach_by_rule(Search *search, Oid relation, Form_pg_rewrite rule, List *actions)
{
	HeapTuple	class = SearchSysCache1(RELOID, ObjectIdGetDatum(rule->ev_class));
	bool		is_view = rule->ev_type == '0' + CMD_SELECT;
	bool		passes_on,
				asks_invoker;

	if (!HeapTupleIsValid(class))
		return false;
	passes_on = has_privs_of_role(((Form_pg_class) GETSTRUCT(class))->relowner, search->owner);
	asks_invoker = is_view && is_invoker_view(class);
	ReleaseSysCache(class);
	if (!passes_on && !asks_invoker)
		return false;
	if (!(is_view ? is_updatable_view_of(linitial_node(Query, actions), relation) :
		  writes_to_walker((Node *) actions, &relation)))
		return false;
	if (!asks_invoker)
		return reach(search, rule->ev_class);
	search->reached = list_append_unique_oid(search->reached, rule->ev_class);
	return false;
}

static List *
actions_of(HeapTuple rule, TupleDesc desc)
{
	bool		isnull;
	Datum		written = heap_getattr(rule, Anum_pg_rewrite_ev_action, desc, &isnull);

	return isnull ? NIL : (List *) stringToNode(TextDatumGetCString(written));
}

static bool
reach_by_rule_oid(Search *search, Oid relation, Oid rule)
{
	Relation	catalog = table_open(RewriteRelationId, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;
	bool		found = false;

	ScanKeyInit(&key, Anum_pg_rewrite_oid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(rule));
	scan = systable_beginscan(catalog, RewriteOidIndexId, true, NULL, 1, &key);
	if (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		List	   *actions = actions_of(tuple, RelationGetDescr(catalog));

		found = actions != NIL && reach_by_rule(search, relation, (Form_pg_rewrite) GETSTRUCT(tuple), actions);
	}
	systable_endscan(scan);
	table_close(catalog, AccessShareLock);
	return found;
}

static bool
reach_by_rules(Search *search, Oid relation)
{
	ListCell   *cell;

	foreach(cell, pa_dependencies(RelationRelationId, relation, true, RewriteRelationId, false))
		if (reach_by_rule_oid(search, relation, lfirst_oid(cell)))
			return true;
	return false;
}

static bool
is_passive(char action)
{
	return action == FKCONSTR_ACTION_NOACTION || action == FKCONSTR_ACTION_RESTRICT;
}

/* Foreign keys of the relation that pass on what is done to another table. */
static bool
reach_by_keys(Search *search, Oid relation)
{
	Relation	catalog = table_open(ConstraintRelationId, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;
	bool		found = false;

	ScanKeyInit(&key, Anum_pg_constraint_conrelid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(relation));
	scan = systable_beginscan(catalog, ConstraintRelidTypidNameIndexId, true, NULL, 1, &key);
	while (!found && HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_constraint form = (Form_pg_constraint) GETSTRUCT(tuple);

		found = form->contype == CONSTRAINT_FOREIGN &&
			(!is_passive(form->confdeltype) || !is_passive(form->confupdtype)) && reach(search, form->confrelid);
	}
	systable_endscan(scan);
	table_close(catalog, AccessShareLock);
	return found;
}

bool
pa_public_writer(Oid relation, PaPublicWriter *writer)
{
	Search		search = {.owner = pa_table_owner(relation),.found = writer};

	if (reach(&search, relation))
		return true;
	for (int i = 0; i < list_length(search.reached); i++)
	{
		Oid			reached = list_nth_oid(search.reached, i);

		if (reach_by_rules(&search, reached) || reach_by_keys(&search, reached))
			return true;
	}
	return false;
}

/* _writer(relation): a sentence about one who may; null if nobody */
PG_FUNCTION_INFO_V1(pa_public_writer_sql);
PGDLLEXPORT Datum
pa_public_writer_sql(PG_FUNCTION_ARGS)
{
	Oid			relation = PG_GETARG_OID(0);
	PaPublicWriter writer;
	const char *role;

	if (!SearchSysCacheExists1(RELOID, ObjectIdGetDatum(relation)) || !pa_public_writer(relation, &writer))
		PG_RETURN_NULL();
	role = writer.role == ACL_ID_PUBLIC ? "public" : GetUserNameFromId(writer.role, false);
	if (writer.way == relation)
		PG_RETURN_TEXT_P(cstring_to_text(psprintf("Role \"%s\" may change it.", role)));
	PG_RETURN_TEXT_P(cstring_to_text(psprintf("Role \"%s\" may change it through %s.", role,
											  quote_qualified_identifier(get_namespace_name(get_rel_namespace(writer.way)),
																		 get_rel_name(writer.way)))));
}
