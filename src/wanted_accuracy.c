/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wanted_accuracy.c
 *		See wanted_accuracy.h.
 */
#include "postgres.h"

#include "wanted_accuracy.h"

#define LEAST_ABSOLUTE 1e-100
#define MOST_ABSOLUTE 1e100
#define LEAST_PERCENT 0.001
#define MOST_PERCENT 1000
#define MOST_DIGITS 63

static const char *
skip_spaces(const char *text)
{
	return text + strspn(text, " ");
}

/* strtod() knows hexadecimal and infinite numbers, too. */
static bool
read_decimal(const char **text, double *number)
{
	size_t		length = strspn(*text, "0123456789.eE+-");
	char		copy[MOST_DIGITS + 1];
	char	   *end;

	if (length > MOST_DIGITS)
		return false;
	strlcpy(copy, *text, length + 1);
	*number = strtod(copy, &end);
	*text += length;
	return end != copy && *end == '\0';
}

bool
pa_accuracy_parse(const char *text, PaAccuracy *accuracy)
{
	const char *rest = skip_spaces(text);
	double		number;
	bool		percent;

	*accuracy = (PaAccuracy) {0};
	if (*rest == '\0')
		return true;
	if (!read_decimal(&rest, &number))
		return false;
	rest = skip_spaces(rest);
	percent = *rest == '%';
	if (*skip_spaces(rest + percent) != '\0')
		return false;
	if (percent)
		accuracy->relative = number / 100;
	else
		accuracy->absolute = number;
	return percent ? number >= LEAST_PERCENT && number <= MOST_PERCENT : number >= LEAST_ABSOLUTE && number <= MOST_ABSOLUTE;
}
