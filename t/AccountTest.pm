# SPDX-License-Identifier: GPL-3.0-or-later
# AccountTest.pm
#		An account that a test keeps of its own: every answer that a client saw, with the
#		price that was announced for it.  It shares nothing with the server's, and is
#		compared with all that the server shows of what was spent.
#
# Amounts are whole numbers of 1e-30, the last digit that the ledger keeps.
package AccountTest;

use strict;
use warnings;

use Math::BigInt;

our $SCALED = 'pg_catalog.trunc((%s)::text::numeric * 1e30)';
my @amounts = qw(epsilon delta rho releases);

sub new
{
	return bless { answers => {}, total => {}, paid => {}, folded => {}, table_of => {}, name_of => {} }, $_[0];
}

sub nothing
{
	return { map { $_ => Math::BigInt->bzero } @amounts };
}

sub add
{
	my ($sum, $more) = @_;

	$sum->{$_} += $more->{$_} for @amounts;
	return;
}

# An answer about a table, that was paid for by whoever is known as $payer.
# Price: epsilon, delta and rho, scaled.
sub answered
{
	my ($account, $table, $payer, $role, @price) = @_;
	my %cost = (map({ $amounts[$_] => Math::BigInt->new($price[$_]) } 0 .. 2), releases => 1);

	$account->{answers}{ join '|', $table, $role, $account->name_of($payer), @price }++;
	add($account->{total}{$table} //= nothing(), \%cost);
	add($account->{paid}{$table}{$payer} //= nothing(), \%cost);
	return;
}

# A role that is called otherwise from now on; who was known by a name stays known by it.
sub renamed
{
	my ($account, $payer, $name) = @_;

	$account->{name_of}{$payer} = $name;
	return;
}

sub name_of
{
	my ($account, $payer) = @_;
	return $account->{name_of}{$payer} // $payer;
}

# A role that is gone: nobody asks any more what it has spent.
sub dropped
{
	my ($account, $payer) = @_;

	delete $_->{$payer} for values %{ $account->{paid} };
	return;
}

# A table starts from what was spent on another; who has paid for that has paid it here, too,
# but no more than there is.
sub starts_with
{
	my ($account, $table, $other, @sums) = @_;
	my $total = $account->{total}{$table} = { map { $amounts[$_] => Math::BigInt->new($sums[$_]) } 0 .. 3 };
	my $paid = $account->{paid}{$other};

	for my $payer (keys %$paid)
	{
		$account->{paid}{$table}{$payer} = { map { $_ => ($paid->{$payer}{$_} > $total->{$_} ? $total : $paid->{$payer})->{$_}->copy } @amounts };
	}
	return;
}

# A plan that was used and ended counts as what it promised.
sub promised
{
	my ($account, $table, $epsilon, $delta) = @_;

	$account->{total}{$table}{epsilon} = Math::BigInt->new($epsilon)->bmul('1' . '0' x 30);
	$account->{total}{$table}{delta} = Math::BigInt->new($delta);
	return;
}

# A table is called otherwise; its lines of the ledger are known by its policy.
sub moved
{
	my ($account, $from, $to) = @_;

	$account->{$_}{$to} = delete $account->{$_}{$from} for qw(total paid);
	return;
}

# Accounts of a table that is protected no longer are closed.
sub table_is_gone
{
	my ($account, $table) = @_;

	delete $account->{$_}{$table} for qw(total paid);
	return;
}

# What was charged to it, as shown: without the last digits that are noughts.
sub shown
{
	my ($account, $table, $amount, $payer) = @_;
	my $sum = defined $payer ? $account->{paid}{$table}{$payer} : $account->{total}{$table};

	return decimal(($sum // nothing())->{$amount});
}

sub decimal
{
	my $digits = sprintf '%031s', $_[0];

	return ($digits =~ s/(\d{30})$/.$1/r) =~ s/\.?0+$//r =~ s/^0+(?=\d)//r;
}

# What is folded of a table is no longer in lines: the sums of what is missing.
sub folded
{
	my ($account, $table, $node, $database) = @_;
	my $found = $account->lines_of($node, $database);
	my $sum = nothing();

	for my $line (grep { /^\Q$table\E\|/ } keys %{ $account->{answers} })
	{
		my $gone = $account->{answers}{$line} - ($found->{$line} // 0);
		my (undef, undef, undef, @price) = split /\|/, $line;

		$account->{folded}{$line} = $gone;
		add($sum, { releases => $gone, map { $amounts[$_] => $gone * Math::BigInt->new($price[$_]) } 0 .. 2 });
	}
	return text_of($sum);
}

# --- what the server says ---

sub rows
{
	my ($node, $database, $sql) = @_;
	return map { [ split /\|/, $_, -1 ] } split /\n/, $node->safe_psql($database, $sql);
}

sub scaled
{
	return join ', ', map { sprintf $SCALED, $_ } @_;
}

# Policies are known by the tables that they are of, also once they are closed.
sub learn_policies
{
	my ($account, $node, $database) = @_;

	$account->{table_of}{ $_->[0] } //= $_->[1] for rows($node, $database, 'SELECT policy_id, relation::regclass FROM privacct.policy WHERE closed_at IS NULL ORDER BY 1');
	return;
}

# The lines of the ledger that are charges, equal ones counted.
sub lines_of
{
	my ($account, $node, $database) = @_;
	my %lines;

	for my $row (rows($node, $database, 'SELECT policy_id, role, payer, ' . scaled(qw(epsilon delta rho)) . q(, count(*) FROM privacct.ledger
		WHERE NOT coalesce(detail ? 'carried_from_policy', false) GROUP BY 1, 2, 3, epsilon, delta, rho)))
	{
		my ($policy, @line) = @$row;
		my $count = pop @line;
		$lines{ join '|', $account->{table_of}{$policy} // "policy $policy", @line } += $count;
	}
	return \%lines;
}

# Differences of two multisets, in words.
sub compare
{
	my ($what, $expected, $found) = @_;
	my %all = (%$expected, %$found);

	return map { sprintf '%s: %s is %s and should be %s', $what, $_, $found->{$_} // 'missing', $expected->{$_} // 'missing' }
	  grep { ($expected->{$_} // '') ne ($found->{$_} // '') } sort keys %all;
}

sub text_of
{
	my ($sum) = @_;
	return join ' ', map { $sum->{$_}->bstr } @amounts;
}

sub ledger_differences
{
	my ($account, $node, $database) = @_;
	my %found = %{ $account->lines_of($node, $database) };

	$found{$_} += $account->{folded}{$_} for grep { $account->{folded}{$_} } keys %{ $account->{folded} };
	return compare('ledger', $account->{answers}, \%found);
}

sub account_differences
{
	my ($account, $node, $database) = @_;
	my (%expected, %found);

	for my $row (rows($node, $database, 'SELECT p.relation::regclass, CASE WHEN a.role <> 0::oid THEN a.role::regrole END, '
		. scaled(map { "a.$_" } qw(epsilon delta rho)) . q(, a.releases FROM privacct.policy p JOIN privacct.account a USING (policy_id)
		WHERE p.closed_at IS NULL AND a.releases > 0 AND (a.role = 0::oid OR EXISTS (SELECT FROM pg_roles r WHERE r.oid = a.role)))))
	{
		my ($table, $role, @sums) = @$row;
		$found{"$table of " . ($role || 'all')} = "@sums";
	}
	for my $table (keys %{ $account->{total} })
	{
		$expected{"$table of all"} = text_of($account->{total}{$table}) if $account->{total}{$table}{releases} > 0;
		$expected{ "$table of " . $account->name_of($_) } = text_of($account->{paid}{$table}{$_}) for keys %{ $account->{paid}{$table} };
	}
	return compare('account', \%expected, \%found);
}

# What everybody sees: the odometer, and budgets.
sub view_differences
{
	my ($account, $node, $database) = @_;
	my (%expected, %found, %basic);

	for my $row (rows($node, $database, 'SELECT relation, accountant, regime, ' . scaled('CASE accountant WHEN $$zcdp$$ THEN rho_spent ELSE epsilon_spent END', 'delta_spent')
		. ', releases FROM privacct.odometer WHERE open'))
	{
		my ($table, $accountant, $regime, $spent, $delta, $releases) = @$row;
		my $total = $account->{total}{$table} // nothing();

		$found{"releases of $table"} = $releases;
		$expected{"releases of $table"} = $total->{releases}->bstr;
		$basic{$table} = $accountant eq 'basic';
		next if $regime ne 'central' || $accountant eq 'plan';		# what these show is no sum
		$found{"$table"} = "$spent $delta";
		$expected{"$table"} = $total->{ $accountant eq 'zcdp' ? 'rho' : 'epsilon' }->bstr . " $total->{delta}";
	}
	for my $row (rows($node, $database, 'SELECT relation, role, ' . scaled('epsilon_spent') . ' FROM privacct.budget b WHERE epsilon_spent > 0 AND EXISTS (SELECT FROM pg_roles r WHERE r.oid = b.role)'))
	{
		my ($table, $role, $spent) = @$row;
		$found{"$table of $role"} = $spent if $basic{$table};
	}
	for my $table (grep { $basic{$_} } keys %{ $account->{paid} })
	{
		$expected{ "$table of " . $account->name_of($_) } = $account->{paid}{$table}{$_}{epsilon}->bstr for keys %{ $account->{paid}{$table} };
	}
	return compare('shown', \%expected, \%found);
}

# All that is not as it should be.
sub differences
{
	my ($account, $node, $database) = @_;

	$account->learn_policies($node, $database);
	return ($account->ledger_differences($node, $database), $account->account_differences($node, $database), $account->view_differences($node, $database),
		map { 'check_books: ' . join '|', @$_ } rows($node, $database, 'SELECT * FROM privacct.check_books()'));
}

1;
