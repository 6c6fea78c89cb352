-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Computations, and answers about releases.
--

CREATE OR REPLACE FUNCTION privacct.compose(mechanisms jsonb, delta float8) RETURNS float8
	AS 'MODULE_PATHNAME', 'pa_compose' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION privacct.compose(jsonb, double precision)
	IS 'the epsilon that mechanisms with parameters fixed in advance lose together at delta, by privacy-loss '
	'distributions, rounded up';

CREATE OR REPLACE FUNCTION privacct.compose_delta(mechanisms jsonb, epsilon float8) RETURNS float8
	AS 'MODULE_PATHNAME', 'pa_compose_profile' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION privacct.compose_delta(jsonb, double precision)
	IS 'the delta that mechanisms with parameters fixed in advance lose together at epsilon, by privacy-loss '
	'distributions, rounded up';

CREATE OR REPLACE FUNCTION privacct._local_states(relation regclass)
	RETURNS TABLE (state int, owners bigint, realised float8, central float8, worst_case float8, rho float8,
		can_bear float8, mbp float8, abp float8, folded float8)
	AS 'MODULE_PATHNAME', 'pa_local_states' LANGUAGE C STABLE STRICT;
COMMENT ON FUNCTION privacct._local_states(regclass)
	IS 'the states that owners of a local policy are in; for whoever may ask the table, and its owner; of a policy '
	'whose books are incomplete one state, in which all is lost';

CREATE OR REPLACE FUNCTION privacct._owner_states(relation regclass) RETURNS TABLE (owner text, state int)
	AS 'MODULE_PATHNAME', 'pa_owner_states' LANGUAGE C STABLE STRICT;
COMMENT ON FUNCTION privacct._owner_states(regclass) IS 'the state of each owner in the table; for the table''s owner';

CREATE OR REPLACE FUNCTION privacct._local_likelihoods(relation regclass)
	RETURNS TABLE (state int, owners bigint, log_likelihood float8[], likelihood float8[], posterior float8[],
		beside float8)
	AS 'MODULE_PATHNAME', 'pa_local_likelihoods' LANGUAGE C STABLE STRICT;
COMMENT ON FUNCTION privacct._local_likelihoods(regclass)
	IS 'the likelihood table of each state, over the points of _local_points; for the table''s owner';

CREATE OR REPLACE FUNCTION privacct._local_cells(relation regclass)
	RETURNS TABLE (state int, column_name name, low float8, high float8, log_likelihood float8)
	AS 'MODULE_PATHNAME', 'pa_local_cells' LANGUAGE C STABLE STRICT;
COMMENT ON FUNCTION privacct._local_cells(regclass)
	IS 'what the answers with steps of each state say of the cells of interval columns; for the table''s owner';

CREATE OR REPLACE FUNCTION privacct._local_points(relation regclass)
	RETURNS TABLE (point int, record jsonb, prior float8)
	AS 'MODULE_PATHNAME', 'pa_local_points' LANGUAGE C STABLE STRICT;
COMMENT ON FUNCTION privacct._local_points(regclass)
	IS 'the combinations of listed values of a local policy, with their prior; for the table''s owner';

-- Who looks how many can answer need not wait for measures of each history.
CREATE OR REPLACE FUNCTION privacct.owners_left(relation regclass, epsilon float8) RETURNS bigint
	AS 'MODULE_PATHNAME', 'pa_owners_left' LANGUAGE C STABLE STRICT;
COMMENT ON FUNCTION privacct.owners_left(regclass, double precision)
	IS 'local regime: how many of the owners who were asked before are certain to bear a question of that epsilon';

CREATE OR REPLACE FUNCTION privacct._partial_state() RETURNS bytea
	IMMUTABLE PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
COMMENT ON FUNCTION privacct._partial_state() IS
	'internal: stands for what the processes of a parallel release send to each other';

CREATE OR REPLACE FUNCTION privacct._waits_for_values() RETURNS boolean
	VOLATILE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_waits_for_values';
COMMENT ON FUNCTION privacct._waits_for_values() IS
	'internal: an error, in plans that were made without the values of parameters that they need';

CREATE OR REPLACE FUNCTION privacct.intervals(charge_id bigint DEFAULT NULL, OUT charge bigint, OUT keys text[],
	OUT aggregate text, OUT value double precision, OUT low double precision, OUT high double precision,
	OUT confidence double precision, OUT acceptance double precision, OUT standard_error double precision,
	OUT answered bigint, OUT asked bigint) RETURNS SETOF record
	VOLATILE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_intervals';
