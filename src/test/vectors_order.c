/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vectors_order.c
 *		Test vectors of quantiles, extremes and modes.
 */
#include "vectors.h"

const Kind	vector_kinds_order[] = {
	{NULL, NULL}
};
