#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The main job on a throw-away server: a hospital of five tables is declared, asked and
# looked after; then the other regimes.  The last page says how to get a psql prompt; the
# server goes on until it is stopped.
set -eu
cd "$(dirname "$0")/.."
scripts/install-packages.sh
. scripts/server.sh

work=$(mktemp -d "${TMPDIR:-/tmp}/privacct-demo.XXXXXX")
chmod 755 "$work"
echo "== building"
stage_build "$work" >"$work/build.log" 2>&1 || { tail -30 "$work/build.log"; exit 1; }
cp -r demo "$work/"
chmod -R a+rX "$work"
bindir=$("$PG_CONFIG" --bindir)
data=$work/data
[ "$(id -u)" != 0 ] || chown postgres: "$work"

conf=$(server_conf "$work")
as_server "$bindir/initdb" -D "$data" -A trust -U postgres --no-locale -E UTF8 >"$work/initdb.log" 2>&1
{ echo "$conf"; echo "listen_addresses = ''"; echo "unix_socket_directories = '$work'"; } |
	as_server tee -a "$data/postgresql.conf" >/dev/null
as_server "$bindir/pg_ctl" -D "$data" -l "$work/server.log" -w start >/dev/null

psql_options=
as_user()	# role, title, script
{
	echo
	echo "== $2"
	(cd "$work/demo" && PGHOST=$work PGDATABASE=postgres "$bindir/psql" -X -q $psql_options -U "$1" <"$3" 2>&1)
}

as_user postgres "the DBA installs, and makes roles: a steward owns the tables, an analyst asks" dba.sql
psql_options="-v ON_ERROR_STOP=1"
as_user steward "the steward loads a hospital of five tables" data.sql
psql_options=
as_user steward "the steward declares" declare.sql
as_user analyst "the analyst asks" analyst.sql
as_user postgres "the DBA looks: books, and the exact answers" after.sql

as_user steward "the steward declares noise on time" time_dba.sql
as_user analyst "the analyst asks, and waits" time_ask.sql
as_user steward "the steward takes it back" time_after.sql

as_user postgres "another regime: the DBA declares a table whose owners answer by themselves" local_dba.sql
as_user analyst "the analyst asks them" local_ask.sql

as_user postgres "another regime: the DBA declares a table of correlated rows" entries_dba.sql
as_user analyst "the analyst asks for entries" entries_ask.sql
as_user postgres "the DBA looks at the Pufferfish budget" entries_after.sql

# real data, if it is there
adult=${ADULT_CSV:-data/adult.csv}
if [ -r "$adult" ]; then
	cp "$adult" "$work/adult.csv" && chmod a+r "$work/adult.csv"
	psql_options="-v file=$work/adult.csv"
	as_user postgres "the DBA protects the Adult census" adult_load.sql
	as_user analyst "the analyst asks" adult_ask.sql
	as_user postgres "the exact answers" adult_ask.sql
fi

cat <<END

===============================================================================
That was privacct: the analyst has no SELECT on the patients' tables, and asked
them in plain SQL; every answer was noised, and paid for from one budget.

The server is running.  Ask yourself:

    $bindir/psql -h $work -U analyst postgres

    SELECT district, count(*) FROM patient GROUP BY district;
    SELECT statistic, error_95, epsilon, releases_left
      FROM preview('SELECT district, count(*) FROM patient GROUP BY district') WHERE used;
    SELECT unit, epsilon, epsilon_spent, epsilon_left FROM my_budget;
    SELECT * FROM patient;

As the owner of the tables, or as a superuser, who see everything:

    $bindir/psql -h $work -U steward postgres
    $bindir/psql -h $work -U postgres postgres

Stop the server and remove all of it:

    $( [ "$(id -u)" != 0 ] || echo "setpriv --reuid=postgres --regid=postgres --init-groups ")$bindir/pg_ctl -D $data -m fast stop && rm -rf $work

Next: README.md, docs/analyst-guide.md, docs/dba-guide.md
===============================================================================
END
