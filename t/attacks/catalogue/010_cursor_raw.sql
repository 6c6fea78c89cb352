-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 010: cursor raw
-- class: raw
-- stopped by: P1 P2
-- a sound design: refused
\set VERBOSITY default
BEGIN; DECLARE c CURSOR FOR SELECT salary FROM hr.emp WHERE region='atoll'; FETCH 1 FROM c; COMMIT;
