# SPDX-License-Identifier: GPL-3.0-or-later
# OwnedTest.pm
#		Random queries over several protected tables of one unit, and what each has to be.
#
# A query is made with its rows spelled out: an SQL query that yields, for each row that
# the block aggregates, the owner (whose, by the rule that the guard follows), a value
# and all other columns.  Whether the guard has to accept it is not known here: what it
# accepts must be owned.
package OwnedTest;

use strict;
use warnings;

use Exporter 'import';

our @EXPORT = qw(random_query);

# What is protected: the owner column, others of its type, and a nullable number.  Rows of
# item are of the owner of the visit that they refer to, and nobody's without one.
my @PROTECTED = (
	{ table => 'visit', owner => 'o', columns => [qw(o x k id)], key => 'id' },
	{ table => 'stay', owner => 'o', columns => [qw(o x k id)] });
my %ITEM = (table => 'item', columns => [qw(v x k)]);
my %PUBLIC = (table => 'place', columns => [qw(k z)]);

# What is planned beside all others, and not executed: its noise would be in what is compared.
use constant RELEASE => '(SELECT count(*) FROM visit)';

my $aliases;

sub pick { return $_[ int rand @_ ] }
sub chance { return rand() < $_[0] }

# One input of a union: the owner, two numbers, and the owner again.
sub input
{
	my ($owner) = @_;
	my $alias = 'i' . $aliases++;
	my $where = chance(0.5) ? ' WHERE ' . condition("$alias.o", "$alias.x", "$alias.k") : '';

	return pick("SELECT $owner, x, k, o AS own FROM visit $alias$where",
		"SELECT j.$owner, i.x, i.k, j.o AS own FROM item i JOIN visit j ON " . pick('i.v = j.id', 'i.v = j.id', 'i.x = j.id') . ' WHERE ' . condition('i.v', 'i.x', 'j.k'),
		"SELECT $owner, k + 1, x, o AS own FROM visit $alias$where",
		"SELECT $owner, count(*), max(k), o AS own FROM visit $alias$where GROUP BY o, $owner",
		"SELECT DISTINCT $owner, x::bigint, k, o AS own FROM visit $alias$where",
		"SELECT $alias.$owner, p.z, $alias.k, $alias.o AS own FROM visit $alias JOIN place p ON p.k = $alias.x$where",
		"SELECT $alias.$owner, j.x, j.k, $alias.o AS own FROM visit $alias LEFT JOIN visit j ON " . pick("$alias.o = j.o", "$alias.o = j.o AND j.x < 3", "$alias.x = j.x") . $where);
}

# Several inputs of set operations, most of which have their owners in the first column.
sub union_part
{
	my ($alias) = @_;
	my $first = input('o');
	my @kinds = chance(0.6) ? ('UNION ALL') : ('UNION', 'UNION ALL', 'INTERSECT', 'EXCEPT', 'EXCEPT', chance(0.1) ? 'EXCEPT ALL' : 'UNION');
	my $others = join '', map { ' ' . pick(@kinds) . ' ' . input(chance(0.75) ? 'o' : 'k') } 1 .. 1 + int rand 2;

	$first =~ s/^(SELECT (?:DISTINCT )?)(\S+), (\S+(?: \+ 1)?), (\S+), /$1$2 AS o, $3 AS x, $4 AS k, /;
	return { text => "($first$others) $alias", columns => [ "$alias.o", "$alias.x", "$alias.k" ], owner => "$alias.own", owners => ["$alias.o"], keys => [], parts => 1 }
	  if chance(0.6);
	return { text => "(SELECT o, count(*) AS x, min(k) AS k FROM ($first$others) $alias GROUP BY o) $alias",
		columns => [ "$alias.o", "$alias.x", "$alias.k" ], owner => "$alias.o", owners => ["$alias.o"], keys => [], parts => 1 };
}

