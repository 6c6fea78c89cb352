# SPDX-License-Identifier: GPL-3.0-or-later
# FuzzPools.pm
#
# Arguments for the fuzzer, as SQL: by the type of an argument, and by its name where
# that says what would be taken for sensible.
package FuzzPools;

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(draw set_seed pick chance whole);

# --- chance ---

sub set_seed { return srand($_[0]); }
sub pick { return $_[rand @_]; }
sub chance { return rand() < $_[0]; }
sub whole { my ($low, $high) = @_; return $low + int rand($high - $low + 1); }

sub quoted
{
	my ($text, $type) = @_;

	$text =~ s/'/''/g;
	return "'$text'" . ($type ? "::$type" : '');
}

# --- numbers ---

my @int = (0, 1, -1, 2, 3, 7, 16, 100, 300, 1000, 4096, 65536, 100000, 1000000, 16777216, 2147483647, -2147483648);
my @big = (@int, '9223372036854775807', '(-9223372036854775808)', '4294967296', '1000000000000');
my @float = qw(0 1 -1 0.5 0.1 0.9 2 10 100 1e-9 1e-6 1e-300 5e-324 1e300 1.7976931348623157e308 NaN Infinity -Infinity -0 1e15 0.3333333333333333);
my @numeric = (@float, '1e-16383', '9.999e131071', '123456789012345678901234567890.123456789', '-1e-29', '1e-29', '0.00000000000000000000000001', '1000000', '1e29');

sub float { return quoted(pick(@float), 'float8'); }
sub numeric { return quoted(pick(@numeric), 'numeric'); }

# --- texts ---

my @names = qw(id t v n w day ts iv b m region grade land nope ctid tableoid xmin fuzz_analyst fuzz_owner postgres public);
my @words = qw(central local entries table owner basic zcdp plan full simplified approximate laplace gaussian staircase
	brdp_laplace brdp_gaussian optimal exponential policy conditional joint joint_bound x y A B sad north SELECT INSERT column);
my @fields = qw(century day decade dow doy epoch hour isodow isoyear julian microseconds millennium milliseconds minute
	month quarter second timezone timezone_hour timezone_minute week year nope);
my @formats = ('YYYY-MM-DD', 'HH24:MI:SS.US', 'Day Month TMMonth', 'FMDDth', '"q', 'J', 'RM', 'TZ OF', '\\', 'YYYYYYYYYYYYYY', 'SSSSS', 'IYYY-IW', 'BC AD p.m.');
my @patterns = ('%', '_', '%\\', '\\', 'a%b%c%d%e', '%%%%%%%%', '[x', '(((', '\\x00', 'x{1000}', '(a*)*b', '^$', "\x{e4}%");
my @queries = ('SELECT count(*) FROM fuzz.central', 'SELECT region, count(*), sum(v) FROM fuzz.central GROUP BY region',
	'SELECT dp_topk(region, 2) FROM fuzz.central', "SELECT dp_avg(v, 0, 1, 'within=3') FROM fuzz.central",
	'SELECT ldp_avg(grade) FROM fuzz.person', 'SELECT ldp_histogram(grade) FROM fuzz.person GROUP BY region', 'SELECT ldp_avg(0.5 * v + 1) FROM fuzz.person',
	'SELECT count(*) FROM fuzz.stay', 'SELECT count(*) FROM fuzz.plain', 'SELECT 1/0', 'SELECT', '', ';', 'SELECT 1; SELECT 2', 'DROP TABLE fuzz.plain',
	'SELECT count(*) FROM fuzz.central WHERE v > $1', "SELECT privacct.preview('SELECT 1')", 'EXPLAIN SELECT 1', 'COPY fuzz.central TO STDOUT',
	'SELECT count(*) FROM fuzz.central c JOIN fuzz.place p USING (region)', 'DECLARE c CURSOR FOR SELECT 1', 'VALUES (1)', 'SELECT * FROM fuzz.central');
