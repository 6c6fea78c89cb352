-- Bayesian measures of privacy as functions.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE SCHEMA bay;
SET search_path = bay, privacct;
\pset format unaligned
\pset footer off
-- randomised response at epsilon 1: LDP 1, MBP ln((1+e)/2)
CREATE VIEW response AS SELECT ARRAY[[exp(1), 1], [1, exp(1)]]::float8[] AS odds, 1 + exp(1) AS total;
CREATE FUNCTION channel(OUT c float8[]) LANGUAGE sql AS $$
	SELECT ARRAY[[odds[1][1] / total, odds[1][2] / total], [odds[2][1] / total, odds[2][2] / total]] FROM response $$;
SELECT round(ldp(c)::numeric, 9) AS ldp, round(mbp(c)::numeric, 9) AS mbp, round(ln((1 + exp(1)) / 2)::numeric, 9) AS expected,
	round(mbp(c, ARRAY[0.5, 0.5])::numeric, 9) AS uniform, round(mbp(c, ARRAY[0.1, 0.9])::numeric, 9) AS skewed, round(abp(c)::numeric, 6) AS abp
FROM channel();
-- 4 values, 3 outputs, from the test vectors
SELECT round(ldp(c)::numeric, 12) = 0.193367489123 AS ldp, round(mbp(c)::numeric, 12) = 0.128544095559 AS mbp, round(abp(c)::numeric, 12) = 0.001764534501 AS abp
FROM (SELECT '{{0.30998794158717174,0.33863750126471964,0.35137455714810856},{0.29331821645740613,0.36392677332331824,0.3427550102592756},{0.31710339406967325,0.39330106016095134,0.28959554576937535},{0.3318444319110327,0.3346014019609608,0.33355416612800654}}'::float8[] AS c) v;
-- one output that was seen; the first example of the filter's paper: three answers of yes, no, no at 0.7
SELECT round(realized_loss(ARRAY[0.7 * 0.3 * 0.3, 0.3 * 0.7 * 0.7])::numeric, 9) AS loss, round(ln(0.7 / 0.3)::numeric, 9) AS expected;
SELECT round(realized_loss(l)::numeric, 12) = 1.580049908236 AS loss, round(mbp(l, p)::numeric, 12) = 0.882796457842 AS mbp, round(abp(l, p)::numeric, 12) = 0.175524497685 AS abp
FROM (SELECT ARRAY[0.08234495810626517, 0.09785758231293068, 0.3137291290068828, 0.10194614248495482, 0.06461716314780878] AS l,
	ARRAY[0.07810221517689596, 0.3895863770933137, 0.14951516722607497, 0.36347935761538014, 0.019316882888335208] AS p) v;
SELECT realized_loss(ARRAY[0.5, 0]) AS ruled_out, realized_loss(ARRAY[0.2, 0.2]) AS nothing, mbp(ARRAY[0.5, 0]) AS mbp;
-- bounds, beside the printed ones
SELECT round(mbp_bound(1)::numeric, 9) AS any_prior, round(mbp_bound(1, 0.5)::numeric, 9) AS uniform, round(mbp_bound(0.7483718295949057, 0.3532082154142062)::numeric, 9) AS vector,
	ldp_bound(0.5) AS ldp;
SELECT round(bound::numeric, 9) AS bound, round(printed::numeric, 9) AS printed FROM abp_bound(0.7483718295949057);
SELECT e, round(gamma::numeric, 9) AS gamma, round(printed::numeric, 9) AS printed, printed >= gamma AS printed_is_larger FROM unnest('{0.1,0.6,0.7483718295949057,1}'::float8[]) e, pac_robustness(e, 0.09275301096122303);
SELECT alpha, round(beta::numeric, 9) AS beta, round(gamma::numeric, 9) AS gamma, round(printed::numeric, 9) AS printed FROM unnest('{0.01,0.05,0.1}'::float8[]) alpha, pac_accuracy(1, 10000, alpha, 0, 2);
-- what follows is attained or exceeded by no channel: random ones
SELECT count(*), bool_and(mbp(c, p) <= mbp_bound(ldp(c), least(p[1], p[2], p[3])) + 1e-12) AS mbp, bool_and(ldp(c) <= ldp_bound(mbp(c, p)) + 1e-12) AS ldp,
	bool_and(abp(c, p) <= (abp_bound(mbp(c, p))).bound + 1e-12) AS abp
FROM generate_series(1, 300) g, setseed(0.5), LATERAL (SELECT ARRAY[random() + 0.01, random() + 0.01, random() + 0.01, random() + 0.01, random() + 0.01, random() + 0.01] AS r, ARRAY[random() + 0.01, random() + 0.01, random() + 0.01] AS q OFFSET 0 * g) x,
	LATERAL (SELECT ARRAY[[r[1] / (r[1] + r[2]), r[2] / (r[1] + r[2])], [r[3] / (r[3] + r[4]), r[4] / (r[3] + r[4])], [r[5] / (r[5] + r[6]), r[6] / (r[5] + r[6])]] AS c,
		ARRAY[q[1] / (q[1] + q[2] + q[3]), q[2] / (q[1] + q[2] + q[3]), q[3] / (q[1] + q[2] + q[3])] AS p) y;
