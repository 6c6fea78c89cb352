/*
 * unconcerned.h
 *		Commands that have nothing to do with anything protected.
 */
#ifndef PA_UNCONCERNED_H
#define PA_UNCONCERNED_H

#include "postgres.h"

#include "executor/tuptable.h"

/* Columns of pg_event_trigger_ddl_commands(). */
enum
{
	PA_COMMAND_CLASS = 1, PA_COMMAND_OBJECT, PA_COMMAND_SUBOBJECT, PA_COMMAND_TAG, PA_COMMAND_ITSELF = 9
};

/*
 * Hands each row of pg_event_trigger_ddl_commands(), which refuses to be called
 * anywhere but in an event trigger, to the function.
 */
extern void pa_each_command(void (*command) (void *arg, TupleTableSlot *slot), void *arg);

/*
 * Called by an event trigger of ddl_command_end: true if the extension keeps nothing
 * (policies, open or closed, histories, public tables) of any relation that its
 * commands are about or that is near these, and they are not about the extension
 * itself.  Holds declarations back that would change the answer, until the transaction
 * ends.
 */
extern bool pa_command_is_unconcerned(void);

#endif							/* PA_UNCONCERNED_H */
