/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * spec.h
 *		A leaf that asks owners, and what its executor must know.
 *
 * The leaf's aggregates are the calls of ldp_ aggregates.  The child yields one
 * row per owner: owner, public keys, and the columns that may be asked about.
 * Expressions are kept as they are, over those columns: they are evaluated for
 * points of the domain, never for rows.
 */
#ifndef PA_LOCAL_SPEC_H
#define PA_LOCAL_SPEC_H

#include "postgres.h"

#include "nodes/primnodes.h"

#include "node/leaf.h"

/* Arguments of the marker after PA_MARK_POLICIES; from the last on the columns that have domains. */
enum
{
	PA_MARK_PUBLIC = PA_MARK_POLICIES + 1, PA_MARK_DOMAIN
};

/* A column of the table that has a domain. */
typedef struct PaLocalColumn
{
	AttrNumber	attnum;
	int			input;			/* column of the child, from 0 */
	Oid			type;
	int32		typmod;
	Oid			collation;
} PaLocalColumn;

typedef struct PaLocalSpec
{
	PaLeafSpec *leaf;
	int			ncolumns;
	PaLocalColumn *columns;
	Const	   *public_columns; /* int[], of the policy when the block was validated */
	List	   *expressions;	/* of each aggregate; a Var of varno 1 and varattno i is columns[i - 1] */
} PaLocalSpec;

/* What it has beside the leaf: to and from the private data of a plan. */
extern List *pa_local_spec_encode(const PaLocalSpec *spec);
extern PaLocalSpec *pa_local_spec_decode(PaLeafSpec *leaf, List *list);

/* local_exec.c: called from _PG_init */
extern void pa_local_init(void);

/* owner_gate.c: sets the gate for central releases; called by it */
extern void pa_owner_gate_init(void);

/* local_path.c */
extern void pa_local_take_marker(PaLeafDraft *draft);
extern void pa_local_take_aggregate(PaLeafDraft *draft, const Aggref *call, PaLeafAggregate *aggregate);
extern Path *pa_local_finish(PaLeafDraft *draft, List **private);

/* local_preview.c */
extern void pa_local_preview(PaLeafSpec *leaf, const CustomScan *scan, ExprContext *context, PaPreview *preview);

#endif							/* PA_LOCAL_SPEC_H */
