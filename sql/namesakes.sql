-- Whoever protects a table that looks like another, or that was protected in other books, says what it is.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir '/sql/include/trying.psql'
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
\getenv abs_srcdir PG_ABS_SRCDIR
\set tampered :abs_srcdir '/sql/include/tampered.psql'
\i :tampered
CREATE SCHEMA nk;
CREATE SCHEMA nk2;
CREATE ROLE regress_nk_asker;
CREATE ROLE regress_nk_other;
GRANT USAGE ON SCHEMA nk, nk2 TO regress_nk_asker;
SET search_path = nk, privacct;
SET privacct.epsilon = 1;
CREATE FUNCTION ask(relation regclass) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	n numeric;
BEGIN
	SET LOCAL ROLE regress_nk_asker;
	EXECUTE format('SELECT count(*) FROM %s', relation) INTO n;
	RESET ROLE;
	RETURN 'answered';
EXCEPTION WHEN OTHERS THEN
	RESET ROLE;
	RETURN SQLSTATE || ' ' || SQLERRM;
END
$$;
\ir :helpers
CREATE FUNCTION protect_it(relation regclass, more text DEFAULT '') RETURNS text LANGUAGE sql AS $$
	SELECT try(format('SELECT privacct.protect(%1$L, ''person'', epsilon => 1 %2$s); SELECT privacct.grant_budget(%1$L, ''regress_nk_asker'', 1, 1e-7)', relation, more))
$$;

-- a copy that is protected before the first charge
CREATE TABLE v1 (person int NOT NULL, a int);
INSERT INTO v1 SELECT i, i FROM generate_series(1, 50) i;
SELECT protect_it('v1');
CREATE TABLE v2 AS SELECT * FROM v1;
ALTER TABLE v2 ALTER person SET NOT NULL;
SELECT protect_it('v2');
SET client_min_messages = notice;
SELECT protect_it('v2', $$, inherits => 'v1'$$);
SET client_min_messages = warning;
-- not asked again, in either direction, until one has spent
BEGIN;
SELECT unprotect('v2'), protect_it('v2');
SELECT unprotect('v1'), protect_it('v1');
COMMIT;
SELECT ask('v1');
SELECT unprotect('v2'), protect_it('v2');
SELECT protect_it('v2', ', fresh => true');
SELECT detail FROM ledger WHERE detail ? 'fresh' ORDER BY charge_id;
BEGIN;
SELECT unprotect('v1'), protect_it('v1');
COMMIT;
-- whoever owns it
CREATE TABLE v3 AS SELECT * FROM v1;
ALTER TABLE v3 ALTER person SET NOT NULL;
ALTER TABLE v3 OWNER TO regress_nk_other;
SELECT protect_it('v3');

-- the same name in another schema, whatever columns and owner it has
CREATE TABLE nk2.v1 (person int NOT NULL, a int, b int);
SELECT protect_it('nk2.v1');
ALTER TABLE nk2.v1 OWNER TO regress_nk_other;
SELECT protect_it('nk2.v1');
DROP TABLE nk2.v1;
CREATE TABLE nk2."V.1" (person int NOT NULL, v_1 int);
SELECT protect_it('nk2."V.1"');
CREATE TABLE "V.1" (person int NOT NULL, other int);
SELECT protect_it('"V.1"'), protect_it('"V.1"', ', fresh => true');
-- also if it gets it later
CREATE TABLE nk2.w (person int NOT NULL, w int);
SELECT protect_it('nk2.w');
SELECT try('ALTER TABLE nk2.w RENAME TO v1');
SELECT try('ALTER TABLE nk2.w RENAME TO v2');
-- names that were asked about stay what they are
SELECT try('ALTER SCHEMA nk2 RENAME TO nk3'), try('ALTER SCHEMA nk3 RENAME TO nk2');

-- a table that comes under a policy
CREATE TABLE big (person int NOT NULL, a int, extra int) PARTITION BY RANGE (extra);
SELECT protect_it('big');
CREATE TABLE nk2.v1 (person int NOT NULL, a int, extra int);
SELECT try('ALTER TABLE big ATTACH PARTITION nk2.v1 FOR VALUES FROM (0) TO (10)');
CREATE TABLE small (person int NOT NULL);
SELECT protect_it('small');
CREATE TABLE below (person int NOT NULL, a int);
SELECT try('ALTER TABLE below INHERIT small');
SELECT try('CREATE TABLE below_2 (a int) INHERITS (small)');
BEGIN;
SELECT unprotect('small');
ALTER TABLE below INHERIT small;
SELECT protect_it('small');
SELECT protect_it('small', ', fresh => true');
COMMIT;
-- the next one with the same columns is not asked about
SELECT try('CREATE TABLE below_2 (a int) INHERITS (small)');

