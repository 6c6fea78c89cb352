# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by demo, check and bench: builds, stages an installation in a
# temporary directory and runs commands as an unprivileged user there.
#
#	stage_build DIR		builds and installs below DIR/inst
#	as_server CMD...	runs CMD as an unprivileged user (initdb refuses root)
#	server_conf DIR		prints the settings that let a server find the staged extension

PG_CONFIG=${PG_CONFIG:-/usr/lib/postgresql/15/bin/pg_config}
[ -x "$PG_CONFIG" ] || PG_CONFIG=pg_config

stage_build()
{
	make -s -j"$(nproc)" PG_CONFIG="$PG_CONFIG" all || return
	make -s PG_CONFIG="$PG_CONFIG" install DESTDIR="$1/inst" >/dev/null || return
	chmod -R a+rX "$1"
	[ "$(id -u)" != 0 ] || chown -R postgres: "$1"
}

as_server()
{
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid=postgres --regid=postgres --init-groups env HOME=/var/lib/postgresql "$@"
	else
		"$@"
	fi
}

server_conf()
{
	printf "%s\n" "extension_destdir = '$1/inst'" \
		"dynamic_library_path = '$1/inst$("$PG_CONFIG" --pkglibdir):\$libdir'" \
		"shared_preload_libraries = 'privacct'"
}
