/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hash_join.h
 *		How hash joins and groups get at their keys, and hash them: since 18, by expressions.
 *
 * Theirs are not compiled to machine code, as little as anything else below a release is.
 */
#ifndef PA_COMPAT_HASH_JOIN_H
#define PA_COMPAT_HASH_JOIN_H

#include "compat/version.h"

#include "executor/executor.h"
#include "executor/hashjoin.h"
#include "executor/nodeAgg.h"
#include "nodes/execnodes.h"
#include "nodes/nodeFuncs.h"
#if PG_VERSION_NUM >= 180000
#include "executor/execExpr.h"
#endif

static inline ExprState *
pa_outer_key(HashJoinState *join, int number)
{
#if PG_VERSION_NUM >= 180000
	return ExecInitExpr(list_nth(castNode(HashJoin, join->js.ps.plan)->hashkeys, number), &join->js.ps);
#else
	return list_nth(join->hj_OuterHashKeys, number);
#endif
}

static inline ExprState *
pa_inner_key(HashState *hash, int number)
{
#if PG_VERSION_NUM >= 180000
	return ExecInitExpr(list_nth(castNode(Hash, hash->ps.plan)->hashkeys, number), &hash->ps);
#else
	return list_nth(hash->hashkeys, number);
#endif
}

/* Puts another function in the place of that of a key; place: the number of the key, from 0 on. */
typedef void (*PaReplaceHash) (FmgrInfo *function, int place, Oid type);

static inline Oid
pa_type_of_key(List *keys, int place)
{
	return exprType(list_nth(keys, place));
}

#if PG_VERSION_NUM >= 180000

static inline bool
pa_hashes_key(ExprEvalOp step)
{
	return step == EEOP_HASHDATUM_FIRST || step == EEOP_HASHDATUM_FIRST_STRICT ||
		step == EEOP_HASHDATUM_NEXT32 || step == EEOP_HASHDATUM_NEXT32_STRICT;
}

static inline ExprEvalStep *
pa_step_of_key(ExprState *hash, int place)
{
	for (int i = 0; i < hash->steps_len; i++)
		if (pa_hashes_key(ExecEvalStepOp(hash, &hash->steps[i])) && place-- == 0)
			return &hash->steps[i];
	elog(ERROR, "a hash has too few keys");
}

static inline void
pa_replace_in(ExprState *hash, PaReplaceHash replace, int place, Oid type)
{
	ExprEvalStep *step = pa_step_of_key(hash, place);

	replace(step->d.hashdatum.finfo, place, type);
	step->d.hashdatum.fn_addr = step->d.hashdatum.finfo->fn_addr;
}

#endif

/* When the hash table has just been made, and is empty. */
static inline void
pa_replace_hashes(HashJoinState *join, HashState *inner, PaReplaceHash replace)
{
	List	   *outer_keys = castNode(HashJoin, join->js.ps.plan)->hashkeys;
	List	   *inner_keys = castNode(Hash, inner->ps.plan)->hashkeys;

	for (int i = 0; i < list_length(outer_keys); i++)
	{
#if PG_VERSION_NUM >= 180000
		pa_replace_in(join->hj_OuterHash, replace, i, pa_type_of_key(outer_keys, i));
		pa_replace_in(inner->hash_expr, replace, i, pa_type_of_key(inner_keys, i));
#else
		replace(&inner->hashtable->outer_hashfunctions[i], i, pa_type_of_key(outer_keys, i));
		replace(&inner->hashtable->inner_hashfunctions[i], i, pa_type_of_key(inner_keys, i));
#endif
	}
}

/* Of groups that are found by hashing, in one way: before the first row. */
static inline void
pa_replace_group_hashes(AggState *groups, PaReplaceHash replace)
{
	const Agg  *plan = castNode(Agg, groups->ss.ps.plan);
	TupleDesc	rows = ExecGetResultType(outerPlanState(groups));
	AggStatePerHash table = &groups->perhash[0];

	for (int i = 0; i < plan->numCols; i++)
	{
		Oid			type = TupleDescAttr(rows, plan->grpColIdx[i] - 1)->atttypid;

#if PG_VERSION_NUM >= 180000
		pa_replace_in(table->hashtable->tab_hash_expr, replace, i, type);
#else
		replace(&table->hashfunctions[i], i, type);
#endif
	}
}

#endif							/* PA_COMPAT_HASH_JOIN_H */