-- rolling partitions are not asked about: neither of one table, nor of two that are alike
CREATE TABLE log (day int NOT NULL, person int NOT NULL) PARTITION BY RANGE (day);
CREATE TABLE log_1 PARTITION OF log FOR VALUES FROM (1) TO (2);
CREATE TABLE nk2.log (day int NOT NULL, person int NOT NULL) PARTITION BY RANGE (day);
CREATE TABLE nk2.log_1 PARTITION OF nk2.log FOR VALUES FROM (1) TO (2);
INSERT INTO log SELECT 1, i FROM generate_series(1, 50) i;
INSERT INTO nk2.log SELECT 1, i FROM generate_series(1, 50) i;
SELECT protect_it('log'), protect_it('nk2.log', ', fresh => true');
SELECT ask('log');
SELECT i, try(format('CREATE TABLE %2$slog_%1$s PARTITION OF %2$slog FOR VALUES FROM (%1$s) TO (%1$s + 1)', i, s)),
	try(format('ALTER TABLE %2$slog DETACH PARTITION %2$slog_%1$s', i - 1, s)), try(format('DROP TABLE %2$slog_%1$s', i - 1, s))
FROM generate_series(2, 4) i, unnest(ARRAY['', 'nk2.']) s;
SELECT try('ALTER TABLE nk2.log DETACH PARTITION nk2.log_4'), try('ALTER TABLE nk2.log ATTACH PARTITION nk2.log_4 FOR VALUES FROM (4) TO (5)');
-- a name that another table has, and no other of theirs, is
CREATE TABLE nk2.v2 (day int NOT NULL, person int NOT NULL);
SELECT try('ALTER TABLE nk2.log ATTACH PARTITION nk2.v2 FOR VALUES FROM (8) TO (9)');
SELECT * FROM pg_temp.check_tampered();

-- tables that were protected in other books: everything that ever was, and nothing else
CREATE TABLE parted (person int NOT NULL, day int) PARTITION BY RANGE (day);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (1) TO (2);
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES FROM (2) TO (3) PARTITION BY RANGE (day);
SELECT protect_it('parted', ', fresh => true');
CREATE TABLE parted_21 PARTITION OF parted_2 FOR VALUES FROM (2) TO (3);
CREATE TABLE parted_3 PARTITION OF parted FOR VALUES FROM (3) TO (4);
ALTER TABLE parted DETACH PARTITION parted_1;
CREATE TABLE parted_late (person int NOT NULL, day int);
ALTER TABLE parted ATTACH PARTITION parted_late FOR VALUES FROM (5) TO (6);
CREATE TABLE closed (person int NOT NULL, closed int);
SELECT protect_it('closed'), unprotect('closed');
CREATE TABLE entries (person int NOT NULL, hour int NOT NULL, place text NOT NULL, PRIMARY KEY (person, hour));
INSERT INTO entries VALUES (1, 1, 'a');
SELECT protect_entries('entries', 'person', '{hour}', 'place', chain_prior(ARRAY['a', 'b'], '{{.7,.3},{.3,.7}}'), max_entries => 6) > 0 AS protected;
-- whoever calls what protect() calls, by hand, is asked as well
CREATE TABLE nk2.entries (LIKE entries INCLUDING ALL);
CREATE FUNCTION by_hand(called regprocedure) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	given jsonb := jsonb_build_object('caller', format('%L::regrole', session_user), 'relation', $q$'nk2.entries'::regclass$q$, 'owner', $q$'person'$q$, 'epsilon', '1', 'delta', '1e-6',
		'accountant', $q$'basic'$q$, 'regime', $q$'central'$q$, 'min_owners', '1', 'sample_rate', '1', 'workers', '0',
		'max_groups_contributed', '1', 'max_rows_contributed', '1', 'caps', $q$(SELECT c FROM privacct._caps('basic', 1, 1e-6) c)$q$,
		'order_by', $q$'{hour}'$q$, 'entry', $q$'place'$q$, 'priors', $q$privacct.chain_prior(ARRAY['a', 'b'], '{{.7,.3},{.3,.7}}')$q$, 'epsilon_pufferfish', '1',
		'delta_pufferfish', '0', 'max_entries', '6', 'max_b', '300');
BEGIN
	RETURN left(try((SELECT format('SELECT privacct.%I(%s)', f.proname, string_agg(coalesce(given ->> a.name, 'NULL'), ', ' ORDER BY a.number))
		FROM pg_proc f CROSS JOIN LATERAL unnest(f.proargnames) WITH ORDINALITY a(name, number) WHERE f.oid = called GROUP BY f.proname)), 80);
