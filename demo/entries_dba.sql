-- SPDX-License-Identifier: GPL-3.0-or-later
-- Correlated rows: where staff were, hour by hour.  Last year's rows tell how people move.
\set ECHO none
SET client_min_messages = warning;
CREATE FUNCTION walk(people int, hours int) RETURNS TABLE (person int, hour int, place text) LANGUAGE plpgsql AS $$
BEGIN
	FOR person IN 1 .. people LOOP
		place := 'ward';
		FOR hour IN 1 .. hours LOOP
			RETURN QUERY SELECT person, hour, place;
			IF random() < 0.4 THEN
				place := (ARRAY['ward', 'theatre', 'canteen', 'lab'])[1 + floor(random() ^ 2 * 4)];
			END IF;
		END LOOP;
	END LOOP;
END
$$;
DO $$ BEGIN PERFORM setseed(0.5); END $$;
CREATE TABLE last_year AS SELECT * FROM walk(100, 100);
CREATE TABLE shift (person int, hour int, place text NOT NULL, PRIMARY KEY (person, hour));
INSERT INTO shift SELECT * FROM walk(1000, 100);
\set ECHO queries
SELECT privacct.fit_chain_prior('last_year', owner => 'person', order_by => '{hour}', entry => 'place', states => '{ward,theatre,canteen,lab}'::text[]) AS prior \gset
SELECT b, round(a::numeric, 3) AS a, "left", "right" FROM privacct.influence_curve(:'prior', max_b => 9);
SELECT privacct.protect_entries('shift', owner => 'person', order_by => '{hour}', entry => 'place', priors => :'prior', epsilon_pufferfish => 3);
SELECT privacct.grant_budget('shift', 'analyst', epsilon => 0.3);
\set ECHO none
