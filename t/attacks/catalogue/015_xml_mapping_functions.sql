-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 015: xml mapping functions
-- class: raw
-- stopped by: P2
-- a sound design: refused (SPI inside a built-in)
\set VERBOSITY default
SELECT query_to_xml('SELECT salary FROM hr.emp WHERE region=''atoll''', true, false, '');
SELECT table_to_xml('hr.emp_part_atoll', true, false, '');
