# SPDX-License-Identifier: GPL-3.0-or-later
# LocalTest.pm
#		Local policies for the TAP tests, and an auditor of its own.
#
# The auditor shares no code with the server: from privacct.question and
# privacct.answer it computes the likelihood of every owner's answers at every
# point of the domain, and from these what each owner has lost.  Answers that the
# server deletes once it has written states are kept by a trigger in audit.answer.
package LocalTest;

use strict;
use warnings;

use Exporter 'import';
use IPC::Open3 qw(open3);
use List::Util qw(max min sum0);
use IO::Handle;
use POSIX ();

our @EXPORT = qw(local_policy keep_answers open_session close_session run_sql refused audit_of carried_over worst_loss responses matches roles_of);

use constant TIE => 1e-9;		# what the filters allow beyond epsilon
use constant GRID => 7;			# points per interval

# --- servers ---

# A table of owners with a local policy.  Options: table, owners, epsilon, filter,
# delta, columns (that get a domain), roles, database.
sub local_policy
{
	my ($node, %option) = @_;
	my %o = (table => 'person', owners => 60, epsilon => 1, filter => 'full', delta => 'NULL', columns => [qw(grade smokes blood)],
		roles => ['analyst'], database => 'postgres', %option);
	my %domain = (grade => 'ARRAY[0, 1, 2, 3]', smokes => 'ARRAY[false, true]', blood => "ARRAY['A', 'B', '0']",
		age => '10, 100', bp => '100, 150');

	$node->safe_psql($o{database}, join "\n",
		qq(SET client_min_messages = warning;
		CREATE EXTENSION IF NOT EXISTS privacct;
		CREATE TABLE $o{table} (id int PRIMARY KEY, bed int, ward int, region text, grade int, smokes boolean, blood text,
			age float8, bp float8);
		INSERT INTO $o{table} SELECT i, i, i % 4, chr(65 + i % 3), i % 4, i % 5 < 2, (ARRAY['A', 'B', '0'])[1 + i % 3],
			10 + i % 91, 100 + i % 50 FROM generate_series(1, $o{owners}) i;
		SELECT privacct.protect('$o{table}', 'id', epsilon => $o{epsilon}, delta => $o{delta}, regime => 'local', filter => '$o{filter}', fresh => true);
		SELECT privacct.set_public('$o{table}', c) FROM unnest(ARRAY['bed', 'ward', 'region']) c;),
		(map { "SELECT privacct.set_domain('$o{table}', '$_', $domain{$_});" } @{ $o{columns} }),
		(map { qq(DO \$\$ BEGIN CREATE ROLE $_ LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END \$\$;
			ALTER ROLE $_ SET search_path = public, privacct;
			ALTER ROLE $_ SET privacct.filter_nodes = 200;
			ALTER ROLE $_ SET client_min_messages = warning;
			SELECT privacct.grant_budget('$o{table}', '$_', 1e6);) } @{ $o{roles} }));
	keep_answers($node, $o{database});
	return;
}

# From now on answers that are deleted are kept.
sub keep_answers
{
	my ($node, $database) = @_;
	$node->safe_psql($database || 'postgres', q(
		SET client_min_messages = warning;
		CREATE SCHEMA IF NOT EXISTS audit;
		CREATE TABLE IF NOT EXISTS audit.answer (LIKE privacct.answer);
		CREATE OR REPLACE FUNCTION audit.keep() RETURNS trigger LANGUAGE plpgsql AS
			'BEGIN INSERT INTO audit.answer SELECT OLD.*; RETURN NULL; END';
		CREATE OR REPLACE TRIGGER keep AFTER DELETE ON privacct.answer FOR EACH ROW EXECUTE FUNCTION audit.keep();
		ALTER TABLE privacct.answer ENABLE ALWAYS TRIGGER keep;));
	return;
}

# --- sessions ---

sub open_session
{
	my ($node, $role, $database) = @_;
	my $session = {};

	$session->{pid} = open3($session->{in}, $session->{out}, undef, $node->installed_command('psql'), '-XAtq',
		'-U', $role || 'analyst', '-v', 'VERBOSITY=sqlstate', '-h', $node->host, '-p', $node->port,
		'-d', $database || 'postgres', '-f', '-');
	$session->{in}->autoflush(1);
	$session->{backend} = run_sql($session, 'SELECT pg_backend_pid()');
	return $session;
}

