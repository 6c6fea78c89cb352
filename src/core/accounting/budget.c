/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * budget.c
 *		Decimal amounts, and the two filters of sums.
 *
 * Nothing overflows: an amount that is made here is at most 1e6 * 10^30 =
 * 10^36, and the largest __int128 is above 1.7 * 10^38.  Comparisons subtract
 * only nonnegative amounts from each other; the one addition saturates.
 */
#include "core/accounting/budget.h"

#include <stdlib.h>
#include <string.h>

#include "core/accounting/decimal.h"

#define LARGEST_WHOLE 1000000
#define AMOUNT_MAX ((PaAmount) (~(PaUint128) 0 >> 1))

static PaAmount
one(void)
{
	return (PaAmount) pa_power_of_ten(PA_AMOUNT_DIGITS);
}

static PaStatus
from_double(double value, bool up, PaAmount *amount)
{
	PaDecimal	decimal;
	int			power;

	if (!(value >= 0 && value <= LARGEST_WHOLE) ||
		pa_decimal_shortest(value, &decimal) != PA_OK)
		return PA_INVALID;
	power = decimal.exponent + PA_AMOUNT_DIGITS;
	if (power >= 0)
		*amount = (PaAmount) (decimal.digits * pa_power_of_ten(power));
	else
	{
		/* digits are below 10^17, so a divisor of 10^17 already leaves nothing */
		uint64_t	divisor = (uint64_t) pa_power_of_ten(power < -17 ? 17 : -power);

		*amount = decimal.digits / divisor + (up && decimal.digits % divisor != 0);
	}
	return PA_OK;
}

PaStatus
pa_amount_from_double_up(double value, PaAmount *amount)
{
	return from_double(value, true, amount);
}

