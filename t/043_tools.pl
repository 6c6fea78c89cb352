# SPDX-License-Identifier: GPL-3.0-or-later
# Query builders, ORMs, notebooks and dashboards: an analyst of a hardened database gets from
# protected tables what the same program gets from open copies of them, but for the noise, for as
# many charges as there are blocks; rows are refused, or empty with privacct.empty_rows; and what
# asks for columns costs nothing.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use ClientTest;
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

my $clients = "$ENV{PA_WORK}/t/clients";
my $node = new_node('tools', listen_addresses => '127.0.0.1', log_min_messages => 'fatal', max_connections => 60, timezone => 'UTC');
$node->start;
$node->safe_psql('postgres', q(
	CREATE ROLE keeper;
	CREATE ROLE analyst LOGIN;
	CREATE EXTENSION privacct;
	GRANT privacct_admin TO keeper;
	CREATE SCHEMA care AUTHORIZATION keeper;
	CREATE SCHEMA open AUTHORIZATION keeper;
	GRANT USAGE ON SCHEMA care, open TO PUBLIC;
	SET ROLE keeper;
	CREATE TABLE care.ward (ward text PRIMARY KEY, building text NOT NULL, beds int NOT NULL);
	INSERT INTO care.ward SELECT 'W' || to_char(i, 'FM00'), (ARRAY['north', 'south', 'old'])[1 + i % 3], 10 + i FROM generate_series(0, 11) i;
	CREATE TABLE care.visit (visit_id int PRIMARY KEY, patient_id int NOT NULL, ward text NOT NULL REFERENCES care.ward, day date NOT NULL,
		seen timestamptz NOT NULL, cost numeric(10,2) NOT NULL, stay int NOT NULL, insured boolean NOT NULL, remark text);
	INSERT INTO care.visit SELECT i, i / 2, 'W' || to_char(floor(sqrt(i % 144)), 'FM00'), date '2025-01-01' + i % 360,
		timestamptz '2025-01-01 00:00Z' + i % 360 * interval '1 day' + i % 24 * interval '1 hour', i % 200 + 0.5, i % 8, i % 3 = 0, CASE WHEN i % 5 = 0 THEN 'late' END
	FROM generate_series(0, 14399) i;
	CREATE TABLE open.ward (LIKE care.ward INCLUDING ALL);
	INSERT INTO open.ward TABLE care.ward;
	CREATE TABLE open.visit (LIKE care.visit INCLUDING ALL, FOREIGN KEY (ward) REFERENCES open.ward);
	INSERT INTO open.visit TABLE care.visit;
	GRANT SELECT ON care.ward, open.ward, open.visit TO PUBLIC;
	GRANT TRIGGER ON open.ward, open.visit TO PUBLIC;	-- constraints of tables that one may only read are hidden
	SELECT privacct.declare_public('care.ward');
	SELECT privacct.protect('care.visit', owner => 'patient_id', epsilon => 1e6, min_epsilon => 1e-6, delta => 1e-3,
		max_groups_contributed => 2, max_rows_contributed => 2, fresh => true);
	SELECT privacct.set_bounds('care.visit', 'cost', 0, 200), privacct.set_bounds('care.visit', 'stay', 0, 7),
		privacct.set_bounds('care.visit', 'day', '2025-01-01'::date, '2025-12-31');
	SELECT privacct.grant_budget('care.visit', 'analyst', epsilon => 1e6, delta => 1e-3);
	RESET ROLE;
	ALTER ROLE analyst SET privacct.epsilon = 100;
	ANALYZE;
	SELECT privacct.harden_catalog();
));

# --- statements of programs that are not run ---

sub near
{
	my ($got, $expected) = @_;

	return $got eq $expected if $expected !~ /^-?\d+(?:\.\d+)?$/ || $got !~ /^-?\d+(?:\.\d+)?$/;
	return abs($got - $expected) <= 40 + 0.05 * abs($expected);
}

sub same_rows
{
	my ($got, $expected) = map { [ map { [ split /[|{},]/, $_, -1 ] } split /\n/, $_ ] } @_;

	return @$got == @$expected && !grep { my $row = $_; @{ $got->[$row] } != @{ $expected->[$row] } || grep { !near($got->[$row][$_], $expected->[$row][$_]) } 0 .. $#{ $expected->[$row] } } 0 .. $#$expected;
}

for my $case (split /^-- client: /m, slurp_file("$clients/tools.sql") =~ s/\A.*?(?=^-- client: )//smr)
{
	next if $case eq '';
	my ($name, $sql) = split /\n/, $case, 2;
	my $price = $sql =~ s/^-- price: (\d+)\n//m ? $1 : 1;
	my $before = releases($node);

	if ($sql =~ s/^-- rows\n//m)
	{
		my (undef, undef, $refusal) = ask($node, $sql);
		is($refusal =~ /ERROR:  (\w+)/ && $1, '42PA1', "$name: refused");
		my (undef, $rows, $errors) = ask($node, "SET privacct.empty_rows = on; $sql");
		is("$rows$errors", '', "$name: empty");
		is(releases($node), $before, "$name: free");
		next;
	}
	my (undef, $got, $errors) = ask($node, $sql, verbosity => 'default');
	my (undef, $expected) = ask($node, $sql =~ s/\bcare\b/open/gr);

	ok($errors eq '' && same_rows($got, $expected), $name) or diag("$errors\ngot:\n$got\nexpected:\n$expected");
	is(releases($node) - $before, $price, "$name: charges");
}

# --- programs ---

my $python = '/usr/bin/python3';
run_program($node, 'DBI', 18, "/usr/bin/perl -MDBD::Pg -e 1", '/usr/bin/perl', "$clients/tools_dbi.pl");
run_program($node, 'SQLAlchemy', 29, "$python -c 'import sqlalchemy, psycopg2'", $python, "$clients/tools_python.py", 'sqlalchemy');
run_program($node, 'Django', 49, "$python -c 'import django, psycopg2'", $python, "$clients/tools_python.py", 'django');
run_program($node, 'pandas', 18, "$python -c 'import pandas, sqlalchemy, psycopg2'", $python, "$clients/tools_python.py", 'pandas');
run_program($node, 'dbplyr', 43, "Rscript -e 'library(dbplyr); library(RPostgreSQL)'", 'Rscript', '--vanilla', "$clients/tools.R");

# packages of npm, where scripts/check-tools.sh has put them
for my $package ([ sequelize => 28 ], [ knex => 27 ], [ typeorm => 22 ], [ 'drizzle-orm' => 17 ], [ kysely => 20 ])
{
	my ($name, $steps) = @$package;
	run_program($node, $name, $steps, "node -e 'require(\"pg\"); require(\"$name\")'", 'node', "$clients/tools.js", $name);
}

ok(books_agree($node), 'the books agree');
$node->stop;
done_testing();
