# SPDX-License-Identifier: GPL-3.0-or-later
# Columns and tables that were renamed while no event trigger fired, in single-user mode or because somebody had
# disabled the triggers in the catalog itself, are found: check_books() lists them, and protect() asks about them.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use IPC::Run;
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

my $STALE = "SELECT relation, detail FROM privacct.check_books() WHERE problem = 'what the table is called, or its columns, is not written down'";
my $node = new_node('unfollowed');
$node->start;
$node->safe_psql('postgres', q(
	CREATE EXTENSION privacct;
	CREATE TABLE orders (person int NOT NULL, v int);
	CREATE TABLE ways (person int NOT NULL, way int);
	CREATE TABLE quiet (person int NOT NULL, q int);
	SELECT privacct.protect('orders', 'person'), privacct.protect('ways', 'person'), privacct.protect('quiet', 'person');
	SELECT privacct.unprotect('orders');));

# what protect() says of a copy of a table
sub asked
{
	my ($table) = @_;
	my $err = '';
	$node->psql('postgres', "BEGIN; CREATE TABLE copy (LIKE $table); SELECT privacct.protect('copy', 'person'); ROLLBACK", stderr => \$err, on_error_stop => 0);
	return $err =~ /table public\.copy may hold rows of persons.*: (public\.\S+)\./s ? $1 : 'no';
}

$node->stop;
my $out = '';
ok(IPC::Run::run([ $node->installed_command('postgres'), '--single', '-D', $node->data_dir, 'postgres' ],
	'<', \"ALTER TABLE ways RENAME COLUMN way TO road\n", '>&', \$out), 'single-user mode') or diag($out);
$node->start;
is($node->safe_psql('postgres', $STALE), 'public.ways|It was known as public.ways, with the columns {person,way}. Of tables that look like it nobody is asked.', 'listed');
is(asked('ways'), 'public.ways', 'renamed in single-user mode');
isnt($node->safe_psql('postgres', $STALE), '', 'what was rolled back is still to be done');
$node->safe_psql('postgres', "CREATE TABLE other (person int NOT NULL, o int); SELECT privacct.protect('other', 'person')");
is($node->safe_psql('postgres', $STALE), '', 'protect() has written it down');

for my $table ('orders', 'quiet')
{
	$node->safe_psql('postgres', qq(
		BEGIN;
		UPDATE pg_event_trigger SET evtenabled = 'D' WHERE evtname LIKE 'privacct%';
		ALTER TABLE $table RENAME COLUMN person TO walker;
		ALTER TABLE $table RENAME COLUMN walker TO person;
		ALTER TABLE $table ADD COLUMN more int;
		UPDATE pg_event_trigger SET evtenabled = 'A' WHERE evtname LIKE 'privacct%';
		COMMIT;));
	isnt($node->safe_psql('postgres', $STALE), '', "listed: $table");
}
is(asked('quiet'), 'public.quiet', 'changed while triggers were disabled');
$node->safe_psql('postgres', "UPDATE pg_event_trigger SET evtenabled = 'D' WHERE evtname LIKE 'privacct%'");
$node->safe_psql('postgres', "CREATE TABLE third (person int NOT NULL, t int); SELECT privacct.protect('third', 'person')");
$node->safe_psql('postgres', 'ALTER TABLE third RENAME t TO tt');
is(asked('third'), 'public.third', 'changed while they are');
$node->safe_psql('postgres', "UPDATE pg_event_trigger SET evtenabled = 'A' WHERE evtname LIKE 'privacct%'");
is(asked('third'), 'public.third', 'and after they were');
$node->stop;

done_testing();
