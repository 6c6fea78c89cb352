-- SPDX-License-Identifier: GPL-3.0-or-later
-- Two tables, equal but for one owner: in "watched" there is one more, with a row that
-- takes as long as a row may (src/size_limits.h), for whoever asks as in timing_looks_*.sql.
-- The budget is so large that it lasts; price and delta of a look are those of a
-- policy with epsilon 8 and delta 1e-6.
SET client_min_messages = warning;
SET ROLE bench_owner;
CREATE TABLE watched (person_id int PRIMARY KEY, note text NOT NULL);
INSERT INTO watched SELECT i, '' FROM generate_series(1, 100) AS i;
CREATE TABLE unwatched (LIKE watched INCLUDING ALL);
INSERT INTO unwatched TABLE watched;
INSERT INTO watched VALUES (101, repeat('x', :length));
RESET ROLE;
VACUUM (FREEZE, ANALYZE) watched, unwatched;
SELECT privacct.protect(t, 'person_id', epsilon => 1e6, delta => 0.125, min_epsilon => 0.0008, fresh => true),
	privacct.grant_budget(t, 'bench_analyst', epsilon => 1e6, delta => 0.125)
FROM unnest(ARRAY['watched', 'unwatched']::regclass[]) t;
ALTER ROLE bench_analyst SET privacct.epsilon = 0.0008;
CHECKPOINT;
