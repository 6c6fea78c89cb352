/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_law.c
 *		Laws of noise and what they give away, against sums and quadrature.
 *
 * On the lattice the reference is a table of p and of the shifted law, computed
 * here from the definitions in long double; on the line it is GSL's quadrature of
 * the definition between the points where it has kinks.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>

#include "core/noise/law.h"
#include "core/noise/legendre.h"
#include "source.h"
#include "unit.h"

#define WIDEST 60000

/* p on -wide..wide; zero elsewhere */
typedef struct Table
{
	long		wide;
	long double p[2 * WIDEST + 1];
} Table;

static Table table;

static long double
at(long k)
{
	return labs(k) <= table.wide ? table.p[k + WIDEST] : 0;
}

static void
normalise(long wide)
{
	long double total = 0;
	long		k;

	assert_true(wide <= WIDEST);
	table.wide = wide;
	for (k = wide; k >= 1; k--)
		total += table.p[WIDEST + k] + table.p[WIDEST - k];
	total += table.p[WIDEST];
	for (k = -wide; k <= wide; k++)
		table.p[WIDEST + k] /= total;
}

static void
tabulate_recycled(bool gaussian, double scale, long band, double keep)
{
	long		wide = (long) ((gaussian ? 30 : 350) * scale) + 30;
	long		k;

	for (k = -wide; k <= wide; k++)
	{
		long double x = fabsl((long double) k) / scale;

		table.p[WIDEST + k] = (gaussian ? expl(-x * x / 2) : expl(-x)) * (labs(k) <= band ? 1 : (long double) keep);
	}
	normalise(wide);
}

static void
tabulate_staircase(double loss, long width, long band)
{
	long		wide = (long) (width * (100 / loss + 3)) + band;
	long		k;

	for (k = -wide; k <= wide; k++)
		table.p[WIDEST + k] = expl(loss * (floorl((long double) (band - labs(k)) / width) - floorl((long double) band / width)));
	normalise(wide);
}

/* What the table's end makes uncertain for a shift */
static long double
end_mass(long shift)
{
	long double sum = 1e-300L;
	long		k;

	for (k = -table.wide; k <= -table.wide + shift; k++)
		sum += 2 * at(k);
	return sum;
}

static long double
table_delta(long shift, double epsilon)
{
	long double factor = expl(epsilon);
	long double sum = 0;
	long		k;

	for (k = -table.wide; k <= table.wide; k++)
		sum += fmaxl(0, at(k) - factor * at(k - shift));
	return sum;
}

/* The other direction */
static long double
table_delta_back(long shift, double epsilon)
{
	long double factor = expl(epsilon);
	long double sum = 0;
	long		k;

	for (k = -table.wide; k <= table.wide + shift; k++)
		sum += fmaxl(0, at(k - shift) - factor * at(k));
	return sum;
}

/* D of the given order; where the table ends the sum does. */
static long double
table_renyi(long shift, long double order)
{
	long double sum = 0;
	long double high = -INFINITY;
	long		k;

	for (k = -table.wide + shift; k <= table.wide; k++)
		if (order == 1)
			sum += at(k) * logl(at(k) / at(k - shift));
		else
			high = fmaxl(high, order * logl(at(k)) + (1 - order) * logl(at(k - shift)));
	if (order == 1)
		return sum;
	for (k = -table.wide + shift; k <= table.wide; k++)
		sum += expl(order * logl(at(k)) + (1 - order) * logl(at(k - shift)) - high);
	return (high + logl(sum)) / (order - 1);
}

/* Rounded up, but by no more than so much. */
static void
assert_bound(double got, long double want, double excess)
{
	assert_at_most(want * (1 - 1e-15L), got);
	assert_at_most(got, want * (1 + excess) + 1e-300L);
}

static void
profile_agrees_with_table(const PaLaw *law, long shift, double epsilon)
{
	long double want = table_delta(shift, epsilon);
	double		got = pa_law_delta(law, shift, epsilon);

	assert_at_most(want * (1 - 1e-15L), got + end_mass(shift));
	assert_at_most(got, want * (1 + (want >= 1e-12L ? 1e-8 : 1e-6)) + end_mass(shift));
	assert_close(table_delta_back(shift, epsilon) + 1e-17L, want + 1e-17L, 1e-9);
}

