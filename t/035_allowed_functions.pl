# SPDX-License-Identifier: GPL-3.0-or-later
# What may be used over protected rows: the view allowed_functions and the library's list
# of aggregates.  What they list is allowed and nothing else is, and the reference names it
# all and nothing else.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

my $node = new_node('allowed');
$node->start;
setup_hospital($node);

sub rows
{
	my ($sql) = @_;
	return split /\n/, $node->safe_psql('postgres', $sql);
}

# --- the view and the guard ---

is((ask($node, 'SELECT count(*) > 300 FROM privacct.allowed_functions'))[1], 't', 'everybody reads it');
is(join(' ', rows(q(SELECT f.function FROM privacct.allowed_functions f JOIN pg_proc p ON p.oid = f.function WHERE p.provolatile = 'v' OR p.oid >= 16384))), 'privacct.logistic(double precision)',
	'all but one are built in, none is volatile');

# Calls over columns of every function of pg_catalog with scalar arguments of types that
# may stand in an expression, as a role with a budget: refused if and only if it is not listed.
$node->safe_psql('postgres', q(
	CREATE TABLE typed (person int NOT NULL, c_boolean boolean, c_smallint smallint, c_integer int, c_bigint bigint, c_real real, c_double_precision float8,
		c_numeric numeric(9, 2), c_text varchar(8), c_character char(8), c_date date, c_time_without_time_zone time, c_timestamp_without_time_zone timestamp,
		c_timestamp_with_time_zone timestamptz, c_interval interval, c_uuid uuid);
	DO 'BEGIN PERFORM privacct.protect(''typed'', ''person'', epsilon => 1000, delta => 1e-7, min_epsilon => 1e-6), privacct.grant_budget(''typed'', ''analyst'', 1000, 1e-8); END';
	CREATE FUNCTION refusal(call text) RETURNS text LANGUAGE plpgsql AS $$
	DECLARE
		detail text;
	BEGIN
		EXECUTE 'EXPLAIN SELECT count(*) FROM typed WHERE ' || call || ' IS NULL';
		RETURN NULL;
	EXCEPTION WHEN OTHERS THEN
		GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
		RETURN coalesce(nullif(detail, ''), SQLERRM);
	END $$;
	CREATE FUNCTION type_name(type oid) RETURNS text LANGUAGE sql AS $$ SELECT format_type(type, NULL) $$;
	CREATE VIEW calls AS
	SELECT p.oid::regprocedure AS function,
		format('pg_catalog.%I(%s)', p.proname, (SELECT string_agg(CASE WHEN a.n = ANY (f.constants) THEN CASE WHEN type_name(a.type) = 'integer' THEN '1' WHEN p.proname = 'to_char' THEN '''YYYY''' ELSE '''hour''' END
			ELSE 'c_' || replace(type_name(a.type), ' ', '_') END, ', ' ORDER BY a.n) FROM unnest(p.proargtypes) WITH ORDINALITY a(type, n))) AS call,
		f.function IS NOT NULL AS listed
	FROM pg_proc p LEFT JOIN privacct.allowed_functions f ON f.function = p.oid
	WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.prokind = 'f' AND NOT p.proretset AND p.provariadic = 0 AND p.pronargs BETWEEN 1 AND 3
	AND NOT EXISTS (SELECT FROM unnest(p.proargtypes) a(type) WHERE type_name(a.type) NOT IN ('boolean', 'smallint', 'integer', 'bigint', 'real', 'double precision', 'numeric', 'text',
		'character', 'date', 'time without time zone', 'timestamp without time zone', 'timestamp with time zone', 'interval', 'uuid'));
	GRANT SELECT ON calls TO PUBLIC; GRANT USAGE, CREATE ON SCHEMA public TO PUBLIC;));
