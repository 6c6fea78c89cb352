-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Pages about budgets.  They are made with the rights of whoever calls them, of views that show each role what is
-- its own, and of nothing else: no row of a protected table is read for them.
--

-- The days that a page shows are a year's at most, whatever is asked for.
CREATE OR REPLACE FUNCTION privacct._last_days(days int) RETURNS SETOF date
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT current_date - n FROM generate_series(least(days, 366) - 1, 0, -1) n
$$;
COMMENT ON FUNCTION privacct._last_days(int) IS 'today and the days before it, as many as that and at most 366';

CREATE OR REPLACE FUNCTION privacct._report_tiles(state privacct.forecast[], paid privacct.daily_spending[],
	wrong privacct.discrepancy[], days int) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT '<div class="tiles">'
		|| privacct._tile(cardinality(state)::text, CASE cardinality(state) WHEN 1 THEN 'budget' ELSE 'budgets' END)
		|| privacct._tile((SELECT count(DISTINCT b.role) FROM privacct.budget b)::text, 'roles that may ask')
		|| privacct._tile(privacct._figure((SELECT coalesce(sum(p.charges), 0) FROM unnest(paid) p)),
			format('releases in %s days', days))
		|| privacct._tile(privacct._percent(max(f.share_spent)), 'of the most used budget is spent')
		|| privacct._tile(coalesce('<span class="bad">' || nullif(count(*) FILTER (WHERE f.days_left < 14), 0)
			|| '</span>', 'none'), 'will be spent within 14 days')
		|| privacct._tile(coalesce('<span class="bad">' || nullif(cardinality(wrong), 0) || '</span>', 'none'),
			'discrepancies in the books') || '</div>'
	FROM unnest(state) f
$$;
COMMENT ON FUNCTION privacct._report_tiles(privacct.forecast[], privacct.daily_spending[], privacct.discrepancy[], int)
	IS 'the numbers that come first on the page';

CREATE OR REPLACE FUNCTION privacct._report_budgets(state privacct.forecast[], most int) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT privacct._section('What is left',
		'One promise to each person, or owner of rows, in each line: how much may be learned about them in all, and '
		'how much of that answers have used up. The last column goes by the pace of the last 7 days.'
		|| CASE WHEN cardinality(state) > most THEN format(' Of %s budgets the %s of which most is spent are listed.',
			cardinality(state), most) ELSE '' END,
		privacct._table('{Budget,Regime,#Promise &epsilon;,Spent,#,#Left &epsilon;,#Last 7 days,Lasts}',
			string_agg(privacct._row(ARRAY[
				privacct._html_name(f.budget) || coalesce('<small>unit of '
					|| (SELECT string_agg(privacct._html_name(t), ', ') FROM unnest(f.tables[:6]) t)
					|| CASE WHEN cardinality(f.tables) > 6 THEN format(' and %s more', cardinality(f.tables) - 6)
						ELSE '' END || '</small>', ''),
				f.regime || '<small>' || f.accountant || '</small>',
				privacct._figure(f.epsilon) || CASE WHEN f.delta > 0
					THEN '<small>&delta; ' || privacct._figure(f.delta) || '</small>' ELSE '' END,
				privacct._bar(f.share_spent), privacct._percent(f.share_spent)
					|| CASE WHEN privacct._currency(f.accountant) = 'rho' THEN '<small>of &rho;</small>' ELSE '' END,
				privacct._figure(f.epsilon_left),
				CASE f.week_charges WHEN 0 THEN 'no release' WHEN 1 THEN '1 release'
					ELSE privacct._figure(f.week_charges) || ' releases' END || CASE WHEN f.share_per_day > 0
					THEN '<small>' || privacct._percent(f.share_per_day) || ' a day</small>' ELSE '' END,
				privacct._lasts(f.days_left)], '{3,5,6,7}'), '' ORDER BY n)))
	FROM unnest(state[:most]) WITH ORDINALITY f(policy_id, budget, tables, regime, accountant, epsilon, delta,
		epsilon_spent, epsilon_left, delta_spent, cap_delta, spent, cap, releases, week_charges, share_spent,
		share_per_day, days_left, n)
$$;
COMMENT ON FUNCTION privacct._report_budgets(privacct.forecast[], int) IS 'the section with all budgets';

