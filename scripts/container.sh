#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the container runs: a server on /var/lib/postgresql/MAJOR/main, which is made if it is not there.
set -eu
data=/var/lib/postgresql/$MAJOR/main
if [ ! -s "$data/PG_VERSION" ]; then
	: "${POSTGRES_PASSWORD:?give the password of the superuser postgres}"
	mkdir -p "$data"
	initdb -D "$data" -U postgres -A scram-sha-256 --pwfile=<(printf '%s\n' "$POSTGRES_PASSWORD") -E UTF8 --data-checksums
	{ echo "shared_preload_libraries = 'privacct'"
		echo "listen_addresses = '*'"; } >>"$data/postgresql.conf"
	echo "host all all all scram-sha-256" >>"$data/pg_hba.conf"
fi
exec postgres -D "$data" "$@"
