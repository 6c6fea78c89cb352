/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * result.h
 *		From counted answers to estimates and rows.
 */
#ifndef PA_LOCAL_RESULT_H
#define PA_LOCAL_RESULT_H

#include "postgres.h"

#include "utils/tuplestore.h"

#include "local/respond.h"

/* Stores the rows of all groups, in the order of the scan tuple, and remembers their intervals. */
extern void pa_local_store(PaRespondents *respondents, Tuplestorestate *store, TupleDesc desc);

#endif							/* PA_LOCAL_RESULT_H */
