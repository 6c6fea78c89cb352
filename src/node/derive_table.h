/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * derive_table.h
 *		Releases and what is to be derived from them, as sums of the same cells.
 *
 * Cells are made by the values of keys and the constants of conditions (layout.h), so that each
 * group of a release, and of the answer, is a sum of some of them.  Either they are the groups of one
 * release, whose bounded rows the answer is then about; or all places that rows can
 * be in, which several releases are about if bounding did nothing to any of them and
 * they are of one edition of the table.
 */
#ifndef PA_DERIVE_TABLE_H
#define PA_DERIVE_TABLE_H

#include "postgres.h"

#include "core/derive/combine.h"

#include "node/derive_target.h"
#include "node/repeat.h"

typedef struct PaTable
{
	const char *problem;		/* why nothing can be said; NULL: */
	bool		too_large;		/* that is why */
	PaTarget   *target;
	List	   *kept;			/* PaKept, whose answers these are */
	PaLayout   *layout;
	int			ncells;
	int		   *places;			/* [ncells][dimensions] */
	bool	   *wanted;			/* [ncells]: whether its rows are in the answer */
	int64	   *groups;			/* [ncells]: in which (derive_target.h) */
	List	   *checks;			/* conditions that are false of no row */
	PaVerdict **counted;		/* [kept][ncells]: whether its rows are in the release */
} PaTable;

/* kept: one, or several if whole, which its members then are made to fit: those that do not are left out. */
extern PaTable *pa_table_make(PaTarget *target, List *kept, bool whole, ExprContext *context);

/* The groups of a release with one of its sums: which cells each is the sum of, and the numbers of its groups. */
extern PaSums pa_table_answers(const PaTable *table, int kept, int sum, int **cells);

/* Which rows are not in the answer although they are asked for: a text; NULL: none. */
extern const char *pa_table_scope(const PaTable *table);

#endif							/* PA_DERIVE_TABLE_H */
