# SPDX-License-Identifier: GPL-3.0-or-later
# What a role reads of its own objects on a hardened server is no counter of the
# whole server: it grows alike whether others have written in the meantime or not.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use IPC::Run ();
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

# so few buffers that what others write drives all pages out, and enough for the looks
my $node = new_node('counters', shared_buffers => '4MB', autovacuum => 'off', log_min_messages => 'fatal', checkpoint_timeout => '1h', max_wal_size => '10GB');
$node->start;
$node->safe_psql('postgres', q(
	CREATE ROLE keeper;
	CREATE ROLE analyst LOGIN;
	CREATE SCHEMA care AUTHORIZATION keeper;
	GRANT USAGE ON SCHEMA care TO PUBLIC;
	CREATE SCHEMA desk AUTHORIZATION analyst;
	CREATE EXTENSION privacct;
	GRANT privacct_admin TO keeper;
	SET ROLE keeper;
	CREATE TABLE care.ward (ward text PRIMARY KEY, floor int NOT NULL);
	INSERT INTO care.ward VALUES ('A', 1), ('B', 2), ('C', 3);
	CREATE TABLE care.visit (visit_id serial, patient_id int NOT NULL, ward text REFERENCES care.ward);
	SELECT privacct.protect('care.visit', owner => 'patient_id', fresh => true);
	GRANT SELECT ON care.ward TO analyst;
	SET ROLE analyst;
	CREATE TABLE desk.note (id int PRIMARY KEY, text text) WITH (fillfactor = 10);
	INSERT INTO desk.note SELECT i, repeat('x', 100) FROM generate_series(1, 100) i;
	CREATE TABLE desk.page (id int PRIMARY KEY, text text) PARTITION BY LIST (id);
	CREATE TABLE desk.page_1 PARTITION OF desk.page FOR VALUES IN (1);
	INSERT INTO desk.page VALUES (1, 'x');
	CREATE MATERIALIZED VIEW desk.summary AS SELECT count(*) FROM desk.note;
	CREATE SEQUENCE desk.ticket;
	CREATE VIEW desk.marks AS SELECT xmax AS mark FROM desk.note WHERE id = 1;
	CREATE VIEW desk.tickets AS SELECT * FROM desk.ticket;
	-- each reads what it can in its own way; some cannot
	CREATE FUNCTION desk.inlined() RETURNS SETOF xid STABLE LANGUAGE sql AS 'SELECT xmax FROM desk.note WHERE id = 1';
	CREATE FUNCTION desk.not_inlined() RETURNS xid LANGUAGE sql AS 'SELECT xmax FROM desk.note WHERE id = 1';
	CREATE FUNCTION desk.tickets_left() RETURNS SETOF bigint STABLE LANGUAGE sql AS 'SELECT log_cnt FROM desk.ticket';
	CREATE FUNCTION desk.of_record() RETURNS text LANGUAGE plpgsql AS $$
	DECLARE r record; BEGIN SELECT * INTO r FROM desk.note WHERE id = 1; RETURN r.xmax; END $$;
	CREATE FUNCTION desk.of_row() RETURNS text LANGUAGE plpgsql AS $$
	DECLARE r desk.note; BEGIN FOR r IN SELECT * FROM desk.note WHERE id = 1 LOOP RETURN r."xmax"; END LOOP; END $$;
	CREATE FUNCTION desk.of_cursor() RETURNS text LANGUAGE plpgsql AS $$
	<<f>> DECLARE c CURSOR FOR SELECT * FROM desk.note WHERE id = 1; r record; BEGIN OPEN c; FETCH c INTO r; CLOSE c; RETURN f.r.xmax; END $$;
	CREATE TABLE desk.told (way text, mark text);
	CREATE FUNCTION desk.of_old() RETURNS trigger LANGUAGE plpgsql AS $$
	BEGIN INSERT INTO desk.told VALUES (TG_ARGV[0], OLD.xmax); RETURN NEW; END $$;
	CREATE TABLE desk.before (LIKE desk.note);
	CREATE TABLE desk.after (LIKE desk.note);
	CREATE TABLE desk.meets (LIKE desk.note);
	CREATE TABLE desk.ruled (LIKE desk.note);
	CREATE TABLE desk.secured (LIKE desk.note);
	CREATE TRIGGER t BEFORE UPDATE ON desk.before FOR EACH ROW EXECUTE FUNCTION desk.of_old('before');
	CREATE TRIGGER t AFTER UPDATE ON desk.after FOR EACH ROW EXECUTE FUNCTION desk.of_old('after');
	CREATE FUNCTION desk.notes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO desk.told VALUES (TG_ARGV[0], TG_ARGV[1]); RETURN NULL; END $$;
	DO $$ BEGIN FOR n IN 0..11 LOOP
		EXECUTE format('CREATE TRIGGER t%1$s AFTER UPDATE ON desk.meets FOR EACH ROW WHEN (OLD.xmax::text::int %% 4096 >> %1$s & 1 = 1) EXECUTE FUNCTION desk.notes(''meets'', %1$s)', n);
	END LOOP; END $$;
	CREATE RULE r AS ON UPDATE TO desk.ruled DO ALSO INSERT INTO desk.told VALUES ('ruled', OLD.xmax::text);
	INSERT INTO desk.before VALUES (1); INSERT INTO desk.after VALUES (1); INSERT INTO desk.meets VALUES (1);
	INSERT INTO desk.ruled VALUES (1); INSERT INTO desk.secured SELECT * FROM generate_series(0, 6);
	ALTER TABLE desk.secured ENABLE ROW LEVEL SECURITY;
	ALTER TABLE desk.secured FORCE ROW LEVEL SECURITY;
	CREATE FUNCTION desk.shown() RETURNS SETOF int STABLE LANGUAGE sql AS 'SELECT id FROM desk.secured';
	RESET ROLE;
	CREATE FUNCTION public.outcome(statement text) RETURNS text LANGUAGE plpgsql AS $$
	DECLARE
		result text;
	BEGIN
		EXECUTE statement INTO result;
		RETURN coalesce(translate(result, E'\n', ' '), 'null');
	EXCEPTION WHEN OTHERS THEN
		RETURN SQLSTATE;
	END
	$$;
	ANALYZE;
));

