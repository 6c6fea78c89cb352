/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * entries.c
 *		Blocks on a table of the pufferfish regime: its entries, and what is no secret.
 *
 * The prior speaks of the entries alone.  So everything else that a block depends
 * on must be known not to be secret: the owner, the order, public columns.
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "utils/array.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "descend.h"
#include "price/form/form.h"
#include "guard/block_rules.h"
#include "guard/column.h"
#include "node/leaf.h"

/* The one column with a domain. */
static const PaDomainColumn *
entry_column(const PaPolicy *policy)
{
	const PaDomainColumn *entry = pa_policy_domains(policy) == NIL ? NULL : linitial(pa_policy_domains(policy));

	if (entry == NULL || entry->attnum == InvalidAttrNumber)
		elog(ERROR, "the entry column of policy " INT64_FORMAT " is missing", policy->policy_id);
	return entry;
}

/* --- which columns --- */

static bool
is_known(const PaPolicy *policy, AttrNumber column)
{
	return column == policy->owner_attnum || column == entry_column(policy)->attnum ||
		list_member_int(policy->public_columns, column);
}

static bool
check_columns_walker(Node *node, const PaBlock *block)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
		return false;			/* of a sublink: public tables, without correlation */
	if (!IsA(node, Var))
		return expression_tree_walker(node, check_columns_walker, (void *) block);
	if (!is_known(block->policy, pa_protected_column(block->leaf, (Var *) node, NULL)))
		pa_refuse(block->guard, ((Var *) node)->location,
				  "The query uses a column that is neither the entry nor public.",
				  "The prior says nothing about other columns; the table's owner can declare public ones with privacct.set_public().");
	return false;
}

static void
require_entry_columns(const PaBlock *block, Node *expression)
{
	(void) check_columns_walker(expression, block);
}

static void
validate_key(const PaBlock *block, Node *key)
{
	require_entry_columns(block, key);	/* there owners are no secret */
	if (!IsA(key, Var) ||
		pa_policy_keys(block->policy, pa_protected_column(block->leaf, (Var *) key, NULL)) == NULL)
		pa_refuse(block->guard, exprLocation(key), "What entries are grouped by, or what is drawn of them, has no declared keys.",
				  "Group by columns with keys, which the table's owner can declare with privacct.set_keys().");
}

static void
validate(const PaBlock *block)
{
	if (!block->alone)
		pa_refuse(block->guard, -1, "A query on entries joins the protected table with another one.",
				  "Query the table alone, and join the result of the block.");
	require_entry_columns(block, (Node *) block->leaf->jointree);
}

/* --- what entries decide --- */

static bool
mentions_entry_walker(Node *node, const PaBlock *block)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Var))
		return pa_protected_column(block->leaf, (Var *) node, NULL) == entry_column(block->policy)->attnum;
	return expression_tree_walker(node, mentions_entry_walker, (void *) block);
}

/* entry = ANY (states) */
static Node *
is_state(const PaBlock *block, const PaDomainColumn *entry)
{
	TypeCacheEntry *type = lookup_type_cache(entry->type, TYPECACHE_EQ_OPR);
	ScalarArrayOpExpr *test = makeNode(ScalarArrayOpExpr);
	ArrayType  *states;
	Oid			array_type = get_array_type(entry->type);
	Oid			operand = entry->type == VARCHAROID ? TEXTOID : entry->type;
	Oid			column_type,
				collation;
	int32		typmod;
	Node	   *column;

	if (operand == TEXTOID)
		array_type = TEXTARRAYOID;	/* varchar compares as text */
	states = construct_array(entry->values, entry->count, operand, type->typlen, type->typbyval, type->typalign);
	get_atttypetypmodcoll(rt_fetch(block->owner->varno, block->leaf->rtable)->relid, entry->attnum,
						  &column_type, &typmod, &collation);
	column = (Node *) makeVar(block->owner->varno, entry->attnum, column_type, typmod, collation, 0);
	if (operand != column_type)
		column = (Node *) makeRelabelType((Expr *) column, operand, -1, collation, COERCE_IMPLICIT_CAST);
	test->opno = type->eq_opr;
	test->opfuncid = get_opcode(type->eq_opr);
	test->useOr = true;
	test->inputcollid = collation;
	test->args = list_make2(column, makeConst(array_type, -1, collation, -1, PointerGetDatum(states), false, false));
	test->location = -1;
	return (Node *) test;
}

static void
restrict_rows(PaBlock *block, List *keys)
{
	const PaDomainColumn *entry = entry_column(block->policy);
	FromExpr   *from = block->leaf->jointree;
	RangeTblEntry *rte = rt_fetch(block->owner->varno, block->leaf->rtable);

	block->entry_use = PA_ENTRY_UNIT;
	if (mentions_entry_walker(from->quals, block))
		block->entry_use |= PA_ENTRY_SELECTS;
	if (mentions_entry_walker((Node *) keys, block))
		block->entry_use |= PA_ENTRY_GROUPS;
	if (mentions_entry_walker((Node *) list_truncate(list_copy(keys), list_length(keys) - 1), block))
		block->entry_use |= PA_ENTRY_RUNS;
	if (!entry->listed)
		return;
	pa_read_column(rte, entry->attnum);
	from->quals = (Node *) make_andclause(from->quals ? list_make2(is_state(block, entry), from->quals) :
										  list_make1(is_state(block, entry)));
}

static void
validate_call(const PaBlock *block, const Aggref *call, PaAggregateKind kind)
{
	if (kind == PA_AGG_COUNT_OWNERS)
		pa_refuse(block->guard, call->location, "Owners are counted, and the policy protects single entries.",
				  "Count entries, as in count(*); who the owners are is not secret in this table.");
	if (pa_aggregate_form(kind)->distinct)
		pa_refuse(block->guard, call->location, "Counting different values is for tables of owners, and the policy protects single entries.",
				  "Count the entries of each value, as in SELECT x, count(*) FROM t GROUP BY x.");
	if (pa_aggregate_form(kind)->draws)
		pa_refuse(block->guard, call->location, "Quantiles, the least and the greatest value are for tables of owners, and the policy protects single entries.",
				  "Count entries below a bound, as in count(*) FILTER (WHERE x < 10).");
}

static void
mark(const PaBlock *block, Aggref *marker)
{
	pa_mark_release(block, marker, pa_named_owners(block));
}

const PaBlockRules pa_entry_rules = {
	.one_table = true,
	.marker = pa_marker_aggregate,
	.mark = mark,
	.validate = validate,
	.validate_key = validate_key,
	.validate_call = validate_call,
	.validate_value = require_entry_columns,
	.restrict_rows = restrict_rows,
};
