/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * uncounted.h
 *		Settings under which protected rows are read: the server counts nothing of them.
 */
#ifndef PA_UNCOUNTED_H
#define PA_UNCOUNTED_H

/* A level of settings; AtEOXact_GUC(false, ...) of it ends it. */
extern int	pa_uncounted(void);

#endif							/* PA_UNCOUNTED_H */
