# SPDX-License-Identifier: GPL-3.0-or-later
# What BI tools send: each statement is answered to a role without privileges on the
# table, and its figures are near the exact ones.
use strict;
use warnings;

use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

my $node = new_node('bi', log_min_messages => 'fatal');
$node->start;
$node->safe_psql('postgres', q(
	CREATE EXTENSION privacct;
	CREATE ROLE analyst LOGIN;
	ALTER ROLE analyst SET search_path = public, privacct;
	ALTER ROLE analyst SET privacct.epsilon = 10;
	CREATE TABLE shop (shop_id int PRIMARY KEY, city text NOT NULL, country text NOT NULL);
	INSERT INTO shop SELECT i, 'city' || i % 5, 'country' || i % 2 FROM generate_series(0, 19) i;
	GRANT SELECT ON shop TO PUBLIC;
	CREATE TABLE sale (sale_id bigint PRIMARY KEY, customer int NOT NULL, shop_id int NOT NULL, product varchar(20),
		amount numeric(10,2), quantity smallint, rate float8, day date NOT NULL, at timestamp, seen timestamptz, online boolean, remark text);
	INSERT INTO sale SELECT i, i / 2, i % 20, 'product' || i % 4, i % 100 + 0.5, i % 5, i % 10 / 10.0,
		date '2024-01-01' + i % 360, timestamp '2024-01-01' + (i % 360) * interval '1 day' + i % 24 * interval '1 hour',
		timestamptz '2024-01-01 00:00+00' + (i % 360) * interval '1 day', i % 3 = 0, CASE WHEN i % 2 = 0 THEN 'ok' END
	FROM generate_series(0, 7999) i;
	CREATE VIEW sales WITH (security_invoker) AS SELECT s.*, h.city, h.country FROM sale s JOIN shop h USING (shop_id);
	GRANT SELECT ON sales TO PUBLIC;
	SELECT privacct.declare_public('shop');
	SELECT privacct.protect('sale', owner => 'customer', epsilon => 1000000, min_epsilon => 1e-6, delta => 1e-3,
		max_groups_contributed => 2, max_rows_contributed => 2);
	SELECT privacct.set_bounds('sale', 'amount', 0, 100), privacct.set_bounds('sale', 'quantity', 0, 5), privacct.set_bounds('sale', 'rate', 0, 1);
	SELECT privacct.set_bounds('sale', 'day', '2024-01-01'::date, '2024-12-31');
	SELECT privacct.grant_budget('sale', 'analyst', epsilon => 1000000, delta => 1e-3);
));

