-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 079: user aggregate
-- class: function
-- stopped by: P2 P13
-- a sound design: an aggregate is known by OID, not by name
\set VERBOSITY default
CREATE FUNCTION lab.sf(text,int) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $1||'',''||$2';
CREATE AGGREGATE lab.dp_sum(int) (sfunc=lab.sf, stype=text, initcond='');
SELECT lab.dp_sum(salary) FROM hr.emp WHERE region='atoll';
SET search_path=lab,public; SELECT dp_sum(salary) FROM hr.emp WHERE region='atoll';
