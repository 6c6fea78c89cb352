# SPDX-License-Identifier: GPL-3.0-or-later
# Where no event trigger fires nothing that they follow is done: in single-user mode, and under event_triggers = off,
# which there is since 17.  Columns and tables that were renamed nevertheless, without the library or because somebody had
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

# what single-user mode says to a command
sub alone
{
	my ($command, @options) = @_;
	my $out = '';
	$node->stop;
	ok(IPC::Run::run([ $node->installed_command('postgres'), '--single', @options, '-D', $node->data_dir, 'postgres' ],
		'<', \"$command\n", '>&', \$out), 'single-user mode') or diag($out);
	$node->start;
	return $out;
}

my $RENAMES = 'ALTER TABLE ways RENAME COLUMN way TO road';
my $MERGES = 'ALTER TABLE quiet ALTER person TYPE int USING person / 10';
like(alone($_), qr/ERROR:  ALTER TABLE is refused where no event triggers fire/, "alone: $_") for $RENAMES, $MERGES;
unlike(alone('CREATE ROLE somebody'), qr/ERROR/, 'what no event trigger hears of');
unlike(alone('VACUUM ways'), qr/ERROR/, 'nor of this');
is($node->safe_psql('postgres', $STALE), '', 'nothing is done');

SKIP:
{
	skip 'no setting event_triggers', 15 if $node->safe_psql('postgres', "SELECT count(*) FROM pg_settings WHERE name = 'event_triggers'") eq '0';
	my $said = sub {
		my ($commands, $database) = @_;
		my $err = '';
		$node->psql($database || 'postgres', $commands, stderr => \$err, on_error_stop => 0);
		return $err =~ /ERROR:  (.*)/ ? $1 : '';
	};
	my $refused = qr/^ALTER TABLE is refused where no event triggers fire$/;
	like($said->("SET event_triggers = off; $_"), $refused, "off: $_") for $RENAMES, $MERGES;
	$node->safe_psql('postgres', 'ALTER DATABASE postgres SET event_triggers = off');
	like($said->($RENAMES), $refused, 'off in the database');
	is($said->("SET event_triggers = on; BEGIN; $RENAMES; ROLLBACK"), '', 'on again');
	$node->safe_psql('postgres', 'ALTER DATABASE postgres RESET event_triggers');
	$node->safe_psql('postgres', "CREATE FUNCTION unheard() RETURNS void LANGUAGE plpgsql SET event_triggers = off AS 'BEGIN $RENAMES; END'");
	like($said->('SELECT unheard()'), $refused, 'off in a function');
	$node->safe_psql('postgres', 'INSERT INTO quiet VALUES (1, 1)');
	like($said->("ALTER TABLE quiet ALTER q TYPE int USING CASE WHEN set_config('event_triggers', 'off', false) = 'off' THEN q END"), $refused, 'off in the middle, by what rewrites');
	like($said->("ALTER TABLE quiet ADD COLUMN c text DEFAULT set_config('event_triggers', 'off', false)"), $refused, 'or by a default');
	$node->safe_psql('postgres', 'DELETE FROM quiet');
	like($said->('SET event_triggers = off; GRANT SELECT ON ways TO PUBLIC'), qr/^GRANT is refused/, 'privileges');
	like($said->('SET event_triggers = off; DROP TABLE ways'), qr/^DROP TABLE is refused/, 'tables');
	$node->safe_psql('postgres', q(CREATE FUNCTION fails() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''no''; END'; CREATE EVENT TRIGGER fails ON ddl_command_start EXECUTE FUNCTION fails()));
	is($said->('CREATE TABLE t (a int)'), 'no', 'an event trigger that fails');
	is($said->('SET event_triggers = off; ALTER EVENT TRIGGER fails DISABLE'), '', 'is disabled');
	is($said->('DROP EVENT TRIGGER fails; DROP FUNCTION fails()'), '', 'and dropped');
	$node->safe_psql('postgres', 'CREATE DATABASE elsewhere');
	is($said->('SET event_triggers = off; CREATE TABLE t (a int)', 'elsewhere'), '', 'a database without the extension');
	like($said->('SET event_triggers = off; CREATE EXTENSION privacct', 'elsewhere'), qr/is refused where no event triggers fire/, 'and it is not created there');
	is($node->safe_psql('postgres', $STALE), '', 'nothing is done');
}

unlike(alone($RENAMES, '-c', 'shared_preload_libraries='), qr/ERROR/, 'without the library');
is($node->safe_psql('postgres', $STALE), 'public.ways|It was known as public.ways, with the columns {person,way}. Of tables that look like it nobody is asked.', 'listed');
is(asked('ways'), 'public.ways', 'renamed without the library');
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
