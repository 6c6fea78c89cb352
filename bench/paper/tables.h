/*
 * tables.h
 *		The parts of the comparison; each prints its tables.
 */
#ifndef TABLES_H
#define TABLES_H

extern void tables_of_recycling(void);	/* Algorithms 1 and 2, Fig. 3 and 4 */
extern void tables_of_composition(void);	/* Algorithm 3, Fig. 5, Table I */
extern void tables_of_sampling(void);	/* Algorithm 4, Fig. 6 */
extern void tables_of_adult(const char *file);	/* Fig. 7; NULL or no such file: what needs no data */

#endif							/* TABLES_H */
