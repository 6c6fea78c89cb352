/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hash_join.h
 *		How a hash join gets at its keys, and hashes them: since 18, by expressions.
 *
 * Both are about joins by one key.  Theirs are not compiled to machine code, as little
 * as anything else below a release is.
 */
#ifndef PA_COMPAT_HASH_JOIN_H
#define PA_COMPAT_HASH_JOIN_H

#include "compat/version.h"

#include "executor/executor.h"
#include "executor/hashjoin.h"
#include "nodes/execnodes.h"
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

/* Puts another function in the place of one. */
typedef void (*PaReplaceHash) (FmgrInfo *function, Oid type);

#if PG_VERSION_NUM >= 180000

static inline void
pa_replace_in(ExprState *hash, PaReplaceHash replace, Oid type)
{
	for (int i = 0; i < hash->steps_len; i++)
	{
		ExprEvalStep *step = &hash->steps[i];
		ExprEvalOp	kind = ExecEvalStepOp(hash, step);

		if (kind != EEOP_HASHDATUM_FIRST && kind != EEOP_HASHDATUM_FIRST_STRICT)
			continue;
		replace(step->d.hashdatum.finfo, type);
		step->d.hashdatum.fn_addr = step->d.hashdatum.finfo->fn_addr;
	}
}

#endif

/* When the hash table has just been made, and is empty. */
static inline void
pa_replace_hashes(HashJoinState *join, HashState *inner, PaReplaceHash replace, Oid outer_type, Oid inner_type)
{
#if PG_VERSION_NUM >= 180000
	pa_replace_in(join->hj_OuterHash, replace, outer_type);
	pa_replace_in(inner->hash_expr, replace, inner_type);
#else
	replace(inner->hashtable->outer_hashfunctions, outer_type);
	replace(inner->hashtable->inner_hashfunctions, inner_type);
#endif
}

#endif							/* PA_COMPAT_HASH_JOIN_H */
