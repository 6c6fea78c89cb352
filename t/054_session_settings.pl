# SPDX-License-Identifier: GPL-3.0-or-later
# What protect(), renames and partitions ask about tables that look alike, and what check_books() finds, does not
# depend on settings that everybody may change for a session: whatever they are when the one table is declared, and
# when the other is.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

my $node = new_node('settings');
$node->start;

# Names and columns that need quotes, and that need none.
$node->safe_psql('postgres', q(
	CREATE EXTENSION privacct;
	CREATE ROLE analyst LOGIN;
	CREATE SCHEMA old;
	CREATE SCHEMA new;
	CREATE TABLE old.plain (person int NOT NULL, "value" int);
	CREATE TABLE old."Or.d""ers" (person int NOT NULL, "Mixed Case" int, "a""b" int, "select" int);
	CREATE TABLE old."back\\slash" (person int NOT NULL, x1 int);
	CREATE TABLE old.parted (person int NOT NULL, region int) PARTITION BY LIST (region);
	CREATE TABLE old.part1 PARTITION OF old.parted FOR VALUES IN (1);
	CREATE TABLE new.columns1 (LIKE old.plain);
	CREATE TABLE new.columns2 (LIKE old."Or.d""ers");
	CREATE TABLE new.plain (person int NOT NULL, y1 int);
	CREATE TABLE new."Or.d""ers" (person int NOT NULL, y2 int);
	CREATE TABLE new."back\\slash" (person int NOT NULL, y3 int);
	CREATE SCHEMA third;
	CREATE TABLE third.plain (person int NOT NULL, region int);
	CREATE TABLE third.unlike (person int NOT NULL, z1 int)));
my @OLD = ('old.plain', 'old."Or.d""ers"', 'old."back\slash"');
my @NEW = ('new.columns1', 'new.columns2', 'new.plain', 'new."Or.d""ers"', 'new."back\slash"');

sub protect { return map { "SELECT privacct.protect(\$q\$$_\$q\$, 'person') > 0;" } @_; }

# Each by itself, so that what is refused ends nothing.
my $QUESTIONS = join "\n", 'SAVEPOINT s;', map { "$_\nROLLBACK TO s;" } protect(@NEW),
  "SELECT privacct.protect('third.unlike', 'person', epsilon => 1.5, delta => 1e-7) > 0; ALTER TABLE third.unlike RENAME TO \"back\\slash\";",
  'ALTER TABLE third.unlike RENAME z1 TO x1; ' . join('', protect('third.unlike')),
  "SELECT privacct.protect('old.parted', 'person') > 0; ALTER TABLE old.parted ATTACH PARTITION third.plain FOR VALUES IN (3);",
  "SELECT privacct.protect('old.parted', 'person') > 0; ALTER TABLE old.parted DETACH PARTITION old.part1; " . join('', protect('old.part1')),
  "SELECT h.relation_name, h.names, h.columns, h.column_lists, h.owner_column FROM privacct.history h ORDER BY h.policy_id, h.relation_name COLLATE \"C\";",
  'SELECT * FROM privacct.check_books();';

