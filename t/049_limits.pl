# SPDX-License-Identifier: GPL-3.0-or-later
# What an owner adds to a group: so many rows, or a bounded sum (docs/theory.md, section 4).
#
# For random tables, limits and plans, with next to no noise: what is released is what the
# owners add by the definition, and without one owner it differs in so many groups at most,
# in each by the sensitivity that preview() shows at most.
#
# LIMITS_TRIALS and LIMITS_SEED take more of them, and others.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

my $TRIALS = $ENV{LIMITS_TRIALS} || 30;
my $SEED = $ENV{LIMITS_SEED} || int(rand(1_000_000));

note "LIMITS_SEED=$SEED";
srand($SEED);

my $node = new_node('limits', fsync => 'off', 'privacct.require_durable_storage' => 'off');
$node->start;
$node->safe_psql('postgres', <<'SQL');
	CREATE EXTENSION privacct;
	CREATE ROLE analyst;

	-- a new table, whose policy has its whole budget
	CREATE FUNCTION make() RETURNS void LANGUAGE plpgsql AS $$
	BEGIN
		IF to_regclass('visit') IS NOT NULL THEN
			PERFORM privacct.unprotect('visit');
			DROP TABLE visit;
		END IF;
		CREATE TABLE visit (o int NOT NULL, g int NOT NULL, x int, r float8, n numeric);
	END $$;

	-- as many owners; rows of one owner are up to so many, in any order
	CREATE FUNCTION fill(owners int, most int, seed float8) RETURNS void LANGUAGE plpgsql AS $$
	BEGIN
		PERFORM setseed(seed);
		INSERT INTO visit SELECT o, g, x, CASE WHEN random() < 0.02 THEN 'nan'::float8 ELSE x END, x FROM (
			SELECT o, (random() * 3)::int AS g, nullif((random() * 40)::int - 20, 7) AS x
			FROM generate_series(1, owners) o, generate_series(1, CASE WHEN most = 1 THEN 1 ELSE 1 + (random() * random() * most)::int END) k) v
		ORDER BY random();
	END $$;

	CREATE FUNCTION declare(groups int, rows int, workers int) RETURNS void LANGUAGE plpgsql AS $$
	BEGIN
		PERFORM privacct.protect('visit', owner => 'o', epsilon => 1e6, max_groups_contributed => groups, max_rows_contributed => rows, workers => workers, fresh => true),
			privacct.grant_budget('visit', 'analyst', 1e6), privacct.set_keys('visit', 'g', '{0,1,2,3}'::int[]);
	END $$;

	CREATE FUNCTION answers(aggregate text) RETURNS float8[] LANGUAGE plpgsql AS $$
	DECLARE
		answer float8[];
	BEGIN
		SET LOCAL ROLE analyst;
		SET LOCAL privacct.epsilon = 90000;
		EXECUTE format('SELECT array_agg(a ORDER BY g) FROM (SELECT g, privacct.%s AS a FROM visit GROUP BY g) v', aggregate) INTO answer;
		RESET ROLE;
		RETURN answer;
	END $$;

	CREATE FUNCTION answers_without(gone int, aggregate text) RETURNS float8[] LANGUAGE plpgsql AS $$
	DECLARE
		answer float8[];
	BEGIN
		DELETE FROM visit WHERE o = gone;
		answer := answers(aggregate);
		RAISE SQLSTATE 'XX999';
	EXCEPTION WHEN SQLSTATE 'XX999' THEN
		RETURN answer;
	END $$;

	CREATE FUNCTION limits(aggregate text, OUT sensitivity float8, OUT groups int) LANGUAGE plpgsql AS $$
	BEGIN
		SET LOCAL ROLE analyst;
		SELECT p.sensitivity, p.groups_per_owner INTO sensitivity, groups
		FROM privacct.preview(format('SELECT g, privacct.%s FROM visit GROUP BY g', aggregate)) p WHERE p.used AND p.statistic <> 'release';
		RESET ROLE;
	END $$;

	-- what owners with these rows add to each group, if each counts in all of them
	CREATE FUNCTION defined(addition text) RETURNS float8[] LANGUAGE plpgsql AS $$
	DECLARE
		sums float8[];
	BEGIN
		EXECUTE format('SELECT array_agg(coalesce(s, 0) ORDER BY g) FROM generate_series(0, 3) g LEFT JOIN '
			'(SELECT g, sum(a) AS s FROM (SELECT o, g, %s AS a FROM visit GROUP BY o, g) v GROUP BY g) w USING (g)', addition) INTO sums;
		RETURN sums;
	END $$;

	CREATE FUNCTION clamp(x float8, lo float8, hi float8) RETURNS float8 LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT greatest(lo, least(hi, x)) $$;

	-- 'held', or what is wrong; neighbours: so many are tried
	CREATE FUNCTION try(aggregate text, addition text, neighbours int) RETURNS text LANGUAGE plpgsql AS $$
	DECLARE
		all_of float8[] := answers(aggregate);
		wanted float8[] := defined(addition);
		l record := limits(aggregate);
		slack float8 := l.sensitivity * l.groups * 30 / 90000 + 1e-6 * (SELECT max(abs(w)) FROM unnest(wanted) w);
		gone int;
		other float8[];
		changed int;
	BEGIN
		IF l.groups = 4 AND EXISTS (SELECT FROM unnest(all_of, wanted) u(a, w) WHERE abs(a - w) > slack) THEN
			RETURN format('released %s instead of %s', all_of, wanted);
		END IF;
		FOR gone IN SELECT o FROM (SELECT DISTINCT o FROM visit) v ORDER BY random() LIMIT neighbours LOOP
			other := answers_without(gone, aggregate);
			changed := (SELECT count(*) FROM unnest(all_of, other) u(a, b) WHERE abs(a - b) > 2 * slack);
			IF changed > l.groups THEN
				RETURN format('without owner %s there are %s other groups', gone, changed);
			ELSIF EXISTS (SELECT FROM unnest(all_of, other) u(a, b) WHERE abs(a - b) > l.sensitivity + 2 * slack) THEN
				RETURN format('without owner %s: %s after %s, sensitivity %s', gone, other, all_of, l.sensitivity);
			END IF;
		END LOOP;
		RETURN 'held';
	END $$;