-- Backwards from what is spent now: that includes what was carried over, and lines that were folded.
CREATE OR REPLACE FUNCTION privacct._report_curves(state privacct.forecast[], paid privacct.daily_spending[], days int)
	RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	WITH day AS (SELECT g.day FROM privacct._last_days(days) g(day)),
	shown AS (SELECT f.*, row_number() OVER (ORDER BY f.share_spent DESC, f.policy_id) AS n FROM unnest(state) f
		WHERE f.share_per_day IS NOT NULL AND f.share_spent > 0 ORDER BY n LIMIT 6),
	daily AS (SELECT p.policy_id, p.day, sum(p.epsilon) AS epsilon, sum(p.rho) AS rho, sum(p.delta) AS delta
		FROM unnest(paid) p GROUP BY p.policy_id, p.day),
	later AS (SELECT s.n, d.day,
			coalesce(sum(CASE privacct._currency(s.accountant) WHEN 'rho' THEN p.rho ELSE p.epsilon END) OVER w, 0)
				AS paid,
			coalesce(sum(p.delta) OVER w, 0) AS delta
		FROM shown s CROSS JOIN day d LEFT JOIN daily p ON p.policy_id = s.policy_id AND p.day = d.day
		WINDOW w AS (PARTITION BY s.n ORDER BY d.day ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING)),
	line AS (SELECT s.n, s.budget, jsonb_agg(round(greatest((s.spent - l.paid) / s.cap,
			(s.delta_spent - l.delta) / nullif(s.cap_delta, 0)), 4) ORDER BY l.day) AS points
		FROM shown s JOIN later l ON l.n = s.n GROUP BY s.n, s.budget)
	SELECT privacct._section('Budgets over time', format('The share of each promise that was spent at the end of each '
		'of '
		'the last %s days%s.', days, CASE WHEN count(*) = 6 THEN ', of the six budgets of which most is spent' ELSE
			'' END),
		privacct._line_chart(ARRAY(SELECT d.day FROM day d ORDER BY d.day), array_agg(l.budget ORDER BY l.n),
			jsonb_agg(l.points ORDER BY l.n), 'share of budgets that was spent, day by day'))
	FROM line l HAVING count(*) > 0
$$;
COMMENT ON FUNCTION privacct._report_curves(privacct.forecast[], privacct.daily_spending[], int)
	IS 'the section with what was spent when';

CREATE OR REPLACE FUNCTION privacct._report_activity(paid privacct.daily_spending[], days int) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT privacct._section('Releases', 'Answers that were paid for, on each day, from all budgets together.',
		privacct._column_chart(array_agg(d.day ORDER BY d.day), array_agg(d.charges ORDER BY d.day),
			'releases on each day'))
	FROM (SELECT g.day, coalesce(p.charges, 0) FROM privacct._last_days(days) g(day)
		LEFT JOIN (SELECT u.day, sum(u.charges) AS charges FROM unnest(paid) u GROUP BY u.day) p
			ON p.day = g.day) d(day, charges)
	HAVING sum(d.charges) > 0
$$;
COMMENT ON FUNCTION privacct._report_activity(privacct.daily_spending[], int) IS 'the section with releases on each '
	'day';

CREATE OR REPLACE FUNCTION privacct._report_roles(paid privacct.daily_spending[], days int, most int) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	WITH granted AS (
		SELECT pg_get_userbyid(b.role::oid)::text AS role, coalesce(b.unit, b.relation_name) AS budget, b.epsilon,
			b.epsilon_spent, b.epsilon_left,
			b.releases, coalesce(b.rho_spent / nullif(b.cap_rho, 0), b.epsilon_spent / b.epsilon) AS share, w.charges,
			w.epsilon AS lately
		FROM privacct.budget b
		LEFT JOIN (SELECT p.policy_id, p.payer, sum(p.charges) AS charges, sum(p.epsilon) AS epsilon FROM unnest(paid) p
			GROUP BY p.policy_id, p.payer) w ON w.policy_id = b.policy_id AND w.payer = pg_get_userbyid(b.role::oid)
		ORDER BY w.epsilon DESC NULLS LAST, b.releases DESC, 1, b.policy_id),
	listed AS (SELECT g.*, row_number() OVER () AS n FROM granted g LIMIT most)
	SELECT privacct._section('Who spent what', format('The budget of each role, and what it spent in the last %s days. '
		'Together, roles cannot spend more than the promise, whatever they were granted.%s', days,
		CASE WHEN (SELECT count(*) FROM granted) > most THEN format(' Of %s the %s that spent most are listed.',
			(SELECT count(*) FROM granted), most) ELSE '' END),
		privacct._table(ARRAY['Role', 'Budget', '#Granted &epsilon;', 'Spent', '#', '#Left &epsilon;', '#Releases',
			format('#Last %s days', days)],
			string_agg(privacct._row(ARRAY[privacct._html_name(l.role), privacct._html_name(l.budget),
				privacct._figure(l.epsilon),
				CASE WHEN l.share IS NULL THEN '<small>by plan</small>' ELSE privacct._bar(l.share) END,
				privacct._percent(l.share), privacct._figure(l.epsilon_left), privacct._figure(l.releases),
				CASE WHEN l.charges > 0 THEN format('%s<small>&epsilon; %s</small>', privacct._figure(l.charges),
					privacct._figure(l.lately)) ELSE '0' END], '{3,5,6,7,8}'), '' ORDER BY l.n)))
	FROM listed l
