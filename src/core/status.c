/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * status.c
 *		The words for each status.
 */
#include "core/status.h"

const char *
pa_status_text(PaStatus status)
{
	switch (status)
	{
		case PA_OK:
			return "ok";
		case PA_INVALID:
			return "argument out of its range";
		case PA_NO_RANDOMNESS:
			return "no randomness available";
		case PA_OUT_OF_RANGE:
			return "number too large for exact arithmetic";
		case PA_NO_SOLUTION:
			return "no parameter meets the request";
		case PA_NO_MEMORY:
			return "out of memory";
		case PA_INTERRUPTED:
			return "interrupted";
	}
	return "unknown status";
}
