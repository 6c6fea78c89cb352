# SPDX-License-Identifier: GPL-3.0-or-later
# What a release reads drives out of the buffer pool what was there, and an analyst who
# has filled the pool with tables of his own counts how much is left of them.  That must
# not tell how many pages a protected table has.
use strict;
use warnings;

use PrivacctTest;
use Test::More;

my $ROWS = 300;		# of a page each
my $MORE = 200;
my $NEAR = 50;		# buffers that other processes, and catalogs that are read anew, may have taken meanwhile

my $node = new_node('buffer_pool', shared_buffers => '16MB', autovacuum => 'off', fsync => 'off',
	'privacct.require_durable_storage' => 'off');
$node->start;

# Each row fills a page.
sub wide_table
{
	my ($name, $partitions) = @_;

	return qq(
		CREATE TABLE $name (patient int NOT NULL, grade int, doc text) ) . ($partitions ? 'PARTITION BY HASH (patient);' : ';') .
	  join('', map { "CREATE TABLE ${name}_$_ PARTITION OF $name FOR VALUES WITH (MODULUS $partitions, REMAINDER $_);" } 0 .. $partitions - 1) .
	  join('', map { "ALTER TABLE $_ ALTER doc SET STORAGE plain;" } $name, map { "${name}_$_" } 0 .. $partitions - 1) .
	  "INSERT INTO $name SELECT i, 1, repeat('x', 5000) FROM generate_series(1, $ROWS) i;";
}

$node->safe_psql('postgres', 'CREATE EXTENSION privacct; SELECT privacct.harden_catalog(); CREATE ROLE spy LOGIN;
	GRANT pg_read_all_stats TO spy;		-- EXPLAIN (BUFFERS) stands for the time that a page takes

	CREATE SCHEMA den AUTHORIZATION spy; ALTER ROLE spy SET search_path = den, public, privacct;' .
	wide_table('plain', 0) . wide_table('parted', 3) . wide_table('asked', 0) . wide_table('tired', 0) . wide_table('walked', 0) . q(
	ALTER TABLE asked ADD PRIMARY KEY (patient);
	ALTER TABLE tired ADD PRIMARY KEY (patient);
	SELECT privacct.protect('tired', 'patient', regime => 'local', epsilon => 1, fresh => true), privacct.set_domain('tired', 'grade', ARRAY[0, 1]),
		privacct.grant_budget('tired', 'spy', 1000);
	ALTER TABLE walked ALTER grade SET NOT NULL, ALTER doc SET NOT NULL, ADD PRIMARY KEY (patient, grade);
	SELECT privacct.protect_entries('walked', 'patient', '{grade}', 'doc',
		privacct.chain_prior('{x,y}'::text[], '{{0.5,0.5},{0.5,0.5}}'), 1000, max_entries => 1, fresh => true),
		privacct.grant_budget('walked', 'spy', 1000);
	INSERT INTO walked VALUES (1, 2, 'x');
	SELECT privacct.protect('plain', 'patient', epsilon => 1000, delta => 1e-6, fresh => true), privacct.grant_budget('plain', 'spy', 1000);
	SELECT privacct.protect('parted', 'patient', epsilon => 1000, delta => 1e-6, workers => 2, fresh => true), privacct.grant_budget('parted', 'spy', 1000);
	SELECT privacct.protect('asked', 'patient', regime => 'local', epsilon => 1000, fresh => true), privacct.set_domain('asked', 'grade', ARRAY[0, 1]),
		privacct.grant_budget('asked', 'spy', 1000);));
