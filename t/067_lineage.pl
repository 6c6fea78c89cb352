# SPDX-License-Identifier: GPL-3.0-or-later
# Random sequences of ordinary DDL refill no budget.  A model beside the books knows which rows were ever asked, by
# whose column, and by which names and columns their tables were known since then.  After each statement:
#	- the account of a policy, or of its unit, has all that the rows it covers were charged, wherever they have been;
#	- it charges by the columns by which they were charged before;
#	- what rows of the same persons may be elsewhere was charged, or its owner was told of it;
#	- who copies owners, or gives rows other owners, is told.
#		LINEAGE_SEED		repeats a run (default: the same each time)
#		LINEAGE_SEQUENCES	how many (default: 15, of 60 statements or so each)
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PrivacctTest;
use Test::More;

my $seed = $ENV{LINEAGE_SEED} // 1;
my $sequences = $ENV{LINEAGE_SEQUENCES} // 15;

my $node = new_node('lineage', fsync => 'off', 'privacct.require_durable_storage' => 'off');
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION privacct; CREATE ROLE asker; CREATE ROLE other IN ROLE privacct_admin');
my $session = session($node, superuser(), 'postgres', 'default');
$session->say('SET client_min_messages = warning; SET search_path = privacct');

# --- chance, the same in every version of Perl ---

my $state = 0;

sub chance
{
	my ($n) = @_;
	$state = ($state * 1103515245 + 12345) % 2147483648;
	return int($state / 65536) % $n;
}

sub one_of { return $_[ chance(scalar @_) ]; }

# --- tables as they are, from the catalog ---

