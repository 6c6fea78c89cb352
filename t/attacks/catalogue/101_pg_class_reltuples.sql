-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 101: pg class reltuples
-- class: stats
-- stopped by: P10
-- a sound design: column grants on pg_class leave out reltuples, relpages
\set VERBOSITY default
SELECT 'LEAK: rows per partition '||string_agg(relname||'='||reltuples,', ') FROM pg_class WHERE relname LIKE 'emp_part_%';
