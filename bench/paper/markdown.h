/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * markdown.h
 *		Tables in Markdown, on standard output.
 */
#ifndef MARKDOWN_H
#define MARKDOWN_H

extern void heading(const char *text);

/* A paragraph, as printf. */
extern void paragraph(const char *format,...) __attribute__((format(printf, 1, 2)));

/* The column titles, separated by "|". */
extern void table(const char *titles);

/* One cell of a row; NAN becomes "-". */
extern void cell_text(const char *text);
extern void cell_count(long count);
extern void cell_fixed(double value, int decimals);
extern void cell_short(double value);	/* up to six digits, exponent if need be */
extern void cell_rough(double value);	/* three digits, for deltas */

/* A probability with four decimals, or with an exponent where those would not show it. */
extern void cell_probability(double value);

/* The same with six digits: a recycling rate. */
extern void cell_rate(double value);

extern void row_end(void);

#endif							/* MARKDOWN_H */