# The same condition is written for visits by their owners and their keys, and for items by the latter.
sub agreement
{
	my ($left, $right) = @_;
	my @pairs = grep { @{ $left->{$_} || [] } && @{ $right->{$_} || [] } } qw(owners owners keys);
	my $by = pick(@pairs) or return pick(@{ $left->{columns} }) . ' = ' . pick(@{ $right->{columns} });

	return pick(@{ $left->{$by} }) . ' = ' . pick(@{ $right->{$by} });
}

# By what they refer to, joined or not, or by something else.
sub items
{
	my $alias = 't' . $aliases++;
	my $text = chance(0.7) ? "item $alias" :
	  pick("(SELECT v, x AS k, k AS x FROM item WHERE " . condition('v', 'x', 'k') . ") $alias",
		"(SELECT a.v, b.x, a.k FROM item a " . pick('JOIN', 'LEFT JOIN') . " visit b ON " . pick('a.v = b.id', 'b.id = a.v AND b.x > 1', 'a.x = b.id') . ") $alias",
		"(SELECT a.v, b.x, a.k FROM item a " . pick('JOIN', 'LEFT JOIN') . ' item b ON ' . pick('a.v = b.v', 'b.v = a.v AND b.x > 1', 'a.x = b.v') . ") $alias",
		"(SELECT v, count(*)::int AS x, max(k) AS k FROM item GROUP BY v) $alias",
		"(SELECT id AS v, count(*)::int AS x, max(k) AS k FROM visit GROUP BY id) $alias",
		"(SELECT a.v, count(b.x)::int AS x, max(b.k) AS k FROM item a LEFT JOIN visit b ON a.v = b.id AND b.x > 1 GROUP BY " . pick('a.v', 'a.v, b.o') . ") $alias",
		"(SELECT min(v) AS v, x, count(*)::int AS k FROM item GROUP BY x) $alias");

	return { text => $text, columns => [ map { "$alias.$_" } @{ $ITEM{columns} } ], owner => "(SELECT o FROM visit WHERE id = $alias.v)",
		owners => [], keys => ["$alias.v"], parts => 1 };
}

# A part of FROM: its text, the columns that may be named, and whose rows they are.
sub table
{
	return items() if chance(0.25);
	my $t = pick(@PROTECTED);
	my $alias = 't' . $aliases++;
	my @columns = map { "$alias.$_" } qw(o x k);
	my $text = "$t->{table} $alias";
	my $plain = $text;

	$text = "(SELECT o, x AS k, k AS x FROM $t->{table} WHERE " . condition('o', 'x', 'k') . ") $alias"
	  if chance(0.25);
	# which stays a subquery, below an outer join, and has columns that are no columns of a table
	$text = "(SELECT a.o, coalesce(a.x, b.k) AS x, coalesce(b.k, 1) AS k FROM $t->{table} a " . pick('JOIN', 'LEFT JOIN') .
	  " $t->{table} b ON a.o = b.o AND " . condition('a.x', 'b.k') . ") $alias"
	  if chance(0.15);
	# beside what its partition says
	$text = "(SELECT $alias.o, $alias.k AS x, " . aggregate(pick("$alias.x", 'j.k'), ' OVER ' . window("$alias.o", "$alias.x", pick('j.o', 'j.k'))) . "::int AS k FROM $t->{table} $alias " .
	  pick('JOIN', 'LEFT JOIN') . " $t->{table} j ON $alias.o = j.o AND " . condition("$alias.x", 'j.k') . ") $alias"
	  if chance(0.12);
	# by different values
	$text = pick("(SELECT o, count(DISTINCT x) AS x, max(k) AS k FROM $t->{table} GROUP BY o HAVING count(DISTINCT k) <> " . int(rand 3) . ')',
		"(SELECT o, x, count(DISTINCT k) + count(DISTINCT o) AS k FROM $t->{table} WHERE " . condition('o', 'x', 'k') . ' GROUP BY x, o)',
		"(SELECT o, x, count(DISTINCT k) AS k FROM $t->{table} GROUP BY x, o)") . " $alias"
	  if chance(0.06);
	# with a value of the owner's other rows
	$text = "(SELECT o, x, " . value({ owners => ["$alias.o"], keys => [ $t->{key} ? "$alias.id" : () ], columns => [ "$alias.x", "$alias.k" ] }) . "::bigint AS k FROM $t->{table} $alias) $alias"
	  if chance(0.15);
	# by owners, whole or not; or, which is none of them, by what may be null, or by something else
	$text = pick("(SELECT o, count(*)::int AS x, max(k) AS k FROM $t->{table} WHERE " . condition('o', 'x', 'k') . ' GROUP BY o)',
		"(SELECT o, x AS k, count(k)::int AS x FROM $t->{table} GROUP BY x, o HAVING count(*) > " . int(rand 3) . ')',
		"(SELECT DISTINCT o, x, x + k AS k FROM $t->{table})",
		"(SELECT a.o, sum(b.x)::int AS x, count(b.k)::int AS k FROM $t->{table} a " . pick('JOIN', 'LEFT JOIN') .
		  " $t->{table} b ON " . pick('a.o = b.o', 'a.o = b.o AND b.x < 3', 'a.x = b.x') . ' GROUP BY ' . pick('a.o', 'a.o, b.o', 'a.o, b.k') . ')',
		"(SELECT a.o, sum(b.x)::int AS x, count(b.k)::int AS k FROM $t->{table} a RIGHT JOIN $t->{table} b ON a.o = b.o AND b.x < 3 GROUP BY a.o)",
		"(SELECT min(o) AS o, x, count(*)::int AS k FROM $t->{table} GROUP BY x)") . " $alias"
	  if chance(0.25);
	return union_part($alias) if chance(0.12);
	push @columns, "$alias.id" if $text eq $plain;
	return { text => $text, columns => \@columns, owner => "$alias.$t->{owner}", owners => ["$alias.$t->{owner}"],
		keys => $t->{key} && $text eq $plain ? ["$alias.id"] : [], parts => 1 };
}

