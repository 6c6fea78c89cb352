-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 022: for update rowmark
-- class: raw
-- stopped by: P1
-- a sound design: refused
\set VERBOSITY default
BEGIN; SELECT salary FROM hr.emp WHERE region='atoll' FOR SHARE SKIP LOCKED; ROLLBACK;
