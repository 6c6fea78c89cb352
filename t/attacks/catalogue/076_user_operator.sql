-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 076: user operator
-- class: function
-- stopped by: P4 P13
-- a sound design: operators are resolved to OIDs of the allow-list
\set VERBOSITY default
CREATE FUNCTION lab.opf(int,int) RETURNS bool LANGUAGE plpgsql IMMUTABLE COST 0.0001 AS $$ BEGIN RAISE NOTICE 'seen %', $1; RETURN true; END $$;
CREATE OPERATOR lab.=== (FUNCTION=lab.opf, LEFTARG=int, RIGHTARG=int, RESTRICT=eqsel);
SELECT dp_count(*) FROM hr.emp WHERE region='atoll' AND salary OPERATOR(lab.===) 5;
