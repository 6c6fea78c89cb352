/*
 * kernel.c
 *		Kernels: their parameters and texts, and their laws read at exactly those parameters.
 *
 * Every parameter is an integer that a double holds (53 significant bits), so
 * law.h is asked about the very law that sampler.c draws.  What it answers has
 * relative error below PA_LAW_ERROR, hence is rounded here by twice that.
 *
 * A sensitivity of more than 53 bits is rounded up when it becomes a double,
 * which asks for more privacy than needed.  A boundary between whole numbers is
 * exact below 2^52; beyond, a tail is bounded by the one that starts there.
 *
 * Rounds.  Let a be the acceptance of one round; pa_kernel_rounds is at least 1/a.
 *	 Recycler	a >= keep/2^62, and a >= M = Pr[|N| <= m] for the band m and the
 *		scale s, where 1/M <= 6 + 5 s/(2m+1):
 *		Laplace: M = 1 - 2 x^(m+1)/(1+x) with x = exp(-1/s), and 1+x >= 2 sqrt(x),
 *		so M >= 1 - exp(-y) >= y/(1+y) with y = (2m+1)/(2s): 1/M <= 1 + 2s/(2m+1).
 *		Gaussian: with weight 1 at 0 the total is at most 1 + s sqrt(2 pi), and
 *		the 2n+1 weights up to n = min(m, floor(s)) are at least exp(-1/2), so
 *		1/M <= 1.65 (1 + 2.51 s)/(2n+1) < 1.65 + 4.14 max(s/(2m+1), 1), for
 *		2 floor(s) + 1 > s.
 *	 Staircase	a = w + (1-w)(2r+1)/(2 width) with w = exp(-e) and r = band mod
 *		width, so 1/a <= 2 width/(2r+1), and 1/a <= exp(e) < 2^(1.5 e).
 */
#include "core/noise/kernel.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/noise/optimal.h"

#define KEEP_ALL (UINT64_C(1) << PA_KEEP_BITS)
#define MOST_ROUNDS ((uint32_t) (1 / PA_LEAST_ROUND))

/* Boundaries k - 1/2 are exact for |k| up to here. */
#define WIDEST (INT64_C(1) << 52)

const char *
pa_kernel_name(PaKernelKind kind)
{
	switch (kind)
	{
		case PA_KERNEL_LAPLACE:
			return "laplace";
		case PA_KERNEL_GAUSSIAN:
			return "gaussian";
		case PA_KERNEL_BRDP_LAPLACE:
			return "brdp_laplace";
		case PA_KERNEL_BRDP_GAUSSIAN:
			return "brdp_gaussian";
		case PA_KERNEL_STAIRCASE:
			return "staircase";
		case PA_KERNEL_OPTIMAL:
			return "optimal";
	}
	return "unknown";
}

bool
pa_kernel_by_name(const char *name, PaKernelKind *kind)
{
	int			i;

	for (i = 0; i < PA_KERNEL_KINDS; i++)
	{
		if (strcmp(name, pa_kernel_name((PaKernelKind) i)) == 0)
		{
			*kind = (PaKernelKind) i;
			return true;
		}
	}
	return false;
}

bool
pa_kernel_needs_band(PaKernelKind kind)
{
	return kind != PA_KERNEL_LAPLACE && kind != PA_KERNEL_GAUSSIAN;
}

bool
pa_kernel_recycles(PaKernelKind kind)
{
	return kind == PA_KERNEL_BRDP_LAPLACE || kind == PA_KERNEL_BRDP_GAUSSIAN;
}

static PaShape
shape_of(PaKernelKind kind)
{
	bool		laplace = kind == PA_KERNEL_LAPLACE || kind == PA_KERNEL_BRDP_LAPLACE;

	return laplace ? PA_LAPLACE : PA_GAUSSIAN;
}

static double
keep_of(const PaKernel *kernel)
{
	return ldexp((double) kernel->keep, -PA_KEEP_BITS);
}

static double
stair_loss(const PaKernel *kernel)
{
	return ldexp((double) kernel->numerator, -PA_STAIR_SHIFT);
}

/* Cells from 0 to the end of the central plateau, without 0. */
static uint64_t
plateau(const PaKernel *kernel)
{
	return (uint64_t) (kernel->band % kernel->width);
}

static bool
valid_scale(const PaKernel *kernel)
{
	int			bits = kernel->shift == 0 ? PA_SCALE_WHOLE_BITS : PA_SCALE_BITS;

	return kernel->shift <= PA_SCALE_SHIFT &&
		kernel->numerator >= 1 && kernel->numerator >> bits == 0;
}

