/*
 * kernel.c
 *		Kernels: the table of kinds, what is common to all of them, and their texts.
 *
 * Every parameter is an integer that a double holds (53 significant bits), so
 * law.h is asked about the very law that is drawn.  What it answers has
 * relative error below PA_LAW_ERROR, hence is rounded here by twice that.
 *
 * A sensitivity of more than 53 bits is rounded up when it becomes a double,
 * which asks for more privacy than needed.  A boundary between whole numbers is
 * exact below 2^52; beyond, a tail is bounded by the one that starts there.
 *
 * Rounds of a draw are independent and alike, hence their number says nothing
 * about what the last one returns:
 *		Pr[i rounds, result k] = (1-a)^(i-1) Pr[a round gives k].
 * If rounds are accepted with probability a, then a working source is refused
 * PATIENCE/a times in a row with probability below exp(-PATIENCE) < 2^-5900;
 * pa_kernel_rounds is at least 1/a.  So a stuck source fails after 2^24 rounds
 * at worst, and some 2^15 for the usual kernel.
 */
#include "core/noise/kernel.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/noise/dyadic.h"
#include "core/noise/kernel_routine.h"

#define KEEP_ALL (UINT64_C(1) << PA_KEEP_BITS)
#define MOST_ROUNDS ((uint32_t) (1 / PA_LEAST_ROUND))
#define PATIENCE 4096

/* Boundaries k - 1/2 are exact for |k| up to here. */
#define WIDEST (INT64_C(1) << 52)

static const PaKernelRoutine *const routines[] = {
#define PA_KERNEL(kind, name) [kind] = &pa_kernel_##name,
#include "core/noise/kernel_list.h"
};

static const char *const names[] = {
#define PA_KERNEL(kind, name) [kind] = #name,
#include "core/noise/kernel_list.h"
};

static bool
is_kind(PaKernelKind kind)
{
	return (unsigned) kind < PA_KERNEL_KINDS;
}

/* --- kinds --- */

const char *
pa_kernel_name(PaKernelKind kind)
{
	return is_kind(kind) ? names[kind] : "unknown";
}

bool
pa_kernel_by_name(const char *name, PaKernelKind *kind)
{
	int			i;

	for (i = 0; i < PA_KERNEL_KINDS; i++)
	{
		if (strcmp(name, names[i]) == 0)
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
	return routines[kind]->needs_band;
}

bool
pa_kernel_recycles(PaKernelKind kind)
{
	return routines[kind]->recycles;
}

bool
pa_kernel_is_pure(PaKernelKind kind)
{
	return routines[kind]->pure;
}

bool
pa_kernel_is_table(PaKernelKind kind)
{
	return routines[kind]->tabulated;
}

uint32_t
pa_kernel_kinds(bool (*has) (PaKernelKind kind))
{
	uint32_t	kinds = 0;
	int			i;

	for (i = 0; i < PA_KERNEL_KINDS; i++)
		if (has((PaKernelKind) i))
			kinds |= PA_KERNEL_BIT(i);
	return kinds;
}

/* --- parameters --- */

bool
pa_kernel_valid(const PaKernel *kernel)
{
	return is_kind(kernel->kind) && routines[kernel->kind]->valid(kernel);
}

PaStatus
pa_kernel_make(PaKernelKind kind, double scale, PaKernel *kernel)
{
	if (routines[kind]->make == NULL)
		return PA_INVALID;
	return routines[kind]->make(kind, scale, kernel);
}

double
pa_kernel_scale(const PaKernel *kernel)
{
	return routines[kernel->kind]->scale(kernel);
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

/* --- draws --- */

uint32_t
pa_kernel_rounds(const PaKernel *kernel)
{
	const PaKernelRoutine *routine = routines[kernel->kind];
	uint64_t	rounds = routine->rounds ? routine->rounds(kernel) : 1;

	return rounds < MOST_ROUNDS ? (uint32_t) rounds : MOST_ROUNDS;
}

PaStatus
pa_kernel_sample(const PaKernel *kernel, PaRandom *random, int64_t *noise)
{
	int64_t		drawn;

	if (!pa_kernel_valid(kernel))
		return PA_INVALID;
	drawn = routines[kernel->kind]->draw(kernel, random, PATIENCE * pa_kernel_rounds(kernel));
	if (random->failed)
		return PA_NO_RANDOMNESS;
	*noise = drawn;
	return PA_OK;
}

/* --- laws --- */

/* The constructors take whatever is valid here. */
PaLaw
pa_kernel_law(const PaKernel *kernel)
{
	return routines[kernel->kind]->law(kernel);
}

PaStatus
pa_kernel_law_of(PaKernelKind kind, const PaKernelNumbers *numbers, PaLaw *law)
{
	if (routines[kind]->law_of == NULL)
		return PA_INVALID;
	return routines[kind]->law_of(numbers, law);
}

double
pa_kernel_log_fall(const PaKernel *kernel, int64_t k)
{
	return routines[kernel->kind]->log_fall(kernel, k);
}

bool
pa_kernel_tail_repeats(const PaKernel *kernel, PaKernelTail *tail)
{
	if (routines[kernel->kind]->tail == NULL)
		return false;
	*tail = routines[kernel->kind]->tail(kernel);
	return true;
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

/* --- texts --- */

/* All fields are of 64 bits, and of valid kernels none is negative. */
static uint64_t *
field_of(PaKernel *kernel, const PaKernelField *field)
{
	return (uint64_t *) ((char *) kernel + field->offset);
}

PaStatus
pa_kernel_print(const PaKernel *kernel, char text[PA_KERNEL_TEXT])
{
	PaKernel	least = *kernel;
	const PaKernelField *field;
	int			length;

	if (!pa_kernel_valid(kernel) || pa_kernel_is_table(kernel->kind))
		return PA_INVALID;
	if (routines[kernel->kind]->reduces)
		pa_dyadic_reduce(&least);
	length = snprintf(text, PA_KERNEL_TEXT, "%s %" PRIu64 "/2^%" PRIu32,
					  names[least.kind], least.numerator, least.shift);
	for (field = routines[least.kind]->fields; field->name; field++)
		length += snprintf(text + length, (size_t) (PA_KERNEL_TEXT - length), " %s %" PRIu64,
						   field->name, *field_of(&least, field));
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
		if (read_word(at, names[i]))
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
	const PaKernelField *field;
	uint64_t	shift;

	if (!read_kind(&at, &kernel->kind) || !read_word(&at, " ") || !read_number(&at, &kernel->numerator) ||
		!read_word(&at, "/2^") || !read_number(&at, &shift))
		return false;
	kernel->shift = (uint32_t) shift;
	for (field = routines[kernel->kind]->fields; field->name; field++)
		if (!read_word(&at, " ") || !read_word(&at, field->name) || !read_word(&at, " ") ||
			!read_number(&at, field_of(kernel, field)))
			return false;
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
