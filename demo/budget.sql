-- SPDX-License-Identifier: GPL-3.0-or-later
-- One line: what the analyst has spent so far.
\set ECHO none
\pset format unaligned
\t on
SELECT format('-> one budget: epsilon %s of %s is spent, in %s releases', round(epsilon_spent, 2), epsilon, releases)
FROM privacct.my_budget WHERE unit = 'hospital';
\t off
\pset format aligned
\echo
\set ECHO queries
