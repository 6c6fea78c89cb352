# SPDX-License-Identifier: GPL-3.0-or-later
# What a session of the local regime had to make of many answers it leaves for those
# that come after it.  They read the same states from the copy as from the answers; a
# copy that was made of anything else, or is not what was written, is not used, nor one
# that a crash took away.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PrivacctTest;
use Test::More;

my $node = new_node('state_copies', fsync => 'off', autovacuum => 'off', 'privacct.require_durable_storage' => 'off', allows_streaming => 1,
	'privacct.shared_book_memory' => 0);
$node->start;
$node->safe_psql('postgres', q(
	CREATE EXTENSION privacct;
	CREATE ROLE analyst LOGIN;
	CREATE TABLE person (id int PRIMARY KEY, x int, a float8, b float8);
	INSERT INTO person SELECT i, i * 5 % 2000, i % 101, i * 7 % 101 FROM generate_series(1, 400) i;
	SELECT privacct.protect('person', 'id', regime => 'local', epsilon => 6, min_epsilon => 1e-6);
	SELECT privacct.set_domain('person', 'x', ARRAY(SELECT generate_series(0, 1999)));
	SELECT privacct.set_domain('person', c, 0, 100) FROM unnest('{a,b}'::name[]) c;
	SELECT privacct.grant_budget('person', 'analyst', 1000);
));

sub ask_some
{
	my ($first, $last) = @_;
	$node->safe_psql('postgres', join("\n", 'SET client_min_messages = error; SET privacct.epsilon = 0.3; SET privacct.filter_nodes = 200;',
			map { $_ % 9 == 0 ? "SELECT privacct.ldp_avg(a - $_ * b) FROM person;" : "SELECT privacct.ldp_avg((x * $_ + 7) % 2000) FROM person;" } $first .. $last),
		extra_params => [ '-U', 'analyst' ]);
	return;
}

# What a new session finds, and which relations it reads for it.
sub states
{
	my ($server) = @_;
	my ($found, @read) = split /\n/, ($server || $node)->safe_psql('postgres', q(
		BEGIN;
		SELECT md5(string_agg(s::text, ',' ORDER BY state)) FROM privacct.local_state s;
		SELECT c.relname FROM pg_class c WHERE c.relname IN ('likelihood_copy_pkey', 'owner_state_copy_pkey')
			AND pg_stat_get_xact_tuples_fetched(c.oid) > 0 ORDER BY 1;
		COMMIT;));
	return ($found, "@read");
}

sub is_alike
{
	my ($expected, $read, $name, $server) = @_;
	my ($found, @read) = states($server);
	is($found, $expected, "$name: the same states");
	is("@read", $read, "$name: " . ($read ? 'from the copy' : 'from the answers'));
	return;
}

sub copied
{
	return $node->safe_psql('postgres', 'SELECT question, states FROM privacct.owner_state_copy_at');
}

my $both = 'likelihood_copy_pkey owner_state_copy_pkey';
ask_some(1, 30);
is(copied(), '', 'who asked all questions leaves nothing');
my ($before) = states();
is(copied(), '', 'who only looks leaves nothing');
ask_some(31, 31);
like(copied(), qr/^30\|\d{3}$/, 'who asks, and had to make the states of many answers, leaves a copy');

cmp_ok($node->safe_psql('postgres', q(SELECT pg_total_relation_size('privacct.likelihood_copy'))), '>', 5000000, 'it takes more than one part');

# --- the same states ---

my ($found, $read) = states();
is($read, $both, 'who comes later reads it');
isnt($found, $before, 'and the answer after it');
$node->safe_psql('postgres', 'SET privacct.write_books = on; CREATE TABLE kept AS TABLE privacct.owner_state_copy_at; DELETE FROM privacct.owner_state_copy_at');
is_alike($found, '', 'without a copy');

sub put_back
{
	my ($change) = @_;
	$node->safe_psql('postgres', "SET privacct.write_books = on; DELETE FROM privacct.owner_state_copy_at; INSERT INTO privacct.owner_state_copy_at SELECT * FROM kept; $change");
	return;
}
put_back('');
is_alike($found, $both, 'with the copy again');

# --- copies of something else ---