COMMENT ON FUNCTION privacct.intervals(bigint)
	IS 'confidence intervals of what was released to this session under a charge (by default the last one); '
	'acceptance: the probability with which noise stays within the error bound; answered, of asked: the owners who '
	'answered, or, for a central release on a local table, the owners asked before who were in it';

-- In a block over protected rows they are columns of the release; anywhere else they raise an error.
CREATE OR REPLACE FUNCTION privacct.dp_interval_low(aggregate anyelement) RETURNS double precision
	STABLE PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_interval_end';
COMMENT ON FUNCTION privacct.dp_interval_low(anyelement)
	IS 'around an aggregate over protected rows: the lower end of its interval of 95 %, beside the number, at no cost';

CREATE OR REPLACE FUNCTION privacct.dp_interval_high(aggregate anyelement) RETURNS double precision
	STABLE PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_interval_end';
COMMENT ON FUNCTION privacct.dp_interval_high(anyelement)
	IS 'around an aggregate over protected rows: the upper end of its interval of 95 %, beside the number, at no cost';

CREATE OR REPLACE FUNCTION privacct.preview(query text, owners float8 DEFAULT NULL, rows float8 DEFAULT NULL,
	OUT release int, OUT statistic text,
	OUT kernel text, OUT used boolean,
	OUT scale double precision, OUT q double precision, OUT sensitivity double precision, OUT groups_per_owner int,
	OUT within double precision, OUT acceptance double precision, OUT error_95 double precision,
	OUT total_error_95 double precision, OUT epsilon numeric, OUT delta numeric, OUT rho numeric,
	OUT releases_left bigint, OUT owners_able bigint, OUT owners_known bigint, OUT newcomers boolean,
	OUT owner_limit text, OUT owners_at_least bigint)
	RETURNS SETOF record
	VOLATILE PARALLEL UNSAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_preview';
COMMENT ON FUNCTION privacct.preview(text, double precision, double precision)
	IS 'what a query would cost and how far its answers would be from the truth, with the noise that it would get '
	'(used), with each other kind at the same cost, and with each other limit of what an owner adds to a group '
	'(owner_limit); owners: how many may contribute, for the error of a sample; '
	'rows: how many values a group may have, for the error of averages, variances, deviations and quantiles; '
	'local regime: how many of the owners who were asked before (owners_known) can bear it (owners_able), and whether '
	'those who were never asked can (newcomers); executes and charges nothing';

CREATE OR REPLACE FUNCTION privacct.derive(query text, OUT keys text[], OUT aggregate text, OUT value double precision,
	OUT low double precision, OUT high double precision, OUT confidence double precision, OUT charges bigint[],
	OUT scope text)
	RETURNS SETOF record
	VOLATILE PARALLEL UNSAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_derive_sql';
COMMENT ON FUNCTION privacct.derive(text)
	IS 'what a query would answer as far as it follows from releases that are kept and were paid for (charges), with '
	'intervals: by least squares over all that was released of the same rows; scope: which rows it is about, null for '
	'all; executes and charges nothing, and is refused where it does not follow';

CREATE OR REPLACE FUNCTION privacct._contributions(query text, OUT rows_query text, OUT keys int, OUT label text,
	OUT value text, OUT summed boolean, OUT lo float8, OUT hi float8, OUT relation regclass, OUT column_name text)
	RETURNS SETOF record
	STRICT VOLATILE PARALLEL UNSAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_contributions';
COMMENT ON FUNCTION privacct._contributions(text)
	IS 'internal: the rows that a query aggregates, as the text of a query with columns o (whose they are), k1, k2, '
	'... (keys), v1, v2, ... (what is added up), and a row for each of the last; executes nothing';

