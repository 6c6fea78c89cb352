# SPDX-License-Identifier: GPL-3.0-or-later
# What the first row that needs it would make a process do: compile an expression,
# take a constant apart, end the session, lay out what an owner may have, compare with
# all others that hash alike.  Nothing of it depends
# on how fast the machine is: what is looked at are the code that a process has in
# memory, and processor time, of one query against another of the same size.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

my $KEYS = 20_000;
my $count = 'SELECT count(*) FROM visit';

my $node = new_node('first_row', fsync => 'off', 'privacct.require_durable_storage' => 'off');
$node->start;
setup_hospital($node);
$node->safe_psql('postgres', qq(
	CREATE TABLE poll (id int PRIMARY KEY, smokes boolean NOT NULL);
	INSERT INTO poll SELECT i, i % 2 = 0 FROM generate_series(1, 50) i;
	CREATE TABLE closed (id int NOT NULL, x int);
	CREATE TABLE fold (id int NOT NULL, alike int8 NOT NULL, apart int8 NOT NULL, alike_i interval, apart_i interval, side int NOT NULL, alike_t timestamp, apart_t timestamp);
	-- PostgreSQL folds the upper half of a number into the lower one, which leaves nothing here
	INSERT INTO fold SELECT i, a, b, a / 1000000 * interval '1 second' + a % 1000000 * interval '1 microsecond',
		b / 1000000 * interval '1 second' + b % 1000000 * interval '1 microsecond', i % 2
	FROM (SELECT i, i * 4294967297 AS a, i * 2654435761 AS b FROM generate_series(1, $KEYS) i) s;
	UPDATE fold SET alike_t = timestamp '2000-01-01' + alike_i, apart_t = timestamp '2000-01-01' + apart_i;
	CREATE TABLE alike AS SELECT alike AS k, alike_t AS t, alike_i AS i FROM fold;
	CREATE TABLE apart AS SELECT apart AS k, apart_t AS t, apart_i AS i FROM fold;
	ALTER TABLE alike ADD PRIMARY KEY (k), ADD UNIQUE (t), ADD UNIQUE (i);
	ALTER TABLE apart ADD PRIMARY KEY (k), ADD UNIQUE (t), ADD UNIQUE (i);
	DO \$\$ BEGIN
		PERFORM privacct.protect('poll', 'id', epsilon => 100, regime => 'local', fresh => true), privacct.set_domain('poll', 'smokes', ARRAY[true, false]);
		PERFORM privacct.protect('fold', 'id', epsilon => 1000, delta => 1e-3, min_epsilon => 1e-6, fresh => true), privacct.grant_budget('fold', 'analyst', 1000, 1e-4);
		PERFORM privacct.grant_budget('poll', 'analyst', 100), privacct.declare_public('alike'), privacct.declare_public('apart');
		PERFORM privacct.protect('closed', 'id', epsilon => 1000, fresh => true), privacct.unprotect('closed');
	END \$\$;
	GRANT SELECT ON alike, apart, closed TO analyst;
));

# A library for the server, of a file beside this one.
sub compiled
{
	my ($name) = @_;
	my $library = PostgreSQL::Test::Utils::tempdir . "/$name.so";
	my $headers = $node->config_data('--includedir-server');

	system('cc', '-shared', '-fPIC', "-I$headers", '-o', $library, "$ENV{PA_WORK}/t/$name.c") == 0 or die "$name.c cannot be compiled";
	chmod 0755, PostgreSQL::Test::Utils::tempdir, $library;
	return $library;
}

# --- sessions that end with the first error, and so before a delay ---

sub not_answered_ok
{
	my ($sql, $error, $name, %option) = @_;
	my $before = releases($node);
	my (undef, $out, $err) = ask($node, $sql, %option);

	like($err, qr/\b$error\b/, "$name: refused");
	is($out, '', "$name: no answer");
	is(releases($node), $before, "$name: not charged");
	return;
}

