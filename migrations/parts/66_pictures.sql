-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Pieces of the page that report() makes: text, figures, bars, charts.  Pure computations.
--
-- Names are chosen by whoever may create a table or a role, so every text passes through _html().
-- Letters beyond ASCII are written as entities: this script may be read in any encoding.
--

CREATE OR REPLACE FUNCTION privacct._html(content text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT regexp_replace(replace(replace(replace(replace(replace(coalesce(content, ''), '&', '&amp;'), '<', '&lt;'),
		'>', '&gt;'), '"', '&quot;'), '''', '&#39;'), '[[:cntrl:]]', '&#65533;', 'g')
$$;
COMMENT ON FUNCTION privacct._html(text) IS 'the text as HTML shows it, in elements and in attributes';

-- <bdi> keeps letters that are written from right to left from turning round what is beside them.
CREATE OR REPLACE FUNCTION privacct._html_name(name text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT '<bdi>' || privacct._html(CASE WHEN length(name) > 70 THEN left(name, 67) || '...' ELSE name END) || '</bdi>'
$$;
COMMENT ON FUNCTION privacct._html_name(text) IS 'the name of something, cut where it is too long, as HTML';

CREATE OR REPLACE FUNCTION privacct._power_of_ten(exponent int) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT '10' || string_agg(CASE d WHEN '-' THEN '&#8315;' WHEN '1' THEN '&#185;' WHEN '2' THEN '&#178;'
		WHEN '3' THEN '&#179;' ELSE '&#' || 8304 + d::int || ';' END, '' ORDER BY n)
	FROM regexp_split_to_table(exponent::text, '') WITH ORDINALITY t(d, n)
$$;
COMMENT ON FUNCTION privacct._power_of_ten(int) IS 'a power of ten as HTML';

CREATE OR REPLACE FUNCTION privacct._figure(number numeric) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT CASE WHEN number IS NULL OR number = 'NaN' THEN '&ndash;' WHEN abs(number) = 'Infinity' THEN '&infin;'
		WHEN number = 0 THEN '0'
		WHEN abs(r) >= 1000 AND e < 15 THEN to_char(round(number), 'FM999,999,999,999,999')
		WHEN abs(r) >= 0.001 AND e < 15 THEN trim_scale(r)::text
		WHEN m = 1 THEN privacct._power_of_ten(e)
		ELSE trim_scale(m) || '&#8239;&times;&#8239;' || privacct._power_of_ten(e) END
	FROM (SELECT CASE WHEN number <> 0 AND abs(number) < 'Infinity' THEN round(number, 1 - floor(log(abs(number)))::int)
		END) w(w)
	CROSS JOIN LATERAL (SELECT floor(log(abs(w)))::int) s(e)
	CROSS JOIN LATERAL (SELECT round(number, 2 - e), round(w / 10::numeric ^ e, 1)) d(r, m)
$$;
COMMENT ON FUNCTION privacct._figure(numeric) IS 'a number with about three digits, as HTML';

CREATE OR REPLACE FUNCTION privacct._percent(share numeric) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT CASE WHEN share IS NULL THEN '&ndash;' WHEN share > 0 AND share < 0.001 THEN '&lt;&#8239;0.1&#8239;%'
		WHEN share < 1 AND share > 0.995 THEN '&gt;&#8239;99&#8239;%'
		WHEN share < 0.1 THEN trim_scale(round(share * 100, 1)) || '&#8239;%'
		ELSE round(share * 100) || '&#8239;%' END
$$;
COMMENT ON FUNCTION privacct._percent(numeric) IS 'a share as HTML';

-- Beyond some years a pace of a week says nothing.
CREATE OR REPLACE FUNCTION privacct._lasts(days numeric) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT CASE WHEN days IS NULL THEN '&ndash;' WHEN days = 0 THEN '<strong class="bad lasts">nothing is left</strong>'
		WHEN days > 1826 THEN 'over 5 years'
		WHEN days > 90 THEN round(days / 30.4375) || ' months'
		ELSE format('<span class="lasts%s">%s %s</span>', CASE WHEN days < 14 THEN ' bad' END,
			CASE WHEN days < 1 THEN 'under 1' ELSE floor(days)::text END, CASE WHEN days < 2 THEN 'day' ELSE 'days' END)
			|| to_char(now() + days * interval '1 day', ' "<small>"YYYY-MM-DD"</small>"') END
$$;
COMMENT ON FUNCTION privacct._lasts(numeric) IS 'how long a budget lasts, as HTML';

CREATE OR REPLACE FUNCTION privacct._bar(share numeric) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT format('<svg class="bar" viewBox="0 0 120 10" preserveAspectRatio="none" role="img" aria-label="%s">'
		'<rect class="track" width="120" height="10" rx="2"/><rect class="fill %s" width="%s" height="10" '
			'rx="2"/></svg>',
		privacct._percent(share), CASE WHEN share >= 0.9 THEN 'most' WHEN share >= 0.7 THEN 'much' END,
		round(120 * least(greatest(coalesce(share, 0), 0), 1), 1))
$$;
COMMENT ON FUNCTION privacct._bar(numeric) IS 'a share as a bar, in SVG';

-- At most seven dates have room.
CREATE OR REPLACE FUNCTION privacct._date_axis(days date[], x0 numeric, step numeric, y numeric) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT string_agg(format('<line class="tick" x1="%1$s" x2="%1$s" y1="%2$s" y2="%3$s"/>'
		'<text class="axis" text-anchor="middle" x="%1$s" y="%4$s">%5$s</text>', round(x0 + (n - 1) * step, 1), y, y
			+ 4, y + 19,
		to_char(d, 'DD Mon')), '' ORDER BY n)
	FROM unnest(days) WITH ORDINALITY t(d, n)
	WHERE (cardinality(days) - n) % greatest(1, ceil(cardinality(days) / 7.0)::int) = 0
$$;
COMMENT ON FUNCTION privacct._date_axis(date[], numeric, numeric, numeric) IS 'the dates below a chart, in SVG';

-- Labels at the ends of lines are moved down until none covers another, then up until the last is in the picture.
CREATE OR REPLACE FUNCTION privacct._line_labels(names text[], ends numeric[], x numeric, lowest numeric) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	WITH placed AS (
		SELECT l.name, l.n, l.y, row_number() OVER w AS rank FROM unnest(names, ends) WITH ORDINALITY l(name, y, n)
		WINDOW w AS (ORDER BY l.y, l.n)),
	down AS (SELECT p.*, max(p.y - 17 * p.rank) OVER (ORDER BY p.rank) + 17 * p.rank AS moved FROM placed p)
	SELECT string_agg(format('<text class="label c%s" x="%s" y="%s">%s</text>', d.n, x,
		round(least(d.moved, lowest - 17 * (cardinality(names) - d.rank)) + 4, 1),
		privacct._html(CASE WHEN length(d.name) > 28 THEN left(d.name, 26) || '...' ELSE d.name END)), '' ORDER BY
			d.rank)
	FROM down d
$$;
COMMENT ON FUNCTION privacct._line_labels(text[], numeric[], numeric, numeric)
	IS 'the names of the lines of a chart where they end, in SVG';

-- A line is an array of numbers, one for each day: [[...], [...]] in json, because rows of arrays may differ in
-- length.
CREATE OR REPLACE FUNCTION privacct._line_chart(days date[], names text[], lines jsonb, title text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	WITH size AS (SELECT 44.0 AS x0, 776.0 / greatest(cardinality(days) - 1, 1) AS step, 12.0 AS y0, 220.0 AS height),
	line AS (
		SELECT l.n, string_agg(round(s.x0 + (p.n - 1) * s.step, 1) || ',' || round(s.y0 + s.height * (1 - p.share), 1),
			' ' ORDER BY p.n) AS points,
			(array_agg(s.y0 + s.height * (1 - p.share) ORDER BY p.n DESC))[1] AS y
		FROM size s CROSS JOIN jsonb_array_elements(lines) WITH ORDINALITY l(points, n)
		CROSS JOIN LATERAL (SELECT least(greatest(v::numeric, 0), 1), o
			FROM jsonb_array_elements_text(l.points) WITH ORDINALITY v(v, o)) p(share, n)
		GROUP BY l.n)
	SELECT format('<svg class="chart" viewBox="0 0 1040 260" role="img" aria-label="%s">', privacct._html(title))
		|| (SELECT string_agg(format('<line class="grid" x1="%s" x2="820" y1="%3$s" y2="%3$s"/><text class="axis" '
			'text-anchor="end" x="%2$s" y="%4$s">%5$s%%</text>', s.x0, s.x0 - 8, s.y0 + s.height * (1 - g / 100.0),
			s.y0 + s.height * (1 - g / 100.0) + 4, g), '') FROM generate_series(0, 100, 25) g)
		|| privacct._date_axis(days, s.x0, s.step, s.y0 + s.height)
		|| coalesce((SELECT string_agg(format('<polyline class="line c%s" points="%s"/>', l.n, l.points), '' ORDER BY
			l.n)
			FROM line l), '')
		|| coalesce((SELECT privacct._line_labels(names, array_agg(l.y ORDER BY l.n), 830, s.y0 + s.height) FROM line
			l),
			'') || '</svg>'
	FROM size s
$$;
COMMENT ON FUNCTION privacct._line_chart(date[], text[], jsonb, text) IS 'shares over days as lines, in SVG';

-- The next of 1, 2, 5, 10, 20, 50, ... above: axes end there.
CREATE OR REPLACE FUNCTION privacct._round_up(number numeric) RETURNS numeric
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT min(m * 10::numeric ^ floor(log(number))) FROM (VALUES (1), (2), (5), (10)) v(m)
	WHERE m * 10::numeric ^ floor(log(number)) >= number
$$;
COMMENT ON FUNCTION privacct._round_up(numeric) IS 'the next number of one round digit';

CREATE OR REPLACE FUNCTION privacct._column_chart(days date[], amounts numeric[], title text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	WITH size AS (SELECT 64.0 AS x0, 966.0 / cardinality(days) AS step, 10.0 AS y0, 130.0 AS height,
		coalesce(privacct._round_up(nullif((SELECT max(a) FROM unnest(amounts) a), 0)), 1) AS top)
	SELECT format('<svg class="chart" viewBox="0 0 1040 168" role="img" aria-label="%s">', privacct._html(title))
		|| (SELECT string_agg(format('<line class="grid" x1="%s" x2="1030" y1="%3$s" y2="%3$s"/><text class="axis" '
			'text-anchor="end" x="%2$s" y="%4$s">%5$s</text>', s.x0, s.x0 - 8, s.y0 + s.height * (1 - g / 2.0),
			s.y0 + s.height * (1 - g / 2.0) + 4, privacct._figure(s.top * g / 2.0)), '') FROM generate_series(0, 2) g
			WHERE g <> 1 OR s.top <> 1)
		|| coalesce((SELECT string_agg(format('<rect class="column" x="%s" y="%s" width="%s" height="%s"><title>%s: %s'
			'</title></rect>', round(s.x0 + (n - 0.86) * s.step, 1), round(s.y0 + s.height * (1 - a / s.top), 1),
			round(s.step * 0.72, 1), greatest(round(s.height * a / s.top, 1), 1), d, privacct._figure(a)), '' ORDER
				BY n)
			FROM unnest(days, amounts) WITH ORDINALITY t(d, a, n) WHERE a > 0), '')
		|| privacct._date_axis(days, s.x0 + s.step / 2, s.step, s.y0 + s.height) || '</svg>'
	FROM size s
$$;
COMMENT ON FUNCTION privacct._column_chart(date[], numeric[], text) IS 'amounts of days as columns, in SVG';

CREATE OR REPLACE FUNCTION privacct._tile(amount text, label text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT format('<div class="tile"><b>%s</b><span>%s</span></div>', amount, label)
$$;
COMMENT ON FUNCTION privacct._tile(text, text) IS 'a number that comes first, as HTML';

-- Nothing is shown where there is nothing to show.
CREATE OR REPLACE FUNCTION privacct._section(title text, introduction text, content text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT coalesce(format($section$<section>
<h2>%s</h2>
<p>%s</p>
%s
</section>
$section$, title, introduction, content), '')
$$;
COMMENT ON FUNCTION privacct._section(text, text, text) IS 'a section of the page; empty without content';

-- Columns whose heads begin with # hold numbers.
CREATE OR REPLACE FUNCTION privacct._table(heads text[], body text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT '<div class="wide"><table><thead><tr>' || (SELECT string_agg(CASE WHEN h ~ '^#'
		THEN '<th class="n" scope="col">' || ltrim(h, '#') ELSE '<th scope="col">' || h END || '</th>', '' ORDER BY n)
		FROM unnest(heads) WITH ORDINALITY t(h, n)) || '</tr></thead><tbody>' || chr(10) || body ||
			'</tbody></table></div>'
$$;
COMMENT ON FUNCTION privacct._table(text[], text) IS 'a table as HTML; null without rows';

CREATE OR REPLACE FUNCTION privacct._row(cells text[], numbers int[]) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT '<tr>' || string_agg(CASE WHEN n = ANY (numbers) THEN '<td class="n">' ELSE '<td>' END || coalesce(c, '')
		|| '</td>', '' ORDER BY n) || '</tr>' || chr(10) FROM unnest(cells) WITH ORDINALITY t(c, n)
$$;
COMMENT ON FUNCTION privacct._row(text[], int[]) IS 'a row of a table as HTML; these of its cells are numbers';

-- The policy forbids the page to run or to load anything, should something have got past _html().
CREATE OR REPLACE FUNCTION privacct._page(title text, body text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT format($page$<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
	content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>%1$s</title>
<style>%2$s</style>
</head>
<body>
<header>
<h1>%1$s</h1>
<p>Database %3$s, as %4$s sees it, %5$s</p>
</header>
<main>
%6$s</main>
</body>
</html>
$page$, title, privacct._style(), privacct._html_name(current_database()), privacct._html_name(current_user),
		to_char(now(), 'YYYY-MM-DD HH24:MI TZ'), body)
$$;
COMMENT ON FUNCTION privacct._page(text, text) IS 'a page of HTML that loads nothing and runs nothing';

CREATE OR REPLACE FUNCTION privacct._style() RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT '
:root{--ground:#fff;--ink:#1c2530;--soft:#5b6774;--rule:#dfe4ea;--track:#e8ecf1;--main:#2f6690;--warn:#b3590a;
--bad:#b3261e;
--c1:#2f6690;--c2:#c2570c;--c3:#1b7f5f;--c4:#9b4f96;--c5:#86701a;--c6:#4d5a68}
@media (prefers-color-scheme:dark){:root{--ground:#12181f;--ink:#e3e8ee;--soft:#9aa7b4;--rule:#2b3540;--track:#26303a;
--main:#6fa8d6;--warn:#e79a4c;--bad:#f28b82;
--c1:#6fa8d6;--c2:#f0945a;--c3:#5cc19c;--c4:#cf93cb;--c5:#cdb75c;--c6:#a9b5c1}}
*{box-sizing:border-box}
body{margin:0 auto;padding:2.2rem 1.6rem 4rem;max-width:1120px;background:var(--ground);color:var(--ink);
font:15px/1.5 system-ui,-apple-system,"Segoe UI","Noto Sans","DejaVu Sans",sans-serif}
h1{font-size:1.65rem;font-weight:600;margin:0;letter-spacing:-.01em}
h2{font-size:1.12rem;font-weight:600;margin:0 0 .15rem}
h3{font-size:1rem;font-weight:600;margin:1.3rem 0 .2rem}
p{margin:.1rem 0 .9rem;color:var(--soft);max-width:46rem}
section{margin-top:2.6rem}
.tiles{display:flex;flex-wrap:wrap;gap:0;margin:1.4rem 0 0;border-top:1px solid var(--rule);border-bottom:1px solid 
var(--rule)}
.tile{flex:1 1 9rem;padding:.8rem 1.2rem .8rem 0}
.tile b{display:block;font-size:1.55rem;font-weight:600;line-height:1.25;font-variant-numeric:tabular-nums}
.tile>span{color:var(--soft);font-size:.87rem}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th{font-size:.82rem;font-weight:500;color:var(--soft);text-align:left;vertical-align:bottom;padding:.35rem .9rem 
.35rem 0;
border-bottom:1px solid var(--rule)}
td{padding:.42rem .9rem .42rem 0;border-bottom:1px solid var(--rule);vertical-align:top}
th:last-child,td:last-child{padding-right:0}
.n{text-align:right;white-space:nowrap}
small{color:var(--soft);font-size:.85em}
td small{display:block}
td:first-child{min-width:9.5em}
bdi{overflow-wrap:break-word}
.lasts{white-space:nowrap}
.bar{width:120px;height:10px;display:inline-block;vertical-align:middle}
.track{fill:var(--track)}.fill{fill:var(--main)}.fill.much{fill:var(--warn)}.fill.most{fill:var(--bad)}
.bad{color:var(--bad)}
.chart{width:100%;height:auto;display:block;margin:.4rem 0}
.grid{stroke:var(--rule)}.tick{stroke:var(--soft)}
.axis{fill:var(--soft);font-size:12.5px}
.column{fill:var(--main)}
.line{fill:none;stroke-width:2.2;stroke-linejoin:round}
.label{font-size:13px;unicode-bidi:isolate}
.line.c1{stroke:var(--c1)}.line.c2{stroke:var(--c2)}.line.c3{stroke:var(--c3)}.line.c4{stroke:var(--c4)}
.line.c5{stroke:var(--c5)}.line.c6{stroke:var(--c6)}
.label.c1{fill:var(--c1)}.label.c2{fill:var(--c2)}.label.c3{fill:var(--c3)}.label.c4{fill:var(--c4)}
.label.c5{fill:var(--c5)}.label.c6{fill:var(--c6)}
dl{margin:.3rem 0 0;max-width:46rem}dt{font-weight:600;margin-top:.7rem}dd{margin:0;color:var(--soft)}
@media print{:root{--ground:#fff;--ink:#000;--soft:#444;--rule:#bbb;--track:#e4e4e4;--main:#2f6690;--warn:#8a4300;
--bad:#9c1c15;
--c1:#2f6690;--c2:#c2570c;--c3:#1b7f5f;--c4:#9b4f96;--c5:#86701a;--c6:#4d5a68}
body{font-size:9pt;max-width:none;padding:0}.bar{width:64px}th,td{padding-right:.6rem}section{margin-top:1.6rem}
.tile{flex-basis:6rem;padding-right:.6rem}.tile b{font-size:1.3rem}
tr,svg{break-inside:avoid}thead{display:table-header-group}
h2{break-after:avoid}}
'
$$;
COMMENT ON FUNCTION privacct._style() IS 'how pages look, on screens light and dark and on paper';