static void
masses_agree_with_table(const PaLaw *law, long shift, double loss)
{
	long double factor = expl(loss);
	long double p = 0;
	long double q = 0;
	PaMasses	got = pa_law_exceed(law, shift, loss);
	long		k;

	for (k = -table.wide; k <= table.wide; k++)
		if (at(k) > factor * at(k - shift))
		{
			p += at(k);
			q += at(k - shift);
		}
	assert_at_most(fabsl(got.p - p), 1e-12 * p + end_mass(shift));
	assert_at_most(fabsl(got.q - q), 1e-12 * q + end_mass(shift));
	assert_at_most(got.p - expl(loss) * got.q, pa_law_delta(law, shift, loss) + 1e-12 * (got.p + expl(loss) * got.q));
}

static void
tails_agree_with_table(const PaLaw *law)
{
	long double sum = 0;
	long		k;

	for (k = table.wide; k >= -20; k--)
	{
		if (2 * k < table.wide && sum > 1e-290L && k % 7 == 0)
			assert_close(pa_law_above(law, k + 0.5), sum, PA_LAW_ERROR);
		sum += at(k);
		if (at(k) > 1e-200L && k % 5 == 0)
			assert_close(pa_law_density(law, k), at(k), PA_LAW_ERROR);
	}
	sum = 0;
	for (k = 0; k <= 40; k++)
	{
		sum += at(k) + (k > 0 ? at(-k) : 0);
		assert_close(pa_law_acceptance(law, k), sum, 1e-13);
		assert_close(pa_law_acceptance(law, k + 0.75), sum, 1e-13);
	}
	assert_true(pa_law_acceptance(law, -1) == 0);
}

static void
recycled_on_the_lattice(void **state)
{
	uint64_t	seed = 31;
	PaRandom	random;
	PaLaw		law;
	int			i;
	int			j;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 160; i++)
	{
		bool		gaussian = i % 2 == 0;
		double		scale = exp(uniform(&random, -2, gaussian ? 6 : 4.5));
		long		band = i % 5 == 0 ? 0 : (long) exp(uniform(&random, -1, 6));
		double		keep = i % 7 == 0 ? 1 : exp(-uniform(&random, 0, 9));
		long		shift = 1 + (long) (uniform(&random, 0, 2) * scale * uniform(&random, 0, 1));
		double		most = shift / scale - log(keep);

		assert_int_equal(pa_law_recycled(gaussian ? PA_GAUSSIAN : PA_LAPLACE, PA_LATTICE, scale, band, keep, &law), PA_OK);
		tabulate_recycled(gaussian, scale, band, keep);
		if (i % 8 < 2)
			tails_agree_with_table(&law);
		for (j = 0; j < 4; j++)
		{
			double		epsilon = most * uniform(&random, -1.1, 1.1);

			if (gaussian)
				epsilon = (shift / scale) * uniform(&random, -7, 7) + log(keep) * uniform(&random, -1.2, 1.2);
			profile_agrees_with_table(&law, shift, epsilon);
			masses_agree_with_table(&law, shift, epsilon);
		}
	}
}

static void
staircases_on_the_lattice(void **state)
{
	uint64_t	seed = 32;
	PaRandom	random;
	PaLaw		law;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 400; i++)
	{
		double		loss = exp(uniform(&random, -2.5, 2.5));
		long		width = 1 + (long) exp(uniform(&random, -1, 3));
		long		band = i % 5 == 0 ? 0 : (long) exp(uniform(&random, -1, 4.5));
		long		shift = i % 3 == 0 ? width : 1 + (long) exp(uniform(&random, -1, 4));
		long		most = (shift + width - 1) / width;

		assert_int_equal(pa_law_staircase(PA_LATTICE, loss, width, band, &law), PA_OK);
		tabulate_staircase(loss, width, band);
		if (i % 20 == 0)
			tails_agree_with_table(&law);
		profile_agrees_with_table(&law, shift, loss * most * uniform(&random, -1.2, 1.2));
		masses_agree_with_table(&law, shift, loss * (floor(most * uniform(&random, -1.2, 1.2)) + 0.3));
		assert_true(pa_law_delta(&law, shift, pa_law_most_loss(&law, shift)) == 0);
		assert_true(pa_law_delta(&law, shift, most * loss * (1 - 1e-9)) > 0);
	}
}

