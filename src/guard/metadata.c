/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * metadata.c
 *		What the system catalog shows to roles without privileges.
 *
 * harden_catalog() takes from PUBLIC the functions and columns of the system
 * catalog that tell about rows.  Clients read some of them among others, by
 * qualified names, and would fail.  So, before planning, for a user who lacks the
 * privilege and by the verdict in privacct.catalog_object:
 *
 *	function, null		becomes a null
 *	function, own		becomes null but for relations of the user's roles
 *	function, sessions	shows sessions of the user's roles only
 *	table, columns		becomes a subquery over it; columns that are "shown" read
 *						as their expression, others are left as they are
 *	table, rows			becomes a subquery over it, without rows that tell
 *
 * Everything else keeps its error.  Only what the user may not use is looked at,
 * and nothing that is put in its place tells what was taken: without this library
 * the privileges alone decide, and all of it is an error.
 *
 * Beside that, in views of information_schema, which list what the user has
 * privileges on, a table counts as such if the user holds a budget for it; and
 * has_any_column_privilege(..., 'SELECT'), by which other lists are made, is true
 * of it in queries that read the system catalog.  has_table_privilege() and has_column_privilege() are not.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/sysattr.h"
#include "access/transam.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_collation_d.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "parser/analyze.h"
#include "tcop/tcopprot.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "compat/permissions.h"
#include "compat/rights.h"
#include "compat/view.h"
#include "descend.h"
#include "catalog/hygiene.h"
#include "catalog/policy.h"
#include "guard/guard.h"
#include "guard/metadata.h"
#include "guard/subquery_entry.h"

typedef struct Rewriting
{
	List	   *views;			/* what views of information_schema expand to */
	bool		information_schema; /* inside one of these */
	bool		catalog;		/* in a query that reads the system catalog */
	bool		changed;
} Rewriting;

/* True if hardening, or the DBA, has taken a built-in function from the user. */
static bool
is_denied_function(Oid function)
{
	HeapTuple	tuple;
	bool		open;

	if (function >= FirstNormalObjectId)
		return false;
	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	if (!HeapTupleIsValid(tuple))
		return false;
	open = heap_attisnull(tuple, Anum_pg_proc_proacl, NULL);
	ReleaseSysCache(tuple);
	return !open && !pa_may_execute(function, GetUserId());
}

/* A function of ours, whatever the search_path and the user's rights on the schema. */
static Oid
own_function(const char *name, int nargs, const Oid *args)
{
	Oid			function = GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid, CStringGetDatum(name),
										   PointerGetDatum(buildoidvector(args, nargs)), ObjectIdGetDatum(pa_schema()));

	if (!OidIsValid(function))
		elog(ERROR, "function privacct.%s is missing", name);
	return function;
}

/* The twin that answers for the user's own relations, by the type of the result. */
static Oid
twin_for_relations(const FuncExpr *call)
{
	static const Oid args[] = {OIDOID, OIDOID, TEXTOID};

	if (list_length(call->args) == 2)
		return own_function("_own_size", 3, args);
	switch (call->funcresulttype)
	{
		case INT8OID:
			return own_function("_own_counter", 2, args);
		case TIMESTAMPTZOID:
			return own_function("_own_moment", 2, args);
		case FLOAT8OID:
			return own_function("_own_duration", 2, args);
		case OIDOID:
			return own_function("_own_number", 2, args);
		case TEXTOID:
			return own_function("_own_path", 2, args);
		default:
			return InvalidOid;
	}
}

/* Its first argument is the function in whose place it is called. */
static Node *
pass_function_to(FuncExpr *call, Oid twin)
{
	call->args = lcons(makeConst(OIDOID, -1, InvalidOid, sizeof(Oid), ObjectIdGetDatum(call->funcid), false, true), call->args);
	call->funcid = twin;
	return (Node *) call;
}

static Node *
answer_for_own_relations(FuncExpr *call)
{
	Oid			twin = twin_for_relations(call);

	return OidIsValid(twin) ? pass_function_to(call, twin) : (Node *) call;
}

/* The twin finds sessions, or has the function signal one. */
static Node *
answer_for_own_sessions(FuncExpr *call)
{
	static const Oid args[] = {OIDOID, INT4OID, INT8OID};

	if (call->funcresulttype == BOOLOID)
		return pass_function_to(call, own_function("_own_signal", lengthof(args), args));
	call->funcid = own_function("_own_sessions", 1, &args[1]);
	return (Node *) call;
}

