-- SPDX-License-Identifier: GPL-3.0-or-later
-- Taken away first: what 0.2 has no more, and what CREATE OR REPLACE cannot change.  The parts make anew what they
-- have of it.

-- with them every command of this script would be looked at
DROP EVENT TRIGGER privacct_ddl_end;
DROP EVENT TRIGGER privacct_drop;

-- The library calls this function for each row; in 0.1 it was called for each statement.
DO $$
DECLARE
	changed text;
BEGIN
	FOREACH changed IN ARRAY '{policy,bound,group_key,quota,domain,public_column,prior}'::text[]
	LOOP
		EXECUTE pg_catalog.format('DROP TRIGGER policy_changed ON privacct.%I', changed);
	END LOOP;
END
$$;

DROP VIEW
	privacct._mechanism,
	privacct.budget,
	privacct.local_odometer,
	privacct.local_state,
	privacct.my_budget,
	privacct.my_ledger,
	privacct.odometer,
	privacct.owner_odometer,
	privacct.plan,
	privacct.pufferfish_budget,
	privacct.pufferfish_curve,
	privacct.pufferfish_owner;

DROP AGGREGATE privacct._owner_marker("any", oid, bigint, boolean, integer, "any");
DROP AGGREGATE privacct._local_marker("any", oid, bigint);
DROP AGGREGATE privacct._score(anyelement, double precision, double precision, text);

DROP FUNCTION
	privacct._block_transition(internal, "any", oid, bigint, boolean, integer, "any"),
	privacct._block_transition(internal, "any", oid, bigint),
	privacct._block_transition(internal, anyelement, double precision, double precision, text),
	privacct._carry_over(bigint, regclass, text, regrole),
	privacct._check_choices(text, text, text),
	privacct._check_owner_column(regclass, name),
	privacct._check_policy(regclass, name),
	privacct._hold_charges(),
	privacct._local_states(regclass),
	privacct._open_policy(regrole, regclass, name, record, integer, integer, text, text, text, integer, text, text[],
		double precision, text, integer),
	privacct._protect(regrole, regclass, name, numeric, numeric, integer, integer, text, text, text, integer, text,
		text[], double precision, text, integer),
	privacct._protect_entries(regrole, regclass, name, name[], name, jsonb, numeric, numeric, text[], text[], bigint,
		integer, text, text[]),
	privacct._pufferfish_sums(integer[], double precision[], bigint, double precision[]),
	privacct._rho_cap(numeric, numeric),
	privacct._statistics_functions(),
	privacct._statistics_views(),
	privacct._warn_of_namesake(text, bigint),
	privacct._zcdp_epsilon(numeric, numeric),
	privacct.preview(text, double precision),
	privacct.protect(regclass, name, numeric, numeric, integer, integer, text, text, text, integer, text, text[],
		double precision, text, integer),
	privacct.protect_entries(regclass, name, name[], name, jsonb, numeric, numeric, text[], text[], bigint, integer,
		text, text[]);
