# SPDX-License-Identifier: GPL-3.0-or-later
# "make installcheck" on a server that somebody else runs: it tests the extension there
# and leaves nothing; where it cannot, it says why and what to do.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

my $node = new_node('installed');
$node->start;

# Exit code and output.
sub installcheck
{
	my ($tests) = @_;
	local %ENV = (%ENV, PGHOST => $node->host, PGPORT => $node->port, TESTS => $tests);
	my $output = `bash '$ENV{PA_WORK}/scripts/installcheck.sh' 2>&1`;
	return ($? >> 8, $output);
}

my $LEFT = q(SELECT rolname FROM pg_roles WHERE rolname !~ '^pg_' UNION ALL SELECT datname FROM pg_database ORDER BY 1);
my $before = $node->safe_psql('postgres', $LEFT);
my ($code, $output) = installcheck('composable');
is($code, 0, 'a server with the library') or diag($output);
like($output, qr/^1 passed, 0 failed, 0 skipped$/m, 'a test runs');
is($node->safe_psql('postgres', $LEFT), $before, 'roles and databases are those that were there');
# a database with the extension keeps its roles
$node->safe_psql('postgres', 'CREATE EXTENSION privacct');
($code, $output) = installcheck('composable');
is($code, 0, 'a server with the extension in a database') or diag($output);
is($node->safe_psql('postgres', q(SELECT count(*) FROM pg_roles WHERE rolname ~ '^privacct')), 2, 'which keeps its roles');
$node->safe_psql('postgres', 'DROP EXTENSION privacct');

($code, $output) = installcheck('no_such_test');
isnt($code, 0, 'what fails is told');

$node->adjust_conf('postgresql.conf', 'fsync', 'off');
$node->restart;
($code, $output) = installcheck('composable');
is($code, 0, 'storage that is not durable fails nothing');
like($output, qr/^skipped: 1 tests.*not durable\nSet fsync.*^0 passed, 0 failed, 1 skipped$/ms, 'and is told');

$node->adjust_conf('postgresql.conf', 'shared_preload_libraries', "''");
$node->restart;
($code, $output) = installcheck('composable');
is($code, 0, 'nor does a server without the library');
like($output, qr/^skipped: 1 tests.*shared_preload_libraries.*^1 passed, 0 failed, 1 skipped$/ms, 'which is told what to do');

$node->stop;
done_testing();