PaStatus
pa_amount_from_double_down(double value, PaAmount *amount)
{
	return from_double(value, false, amount);
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Reads the digits before the point; false once they pass the largest amount. */
static bool
parse_whole(const char **text, PaAmount *whole)
{
	for (*whole = 0; is_digit(**text); (*text)++)
	{
		*whole = *whole * 10 + (**text - '0');
		if (*whole > LARGEST_WHOLE)
			return false;
	}
	return true;
}

/* Reads the digits after the point, in units of 10^-PA_AMOUNT_DIGITS, rounded up. */
static PaAmount
parse_fraction(const char **text)
{
	PaAmount	fraction = 0;
	PaAmount	unit = one();
	bool		rest = false;

	for (; is_digit(**text); (*text)++)
	{
		unit /= 10;
		fraction += unit * (**text - '0');
		rest = rest || (unit == 0 && **text != '0');
	}
	return fraction + rest;
}

PaStatus
pa_amount_parse(const char *text, PaAmount *amount)
{
	const char *start = text;
	PaAmount	whole;
	PaAmount	fraction = 0;
	bool		digits;

	if (!parse_whole(&text, &whole))
		return PA_INVALID;
	digits = text > start;
	if (*text == '.')
	{
		text++;
		digits = digits || is_digit(*text);
		fraction = parse_fraction(&text);
	}
	if (!digits || *text != '\0' || whole * one() + fraction > LARGEST_WHOLE * one())
		return PA_INVALID;
	*amount = whole * one() + fraction;
	return PA_OK;
}

/* Writes digits from the last to the first, dropping zeros that end a fraction. */
void
pa_amount_print(PaAmount amount, char text[PA_AMOUNT_TEXT])
{
	char		reversed[PA_AMOUNT_TEXT];
	int			length = 0;
	int			place;
	PaUint128	rest = amount < 0 ? -(PaUint128) amount : (PaUint128) amount;

	for (place = 0; place <= PA_AMOUNT_DIGITS || rest > 0; place++)
	{
		if (place == PA_AMOUNT_DIGITS && length > 0)
			reversed[length++] = '.';
		if (place >= PA_AMOUNT_DIGITS || length > 0 || rest % 10 != 0)
			reversed[length++] = (char) ('0' + (int) (rest % 10));
		rest /= 10;
	}
	if (amount < 0)
		*text++ = '-';
	while (length > 0)
		*text++ = reversed[--length];
	*text = '\0';
}

/*
 * strtod rounds correctly; "25e-2" has no decimal point that a locale could
 * change.  At most 39 digits and a sign.
 */
double
pa_amount_to_double(PaAmount amount)
{
	char		text[64];
	char	   *at = text + sizeof(text) - 5;
	PaUint128	rest = amount < 0 ? -(PaUint128) amount : (PaUint128) amount;

	memcpy(at, "e-30", 5);
	do
	{
		*--at = (char) ('0' + (int) (rest % 10));
		rest /= 10;
	} while (rest > 0);
	return amount < 0 ? -strtod(at, NULL) : strtod(at, NULL);
}

/* The parts that an account's filter guards; the others are neither checked nor left. */
static PaCost
guarded(const PaAccount *account, const PaCost *cost)
{
	const PaAccountantForm *form = pa_accountant(account->accountant);
	PaCost		part = {0, 0, 0};

	if (form->counts_uses)
		return part;
	part.delta = cost->delta;
	*pa_currency_part(form->currency, &part) = pa_currency_of(form->currency, cost);
	return part;
}

/* Under an accountant that counts uses no cost does. */
static bool
can_fit(const PaAccount *account, const PaCost *cost)
{
	return cost->epsilon >= 0 && cost->delta >= 0 && cost->rho >= 0 && !pa_accountant(account->accountant)->counts_uses;
}

static PaAmount
amount_left(PaAmount cap, PaAmount spent)
{
	return spent >= cap || spent < 0 ? 0 : cap - spent;
}

PaCost
pa_account_left(const PaAccount *account)
{
	PaCost		cap = guarded(account, &account->cap);
	PaCost		spent = guarded(account, &account->spent);
	PaCost		left = {0, 0, 0};

	/* a smaller promise than was spent in one part is kept by no release at all */
	if (spent.epsilon > cap.epsilon || spent.delta > cap.delta || spent.rho > cap.rho)
		return left;
	left.epsilon = amount_left(cap.epsilon, spent.epsilon);
	left.delta = amount_left(cap.delta, spent.delta);
	left.rho = amount_left(cap.rho, spent.rho);
	return left;
}

bool
pa_filter_admits(const PaAccount *account, const PaCost *cost)
{
	PaCost		left = pa_account_left(account);
	PaCost		asked = guarded(account, cost);

	return can_fit(account, cost) && asked.epsilon <= left.epsilon &&
		asked.delta <= left.delta && asked.rho <= left.rho;
}

static PaAmount
add(PaAmount a, PaAmount b)
{
	return b > AMOUNT_MAX - a ? AMOUNT_MAX : a + b;
}

void
pa_account_charge(PaAccount *account, const PaCost *cost)
{
	account->spent.epsilon = add(account->spent.epsilon, cost->epsilon);
	account->spent.delta = add(account->spent.delta, cost->delta);
	account->spent.rho = add(account->spent.rho, cost->rho);
}

/* How often one part fits */
static int64_t
times(PaAmount left, PaAmount cost)
{
	if (cost == 0)
		return INT64_MAX;
	return left / cost > INT64_MAX ? INT64_MAX : (int64_t) (left / cost);
}

int64_t
pa_account_releases_left(const PaAccount *account, const PaCost *cost)
{
	PaCost		left = pa_account_left(account);
	PaCost		asked = guarded(account, cost);
	int64_t		least = times(left.epsilon, asked.epsilon);

	if (!can_fit(account, cost))
		return 0;
	if (times(left.delta, asked.delta) < least)
		least = times(left.delta, asked.delta);
	if (times(left.rho, asked.rho) < least)
		least = times(left.rho, asked.rho);
	return least;
}
