/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * public_writer.h
 *		Who but its owner may change a public table.
 */
#ifndef PA_PUBLIC_WRITER_H
#define PA_PUBLIC_WRITER_H

#include "postgres.h"

typedef struct PaPublicWriter
{
	Oid			role;			/* 0: everybody */
	Oid			way;			/* the relation by which: the table itself, or one whose changes change it */
} PaPublicWriter;

/*
 * Whether somebody else than the owner of the relation may change it, and who, by
 * privileges on it, its children and the tables above it, on views and tables whose
 * rules write to these with the owner's rights, and on tables whose changes foreign
 * keys pass on.  What functions do that run as their owner is not looked at.
 */
extern bool pa_public_writer(Oid relation, PaPublicWriter *writer);

#endif							/* PA_PUBLIC_WRITER_H */