# name => statement: what is known of ways to xmax and log_cnt
my %WAYS = (
	'column' => 'SELECT xmax FROM desk.note WHERE id = 1',
	'function notation' => 'SELECT xmax(n) FROM desk.note n WHERE id = 1',
	'field' => 'SELECT (n).xmax FROM desk.note n WHERE id = 1',
	'condition' => 'SELECT sum(1 << i) FROM desk.note n, generate_series(0, 11) i WHERE n.id = 1 AND xmax::text::int % 4096 >> i & 1 = 1',
	'subquery' => 'SELECT (SELECT n.xmax) FROM desk.note n WHERE id = 1',
	'join' => 'SELECT max(i) FROM desk.note n JOIN generate_series(0, 4095) i ON n.xmax = i AND n.id = 1',
	'CTE' => 'WITH n AS (SELECT * FROM desk.marks) SELECT mark FROM n',
	'view' => 'SELECT * FROM desk.marks',
	'partition' => 'SELECT xmax FROM desk.page',
	'returned' => q(UPDATE desk.note SET text = 'z' WHERE id = 1 RETURNING xmax),
	'upsert' => q(INSERT INTO desk.note VALUES (1) ON CONFLICT (id) DO UPDATE SET text = note.xmax::text RETURNING text),
	'array' => 'SELECT array_agg(xmax) FROM desk.note WHERE id = 1',
	'json' => q(SELECT row_to_json(s) FROM (SELECT n, xmax FROM desk.note n WHERE id = 1) s),
	'inlined function' => 'SELECT * FROM desk.inlined()',
	'function' => 'SELECT desk.not_inlined()',
	'xml' => q(SELECT query_to_xml('SELECT xmax FROM desk.note WHERE id = 1', false, false, '')),
	'record' => 'SELECT desk.of_record()',
	'row' => 'SELECT desk.of_row()',
	'cursor' => 'SELECT desk.of_cursor()',
	'sequence' => 'SELECT concat_ws($$,$$, last_value, log_cnt) FROM desk.ticket',
	'sequence, log_cnt' => 'SELECT log_cnt FROM desk.ticket',
	'sequence, row' => 'SELECT row_to_json(s) FROM (SELECT * FROM desk.ticket) s',
	'sequence, view' => 'SELECT row_to_json(s) FROM desk.tickets s',
	'sequence, inlined function' => 'SELECT * FROM desk.tickets_left()',
	'sequence, xml' => q(SELECT table_to_xml('desk.ticket', false, false, '')),
	map({ $_ => "UPDATE desk.$_ SET text = 'z' RETURNING 1" } qw(before after meets ruled)));

