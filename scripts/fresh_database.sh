#!/bin/sh
# Launcher of pg_regress: each test begins with an empty database, for what one test has
# spent is history for the next.  Settings are those that pg_regress gives its database.
#	fresh_database.sh BINDIR psql ... -d "regression" ...
bindir=$1
shift
"$bindir/psql" -X -q -d postgres >/dev/null 2>&1 <<-SQL
	DROP DATABASE IF EXISTS regression WITH (FORCE);
	CREATE DATABASE regression TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C';
	ALTER DATABASE regression SET lc_messages TO 'C';
	ALTER DATABASE regression SET lc_monetary TO 'C';
	ALTER DATABASE regression SET lc_numeric TO 'C';
	ALTER DATABASE regression SET lc_time TO 'C';
	ALTER DATABASE regression SET bytea_output TO 'hex';
	ALTER DATABASE regression SET timezone_abbreviations TO 'Default';
SQL
exec "$@"
