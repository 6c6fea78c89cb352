# SPDX-License-Identifier: GPL-3.0-or-later
# Privacy units and owner paths survive pg_dump and pg_restore, in whatever order they
# come; what was charged to a unit counts on; a table that changes its unit while a
# question is under way is not released under the old one; a table of 0.1 joins a unit.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

my $CATALOG = q(
	SELECT 'policy', policy_id, relation, relation_name, owner_column, accountant, epsilon, delta, cap_delta, regime, name, unit_owner, unit,
		path, path_to, path_keys, null_owners, closed_at IS NULL FROM privacct.policy ORDER BY policy_id;
	SELECT 'history', policy_id, relation, owner_column, path FROM privacct.history ORDER BY policy_id, relation_name;
	SELECT 'quota', policy_id, role, epsilon, delta FROM privacct.quota ORDER BY 2, role::text;
	SELECT 'account', policy_id, role, epsilon, delta, rho, releases FROM privacct.account ORDER BY 2, role::text;
	SELECT 'inherited', * FROM privacct.inherited ORDER BY policy_id, source;
	SELECT 'unrelated', * FROM privacct.unrelated ORDER BY policy_id, source;
	SELECT 'ledger', * FROM privacct.ledger ORDER BY charge_id;
	SELECT 'odometer', policy_id, unit, tables, epsilon_spent, epsilon_left, releases, epsilon_not_counted FROM privacct.odometer ORDER BY policy_id;
	SELECT 'problem', * FROM privacct.check_books() WHERE problem <> 'the books are a copy';
);

my $node = new_node('old');
$node->start;
$node->safe_psql('postgres', q(
	CREATE EXTENSION privacct;
	CREATE ROLE shopkeeper;
	GRANT privacct_admin TO shopkeeper;
	GRANT CREATE ON SCHEMA public TO shopkeeper;
	CREATE ROLE analyst LOGIN;
	ALTER ROLE analyst SET privacct.epsilon = '0.125';
	SET ROLE shopkeeper;
	CREATE TABLE customer (c_id int PRIMARY KEY, region text NOT NULL);
	CREATE TABLE purchase (p_id int PRIMARY KEY, c_id int NOT NULL REFERENCES customer, price int);
	CREATE TABLE line (p_id int NOT NULL REFERENCES purchase, n int, price int, PRIMARY KEY (p_id, n));
	CREATE TABLE defect (n int NOT NULL, p_id int NOT NULL, what text, FOREIGN KEY (p_id, n) REFERENCES line);
	CREATE TABLE parcel (parcel_id int PRIMARY KEY, c_id int NOT NULL);
	CREATE TABLE answer (c_id int PRIMARY KEY, grade int);
	INSERT INTO customer SELECT i, 'r' || i % 3 FROM generate_series(1, 100) i;
	INSERT INTO purchase SELECT i, 1 + i % 100, i % 50 FROM generate_series(1, 300) i;
	SELECT privacct.protect('purchase', 'c_id', epsilon => 3, fresh => true), privacct.protect('parcel', 'parcel_id', epsilon => 3, fresh => true);
	SELECT privacct.grant_budget('purchase', 'analyst', 1), privacct.grant_budget('parcel', 'analyst', 1);
	SELECT privacct.create_unit('shop', epsilon => 3, delta => 1e-6);
	SELECT privacct.protect('customer', 'c_id', unit => 'shop', fresh => true);
));
my ($CUSTOMERS, $PURCHASES, $PARCELS) = map { "SELECT count(*) FROM $_" } 'customer', 'purchase', 'parcel';
ok(defined ask_value($node, $_), "before the unit: $_") for $PURCHASES, $PARCELS;
$node->safe_psql('postgres', q(
	SET ROLE shopkeeper;
	BEGIN;
	SELECT privacct.unprotect('purchase'), privacct.protect('purchase', 'c_id', unit => 'shop');
	COMMIT;
	BEGIN;
	SELECT privacct.unprotect('parcel'), privacct.protect('parcel', 'c_id', unit => 'shop', fresh => true);
	COMMIT;
	SELECT privacct.protect('line', 'p_id', unit => 'shop');
	SELECT privacct.protect('defect', ARRAY['p_id', 'n'], unit => 'shop');
	SELECT privacct.protect('answer', 'c_id', unit => 'shop', regime => 'local', epsilon => 1, fresh => true);
	ALTER TABLE line RENAME p_id TO purchase_id;
	SELECT privacct.grant_budget('shop', 'analyst', 0.625);	-- purchase has brought the price of one question
	SELECT privacct.create_unit('closed'), privacct.drop_unit('closed');
));
ok(defined ask_value($node, $_), "in the unit: $_") for $CUSTOMERS, $PURCHASES;
my $before = $node->safe_psql('postgres', $CATALOG);
like($before, qr/^policy\|\d+\|line\|public\.line\|\|.*\|\{purchase_id\}\|purchase\|/m, 'a path follows a column that is renamed');
like($before, qr/^odometer\|\d+\|shop\|\{public\.answer,public\.customer,public\.defect,public\.line,public\.parcel,public\.purchase\}\|/m, 'the odometer shows the unit with its tables');
like($before, qr/^odometer\|\d+\|shop\|[^|]*\|1\.375\|1\.625\|4\|0\.125$/m, 'carried, charged and promised to owners; what does not count is shown');
unlike($before, qr/^problem/m, 'the books are in order');

# --- dump and restore ---

