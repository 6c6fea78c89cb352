#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fuzz.sh DIR: a server of its own below DIR with the extension, and fuzz.pl against it.
# PG_CONFIG says which server; run in the extension's sources.
set -eu
work=$1
. scripts/server.sh
mkdir -p "$work"
chmod 755 "$work"
stage_build "$work" >"$work/build.out" 2>&1 || { tail -30 "$work/build.out"; exit 1; }
cp -r scripts/sanitize "$work/"
chmod -R a+rX "$work"
[ "$(id -u)" != 0 ] || chown -R postgres: "$work"
bindir=$("$PG_CONFIG" --bindir)
as_server "$bindir/initdb" -D "$work/data" -A trust -U postgres --no-locale -E UTF8 >"$work/initdb.out" 2>&1
{ server_conf "$work"; echo "listen_addresses = ''
unix_socket_directories = '$work'
fsync = off
privacct.require_durable_storage = off
log_line_prefix = '%m [%p] %q%u %e '
max_stack_depth = '7MB'"; } | as_server tee -a "$work/data/postgresql.conf" >/dev/null
as_server "$bindir/pg_ctl" -D "$work/data" -l "$work/server.log" -w start >/dev/null
trap 'as_server "$bindir/pg_ctl" -D "$work/data" -w -m fast stop >/dev/null || as_server "$bindir/pg_ctl" -D "$work/data" -w -m immediate stop >/dev/null' EXIT
as_server env PGHOST="$work" PGDATABASE=postgres perl "$work/sanitize/fuzz.pl" "$work"
