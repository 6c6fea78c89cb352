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
			errhint("Options are epsilon, delta and kernel, as in 'epsilon=0.2, kernel=gaussian'."));
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

static PaKernelKind
parse_kernel(const char *text)
{
	if (pg_strcasecmp(text, "laplace") == 0)
		return PA_KERNEL_LAPLACE;
	if (pg_strcasecmp(text, "gaussian") == 0)
		return PA_KERNEL_GAUSSIAN;
	refuse_option("kernel", "Kernels are laplace and gaussian.");
	return PA_KERNEL_LAPLACE;
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
pa_options_parse(const char *text)
{
	PaOptions	options = {0};
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
		{
			options.kernel = parse_kernel(value);
			options.kernel_given = true;
		}
		else
			refuse_option(name, "There is no such option.");
	}
	return options;
}
