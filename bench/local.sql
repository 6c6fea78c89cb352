-- SPDX-License-Identifier: GPL-3.0-or-later
-- One row for each owner, who may be asked about a number of 0 to 10.
SET client_min_messages = warning;
SET ROLE bench_owner;
CREATE TABLE :table (person_id int PRIMARY KEY, answer int NOT NULL);
INSERT INTO :table SELECT i, i * 2654435761 % 4294967296 / 16 % 11 FROM generate_series(1::bigint, :owners) AS i;
RESET ROLE;
VACUUM (FREEZE, ANALYZE) :table;
SELECT privacct.protect(:'table', 'person_id', regime => 'local', filter => 'full', epsilon => :cap, min_epsilon => 1e-6, fresh => true);
SELECT privacct.set_domain(:'table', 'answer', ARRAY(SELECT generate_series(0, 10)));
SELECT privacct.grant_budget(:'table', 'bench_analyst', epsilon => 1000);
CHECKPOINT;
