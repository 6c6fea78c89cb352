# SPDX-License-Identifier: GPL-3.0-or-later
# Without the guard nobody but the owner reads a protected table: not after DROP
# EXTENSION, however it is written, and not on a server without the library.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

my $node = new_node('without');
$node->start;
setup_hospital($node);

my @RELATIONS = qw(visit ledgered part over_visit over_over over_part);
my $WAYS = q(
	CREATE TABLE ledgered (id int NOT NULL, kind int) PARTITION BY LIST (kind);
	CREATE TABLE part PARTITION OF ledgered FOR VALUES IN (1);
	INSERT INTO ledgered VALUES (1, 1);
	CREATE VIEW over_visit WITH (security_invoker) AS SELECT * FROM visit;
	CREATE VIEW over_over WITH (security_invoker) AS SELECT cost FROM over_visit;
	CREATE VIEW over_part WITH (security_invoker) AS SELECT * FROM part;
	GRANT ALL ON over_visit, over_over, over_part TO PUBLIC;
	SELECT privacct.protect('ledgered', 'id'), privacct.grant_budget('ledgered', 'analyst', 100););
$node->safe_psql('postgres', $WAYS);

# What an analyst can read in plain SQL, raw.
sub readable
{
	my @open;
	for my $relation (@RELATIONS)
	{
		my (undef, $out, $err) = ask($node, "SELECT * FROM $relation LIMIT 1");
		push @open, $relation unless $out eq '' && $err =~ /42501|42PA1|42P01/;
	}
	return "@open";
}

sub as_superuser
{
	my ($sql) = @_;
	my ($out, $err) = ('', '');
	$node->psql('postgres', $sql, stdout => \$out, stderr => \$err);
	return $err;
}

is(readable(), '', 'guarded: nothing is raw');
ok(defined ask_value($node, 'SELECT count(*) FROM over_visit'), 'a view is answered');
ok(defined ask_value($node, 'SELECT count(*) FROM over_part') == 0, 'a view of a partition is not');

# --- without the library ---

my $saved = slurp_file($node->data_dir . '/postgresql.conf');
$node->adjust_conf('postgresql.conf', 'shared_preload_libraries', "''");
$node->restart;
is(readable(), '', 'without the library: nothing is raw');
like((ask($node, $PrivacctTest::QUERY))[2], qr/42501/, 'nothing is answered');
like(as_superuser('GRANT SELECT ON visit TO analyst'), qr/must be loaded when the server starts/, 'nothing can be opened');
is(as_superuser('ALTER TABLE visit ADD COLUMN note text; ALTER TABLE visit DROP COLUMN note'), '', 'the owner works on');
like(as_superuser("BEGIN; DROP VIEW over_visit, over_part CASCADE; ALTER TABLE $_"), qr/columns of public\.(?:visit|part) are not rewritten without the library/, "$_: nobody sees who becomes whom")
	for 'visit ALTER patient_id TYPE int USING 1', 'ledgered ALTER id TYPE int USING 1';
is(as_superuser('CREATE TABLE mine (a int); ALTER TABLE mine ALTER a TYPE int USING 1; DROP TABLE mine'), '', 'of other tables they are');
like(as_superuser('INSERT INTO privacct.ledger_sum (policy_id, charge_id, epsilon, delta, rho, charges) VALUES (99, 1, 0, 0, 0, 0)'), qr/must be loaded when the server starts/, 'no rows of the books come unnoticed');
is(as_superuser('BEGIN; DROP EXTENSION privacct CASCADE; ROLLBACK'), '', 'the extension can be dropped');
$node->safe_psql('postgres', 'CREATE DATABASE dropped TEMPLATE postgres');
$node->safe_psql('dropped', 'SET client_min_messages = error; DROP EXTENSION privacct CASCADE');
my (undef, undef, $err) = ask($node, 'SELECT * FROM over_visit', database => 'dropped');
like($err, qr/42501/, 'and leaves nothing open');
$node->adjust_conf('postgresql.conf', 'shared_preload_libraries', "'privacct'");
$node->restart;
ok(defined ask_value($node, $PrivacctTest::QUERY), 'answered again');

# --- dropped in every way ---

