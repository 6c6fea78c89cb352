/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * filter.h
 *		May this owner be asked?  The Bayesian Privacy Filter over finite domains.
 *
 *	 full		yes if, whatever the answer, loss + central stays within epsilon
 *				("Actual Knowledge Gain", Algorithm 2).  Where the answers cannot be
 *				enumerated it is the simplified filter, which is never more generous
 *	 simplified	yes if loss + central + level stays within epsilon (Algorithm 3)
 *	 basic		yes if the sum of the levels of all questions, central and level stays
 *				within epsilon.  It does not look at answers, so it holds for owners
 *				whose value changes between questions; the others are about one value
 *	 approximate	(epsilon, delta): yes if sums that ignore the answers (of epsilon,
 *				or of zCDP rho) allow it, or else if the full filter does
 *				(Algorithm 4)
 *
 * loss is the realised loss log L of the owner's answers, and PaBorne.beside of
 * those kept elsewhere, central the sum of the worst-case epsilons of central
 * releases.  Within means <= epsilon + PA_FILTER_TIE, with the bound of the
 * rounding error on the left: what is guaranteed is (epsilon +
 * PA_FILTER_TIE)-LDP, resp. (epsilon + PA_FILTER_TIE, delta)-LDP, for questions
 * chosen adaptively, by a filter of any kind kept for the owner's whole
 * history.  docs/theory-local.md has the proofs.
 *
 * An epsilon here is about two values of the same owner, both points of the
 * declared domain: whoever embeds this maps every stored value, NULL included,
 * to a point.  That an owner is there at all is not hidden by their answers.
 * A central release that is epsilon-DP for adding or removing an owner is 2
 * epsilon-DP for replacing their value, and is charged as that, unless its
 * mechanism is known to be better.
 *
 * Asking changes nothing.  Whoever got a yes records: in PaBorne at once
 * (before the answer leaves), in the likelihood table the answer.
 */
#ifndef PA_FILTER_H
#define PA_FILTER_H

#include "core/bayes/likelihood.h"
#include "core/bayes/query.h"
#include "core/environment.h"

#define PA_FILTER_TIE 1e-9		/* nats; an exact tie with the budget is a yes */

typedef enum PaFilterKind
{
	PA_FILTER_FULL,
	PA_FILTER_SIMPLIFIED,
	PA_FILTER_APPROXIMATE,
	PA_FILTER_BASIC
} PaFilterKind;

typedef struct PaFilter
{
	PaFilterKind kind;
	double		epsilon;		/* the cap, nats */
	double		delta;			/* approximate: in (0, 1); else 0 */
} PaFilter;

/*
 * What an owner bore, whatever they answered.  All zero at the start; sums
 * are rounded up.
 */
typedef struct PaBorne
{
	double		basic;			/* sum of levels of their answers: worst-case epsilon */
	double		central;		/* sum of epsilons of central releases */
	double		rho;			/* zCDP of both */

	/*
	 * Certified loss of answers that this table does not hold; adds to the
	 * realised loss, not to the sums (which count these answers like others).
	 * An upper bound, so it has no error of its own; whoever keeps those answers
	 * sets it, and knows what it will be before one of them is given.
	 */
	double		beside;
} PaBorne;

typedef struct PaFilterVerdict
{
	bool		accepted;
	bool		by_sums;		/* approximate, basic: sums alone allow it */
	double		worst;			/* largest loss + beside + central that could follow, to nearest */
} PaFilterVerdict;

/* "full", "simplified", "approximate", "basic"; NULL for others */
extern const char *pa_filter_name(PaFilterKind kind);
extern bool pa_filter_by_name(const char *name, PaFilterKind *kind);

/* Finite epsilon >= 0, and delta as above. */
extern bool pa_filter_valid(const PaFilter *filter);

/*
 * May the owner be asked?  PA_INVALID for an invalid filter or sizes that
 * differ.
 */
extern PaStatus pa_filter_query(const PaFilter *filter, const PaBorne *borne, const PaLikelihood *likelihood,
								const PaQuery *query, const PaEnvironment *environment, PaFilterVerdict *verdict);

/* May the owner be in a central release that costs epsilon >= 0? */
extern PaStatus pa_filter_central(const PaFilter *filter, const PaBorne *borne, const PaLikelihood *likelihood,
								  double epsilon, PaFilterVerdict *verdict);

/*
 * Whether sums that ignore the answers bear a question or release of this cost:
 * by_sums of the verdicts.  False unless the filter is approximate or basic.
 */
extern bool pa_filter_sums(const PaFilter *filter, const PaBorne *borne, double epsilon, double rho);

/* After a yes. */
extern void pa_bear_query(PaBorne *borne, const PaQuery *query);
extern void pa_bear_central(PaBorne *borne, double epsilon);

/*
 * The largest level of a question that is certain to be accepted, rounded down,
 * at least 0; for views.
 */
extern double pa_filter_left(const PaFilter *filter, const PaBorne *borne, const PaLikelihood *likelihood);

#endif							/* PA_FILTER_H */