static bool
valid_band(int64_t band)
{
	return band >= 0 && band < PA_BAND_LIMIT;
}

static bool
valid_keep(uint64_t keep)
{
	uint64_t	lowest = keep & (~keep + 1);

	return keep >= 1 && keep <= KEEP_ALL && keep / lowest >> DBL_MANT_DIG == 0;
}

/* width/e < 2^40 is width 2^44 < numerator 2^40. */
static bool
valid_stairs(const PaKernel *kernel)
{
	return kernel->shift == PA_STAIR_SHIFT &&
		kernel->numerator >= 1 && kernel->numerator >> PA_STAIR_BITS == 0 &&
		kernel->width >= 1 && kernel->width < PA_BAND_LIMIT &&
		(uint64_t) kernel->width << (PA_STAIR_SHIFT - PA_SCALE_WHOLE_BITS) < kernel->numerator;
}

/* Fewer than 2^11 weights of 64 bits do not overflow their sum. */
static bool
valid_table(const PaNoiseTable *table)
{
	PaUint128	sum;
	int32_t		k;

	if (table == NULL || table->weight == NULL || table->last < 0 || table->last > PA_OPTIMAL_LAST ||
		table->total < 1 || table->total > UINT64_C(1) << 62)
		return false;
	sum = table->weight[0];
	for (k = 1; k <= table->last; k++)
	{
		if (table->weight[k] > table->weight[k - 1])
			return false;
		sum += (PaUint128) 2 * table->weight[k];
	}
	return sum == table->total;
}

static uint64_t
recycler_rounds(const PaKernel *kernel)
{
	uint64_t	scale = (5 * kernel->numerator >> kernel->shift) + 1;
	uint64_t	by_band = 7 + scale / (2 * (uint64_t) kernel->band + 1);
	uint64_t	by_keep = KEEP_ALL / kernel->keep + 1;

	return by_band < by_keep ? by_band : by_keep;
}

static uint64_t
staircase_rounds(const PaKernel *kernel)
{
	uint64_t	by_plateau = 2 * (uint64_t) kernel->width / (2 * plateau(kernel) + 1) + 1;
	uint64_t	log_by_loss = (3 * kernel->numerator >> (PA_STAIR_SHIFT + 1)) + 1;
	uint64_t	by_loss = log_by_loss < 63 ? UINT64_C(1) << log_by_loss : UINT64_MAX;

	return by_plateau < by_loss ? by_plateau : by_loss;
}

uint32_t
pa_kernel_rounds(const PaKernel *kernel)
{
	uint64_t	rounds = 1;

	if (pa_kernel_recycles(kernel->kind))
		rounds = recycler_rounds(kernel);
	else if (kernel->kind == PA_KERNEL_STAIRCASE)
		rounds = staircase_rounds(kernel);
	return rounds < MOST_ROUNDS ? (uint32_t) rounds : MOST_ROUNDS;
}

/* The law is asked only where the bound by integers does not decide. */
static bool
recycles_soon(const PaKernel *kernel)
{
	PaLaw		law;

	if (kernel->keep >> (PA_KEEP_BITS - 12) != 0 || recycler_rounds(kernel) <= MOST_ROUNDS)
		return true;
	law = pa_kernel_law(kernel);
	return law.band_mass + keep_of(kernel) * law.out_mass >= PA_LEAST_ROUND;
}

static bool
climbs_soon(const PaKernel *kernel)
{
	double		loss = stair_loss(kernel);
	double		centre = (2 * (double) plateau(kernel) + 1) / (2 * (double) kernel->width);

	return staircase_rounds(kernel) <= MOST_ROUNDS ||
		exp(-loss) - expm1(-loss) * centre >= PA_LEAST_ROUND;
}

bool
pa_kernel_valid(const PaKernel *kernel)
{
	switch (kernel->kind)
	{
		case PA_KERNEL_LAPLACE:
		case PA_KERNEL_GAUSSIAN:
			return valid_scale(kernel);
		case PA_KERNEL_BRDP_LAPLACE:
		case PA_KERNEL_BRDP_GAUSSIAN:
			return valid_scale(kernel) && valid_band(kernel->band) && valid_keep(kernel->keep) &&
				recycles_soon(kernel);
		case PA_KERNEL_STAIRCASE:
			return valid_stairs(kernel) && valid_band(kernel->band) && climbs_soon(kernel);
		case PA_KERNEL_OPTIMAL:
			return valid_table(kernel->table);
	}
	return false;
}

static void
reduce(PaKernel *kernel)
{
	while (kernel->shift > 0 && kernel->numerator % 2 == 0)
	{
		kernel->numerator /= 2;
		kernel->shift--;
	}
}