# what they note is read after them
$WAYS{"$_, noted"} = "SELECT max(mark::bigint) FROM desk.told WHERE way = '$_'" for qw(before after ruled);
$WAYS{"meets, noted"} = "SELECT sum(1 << mark::int) FROM desk.told WHERE way = 'meets'";

# name => statement for each column, system columns too, of each relation; each function of a relation; each counter of a view by schemas
my $lists = q(
	SELECT format('column %s.%s', a.attrelid::regclass, a.attname), format('SELECT string_agg(%I::text, $$,$$) FROM (SELECT %1$I FROM %s LIMIT 1) s', a.attname, a.attrelid::regclass)
	FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid WHERE c.relnamespace = 'desk'::regnamespace AND c.relkind IN ('r', 'p', 'm', 'v', 'S') AND NOT a.attisdropped AND a.attname <> 'xmin'
	AND c.relname IN ('note', 'page', 'page_1', 'summary', 'ticket', 'marks', 'tickets')
	UNION ALL
	SELECT format('function %s(%s) of %s', f.proname, oidvectortypes(f.proargtypes), t), format('SELECT string_agg(r::text, $$,$$) FROM pg_catalog.%I(%L::regclass) r', f.proname, t)
	FROM pg_proc f, unnest('{desk.note,desk.note_pkey,desk.page_1,desk.ticket}'::text[]) t
	WHERE f.pronamespace = 'pg_catalog'::regnamespace AND f.prokind = 'f' AND f.proargtypes::oid[] IN ('[0:0]={26}', '[0:0]={2205}') AND f.proname <> 'nextval'
	UNION ALL
	SELECT format('view %s.%s', c.oid::regclass, a.attname), format('SELECT sum(%I) FROM pg_catalog.%I WHERE schemaname = $$desk$$', a.attname, c.relname)
	FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid WHERE c.relnamespace = 'pg_catalog'::regnamespace AND c.relkind = 'v' AND a.atttypid = 'bigint'::regtype
	AND EXISTS (SELECT FROM pg_attribute s WHERE s.attrelid = c.oid AND s.attname = 'schemaname'));
$node->safe_psql('postgres', "CREATE TABLE public.look AS SELECT * FROM ($lists) l(label, statement)");
$node->safe_psql('postgres', "INSERT INTO public.look VALUES (\$l\$way $_\$l\$, \$s\$$WAYS{$_}\$s\$)") for sort keys %WAYS;
$node->safe_psql('postgres', 'GRANT SELECT ON public.look TO analyst; SELECT privacct.harden_catalog()');

# (output, errors) of a script that a role runs.
sub run_script
{
	my ($role, $script) = @_;
	my ($out, $err) = ('', '');

	IPC::Run::run([ $node->installed_command('psql'), '-XAtq', '-v', 'VERBOSITY=verbose', '-U', $role, '-h', $node->host, '-p', $node->port, '-d', 'postgres' ],
		'<', \$script, '>', \$out, '2>', \$err);
	return ($out, $err);
}

