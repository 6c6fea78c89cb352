/*
 * owner.c
 *		Whose row it is: the owner column of a block's one protected table.
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/prep.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"

#include "guard/block_rules.h"

/* The protected table of a block is read as the reader role, owner column included. */
static void
stamp(RangeTblEntry *rte, AttrNumber owner)
{
	rte->checkAsUser = pa_reader_role();
	rte->requiredPerms = ACL_SELECT;
	rte->selectedCols = bms_add_member(rte->selectedCols, owner - FirstLowInvalidHeapAttributeNumber);
}

static Var *
protected_table_owner(PaBlock *block, RangeTblEntry *rte, int rtindex)
{
	const PaPolicy *policy = pa_policy_of(rte->relid);
	Oid			type,
				collation;
	int32		typmod;

	if (policy == NULL)
		pa_refuse_table(block->guard, rte,
						"A partition or child of a protected table cannot be queried by itself.",
						psprintf("Query %s, for which the policy was declared, with a condition that selects the part.",
								 pa_name_of_table(pa_protected_root(rte->relid))));
	if (block->policy != NULL)
		pa_refuse_table(block->guard, rte,
						"A block reads more than one protected table, or one of them twice.",
						"Query each table in a subquery of its own, with aggregates, and join the results. A WITH query with aggregates that is read twice is one release; with NOT MATERIALIZED, it is two.");
	pa_require_owner_column(policy);
	block->policy = policy;
	stamp(rte, policy->owner_attnum);
	get_atttypetypmodcoll(rte->relid, policy->owner_attnum, &type, &typmod, &collation);
	return makeVar(rtindex, policy->owner_attnum, type, typmod, collation, 0);
}

static Var *owner_of_query(PaBlock *block, Query *query);

/* Adds the owner column to the output of a subquery that hands up rows. */
static Var *
subquery_owner(PaBlock *block, RangeTblEntry *rte, int rtindex)
{
	Query	   *subquery = rte->subquery;
	Var		   *owner = owner_of_query(block, subquery);
	AttrNumber	resno = list_length(subquery->targetList) + 1;

	if (owner == NULL)
		return NULL;
	subquery->targetList = lappend(subquery->targetList,
								   makeTargetEntry((Expr *) owner, resno, pstrdup("owner"), false));
	rte->eref->colnames = lappend(rte->eref->colnames, makeString(pstrdup("owner")));
	return makeVar(rtindex, resno, owner->vartype, owner->vartypmod, owner->varcollid, 0);
}

static Var *
owner_of_query(PaBlock *block, Query *query)
{
	Relids		members = get_relids_in_jointree((Node *) query->jointree, false);
	int			member = -1;
	Var		   *owner = NULL;

	while ((member = bms_next_member(members, member)) >= 0)
	{
		RangeTblEntry *rte = rt_fetch(member, query->rtable);
		Var		   *found = NULL;

		if (pa_is_protected(block->guard, rte))
			found = protected_table_owner(block, rte, member);
		else if (rte->rtekind == RTE_SUBQUERY)
			found = subquery_owner(block, rte, member);
		if (found)
			owner = found;
	}
	if (bms_num_members(members) != 1)
		block->alone = false;
	return owner;
}

void
pa_expose_owner(PaBlock *block)
{
	block->alone = true;		/* until a join says otherwise */
	block->owner = owner_of_query(block, block->leaf);
	if (block->owner == NULL)
		elog(ERROR, "a protected block has no owner column");
}

AttrNumber
pa_protected_column(const PaGuard *guard, const Query *query, const Var *var)
{
	const RangeTblEntry *rte = rt_fetch(var->varno, query->rtable);

	if (var->varlevelsup != 0 || var->varattno <= 0)
		return InvalidAttrNumber;
	switch (rte->rtekind)
	{
		case RTE_RELATION:
			return pa_policy_of(rte->relid) != NULL ? var->varattno : InvalidAttrNumber;
		case RTE_SUBQUERY:
			{
				TargetEntry *entry = get_tle_by_resno(rte->subquery->targetList, var->varattno);

				if (entry && IsA(entry->expr, Var))
					return pa_protected_column(guard, rte->subquery, (Var *) entry->expr);
				return InvalidAttrNumber;
			}
		case RTE_JOIN:
			{
				Node	   *alias = list_nth(rte->joinaliasvars, var->varattno - 1);

				if (alias && IsA(alias, Var))
					return pa_protected_column(guard, query, (Var *) alias);
				return InvalidAttrNumber;
			}
		default:
			return InvalidAttrNumber;
	}
}

/* --- what is made of it --- */

typedef struct MentionContext
{
	const PaBlock *block;
	const Query *query;			/* whose columns the expression is made of */
} MentionContext;

/* Whether the owner column goes into the expression, also through subqueries and joins. */
static bool
mentions_owner_walker(Node *node, MentionContext *context)
{
	const RangeTblEntry *rte;
	const Var  *var = (const Var *) node;

	if (node == NULL)
		return false;
	if (!IsA(node, Var))
		return expression_tree_walker(node, mentions_owner_walker, context);
	rte = rt_fetch(var->varno, context->query->rtable);
	if (rte->rtekind == RTE_SUBQUERY)
	{
		MentionContext inner = {context->block, rte->subquery};

		return mentions_owner_walker((Node *) get_tle_by_resno(rte->subquery->targetList, var->varattno)->expr, &inner);
	}
	if (rte->rtekind == RTE_JOIN)
		return mentions_owner_walker(list_nth(rte->joinaliasvars, var->varattno - 1), context);
	return pa_protected_column(context->block->guard, context->query, var) == context->block->policy->owner_attnum;
}

void
pa_refuse_owner_key(const PaBlock *block, Node *key)
{
	MentionContext context = {block, block->leaf};

	if (mentions_owner_walker(key, &context))
		pa_refuse(block->guard, exprLocation(key), "The owner column cannot be grouped by.",
				  "Group by something that many owners share.");
}