-- Each limit is that of a condition that holds for so large a part of the owners: ok, in a query of which each row
-- is an owner and in which %limit% stands for the limit.
CREATE OR REPLACE FUNCTION privacct._conditions(contributions jsonb, OUT place int, OUT what text, OUT side int,
	OUT owners_query text, OUT grid numeric[]) RETURNS SETOF record
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	WITH block AS (
		SELECT c->>'rows_query' AS rows, ARRAY(SELECT format('k%s', k) FROM generate_series(1, (c->>'keys')::int) k)
			AS keys FROM (SELECT contributions->0) f(c)
	), given AS (
		SELECT i::int AS place, c.summed, c.lo, c.hi, CASE WHEN c.lo IS NULL THEN format('%s::numeric', c.value)
			ELSE format('CASE WHEN %1$s IS NOT NULL THEN greatest(%2$s, least(%3$s, %1$s::numeric)) END', c.value,
				c.lo::numeric, c.hi::numeric) END AS number
		FROM jsonb_array_elements(contributions) WITH ORDINALITY e(one, i),
			jsonb_to_record(e.one) c(value text, summed boolean, lo float8, hi float8)
		WHERE c.value IS NOT NULL
	), sides AS (
		SELECT g.place, g.summed, s.side, CASE s.side WHEN 1 THEN g.number ELSE format('-(%s)', g.number) END AS number,
			g.lo
		FROM given g, unnest('{-1,1}'::int[]) s(side)
		WHERE g.lo IS NULL OR (CASE s.side WHEN 1 THEN g.hi ELSE -g.lo END) > 0
	), grids AS (
		SELECT ARRAY(SELECT (2::float8 ^ i)::numeric FROM generate_series(0, 30) i) AS rows,
			ARRAY(SELECT (2::float8 ^ i)::numeric FROM generate_series(0, 12) i) AS groups,
			0 || ARRAY(SELECT (2::float8 ^ i)::numeric FROM generate_series(-16, 46) i) AS numbers
	), conditions AS (
		SELECT 0 AS place, 'rows' AS what, 1 AS side, 'count(*) <= %limit%' AS condition, g.rows AS grid FROM grids g
		UNION ALL SELECT s.place, 'sum', s.side, format('coalesce(sum(%s), 0) <= %%limit%%', s.number), g.numbers
		FROM sides s, grids g WHERE s.summed
		UNION ALL SELECT s.place, 'values', s.side, format('coalesce(bool_and(%s <= %%limit%%), true)', s.number),
			g.numbers
		FROM sides s, grids g WHERE s.lo IS NULL
	)
	SELECT c.place, c.what, c.side,
		CASE WHEN b.keys = '{}' THEN format('SELECT o, %s AS ok FROM (%s) r GROUP BY o', c.condition, b.rows)
			ELSE format('SELECT o, bool_and(ok) AS ok FROM (SELECT o, %1$s AS ok, %2$s FROM (%3$s) r '
				'GROUP BY o, %2$s) g GROUP BY o', c.condition, array_to_string(b.keys, ', '), b.rows) END, c.grid
	FROM conditions c, block b
	UNION ALL
	SELECT 0, 'groups', 1, format('SELECT o, count(*) <= %%limit%% AS ok FROM (SELECT o, %1$s FROM (%2$s) r '
		'GROUP BY o, %1$s) g GROUP BY o', array_to_string(b.keys, ', '), b.rows), g.groups
	FROM block b, grids g WHERE b.keys <> '{}'
$$;
COMMENT ON FUNCTION privacct._conditions(jsonb) IS 'internal: what suggest_bounds() asks of owners';

-- A release of the owners within a limit, times what is left of one, less the others times the quantile.
CREATE OR REPLACE FUNCTION privacct._question(owners_query text, "limit" numeric, quantile numeric, epsilon numeric)
	RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT format('SELECT privacct.dp_sum(CASE WHEN ok THEN %1$s ELSE -%2$s END, -%2$s, %1$s, %3$L) FROM (%4$s) s',
		1 - quantile, quantile, format('epsilon=%s', epsilon), replace(owners_query, '%limit%', "limit"::text))
$$;
COMMENT ON FUNCTION privacct._question(text, numeric, numeric, numeric)
	IS 'internal: what suggest_bounds() asks, above 0 where so large a part of the owners is within the limit';

-- The least place of the grid that enough owners are within, found by halves.
CREATE OR REPLACE FUNCTION privacct._least_limit(owners_query text, grid numeric[], quantile numeric, epsilon numeric)
	RETURNS numeric
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	first int := 1;
	last int := cardinality(grid);
	middle int;
	score float8;
BEGIN
	WHILE first < last LOOP
		middle := (first + last) / 2;
		EXECUTE privacct._question(owners_query, grid[middle], quantile, epsilon) INTO score;
		IF score >= 0 THEN
			last := middle;
		ELSE
			first := middle + 1;
		END IF;
	END LOOP;
	RETURN grid[first];
