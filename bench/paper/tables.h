/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tables.h
 *		The parts of the comparisons; each prints its tables.
 */
#ifndef TABLES_H
#define TABLES_H

/* "Budget Recycling Differential Privacy" */
extern void tables_of_recycling(void);	/* Algorithms 1 and 2, Fig. 3 and 4 */
extern void tables_of_composition(void);	/* Algorithm 3, Fig. 5, Table I */
extern void tables_of_sampling(void);	/* Algorithm 4, Fig. 6 */
extern void tables_of_adult(const char *file);	/* Fig. 7; NULL or no such file: what needs no data */

/* "Actual Knowledge Gain as Privacy Loss in Local Privacy Accounting" */
extern void tables_of_examples(void);	/* Section 2.5, Examples 1 to 3 */
extern void tables_of_health(void); /* Section 6.3, Table I, Appendix E */
extern void tables_of_streams(void);	/* Fig. 1 */

#endif							/* TABLES_H */
