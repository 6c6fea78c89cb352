-- SPDX-License-Identifier: GPL-3.0-or-later
-- Answers that are not paid for, or a second draw for one price.

-- case: rollback
-- charges: 3
BEGIN; SELECT count(*) >= 0 FROM care.stay; ROLLBACK;
BEGIN; SAVEPOINT s; SELECT count(*) >= 0 FROM care.stay; ROLLBACK TO s; SELECT count(*) >= 0 FROM care.stay; COMMIT;

-- case: exceptions
-- charges: 2
DO $$ DECLARE x bigint; BEGIN
	BEGIN SELECT count(*) INTO x FROM care.stay; RAISE EXCEPTION 'gone'; EXCEPTION WHEN raise_exception THEN NULL; END;
	BEGIN SELECT 1 / (0 * c) INTO x FROM (SELECT count(*) AS c FROM care.stay) s; EXCEPTION WHEN division_by_zero THEN NULL; END;
END $$;

-- case: a function that sees the answer, then fails
-- errors: 1 P0001
-- charges: 1
-- prints: told \d+
CREATE FUNCTION den.fail(x bigint) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'told %', x; RAISE EXCEPTION 'enough'; END $$;
SELECT den.fail(c) FROM (SELECT count(*) AS c FROM care.stay) s;

-- case: timeout after the answer
-- charges: 1
-- prints: timeout
-- by the shortest timeout that comes after the charge
SELECT count(*) AS before FROM my_ledger \gset
\setenv PGHOST :HOST
\setenv PGPORT :PORT
\setenv BEFORE :before
\! for s in 0.3 3 30 300; do psql -XAtq -U spy -d infirmary -c "SET statement_timeout = '${s}s'" -c 'SELECT c, pg_sleep(1e6) FROM (SELECT count(*) AS c FROM care.stay) s' 2>&1 | grep -o timeout; [ "$(psql -XAtq -U spy -d infirmary -c "SELECT count(*) - $BEFORE FROM my_ledger")" = 0 ] || break; done

