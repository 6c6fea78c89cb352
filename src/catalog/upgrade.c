/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * upgrade.c
 *		See upgrade.h.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "utils/memutils.h"

#include "catalog/extension.h"
#include "catalog/upgrade.h"
#include "errors.h"

/* What the query says of the books, in the caller's memory; NULL: nothing. */
static char *
ask_books(const char *query)
{
	MemoryContext context = CurrentMemoryContext;
	char	   *answer = NULL;

	SPI_connect();
	if (SPI_execute(query, true, 1) != SPI_OK_SELECT)
		elog(ERROR, "could not read what the books say");
	if (SPI_processed > 0)
		answer = MemoryContextStrdup(context, SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1));
	SPI_finish();
	return answer;
}

static void
require_followed_books(void)
{
	static const Oid arguments[] = {INT8OID, INT8OID};

	if (!OidIsValid(pa_catalog_relation("home")) ||
		!OidIsValid(pa_find_own_function("_timeline_is_followed", lengthof(arguments), arguments)) ||
		ask_books("SELECT 'unfollowed' FROM privacct.home h WHERE NOT privacct._timeline_is_followed(h.cluster, h.timeline)"
				  " AND EXISTS (SELECT FROM privacct.policy)") == NULL)
		return;
	ereport(ERROR,
			errcode(ERRCODE_PA_LEDGER_UNAVAILABLE),
			errmsg("charges may be missing from the books of privacct in this database"),
			errdetail("The server was promoted, or recovered to a point in time. After an upgrade that would be forgotten."),
			errhint("Start the server that is to be upgraded, see privacct.check_books(), and SELECT privacct.accept_books() as a superuser who answers for what is missing."));
}

/* Of the new cluster nothing is asked: while it is restored nothing is written in "made", and then what another version wrote. */
static void
require_own_objects(void)
{
	char	   *problem;

	if (!OidIsValid(pa_catalog_relation("made")) || !OidIsValid(pa_catalog_relation("object_discrepancy")) ||
		ask_books("SELECT 'here' FROM privacct.made m WHERE m.object = 'server'"
				  " AND m.state = (pg_catalog.current_setting('server_version_num')::int / 10000)::text"
				  " AND EXISTS (SELECT FROM privacct.policy)") == NULL)
		return;
	problem = ask_books("SELECT d.problem FROM privacct.object_discrepancy d ORDER BY 1");
	if (problem == NULL)
		return;
	ereport(ERROR,
			errcode(ERRCODE_PA_LEDGER_UNAVAILABLE),
			errmsg("what keeps the books of privacct was changed in this database"),
			errdetail("%s. After an upgrade that would be forgotten.", problem),
			errhint("Start the server that is to be upgraded, and do what privacct.check_books() says."));
}

/* Nothing is planned that does not ask first, nor is the question itself. */
void
pa_require_upgradable(void)
{
	static bool asked = false;

	if (asked || !OidIsValid(pa_catalog_relation("home")))
		return;
	asked = true;
	PG_TRY();
	{
		require_followed_books();
		require_own_objects();
	}
	PG_CATCH();
	{
		asked = false;
		PG_RE_THROW();
	}
	PG_END_TRY();
}
