/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * leaf_tag.c
 *		See leaf_tag.h.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "leaf_tag.h"

uint64
pa_leaf_tag(void)
{
	static uint64 tag = 0;
	static int	owner = 0;

	while (tag == 0 || owner != MyProcPid)
	{
		if (!pg_strong_random(&tag, sizeof(tag)))
			ereport(ERROR,
					errcode(ERRCODE_INTERNAL_ERROR),
					errmsg("could not generate random bits"));
		owner = MyProcPid;
	}
	return tag;
}

bool
pa_is_leaf(const Query *query)
{
	return query->queryId != 0 && query->queryId == pa_leaf_tag();
}
