# SPDX-License-Identifier: GPL-3.0-or-later
# Isolation level serializable, as sql/serializable.sql, by ways into a session that
# are not statements: options of the connection, settings of roles, databases and files.
use strict;
use warnings;

use PrivacctTest;
use Test::More;

my $node = new_node('serializable', fsync => 'off', 'privacct.require_durable_storage' => 'off');
$node->start;
$node->safe_psql('postgres', q(
	CREATE EXTENSION privacct;
	CREATE ROLE analyst LOGIN;
	CREATE ROLE application LOGIN;
	CREATE ROLE shop LOGIN;
	CREATE TABLE visit (patient int NOT NULL, cost int);
	CREATE TABLE ward (ward text PRIMARY KEY);
	GRANT ALL ON ward TO PUBLIC;
	ALTER TABLE visit OWNER TO application;
	SELECT privacct.protect('visit', 'patient'), privacct.grant_budget('visit', 'analyst', 1);
));
my $refused = qr/isolation level serializable is not allowed in this database/;

# What a new session of the role gets for a statement; what it complains of.
sub answer
{
	my ($role, $statement, $options) = @_;
	local $ENV{PGOPTIONS} = $options // '';
	my ($out, $err);

	$node->psql('postgres', $statement, stdout => \$out, stderr => \$err, extra_params => [ '-U', $role ]);
	return ($out, $err);
}

my ($out, $err);
my $level = 'SHOW transaction_isolation';
for my $role ('analyst', 'shop')
{
	($out, $err) = answer($role, 'SELECT count(*) FROM ward', '-c default_transaction_isolation=serializable');
	is($out, '', "$role: options of the connection");
	like($err, qr/FATAL.*$refused/, "$role: options of the connection, refused");
}
($out, $err) = answer('application', $level, '-c default_transaction_isolation=serializable');
is($out, 'serializable', 'who writes the table: options of the connection');

for my $place ('ALTER ROLE analyst', 'ALTER DATABASE postgres')
{
	$node->safe_psql('postgres', "$place SET default_transaction_isolation = 'serializable'");
	($out, $err) = answer('analyst', $level);
	is($out, 'read committed', "$place is without effect");
	like($err, qr/WARNING.*$refused/, "$place, with a warning");
	is((answer('application', $level))[0], $place =~ /DATABASE/ ? 'serializable' : 'read committed', "$place: who writes the table");
	$node->safe_psql('postgres', "$place RESET default_transaction_isolation");
}

# a file is for everybody, and read before it is known who is there
$node->append_conf('postgresql.conf', "default_transaction_isolation = 'serializable'");
$node->reload;
$node->poll_query_until('postgres', "SELECT current_setting('transaction_isolation') = 'serializable'");
($out, $err) = answer('analyst', 'SELECT count(*) FROM ward');
like($err, qr/ERROR.*$refused/, 'a file: refused at every statement');
($out, $err) = answer('analyst', "SET default_transaction_isolation = 'read committed'; SELECT count(*) FROM ward");
is($out, '0', 'a file: the session leaves it');
is((answer('application', 'SELECT count(*) FROM ward'))[0], '0', 'a file: who writes the table');

$node->stop;
done_testing();