# The statements, with the tool whose habit they follow.  The first figure of each
# row is compared with what the table's owner gets.
my @statements = (
	'wrapped'			=> 'SELECT SUM(1) AS "sum:Number of Records:ok" FROM (SELECT * FROM sale) "Custom SQL Query" HAVING (COUNT(1) > 0)',
	'qualified'			=> 'SELECT "sale"."product" AS "product", SUM("sale"."amount") AS "sum:amount:ok" FROM "public"."sale" "sale" GROUP BY 1',
	'cast count'		=> 'SELECT CAST(COUNT(*) AS BIGINT) AS a0 FROM sale',
	'count column'		=> 'SELECT count("public"."sale"."remark") AS "count" FROM "public"."sale"',
	'month'				=> q(SELECT DATE_TRUNC('MONTH', CAST("sale"."day" AS TIMESTAMP)) AS "tmn:day:ok", COUNT(*) FROM "sale" GROUP BY 1 ORDER BY 1 ASC),
	'day without time'	=> 'SELECT CAST("at" AS date) AS d, count(*) AS n FROM sale WHERE at >= timestamp \'2024-01-01\' AND at < timestamp \'2024-02-01\' GROUP BY CAST("at" AS date) ORDER BY CAST("at" AS date) ASC',
	'time zone'			=> q(SELECT date_trunc('week', seen) AS w, count(*) FROM sale GROUP BY date_trunc('week', seen) ORDER BY w DESC LIMIT 10000),
	'fields'			=> 'SELECT EXTRACT(YEAR FROM day) AS y, EXTRACT(QUARTER FROM day) AS q, COUNT(*) FROM sale GROUP BY 1, 2 ORDER BY 1, 2',
	'buckets'			=> q(SELECT CASE WHEN amount < 25 THEN 'low' WHEN amount BETWEEN 25 AND 75 THEN 'middle' ELSE 'high' END AS bucket, count(*) FROM sale GROUP BY 1),
	'bins'				=> 'SELECT FLOOR((("amount" - 0.0) / 20.0)) * 20.0 + 0.0 AS "amount", count(*) AS "count" FROM sale GROUP BY FLOOR((("amount" - 0.0) / 20.0)) * 20.0 + 0.0 ORDER BY 1',
	'in list'			=> q(SELECT product, count(*) FROM sale WHERE product IN ('product1', 'product2') GROUP BY product),
	'not in list'		=> q(SELECT count(*) FROM sale WHERE (product NOT IN ('product1') OR product IS NULL)),
	'null filter'		=> 'SELECT count(*) FROM sale WHERE (remark IS NULL) AND NOT (amount IS NULL)',
	'like'				=> q(SELECT count(*) FROM sale WHERE LOWER(product) LIKE '%uct3%'),
	'contains'			=> q(SELECT count(*) FROM sale WHERE POSITION('ct2' IN product) > 0),
	'top n'				=> 'SELECT h.city, SUM(s.amount) AS total FROM sale s INNER JOIN shop h ON s.shop_id = h.shop_id GROUP BY h.city ORDER BY total DESC LIMIT 3',
	'left join'			=> 'SELECT h.country, COUNT(s.sale_id) FROM sale s LEFT JOIN shop h ON s.shop_id = h.shop_id GROUP BY h.country',
	'view'				=> 'SELECT city AS "City", COUNT(*) AS "n" FROM sales GROUP BY city ORDER BY "City"',
	'having'			=> 'SELECT product, COUNT(*) AS n FROM sale GROUP BY product HAVING COUNT(*) > 100 ORDER BY n DESC',
	'several figures'	=> 'SELECT product, COUNT(*) AS n, SUM(amount) AS s, AVG(amount) AS a, STDDEV(amount) AS d FROM sale GROUP BY product',
	'ratio'				=> 'SELECT product, SUM(amount) / NULLIF(COUNT(*), 0) AS mean FROM sale GROUP BY product',
	'conditional sum'	=> 'SELECT SUM(CASE WHEN online THEN 1 ELSE 0 END), SUM(CASE WHEN online THEN amount ELSE 0 END) FROM sale',
	'filter clause'		=> 'SELECT COUNT(*) FILTER (WHERE online), COUNT(*) FILTER (WHERE NOT online) FROM sale',
	'owners'			=> 'SELECT COUNT(DISTINCT customer) FROM sale',
	'distinct values'	=> 'SELECT DISTINCT product FROM sale ORDER BY product',
	'values of a filter'	=> 'SELECT "product" FROM "public"."sale" GROUP BY "product" ORDER BY "product" LIMIT 1000',
	'share of total'	=> 'SELECT product, COUNT(*) AS n, COUNT(*) * 100.0 / SUM(COUNT(*)) OVER () AS share FROM sale GROUP BY product',
	'running total'		=> q(SELECT m, sum(n) OVER (ORDER BY m) FROM (SELECT date_trunc('month', day) AS m, count(*) AS n FROM sale GROUP BY 1) q),
	'rank'				=> 'SELECT product, n, rank() OVER (ORDER BY n DESC) FROM (SELECT product, count(*) AS n FROM sale GROUP BY product) q',
	'with'				=> 'WITH base AS (SELECT product, amount FROM sale WHERE online) SELECT product, count(*) FROM base GROUP BY product',
	'two metrics joined'	=> 'WITH a AS (SELECT product, count(*) AS n FROM sale GROUP BY product), b AS (SELECT product, sum(quantity) AS q FROM sale GROUP BY product) SELECT a.product, a.n, b.q FROM a JOIN b ON a.product = b.product',
	'nested wrappers'	=> 'SELECT count(*) AS c FROM (SELECT * FROM (SELECT sale_id, amount AS "Amount" FROM (SELECT * FROM sale) s1) s2 WHERE "Amount" > 50) s3',
	'relative dates'	=> q(SELECT count(*) FROM sale WHERE day >= date_trunc('month', timestamp '2024-06-15')::date AND day < CURRENT_DATE + INTERVAL '1 day'),
	'semi-join'			=> q(SELECT count(*) FROM sale WHERE shop_id IN (SELECT shop_id FROM shop WHERE country = 'country1')),
	'any array'			=> 'SELECT count(*) FROM sale WHERE shop_id = ANY (ARRAY[1, 2, 3])',
	'union of two'		=> q(SELECT 'online' AS k, count(*) FROM sale WHERE online UNION ALL SELECT 'shop', count(*) FROM sale WHERE NOT online),
	'text of numbers'	=> 'SELECT CAST(shop_id AS TEXT) AS shop, count(*) FROM sale GROUP BY 1',
	'substring'			=> 'SELECT SUBSTRING(product FROM 1 FOR 7) AS p, count(*) FROM sale GROUP BY 1',
	'parts of a date'	=> q(SELECT to_char(day, 'YYYY-MM') AS ym, count(*) FROM sale GROUP BY 1 ORDER BY 1),
	'negative'			=> 'SELECT SUM(-1 * quantity), count(*) FROM sale WHERE -quantity < 0',
	'no rows wanted'	=> 'SELECT product, count(*) FROM sale GROUP BY product LIMIT 0',
	'constant select'	=> 'SELECT 1 AS one, count(*) FROM sale',
);

# How many fields of a row are keys, where it is not one with and none without groups
my %keys = (fields => 2, owners => 0, 'union of two' => 1, 'constant select' => 1);

