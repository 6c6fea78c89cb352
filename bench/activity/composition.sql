-- SPDX-License-Identifier: GPL-3.0-or-later
-- A hundred releases, each worth 0.05, of rows that form a chain of two states which stays where
-- it is with probability 0.9: what they cost by three ways of counting.
\set QUIET on
\pset footer off
SET client_min_messages = warning;
SELECT setseed(0.9) \g /dev/null
SET ROLE bench_owner;
CREATE TABLE post (person_id int, at int, state int NOT NULL, PRIMARY KEY (person_id, at));
INSERT INTO post
WITH RECURSIVE walk(person_id, at, state) AS (
	SELECT person_id, 1, (random() < 0.5)::int FROM generate_series(1, 100) person_id
	UNION ALL SELECT person_id, at + 1, CASE WHEN random() < 0.9 THEN state ELSE 1 - state END FROM walk WHERE at < 200)
SELECT * FROM walk;
SET search_path = public, privacct;
\set ECHO queries
SELECT protect_entries('post', 'person_id', '{at}', 'state', chain_prior(ARRAY[0, 1], '{{0.9,0.1},{0.1,0.9}}'), epsilon_pufferfish => 5) > 0 AS protected;
SELECT grant_budget('post', 'bench_analyst', epsilon => 1);
SELECT c.b, c.a, c.left, c.right FROM pufferfish_curve p, unnest(p.b, p.a, p.left, p.right) c(b, a, "left", "right") WHERE p.relation = 'post'::regclass AND c.b IN (1, 3, 7, 15, 31, 55, 57, 59, 101);
\set ECHO none
RESET ROLE;

SET ROLE bench_analyst;
\set ECHO queries
SELECT pufferfish_epsilon('post', 0.05) AS per_entry;
\set ECHO none
SELECT pufferfish_epsilon('post', 0.05) AS per_entry \gset
SET privacct.epsilon = :per_entry;
\set ECHO queries
SELECT count(*) FROM post WHERE state = 1;
\set ECHO none
\o /dev/null
SELECT 'SELECT count(*) FROM post WHERE state = 1' FROM generate_series(2, 100) \gexec
\o
RESET ROLE;

SET ROLE bench_owner;
\echo '-- after 99 more'
\set ECHO queries
SELECT releases, naive_sum, paper_sum, epsilon_spent, epsilon_left, active_b, active_a FROM pufferfish_budget WHERE relation = 'post'::regclass;
SELECT trunc(5 / 0.05) AS by_naive_sum, trunc((5 - 0.0061897) / (0.05 - 0.0061897)) AS by_the_papers_sum, trunc(entry_epsilon_cap / (entry_epsilon_spent / releases)) AS here
FROM pufferfish_budget WHERE relation = 'post'::regclass;
SELECT pufferfish_epsilon('post', 0.05) AS now_per_entry;
\set ECHO none
RESET ROLE;

SELECT CASE WHEN releases = 100 AND abs(naive_sum - 5) < 1e-9 AND abs(paper_sum - 4.387) < 5e-4 AND abs(epsilon_spent - 1.830) < 5e-4 THEN 'as expected'
	ELSE format('WRONG: %s', row_to_json(b)) END AS sums
FROM privacct.pufferfish_budget b WHERE relation = 'post'::regclass;
