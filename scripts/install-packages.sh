#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs, through apt, whatever of the given groups is missing.
# Groups: build (default), test, tools (more clients, for make check-tools), package.
set -e
if [ "$(id -u)" = 0 ]; then as_root=; else as_root=sudo; fi

# The server is the one of PG_CONFIG, which may still have to be installed; where that is not said,
# the newest that is there, or the one that this Debian has.
major=$("${PG_CONFIG:-/nonexistent}" --version 2>/dev/null | sed -nE 's/^PostgreSQL ([0-9]+).*/\1/p')
named=${PG_CONFIG:-$(ls -d /usr/lib/postgresql/*/bin/pg_config 2>/dev/null | sort -V | tail -1)}
[ -n "$major" ] || major=$(printf '%s\n' "$named" | sed -nE 's|^/usr/lib/postgresql/([0-9]+)/bin/pg_config$|\1|p')
if [ -z "$major" ] && [ -n "${PG_CONFIG:-}" ]; then
	"$(dirname "$0")/requirements.sh" "$PG_CONFIG" >&2
	exit 1
fi
if [ -z "$major" ]; then
	$as_root apt-get update -qq
	major=$(apt-cache depends postgresql | sed -nE 's/^ *Depends: postgresql-([0-9]+)$/\1/p')
fi
# A server that is all there may be from anywhere.
server="postgresql-$major postgresql-server-dev-$major"
if [ -x "$("$named" --bindir 2>/dev/null)/postgres" ] && [ -e "$("$named" --includedir-server)/postgres.h" ] && [ -e "$("$named" --pgxs)" ]; then
	server=
fi
build="make gcc libc6-dev pkg-config $server libicu-dev libsodium-dev libgsl-dev libglpk-dev"
test="git patch libcmocka-dev libjansson-dev libipc-run-perl libpostgresql-jdbc-java default-jdk-headless
	odbc-postgresql unixodbc python3-psycopg2 python3 libdbd-pg-perl python3-sqlalchemy python3-django chromium"
tools="r-cran-dbplyr r-cran-rpostgresql python3-pandas nodejs"
wanted=$build
package="build-essential debhelper fakeroot postgresql-server-dev-all"
for group in "$@"; do
	case $group in
		test) wanted="$wanted $test" ;;
		tools) wanted="$wanted $tools" ;;
		package) wanted="$wanted $package" ;;
	esac
done
missing=
for package in $wanted; do
	dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
echo "installing:$missing"
# a cluster of the distribution's own is not wanted
if [ ! -e /etc/postgresql-common/createcluster.conf ]; then
	$as_root mkdir -p /etc/postgresql-common
	echo "create_main_cluster = false" | $as_root tee /etc/postgresql-common/createcluster.conf >/dev/null
fi
$as_root apt-get update -qq
# shellcheck disable=SC2086
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