$$;
COMMENT ON FUNCTION privacct._report_roles(privacct.daily_spending[], int, int) IS 'the section with what roles spent';

CREATE OR REPLACE FUNCTION privacct._noise_row(budget text, statistic text, releases bigint, epsilon float8, kernel
	text,
	error float8, confidence float8) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT privacct._row(ARRAY[privacct._html_name(budget), '<code>' || privacct._html_name(statistic) || '</code>',
		privacct._figure(releases), privacct._figure(epsilon::numeric), privacct._html(kernel),
		'&plusmn;&#8239;' || privacct._figure(error::numeric), privacct._percent(confidence::numeric)], '{3,4,6,7}')
$$;
COMMENT ON FUNCTION privacct._noise_row(text, text, bigint, double precision, text, double precision, double precision)
	IS 'the noise of a statistic as a row of a table';

CREATE OR REPLACE FUNCTION privacct._report_noise(most int) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT privacct._section('Errors of typical queries', 'How far the noise moves what was asked for most, of the '
		'last '
		'50 releases of each budget: the median. An average is a noisy sum by a noisy count.',
		privacct._table('{Budget,Statistic,#Releases,#&epsilon; each,Noise,#Error at most,#with probability}',
			string_agg(privacct._noise_row(CASE r.rank WHEN 1 THEN r.budget END, r.statistic, r.releases, r.epsilon,
				r.kernel,
				r.error, r.confidence), '' ORDER BY r.budget, r.policy_id, r.rank)))
	FROM (SELECT n.*, row_number() OVER (PARTITION BY n.policy_id ORDER BY n.releases DESC, n.statistic, n.kernel) AS
		rank
		FROM privacct.recent_noise n WHERE n.error IS NOT NULL
		ORDER BY rank, n.releases DESC, n.budget, n.statistic, n.kernel LIMIT least(most, 40)) r
	WHERE r.rank <= 4
$$;
COMMENT ON FUNCTION privacct._report_noise(int) IS 'the section with the errors of what is asked most';

CREATE OR REPLACE FUNCTION privacct._report_plans(most int) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT privacct._section('Plans', 'Releases that were fixed in advance, and how many of them have been made.',
		privacct._table('{Budget,#Slot,Role,Noise,#Planned,Used,#,#Left}',
			string_agg(privacct._row(ARRAY[privacct._html_name(s.budget), s.slot::text,
				CASE WHEN s.role IS NULL THEN 'any' ELSE privacct._html_name(s.role) END, s.kernel,
				privacct._figure(s.releases), privacct._bar(s.used::numeric / s.releases),
				privacct._percent(s.used::numeric / s.releases), privacct._figure(s."left")], '{2,5,7,8}'), ''
				ORDER BY s.budget, s.slot)))
	FROM (SELECT coalesce(p.unit, p.relation::regclass::text) AS budget, p.slot,
		CASE WHEN p.role IS NOT NULL THEN pg_get_userbyid(p.role::oid)::text END AS role, p.kernel, p.releases,
		p.used, p."left" FROM privacct.plan p ORDER BY 1, 2 LIMIT most) s
$$;
COMMENT ON FUNCTION privacct._report_plans(int) IS 'the section with plans';

