/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * leaf.h
 *		The plan node that computes, pays for and releases a protected block.
 *
 * Planning: the guard leaves a query with a marker aggregate; leaf_path.c makes
 * a CustomPath of its grouping step, whose child yields the rows of the block: owner,
 * keys, and what the kind of the leaf wants.
 *
 * Execution, all at the first fetch: where the block reads releases, whether it and they can be
 * made at all, then they, to their end; entitle, calibrate, read public tables whole,
 * CHARGE, only then read protected rows, release, store.  Later fetches and rescans
 * read the store, so nothing is ever drawn again.
 *
 * There are two kinds: central releases (central_path.c, central_exec.c) and questions
 * to owners (local/).  What is here they have in common.
 */
#ifndef PA_LEAF_H
#define PA_LEAF_H

#include "postgres.h"

#include "utils/tuplestore.h"

#include "compat/explain.h"
#include "bound/leaf_spec.h"
#include "custom_node.h"
#include "node/preview_row.h"
#include "quiet/delay.h"

/* A leaf that is being planned. */
typedef struct PaLeafDraft
{
	PlannerInfo *root;
	RelOptInfo *rows;			/* what the block reads */
	RelOptInfo *groups;			/* the grouping step, which becomes the leaf */
	const Aggref *marker;
	PathTarget *target;			/* columns of the child */
	PaLeafSpec *spec;
	List	   *listed_keys;	/* sort-group references of keys that the key query lists, in the order of its columns */
	List	   *references;		/* sort-group references of keys, in the order of the spec */
	List	   *calls;			/* of aggregates, in the order of the spec */
	List	   *arguments;		/* expressions that are evaluated once per execution */
	void	   *own;			/* of the kind */
} PaLeafDraft;

/* A leaf that is being executed. */
typedef struct PaLeafState
{
	CustomScanState css;		/* must be first */
	PaLeafSpec *spec;
	int			eflags;
	Tuplestorestate *store;		/* released rows; NULL before the release */
	TupleTableSlot *stored;		/* a row of the store */
	struct PaComposing *composing;	/* for the record of what is released (composed.h) */
	List	   *inputs;			/* scans of what must be released before (inputs.h) */
	bool		checked;		/* it was seen that it can be made, before its inputs were charged */
	PlanState  *child;			/* NULL unless public tables are read and protected rows are not */
	int			guc_level;		/* of the child */
	MemoryContext context;		/* of all that is done at the first fetch; current then */
	MemoryContext reading;		/* of what is read, and made of it: it goes before the release is kept; current in between */
} PaLeafState;

/* What a kind of leaf has of its own. */
typedef struct PaLeafKind
{
	PaCustomNode node;			/* PA_LEAF_NODE(); must be first */

	/* The aggregate that marks a block of this kind. */
	Oid			(*marker) (void);

	/* Planning, one after the other: what the marker carries beside table, policy and owner, ... */
	void		(*take_marker) (PaLeafDraft *draft);

	/* ... what the child must yield for each aggregate, whose arguments are in the draft, ... */
	void		(*take_aggregate) (PaLeafDraft *draft, const Aggref *call, PaLeafAggregate *aggregate);

	/* ... and the child.  In *private what the executor must know beside the spec. */
	Path	   *(*finish) (PaLeafDraft *draft, List **private);

	/*
	 * At the first fetch: who may ask what and what that costs, of public things alone (done
	 * twice where the block reads releases);
	 * then, if there is an earlier release that may be repeated, its rows into the store and true (may be NULL);
	 * else, with public tables read, the charge; then reading and releasing into the
	 * store, where what sees rows is done by pa_leaf_silently(); then, with rows no longer seen, what
	 * is kept for repeats (may be NULL).
	 */
	void		(*prepare) (PaLeafState *state);
	bool		(*repeat) (PaLeafState *state);
	void		(*charge) (PaLeafState *state, PaDelay *delay);
	void		(*release) (PaLeafState *state);
	void		(*keep) (PaLeafState *state);

	/* What is done when it is time to hand up the rows; may be NULL. */
	void		(*released) (PaLeafState *state);

	/* What the release would be, never the child or its estimates. */
	void		(*explain) (PaLeafState *state, ExplainState *es);

	/* The same as rows of privacct.preview(). */
	void		(*preview) (PaLeafSpec *spec, const CustomScan *scan, ExprContext *context, PaPreview *preview);
} PaLeafKind;