# Output and errors of a statement, as lines.
sub run_sql
{
	my ($session, $sql) = @_;
	my @lines;

	print { $session->{in} } "$sql;\n\\echo <end>\n";
	while (defined(my $line = readline $session->{out}))
	{
		chomp $line;
		return wantarray ? @lines : join "\n", @lines if $line eq '<end>';
		push @lines, $line;
	}
	return wantarray ? (@lines, 'gone') : join "\n", @lines, 'gone';
}

# Whether it was refused because no owner can bear it: then it is no question.
sub refused { return $_[0] =~ /ERROR:\s+53PA2/; }

sub close_session
{
	for my $session (@_)
	{
		local $SIG{PIPE} = 'IGNORE';
		close $session->{in};
		close $session->{out};
		waitpid $session->{pid}, 0;
	}
	return;
}

# --- the auditor: reading ---

sub numbers
{
	my ($text) = @_;
	return [ map { $_ eq 'NULL' ? undef : $_ } split /,/, substr($text, 1, -1) ];
}

# Everything about a policy, with one snapshot: rows by kind.
sub fetch
{
	my ($node, $table, %option) = @_;
	my $p = $option{policy} ? "p.policy_id = $option{policy}" : "p.relation = '$table'::regclass AND p.closed_at IS NULL";
	my %rows;

	my $text = $node->safe_psql($option{database} || 'postgres', qq(
		BEGIN ISOLATION LEVEL REPEATABLE READ;
		SELECT 'policy', p.epsilon, p.filter FROM privacct.policy p WHERE $p;
		SELECT 'domain', d.position, d.points, d.lo, d.hi FROM privacct.domain d JOIN privacct.policy p USING (policy_id)
		WHERE $p ORDER BY d.position;
		SELECT 'owner_key', k.first_owner, length(k.keys) FROM privacct.owner_key k JOIN privacct.policy p USING (policy_id)
		WHERE $p ORDER BY k.first_owner;
		SELECT 'question', q.question, q.randomiser, q.level, q.rho, q.parameters, q.kernel, q.columns, q.points, q.owners,
			(SELECT l.role FROM privacct.ledger l WHERE l.charge_id = q.charge_id)
		FROM privacct.question q JOIN privacct.policy p USING (policy_id) WHERE $p ORDER BY q.question;
		SELECT 'answer', a.question, a.width, encode(a.answered, 'hex'), encode(a.outputs, 'hex')
		FROM (TABLE privacct.answer UNION ALL TABLE audit.answer) a JOIN privacct.policy p USING (policy_id) WHERE $p;
		SELECT 'at', s.question FROM privacct.owner_state_at s JOIN privacct.policy p USING (policy_id) WHERE $p;
		SELECT 'state', l.state, l.log_likelihood, l.error, l.basic, l.central, l.rho, l.loss, l.folded FROM privacct.likelihood l
		JOIN privacct.policy p USING (policy_id) WHERE $p;
		SELECT 'owner_state', s.first_owner, encode(s.states, 'hex'), s.width FROM privacct.owner_state s
		JOIN privacct.policy p USING (policy_id) WHERE $p ORDER BY s.first_owner;
		COMMIT;));
	for my $line (split /\n/, $text)
	{
		my ($kind, @fields) = split /\|/, $line, -1;
		push @{ $rows{$kind} }, \@fields;
	}
	return \%rows;
}

