/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * piece.h
 *		A law that is a base law times constants: where which constants hold.
 *
 * Between two cuts the law at x is p_factor times the base, the shifted law is
 * q_factor times the shifted base, and ln(p_factor/q_factor) is 0 or plus or
 * minus the law's step.
 */
#ifndef PA_PIECE_H
#define PA_PIECE_H

#include "core/noise/law.h"

#define PA_PIECES 5

typedef struct PaPiece
{
	double		from;
	double		to;
	double		p_factor;
	double		q_factor;
	int			sign;			/* of the ratio's logarithm: -1, 0, 1 */
} PaPiece;

/* The pieces of a plain or recycled law that are not empty; returns how many. */
extern int	pa_law_pieces(const PaLaw *law, double shift, PaPiece pieces[PA_PIECES]);

#endif							/* PA_PIECE_H */
