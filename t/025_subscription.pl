# SPDX-License-Identifier: GPL-3.0-or-later
# A publication of all tables carries policies and books to its subscribers.  Nobody
# may be answered there from a copy of the budget.
use strict;
use warnings;

use PrivacctTest;
use Test::More;

my $publisher = new_node('publisher', allows_streaming => 'logical', 'privacct.require_durable_storage' => 'off', fsync => 'off');
my $subscriber = new_node('subscriber', 'privacct.require_durable_storage' => 'off', fsync => 'off');
$_->start for $publisher, $subscriber;

setup_hospital($publisher);
isnt(ask_value($publisher, $PrivacctTest::QUERY), undef, 'the publisher answers');
$publisher->safe_psql('postgres', 'CREATE PUBLICATION everything FOR ALL TABLES; CREATE PUBLICATION visits FOR TABLE visit');

sub subscribe
{
	my ($publication, $arrived) = @_;

	$subscriber->safe_psql('postgres', 'CREATE SUBSCRIPTION copy CONNECTION $$' . $publisher->connstr('postgres') . "\$\$ PUBLICATION $publication");
	ok($subscriber->poll_query_until('postgres', "SELECT bool_and(EXISTS (SELECT FROM pg_subscription_rel WHERE srrelid = r AND srsubstate IN ('r', 's'))) FROM unnest('$arrived'::regclass[]) r"),
		"$arrived arrived");
}

# as is usual: the schema is dumped, the rows are subscribed to
$subscriber->safe_psql('postgres', 'CREATE ROLE analyst LOGIN; ALTER ROLE analyst SET search_path = public, privacct; ALTER ROLE analyst SET privacct.epsilon = 0.001');
my $schema = PostgreSQL::Test::Utils::tempdir_short() . '/schema.sql';
$publisher->command_ok([ 'pg_dump', '-s', '-f', $schema, '-d', $publisher->connstr('postgres') ], 'the schema is dumped');
$subscriber->command_ok([ 'psql', '-Xq', '-f', $schema, '-d', $subscriber->connstr('postgres') ], 'and restored');
# of privacct.catalog_object, the subscriber has the rows already
subscribe('everything', '{visit,privacct.policy,privacct.quota,privacct.account,privacct.ledger_line}');
is($subscriber->safe_psql('postgres', 'SELECT count(*) FROM privacct.policy'), 1, 'a policy');
is($subscriber->safe_psql('postgres', 'SELECT count(*) FROM privacct.ledger'), 1, 'and what was charged');
# sequences are not replicated, but a DBA might see to them
$subscriber->safe_psql('postgres', q(SELECT setval('privacct.charge_id_seq', 1000)));
my ($code, $out, $err) = ask($subscriber, $PrivacctTest::QUERY, verbosity => 'default');
is($out, '', 'nothing is released there');
like($err, qr/kept by another server/, 'its ledger is not its own');
is($subscriber->safe_psql('postgres', 'SELECT count(*) FROM privacct.ledger'), 1, 'nothing is charged there');

# nor when the subscription has ended: what is charged at the publisher does not arrive any more
$subscriber->safe_psql('postgres', 'DROP SUBSCRIPTION copy');
($code, $out, $err) = ask($subscriber, $PrivacctTest::QUERY, verbosity => 'verbose');
is($out, '', 'nothing is released without the subscription');
like($err, qr/55PA3.*check_books/s, 'it is said where to look');
is($subscriber->safe_psql('postgres', 'SELECT problem FROM privacct.check_books()'), 'the books are a copy', 'and why');

# the table alone may be published: it is the subscriber's own to protect
$subscriber->safe_psql('postgres', 'SET privacct.allow_drop_extension = on; DROP EXTENSION privacct; TRUNCATE visit; CREATE EXTENSION privacct');
subscribe('visits', '{visit}');
$subscriber->safe_psql('postgres', q(SELECT privacct.protect('visit', 'patient_id', epsilon => 10, delta => 1e-7, accountant => 'basic', max_groups_contributed => 1, max_rows_contributed => 3, fresh => true),
	privacct.grant_budget('visit', 'analyst', epsilon => 10, delta => 1e-8)));
($code, $out, $err) = ask($subscriber, $PrivacctTest::QUERY);
like($out, qr/^-?\d+$/, 'a copy of the table is protected where it is') or diag $err;
# what the publisher updates is not looked at: whoever comes second is told
my $TOLD = qr/WARNING:  a subscription may give rows of tables that are or were protected to other owners: (?:public\.)?visit$/m;
($code, $out, $err) = ('', '', '');
$subscriber->psql('postgres', q(SELECT privacct.unprotect('visit'), privacct.protect('visit', 'patient_id')), stderr => \$err);
like($err, $TOLD, 'protect() tells of a subscription');
$subscriber->safe_psql('postgres', 'ALTER SUBSCRIPTION copy DISABLE; ALTER SUBSCRIPTION copy SET (slot_name = NONE); DROP SUBSCRIPTION copy');
$subscriber->psql('postgres', 'CREATE SUBSCRIPTION again CONNECTION $$' . $publisher->connstr('postgres') . '$$ PUBLICATION visits WITH (create_slot = false, slot_name = copy, copy_data = false)', stderr => \$err);
like($err, $TOLD, 'CREATE SUBSCRIPTION tells of a protected table');
$subscriber->safe_psql('postgres', q(SELECT privacct.unprotect('visit')));
$subscriber->psql('postgres', 'ALTER SUBSCRIPTION again REFRESH PUBLICATION', stderr => \$err);
like($err, $TOLD, 'of a table that was protected, and may be again, it is told, too');
$_->safe_psql('postgres', 'CREATE TABLE unlike (u int)') for $publisher, $subscriber;
$publisher->safe_psql('postgres', 'CREATE PUBLICATION others FOR TABLE unlike');
$subscriber->psql('postgres', 'CREATE SUBSCRIPTION others CONNECTION $$' . $publisher->connstr('postgres') . '$$ PUBLICATION others WITH (enabled = false, create_slot = false, slot_name = NONE)', stderr => \$err);
unlike($err, qr/subscription may|ERROR/, 'of others nothing is told');
$_->stop for $subscriber, $publisher;
done_testing();
