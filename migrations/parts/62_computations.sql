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

-- Who looks how many can answer need not wait for measures of each history.
CREATE OR REPLACE FUNCTION privacct.owners_left(relation regclass, epsilon float8) RETURNS bigint
	AS 'MODULE_PATHNAME', 'pa_owners_left' LANGUAGE C STABLE STRICT;
COMMENT ON FUNCTION privacct.owners_left(regclass, double precision)
	IS 'local regime: how many of the owners who were asked before are certain to bear a question of that epsilon';

CREATE OR REPLACE FUNCTION privacct._partial_state() RETURNS bytea
	IMMUTABLE PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
COMMENT ON FUNCTION privacct._partial_state() IS
	'internal: stands for what the processes of a parallel release send to each other';

CREATE OR REPLACE FUNCTION privacct.intervals(charge_id bigint DEFAULT NULL, OUT charge bigint, OUT keys text[],
	OUT aggregate text, OUT value double precision, OUT low double precision, OUT high double precision,
	OUT confidence double precision, OUT acceptance double precision, OUT standard_error double precision,
	OUT answered bigint, OUT asked bigint) RETURNS SETOF record
	VOLATILE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_intervals';
COMMENT ON FUNCTION privacct.intervals(bigint)
	IS 'confidence intervals of what was released to this session under a charge (by default the last one); '
	'acceptance: the probability with which noise stays within the error bound; answered, of asked: the owners who '
	'answered, or, for a central release on a local table, the owners asked before who were in it';

CREATE OR REPLACE FUNCTION privacct.preview(query text, owners float8 DEFAULT NULL, OUT release int, OUT statistic text,
	OUT kernel text, OUT used boolean,
	OUT scale double precision, OUT q double precision, OUT sensitivity double precision, OUT groups_per_owner int,
	OUT within double precision, OUT acceptance double precision, OUT error_95 double precision,
	OUT total_error_95 double precision, OUT epsilon numeric, OUT delta numeric, OUT rho numeric,
	OUT releases_left bigint, OUT owners_able bigint, OUT owners_known bigint, OUT newcomers boolean)
	RETURNS SETOF record
	VOLATILE PARALLEL UNSAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_preview';
COMMENT ON FUNCTION privacct.preview(text, double precision)
	IS 'what a query would cost and how far its answers would be from the truth, with the noise that it would get '
	'(used) and with each other kind at the same cost; owners: how many may contribute, for the error of a sample; '
	'local regime: how many of the owners who were asked before (owners_known) can bear it (owners_able), and whether '
	'those who were never asked can (newcomers); executes and charges nothing';

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

CREATE OR REPLACE FUNCTION privacct.abp_bound(mbp double precision, prior_error double precision DEFAULT 0,
	OUT bound double precision, OUT printed double precision) RETURNS record
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_abp_bound';
COMMENT ON FUNCTION privacct.abp_bound(double precision, double precision) IS
	'largest average Bayesian privacy for a maximum Bayesian privacy and an error of the attacker''s prior: tight, and '
		'as printed in the paper';

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
