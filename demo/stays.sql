-- Where staff of a hospital were, hour by hour: 2,000 people and 160 hours in "stay",
-- 500 people of the year before in "last_year".  The same on every machine.
CREATE FUNCTION pg_temp.walk(people int, hours int) RETURNS TABLE (person int, hour int, place text) LANGUAGE plpgsql AS $$
BEGIN
	FOR person IN 1 .. people LOOP
		place := 'ward';
		FOR hour IN 1 .. hours LOOP
			RETURN QUERY SELECT person, hour, place;
			IF random() < 0.55 THEN
				place := (ARRAY['ward', 'ward', 'ward', 'theatre', 'theatre', 'canteen', 'canteen', 'lab'])[1 + floor(random() * 8)];
			END IF;
		END LOOP;
	END LOOP;
END
$$;
DO $$ BEGIN PERFORM setseed(0.5); END $$;
CREATE TABLE last_year AS SELECT * FROM pg_temp.walk(500, 160);
INSERT INTO stay SELECT person, hour, place, CASE person % 2 WHEN 0 THEN 'north' ELSE 'south' END, 36 + person % 10
	FROM pg_temp.walk(2000, 160);
