/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * census.c
 *		The Adult data set (UCI), as much of it as Fig. 7 needs.
 *
 * Persons are drawn by selection sampling: reading on, each is taken with
 * probability (still wanted)/(still to come), which makes all samples equally
 * likely and keeps the order.
 */
#include "census.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generator.h"

#define LINE 1024
#define GAIN_FIELD 10
#define SALARY_FIELD 14
#define WANTED (CENSUS_SUBSETS * CENSUS_SUBSET)

static bool
parse_person(char *line, Person *person)
{
	char	   *rest = line;
	char	   *field;
	int			i;

	for (i = 0; (field = strsep(&rest, ",\r\n")) != NULL && i <= SALARY_FIELD; i++)
	{
		if (strchr(field, '?') != NULL)
			return false;
		if (i == GAIN_FIELD)
			person->gain = atof(field) / 1000;
		if (i == SALARY_FIELD)
			person->rich = strchr(field, '>') != NULL;
	}
	return i > SALARY_FIELD;
}

/* Counts what is complete; with a census to fill, draws from that many. */
static long
pass(FILE *file, Census *census, bool fill)
{
	Generator	generator = {7};
	char		line[LINE];
	Person		person;
	long		complete = 0;
	long		taken = 0;

	rewind(file);
	census->read = -1;			/* the header */
	while (fgets(line, sizeof(line), file) != NULL)
	{
		if (census->read++ < 0 || !parse_person(line, &person))
			continue;
		if (fill && generator_uniform(&generator) * (census->complete - complete) < WANTED - taken)
		{
			census->person[taken / CENSUS_SUBSET][taken % CENSUS_SUBSET] = person;
			taken++;
		}
		complete++;
	}
	return fill ? taken : complete;
}

bool
census_read(const char *name, Census *census)
{
	FILE	   *file = fopen(name, "r");
	bool		filled = false;

	if (file == NULL)
		return false;
	census->complete = pass(file, census, false);
	if (census->complete >= WANTED)
		filled = pass(file, census, true) == WANTED;
	fclose(file);
	return filled;
}
