-- Pages about budgets: to whom they show what, and that what others chose is text and nothing else.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
\pset format unaligned
\pset footer off
CREATE ROLE regress_pa_warden;
GRANT privacct_admin TO regress_pa_warden;
CREATE ROLE "regress_pa_<b>&'""";
CREATE ROLE regress_pa_other;
CREATE SCHEMA rep;
GRANT USAGE ON SCHEMA rep TO PUBLIC;
CREATE TABLE rep."<script>alert(1)</script>" (owner_id int NOT NULL, secret int);
INSERT INTO rep."<script>alert(1)</script>" SELECT i, 987654321 FROM generate_series(1, 5) i;
CREATE TABLE rep.rhos (owner_id int NOT NULL);
CREATE TABLE rep.foreign_one (owner_id int NOT NULL);
ALTER TABLE rep."<script>alert(1)</script>" OWNER TO regress_pa_warden;
ALTER TABLE rep.rhos OWNER TO regress_pa_warden;
SELECT privacct.protect('rep."<script>alert(1)</script>"', 'owner_id', epsilon => 4, delta => 1e-6, fresh => true) > 0 AS ok,
	   privacct.protect('rep.rhos', 'owner_id', epsilon => 3, delta => 1e-6, accountant => 'zcdp', fresh => true) > 0 AS ok,
	   privacct.protect('rep.foreign_one', 'owner_id', epsilon => 7, fresh => true) > 0 AS ok;
SELECT privacct.grant_budget('rep."<script>alert(1)</script>"', 'regress_pa_<b>&''"', 2, 1e-7), privacct.grant_budget('rep."<script>alert(1)</script>"', 'regress_pa_other', 3),
	   privacct.grant_budget('rep.rhos', 'regress_pa_other', 2, 1e-7), privacct.grant_budget('rep.foreign_one', 'regress_pa_other', 7);

-- charges as the ledger writes them
CREATE FUNCTION public.pa_charge(target regclass, asker text, days int, e numeric, d numeric, r numeric, statistic text) RETURNS void LANGUAGE sql SET privacct.write_books = on AS $$
	INSERT INTO privacct.ledger_line (policy_id, charged_at, role, epsilon, delta, rho, detail)
	SELECT policy_id, now() - days * interval '1 day', asker, e, d, r,
		jsonb_build_object('statistics', jsonb_build_array(jsonb_build_object('statistic', statistic, 'kernel', 'laplace', 'scale', 10, 'epsilon', e)))
	FROM privacct.policy WHERE relation = target AND closed_at IS NULL;
	UPDATE privacct.account a SET epsilon = a.epsilon + e, delta = a.delta + d, rho = a.rho + r, releases = releases + 1
	FROM privacct.policy p WHERE p.relation = target AND p.closed_at IS NULL AND a.policy_id = p.policy_id AND a.role::text IN ('-', quote_ident(asker))
$$;
SET client_min_messages = error;
SELECT count(*) FROM (SELECT pa_charge('rep."<script>alert(1)</script>"', 'regress_pa_<b>&''"', 0, 0.25, 1e-9, 0.01, 'count(*)') FROM generate_series(1, 4)) c;
SELECT pa_charge('rep."<script>alert(1)</script>"', 'regress_pa_other', 3, 1, 0, 0.1, 'sum("</code><img src=x onerror=alert(2)>")');
SELECT pa_charge('rep."<script>alert(1)</script>"', 'regress_pa_other', 40, 1, 0, 0.1, 'max(question_of_another)');
SELECT pa_charge('rep.rhos', 'regress_pa_other', 1, 0.5, 0, 0.01, 'count(DISTINCT of_rhos)');
SELECT pa_charge('rep.foreign_one', 'regress_pa_other', 1, 0.5, 0, 0.01, 'avg(of_foreign_one)');
RESET client_min_messages;

