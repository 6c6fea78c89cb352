/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * editions.c
 *		See editions.h.
 */
#include "postgres.h"

#include "catalog/edition.h"
#include "node/editions.h"

List *
pa_editions_seen(const PaRelease *release, Snapshot snapshot)
{
	List	   *editions = NIL;

	if (!release->policy->repeats_unchanged || !release->spec->alone)
		return NIL;
	for (int i = 0; i < release->spec->ntables; i++)
	{
		int64	   *edition = palloc(sizeof(int64));

		*edition = pa_edition_seen(release->policies[i], snapshot);
		if (*edition == 0)
			return NIL;
		editions = lappend(editions, edition);
	}
	return editions;
}

bool
pa_same_editions(List *a, List *b)
{
	ListCell   *first;
	ListCell   *second;

	if (a == NIL || list_length(a) != list_length(b))
		return false;
	forboth(first, a, second, b)
		if (*(int64 *) lfirst(first) != *(int64 *) lfirst(second))
			return false;
	return true;
}