END
$$;
SELECT f.proname, f.pronargs, by_hand(f.oid) FROM pg_proc f
WHERE f.pronamespace = 'privacct'::regnamespace AND (f.proname IN ('_protect', '_protect_entries') OR f.prosrc ~* 'insert\s+into\s+privacct\.policy\M') ORDER BY 1, 2;
CREATE TABLE never (person int NOT NULL, never int);
CREATE TABLE asked AS SELECT DISTINCT relation::oid, relation_name FROM history WHERE relation <> 0;
SET privacct.allow_drop_extension = on;
SET client_min_messages = error;
DROP EXTENSION privacct;
CREATE EXTENSION privacct;
SET client_min_messages = warning;
SELECT relation_name AS differs FROM asked FULL JOIN (SELECT relation AS relation_name FROM pg_temp.check_tampered() WHERE problem = 'the table was protected in other books') found USING (relation_name)
WHERE asked IS NULL OR found IS NULL;
SELECT detail, remedy FROM pg_temp.check_tampered() WHERE relation = 'nk.closed';
SELECT protect_it('parted_1');
-- so is, without one, every table that is not in these books
SELECT left(protect_it('never'), 80);
DO $$ BEGIN SET LOCAL client_min_messages = error; PERFORM accept_books(); END $$;
SELECT protect_it('parted_1', ', fresh => true');
SELECT left(protect_it('closed'), 80), left(protect_it('parted'), 80), left(protect_it('parted_21'), 80), protect_it('never');
SELECT left(try($$SELECT protect_entries('entries', 'person', '{hour}', 'place', chain_prior(ARRAY['a', 'b'], '{{.7,.3},{.3,.7}}'), max_entries => 6)$$), 80);
SELECT protect_it('closed', $$, inherits => 'parted_1'$$);
CREATE TABLE whole (person int NOT NULL, day int) PARTITION BY RANGE (day);
SELECT protect_it('whole', ', fresh => true');
ALTER TABLE parted DETACH PARTITION parted_3;
SELECT try('ALTER TABLE whole ATTACH PARTITION parted_3 FOR VALUES FROM (3) TO (4)');
-- the mark opens nothing, and is no grant to others
SELECT has_table_privilege('privacct_reader', 'parted_3', 'SELECT') AS readable, has_table_privilege('privacct_reader', 'closed', 'REFERENCES') AS marked;
SELECT unprotect('closed');
SELECT has_table_privilege('privacct_reader', 'closed', 'SELECT') AS readable, has_table_privilege('privacct_reader', 'closed', 'REFERENCES') AS marked;

-- who starts from a table that is still protected has said what there is to say
CREATE TABLE moved (person int PRIMARY KEY, moved_on date);
SELECT protect_it('moved');
ALTER TABLE moved RENAME TO moved_old;
CREATE TABLE moved (LIKE moved_old INCLUDING ALL);
SELECT protect_it('moved', ', inherits => ''nk.moved_old''');
SELECT problem FROM pg_temp.check_tampered() WHERE relation LIKE '%moved%';

-- many that look alike: asked about in few words, and looked at together, not each by functions of its own
CREATE TABLE alike (person int PRIMARY KEY, alike int);
SELECT protect('alike', 'person') > 0 AS alike;
CREATE TEMP TABLE one_policy AS SELECT * FROM policy ORDER BY policy_id DESC LIMIT 1;
SET privacct.write_books = on;
INSERT INTO history SELECT (jsonb_populate_record(h, jsonb_build_object('policy_id', -i, 'relation', '0', 'relation_name', 'nk.alike_' || i, 'names', ARRAY['nk.alike_' || i], 'left_at', now(),
	'epsilon', 1, 'delta', 0, 'rho', 0.5, 'releases', 1, 'spared_epsilon', 0, 'spared_delta', 0))).* FROM history h JOIN one_policy USING (policy_id), generate_series(101, 130) i;
RESET privacct.write_books;
CREATE TABLE unlike (person int PRIMARY KEY, alike int);
SELECT protect_it('unlike');
CREATE FUNCTION calls(statement text) RETURNS TABLE (name name, calls numeric) LANGUAGE plpgsql SET track_functions = 'all' AS $$
BEGIN
	CREATE TEMP TABLE before AS SELECT f.funcname, sum(f.calls) AS calls FROM pg_stat_xact_user_functions f GROUP BY 1;
	EXECUTE statement;
	RETURN QUERY SELECT f.funcname, sum(f.calls) - coalesce(max(b.calls), 0) FROM pg_stat_xact_user_functions f LEFT JOIN before b USING (funcname) GROUP BY 1;
	DROP TABLE before;
END
$$;
CREATE TABLE single (person int PRIMARY KEY, single int);
SELECT a.name FROM calls($$SELECT privacct.protect('unlike', 'person', fresh => true)$$) a LEFT JOIN calls($$SELECT privacct.protect('single', 'person', fresh => true)$$) b USING (name)
WHERE a.calls - coalesce(b.calls, 0) >= 30;
SELECT unprotect('unlike'), protect('unlike', 'person') > 0 AS settled;
DROP TABLE one_policy;

-- books of two databases in one
SELECT count(*) FROM identity;
INSERT INTO identity SELECT gen_random_uuid(), encoding, made_at FROM identity;
SELECT ask('parted_1');
SELECT left(protect_it('closed', ', fresh => true'), 80), left(try($$SELECT repair_books('parted_1')$$), 80), left(try('SELECT accept_books()'), 80);
SELECT problem, regexp_replace(detail, '[0-9a-f-]{36}', 'N', 'g') AS detail, remedy FROM pg_temp.check_tampered() WHERE relation IS NULL;

SET client_min_messages = error;
DROP EXTENSION privacct;
DROP SCHEMA nk, nk2 CASCADE;
DROP ROLE regress_nk_asker, regress_nk_other;
