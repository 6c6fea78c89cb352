/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * release.h
 *		One release: what noise each statistic gets, what that costs, who pays.
 *
 * Everything here follows from the policy, the query text, its parameters and
 * the session's settings, never from protected rows; so it serves the preview too.
 */
#ifndef PA_RELEASE_H
#define PA_RELEASE_H

#include "postgres.h"

#include "nodes/execnodes.h"
#include "utils/snapshot.h"

#include "core/accounting/budget.h"
#include "core/noise/delay.h"

#include "bound/key_rows.h"
#include "bound/statistic.h"
#include "catalog/policy.h"
#include "ledger/ledger.h"

/* What a release that chooses draws, and how (choice.h). */
typedef enum PaChoiceKind
{
	PA_CHOICE_TOPK,				/* groups of a run, by their counts */
	PA_CHOICE_RESPONSE,			/* a group of a run, by whether anything is in it */
	PA_CHOICE_CANDIDATES		/* an aggregate of a group, by its total */
} PaChoiceKind;

typedef struct PaRelease
{
	const PaPolicy *policy;		/* by which it is made: the first of these, with the strictest terms of all: */
	const PaPolicy **policies;	/* those of the tables of the spec */
	const struct PaUnit *unit;	/* what is protected (unit/unit.h) */
	const PaLeafSpec *spec;
	Oid			user;			/* who asks */
	Oid			payer;			/* whose quota pays */
	uint32		max_groups;		/* L0 that holds for this release */
	int64		max_rows;		/* M that holds for this release */
	bool		one_row_per_owner;	/* proved for the rows that the snapshot sees */
	bool		declared_groups;	/* the groups are the combinations of declared keys and of public rows: */
	const PaKeyRows *key_rows;	/* the latter; NULL: there are none */
	bool		select_groups;	/* groups come out only if enough owners are in them */
	double		selection_delta;	/* that any group is shown because of one owner, on the sample */
	const struct PaRefinement *refinement;	/* numbers are made finer until they are exact enough (refine.h); NULL: not */
	const struct PaLevels *levels;	/* by which keys groups are released (levels.h); NULL: by all, once */
	const PaAggregateArguments *arguments;	/* of the aggregates of the leaf */
	PaStatistics *statistics;
	PaCost		cost;
	List	   *owners;			/* names of those that it is about; NIL: all */
	bool		rho_known;		/* false: not all noise is zCDP, and the cost's rho means nothing */
	int			choose;			/* by the exponential mechanism: how many of a run, or of the candidates of a group; 0: noise */
	PaChoiceKind choice;		/* among what, by which scores */
	double		draw_epsilon;	/* of one draw */
	int64		plan_id;		/* under a plan: which, */
	int			nuses;			/* and the slots that pay */
	PaSlotUses	uses[PA_PLAN_SLOTS];
	PaDelayLaw	delay;			/* in steps of PA_ROW_WORK_MICROSECONDS; reach 0: no noise on time */
} PaRelease;

/* Why a release cannot be calibrated. */
typedef struct PaProblem
{
	const char *message;
	const char *detail;
	const char *hint;
	const PaStatistic *statistic;	/* that cannot be; NULL: the release as a whole */
} PaProblem;

/* arguments.c: bounds and options, evaluated from the node's expressions; errors out on bad ones. */
extern PaAggregateArguments *pa_release_arguments(const PaLeafSpec *spec, List *expressions, ExprContext *context);

/*
 * The policies under which the user may ask the tables, in their order, and whose quota
 * pays; errors out if there is none, or another one than when the leaf was planned.
 */
extern const PaPolicy **pa_release_policies(const PaLeafSpec *spec, Oid user, Oid *payer);

/* tables.c: the first policy, with the strictest terms of all of them. */
extern const PaPolicy *pa_strictest_policy(const PaPolicy **policies, int count);

/* owners.c: the names of the owners that a leaf is about, each once; NIL: all */
extern List *pa_release_owners(const PaLeafSpec *spec, List *expressions, ExprContext *context);

/*
 * Evaluates the node's expressions and calibrates; errors out if the user has no budget
 * at all or the request makes no sense.
 */
extern PaRelease *pa_release_prepare(const PaLeafSpec *spec, List *expressions, ExprContext *context,
									 Oid user, Snapshot snapshot);

/* The same of what is never made, which need not be worth its price: who may ask, and what for. */
extern PaRelease *pa_release_sketch(const PaLeafSpec *spec, List *expressions, ExprContext *context,
									Oid user, Snapshot snapshot);

/* For use inside ereport(): the error is at the aggregate of the statistic, or (NULL) at the first one. */
extern int	pa_release_position(const PaRelease *release, const PaStatistic *statistic);

/* shares.c: noise of all statistics, threshold, cost; false, with a problem, if there is none. */
extern bool pa_release_calibrate(PaRelease *release, PaProblem *problem);

/* The kinds of noise that a statistic may get, one unless it has an error bound. */
extern uint32 pa_release_kinds(const PaRelease *release, const PaStatistic *statistic);

/* The most that one owner can lose by a statistic in all groups, up to rounding; INFINITY if there is no bound. */
extern double pa_release_loss(const PaRelease *release, const PaStatistic *statistic);

/* release_copy.c: to be calibrated otherwise; all that calibrating writes is its own. */
extern PaRelease *pa_release_copy(const PaRelease *release);

/*
 * The release as it would be if a statistic had noise of the given kind, or NULL
 * if it cannot: for comparison, never to be executed.
 */
extern PaRelease *pa_release_alternative(const PaRelease *release, int statistic, PaKernelKind kind);

/*
 * charge.c: true of a release of declared keys alone, none of whose aggregates is used.
 * It reads no row and costs nothing, so it is not charged: the ledger has no line of it.
 */
extern bool pa_release_is_free(const PaRelease *release);

/*
 * charge.c: charges durably or errors out; returns the charge_id.  Where numbers are refined, for the
 * first stage; then for each further one, and false if the ledger does not take it.
 */
extern int64 pa_release_charge(const PaRelease *release);
extern bool pa_release_charge_stage(const PaRelease *release, int stage);

/* noise.c: one draw of noise for a statistic's total: the noised total in steps of the noise's lattice. */
extern PaInt128 pa_release_noise(const PaStatistic *statistic, PaInt128 total);

#endif							/* PA_RELEASE_H */