# label => outcome.  A transaction and one within it lock the same rows: a number of
# the counter for each, the newest.
sub look
{
	my ($role) = @_;
	my @locked = map { "desk.$_" } qw(note page before after meets ruled);
	my $lock = sub { join('', map { "SELECT public.outcome('SELECT id FROM $_ WHERE id = 1 FOR $_[0]') = '';\n" } @locked) };
	my ($out, $err) = run_script($role, "SET client_min_messages = error;\nSET enable_seqscan = off;\nSELECT nextval('desk.ticket') < 0;\nSELECT sum(length(text)) < 0 FROM desk.note;\nSELECT pg_stat_force_next_flush();\nBEGIN;\n"
		  . $lock->('KEY SHARE') . "SAVEPOINT s;\n" . $lock->('NO KEY UPDATE')
		  . "SELECT label, public.outcome(statement) FROM public.look ORDER BY label COLLATE \"C\";\nROLLBACK;\n");

	is($err, '', "$role has looked");
	return { map { /^(.*)\|(.*)$/ ? ($1 => $2) : () } split /\n/, $out };
}

# Others lock and write rows, as foreign keys do, and a checkpoint comes.
sub write_rows
{
	$node->safe_psql('postgres', $_) for (
		(q(SET ROLE keeper; BEGIN; SELECT FROM care.ward WHERE ward = 'A' FOR KEY SHARE; SAVEPOINT s; SELECT FROM care.ward WHERE ward = 'A' FOR NO KEY UPDATE; COMMIT)) x 3,
		q(SET ROLE keeper; INSERT INTO care.visit (patient_id, ward) SELECT i, 'A' FROM generate_series(1, 120000) i),
		'CHECKPOINT');
	return;
}