-- what a known prior adds: uniform over two values, over three, and where the attacker's prior is the true one
SELECT round(ldp_bound(0.5, ARRAY[0.5, 0.5])::numeric, 9) AS two, round(ln(2 * exp(0.5) - 1)::numeric, 9) AS expected, round(ldp_bound(0.5, ARRAY[0.4, 0.3, 0.3])::numeric, 9) AS three,
	ldp_bound(0.5, ARRAY[0.9, 0.05, 0.05]) AS any, ldp_bound(0.5, ARRAY[1.0]) AS nothing_to_tell;
SELECT e AS prior_error, round(bound::numeric, 6) AS bound, round(printed::numeric, 6) AS printed FROM unnest('{0,0.01,0.1,1,100}'::float8[]) e, abp_bound(0.5, e);
-- what is bounded so is attained or exceeded by no channel either
SELECT count(*), bool_and(ldp(c) <= ldp_bound(mbp(c, p), p) + 1e-12) AS ldp, bool_and(l.leakage <= ln(2) + 1e-12 AND l.leakage <= l.most + 1e-12 AND l.leakage <= ldp(c) + 1e-12) AS leakage
FROM generate_series(1, 300) g, setseed(0.25), LATERAL (SELECT ARRAY[random() + 0.01, random() + 0.01, random() + 0.01, random() + 0.01, random() + 0.01, random() + 0.01] AS r, ARRAY[random() + 0.01, random() + 0.01, random() + 0.01] AS q OFFSET 0 * g) x,
	LATERAL (SELECT ARRAY[[r[1] / (r[1] + r[2]), r[2] / (r[1] + r[2])], [r[3] / (r[3] + r[4]), r[4] / (r[3] + r[4])], [r[5] / (r[5] + r[6]), r[6] / (r[5] + r[6])]] AS c,
		ARRAY[q[1] / (q[1] + q[2] + q[3]), q[2] / (q[1] + q[2] + q[3]), q[3] / (q[1] + q[2] + q[3])] AS p) y, LATERAL g_leakage(c, p) l;
-- what an adversary makes of it; the third output cannot be seen
SELECT posterior(ARRAY[0.7, 0.3], ARRAY[0.5, 0.5]) AS seen, posterior('{{0.8,0.2,0},{0.25,0.75,0}}', '{0.25,0.75}') AS channel;
SELECT output, round(probability::numeric, 4) AS probability, guess, round(success::numeric, 4) AS success FROM map_attack('{{0.8,0.2,0},{0.25,0.75,0}}', '{0.25,0.75}');
SELECT * FROM map_attack(ARRAY[0.1, 0.4, 0.4]);
SELECT round(before::numeric, 4) AS before, round(after::numeric, 4) AS after, round(leakage::numeric, 6) AS leakage, round(most::numeric, 6) AS most, round(ln(0.8 + 0.75)::numeric, 6) AS expected
FROM g_leakage('{{0.8,0.2,0},{0.25,0.75,0}}', '{0.25,0.75}');
-- a wrong guess costs nothing, a right one of the first input is worth three, and one may abstain for a little
SELECT w AS output, guess, round(success::numeric, 4) AS gain FROM map_attack('{{0.8,0.2},{0.25,0.75}}', '{0.25,0.75}', '{{3,0},{0,1},{0.8,0.8}}') m(w, p, guess, success);
SELECT round(before::numeric, 4) AS before, round(after::numeric, 4) AS after, round(leakage::numeric, 6) AS leakage FROM g_leakage('{{0.8,0.2},{0.25,0.75}}', '{0.25,0.75}', '{{3,0},{0,1},{0.8,0.8}}');
SELECT round(before::numeric, 4) AS before, round(after::numeric, 4) AS after, round(leakage::numeric, 6) AS leakage, round(most::numeric, 6) AS most FROM g_leakage(ARRAY[0.8, 0.25], ARRAY[0.25, 0.75]);
-- probably approximately correct: what follows from what
SELECT round(pac_alpha(1, 10000, 0.05, 0, 2)::numeric, 9) AS alpha, (pac_accuracy(1, 10000, pac_alpha(1, 10000, 0.05, 0, 2), 0, 2)).beta <= 0.05 AS kept, pac_owners(1, 0.05, 0.05, 0, 2) AS owners,
	(pac_accuracy(1, pac_owners(1, 0.05, 0.05, 0, 2), 0.05, 0, 2)).beta <= 0.05 AS enough, (pac_accuracy(1, pac_owners(1, 0.05, 0.05, 0, 2) - 1, 0.05, 0, 2)).beta > 0.05 AS no_more;