static void
divergences_on_the_lattice(void **state)
{
	static const double orders[] = {1, 1 + 1e-9, 1.001, 1.3, 2, 5, 20, 60};
	uint64_t	seed = 33;
	PaRandom	random;
	PaLaw		law;
	int			i;
	size_t		j;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 60; i++)
	{
		double		scale = exp(uniform(&random, -1, 4));
		long		band = (long) exp(uniform(&random, -1, 5));
		double		keep = i % 7 == 0 ? 1 : exp(-uniform(&random, 0, 7));
		long		shift = 1 + (long) (uniform(&random, 0, 2) * scale * uniform(&random, 0, 1));

		if (i % 3 == 2)
		{
			assert_int_equal(pa_law_staircase(PA_LATTICE, 1 / scale + 0.05, 1 + i % 4, band % 40, &law), PA_OK);
			tabulate_staircase(1 / scale + 0.05, 1 + i % 4, band % 40);
			shift = 1 + i % 9;
		}
		else
		{
			assert_int_equal(pa_law_recycled(i % 3 ? PA_GAUSSIAN : PA_LAPLACE, PA_LATTICE, scale, band, keep, &law), PA_OK);
			tabulate_recycled(i % 3, scale, band, keep);
		}
		for (j = 0; j < sizeof(orders) / sizeof(orders[0]); j++)
		{
			/* the bell of the moment must lie within the table */
			if (i % 3 == 1 && (orders[j] - 1) * shift > 12 * scale)
				break;
			if (orders[j] > 1 && orders[j] < 1.0001)
				assert_at_most(pa_law_renyi(&law, shift, 1), pa_law_renyi(&law, shift, orders[j]) * (1 + 1e-6));
			else
				assert_bound(pa_law_renyi(&law, shift, orders[j]), table_renyi(shift, orders[j]), orders[j] > 1 ? 1e-8 : 1e-6);
		}
		assert_true(pa_law_renyi(&law, shift, INFINITY) == pa_law_most_loss(&law, shift));
	}
}

/* The greatest D/order, at order 1 + e^x, by the golden section around the best of a scan */
static double
best_ratio(const PaLaw *law, double shift)
{
	double		best = pa_law_renyi(law, shift, 1) * (1 - 1e-6);
	double		low = -10;
	double		high = 40;
	double		x;
	int			i;

	for (x = -9.75; x < 39; x += 0.25)
	{
		double		ratio = pa_law_renyi(law, shift, 1 + exp(x)) / (1 + exp(x));

		if (ratio > best)
		{
			best = ratio;
			low = x - 0.25;
			high = x + 0.25;
		}
	}
	for (i = 0; i < 50 && low > -10; i++)
	{
		double		a = low + 0.382 * (high - low);
		double		b = low + 0.618 * (high - low);
		double		at_a = pa_law_renyi(law, shift, 1 + exp(a)) / (1 + exp(a));
		double		at_b = pa_law_renyi(law, shift, 1 + exp(b)) / (1 + exp(b));

		best = fmax(best, fmax(at_a, at_b));
		if (at_a < at_b)
			low = a;
		else
			high = b;
	}
	return best;
}

static void
rho_is_a_tight_bound(void **state)
{
	uint64_t	seed = 34;
	PaRandom	random;
	PaLaw		law;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 240; i++)
	{
		PaSpace		space = i % 2 ? PA_LINE : PA_LATTICE;
		bool		gaussian = i / 2 % 2;
		double		scale = exp(uniform(&random, 0, 8));
		double		band = floor(scale * exp(uniform(&random, -3, 2)));
		double		shift = ceil(scale * exp(uniform(&random, -7, 1.5)));
		double		q = i % 3 ? 1 - exp(-uniform(&random, 0.05, 8)) : exp(-uniform(&random, 0, 14));
		double		rho;
		double		best;

		if (i % 5 == 0)
			assert_int_equal(pa_law_staircase(space, exp(uniform(&random, -4, 3)), i % 10 ? shift : ceil(scale), band, &law), PA_OK);
		else
			assert_int_equal(pa_law_recycled(gaussian ? PA_GAUSSIAN : PA_LAPLACE, space, scale, band, 1 - q, &law), PA_OK);
		rho = pa_law_rho(&law, shift);
		best = best_ratio(&law, shift);
		if (gaussian && i % 5 != 0)
			best = fmax(best, 0.5 * (shift / scale) * (shift / scale));
		assert_at_most(best, rho * (1 + 1e-10));
		assert_at_most(rho, best * (1 + (gaussian ? 1e-4 : 3e-6)));
	}
}

