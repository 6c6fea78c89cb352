# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by demo, check and bench: builds, stages an installation in a
# temporary directory and runs commands as an unprivileged user there.
#
#	stage_build DIR		builds and installs below DIR/inst
#	as_server CMD...	runs CMD as an unprivileged user (initdb refuses root)
#	staged_settings DIR	prints NAME=VALUE of the settings that let a server find the staged extension
#	server_conf DIR		... as lines of postgresql.conf, which load it, too

# The server is the one of PG_CONFIG; where that is not said, 15, or the one in the path.
if [ -z "${PG_CONFIG:-}" ]; then
	PG_CONFIG=/usr/lib/postgresql/15/bin/pg_config
	[ -x "$PG_CONFIG" ] || PG_CONFIG=pg_config
fi
export PG_CONFIG
missing=$("$(dirname "${BASH_SOURCE[0]}")/requirements.sh" "$PG_CONFIG")
[ -z "$missing" ] || { echo "$missing" >&2; exit 1; }

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

# Where a server finds the staged extension, a setting NAME=VALUE on a line: since 18 there is
# one of PostgreSQL's own for scripts, and before, one of Debian's.
staged_settings()
{
	known=$("$("$PG_CONFIG" --bindir)/postgres" --describe-config | cut -f1)
	if grep -qx extension_control_path <<<"$known"; then
		printf '%s\n' "extension_control_path=$1/inst$("$PG_CONFIG" --sharedir):\$system"
	elif grep -qx extension_destdir <<<"$known"; then
		printf '%s\n' "extension_destdir=$1/inst"
	else
		echo "this server looks for extensions in its own directories only: it has neither the setting extension_control_path, of PostgreSQL 18, nor extension_destdir, of Debian." >&2
		echo "Install privacct (make install), load it (shared_preload_libraries), and run make installcheck." >&2
		return 1
	fi
	printf '%s\n' "dynamic_library_path=$1/inst$("$PG_CONFIG" --pkglibdir):\$libdir"
}

server_conf()
{
	local settings
	settings=$(staged_settings "$1") || return
	sed "s/=\(.*\)/ = '\1'/" <<<"$settings"
	echo "shared_preload_libraries = 'privacct'"
}
