/*
 * tables.c
 *		The figures of a paper on budget recycling beside exact ones, in Markdown.
 *
 *		tables [adult.csv]
 *
 * The same on each run, but for what is called a run time.  docs/paper-brdp.md
 * holds the output.
 */
#include "tables.h"

#include <gsl/gsl_errno.h>
#include <stddef.h>

int
main(int argc, char **argv)
{
	gsl_set_error_handler_off();
	tables_of_recycling();
	tables_of_composition();
	tables_of_sampling();
	tables_of_adult(argc > 1 ? argv[1] : NULL);
	return 0;
}