my $dir = PostgreSQL::Test::Utils::tempdir();
$node->command_ok([ 'pg_dump', '-f', "$dir/custom", '-Fc', 'postgres' ], 'pg_dump');
$node->command_ok([ 'pg_dumpall', '--globals-only', '-f', "$dir/globals" ], 'pg_dumpall --globals-only');
$node->safe_psql('postgres', 'CREATE DATABASE sections TEMPLATE template0');
for my $section ('pre-data', 'data', 'post-data')
{
	$node->command_ok([ 'pg_restore', '--exit-on-error', "--section=$section", '-d', 'sections', "$dir/custom" ], "restore of $section");
}
is($node->safe_psql('sections', $CATALOG), $before, 'sections keep everything');

my $new = new_node('new');
$new->start;
$new->safe_psql('postgres', 'CREATE ROLE filler');	# so that numbers of roles differ
$new->command_ok([ 'psql', '-X', '-q', '-d', 'postgres', '-f', "$dir/globals" ], 'globals restored');
$new->safe_psql('postgres', 'CREATE DATABASE copy TEMPLATE template0');
$new->command_ok([ 'pg_restore', '--exit-on-error', '-d', 'copy', "$dir/custom" ], 'restore into a new cluster');
is($new->safe_psql('copy', $CATALOG), $before, 'the new cluster has everything');
$new->safe_psql('copy', 'SELECT privacct.accept_books()');
ok(defined ask_value($new, $_, database => 'copy'), "restored: $_") for $CUSTOMERS, $PARCELS;
my (undef, undef, $err) = ask($new, $PURCHASES, database => 'copy');
like($err, qr/ERROR:\s+53PA2/, 'the budget is that of the unit, and goes on where it was');
(undef, undef, $err) = ask($new, 'SELECT count(*) FROM defect', database => 'copy');
unlike($err, qr/55PA3/, 'the path is found');
$new->safe_psql('copy', q(ALTER TABLE line DISABLE TRIGGER USER));
my ($refused, undef, $why) = $new->psql('copy', 'ALTER TABLE line DROP CONSTRAINT line_p_id_fkey');
isnt($refused, 0, 'a foreign key of a path cannot be dropped');
like($why, qr/No foreign key of these columns refers to (?:public\.)?purchase \(p_id\) any more/, 'by the event trigger');
is($new->safe_psql('copy', q(SELECT problem FROM privacct.check_books())), '', 'the books are in order in the new cluster');

# what the triggers did not see is found when somebody asks
$new->safe_psql('copy', q(
	ALTER EVENT TRIGGER privacct_drop DISABLE;
	ALTER TABLE line DROP CONSTRAINT line_p_id_fkey;
	ALTER EVENT TRIGGER privacct_drop ENABLE ALWAYS;));
for my $table ('line', 'defect')
{
	(undef, undef, $err) = ask($new, "SELECT count(*) FROM $table", database => 'copy');
	like($err, qr/ERROR:\s+55PA3/, "without its foreign key, the owners of $table are not found");
}
is($new->safe_psql('copy', q(SELECT relation || ': ' || problem FROM privacct.check_books() WHERE relation IS NOT NULL)),
	'public.line: the foreign key to owners is not what it was', 'check_books() says so');
$new->stop;

# --- a question that is under way ---

my $session = session($node, 'analyst', 'postgres', 'default');
like($session->say("BEGIN; DECLARE c CURSOR FOR $PARCELS; SELECT 'open' AS cursor;"), qr/open/, 'a cursor is open');
my $spent = 'SELECT a.epsilon FROM privacct.account a JOIN privacct.policy p USING (policy_id) WHERE p.name = $$shop$$ AND p.closed_at IS NULL AND role::oid = 0';
my $was = $node->safe_psql('postgres', $spent);
$node->safe_psql('postgres', q(
	SET ROLE shopkeeper;
	SELECT privacct.create_unit('other', epsilon => 5);
	BEGIN;
	SELECT privacct.unprotect('parcel'), privacct.protect('parcel', 'c_id', unit => 'other', fresh => true);
	COMMIT;
	SELECT privacct.grant_budget('other', 'analyst', 4);));
like($session->say('FETCH c;'), qr/Its policy is no longer open|changed since the query was planned/, 'a table that has left is not released under its old unit');
$session->hang_up;
is($node->safe_psql('postgres', $spent), $was, 'and nothing was charged to it');
ok(defined ask_value($node, $PARCELS), 'the new unit answers');
like($node->safe_psql('postgres', q(SELECT epsilon_spent FROM privacct.odometer WHERE unit = 'other')), qr/^1\.5$/,
	'it started from all that the old one had spent');

# one that waits for its charge is decided by whose table it is then
my $keeper = session($node, 'postgres', 'postgres', 'default');
my $asker = session($node, 'analyst', 'postgres', 'default');
$keeper->say(q(SET ROLE shopkeeper; BEGIN;
	SELECT privacct.unprotect('parcel'), privacct.protect('parcel', 'c_id', unit => 'shop')));
$asker->send($PARCELS);
ok($node->poll_query_until('postgres', q(SELECT count(*) = 1 FROM pg_stat_activity
	WHERE usename = 'analyst' AND query ~ 'FROM parcel' AND wait_event_type = 'Extension')), 'a question waits for its charge');
$keeper->say('COMMIT');
like($asker->answer, qr/Its policy is no longer open/, 'it is refused: the table belongs to another unit');
$_->hang_up for $keeper, $asker;
like($node->safe_psql('postgres', q(SELECT epsilon_spent FROM privacct.odometer WHERE unit = 'other')), qr/^1\.5$/, 'and nothing was charged');
is($node->safe_psql('postgres', q(SELECT problem FROM privacct.check_books())), '', 'the books are in order');
$node->stop;
done_testing();
