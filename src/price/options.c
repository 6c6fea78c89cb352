/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * options.c
 *		Options of a dp_ aggregate, as in 'epsilon=0.2, kernel=gaussian'.
 *
 *	 options	nothing, or option, option, ...
 *	 option		name = value, each name at most once, in any case of letters
 *	 value		a decimal number, one in per cent, two of them with a colon between, the name of a kernel, or a word
 *
 * Spaces may stand around names and values.
 */
#include "postgres.h"

#include <math.h>

#include "mb/pg_wchar.h"
#include "utils/builtins.h"
#include "utils/float.h"

#include "price/mechanism.h"
#include "price/options.h"
#include "wanted_accuracy.h"
#include "errors.h"
#include "kernel_names.h"
#include "position.h"
#include "size_limits.h"

#define ECHOED_BYTES 30			/* of a name that is no option */

/* The text that is parsed, and where in the statement it stands. */
typedef struct OptionText
{
	const char *statement;
	int			location;
} OptionText;

typedef struct NumberOption
{
	const char *name;
	size_t		field;			/* of PaOptions */
	double		least;
	double		most;
	bool		whole;
	const char *form;
} NumberOption;

static const NumberOption numbers[] = {
	{"epsilon", offsetof(PaOptions, epsilon), 1e-6, 1e5, false, "Write a decimal number from 1e-6 to 1e5, as in 'epsilon=0.2'."},
	{"delta", offsetof(PaOptions, delta), 1e-30, 0.1, false, "Write a decimal number from 1e-30 to 0.1, as in 'delta=1e-9'."},
	{"within", offsetof(PaOptions, within), 0, 1e100, false, "Write a decimal number from 0 to 1e100, as in 'within=50'."},
	{"rows", offsetof(PaOptions, rows), 1, 1e15, false, "Write a decimal number from 1 to 1e15, as in 'rows=10000'."},
	{"together", offsetof(PaOptions, together), 1, 1000, true, "Write a whole number from 1 to 1000, as in 'together=3'."},
	{"max_rows", offsetof(PaOptions, max_rows), 1, PA_MOST_ROWS, true, "Write a whole number from 1 to 1000000000, as in 'max_rows=5'."},
	{"floor", offsetof(PaOptions, least), 0, 1e100, false, "Write a decimal number from 0 to 1e100, as in 'error=2 %, floor=1000'."},
};

/* One of some words, whose number from 1 on is the value; 0: none was given. */
typedef struct WordOption
{
	const char *name;
	size_t		field;			/* of PaOptions: an enum */
	const char *words[2];
	const char *form;
} WordOption;

static const WordOption words[] = {
	{"cover", offsetof(PaOptions, cover), {[PA_COVER_GREEDY - 1] = "greedy",[PA_COVER_EXACT - 1] = "exact"}, "Write 'cover=greedy' or 'cover=exact'."},
	{"cap", offsetof(PaOptions, cap), {[PA_CAP_FIXED - 1] = "fixed",[PA_CAP_AUTO - 1] = "auto"}, "Write 'cap=fixed' or 'cap=auto'; max_rows says how many values of an owner may count at most."},
};

StaticAssertDecl(sizeof(PaCoverKind) == sizeof(int) && sizeof(PaCapKind) == sizeof(int), "the field of a word is a number");

#define KERNEL_OPTION lengthof(numbers) /* the first that is no number */
#define OWNER_OPTION (KERNEL_OPTION + 1)	/* two numbers */
#define ERROR_OPTION (OWNER_OPTION + 1) /* a number, or one in per cent */
#define WORD_OPTION (ERROR_OPTION + 1)	/* the first that is a word */
#define OWNER_FORM "Write the bounds of an owner's sum in a group, the lower one first, as in 'per_owner=0:5000'."
#define OPTIONS_HINT "Options are epsilon, delta, kernel, within, error, floor, rows, together, max_rows, per_owner, cover and cap, as in 'epsilon=0.2, kernel=staircase, within=50'."

/* What is no name of an option may be long. */
static void
refuse_option(const OptionText *text, const char *name, const char *detail, const char *hint)
{
	int			shown = pg_mbcliplen(name, strlen(name), ECHOED_BYTES);

	ereport(ERROR,
			errcode(ERRCODE_PA_INVALID_OPTION),
			errmsg("invalid option \"%.*s%s\" of an aggregate", shown, name, name[shown] ? "..." : ""),
			errdetail("%s", detail),
			errhint("%s", hint),
			pa_position(text->statement, text->location));
}

static double
parse_decimal(const OptionText *text, const char *name, const char *form, const char *value)
{
	char	   *end;
	double		number = strtod(value, &end);

	/* strtod() knows hexadecimal and infinite numbers, too */
	if (end == value || *end != '\0' || value[strspn(value, "0123456789.eE+-")] != '\0')
		refuse_option(text, name, "Its value is not a decimal number.", form);
	return number;
}

static double
parse_number(const OptionText *text, const NumberOption *option, const char *value)
{
	double		number = parse_decimal(text, option->name, option->form, value);

	if (!(number >= option->least && number <= option->most) || (option->whole && number != floor(number)))
		refuse_option(text, option->name, "Its value is out of range.", option->form);
	return number;
}