/*
 * ldexp is exact here (scale 2^shift neither overflows nor, being at least
 * 1 where it matters, loses bits), and ceil rounds the scale up.
 */
PaStatus
pa_kernel_make(PaKernelKind kind, double scale, PaKernel *kernel)
{
	PaKernel	made = {.kind = kind, .shift = PA_SCALE_SHIFT};

	if (kind != PA_KERNEL_LAPLACE && kind != PA_KERNEL_GAUSSIAN)
		return PA_INVALID;
	if (!isfinite(scale) || scale <= 0)
		return PA_INVALID;
	while (made.shift > 0 && ceil(ldexp(scale, (int) made.shift)) >= 1 << PA_SCALE_BITS)
		made.shift--;
	if (ceil(ldexp(scale, (int) made.shift)) >= ldexp(1.0, PA_SCALE_WHOLE_BITS))
		return PA_OUT_OF_RANGE;
	made.numerator = (uint64_t) ceil(ldexp(scale, (int) made.shift));
	reduce(&made);
	*kernel = made;
	return PA_OK;
}

double
pa_kernel_scale(const PaKernel *kernel)
{
	if (kernel->kind == PA_KERNEL_OPTIMAL)
		return 0;
	if (kernel->kind == PA_KERNEL_STAIRCASE)
		return (double) kernel->width / stair_loss(kernel);
	return ldexp((double) kernel->numerator, -(int) kernel->shift);
}

double
pa_kernel_recycling(const PaKernel *kernel)
{
	uint64_t	recycled;
	double		rounded;

	if (!pa_kernel_recycles(kernel->kind))
		return 0;
	recycled = KEEP_ALL - kernel->keep;
	rounded = (double) recycled;
	if ((uint64_t) rounded > recycled)
		rounded = nextafter(rounded, 0);
	return ldexp(rounded, -PA_KEEP_BITS);
}

/* The constructors take whatever is valid here. */
PaLaw
pa_kernel_law(const PaKernel *kernel)
{
	PaShape		shape = shape_of(kernel->kind);
	PaLaw		law = {0};

	switch (kernel->kind)
	{
		case PA_KERNEL_LAPLACE:
		case PA_KERNEL_GAUSSIAN:
			(void) pa_law_plain(shape, PA_LATTICE, pa_kernel_scale(kernel), &law);
			break;
		case PA_KERNEL_BRDP_LAPLACE:
		case PA_KERNEL_BRDP_GAUSSIAN:
			(void) pa_law_recycled(shape, PA_LATTICE, pa_kernel_scale(kernel),
								   (double) kernel->band, keep_of(kernel), &law);
			break;
		case PA_KERNEL_STAIRCASE:
			(void) pa_law_staircase(PA_LATTICE, stair_loss(kernel), (double) kernel->width,
									(double) kernel->band, &law);
			break;
		case PA_KERNEL_OPTIMAL:
			(void) pa_law_table(kernel->table, &law);
			break;
	}
	return law;
}

double
pa_kernel_pmf(const PaKernel *kernel, int64_t k)
{
	PaLaw		law = pa_kernel_law(kernel);

	return pa_law_density(&law, (double) k);
}

/* DBL_MIN is for what underflows. */
static double
tail_of(const PaLaw *law, int64_t k)
{
	double		boundary = (double) (k < WIDEST ? k : WIDEST) - 0.5;

	if (k <= -WIDEST)
		return 1;
	return fmin(1, pa_law_above(law, boundary) * (1 + 2 * PA_LAW_ERROR) + DBL_MIN);
}

double
pa_kernel_tail(const PaKernel *kernel, int64_t k)
{
	PaLaw		law = pa_kernel_law(kernel);

	return tail_of(&law, k);
}

double
pa_kernel_acceptance(const PaKernel *kernel, int64_t theta)
{
	PaLaw		law = pa_kernel_law(kernel);
	double		within = (double) (theta < WIDEST ? theta : WIDEST - 1);

	if (theta < 0)
		return 0;
	return fmax(0, pa_law_acceptance(&law, within) * (1 - 2 * PA_LAW_ERROR) - DBL_MIN);
}

