-- SPDX-License-Identifier: GPL-3.0-or-later
-- Tables of entries in wrong hands: whom a question is about, what it may read,
-- and what surrounds it.

-- case: nulls and nonsense for the public computations
-- errors: 10 22PA5
SELECT privacct._pufferfish_limit(NULL, NULL, NULL, NULL);
SELECT privacct._pufferfish_spent(NULL, NULL, 1, 1);
SELECT privacct._pufferfish_needed('{1}', '{0}', NULL, NULL, NULL);
SELECT privacct._pufferfish_sums('{1}', '{0}', NULL, NULL, NULL);
SELECT privacct._pufferfish_limit('{-1}', '{0}', 1, 1);
SELECT privacct._pufferfish_limit('{1}', '{NaN}', 1, 1);
SELECT privacct._pufferfish_limit('{1,2}', '{0}', 1, 1);
SELECT privacct._pufferfish_limit('{1}', '{0}', -1, 1);
SELECT privacct._pufferfish_spent('{1}', '{0}', 1, 'NaN');
SELECT * FROM privacct.influence_curve(privacct.chain_prior('{a,b}'::text[], '{{.5,.5},{.5,.5}}'), '{a,NULL}');

-- case: owners who are not named by what looks like their names
-- prints: ^all\nrefused\n$
SELECT DISTINCT den.owners(c) FROM (VALUES ('badge <> ''b7'''), ('NOT badge = ''b7'''), ('badge = ''b7'' OR hour = 1'), ('badge = ''b7'' OR badge = ''b8'''),
	('(badge = ''b7'') IS NOT NULL'), ('CASE WHEN hour = 1 THEN badge = ''b7'' ELSE true END'), ('badge::char(2) = ''b7'''), ('badge::varchar(2) = ''b7'''),
	('badge::name = ''b7'''), ('lower(badge) = ''b7'''), ('badge || '''' = ''b7'''), ('badge LIKE ''b7'''), ('badge = ALL (ARRAY[''b7''])'), ('badge <> ALL (ARRAY[''b7''])'),
	('badge = ''b7''::name'), ('badge = site'), ('badge = place'), ('coalesce(badge = ''b7'', true)'), ('badge >= ''b7'' AND badge <= ''b7'''),
	('badge = ANY (NULL::text[])'), ('badge = ANY (''{}''::text[])'), ('badge = NULL'), ('badge IN (SELECT ward FROM care.ward)'),
	('badge = ''' || repeat('x', 128) || ''''), ('badge = ANY (''{b7,' || repeat('x', 128) || '}'')'), ('badge = current_setting(''application_name'')')) v(c)
ORDER BY 1;

-- case: owners who are named, in each form as often as they are meant
-- prints: ^1 1 1 1 1 1 1 1 2 2 2 2\n$
SELECT string_agg(den.owners(c), ' ' ORDER BY n) FROM unnest(ARRAY['badge = ''b7''', '''b7'' = badge', 'badge = ''b7''::text COLLATE "C"', 'badge = ''b7''::varchar', 'badge::text = ''b7''',
	'badge = ''b7'' AND (badge = ''b8'' OR hour = 1)', 'badge IN (''b7'', ''b7'', NULL)', 'badge = ''' || repeat('x', 127) || '''', 'badge IN (''b7'', ''B7'')',
	'badge = ANY (''{{b7,b8},{b8,b7}}'')', 'badge = ANY (''[5:7]={b7,NULL,"b7 "}'')', 'badge = ANY (''{"",b7}''::varchar[])']) WITH ORDINALITY u(c, n);

-- case: owners from parameters
-- charges: 10
-- errors: 3 42PA1
CREATE DOMAIN den.badges AS text[];
PREPARE one(text) AS SELECT count(*) FROM care.watch WHERE badge = $1;
PREPARE several(text[]) AS SELECT count(*) FROM care.watch WHERE badge = ANY ($1);
PREPARE domains(den.badges) AS SELECT count(*) FROM care.watch WHERE badge = ANY ($1);
SET plan_cache_mode = force_generic_plan;
\o /dev/null
EXECUTE one('b7');
EXECUTE one(NULL);
EXECUTE several('{b7,b8}');
EXECUTE several('{}');
EXECUTE several(NULL);
EXECUTE domains('{b7}');
DO $$
DECLARE
	who text := 'b1';
	these text[] := '{b1}';
	c refcursor;
	n bigint;
	r record;
BEGIN
	SELECT count(*) INTO n FROM care.watch WHERE badge = who;
	these := these || 'b2'::text;
	SELECT count(*) INTO n FROM care.watch WHERE badge = ANY (these);
	OPEN c FOR SELECT count(*) FROM care.watch WHERE badge = who;
	who := 'b3';
	FETCH c INTO n;
	CLOSE c;
	FOR r IN SELECT count(*) FROM care.watch WHERE badge = who LOOP
		who := 'b4';
	END LOOP;
END
$$;
CREATE FUNCTION den.about(text) RETURNS bigint LANGUAGE sql STABLE AS 'SELECT count(*) FROM care.watch WHERE badge = $1';
CREATE FUNCTION den.inlined(text) RETURNS TABLE (n bigint) LANGUAGE sql STABLE AS 'SELECT count(*) FROM care.watch WHERE badge = $1';
SELECT den.about('b5');
SELECT n FROM (VALUES ('b5'), ('b6')) v(b), LATERAL den.inlined(b);
SELECT (SELECT count(*) FROM care.watch WHERE badge = b) FROM (VALUES ('b5'), ('b6')) v(b);

-- case: columns that are no entry and not public
-- errors: 14 42PA1
SELECT count(shoes) FROM care.watch;
SELECT dp_sum(shoes, 0, 1e9) FROM care.watch WHERE badge = 'b7';
SELECT count(*) FROM care.watch WHERE note LIKE '_yc%';
SELECT count(*) FILTER (WHERE note LIKE 'l%') FROM care.watch;
SELECT count(*) FROM (SELECT note AS place, place AS note FROM care.watch) w WHERE place LIKE 'l%';
SELECT count(*) FROM (SELECT CASE WHEN shoes > 1000 THEN 1 END AS hour FROM care.watch) w WHERE hour = 1;
SELECT dp_mode(note) FROM care.watch;
SELECT note, dp_mode(place) FROM care.watch GROUP BY note;
SELECT count(*) FROM care.watch GROUP BY shoes;
SELECT count(*) FROM care.watch WHERE shoes IN (SELECT n FROM care.many);
SELECT count(*) FROM care.watch w WHERE EXISTS (SELECT FROM care.many WHERE n = w.shoes);
SELECT count(*) FROM care.watch w WHERE w IS NOT NULL;
SELECT count(*) FROM care.watch JOIN care.ward ON floor = shoes;
SELECT count(*) FROM care.watch WHERE ctid = '(0,1)';

-- case: code of the spy between entries
-- errors: 7 42PA1, 1 42809
CREATE DOMAIN den.spot AS text CHECK (den.tell_always(VALUE));
CREATE FUNCTION den.same(text, text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE COST 0.0001 AS $$ BEGIN RAISE NOTICE 'BREACH %', $1; RETURN true; END $$;
CREATE OPERATOR den.=~= (LEFTARG = text, RIGHTARG = text, FUNCTION = den.same);
CREATE COLLATION den.lax (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
SELECT count(*) FROM care.watch WHERE place::den.spot = 'lab';
SELECT count(*) FROM care.watch WHERE place OPERATOR(den.=~=) 'lab';
SELECT count(*) FROM care.watch WHERE badge::text OPERATOR(den.=~=) 'b7';
SELECT count(*) FROM care.watch WHERE badge = 'B7' COLLATE den.lax;
SELECT dp_mode(den.same(place, 'x')) FROM care.watch;
SELECT dp_topk(place, 1, note) FROM care.watch;
SELECT dp_mode(place) FROM care.watch WHERE den.tell(place);
SELECT place FROM care.watch_pkey;

-- case: aggregates that are made for the extension's own use
-- errors: 5 42PA1
SELECT privacct._first(place, 1, 5) FROM care.watch;
SELECT privacct._top(place, 1, 5) FROM care.watch;
SELECT privacct._first(badge, hour, 5) FROM care.watch GROUP BY site;
DO $$ BEGIN PERFORM privacct._rank(NULL, 1, 1, 1); EXCEPTION WHEN undefined_function OR feature_not_supported THEN NULL; END $$;
SELECT dp_mode(place), count(*) FROM care.watch;
SELECT dp_mode(DISTINCT place) FROM care.watch;

-- case: what would tell of entries for nothing
-- errors: 3 42PA4, 7 42501, 1 42703
-- prints: ^0\n
SELECT count(*) FROM (SELECT relation FROM pufferfish_budget UNION ALL SELECT relation FROM pufferfish_owner) v;
CREATE VIEW den.all_of_it AS SELECT * FROM care.watch;
CREATE VIEW den.twice AS SELECT * FROM den.all_of_it;
SELECT fit_chain_prior('care.watch', 'badge', '{hour}', 'place', '{ward,theatre,lab}'::text[]);
SELECT fit_chain_prior('den.all_of_it', 'badge', '{hour}', 'place', '{ward,theatre,lab}'::text[]);
SELECT fit_chain_prior('den.twice', 'badge', '{hour}', 'place', '{ward,theatre,lab}'::text[]);
SELECT privacct._longest_owner('care.watch', 'note');
SELECT privacct._longest_owner('den.twice', 'place); SELECT (1');
SELECT owner FROM privacct.owner_account;
SELECT priors FROM privacct.prior;
SELECT set_priors('care.watch', chain_prior('{ward,theatre,lab}'::text[], '{{.6,.2,.2},{.2,.6,.2},{.3,.3,.4}}'));
SELECT set_public('care.watch', 'note');
SELECT privacct._put_entry(1, 'care.watch', 'note', '{}');
SELECT privacct._check_length('care.watch', 'badge', 20);