SQL

sub pick { return $_[ int rand @_ ] }

sub largest { my ($a, $b) = map { abs } @_; return $a > $b ? $a : $b }

# Two numbers, the smaller one first, of which one is not 0.
sub bounds
{
	my ($most) = @_;
	my ($a, $b) = (0, 0);

	($a, $b) = map { int(rand(2 * $most + 1)) - $most } 1, 2 while $a == $b;
	$a = 0 if rand() < 0.3 && $b > 0;
	return sort { $a <=> $b } $a, $b;
}

# An aggregate, what an owner adds to a group by the definition, and a declaration that it needs.
sub limited
{
	my ($rows, $one_row) = @_;
	my $column = pick(qw(x r n));
	my $value = "CASE WHEN $column <> 'nan' THEN $column END";
	my ($lo, $hi) = bounds(25);
	my ($owner_lo, $owner_hi) = bounds(pick(5, 100));
	my $sum = "sum(clamp($value, $lo, $hi))";
	my $kind = rand();

	$value = $column if $column eq 'x';
	$sum = "sum(clamp($value, $lo, $hi))";
	return ("dp_sum($column, $lo, $hi, 'per_owner=$owner_lo:$owner_hi')", "CASE WHEN count($value) > 0 THEN clamp($sum, $owner_lo, $owner_hi) ELSE 0 END")
	  if $kind < 0.5;
	if ($kind < 0.75)
	{
		my $by_rows = ($one_row ? 1 : $rows) * largest($lo, $hi);

		return ("dp_sum($column, $lo, $hi)",
			largest($owner_lo, $owner_hi) < $by_rows
			? "CASE WHEN count($value) > 0 THEN clamp($sum, $owner_lo, $owner_hi) ELSE 0 END"
			: "clamp(coalesce($sum, 0), least($lo, 0) * $rows, greatest($hi, 0) * $rows)",
			"SELECT privacct.set_owner_bounds('visit', '$column', $owner_lo, $owner_hi);\n");
	}
	$rows = 1 + int rand 5 if $kind < 0.85;
	my $option = $kind < 0.85 ? ", 'max_rows=$rows'" : '';
	$rows = 1 if $one_row;
	return ("dp_sum($column, $lo, $hi$option)", "clamp(coalesce($sum, 0), least($lo, 0) * $rows, greatest($hi, 0) * $rows)") if rand() < 0.7;
	return ("dp_count($column$option)", "least(count($column), $rows)");
}

