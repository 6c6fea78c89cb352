/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * version.h
 *		The versions of PostgreSQL that this is for.
 *
 * What depends on the version is in this folder, each difference as a function or
 * type with a name of its own; nothing else asks for PG_VERSION_NUM.
 */
#ifndef PA_COMPAT_VERSION_H
#define PA_COMPAT_VERSION_H

#include "postgres.h"

#if PG_VERSION_NUM < 150000 || PG_VERSION_NUM >= 190000
#error "this version of privacct is for PostgreSQL 15 to 18"
#endif

#if PG_VERSION_NUM >= 160000
#include "varatt.h"				/* was a part of postgres.h */
#endif

/* pg_attribute_noreturn() until 17, pg_noreturn in another place since 18 */
#define PA_NORETURN __attribute__((noreturn))

#endif							/* PA_COMPAT_VERSION_H */
