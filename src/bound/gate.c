/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gate.c
 *		See gate.h.
 */
#include "postgres.h"

#include "bound/gate.h"

const PaOwnerGate *pa_owner_gate = NULL;
