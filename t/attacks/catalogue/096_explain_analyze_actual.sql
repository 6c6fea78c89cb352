-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 096: explain analyze actual
-- class: explain
-- stopped by: P10
-- a sound design: refused
\set VERBOSITY default
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) SELECT dp_count(*) FROM hr.emp WHERE salary>700000 \g |grep -c 'actual rows=1 ' | sed 's/^[1-9].*/LEAK actual row counts/'
