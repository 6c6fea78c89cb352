# SPDX-License-Identifier: GPL-3.0-or-later
# A plan under load: sixty-four sessions race for its slots, and a session that has
# read a plan is refused once another has taken its place.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use LocalTest;
use PrivacctTest;
use Test::More;

my $node = new_node('plan');
$node->start;
$node->safe_psql('postgres', q(
	CREATE EXTENSION privacct;
	CREATE TABLE visit (visit_id int PRIMARY KEY, patient_id int NOT NULL);
	INSERT INTO visit SELECT i, i / 3 FROM generate_series(1, 300) i;
	CREATE ROLE analyst LOGIN;
	SELECT privacct.protect('visit', 'patient_id', epsilon => 8, delta => 1e-7, accountant => 'plan');
	SELECT privacct.grant_budget('visit', 'analyst', 1);
));

sub slots
{
	return $node->safe_psql('postgres', q(SELECT string_agg(used || '/' || releases, ' ' ORDER BY slot) FROM privacct.plan));
}

# The request is with the ledger while the plan is replaced: other noise has
# taken the slot's place, so the old noise must not be released.
$node->safe_psql('postgres', q(SELECT privacct.plan_budget('visit', '[{"kernel": "laplace", "releases": 1}]')));
my $dba = open_session($node, superuser());
is(run_sql($dba, q(BEGIN; SELECT count(*) FROM privacct.plan_budget('visit', '[{"kernel": "laplace", "releases": 40, "groups": 1},
	{"kernel": "gaussian", "releases": 20, "groups": 1}]'))), '2', 'a plan is being replaced');
my ($asking) = start_clients($node, ['analyst'], "$PrivacctTest::QUERY;\n");
$node->poll_query_until('postgres', q(SELECT EXISTS (SELECT FROM pg_stat_activity WHERE usename = 'analyst' AND wait_event = 'Extension')))
  or fail('no request is with the ledger');
run_sql($dba, 'COMMIT');
close_session($dba);
finish_clients($asking);
is($asking->{out}, '', 'no answer with the noise of a plan that was replaced');
like($asking->{err}, qr/ERROR:\s+53PA2/, 'the slot is not there any more');
is(slots(), '0/40 0/20', 'nothing was charged');

# Every use once, and none twice.
my @clients = finish_clients(start_clients($node, [ ('analyst') x 64 ], "$PrivacctTest::QUERY;\n" x 2));
my ($answers, $refusals, $others) = (0, 0, 0);
for my $client (@clients)
{
	my $exhausted = () = $client->{err} =~ /ERROR:\s+53PA2/g;
	$answers += $client->{answers};
	$refusals += $exhausted;
	$others += $client->{errors} - $exhausted;
}
is($answers + $refusals, 128, 'every query was answered or refused');
is($others, 0, 'every refusal says that the plan has none left');
my $used = $node->safe_psql('postgres', 'SELECT sum(used) FROM privacct.plan');
is($used, $answers, 'as many uses as answers');
cmp_ok($answers, '<=', 60, 'no more than were planned');
is(releases($node), $answers, 'every answer is in the ledger');
ok(books_agree($node), 'the accounts hold exactly the sums of the ledger');
1 while defined ask_value($node, $PrivacctTest::QUERY);
is(slots(), '40/40 20/20', 'what a race left over is used one by one');
my $odometer = $node->safe_psql('postgres', 'SELECT epsilon_spent / epsilon FROM privacct.odometer');
cmp_ok($odometer, '<=', 1, 'a plan that is used up keeps the promise');
cmp_ok($odometer, '>', 0.99, 'and spends all of it');

# A crash gives nothing back.
$node->stop('immediate');
$node->start;
is(slots(), '40/40 20/20', 'after a crash the slots are as used as before');
my (undef, undef, $err) = ask($node, $PrivacctTest::QUERY, verbosity => 'default');
like($err, qr/the plan has no release of this kind left/, 'the error says what happened');
like($err, qr/DETAIL:.*slot 1, which has 0 left/, 'the detail says which slot');
$node->stop;

done_testing();
