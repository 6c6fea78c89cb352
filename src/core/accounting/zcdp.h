/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zcdp.h
 *		Conversions between zero-concentrated DP and (epsilon, delta)-DP.
 *
 * Tight conversion: Canonne, Kamath, Steinke (2020), Proposition 12 /
 * Corollary 13:  delta = inf over alpha > 1 of
 *   exp((alpha - 1)(alpha rho - epsilon)) / (alpha - 1) * (1 - 1/alpha)^alpha.
 */
#ifndef PA_ZCDP_H
#define PA_ZCDP_H

#include "core/status.h"

/* delta that rho-zCDP implies at epsilon; rounded up; rho >= 0 */
extern double pa_zcdp_delta(double rho, double epsilon);

/* epsilon that rho-zCDP implies at delta in (0,1); rounded up; >= 0 */
extern double pa_zcdp_epsilon(double rho, double delta);

/* Largest rho whose zCDP implies (epsilon, delta)-DP; rounded down.  epsilon > 0, 0 < delta < 1 */
extern PaStatus pa_zcdp_rho(double epsilon, double delta, double *rho);

#endif							/* PA_ZCDP_H */
