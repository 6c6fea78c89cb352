/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * edition.h
 *		Of which edition a protected table is: while one lasts nobody may write to it.
 */
#ifndef PA_EDITION_H
#define PA_EDITION_H

#include "postgres.h"

#include "utils/snapshot.h"

#include "catalog/policy.h"

/*
 * The edition that the rows of the policy's table are of, as the snapshot sees them; 0: of
 * none.  Whoever begins an edition has waited for all who write to the table, so what sees that it
 * was begun sees all that they wrote; and what sees no end of it sees nothing that was written since.
 */
extern int64 pa_edition_seen(const PaPolicy *policy, Snapshot snapshot);

#endif							/* PA_EDITION_H */
