-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 180: search path aggregate
-- class: hijack
-- stopped by: P13
-- a sound design: refused: not the extension's aggregate
\set VERBOSITY default
CREATE FUNCTION lab.sf2(text,int,int,int) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $1||'',''||$2';
CREATE AGGREGATE lab.dp_sum(int,int,int) (sfunc=lab.sf2, stype=text, initcond='');
SET search_path=lab,public;
SELECT dp_sum(salary,0,1) FROM hr.emp WHERE region='atoll';
