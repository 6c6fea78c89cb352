# SPDX-License-Identifier: GPL-3.0-or-later
# A database of 0.1 with policies, charges and answers of owners becomes one of 0.2:
# nothing is lost, and its objects are those of a fresh install, one by one.
use strict;
use warnings;

use File::Copy ();
use FindBin;
use lib $FindBin::RealBin;
use CatalogTest;
use LocalTest;
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

# the script of 0.1 as it was published
my ($extensions) = glob "$ENV{PA_DESTDIR}/usr/share/postgresql/*/extension";
File::Copy::copy("$ENV{PA_WORK}/privacct--0.1.sql", "$extensions/privacct--0.1.sql") or die "no script of 0.1: $!";

my $node = new_node('upgrade');
$node->start;

my $BOOKS = q(
	SELECT 'policy', policy_id, relation, owner_column, regime, accountant, epsilon, delta, cap_delta, encode(secret, 'hex'), closed_at IS NULL FROM privacct.policy ORDER BY 2;
	SELECT 'bound', policy_id, column_name, lo, hi FROM privacct.bound ORDER BY 2, 3;
	SELECT 'key', policy_id, column_name, keys FROM privacct.group_key ORDER BY 2, 3;
	SELECT 'quota', policy_id, role, epsilon, delta FROM privacct.quota ORDER BY 2, 3::text;
	SELECT 'account', policy_id, role, epsilon, delta, rho, releases FROM privacct.account ORDER BY 2, 3::text;
	SELECT 'slot', policy_id, slot, releases, used FROM privacct.slot ORDER BY 2, 3;
	SELECT 'domain', policy_id, column_name, points FROM privacct.domain ORDER BY 2, 3;
	SELECT 'prior', policy_id, version, hash FROM privacct.prior ORDER BY 2, 3;
	SELECT 'ledger', charge_id, policy_id, role, payer, epsilon, delta, rho, detail FROM privacct.ledger ORDER BY 2;
);

sub update
{
	my ($err) = ('');
	$node->psql('postgres', 'ALTER EXTENSION privacct UPDATE', stderr => \$err);
	return $err;
}

# --- a database of 0.2, for its charges and as the model ---

$node->safe_psql('postgres', 'CREATE DATABASE fresh');
$node->safe_psql('fresh', 'CREATE EXTENSION privacct');
my @fresh = objects_of($node, 'fresh');

# --- what local and pufferfish policies keep, as a server wrote it that answered ---

my @LOCAL = (
	q(SELECT * FROM privacct.local_state ORDER BY state),
	q(SELECT * FROM privacct.local_odometer),
	q(SELECT * FROM privacct.owner_odometer ORDER BY owner),
	q(SELECT * FROM privacct.pufferfish_budget),
	q(SELECT * FROM privacct.pufferfish_curve),
	q(SELECT policy_id, role, questions FROM privacct.account WHERE policy_id > 100 ORDER BY 1, 2::text),
	q(SELECT policy_id, question FROM privacct.owner_state_at),
	q(SELECT * FROM privacct.ledger WHERE policy_id > 100 ORDER BY charge_id));
my $ENTRIES = q(CREATE TABLE stay (patient_id int, day int, ward bool, PRIMARY KEY (patient_id, day));
	INSERT INTO stay SELECT i, d, (i + d) % 3 = 0 FROM generate_series(1, 20) i, generate_series(1, 5) d;);

sub kept
{
	my ($database) = @_;
	return map { my $from = $_; map { "$from: $_" } split /\n/, $node->safe_psql($database, $from) } @LOCAL;
}

$node->safe_psql('postgres', 'CREATE DATABASE model');
$node->safe_psql('model', q(CREATE EXTENSION privacct;
	SELECT setval('privacct.policy_id_seq', 100), setval('privacct.charge_id_seq', 100), setval('privacct.plan_id_seq', 100);));
local_policy($node, database => 'model', owners => 2000, columns => ['smokes'], epsilon => 20);
$node->safe_psql('model', $ENTRIES . q(
	SELECT privacct.protect_entries('stay', 'patient_id', order_by => '{day}', entry => 'ward', fresh => true, epsilon_pufferfish => 4,
		priors => privacct.binary_chain_prior(ARRAY[false, true], 0.3, 0.7, 0.3, 0.7), max_entries => 5);
	SELECT privacct.grant_budget('stay', 'analyst', 3);));
