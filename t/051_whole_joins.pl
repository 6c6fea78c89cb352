# SPDX-License-Identifier: GPL-3.0-or-later
# Both sides of a join of protected tables are read, whether a row of the other meets it or
# not: else one row decides whether another table takes its time.  What was read is in the
# buffer pool of a server that has just started.
use strict;
use warnings;

use PrivacctTest;
use Test::More;

my $node = new_node('whole_joins', autovacuum => 'off', fsync => 'off', 'privacct.require_durable_storage' => 'off');
$node->start;
$node->safe_psql('postgres', q(
	CREATE EXTENSION privacct;
	CREATE EXTENSION pg_buffercache;
	CREATE ROLE analyst;
	CREATE TABLE few (o int NOT NULL, x int);
	INSERT INTO few SELECT i, 1 FROM generate_series(1, 20) i;
	CREATE TABLE many (o int NOT NULL, y int, filler text);
	INSERT INTO many SELECT i, 1, repeat('x', 500) FROM generate_series(1, 200) i;
	VACUUM (FREEZE);
	DO $$ BEGIN
		PERFORM privacct.create_unit('patient', epsilon => 1e6), privacct.protect('few', owner => 'o', unit => 'patient');
		PERFORM privacct.protect('many', owner => 'o', unit => 'patient', workers => 2), privacct.grant_budget('patient', 'analyst', 1e6);
	END $$;));

# The tables that have pages in the pool after the query; together they fit into the ring of buffers that a release reads by.
sub tables_read
{
	my ($query) = @_;

	$node->restart;
	$node->safe_psql('postgres', "SET ROLE analyst; SET privacct.epsilon = 200; $query");
	return $node->safe_psql('postgres', q(SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class
		WHERE relname IN ('few', 'many') AND EXISTS (SELECT FROM pg_buffercache b
			WHERE b.relfilenode = pg_relation_filenode(pg_class.oid) AND b.reldatabase = (SELECT oid FROM pg_database WHERE datname = current_database()))));
}

is(tables_read('SELECT count(*) FROM few'), 'few', 'what is not asked for is not read');
for my $query (
	'few JOIN many USING (o) WHERE x = 0', 'few JOIN many USING (o) WHERE y = 0', 'many JOIN few USING (o) WHERE x = 0 AND y = 0',
	'few LEFT JOIN many USING (o) WHERE x = 0', 'many LEFT JOIN few USING (o) WHERE y = 0', 'many RIGHT JOIN few USING (o) WHERE x = 0',
	'few WHERE x = 0 AND EXISTS (SELECT FROM many WHERE many.o = few.o)', 'many WHERE y = 0 AND EXISTS (SELECT FROM few WHERE many.o = few.o)',
	'few WHERE x = 0 AND NOT EXISTS (SELECT FROM many WHERE many.o = few.o)', 'many WHERE y = 0 AND NOT EXISTS (SELECT FROM few WHERE many.o = few.o)',
	'(SELECT o FROM few WHERE x = 0 GROUP BY o) f JOIN many USING (o)', '(SELECT o FROM many WHERE y = 0 GROUP BY o) m JOIN few USING (o)',
	'few a JOIN few b USING (o) JOIN many USING (o) WHERE a.x = 0')
{
	is(tables_read("SELECT count(*) FROM $query"), 'few many', $query);
}

# which makes no rows that count
is($node->safe_psql('postgres', "SET ROLE analyst; SET privacct.epsilon = 200; SELECT count(*) FROM $_"), '0', "none: $_")
  for 'few LEFT JOIN many USING (o) WHERE x = 0', 'few WHERE x = 0 AND NOT EXISTS (SELECT FROM many WHERE many.o = few.o)',
	'(SELECT few.o FROM few LEFT JOIN many USING (o) WHERE x = 0 GROUP BY few.o) g', 'few a LEFT JOIN (few b LEFT JOIN many USING (o)) ON a.o = b.o AND b.x = 0 WHERE a.x = 0';

done_testing();
