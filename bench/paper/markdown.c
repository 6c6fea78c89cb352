/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * markdown.c
 *		Tables in Markdown, on standard output.
 */
#include "markdown.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void
heading(const char *text)
{
	printf("\n### %s\n", text);
}

void
paragraph(const char *format,...)
{
	va_list		arguments;

	putchar('\n');
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
}

void
table(const char *titles)
{
	const char *at;

	printf("\n| ");
	for (at = titles; *at != '\0'; at++)
		if (*at == '|')
			printf(" | ");
		else
			putchar(*at);
	printf(" |\n|---");
	for (at = titles; *at != '\0'; at++)
		if (*at == '|')
			printf("|---");
	printf("|\n");
}

void
cell_text(const char *text)
{
	printf("| %s ", text);
}

void
cell_count(long count)
{
	printf("| %ld ", count);
}

/* True if the value was printed: it is not a number that a format could show. */
static int
cell_without_number(double value)
{
	if (isnan(value))
		cell_text("-");
	else if (isinf(value))
		cell_text("infinite");
	else
		return 0;
	return 1;
}

void
cell_fixed(double value, int decimals)
{
	if (!cell_without_number(value))
		printf("| %.*f ", decimals, value);
}

void
cell_short(double value)
{
	if (!cell_without_number(value))
		printf("| %.6g ", value);
}

void
cell_rough(double value)
{
	if (cell_without_number(value))
		return;
	if (value > 0 && value < 1e-300)
		cell_text("< 1e-300");
	else
		printf("| %.3g ", value);
}

void
cell_probability(double value)
{
	if (cell_without_number(value))
		return;
	if (value > 1 - 1e-12)
		cell_text("> 1 - 1e-12");
	else if (value >= 0.99995)
		printf("| 1 - %.1e ", 1 - value);
	else if (value > 0 && value < 0.00005)
		printf("| %.1e ", value);
	else
		printf("| %.4f ", value);
}

void
cell_rate(double value)
{
	if (value < 1 && value >= 0.999995)
		printf("| 1 - %.1e ", 1 - value);
	else
		cell_short(value);
}

void
row_end(void)
{
	printf("|\n");
}
