-- SPDX-License-Identifier: GPL-3.0-or-later
-- An error, or its absence, must not tell of a row.  Each template is run about a
-- stay that exists and one that does not.

-- case: integer arithmetic
-- charges: 24
-- prints: ^alike fine$
SELECT DISTINCT den.twins('SELECT count(*) FROM care.stay WHERE (CASE WHEN stay_id = {} THEN ' || e || ' END) > 0')
FROM (VALUES ('1 / (stay_id - {})'), ('1 % (stay_id - {})'), ('cost * 100000'), ('-cost - 2147483600'),
	('cost + 2147483600'), ('small * small'), ('small + 32000::int2'), ('big * big'),
	('big + 9200000000000000000'), ('abs(-big - 123371854775807 * 1000)'), ('mod(cost, small - 31999)'), ('big / (small - 31999)')) v(e);

-- case: narrowing casts
-- charges: 18
-- prints: ^alike fine$
SELECT DISTINCT den.twins('SELECT count(*) FROM care.stay WHERE (CASE WHEN stay_id = {} THEN ' || e || ' END) > 0')
FROM (VALUES ('cost::int2'), ('big::int4'), ('ratio::int8'), ('ratio::float4'), ('price::int8'), ('price::float8'),
	('price::float4'), ('ratio::int2'), ('(ratio * 1e300)::int4')) v(e);

-- case: floating point
-- charges: 18
-- prints: ^alike fine$
SELECT DISTINCT den.twins('SELECT count(*) FROM care.stay WHERE (CASE WHEN stay_id = {} THEN ' || e || ' END) > 0')
FROM (VALUES ('ratio * ratio'), ('1 / (ratio - ratio)'), ('exp(ratio)'), ('ln(ratio - 1.5e300)'), ('log(-ratio)'),
	('sqrt(-ratio)'), ('power(ratio, 2)'), ('power(-ratio, 0.5)'), ('power(ratio - ratio, -1)')) v(e);

-- case: numerics
-- charges: 20
-- prints: ^alike fine$
SELECT DISTINCT den.twins('SELECT count(*) FROM care.stay WHERE (CASE WHEN stay_id = {} THEN ' || e || ' END) > 0')
FROM (VALUES ('price * price'), ('price / (price - price)'), ('price % (price - price)'), ('price + 9.9e300'),
	('round(price, -131001)'), ('trunc(price, 2)'), ('mod(price, price - price)'), ('round(price)'), ('ceil(price)'), ('-price - 9e300')) v(e);

-- case: numerics that overflow by rounding
-- charges: any
-- prints: ^alike \w+$
PREPARE up(numeric, int) AS SELECT count(*) FROM care.stay WHERE ceil(CASE WHEN stay_id = $2 THEN $1 ELSE price END) > 1;
PREPARE near(numeric, int) AS SELECT count(*) FROM care.stay WHERE round(CASE WHEN stay_id = $2 THEN $1 ELSE price END) > 1;
PREPARE down(numeric, int) AS SELECT count(*) FROM care.stay WHERE floor(CASE WHEN stay_id = $2 THEN -$1 ELSE price END) > 1;
PREPARE cut(numeric, int) AS SELECT count(*) FROM care.stay WHERE round(CASE WHEN stay_id = $2 THEN $1 ELSE price END, 0) > 1;
SELECT DISTINCT den.twins(format('EXECUTE %I((repeat(''9'', 131072) || ''.5'')::numeric, {})', p))
FROM (VALUES ('up'), ('near'), ('down'), ('cut')) v(p);

-- case: dates and times
-- charges: 30
-- prints: ^alike fine$
SELECT DISTINCT den.twins('SELECT count(*) FROM care.stay WHERE (CASE WHEN stay_id = {} THEN ' || e || ' END) IS NOT NULL')
FROM (VALUES ('day + 2000000000'), ('day - 2147483647'), ('day::timestamp'), ('day::timestamptz'), ('day + interval ''1 year'''),
	('moment + interval ''1000000 years'''), ('instant - interval ''1000000 years'''), ('span * 1e9'), ('span / 0'),
	('-span - span - span'), ('day - date ''-infinity'''), ('moment - timestamp ''infinity'''), ('(moment + span)::date'), ('age(moment, timestamp ''infinity'')'),
	('age(instant - interval ''2000 years'')')) v(e);

-- case: fields of times
-- charges: 16
-- prints: ^alike fine$
SELECT DISTINCT den.twins('SELECT count(*) FROM care.stay WHERE (CASE WHEN stay_id = {} THEN ' || e || ' END) IS NOT NULL')
FROM (VALUES ('date_trunc(''week'', moment)::text'), ('date_trunc(''day'', instant)::text'), ('extract(epoch FROM span)::text'),
	('extract(epoch FROM instant)::text'), ('to_char(moment, ''YYYY-MM'')'), ('to_char(instant, ''IYYY IW'')'),
	('date_part(''century'', day)::text'), ('(instant::timestamp)::text')) v(e);