END
$$;
COMMENT ON FUNCTION privacct._least_limit(text, numeric[], numeric, numeric)
	IS 'internal: the least of the numbers that so large a part of the owners is within, by noisy answers';

CREATE OR REPLACE FUNCTION privacct._declaration(what text, contribution jsonb, lo numeric, hi numeric) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT CASE
		WHEN what = 'rows' THEN format('SET privacct.max_rows = %s', hi)
		WHEN what = 'groups' THEN format('SET privacct.max_groups = %s', hi)
		WHEN lo = hi THEN NULL
		WHEN c.column_name IS NOT NULL THEN format('SELECT privacct.%s(%L, %L, %s, %s)',
			CASE what WHEN 'sum' THEN 'set_owner_bounds' ELSE 'set_bounds' END, c.relation, c.column_name, lo, hi)
		WHEN what = 'sum' THEN format('per_owner=%s:%s', lo, hi)
		ELSE format('%s, %s', lo, hi)
	END
	FROM jsonb_to_record(coalesce(contribution, '{}')) c(relation text, column_name text)
$$;
COMMENT ON FUNCTION privacct._declaration(text, jsonb, numeric, numeric)
	IS 'internal: how to set a limit that suggest_bounds() found';

-- What one of them costs is asked before any is.
CREATE OR REPLACE FUNCTION privacct._require_epsilon(contributions jsonb, quantile numeric, epsilon numeric,
	questions int) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	detail text;
	hint text;
BEGIN
	PERFORM FROM privacct._conditions(contributions) c,
		privacct.preview(privacct._question(c.owners_query, c.grid[1], quantile, trunc(epsilon / questions, 9)));
EXCEPTION WHEN SQLSTATE '22PA5' THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	RAISE EXCEPTION 'epsilon is too small for % questions', questions
		USING ERRCODE = '22PA5', DETAIL = detail, HINT = format('Give suggest_bounds() an epsilon of %s or more.',
			ceil(questions * substring(hint FROM 'epsilon=([0-9.e+-]+)')::numeric));
END
$$;
COMMENT ON FUNCTION privacct._require_epsilon(jsonb, numeric, numeric, int)
	IS 'internal: refuses what so many questions cannot be asked with';

CREATE OR REPLACE FUNCTION privacct._suggest_bounds(contributions jsonb, quantile float8, epsilon numeric,
	OUT what text, OUT lo numeric, OUT hi numeric, OUT declaration text) RETURNS SETOF record
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
	steps int;
BEGIN
	IF contributions IS NULL THEN
		RAISE EXCEPTION 'the query is null' USING ERRCODE = '22004', HINT = 'Give the text of one SELECT.';
	ELSIF quantile IS NULL OR NOT quantile BETWEEN 0.01 AND 0.9999 THEN
		RAISE EXCEPTION 'the quantile is out of range'
			USING ERRCODE = '22PA5', DETAIL = 'It is the part of the owners that limits are to leave as they are.',
				HINT = 'Give a number from 0.01 to 0.9999, such as 0.95.';
	ELSIF epsilon IS NULL OR NOT epsilon BETWEEN 0.0001 AND 100000 THEN
		RAISE EXCEPTION 'epsilon is out of range'
			USING ERRCODE = '22PA5', DETAIL = 'It is what all questions that are asked spend together, at most.',
				HINT = 'Give a number from 0.0001 to 100000, such as 1.';
	END IF;
	steps := (SELECT sum(ceil(log(2, cardinality(c.grid)))) FROM privacct._conditions(contributions) c);
	PERFORM privacct._require_epsilon(contributions, quantile::numeric, epsilon, steps);
	FOR what, lo, hi, declaration IN
		WITH found AS MATERIALIZED (
			SELECT c.place, c.what, c.side, privacct._least_limit(c.owners_query, c.grid, quantile::numeric,
				trunc(epsilon / steps, 9)) AS least
			FROM privacct._conditions(contributions) c
		), limits AS (
			SELECT f.place, f.what, CASE WHEN f.place > 0 THEN coalesce(-max(f.least) FILTER (WHERE f.side < 0), 0) END
				AS lo, coalesce(max(f.least) FILTER (WHERE f.side > 0), 0) AS hi
			FROM found f GROUP BY f.place, f.what
		)
		SELECT CASE l.what WHEN 'rows' THEN 'rows of an owner in a group' WHEN 'groups' THEN 'groups of an owner'
			WHEN 'sum' THEN format('sum of an owner in a group: %s', contributions->(l.place - 1)->>'label')
			ELSE format('values: %s', contributions->(l.place - 1)->>'label') END, trim_scale(l.lo), trim_scale(l.hi),
			privacct._declaration(l.what, contributions->(l.place - 1), trim_scale(l.lo), trim_scale(l.hi))
		FROM limits l ORDER BY l.place, l.what DESC
	LOOP
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct._suggest_bounds(jsonb, double precision, numeric) IS 'internal: worker of suggest_bounds';