# Points of the domain: the place in each listed column, and the numbers that
# linear forms are made of.  Of intervals there is a grid.
sub points_of
{
	my (@domain) = @_;
	my @points = ({ place => {}, number => [] });

	for my $column (@domain)
	{
		my ($position, $listed, $lo, $hi) = @$column;
		my @values = $listed ? map { { f => 0, false => 0, t => 1, true => 1 }->{$_} // $_ } @{ numbers($listed) } :
		  map { $lo + ($hi - $lo) * $_ / (GRID - 1) } 0 .. GRID - 1;
		my $numeric = !grep { !/^-?[\d.]+(?:e[+-]?\d+)?$/ } @values;

		@points = map {
			my $point = $_;
			map {
				{ place => { %{ $point->{place} }, $listed ? ($position => $_) : () },
				  number => [ @{ $point->{number} }, $numeric ? $values[$_] : () ] }
			} 0 .. $#values
		} @points;
	}
	return @points;
}

sub outputs_of
{
	my ($width, $hex, $count) = @_;
	my $bytes = pack 'H*', $hex;
	my @outputs = $width == 0 ? (0) x $count :
	  $width == 1 ? split(//, substr(unpack('b*', $bytes), 0, $count)) :
	  unpack($width == 8 ? 'C*' : $width == 16 ? 'v*' : 'q<*', $bytes);

	return \@outputs;
}

# --- the auditor: the law ---

sub clamp
{
	my ($x, $lo, $hi) = @_;
	return $x < $lo ? $lo : $x > $hi ? $hi : $x;
}

# ln Pr[N = k] of the noise, but for a constant
sub log_noise
{
	my ($kernel, $k) = @_;
	my ($name, $numerator, $shift) = $kernel =~ m{^(\w+) (\d+)/2\^(\d+)} or die "kernel $kernel";
	my ($band) = $kernel =~ /band (\d+)/;
	my ($keep) = $kernel =~ /keep (\d+)/;
	my ($width) = $kernel =~ /width (\d+)/;
	my $scale = $numerator / 2**$shift;

	return -$k / $scale if $name eq 'laplace';
	return -$k / $scale + ($k > $band ? log($keep / 2**62) : 0) if $name eq 'brdp_laplace';
	return $scale * POSIX::floor(($band - $k) / $width) if $name eq 'staircase';
	die "kernel $kernel";
}

# Pr["high"] at a point
sub chance
{
	my ($question, $point) = @_;
	my @p = @{ $question->{parameters} };

	if ($question->{kind} eq 'binary')
	{
		my ($low, $high, $flip) = @p;
		return $flip + (1 - 2 * $flip) * (clamp(at_point($question, $point), $low, $high) - $low) / ($high - $low);
	}
	my $z = $p[0] + sum0(map { $question->{points}[$_] * $point->{number}[$_] } 0 .. $#{ $question->{points} });
	my $u = $question->{kind} eq 'logistic' ? 1 / (1 + exp(-$z)) : (clamp($z, $p[1], $p[2]) - $p[1]) / ($p[2] - $p[1]);
	my $flip = 1 / (exp($p[-1]) + 1);
	return $flip + (1 - 2 * $flip) * $u;
}

sub at_point
{
	my ($question, $point) = @_;
	my $index = 0;

	$index = $index * $question->{counts}{$_} + $point->{place}{$_} for @{ $question->{columns} };
	return $question->{points}[$index];
}

# ln Pr[output | point] for all points, but for a constant
sub log_likelihood
{
	my ($audit, $question, $output) = @_;
	return $question->{ln}{$output} //= [ map { log_likelihood_at($question, $_, $output) } @{ $audit->{points} } ];
}

sub log_likelihood_at
{
	my ($question, $point, $output) = @_;

	if ($question->{kind} eq 'response')
	{
		my ($k, $lie) = @{ $question->{parameters} };
		return log(at_point($question, $point) == $output ? 1 - $lie + $lie / $k : $lie / $k);
	}
	if ($question->{kind} eq 'additive')
	{
		my ($least, $most) = @{ $question->{parameters} };
		return log_noise($question->{kernel}, abs($output - clamp(at_point($question, $point), $least, $most)));
	}
	my $p = chance($question, $point);
	return log($output ? $p : 1 - $p);
}

sub range_of
{
	return max(@_) - min(@_);
}

sub loss_of
{
	my ($owner) = @_;
	return range_of(@{ $owner->{ln} }) + $owner->{central};
}

# The largest loss that could follow; undef: not to be found by trying all outputs.
sub worst_loss
{
	my ($audit, $question, $owner) = @_;
	my @outputs = $question->{kind} eq 'binary' ? (0, 1) :
	  $question->{kind} eq 'response' ? (0 .. $question->{parameters}[0] - 1) : ();

	return $owner->{basic} + $owner->{central} + $question->{level} if $audit->{filter} eq 'basic';
	return loss_of($owner) + $question->{level} if $question->{kind} eq 'central';
	return undef if !@outputs || $owner->{about_box};
	return loss_of($owner) + $question->{level} if $audit->{filter} eq 'simplified';
	return max(map {
		my $ln = log_likelihood($audit, $question, $_);
		range_of(map { $owner->{ln}[$_] + $ln->[$_] } 0 .. $#$ln)
	} @outputs) + $owner->{central};
}

# --- the auditor: going through the questions ---

sub complain
{
	my ($audit, $text) = @_;
	push @{ $audit->{complaints} }, $text;
	return;
}

# Who was never asked: what an earlier policy left, and central releases since.
sub new_owner
{
	my ($audit) = @_;
	return { ln => [ (0) x @{ $audit->{points} } ], %{ $audit->{newcomer} }, answers => 0 };
}

# What an owner has lost at most by all answers and releases, whatever was answered.
sub sum_of
{
	my ($owner) = @_;
	return $owner->{basic} + $owner->{central};
}

# What counts of it under the policy's filter.
sub counted_loss
{
	my ($audit, $owner) = @_;
	return $audit->{filter} eq 'basic' ? sum_of($owner) : loss_of($owner);
}

# With what everybody starts under the policy that follows this one: nobody's loss,
# sum of levels or rho may become smaller.  Whoever is asked there may be the one who
# lost the most, for owners' numbers are not carried over.
sub carried_over
{
	my ($audit) = @_;
	my @owners = (new_owner($audit), grep { defined } @{ $audit->{owners} });
	my $loss = max(map { counted_loss($audit, $_) } @owners);

	return { central => $loss, basic => max(0, max(map { sum_of($_) } @owners) - $loss), rho => max(map { $_->{rho} } @owners) };
}

# Whoever is sure to have been asked answered if and only if the filter allows it.
sub check_admission
{
	my ($audit, $question, $asked) = @_;

	for my $number (@$asked)
	{
		my $owner = $audit->{owners}[$number] or next;
		my $worst = worst_loss($audit, $question, $owner) // next;
		my $may = $worst <= $audit->{epsilon} + TIE ? 1 : 0;
		my $did = exists $question->{by}{$number} || 0;

		$audit->{decisions}{$may}++;
		complain($audit, sprintf 'question %d, owner %d: %s, though the loss was %g and would be %.12g', $question->{number},
			$number, $did ? 'answered' : 'not asked', loss_of($owner), $worst) if $audit->{folds} ? $did > $may : $may != $did;
	}
	return;
}

sub take_answer
{
	my ($audit, $question, $number, $output) = @_;
	my $owner = $audit->{owners}[$number] //= new_owner($audit);

	$owner->{answers}++;
	$owner->{rho} += $question->{rho};
	if ($question->{kind} eq 'central')
	{
		$owner->{central} += $question->{level};
	}
	else
	{
		my $ln = log_likelihood($audit, $question, $output);
		$owner->{ln}[$_] += $ln->[$_] for 0 .. $#$ln;
		$owner->{basic} += $question->{level};
		$owner->{about_box} = 1 if $question->{kind} =~ /^li|^lo/;
	}
	my $loss = loss_of($owner);
	$audit->{largest} = $loss if $loss > $audit->{largest};
	complain($audit, sprintf 'owner %d has lost %.12g after question %d', $number, $loss, $question->{number})
	  if $loss > $audit->{epsilon} + 1.01 * TIE;
	return;
}

# Owners who were never asked were in a central release.
sub take_new
{
	my ($audit, $question) = @_;

	my $newcomer = $audit->{newcomer};

	$newcomer->{central} += $question->{level};
	$newcomer->{rho} += $question->{rho};
	complain($audit, sprintf 'owners who were never asked have lost %.12g after question %d', $newcomer->{central},
		$question->{number}) if $newcomer->{central} > $audit->{epsilon} + 1.01 * TIE;
	return;
}

sub read_question
{
	my ($audit, $row, $answer) = @_;
	my %question = (counts => $audit->{counts});
	@question{qw(number kind level rho parameters kernel columns points owners role)} = @$row;
	$question{$_} = numbers($question{$_}) for qw(parameters columns points);
	my ($width, $answered, $outputs) = @{$answer}[1 .. 3];
	my $bits = unpack 'b*', pack 'H*', $answered;

	$question{who} = [ grep { substr($bits, $_, 1) } 0 .. length($bits) - 1 ];
	$question{outputs} = outputs_of($width, $outputs, scalar @{ $question{who} });
	complain($audit, "question $question{number}: " . @{ $question{who} } . " owners, " . @{ $question{outputs} } . " answers")
	  if @{ $question{who} } != @{ $question{outputs} };
	complain($audit, "question $question{number}: not as many answers as it says") if @{ $question{who} } != $question{owners};
	@{ $question{by} }{ @{ $question{who} } } = @{ $question{outputs} };
	# additive noise may cost less than any law of its level
	my $rho = $question{level}**2 / 2;
	complain($audit, "question $question{number}: rho is $question{rho}, not $rho")
	  if $question{kind} eq 'additive' ? $question{rho} > $rho + 1e-9 : abs($question{rho} - $rho) > 1e-9;
	return \%question;
}

# A state as written is what the owner has answered and borne.  Before there is a
# domain the table is empty.  Where tables did not fit it says no less.
sub check_state
{
	my ($audit, $who, $owner, $state) = @_;
	my (undef, $table, $error, @sums) = @$state;
	my $folded = pop @sums;
	my $loss = pop @sums;
	my $most = max(@{ $owner->{ln} });
	my $ln = numbers($table);
	my $told = range_of(@$ln ? @$ln : 0) + $error + $loss + $folded;
	my $lost = range_of(@{ $owner->{ln} });

	$audit->{folded}++ if $folded > 0;
	complain($audit, "$who: lost $lost, the state says $told") if $lost > $told + 1e-11;
	my $off = @$ln == @{ $owner->{ln} } ? max(map { abs($ln->[$_] - $owner->{ln}[$_] + $most) } 0 .. $#$ln) :
	  @$ln == 0 && !$owner->{answers} ? 0 : 'inf';
	my @expected = @$owner{qw(basic central rho)};

	complain($audit, "$who: the table written is off by $off") if !$owner->{about_box} && !$audit->{has_box} && !$folded && $off > $error + 1e-11;
	complain($audit, "$who: sums are @sums, not @expected")
	  if grep { $folded > 0 ? $sums[$_] < $expected[$_] - 1e-9 : abs($sums[$_] - $expected[$_]) > 1e-9 } 0 .. 2;
	return;
}

# The states as written are those of the answers up to them; the first is that of
# who was never asked.
sub check_states
{
	my ($audit, $rows) = @_;
	my %state = map { $_->[0] => $_ } @{ $rows->{state} };
	my %unpacked = (8 => 'C*', 16 => 'v*', 32 => 'V*');
	my @states = map { unpack $unpacked{ $_->[2] }, pack 'H*', $_->[1] } @{ $rows->{owner_state} };

	$audit->{states_checked}++;
	complain($audit, @states . ' owners have states') if @states < @{ $audit->{owners} };
	check_state($audit, 'who was never asked', new_owner($audit), $state{0});
	for my $number (0 .. $#{ $audit->{owners} })
	{
		my $owner = $audit->{owners}[$number] or next;
		check_state($audit, "owner $number", $owner, $state{ $states[$number] });
	}
	return;
}

# All that was asked under the table's policy.  Options: database; policy, its
# number, if it is closed; carried, what carried_over says of the policy before it;
# folds, if tables may not have fitted: then owners may be left out who could answer;
# asked, which owners are sure to have been asked: a list, "all" for everybody known
# by then, or a function of the question that returns one of these or undef.
sub audit_of
{
	my ($node, $table, %option) = @_;
	my $rows = fetch($node, $table, %option);
	my $audit = { complaints => [], owners => [], questions => {}, largest => 0, decisions => { 1 => 0, 0 => 0 }, states_checked => 0,
		newcomer => { central => 0, basic => 0, rho => 0, %{ $option{carried} || {} } } };
	my %answer = map { $_->[0] => $_ } @{ $rows->{answer} };
	my $base = $rows->{at} ? $rows->{at}[0][0] : 0;
	my $number = 0;

	$audit->{folds} = $option{folds};
	($audit->{epsilon}, $audit->{filter}) = @{ $rows->{policy}[0] };
	$audit->{counts} = { map { $_->[0] => $_->[1] ? scalar @{ numbers($_->[1]) } : 0 } @{ $rows->{domain} } };
	$audit->{has_box} = grep { !$_ } values %{ $audit->{counts} };		# our points are a grid then, not those of the table
	$audit->{labels} = { map { $_->[0] => numbers($_->[1]) } grep { $_->[1] } @{ $rows->{domain} } };
	$audit->{points} = [ points_of(@{ $rows->{domain} }) ];
	$audit->{base} = $base;
	check_states($audit, $rows) if $base == 0 && $rows->{state};		# carried over
	complain($audit, 'answers are recorded twice') if keys %answer != @{ $rows->{answer} // [] };
	for my $row (@{ $rows->{question} })
	{
		complain($audit, "question $row->[0] follows $number") if $row->[0] != ++$number;
		if (!$answer{$number})
		{
			complain($audit, "answers to question $number are missing");
			last;
		}
		my $question = $audit->{questions}{$number} = read_question($audit, $row, $answer{$number});
		my $asked = ref $option{asked} ? $option{asked}->($question) : $option{asked};
		check_admission($audit, $question, $asked eq 'all' ? [ 0 .. $#{ $audit->{owners} } ] : $asked) if $asked;
		take_answer($audit, $question, $_, $question->{by}{$_}) for @{ $question->{who} };
		take_new($audit, $question) if $question->{kind} eq 'central' && $question->{parameters}[1];
		check_states($audit, $rows) if $number == $base;
	}
	$audit->{known} = sum0(map { $_->[1] / 8 } @{ $rows->{owner_key} });
	complain($audit, "there are answers of more than the $audit->{known} owners known") if @{ $audit->{owners} } > $audit->{known};
	$audit->{count} = $number;
	$audit->{losses} = [ map { loss_of($_ // new_owner($audit)) } @{ $audit->{owners} } ];
	return $audit;
}

# --- what clients saw ---

# The answers to a question as ldp_response lists them.
sub responses
{
	my ($audit, $question) = @_;
	my @outputs = sort { $a <=> $b } @{ $question->{outputs} };
	my ($low, $high) = @{ $question->{parameters} };

	return '-' if !@outputs;
	if ($question->{kind} eq 'additive')
	{
		my (undef, undef, $offset, $step) = @{ $question->{parameters} };
		return join ',', map { $offset + $step * $_ } @outputs;
	}
	return join ',', map { $_ ? $high : $low } @outputs if $question->{kind} ne 'response';
	my %label;
	$label{ $question->{points}[$_] } //= $audit->{labels}{ $question->{columns}[0] }[$_] for 0 .. $#{ $question->{points} };
	$label{$_} = { t => 'true', f => 'false' }->{ $label{$_} } // $label{$_} for keys %label;
	return join ',', map { $label{$_} } @outputs;
}

# Questions that a role asked, in order.
sub roles_of
{
	my ($audit, $role) = @_;
	return grep { $_->{role} eq $role } map { $audit->{questions}{$_} } sort { $a <=> $b } keys %{ $audit->{questions} };
}

sub close_to
{
	my ($a, $b) = @_;
	return abs($a - $b) < 1e-6 * (1 + abs $b);
}

# Whether what a client read is what was recorded: a list of answers ("list"), or
# an estimate ("count", "sum", "avg", "histogram"), of which the answers follow.
sub matches
{
	my ($audit, $question, $how, $read) = @_;
	return 0 if !$question;
	my $n = @{ $question->{outputs} };
	my $hits = sum0(@{ $question->{outputs} });
	my @p = @{ $question->{parameters} };

	return $read eq responses($audit, $question) if $how eq 'list' && $question->{kind} ne 'additive';
	return $read eq '-' if $n == 0;
	if ($how eq 'list')
	{
		my @expected = split /,/, responses($audit, $question);
		my @got = split /,/, $read;
		return @got == @expected && !grep { !close_to($got[$_], $expected[$_]) } 0 .. $#got;
	}
	if ($how eq 'histogram')
	{
		my ($k, $lie) = @p;
		my @got = $read =~ /: (-?[\d.e+-]+)/g;
		for my $category (0 .. $k - 1)
		{
			my $said = grep { $_ == $category } @{ $question->{outputs} };
			return 0 if !close_to($got[$category] * (1 - $lie) + $n * $lie / $k, $said);
		}
		return @got == $k;
	}
	$read *= $n if $how eq 'avg';
	return close_to($read, $n * $p[2] + $p[3] * $hits) if $question->{kind} eq 'additive';
	my ($low, $high, $flip) = $question->{kind} eq 'binary' ? @p :
	  $question->{kind} eq 'linear' ? (@p[ 1, 2 ], 1 / (exp($p[3]) + 1)) : (0, 1, 1 / (exp($p[1]) + 1));
	return close_to(($read - $n * $low) / ($high - $low) * (1 - 2 * $flip) + $n * $flip, $hits);
}

1;
