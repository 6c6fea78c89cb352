-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 002: copy table to
-- class: raw
-- stopped by: P1 P2
-- a sound design: refused (never reaches the planner)
\set VERBOSITY default
COPY hr.emp TO STDOUT;
