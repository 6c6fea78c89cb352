-- Who a row belongs to is what the books rest on as long as they know of the table: whatever changes it is refused,
-- warned of, or makes that the table cannot be protected again as if nothing had happened.
\set SHOW_CONTEXT never
\set VERBOSITY terse
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_wr_analyst;
CREATE SCHEMA wr;
GRANT USAGE ON SCHEMA wr TO regress_wr_analyst;
SET search_path = wr, privacct;
CREATE FUNCTION ask(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	n numeric;
BEGIN
	SET LOCAL ROLE regress_wr_analyst;
	EXECUTE query INTO n;
	RESET ROLE;
	RETURN 'answered';
END
$$;
-- what happens and what is said, and nothing of it stays
CREATE FUNCTION attempt(VARIADIC statements text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	statement text;
BEGIN
	RAISE INFO '%', array_to_string(statements, '; ');
	FOREACH statement IN ARRAY statements LOOP
		EXECUTE statement;
	END LOOP;
	RAISE SQLSTATE 'WR000';
EXCEPTION
	WHEN SQLSTATE 'WR000' THEN
		RAISE INFO '-- done';
	WHEN OTHERS THEN
		RAISE INFO '-- refused: %', SQLERRM;
END
$$;

-- a unit in which notes belong to lines, these to purchases, and these to members
CREATE TABLE member (mid int PRIMARY KEY, seg text);
CREATE TABLE purchase (id int PRIMARY KEY, alt int UNIQUE NOT NULL, mid int NOT NULL REFERENCES member);
CREATE TABLE line (lid int PRIMARY KEY, other int UNIQUE NOT NULL, pid int NOT NULL CONSTRAINT fk_line REFERENCES purchase (id));
CREATE TABLE note (nid int PRIMARY KEY, lid int NOT NULL CONSTRAINT fk_note REFERENCES line (lid), body text);
CREATE TABLE part (nid int, pid int NOT NULL CONSTRAINT fk_part REFERENCES purchase (id), v int) PARTITION BY LIST (v);
CREATE TABLE part1 PARTITION OF part FOR VALUES IN (1);
CREATE TABLE cut (id int PRIMARY KEY, mid int NOT NULL REFERENCES member, v int) PARTITION BY RANGE (id);
CREATE TABLE cut1 PARTITION OF cut FOR VALUES FROM (0) TO (1000);
CREATE TABLE slip (pid int NOT NULL CONSTRAINT fk_slip REFERENCES cut);
INSERT INTO member SELECT i, 'a' FROM generate_series(1, 20) i;
INSERT INTO purchase SELECT i, 21 - i, i FROM generate_series(1, 20) i;
INSERT INTO line SELECT i, 21 - i, i FROM generate_series(1, 20) i;
INSERT INTO note SELECT i, i FROM generate_series(1, 20) i;
INSERT INTO part SELECT i, i, 1 FROM generate_series(1, 20) i;
INSERT INTO cut SELECT i, i FROM generate_series(1, 20) i;
INSERT INTO slip SELECT i FROM generate_series(1, 20) i;
SELECT create_unit('wr_shop', epsilon => 20) > 0 AS unit, protect('member', 'mid', unit => 'wr_shop') > 0 AS member, protect('purchase', 'mid', unit => 'wr_shop') > 0 AS purchase,
	protect('line', 'pid', max_groups_contributed => 1, max_rows_contributed => 1, unit => 'wr_shop') > 0 AS line, protect('note', 'lid', unit => 'wr_shop') > 0 AS note, protect('part', 'pid', unit => 'wr_shop') > 0 AS part,
	protect('cut', 'mid', unit => 'wr_shop') > 0 AS cut, protect('slip', 'pid', unit => 'wr_shop') > 0 AS slip, grant_budget('wr_shop', 'regress_wr_analyst', 20);
-- tables that are units of their own
CREATE TABLE visit (vid int PRIMARY KEY, person int NOT NULL, v int);
CREATE TABLE tree (person int NOT NULL, v int, cost int) PARTITION BY LIST (v);
CREATE TABLE tree1 PARTITION OF tree FOR VALUES IN (1);
CREATE TABLE kin (person int NOT NULL, v int);
CREATE TABLE kin1 () INHERITS (kin);
CREATE TABLE vote (person int PRIMARY KEY, yes boolean NOT NULL);
CREATE TABLE walk (person int NOT NULL, hour int NOT NULL, place text NOT NULL, UNIQUE (person, hour));
INSERT INTO visit SELECT i, i, 1 FROM generate_series(1, 20) i;
INSERT INTO tree SELECT i, 1 FROM generate_series(1, 20) i;
INSERT INTO kin1 SELECT i, 1 FROM generate_series(1, 20) i;
SELECT protect(t, 'person', fresh => true) > 0 AS ok, grant_budget(t, 'regress_wr_analyst', 1) FROM unnest('{visit,tree,kin}'::regclass[]) t;
SELECT protect('vote', 'person', regime => 'local', fresh => true) > 0 AS vote,
	protect_entries('walk', 'person', '{hour}', 'place', chain_prior('{x,y}'::text[], '{{.7,.3},{.3,.7}}'), fresh => true) > 0 AS walk;
SET privacct.epsilon = 1;
SELECT t, ask('SELECT count(*) FROM ' || t) FROM unnest('{member,purchase,line,note,part,cut,slip}'::text[]) t;
SET privacct.epsilon = 0.5;
SELECT t, ask('SELECT count(*) FROM ' || t) FROM unnest('{visit,tree,kin}'::text[]) t;

-- what tells owners, each in every way: while the table is protected, and between two policies
CREATE TABLE thing (n serial PRIMARY KEY, relation text, column_name text, key text, renewal text, closing text[]);
INSERT INTO thing (relation, column_name, key, closing, renewal) VALUES
	('visit', 'person', 'vid', '{visit}', 'SELECT protect(''visit'', ''person'')'),
	('note', 'lid', 'nid', '{note}', 'SELECT protect(''note'', ''lid'', unit => ''wr_shop'')'),
	('line', 'lid', 'lid', '{note,line}', 'SELECT protect(''line'', ''pid'', unit => ''wr_shop''), protect(''note'', ''lid'', unit => ''wr_shop'')'),
	('line', 'pid', 'lid', '{note,line}', 'SELECT protect(''line'', ''pid'', unit => ''wr_shop''), protect(''note'', ''lid'', unit => ''wr_shop'')'),
	('purchase', 'id', 'id', '{note,line,part}', 'SELECT protect(''line'', ''pid'', unit => ''wr_shop''), protect(''note'', ''lid'', unit => ''wr_shop'')'),
	('purchase', 'mid', 'id', '{note,line,part,purchase}', 'SELECT protect(''purchase'', ''mid'', unit => ''wr_shop''), protect(''line'', ''pid'', unit => ''wr_shop''), protect(''note'', ''lid'', unit => ''wr_shop'')'),
	('purchase', 'alt', 'id', '{}', 'SELECT 1');		-- no row is found by it
CREATE TABLE way (n serial, statement text);
INSERT INTO way (statement) VALUES ('UPDATE %1$I SET %2$I = %2$I'),
	('INSERT INTO %1$I SELECT * FROM %1$I LIMIT 1 ON CONFLICT (%3$I) DO UPDATE SET %2$I = excluded.%2$I'),
	('MERGE INTO %1$I t USING (VALUES (1)) s(x) ON t.%3$I = s.x WHEN MATCHED THEN UPDATE SET %2$I = t.%2$I'),
	('WITH changed AS (UPDATE %1$I SET %2$I = %2$I RETURNING %2$I) SELECT * FROM changed'),
	('CREATE VIEW %1$s_view AS SELECT * FROM %1$I'),
	('UPDATE %1$s_view SET %2$I = %2$I'),
	('ALTER TABLE %1$I ALTER %2$I TYPE int USING 21 - %2$I');
DO $$
DECLARE
	one record;
	closing text[];
BEGIN
	FOR one IN SELECT t.*, array_agg(format(w.statement, t.relation, t.column_name, t.key) ORDER BY w.n) AS changes
		FROM thing t CROSS JOIN way w GROUP BY t.n, w.statement ~ '^ALTER' ORDER BY t.n, w.statement ~ '^ALTER' LOOP
		PERFORM attempt(VARIADIC one.changes);
		closing := ARRAY(SELECT format('SELECT unprotect(%L)', c) FROM unnest(one.closing) c);
		PERFORM attempt(VARIADIC closing || one.changes || one.renewal) WHERE closing <> '{}';
	END LOOP;
END
$$;

-- while nothing else is protected, or the change was made before
BEGIN;
SELECT unprotect(t) FROM unnest('{note,line,part,slip,cut,purchase,member,visit,tree,kin,vote,walk}'::regclass[]) t \g /dev/null
UPDATE visit SET person = 1;
UPDATE line SET pid = 1;
ROLLBACK;
-- of local tables and entries, where new names are the hint and one name for several is not
SELECT attempt('UPDATE vote SET person = 1', 'SELECT unprotect(''vote'')', 'UPDATE vote SET person = 1');
SELECT attempt('UPDATE walk SET person = 1', 'SELECT unprotect(''walk'')', 'UPDATE walk SET person = 1');

-- partitions, children and parents: below the table, away from it, and above
SELECT attempt('UPDATE tree SET person = 1', 'UPDATE tree1 SET person = 1', 'UPDATE kin1 SET person = 1', 'UPDATE part1 SET pid = 1', 'UPDATE cut1 SET id = id');
CREATE FUNCTION away(change text) RETURNS void LANGUAGE sql AS $$
	SELECT attempt('ALTER TABLE tree DETACH PARTITION tree1', change, 'ALTER TABLE tree ATTACH PARTITION tree1 FOR VALUES IN (1)')
$$;
SELECT away('UPDATE tree1 SET person = 1');
SELECT away('ALTER TABLE tree1 ALTER person TYPE int USING 1');
SELECT away('ALTER TABLE tree1 DROP person, ADD person int NOT NULL DEFAULT 1');
SELECT attempt('ALTER TABLE tree DETACH PARTITION tree1', 'ALTER TABLE tree1 RENAME person TO x', 'UPDATE tree1 SET x = 1', 'ALTER TABLE tree1 RENAME x TO person',
	'ALTER TABLE tree ATTACH PARTITION tree1 FOR VALUES IN (1)');
SELECT attempt('ALTER TABLE tree DETACH PARTITION tree1', 'ALTER TABLE tree1 RENAME person TO x', 'ALTER TABLE tree1 ALTER x TYPE int USING 1', 'ALTER TABLE tree1 RENAME x TO person',
	'ALTER TABLE tree ATTACH PARTITION tree1 FOR VALUES IN (1)');
-- another column has the name by then
SELECT away('ALTER TABLE tree1 RENAME person TO x; ALTER TABLE tree1 RENAME cost TO person; ALTER TABLE tree1 RENAME x TO cost; UPDATE tree1 SET person = 1; ALTER TABLE tree1 ALTER person SET NOT NULL');
SELECT away('ALTER TABLE tree1 RENAME person TO x; ALTER TABLE tree1 ADD person int NOT NULL DEFAULT 1; ALTER TABLE tree1 DROP cost; ALTER TABLE tree1 RENAME x TO cost');
SELECT away('ALTER TABLE tree1 RENAME person TO x; ALTER TABLE tree1 RENAME x TO person');
SELECT attempt('ALTER TABLE tree DETACH PARTITION tree1', 'ALTER TABLE tree RENAME person TO who', 'ALTER TABLE tree1 RENAME person TO who', 'ALTER TABLE tree ATTACH PARTITION tree1 FOR VALUES IN (1)');
-- nor where the policy was renewed meanwhile, which includes what was spent before
CREATE FUNCTION renewed(change text) RETURNS void LANGUAGE sql AS $$
	SELECT attempt('ALTER TABLE tree DETACH PARTITION tree1', 'SELECT unprotect(''tree''), protect(''tree'', ''person'')', change, 'SELECT unprotect(''tree'')',
		'ALTER TABLE tree ATTACH PARTITION tree1 FOR VALUES IN (1)', 'SELECT protect(''tree'', ''person'')')
$$;
SELECT renewed('ALTER TABLE tree1 RENAME person TO x; ALTER TABLE tree1 RENAME cost TO person; ALTER TABLE tree1 RENAME x TO cost; UPDATE tree1 SET person = 1; ALTER TABLE tree1 ALTER person SET NOT NULL');
SELECT renewed('ALTER TABLE tree1 ALTER person TYPE int USING 1');
SELECT renewed('ALTER TABLE tree1 RENAME person TO x; ALTER TABLE tree1 RENAME x TO person');
SELECT attempt('ALTER TABLE kin1 NO INHERIT kin', 'ALTER TABLE kin1 RENAME person TO x', 'ALTER TABLE kin1 RENAME v TO person', 'ALTER TABLE kin1 RENAME x TO v', 'ALTER TABLE kin1 ALTER person SET NOT NULL', 'ALTER TABLE kin1 INHERIT kin');
SELECT attempt('ALTER TABLE part DETACH PARTITION part1', 'ALTER TABLE part1 RENAME pid TO x', 'ALTER TABLE part1 RENAME nid TO pid', 'ALTER TABLE part1 RENAME x TO nid', 'ALTER TABLE part1 ALTER pid SET NOT NULL',
	'ALTER TABLE part ATTACH PARTITION part1 FOR VALUES IN (1)');
SELECT attempt('ALTER TABLE kin1 NO INHERIT kin', 'UPDATE kin1 SET person = 1', 'ALTER TABLE kin1 INHERIT kin');
SELECT attempt('ALTER TABLE kin1 NO INHERIT kin', 'ALTER TABLE kin1 ALTER person TYPE int USING 1', 'ALTER TABLE kin1 INHERIT kin');
SELECT attempt('ALTER TABLE part DETACH PARTITION part1', 'UPDATE part1 SET pid = 1', 'ALTER TABLE part ATTACH PARTITION part1 FOR VALUES IN (1)');
SELECT attempt('ALTER TABLE part DETACH PARTITION part1', 'ALTER TABLE part1 RENAME pid TO x', 'UPDATE part1 SET x = 1', 'ALTER TABLE part1 RENAME x TO pid',
	'ALTER TABLE part ATTACH PARTITION part1 FOR VALUES IN (1)');
SELECT attempt('ALTER TABLE part DETACH PARTITION part1', 'ALTER TABLE part1 ALTER pid TYPE int USING 1', 'ALTER TABLE part ATTACH PARTITION part1 FOR VALUES IN (1)');
CREATE FUNCTION cut_away(VARIADIC changes text[]) RETURNS void LANGUAGE sql AS $$
	SELECT attempt(VARIADIC '{SELECT unprotect(''slip''),ALTER TABLE slip DROP CONSTRAINT fk_slip,ALTER TABLE cut DETACH PARTITION cut1}'::text[] || changes ||
		'{ALTER TABLE cut ATTACH PARTITION cut1 FOR VALUES FROM (0) TO (1000)}'::text[] || 'ALTER TABLE slip ADD FOREIGN KEY (pid) REFERENCES cut'::text ||
		'SELECT protect(''slip'', ''pid'', unit => ''wr_shop'')'::text)
$$;
SELECT cut_away('UPDATE cut1 SET v = 1', 'ALTER TABLE cut1 ALTER v TYPE int USING 2');
SELECT cut_away('UPDATE cut1 SET id = id');
SELECT cut_away('ALTER TABLE cut1 RENAME id TO x', 'UPDATE cut1 SET x = x', 'ALTER TABLE cut1 RENAME x TO id');
SELECT cut_away('ALTER TABLE cut RENAME id TO y', 'ALTER TABLE cut1 RENAME id TO z', 'ALTER TABLE cut1 RENAME z TO y');
SELECT cut_away('ALTER TABLE cut1 ALTER id TYPE int USING 21 - id');
SELECT cut_away('ALTER TABLE cut1 RENAME id TO x', 'ALTER TABLE cut1 ALTER x TYPE int USING 21 - x', 'ALTER TABLE cut1 RENAME x TO id');
SELECT cut_away('ALTER TABLE cut1 DROP id, ADD id serial');
-- of a partitioned table below the root, too, whose partitions leave with it, or it
CREATE TABLE deep (id int PRIMARY KEY, mid int NOT NULL REFERENCES member, v int) PARTITION BY RANGE (id);
CREATE TABLE deep1 PARTITION OF deep FOR VALUES FROM (0) TO (1000) PARTITION BY RANGE (id);
CREATE TABLE deep11 PARTITION OF deep1 FOR VALUES FROM (0) TO (1000);
CREATE TABLE leaf (pid int NOT NULL CONSTRAINT fk_leaf REFERENCES deep1);
SELECT protect('deep', 'mid', unit => 'wr_shop') > 0 AS deep, protect('leaf', 'pid', unit => 'wr_shop') > 0 AS leaf;
CREATE FUNCTION deep_away(above text, below text, VARIADIC changes text[]) RETURNS void LANGUAGE sql AS $$
	SELECT attempt(VARIADIC '{SELECT unprotect(''leaf''),ALTER TABLE leaf DROP CONSTRAINT fk_leaf}'::text[] || format('ALTER TABLE %s DETACH PARTITION %s', above, below) || changes ||
		format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (0) TO (1000)', above, below) || 'ALTER TABLE leaf ADD FOREIGN KEY (pid) REFERENCES deep1'::text ||
		'SELECT protect(''leaf'', ''pid'', unit => ''wr_shop'')'::text)
$$;
CREATE FUNCTION exchange(relation text, a text, b text) RETURNS text[] LANGUAGE sql AS $$
	SELECT ARRAY[format('ALTER TABLE %s RENAME %s TO x', relation, a), format('ALTER TABLE %s RENAME %s TO %s', relation, b, a), format('ALTER TABLE %s RENAME x TO %s', relation, b)]
$$;
CREATE FUNCTION exchange_key(relation text, key_of text) RETURNS text[] LANGUAGE sql AS $$
	SELECT format('UPDATE %s SET v = 21 - id', relation) || exchange(relation, 'id', 'v') || format('ALTER TABLE %s DROP CONSTRAINT %s_pkey', relation, key_of) ||
		format('ALTER TABLE %s ALTER v DROP NOT NULL, ALTER id SET NOT NULL', relation)
$$;
SELECT deep_away('deep1', 'deep11', VARIADIC exchange('deep11', 'id', 'v') || exchange('deep11', 'v', 'id'));
SELECT deep_away('deep1', 'deep11', VARIADIC exchange_key('deep11', 'deep11'));
SELECT deep_away('deep', 'deep1', VARIADIC '{ALTER TABLE deep1 DETACH PARTITION deep11}'::text[] || exchange_key('deep11', 'deep11') || '{ALTER TABLE deep1 ATTACH PARTITION deep11 FOR VALUES FROM (0) TO (1000)}'::text[]);
SELECT deep_away('deep', 'deep1', VARIADIC exchange('deep1', 'id', 'v') || exchange('deep1', 'id', 'v'));
-- nor where it comes back while nothing is protected
SELECT attempt(VARIADIC '{SELECT unprotect(''leaf''),SELECT unprotect(''deep''),ALTER TABLE leaf DROP CONSTRAINT fk_leaf,ALTER TABLE deep1 DETACH PARTITION deep11}'::text[] || exchange_key('deep11', 'deep11') ||
	'{ALTER TABLE deep1 ATTACH PARTITION deep11 FOR VALUES FROM (0) TO (1000)}'::text[] || 'SELECT protect(''deep'', ''mid'', unit => ''wr_shop'')'::text);
-- not where it is no key: by itself it has the owners that it had, and does not get the unit's account by another key
SELECT attempt('SELECT unprotect(''leaf''), unprotect(''deep'')', 'ALTER TABLE leaf DROP CONSTRAINT fk_leaf', 'ALTER TABLE deep DETACH PARTITION deep1', 'ALTER TABLE deep1 DETACH PARTITION deep11',
	'ALTER TABLE deep11 DROP CONSTRAINT deep11_pkey', 'ALTER TABLE deep11 ALTER id TYPE int USING 21 - id', 'SELECT protect(''deep11'', ''mid'', unit => ''wr_shop'')');
-- below the root it is followed, also while nothing is protected
SELECT attempt('SELECT unprotect(''slip''), unprotect(''cut'')', 'ALTER TABLE cut RENAME id TO x', 'ALTER TABLE cut RENAME x TO id',
	'SELECT protect(''cut'', ''mid'', unit => ''wr_shop''), protect(''slip'', ''pid'', unit => ''wr_shop'')');
SELECT cut_away('UPDATE cut1 SET v = 21 - id', 'ALTER TABLE cut1 RENAME id TO x', 'ALTER TABLE cut1 RENAME v TO id', 'ALTER TABLE cut1 RENAME x TO v', 'ALTER TABLE cut1 DROP CONSTRAINT cut1_pkey', 'ALTER TABLE cut1 ALTER v DROP NOT NULL, ALTER id SET NOT NULL');
SELECT attempt('SELECT unprotect(''visit'')', 'CREATE TABLE above (LIKE visit) PARTITION BY LIST (v)', 'ALTER TABLE above ATTACH PARTITION visit FOR VALUES IN (1)',
	'UPDATE above SET person = 1', 'UPDATE above SET v = 1', 'ALTER TABLE above ALTER person TYPE int USING 1', 'SELECT protect(''above'', ''person'')');

-- what a foreign key assigns
SELECT attempt('SELECT unprotect(''note''), unprotect(''line'')', 'ALTER TABLE line DROP CONSTRAINT fk_line, ADD FOREIGN KEY (pid) REFERENCES purchase (id) ON UPDATE CASCADE',
	'DELETE FROM part WHERE pid = 20', 'UPDATE purchase SET id = 100 WHERE id = 20');

-- a path has the key that it had when it was declared
SELECT attempt('ALTER TABLE line ADD CONSTRAINT aa FOREIGN KEY (pid) REFERENCES purchase (alt)', 'ALTER TABLE line DROP CONSTRAINT fk_line');
SELECT attempt('SELECT unprotect(''note''), unprotect(''line'')', 'ALTER TABLE line DROP CONSTRAINT fk_line', 'ALTER TABLE line ADD FOREIGN KEY (pid) REFERENCES purchase (alt)',
	'SELECT protect(''line'', ''pid'', unit => ''wr_shop'')');
SELECT attempt('SELECT unprotect(''note''), unprotect(''line'')', 'ALTER TABLE line DROP CONSTRAINT fk_line', 'ALTER TABLE line ADD FOREIGN KEY (pid) REFERENCES purchase (alt)',
	'SELECT protect(''line'', ''pid'', unit => ''wr_shop'', fresh => true)');
SELECT attempt('SELECT unprotect(''note''), unprotect(''line'')', 'ALTER TABLE line ADD CONSTRAINT aa FOREIGN KEY (pid) REFERENCES purchase (alt)',
	'SELECT protect(''line'', ''pid'', unit => ''wr_shop'')');
SELECT attempt('SELECT unprotect(''note''), unprotect(''line''), unprotect(''part'')', 'ALTER TABLE purchase DROP id CASCADE', 'ALTER TABLE purchase RENAME alt TO id',
	'ALTER TABLE line ADD FOREIGN KEY (pid) REFERENCES purchase (id)', 'SELECT protect(''line'', ''pid'', unit => ''wr_shop'')');
-- both names of columns that change places are followed
SELECT attempt('SELECT unprotect(''note''), unprotect(''line'')', 'ALTER TABLE purchase RENAME id TO x', 'ALTER TABLE purchase RENAME alt TO id', 'ALTER TABLE purchase RENAME x TO alt',
	'SELECT protect(''line'', ''pid'', unit => ''wr_shop'')', 'UPDATE purchase SET id = id', 'UPDATE purchase SET alt = alt');
-- the other way round: each of two columns refers to the other's key
CREATE TABLE pair (a int, b int, mid int NOT NULL REFERENCES member, PRIMARY KEY (a, b));
CREATE TABLE half (a int NOT NULL, b int NOT NULL, CONSTRAINT fk_half FOREIGN KEY (a, b) REFERENCES pair (a, b));
INSERT INTO pair SELECT i, j, i FROM generate_series(1, 5) i, generate_series(1, 5) j;
INSERT INTO half VALUES (1, 2), (1, 3);
SELECT protect('pair', 'mid', unit => 'wr_shop') > 0 AS pair, protect('half', '{b,a}'::name[], unit => 'wr_shop') > 0 AS half;
SELECT relation, path, path_to, path_keys FROM privacct.policy WHERE closed_at IS NULL AND relation::oid IN ('half'::regclass, 'line'::regclass) ORDER BY policy_id;
SELECT attempt('ALTER TABLE half ADD FOREIGN KEY (a, b) REFERENCES pair (b, a)', 'ALTER TABLE half DROP CONSTRAINT fk_half');
SELECT attempt('SELECT unprotect(''half'')', 'ALTER TABLE half DROP CONSTRAINT fk_half', 'ALTER TABLE half ADD FOREIGN KEY (a, b) REFERENCES pair (b, a)',
	'SELECT protect(''half'', ''{a,b}''::name[], unit => ''wr_shop'')');
SELECT attempt('ALTER TABLE half RENAME a TO z', 'ALTER TABLE pair RENAME b TO c', 'SELECT unprotect(''half'')', 'SELECT protect(''half'', ''{z,b}''::name[], unit => ''wr_shop'')');
-- a length may grow, and no value changes
CREATE TABLE branch (code varchar(5), no numeric(5, 0), mid int NOT NULL REFERENCES member, PRIMARY KEY (code, no));
CREATE TABLE bill (code varchar(5) NOT NULL, no numeric(5, 0) NOT NULL, FOREIGN KEY (code, no) REFERENCES branch);
INSERT INTO branch SELECT i, i, i FROM generate_series(1, 20) i;
INSERT INTO bill SELECT i, i FROM generate_series(1, 20) i;
SELECT protect('branch', 'mid', unit => 'wr_shop') > 0 AS branch, protect('bill', '{code,no}'::name[], unit => 'wr_shop') > 0 AS bill;
SELECT attempt('ALTER TABLE branch ALTER code TYPE varchar(9)', 'ALTER TABLE bill ALTER code TYPE varchar', 'SELECT unprotect(''bill'')',
	'ALTER TABLE branch ALTER no TYPE numeric(9, 0)', 'ALTER TABLE bill ALTER no TYPE numeric(9, 0)', 'SELECT protect(''bill'', ''{code,no}''::name[], unit => ''wr_shop'')');
SELECT attempt('ALTER TABLE branch ALTER code TYPE varchar(2)');
SELECT attempt('SELECT unprotect(''bill'')', 'ALTER TABLE bill ALTER code TYPE varchar(2)', 'SELECT protect(''bill'', ''{code,no}''::name[], unit => ''wr_shop'')');
SELECT attempt('SELECT unprotect(''bill'')', 'ALTER TABLE branch ALTER no TYPE numeric(5, 1)', 'ALTER TABLE bill ALTER no TYPE numeric(5, 1)', 'SELECT protect(''bill'', ''{code,no}''::name[], unit => ''wr_shop'')');
-- what is answered follows the declared key: the first ten lines belong to ten members, and by the other key to one
UPDATE purchase SET mid = CASE WHEN id <= 10 THEN id ELSE 1 END;
ALTER TABLE line ADD CONSTRAINT aa FOREIGN KEY (pid) REFERENCES purchase (alt);
SET ROLE regress_wr_analyst;
SET privacct.epsilon = 10;
SELECT count(*) > 5 AS by_declared_key FROM line WHERE lid <= 10;
RESET ROLE;
SELECT problem, detail FROM check_books() WHERE problem ~ 'foreign key';
ALTER TABLE line DROP CONSTRAINT aa;

-- every day: nothing is said
SELECT attempt('UPDATE visit SET v = 2', 'UPDATE line SET other = other', 'UPDATE note SET body = NULL', 'SELECT unprotect(''visit''), unprotect(''note''), unprotect(''line'')',
	'UPDATE visit SET v = 2', 'UPDATE line SET other = other', 'UPDATE note SET body = NULL',
	'ALTER TABLE visit ALTER person TYPE bigint', 'ALTER TABLE visit ALTER v TYPE bigint USING v + 1', 'ALTER TABLE line ALTER pid TYPE bigint', 'ALTER TABLE purchase ALTER id TYPE bigint',
	'ALTER TABLE line ADD CONSTRAINT fk_new FOREIGN KEY (pid) REFERENCES purchase (id) NOT VALID', 'ALTER TABLE line VALIDATE CONSTRAINT fk_new', 'ALTER TABLE line DROP CONSTRAINT fk_line',
	'SELECT protect(''visit'', ''person''), protect(''line'', ''pid'', unit => ''wr_shop''), protect(''note'', ''lid'', unit => ''wr_shop'')');
SELECT attempt('ALTER TABLE line ADD CONSTRAINT aa FOREIGN KEY (pid) REFERENCES purchase (id) NOT VALID', 'ALTER TABLE line VALIDATE CONSTRAINT aa', 'ALTER TABLE line DROP CONSTRAINT fk_line');
SELECT attempt('ALTER TABLE tree DETACH PARTITION tree1', 'UPDATE tree1 SET cost = 1', 'ALTER TABLE tree1 ALTER cost TYPE bigint USING cost', 'ALTER TABLE tree1 ALTER person TYPE bigint',
	'ALTER TABLE tree ALTER cost TYPE bigint, ALTER person TYPE bigint', 'ALTER TABLE tree ATTACH PARTITION tree1 FOR VALUES IN (1)');
CREATE TABLE plain (person int, v int);
UPDATE plain SET person = 1;
SELECT unprotect(t) FROM unnest('{leaf,deep,bill,branch,half,pair,note,line,part,slip,cut,purchase,member,visit,tree,kin,vote,walk}'::regclass[]) t \g /dev/null
SELECT drop_unit('wr_shop');
DROP SCHEMA wr CASCADE;
DROP ROLE regress_wr_analyst;
