/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * renyi.c
 *		Renyi divergences of a law and its shift.
 *
 * With t = order - 1 and L the loss, psi(t) = ln sum p e^(tL) = t D_(1+t).
 * Piece by piece
 *		psi(t) = ln of the sum of p_factor (p_factor/q_factor)^t M(t),
 * M the moment of base.c.  That is right to some DBL_EPSILON times its terms, the
 * largest of which is about t (1+t) D^2/sigma^2 or t times a loss; next to t = 0,
 * where psi is smaller than that, it follows from halves.c, to a relative error.
 *
 * D rises in the order, so an order too close to 1 is replaced by a larger one
 * where halves.c does not serve, and no divergence is above the largest loss.
 */
#include "core/noise/renyi.h"

#include <float.h>
#include <math.h>

#include "core/noise/piece.h"
#include "core/noise/stairs.h"

#define ROUNDING (64 * DBL_EPSILON)
#define LEAST_T 1e-7

bool
pa_law_unbounded(const PaLaw *law, double shift)
{
	if (law->form == PA_LAW_RESPONSE)
		return law->leak > 0;
	return shift > 0 && (law->form == PA_LAW_TABLE || law->keep == 0);
}

void
pa_moments_make(const PaLaw *law, double shift, PaMoments *moments)
{
	moments->law = law;
	moments->shift = shift;
	moments->halved = pa_halves_make(law, shift, &moments->halves, &moments->any_order);
}

static PaPsi
psi_of_pieces(const PaLaw *law, double shift, double t)
{
	double		steps = shift / law->base.scale;
	PaPiece		pieces[PA_PIECES];
	int			n = pa_law_pieces(law, shift, pieces);
	PaPsi		psi = {-INFINITY, 0};
	int			i;

	for (i = 0; i < n; i++)
	{
		const PaPiece *piece = &pieces[i];

		psi.value = pa_log_add(psi.value, log(piece->p_factor) + t * piece->sign * law->step +
							pa_base_log_moment(&law->base, shift, t, piece->from, piece->to));
	}
	psi.error = 1.0 + t * law->step + t * steps;
	if (law->base.shape == PA_GAUSSIAN)
		psi.error += t * t * steps * steps;
	psi.error *= ROUNDING;
	return psi;
}

/*
 * What psi cannot exceed: t times the largest loss; for a Gaussian base, whose
 * moments are at most e^(t (1+t) D^2/(2 sigma^2)), that and the constants.
 */
static double
psi_limit(const PaLaw *law, double shift, double t)
{
	double		steps = shift / law->base.scale;

	if (law->base.shape == PA_LAPLACE || law->form == PA_LAW_STAIRCASE || law->form == PA_LAW_RESPONSE)
		return t * pa_law_most_loss(law, shift);
	return 0.5 * (t * steps) * ((1.0 + t) * steps) + t * law->step + fmax(0, log(law->inside));
}

PaPsi
pa_moments_psi(const PaMoments *moments, double t)
{
	const PaLaw *law = moments->law;
	double		limit = psi_limit(law, moments->shift, t);
	PaPsi		psi = {limit, 0};

	if (moments->halved && (moments->any_order || t * moments->shift <= law->base.scale))
	{
		psi.value = pa_halves_psi(&moments->halves, t);
		psi.error = PA_HALVES_ERROR * psi.value + DBL_MIN;
	}
	else if (law->form == PA_LAW_PLAIN || law->form == PA_LAW_RECYCLED)
		psi = psi_of_pieces(law, moments->shift, t);
	if (!(psi.value + psi.error < limit))
	{
		psi.value = limit;
		psi.error = 1e-12 * limit;
	}
	psi.value = fmax(0, psi.value);
	return psi;
}

static double
divergence(const PaMoments *moments, double t)
{
	PaPsi		psi;

	if (t == 0 && moments->halved)
		return pa_halves_mean(&moments->halves) * (1.0 + PA_HALVES_ERROR);
	if (!moments->halved)
		t = fmax(t, LEAST_T);
	psi = pa_moments_psi(moments, t);
	return (psi.value + psi.error) / t;
}

double
pa_law_renyi(const PaLaw *law, double shift, double order)
{
	double		most = pa_law_most_loss(law, shift);
	double		result;
	PaMoments	moments;

	if (law->form != PA_LAW_RESPONSE && shift == 0)
		return 0;
	if (pa_law_unbounded(law, shift) || !(order < INFINITY))
		return most;
	pa_moments_make(law, shift, &moments);
	result = divergence(&moments, fmax(0, order - 1.0)) * (1.0 + 4.0 * DBL_EPSILON) + DBL_MIN;
	return result < most ? result : most;
}