-- The query is read with the names that its caller sees, so the search path is that of the session.
CREATE OR REPLACE FUNCTION privacct.suggest_bounds(query text, quantile float8, epsilon numeric, OUT what text,
	OUT lo numeric, OUT hi numeric, OUT declaration text) RETURNS SETOF record
LANGUAGE sql VOLATILE
BEGIN ATOMIC
	SELECT s.what, s.lo, s.hi, s.declaration FROM privacct._suggest_bounds(
		(SELECT pg_catalog.jsonb_agg(c) FROM privacct._contributions(query) c), quantile, epsilon) s;
END;
COMMENT ON FUNCTION privacct.suggest_bounds(text, double precision, numeric)
	IS 'limits that about so large a part of the owners keeps to (rows, groups, sums, values), rounded up to powers of '
	'two, found by noisy answers that spend at most epsilon; and how to declare them';

CREATE OR REPLACE FUNCTION privacct.best_sample_rate(epsilon double precision, delta double precision,
	sensitivity double precision,
	owners double precision, OUT rate double precision, OUT error double precision, OUT error_without double precision)
	RETURNS record IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_best_sample_rate';
COMMENT ON FUNCTION privacct.best_sample_rate(double precision, double precision, double precision, double precision)
	IS 'the sample rate with the least root mean square error of a total at a fixed cost, that error, and the error '
	'without sampling; the rate is 1 if sampling does not pay';

-- Bayesian measures of privacy: computations on what is given.
CREATE OR REPLACE FUNCTION privacct.ldp(channel double precision[]) RETURNS double precision
	IMMUTABLE PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_ldp';
COMMENT ON FUNCTION privacct.ldp(double precision[]) IS
	'local differential privacy of a channel Pr[output | input] (a row for each input): the least epsilon, in nats';

CREATE OR REPLACE FUNCTION privacct.realized_loss(likelihood double precision[]) RETURNS double precision
	IMMUTABLE PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_realized_loss';
COMMENT ON FUNCTION privacct.realized_loss(double precision[])
	IS 'the most that an output gave away: ln of the largest over the least of its likelihoods Pr[seen | input]';

CREATE OR REPLACE FUNCTION privacct.mbp(channel double precision[], prior double precision[] DEFAULT NULL)
	RETURNS double precision
	IMMUTABLE PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_mbp';
COMMENT ON FUNCTION privacct.mbp(double precision[], double precision[]) IS
	'maximum Bayesian privacy of a channel (two dimensions) or of one output''s likelihoods (one): largest |ln '
		'posterior/prior|; prior: uniform if null';

CREATE OR REPLACE FUNCTION privacct.abp(channel double precision[], prior double precision[] DEFAULT NULL)
	RETURNS double precision
	IMMUTABLE PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_abp';
COMMENT ON FUNCTION privacct.abp(double precision[], double precision[]) IS
	'average Bayesian privacy of a channel (its worst input) or of one output''s likelihoods: root of the '
		'Jensen-Shannon divergence of posterior and prior, in nats';

CREATE OR REPLACE FUNCTION privacct.mbp_bound(ldp double precision, least_prior double precision DEFAULT 0)
	RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_mbp_bound';
COMMENT ON FUNCTION privacct.mbp_bound(double precision, double precision) IS
	'largest maximum Bayesian privacy of an ldp-LDP channel, for any prior whose least mass is the given one (0: any '
		'prior)';

