/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fault.h
 *		Why a prior, a secret or a release was refused.
 *
 * Functions of this directory that take a PaFault * set it whenever they return
 * PA_INVALID (else they leave it alone); it may be NULL.  The words are made for
 * the end of an error message.
 */
#ifndef PA_FAULT_H
#define PA_FAULT_H

#include <stddef.h>

#include "core/status.h"

typedef enum PaFault
{
	PA_FAULT_NONE = 0,
	PA_FAULT_ENTRY,				/* an entry is negative, infinite or not a number */
	PA_FAULT_SUM,				/* what must add up to 1 does not, within 1e-9 */
	PA_FAULT_UNREACHABLE,		/* a state that the chain never takes, or takes but for a while */
	PA_FAULT_SYMMETRY,			/* the covariance is not symmetric */
	PA_FAULT_INDEFINITE,		/* the covariance is not positive definite */
	PA_FAULT_CONDITION,			/* its largest eigenvalue is above 1e12 times the smallest */
	PA_FAULT_SECRET,			/* a secret outside of the domain, or a pair that is not disjoint */
	PA_FAULT_EMPTY,				/* no distribution meets the constraints */
	PA_FAULT_SIZE,				/* more states, rows or cells than can be computed */
	PA_FAULT_ARGUMENT			/* any other number outside of its range */
} PaFault;

/* A constant English phrase, never NULL. */
extern const char *pa_fault_text(PaFault fault);

/* Notes the fault; always PA_INVALID. */
extern PaStatus pa_fault(PaFault *where, PaFault fault);

/*
 * The fault of "size" entries that are to be probabilities; and of a
 * distribution, which must add up to 1 besides.
 */
extern PaFault pa_fault_of_entries(const double *p, size_t size);
extern PaFault pa_fault_of_distribution(const double *p, size_t size);

#endif							/* PA_FAULT_H */