my $CATALOG = q(SELECT array_to_string(ARRAY[c.oid::text, n.nspname, c.relname, c.relkind::text,
	(SELECT string_agg(i.inhparent::text, ' ') FROM pg_inherits i WHERE i.inhrelid = c.oid),
	(SELECT string_agg(a.attname || ':' || a.attnum, ' ' ORDER BY a.attname) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
	p.policy_id::text, coalesce(p.unit, p.policy_id)::text, p.owner_column, t.epsilon::text], '|', '')
	FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
	LEFT JOIN policy p ON p.relation = c.oid AND p.closed_at IS NULL LEFT JOIN account t ON t.policy_id = coalesce(p.unit, p.policy_id) AND t.role = 0::oid
	WHERE n.nspname ~ '^lineage' AND c.relkind IN ('r', 'p') ORDER BY c.oid);

my %table;		# by OID
my %model;		# by OID, also of tables that are gone
my %cost;		# of charges
my %books;		# by policy, or unit, that pays: charges that it has
my %inherited;	# ... those of them that it started from
my @done;		# statements of the sequence, with what was said

sub refresh
{
	%table = ();
	for (grep { /^\d+\|/ || die $_ } split /\n/, $session->say($CATALOG))
	{
		my ($oid, $schema, $name, $kind, $parents, $columns, $policy, $payer, $owner, $epsilon) = split /\|/, $_, -1;
		my %number = map { split /:/ } split / /, $columns;
		$table{$oid} = { oid => $oid, called => qq($schema."$name"), schema => $schema, name => $name, kind => $kind, parents => [ split / /, $parents ],
			number => \%number, policy => $policy, payer => $payer, owner => $owner, epsilon => $epsilon };
		my $m = $model{$oid} //= { charges => {}, payers => {}, names => {}, lists => {}, settled => {}, told => {}, generation => {} };
		$m->{called} = $table{$oid}{called};
	}
	for my $t (grep { $_->{policy} } values %table)
	{
		carry($model{$_}, $t->{payer}) for tree($t);
	}
	for my $t (values %table)
	{
		my $m = $model{ $t->{oid} };
		next if !%{ $m->{payers} };
		$m->{names}{ lc $t->{name} } = 1;
		$m->{lists}{ list($t) } = 1;
	}
	return;
}

# A table takes with it all that was charged to the policy, or its unit, also before it came.
sub carry
{
	my ($m, $payer) = @_;
	$m->{payers}{$payer} = 1;
	$m->{carried}{$_} = 1 for keys %{ $books{$payer} // {} };
	return;
}

sub list { return join ' ', sort map { lc } keys %{ $_[0]{number} }; }

sub tree
{
	my ($t) = @_;
	return ($t->{oid}, map { tree($_) } grep { my $c = $_; grep { $_ eq $t->{oid} } @{ $c->{parents} } } values %table);
}

sub roots { return grep { $_->{policy} } map { $table{$_} } sort { $a <=> $b } keys %table; }

sub any_table { my @oids = sort { $a <=> $b } keys %table; return @oids ? $table{ one_of(@oids) } : undef; }

# A column, also after it was renamed, and not after its values were replaced.
sub column
{
	my ($t, $name) = @_;
	my $number = $t->{number}{$name} // return '';
	return $number . '.' . ($model{ $t->{oid} }{generation}{$number} // 0);
}

sub charges_of { return map { %{ $model{$_}{charges} } } @_; }

sub sum { my $sum = 0; $sum += $cost{$_} for @_; return $sum; }

# --- what must hold ---

my %count;
my @violations;

sub violated
{
	my ($what) = @_;
	push @violations, join("\n", @done, "VIOLATED: $what", '');
	return;
}

sub check_policies
{
	for my $t (roots())
	{
		my @tree = tree($t);
		my %charged = (charges_of(@tree), %{ $books{ $t->{payer} } // {} });
		my $least = sum(keys %charged);
		violated("$t->{called} has spent $t->{epsilon}, and its rows were charged $least") if $t->{epsilon} < $least;
		for my $member (map { $table{$_} } @tree)
		{
			my $charges = $model{ $member->{oid} }{charges};
			my @others = grep { $charges->{$_} ne column($member, $t->{owner}) } keys %$charges;
			violated("$member->{called} was charged by another column than $t->{owner} below $t->{called}") if @others;
		}
	}
	return;
}

# Tables that may hold rows of the same persons, as far as that can be known: they were asked together, or look alike.
sub related
{
	my ($t) = @_;
	my @tree = tree($t);
	my %inside = map { $_ => 1 } @tree;
	my %charged = charges_of(@tree);
	my %names = map { lc($table{$_}{name}) => 1, %{ $model{$_}{names} } } @tree;
	my %lists = map { list($table{$_}) => 1 } @tree;
	my @related;
	for my $oid (sort { $a <=> $b } grep { !$inside{$_} && %{ $model{$_}{payers} } } keys %model)
	{
		my $m = $model{$oid};
		push @related, $oid if grep { $charged{$_} } keys %{ $m->{charges} } or grep { $names{$_} } keys %{ $m->{names} } or grep { $lists{$_} } keys %{ $m->{lists} };
	}
	return @related;
}

# What a new policy has from the beginning: what its tables, or one that was named, bring.  With a table that was in a
# unit comes all that others have brought into it, also later.
sub started_from
{
	my ($t, $named) = @_;
	my @brought = map { $model{$_} } tree($t), $named // ();
	return { map { %$_ } map { ($_->{charges}, $_->{carried} // {}, map { $inherited{$_} // {} } keys %{ $_->{payers} }) } @brought };
}

# Into a unit a table may come by another column, if it is said that what was charged by the one before does not count.
sub set_aside
{
	my ($t) = @_;
	my $tables = 0;
	for my $member (map { $table{$_} } tree($t))
	{
		my $m = $model{ $member->{oid} };
		my @others = grep { $m->{charges}{$_} ne column($member, $t->{owner}) } keys %{ $m->{charges} };
		next if !@others;
		delete @{ $m->{charges} }{@others};
		$m->{carried} = {};
		$tables++;
	}
	return $tables;
}

sub check_declared
{
	my ($t, $said, $started_from) = @_;
	my @related = related($t);

	$started_from = { charges_of(tree($t)) } if $t->{payer} ne $t->{policy} && $said =~ /WARNING/ && set_aside($t);
	my $own = $model{ $t->{oid} };
	my $books = $books{ $t->{payer} } //= {};
	%$books = (%$books, %$started_from);
	$inherited{ $t->{payer} } = { %{ $inherited{ $t->{payer} } // {} }, %$started_from };
	if ($said =~ /WARNING/)
	{
		for my $oid (@related)
		{
			$own->{settled}{$_} = 1 for keys %{ $model{$oid}{charges} };
			$own->{told}{$oid} = 1;
		}
		$count{told}++;
		return;
	}
	for my $oid (@related)
	{
		my @silent = grep { !$books->{$_} && !$own->{settled}{$_} } keys %{ $model{$oid}{charges} };
		violated("$t->{called} is protected beside $model{$oid}{called}, which was charged " . sum(@silent)) if @silent;
	}
	return;
}

# --- statements ---

# In the order of one transaction, or each by itself; what was said.
sub execute
{
	my (@statements) = @_;
	@statements = ('BEGIN', @statements, 'COMMIT') if @statements > 1 && !chance(3);
	my $said = $session->say(join ";\n", @statements);
	push @done, map { "$_;" } @statements;
	push @done, map { "-- $_" } grep { /ERROR|WARNING/ } split /\n/, $said;
	$session->say('ROLLBACK') if $statements[0] eq 'BEGIN';
	$count{ $said =~ /ERROR/ ? 'refused' : 'done' }++;
	return $said;
}

my ($sequence, @schemas);

sub bare_name { return '"' . one_of(qw(a b B c d)) . $sequence . '"'; }

sub table_name { return one_of(@schemas) . '.' . bare_name(); }

sub column_name { return one_of(qw(p q r s)) . $sequence; }

sub new_table
{
	my $name = table_name();
	my $columns = join ', ', map { "$_$sequence int NOT NULL DEFAULT 1" } 'p', 'q', 'part', (chance(2) ? 'r' : ());
	return execute("CREATE TABLE $name ($columns)" . (chance(2) ? " PARTITION BY LIST (part$sequence)" : ''));
}

sub new_member
{
	my $t = any_table() // return;
	my $name = table_name();
	return execute($t->{kind} eq 'p' ? "CREATE TABLE $name PARTITION OF $t->{called} " . bound() : "CREATE TABLE $name () INHERITS ($t->{called})");
}

sub bound { return 'FOR VALUES IN (' . one_of(1 .. 6) . ')'; }

sub drop_table
{
	my $t = any_table() // return;
	return chance(3) ? undef : execute("DROP TABLE $t->{called}" . one_of('', ' CASCADE'));
}

sub rename_table
{
	my $t = any_table() // return;
	my $other = any_table();
	return execute("ALTER TABLE $t->{called} RENAME TO " . bare_name()) if chance(2);
	return execute("ALTER TABLE $t->{called} RENAME TO x$sequence", qq(ALTER TABLE $other->{called} RENAME TO "$t->{name}"), qq(ALTER TABLE $t->{schema}.x$sequence RENAME TO "$other->{name}"));
}

sub move_table
{
	my $t = any_table() // return;
	return execute("ALTER TABLE $t->{called} SET SCHEMA " . one_of(@schemas)) if chance(3);
	my $which = chance(scalar @schemas);
	my $before = $schemas[$which];
	my $after = $before =~ /x$/ ? $before =~ s/x$//r : "${before}x";
	my $said = execute("ALTER SCHEMA $before RENAME TO $after");
	$schemas[$which] = $after if $said !~ /ERROR/;
	return $said;
}

sub rename_column
{
	my $t = any_table() // return;
	my @columns = sort keys %{ $t->{number} };
	my ($one, $other) = (one_of(@columns), one_of(@columns));
	my $rename = one_of('ALTER TABLE', 'ALTER TABLE', 'ALTER VIEW') . " $t->{called} RENAME COLUMN";
	return execute("$rename $one TO " . column_name()) if chance(2) || $one eq $other;
	return execute("$rename $one TO x$sequence", "$rename $other TO $one", "$rename x$sequence TO $other");
}

# The columns of a table get the names of another's, each of some column.
sub dress
{
	my ($t, $as) = @_;
	my @from = sort keys %{ $t->{number} };
	my @names = grep { $as->{number}{$_} } @from;
	my @to = sort keys %{ $as->{number} };
	my %taken = map { $_ => 1 } @names;
	my @free = grep { !$taken{$_} } @to;
	my @spare = grep { !$as->{number}{$_} } @from;
	my @statements;
	while (@free && @spare)
	{
		my $spare = splice @spare, chance(scalar @spare), 1;
		push @statements, "ALTER TABLE $t->{called} RENAME COLUMN $spare TO " . splice(@free, chance(scalar @free), 1);
	}
	push @statements, map { "ALTER TABLE $t->{called} DROP COLUMN $_" } @spare if $as->{kind} eq 'p';
	push @statements, map { "ALTER TABLE $t->{called} ADD COLUMN $_ int NOT NULL DEFAULT 1" } @free;
	return @statements;
}

sub change_columns
{
	my $t = any_table() // return;
	my @columns = sort keys %{ $t->{number} };
	my $name = one_of(@columns);
	return execute("ALTER TABLE $t->{called} ADD COLUMN " . column_name() . ' int NOT NULL DEFAULT 1') if chance(2);
	return execute("ALTER TABLE $t->{called} DROP COLUMN $name") if chance(2);
	return execute("ALTER TABLE $t->{called} DROP COLUMN $name, ADD COLUMN $name int NOT NULL DEFAULT 1") if chance(2);
	return execute("ALTER TABLE $t->{called} ALTER COLUMN $name TYPE " . one_of('int', 'bigint')) if chance(2);
	my @tree = tree($t);
	my $said = execute("ALTER TABLE $t->{called} ALTER COLUMN $name TYPE int USING $name / 2");
	if ($said !~ /ERROR/)
	{
		$model{$_}{generation}{ $table{$_}{number}{$name} }++ for @tree;
	}
	return $said;
}

sub leave
{
	my @members = grep { @{ $_->{parents} } } map { $table{$_} } sort { $a <=> $b } keys %table;
	return if !@members;
	my $t = one_of(@members);
	my $parent = $table{ $t->{parents}[0] };
	return execute($parent->{kind} eq 'p' ? "ALTER TABLE $parent->{called} DETACH PARTITION $t->{called}" : "ALTER TABLE $t->{called} NO INHERIT $parent->{called}");
}

sub come
{
	my @alone = grep { !@{ $_->{parents} } } map { $table{$_} } sort { $a <=> $b } keys %table;
	my $t = @alone ? one_of(@alone) : return;
	my $parent = any_table();
	my @before = chance(4) ? dress($t, $parent) : ();
	return execute(@before, $parent->{kind} eq 'p' ? "ALTER TABLE $parent->{called} ATTACH PARTITION $t->{called} " . bound() : "ALTER TABLE $t->{called} INHERIT $parent->{called}");
}

sub give
{
	my $t = any_table() // return;
	return execute("ALTER TABLE $t->{called} OWNER TO " . one_of('other', 'CURRENT_USER')) if chance(2);
	return execute('REASSIGN OWNED BY other TO CURRENT_USER');
}

sub protect
{
	my $t = any_table() // return;
	my $owner = one_of(sort keys %{ $t->{number} });
	my @gone = grep { %{ $model{$_}{payers} } } sort { $a <=> $b } keys %model;
	my $other = @gone && !chance(3) ? one_of(@gone) : undef;
	my $how = $other ? ", inherits => '$model{$other}{called}'" : chance(4) ? '' : ', fresh => true';
	my @before = $t->{policy} ? ("SELECT unprotect('$t->{called}')") : ();
	$owner = "p$sequence" if $t->{number}{"p$sequence"} && chance(3);
	my $promise = chance(4) ? 'epsilon => 1000' : "unit => 'unit$sequence'";
	my $said = execute(@before, "SELECT protect('$t->{called}', '$owner', $promise, min_epsilon => 1e-9$how)", "SELECT grant_budget('$t->{called}', 'asker', 1000, 1e-8)");
	my $before = $t->{policy};
	my $started_from = started_from($t, $other);
	refresh();
	my $now = $table{ $t->{oid} };
	return $said if !$now->{policy} || $now->{policy} eq $before;
	$count{protected}++;
	check_declared($now, $said, $started_from);
	return $said;
}

sub unprotect
{
	my @roots = roots();
	return @roots ? execute("SELECT unprotect('" . one_of(@roots)->{called} . "')") : undef;
}

my $charge = 0;

sub ask_it
{
	my @roots = roots();
	my $t = @roots ? one_of(@roots) : return;
	my $epsilon = one_of(1, 0.5, 0.25, 0.125);
	my $said = $session->say("SET privacct.epsilon = $epsilon; SET ROLE asker; SELECT count(*) FROM $t->{called}; RESET ROLE");
	push @done, "ask $t->{called} for $epsilon;", map { "-- $_" } split /\n/, $said;
	return if $said !~ /^-?\d+$/m || $said =~ /ERROR/;
	$count{asked}++;
	$cost{ ++$charge } = $epsilon;
	$books{ $t->{payer} }{$charge} = 1;
	# of a unit all its tables may have rows of the same person
	for my $root (grep { $_->{payer} eq $t->{payer} } roots())
	{
		$model{$_}{charges}{$charge} = column($table{$_}, $root->{owner}) for tree($root);
	}
	return;
}

# By which the rows of a table, or of one below, were charged.
sub told_by
{
	my ($t, $name) = @_;
	return scalar grep { my $member = $table{$_}; my $column = column($member, $name); grep { $_ eq $column } values %{ $model{$_}{charges} } } tree($t);
}

sub update
{
	my $t = any_table() // return;
	my $name = one_of(sort keys %{ $t->{number} });
	my $told_by = told_by($t, $name);
	my $said = execute("UPDATE $t->{called} SET $name = $name");
	violated("nobody is told that rows of $t->{called} get other owners") if $told_by && $said !~ /WARNING|ERROR/;
	return $said;
}

# By COPY nobody is told: what is known then is the name, and the columns.
sub copy
{
	my $t = any_table() // return;
	my $name = table_name();
	my @told = grep { told_by($t, $_) } keys %{ $t->{number} };
	my @statements = one_of([ "CREATE TABLE $name AS SELECT * FROM $t->{called}" ], [ "CREATE TABLE $name (LIKE $t->{called})", "INSERT INTO $name SELECT * FROM $t->{called}" ]);
	my $said = execute(@{ $statements[0] });
	violated("nobody is told that owners of $t->{called} are copied") if @told && $said !~ /WARNING|ERROR/;
	return $said;
}

my @ACTIONS = (
	(\&protect) x 6, (\&ask_it) x 5, (\&unprotect) x 2, (\&leave) x 3, (\&come) x 4, (\&rename_column) x 3, (\&rename_table) x 3,
	\&move_table, \&change_columns, \&change_columns, \&new_member, \&new_table, \&drop_table, \&give, \&update, \&copy);

for (1 .. $sequences)
{
	$sequence = $_;
	$state = $seed * 1000 + $sequence;
	@schemas = map { "lineage${sequence}_$_" } 1, 2;
	@done = ("-- sequence $sequence");
	execute("SELECT create_unit('unit$sequence', epsilon => 1000)", map { ("CREATE SCHEMA $_", "GRANT ALL ON SCHEMA $_ TO asker, other") } @schemas);
	refresh();
	for (1 .. 3)
	{
		new_table();
		refresh();
	}
	for (1 .. 3)
	{
		new_member();
		refresh();
	}
	for (1 .. 60)
	{
		my $before = @violations;
		one_of(@ACTIONS)->();
		refresh();
		check_policies();
		last if @violations > $before;
	}
	$session->say("DROP SCHEMA $_ CASCADE") for @schemas;
	%model = ();
}

# an extension takes its tables with it
$session->say('CREATE SCHEMA there; CREATE TABLE public.own (person int NOT NULL); CREATE EXTENSION hstore SCHEMA public; ALTER EXTENSION hstore ADD TABLE public.own');
$session->say("SELECT protect('public.own', 'person', fresh => true); ALTER EXTENSION hstore SET SCHEMA there");
is($session->say("SELECT relation_name FROM history WHERE relation = 'there.own'::regclass"), 'there.own', 'known by its new name');

is($session->say('SELECT problem FROM check_books()'), '', 'the books agree');
$session->hang_up;
is(scalar @violations, 0, "no budget is refilled (LINEAGE_SEED=$seed repeats this)") or diag(substr(join("\n", @violations), 0, 20000));
note(join ', ', map { "$count{$_} $_" } sort keys %count);
cmp_ok($count{$_} // 0, '>=', $sequences / 2, $_) for qw(done refused asked protected told);
$node->stop;
done_testing();
