/*
 * profile.c
 *		What one coordinate of noise gives away: delta(epsilon).
 *
 *		delta(epsilon) = sum max(0, p(x) - e^epsilon p(x - D))
 * over the pieces of piece.h: on a piece whose ratio has the logarithm l it is
 * p_factor times the gain of base.h at the loss epsilon - l, so it is a sum of
 * parts none of which is negative.
 *
 * Error bound.  epsilon - l is kept in two doubles and, where l is not 0, lowered
 * by what ln(1 - q) may be wrong; a profile falls in epsilon, so it only grows.
 * Each gain is right to PA_GAIN_ERROR gross; factors are right to a few
 * DBL_EPSILON.  All of that is added, and DBL_MIN for what underflows.  If it were
 * noticeable, because p and e^epsilon q nearly cancel, the gains are summed
 * point by point as well (pointwise.c); either result is a bound.
 */
#include <float.h>
#include <math.h>

#include "core/noise/law.h"
#include "core/noise/piece.h"
#include "core/noise/pointwise.h"
#include "core/noise/stairs.h"

#define FACTOR_ERROR (16 * DBL_EPSILON)
#define NOTICEABLE 1e-9
#define LARGE_SHIFT 100.0		/* scales; beyond nothing cancels */

/* A sum of what counts, rounded up to a probability; what is not a number would be the largest. */
static double
round_up(double delta, double error)
{
	delta += error + FACTOR_ERROR * delta + DBL_MIN;
	return delta < 1.0 ? fmax(0.0, delta) : 1.0;
}

/*
 * epsilon less the logarithm of the piece's ratio: what the difference lost,
 * what the logarithm lacks, and what that may still be wrong.
 */
static PaLoss
loss_of_base(const PaLaw *law, double epsilon, int sign)
{
	double		ratio = sign * law->step;
	PaLoss		loss = {sign == 0 ? epsilon : epsilon - ratio, 0};
	double		part = loss.high - epsilon;

	if (!isfinite(loss.high))
		loss.high = copysign(DBL_MAX, loss.high);
	else if (sign != 0)
		loss.low = (epsilon - (loss.high - part)) - (ratio + part) -
			(sign * law->step_low + 4.0 * LDBL_EPSILON * law->step);
	return loss;
}

/*
 * A profile whose parts, as they were computed, may be wrong by more than is
 * noticed: those that are to blame are summed point by point.
 */
static double
careful_delta(const PaLaw *law, double shift, double epsilon, const PaPiece *pieces, const PaGain *gains,
			  int n, double noticed)
{
	double		sum = 0;
	double		error = 0;
	int			i;

	for (i = 0; i < n; i++)
	{
		PaLoss		loss = loss_of_base(law, epsilon, pieces[i].sign);
		double		part = gains[i].gain;
		double		doubt = PA_GAIN_ERROR * gains[i].gross;

		if (pieces[i].p_factor * doubt > noticed)
		{
			part = pa_pointwise_gain(&law->base, shift, loss.high + loss.low, pieces[i].from, pieces[i].to);
			doubt = PA_POINTWISE_ERROR * part;
		}
		sum += pieces[i].p_factor * part;
		error += pieces[i].p_factor * doubt;
	}
	return round_up(sum, error);
}

static double
base_delta(const PaLaw *law, double shift, double epsilon)
{
	PaPiece		pieces[PA_PIECES];
	PaGain		gains[PA_PIECES];
	int			n = pa_law_pieces(law, shift, pieces);
	PaGain		sum = {0, 0, false};
	double		error;
	int			i;

	for (i = 0; i < n; i++)
	{
		const PaPiece *piece = &pieces[i];

		gains[i] = pa_base_gain(&law->base, shift, loss_of_base(law, epsilon, piece->sign), piece->from, piece->to);
		sum.gain += piece->p_factor * gains[i].gain;
		sum.gross += piece->p_factor * gains[i].gross;
		sum.reached = sum.reached || gains[i].reached;
	}
	if (!sum.reached)
		return 0.0;
	error = PA_GAIN_ERROR * sum.gross;
	if (law->base.shape == PA_GAUSSIAN && shift < LARGE_SHIFT * law->base.scale &&
		error > NOTICEABLE * sum.gain && error > DBL_MIN)
		return fmin(round_up(sum.gain, error),
					careful_delta(law, shift, epsilon, pieces, gains, n, NOTICEABLE / PA_PIECES * sum.gain));
	return round_up(sum.gain, error);
}