/* What stands in the place of a call; the call itself if it keeps its error. */
static Node *
replace_denied_call(FuncExpr *call)
{
	switch (pa_function_judgement(call->funcid))
	{
		case PA_JUDGED_NULL:
			return (Node *) makeNullConst(call->funcresulttype, -1, call->funccollid);
		case PA_JUDGED_OWN:
			return answer_for_own_relations(call);
		case PA_JUDGED_SESSIONS:
			return answer_for_own_sessions(call);
		case PA_JUDGED_CLOSED:
			break;
	}
	return (Node *) call;
}

/* has_..._privilege(relation, ...) OR privacct._may_ask(relation) */
static Node *
or_may_ask(FuncExpr *call)
{
	static const Oid args[] = {OIDOID};
	Expr	   *may_ask = (Expr *) makeFuncExpr(own_function("_may_ask", 1, args), BOOLOID, list_make1(copyObject(linitial(call->args))),
												InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);

	return (Node *) makeBoolExpr(OR_EXPR, list_make2(call, may_ask), -1);
}

static bool
asks_for_privilege(Oid function)
{
	return function == F_HAS_TABLE_PRIVILEGE_OID_TEXT ||
		function == F_HAS_ANY_COLUMN_PRIVILEGE_OID_TEXT ||
		function == F_HAS_COLUMN_PRIVILEGE_OID_INT2_TEXT;
}

/* has_any_column_privilege(...) OR privacct._may_ask_any(...) */
static Node *
or_may_ask_any(FuncExpr *call)
{
	Oid		   *args;
	int			nargs;
	Expr	   *may_ask;

	(void) get_func_signature(call->funcid, &args, &nargs);
	may_ask = (Expr *) makeFuncExpr(own_function("_may_ask_any", nargs, args), BOOLOID, copyObject(call->args),
									InvalidOid, call->inputcollid, COERCE_EXPLICIT_CALL);
	return (Node *) makeBoolExpr(OR_EXPR, list_make2(call, may_ask), -1);
}

static bool
asks_for_any_column(Oid function)
{
	switch (function)
	{
		case F_HAS_ANY_COLUMN_PRIVILEGE_NAME_TEXT_TEXT:
		case F_HAS_ANY_COLUMN_PRIVILEGE_NAME_OID_TEXT:
		case F_HAS_ANY_COLUMN_PRIVILEGE_OID_TEXT_TEXT:
		case F_HAS_ANY_COLUMN_PRIVILEGE_OID_OID_TEXT:
		case F_HAS_ANY_COLUMN_PRIVILEGE_TEXT_TEXT:
		case F_HAS_ANY_COLUMN_PRIVILEGE_OID_TEXT:
			return true;
		default:
			return false;
	}
}

/* True if the subquery is the expansion of a view of information_schema. */
static bool
is_information_schema_view(const RangeTblEntry *rte)
{
	Oid			view = pa_expanded_view(rte);

	return OidIsValid(view) && view < FirstNormalObjectId && get_rel_namespace(view) == get_namespace_oid("information_schema", true);
}

/* True if a table of the system catalog is among what the query reads, itself or in a subquery or view. */
static bool
reads_catalog(const Query *query)
{
	ListCell   *cell;

	pa_descend();
	foreach(cell, query->rtable)
	{
		const RangeTblEntry *rte = lfirst(cell);

		if (rte->rtekind == RTE_RELATION && rte->relid < FirstNormalObjectId)
			return true;
		if (rte->rtekind == RTE_SUBQUERY && reads_catalog(rte->subquery))
			return true;
	}
	return false;
}

/* System columns cannot be read from a subquery. */
static bool
reads_system_column(const RangeTblEntry *rte)
{
	int			first = bms_next_member(pa_permissions(rte)->selectedCols, -1);

	return first >= 0 && first + FirstLowInvalidHeapAttributeNumber < InvalidAttrNumber;
}

/* Who reads no column, as in count(*), needs a privilege on any. */
static bool
reads_denied_column(const RangeTblEntry *rte, Oid user)
{
	const Bitmapset *columns = pa_permissions(rte)->selectedCols;
	int			member = -1;

	if (bms_is_empty(columns))
		return pg_attribute_aclcheck_all(rte->relid, user, ACL_SELECT, ACLMASK_ANY) != ACLCHECK_OK;
	while ((member = bms_next_member(columns, member)) >= 0)
	{
		AttrNumber	column = member + FirstLowInvalidHeapAttributeNumber;

		if (column == InvalidAttrNumber || (column > 0 && pg_attribute_aclcheck(rte->relid, column, user, ACL_SELECT) != ACLCHECK_OK))
			return true;
	}
	return false;
}

