-- SPDX-License-Identifier: GPL-3.0-or-later
-- Tables with noise on time are not joined with protected ones: the hospital goes on without it.
\set ECHO queries
SELECT privacct.set_release_terms('visit');