-- text
SELECT privacct._html('<a href="x">''&' || chr(7) || '</a>') AS escaped, privacct._html_name(repeat('n', 71)) AS cut;
SELECT n, privacct._figure(n) FROM unnest(ARRAY[NULL, 0, 0.1, 2.999999995, 12345.6, 1e-7, 0.00035, 999.6, 0.0009999, 2e18, 'Infinity', -0.25]::numeric[]) n;
SELECT n, privacct._percent(n) FROM unnest(ARRAY[NULL, 0, 0.0004, 0.034, 0.5, 0.999, 1]::numeric[]) n;
SELECT n, trim_scale(privacct._round_up(n)) AS _round_up FROM unnest(ARRAY[0.00011, 0.9, 1, 3, 5.1, 99, 100, 101]::numeric[]) n;
SELECT d, regexp_replace(privacct._lasts(d), '\d{4}-\d\d-\d\d', 'DATE') AS lasts FROM unnest(ARRAY[NULL, 0, 0.3, 1, 13, 40, 400, 4000]::numeric[]) d;
SELECT privacct._bar(-1), privacct._bar(2);
-- labels do not cover each other, and stay in the picture
SELECT regexp_matches(privacct._line_labels('{a,b,c,<d>}', '{20,20,228,230}', 830, 232), 'y="([\d.]+)">([^<]*)', 'g');
-- an axis has at most seven dates, the last among them
SELECT d, (SELECT count(*) FROM regexp_matches(a, '<text', 'g')) AS dates, a ~ to_char(current_date, 'DD Mon') AS has_last
FROM unnest('{1,2,7,8,30,366}'::int[]) d CROSS JOIN LATERAL privacct._date_axis(ARRAY(SELECT current_date - d + g FROM generate_series(1, d) g), 0, 1, 0) a;

-- the median noise is that of lines, one by one, whichever of them share a description, are described by none, or say nothing of errors
BEGIN;
SET LOCAL client_min_messages = error;
SET LOCAL privacct.write_books = on;
INSERT INTO privacct.ledger_line (policy_id, charged_at, role, epsilon, delta, rho, detail, detail_of)
SELECT p.policy_id, now() - i * interval '1 hour', 'regress_pa_other', 0.5, 0, 0.01,
	CASE WHEN i % 3 = 0 THEN jsonb_build_object('statistics', jsonb_build_array(jsonb_build_object('statistic', 'count(*)', 'kernel', CASE WHEN i % 12 = 0 THEN 'cauchy' ELSE 'laplace' END, 'scale', i % 7, 'epsilon', i % 5 / 8.0),
		jsonb_build_object('statistic', 'sum(' || i % 2 || ')', 'kernel', 'gaussian', 'scale', i % 4, 'epsilon', CASE WHEN i % 4 > 0 THEN i % 11 / 8.0 END, 'within', CASE WHEN i % 6 = 0 THEN 3 END, 'acceptance', 0.9))) END,
	CASE i % 3 WHEN 1 THEN (SELECT l.charge_id + (i * i) % 10 FROM privacct.ledger_line l WHERE l.policy_id = p.policy_id ORDER BY 1 DESC LIMIT 1) WHEN 2 THEN -1 END
FROM privacct.policy p CROSS JOIN generate_series(1, 64) i WHERE p.closed_at IS NULL ORDER BY p.policy_id, i;
CREATE TEMP VIEW by_lines AS
SELECT p.policy_id, coalesce(p.name, p.relation_name) AS budget, n.statistic, n.kernel, count(*) AS releases, percentile_disc(0.5) WITHIN GROUP (ORDER BY n.epsilon) AS epsilon,
	percentile_disc(0.5) WITHIN GROUP (ORDER BY n.error) AS error, percentile_disc(0.5) WITHIN GROUP (ORDER BY n.confidence) AS confidence, max(l.charged_at) AS last_charged_at
FROM (SELECT q.* FROM privacct.policy q WHERE q.closed_at IS NULL OFFSET 0) p
CROSS JOIN LATERAL (SELECT g.charged_at, coalesce(d.detail, g.detail) AS detail
	FROM (SELECT e.* FROM privacct.ledger_line e WHERE e.policy_id = p.policy_id ORDER BY e.charge_id DESC LIMIT 50) g LEFT JOIN privacct.ledger_line d ON d.charge_id = g.detail_of) l
CROSS JOIN LATERAL privacct._noise_of(l.detail) n GROUP BY p.policy_id, p.name, p.relation_name, n.statistic, n.kernel;
SELECT count(*) > 5 AS kinds, count(error) < count(*) AS some_without, max(releases) > 5 AS several FROM by_lines;
(TABLE by_lines EXCEPT TABLE privacct.recent_noise) UNION ALL (TABLE privacct.recent_noise EXCEPT TABLE by_lines);
ROLLBACK;

