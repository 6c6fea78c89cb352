/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zone_name.h
 *		Names of time zones that mean the same whatever is set (total_time.c).
 */
#ifndef PA_ZONE_NAME_H
#define PA_ZONE_NAME_H

/* Whether it is the full name of a time zone, and no abbreviation; opens the zone. */
extern bool pa_is_zone_name(const char *name);

#endif							/* PA_ZONE_NAME_H */
