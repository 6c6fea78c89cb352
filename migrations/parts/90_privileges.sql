-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Privileges.
--

-- Nothing is for anybody but what is listed here; no other part grants or revokes.
-- sql/privileges.sql lists what comes of it.

-- First everything is taken from everybody: what PostgreSQL gives to PUBLIC, what default
-- privileges of the superuser who installs gave away, what was granted under an earlier version.
REVOKE ALL ON ALL TABLES IN SCHEMA privacct FROM PUBLIC CASCADE;
REVOKE ALL ON ALL SEQUENCES IN SCHEMA privacct FROM PUBLIC CASCADE;
REVOKE ALL ON ALL ROUTINES IN SCHEMA privacct FROM PUBLIC CASCADE;
DO $$
DECLARE
	taken text;
BEGIN
	FOR taken IN
		SELECT pg_catalog.format('REVOKE ALL (%I) ON TABLE %s FROM %s CASCADE', t.attname,
			r.oid::pg_catalog.regclass, privacct._role_name(a.grantee))
		FROM pg_catalog.pg_class r JOIN pg_catalog.pg_attribute t ON t.attrelid = r.oid
		CROSS JOIN LATERAL pg_catalog.aclexplode(t.attacl) a
		WHERE r.relnamespace = 'privacct'::pg_catalog.regnamespace AND a.grantee <> r.relowner
		UNION
		SELECT pg_catalog.format('REVOKE ALL ON %s %s FROM %s CASCADE',
			CASE r.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END,
			r.oid::pg_catalog.regclass, privacct._role_name(a.grantee))
		FROM pg_catalog.pg_class r CROSS JOIN LATERAL pg_catalog.aclexplode(r.relacl) a
		WHERE r.relnamespace = 'privacct'::pg_catalog.regnamespace AND a.grantee <> r.relowner
		UNION
		SELECT pg_catalog.format('REVOKE ALL ON ROUTINE %s FROM %s CASCADE', f.oid::pg_catalog.regprocedure,
			privacct._role_name(a.grantee))
		FROM pg_catalog.pg_proc f CROSS JOIN LATERAL pg_catalog.aclexplode(f.proacl) a
		WHERE f.pronamespace = 'privacct'::pg_catalog.regnamespace AND a.grantee <> f.proowner
	LOOP
		EXECUTE taken;
	END LOOP;
END
$$;

GRANT USAGE ON SCHEMA privacct TO PUBLIC;

-- they show each role only what is its own
GRANT SELECT ON
	privacct.allowed_functions,
	privacct.budget,
	privacct.daily_spending,
	privacct.discrepancy,
	privacct.forecast,
	privacct.foundation_discrepancy,
	privacct.line_discrepancy,
	privacct.local_cell_likelihood,
	privacct.local_likelihood,
	privacct.local_odometer,
	privacct.local_state,
	privacct.my_budget,
	privacct.my_ledger,
	privacct.object_discrepancy,
	privacct.odometer,
	privacct.owner_likelihood,
	privacct.owner_odometer,
	privacct.plan,
	privacct.progress,
	privacct.public_tables,
	privacct.pufferfish_budget,
	privacct.pufferfish_curve,
	privacct.pufferfish_owner,
	privacct.recent_noise,
	privacct.release_terms,
	privacct.repeats,
	privacct.spending
	TO PUBLIC;

-- used by the views; they tell nothing that their arguments do not
GRANT EXECUTE ON FUNCTION
	privacct._accountants(text),
	privacct._administers(regclass),
	privacct._administers_books(regclass, oid),
	privacct._column_called(oid, int2),
	privacct._columns_called(oid, int2[]),
	privacct._currency(text),
	privacct._describe(oid),
	privacct._describe_all(oid[]),
	privacct._foreign_keys(regclass, name[]),
	privacct._path_key(regclass, name[], oid, name[], boolean),
	privacct._referred(pg_constraint, name[]),
	privacct._sorted(name[]),
	privacct._spent(text, numeric, numeric),
	privacct._timeline(),
	privacct._timeline_is_followed(bigint, bigint),
	privacct._why_no_path(pg_constraint, boolean),
	privacct._worth(text, numeric, numeric)
	TO PUBLIC;

-- they check who asks
GRANT EXECUTE ON FUNCTION
	privacct._kept_releases(regclass),
	privacct._local_cells(regclass),
	privacct._local_likelihoods(regclass),
	privacct._local_points(regclass),
	privacct._local_states(regclass),
	privacct._most_lost(privacct.policy),
	privacct._owner_states(regclass),
	privacct.owners_left(regclass, double precision)
	TO PUBLIC;

