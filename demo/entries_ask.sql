-- SPDX-License-Identifier: GPL-3.0-or-later
-- Releases are charged per entry; one about a single person costs the others nothing.
\set ECHO queries
SET privacct.epsilon = 0.05;
SELECT place, count(*) FROM shift GROUP BY place ORDER BY count DESC;
SELECT count(*) FROM shift WHERE place = 'lab' AND hour > 50;
SELECT dp_topk(place, 2) FROM shift;
SELECT dp_mode(place) FROM shift WHERE person = 17;
\set ECHO none