# Public rows, all or some of them: which must not follow from protected rows, nor from what is computed of a group.
sub public_rows
{
	my ($alias) = @_;

	return "$PUBLIC{table} $alias" if chance(0.75);
	return "(SELECT k, z FROM $PUBLIC{table} WHERE z > 0) $alias" if chance(0.3);
	return pick(
		"(SELECT p.k, q.z FROM $PUBLIC{table} p JOIN $PUBLIC{table} q ON p.k = q.k) $alias",
		"(SELECT p.k, p.z FROM $PUBLIC{table} p WHERE " . pick('EXISTS', 'NOT EXISTS') . " (SELECT FROM visit v WHERE v.o = p.k)) $alias",
		"(SELECT p.k, p.z FROM $PUBLIC{table} p WHERE p.k " . pick('IN', 'NOT IN') . " (SELECT " . pick('o', 'coalesce(x, 0)') . " FROM visit)) $alias",
		"(SELECT p.k, p.z FROM $PUBLIC{table} p LEFT JOIN visit v ON v.o = p.k AND " . condition('v.x', 'v.k') . ") $alias",
		"(SELECT v.o AS k, p.z FROM $PUBLIC{table} p LEFT JOIN visit v ON v.o = p.k AND " . condition('v.x', 'v.k') . ") $alias",
		"(SELECT 1 AS k, 2 AS z FROM $PUBLIC{table} HAVING " . pick('true', 'EXISTS (SELECT FROM visit)') . ") $alias",
		"(SELECT 1 AS k, 2 AS z FROM visit HAVING " . pick('true', 'false', 'count(*) > 3') . ") $alias");
}

# Joined by its key with a column that is there already.
sub with_public
{
	my ($part) = @_;
	my $alias = 'p' . $aliases++;
	my $join = pick('JOIN', 'JOIN', 'LEFT JOIN', 'RIGHT JOIN');

	return { %$part, joined => 1, text => "$part->{text} $join " . public_rows($alias) . " ON $alias.k = " . pick(@{ $part->{columns} }),
		columns => [ @{ $part->{columns} }, "$alias.z" ] };
}

