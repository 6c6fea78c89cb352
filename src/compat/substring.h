/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * substring.h
 *		Minor releases whose substring() takes valid texts for invalid.
 *
 * In those of February 2026 it, and what calls it, reads the head of a text that is
 * compressed or stored out of line, and fails if that ends within a character.  The
 * next ones do not.
 */
#ifndef PA_COMPAT_SUBSTRING_H
#define PA_COMPAT_SUBSTRING_H

#include "compat/version.h"

#include "utils/guc.h"

/* By the server that runs, which need not be the one of the headers. */
static inline bool
pa_substring_is_total(void)
{
	static const int failing[] = {150016, 160012, 170008, 180002};
	int			version = atoi(GetConfigOption("server_version_num", false, false));

	for (int i = 0; i < lengthof(failing); i++)
		if (version == failing[i])
			return false;
	return true;
}

#endif							/* PA_COMPAT_SUBSTRING_H */