put_back('UPDATE privacct.owner_state_copy_at SET trail = trail + 1');
is_alike($found, '', 'other answers');
put_back('UPDATE privacct.owner_state_copy_at SET base = 1');
is_alike($found, '', 'other states before');
put_back('UPDATE privacct.owner_state_copy_at SET question = 29');
is_alike($found, '', 'fewer answers');
put_back('UPDATE privacct.owner_state_copy_at SET question = 99');
is_alike($found, '', 'answers that are not there');
put_back(q(INSERT INTO privacct.likelihood VALUES ((SELECT policy_id FROM kept), 0, '{}', 0, 0, 0, 0, '{}', 0, 0, 0);
	UPDATE privacct.likelihood SET basic = 1));
is(copied(), '', 'states that the copy was made from changed: it is forgotten');
$node->safe_psql('postgres', q(SET privacct.write_books = on; ALTER TABLE privacct.likelihood DISABLE TRIGGER ALL; DELETE FROM privacct.likelihood));
put_back('');
$node->safe_psql('postgres', 'ALTER TABLE privacct.likelihood ENABLE TRIGGER ALL');
is(copied(), '', 'triggers of the books were disabled: it is forgotten');

# --- copies that are not what was written ---

my $kept = 'CREATE TABLE kept_states AS TABLE privacct.likelihood_copy; CREATE TABLE kept_owners AS TABLE privacct.owner_state_copy;';
$node->safe_psql('postgres', $kept);

sub put_back_all
{
	my ($change) = @_;
	put_back("DELETE FROM privacct.likelihood_copy; INSERT INTO privacct.likelihood_copy SELECT * FROM kept_states;
		DELETE FROM privacct.owner_state_copy; INSERT INTO privacct.owner_state_copy SELECT * FROM kept_owners; $change");
	return;
}
put_back_all('');
is_alike($found, $both, 'all of it put back');
put_back_all('UPDATE privacct.owner_state_copy_at SET seal = seal + 1');
is_alike($found, $both, 'read in vain: another seal');
my %changes = (
	'states that lost nothing' => 'UPDATE privacct.likelihood_copy SET basic = 0, central = 0, loss = 0',
	'a table of another state' => 'UPDATE privacct.likelihood_copy k SET log_likelihood = o.log_likelihood FROM kept_states o WHERE k.state = 5 AND o.state = 0',
	'states of others' => q(UPDATE privacct.owner_state_copy SET states = overlay(states PLACING '\\x0000' FROM 1)),
	'a table that is none' => q(UPDATE privacct.likelihood_copy SET log_likelihood = '{1}' WHERE state = 7),
	'a width that is none' => 'UPDATE privacct.owner_state_copy SET width = 0',
	'a state less' => 'DELETE FROM privacct.likelihood_copy WHERE state = 7',
	'no state of an owner' => 'DELETE FROM privacct.owner_state_copy');
for my $name (sort keys %changes)
{
	put_back_all($changes{$name});
	is((states())[0], $found, "$name: the same states from the answers");
}
put_back_all('');

# --- rows that come by hand ---

for my $table (qw(likelihood_copy owner_state_copy owner_state_copy_at))
{
	my ($stdout, $stderr);
	$node->psql('postgres', "INSERT INTO privacct.$table SELECT * FROM privacct.$table", stdout => \$stdout, stderr => \$stderr);
	like($stderr, qr/privacct\.$table cannot be changed by hand/, "no row comes to $table");
}
is_alike($found, $both, 'nothing has changed');
$node->safe_psql('postgres', 'SET privacct.write_books = on; INSERT INTO privacct.owner_state_at VALUES (-1, 0, 0, 1)');
is(copied(), '', 'states came by hand, as in a restore: copies are forgotten');
$node->safe_psql('postgres', 'SET privacct.write_books = on; DELETE FROM privacct.owner_state_at WHERE policy_id = -1');

# --- what is not logged ---

put_back('');
$node->backup('standby');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'standby', has_streaming => 1);
$standby->start;
$node->wait_for_catchup($standby, 'replay', $node->lsn('insert'));
is_alike($found, '', 'on a standby', $standby);
$standby->stop;
is_alike($found, $both, 'still there');
$node->stop('immediate');
$node->start;
is_alike($found, '', 'after a crash');
ask_some(32, 32);
like(copied(), qr/^31\|/, 'then there is another');
($found) = states();
$node->restart;
is_alike($found, $both, 'after a restart it is still there');

$node->stop;
done_testing();
