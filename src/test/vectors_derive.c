/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vectors_derive.c
 *		Test vectors of distinct values, hierarchies, derived answers, accuracy and periods.
 */
#include "vectors.h"

const Kind	vector_kinds_derive[] = {
	{NULL, NULL}
};
