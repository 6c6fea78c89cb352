-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 086: stable builtin runs queries
-- class: sidechannel
-- stopped by: P4
-- a sound design: column-free stable calls are folded once before the scan, table_to_xml & co. refused
\set VERBOSITY default
CREATE TABLE lab.one(a int); INSERT INTO lab.one VALUES (1);
CREATE FUNCTION lab.note() RETURNS int LANGUAGE plpgsql STABLE AS $$ BEGIN RAISE NOTICE 'LEAK: evaluated after the raw test'; RETURN 1; END $$;
CREATE VIEW lab.vn AS SELECT lab.note() AS n FROM lab.one;
SELECT dp_count(*) FROM hr.emp WHERE salary=777000+777 AND table_to_xml('lab.vn',true,false,'') IS NOT NULL;
