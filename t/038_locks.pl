# SPDX-License-Identifier: GPL-3.0-or-later
# Whoever may not read a protected table as it is waits for nothing that is locked
# when its rows are written, whatever they own and whatever was granted to them: every
# command of PostgreSQL is tried by every kind of such a role while a writer is at work
# and all tables are locked.  What waits ends with lock_timeout; nothing lets go before.
use strict;
use warnings;

use PrivacctTest;
use Test::More;

my $node = new_node('locks', fsync => 'off', autovacuum => 'off', 'privacct.require_durable_storage' => 'off');
$node->start;

# --- strangers, and what may come about in the life of a database ---

$node->safe_psql('postgres', q(
	CREATE EXTENSION privacct;
	CREATE ROLE steward LOGIN; GRANT privacct_admin TO steward;
	CREATE ROLE ana LOGIN;		-- owns what protected tables use, or share with them
	CREATE ROLE holder LOGIN;	-- was granted all that can be
	CREATE ROLE landlord LOGIN;	-- owns the schema
	CREATE ROLE keeper LOGIN;	-- owns the database
	CREATE ROLE nobody LOGIN;
	GRANT CREATE ON DATABASE postgres TO ana, holder;
	GRANT CREATE ON SCHEMA public TO PUBLIC;
	CREATE SCHEMA s AUTHORIZATION steward; GRANT USAGE, CREATE ON SCHEMA s TO PUBLIC;
	CREATE SCHEMA desk; GRANT USAGE, CREATE ON SCHEMA desk TO PUBLIC;

	CREATE SCHEMA yard AUTHORIZATION nobody CREATE TABLE kept (a int PRIMARY KEY);
	ALTER TABLE yard.kept OWNER TO nobody;

	SET search_path = desk;		-- what protected tables use
	CREATE EXTENSION hstore;
	CREATE TYPE rec AS (pid int, sal int);
	CREATE TYPE mood AS ENUM ('well', 'ill');
	CREATE TYPE span AS RANGE (subtype = int);
	CREATE DOMAIN cash AS int CONSTRAINT cash_check CHECK (value > -1);
	CREATE COLLATION kind (provider = icu, locale = 'und');
	CREATE FUNCTION f(int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT $1';
	CREATE FUNCTION noted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN new; END $$;
	GRANT EXECUTE ON FUNCTION f(int), noted() TO PUBLIC;

	SET ROLE ana;
	CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
	CREATE PROCEDURE work() LANGUAGE sql AS 'SELECT 1';
	CREATE OPERATOR === (leftarg = int, rightarg = int, function = int4eq);
	CREATE AGGREGATE total(int) (sfunc = int4pl, stype = int);
	CREATE TEXT SEARCH DICTIONARY words (template = simple);
	CREATE TEXT SEARCH CONFIGURATION search (copy = simple);
	CREATE PUBLICATION news;
	CREATE SEQUENCE counter;
	CREATE TABLE own_part (id int, k int) PARTITION BY LIST (id);
	CREATE TABLE own_part_1 PARTITION OF own_part FOR VALUES IN (1);
	CREATE TABLE spare (id int, k int);
	CREATE INDEX own_part_k ON ONLY own_part (k);

	SET ROLE steward; SET search_path = s, desk, public;
	CREATE TABLE desk.own (id int CONSTRAINT own_pkey PRIMARY KEY, k int, name text);
	CREATE INDEX own_k ON own (k);
	CREATE VIEW desk.seen AS SELECT * FROM own;
	CREATE MATERIALIZED VIEW desk.kept AS SELECT * FROM own;
	CREATE STATISTICS desk.own_stat ON id, k FROM own;
	CREATE TABLE ward (code int PRIMARY KEY, name text);
	CREATE TABLE ward_part (code int PRIMARY KEY) PARTITION BY LIST (code);
	CREATE TABLE ward_part_1 PARTITION OF ward_part FOR VALUES IN (1);
	CREATE TABLE visit (id int NOT NULL, patient int NOT NULL, ward int REFERENCES ward, part int REFERENCES ward_part,
		own int REFERENCES own, serial serial, note text, PRIMARY KEY (id)) PARTITION BY LIST (id);
	CREATE TABLE visit_1 PARTITION OF visit FOR VALUES IN (1);
	CREATE TABLE visit_2 PARTITION OF visit FOR VALUES IN (2);
	CREATE INDEX visit_ward ON visit (ward);
	CREATE INDEX visit_brin ON visit_1 USING brin (id);
	CREATE TABLE remark (id int PRIMARY KEY, visit int REFERENCES visit ON DELETE CASCADE);
	CREATE TABLE paid OF rec (pid NOT NULL);
	CREATE TABLE priced (pid int NOT NULL, price cash, mood mood, extra hstore, span span, label text COLLATE kind DEFAULT 'a', CHECK (f(pid) > -1));
	CREATE INDEX priced_f ON priced ((f(pid)));
	CREATE TRIGGER noted BEFORE INSERT ON priced FOR EACH ROW EXECUTE FUNCTION noted();
	CREATE VIEW wards AS SELECT * FROM ward;
	GRANT REFERENCES ON ward, ward_part, remark TO ana;
	SET ROLE ana;
	CREATE TABLE desk.w1 (id int PRIMARY KEY, k int CONSTRAINT w1_k_fkey REFERENCES s.ward);
	CREATE TABLE desk.w2 (id int, k int REFERENCES s.ward_part) PARTITION BY LIST (id);
	CREATE TABLE desk.answer (id int, remark int REFERENCES s.remark);
	RESET ROLE; SET search_path = s, public;
	DO $$ BEGIN
		PERFORM privacct.protect(t, 'patient', epsilon => 1) FROM unnest('{visit}'::regclass[]) t;
		PERFORM privacct.protect(t, 'pid', epsilon => 1) FROM unnest('{paid,priced}'::regclass[]) t;
		PERFORM privacct.harden_catalog();
	END $$;
	GRANT SELECT, REFERENCES, TRIGGER ON ward, ward_part, wards TO holder;
	CREATE POLICY told ON ward TO ana USING (true);
	INSERT INTO ward VALUES (1, 'a'); INSERT INTO ward_part VALUES (1);
	INSERT INTO desk.own VALUES (1, 1, 'a');
	INSERT INTO visit VALUES (2, 2, 1, 1, 1); INSERT INTO remark VALUES (1, 2);
));

# --- what PostgreSQL 15 knows, and an example of each command, or several ---

my $TRIGGER = 'FOR EACH STATEMENT EXECUTE FUNCTION desk.nothing()';
my %commands = (
	AlterCollationStmt => ['ALTER COLLATION desk.kind REFRESH VERSION'],
	AlterDatabaseRefreshCollStmt => ['ALTER DATABASE postgres REFRESH COLLATION VERSION'],
	AlterDatabaseSetStmt => ['ALTER DATABASE postgres SET work_mem = 64'],
	AlterDatabaseStmt => ['ALTER DATABASE postgres CONNECTION LIMIT 100'],
	AlterDefaultPrivilegesStmt => ['ALTER DEFAULT PRIVILEGES IN SCHEMA s GRANT SELECT ON TABLES TO nobody'],
	AlterDomainStmt => [ map { "ALTER DOMAIN desk.cash $_" } 'ADD CHECK (value <> 7)', 'SET NOT NULL', 'SET DEFAULT 1',
		'DROP CONSTRAINT cash_check', 'VALIDATE CONSTRAINT cash_check' ],
	AlterEnumStmt => [ map { "ALTER TYPE desk.mood $_" } "ADD VALUE 'so so'", "RENAME VALUE 'ill' TO 'unwell'" ],
	AlterEventTrigStmt => ['ALTER EVENT TRIGGER none DISABLE'],
	AlterExtensionContentsStmt => [ map { ("ALTER EXTENSION hstore ADD $_", "ALTER EXTENSION hstore DROP $_") }
		'TABLE s.visit', 'TABLE s.ward', 'TABLE desk.own', 'SEQUENCE s.visit_serial_seq', 'VIEW s.wards', 'FUNCTION desk.f(int)' ],
	AlterExtensionStmt => [ 'ALTER EXTENSION hstore UPDATE', 'ALTER EXTENSION privacct UPDATE' ],
	AlterFdwStmt => ['ALTER FOREIGN DATA WRAPPER none OPTIONS (a \'1\')'],
	AlterForeignServerStmt => ['ALTER SERVER none OPTIONS (a \'1\')'],
	AlterFunctionStmt => [ 'ALTER FUNCTION desk.f(int) STRICT', 'ALTER FUNCTION desk.noted() COST 2' ],
	AlterObjectDependsStmt => [ 'ALTER INDEX s.visit_brin DEPENDS ON EXTENSION hstore', 'ALTER INDEX desk.own_k DEPENDS ON EXTENSION hstore',
		'ALTER TRIGGER noted ON s.priced DEPENDS ON EXTENSION hstore', 'ALTER FUNCTION desk.f(int) DEPENDS ON EXTENSION hstore',
		(map { my $object = $_; map { "ALTER $object $_ ON EXTENSION privacct" } 'DEPENDS', 'NO DEPENDS' } 'FUNCTION desk.f(int)', 'PROCEDURE desk.work()',
			'ROUTINE desk.work()', 'INDEX desk.own_k', 'TRIGGER noted ON s.priced', 'MATERIALIZED VIEW desk.kept') ],
	AlterObjectSchemaStmt => [ (map { "ALTER TABLE $_ SET SCHEMA public" } qw(s.visit s.visit_1 s.ward desk.own desk.w1)),
		'ALTER SEQUENCE s.visit_serial_seq SET SCHEMA public', 'ALTER TYPE desk.rec SET SCHEMA public', 'ALTER DOMAIN desk.cash SET SCHEMA public',
		'ALTER FUNCTION desk.f(int) SET SCHEMA public', 'ALTER EXTENSION hstore SET SCHEMA public', 'ALTER EXTENSION privacct SET SCHEMA public' ],
	AlterOpFamilyStmt => ['ALTER OPERATOR FAMILY desk.none USING btree DROP OPERATOR 1 (int, int)'],
	AlterOperatorStmt => ['ALTER OPERATOR desk.=== (int, int) SET (RESTRICT = NONE)'],
	AlterOwnerStmt => [ 'ALTER TYPE desk.rec OWNER TO nobody', 'ALTER DOMAIN desk.cash OWNER TO nobody', 'ALTER FUNCTION desk.f(int) OWNER TO nobody',
		'ALTER SCHEMA s OWNER TO nobody', 'ALTER SCHEMA desk OWNER TO nobody', 'ALTER DATABASE postgres OWNER TO nobody' ],
	AlterPolicyStmt => [ 'ALTER POLICY told ON s.ward USING (false)', 'ALTER POLICY none ON s.visit USING (false)' ],
	AlterPublicationStmt => [ map { my $how = $_; map { "ALTER PUBLICATION news $how TABLE $_" } qw(s.visit s.visit_1 s.ward desk.own desk.spare) } qw(ADD SET DROP) ],
	AlterRoleSetStmt => ['ALTER ROLE ana SET work_mem = 64'],
	AlterRoleStmt => ['ALTER ROLE ana CONNECTION LIMIT 5'],
	AlterSeqStmt => [ 'ALTER SEQUENCE s.visit_serial_seq RESTART', 'ALTER SEQUENCE desk.counter OWNED BY s.visit.id', 'ALTER SEQUENCE desk.counter RESTART' ],
	AlterStatsStmt => ['ALTER STATISTICS desk.own_stat SET STATISTICS 10'],
	AlterSubscriptionStmt => ['ALTER SUBSCRIPTION none DISABLE'],
	AlterSystemStmt => ['ALTER SYSTEM SET work_mem = 64'],
	AlterTSConfigurationStmt => ['ALTER TEXT SEARCH CONFIGURATION desk.search DROP MAPPING FOR word'],
	AlterTSDictionaryStmt => ['ALTER TEXT SEARCH DICTIONARY desk.words (stopwords)'],
	AlterTableMoveAllStmt => [ 'ALTER TABLE ALL IN TABLESPACE pg_default SET TABLESPACE pg_global', 'ALTER INDEX ALL IN TABLESPACE pg_default SET TABLESPACE pg_global',
		'ALTER TABLE ALL IN TABLESPACE pg_default OWNED BY ana SET TABLESPACE pg_global' ],
	AlterTableSpaceOptionsStmt => ['ALTER TABLESPACE pg_default SET (seq_page_cost = 1)'],
	AlterTableStmt => [
		(map { my $table = $_; map { "ALTER TABLE $table $_" } 'ADD COLUMN x int', 'ADD COLUMN x int REFERENCES s.ward', 'ADD FOREIGN KEY (id) REFERENCES s.ward_part',
			'ADD FOREIGN KEY (id) REFERENCES s.ward', 'ADD FOREIGN KEY (id) REFERENCES s.visit', 'ADD CHECK (true)', 'ADD UNIQUE (k)', 'DROP COLUMN k', 'DROP COLUMN k CASCADE',
			'ALTER COLUMN k TYPE bigint', 'ALTER COLUMN id TYPE bigint', 'ALTER COLUMN k SET DEFAULT 1', 'ALTER COLUMN k SET NOT NULL', 'SET (fillfactor = 50)', 'SET UNLOGGED', 'DISABLE TRIGGER ALL',
			'DISABLE TRIGGER USER', 'ENABLE ROW LEVEL SECURITY', 'OWNER TO nobody', 'REPLICA IDENTITY FULL', 'CLUSTER ON own_k', 'INHERIT s.visit_1', 'INHERIT s.ward', 'NO INHERIT s.ward', 'OF desk.rec', 'NOT OF',
			'ATTACH PARTITION s.visit_1 FOR VALUES IN (9)', 'ATTACH PARTITION s.ward FOR VALUES IN (9)', 'ATTACH PARTITION desk.spare FOR VALUES IN (9)', 'DETACH PARTITION s.visit_1',
			'DETACH PARTITION desk.own_part_1', 'SET TABLESPACE pg_global', 'SET WITHOUT CLUSTER' }
			qw(desk.own desk.w1 desk.w2 desk.own_part desk.answer s.visit s.visit_1 s.ward s.ward_part_1 s.remark)),
		(map { "ALTER TABLE desk.w1 $_ CONSTRAINT w1_k_fkey" } 'DROP', 'VALIDATE', 'ALTER'), 'ALTER TABLE desk.w1 ALTER CONSTRAINT w1_k_fkey DEFERRABLE',
		'ALTER TABLE desk.own DROP CONSTRAINT own_pkey', 'ALTER TABLE desk.own DROP CONSTRAINT own_pkey CASCADE', 'ALTER TABLE s.visit DETACH PARTITION s.visit_1',
		'ALTER TABLE s.visit ATTACH PARTITION desk.own FOR VALUES IN (3)',
		'ALTER INDEX desk.own_part_k ATTACH PARTITION s.visit_brin', 'ALTER INDEX s.visit_ward SET (fillfactor = 50)', 'ALTER VIEW s.wards ALTER COLUMN name SET DEFAULT 1',
		(map { "ALTER TYPE desk.rec $_" } 'ADD ATTRIBUTE x int CASCADE', 'ADD ATTRIBUTE x int', 'DROP ATTRIBUTE sal CASCADE', 'ALTER ATTRIBUTE sal TYPE text CASCADE', 'ALTER ATTRIBUTE sal TYPE text') ],
	AlterTypeStmt => ['ALTER TYPE desk.cash SET (storage = plain)'],
	AlterUserMappingStmt => ['ALTER USER MAPPING FOR ana SERVER none OPTIONS (a \'1\')'],
	CallStmt => ['CALL desk.work()'],
	CheckPointStmt => ['CHECKPOINT'],
	ClosePortalStmt => ['CLOSE ALL'],
	ClusterStmt => [ 'CLUSTER', 'CLUSTER s.visit USING visit_ward', 'CLUSTER s.visit_1 USING visit_1_ward_idx', 'CLUSTER desk.own USING own_k' ],
	CommentStmt => [ 'COMMENT ON EXTENSION privacct IS NULL', map { "COMMENT ON $_ IS NULL" } 'TABLE s.visit', 'TABLE s.visit_1', 'TABLE s.ward', 'TABLE desk.own', 'COLUMN s.visit_1.id', 'COLUMN desk.own.k', 'INDEX s.visit_brin', 'CONSTRAINT ward_pkey ON s.ward',
		'TRIGGER noted ON s.priced', 'POLICY told ON s.ward', 'RULE "_RETURN" ON s.wards', 'SEQUENCE s.visit_serial_seq', 'TYPE desk.rec', 'DOMAIN desk.cash', 'CONSTRAINT cash_check ON DOMAIN desk.cash',
		'SCHEMA s', 'SCHEMA desk', 'DATABASE postgres', 'COLUMN desk.rec.sal', 'STATISTICS desk.own_stat', 'FUNCTION desk.f(int)', 'EXTENSION hstore' ],
	CompositeTypeStmt => ['CREATE TYPE desk.x AS (a int)'],
	ConstraintsSetStmt => ['SET CONSTRAINTS ALL IMMEDIATE'],
	CopyStmt => [ 'COPY s.visit TO STDOUT', 'COPY s.ward TO STDOUT', 'COPY (SELECT 1) TO STDOUT', 'COPY s.visit FROM \'/dev/null\'' ],
	CreateAmStmt => ['CREATE ACCESS METHOD x TYPE TABLE HANDLER heap_tableam_handler'],
	CreateCastStmt => ['CREATE CAST (desk.rec AS text) WITH INOUT'],
	CreateConversionStmt => [q(CREATE CONVERSION desk.x FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8)],
	CreateDomainStmt => ['CREATE DOMAIN desk.x AS desk.cash'],
	CreateEnumStmt => [q(CREATE TYPE desk.x AS ENUM ('a'))],
	CreateEventTrigStmt => ['CREATE EVENT TRIGGER x ON ddl_command_end EXECUTE FUNCTION desk.nothing()'],
	CreateExtensionStmt => ['CREATE EXTENSION citext SCHEMA desk'],
	CreateFdwStmt => ['CREATE FOREIGN DATA WRAPPER x'],
	CreateForeignServerStmt => ['CREATE SERVER x FOREIGN DATA WRAPPER none'],
	CreateForeignTableStmt => [ 'CREATE FOREIGN TABLE desk.x () INHERITS (s.visit_1) SERVER none', 'CREATE FOREIGN TABLE desk.x PARTITION OF s.visit DEFAULT SERVER none' ],
	CreateFunctionStmt => [ q(CREATE OR REPLACE FUNCTION desk.f(int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT 2'), q(CREATE FUNCTION desk.x(s.visit) RETURNS int LANGUAGE sql AS 'SELECT 2') ],
	CreateOpClassStmt => ['CREATE OPERATOR CLASS desk.x FOR TYPE int USING btree AS OPERATOR 1 <'],
	CreateOpFamilyStmt => ['CREATE OPERATOR FAMILY desk.x USING btree'],
	CreatePLangStmt => ['CREATE LANGUAGE x HANDLER plpgsql_call_handler'],
	CreatePolicyStmt => [ map { "CREATE POLICY x ON $_" } qw(s.visit s.visit_1 s.ward desk.own) ],
	CreatePublicationStmt => [ (map { "CREATE PUBLICATION x FOR TABLE $_" } qw(s.visit s.visit_1 s.ward desk.own)), 'CREATE PUBLICATION x FOR ALL TABLES', 'CREATE PUBLICATION x FOR TABLES IN SCHEMA s' ],
	CreateRangeStmt => ['CREATE TYPE desk.x AS RANGE (subtype = int)'],
	CreateRoleStmt => ['CREATE ROLE x'],
	CreateSchemaStmt => [ 'CREATE SCHEMA x', 'CREATE SCHEMA x CREATE TABLE y (a int REFERENCES s.ward)' ],
	CreateSeqStmt => ['CREATE SEQUENCE desk.x OWNED BY s.visit.id'],
	CreateStatsStmt => [ map { "CREATE STATISTICS desk.x ON $_" } 'id, ward FROM s.visit_1', 'code, name FROM s.ward', 'id, k FROM desk.own' ],
	CreateStmt => [ map { "CREATE TABLE desk.x $_" } '(a int)', '(a int REFERENCES s.ward)', '(a int REFERENCES s.ward_part)', '(a int REFERENCES s.visit)', '(a int REFERENCES desk.own)', '(a int, FOREIGN KEY (a) REFERENCES s.ward_part_1)',
		'() INHERITS (s.visit_1)', '() INHERITS (s.ward)', '() INHERITS (desk.own)', '() INHERITS (desk.w1)', 'PARTITION OF s.visit DEFAULT', 'PARTITION OF s.ward_part DEFAULT', 'PARTITION OF desk.own_part DEFAULT', 'PARTITION OF desk.w2 DEFAULT',
		'(LIKE s.visit INCLUDING ALL)', '(LIKE s.ward INCLUDING ALL)', 'OF desk.rec', '(a desk.cash)' ],
	CreateSubscriptionStmt => [q(CREATE SUBSCRIPTION x CONNECTION 'dbname=none' PUBLICATION y)],
	CreateTableAsStmt => [ 'CREATE TABLE desk.x AS SELECT * FROM s.ward', 'CREATE MATERIALIZED VIEW desk.x AS SELECT * FROM s.ward', 'SELECT * INTO desk.x FROM s.visit' ],
	CreateTableSpaceStmt => [q(CREATE TABLESPACE x LOCATION '/nowhere')],
	CreateTransformStmt => ['CREATE TRANSFORM FOR desk.rec LANGUAGE plpgsql (FROM SQL WITH FUNCTION desk.f(int))'],
	CreateTrigStmt => [ (map { "CREATE TRIGGER x AFTER INSERT ON $_ $TRIGGER" } qw(s.visit s.visit_1 s.ward s.ward_part desk.own desk.w1)),
		'CREATE CONSTRAINT TRIGGER x AFTER INSERT ON desk.own FROM s.ward FOR EACH ROW EXECUTE FUNCTION desk.nothing()' ],
	CreateUserMappingStmt => ['CREATE USER MAPPING FOR ana SERVER none'],
	CreatedbStmt => ['CREATE DATABASE x'],
	DeallocateStmt => ['DEALLOCATE ALL'],
	DeclareCursorStmt => [ 'DECLARE c CURSOR FOR SELECT count(*) FROM s.visit', 'DECLARE c CURSOR FOR SELECT * FROM s.ward' ],
	DefineStmt => [ 'CREATE AGGREGATE desk.x(int) (sfunc = int4pl, stype = int)', 'CREATE OPERATOR desk.<<< (leftarg = int, rightarg = int, function = int4eq)', q(CREATE COLLATION desk.x (locale = 'C')),
		'CREATE TEXT SEARCH DICTIONARY desk.x (template = simple)', 'CREATE TYPE desk.x' ],
	DiscardStmt => [ 'DISCARD TEMP', 'DISCARD ALL' ],
	DoStmt => [ 'DO $$ BEGIN PERFORM 1; END $$', 'DO $$ BEGIN DROP TABLE desk.w1; END $$', 'DO $$ BEGIN ALTER TABLE s.visit_1 ADD x int; END $$' ],
	DropOwnedStmt => [ 'DROP OWNED BY CURRENT_USER', 'DROP OWNED BY CURRENT_USER CASCADE', 'DROP OWNED BY ana' ],
	DropRoleStmt => ['DROP ROLE nobody'],
	DropStmt => [ map { ("DROP $_", "DROP $_ CASCADE") } 'TABLE s.visit', 'TABLE s.visit_1', 'TABLE s.ward', 'TABLE s.ward_part_1', 'TABLE s.remark', 'TABLE desk.own', 'TABLE desk.w1', 'TABLE desk.w2', 'TABLE desk.answer', 'TABLE desk.own_part', 'TABLE desk.spare, s.visit',
		'INDEX s.visit_ward', 'INDEX s.visit_brin', 'INDEX s.ward_pkey', 'INDEX desk.own_k', 'INDEX desk.own_pkey', 'SEQUENCE s.visit_serial_seq', 'SEQUENCE desk.counter', 'VIEW s.wards', 'VIEW desk.seen', 'MATERIALIZED VIEW desk.kept',
		'FOREIGN TABLE s.visit', 'TYPE desk.rec', 'TYPE desk.mood', 'TYPE desk.span', 'TYPE desk.hstore', 'DOMAIN desk.cash', 'COLLATION desk.kind', 'FUNCTION desk.f(int)', 'FUNCTION desk.noted()', 'FUNCTION desk.nothing()', 'PROCEDURE desk.work()', 'AGGREGATE desk.total(int)',
		'OPERATOR desk.=== (int, int)', 'TRIGGER noted ON s.priced', 'TRIGGER x ON s.ward', 'RULE "_RETURN" ON s.wards', 'RULE x ON s.visit', 'POLICY told ON s.ward', 'SCHEMA s', 'SCHEMA desk', 'EXTENSION hstore', 'EXTENSION privacct', 'STATISTICS desk.own_stat', 'PUBLICATION news',
		'TEXT SEARCH DICTIONARY desk.words', 'TEXT SEARCH CONFIGURATION desk.search', 'CAST (desk.rec AS text)', 'OPERATOR FAMILY desk.btree_hstore_ops USING btree', 'OPERATOR CLASS desk.btree_hstore_ops USING btree',
		'LANGUAGE plpgsql', 'EVENT TRIGGER none', 'SERVER none', 'FOREIGN DATA WRAPPER none', 'ACCESS METHOD heap', 'CONVERSION desk.x', 'TRANSFORM FOR desk.rec LANGUAGE plpgsql' ],
	DropSubscriptionStmt => ['DROP SUBSCRIPTION none'],
	DropTableSpaceStmt => ['DROP TABLESPACE none'],
	DropUserMappingStmt => ['DROP USER MAPPING FOR ana SERVER none'],
	DropdbStmt => ['DROP DATABASE postgres'],
	ExecuteStmt => ['PREPARE q AS SELECT * FROM s.ward; EXECUTE q'],
	ExplainStmt => [ 'EXPLAIN SELECT * FROM s.ward', 'EXPLAIN INSERT INTO s.visit VALUES (1)', 'EXPLAIN ANALYZE CREATE TABLE desk.x AS SELECT 1' ],
	FetchStmt => ['DECLARE c CURSOR FOR SELECT * FROM s.ward; FETCH ALL FROM c'],
	GrantRoleStmt => ['GRANT steward TO ana'],
	GrantStmt => [ map { ("GRANT $_ TO nobody", "REVOKE $_ FROM nobody") } 'ALL ON s.visit', 'ALL ON s.visit_1', 'ALL ON s.ward', 'SELECT (id) ON s.visit', 'ALL ON ALL TABLES IN SCHEMA s', 'ALL ON SCHEMA s', 'ALL ON desk.own', 'ALL ON SEQUENCE s.visit_serial_seq', 'USAGE ON DOMAIN desk.cash' ],
	ImportForeignSchemaStmt => ['IMPORT FOREIGN SCHEMA s FROM SERVER none INTO desk'],
	IndexStmt => [ map { ("CREATE INDEX ON $_", "CREATE INDEX CONCURRENTLY ON $_") } 's.visit (id)', 's.visit_1 (id)', 's.ward (name)', 'desk.own (name)' ],
	ListenStmt => ['LISTEN x'],
	LoadStmt => [q(LOAD 'plpgsql')],
	LockStmt => [ map { my $table = $_; map { "LOCK TABLE $table$_" } ' IN ROW EXCLUSIVE MODE', ' IN SHARE MODE', ' NOWAIT', '' } qw(s.visit s.visit_1 s.ward s.ward_part s.wards s.remark desk.own desk.w1 desk.seen desk.answer) ],
	NotifyStmt => ['NOTIFY x'],
	PrepareStmt => [ 'PREPARE q AS SELECT * FROM s.visit', 'PREPARE q AS INSERT INTO s.ward VALUES (2)' ],
	ReassignOwnedStmt => [ 'REASSIGN OWNED BY CURRENT_USER TO CURRENT_USER', 'REASSIGN OWNED BY CURRENT_USER TO nobody' ],
	RefreshMatViewStmt => [ map { "REFRESH MATERIALIZED VIEW $_" } 'desk.kept', 's.visit', 's.ward' ],
	ReindexStmt => [ (map { ("REINDEX $_", "REINDEX (CONCURRENTLY) $_") } 'TABLE s.visit', 'TABLE s.visit_1', 'TABLE s.ward', 'TABLE desk.own', 'TABLE desk.own_part', 'INDEX s.visit_ward', 'INDEX s.visit_brin', 'INDEX desk.own_pkey',
		'SCHEMA s', 'SCHEMA desk', 'DATABASE postgres', 'SCHEMA pg_toast'), 'REINDEX SYSTEM postgres' ],
	RenameStmt => [ (map { my $table = $_; map { "ALTER TABLE $table RENAME $_" } 'TO x', 'id TO x', 'CONSTRAINT own_pkey TO x' } qw(s.visit s.visit_1 s.ward desk.own desk.own_part desk.w1)), 'ALTER TYPE desk.rec RENAME ATTRIBUTE sal TO x CASCADE', 'ALTER TYPE desk.rec RENAME ATTRIBUTE sal TO x',
		'ALTER TYPE desk.rec RENAME TO x', 'ALTER DOMAIN desk.cash RENAME TO x', 'ALTER DOMAIN desk.cash RENAME CONSTRAINT cash_check TO x', 'ALTER FUNCTION desk.f(int) RENAME TO x', 'ALTER SCHEMA s RENAME TO x', 'ALTER SCHEMA desk RENAME TO x', 'ALTER INDEX s.visit_ward RENAME TO x',
		'ALTER INDEX desk.own_pkey RENAME TO x', 'ALTER TRIGGER noted ON s.priced RENAME TO x', 'ALTER POLICY told ON s.ward RENAME TO x', 'ALTER RULE "_RETURN" ON s.wards RENAME TO x', 'ALTER VIEW s.wards RENAME TO x', 'ALTER SEQUENCE s.visit_serial_seq RENAME TO x' ],
	RuleStmt => [ map { "CREATE RULE x AS ON INSERT TO $_ DO NOTHING" } qw(s.visit s.visit_1 s.ward desk.own desk.w1 s.visit_serial_seq) ],
	SecLabelStmt => [ map { "SECURITY LABEL ON $_ IS 'x'" } 'TABLE s.visit', 'TABLE desk.own', 'COLUMN s.ward.name' ],
	TransactionStmt => [ 'SAVEPOINT a', q(PREPARE TRANSACTION 'x') ],
	TruncateStmt => [ map { ("TRUNCATE $_", "TRUNCATE $_ CASCADE") } qw(s.visit s.visit_1 s.ward s.ward_part s.wards s.remark desk.own desk.own_part desk.w1 desk.answer) ],
	UnlistenStmt => ['UNLISTEN *'],
	VacuumStmt => [ (map { my $how = $_; map { "$how $_" } qw(s.visit s.visit_1 s.ward s.ward_part desk.own desk.own_part desk.w1) } 'VACUUM', 'VACUUM FULL', 'ANALYZE', 'VACUUM (ANALYZE, SKIP_LOCKED)'), 'VACUUM', 'VACUUM FULL', 'ANALYZE' ],
	VariableSetStmt => ['SET work_mem = 64'],
	VariableShowStmt => ['SHOW work_mem'],
	ViewStmt => [ 'CREATE VIEW desk.x AS SELECT * FROM s.ward', 'CREATE OR REPLACE VIEW s.wards AS SELECT 1 AS a', 'CREATE OR REPLACE VIEW desk.own AS SELECT 1 AS a', 'CREATE OR REPLACE VIEW s.ward AS SELECT 1 AS a' ],
);

# Statements of other kinds, and nodes that stand in no statement of their own.
my %not_commands = map { $_ => 1 } qw(
	RawStmt PlannedStmt InsertStmt DeleteStmt UpdateStmt MergeStmt SelectStmt ReturnStmt PLAssignStmt SetOperationStmt
	ReplicaIdentityStmt);

sub statement_tags
{
	my ($directory) = PostgreSQL::Test::Utils::run_command([ 'pg_config', '--includedir-server' ]);
	my ($header) = grep { -e } map { "$directory/nodes/$_" } 'nodetags.h', 'nodes.h';	# the first since 16
	my %tags = map { $_ => 1 } PostgreSQL::Test::Utils::slurp_file($header) =~ /\bT_(\w+Stmt)\b/g;

	return sort keys %tags;
}

my @tags = grep { !$not_commands{$_} } statement_tags();
cmp_ok(scalar @tags, '>', 100, 'the commands of PostgreSQL are known');
is_deeply([ grep { !$commands{$_} } @tags ], [], 'there is an example of each of them');
is_deeply([ sort keys %commands ], [ sort @tags ], '... and of no other');

# --- who is not meant: the owner, and whoever has nothing to do with protected tables ---

# Runs a command, which is taken back if it can be.
sub try_command
{
	my ($session, $command) = @_;

	return $session->say(stands_alone($command) ? $command : "BEGIN; $command; ROLLBACK");
}

# PostgreSQL runs these by themselves only.
sub stands_alone
{
	return $_[0] =~ /^(VACUUM|ANALYZE$|CLUSTER$|REINDEX|DISCARD ALL|CREATE DATABASE|DROP DATABASE|ALTER SYSTEM|CREATE TABLESPACE|DROP TABLESPACE|CREATE SUBSCRIPTION)|CONCURRENTLY|pg_global/;
}

my %allowed = (
	steward => [ 'ALTER TABLE s.ward ADD COLUMN x int', 'ALTER TABLE s.remark ALTER COLUMN visit TYPE bigint', 'ALTER TABLE s.visit ADD COLUMN x int', 'ALTER TABLE s.visit DROP COLUMN note', 'DROP TABLE s.remark CASCADE', 'DROP TABLE s.visit_1 CASCADE',
		'TRUNCATE s.paid', 'LOCK TABLE s.visit, s.ward', 'CREATE INDEX ON s.visit (patient)', 'COMMENT ON TABLE s.visit IS NULL', 'VACUUM FULL s.visit', 'VACUUM FULL s.ward', 'ANALYZE s.visit', 'REINDEX TABLE s.visit', 'REINDEX SCHEMA s',
		'CREATE TABLE s.x (a int REFERENCES s.ward)', 'ALTER TABLE s.visit DETACH PARTITION s.visit_1', 'VACUUM', 'CLUSTER' ],
	ana => [ 'CREATE TABLE desk.x (a int PRIMARY KEY); CREATE TABLE desk.y (a int REFERENCES desk.x ON DELETE CASCADE); ALTER TABLE desk.y DROP COLUMN a; TRUNCATE desk.x, desk.y; DROP TABLE desk.x CASCADE', 'ALTER TABLE desk.w1 ADD COLUMN x int',
		'CREATE INDEX ON desk.w1 (k)', 'LOCK TABLE desk.w1', 'TRUNCATE desk.w1', 'ALTER TABLE desk.own_part DETACH PARTITION desk.own_part_1', 'DROP TABLE desk.own_part', 'DROP FUNCTION desk.nothing()', 'DROP PUBLICATION news',
		'CREATE VIEW desk.x AS SELECT count(*) FROM s.visit; DROP VIEW desk.x', 'CREATE DOMAIN desk.x AS int; CREATE TABLE desk.y (a desk.x); ALTER DOMAIN desk.x SET NOT NULL; DROP DOMAIN desk.x CASCADE', 'DROP AGGREGATE desk.total(int)',
		'CREATE TYPE desk.x AS (a int); CREATE TABLE desk.y OF desk.x; ALTER TYPE desk.x ADD ATTRIBUTE b int CASCADE', 'CREATE EXTENSION citext SCHEMA desk; ALTER EXTENSION citext ADD FUNCTION desk.nothing()', 'CREATE TEMPORARY TABLE t (a int); DISCARD TEMP',
		'VACUUM FULL desk.w1', 'ANALYZE desk.w1', 'REINDEX TABLE desk.own_part', 'DISCARD ALL', 'COMMENT ON TABLE desk.w1 IS NULL' ],
	nobody => [ 'VACUUM', 'VACUUM FULL', 'ANALYZE', 'CLUSTER', 'REINDEX SCHEMA yard', 'DROP TABLE yard.kept', 'DROP OWNED BY nobody', 'REASSIGN OWNED BY nobody TO nobody' ]);

for my $role (sort keys %allowed)
{
	my $session = PrivacctTest::session($node, $role, undef, 'default');

	$session->say('SET client_min_messages = error');
	is(join("\n", grep { $_ } map { try_command($session, $_) } @{ $allowed{$role} }), '', "$role is not refused what is theirs alone");
	$session->hang_up;
}

# --- what is refused today, as in a database from before it was ---

$node->safe_psql('postgres', q(
	SET search_path = s, public;
	ALTER DATABASE postgres OWNER TO keeper;
	ALTER PUBLICATION news ADD TABLE s.ward;
	UPDATE pg_namespace SET nspowner = 'landlord'::regrole WHERE nspname = 's';
	UPDATE pg_namespace SET nspowner = 'ana'::regrole WHERE nspname = 'desk';
	UPDATE pg_class SET relowner = 'ana'::regrole WHERE relnamespace = 'desk'::regnamespace;
	UPDATE pg_type SET typowner = 'ana'::regrole WHERE typnamespace = 'desk'::regnamespace;
	UPDATE pg_proc SET proowner = 'ana'::regrole WHERE pronamespace = 'desk'::regnamespace;
	UPDATE pg_collation SET collowner = 'ana'::regrole WHERE collnamespace = 'desk'::regnamespace;
	UPDATE pg_extension SET extowner = 'ana'::regrole WHERE extname = 'hstore';
	UPDATE pg_statistic_ext SET stxowner = 'ana'::regrole;
	UPDATE pg_class SET relacl = coalesce(relacl, acldefault('r', relowner)) || ARRAY(SELECT makeaclitem('holder'::regrole, relowner, p, false)
			FROM unnest('{SELECT,INSERT,UPDATE,DELETE,TRUNCATE,REFERENCES,TRIGGER}'::text[]) p)
		WHERE oid IN ('ward'::regclass, 'ward_part'::regclass, 'wards'::regclass, 'remark'::regclass, 'desk.own'::regclass);
));

# --- a writer, and somebody who locks all that can be locked ---

my ($writer, $locker) = map { PrivacctTest::session($node, superuser()) } 1 .. 2;
my $wide = q((SELECT string_agg(md5(i::text), '') FROM generate_series(1, 1000) i));

is($writer->say(qq(SET search_path = s, desk; BEGIN; INSERT INTO visit VALUES (1, 1, 1, 1, 1, DEFAULT, $wide); DELETE FROM visit WHERE id = 2;
	INSERT INTO paid VALUES (1, 1); INSERT INTO priced VALUES (1, 1, 'ill', 'a=>1', span(1, 2)))), '', 'rows are written');
is($locker->say('CREATE FUNCTION pg_temp.f() RETURNS int LANGUAGE sql AS $$SELECT 1$$'), '', 'something of the own');
# everything but reading and writing waits for this mode
my $tables = $node->safe_psql('postgres', q(SELECT string_agg(oid::regclass::text, ', ') FROM pg_class
	WHERE relkind IN ('r', 'p') AND relnamespace = 's'::regnamespace OR oid = 'desk.own'::regclass));
is($locker->say("BEGIN; LOCK TABLE $tables IN SHARE UPDATE EXCLUSIVE MODE"), '', 'all tables are locked');
# ... and so is what charges lock: whoever could wait for that could let charges wait
is($locker->say('ALTER FUNCTION pg_temp.f() NO DEPENDS ON EXTENSION privacct'), '', 'the extension is locked');

# --- everybody tries everything ---

sub outcomes
{
	my ($role, $wanted) = @_;
	my $session = PrivacctTest::session($node, $role);
	my @found;

	$session->say("SET lock_timeout = '2s'");
	for my $command (map { @{ $commands{$_} } } sort keys %commands)
	{
		push @found, $command if try_command($session, $command) =~ $wanted;
		$session->say("SET lock_timeout = '2s'") if $command eq 'DISCARD ALL';
	}
	$session->hang_up;
	return \@found;
}

for my $role (qw(ana holder landlord keeper nobody))
{
	is(join("\n", @{ outcomes($role, qr/55P03|XX000|57P/) }), '', "$role waits for nobody");
}

done_testing();