# The rows of an answer: keys => first figure
sub figures
{
	my ($answer, $keys) = @_;
	my %figures;

	for my $row (split /\n/, $answer)
	{
		my @fields = map { s/^(-?\d+)\.0+$/$1/r } split /\|/, $row, -1;

		$figures{ join '|', @fields[0 .. $keys - 1] } = $fields[$keys] // 'no figure';
	}
	return \%figures;
}

# Noise of a few tens of units per figure; a tenth of the figure on top for averages.
sub near
{
	my ($got, $exact) = @_;
	return $got eq $exact if $got !~ /^-?[\d.]+$/ || $exact !~ /^-?[\d.]+$/;
	return abs($got - $exact) <= 800 + 0.05 * abs($exact);
}

sub compare
{
	my ($keys, @answers) = @_;
	my ($got, $exact) = map { figures($_, $keys) } @answers;
	my @wrong = grep { !exists $exact->{$_} || !near($got->{$_}, $exact->{$_}) } keys %$got;

	push @wrong, map { "$_ is missing" } grep { !exists $got->{$_} && $exact->{$_} =~ /^\d+$/ && $exact->{$_} > 500 } keys %$exact;
	return @wrong;
}

while (my ($name, $sql) = splice(@statements, 0, 2))
{
	my ($code, $answer, $errors) = ask($node, $sql, verbosity => 'default');
	my $exact = $node->safe_psql('postgres', $sql);
	my $keys = $keys{$name} // ($sql =~ /GROUP BY|DISTINCT/ ? 1 : 0);
	my @wrong = $name eq 'top n' ? () : compare($keys, $answer, $exact);

	ok($errors eq '' && !@wrong && ($answer ne '' || $exact eq ''), "answered: $name")
	  or diag("$sql\n$errors\nwrong: @wrong\ngot:\n", substr($answer, 0, 500), "\nexact:\n", substr($exact, 0, 500));
}

# Metadata as tools read it, without any privilege on the table.
for my $sql (
	q(SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'VIEW'),
	q(SELECT c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'public' AND c.relkind IN ('r', 'v')),
	q(SELECT a.attname, format_type(a.atttypid, a.atttypmod) FROM pg_attribute a WHERE a.attrelid = 'sale'::regclass AND a.attnum > 0),
	q(SELECT con.conname FROM pg_constraint con WHERE con.conrelid = 'sale'::regclass))
{
	my ($code, $answer, $errors) = ask($node, $sql);
	ok($errors eq '' && $answer ne '', 'metadata: ' . substr($sql, 0, 50)) or diag($errors);
}

# Statements and predicates gathered elsewhere, on their own schema.
sub ask_elsewhere
{
	return ask($node, "SET privacct.epsilon = 5; $_[0]", database => 'elsewhere', verbosity => 'default');
}

{
	my $given = "$ENV{PA_WORK}/t/bi";
	my (@unanswered, @harmful);

	$node->safe_psql('postgres', 'CREATE DATABASE elsewhere');
	$node->safe_psql('elsewhere', slurp_file("$given/schema.sql"));
	$node->safe_psql('elsewhere', q(
		CREATE EXTENSION privacct;
		SELECT privacct.declare_public('dim');
		SELECT privacct.protect('emp', owner => 'owner', epsilon => 1000000, min_epsilon => 1e-6, delta => 1e-3);
		SELECT privacct.grant_budget('emp', 'analyst', epsilon => 1000000, delta => 1e-3);
		GRANT CREATE ON SCHEMA public TO analyst;
		SET ROLE analyst;
		CREATE SEQUENCE s;
		CREATE TABLE t AS SELECT 1 AS n;
		CREATE DOMAIN mydom AS text CHECK (VALUE <> 'n5');
		CREATE FUNCTION leak(int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE COST 0.0001 AS 'BEGIN RAISE NOTICE ''seen %'', $1; RETURN true; END';
		CREATE FUNCTION leakcheap() RETURNS boolean LANGUAGE plpgsql STABLE COST 0.0001 AS 'BEGIN RAISE NOTICE ''seen''; RETURN true; END';
	));
	for my $sql (split /\n/, slurp_file("$given/queries.txt"))
	{
		my ($code, $answer, $errors) = ask_elsewhere($sql);
		push @unanswered, "$sql: $errors" if $errors ne '';
	}
	is(join("\n", @unanswered), '', 'the gathered statements are answered');
	for my $predicate (split /\n/, slurp_file("$given/hostile_predicates.txt"))
	{
		my ($code, $answer, $errors) = ask_elsewhere("SELECT count(*) FROM emp WHERE $predicate");
		my $refused = $errors =~ /not allowed/;
		my $harmless = $errors eq '' && $answer =~ /^-?\d+$/;

		push @harmful, "$predicate: $answer $errors" if $errors =~ /seen/ || !($refused || $harmless);
	}
	push @harmful, 'the sequence moved' if $node->safe_psql('elsewhere', 'SELECT is_called FROM s') eq 't';
	is("@harmful", '', 'hostile predicates are refused or harmless');
}

$node->stop;
done_testing();
