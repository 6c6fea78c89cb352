/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * granted.h
 *		What a GRANT is about.
 */
#ifndef PA_GRANTED_H
#define PA_GRANTED_H

#include "postgres.h"

#include "nodes/parsenodes.h"

/* The catalog of objects that matter here (pg_class, pg_proc, pg_namespace); else InvalidOid. */
extern Oid	pa_catalog_of(ObjectType type);

#endif							/* PA_GRANTED_H */