static void
parse_kernel(const OptionText *text, char *value, PaOptions *options)
{
	const PaMechanism *mechanism;

	for (char *c = value; *c; c++)
		*c = pg_tolower((unsigned char) *c);
	mechanism = pa_mechanism_by_name(value);
	if (mechanism == NULL)
		refuse_option(text, "kernel", "There is no such kernel.",
					  psprintf("Kernels are %s, as in 'kernel=laplace'.", pa_kernel_names(PA_KERNEL_ALL)));
	options->exponential = mechanism->chooses;
	options->kernel_given = !mechanism->chooses;
	if (options->kernel_given)
		options->kernel = mechanism->kernel;
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

/* That it lies within what bounds may be is checked with them (arguments.c). */
static void
parse_owner_bounds(const OptionText *text, char *value, PaOptions *options)
{
	char	   *second = strchr(value, ':');

	if (second == NULL)
		refuse_option(text, "per_owner", "Its value is not two numbers with a colon between.", OWNER_FORM);
	*second++ = '\0';
	options->limit = PA_LIMIT_OWNER;
	options->owner_lo = parse_decimal(text, "per_owner", OWNER_FORM, trim(value));
	options->owner_hi = parse_decimal(text, "per_owner", OWNER_FORM, trim(second));
}

static void
parse_error(const OptionText *text, const char *value, PaOptions *options)
{
	PaAccuracy	accuracy;

	if (*value == '\0' || !pa_accuracy_parse(value, &accuracy))
		refuse_option(text, "error", "Its value is no error that can be asked for.", PA_ACCURACY_FORM);
	options->relative = accuracy.relative;
	options->reach = accuracy.absolute > 0;
	if (options->reach)
		options->within = accuracy.absolute;
}

static int
parse_word(const OptionText *text, const WordOption *option, const char *value)
{
	for (int i = 0; i < lengthof(option->words); i++)
		if (pg_strcasecmp(value, option->words[i]) == 0)
			return i + 1;
	refuse_option(text, option->name, "Its value is none of its words.", option->form);
	pg_unreachable();
}

static int
find_option(const OptionText *text, const char *name)
{
	for (int i = 0; i < lengthof(numbers); i++)
		if (pg_strcasecmp(name, numbers[i].name) == 0)
			return i;
	for (int i = 0; i < lengthof(words); i++)
		if (pg_strcasecmp(name, words[i].name) == 0)
			return WORD_OPTION + i;
	if (pg_strcasecmp(name, "per_owner") == 0)
		return OWNER_OPTION;
	if (pg_strcasecmp(name, "error") == 0)
		return ERROR_OPTION;
	if (pg_strcasecmp(name, "kernel") != 0)
		refuse_option(text, name, *name ? "There is no such option." : "Its name is missing; options are separated by commas, and each name is followed by an equals sign.", OPTIONS_HINT);
	return KERNEL_OPTION;
}

static void
parse_option(const OptionText *text, char *item, PaOptions *options, uint32 *given)
{
	char	   *value = strchr(item, '=');
	char	   *name;
	int			option;

	if (value)
		*value++ = '\0';
	name = trim(item);
	option = find_option(text, name);
	if (value == NULL)
		refuse_option(text, name, "It has no value.", OPTIONS_HINT);
	if (*given & (1u << option))
		refuse_option(text, name, "It is given twice.", "Give each option once.");
	*given |= 1u << option;
	value = trim(value);
	if (option == KERNEL_OPTION)
		parse_kernel(text, value, options);
	else if (option == OWNER_OPTION)
		parse_owner_bounds(text, value, options);
	else if (option == ERROR_OPTION)
		parse_error(text, value, options);
	else if (option >= WORD_OPTION)
		*(int *) ((char *) options + words[option - WORD_OPTION].field) = parse_word(text, &words[option - WORD_OPTION], value);
	else
		*(double *) ((char *) options + numbers[option].field) = parse_number(text, &numbers[option], value);
}

/* One of them says how much noise there is. */
static void
check_error(const OptionText *text, const PaOptions *options, uint32 given)
{
	if ((given & (1u << ERROR_OPTION)) == 0)
		return;
	if (given & (1u << find_option(text, "within")))
		refuse_option(text, "error", "It is given with within, for which noise has another shape.",
					  "Leave one of them out: error=100 is paid for until the error is at most 100, within=100 shapes the noise that epsilon pays for.");
	if (options->reach && options->epsilon > 0)
		refuse_option(text, "error", "It is given with epsilon: each of them decides the noise.",
					  "Leave one of them out; an error in per cent may have an epsilon, which is the most that it may cost.");
}

bool
pa_options_name(const char *options_text, const char *word)
{
	size_t		length = strlen(word);

	for (; *options_text; options_text++)
		if (pg_strncasecmp(options_text, word, length) == 0)
			return true;
	return false;
}

PaOptions
pa_options_none(void)
{
	return (PaOptions) {.within = -1,.least = -1};
}

PaOptions
pa_options_parse(const char *options_text, const char *statement, int location)
{
	OptionText	text = {statement, location};
	PaOptions	options = pa_options_none();
	char	   *rest = trim(pstrdup(options_text));
	uint32		given = 0;
	char	   *item;

	if (*rest == '\0')
		return options;
	while ((item = strsep(&rest, ",")) != NULL)
		parse_option(&text, item, &options, &given);
	check_error(&text, &options, given);
	if (options.max_rows > 0 && options.limit == PA_LIMIT_OWNER)
		refuse_option(&text, "per_owner", "It is given with max_rows: an owner's sum is bounded by one of them.", "Leave one of them out.");
	if (options.max_rows > 0)
		options.limit = PA_LIMIT_ROWS;
	return options;
}