CREATE OR REPLACE FUNCTION privacct._report_local(most int) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT privacct._section('Local regime', 'Each owner answers for itself, and has a budget of its own: what the '
		'owners '
		'who were asked have lost of it.',
		privacct._table('{Table,#Questions,#Owners asked,#Promise &epsilon;,#Lost: half at most,#9 of 10 at most,#Most,'
			'Most lost,#Exhausted}',
			string_agg(privacct._row(ARRAY[privacct._html_name(o.name), privacct._figure(o.questions),
				privacct._figure(o.owners), privacct._figure(o.cap), privacct._figure(o.realised_median::numeric),
				privacct._figure(o.realised_p90::numeric), privacct._figure(o.realised_most::numeric),
				privacct._bar(o.realised_most::numeric / o.cap), privacct._figure(o.exhausted)], '{2,3,4,5,6,7,9}'), ''
				ORDER BY o.name)))
	FROM (SELECT l.*, l.relation::regclass::text AS name FROM privacct.local_odometer l ORDER BY name LIMIT most) o
$$;
COMMENT ON FUNCTION privacct._report_local(int) IS 'the section with the local regime';

-- Not the longest owner, nor warnings that tell of it: those are of the rows.
CREATE OR REPLACE FUNCTION privacct._report_pufferfish(most int) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT privacct._section('Pufferfish regime', 'Single entries of correlated rows are protected, given what is '
		'known '
		'about how they hang together (the prior).',
		privacct._table('{Table,#Version,Prior,#Promise &epsilon;,Spent,#,#Left &epsilon;,#Entry &epsilon; spent,'
			'#Owners named}',
			string_agg(privacct._row(ARRAY[privacct._html_name(b.name), b.version::text,
				(SELECT string_agg(privacct._html_name(k), ', ') FROM unnest(b.prior) k), privacct._figure(b.epsilon),
				privacct._bar(b.share), privacct._percent(b.share), privacct._figure(b.epsilon_left::numeric),
				privacct._figure(b.entry_epsilon_spent), privacct._figure(b.owners_named)], '{2,4,6,7,8,9}'), ''
				ORDER BY b.name)))
	FROM (SELECT p.relation::regclass::text AS name, p.version, p.prior, p.epsilon, p.epsilon_left,
		p.entry_epsilon_spent,
		p.owners_named, p.epsilon_spent::numeric / p.epsilon AS share FROM privacct.pufferfish_budget p
		ORDER BY name LIMIT most) b
$$;
COMMENT ON FUNCTION privacct._report_pufferfish(int) IS 'the section with the Pufferfish regime';

CREATE OR REPLACE FUNCTION privacct._report_discrepancies(wrong privacct.discrepancy[], most int) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT privacct._section('Discrepancies', 'Where the books do not agree, and what to do. '
		'<code>privacct.check_books()</code> looks further.',
		privacct._table('{Table,Problem,Remedy}', string_agg(privacct._row(ARRAY[privacct._html_name(d.relation),
			privacct._html(d.problem) || '<small>' || privacct._html(d.detail) || '</small>', privacct._html(d.remedy)],
			'{}'), '')))
	FROM (SELECT c.* FROM unnest(wrong) c ORDER BY c.relation NULLS FIRST, c.problem LIMIT most) d
$$;
COMMENT ON FUNCTION privacct._report_discrepancies(privacct.discrepancy[], int)
	IS 'the section with what is wrong in the books';

CREATE OR REPLACE FUNCTION privacct._report_words() RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT privacct._section('How to read this page', 'It is made of the books of budgets. No row of a protected '
		'table was '
		'read for it.', '<dl><dt>Promise, &epsilon; and &delta;</dt><dd>Whatever is asked, by whomever: what can be '
			'seen '
		'with a person&rsquo;s rows becomes at most e<sup>&epsilon;</sup> times as likely as without them, but for a '
		'probability of &delta;. Small numbers protect more.</dd>'
		'<dt>Spent and left</dt><dd>Each answer uses up a part of the promise. When nothing is left, nothing is '
			'answered. '
		'What was spent never comes back.</dd>'
		'<dt>&rho;</dt><dd>What the accountant zcdp counts. It grows with the square of &epsilon;: of a tenth of '
			'&rho; as '
		'much as a third of &epsilon; may follow.</dd><dt>Regime</dt><dd>central: the server adds noise to answers '
			'over all rows. local: each owner&rsquo;s row answers '
		'with noise of its own. pufferfish: single entries of correlated rows are protected.</dd>'
		'<dt>Unit</dt><dd>Tables about the same persons that share one promise.</dd></dl>')
