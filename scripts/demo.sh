#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The main job on a throw-away server: DBA session, analyst session, DBA again.
# Prints how to get a psql prompt; the server goes on until it is stopped.
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

as_server "$bindir/initdb" -D "$data" -A trust -U postgres --no-locale -E UTF8 >"$work/initdb.log" 2>&1
{ server_conf "$work"; echo "listen_addresses = ''"; echo "unix_socket_directories = '$work'"; } |
	as_server tee -a "$data/postgresql.conf" >/dev/null
as_server "$bindir/pg_ctl" -D "$data" -l "$work/server.log" -w start >/dev/null

psql_options=
as_user()	# role, title, script
{
	echo
	echo "== $2"
	PGHOST=$work PGDATABASE=postgres "$bindir/psql" -X $psql_options -U "$1" -f "$work/demo/$3" 2>&1
}

PGHOST=$work "$bindir/psql" -X -q -U postgres -d postgres -v ON_ERROR_STOP=1 -f "$work/demo/data.sql"
as_user postgres "the DBA declares" dba.sql
as_user analyst "the analyst asks" analyst.sql
as_user postgres "the DBA looks: the ledger, and the exact answers" after.sql

as_user postgres "the DBA declares noise on time" time_dba.sql
as_user analyst "the analyst asks, and waits" time_ask.sql

as_user postgres "the DBA declares a table of the local regime" local_dba.sql
as_user analyst "the analyst asks its owners" local_ask.sql

as_user postgres "the DBA declares a table of correlated rows" entries_dba.sql
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

The server is running.  As the analyst:  psql -h $work -U analyst postgres
                        As the DBA:      psql -h $work -U postgres postgres
Stop and remove it:     $( [ "$(id -u)" != 0 ] || echo "setpriv --reuid=postgres --regid=postgres --init-groups ")$bindir/pg_ctl -D $data -m fast stop && rm -rf $work
END
