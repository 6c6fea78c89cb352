-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 108: load auto explain
-- class: explain
-- stopped by: P10 P14
-- a sound design: refused
\set VERBOSITY default
LOAD 'auto_explain'; SET client_min_messages=log; SET auto_explain.log_min_duration=0; SET auto_explain.log_analyze=on;
SELECT dp_count(*) FROM hr.emp WHERE salary>700000;
SELECT 'no';