-- case: disconnected in between
-- charges: 2
-- prints: ^2$
-- an administrator looks whether it sleeps: in a hardened database the role itself sees no wait events
SELECT count(*) AS before FROM my_ledger \gset
\setenv PGHOST :HOST
\setenv PGPORT :PORT
\! psql -XAtq -U spy -d infirmary -c 'BEGIN' -c 'DECLARE c CURSOR FOR SELECT count(*) FROM care.stay' -c 'FETCH c' >/dev/null
\! psql -XAtq -U spy -d infirmary -c 'SELECT c, pg_sleep(1234567) FROM (SELECT count(*) AS c FROM care.stay) s' >/dev/null 2>&1 & client=$!; for try in $(seq 3000); do [ "$(psql -XAtq -U postgres -d infirmary -c "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(1234567)%' AND wait_event = 'PgSleep'")" = 1 ] && break; kill -0 $client || break; sleep 0.1; done; kill -KILL $client; wait $client 2>/dev/null
\! psql -XAtq -U postgres -d infirmary -c "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(1234567)%' AND wait_event = 'PgSleep'" >/dev/null
SELECT count(*) - :before FROM my_ledger;

-- case: cancelled by the own second session
-- charges: 1
-- prints: ^1$
\setenv PGHOST :HOST
\setenv PGPORT :PORT
\! psql -XAtq -U spy -d infirmary -c 'SELECT c, pg_sleep(7654321) FROM (SELECT count(*) AS c FROM care.stay) s' 2>&1 | grep -c cancel & for try in $(seq 3000); do [ "$(psql -XAtq -U postgres -d infirmary -c "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(7654321)%' AND wait_event = 'PgSleep'")" = 1 ] && break; kill -0 $! || break; sleep 0.1; done; psql -XAtq -U spy -d infirmary -c "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(7654321)%' AND pid <> pg_backend_pid()" >/dev/null; wait

-- case: read-only and deferred transactions
-- charges: 2
BEGIN READ ONLY; SELECT count(*) >= 0 FROM care.stay; COMMIT;
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT count(*) >= 0 FROM care.stay; ROLLBACK;

-- case: copy, into and matviews pay
-- charges: 4
COPY (SELECT count(*) FROM care.stay) TO STDOUT;
CREATE TABLE den.paid AS SELECT ward, count(*) AS c FROM care.stay GROUP BY ward;
INSERT INTO den.paid SELECT 'all', count(*) FROM care.stay;
WITH x AS (INSERT INTO den.paid SELECT 'again', count(*) FROM care.stay RETURNING c) SELECT count(*) FROM x;

-- case: each execution pays and draws anew
-- charges: 10
-- prints: several
PREPARE p AS SELECT count(*) FROM care.stay;
CREATE FUNCTION den.ten() RETURNS SETOF bigint LANGUAGE plpgsql AS $$ BEGIN FOR i IN 1..10 LOOP RETURN QUERY EXECUTE 'SELECT count(*) FROM care.stay'; END LOOP; END $$;
SELECT CASE WHEN count(DISTINCT x) > 1 THEN 'several' ELSE 'BREACH: a constant' END FROM den.ten() x;

-- case: a volatile function per row pays per row
-- charges: 5
SELECT count(DISTINCT den.number('SELECT count(*) FROM care.stay WHERE ' || g || ' > 0')) > 0 FROM generate_series(1, 5) g;

-- case: two blocks are two charges
-- charges: 4
SELECT sum(c) IS NULL FROM (SELECT count(*) AS c FROM care.stay UNION ALL SELECT count(*) FROM care.stay) u;
SELECT a.c - b.c IS NULL FROM (SELECT count(*) AS c FROM care.stay) a, (SELECT count(*) AS c FROM care.stay) b;

-- case: a block that is read again shows the same noise; one whose count nobody uses is free
-- charges: 3
-- prints: ^same\nsame\nsame\nsame$
SET enable_material = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_memoize = off;
SELECT CASE WHEN count(DISTINCT c) = 1 AND count(*) = 50 THEN 'same' ELSE 'BREACH: drawn again' END FROM generate_series(1, 50) g, LATERAL (SELECT count(*) AS c FROM care.stay) s;
WITH x AS MATERIALIZED (SELECT count(*) AS c FROM care.stay) SELECT CASE WHEN a.c = b.c THEN 'same' ELSE 'BREACH: drawn again' END FROM x a, x b;
WITH x AS NOT MATERIALIZED (SELECT count(*) AS c FROM care.stay) SELECT CASE WHEN a.c = (SELECT c FROM x LIMIT 1) OR true THEN 'same' END FROM x a LIMIT 1;
SELECT CASE WHEN count(DISTINCT (SELECT c + 0 * g FROM (SELECT count(*) AS c FROM care.stay) s)) = 1 THEN 'same' ELSE 'BREACH: drawn again' END FROM generate_series(1, 50) g;

-- case: cursors that go back
-- charges: 2
-- prints: ^same\nsame$
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT ward, count(*) AS n FROM care.stay GROUP BY ward;
FETCH FIRST FROM c \gset a_
FETCH LAST FROM c \gset b_
FETCH ABSOLUTE 1 FROM c \gset c_
MOVE BACKWARD ALL FROM c;
FETCH NEXT FROM c \gset d_
SELECT CASE WHEN :a_n = :c_n AND :a_n = :d_n THEN 'same' ELSE 'BREACH: drawn again' END;
DECLARE h SCROLL CURSOR WITH HOLD FOR SELECT count(*) AS n FROM care.stay;
COMMIT;
FETCH FIRST FROM h \gset e_
FETCH FIRST FROM h \gset f_
SELECT CASE WHEN :e_n = :f_n THEN 'same' ELSE 'BREACH: drawn again' END;

-- case: nothing asked, nothing paid, nothing told
-- prints: ^nothing$
SELECT count(*) FROM care.stay LIMIT 0;
EXPLAIN (COSTS OFF) SELECT count(*) FROM care.stay \g /dev/null
SELECT count(*) FROM privacct.preview('SELECT count(*) FROM care.stay') \g /dev/null
SELECT 'nothing' FROM (SELECT 1) s WHERE NOT EXISTS (SELECT FROM (SELECT 1 WHERE false) x);

-- case: preview of what is not allowed
-- errors: 4 42PA1, 1 42501
SELECT * FROM privacct.preview('SELECT name FROM care.stay');
SELECT * FROM privacct.preview('SELECT bit_or(cost) FROM care.stay');
SELECT * FROM privacct.preview('DELETE FROM den.one');
SELECT * FROM privacct.preview('SELECT 1; SELECT 2');
SET ROLE nobody;
SELECT * FROM privacct.preview('SELECT count(*) FROM care.stay');

-- case: intervals of others
-- charges: 1
-- prints: ^t\n0\n0$
SELECT count(*) >= 0 FROM care.stay;
SET ROLE mate;
SELECT count(*) FROM privacct.intervals();
SELECT count(*) FROM privacct.intervals((SELECT max(charge_id) FROM my_ledger));

-- case: more than what is left
-- errors: 3 53PA2
SET privacct.epsilon = 60000;
SELECT count(*) FROM care.stay;
SELECT count(*) FROM care.stay WHERE ward = 'annex';
SELECT dp_count(cost, 'epsilon=90000') FROM care.stay;

-- case: the last of a budget by pieces
-- errors: 1 53PA2
-- charges: 2
-- prints: ^t\nt\n(?s:.*)mate$
SET ROLE mate;
SET privacct.epsilon = 4;
SELECT count(*) >= 0 FROM care.reading;
SELECT count(*) >= 0 FROM care.reading;
SELECT count(*) >= 0 FROM care.reading;
SELECT role FROM my_budget WHERE relation = 'care.reading'::regclass AND epsilon_left = 2;
RESET ROLE;

-- case: tiny epsilons do not round to nothing
-- charges: 3
-- prints: paid
SET privacct.epsilon = 1e-6;
SELECT count(*) IS NULL FROM care.stay;
SELECT dp_count(cost, 'epsilon=1e-6'), dp_sum(cost, 0, 1, 'epsilon=1e-6') IS NULL FROM care.stay \g /dev/null
SELECT dp_avg(cost, 0, 1, 'epsilon=1e-6') IS NULL FROM care.stay;
SELECT CASE WHEN min(epsilon) < 1e-6 THEN 'BREACH: free' ELSE 'paid' END FROM (SELECT epsilon FROM my_ledger ORDER BY charge_id DESC LIMIT 3) l;