SELECT measure, round(epsilon_of::numeric, 6) AS epsilon, round(beta::numeric, 6) AS beta, alpha_of AS alpha FROM pac_forms(1, 10000, 0.05, 0, 2, 0.5);
SELECT round(scale::numeric, 6) AS scale, delta, round(private_alpha::numeric, 6) AS alpha, round(private_gamma::numeric, 6) AS gamma FROM pac_private(0.1, 0.001, 2);
SELECT round(pac_share(1, 10000, 0.05, 100)::numeric, 6) AS one, round((2 * (ln(101) + ln(40)) / 10000)::numeric, 6) AS expected, round(pac_share(0.1, 100, 0.05, 100, 3)::numeric, 3) AS too_few;
-- the logistic function has a value for every number
SELECT x, round(logistic(x)::numeric, 9) AS share, round((logistic(x) + logistic(-x))::numeric, 9) AS both FROM unnest('{0,1,-2.5,800,-800,1e308,Infinity,-Infinity,NaN,NULL}'::float8[]) x;
-- bad input
CREATE FUNCTION try(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
	answer text;
BEGIN
	EXECUTE 'SELECT (' || query || ')::text' INTO answer;
	RETURN answer;
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	RETURN concat_ws(' - ', SQLSTATE || ': ' || SQLERRM, nullif(detail, ''));
END
$$;
SELECT q, try(q) FROM unnest(ARRAY['privacct.ldp(NULL)', 'privacct.ldp(''{}'')', 'privacct.ldp(''{0.5,0.5}'')', 'privacct.ldp(''{{0.5,0.6}}'')', 'privacct.ldp(''{{0.5,0.5},{NULL,1}}'')',
	'privacct.ldp(''{{-0.5,1.5}}'')', 'privacct.ldp(''{{NaN,1}}'')', 'privacct.mbp(''{{0.5,0.5},{1,0}}'', ''{1}'')', 'privacct.mbp(''{{0.5,0.5},{1,0}}'', ''{0.3,0.3}'')', 'privacct.mbp(''{{{0.5}}}'')',
	'privacct.realized_loss(''{0,0}'')', 'privacct.realized_loss(''{2,1}'')', 'privacct.realized_loss(''{NaN,1}'')', 'privacct.abp(''{0.5,1}'', ''{0.5,0.5,0}'')',
	'privacct.mbp_bound(-1)', 'privacct.mbp_bound(1, 0.7)', 'privacct.ldp_bound(''NaN'')', 'privacct.abp_bound(-1)', 'privacct.abp_bound(1, -1)', 'privacct.pac_robustness(1, 2)', 'privacct.pac_robustness(-1, 0.5)', 'privacct.pac_accuracy(1, 0, 1)', 'privacct.pac_accuracy(1, 1, 0)', 'privacct.pac_accuracy(0, 1, 1)',
	'privacct.mbp_bound(''Infinity'')', 'privacct.mbp_bound(NULL)',
	'privacct.ldp_bound(1, ''{0.5,0.5,0}'')', 'privacct.ldp_bound(1, ''{0.5,0.6}'')', 'privacct.ldp_bound(-1, ''{1}'')', 'privacct.ldp_bound(-1, ''{0.5,0.5}'')', 'privacct.ldp_bound(1, ''{{1}}'')',
	'privacct.posterior(NULL)', 'privacct.posterior(''{{0.5,0.6}}'')', 'privacct.posterior(''{1,1}'', ''{0,0}'')', 'privacct.posterior(''{0,1}'', ''{1,0}'')',
	'privacct.g_leakage(''{{1,0},{0,1}}'', NULL, ''{{1}}'')', 'privacct.g_leakage(''{{1,0},{0,1}}'', NULL, ''{{1,-1}}'')', 'privacct.g_leakage(''{1,0.5}'', NULL, ''{{1,NULL}}'')', 'privacct.g_leakage(''{1,0.5}'', NULL, ''{{Infinity,1}}'')',
	'privacct.g_leakage(''{1,0.5}'', NULL, ''{1,1}'')', 'privacct.pac_alpha(1, 0, 0.5)', 'privacct.pac_alpha(1, 1, 0)', 'privacct.pac_owners(1, 0, 0.5)', 'privacct.pac_owners(1, 1e-12, 0.5)', 'privacct.pac_owners(0, 1, 0.5)',
	'privacct.pac_private(1, 1, 1)', 'privacct.pac_private(1, 0, 1, 0)', 'privacct.pac_share(1, 0, 0.5, 1)', 'privacct.pac_share(1, 1, 0.5, 1, 0)', '(SELECT count(*) FROM privacct.pac_forms(1, 10, -1))']) q;
DROP SCHEMA bay CASCADE;
