/*
 * unconcerned.h
 *		Commands that have nothing to do with anything protected.
 */
#ifndef PA_UNCONCERNED_H
#define PA_UNCONCERNED_H

#include "postgres.h"

/*
 * Called by an event trigger of ddl_command_end: true if the extension keeps nothing
 * (policies, open or closed, histories, public tables) of any relation that its
 * commands are about or that is near these, and they are not about the extension
 * itself.  Holds declarations back that would change the answer, until the transaction
 * ends.
 */
extern bool pa_command_is_unconcerned(void);

#endif							/* PA_UNCONCERNED_H */
