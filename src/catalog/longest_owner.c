/*
 * longest_owner.c
 *		Whether owners keep to the number of rows that was declared.
 *
 * A scan of the whole table as its owner, as foreign keys are checked; only where
 * a policy declares such a number.
 */
#include "postgres.h"

#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"

#include "catalog/longest_owner.h"
#include "errors.h"

static bool
is_passed(const PaPolicy *policy)
{
	char	   *schema = get_namespace_name(get_rel_namespace(policy->relation));
	const char *owner = quote_identifier(get_attname(policy->relation, policy->owner_attnum, false));
	char	   *query = psprintf("SELECT FROM %s GROUP BY %s HAVING pg_catalog.count(*) OPERATOR(pg_catalog.>) " INT64_FORMAT " LIMIT 1",
								 quote_qualified_identifier(schema, get_rel_name(policy->relation)), owner, policy->max_entries);
	bool		passed;

	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "SPI_connect failed");
	if (SPI_execute(query, true, 1) != SPI_OK_SELECT)
		elog(ERROR, "the rows of owners cannot be counted");
	passed = SPI_processed > 0;
	SPI_finish();
	return passed;
}

void
pa_require_longest_owner(const PaPolicy *policy)
{
	Oid			user;
	int			context;
	bool		passed;

	if (policy->max_entries == 0)
		return;
	GetUserIdAndSecContext(&user, &context);
	SetUserIdAndSecContext(pa_table_owner(policy->relation),
						   context | SECURITY_LOCAL_USERID_CHANGE | SECURITY_RESTRICTED_OPERATION);
	passed = is_passed(policy);
	SetUserIdAndSecContext(user, context);	/* an error restores them too */
	if (passed)
		ereport(ERROR,
				errcode(ERRCODE_PA_REFUSED),
				errmsg("query on a protected table is not allowed"),
				errdetail("An owner has more rows than the policy allows."),
				errhint("The table's owner can declare more with privacct.set_priors()."));
}

void
pa_recheck_longest_owner(const PaPolicy *checked)
{
	const PaPolicy *policy;

	if (!checked->pufferfish)
		return;
	AcceptInvalidationMessages();
	policy = pa_policy_of(checked->relation);
	if (policy && policy->policy_id == checked->policy_id && policy->version != checked->version)
		pa_require_longest_owner(policy);
}
