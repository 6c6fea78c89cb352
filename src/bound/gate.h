/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gate.h
 *		Owners with accounts of their own: which of them may be in a release.
 *
 * A policy of the local regime keeps an account for each owner, in which central
 * releases count as well.  The room that keeps those accounts sets the gate; a
 * release asks it after its charge and before it reads, and before the charge
 * whether anybody can bear it.
 */
#ifndef PA_GATE_H
#define PA_GATE_H

#include "postgres.h"

#include "utils/snapshot.h"

#include "catalog/policy.h"

/* How many of the owners who were asked before can bear a release, whether others can, and how often. */
typedef struct PaBearers
{
	int64		able;
	int64		known;
	bool		newcomers;		/* owners who were never asked can */
	int64		releases;		/* as often at least one owner is certain to bear it */
} PaBearers;

typedef struct PaOwnerGate
{
	/* As things stand now; reads no row of the table. */
	PaBearers	(*bearers) (const PaPolicy *policy, double epsilon);

	/* Errors out if nobody can be in a release that costs epsilon. */
	void		(*require) (const PaPolicy *policy, double epsilon, Snapshot snapshot);

	/* Decides who may be in a release that costs epsilon, and has it recorded; lives in the current memory context. */
	void	   *(*open) (const PaPolicy *policy, double epsilon, int64 charge_id);
	bool		(*admits) (const void *gate, Datum owner);

	/* How many of the owners who were asked before are in it: public, see local/owner_gate.c. */
	void		(*owners) (const void *gate, int64 *admitted, int64 *known);
} PaOwnerGate;

extern const PaOwnerGate *pa_owner_gate;

#endif							/* PA_GATE_H */
