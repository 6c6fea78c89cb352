-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 080: sink table per row
-- class: sidechannel
-- stopped by: P4
-- a sound design: a volatile function per row writes where the analyst reads
\set VERBOSITY default
CREATE TABLE lab.sink(v text);
CREATE FUNCTION lab.w(text) RETURNS bool LANGUAGE plpgsql VOLATILE AS $$ BEGIN INSERT INTO lab.sink VALUES ($1); RETURN true; END $$;
SELECT dp_count(*) FROM hr.emp WHERE region='atoll' AND lab.w(ssn);
TABLE lab.sink;
