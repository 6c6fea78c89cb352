# SPDX-License-Identifier: GPL-3.0-or-later
# Joins of protected tables by keys of several types give what the owner reads raw: keys that are negative, extreme,
# far from each other or next to each other, in order and in none; duplicates and nulls; in one process and in
# three; with memory, and with so little that most rows wait in files.  Public tables leave so few rows of a
# side that it is read first, and only rows that may meet one of these are hashed.  And so many groups by keys of
# these types that they have a table of their own.
#	KEYS_SEED		repeats a run (default: another one each time)
use strict;
use warnings;

use PrivacctTest;
use Test::More;

my $node = new_node('join_keys', autovacuum => 'off', fsync => 'off', 'privacct.require_durable_storage' => 'off');
my $seed = $ENV{KEYS_SEED} // int(rand(1_000_000));
my %keys = (    # from a number i
	int2 => 'CASE WHEN i % 500 = 0 THEN -32768 + i / 500 ELSE i * 7 % 32767 END',
	int4 => 'CASE WHEN i % 500 = 0 THEN 2147483647 - i / 500 WHEN i % 501 = 0 THEN -2147483648 + i / 501 WHEN i % 2 = 0 THEN i * -64 ELSE i END',
	int8 => 'CASE WHEN i % 500 = 0 THEN 9223372036854775807 - i WHEN i % 501 = 0 THEN -9223372036854775807 + i WHEN i % 2 = 0 THEN i::int8 << 33 ELSE -i END',
	text => q('key ' || i));

$node->start;
$node->safe_psql('postgres', q(
	CREATE EXTENSION privacct;
	CREATE ROLE analyst;
	CREATE TABLE kind (y int PRIMARY KEY, kind int NOT NULL);
	INSERT INTO kind SELECT y, y % 20 FROM generate_series(0, 99) y;
	GRANT SELECT ON kind TO analyst;
	SELECT privacct.declare_public('kind');));
for my $type (sort keys %keys)
{
	$node->safe_psql('postgres', qq(
		SELECT setseed($seed / 1e6);
		CREATE TABLE parent_$type (k $type PRIMARY KEY, o int NOT NULL, x int);
		INSERT INTO parent_$type SELECT $keys{$type}, floor(random() * 400), floor(random() * 100) FROM generate_series(1, 3000) i ORDER BY random() * (i % 2), i;
		CREATE TABLE child_$type (k $type REFERENCES parent_$type, y int, filler text);
		INSERT INTO child_$type SELECT k, floor(random() * 100), repeat('x', 20) FROM parent_$type, generate_series(1, (random() * 5)::int) ORDER BY x % 2, random() * x;
		INSERT INTO child_$type SELECT NULL, 1, 'nobody' FROM generate_series(1, 50);
		CREATE TABLE grouped_$type (k $type, h int, o int NOT NULL);
		INSERT INTO grouped_$type SELECT nullif(k, (SELECT max(k) FROM parent_$type)), nullif(x % 3, 0), (o + i * 7) % 400
		FROM parent_$type, generate_series(1, 5) i ORDER BY random();
		VACUUM (ANALYZE) parent_$type, child_$type, grouped_$type;	-- so that rows are left out in pages (lookup/page_scan.h)
		DO \$\$ BEGIN
			PERFORM privacct.create_unit('u_$type', epsilon => 1e6), privacct.grant_budget('u_$type', 'analyst', 1e6);
			PERFORM privacct.protect('parent_$type', owner => 'o', unit => 'u_$type', max_rows_contributed => 300, workers => 2, fresh => true);
			PERFORM privacct.protect('child_$type', owner => 'k', unit => 'u_$type', max_rows_contributed => 300, workers => 2, fresh => true, rows_without_owner => 'ignore');
			PERFORM privacct.protect('grouped_$type', owner => 'o', epsilon => 1e6, delta => 0.1, max_groups_contributed => 100, max_rows_contributed => 2, workers => 2, fresh => true);
			PERFORM privacct.grant_budget('grouped_$type', 'analyst', 1e6, 0.1);
		END \$\$;));
}