#define PA_LEAF_NODE(name, state_type) \
	PA_CUSTOM_NODE(name, state_type, pa_leaf_plan_path, \
				   .BeginCustomScan = pa_leaf_begin, \
				   .ExecCustomScan = pa_leaf_exec, \
				   .EndCustomScan = pa_leaf_end, \
				   .ReScanCustomScan = pa_leaf_rescan, \
				   .ExplainCustomScan = pa_leaf_explain)

/* --- leaf_path.c --- */

/* Installs the planner's hook; called from _PG_init. */
extern void pa_leaf_init(void);

/* To be called by each kind when the library is loaded. */
extern void pa_leaf_register(const PaLeafKind *kind);

/* The kind of leaf that a plan node is; NULL if it is another node. */
extern const PaLeafKind *pa_leaf_kind(const CustomScan *scan);

/* What a plan says of its leaf: what all kinds have, and what the kind alone knows. */
extern PaLeafSpec *pa_leaf_spec(const CustomScan *scan, const char *source);
extern List *pa_leaf_private(const CustomScan *scan);

/*
 * The expressions that are evaluated before any row is read.  custom_exprs tells
 * PostgreSQL of them; but there it puts a column of the output in the place of an
 * expression that is one, and no row is there to take it from.
 */
extern List *pa_leaf_arguments(const CustomScan *scan);

extern Node *pa_aggregate_argument(const Aggref *aggref, int position);

/* When all columns are taken: what is composed of aggregates of the block, as guard/composed.c wrote it. */
extern void pa_leaf_take_composed(PaLeafDraft *draft, const Const *written);

/* Adds an expression to the child's output unless it is there; its column, from 0. */
extern int	pa_leaf_add_input(PathTarget *target, Node *expression);

/* The path of the leaf's rows with the columns of the draft; errors out if there is none that may be taken. */
extern Path *pa_leaf_child(const PaLeafDraft *draft);

/* Its private data in a path: {what all kinds have, what the kind alone knows, arguments}. */
extern List *pa_leaf_path_private(const PaLeafDraft *draft, List *private);

/* For the tables of nodes with private data of this shape, and a column for each expression of the path's output. */
extern Plan *pa_leaf_plan_path(PlannerInfo *root, RelOptInfo *rel, CustomPath *path,
							   List *tlist, List *clauses, List *children);

/* --- leaf_exec.c --- */

/*
 * For use in release: runs a step that sees rows, in silence (quiet/quiet.h).  What
 * rows have filled is free in any case before something is said: see quiet/traces.h.
 */
extern void pa_leaf_silently(PaLeafState *state, void (*step) (void *argument), void *argument);

/* In such steps: before the first row is read, after the last, and where released rows go. */
extern void pa_leaf_begin_reading(PaLeafState *state);
extern void pa_leaf_end_reading(PaLeafState *state);
extern void pa_leaf_open_store(PaLeafState *state);

/* As text a line for each string; else one list, since keys must not repeat. */
extern void pa_leaf_explain_lines(const char *label, List *lines, ExplainState *es);
extern void pa_leaf_explain_time_grid(const PaPolicy *policy, ExplainState *es);

/* For PA_LEAF_NODE(). */
extern void pa_leaf_begin(CustomScanState *node, EState *estate, int eflags);
extern TupleTableSlot *pa_leaf_exec(CustomScanState *node);
extern void pa_leaf_end(CustomScanState *node);
extern void pa_leaf_rescan(CustomScanState *node);
extern void pa_leaf_explain(CustomScanState *node, List *ancestors, ExplainState *es);

#endif							/* PA_LEAF_H */