my $JUDGED = q(FROM (SELECT *, refusal(call) AS said FROM calls OFFSET 0) c WHERE said IS NULL AND NOT listed OR said LIKE 'Function % is not allowed in an expression over protected rows.' AND listed);
my (undef, $wrong, $failed) = ask($node, "SELECT function, listed, said $JUDGED ORDER BY 1");
is($failed, '', 'calls are judged');
is($wrong, '', 'allowed is what is listed');
cmp_ok((ask($node, 'SELECT count(*) FROM calls WHERE listed'))[1], '>', 300, 'many that are listed were called');
cmp_ok((ask($node, 'SELECT count(*) FROM calls WHERE NOT listed'))[1], '>', 200, 'and many that are not');

# --- the reference ---

my $reference = slurp_file("$ENV{PA_WORK}/docs/reference.md");
my ($section) = $reference =~ /^### Functions allowed over protected rows\n(.*?)^These yield null instead of/ms;
ok($section, 'the reference has a section on them');
$section =~ s/^```.*?^```//gms;
my %told;
for my $quoted ($section =~ /`([^`]+)`/g)
{
	$quoted =~ s/\\\|/|/g;
	$told{$_}++ for $quoted, $quoted =~ /^(?:privacct\.)?(\w+)\(/, split ' ', $quoted;
}
my %written = ('~~' => 'LIKE', '!~~' => 'NOT LIKE', '~~*' => 'ILIKE', '!~~*' => 'NOT ILIKE');
my @operators = rows(q(SELECT DISTINCT o.oprname FROM pg_operator o JOIN privacct.allowed_functions f ON f.function = o.oprcode WHERE o.oid < 16384 ORDER BY 1));
is(join(' ', grep { !$told{ $written{$_} // $_ } } @operators), '', 'it names every operator');

# a function is known by one of its names; those that operators and casts call, by these
my @functions = rows(q(SELECT string_agg(DISTINCT p.proname, ' ') FROM privacct.allowed_functions f JOIN pg_proc p ON p.oid = f.function
	GROUP BY p.prosrc HAVING bool_and(f.operators = '{}' AND f.casts = '{}') ORDER BY 1));
is(join(', ', grep { !grep { $told{$_} } split ' ', $_ } @functions), '', 'it names every function');
my $others = q(SELECT p.proname FROM pg_proc p WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.prokind = 'f' AND NOT EXISTS (SELECT FROM pg_type t WHERE t.typname = p.proname)
	EXCEPT SELECT p.proname FROM privacct.allowed_functions f JOIN pg_proc p ON p.oid = f.function);
is(join(' ', grep { $told{$_} } rows($others)), '', 'and no other');

# --- aggregates ---

is(join(' ', rows(q(SELECT p.proname FROM pg_proc p WHERE p.pronamespace = 'privacct'::regnamespace AND p.prokind = 'a' AND p.proname NOT IN (SELECT name FROM privacct._aggregates()) ORDER BY 1))),
	'_first _top', 'aggregates come from the list, but for those that run outside of blocks');
my ($aggregates) = $reference =~ /^### Aggregates\n(.*?)^### Options of dp_ aggregates\n/ms;
ok($aggregates, 'the reference has sections on them');

# "and likewise" are names with the signatures of the one before
my (%signatures, $last);
while ($aggregates =~ /\b((?:l?dp|approx)_\w+)\(([^()]*)\)|and likewise (l?dp_\w+(?:, l?dp_\w+)*)/g)
{
	if (defined $1) { $signatures{ $last = $1 }{$2} = 1 }
	else { $signatures{$_} = $signatures{$last} for split /, /, $3 }
}
is_deeply(
	[ sort map { my $name = $_; map { "$name($_)" } keys %{ $signatures{$name} } } keys %signatures ],
	[ sort(rows(q(SELECT DISTINCT format('%s(%s)', p.proname, CASE WHEN p.pronargs = 0 THEN '*' ELSE (SELECT string_agg(coalesce(nullif(p.proargnames[i], ''), 'x'), ', ' ORDER BY i) FROM generate_series(1, p.pronargs) i) END)
		FROM pg_proc p WHERE p.pronamespace = 'privacct'::regnamespace AND p.proname IN (SELECT name FROM privacct._aggregates() WHERE name !~ '^_')))) ],
	'it names every signature of those of the extension, and no other');

# Every ordinary aggregate of scalar arguments, as a role with a budget.
$node->safe_psql('postgres', q(
	CREATE FUNCTION aggregate_refusal(call text) RETURNS text LANGUAGE plpgsql AS $$
	DECLARE
		detail text;
	BEGIN
		EXECUTE 'EXPLAIN SELECT ' || call || ' FROM typed';
		RETURN '';
	EXCEPTION WHEN OTHERS THEN
		GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
		RETURN coalesce(nullif(detail, ''), SQLERRM);
	END $$;
	CREATE VIEW aggregate_calls AS
	SELECT p.proname AS name, format('pg_catalog.%I(%s)', p.proname, CASE WHEN p.pronargs = 0 THEN '*' ELSE (SELECT string_agg(CASE WHEN type_name(a.type) IN ('"any"', 'anynonarray', 'anyelement') THEN 'c_integer'
		ELSE 'c_' || replace(type_name(a.type), ' ', '_') END, ', ' ORDER BY a.n) FROM unnest(p.proargtypes) WITH ORDINALITY a(type, n)) END) AS call
	FROM pg_proc p JOIN pg_aggregate g ON g.aggfnoid = p.oid AND g.aggkind = 'n'
	WHERE p.pronamespace = 'pg_catalog'::regnamespace
	AND NOT EXISTS (SELECT FROM unnest(p.proargtypes) a(type) WHERE 'c_' || replace(type_name(a.type), ' ', '_') NOT IN (SELECT attname FROM pg_attribute WHERE attrelid = to_regclass('typed'))
		AND type_name(a.type) NOT IN ('"any"', 'anynonarray', 'anyelement'))
	UNION ALL
	SELECT p.proname, format('pg_catalog.%I(%s) WITHIN GROUP (ORDER BY c_double_precision)', p.proname, CASE WHEN g.aggnumdirectargs > 0 OR g.aggkind = 'h' THEN '0.5' END)
	FROM pg_proc p JOIN pg_aggregate g ON g.aggfnoid = p.oid AND g.aggkind <> 'n'
	WHERE p.pronamespace = 'pg_catalog'::regnamespace;
	GRANT SELECT ON aggregate_calls TO PUBLIC;));
cmp_ok((ask($node, 'SELECT count(*) FROM aggregate_calls'))[1], '>', 100, 'many ordinary aggregates are tried');
my %ordinary = map { $_ => 1 } map { /`([a-z_0-9]+)(?:\([^`]*\))?`/g } map { (split /(?<!\\)\|/)[1] } grep { /^\| `/ } split /\n/, ($aggregates =~ /(.*?)\n### /s)[0];
is(join(' ', (ask($node, q(SELECT DISTINCT name FROM aggregate_calls WHERE aggregate_refusal(call) NOT LIKE 'Aggregate % is not allowed on a protected table.' ORDER BY 1)))[1] =~ /\w+/g),
	join(' ', sort grep { !/^(?:dp|approx)_/ } keys %ordinary), 'the reference names every one that is allowed, and no other');

# --- what the library has for them ---

# Functions in C that no object of this version or of 0.1 is made of are left over.
my $library = slurp_file((glob("$ENV{PA_DESTDIR}$ENV{PA_LIBDIR}/privacct.so"))[0]);
my $first_version = slurp_file("$ENV{PA_WORK}/migrations/privacct--0.1.sql");
my %used = map { $_ => 1 } rows(q(SELECT prosrc FROM pg_proc WHERE probin LIKE '%privacct%'));
my %exported = map { $_ => 1 } $library =~ /\0pg_finfo_(pa_\w+)(?=\0)/g;
cmp_ok(scalar keys %exported, '>', 150, 'the library exports functions');
is(join(' ', grep { !$used{$_} && $first_version !~ /'$_'/ } sort keys %exported), '', 'SQL calls all of them');

$node->stop;
done_testing();