-- case: texts
-- charges: 18
-- prints: ^alike fine$
SELECT DISTINCT den.twins('SELECT count(*) FROM care.stay WHERE (CASE WHEN stay_id = {} THEN ' || e || ' END) IS NOT NULL')
FROM (VALUES ('substr(name, 1, -cost)'), ('substring(name, 2147483647, 2147483647)'), ('split_part(name, '' '', 0)'),
	('left(name, -2147483647)'), ('right(name, cost)'), ('(name LIKE ''Ott%\'')::text'), ('(name ILIKE ''%\'')::text'),
	('upper(note) || name'), ('width_bucket(ratio, 5, 5, 10)::text')) v(e);

-- case: domains of arguments
-- charges: 10
-- prints: ^alike fine$
SELECT DISTINCT den.twins('SELECT count(*) FROM care.stay WHERE (CASE WHEN stay_id = {} THEN ' || e || ' END) IS NOT NULL')
FROM (VALUES ('width_bucket(ratio, 0, ratio, 0)'), ('width_bucket(ratio, 0, ratio, -cost)'), ('width_bucket(''NaN'', 0, ratio, 5)'),
	('width_bucket(ratio, ''-Infinity'', 0, 5)'), ('width_bucket(ratio, 0, 1, 2147483647)')) v(e);

-- case: values too long to work on, brought along and chosen by a row
-- charges: any
-- prints: ^alike \w+\nnever used$
-- Whatever could overflow is far beyond 20 MB, and what is that long is null in a block, or refused.
PREPARE glue(text, int) AS SELECT count(*) FROM care.stay WHERE CASE WHEN stay_id = $2 THEN length(name || $1) > 0 ELSE true END;
PREPARE format(text, int) AS SELECT count(*) FROM care.stay WHERE CASE WHEN stay_id = $2 THEN to_char(moment, $1) ELSE name END <> '';
PREPARE shout(text, int) AS SELECT count(*) FROM care.stay WHERE upper(CASE WHEN stay_id = $2 THEN $1 ELSE name END) <> '';
PREPARE digest(text, int) AS SELECT count(*) FROM care.stay WHERE md5(CASE WHEN stay_id = $2 THEN $1 ELSE name END) <> '';
PREPARE bare(text) AS SELECT count(*) FROM care.stay WHERE $1 IS NOT NULL;
SELECT DISTINCT den.twins(format('EXECUTE %I(repeat(''a'', 20000000), {})', p)) FROM (VALUES ('glue'), ('format'), ('shout'), ('digest')) v(p);
SELECT CASE WHEN den.state(q) <> 'fine' OR den.number(q) < 1000 THEN 'never used' ELSE 'BREACH: used as it is' END
FROM (VALUES ('EXECUTE bare(repeat(''a'', 20000000))')) v(q);

-- case: a pattern that recurses too deep
-- charges: any
-- prints: ^alike \w+$
PREPARE deep(text, text, int) AS SELECT count(*) FROM care.stay WHERE CASE WHEN stay_id = $3 THEN $1 ELSE name END LIKE $2;
SELECT den.twins('EXECUTE deep(repeat(''a'', 100000), repeat(''a%'', 100000), {})');

-- case: texts that grow by a constant of the query
-- charges: any
-- prints: ^alike \w+$
SELECT format('SELECT den.twins($q$SELECT count(*) FROM care.stay WHERE CASE WHEN stay_id = {} THEN length(%s) > 0 ELSE true END$q$)',
	(SELECT string_agg('name || ' || quote_literal(repeat('a', 900)), ' || ') FROM generate_series(1, 200))) \gexec

-- case: doubling a text
-- charges: 2
-- prints: ^alike fine$
SELECT den.twins('SELECT count(*) FROM (SELECT stay_id, n || n AS n FROM
	(SELECT stay_id, name || name AS n FROM care.stay) a) b WHERE stay_id = {} AND length(n) > 4');

-- case: rows that would take long
-- errors: 8 42PA1
SELECT format('SELECT count(*) FROM care.stay WHERE CASE WHEN stay_id = 7 THEN %s END', (SELECT string_agg(replace(one, '#', i::text), glue) FROM generate_series(1, n) i)) AS query
FROM (VALUES (5000, 'name LIKE ''%a#%''', ' OR '), (300, 'md5(name || #) = ''x''', ' OR '), (40, 'btrim(name, ''bcdefgh#'') = ''''', ' OR '), (40, 'upper(name || ''#'') = ''x''', ' OR '),
	(300, 'power(ratio, #) > 0', ' AND '), (200, 'price / (price + #) > 0', ' AND '), (100, 'to_char(instant, ''TMDay TMMonth #'') = ''x''', ' OR '),
	(40, 'strpos(name, ''aaaaaaaaaaaaaaaaaaaaaaaab'') > #', ' OR ')) v(n, one, glue) \gexec