# by what it stands on as well: a language, and what belongs to a role that has got the schema, or the extension
sub event_triggers { return "DO 'DECLARE t name; BEGIN FOR t IN SELECT evtname FROM pg_event_trigger WHERE evtname ~ ''^privacct_'' LOOP EXECUTE format(''ALTER EVENT TRIGGER %I $_[0]'', t); END LOOP; END';"; }
$node->safe_psql('postgres', event_triggers('DISABLE') . 'CREATE ROLE leaver; ALTER SCHEMA privacct OWNER TO leaver;' . event_triggers('ENABLE ALWAYS') . 'CREATE VIEW seen AS SELECT * FROM privacct.odometer; CREATE TABLE typed (r privacct.odometer)');
for my $drop ('DROP EXTENSION privacct CASCADE', 'DROP SCHEMA privacct CASCADE', 'DROP EXTENSION IF EXISTS plpgsql_check, privacct CASCADE',
	'DROP EXTENSION plpgsql CASCADE', 'DROP OWNED BY leaver CASCADE', "DO 'BEGIN DROP SCHEMA IF EXISTS nothing, privacct CASCADE; END'")
{
	like(as_superuser("BEGIN; $drop; ROLLBACK"), qr/dropping the extension would forget what protected tables have spent.*visit.*SET privacct.allow_drop_extension = on/s, "$drop does not forget by accident");
	my $notices = as_superuser("BEGIN; SET LOCAL privacct.allow_drop_extension = on; $drop; SELECT 'readers: ' || count(*) FROM pg_class c CROSS JOIN aclexplode(c.relacl) a WHERE a.grantee = 'privacct_reader'::regrole AND a.privilege_type <> 'REFERENCES'; ROLLBACK");
	like($notices, qr/WARNING:  what tables have spent is forgotten.*starts from zero/s, "$drop says what it forgets");
	like($notices, qr/NOTICE:  tables that are no longer protected: .*ledgered.*visit/, "$drop says what it leaves");
	is($node->safe_psql('postgres', "SET client_min_messages = error; SET privacct.allow_drop_extension = on; BEGIN; $drop; SELECT count(*) FROM pg_class c CROSS JOIN aclexplode(c.relacl) a WHERE a.grantee = 'privacct_reader'::regrole AND a.privilege_type <> 'REFERENCES'; ROLLBACK"),
		0, "$drop leaves the reader nothing");
}
is($node->safe_psql('postgres', 'DROP VIEW seen; DROP TABLE typed; CREATE TEMP VIEW seen AS SELECT * FROM privacct.odometer; CREATE TEMP TABLE t (a int); DROP TABLE t; SELECT 1'), 1, 'what reads the extension is dropped as anything');
like(as_superuser('BEGIN; DROP VIEW over_visit CASCADE; ALTER TABLE visit RENAME TO visited; DROP EXTENSION privacct CASCADE; ROLLBACK'), qr/with charges: public\.visited\./, 'tables are called as they are called now');
# what writes a table anew, or drops a part of one, drops no extension
is($node->safe_psql('postgres', "VACUUM FULL privacct.ledger_line; CLUSTER privacct.account USING account_pkey; REINDEX TABLE CONCURRENTLY privacct.policy; SET privacct.write_books = on;
	CREATE INDEX mine ON privacct.ledger_line (payer); DROP INDEX privacct.mine; ALTER TABLE privacct.ledger_line ALTER charged_at SET DEFAULT now(), ALTER charged_at DROP DEFAULT;
	SELECT count(*) FROM pg_class c CROSS JOIN aclexplode(c.relacl) a WHERE a.grantee = 'privacct_reader'::regrole") > 0, 1, 'the reader still reads');
# refused once, and again in the same session and transaction
my $twice = '';
$node->psql('postgres', 'BEGIN; SAVEPOINT s; DROP EXTENSION plpgsql CASCADE; ROLLBACK TO s; DROP EXTENSION plpgsql CASCADE; ROLLBACK', stderr => \$twice, on_error_stop => 0);
is(() = $twice =~ /would forget what protected tables/g, 2, 'refused each time');
$node->safe_psql('postgres', 'CREATE DATABASE cascaded TEMPLATE postgres');
$node->safe_psql('cascaded', 'SET client_min_messages = error; SELECT privacct.accept_books()');
$node->safe_psql('cascaded', 'SET client_min_messages = error; SET privacct.allow_drop_extension = on; DROP EXTENSION plpgsql CASCADE');
like($node->safe_psql('cascaded', 'SHOW privacct.dropped_books'), qr|^\d+@.*@\d+/\d+@\d+@[0-9a-f-]{36}@\d+$|, 'a drop by CASCADE leaves the mark');
is($node->safe_psql('cascaded', "SELECT count(*) FROM pg_extension WHERE extname = 'privacct'"), 0, 'and drops the extension');
$node->safe_psql('postgres', event_triggers('DISABLE') . 'ALTER SCHEMA privacct OWNER TO CURRENT_USER;' . event_triggers('ENABLE ALWAYS'));
$node->safe_psql('postgres', q(
	CREATE ROLE boss SUPERUSER; ALTER EVENT TRIGGER privacct_ddl_end DISABLE; GRANT SELECT (cost) ON visit TO analyst;
	ALTER EVENT TRIGGER privacct_ddl_end ENABLE ALWAYS;));
like(as_superuser('SET privacct.allow_drop_extension = on; DROP EXTENSION privacct'), qr/other roles hold privileges on the protected table/, 'what would be open stops it');
ok(defined ask_value($node, $PrivacctTest::QUERY), 'and it stays');
is($node->safe_psql('postgres', 'REVOKE SELECT (cost) ON visit FROM analyst; SELECT 1'), 1, 'closed');
(undef, undef, $err) = ask($node, 'DROP EXTENSION privacct');
like($err, qr/42501/, 'not for everybody');
like((ask($node, 'SET privacct.allow_drop_extension = on'))[2], qr/42501/, 'and the setting is a superuser\'s');
$node->safe_psql('postgres', 'SET client_min_messages = error; SET privacct.allow_drop_extension = on; DROP EXTENSION privacct');
is(readable(), '', 'dropped: nothing is raw');
like(as_superuser(q(CREATE EXTENSION privacct; SELECT privacct.protect('visit', 'patient_id'))), qr/was protected in other books.*fresh => true/s, 'made again, it asks about a table that was protected before');
like(as_superuser(q(SELECT privacct.protect('visit', 'patient_id', fresh => true))), qr/^\S*\s*WARNING:  what public.visit has spent in other books does not count(?!.*ERROR)/s, 'until it is told');

$node->stop;
done_testing();
