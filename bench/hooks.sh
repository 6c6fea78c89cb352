#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What ordinary statements pay for our hooks: pgbench -S in a database with policies,
# on a server with the library, against one without it.
. "$(dirname "$0")/lib.sh"
. "$bench/../scripts/server.sh"
export DATABASE=bench_hooks
"$bindir/createdb" -U postgres "$DATABASE"
setup database.sql
setup tiny.sql
"$bindir/pgbench" -i -q -s 10 -U postgres "$DATABASE" 2>/dev/null >/dev/null
# the same cluster, copied, without the library
"$bindir/psql" -X -q -U postgres -d "$DATABASE" -c CHECKPOINT
as_server "$bindir/pg_basebackup" -h "$BENCH_WORK" -U postgres -c fast -D "$BENCH_WORK/bare" 2>/dev/null
as_server sed -i '/^shared_preload_libraries/d; /^unix_socket_directories/d; /^privacct/d' "$BENCH_WORK/bare/postgresql.conf"
mkdir -p "$BENCH_WORK/bare_socket"
[ "$(id -u)" != 0 ] || chown postgres: "$BENCH_WORK/bare_socket"
printf '%s\n' "unix_socket_directories = '$BENCH_WORK/bare_socket'" | as_server tee -a "$BENCH_WORK/bare/postgresql.conf" >/dev/null
as_server "$bindir/pg_ctl" -D "$BENCH_WORK/bare" -l "$BENCH_WORK/bare.log" -w start >/dev/null
trap 'as_server "$bindir/pg_ctl" -D "$BENCH_WORK/bare" -m immediate stop >/dev/null' EXIT

# select_ms SOCKET: mean latency of one client in milliseconds
select_ms()
{
	PGHOST=$1 "$bindir/pgbench" -n -S -M simple -c 1 -T "$RUN_SECONDS" -U postgres "$DATABASE" 2>/dev/null |
		awk '/^tps/ { print 1000 / $3 }'
}

forget plain guarded
for _ in $(seq "$((REPS * 3))"); do
	keep plain "$(select_ms "$BENCH_WORK/bare_socket")"
	keep guarded "$(select_ms "$BENCH_WORK")"
done
report hooks "$(median_of guarded) ms against $(median_of plain) ms" "$(ratio "$(median_of guarded)" "$(median_of plain)")" most 1.01