-- pure computations
GRANT EXECUTE ON FUNCTION
	privacct._checked_prior(jsonb),
	privacct._group_delta(double precision, double precision),
	privacct._pufferfish_limit(integer[], double precision[], bigint, numeric),
	privacct._pufferfish_needed(integer[], double precision[], bigint, numeric, double precision),
	privacct._pufferfish_spent(integer[], double precision[], bigint, numeric),
	privacct._smooth_chain(double precision[], double precision),
	privacct._usable_points(integer[], double precision[], numeric, numeric, numeric),
	privacct.binary_chain_prior(anyarray, double precision, double precision, double precision, double precision),
	privacct.chain_prior(anyarray, double precision[], double precision[], integer),
	privacct.compose(jsonb, double precision),
	privacct.compose_delta(jsonb, double precision),
	privacct.gaussian_prior(double precision[], double precision, double precision, double precision),
	privacct.influence_curve(jsonb, text[], text[], integer),
	privacct.interval_prior(anyarray, integer[], double precision[], double precision[], text, double precision[],
		double precision[]),
	privacct.pufferfish_epsilon(regclass, double precision),
	privacct.table_prior(anyarray, integer[], double precision[])
	TO PUBLIC;

-- what refuses whoever asks a protected table tells too
GRANT EXECUTE ON FUNCTION
	privacct._ancestors(regclass),
	privacct._is_protected(regclass),
	privacct._tree(regclass)
	TO PUBLIC;

-- read with the rights of their caller, or check who asks
GRANT EXECUTE ON FUNCTION
	privacct._longest_owner(regclass, name),
	privacct._refuse_fit(regclass, regclass),
	privacct.fit_chain_prior(regclass, name, name[], name, anyarray, double precision)
	TO PUBLIC;

-- the view calls these; they tell nothing that is not in the catalog
GRANT EXECUTE ON FUNCTION
	privacct._described_of_others(oid[]),
	privacct._foundation(oid[]),
	privacct._of_others(oid[])
	TO PUBLIC;

-- they tell of what is the caller's
GRANT EXECUTE ON FUNCTION
	privacct._may_ask(oid),
	privacct._may_ask_any(name, oid, text),
	privacct._may_ask_any(name, text, text),
	privacct._may_ask_any(oid, oid, text),
	privacct._may_ask_any(oid, text),
	privacct._may_ask_any(oid, text, text),
	privacct._may_ask_any(text, text),
	privacct._own_counter(oid, oid),
	privacct._own_duration(oid, oid),
	privacct._own_moment(oid, oid),
	privacct._own_number(oid, oid),
	privacct._own_path(oid, oid),
	privacct._own_sessions(integer),
	privacct._own_signal(oid, integer, bigint),
	privacct._own_size(oid, oid, text),
	privacct._progress()
	TO PUBLIC;

-- what views call tells nothing that its argument does not
GRANT EXECUTE ON FUNCTION
	privacct._four_digits(numeric, boolean),
	privacct._mechanisms(jsonb)
	TO PUBLIC;

-- views that tell of discrepancies call these, which tell nothing that is not in the catalog
GRANT EXECUTE ON FUNCTION
	privacct._column_number(oid, name),
	privacct._owner_key_is(name, oid)
	TO PUBLIC;

-- it tells nothing that is not in the catalog
GRANT EXECUTE ON FUNCTION
	privacct._as_is()
	TO PUBLIC;

-- what the view calls tells nothing that its argument does not
GRANT EXECUTE ON FUNCTION
	privacct._absent(name),
	privacct.check_books()
	TO PUBLIC;