static void
rho_in_closed_form(void **state)
{
	PaLaw		law;

	(void) state;
	assert_int_equal(pa_law_plain(PA_GAUSSIAN, PA_LATTICE, 7, &law), PA_OK);
	assert_bound(pa_law_rho(&law, 3), 9.0L / 98, 1e-12);
	assert_int_equal(pa_law_recycled(PA_GAUSSIAN, PA_LINE, 7, 2, 1, &law), PA_OK);
	assert_bound(pa_law_rho(&law, 3), 9.0L / 98, 1e-12);
	assert_int_equal(pa_law_plain(PA_LAPLACE, PA_LINE, 4, &law), PA_OK);
	assert_bound(pa_law_rho(&law, 3), expl(-0.75L) - 0.25L, 1e-12);
	assert_at_most(best_ratio(&law, 3), pa_law_rho(&law, 3) * (1 + 1e-10));
	assert_int_equal(pa_law_plain(PA_LAPLACE, PA_LATTICE, 0.5, &law), PA_OK);
	assert_bound(pa_law_rho(&law, 1), 2 * tanhl(1), 1e-12);
	assert_int_equal(pa_law_response(2, 0, &law), PA_OK);
	assert_bound(pa_law_rho(&law, 1), 2 * tanhl(1), 1e-12);
	assert_at_most(best_ratio(&law, 1), pa_law_rho(&law, 1) * (1 + 1e-10));
	/* a staircase of shift 1 on the whole numbers is a Laplace law */
	assert_int_equal(pa_law_staircase(PA_LATTICE, 0.25, 1, 5, &law), PA_OK);
	assert_bound(pa_law_rho(&law, 1), 0.25L * tanhl(0.125L), 1e-6);
}

/* max(0, p(x) - e^epsilon p(x - shift)) */
typedef struct Gain
{
	const PaLaw *law;
	double		shift;
	double		epsilon;
} Gain;

static double
density_of(const PaLaw *law, double x)
{
	double		z = fabs(x) / law->base.scale;
	double		base = law->base.shape == PA_GAUSSIAN ? exp(-z * z / 2) / sqrt(2 * M_PI) : exp(-z) / 2;
	double		p = law->base.shape == PA_GAUSSIAN ? erf(law->band / law->base.scale / M_SQRT2) :
		-expm1(-law->band / law->base.scale);
	double		inside = 1 / (p + (1 - p) * law->keep);

	return base / law->base.scale * inside * (fabs(x) <= law->band ? 1 : law->keep);
}

static double
gain_at(double x, void *context)
{
	const Gain *gain = context;

	return fmax(0, density_of(gain->law, x) - exp(gain->epsilon) * density_of(gain->law, x - gain->shift));
}

static int
ascending(const void *a, const void *b)
{
	double		x = *(const double *) a;
	double		y = *(const double *) b;

	return (x > y) - (x < y);
}

/* Between kinks: the ends of bands, the peaks, and where the gain becomes 0 */
static double
integral(const PaLaw *law, double shift, double epsilon)
{
	gsl_integration_workspace *space = gsl_integration_workspace_alloc(400);
	Gain		gain = {law, shift, epsilon};
	gsl_function function = {gain_at, &gain};
	double		far = (law->base.shape == PA_GAUSSIAN ? 12 : 45) * law->base.scale;
	double		cuts[11] = {-law->band, law->band, shift - law->band, shift + law->band, 0, shift, -far, shift + far};
	double		sum = 0;
	int			i;

	for (i = 0; i < 3; i++)
		cuts[8 + i] = fmin(fmax(pa_base_cut(&law->base, shift, epsilon + (i - 1) * law->step), -far), shift + far);
	qsort(cuts, 11, sizeof(double), ascending);
	for (i = 0; i < 10; i++)
	{
		double		part;
		double		error;

		if (cuts[i] < cuts[i + 1])
		{
			gsl_integration_qag(&function, cuts[i], cuts[i + 1], 1e-15, 1e-10, 400, GSL_INTEG_GAUSS31, space, &part, &error);
			sum += part;
		}
	}
	gsl_integration_workspace_free(space);
	return sum;
}

