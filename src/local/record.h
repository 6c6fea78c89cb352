/*
 * record.h
 *		What must be durable before an answer leaves; and states written anew.
 */
#ifndef PA_LOCAL_RECORD_H
#define PA_LOCAL_RECORD_H

#include "postgres.h"

#include "local/respond.h"

/* Questions and answers that were applied to the book since it had so many questions and owners. */
extern void pa_record_answers(PaBook *book, int questions_before, int owners_before,
							  PaQuestion *const *questions, const PaAnswered *answered, int count);

/*
 * Once the answers since the last time take more room than the states would,
 * the states are written and the answers deleted: so all that is ever written is
 * at most twice the answers.
 */
extern void pa_record_states_if_due(PaBook *book);

#endif							/* PA_LOCAL_RECORD_H */
