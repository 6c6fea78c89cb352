/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * status.h
 *		How the core reports failure.
 *
 * The core never exits, aborts, prints or longjmps: every function that can
 * fail returns a PaStatus and leaves its outputs untouched unless it is PA_OK.
 * Callers above the core turn a status into an ereport.
 */
#ifndef PA_STATUS_H
#define PA_STATUS_H

typedef enum PaStatus
{
	PA_OK = 0,
	PA_INVALID,					/* an argument is outside its documented range */
	PA_NO_RANDOMNESS,			/* the random source failed: nothing may be released */
	PA_OUT_OF_RANGE,			/* the exact arithmetic would overflow */
	PA_NO_SOLUTION,				/* no parameter meets the request */
	PA_NO_MEMORY,
	PA_INTERRUPTED
} PaStatus;

/* A constant English phrase for the status, never NULL. */
extern const char *pa_status_text(PaStatus status);

#endif							/* PA_STATUS_H */
