# SPDX-License-Identifier: GPL-3.0-or-later
# What a new version of PostgreSQL brings is refused until somebody has judged it; here it is noticed.  Each
# list has what was judged, of all versions: see "PostgreSQL's versions" in docs/security.md.  Functions and relations
# of the catalog are compared in sql/catalog_hygiene.sql.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

chomp(my $headers = `pg_config --includedir-server`);

sub unknown
{
	my ($list, @found) = @_;
	my %known = map { $_ => 1 } @$list;
	return join ' ', sort grep { !$known{$_} } @found;
}

sub lines_of
{
	my ($file) = @_;
	return [ split /\n/, slurp_file("$FindBin::RealBin/known/$file") ];
}

# Nodes of queries, expressions and plans.  The guard and the closed world refuse those that they do not name.
my ($tags) = grep { -e } "$headers/nodes/nodetags.h", "$headers/nodes/nodes.h";
my $text = slurp_file($tags);
$text =~ s/.*?enum NodeTag(.*?)\} NodeTag;.*/$1/s;
my @tags = $text =~ /\bT_(\w+)/g;
cmp_ok(scalar @tags, '>', 400, 'node tags were found');
is(unknown(lines_of('node_tags.txt'), @tags), '', 'every node has been judged');

# What commands take locks, and may be issued on protected tables, is judged in guard/locks.c, guard/rights.c and
# t/038_locks.pl.

my $node = new_node('features');
$node->start;
setup_hospital($node);

# Options of EXPLAIN: quiet/silence.c
my @options = map { lc } $node->safe_psql('postgres', '\h EXPLAIN') =~ /^    ([A-Z_]+) [[{]/mg;
my %refused = map { $_ => 1 } qw(analyze buffers wal timing memory serialize);
my %shown = map { $_ => 1 } qw(verbose costs settings generic_plan summary format);
cmp_ok(scalar @options, '>', 8, "options of EXPLAIN were found: @options");
is(unknown([ keys %refused, keys %shown ], @options), '', 'every option of EXPLAIN has been judged');
for my $option (@options)
{
	my $value = $option eq 'format' ? ' json' : '';
	my (undef, $out, $err) = ask($node, "EXPLAIN ($option$value) $PrivacctTest::QUERY");
	$refused{$option}
	  ? like($err, qr/42PA1|22023/, "EXPLAIN ($option) of a release is refused")
	  : ok($err eq '' && $out =~ /Noise/, "EXPLAIN ($option) of a release is answered");
}

# Languages of functions: what is written in one may be inlined, or is a black box.
is($node->safe_psql('postgres', q(SELECT string_agg(lanname, ' ' ORDER BY lanname) FROM pg_language)), 'c internal plpgsql sql',
	'every language of functions has been judged');

# Privileges on tables: each is one that only the owner may have (migrations/parts/30_checks.sql).
is($node->safe_psql('postgres', q(SELECT string_agg(DISTINCT privilege_type, ' ' ORDER BY privilege_type) FROM aclexplode(acldefault('r', 10))
	WHERE privilege_type <> 'MAINTAIN')), 'DELETE INSERT REFERENCES SELECT TRIGGER TRUNCATE UPDATE', 'every privilege on tables has been judged');

# Roles with privileges of their own: check_hardening() names those that tell something.
my @roles = qw(pg_checkpoint pg_create_subscription pg_database_owner pg_execute_server_program pg_maintain pg_monitor pg_read_all_data
  pg_read_all_settings pg_read_all_stats pg_read_server_files pg_signal_autovacuum_worker pg_signal_backend pg_stat_scan_tables
  pg_use_reserved_connections pg_write_all_data pg_write_server_files);
is(unknown(\@roles, split / /, $node->safe_psql('postgres', q(SELECT string_agg(rolname, ' ') FROM pg_roles WHERE rolname ~ '^pg_'))), '',
	'every predefined role has been judged');

# Kinds of relations, constraints and generated columns
is($node->safe_psql('postgres', q(SELECT string_agg(DISTINCT contype::text, '' ORDER BY contype::text) FROM pg_constraint WHERE contype::text !~ '[cfnptux]')), '',
	'every kind of constraint has been judged');
done_testing();
