-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 006: update from
-- class: raw
-- stopped by: P1 P2
-- a sound design: refused: a protected block is read-only and top-level SELECT
\set VERBOSITY default
CREATE TABLE lab.u(v int); INSERT INTO lab.u VALUES (0);
UPDATE lab.u SET v=e.salary FROM hr.emp e WHERE e.region='atoll';
SELECT v FROM lab.u;