my @options = ('epsilon=0.5', 'epsilon=0', 'epsilon=1e300', 'epsilon=NaN', 'within=3', 'within=-1', 'kernel=gaussian', 'kernel=staircase, within=2',
	'kernel=brdp_laplace,within=1', 'delta=1e-9', 'epsilon', '=', ',', ',,,', 'epsilon=1,epsilon=2', 'nope=1', 'sample_rate=0.5', 'epsilon=0x10', 'k=3', ' epsilon = 1 ',
	'max_rows=2', 'max_rows=1e9', 'per_owner=0:5', 'per_owner=-1e100:1e100', 'per_owner=1e-100:1e100', 'per_owner=:', 'per_owner=5:nan', 'per_owner=1:2,max_rows=3',
	'cover=exact', 'cover=greedy,max_rows=2', 'cover=', 'cap=auto', 'cap=auto,max_rows=256', 'cap=auto,cover=exact,max_rows=1e9', 'cap=fixed,within=1',
	'error=5', 'error=0', 'error=5 %', 'error=5%,floor=1e9', 'error=0.001 %,epsilon=0.5', 'error=%', 'error=5,within=1', 'floor=5');

sub long_text { return 'repeat(' . quoted(pick('x', '%a', 'ab_', '\\', "\x{e4}", '1')) . ', ' . pick(1000, 100000, 5000000) . ')'; }

sub text
{
	my ($name) = @_;

	return long_text() if chance(0.05);
	return quoted(pick(@queries)) if $name =~ /query/ && chance(0.9);
	return quoted(pick(pick(\@words, \@names, \@fields, \@formats, \@patterns, \@options, \@queries, ['', ' ', '0', "it's"])->@*));
}

# --- json ---

sub json_number { return pick(0, 1, -1, 0.5, 0.25, 1e-9, 1e300, '1e400', '-1e400', 2, 3, 16, 1000, 4097, 100000, '9007199254740993', 'null', '"1"', 'true', '[]', '{}'); }

sub json_row { my ($n, $item) = @_; return '[' . join(',', map { $item->() } 1 .. $n) . ']'; }

sub share { my ($n) = @_; return sub { chance(0.95) ? 1 / $n : json_number() }; }

sub json_states { my ($n) = @_; return json_row($n, do { my $i = 0; sub { chance(0.98) ? '"s' . $i++ . '"' : pick('"s0"', 1, 'null') } }); }

# Some number of states, small or at a limit.
sub states { return pick(2, 2, 3, 3, 4, 16, 64, 200); }

sub json_prior
{
	my $n = states();
	my $rows = pick(1, 2, 3, 5, 16, 17);
	my %prior = (states => json_states($n));
	my $kind = pick(qw(chain binary gaussian table intervals));

	%prior = (%prior, transition => json_row($n, sub { json_row($n, share($n)) })) if $kind eq 'chain';
	%prior = (states => json_states(2), p => '[0.2,0.8]', q => '[0.3,0.6]') if $kind eq 'binary';
	%prior = (covariance => json_row($rows, do { my $i = 0; sub { $i++; my $j = 0; json_row($rows, sub { ++$j == $i ? 2 : 0.5 }) } }), bound => 1, width => 1) if $kind eq 'gaussian';
	if ($kind eq 'table' || $kind eq 'intervals')
	{
		my $few = pick(1, 2, 3, 8, 16, 17, 5000);
		my $values = $few <= 8 ? 2 : 1;
		my $cells = $values**$few;

		$prior{shape} = json_row($few, sub { chance(0.99) ? $values : $n });
		$prior{probability} = json_row($cells, share($cells)) if $kind eq 'table';
		%prior = (%prior, mode => '"' . pick(qw(conditional joint joint_bound nope)) . '"', low => json_row($cells, sub { 0.1 / $cells }), high => json_row($cells, sub { 1 })) if $kind eq 'intervals';
		%prior = (%prior, constraints => json_row(2, sub { json_row($cells, share($cells)) }), right => '[1,1]') if $kind eq 'intervals' && chance(0.3);
	}
	$prior{kind} = "\"$kind\"";
	$prior{ pick(qw(kind states start length mode zzz shape source bound centre p), keys %prior) } = pick(json_number(), '"nope"', '[1,2]', '[[1]]') if chance(0.3);
	delete $prior{ pick(keys %prior) } if chance(0.15);
	return '{' . join(',', map { "\"$_\":$prior{$_}" } sort keys %prior) . '}';
}

my @mechanism_fields = qw(noise steps kernel scale sensitivity within q step groups epsilon delta count sample_rate releases weight role zzz);

sub json_value { return chance(0.2) ? '"' . pick(@words, 'laplace(3)', 'laplace:10', '') . '"' : json_number(); }

