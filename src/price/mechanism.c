/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mechanism.c
 *		See mechanism.h.
 */
#include "postgres.h"

#include "price/mechanism.h"

static const PaMechanism exponential = {.name = "exponential",.chooses = true};

static const PaMechanism noise[] = {
#define PA_KERNEL(kind, name) {#name, false, kind},
#include "core/noise/kernel_list.h"
};

const PaMechanism *
pa_mechanism_by_name(const char *name)
{
	for (int i = 0; i < lengthof(noise); i++)
		if (strcmp(name, noise[i].name) == 0)
			return &noise[i];
	return strcmp(name, exponential.name) == 0 ? &exponential : NULL;
}

const PaMechanism *
pa_mechanism_of_choice(void)
{
	return &exponential;
}