-- computations, and what tells callers only what is theirs
GRANT EXECUTE ON FUNCTION
	privacct._allowed_functions(),
	privacct._first(anyelement, double precision, integer),
	privacct._here(),
	privacct._left(),
	privacct._pufferfish_sums(integer[], double precision[], bigint, double precision[], double precision[]),
	privacct._terms_of(regclass),
	privacct._top(anyelement, double precision, integer),
	privacct._waits_for_values(),
	privacct._conditions(jsonb),
	privacct._contributions(text),
	privacct._declaration(text, jsonb, numeric, numeric),
	privacct._least_limit(text, numeric[], numeric, numeric),
	privacct._question(text, numeric, numeric, numeric),
	privacct._require_epsilon(jsonb, numeric, numeric, int),
	privacct._suggest_bounds(jsonb, double precision, numeric),
	privacct.abp(double precision[], double precision[]),
	privacct.abp_bound(double precision, double precision),
	privacct.best_sample_rate(double precision, double precision, double precision, double precision),
	privacct.check_composable(double precision[], integer[], double precision[], integer[]),
	privacct.dp_interval_high(anyelement),
	privacct.dp_interval_low(anyelement),
	privacct.g_leakage(double precision[], double precision[], double precision[]),
	privacct.intervals(bigint),
	privacct.ldp(double precision[]),
	privacct.ldp_bound(double precision),
	privacct.ldp_bound(double precision, double precision[]),
	privacct.logistic(double precision),
	privacct.map_attack(double precision[], double precision[], double precision[]),
	privacct.mbp(double precision[], double precision[]),
	privacct.mbp_bound(double precision, double precision),
	privacct.pac_accuracy(double precision, bigint, double precision, double precision, double precision),
	privacct.pac_alpha(double precision, bigint, double precision, double precision, double precision),
	privacct.pac_forms(double precision, bigint, double precision, double precision, double precision,
		double precision),
	privacct.pac_owners(double precision, double precision, double precision, double precision, double precision),
	privacct.pac_private(double precision, double precision, double precision, double precision),
	privacct.pac_robustness(double precision, double precision),
	privacct.pac_share(double precision, bigint, double precision, double precision, integer),
	privacct.posterior(double precision[], double precision[]),
	privacct.derive(text),
	privacct.preview(text, double precision, double precision),
	privacct.pufferfish_leakage(double precision[], integer[], double precision[], integer, integer[]),
	privacct.realized_loss(double precision[]),
	privacct.suggest_bounds(text, double precision, numeric)
	TO PUBLIC;

-- pages with the rights of their caller, from the views above
GRANT EXECUTE ON FUNCTION
	privacct._bar(numeric),
	privacct._column_chart(date[], numeric[], text),
	privacct._date_axis(date[], numeric, numeric, numeric),
	privacct._figure(numeric),
	privacct._html(text),
	privacct._html_name(text),
	privacct._last_days(integer),
	privacct._lasts(numeric),
	privacct._line_chart(date[], text[], jsonb, text),
	privacct._line_labels(text[], numeric[], numeric, numeric),
	privacct._my_report_budgets(integer),
	privacct._my_report_days(integer),
	privacct._my_report_noise(),
	privacct._noise_of(jsonb),
	privacct._noise_row(text, text, bigint, double precision, text, double precision, double precision),
	privacct._page(text, text),
	privacct._percent(numeric),
	privacct._power_of_ten(integer),
	privacct._report_activity(privacct.daily_spending[], integer),
	privacct._report_budgets(privacct.forecast[], integer),
	privacct._report_curves(privacct.forecast[], privacct.daily_spending[], integer),
	privacct._report_discrepancies(privacct.discrepancy[], integer),
	privacct._report_local(integer),
	privacct._report_noise(integer),
	privacct._report_plans(integer),
	privacct._report_pufferfish(integer),
	privacct._report_roles(privacct.daily_spending[], integer, integer),
	privacct._report_tiles(privacct.forecast[], privacct.daily_spending[], privacct.discrepancy[], integer),
	privacct._report_words(),
	privacct._round_up(numeric),
	privacct._row(text[], integer[]),
	privacct._section(text, text, text),
	privacct._style(),
	privacct._table(text[], text),
	privacct._tile(text, text),
	privacct.my_report(integer),
	privacct.report(integer, integer)
	TO PUBLIC;

-- Aggregates, which mean nothing outside of guarded blocks, and twins of built-in functions: they stand in the
-- queries of whoever asks.  Declarations, which are all the same function in C: it checks who owns the table.
DO $$
DECLARE
	given text;
BEGIN
	FOR given IN
		SELECT pg_catalog.format('GRANT EXECUTE ON FUNCTION %s TO %s', f.oid::pg_catalog.regprocedure,
			CASE WHEN f.prosrc = 'pa_declare' THEN 'privacct_admin' ELSE 'PUBLIC' END)
		FROM pg_catalog.pg_proc f
		WHERE f.pronamespace = 'privacct'::pg_catalog.regnamespace
		AND (f.proname IN (SELECT a.name FROM privacct._aggregates() a WHERE a.name !~ '^_')
			OR f.prosrc ~ '^pa_total_' OR f.prosrc = 'pa_declare')
	LOOP
		EXECUTE given;
	END LOOP;
END
$$;