static void
recycled_on_the_line(void **state)
{
	uint64_t	seed = 35;
	PaRandom	random;
	PaLaw		law;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 200; i++)
	{
		bool		gaussian = i % 2 == 0;
		double		scale = exp(uniform(&random, -3, 5));
		double		band = scale * exp(uniform(&random, -3, 1.5));
		double		keep = i % 7 == 0 ? 1 : exp(-uniform(&random, 0, 6));
		double		shift = scale * exp(uniform(&random, -3, 1));
		double		epsilon = (shift / scale) * uniform(&random, -1, gaussian ? 3 : 1) - log(keep) * uniform(&random, 0, 1);
		double		want;

		assert_int_equal(pa_law_recycled(gaussian ? PA_GAUSSIAN : PA_LAPLACE, PA_LINE, scale, band, keep, &law), PA_OK);
		want = integral(&law, shift, epsilon);
		assert_at_most(want - 1e-11, pa_law_delta(&law, shift, epsilon));
		assert_at_most(pa_law_delta(&law, shift, epsilon), want + 1e-11);
	}
}

/* A shift of a millionth of a scale: p and e^epsilon q cancel but for that. */
static void
profiles_of_tiny_shifts(void **state)
{
	double		scale = 0x1p20;
	double		z;
	PaLaw		law;

	(void) state;
	for (z = 0; z < 7.5; z += 0.5)
	{
		long double low = z - 0.5L / scale;
		long double step = 1.0L / 1024;
		long double sum = 0;
		int			i;

		/* integral from low on of e^(-y^2/2) (1 - e^(-(y - low)/scale)) */
		for (i = 1; i <= 12 * 1024; i++)
		{
			long double y = low + i * step;

			sum += expl(-y * y / 2) * -expm1l(-i * step / scale) * (i % 2 ? 4 : 2);
		}
		sum *= step / 3 / sqrtl(2 * acosl(-1));
		assert_int_equal(pa_law_plain(PA_GAUSSIAN, PA_LINE, scale, &law), PA_OK);
		assert_at_most(sum * (1 - 1e-9L), pa_law_delta(&law, 1, z / scale));
		assert_at_most(pa_law_delta(&law, 1, z / scale), sum * (1 + 2e-9L));
		assert_int_equal(pa_law_plain(PA_GAUSSIAN, PA_LATTICE, scale, &law), PA_OK);
		assert_at_most(sum * (1 - 1e-9L), pa_law_delta(&law, 1, z / scale));
		assert_at_most(pa_law_delta(&law, 1, z / scale), sum * (1 + 2e-9L));
	}
}

/*
 * On the line the shifted law's boundaries are rounded, which a short interval or
 * one far out feels.  Wanted: closed forms, computed with 34 digits.
 */
static void
profiles_of_rounded_boundaries(void **state)
{
	static const struct
	{
		double		scale;
		double		band;
		double		keep;
		double		shift;
		double		epsilon;
		long double delta;
	}			known[] = {
		{155.41849123161322, 46.25, 0.4712565943584221, 26, 0.81607573586605209, 2.5579962714002565288e-08L},
		{2.8836792475659686e-05, 7.7273449187987327e-09, 1.8189894035458565e-12, 7.9168551176838903e-06,
		27.070426167739559, 1.8391554710751608576e-05L},
		{193.43527188411477, 0, 1, 0.00016487938901863842, 2.6308229331603081e-05, 4.9140297236947250652e-217L},
		{0.76565857888959254, 7.782705608845656e-11, 1.0294482090175149e-13, 0.0048461092337279688,
		29.904596577137728, 6.7141850970582012148e-06L},
	};
	PaMasses	masses;
	PaLaw		law;
	int			i;

	(void) state;
	for (i = 0; i < 4; i++)
	{
		assert_int_equal(pa_law_recycled(PA_GAUSSIAN, PA_LINE, known[i].scale, known[i].band, known[i].keep, &law), PA_OK);
		assert_at_most(known[i].delta, pa_law_delta(&law, known[i].shift, known[i].epsilon));
		assert_at_most(pa_law_delta(&law, known[i].shift, known[i].epsilon), known[i].delta * (1 + 1e-8L));
		masses = pa_law_exceed(&law, known[i].shift, known[i].epsilon);
		assert_at_most(fabsl(masses.p - expl(known[i].epsilon) * masses.q - known[i].delta), 2 * PA_LAW_ERROR * masses.p);
	}
}