$$;
COMMENT ON FUNCTION privacct._report_words() IS 'the section that explains the words of the page';

-- The ledger is read once, and only as far back as the page goes; the books are compared once.
CREATE OR REPLACE FUNCTION privacct.report(days int DEFAULT 30, most int DEFAULT 100) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET jit = off SET work_mem = '128MB' AS $$
DECLARE
	window_days int := least(greatest(coalesce(days, 30), 2), 366);
	rows int := least(greatest(coalesce(most, 100), 1), 10000);
	state privacct.forecast[] := ARRAY(SELECT f FROM privacct.forecast f
		ORDER BY f.share_spent DESC NULLS LAST, f.budget, f.policy_id);
	paid privacct.daily_spending[] := ARRAY(SELECT ROW(s.policy_id, NULL, s.payer, s.charged_at::date, count(*),
		sum(s.epsilon), sum(s.delta), sum(s.rho))::privacct.daily_spending FROM privacct.spending s
		WHERE s.charged_at >= (current_date - window_days + 1)::timestamptz
		GROUP BY s.policy_id, s.payer, s.charged_at::date);
	wrong privacct.discrepancy[] := CASE WHEN cardinality(state) > 0
		THEN ARRAY(SELECT d FROM privacct.discrepancy d) END;
BEGIN
	RETURN privacct._page('Privacy budgets', CASE WHEN cardinality(state) = 0
		THEN '<p>You own no protected table and no privacy unit. Your budgets are in privacct.my_report().</p>'
		ELSE privacct._report_tiles(state, paid, wrong, window_days) || privacct._report_budgets(state, rows)
			|| coalesce(privacct._report_curves(state, paid, window_days), '')
			|| coalesce(privacct._report_activity(paid, window_days), '')
			|| privacct._report_roles(paid, window_days, rows) || privacct._report_noise(rows)
			|| privacct._report_plans(rows) || privacct._report_local(rows) || privacct._report_pufferfish(rows)
			|| privacct._report_discrepancies(wrong, rows) END || privacct._report_words());
END
$$;
COMMENT ON FUNCTION privacct.report(int, int)
	IS 'a page of HTML about the budgets of all tables and units that the caller owns: what is left, over so many '
		'days; '
	'tables of it have at most so many rows';

--
-- The page of an analyst: what my_budget and my_ledger show.
--

CREATE OR REPLACE FUNCTION privacct._my_report_budgets(days int) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	WITH lately AS (
		SELECT l.policy_id, l.payer, count(*) AS charges, sum(l.epsilon) AS epsilon, sum(l.rho) AS rho, sum(l.delta)
			AS delta
		FROM privacct.my_ledger l WHERE l.charged_at >= now() - interval '7 days' GROUP BY l.policy_id, l.payer)
	SELECT privacct._section('What is left', 'Your budgets, and those of roles that you are a member of. Of the '
		'promise of '
		'a table others may spend a part: less may be left than you were granted. The last column goes by your own '
			'pace '
		'of the last 7 days.',
		privacct._table('{Budget,Role,#Granted &epsilon;,Spent,#,#Left &epsilon;,#Releases,#Yours in 7 days,Lasts}',
			string_agg(privacct._row(ARRAY[
				privacct._html_name(coalesce(b.unit, b.relation::regclass::text)) || coalesce('<small>unit of '
					|| (SELECT string_agg(privacct._html_name(t), ', ') FROM unnest(b.tables[:6]) t) || '</small>', ''),
				privacct._html_name(pg_get_userbyid(b.role::oid)), privacct._figure(b.epsilon),
				CASE WHEN b.epsilon_spent IS NULL THEN '<small>by plan</small>' ELSE privacct._bar(s.share) END,
				privacct._percent(s.share), privacct._figure(b.epsilon_left), privacct._figure(b.releases),
				privacct._figure(coalesce(w.charges, 0)),
				privacct._lasts(least(coalesce(b.rho_left / nullif(w.rho, 0), b.epsilon_left / nullif(w.epsilon, 0)),
					b.delta_left / nullif(w.delta, 0)) * 7)], '{3,5,6,7,8}'), ''
				ORDER BY s.share DESC NULLS LAST, b.policy_id, b.role::text)))
	FROM privacct.my_budget b
	LEFT JOIN lately w ON w.policy_id = b.policy_id AND w.payer = pg_get_userbyid(b.role::oid)
	CROSS JOIN LATERAL (SELECT coalesce(b.rho_spent / nullif(b.cap_rho, 0), b.epsilon_spent / b.epsilon)) s(share)