# Under settings: [ name, value, what it is usually ].
sub probe
{
	my ($set, $reset) = map {
		my $at = $_;
		join '', map { "SET \"$_->[0]\" = '" . ($_->[$at] =~ s/'/''/gr) . "';" } @_
	} 1, 2;
	my $declare = join "\n", protect(@OLD);
	my $script = qq(\\set ON_ERROR_STOP 0\n\\set VERBOSITY default\n\\set SHOW_CONTEXT never
		SET client_min_messages = warning;
		BEGIN;
		$declare
		$set
		$QUESTIONS
		$reset
		ROLLBACK;
		$set
		BEGIN;
		$declare
		$reset
		$QUESTIONS
		ROLLBACK;);
	my ($out, $err) = ('', '');
	$node->psql('postgres', $script, stdout => \$out, stderr => \$err, on_error_stop => 0);
	$err =~ s/^psql:<stdin>:\d+: //mg;
	return "$out\n$err";
}

my $usual = probe();

# Which of some settings change anything; asked together first, since hardly any does.
sub matters
{
	return if probe(@_) eq $usual;
	return "$_[0][0] = $_[0][1]" if @_ == 1;
	my $half = int(@_ / 2);
	my @found = (matters(@_[ 0 .. $half - 1 ]), matters(@_[ $half .. $#_ ]));
	return @found ? @found : 'together: ' . join(', ', map { $_->[0] } @_);
}

# In groups of eight, in which each name is once.
sub groups
{
	my @groups;
	for my $setting (@_)
	{
		my ($group) = grep { @$_ < 8 && !grep { $_->[0] eq $setting->[0] } @$_ } @groups;
		push @groups, $group = [] unless $group;
		push @$group, $setting;
	}
	return @groups;
}
like($usual, qr/^(.*?(may hold rows of persons|would have the name)){18}/s, 'tables are asked about');

# Not those without which nothing is declared, that end sessions, or that name what is not there.
my $LEFT_OUT = qr/^(transaction_|default_transaction_|session_|role$|.*_timeout$|default_table(space|_access_method)$|temp_tablespaces|local_preload_libraries|
	exit_on_error|tcp_|.*timezone_abbreviations|client_min_messages|application_name|.*_encoding$|lc_|default_text_search_config|client_connection_check_interval|log_|debug_|trace_|wal_)/x;
my %OTHERS = (DateStyle => [ 'SQL, DMY', 'German', 'Postgres, YMD' ], TimeZone => ['Asia/Kolkata'], search_path => [ 'new, old', 'old', '' ], client_encoding => ['LATIN1'],
	default_text_search_config => ['simple']);
my (@apart, @together);
for my $line (split /\n/, $node->safe_psql('postgres', q(
	SELECT name, vartype, setting, coalesce(array_to_string(enumvals, ','), ''), min_val FROM pg_settings
	WHERE context = 'user' AND name !~ '^privacct' ORDER BY name)))
{
	my ($name, $type, $now, $enum, $least) = split /\|/, $line, -1;

	if ($OTHERS{$name})
	{
		push @apart, map { [ $name, $_, $now ] } @{ $OTHERS{$name} };
	}
	elsif ($name =~ $LEFT_OUT)
	{
		next;
	}
	elsif ($name =~ /^(enable_|jit|geqo|vacuum_|parallel_)|_cost$|_size$|_mem$|_limit$|_buffers$|workers/)
	{
		push @together, [ $name, $type eq 'bool' ? ($now eq 'on' ? 'off' : 'on') : $least ] if $type ne 'enum' && $type ne 'string';
	}
	elsif ($type eq 'bool')
	{
		push @apart, [ $name, $now eq 'on' ? 'off' : 'on', $now ];
	}
	elsif ($type eq 'enum')
	{
		push @apart, map { [ $name, $_, $now ] } grep { $_ ne $now } split /,/, $enum;
	}
	elsif ($type ne 'string')
	{
		push @together, [ $name, $least ];
	}
}
cmp_ok(scalar(@apart), '>', 30, 'settings are found');
is_deeply([ matters(@$_) ], [], join ', ', map { "$_->[0] = $_->[1]" } @$_) for groups(@apart);

# what concerns plans and resources only
$node->safe_psql('postgres', join '', map { "ALTER ROLE CURRENT_USER SET \"$_->[0]\" = '$_->[1]';" } @together);
is(probe(), $usual, 'with other plans');
$node->safe_psql('postgres', 'ALTER ROLE CURRENT_USER RESET ALL');

# the extension is the same, whoever makes it
my $MADE = "SELECT object, part_of, state FROM privacct.made ORDER BY 1; SELECT kind, name, verdict FROM privacct.catalog_object ORDER BY 1, 2; SELECT problem FROM privacct.check_books()";
my $made = $node->safe_psql('postgres', $MADE);
$node->safe_psql('postgres', 'CREATE DATABASE other');
$node->safe_psql('other', q(SET quote_all_identifiers = on; SET standard_conforming_strings = off; SET DateStyle = 'German';
	SET client_min_messages = error; CREATE EXTENSION privacct));
is($node->safe_psql('other', $MADE), $made, 'made under other settings');
$node->stop;

done_testing();
