/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * subscription.h
 *		Books that another server keeps.
 */
#ifndef PA_SUBSCRIPTION_H
#define PA_SUBSCRIPTION_H

/*
 * True if a subscription of this database writes to a table of the extension: what
 * it brings are the charges of its publisher, who does not see those made here.
 */
extern bool pa_books_are_subscribed(void);

#endif							/* PA_SUBSCRIPTION_H */
