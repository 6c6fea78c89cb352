/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * named_owners.c
 *		Whose rows alone a block of entries is about, if its WHERE says so.
 *
 * Owners are no secret in the pufferfish regime and independent of each other: a
 * release about some of them costs the others nothing.  What is recognised is a
 * condition that all rows have to meet, "owner = x" or "owner = ANY (x)" (which
 * IN is), x being the same for every row.  In doubt a block is about all owners.
 */
#include "postgres.h"

#include "access/stratnum.h"
#include "catalog/pg_collation.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "descend.h"
#include "catalog/owner_key.h"
#include "guard/block_rules.h"

/* Evaluated twice, here and for each row, it yields the same. */
static bool
is_fixed(Node *expression)
{
	return !contain_var_clause(expression) && !contain_mutable_functions(expression) && !contain_subplans(expression);
}

static bool
is_owner(const PaBlock *block, Node *expression)
{
	while (IsA(expression, RelabelType))
		expression = (Node *) ((RelabelType *) expression)->arg;
	return IsA(expression, Var) && equal(expression, block->owner);
}

/* Whether the operator says that owners are the same value, written the same. */
static bool
is_equality(Oid operator, Oid collation, Oid owner_type)
{
	Oid			family = lookup_type_cache(owner_type, TYPECACHE_HASH_OPFAMILY)->hash_opf;

	return OidIsValid(family) && get_op_opfamily_strategy(operator, family) == HTEqualStrategyNumber &&
		(!OidIsValid(collation) || get_collation_isdeterministic(collation));
}

/* Of types of owners: their output is as good as the value. */
static Node *
named_by_equality(const PaBlock *block, Oid operator, Oid collation, List *args, bool array)
{
	Node	   *named = lsecond(args);
	Oid			type = array ? get_element_type(exprType(named)) : exprType(named);

	if (is_owner(block, linitial(args)) && is_fixed(named) && pa_owner_key(type) != PA_OWNER_KEY_NONE &&
		is_equality(operator, collation, block->owner->vartype))
		return named;
	return NULL;
}

/* A value or array of owners that every row of the block is of; NULL if none is known. */
static Node *
named_by(const PaBlock *block, Node *condition)
{
	Node	   *named = NULL;
	ListCell   *cell;

	pa_descend();
	if (condition == NULL)
		return NULL;
	if (is_andclause(condition))
		foreach(cell, ((BoolExpr *) condition)->args)
			if ((named = named_by(block, lfirst(cell))) != NULL)
				return named;
	if (IsA(condition, OpExpr) && list_length(((OpExpr *) condition)->args) == 2)
	{
		OpExpr	   *test = (OpExpr *) condition;

		named = named_by_equality(block, test->opno, test->inputcollid, test->args, false);
		if (named == NULL && OidIsValid(get_commutator(test->opno)))
			named = named_by_equality(block, get_commutator(test->opno), test->inputcollid,
									  list_make2(lsecond(test->args), linitial(test->args)), false);
	}
	else if (IsA(condition, ScalarArrayOpExpr) && ((ScalarArrayOpExpr *) condition)->useOr)
	{
		ScalarArrayOpExpr *test = (ScalarArrayOpExpr *) condition;

		named = named_by_equality(block, test->opno, test->inputcollid, test->args, true);
	}
	return named;
}

Node *
pa_named_owners(const PaBlock *block)
{
	Node	   *named = named_by(block, block->leaf->jointree->quals);

	return named ? copyObject(named) : (Node *) makeNullConst(TEXTOID, -1, DEFAULT_COLLATION_OID);
}
