/*
 * refuse.c
 *		How the guard says no.  A refusal names what and where, and what to write
 *		instead; it never quotes a value of a row.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "errors.h"
#include "guard/guard.h"
#include "position.h"

/* Nodes that come from views, or that were made, have no location; what they stand in may have a place. */
int
pa_error_position(const PaGuard *guard, int location)
{
	return pa_position(guard->source, location >= 0 ? location : pa_place_of_query(guard, guard->query));
}

void
pa_refuse(const PaGuard *guard, int location, const char *detail, const char *hint)
{
	ereport(ERROR,
			errcode(ERRCODE_PA_REFUSED),
			errmsg("query on a protected table is not allowed"),
			errdetail("%s", detail),
			errhint("%s", hint),
			pa_error_position(guard, location));
	pg_unreachable();
}

void
pa_refuse_table(const PaGuard *guard, const RangeTblEntry *entry, const char *detail, const char *hint)
{
	pa_refuse(guard, pa_place_of_table(guard, entry), detail, hint);
}

void
pa_refuse_grouping_sets(const PaGuard *guard, const Query *query)
{
	int			location = exprLocation((Node *) query->groupingSets);

	if (query->groupClause == NIL)
		pa_refuse(guard, location, "GROUP BY () is not allowed on a protected table.",
				  "Leave out GROUP BY (); without GROUP BY, aggregates are computed over all rows.");
	pa_refuse(guard, location, "GROUPING SETS, ROLLUP and CUBE are not allowed on a protected table.",
			  "Write one query for each grouping and combine them with UNION ALL.");
}

char *
pa_name_of_table(Oid relation)
{
	char	   *schema = RelationIsVisible(relation) ? NULL : get_namespace_name(get_rel_namespace(relation));

	return quote_qualified_identifier(schema, get_rel_name(relation));
}
