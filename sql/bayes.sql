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
	'privacct.mbp_bound(''Infinity'')', 'privacct.mbp_bound(NULL)']) q;
DROP SCHEMA bay CASCADE;
