# SPDX-License-Identifier: GPL-3.0-or-later
# Joins of protected tables: whatever the guard accepts is owned (docs/theory.md).
#
# For random queries over random small tables, in random physical order.  Of each that is
# accepted: without any one owner the rows of this owner are gone, and no others have
# changed; and what is released, with next to no noise, is what each owner counts, so many
# rows at most as are declared, by rows of whoever the rules say they are.
#
# OWNED_QUERIES and OWNED_SEED take more of them, and others; OWNED_WORKERS reads in parallel;
# OWNED_PADDING adds owners, so that what is hashed is written to files.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use OwnedTest;
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

my $QUERIES = $ENV{OWNED_QUERIES} || 400;
my $SEED = $ENV{OWNED_SEED} || int(rand(1_000_000));
my $ROWS = 3;					# that an owner counts with
my $WORKERS = $ENV{OWNED_WORKERS} // 2 * ($SEED % 2);
my $PADDING = $ENV{OWNED_PADDING} || 0;

note "OWNED_SEED=$SEED OWNED_WORKERS=$WORKERS OWNED_PADDING=$PADDING";
srand($SEED);

my $node = new_node('owned', fsync => 'off', work_mem => '64kB', 'privacct.require_durable_storage' => 'off');
$node->start;
$node->safe_psql('postgres', <<"SQL");
	CREATE EXTENSION privacct;
	CREATE ROLE analyst;
	CREATE TABLE visit (id int PRIMARY KEY, o int NOT NULL, x int, k int);
	CREATE TABLE stay (id int PRIMARY KEY, o bigint NOT NULL, x int, k int);	-- owners of another width
	CREATE TABLE item (v bigint NOT NULL REFERENCES visit, x int, k int);
	CREATE TABLE place (k int PRIMARY KEY, z int);
	GRANT SELECT ON place TO analyst;
	DO \$\$ BEGIN
		PERFORM privacct.create_unit('patient', epsilon => 1e6),
			privacct.protect('visit', owner => 'o', unit => 'patient', max_rows_contributed => $ROWS, workers => $WORKERS),
			privacct.protect('stay', owner => 'o', unit => 'patient', max_rows_contributed => $ROWS, workers => $WORKERS);
		PERFORM privacct.protect('item', owner => 'v', unit => 'patient', max_rows_contributed => $ROWS, workers => $WORKERS),
			privacct.grant_budget('patient', 'analyst', 1e6), privacct.declare_public('place');
	END \$\$;
	CREATE FUNCTION fill(seed float8) RETURNS void LANGUAGE plpgsql AS \$\$
	BEGIN
		PERFORM setseed(seed);
		SET LOCAL session_replication_role = replica;
		DELETE FROM visit; DELETE FROM stay; DELETE FROM item; DELETE FROM place;
		INSERT INTO visit SELECT row_number() OVER (), o, x, k FROM (SELECT (random() * 5)::int AS o, nullif((random() * 5)::int, 5) AS x,
			nullif((random() * 4)::int, 4) AS k FROM generate_series(1, 4 + (random() * 12)::int)) v ORDER BY random();
		INSERT INTO visit SELECT 1000 + i, 6 + i / 2, i % 5, i % 4 FROM generate_series(1, 2 * $PADDING) i;
		-- some owners are what others would be if they were as narrow
		INSERT INTO stay SELECT row_number() OVER (), o, x, k FROM (SELECT (random() * 5)::int + 4294967296 * (random() < 0.3)::int AS o,
			nullif((random() * 5)::int, 5) AS x, nullif((random() * 4)::int, 4) AS k FROM generate_series(1, 4 + (random() * 12)::int)) v ORDER BY random();
		-- some refer to nothing
		INSERT INTO item SELECT v, x, k FROM (SELECT 1 + (random() * 18)::int AS v, nullif((random() * 5)::int, 5) AS x,
			nullif((random() * 4)::int, 4) AS k FROM generate_series(1, 4 + (random() * 12)::int)) v ORDER BY random();
		INSERT INTO item SELECT 1000 + i, i % 5, i % 4 FROM generate_series(1, 2 * $PADDING) i;
		SET LOCAL session_replication_role = origin;
		INSERT INTO place SELECT i, (random() * 3)::int FROM generate_series(0, 3) i;
	END \$\$;

	-- what there is for whoever looks without the guard: rows without an owner do not count
	CREATE SCHEMA owned;
	CREATE VIEW owned.item AS SELECT i.* FROM public.item i WHERE EXISTS (SELECT FROM public.visit v WHERE v.id = i.v);

	-- what the block releases; or, of one that is refused, why
	-- without what is a release by itself (sql/inputs.sql): its noise is in the answer, and bounds may be missing
	CREATE FUNCTION answer(block text, OUT value numeric, OUT refusal text) LANGUAGE plpgsql AS \$\$
	DECLARE
		line text;
	BEGIN
		SET LOCAL ROLE analyst;
		SET LOCAL privacct.epsilon = 200;
		FOR line IN EXECUTE 'EXPLAIN ' || block LOOP
			IF line ~ 'CTE release' THEN
				RAISE SQLSTATE '42PA1' USING DETAIL = 'It reads another release.';
			END IF;
		END LOOP;
		EXECUTE block INTO value;
		RESET ROLE;
	EXCEPTION WHEN SQLSTATE '42PA1' OR SQLSTATE '22PA5' THEN
		GET STACKED DIAGNOSTICS refusal = PG_EXCEPTION_DETAIL;
	END \$\$;

	-- with how many rows an owner counts, as the release says
	CREATE FUNCTION claimed(block text) RETURNS int LANGUAGE plpgsql AS \$\$
	DECLARE
		line text;
	BEGIN
		SET LOCAL ROLE analyst;
		FOR line IN EXECUTE 'EXPLAIN ' || block LOOP
			EXIT WHEN line ~ 'Rows per Owner';
		END LOOP;
		RESET ROLE;
		RETURN substring(line FROM '\\d+');
	END \$\$;

	-- rows(without an owner, or NULL) as texts of those with an owner, and how many rows the owners count
	CREATE FUNCTION rows_without(gone bigint, block text, OUT owned text, OUT counted numeric) LANGUAGE plpgsql AS \$\$
	BEGIN
		SET LOCAL session_replication_role = replica;
		DELETE FROM public.item WHERE random() < 0.5 AND v IN (SELECT id FROM visit WHERE o = gone);
		DELETE FROM visit WHERE o = gone;
		DELETE FROM stay WHERE o = gone;
		SET LOCAL session_replication_role = origin;
		SET LOCAL search_path = owned, public;
		EXECUTE format('SELECT coalesce(string_agg(r::text, chr(10) ORDER BY r::text), ''''), '
			'coalesce((SELECT sum(least(count, $ROWS)) FROM (SELECT count(*) FROM (%1\$s) s WHERE owner IS NOT NULL GROUP BY owner) t), 0) '
			'FROM (%1\$s) r WHERE owner IS NOT NULL', block) INTO owned, counted;
		RAISE SQLSTATE 'XX999';
	EXCEPTION WHEN SQLSTATE 'XX999' THEN
		RETURN;
	END \$\$;

	CREATE FUNCTION most_rows(block text, OUT most int) LANGUAGE plpgsql SET search_path = owned, public AS \$\$
	BEGIN
		EXECUTE format('SELECT coalesce(max(count), 0) FROM (SELECT count(*) FROM (%s) s WHERE owner IS NOT NULL GROUP BY owner) t', block) INTO most;
	END \$\$;

	-- 'refused: why', 'held', or what is wrong
	CREATE FUNCTION try(from_where text, owner text, value text) RETURNS text LANGUAGE plpgsql AS \$\$
	DECLARE
		rows text := format('SELECT %s AS owner, %s AS value %s', owner, value, from_where);
		all_rows record;
		most int;
		other record;
		kept text;
		answer record;
		gone bigint;
	BEGIN
		answer := answer('SELECT count(*) ' || from_where);
		IF answer.refusal IS NOT NULL THEN RETURN 'refused: ' || answer.refusal; END IF;
		all_rows := rows_without(NULL, rows);
		IF answer.value <> all_rows.counted THEN
			RETURN format('released %s instead of %s', answer.value, all_rows.counted);
		END IF;
		most := most_rows(rows);
		IF claimed('SELECT count(*) ' || from_where) < least($ROWS, most) THEN
			RETURN format('an owner has %s rows', most);
		END IF;
		FOR gone IN SELECT i + wide FROM generate_series(0, 5) i, unnest('{0,4294967296}'::bigint[]) wide LOOP
			other := rows_without(gone, rows);
			SELECT coalesce(string_agg(r, chr(10) ORDER BY r), '') INTO kept FROM regexp_split_to_table(all_rows.owned, chr(10)) r
			WHERE r <> '' AND r NOT LIKE format('(%s,%%', gone);
			IF other.owned <> kept THEN
				RETURN format('without owner %s others have changed', gone);
			END IF;
		END LOOP;
		RETURN 'held';
	END \$\$;
SQL

my %results;
my %examples;
my @wrong;
my $script = '';
my @queries = map { random_query() } 1 .. $QUERIES;
for my $query (@queries)
{
	my $from_where = "FROM $query->{from} WHERE $query->{where}";

	$script .= sprintf("SELECT fill(%f);\nSELECT try(\$q\$%s\$q\$, \$q\$%s\$q\$, \$q\$%s\$q\$);\n", rand(), $from_where, $query->{owner}, 'ROW(' . join(', ', @{ $query->{columns} }) . ')::text');
}
my ($code, $out, $err) = $node->psql('postgres', $script, on_error_stop => 0, timeout => 1200);
is($err, '', 'no query fails in another way than by a refusal');
my @answers = grep { $_ ne '' } split /\n/, $out;
is(scalar @answers, $QUERIES, 'all queries were tried');
for my $i (0 .. $#answers)
{
	my $kind = $answers[$i] =~ /^refused: (.*)/ ? "refused: $1" : $answers[$i] eq 'held' ? 'held' : 'wrong';

	$results{$kind}++;
	$examples{$kind} //= "FROM $queries[$i]{from} WHERE $queries[$i]{where}";
	push @wrong, "$answers[$i]: FROM $queries[$i]{from} WHERE $queries[$i]{where}, owner $queries[$i]{owner}" if $kind eq 'wrong';
}
is(scalar @wrong, 0, 'what is accepted is owned, and is counted by owners') or diag(join "\n", @wrong[ 0 .. ($#wrong < 9 ? $#wrong : 9) ]);
cmp_ok($results{held} || 0, '>', $QUERIES / 10, 'enough of them are accepted');
note "$results{$_} $_\n\t$examples{$_}" for sort keys %results;

done_testing();
