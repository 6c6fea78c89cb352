/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * block_rules.c
 *		By which rules a block is made.
 */
#include "postgres.h"

#include "guard/block_rules.h"

static const PaBlockRules *const rules_of_regime[] = {
	[PA_REGIME_CENTRAL] = &pa_row_rules,
	[PA_REGIME_LOCAL] = &pa_row_rules,
	[PA_REGIME_ENTRIES] = &pa_entry_rules,
};

StaticAssertDecl(lengthof(rules_of_regime) == PA_REGIMES, "a regime has no rules");

const PaBlockRules *
pa_block_rules(PaGuard *guard, const Query *query)
{
	const RangeTblEntry *table;

	if (pa_asks_owners(guard, query))
		return &pa_question_rules;
	table = pa_table_read(guard, query);
	return rules_of_regime[pa_policy_covering(table->relid)->regime];
}
