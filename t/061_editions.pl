# SPDX-License-Identifier: GPL-3.0-or-later
# Editions of tables, when others write or have old snapshots, without the library, by subscriptions, in dumps, and
# when the extension goes.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

my $node = new_node('editions', wal_level => 'logical', max_wal_senders => 5, max_replication_slots => 5, max_prepared_transactions => 5);
$node->start;
dba("CREATE EXTENSION IF NOT EXISTS privacct; CREATE ROLE analyst LOGIN;
CREATE TABLE person (id int PRIMARY KEY, ward int NOT NULL); INSERT INTO person SELECT i, i % 3 FROM generate_series(1, 1000) i;
SELECT privacct.protect('person', 'id', epsilon => 100000, delta => 1e-6, fresh => true);
SELECT privacct.grant_budget('person', 'analyst', 100000, 1e-6);
SELECT privacct.set_repeats('person', NULL, unchanged => true)");

my $refused = qr/55000|is of an edition/;
my $count = 'SET privacct.epsilon = 40; SELECT count(*) FROM person';

sub dba { return $node->safe_psql('postgres', $_[0]); }

sub refuses
{
	my ($sql, $name, $database) = @_;
	my (undef, undef, $err) = ask($node, $sql, role => superuser(), database => $database);
	like($err, $refused, $name);
	return;
}

# How many charges a question leaves, and its answer, which is nearly exact.
sub charged
{
	my $before = releases($node);
	my (undef, $out, $err) = ask($node, $count);
	is($err, '', 'no error');
	return [ releases($node) - $before, $out ];
}

# --- whoever is writing is waited for, also if his transaction is prepared ---

my $writer = session($node, superuser());
$writer->say('PREPARE later AS INSERT INTO person VALUES ($1, 0); BEGIN; EXECUTE later(2001)');
dba("BEGIN; INSERT INTO person VALUES (2002, 0); PREPARE TRANSACTION 'written'");
my $steward = session($node, superuser());
$steward->send("SELECT privacct.begin_edition('person') > 0 AS begun;");
ok($node->poll_query_until('postgres', "SELECT count(*) = 1 FROM pg_locks WHERE NOT granted AND relation = 'person'::regclass"), 'it waits');
$writer->say('COMMIT');
ok($node->poll_query_until('postgres', "SELECT count(*) = 1 FROM pg_locks WHERE NOT granted AND relation = 'person'::regclass"), 'and waits');
dba("COMMIT PREPARED 'written'");
ok($node->poll_query_until('postgres', "SELECT edition IS NOT NULL FROM privacct.policy WHERE relation = 'person'::regclass"), 'until nobody writes');
$steward->hang_up;
is_deeply(charged(), [ 1, 1002 ], 'a release has what they wrote');
is_deeply(charged(), [ 0, 1002 ], 'and is repeated');
like($writer->say('EXECUTE later(2003)'), $refused, 'a plan from before is refused');
$writer->hang_up;
is_deeply(charged(), [ 0, 1002 ], 'the table is unchanged');

# --- snapshots from before it began ---

dba("SELECT privacct.end_edition('person')");
my $old = session($node, 'analyst');
$old->say('BEGIN ISOLATION LEVEL REPEATABLE READ; SET privacct.epsilon = 40; SELECT 1');
my $writer_with_snapshot = session($node, superuser());
$writer_with_snapshot->say('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1');
dba("DELETE FROM person WHERE id > 2000; SELECT privacct.begin_edition('person')");
like($old->say('SELECT count(*) FROM person'), qr/^1002$/m, 'one from before sees what was deleted');
is_deeply(charged(), [ 1, 1000 ], 'and what it released is not of the edition');
like($old->say('SELECT count(*) FROM person'), qr/^1002$/m, 'nor is one of the edition repeated to it');
$old->say('ROLLBACK');
$old->hang_up;
like($writer_with_snapshot->say('INSERT INTO person VALUES (2004, 0)'), $refused, 'who does not see that it began is refused as well');
$writer_with_snapshot->hang_up;
is_deeply(charged(), [ 0, 1000 ], 'it lasts');

# --- a subscription writes without statements ---

$node->safe_psql('postgres', 'CREATE DATABASE source');
$node->safe_psql('source', "CREATE TABLE person (id int PRIMARY KEY, ward int NOT NULL); CREATE PUBLICATION persons FOR TABLE person");
$node->safe_psql('source', "SELECT pg_create_logical_replication_slot('persons', 'pgoutput')");
dba("SELECT privacct.end_edition('person')");
dba("SET client_min_messages = error; CREATE SUBSCRIPTION persons CONNECTION 'host=@{[ $node->host ]} port=@{[ $node->port ]} dbname=source user=@{[ superuser() ]}' PUBLICATION persons WITH (create_slot = false, copy_data = false)");
$node->safe_psql('source', 'INSERT INTO person VALUES (3001, 0)');
ok($node->poll_query_until('postgres', 'SELECT count(*) = 1001 FROM person'), 'a subscription writes');
dba("SELECT privacct.begin_edition('person')");
my $place = -s $node->logfile;
$node->safe_psql('source', 'INSERT INTO person VALUES (3002, 0)');
ok($node->wait_for_log(qr/is of an edition, and cannot be written to/, $place), 'but not while an edition lasts');
is_deeply(charged(), [ 1, 1001 ], 'no row has come');
dba("SELECT privacct.end_edition('person')");
ok($node->poll_query_until('postgres', 'SELECT count(*) = 1002 FROM person'), 'the row comes when it has ended');
dba($_) for 'ALTER SUBSCRIPTION persons DISABLE', 'ALTER SUBSCRIPTION persons SET (slot_name = NONE)', 'DROP SUBSCRIPTION persons';

# --- dumps: what is restored is of no edition, and says so ---

dba("SELECT privacct.begin_edition('person')");
my $dump = $node->basedir . '/editions.sql';
command_ok([ 'pg_dump', '-h', $node->host, '-p', $node->port, '-f', $dump, 'postgres' ], 'dumped');
$node->safe_psql('postgres', 'CREATE DATABASE restored');
command_ok([ 'psql', '-Xq', '-h', $node->host, '-p', $node->port, '-d', 'restored', '-f', $dump ], 'restored');
is($node->safe_psql('restored', "SELECT edition IS NULL, (SELECT count(*) FROM person) FROM privacct.policy WHERE relation = 'person'::regclass"), 't|1002', 'of no edition');
refuses('INSERT INTO person VALUES (4001, 0)', 'it is not written to before somebody says so', 'restored');
$node->safe_psql('restored', "SELECT privacct.end_edition('person'); INSERT INTO person VALUES (4001, 0); SELECT privacct.begin_edition('person')");
refuses('INSERT INTO person VALUES (4002, 0)', 'and may have another one', 'restored');
$node->safe_psql('postgres', 'DROP DATABASE restored');

# --- without the library ---

$node->append_conf('postgresql.conf', "shared_preload_libraries = ''\n");
$node->restart;
refuses('INSERT INTO person VALUES (5001, 0)', 'without the library rows are refused');
refuses('TRUNCATE person', 'and what empties the table');
refuses("SET session_replication_role = replica; DELETE FROM person WHERE false", 'by whatever session');
like((ask($node, 'ALTER TABLE person DISABLE TRIGGER ALL', role => superuser(), verbosity => 'default'))[2], qr/is of an edition/, 'and its triggers stay');
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'privacct'\n");
$node->restart;
is_deeply(charged()->[0], 1, 'asked again');
is_deeply(charged()->[0], 0, 'it still lasts');

# --- the extension goes ---

dba("SELECT privacct.unprotect('person')");
is(dba("INSERT INTO person VALUES (6001, 0); SELECT count(*) FROM pg_trigger WHERE tgname ~ 'privacct' AND tgenabled <> 'D'"), '0', 'a policy takes its edition along');
dba("SELECT privacct.protect('person', 'id', epsilon => 10, delta => 1e-6, fresh => true); SELECT privacct.begin_edition('person')");
my ($code, undef, $error) = ask($node, 'DROP EXTENSION privacct', role => superuser(), verbosity => 'default');
like($error, qr/trigger privacct_edition on table person depends on/, 'the extension does not go without a word');
dba('SET client_min_messages = error; SET privacct.allow_drop_extension = on; DROP EXTENSION privacct CASCADE');
is(dba("INSERT INTO person VALUES (6002, 0); SELECT count(*) FROM pg_trigger WHERE tgname ~ 'privacct'"), '0', 'and takes its editions along');
dba("CREATE EXTENSION privacct; SELECT privacct.protect('person', 'id', epsilon => 10, delta => 1e-6, fresh => true); SELECT privacct.begin_edition('person')");
dba('SET client_min_messages = error; SET privacct.allow_drop_extension = on; SELECT privacct.uninstall()');
is(dba("INSERT INTO person VALUES (6003, 0); SELECT count(*) FROM pg_trigger WHERE tgname ~ 'privacct'"), '0', 'uninstall() ends them');

$node->stop;
done_testing();