# The looks that were not as before, or as much more than before as another time.
sub told
{
	my ($role) = @_;
	my ($before, $idle, $then) = (look($role), look($role), undef);
	# of numbers the growth, of texts whether they are as they were
	my $step = sub {
		my ($one, $other) = @_;
		my @growth = map { [ split /(\d+)/ ] } $one, $other;

		return 'other' if @{ $growth[0] } != @{ $growth[1] };
		return join(' ', map { my ($x, $y) = ($growth[0][$_], $growth[1][$_]); $x eq $y ? 'same' : $_ % 2 ? $y - $x : 'other' } 0 .. $#{ $growth[0] });
	};

	write_rows();
	$then = look($role);
	# when one last scanned one's tables is the time of the look itself: see below
	return grep { $step->($before->{$_}, $idle->{$_}) ne $step->($idle->{$_}, $then->{$_}) } grep { !/pg_stat_get_lastscan/ } sort keys %$before;
}

look('postgres');	# what sessions find when they come for the first time
my @told = told('analyst');
cmp_ok($node->safe_psql('postgres', 'SELECT count(*) FROM public.look'), '>', 200, 'much was looked at');
is(join("\n", @told), '', 'nothing of their own tells an analyst that others wrote');

# since 16; to look does not scan
SKIP:
{
	my $times = sub { (run_script('analyst', "SELECT t, pg_stat_get_lastscan(t::regclass) FROM unnest('{desk.note,desk.note_pkey,desk.page_1}'::text[]) t"))[0] };

	skip('this server does not say when a table was last scanned', 2) if $node->safe_psql('postgres', "SELECT to_regprocedure('pg_stat_get_lastscan(oid)') IS NULL") eq 't';
	my $before = $times->();
	like($before, qr/^desk\.note\|\d{4}-/, 'an analyst sees when their own table was last scanned');
	write_rows();
	is($times->(), $before, '... and that is not when others wrote');
}

# so that we know that the looks see: to superusers nearly all of it is shown
my %seen = map { $_ => 1 } told('postgres');
ok($seen{$_}, "a superuser sees: $_") for (
	(map { "way $_" } grep { !/^(before|after|meets|ruled|upsert)$/ } sort keys %WAYS),
	'column desk.note.xmax', 'column desk.ticket.log_cnt', 'column desk.marks.mark', 'column desk.tickets.log_cnt',
	'function pg_stat_get_blocks_hit(oid) of desk.note', 'view pg_statio_user_tables.heap_blks_hit');

# policies cannot say for each value whether they read it: none may
$node->safe_psql('postgres', q(SET ROLE analyst; CREATE POLICY p ON desk.secured USING (id = xmax::text::int)));
is((run_script('analyst', $_))[1] =~ /ERROR:  (\w+)/ && $1, '42PA1', "behind a policy: $_") for ('SELECT id FROM desk.secured', 'SELECT * FROM desk.shown()');
$node->safe_psql('postgres', q(SET ROLE analyst; ALTER POLICY p ON desk.secured USING (xmax = 0)));
is((run_script('analyst', 'SELECT count(*) FROM desk.shown()'))[0], "7\n", 'policies may compare it with 0');

# a partition's trigger is met by an upsert of the whole
$node->safe_psql('postgres', q(SET ROLE analyst; CREATE TRIGGER t AFTER UPDATE ON desk.page_1 FOR EACH ROW WHEN (OLD.xmax::text::int > 5) EXECUTE FUNCTION desk.notes('page', '1')));
like((run_script('analyst', q(INSERT INTO desk.page VALUES (1, 'y') ON CONFLICT (id) DO UPDATE SET text = 'y')))[1], qr/ERROR:  42PA1: table page_1 cannot be used/, 'upsert into a partition');

# what applications do goes on
is((run_script('analyst', q(INSERT INTO desk.note VALUES (1), (1000) ON CONFLICT (id) DO UPDATE SET text = 'y' RETURNING id, xmax = 0, '0' = xmax, xmax <> 0, xmax IS DISTINCT FROM 0)))[0],
	"1|f|f|t|t\n1000|t|t|f|f\n", 'an upsert tells what it has inserted');
is((run_script('analyst', q(SET parallel_setup_cost = 0; SET min_parallel_table_scan_size = 0; SET parallel_tuple_cost = 0; SELECT count(*) FROM desk.note WHERE xmax = 0 AND text <> 'y')))[0], "99\n", 'in parallel workers, too');
like((run_script('analyst', 'SELECT * FROM desk.ticket'))[0], qr/^\d+\|0\|t$/, 'a sequence can be read');
is((run_script('analyst', 'SELECT s.log_cnt, s.xmin IS NOT NULL, n.id FROM desk.ticket s RIGHT JOIN desk.note n ON n.id > 0 WHERE n.id = 2'))[0], "0|t|2\n", 'with system columns and joins');
like((run_script('analyst', '\d desk.ticket'))[0], qr/^bigint\|1\|1\|/, 'psql describes it');
is((run_script('analyst', q(DO $$ DECLARE r record; BEGIN SELECT *, xmax = 0 AS free INTO r FROM desk.note WHERE id = 2; ASSERT r.free; END $$)))[1], '', 'PL/pgSQL may ask whether it is 0');

# what was prepared before the hardening, or by others
my $prepared = q(
SET plan_cache_mode = force_generic_plan;
PREPARE mark AS SELECT xmax FROM desk.note WHERE id = 2;
PREPARE ticket AS SELECT log_cnt FROM desk.ticket;
EXECUTE mark;
EXECUTE ticket;
RESET ROLE;
SELECT privacct.harden_catalog();
SET ROLE analyst;
EXECUTE mark;
EXECUTE ticket;
);
for (['', 1, 'of others'], ['SET ROLE analyst;', 2, 'from before the hardening'])
{
	my ($first, $refused, $whose) = @$_;

	$node->safe_psql('postgres', 'SELECT privacct.soften_catalog()');
	is(scalar(() = (run_script('postgres', $first . $prepared))[1] =~ /ERROR:  42PA1/g), $refused, "plans $whose are not for an analyst");
}

# who may read statistics
$node->safe_psql('postgres', 'GRANT pg_read_all_stats TO analyst');
like((run_script('analyst', 'SELECT xmax FROM desk.note WHERE id = 2'))[0], qr/^\d+$/, 'who may read statistics sees it');
is((run_script('analyst', 'SELECT xmax FROM care.ward LIMIT 1'))[1] =~ /ERROR:  (\w+)/ && $1, '42PA1', 'but not of tables of others');
is((run_script('analyst', q(DO $$ DECLARE r record; BEGIN SELECT * INTO r FROM care.ward; RAISE NOTICE '%', r.xmax; END $$)))[1] =~ /ERROR:  (\w+)/ && $1, '42PA1', 'nor in PL/pgSQL');

$node->stop;
done_testing();