/* Published and degenerate cases in closed form */
static void
known_values(void **state)
{
	PaLaw		law;

	(void) state;
	assert_int_equal(pa_law_staircase(PA_LINE, 3, 5, 1, &law), PA_OK);
	assert_close(pa_law_acceptance(&law, 1), 1 / (1 + 5 / expm1l(3)), 1e-12);
	assert_int_equal(pa_law_staircase(PA_LINE, 1000, 5, 1, &law), PA_OK);
	assert_true(pa_law_acceptance(&law, 1) == 1);
	assert_close(pa_law_density(&law, 0), 0.5L, 1e-14);
	assert_close(pa_law_delta(&law, 5, 0), 1, 1e-12);
	assert_int_equal(pa_law_staircase(PA_LINE, 1000, 5, 10, &law), PA_OK);
	assert_close(pa_law_acceptance(&law, 5), 1, 1e-12);
	assert_int_equal(pa_law_staircase(PA_LATTICE, 1.00807, 2, 10, &law), PA_OK);
	assert_close(pa_law_acceptance(&law, 10), 0.9954904970951232L, 1e-12);
	assert_close(pa_law_density(&law, 13), 0.00026127394259066136L, 1e-12);
	assert_int_equal(pa_law_recycled(PA_LAPLACE, PA_LATTICE, 7.4631, 25, 0.95, &law), PA_OK);
	assert_bound(pa_law_delta(&law, 2, 0.0591437), 0.10075705688605167L, 1e-8);
	assert_int_equal(pa_law_recycled(PA_LAPLACE, PA_LINE, 12.977266608, 0.159917114864, 0, &law), PA_OK);
	assert_bound(pa_law_delta(&law, 1.62488, 0.656472), 1, 1e-12);
	assert_close(pa_law_acceptance(&law, 0.159917114864), 1, 1e-12);
	assert_true(isinf(pa_law_rho(&law, 1)) && isinf(pa_law_renyi(&law, 1, 2)));
	/* atoms: half open */
	assert_int_equal(pa_law_plain(PA_LAPLACE, PA_LINE, 3, &law), PA_OK);
	assert_true(pa_law_delta(&law, 6, 2) == 0 && pa_law_delta(&law, 6, nextafter(2, 0)) > 0);
	assert_true(pa_law_exceed(&law, 6, 2).p == 0);
	assert_close(pa_law_exceed(&law, 6, nextafter(2, 0)).p, 0.5L, 1e-12);
	/* one and the same law */
	assert_true(pa_law_delta(&law, 0, 0.1) == 0 && pa_law_delta(&law, 0, 0) == 0);
	assert_close(pa_law_delta(&law, 0, -1), -expm1l(-1), 1e-12);
}

static void
response_is_the_worst_pair(void **state)
{
	long double major = expl(1.5L) / (1 + expl(1.5L));
	PaLaw		law;

	(void) state;
	assert_int_equal(pa_law_response(1.5, 0.01, &law), PA_OK);
	assert_close(pa_law_delta(&law, 1, 1.5), 0.01L, 1e-15);
	assert_close(pa_law_delta(&law, 1, 2.5), 0.01L, 1e-15);
	assert_bound(pa_law_delta(&law, 1, 0.5), 0.01L + 0.99L * major * -expm1l(-1), 1e-12);
	assert_bound(pa_law_delta(&law, 1, -2), 1 - expl(-2) * 0.99L, 1e-12);
	assert_close(pa_law_exceed(&law, 1, 1).p, 0.01L + 0.99L * major, 1e-14);
	assert_close(pa_law_exceed(&law, 1, 1).q, 0.99L * (1 - major), 1e-14);
	assert_true(isinf(pa_law_rho(&law, 1)) && isinf(pa_law_most_loss(&law, 1)));
	assert_int_equal(pa_law_response(1.5, 0, &law), PA_OK);
	assert_true(pa_law_delta(&law, 1, 1.5) == 0);
	assert_close(pa_law_renyi(&law, 1, 3), logl(expl(3) * major + expl(-3) * (1 - major)) / 2, 1e-10);
	assert_int_equal(pa_law_response(-1, 0, &law), PA_INVALID);
	assert_int_equal(pa_law_response(1, 1.5, &law), PA_INVALID);
}

static void
tables_are_summed(void **state)
{
	static const uint64_t weights[] = {9, 7, 7, 2, 1};
	PaNoiseTable noise = {4, 43, weights};
	PaLaw		law;
	long		k;

	(void) state;
	assert_int_equal(pa_law_table(&noise, &law), PA_OK);
	for (k = -4; k <= 4; k++)
		table.p[WIDEST + k] = weights[labs(k)];
	normalise(4);
	for (k = 1; k < 12; k++)
	{
		assert_bound(pa_law_delta(&law, k, 0.4), table_delta(k, 0.4), 1e-12);
		assert_bound(pa_law_delta(&law, k, -0.4), table_delta(k, -0.4), 1e-12);
		masses_agree_with_table(&law, k, 0.7);
	}
	tails_agree_with_table(&law);
	assert_true(isinf(pa_law_rho(&law, 1)) && isinf(pa_law_most_loss(&law, 1)));
	assert_true(pa_law_rho(&law, 0) == 0);
	noise.total = 44;
	assert_int_equal(pa_law_table(&noise, &law), PA_INVALID);
}

