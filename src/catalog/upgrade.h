/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * upgrade.h
 *		What pg_upgrade must not bring into a new cluster, where nothing would tell of it.
 */
#ifndef PA_UPGRADE_H
#define PA_UPGRADE_H

/*
 * Refuses every statement in a server that pg_upgrade has started where books wait for
 * somebody's word, since a new cluster begins with timeline 1, and where what keeps them
 * is not as the extension made it: on another version all of it reads otherwise, and is
 * written down anew.
 */
extern void pa_require_upgradable(void);

#endif							/* PA_UPGRADE_H */
