/*
 * options.c
 *		Options of a dp_ aggregate, as in 'epsilon=0.2, kernel=gaussian'.
 */
#include "postgres.h"

#include <math.h>

#include "utils/builtins.h"
#include "utils/float.h"

#include "aggregate/options.h"
#include "errors.h"

static void
refuse_option(const char *name, const char *detail)
{
	ereport(ERROR,
			errcode(ERRCODE_PA_INVALID_OPTION),
			errmsg("invalid option \"%s\" of an aggregate", name),
			errdetail("%s", detail),
			errhint("Options are epsilon, delta, kernel, within and rows, as in 'epsilon=0.2, kernel=staircase, within=50'."));
}

static double
parse_number(const char *name, const char *text, double least, double most)
{
	char	   *end;
	double		value = strtod(text, &end);

	if (end == text || *end != '\0' || !(value >= least && value <= most))
		refuse_option(name, "Its value is not a number in the allowed range.");
	return value;
}

/* The exponential mechanism is no noise, and only for dp_topk and dp_mode. */
static void
parse_kernel(char *text, PaOptions *options)
{
	for (char *c = text; *c; c++)
		*c = pg_tolower((unsigned char) *c);
	options->exponential = strcmp(text, "exponential") == 0;
	options->kernel_given = !options->exponential;
	if (options->kernel_given && !pa_kernel_by_name(text, &options->kernel))
		refuse_option("kernel", "Kernels are laplace, gaussian, brdp_laplace, brdp_gaussian, staircase and optimal.");
}

static char *
trim(char *text)
{
	char	   *end;

	while (*text == ' ')
		text++;
	end = text + strlen(text);
	while (end > text && end[-1] == ' ')
		*--end = '\0';
	return text;
}

PaOptions
pa_options_none(void)
{
	return (PaOptions) {.within = -1};
}

PaOptions
pa_options_parse(const char *text)
{
	PaOptions	options = pa_options_none();
	char	   *rest = pstrdup(text);
	char	   *item;

	while ((item = strsep(&rest, ",")) != NULL)
	{
		char	   *value = strchr(item, '=');
		char	   *name;

		if (value)
			*value++ = '\0';
		name = trim(item);
		if (*name == '\0' && value == NULL)
			continue;
		if (value == NULL)
			refuse_option(name, "It has no value.");
		value = trim(value);
		if (pg_strcasecmp(name, "epsilon") == 0)
			options.epsilon = parse_number(name, value, 1e-6, 1e5);
		else if (pg_strcasecmp(name, "delta") == 0)
			options.delta = parse_number(name, value, 1e-30, 0.1);
		else if (pg_strcasecmp(name, "kernel") == 0)
			parse_kernel(value, &options);
		else if (pg_strcasecmp(name, "within") == 0)
			options.within = parse_number(name, value, 0, 1e100);
		else if (pg_strcasecmp(name, "rows") == 0)
			options.rows = parse_number(name, value, 1, 1e15);
		else
			refuse_option(name, "There is no such option.");
	}
	return options;
}