CREATE OR REPLACE FUNCTION privacct.ldp_bound(mbp double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_ldp_bound';
COMMENT ON FUNCTION privacct.ldp_bound(double precision) IS
	'largest LDP epsilon of a channel with the given maximum Bayesian privacy under a prior of full support';

CREATE OR REPLACE FUNCTION privacct.ldp_bound(mbp double precision, prior double precision[]) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_ldp_bound_of_prior';
COMMENT ON FUNCTION privacct.ldp_bound(double precision, double precision[]) IS
	'largest LDP epsilon of a channel with the given maximum Bayesian privacy under this prior, which is above 0 for '
		'every input';

CREATE OR REPLACE FUNCTION privacct.abp_bound(mbp double precision, prior_error double precision DEFAULT 0,
	OUT bound double precision, OUT printed double precision) RETURNS record
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_abp_bound';
COMMENT ON FUNCTION privacct.abp_bound(double precision, double precision) IS
	'largest average Bayesian privacy for a maximum Bayesian privacy and an error of the attacker''s prior (0: it is '
		'the true one): bound, and as printed in the paper';

CREATE OR REPLACE FUNCTION privacct.posterior(channel double precision[], prior double precision[] DEFAULT NULL)
	RETURNS double precision[]
	IMMUTABLE PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_posterior';
COMMENT ON FUNCTION privacct.posterior(double precision[], double precision[]) IS
	'what an adversary believes afterwards: of a channel Pr[input | output] with a row for each output (null where it '
		'cannot be seen), of one output''s likelihoods a number for each input; prior: uniform if null';

CREATE OR REPLACE FUNCTION privacct.map_attack(channel double precision[], prior double precision[] DEFAULT NULL,
	gain double precision[] DEFAULT NULL, OUT output int, OUT probability double precision, OUT guess int,
	OUT success double precision) RETURNS SETOF record
	IMMUTABLE PARALLEL SAFE ROWS 10 LANGUAGE C AS 'MODULE_PATHNAME', 'pa_map_attack';
COMMENT ON FUNCTION privacct.map_attack(double precision[], double precision[], double precision[]) IS
	'the best guess of the input for each output that can be seen, and how likely it is right; with a gain (a row for '
		'each guess, a number for each input) the guess of the largest mean gain, and that gain';

CREATE OR REPLACE FUNCTION privacct.g_leakage(channel double precision[], prior double precision[] DEFAULT NULL,
	gain double precision[] DEFAULT NULL, OUT before double precision, OUT after double precision,
	OUT leakage double precision, OUT most double precision) RETURNS record
	IMMUTABLE PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_g_leakage';
COMMENT ON FUNCTION privacct.g_leakage(double precision[], double precision[], double precision[]) IS
	'the mean gain of the best guess without and with the output of a channel, or with one output that was seen; '
		'leakage: ln after/before; most: the largest that it is for any prior and gain';

CREATE OR REPLACE FUNCTION privacct.pac_robustness(epsilon double precision, beta double precision,
	OUT gamma double precision, OUT printed double precision) RETURNS record
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_pac_robustness';
COMMENT ON FUNCTION privacct.pac_robustness(double precision, double precision) IS
	'PAC robustness: an epsilon-MBP estimate that misses with probability at most beta misses on a changed input with '
		'at most gamma; printed is the paper''s bound, which holds for epsilon up to 0.6282';

CREATE OR REPLACE FUNCTION privacct.pac_accuracy(epsilon double precision, owners bigint, alpha double precision,
	lo double precision DEFAULT 0, hi double precision DEFAULT 1,
	OUT beta double precision, OUT gamma double precision, OUT printed double precision) RETURNS record
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_pac_accuracy';
COMMENT ON FUNCTION privacct.pac_accuracy(double precision, bigint, double precision, double precision,
	double precision) IS
	'PAC accuracy and robustness of ldp_avg by one bit with that many owners: it is off by alpha or more with a '
	'probability of at most beta, and of at most gamma if one owner''s value is another; printed: the papers'' (1 + 4 '
	'epsilon) beta';

CREATE OR REPLACE FUNCTION privacct.pac_alpha(epsilon double precision, owners bigint, beta double precision,
	lo double precision DEFAULT 0, hi double precision DEFAULT 1) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_pac_alpha';
COMMENT ON FUNCTION privacct.pac_alpha(double precision, bigint, double precision, double precision,
	double precision) IS
	'the least alpha by which ldp_avg by one bit with that many owners is off with a probability of at most beta';

CREATE OR REPLACE FUNCTION privacct.pac_owners(epsilon double precision, alpha double precision, beta double precision,
	lo double precision DEFAULT 0, hi double precision DEFAULT 1) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_pac_owners';
COMMENT ON FUNCTION privacct.pac_owners(double precision, double precision, double precision, double precision,
	double precision) IS
	'how many owners an ldp_avg by one bit needs to be off by alpha or more with a probability of at most beta';

CREATE OR REPLACE FUNCTION privacct.pac_forms(epsilon double precision, owners bigint, alpha double precision,
	lo double precision DEFAULT 0, hi double precision DEFAULT 1, least_prior double precision DEFAULT 0,
	OUT measure text, OUT epsilon_of double precision, OUT beta double precision, OUT alpha_of double precision)
	RETURNS SETOF record
	IMMUTABLE STRICT PARALLEL SAFE ROWS 3 LANGUAGE C AS 'MODULE_PATHNAME', 'pa_pac_forms';
COMMENT ON FUNCTION privacct.pac_forms(double precision, bigint, double precision, double precision, double precision,
	double precision) IS
	'ldp_avg by one bit as (epsilon, beta, alpha)-LDP, -MBP and -ABP: private to that epsilon, and off by alpha or '
		'more with a probability of at most beta; least_prior: of the prior of the Bayesian measures';

CREATE OR REPLACE FUNCTION privacct.pac_private(alpha double precision, gamma double precision,
	epsilon double precision, beta double precision DEFAULT 0.05, OUT scale double precision,
	OUT delta double precision, OUT private_alpha double precision, OUT private_gamma double precision) RETURNS record
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_pac_private_of';
COMMENT ON FUNCTION privacct.pac_private(double precision, double precision, double precision, double precision) IS
	'from PAC robustness to privacy: an estimate that is alpha-PAC-robust with probability 1 - gamma is (epsilon, '
		'delta)-LDP with Laplace noise of the scale, and then private_alpha-PAC-robust with probability 1 - '
		'private_gamma, of which beta is the noise''s';

CREATE OR REPLACE FUNCTION privacct.pac_share(epsilon double precision, owners bigint, beta double precision,
	ratio double precision, dimensions int DEFAULT 1) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_pac_share_of';
COMMENT ON FUNCTION privacct.pac_share(double precision, bigint, double precision, double precision, integer) IS
	'the least share of owners whose values an estimate has to bear being changed so that it can be made epsilon-DP, '
		'in a ball whose radius is ratio times the accuracy that this costs; above 1: it cannot be';

-- Pufferfish on finite models: computations on what is given.
CREATE OR REPLACE FUNCTION privacct.check_composable(mechanisms double precision[], secrets int[],
	prior double precision[] DEFAULT NULL, pairs int[] DEFAULT NULL, OUT first_secret int, OUT second_secret int,
	OUT necessary double precision, OUT sufficient double precision, OUT verdict text) RETURNS SETOF record
	IMMUTABLE PARALLEL SAFE ROWS 10 LANGUAGE C AS 'MODULE_PATHNAME', 'pa_check_composable';
COMMENT ON FUNCTION privacct.check_composable(double precision[], int[], double precision[], int[]) IS
	'whether runs of mechanisms Pr[output | data set] compose linearly, for each ordered pair of secrets: necessary is '
		'an epsilon per run below which they cannot, sufficient one with which any number of runs does (Infinity: none '
		'found)';

CREATE OR REPLACE FUNCTION privacct.pufferfish_leakage(mechanism double precision[], secrets int[],
	prior double precision[],
	runs int DEFAULT 1, pairs int[] DEFAULT NULL) RETURNS double precision
	IMMUTABLE PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_pufferfish_leakage';
COMMENT ON FUNCTION privacct.pufferfish_leakage(double precision[], integer[], double precision[], integer, integer[])
	IS 'what that many runs of a mechanism Pr[output | data set] give away together, exactly: the largest ln '
	'Pr[outputs | one secret]/Pr[outputs | another], over outputs, pairs of secrets and priors';

-- The response function of logistic regression; it may be applied to protected rows.
CREATE OR REPLACE FUNCTION privacct.logistic(x double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_logistic';
COMMENT ON FUNCTION privacct.logistic(double precision) IS
	'1/(1 + e^-x), without an error for any x; allowed in expressions over protected rows';