# until states are written, and once more, so that there are answers beside them
my ($asked, $refused) = (0, '');
do
{
	$asked++;
	$refused .= (ask($node, q(SELECT ldp_count(smokes, 'epsilon=0.13') FROM person), database => 'model', verbosity => 'default'))[2];
} until ($refused || $asked > 50 || $node->safe_psql('model', 'SELECT count(*) FROM privacct.owner_state_at WHERE question > 0'));
$refused .= (ask($node, q(SELECT ldp_count(smokes, 'epsilon=0.2') FROM person), database => 'model', verbosity => 'default'))[2];
$refused .= (ask($node, q(SET privacct.epsilon = 0.2; SELECT count(*) FROM stay WHERE ward), database => 'model', verbosity => 'default'))[2];
is($refused, '', 'owners answered');

# --- a database of 0.1 ---

$node->safe_psql('postgres', q(
	CREATE EXTENSION privacct VERSION '0.1';
	CREATE ROLE steward LOGIN;
	ALTER ROLE analyst SET privacct.epsilon = 0.1;
	CREATE TABLE visit (visit_id int PRIMARY KEY, patient_id int NOT NULL, ward text, cost float8);
	INSERT INTO visit SELECT i, i / 3, chr(65 + i % 3), i % 500 FROM generate_series(1, 300) i;
	CREATE TABLE ward (ward text PRIMARY KEY); INSERT INTO ward VALUES ('A'), ('B'), ('C'); GRANT SELECT ON ward TO PUBLIC;
	GRANT CREATE ON SCHEMA public TO steward; ALTER TABLE visit OWNER TO steward; ALTER TABLE ward OWNER TO steward;));
# the library is of another version: it does nothing for this database
my (undef, undef, $err) = ask($node, $PrivacctTest::QUERY, verbosity => 'default');
like($err, qr/permission denied/, 'before anything is declared');
# what 0.1 wrote when it declared, and when its worker charged
$node->safe_psql('postgres', q(
	INSERT INTO privacct.policy (relation, relation_name, owner_column, regime, accounting, accountant, epsilon, delta, cap_rho, cap_delta,
		max_groups_contributed, max_rows_contributed, min_owners, kernel, kernels, sample_rate, filter, answer_group, secret, created_at, created_by)
	SELECT 'visit', 'public.visit', 'patient_id', 'central', 'table', 'basic', 8, 1e-7, NULL, 1e-7, 1, 3, 1, NULL, NULL, 1, NULL, NULL, sha256('x'), now(), 'steward';
	INSERT INTO privacct.account VALUES (1, 0::regrole, 1.5, 1e-8, 0.3, 3), (1, 'analyst', 1.5, 1e-8, 0.3, 3);
	INSERT INTO privacct.quota VALUES (1, 'analyst', 4, 1e-7, NULL, 1e-7, now(), 'steward');
	INSERT INTO privacct.bound VALUES (1, 'cost', 0, 500, 'float8');
	INSERT INTO privacct.group_key VALUES (1, 'ward', '{A,B,C}', 'text');
	INSERT INTO privacct.ledger (policy_id, charged_at, role, payer, epsilon, delta, rho, detail)
		SELECT 1, now(), 'analyst', 'analyst', 0.5, 0, 0.1, '{"statistics": [{"epsilon": 0.5, "delta": 0}]}' FROM generate_series(1, 3);
	GRANT SELECT ON visit TO privacct_reader;
	SET ROLE steward;
	CREATE VIEW costly AS SELECT v.* FROM visit v JOIN ward USING (ward) WHERE cost > 2;
	RESET ROLE;));
# what 0.1 kept of what owners answered, the columns that it had
$node->safe_psql('postgres', $ENTRIES . q(
	CREATE TABLE person (id int PRIMARY KEY, bed int, ward int, region text, grade int, smokes boolean, blood text, age float8, bp float8);
	INSERT INTO person SELECT i, i, i % 4, chr(65 + i % 3), i % 4, i % 5 < 2, (ARRAY['A', 'B', '0'])[1 + i % 3], 10 + i % 91, 100 + i % 50
		FROM generate_series(1, 2000) i;
	GRANT SELECT ON person, stay TO privacct_reader;
	SELECT setval('privacct.policy_id_seq', 200), setval('privacct.charge_id_seq', 200);));