my $ldp = 'SELECT ldp_count(smokes) FROM poll';
for my $query ($count, $ldp)
{
	not_answered_ok("SET exit_on_error = on; $query", '42PA1', "a session that ends with an error, $query");
	not_answered_ok("PREPARE p AS $query; SET exit_on_error = on; EXECUTE p", '42PA1', "a plan that was made before, $query");
	not_answered_ok("BEGIN; DECLARE c CURSOR FOR $query; SET exit_on_error = on; FETCH c", '42PA1', "a cursor that was opened before, $query");
}
{
	local $ENV{PGOPTIONS} = '-c exit_on_error=on';
	not_answered_ok($count, '42PA1', 'a session that begins so');
}

# --- sessions that do without the indexes of the system catalogs ---

{
	local $ENV{PGOPTIONS} = '-c ignore_system_indexes=on';
	not_answered_ok($count, '42PA1', 'a session without system indexes');
	not_answered_ok($ldp, '42PA1', 'a session without system indexes, the local regime');
	my (undef, $out, $err) = ask($node, 'SELECT count(*) FROM closed');
	is("$out$err", '0', 'a policy that was closed stays closed for it');
}
for my $level ('log', 'debug1', 'debug5')
{
	local $ENV{PGOPTIONS} = "-c client_min_messages=$level";
	my (undef, undef, $refused) = ask($node, $count);
	my (undef, $out) = ask($node, 'SELECT 1', role => superuser());

	like($refused, qr/FATAL: +permission denied to set "client_min_messages"/, "no session of an analyst begins at $level");
	is($out, 1, 'one of a superuser does');
}

# --- compiled expressions ---

# The files whose code the session's process has in memory.
sub code_of
{
	my ($pid) = @_;

	return grep { m{^\S+ ..x. .*/} } split /\n/, slurp_file("/proc/$pid/maps");
}

SKIP:
{
	skip 'this server does not compile', 4
	  unless $node->safe_psql('postgres', 'SELECT pg_jit_available()') eq 't';
	my $jit = "SET jit = on; SET jit_above_cost = 0; SET jit_optimize_above_cost = 0; SET jit_inline_above_cost = 0";

	for my $query ($count, 'SELECT ward, count(*) FROM visit WHERE cost > 3 GROUP BY ward', $ldp)
	{
		my $session = session($node, 'analyst');
		my $pid = $session->say('SELECT pg_backend_pid()');
		$session->say("$jit; PREPARE p AS $query; EXECUTE p; $query");
		is(scalar(grep { /llvm/i } code_of($pid)), 0, "nothing is compiled for $query");
		$session->hang_up;
	}
	my $session = session($node, 'analyst');
	my $pid = $session->say('SELECT pg_backend_pid()');
	$session->say("$jit; SELECT count(*) FROM alike WHERE k > 3");
	cmp_ok(scalar(grep { /llvm/i } code_of($pid)), '>', 0, '(other queries are compiled)');
	$session->hang_up;
}

# --- what functions make of constants ---