$node->safe_psql('postgres', q(
	DO $$ BEGIN FOR i IN 0 .. 4 LOOP
		EXECUTE format('CREATE TABLE den.filler%s (x text); ALTER TABLE den.filler%1$s ALTER x SET STORAGE plain;'
			'INSERT INTO den.filler%1$s SELECT repeat(''y'', 5000) FROM generate_series(1, 500)', i);
	END LOOP; END $$;
	CREATE FUNCTION den.is_read(page int) RETURNS boolean LANGUAGE plpgsql AS $$ DECLARE plan json; BEGIN
		EXECUTE format('EXPLAIN (ANALYZE, BUFFERS, TIMING off, FORMAT json) SELECT FROM den.filler%s WHERE ctid = ''(%s, 1)''',
			page / 500, page % 500) INTO plan;
		RETURN (plan->0->'Plan'->>'Shared Read Blocks')::int > 0;
	END $$;
	-- how many of the pages that were read last are still in the pool after the query
	CREATE FUNCTION den.pages_left(query text) RETURNS int LANGUAGE plpgsql AS $$ DECLARE pages int := 0; BEGIN
		FOR round IN 1 .. 3 LOOP PERFORM den.is_read(page) FROM generate_series(0, 2499) page; END LOOP;
		BEGIN EXECUTE query; EXCEPTION WHEN SQLSTATE '42PA1' OR SQLSTATE '53PA2' THEN NULL; END;
		FOR page IN REVERSE 2499 .. 0 LOOP EXIT WHEN den.is_read(page); pages := pages + 1; END LOOP;
		RETURN pages;
	END $$;), extra_params => [ '-U', 'spy' ]);
$node->safe_psql('postgres', 'VACUUM (FREEZE)');

# The figure of a session that has asked before, which has its catalogs in memory; the best of some.
sub pages_left
{
	my ($query) = @_;
	my @left = split /\n/, $node->safe_psql('postgres', "SET privacct.epsilon = 1; SET client_min_messages = warning;
		SELECT den.pages_left(\$\$$query\$\$) FROM generate_series(1, 4)", extra_params => [ '-U', 'spy' ]);

	return (sort { $b <=> $a } @left[ 1 .. $#left ])[0];
}

my %queries = (plain => 'SELECT count(*) FROM plain', parted => 'SELECT count(*) FROM parted', asked => 'SELECT ldp_count(grade = 1) FROM asked');
cmp_ok(pages_left('SELECT FROM den.filler0 LIMIT 0'), '>', 2000, 'what nobody drives out stays');
for my $table (sort keys %queries)
{
	my $without = pages_left($queries{$table});

	cmp_ok($without, '>', 500, "$table: the figure is of use");
	$node->safe_psql('postgres', "INSERT INTO $table SELECT 1000 + i, 1, repeat('x', 5000) FROM generate_series(1, $MORE) i; VACUUM (FREEZE) $table;");
	my $with = pages_left($queries{$table});
	cmp_ok(abs($with - $without), '<=', $NEAR, "$table: as many pages are left with $MORE rows more ($without, $with)");
}

# Nobody can bear one more question: whether there are owners who were never asked is looked up.
my $ask = 'SELECT ldp_count(grade = 1) FROM tired';
$node->safe_psql('postgres', "SET privacct.epsilon = 1; SET client_min_messages = warning; $ask", extra_params => [ '-U', 'spy' ]);
my ($code, $out, $err) = $node->psql('postgres', "SET privacct.epsilon = 1; $ask", extra_params => [ '-U', 'spy' ]);
like($err, qr/no owner can bear/, 'tired: nobody is left');
my $few = pages_left($ask);
$node->safe_psql('postgres', "UPDATE tired SET grade = grade WHERE patient <= $MORE; VACUUM (FREEZE) tired;");
my $many = pages_left($ask);
cmp_ok(abs($many - $few), '<=', $NEAR, "tired: as many pages are left with $MORE pages more ($few, $many)");

# An owner has more rows than the policy allows: that is counted, for nothing.
($code, $out, $err) = $node->psql('postgres', 'SELECT count(*) FROM walked', extra_params => [ '-U', 'spy' ]);
like($err, qr/42PA1|not allowed/, 'walked: is refused');
$few = pages_left('SELECT count(*) FROM walked');
$node->safe_psql('postgres', "INSERT INTO walked SELECT 1000 + i, 1, repeat('x', 5000) FROM generate_series(1, $MORE) i; VACUUM (FREEZE) walked;");
$many = pages_left('SELECT count(*) FROM walked');
cmp_ok(abs($many - $few), '<=', $NEAR, "walked: as many pages are left with $MORE pages more ($few, $many)");
$node->stop;
done_testing();