-- case: casts that can fail
-- errors: 5 42PA1
-- charges: 3
SELECT count(*) FROM care.stay WHERE name::int > 0;
SELECT count(*) FROM care.stay WHERE card::date > '2020-01-01';
SELECT count(*) FROM care.stay WHERE note::boolean;
SELECT count(*) FROM care.stay WHERE note::json IS NULL;
SELECT count(*) FROM care.stay WHERE name::name = 'x';
SELECT count(*) FROM care.stay WHERE name::regclass IS NULL;
SELECT count(*) FROM care.stay WHERE card::bytea = '';
SELECT count(*) FROM care.stay WHERE cost::bit(8)::int > 0;

-- case: patterns and formats from data
-- errors: 8 42PA1
SELECT count(*) FROM care.stay WHERE 'x' ~ name;
SELECT count(*) FROM care.stay WHERE 'x' LIKE name;
SELECT count(*) FROM care.stay WHERE to_char(moment, name) = '';
SELECT count(*) FROM care.stay WHERE date_trunc(name, moment) IS NULL;
SELECT count(*) FROM care.stay WHERE extract(epoch FROM moment) > 0 AND date_part(ward, moment) > 0;
SELECT count(*) FROM care.stay WHERE date_trunc('day', instant, ward) IS NULL;
SELECT count(*) FROM care.stay WHERE moment AT TIME ZONE ward IS NULL;
SELECT count(*) FROM care.stay WHERE regexp_replace(name, card, '') = '';

-- case: functions that fail or consume
-- errors: 8 42PA1
SELECT count(*) FROM care.stay WHERE repeat(name, cost) = '';
SELECT count(*) FROM care.stay WHERE lpad(name, cost) = '';
SELECT count(*) FROM care.stay WHERE chr(cost) = 'a';
SELECT count(*) FROM care.stay WHERE factorial(big) > 0;
SELECT count(*) FROM care.stay WHERE make_date(cost, 1, 1) IS NULL;
SELECT count(*) FROM care.stay WHERE to_number(card, '999') > 0;
SELECT count(*) FROM care.stay WHERE convert_to(name, 'LATIN1') = '';
SELECT count(*) FROM care.stay WHERE format(name, cost) = '';

-- case: domains and enumerations of the spy
-- errors: 5 42PA1
CREATE DOMAIN den.below AS int CHECK (VALUE < 70000000);
CREATE DOMAIN den.telling AS text CHECK (den.tell(VALUE));
CREATE TYPE den.names AS ENUM ('a');
SELECT count(*) FROM care.stay WHERE cost::den.below > 0;
SELECT count(*) FROM care.stay WHERE name::den.telling <> '';
SELECT count(*) FROM care.stay WHERE name::den.names IS NULL;
SELECT dp_sum(cost::den.below, 0, 1) FROM care.stay;
SELECT cost::den.below, count(*) FROM care.stay GROUP BY 1;

-- case: arrays of data
-- errors: 5 42PA1
SELECT count(*) FROM care.stay WHERE (ARRAY[1, 2])[cost] > 0;
SELECT count(*) FROM care.stay WHERE cost = ANY (string_to_array(note, ',')::int[]);
SELECT count(*) FROM care.stay WHERE ARRAY[cost] && ARRAY[1];
SELECT count(*) FROM care.stay WHERE cardinality(ARRAY[cost]) = 1;
SELECT count(*) FROM care.stay WHERE (ROW(name, cost)) < (ROW('x'::text, 1)) AND (card, name) IN (SELECT ward, ward FROM den.many) AND jsonb_build_object(name, 1) IS NULL;

-- case: the same error whether rows are there or not
-- prints: ^alike 22PA5\nalike 42PA1$
SELECT DISTINCT den.twins(q) FROM (VALUES
	('SELECT dp_sum(cost, 0, 1e999) FROM care.stay WHERE stay_id = {}'),
	('SELECT dp_sum(cost, 1, 0) FROM care.stay WHERE stay_id = {}'),
	('SELECT bit_or(cost) FROM care.stay WHERE stay_id = {}')) v(q);

-- case: a budget that is used up tells nothing
-- prints: ^alike 53PA2$
SET privacct.epsilon = 100000;
SELECT den.twins('SELECT count(*) FROM care.stay WHERE stay_id = {}');