sub condition
{
	my @columns = @_;
	my $column = pick(@columns);

	return pick("concat($column, 'x') ~ '^[0-2]{1,2}x'", "('1'::text || $column)::bigint < 1" . int(rand 5), "EXISTS (SELECT FROM place reached WHERE reached.k = $column)")
	  if chance(0.2);
	return pick("$column < " . int rand 5, "$column IS NOT NULL", "$column = " . pick(@columns), "$column <> " . int rand 5,
		"($column IS NULL OR $column > " . int(rand 3) . ')');
}

# Often by the owners, sometimes by anything.
sub join_condition
{
	my ($left, $right) = @_;
	my $owners = agreement($left, $right);
	my $other = pick(@{ $left->{columns} }) . ' = ' . pick(@{ $right->{columns} });
	my $only = chance(0.3) ? pick(@{ $left->{columns} }) . ' < ' . pick(@{ $right->{columns} }) : condition(@{ $left->{columns} }, @{ $right->{columns} });

	return pick($owners, $owners, "$owners AND $other", "$other AND $owners AND $only", $other, "$other AND $only", "($owners OR $only)", "NOT ($owners)");
}

# With an equality at least, as PostgreSQL demands.
sub full_join_condition
{
	my ($left, $right) = @_;
	my $owners = agreement($left, $right);
	my $other = pick(@{ $left->{columns} }) . ' = ' . pick(@{ $right->{columns} });

	return pick($owners, $owners, "$owners AND $other", "$owners AND " . condition(@{ $left->{columns} }, @{ $right->{columns} }), $other);
}

sub joined
{
	my ($left, $right) = @_;
	my $type = pick('JOIN', 'JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN');
	my %owner = ('RIGHT JOIN' => $right->{owner}, 'FULL JOIN' => "coalesce($left->{owner}, $right->{owner})");
	my $text = $right->{text};
	my $condition = $type eq 'FULL JOIN' ? full_join_condition($left, $right) : join_condition($left, $right);

	$text = "($text)" if $right->{joined};
	return { joined => 1, text => "$left->{text} $type $text ON $condition",
		columns => [ @{ $left->{columns} }, @{ $right->{columns} } ], owner => $owner{$type} || $left->{owner},
		owners => [ $type eq 'FULL JOIN' ? $owner{$type} : (), @{ $left->{owners} }, @{ $right->{owners} } ], keys => [ @{ $left->{keys} }, @{ $right->{keys} } ],
		parts => $left->{parts} + $right->{parts} };
}

sub part
{
	my ($tables) = @_;

	my $left = $tables == 1 ? table() : part(1 + int rand($tables - 1));
	$left = joined($left, part(1)) while $tables > 1 && $left->{parts} < $tables;
	$left = with_public($left) if chance(0.2);
	return $left;
}

# EXISTS, NOT EXISTS or IN over protected rows.
sub membership
{
	my ($part) = @_;
	my $inner = part(1 + int rand 2);
	my $condition = join_condition($part, $inner);

	return pick('EXISTS', 'NOT EXISTS') . " (SELECT FROM $inner->{text} WHERE $condition)" if chance(0.7);
	return pick(@{ $part->{owners} }, @{ $part->{columns} }) . ' ' . pick('IN', 'IN', 'NOT IN') . ' (SELECT ' .
	  pick(@{ $inner->{owners} }, @{ $inner->{columns} }) . " FROM $inner->{text} WHERE " . condition(@{ $inner->{columns} }) . ')';
}

# What is computed of rows that are made one: of a column, in a window or not.
sub aggregate
{
	my ($column, $over) = (@_, '');

	return '(' . pick("count(*)$over", "count($column)$over", "max($column)$over", "sum($column)$over", "min($column)$over + count(*)$over",
		$over ? () : "count(DISTINCT $column)") . ')';
}