sub json_mechanism
{
	my %field = (kernel => '"' . pick(qw(laplace gaussian staircase brdp_laplace brdp_gaussian)) . '"', scale => pick(1, 10, 0.001, 1e6));

	$field{releases} = pick(1, 10, 1e6) if chance(0.5);
	delete $field{scale} if $field{releases} && chance(0.8);
	$field{ pick(@mechanism_fields) } = json_value() for 1 .. whole(0, 3);
	return '{' . join(',', map { "\"$_\":$field{$_}" } sort keys %field) . '}';
}

sub json
{
	my ($name) = @_;
	my $kind = whole(1, 10);

	return quoted('[' . json_mechanism() . (',' . json_mechanism()) x whole(0, 2) . ']', 'jsonb') if $name =~ /slots|mechanisms/ && chance(0.8);
	return quoted(chance(0.8) ? json_prior() : '[' . join(',', map { json_prior() } 1 .. whole(1, 3)) . ']', 'jsonb') if $kind <= 6;
	return "(repeat('[', 5000) || repeat(']', 5000))::jsonb" if $kind == 7;
	return "(SELECT jsonb_agg(jsonb_build_object('kernel', 'laplace', 'scale', i % 100 + 1)) FROM generate_series(1, " . pick(100, 100000, 100001) . ') i)' if $kind == 8;
	return "jsonb_build_object('kind', 'table', 'states', (SELECT jsonb_agg('s' || i) FROM generate_series(1, 1024) i), 'shape', " .
		'(SELECT jsonb_agg(CASE WHEN i = 1 THEN 1024 ELSE 1 END) FROM generate_series(1, ' . pick(2, 16, 4100, 4101) . ") i), 'probability', (SELECT jsonb_agg(1 / 1024.0) FROM generate_series(1, 1024)))" if $kind == 9;
	return quoted(pick('null', '{}', '[]', '1', '"x"', '[{}]', '[[]]', '{"kind":null}', '{"kind":"chain"}', '{"a":[[]]}', '[null]', '{"states":[]}'), 'jsonb');
}

# --- arrays ---

sub huge { return pick(1000, 70000, 300000, 3000000); }

sub matrix { my ($rows, $columns, $number) = @_; return "array_fill($number, ARRAY[$rows, $columns])"; }

# Whether the server makes json of it, which it does not let be cancelled.
sub becomes_json { return $_[0] =~ /^(transition|start|covariance|probability|low|high|constraints|upper)$/; }

sub floats
{
	my ($name) = @_;
	my $kind = whole(1, 11);
	my $n = pick(1, 2, 3, 4, 20, 100);
	my $m = pick(1, 2, 3, 20);

	return quoted('{' . join(',', map { pick(@float, 'NULL') } 1 .. whole(0, 6)) . '}', 'float8[]') if $kind == 1;
	return quoted(pick('{}', '{NULL}', '[5:6]={0.5,0.5}', '{{0.7,0.3},{0.4,0.6}}', '{{{0.5,0.5},{0.1,0.9}}}', '{{{{1}}}}', '{{0.5},{0.5}}'), 'float8[]') if $kind <= 4;
	return matrix($n, $m, "(1.0 / $m)::float8") if $kind <= 7;
	return "array_fill((1.0 / $n)::float8, ARRAY[$n])" if $kind <= 9;
	if ($kind == 10)
	{
		my $many = becomes_json($name) ? 300000 : huge();
		return "array_fill((1.0 / $many)::float8, ARRAY[$many])";
	}
	my ($rows, $columns) = @{ becomes_json($name) ? [1000, 1000] : pick([2, 1000000], [1000000, 2], [4096, 500], [3000, 3000]) };
	return matrix($rows, $columns, "(1.0 / $columns)::float8");
}