/* The least whole number m with m loss > given, between -most and most + 1 */
static double
stairs_level(const PaLaw *law, double most, double given)
{
	double		level;

	if (fma(most, law->loss, -given) <= 0)
		return most + 1.0;
	if (fma(-most, law->loss, -given) > 0)
		return -most;
	level = floor(given / law->loss) + 1.0;
	if (fma(level, law->loss, -given) <= 0)
		level += 1.0;
	else if (fma(level - 1.0, law->loss, -given) > 0)
		level -= 1.0;
	return level;
}

static double
stairs_delta(const PaLaw *law, double shift, double epsilon)
{
	double		most = pa_stairs_most(law, shift);
	double		level = stairs_level(law, most, epsilon);
	PaMasses	masses;
	double		doubt;

	if (level > most)
		return 0.0;
	masses = pa_stairs_reach(law, shift, level, epsilon);
	if (level == most)
		return round_up(masses.p * -expm1(-fma(most, law->loss, -epsilon)), 0);
	doubt = FACTOR_ERROR + DBL_EPSILON * (fabs(epsilon) + law->loss * fabs(level));
	return round_up(masses.p - masses.q, doubt * (masses.p + fmin(masses.p, masses.q)));
}

/* Sums over the cells of a table whose loss is above the given one */
static PaMasses
table_exceed(const PaNoiseTable *table, double shift, double loss, double *gain)
{
	double		factor = exp(loss);
	PaMasses	sum = {0, 0};
	int64_t		k;

	*gain = 0;
	for (k = -(int64_t) table->last; k <= table->last; k++)
	{
		double		other = fabs((double) k - shift);
		double		p = (double) table->weight[k < 0 ? -k : k] / (double) table->total;
		double		q = 0;
		double		rest = p;

		if (other <= table->last)
			q = (double) table->weight[(int32_t) other] / (double) table->total;
		if (q > 0)
			rest = p * (1.0 + 4.0 * DBL_EPSILON) - factor * q * (1.0 - 4.0 * DBL_EPSILON);
		if (rest > 0)
			*gain += rest;
		if (p > 0 && (q == 0 || p > factor * q))
		{
			sum.p += p;
			sum.q += q;
		}
	}
	return sum;
}

static double
table_delta(const PaNoiseTable *table, double shift, double epsilon)
{
	double		gain;

	table_exceed(table, shift, epsilon, &gain);
	return round_up(gain, 0);
}

/* The larger of the two probabilities of a response that leaks nothing */
static double
response_major(const PaLaw *law)
{
	return 1.0 / (1.0 + exp(-law->loss));
}

static double
response_delta(const PaLaw *law, double epsilon)
{
	double		rest = 1.0 - law->leak;

	if (epsilon >= law->loss)
		return law->leak;
	if (epsilon < -law->loss)
		return round_up(law->leak - rest * expm1(epsilon), 0);
	return round_up(law->leak - rest * response_major(law) * expm1(epsilon - law->loss), 0);
}

double
pa_law_delta(const PaLaw *law, double shift, double epsilon)
{
	if (shift == 0 && law->form != PA_LAW_RESPONSE)
		return epsilon < 0 ? round_up(-expm1(epsilon), 0) : 0.0;
	switch (law->form)
	{
		case PA_LAW_STAIRCASE:
			return stairs_delta(law, shift, epsilon);
		case PA_LAW_TABLE:
			return table_delta(law->table, shift, epsilon);
		case PA_LAW_RESPONSE:
			return response_delta(law, epsilon);
		case PA_LAW_PLAIN:
		case PA_LAW_RECYCLED:
			break;
	}
	return base_delta(law, shift, epsilon);
}

