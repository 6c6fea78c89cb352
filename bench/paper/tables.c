/*
 * tables.c
 *		The figures of two papers beside exact ones, in Markdown.
 *
 *		paper brdp [adult.csv]		on budget recycling; docs/research/paper-brdp.md
 *		paper bpf					on the Bayesian privacy filter; docs/research/paper-bpf.md
 *
 * The same on each run, but for what is called a run time.  The pages hold the
 * output.
 */
#include "tables.h"

#include <gsl/gsl_errno.h>
#include <stdio.h>
#include <string.h>

static int
paper_brdp(const char *adult)
{
	tables_of_recycling();
	tables_of_composition();
	tables_of_sampling();
	tables_of_adult(adult);
	return 0;
}

static int
paper_bpf(void)
{
	tables_of_examples();
	tables_of_health();
	tables_of_streams();
	return 0;
}

int
main(int argc, char **argv)
{
	gsl_set_error_handler_off();
	if (argc > 1 && strcmp(argv[1], "brdp") == 0)
		return paper_brdp(argc > 2 ? argv[2] : NULL);
	if (argc > 1 && strcmp(argv[1], "bpf") == 0)
		return paper_bpf();
	fprintf(stderr, "usage: %s brdp [adult.csv] | bpf\n", argv[0]);
	return 2;
}
