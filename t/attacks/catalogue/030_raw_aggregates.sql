-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 030: raw aggregates
-- class: shape
-- stopped by: P2 P4
-- a sound design: only the extension's aggregates read protected rows
\set VERBOSITY default
SELECT max(salary), min(salary) FROM hr.emp;
SELECT string_agg(ssn,',') FROM hr.emp WHERE region='atoll';
SELECT json_agg(salary), array_agg(ssn) FROM hr.emp WHERE region='atoll';
SELECT percentile_disc(1) WITHIN GROUP (ORDER BY salary) FROM hr.emp;
SELECT mode() WITHIN GROUP (ORDER BY salary) FROM hr.emp WHERE region='atoll';
SELECT xmlagg(xmlelement(name x, salary)) FROM hr.emp WHERE region='atoll';
SELECT bit_or(salary) FROM hr.emp WHERE region='atoll';
