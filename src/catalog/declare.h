/*
 * declare.h
 *		What the declarations (privacct.protect and others) share with other rooms.
 */
#ifndef PA_DECLARE_H
#define PA_DECLARE_H

#include "postgres.h"

/*
 * Subid of the advisory lock tag {database, 0, 0} that whoever makes charges,
 * or holds them back, takes exclusively until the end of its transaction.
 * SQL-callable advisory locks have 1 or 2 here, so no user can take it.
 */
#define PA_CHARGE_LOCK_SUBID 0x5041

/*
 * Makes every session forget its plans and cached policies once the current
 * transaction commits, and this one now.  For use after a catalog relation of
 * the extension was changed by other means than SQL.
 */
extern void pa_invalidate_policies(Oid policy_relation);

#endif							/* PA_DECLARE_H */