/* Finds the first m with 2 Pr[N > m] small enough, by doubling and halving. */
int64_t
pa_kernel_error(const PaKernel *kernel, double confidence)
{
	PaLaw		law = pa_kernel_law(kernel);
	int64_t		low = -1;		/* not enough */
	int64_t		high = 0;

	if (!(confidence > 0 && confidence < 1))
		return -1;
	while (2 * tail_of(&law, high + 1) > 1 - confidence && high < WIDEST)
	{
		low = high;
		high = 2 * high + 1;
	}
	while (high - low > 1)
	{
		int64_t		middle = low + (high - low) / 2;

		if (2 * tail_of(&law, middle + 1) > 1 - confidence)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* The least double that is not below a sensitivity. */
static double
shift_up(int64_t sensitivity)
{
	double		shift = (double) sensitivity;

	if (sensitivity > (INT64_C(1) << 53))
		shift = nextafter(shift, INFINITY);
	return shift;
}

double
pa_kernel_delta(const PaKernel *kernel, int64_t sensitivity, double epsilon)
{
	PaLaw		law = pa_kernel_law(kernel);

	return pa_law_delta(&law, shift_up(sensitivity), epsilon);
}

double
pa_kernel_rho(const PaKernel *kernel, int64_t sensitivity)
{
	PaLaw		law = pa_kernel_law(kernel);

	return pa_law_rho(&law, shift_up(sensitivity));
}

PaStatus
pa_kernel_print(const PaKernel *kernel, char text[PA_KERNEL_TEXT])
{
	PaKernel	least = *kernel;
	int			length;

	if (kernel->kind == PA_KERNEL_OPTIMAL || !pa_kernel_valid(kernel))
		return PA_INVALID;
	if (kernel->kind != PA_KERNEL_STAIRCASE)
		reduce(&least);
	length = snprintf(text, PA_KERNEL_TEXT, "%s %" PRIu64 "/2^%" PRIu32,
					  pa_kernel_name(least.kind), least.numerator, least.shift);
	if (pa_kernel_recycles(least.kind))
		snprintf(text + length, (size_t) (PA_KERNEL_TEXT - length), " band %" PRId64 " keep %" PRIu64,
				 least.band, least.keep);
	else if (least.kind == PA_KERNEL_STAIRCASE)
		snprintf(text + length, (size_t) (PA_KERNEL_TEXT - length), " band %" PRId64 " width %" PRId64,
				 least.band, least.width);
	return PA_OK;
}

/* Steps over a word, if that is what comes next. */
static bool
read_word(const char **at, const char *word)
{
	size_t		length = strlen(word);

	if (strncmp(*at, word, length) != 0)
		return false;
	*at += length;
	return true;
}

/* Steps over digits, if their value is below 2^63. */
static bool
read_number(const char **at, uint64_t *value)
{
	const char *start = *at;
	uint64_t	number = 0;

	for (; **at >= '0' && **at <= '9'; (*at)++)
	{
		if (number > (INT64_MAX - 9) / 10)
			return false;
		number = 10 * number + (uint64_t) (**at - '0');
	}
	*value = number;
	return *at > start;
}

/* No name begins another one. */
static bool
read_kind(const char **at, PaKernelKind *kind)
{
	int			i;

	for (i = 0; i < PA_KERNEL_KINDS; i++)
	{
		if (read_word(at, pa_kernel_name((PaKernelKind) i)))
		{
			*kind = (PaKernelKind) i;
			return true;
		}
	}
	return false;
}

/* Takes a text apart; what is left unread, or out of range, is the caller's to find. */
static bool
read_kernel(const char *at, PaKernel *kernel)
{
	uint64_t	shift;
	uint64_t	band = 0;
	uint64_t	width = 0;

	if (!read_kind(&at, &kernel->kind) || !read_word(&at, " ") || !read_number(&at, &kernel->numerator) ||
		!read_word(&at, "/2^") || !read_number(&at, &shift))
		return false;
	if (pa_kernel_needs_band(kernel->kind) && !(read_word(&at, " band ") && read_number(&at, &band)))
		return false;
	if (pa_kernel_recycles(kernel->kind) && !(read_word(&at, " keep ") && read_number(&at, &kernel->keep)))
		return false;
	if (kernel->kind == PA_KERNEL_STAIRCASE && !(read_word(&at, " width ") && read_number(&at, &width)))
		return false;
	kernel->shift = (uint32_t) shift;
	kernel->band = (int64_t) band;
	kernel->width = (int64_t) width;
	return true;
}

/* A text is good if it is what would be printed. */
PaStatus
pa_kernel_parse(const char *text, PaKernel *kernel)
{
	PaKernel	parsed = {0};
	char		canonical[PA_KERNEL_TEXT];

	if (!read_kernel(text, &parsed) || pa_kernel_print(&parsed, canonical) != PA_OK ||
		strcmp(text, canonical) != 0)
		return PA_INVALID;
	*kernel = parsed;
	return PA_OK;
}
