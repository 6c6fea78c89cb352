-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 074: outer qual pushdown
-- class: pushdown
-- stopped by: P3
-- a sound design: nothing is pushed below the leaf; a rejected group key is never seen
\set VERBOSITY default
SELECT * FROM (SELECT village, dp_count(*) c FROM hr.emp WHERE region='atoll' GROUP BY village) q WHERE lab.leak_imm(village);