/* What is lost when x - shift is rounded */
static double
lost(double x, double shift)
{
	double		difference = x - shift;
	double		part = difference - x;

	if (!isfinite(difference))
		return 0;
	return (x - (difference - part)) - (shift + part);
}

/*
 * The mass of the shifted base, to nearest also where the interval is so short
 * that the rounding of its boundaries would show.
 */
static double
shifted_between(const PaBase *base, double shift, double from, double to)
{
	double		mass = pa_base_between(base, from - shift, to - shift);

	if (base->space == PA_LINE)
		mass += pa_base_density(base, to - shift) * lost(to, shift) -
			pa_base_density(base, from - shift) * lost(from, shift);
	return fmax(0, mass);
}

static PaMasses
base_exceed(const PaLaw *law, double shift, double loss)
{
	PaPiece		pieces[PA_PIECES];
	int			n = pa_law_pieces(law, shift, pieces);
	PaMasses	sum = {0, 0};
	int			i;

	for (i = 0; i < n; i++)
	{
		const PaPiece *piece = &pieces[i];
		double		end = fmin(piece->to, pa_base_cut(&law->base, shift, loss_of_base(law, loss, piece->sign).high));

		if (!(piece->from < end))
			continue;
		sum.p += piece->p_factor * pa_base_between(&law->base, piece->from, end);
		sum.q += piece->q_factor * shifted_between(&law->base, shift, piece->from, end);
	}
	sum.p = fmin(sum.p, 1.0);
	sum.q = fmin(sum.q, 1.0);
	return sum;
}

static PaMasses
response_exceed(const PaLaw *law, double loss)
{
	double		rest = 1.0 - law->leak;
	double		major = response_major(law);

	if (loss >= law->loss)
		return (PaMasses) {law->leak, 0};
	if (loss < -law->loss)
		return (PaMasses) {1.0, rest};
	return (PaMasses) {law->leak + rest * major, rest * major * exp(-law->loss)};
}

PaMasses
pa_law_exceed(const PaLaw *law, double shift, double loss)
{
	double		gain;
	double		most;

	if (shift == 0 && law->form != PA_LAW_RESPONSE)
		return loss < 0 ? (PaMasses) {1, 1} : (PaMasses) {0, 0};
	switch (law->form)
	{
		case PA_LAW_STAIRCASE:
			most = pa_stairs_most(law, shift);
			return pa_stairs_reach(law, shift, stairs_level(law, most, loss), 0);
		case PA_LAW_TABLE:
			return table_exceed(law->table, shift, loss, &gain);
		case PA_LAW_RESPONSE:
			return response_exceed(law, loss);
		case PA_LAW_PLAIN:
		case PA_LAW_RECYCLED:
			break;
	}
	return base_exceed(law, shift, loss);
}

double
pa_law_most_loss(const PaLaw *law, double shift)
{
	double		most;

	if (law->form == PA_LAW_RESPONSE)
		return law->leak > 0 ? INFINITY : law->loss;
	if (shift == 0)
		return 0;
	if (law->form == PA_LAW_STAIRCASE)
	{
		most = pa_stairs_most(law, shift);
		return fma(most, law->loss, -(most * law->loss)) > 0 ?
			nextafter(most * law->loss, INFINITY) : most * law->loss;
	}
	if (law->form == PA_LAW_TABLE || law->base.shape == PA_GAUSSIAN)
		return INFINITY;
	if (law->keep == 0)
		return INFINITY;
	most = nextafter(shift / law->base.scale, INFINITY);
	if (law->step > 0 && (law->band > 0 || law->space == PA_LATTICE))
		most = nextafter(nextafter(most + law->step, INFINITY), INFINITY);
	return most;
}