# Partitions, most of which are of the owner, and frames, most of which are whole.
sub window
{
	my ($owner, @columns) = @_;
	my $by = pick($owner, $owner, "$owner, " . pick(@columns), pick(@columns) . ", $owner", pick(@columns));

	return "(PARTITION BY $by" . pick('', '', '', " ORDER BY " . pick(@columns), ' ORDER BY ' . pick(@columns) . ' ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING',
		' RANGE BETWEEN CURRENT ROW AND CURRENT ROW', ' ROWS UNBOUNDED PRECEDING') . ')';
}

# A value of other rows, by the owner or by anything; of none of them it is null, or 0.
sub value
{
	my ($part) = @_;

	return RELEASE if chance(0.05);
	my $inner = part(1 + int rand 1.5);
	my $condition = chance(0.8) ? agreement($part, $inner) : join_condition($part, $inner);

	$condition .= ' AND ' . pick(@{ $part->{columns} }) . pick(' = ', ' = ', ' < ') . pick(@{ $inner->{columns} }) if chance(0.4);
	$condition .= ' AND ' . condition(@{ $inner->{columns} }) if chance(0.5);
	return '(SELECT ' . aggregate(pick(@{ $inner->{columns} })) . " FROM $inner->{text} WHERE $condition" .
	  (chance(0.3) ? ' HAVING count(*) ' . pick('> 1', '= 0') : '') . ')';
}

# A LATERAL subquery beside a part: rows, groups, or one row.
sub with_lateral
{
	my ($part) = @_;
	my $alias = 'l' . $aliases++;
	my $inner = part(1);
	my $condition = join_condition($part, $inner);
	my $column = pick(@{ $inner->{columns} });
	my $kind = pick('rows', 'groups', 'one');
	my $select = $kind eq 'rows' ? "$inner->{owner} AS lo, $column AS lx" :
	  $kind eq 'groups' ? "$column AS lo, " . aggregate($column) . ' AS lx' : 'max(' . pick(@{ $inner->{columns} }) . ') AS lo, ' . aggregate($column) . ' AS lx';

	$condition = agreement($part, $inner) . ' AND ' . condition(@{ $inner->{columns} })
	  if chance(0.6);
	return { %$part, joined => 1, text => "$part->{text} " . pick('CROSS JOIN LATERAL', ', LATERAL', 'LEFT JOIN LATERAL', 'JOIN LATERAL') . " (SELECT $select FROM $inner->{text} WHERE $condition" .
		  ($kind eq 'groups' ? " GROUP BY $column" : '') . ") $alias",
		columns => [ @{ $part->{columns} }, "$alias.lo", "$alias.lx" ] };
}

# { from, where, owner, columns }
sub random_query
{
	$aliases = 0;
	my $part = part(pick(1, 1, 2, 2, 3, 4));
	my @where;

	if (chance(0.15))
	{
		$part = with_lateral($part);
		$part->{text} .= ' ON ' . (chance(0.7) ? 'true' : condition(@{ $part->{columns} })) if $part->{text} !~ /(?:CROSS JOIN|,) LATERAL/;
	}

	if (chance(0.2))
	{
		my $other = part(1);

		push @where, join_condition($part, $other);
		$part = { text => "$part->{text}, $other->{text}", columns => [ @{ $part->{columns} }, @{ $other->{columns} } ],
			owner => $part->{owner}, owners => [ @{ $part->{owners} }, @{ $other->{owners} } ],
			keys => [ @{ $part->{keys} }, @{ $other->{keys} } ] };
	}
	push @where, condition(@{ $part->{columns} }) if chance(0.3);
	push @where, pick(@{ $part->{columns} }) . ' < ' . RELEASE if chance(0.05);
	push @where, agreement($part, $part) if chance(0.2);
	push @where, membership($part) if chance(0.3);
	push @where, pick(@{ $part->{columns} }) . pick(' < ', ' = ', ' <> ') . value($part) if chance(0.15);
	push @where, 'coalesce(' . value($part) . ' > ' . int(rand 3) . ', ' . pick('true', 'false') . ')' if chance(0.15);
	return { from => $part->{text}, where => @where ? join(' AND ', @where) : 'true',
		owner => $part->{owner}, columns => $part->{columns} };
}

1;