-- views: the owner's tables, and nobody else's
SET ROLE regress_pa_warden;
SELECT budget, role, payer, epsilon, accountant FROM privacct.spending ORDER BY charge_id;
SELECT budget, payer, day = current_date AS today, charges, epsilon FROM privacct.daily_spending ORDER BY budget COLLATE "C", day, payer COLLATE "C";
SELECT budget, spent, round(cap, 4) AS cap, week_charges, round(share_spent, 4) AS share_spent, round(share_per_day, 4) AS share_per_day, round(days_left, 2) AS days_left FROM privacct.forecast ORDER BY budget COLLATE "C";
-- how far an error in per cent was refined its first line does not know
SELECT d, n.error FROM unnest('{"{\"statistics\": [{\"kernel\": \"laplace\", \"scale\": 10}]}","{\"stage\": 1, \"stages\": 7, \"statistics\": [{\"kernel\": \"laplace\", \"scale\": 10}]}"}'::jsonb[]) d, privacct._noise_of(d) n;
SELECT budget, statistic, releases, epsilon, error, confidence FROM privacct.recent_noise ORDER BY budget COLLATE "C", statistic COLLATE "C";
SELECT count(*) FROM privacct.ledger;
RESET ROLE;
SET ROLE regress_pa_other;
SELECT (SELECT count(*) FROM privacct.spending) AS spending, (SELECT count(*) FROM privacct.daily_spending) AS daily_spending,
	   (SELECT count(*) FROM privacct.forecast) AS forecast, (SELECT count(*) FROM privacct.recent_noise) AS recent_noise;
RESET ROLE;
-- what Laplace noise of scale 1 is within with probability 0.95, Gaussian noise, and what was asked for
SELECT round((1 - exp(-error))::numeric, 4) AS laplace FROM privacct._noise_of('{"statistics": [{"kernel": "laplace", "scale": 1}]}');
SELECT error, confidence FROM privacct._noise_of('{"statistics": [{"kernel": "gaussian", "scale": 1}, {"kernel": "staircase", "scale": 9, "within": 3, "acceptance": 0.7}, {"kernel": "optimal"}]}');
SELECT count(*) FROM privacct._noise_of('{}') UNION ALL SELECT count(*) FROM privacct._noise_of(NULL) UNION ALL SELECT count(*) FROM privacct._noise_of('{"statistics": "x"}');

-- which of these is on the page: own tables, roles with budgets, what was chosen to be run, rows, others' tables
CREATE FUNCTION public.pa_has(page text) RETURNS TABLE (what text, there boolean) LANGUAGE sql AS $$
	SELECT w, position(w IN page) > 0 FROM unnest('{rep.&quot;&lt;script&gt;,<script,<img,onerror=alert(2)>,regress_pa_&lt;b&gt;&amp;&#39;&quot;,regress_pa_<b>,regress_pa_other,
		rep.rhos,rep.foreign_one,987654321,question_of_another,of_rhos,of_foreign_one,http:,url(,@import}'::text[]) w
$$;
SET ROLE regress_pa_warden;
SELECT * FROM pa_has(privacct.report());
-- is well-formed, and forbids to run and to load anything
SELECT xml_is_well_formed_content(regexp_replace(regexp_replace(regexp_replace(p, '^<!DOCTYPE html>', ''), '<meta [^>]*>', '', 'g'), '&[a-z]+;', '', 'g')) AS well_formed,
	   p ~ 'Content-Security-Policy"\s+content="default-src ''none''' AS closed, p ~ '<svg class="chart"' AS has_charts FROM (SELECT privacct.report()) r(p);
SELECT * FROM pa_has(privacct.my_report()) WHERE there;
RESET ROLE;
SET ROLE "regress_pa_<b>&'""";
SELECT * FROM pa_has(privacct.my_report()) WHERE there;
SELECT * FROM pa_has(privacct.report()) WHERE there;
RESET ROLE;
SET ROLE regress_pa_other;
SELECT * FROM pa_has(privacct.my_report()) WHERE there;
RESET ROLE;
-- odd arguments, odd settings
SET ROLE regress_pa_warden;
SELECT length(privacct.report(NULL, NULL)) > 1000 AS ok, length(privacct.report(-5, -5)) > 1000 AS ok, length(privacct.report(100000, 2147483647)) > 1000 AS ok, length(privacct.my_report(0)) > 1000 AS ok;
SET datestyle = 'German'; SET quote_all_identifiers = on; SET standard_conforming_strings = off;
SELECT length(privacct.report()) > 1000 AS ok;
RESET datestyle; RESET quote_all_identifiers; RESET standard_conforming_strings;
-- many budgets, few rows
SELECT privacct.report(most => 1) ~ 'Of 2 budgets the 1 of which' AS told;
RESET ROLE;
BEGIN READ ONLY;
SELECT length(privacct.report()) > 1000 AS ok;
ROLLBACK;

SET client_min_messages = error;
SELECT privacct.unprotect('rep."<script>alert(1)</script>"'), privacct.unprotect('rep.rhos'), privacct.unprotect('rep.foreign_one');
DROP SCHEMA rep CASCADE;
DROP FUNCTION pa_charge, pa_has;
DROP OWNED BY regress_pa_warden;
DROP ROLE regress_pa_warden, regress_pa_other, "regress_pa_<b>&'""";
-- for the tests that follow
SET client_min_messages = error;
SELECT privacct.accept_books() \g /dev/null
