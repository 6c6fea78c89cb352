/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * collation.h
 *		What a collation does: since 18, asked of what PostgreSQL opened.
 */
#ifndef PA_COMPAT_COLLATION_H
#define PA_COMPAT_COLLATION_H

#include "compat/version.h"

#include "access/attnum.h"
#include "catalog/pg_collation.h"
#include "utils/pg_locale.h"

/* The column of pg_collation with the locale of a provider. */
static inline AttrNumber
pa_locale_column(char provider)
{
#if PG_VERSION_NUM >= 170000
	return provider == COLLPROVIDER_LIBC ? Anum_pg_collation_collcollate : Anum_pg_collation_colllocale;
#else
	return provider == COLLPROVIDER_ICU ? Anum_pg_collation_colliculocale : Anum_pg_collation_collcollate;
#endif
}

/* Texts are ordered by their bytes. */
static inline bool
pa_orders_bytes(Oid collation)
{
#if PG_VERSION_NUM >= 180000
	return OidIsValid(collation) && pg_newlocale_from_collation(collation)->collate_is_c;
#else
	return lc_collate_is_c(collation);
#endif
}

/* Only those of ASCII are letters. */
static inline bool
pa_knows_ascii(Oid collation)
{
#if PG_VERSION_NUM >= 180000
	return OidIsValid(collation) && pg_newlocale_from_collation(collation)->ctype_is_c;
#else
	return lc_ctype_is_c(collation);
#endif
}

/* What is a letter or a digit, and its other case, the C library says. */
static inline bool
pa_asks_libc(Oid collation)
{
	pg_locale_t locale = pg_newlocale_from_collation(collation);

	return locale == NULL || locale->provider == COLLPROVIDER_LIBC;
}

#endif							/* PA_COMPAT_COLLATION_H */
