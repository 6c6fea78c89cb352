/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pairs.c
 *		Checks of owners' values and of caps.
 */
#include "core/distinct/pairs.h"

PaStatus
pa_pairs_check(const PaPairs *pairs)
{
	int64_t		pair;
	int32_t		owner;

	if (pairs->owners < 0 || pairs->values < 0 || pairs->start[0] != 0)
		return PA_INVALID;
	for (owner = 0; owner < pairs->owners; owner++)
		if (pairs->start[owner + 1] < pairs->start[owner])
			return PA_INVALID;
	for (pair = 0; pair < pairs->start[pairs->owners]; pair++)
		if (pairs->value[pair] < 0 || pairs->value[pair] >= pairs->values)
			return PA_INVALID;
	return PA_OK;
}

bool
pa_caps_valid(const int32_t *cap, int caps)
{
	int			i;

	for (i = 0; i < caps; i++)
		if (cap[i] <= (i > 0 ? cap[i - 1] : 0))
			return false;
	return caps >= 1 && cap[caps - 1] <= PA_MOST_CAP;
}
