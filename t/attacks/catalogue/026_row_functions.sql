-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 026: row functions
-- class: raw
-- stopped by: P2 P4
-- a sound design: refused
\set VERBOSITY default
SELECT row_to_json(e) FROM hr.emp e WHERE region='atoll';
SELECT e::text FROM hr.emp e WHERE region='atoll';
SELECT (e).salary, e.* FROM hr.emp e WHERE region='atoll';
