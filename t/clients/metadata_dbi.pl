# SPDX-License-Identifier: GPL-3.0-or-later
# What DBD::Pg's metadata methods tell an analyst of a hardened database.
#
# Prints "ok NAME" or "FAIL NAME: REASON" for each step.  Arguments: host, port.
use strict;
use warnings;

use DBI;

my ($host, $port) = @ARGV;
my $db = DBI->connect("dbi:Pg:dbname=postgres;host=$host;port=$port", 'analyst', '', { RaiseError => 1, PrintError => 0 });

# Values of a column of what a method returns, which must contain some.
sub expect
{
	my ($name, $ask, $column, @expected) = @_;
	my $rows = eval { $ask->()->fetchall_arrayref({}) };
	my %got;

	if (!$rows)
	{
		$@ =~ s/\n/ /g;
		print "FAIL $name: $@\n";
		return;
	}
	$got{ $_->{$column} // 'undef' } = 1 for @$rows;
	print((grep { !$got{$_} } @expected) ? "FAIL $name: @{[sort keys %got]}\n" : "ok $name\n");
	return;
}

expect('table_info', sub { $db->table_info(undef, 'care', '%', 'TABLE') }, 'TABLE_NAME', 'visit', 'ward');
expect('column_info', sub { $db->column_info(undef, 'care', 'visit', '%') }, 'COLUMN_NAME', 'visit_id', 'patient_id', 'ward', 'cost');
expect('primary_key_info', sub { $db->primary_key_info(undef, 'care', 'visit') }, 'COLUMN_NAME', 'visit_id');
expect('foreign_key_info', sub { $db->foreign_key_info(undef, 'care', 'ward', undef, 'care', 'visit') }, 'FK_COLUMN_NAME', 'ward');
expect('statistics_info', sub { $db->statistics_info(undef, 'care', 'visit', 0, 0) }, 'INDEX_NAME', 'visit_pkey', 'visit_ward');
expect('statistics_info, CARDINALITY', sub { $db->statistics_info(undef, 'care', 'visit', 0, 0) }, 'CARDINALITY', -1);
expect('statistics_info, PAGES', sub { $db->statistics_info(undef, 'care', 'visit', 0, 0) }, 'PAGES', 0);
print((grep { /visit/ } $db->tables(undef, 'care', '%', 'TABLE')) ? "ok tables\n" : "FAIL tables\n");
$db->disconnect;