static void
profiles_are_monotone(void **state)
{
	uint64_t	seed = 36;
	PaRandom	random;
	PaLaw		law;
	PaLaw		laws[3];
	int			i;
	int			j;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 3000; i++)
	{
		PaSpace		space = i % 2 ? PA_LINE : PA_LATTICE;
		PaShape		shape = i / 2 % 2 ? PA_GAUSSIAN : PA_LAPLACE;
		double		scale = exp(uniform(&random, -1, 8));
		double		band = ceil(scale * exp(uniform(&random, -4, 2)));
		double		shift = ceil(scale * exp(uniform(&random, -6, 1)));
		double		epsilon = uniform(&random, -1, 6) * shift / scale;
		double		lam = uniform(&random, 0.02, 0.6);
		double		apart = uniform(&random, 0, 0.19);

		assert_int_equal(pa_law_recycled(shape, space, scale, band, exp(-uniform(&random, 0, 3)), &law), PA_OK);
		assert_at_most(pa_law_delta(&law, shift, epsilon), pa_law_delta(&law, shift + 1, epsilon) * (1 + 1e-8));
		assert_at_most(pa_law_delta(&law, shift, epsilon + 0.01), pa_law_delta(&law, shift, epsilon) * (1 + 1e-8));
		for (j = 0; j < 3; j++)
			assert_int_equal(pa_law_recycled_by_lam(shape, space, scale, band, lam + j * apart, &laws[j]), PA_OK);
		assert_at_most(pa_law_delta(&laws[1], shift, epsilon),
					   (pa_law_delta(&laws[0], shift, epsilon) + pa_law_delta(&laws[2], shift, epsilon)) / 2 * (1 + 1e-8) + 1e-300L);
		assert_close(pa_law_acceptance(&laws[1], band), 1 - (lam + apart) * (long double) laws[1].out_mass, 1e-13);
	}
}

/* What is taken at random from all magnitudes */
static double
any_size(PaRandom *random, bool whole)
{
	double		x = exp(uniform(random, whole ? 0 : -690, 690));

	if (uniform(random, 0, 1) < 0.5)
		x = exp(uniform(random, whole ? 0 : -12, 12));
	return whole ? floor(x) : x;
}

static void
no_nonsense_for_any_size(void **state)
{
	uint64_t	seed = 37;
	PaRandom	random;
	PaLaw		law;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 20000; i++)
	{
		bool		whole = i % 2 == 0;
		PaSpace		space = whole ? PA_LATTICE : PA_LINE;
		double		scale = any_size(&random, false);
		double		band = i % 9 == 0 ? 0 : any_size(&random, whole);
		double		shift = any_size(&random, whole);
		double		epsilon = any_size(&random, false) * (i % 4 < 2 ? 1 : -1);
		double		keep = fmin(1, any_size(&random, false));
		PaStatus	status;
		PaMasses	masses;
		double		numbers[8];
		int			j;

		if (i % 5 == 0)
			status = pa_law_staircase(space, scale, any_size(&random, whole), band, &law);
		else if (i % 5 == 1)
			status = pa_law_recycled_by_lam(i % 3 ? PA_GAUSSIAN : PA_LAPLACE, space, scale, band, keep, &law);
		else
			status = pa_law_recycled(i % 3 ? PA_GAUSSIAN : PA_LAPLACE, space, scale, band, keep, &law);
		if (status != PA_OK)
			continue;
		masses = pa_law_exceed(&law, shift, epsilon);
		numbers[0] = masses.p;
		numbers[1] = masses.q;
		numbers[2] = pa_law_delta(&law, shift, epsilon);
		numbers[3] = pa_law_acceptance(&law, any_size(&random, false));
		numbers[4] = pa_law_above(&law, whole ? band + 0.5 : epsilon);
		numbers[5] = pa_law_delta(&law, shift, pa_law_most_loss(&law, shift));
		for (j = 0; j < 6; j++)
			if (!(numbers[j] >= 0 && numbers[j] <= 1))
				fail_msg("number %d is %g: form %d scale %g band %g keep %g shift %g epsilon %g",
						 j, numbers[j], (int) law.form, scale, band, keep, shift, epsilon);
		if (isfinite(pa_law_most_loss(&law, shift)))
			assert_true(numbers[5] == 0);
		if (i % 10 < 4)
		{
			assert_true(pa_law_renyi(&law, shift, 1 + any_size(&random, false)) >= 0);
			assert_true(pa_law_renyi(&law, shift, 1) >= 0);
			assert_true(pa_law_rho(&law, shift) >= 0);
		}
		assert_true(pa_law_density(&law, band) >= 0);
	}
}

