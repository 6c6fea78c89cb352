#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Launcher of pg_regress: each test begins with an empty database, for what one test has
# spent is history for the next.  Settings are those that pg_regress gives its database.
# On a server that is somebody's, roles of the test go after it.  What comes out reads alike on all versions.
#	fresh_database.sh BINDIR [--clean] psql ... -d DATABASE ...
set -o pipefail
neutral=$(dirname "$0")/neutral.sed
bindir=$1
shift
clean=
[ "$1" != --clean ] || { clean=yes; shift; }
database=$(printf '%s\n' "$@" | sed -n '/^-d$/{n;p;q;}')
run()
{
	"$bindir/psql" -X -q -d postgres "$@" >/dev/null 2>&1
}
run <<-SQL
	DROP DATABASE IF EXISTS "$database" WITH (FORCE);
	CREATE DATABASE "$database" TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C';
	ALTER DATABASE "$database" SET lc_messages TO 'C';
	ALTER DATABASE "$database" SET lc_monetary TO 'C';
	ALTER DATABASE "$database" SET lc_numeric TO 'C';
	ALTER DATABASE "$database" SET lc_time TO 'C';
	ALTER DATABASE "$database" SET bytea_output TO 'hex';
	ALTER DATABASE "$database" SET timezone_abbreviations TO 'Default';
SQL
"$@" 2>&1 | sed -f "$neutral"
code=$?
[ -n "$clean" ] || exit $code
# roles of that prefix are for such tests; ours stay where another database has the extension
run <<-SQL
	DROP DATABASE IF EXISTS "$database" WITH (FORCE);
	SELECT format('DROP ROLE %I', rolname) FROM pg_roles WHERE rolname ~ '^regress_' \gexec
	DROP ROLE privacct_admin, privacct_reader;
SQL
exit $code
