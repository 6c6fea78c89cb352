/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wanted_accuracy.h
 *		How exact an answer is wanted: what privacct.accuracy and the option "error" say.
 */
#ifndef PA_WANTED_ACCURACY_H
#define PA_WANTED_ACCURACY_H

#include "postgres.h"

typedef struct PaAccuracy
{
	double		absolute;		/* in units of the answer; 0: none */
	double		relative;		/* a share of the answer; 0: none */
} PaAccuracy;

#define PA_ACCURACY_FORM "Write a decimal number from 1e-100 to 1e100, or from 0.001 to 1000 with a per cent sign, as in '100' or '2 %'."

/* "100", "2 %", or nothing, with spaces around; false if it is neither. */
extern bool pa_accuracy_parse(const char *text, PaAccuracy *accuracy);

#endif							/* PA_WANTED_ACCURACY_H */
