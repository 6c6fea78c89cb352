/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * normal.h
 *		The upper tail of the standard normal law, without cancellation.
 */
#ifndef PA_NORMAL_H
#define PA_NORMAL_H

/* Mills ratio Q(z)/phi(z), z >= 0; relative error below 2e-15 */
extern double pa_mills(double z);

/* Pr[Z >= z] for any z; relative error below 4e-15 where it does not underflow */
extern double pa_normal_tail(double z);

#endif							/* PA_NORMAL_H */
