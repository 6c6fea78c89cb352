-- Tables that share a history have a budget each only where somebody was told so.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir '/sql/include/trying.psql'
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE SCHEMA kin;
CREATE ROLE regress_kin_asker;
GRANT USAGE ON SCHEMA kin TO regress_kin_asker;
SET search_path = kin, privacct;
CREATE FUNCTION ask(relation regclass, epsilon numeric) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	n numeric;
BEGIN
	PERFORM set_config('privacct.epsilon', epsilon::text, true);
	SET LOCAL ROLE regress_kin_asker;
	EXECUTE format('SELECT count(*) FROM %s', relation) INTO n;
	RESET ROLE;
	RETURN 'answered';
EXCEPTION WHEN OTHERS THEN
	RESET ROLE;
	RETURN SQLSTATE || ' ' || SQLERRM;
END
$$;
\ir :helpers
CREATE FUNCTION protect_it(relation regclass, more text DEFAULT '', owner text DEFAULT 'person', quota numeric DEFAULT 1) RETURNS text LANGUAGE sql AS $$
	SELECT try(format('SELECT privacct.protect(%1$L, %3$L, epsilon => 1, min_epsilon => 1e-6 %2$s); SELECT privacct.grant_budget(%1$L, ''regress_kin_asker'', %4$s, 1e-7)', relation, more, owner, quota))
$$;

-- a partition that leaves is asked about, although what was spent on it is carried over
CREATE TABLE pt (part int NOT NULL, person int NOT NULL) PARTITION BY LIST (part);
CREATE TABLE pt_1 PARTITION OF pt FOR VALUES IN (1);
CREATE TABLE pt_2 PARTITION OF pt FOR VALUES IN (2);
CREATE TABLE pt_3 PARTITION OF pt FOR VALUES IN (3);
INSERT INTO pt SELECT p, i FROM generate_series(1, 3) p, generate_series(1, 100) i;
SELECT protect_it('pt');
SELECT ask('pt', 0.1);
ALTER TABLE pt DETACH PARTITION pt_1;
SELECT protect_it('pt_1');
SELECT protect_it('pt_1', $$, inherits => 'kin.pt'$$);
-- whatever its columns are
ALTER TABLE pt DETACH PARTITION pt_2;
ALTER TABLE pt_2 RENAME part TO half;
ALTER TABLE pt_2 RENAME TO second;
SELECT protect_it('second');
SELECT protect_it('second', ', fresh => true');
-- it was said, and is not asked again, whichever of them is renewed, and in whatever order
BEGIN;
SELECT unprotect('second'), protect_it('second');
SELECT unprotect('pt'), protect_it('pt');
SELECT unprotect('second'), protect_it('second');
SELECT unprotect('pt_1'), protect_it('pt_1');
SELECT unprotect('pt'), protect_it('pt');
ROLLBACK;
SELECT problem FROM check_books();

-- a root that is gone, before and after it was asked
CREATE TABLE root (part int NOT NULL, person int NOT NULL, root int) PARTITION BY LIST (part);
CREATE TABLE root_1 PARTITION OF root FOR VALUES IN (1);
CREATE TABLE root_2 PARTITION OF root FOR VALUES IN (2);
SELECT protect_it('root');
BEGIN;
SELECT unprotect('root');
ALTER TABLE root DETACH PARTITION root_1;
ALTER TABLE root DETACH PARTITION root_2;
DROP TABLE root;
ALTER TABLE root_1 ADD one int;
ALTER TABLE root_2 ADD two int;
SELECT protect_it('root_1');
SELECT protect_it('root_2');
ROLLBACK;
SELECT ask('root', 0.001);
SELECT unprotect('root');
ALTER TABLE root DETACH PARTITION root_1;
ALTER TABLE root DETACH PARTITION root_2;
DROP TABLE root;
SELECT protect_it('root_1');
SELECT protect_it('root_2');