for my $table (qw(policy domain public_column quota account prior question owner_key answer likelihood owner_state owner_state_at ledger))
{
	my $columns = $node->safe_psql('postgres', qq(SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
		WHERE attrelid = 'privacct.$table'::regclass AND attnum > 0));
	my $rows = $node->safe_psql('model', "COPY (SELECT $columns FROM privacct.$table WHERE policy_id > 100) TO STDOUT");
	isnt($rows, '', "$table has rows");
	$node->safe_psql('postgres', "COPY privacct.$table ($columns) FROM STDIN;\n$rows\n\\.\n");
}
my $books = $node->safe_psql('postgres', $BOOKS);

(undef, undef, $err) = ask($node, $PrivacctTest::QUERY, verbosity => 'default');
like($err, qr/privacct cannot be used in this database.*ALTER EXTENSION privacct UPDATE/s, 'not yet updated: refused, with what to do');
is((ask($node, $PrivacctTest::QUERY, role => 'steward'))[1], 300, 'its owner reads it');
is($node->safe_psql('postgres', $BOOKS), $books, 'nothing was charged');

# --- what stands in the way is said, and nothing is changed ---

$node->safe_psql('postgres', 'ALTER EVENT TRIGGER privacct_ddl_end DISABLE; GRANT SELECT ON costly TO analyst; ALTER EVENT TRIGGER privacct_ddl_end ENABLE ALWAYS');
my $refusal = update();
like($refusal, qr/views show rows of protected tables to others.*ALTER VIEW public\.costly SET \(security_invoker = true\)/s, 'a view that was granted');
is($node->safe_psql('postgres', q(SELECT extversion FROM pg_extension WHERE extname = 'privacct')), '0.1', 'still the old version');
$node->safe_psql('postgres', 'ALTER VIEW costly SET (security_invoker = true)');
$node->safe_psql('postgres', q(CREATE FUNCTION privacct.stranger() RETURNS int LANGUAGE sql AS 'SELECT 1'));
like(update(), qr/schema "privacct" holds objects that are not of the extension.*stranger/s, 'a stranger in the schema');
$node->safe_psql('postgres', 'DROP FUNCTION privacct.stranger()');

$node->safe_psql('postgres', q(
	ALTER TABLE visit ADD COLUMN line serial;
	ALTER EVENT TRIGGER privacct_ddl_end DISABLE; GRANT SELECT ON visit_line_seq TO analyst; ALTER EVENT TRIGGER privacct_ddl_end ENABLE ALWAYS));
like(update(), qr/other roles hold privileges on the protected table public\.visit.*REVOKE ALL ON public\.visit_line_seq FROM analyst/s, 'a sequence that was granted');
$node->safe_psql('postgres', 'REVOKE ALL ON visit_line_seq FROM analyst');
# what 0.1 let superusers give away of the extension itself is taken back
$node->safe_psql('postgres', q(
	GRANT EXECUTE ON FUNCTION privacct._unprotect(regrole, regclass), privacct._policy_of(regclass), privacct.unprotect(regclass) TO analyst, privacct_reader;
	GRANT ALL ON ALL TABLES IN SCHEMA privacct TO analyst WITH GRANT OPTION;
	GRANT EXECUTE ON FUNCTION privacct._policy_of(regclass) TO PUBLIC;
	GRANT SELECT (secret) ON privacct.policy TO PUBLIC;
	GRANT SELECT (relation) ON privacct.odometer TO analyst;
	GRANT SELECT, UPDATE ON privacct.quota TO PUBLIC;
	GRANT USAGE ON SEQUENCE privacct.charge_id_seq TO PUBLIC, analyst;
	SET ROLE analyst; GRANT UPDATE ON privacct.account TO steward; RESET ROLE;));

# --- the update ---

like(update(), qr/WARNING:  owners of protected tables who can no longer declare anything: steward.*GRANT privacct_admin/s, 'the update says whom to make an administrator');
is($node->safe_psql('postgres', q(SELECT extversion FROM pg_extension WHERE extname = 'privacct')), '0.2', 'the new version');
is($node->safe_psql('postgres', $BOOKS), $books, 'nothing is lost');
my @updated = objects_of($node, 'postgres');
is(join("\n", differences(\@fresh, \@updated)), '', 'nothing of a fresh install is missing');
is(join("\n", differences(\@updated, \@fresh)), '', 'nothing of the old version is left');
cmp_ok(scalar(@fresh), '>', 6000, 'and there is much to compare');
my @kept = kept('model');
is(join("\n", differences(\@kept, [ kept('postgres') ])), '', 'what owners answered and lost is told as before');
cmp_ok(scalar(@kept), '>', 2000, 'of each of them');