/* True if the table is one of the system catalog, some of which the user may not read. */
static bool
is_denied_table(const RangeTblEntry *rte)
{
	Oid			user = pa_asks_as(rte);

	return rte->rtekind == RTE_RELATION && rte->relid < FirstNormalObjectId && rte->relkind == RELKIND_RELATION &&
		pa_permissions(rte)->requiredPerms == ACL_SELECT && rte->tablesample == NULL &&
		pg_class_aclcheck(rte->relid, user, ACL_SELECT) != ACLCHECK_OK &&
		reads_denied_column(rte, user) && !reads_system_column(rte);
}

/* Every table of the query is read with the rights of its expressions' author, ours. */
static Query *
analyze_own(const char *sql)
{
	RawStmt    *raw = linitial_node(RawStmt, pg_parse_query(sql));
	Query	   *query = parse_analyze_fixedparams(raw, sql, NULL, 0, NULL);
	ListCell   *cell;

	pa_gather_permissions(query);
	foreach(cell, query->rtable)
		pa_ask_nobody(lfirst(cell));
	return query;
}

/* The table becomes what a view over it would be. */
static void
replace_table(RangeTblEntry *rte)
{
	char	   *sql = pa_shown_table(rte->relid);

	if (sql == NULL)
		return;
	pa_become_subquery(rte, analyze_own(sql));
	rte->security_barrier = rte->subquery->jointree->quals != NULL;
}

/* Most queries need nothing of all this; they are not copied. */
static bool
needs_rewriting_walker(Node *node, void *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, needs_rewriting_walker, context, QTW_EXAMINE_RTES_BEFORE);
	if (IsA(node, RangeTblEntry))
		return is_denied_table((RangeTblEntry *) node) || is_information_schema_view((RangeTblEntry *) node);
	if (IsA(node, FuncExpr) &&
		(asks_for_any_column(((FuncExpr *) node)->funcid) || is_denied_function(((FuncExpr *) node)->funcid)))
		return true;
	return expression_tree_walker(node, needs_rewriting_walker, context);
}

static Node *rewrite_node(Node *node, Rewriting *rewriting);

/* Conditions of row security are not the user's: they mean what they meant to their author. */
static List *
set_aside_security(Query *query)
{
	List	   *conditions = NIL;
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		conditions = lappend(conditions, ((RangeTblEntry *) lfirst(cell))->securityQuals);
		((RangeTblEntry *) lfirst(cell))->securityQuals = NIL;
	}
	return conditions;
}

static void
rewrite_query(Query *query, Rewriting *rewriting)
{
	Rewriting	outer = *rewriting;
	List	   *security = set_aside_security(query);
	ListCell   *cell,
			   *condition;

	rewriting->information_schema |= list_member_ptr(rewriting->views, query);
	foreach(cell, query->rtable)
		if (is_information_schema_view(lfirst(cell)))
			rewriting->views = lappend(rewriting->views, ((RangeTblEntry *) lfirst(cell))->subquery);
	rewriting->catalog = reads_catalog(query);
	(void) query_tree_mutator(query, rewrite_node, rewriting, QTW_DONT_COPY_QUERY);
	rewriting->information_schema = outer.information_schema;
	rewriting->catalog = outer.catalog;
	forboth(cell, query->rtable, condition, security)
		((RangeTblEntry *) lfirst(cell))->securityQuals = lfirst(condition);
	if (query->rowMarks != NIL)
		return;
	foreach(cell, query->rtable)
		if (is_denied_table(lfirst(cell)))
		{
			replace_table(lfirst(cell));
			rewriting->changed = true;
		}
}

static Node *
rewrite_call(FuncExpr *call, Rewriting *rewriting)
{
	Oid			function = call->funcid;
	Node	   *replaced = (Node *) call;

	if (rewriting->information_schema && asks_for_privilege(function))
		replaced = or_may_ask(call);
	else if (rewriting->catalog && asks_for_any_column(function))
		replaced = or_may_ask_any(call);
	else if (is_denied_function(function))
		replaced = replace_denied_call(call);
	rewriting->changed |= replaced != (Node *) call || call->funcid != function;
	return replaced;
}

static Node *
rewrite_node(Node *node, Rewriting *rewriting)
{
	pa_descend();
	if (node == NULL)
		return NULL;
	if (IsA(node, Query))
	{
		rewrite_query((Query *) node, rewriting);
		return node;
	}
	node = expression_tree_mutator(node, rewrite_node, rewriting);
	return IsA(node, FuncExpr) ? rewrite_call((FuncExpr *) node, rewriting) : node;
}

bool
pa_guard_metadata(Query *query)
{
	Rewriting	rewriting = {0};

	if (superuser() || !needs_rewriting_walker((Node *) query, NULL) || !OidIsValid(pa_schema()) || !pa_catalog_is_judged())
		return false;
	rewrite_query(query, &rewriting);
	return rewriting.changed;
}