-- tables that leave a unit
CREATE TABLE member (id int PRIMARY KEY);
CREATE TABLE purchase (member_id int NOT NULL REFERENCES member, price int);
CREATE TABLE visit (member_id int NOT NULL REFERENCES member, day int);
INSERT INTO member SELECT generate_series(1, 100);
SELECT create_unit('shop', epsilon => 1) > 0 AS made;
SELECT protect('member', 'id', unit => 'shop') > 0, protect('purchase', 'member_id', unit => 'shop') > 0, protect('visit', 'member_id', unit => 'shop') > 0;
SELECT grant_budget('member', 'regress_kin_asker', 1, 1e-7);
SELECT ask('member', 0.1);
SELECT unprotect('purchase');
SELECT protect_it('purchase', owner => 'member_id');
SELECT protect_it('purchase', $$, inherits => 'kin.member, kin.visit'$$, 'member_id');
SELECT unprotect('visit'), create_unit('shop_2', epsilon => 1) > 0;
SELECT try($$SELECT protect('visit', 'member_id', unit => 'shop_2')$$);
CREATE TABLE parcel (member_id int NOT NULL, weight int);
SELECT protect('parcel', 'member_id', unit => 'shop') > 0, unprotect('parcel');
SELECT try($$SELECT protect('parcel', 'member_id', unit => 'shop_2')$$);
-- back into it, without a question
SELECT try($$SELECT protect('visit', 'member_id', unit => 'shop')$$);

-- fresh says what it leaves out, also what was not asked about
CREATE TABLE stay (stay int NOT NULL, patient int NOT NULL);
INSERT INTO stay SELECT i, i % 50 FROM generate_series(1, 100) i;
CREATE TABLE stay_old AS SELECT * FROM stay;
ALTER TABLE stay_old ALTER patient SET NOT NULL;
SELECT protect_it('stay', owner => 'stay');
SELECT ask('stay', 0.1);
SELECT protect_it('stay_old', ', fresh => true', 'patient');
SELECT ask('stay_old', 1);
SELECT unprotect('stay'), unprotect('stay_old'), create_unit('hospital', epsilon => 1) > 0;
SELECT try($$SELECT protect('stay', 'patient', unit => 'hospital')$$);
SELECT try($$SELECT protect('stay', 'patient', unit => 'hospital', fresh => true)$$);

-- what roles have spent goes with the totals: over a partition, over another table, into a unit and out of it
CREATE FUNCTION quota_of(relation regclass) RETURNS text LANGUAGE sql AS $$
	SELECT format('%s in %s releases', trim_scale(a.epsilon), a.releases) FROM policy p
	JOIN account a ON a.policy_id = coalesce(p.unit, p.policy_id) AND a.role = 'regress_kin_asker'::regrole
	WHERE p.relation = quota_of.relation AND p.closed_at IS NULL
$$;
CREATE TABLE q (part int NOT NULL, person int NOT NULL, q int) PARTITION BY LIST (part);
CREATE TABLE q_1 PARTITION OF q FOR VALUES IN (1);
CREATE TABLE q_2 PARTITION OF q FOR VALUES IN (2);
SELECT try($$SELECT protect('q', 'person', epsilon => 100, min_epsilon => 1e-6)$$);
SELECT grant_budget('q', 'regress_kin_asker', 1, 1e-7);
SELECT ask('q', 1), ask('q', 0.1);
ALTER TABLE q DETACH PARTITION q_1;
SELECT try($$SELECT protect('q_1', 'person', epsilon => 100, inherits => 'kin.q')$$);
BEGIN;
SELECT unprotect('q'), unprotect('q_1');
ALTER TABLE q ATTACH PARTITION q_1 FOR VALUES IN (1);
SELECT try($$SELECT protect('q', 'person', epsilon => 100, min_epsilon => 1e-6)$$);
SELECT grant_budget('q', 'regress_kin_asker', 1.5, 1e-7);
COMMIT;
SELECT ask('q', 1), ask('q', 0.5), quota_of('q');
CREATE TABLE q_new (person int NOT NULL);
SELECT try($$SELECT protect('q_new', 'person', epsilon => 100, min_epsilon => 1e-6, inherits => 'kin.q')$$);
SELECT grant_budget('q_new', 'regress_kin_asker', 2, 1e-7);
SELECT ask('q_new', 1), ask('q_new', 0.5), quota_of('q_new');
SELECT create_unit('queue', epsilon => 100) > 0 AS made;
SELECT unprotect('q_new'), try($$SELECT protect('q_new', 'person', unit => 'queue', inherits => 'kin.q')$$);
SELECT unprotect('q'), try($$SELECT protect('q', 'person', unit => 'queue')$$);
SELECT grant_budget('q', 'regress_kin_asker', 2, 1e-7);
SELECT ask('q', 0.1), quota_of('q');
SELECT unprotect('q'), try($$SELECT protect('q', 'person', epsilon => 100, fresh => true)$$);
SELECT grant_budget('q', 'regress_kin_asker', 2, 1e-7);
SELECT ask('q', 0.1), quota_of('q');
-- not more than was spent while the partition was there, also if more was asked later
SELECT grant_budget('pt', 'regress_kin_asker', 1, 1e-7);
ALTER TABLE pt DETACH PARTITION pt_3;
SELECT ask('pt', 0.3);
SELECT protect_it('pt_3', ', fresh => true'), quota_of('pt_3'), quota_of('pt');