# --- it works ---

ok(defined ask_value($node, $PrivacctTest::QUERY), 'a release');
$node->safe_psql('postgres', q(SELECT privacct.declare_public('ward')));
ok(defined ask_value($node, 'SELECT count(*) FROM costly'), 'a release through the view');
is($node->safe_psql('postgres', q(SELECT epsilon, releases FROM privacct.account WHERE role = 0::regrole AND policy_id = 1)), '1.7|5', 'charged to the old account');
(undef, my $count, $err) = ask($node, q(SELECT ldp_count(smokes, 'epsilon=0.1') IS NOT NULL FROM person WHERE ward > 0), verbosity => 'default');
is($count . $err, 't', 'owners answer another question');
is($node->safe_psql('postgres', q(SELECT questions FROM privacct.local_odometer)), $asked + 2, 'which is recorded after the earlier ones');
like(ask_value($node, 'SELECT count(*) FROM stay WHERE ward', epsilon => 0.1) // '', qr/\d/, 'a release of entries');
is($node->safe_psql('postgres', 'SELECT * FROM privacct.check_books() WHERE policy_id > 100'), '', 'the books agree');
(undef, undef, $err) = ask($node, q(SELECT privacct.unprotect('visit')), role => 'steward');
like($err, qr/42501/, 'declaring is no longer the owner\'s own right');
$node->safe_psql('postgres', 'GRANT privacct_admin TO steward');
(undef, undef, $err) = ask($node, q(BEGIN; SELECT privacct.unprotect('visit'); SELECT privacct.protect('visit', 'patient_id', epsilon => 9); COMMIT), role => 'steward');
unlike($err, qr/ERROR/, 'but the administrator\'s');
is($node->safe_psql('postgres', q(SELECT epsilon_spent FROM privacct.odometer WHERE open AND relation = 'visit'::regclass)), '1.7', 'what was spent is carried over');

# --- a dump of 0.1 that is restored into 0.2 has no history: it is made from what is there ---

$node->safe_psql('fresh', q(
	CREATE TABLE visit (visit_id int PRIMARY KEY, patient_id int NOT NULL);
	INSERT INTO privacct.policy (policy_id, relation, relation_name, owner_column, regime, accounting, accountant, epsilon, delta, cap_rho, cap_delta,
		max_groups_contributed, max_rows_contributed, min_owners, kernel, kernels, sample_rate, filter, answer_group, secret, created_at, created_by, closed_at)
	SELECT n, 'visit', 'public.visit', 'patient_id', 'central', 'table', 'basic', 8, 1e-7, NULL, 1e-7, 1, 3, 1, NULL, NULL, 1, NULL, NULL, sha256('x'), now(), 'steward',
		CASE n WHEN 1 THEN now() END FROM generate_series(1, 2) n;
	INSERT INTO privacct.account VALUES (1, 0::regrole, 1.5, 1e-8, 0.3, 3), (2, 0::regrole, 2, 1e-8, 0.4, 4);
	INSERT INTO privacct.ledger (policy_id, charged_at, role, payer, epsilon, delta, rho, detail)
		SELECT 1, now(), 'analyst', 'analyst', 0.5, 0, 0.1, '{}'::jsonb FROM generate_series(1, 3)
		UNION ALL SELECT 2, now(), 'steward', 'analyst', 1.5, 1e-8, 0.3, '{"carried_from_policy": 1, "charges": 3}'
		UNION ALL SELECT 2, now(), 'analyst', 'analyst', 0.5, 0, 0.1, '{}';
	SELECT setval('privacct.policy_id_seq', 2), privacct.unprotect('visit'), privacct.protect('visit', 'patient_id', epsilon => 8);));
is($node->safe_psql('fresh', q(SELECT epsilon_spent, releases FROM privacct.odometer WHERE open)), '2|4', 'what was spent is carried over, and counted once');
is($node->safe_psql('fresh', q(SELECT problem FROM privacct.check_books())), 'the books are a copy', 'and came from elsewhere');
is($node->safe_psql('fresh', q(SET client_min_messages = error; SELECT privacct.accept_books(); SELECT * FROM privacct.check_books())) =~ s/^\s+//r, '', 'the books agree');

$node->stop;
done_testing();