static void
arguments_out_of_range(void **state)
{
	PaLaw		law = {.band = -7};
	PaBase		base;

	(void) state;
	assert_int_equal(pa_law_plain(PA_LAPLACE, PA_LINE, 0, &law), PA_INVALID);
	assert_int_equal(pa_law_plain(PA_GAUSSIAN, PA_LATTICE, NAN, &law), PA_INVALID);
	assert_int_equal(pa_law_plain(PA_GAUSSIAN, PA_LATTICE, INFINITY, &law), PA_INVALID);
	assert_int_equal(pa_law_recycled(PA_GAUSSIAN, PA_LATTICE, 1, 1.5, 0.5, &law), PA_INVALID);
	assert_int_equal(pa_law_recycled(PA_GAUSSIAN, PA_LATTICE, 1, -1, 0.5, &law), PA_INVALID);
	assert_int_equal(pa_law_recycled(PA_GAUSSIAN, PA_LATTICE, 1, 1, 1.5, &law), PA_INVALID);
	assert_int_equal(pa_law_recycled(PA_GAUSSIAN, PA_LINE, 1, 0, 0, &law), PA_INVALID);
	assert_int_equal(pa_law_recycled_by_lam(PA_GAUSSIAN, PA_LINE, 1, 1, 0, &law), PA_INVALID);
	assert_int_equal(pa_law_recycled_by_lam(PA_GAUSSIAN, PA_LINE, 1, NAN, 0.5, &law), PA_INVALID);
	assert_int_equal(pa_law_staircase(PA_LATTICE, 1, 1.5, 1, &law), PA_INVALID);
	assert_int_equal(pa_law_staircase(PA_LINE, 0, 1.5, 1, &law), PA_INVALID);
	assert_int_equal(pa_law_staircase(PA_LINE, INFINITY, 1.5, 1, &law), PA_INVALID);
	assert_int_equal(pa_base_make((PaShape) 7, PA_LINE, 1, &base), PA_INVALID);
	assert_true(law.band == -7);
}

static void
check_rule(const PaLegendre *rule)
{
	gsl_integration_glfixed_table *want = gsl_integration_glfixed_table_alloc(2 * (size_t) rule->pairs);
	int			i;

	assert_non_null(want);
	for (i = 0; i < rule->pairs; i++)
	{
		double		node;
		double		weight;

		gsl_integration_glfixed_point(-1, 1, (size_t) (rule->pairs + i), &node, &weight, want);
		assert_true(rule->node[i] == node && rule->weight[i] == weight);
		gsl_integration_glfixed_point(-1, 1, (size_t) (rule->pairs - 1 - i), &node, &weight, want);
		assert_true(rule->node[i] == -node && rule->weight[i] == weight);
	}
	gsl_integration_glfixed_table_free(want);
}

/* To the last bit */
static void
rules_are_those_of_gsl(void **state)
{
	(void) state;
	check_rule(&pa_legendre_8);
	check_rule(&pa_legendre_16);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recycled_on_the_lattice),
		cmocka_unit_test(staircases_on_the_lattice),
		cmocka_unit_test(divergences_on_the_lattice),
		cmocka_unit_test(rho_is_a_tight_bound),
		cmocka_unit_test(rho_in_closed_form),
		cmocka_unit_test(recycled_on_the_line),
		cmocka_unit_test(profiles_of_tiny_shifts),
		cmocka_unit_test(profiles_of_rounded_boundaries),
		cmocka_unit_test(known_values),
		cmocka_unit_test(response_is_the_worst_pair),
		cmocka_unit_test(tables_are_summed),
		cmocka_unit_test(profiles_are_monotone),
		cmocka_unit_test(no_nonsense_for_any_size),
		cmocka_unit_test(arguments_out_of_range),
		cmocka_unit_test(rules_are_those_of_gsl),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests_name("law", tests, NULL, NULL);
}