-- a unit that gets by another table what the first one took with it, and more: neither history stands for the other
CREATE TABLE ring (person int NOT NULL, ring int);
CREATE TABLE finger (person int NOT NULL, finger int);
SELECT create_unit('rings', epsilon => 1) > 0 AS made;
SELECT protect('ring', 'person', unit => 'rings') > 0 AS protected, grant_budget('rings', 'regress_kin_asker', 1, 1e-7);
SELECT ask('ring', 0.125);
SELECT unprotect('ring'), protect_it('ring');
SELECT ask('ring', 0.25);
SELECT unprotect('ring');
SELECT protect('finger', 'person', unit => 'rings', inherits => 'kin.ring') > 0 AS protected;
SELECT trim_scale(a.epsilon) AS epsilon FROM account a JOIN policy p ON p.policy_id = a.policy_id WHERE p.name = 'rings' AND a.role = 0::regrole;
CREATE TABLE box (person int NOT NULL, ring int) PARTITION BY LIST (ring);
SELECT protect_it('box', ', fresh => true');
SELECT try('ALTER TABLE box ATTACH PARTITION ring DEFAULT');
SELECT protect_it('ring', ', fresh => true');
SELECT trim_scale(epsilon_spent) AS epsilon FROM odometer WHERE relation = 'ring'::regclass AND open;
SELECT unprotect(t) FROM unnest('{ring,box,finger}'::regclass[]) t \g /dev/null

-- what a unit holds for a table of the local regime is not asked about, however often its owners were asked
CREATE FUNCTION ask_owners(times int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	n numeric;
BEGIN
	PERFORM set_config('privacct.epsilon', '0.25', true);
	SET LOCAL ROLE regress_kin_asker;
	FOR i IN 1 .. times LOOP
		SELECT privacct.ldp_count(yes) INTO n FROM poll;
	END LOOP;
	RESET ROLE;
	RETURN 'answered';
END
$$;
CREATE SCHEMA kin2;
CREATE TABLE poll (id int PRIMARY KEY, yes boolean NOT NULL);
INSERT INTO poll SELECT i, i % 2 = 0 FROM generate_series(1, 20) i;
CREATE TABLE kin2.poll (id int NOT NULL, half int);
SELECT create_unit('club', epsilon => 4) > 0 AS made;
SELECT protect('poll', 'id', regime => 'local', epsilon => 1, unit => 'club') > 0 AS protected, set_domain('poll', 'yes', ARRAY[false, true]), grant_budget('poll', 'regress_kin_asker', 100);
SELECT ask_owners(3);
SELECT unprotect('poll');
BEGIN;
SELECT try($$SELECT protect('kin2.poll', 'id', unit => 'club')$$);
ROLLBACK;
-- nor where the table starts from what it lost before the unit held it; elsewhere it is
SELECT protect('poll', 'id', regime => 'local', epsilon => 2) > 0 AS protected, set_domain('poll', 'yes', ARRAY[false, true]), grant_budget('poll', 'regress_kin_asker', 100);
SELECT ask_owners(2);
SELECT unprotect('poll');
SELECT try($$SELECT protect('kin2.poll', 'id', unit => 'club')$$);
SELECT protect('poll', 'id', regime => 'local', epsilon => 2, unit => 'club') > 0 AS protected, unprotect('poll');
SELECT try($$SELECT protect('kin2.poll', 'id', epsilon => 1)$$);
SELECT try($$SELECT protect('kin2.poll', 'id', unit => 'club')$$);
DROP SCHEMA kin2 CASCADE;

-- by the mark a table is known again that is restored without its books
REVOKE ALL ON q, q_new FROM privacct_reader;
GRANT REFERENCES ON q, q_new TO privacct_reader;
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM privacct_reader;
SELECT unprotect('pt_3');
REVOKE SELECT ON pt_3 FROM privacct_reader;

SELECT problem, detail FROM check_books();
SET client_min_messages = error;
SET privacct.allow_drop_extension = on;
DROP EXTENSION privacct;
DROP SCHEMA kin CASCADE;
DROP ROLE regress_kin_asker;