my @wrong;
my $held = 0;
for my $trial (1 .. $TRIALS)
{
	my $one_row = $trial % 6 == 0;
	my $many = $trial % 5 == 0;
	my $rows = pick(1, 2, 3, 10);
	my $groups = pick(1, 2, 4, 4, 4);
	my $workers = pick(0, 2);
	my ($aggregate, $addition, $declaration) = limited($rows, $one_row);
	my $script = '';

	# the limits are the policy's or the session's
	my ($session_rows, $session_groups) = (pick(0, $rows), pick(0, $groups));
	$script .= "SET client_min_messages = error;\nSELECT make();\n";
	$script .= sprintf "SELECT fill(%d, %d, %f);\n", $many ? 3000 : pick(3, 30), $one_row ? 1 : 30, rand();
	$script .= $one_row ? "CREATE UNIQUE INDEX single ON visit (o);\n" : '';
	$script .= "SET privacct.owner_memory = 64;\n" if $many;
	$script .= "SET privacct.max_rows = $session_rows; SET privacct.max_groups = $session_groups;\n";
	$script .= sprintf "SELECT declare(%d, %d, %d);\n", $session_groups ? 1 + int rand 4 : $groups, $session_rows ? 1 + int rand 9 : $rows, $workers;
	$script .= $declaration // '';
	$script .= "SELECT 'result: ' || try(\$q\$$aggregate\$q\$, \$q\$$addition\$q\$, 6);\n";
	my ($code, $out, $err) = $node->psql('postgres', $script, on_error_stop => 0, timeout => 600);
	my ($result) = $out =~ /^result: (.*)/m;
	if (defined $result && $result eq 'held' && $err eq '') { $held++; next; }
	push @wrong, "$aggregate, $groups groups, $rows rows" . ($one_row ? ', one row' : '') . ($many ? ', many' : '') . ", $workers workers: " . ($result // 'nothing') . " $err";
}
is(scalar @wrong, 0, 'owners add what they are defined to add') or diag(join "\n", @wrong);
is($held, $TRIALS, 'all trials were made');

# Workers bound what the leader bounds, by the limits of its session: with the policy's M the other one would be used.
is( $node->safe_psql(
		'postgres', "SET client_min_messages = warning; SELECT make(); SELECT fill(3000, 30, 0.5); SELECT declare(4, 100, 2);
		SELECT privacct.set_owner_bounds('visit', 'x', 0, 50); SET privacct.max_rows = 1;
		SELECT try('dp_sum(x, -20, 20)', 'clamp(coalesce(sum(x), 0), -20, 20)', 3)") =~ s/\s+//gr,
	'held', 'in workers the limits are those of the session');

# The order of rows does not matter, however large they are beside the bounds of a sum.
$node->safe_psql('postgres', 'SET client_min_messages = warning; SELECT make(); SELECT declare(4, 5, 0)');
my $sum = 'dp_sum(r, -1e15, 1e15, \'per_owner=-10:10\')';
my @rows = ('1e15', '-1e15', '3');
for my $order ([ 0, 1, 2 ], [ 1, 2, 0 ], [ 2, 0, 1 ])
{
	$node->safe_psql('postgres', 'DELETE FROM visit; ' . join(' ', map { "INSERT INTO visit SELECT 1, 0, 0, $rows[$_], 0 FROM generate_series(1, CASE $_ WHEN 2 THEN 1 ELSE 40 END);" } @$order));
	is($node->safe_psql('postgres', "SELECT round((answers(\$q\$$sum\$q\$))[1])"), '3', "rows in the order @$order");
}

done_testing();