sub ints
{
	my $kind = whole(1, 10);
	my $n = pick(1, 2, 3, 4, 20, 100);

	return quoted('{' . join(',', map { pick(grep { !/\(/ } @int, 'NULL') } 1 .. whole(0, 6)) . '}', 'int[]') if $kind == 1;
	return quoted(pick('{}', '{NULL}', '[0:1]={1,2}', '{1,2}', '{1,1,2}', '{{1,0},{0,1}}', '{{1,2},{2,1}}', '{{{1}}}', '{2,2,2}'), 'int[]') if $kind <= 4;
	return "(SELECT array_agg(1 + i % 2) FROM generate_series(1, $n) i)" if $kind <= 7;
	return "(SELECT array_agg(i) FROM generate_series(1, $n) i)" if $kind <= 9;
	my $many = huge();
	return pick("(SELECT array_agg(i) FROM generate_series(1, $many) i)", "array_fill(1, ARRAY[$many])", 'array_fill(1, ARRAY[1000, 1000])');
}

sub texts
{
	my ($type) = @_;
	my $kind = whole(1, 8);

	return quoted('{' . join(',', map { pick(qw(x y A B C s0 s1 id t v w grade region NULL), '""', '"a b"') } 1 .. whole(0, 6)) . '}', $type) if $kind <= 4;
	return quoted(pick('{}', '{NULL}', '{{x,y}}', '{{s0,s1},{s1,s2}}', '{{x,y},{y,x}}', '{x,y}', '{A,B,C}', '{t}', '[3:4]={x,y}', '{laplace,staircase}'), $type) if $kind <= 7;
	my $many = huge();
	return pick("(SELECT array_agg('s' || i) FROM generate_series(1, $many) i)", "array_fill('x'::text, ARRAY[$many])", "array_fill('s1'::text, ARRAY[$many, 2])",
		"ARRAY[repeat('x', 5000000)]") . "::$type";
}

sub any_array
{
	return pick(\&ints, sub { floats('low') }, sub { texts('text[]') }, sub { quoted('{2024-01-01,infinity}', 'date[]') }, sub { quoted('{t,f,NULL}', 'boolean[]') },
		sub { "ARRAY['sad', 'glad']::fuzz.mood[]" }, sub { "ARRAY[ROW(1, 'x')::fuzz.pair]" }, sub { "ARRAY['{}'::jsonb]" }, sub { "ARRAY[repeat('9', 100000)::numeric, 'NaN']" })->();
}

# --- the rest ---

my %pool = (
	'regclass' => [map { quoted($_, 'regclass') } qw(fuzz.central fuzz.central fuzz.person fuzz.person fuzz.stay fuzz.plain fuzz.plain fuzz.part fuzz.part_1 fuzz.place fuzz.sight
		fuzz.still fuzz.counter fuzz.pair fuzz.plain_pkey pg_class privacct.policy privacct.ledger pg_toast.pg_toast_1255 information_schema.tables 0 1 4294967295)],
	'regrole' => [map { quoted($_, 'regrole') } qw(fuzz_analyst fuzz_owner postgres privacct_admin privacct_reader 0 4294967295)],
	'regtype' => [map { quoted($_, 'regtype') } qw(int4 text void anyelement numeric fuzz.mood fuzz.pair date internal 0 4294967295)],
	'oid' => [qw(0 1 23 2200 4294967295), map { "$_\::regclass::oid" } map { quoted($_) } qw(fuzz.central fuzz.person fuzz.plain pg_class)],
	'boolean' => [qw(true false)],
	'smallint' => [map { "$_\::int2" } qw(0 1 (-1) 2 7 32767 (-32768))],
	'integer' => [map { "($_)" } @int],
	'bigint' => [map { "$_\::int8" } map { /^-/ ? "($_)" : $_ } @big],
	'real' => [map { quoted($_, 'real') } qw(0 1 -1 0.5 NaN Infinity -Infinity 3.4e38 1e-45 -0)],
	'interval' => [map { quoted($_, 'interval') } '0', '-1 day', '1 ms', '50 ms', '1 minute', '178000000 years', '-178000000 years', '2147483647 months', '9223372036854775807 us', '1 month -1 day 1 s'],
	'date' => [map { quoted($_, 'date') } qw(infinity -infinity 2024-02-29 5874897-12-31 epoch), '4713-01-01 BC'],
	'timestamp without time zone' => [map { quoted($_, 'timestamp') } qw(infinity -infinity 2024-02-29 294276-12-31 epoch), '4713-01-01 BC'],
	'timestamp with time zone' => [map { quoted($_, 'timestamptz') } qw(infinity -infinity 2024-02-29 294276-12-31T23:59:59Z epoch), '4713-01-02 BC'],
	'time without time zone' => [map { quoted($_, 'time') } qw(00:00 24:00 12:34:56.789)],
	'bytea' => [map { quoted($_, 'bytea') } '', '\x00', '\xffffffff'],
	'privacct.policy' => ['(SELECT p FROM privacct.policy p ORDER BY policy_id LIMIT 1)', '(SELECT p FROM privacct.policy p ORDER BY policy_id OFFSET 1 LIMIT 1)', '(SELECT p FROM privacct.policy p ORDER BY policy_id OFFSET 2 LIMIT 1)'],
	'privacct.prior' => ['(SELECT p FROM privacct.prior p LIMIT 1)'],
	'cstring' => [map { quoted($_, 'cstring') } '', 'x', '0', '{}', 'x' x 5000],
	'pg_constraint' => ['(SELECT c FROM pg_constraint c LIMIT 1)', "(SELECT c FROM pg_constraint c WHERE contype = 'f' LIMIT 1)"],
	'regprocedure' => [map { quoted($_, 'regprocedure') } 'privacct.uninstall()', 'int4eq(int,int)', '0', '4294967295'],
	'privacct.table_reference' => ["'fuzz.central'::regclass::oid::privacct.table_reference", '0::oid::privacct.table_reference'],
	'privacct.role_reference' => ["'fuzz_analyst'::regrole::oid::privacct.role_reference", '0::oid::privacct.role_reference'],
	'record' => ['ROW(1, 2)', 'ROW()', "ROW('x', NULL, ARRAY[1])"],
	'pg_ddl_command' => ['NULL::pg_ddl_command'],
	'oid[]' => ["ARRAY['fuzz.central'::regclass, 'fuzz.plain'::regclass]::oid[]", "'{0,NULL,4294967295}'::oid[]", "'{}'::oid[]", '(SELECT array_agg(oid) FROM pg_class)'],
	'anyelement' => ['1', 'NULL::int', "'x'::text", '1.5::float8', "'NaN'::numeric", 'true', "date 'infinity'", "'{}'::jsonb", "ARRAY[1]", "ROW(1, 'x')::fuzz.pair", 'NULL::fuzz.mood'],
);
my @columns = qw(id t v region grade id+1 v*2 v/0.5 grade+0.5 1 NULL v::numeric region||'x' t%2);

sub value
{
	my ($type, $name) = @_;

	return $pool{$type} ? pick(@{ $pool{$type} })
		: $type eq 'double precision' ? float()
		: $type eq 'numeric' ? (chance(0.05) ? "repeat('9', 100000)::numeric" : numeric())
		: $type eq 'text' ? text($name)
		: $type eq 'name' ? quoted(pick(@names, '', 'x' x 63), 'name')
		: $type =~ /^character/ ? text($name) . "::$type"
		: $type eq 'jsonb' ? json($name)
		: $type eq 'double precision[]' ? floats($name)
		: $type eq 'integer[]' ? ints()
		: $type eq 'text[]' || $type eq 'name[]' ? texts($type)
		: $type =~ /^(?:big|small)int\[\]$/ ? ints() . "::$type"
		: $type eq 'numeric[]' ? floats('low') . "::$type"
		: $type eq 'date[]' ? quoted(pick('{}', '{NULL}', '{2024-01-01,infinity}', '{{-infinity},{epoch}}'), $type)
		: $type =~ /^(privacct\.\w+)\[\]$/ ? pick("(SELECT array_agg(r) FROM $1 r)", "'{}'::$type", "'{NULL}'::$type")
		: $type =~ /^privacct\.\w+$/ ? pick("(SELECT r FROM $type r LIMIT 1)", "NULL::$type")
		: $type eq 'anyarray' ? any_array()
		: $type eq '"any"' ? pick(@{ $pool{anyelement} })
		: die "no arguments of type $type\n";
}

# What to give for an argument of that type and name; kind: f or a, of an aggregate.
sub draw
{
	my ($type, $name, $kind) = @_;
	my $plain = $type =~ /^any|"any"/ ? 'int' : $type;

	$name //= '';
	return "NULL::" . ($type eq 'anyarray' ? 'int[]' : $type =~ /^any|"any"/ ? 'int' : $type) if chance(0.12) && $type ne 'record';
	return pick(@columns) if $kind eq 'a' && $type ne 'text' && chance(0.6);
	return value($type, $name);
}

1;