# A call that keeps something would have the first row make it.
my $library = compiled('kept_by_calls');
$node->safe_psql('postgres', qq{
	CREATE FUNCTION kept_by_call(function oid, types oid[], arguments text[]) RETURNS boolean LANGUAGE c STRICT AS '$library';
	CREATE TYPE colour AS ENUM ('red', 'green');
	CREATE TABLE sample AS SELECT t::regtype AS type, v AS value FROM (VALUES ('boolean', 'true'), ('smallint', '2'), ('integer', '2'), ('bigint', '2'), ('real', '2'),
		('double precision', '2'), ('numeric', '2'), ('text', 'month'), ('character varying', 'month'), ('character', 'month'), ('date', '2024-02-29'), ('time', '08:30'),
		('timestamp', '2024-02-29 08:30'), ('timestamptz', '2024-02-29 08:30+00'), ('interval', '3 days'), ('uuid', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'),
		('colour', 'red')) s(t, v);
	-- what a block evaluates: a built-in function, or what stands in for it
	CREATE VIEW evaluated AS
	SELECT coalesce(t.oid, f.function)::regprocedure AS function, ARRAY(SELECT CASE a WHEN 'anyenum'::regtype THEN 'colour'::regtype ELSE a END FROM unnest(p.proargtypes) a) AS types,
		t.oid IS NOT NULL AS stands_in
	FROM privacct.allowed_functions f JOIN pg_proc p ON p.oid = f.function
	LEFT JOIN pg_proc t ON f.null_on_error AND t.pronamespace = 'privacct'::regnamespace AND t.proname = 'total_' || p.proname AND t.proargtypes = p.proargtypes;
	CREATE FUNCTION keeping(asked text) RETURNS text LANGUAGE sql AS \$\$
		SELECT concat_ws(', ', count(*), string_agg(function::text, ', ') FILTER (WHERE kept_by_call(function, types, ARRAY(
			SELECT CASE WHEN t = 'text'::regtype AND function::text ~ '(timezone|date_add|date_subtract)[(]' THEN 'Asia/Kolkata' WHEN t = 'text'::regtype AND types[2] = 'time'::regtype THEN 'hour' ELSE value END FROM unnest(types) WITH ORDINALITY a(t, n) JOIN sample s ON s.type = t ORDER BY n))))
		FROM evaluated WHERE function::text ~ asked
	\$\$;
});
my $evaluated = $node->safe_psql('postgres', 'SELECT count(*) FROM evaluated');
cmp_ok($evaluated, '>', 300, 'functions are evaluated');
is($node->safe_psql('postgres', q(SELECT keeping(''))), $evaluated, 'no function of the allow list keeps anything from one row for the next');
is($node->safe_psql('postgres', q(SELECT kept_by_call('regexp_match(text,text)'::regprocedure, '{text,text}'::regtype[]::oid[], '{a,a}'), kept_by_call('array_to_string(anyarray,text)'::regprocedure, '{_int4,text}'::regtype[]::oid[], '{"{1}",a}'))),
	'f|t', '(others do)');

# What is not made before the charge is an error when a row reaches it, in each process.
my $set = join '', map { chr(256 + 2 * $_) } 0 .. 123;
my @made = ("name ~ '[$set]{64}'", "name !~ '^(^|a|b)*[^a-z]?\$'", "name ~* '(ab?){1,32}'", "name !~* 'ab'", "name SIMILAR TO '(a|b)%'", "regexp_like(name, 'a{64}')",
	"padded ~ 'a+'", "at AT TIME ZONE 'Asia/Kolkata' > '2020-01-01'", "at_zone AT TIME ZONE 'America/St_Johns' > '2020-01-01'", "to_char(at, 'YYYY \"in\" MM') <> ''",
	"name LIKE '%a%b_c%'", "name ILIKE '%A%'", "replace(name, 'a', 'b') = 'b'", "date_bin('7 days', at, '2000-01-01') > '2020-01-01'", "name IN ('a', 'b', 'c')");
$node->safe_psql('postgres', q(
	CREATE TABLE one (id int NOT NULL, name varchar(1), padded char(1), at timestamp, at_zone timestamptz);
	CREATE TABLE none (LIKE one);
	INSERT INTO one VALUES (1, 'a', 'a', '2024-02-29', '2024-02-29');
	CREATE TABLE word (k varchar(1) PRIMARY KEY);
	INSERT INTO word VALUES ('a'), ('b');
	DO $$ BEGIN
		PERFORM privacct.protect(t, 'id', epsilon => 1000, min_epsilon => 1e-6, fresh => true), privacct.grant_budget(t, 'analyst', 1000) FROM unnest('{one,none}'::regclass[]) t;
		PERFORM privacct.set_release_terms(t, workers => 2) FROM unnest('{one,none}'::regclass[]) t;
		PERFORM privacct.declare_public('word');
	END $$;
	GRANT SELECT ON word TO analyst;
	ALTER ROLE analyst SET min_parallel_table_scan_size = 0;
	ALTER ROLE analyst SET parallel_setup_cost = 0;
	ALTER ROLE analyst SET parallel_tuple_cost = 0;
));
like((ask($node, "SET privacct.epsilon = 0.2; EXPLAIN SELECT count(*) FILTER (WHERE $made[1]) FROM one"))[1], qr/Workers Planned: 2/, 'releases are made in parallel');
my @processes = (['the session', 'SET max_parallel_workers_per_gather = 0'], ['a parallel worker', 'SET parallel_leader_participation = off']);
for my $table ('one', 'none')
{
	for my $process (@processes)
	{
		my $reader = session($node, 'analyst');
		$reader->say("SET client_encoding = utf8; SET plan_cache_mode = auto; SET privacct.epsilon = 0.2; $process->[1]");
		for my $i (0 .. $#made)
		{
			my $answers = $reader->say("PREPARE p$i AS SELECT count(*) FILTER (WHERE $made[$i]) FROM $table WHERE id > 0; EXECUTE p$i; EXECUTE p$i");
			like($answers, qr/^-?\d+\n-?\d+$/, "$process->[0] finds what was made of constants, in $table: condition $i");
		}
		like($reader->say("SELECT count(*) FROM $table t JOIN word w ON w.k = t.name WHERE w.k ~ '^[a-f]+\$'"), qr/^-?\d+$/, "$process->[0], of public tables, in $table");
		$reader->hang_up;
	}
}

# --- what an owner keeps takes room by its rows ---

# With room for 1024 values, or 5000 groups, in advance or twice that of the rows they would be in files.
$node->safe_psql('postgres', q(
	CREATE TABLE kept (id int NOT NULL, k int NOT NULL, x int NOT NULL);
	INSERT INTO kept SELECT i, i % 3, 1 FROM generate_series(1, 2000) i;
	INSERT INTO kept SELECT 0, i, 1 FROM generate_series(1, 5000) i;
	DO $$ BEGIN
		PERFORM privacct.protect('kept', 'id', epsilon => 1000, delta => 1e-3, min_epsilon => 1e-6, fresh => true), privacct.grant_budget('kept', 'analyst', 1000, 1e-4);
	END $$;
	ALTER ROLE analyst SET privacct.owner_memory = '3MB';
	ALTER ROLE analyst SET log_temp_files = 0;
));
my $ask_kept = q(SET privacct.max_groups = 5000; SET privacct.delta = 1e-6; SELECT count(m) FROM (SELECT k, dp_quantile(x, 0.5, 0, 2, 'max_rows=1024') AS m FROM kept GROUP BY k) s);
my $log_start = -s $node->logfile;
like((ask($node, $ask_kept))[1], qr/^\d+$/, 'an owner with many groups, many with one row');
unlike(slurp_file($node->logfile, $log_start), qr/temporary file/, 'they have room');
$node->safe_psql('postgres', q(ALTER ROLE analyst SET privacct.owner_memory = '64kB'));
like((ask($node, $ask_kept))[1], qr/^\d+$/, 'the same in little memory');
like(slurp_file($node->logfile, $log_start), qr/temporary file/, '(then they are in files)');
$node->safe_psql('postgres', q(ALTER ROLE analyst RESET privacct.owner_memory));

# --- keys that all hash alike ---

# Processor time, in ticks, of the session's process for a query that is answered.
sub ticks
{
	my ($session, $sql) = @_;
	my $pid = $session->say('SELECT pg_backend_pid()');
	my $used = sub {
		my ($fields) = slurp_file("/proc/$pid/stat") =~ /\) (.*)/s;
		my @fields = split ' ', $fields;
		return $fields[11] + $fields[12];
	};
	my $before = $used->();
	my $answer = $session->say($sql);

	unlike($answer, qr/ERROR/, "answered: " . substr($sql, 0, 100)) or diag($answer);
	return $used->() - $before;
}

# Many keys, one of them: # becomes its number, with the same taken away if all are to be equal; and @ its number.
sub many
{
	my ($key, $between, $equal) = @_;
	return join $between, map { my $number = $_; my $added = $equal ? "$_ - $_" : $_; $key =~ s/#/$added/gr =~ s/\@/$number/gr } 1 .. 31;
}

# Twenty thousand keys are compared two hundred million times if they meet in one place: because
# each hashes alike, or because they leave nothing of each other when hashes are combined.
my $session = session($node, 'analyst');
my @pairs = (
	(map { my ($name, $query) = @$_; [ $name, map { sprintf $query, $_ } 'apart', 'alike' ] }
		['groups of numbers', 'SELECT count(*) FROM (SELECT %s, count(*) FROM fold GROUP BY 1) s'],
		['groups of times', 'SELECT count(*) FROM (SELECT %s_t, count(*) FROM fold GROUP BY 1) s'],
		['groups of intervals', 'SELECT count(*) FROM (SELECT %s_i, count(*) FROM fold GROUP BY 1) s'],
		['groups of two keys', 'SELECT count(*) FROM (SELECT side, %s, count(*) FROM fold GROUP BY 1, 2) s'],
		['look-ups of numbers', 'SELECT count(*) FROM fold f JOIN %1$s p ON p.k = f.%1$s'],
		['look-ups of times', 'SELECT count(*) FROM fold f JOIN %1$s p ON p.t = f.%1$s_t'],
		['look-ups of intervals', 'SELECT count(*) FROM fold f JOIN %1$s p ON p.i = f.%1$s_i'],
		['look-ups of two keys', 'SELECT count(*) FROM fold f JOIN %1$s p ON p.k = f.%1$s AND p.t = f.%1$s_t']),
	(map { my ($name, $query, $key, $between) = @$_; [ $name, map { sprintf $query, many($key, $between, $_) } 0, 1 ] }
		['groups of many keys', 'SELECT count(*) FROM (SELECT id, count(*) FROM fold GROUP BY id, %s) s', 'id + #', ', '],
		['look-ups of many keys', 'SELECT count(*) FROM fold f JOIN apart p ON p.k = f.apart AND %s', 'p.k + # = f.apart + #', ' AND '],
		["owners' groups of many keys", 'SELECT count(*) FROM (SELECT id, count(*) AS n FROM fold GROUP BY id, %s) s WHERE n > 0', 'id + #', ', ']),
	['joins by many keys', 'SELECT count(*) FROM fold f JOIN fold g ON g.id = f.id',
		'SELECT count(*) FROM fold f JOIN (SELECT id, ' . many('id + # AS c@', ', ', 1) . ', count(*) FROM fold GROUP BY id, ' . many('id + #', ', ', 1) .
		') g ON g.id = f.id AND ' . many('g.c@ = f.id', ' AND ', 1)]);

# Ticks, and so many times those of another query of the same size at most.
sub takes_no_longer
{
	my ($name, $factor, $usual, $query) = @_;
	my $most = $factor * ticks($session, $usual) + 50;

	cmp_ok(ticks($session, $query), '<=', $most, "$name takes no longer");
	return;
}
takes_no_longer("$_->[0] that hash alike", 10, @$_[1, 2]) for @pairs;
$session->hang_up;

# --- rows that come in an order made for sorting ---

my $ROWS = 100_000;
my $worst = compiled('worst_order');
$node->safe_psql('postgres', qq(
	CREATE FUNCTION worst_order(int, int) RETURNS int[] LANGUAGE c STRICT AS '$worst';
	CREATE TABLE place (k int PRIMARY KEY, worst int NOT NULL, any_one int NOT NULL, worst_pair int NOT NULL, any_pair int NOT NULL);
	INSERT INTO place SELECT i, w, a, p, a FROM unnest(worst_order($ROWS, 1), worst_order($ROWS, 2)) WITH ORDINALITY u(w, p, i),
		LATERAL (SELECT (i * 40503::int8 % ($ROWS + 3))::int AS a) o;
	CREATE TABLE queue (id int PRIMARY KEY, x int NOT NULL);
	INSERT INTO queue SELECT i, i % 10 FROM generate_series(1, $ROWS) i;
	DO \$\$ BEGIN
		PERFORM privacct.protect('queue', 'id', epsilon => 1000, delta => 1e-3, min_epsilon => 1e-6, fresh => true), privacct.grant_budget('queue', 'analyst', 1000, 1e-4);
		PERFORM privacct.declare_public('place'), privacct.set_keys('place', 'worst_pair'), privacct.set_keys('place', 'any_pair');
	END \$\$;
	GRANT SELECT ON place TO analyst;
));
$session = session($node, 'analyst');
my $in_order = 'FROM queue q JOIN place p ON p.k = q.id';
takes_no_longer("to sort groups in the worst order", 3, map { "SELECT count(*) FROM (SELECT p.$_, q.x - q.x, count(*) $in_order GROUP BY 1, 2) s" } 'any_one', 'worst');
takes_no_longer("to sort values in the worst order", 1, map { "SELECT dp_quantile(p.$_, 0.5, 0, $ROWS) IS NULL $in_order" } 'any_one', 'worst');
# each with its owner before it, in groups whose numbers are known
takes_no_longer("to sort different values in the worst order", 1, map { "SELECT sum(n) FROM (SELECT p.$_, count(DISTINCT q.x) AS n $in_order GROUP BY 1) s" } 'any_pair', 'worst_pair');

# keys that all groups have alike
my $alike = join ', ', 'nullif(q.x - q.x, 0)', map { "q.x - q.x + $_" } 1 .. 30;
takes_no_longer("to compare many keys", 8, map { "SELECT count(*) FROM (SELECT count(*) $in_order GROUP BY $_) s" } "p.any_one, $alike", "$alike, p.any_one");

# --- texts that it takes long to put in the order of a language ---

SKIP:
{
	skip 'no ICU', 1 if $node->safe_psql('postgres', q(SELECT count(*) FROM pg_collation WHERE collname = 'km-x-icu')) eq '0';
	$node->safe_psql('postgres', q(
		CREATE TABLE letter (id int PRIMARY KEY, plain text COLLATE "C" NOT NULL, icu text COLLATE "km-x-icu" NOT NULL);
		INSERT INTO letter SELECT i, t, t FROM generate_series(1, 20000) i,
			LATERAL (SELECT translate((i % 8)::bit(3)::text, '01', 'aA') || repeat(U&'\0301', 60) || repeat(U&'\0316', 55) || i AS t) x;
		DO $$ BEGIN
			PERFORM privacct.protect('letter', 'id', epsilon => 1000, delta => 1e-3, min_epsilon => 1e-6, fresh => true), privacct.grant_budget('letter', 'analyst', 1000, 1e-4);
		END $$;
	));
	takes_no_longer('to sort groups of texts of a language', 3, map { "SELECT count(*) FROM (SELECT $_, count(*) FROM letter GROUP BY 1) s" } 'plain', 'icu');
}

# --- rows beside one that was written ---

$node->safe_psql('postgres', q(
	CREATE TABLE shelf (id int NOT NULL, k int NOT NULL);
	INSERT INTO shelf SELECT i, i FROM generate_series(1, 500000) i;
	CREATE TABLE few (k int PRIMARY KEY);
	INSERT INTO few VALUES (-5), (5000000);
	DO $$ BEGIN
		PERFORM privacct.protect('shelf', 'id', epsilon => 1000, min_epsilon => 1e-6, max_groups_contributed => 1, max_rows_contributed => 1, fresh => true);
		PERFORM privacct.grant_budget('shelf', 'analyst', 1000), privacct.declare_public('few');
	END $$;
	GRANT SELECT ON few TO analyst;
	VACUUM shelf;
));
my $union = 'SELECT count(*) FROM (' . (join ' UNION ALL ', map { 'SELECT s.id, s.k FROM shelf s JOIN few f ON f.k = s.k' } 1 .. 30) . ') u';
my $clean = ticks($session, $union);
$node->safe_psql('postgres', 'UPDATE shelf SET k = k WHERE id % 200 = 0');
cmp_ok(ticks($session, $union), '<=', 2 * $clean + 10, 'a row that was written has those of its page looked at once, however often the table is read');
$session->hang_up;

$node->stop;
done_testing();
