-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 104: xact counters row count
-- class: stats
-- stopped by: P10
-- a sound design: per-transaction counters of the own query give exact row counts
\set VERBOSITY default
BEGIN; SET LOCAL enable_seqscan=off; SELECT dp_count(*) FROM hr.emp WHERE ssn='987-65-'||'4321';
SELECT 'LEAK: index tuples fetched '||idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relname='emp' AND idx_tup_fetch>0; COMMIT;
