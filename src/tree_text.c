/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tree_text.c
 *		See tree_text.h.
 */
#include "postgres.h"

#include "nodes/nodes.h"

#include "tree_text.h"

/* Where the number begins that says a place, if the text does so here; what is quoted has its spaces escaped. */
static const char *
place_at(const char *text)
{
	static const char *const places[] = {" :location ", " :stmt_location ", " :stmt_len ", " :perminfoindex "};

	for (int i = 0; i < lengthof(places); i++)
		if (strncmp(text, places[i], strlen(places[i])) == 0)
			return text + strlen(places[i]);
	return NULL;
}

static void
forget_places(char *text)
{
	char	   *end = text;

	while (*text != '\0')
	{
		const char *place = place_at(text);

		if (place)
			text += place - text + strspn(place, "-0123456789");
		else
			*end++ = *text++;
	}
	*end = '\0';
}

char *
pa_tree_text(const void *tree)
{
	char	   *text = nodeToString(tree);

	forget_places(text);
	return text;
}
