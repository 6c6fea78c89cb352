/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * record.h
 *		What must be durable before an answer leaves; and states written anew.
 */
#ifndef PA_LOCAL_RECORD_H
#define PA_LOCAL_RECORD_H

#include "postgres.h"

#include "ledger/rows.h"
#include "local/respond.h"

/*
 * The rows of the book's last question and its answers, and of the owners who have
 * numbers since it had so many; to be written with pa_rows_write().
 */
extern PaRows *pa_record_answers(PaBook *book, int owners_before, const PaQuestion *question, const PaAnswered *answered);

/*
 * Once the answers since the last time take three times the room that the states
 * would, the states are written and the answers deleted: so states are at most a
 * quarter of all that is ever written.
 *
 * Before that, a session that had to make many states from answers to read the book
 * leaves a copy of those that came out, which is not logged, for the next to read.
 */
extern void pa_record_states_if_due(PaBook *book);

#endif							/* PA_LOCAL_RECORD_H */