$$;
COMMENT ON FUNCTION privacct._my_report_budgets(int) IS 'the section with the caller''s budgets';

CREATE OR REPLACE FUNCTION privacct._my_report_days(days int) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	WITH paid AS (
		SELECT l.policy_id, l.relation_name AS relation, l.charged_at::date AS day, sum(l.epsilon) AS epsilon,
			count(*) AS charges
		FROM privacct.my_ledger l WHERE l.charged_at >= (current_date - days + 1)::timestamptz GROUP BY 1, 2, 3),
	chart AS (
		SELECT b.policy_id, b.relation, sum(b.epsilon) AS epsilon, sum(b.charges) AS charges,
			ARRAY(SELECT coalesce((SELECT p.epsilon FROM paid p WHERE p.policy_id = b.policy_id
				AND p.day = g.day), 0) FROM privacct._last_days(days) g(day) ORDER BY g.day) AS amounts
		FROM paid b GROUP BY b.policy_id, b.relation ORDER BY epsilon DESC, b.policy_id LIMIT 6)
	SELECT privacct._section('What you spent', format('Epsilon on each of the last %s days.', days),
		string_agg(format('<h3>%s <small>&epsilon; %s in %s</small></h3>%s', privacct._html_name(c.relation),
			privacct._figure(c.epsilon), privacct._figure(c.charges) || CASE c.charges WHEN 1 THEN ' release'
			ELSE ' releases' END, privacct._column_chart(ARRAY(SELECT g.day
				FROM privacct._last_days(days) g(day) ORDER BY g.day), c.amounts, 'epsilon spent on each day')), ''
			ORDER BY c.epsilon DESC, c.policy_id))
	FROM chart c
$$;
COMMENT ON FUNCTION privacct._my_report_days(int) IS 'the section with what the caller spent when';

CREATE OR REPLACE FUNCTION privacct._my_report_noise() RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT privacct._section('Errors of your queries', 'How far noise moves what you asked for most, of your last 200 '
		'releases: the median. <code>privacct.preview()</code> tells it of a query beforehand.',
		privacct._table('{Budget,Statistic,#Releases,#&epsilon; each,Noise,#Error at most,#with probability}',
			string_agg(privacct._noise_row(r.relation, r.statistic, r.releases, r.epsilon, r.kernel, r.error,
				r.confidence),
				'' ORDER BY r.releases DESC, r.relation, r.statistic, r.kernel)))
	FROM (SELECT l.relation, n.statistic, n.kernel, count(*) AS releases,
			percentile_disc(0.5) WITHIN GROUP (ORDER BY n.epsilon) AS epsilon,
			percentile_disc(0.5) WITHIN GROUP (ORDER BY n.error) AS error,
			percentile_disc(0.5) WITHIN GROUP (ORDER BY n.confidence) AS confidence
		FROM (SELECT m.relation_name AS relation, m.detail FROM privacct.my_ledger m LIMIT 200) l
		CROSS JOIN LATERAL privacct._noise_of(l.detail) n WHERE n.error IS NOT NULL
		GROUP BY l.relation, n.statistic, n.kernel ORDER BY 4 DESC, 1, 2, 3 LIMIT 20) r
$$;
COMMENT ON FUNCTION privacct._my_report_noise() IS 'the section with the errors of what the caller asks most';

CREATE OR REPLACE FUNCTION privacct.my_report(days int DEFAULT 30) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET jit = off AS $$
DECLARE
	window_days int := least(greatest(coalesce(days, 30), 2), 366);
	budgets text := privacct._my_report_budgets(window_days);
BEGIN
	RETURN privacct._page('Your privacy budgets', CASE WHEN budgets = '' THEN '<p>You have no budget.</p>' ELSE
		budgets END
		|| privacct._my_report_days(window_days) || privacct._my_report_noise() || privacct._report_words());
END
$$;
COMMENT ON FUNCTION privacct.my_report(int)
	IS 'a page of HTML about the budgets of the caller, over so many days: what privacct.my_budget and '
	'privacct.my_ledger show';