my @queries = (
	'FROM parent_T JOIN child_T USING (k) WHERE x < 50', 'FROM parent_T JOIN child_T USING (k) WHERE y = 1', 'FROM parent_T JOIN child_T USING (k) WHERE x = 1 AND y < 90',
	'FROM parent_T LEFT JOIN child_T USING (k)', 'FROM parent_T LEFT JOIN child_T ON child_T.k = parent_T.k AND y < 5 WHERE x = 2',
	'FROM child_T JOIN parent_T USING (k) LEFT JOIN child_T c ON c.k = child_T.k AND c.y = 7', 'FROM child_T a JOIN child_T b USING (k) WHERE a.y < b.y AND a.y < 10 AND a.k IS NOT NULL',
	'FROM parent_T WHERE EXISTS (SELECT FROM child_T c WHERE c.k = parent_T.k AND y < 9)', 'FROM parent_T WHERE x = 5 AND EXISTS (SELECT FROM child_T c WHERE c.k = parent_T.k)',
	'FROM parent_T WHERE NOT EXISTS (SELECT FROM child_T c WHERE c.k = parent_T.k AND y < 9)', 'FROM parent_T WHERE x = 6 AND NOT EXISTS (SELECT FROM child_T c WHERE c.k = parent_T.k)',
	'FROM child_T c JOIN parent_T USING (k) WHERE y = 8 AND NOT EXISTS (SELECT FROM child_T d WHERE d.k = c.k AND d.y <> c.y AND d.y < 50)',
	'FROM (SELECT o, count(*) AS n FROM parent_T JOIN child_T USING (k) GROUP BY o) g WHERE n > 9',
	'FROM child_T JOIN kind USING (y) JOIN parent_T USING (k) WHERE kind = 3',
	'FROM child_T JOIN kind USING (y) JOIN parent_T USING (k) WHERE kind < 0',
	'FROM child_T JOIN kind USING (y) JOIN parent_T USING (k) JOIN child_T d USING (k) WHERE kind = 4 AND d.y < 50',
	'FROM parent_T JOIN kind ON x = kind.y LEFT JOIN child_T USING (k) WHERE kind = 5',
	'FROM parent_T JOIN kind ON x = kind.y WHERE kind = 6 AND EXISTS (SELECT FROM child_T c WHERE c.k = parent_T.k AND y < 50)',
	'FROM parent_T JOIN kind ON x = kind.y WHERE kind = 7 AND NOT EXISTS (SELECT FROM child_T c WHERE c.k = parent_T.k AND y < 50)',
	'FROM child_T JOIN kind USING (y) LEFT JOIN parent_T USING (k) WHERE kind = 8');
my @settings = ('', 'SET privacct.owner_memory = 64;', 'SET max_parallel_workers_per_gather = 0;',
	'SET max_parallel_workers_per_gather = 0; SET privacct.owner_memory = 64;');
my $different = '';
my $answered = 0;

# As the analyst may ask it, its answer; undef if it is refused.
sub count_of
{
	my ($query, $before) = @_;
	my ($status, $output) = $node->psql('postgres', "$before SELECT count(*) $query");

	return $status == 0 ? $output : undef;
}

for my $type (sort keys %keys)
{
	for my $form (@queries)
	{
		my $query = $form =~ s/_T\b/_$type/gr;
		my $raw = count_of($query, '');

		for my $setting (@settings)
		{
			my $count = count_of($query, "$setting SET ROLE analyst; SET privacct.epsilon = 10000;");

			next unless defined $count;
			$answered++;
			$different .= "$setting $query: $count instead of $raw\n" if $count != $raw;
		}
	}
}
# Groups leave in the order of their keys.
for my $type (sort keys %keys)
{
	for my $by ('k', 'k, h', 'h, k')
	{
		my $query = "SELECT $by, count(*) FROM grouped_$type GROUP BY $by";
		my $raw = $node->safe_psql('postgres', "$query ORDER BY $by");

		is($node->safe_psql('postgres', "$_ SET ROLE analyst; SET privacct.epsilon = 15000; $query"), $raw, "$query $_")
		  for '', 'SET max_parallel_workers_per_gather = 0;';
	}
}
is($different, '', "answers are the raw ones (KEYS_SEED=$seed repeats this)");
is($answered, keys(%keys) * @queries * @settings, 'none is refused');
$node->stop;
done_testing();
