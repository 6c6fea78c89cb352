#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# build_server.sh DIR FLAGS: PostgreSQL from Debian's source package, built with the
# flags below DIR, installed as DIR/server.  What is done already is not done again.
#
# The system's apt configuration is not touched: the package lists are DIR's own.
set -eu
home=$1
flags=$2
here=$(cd "$(dirname "$0")" && pwd)
export ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0"

[ ! -x "$home/server/bin/postgres" ] || [ ! -e "$home/built" ] || exit 0
echo "== server: $home/server"

if [ "$(id -u)" = 0 ]; then as_root=; else as_root=sudo; fi
missing=
for package in gcc make dpkg-dev perl libicu-dev libxml2-dev libssl-dev libreadline-dev zlib1g-dev; do
	dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
# shellcheck disable=SC2086
[ -z "$missing" ] || DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null

# --- source ---

apt()
{
	apt-get -qq -o Dir::Etc::SourceList="$home/apt/sources.list" -o Dir::Etc::SourceParts=- \
		-o Dir::State::Lists="$home/apt/lists" -o Dir::Cache="$home/apt/cache" -o APT::Sandbox::User="$(id -un)" "$@"
}

fetch_source()
{
	. /etc/os-release
	mkdir -p "$home/apt/lists/partial" "$home/apt/cache/archives/partial" "$home/download"
	key="[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]"
	for suite in "debian $VERSION_CODENAME" "debian $VERSION_CODENAME-updates" "debian-security $VERSION_CODENAME-security"; do
		echo "deb-src $key http://deb.debian.org/${suite% *} ${suite#* } main"
	done >"$home/apt/sources.list"
	apt update
	# not every version that is listed can still be had: the newest first
	for version in $(apt-cache -o Dir::Etc::SourceList="$home/apt/sources.list" -o Dir::Etc::SourceParts=- \
		-o Dir::State::Lists="$home/apt/lists" -o Dir::Cache="$home/apt/cache" showsrc postgresql-15 |
		sed -n 's/^Version: //p' | sort -rVu); do
		if (cd "$home/download" && apt source --download-only "postgresql-15=$version"); then
			rm -rf "$home/source.new"
			dpkg-source --no-check -x "$home/download/postgresql-15_${version#*:}.dsc" "$home/source.new" >/dev/null
			mv "$home/source.new" "$home/source"
			return
		fi
	done
	echo "no source of postgresql-15 can be had" >&2
	return 1
}

[ -d "$home/source" ] || fetch_source

# --- server ---

# Debian installs libraries below /usr whatever the prefix is; this server has its own.
sed -i 's|^override pkglibdir := /usr/lib/.*|override pkglibdir := $(pkglibdir)/postgresql|' "$home/source/src/Makefile.global.in"

# Valgrind's client requests tell AddressSanitizer what palloc has handed out: see valgrind/memcheck.h.
mkdir -p "$home/objects" "$home/include" "$home/server"
cp -r "$here/valgrind" "$home/include/"

# Not as root, so that nothing can be installed elsewhere.
. "$here/../server.sh"
[ "$(id -u)" != 0 ] || chown -R postgres: "$home/objects" "$home/include" "$home/server" "$home/source"
unprivileged()
{
	(cd "$home/objects" && as_server env PATH="$PATH" CCACHE_DIR="$home/objects/ccache" "$@") >>"$home/build.log" 2>&1 ||
		{ tail -20 "$home/build.log"; return 1; }
}

[ -e "$home/objects/config.status" ] || unprivileged "$home/source/configure" -q --prefix="$home/server" \
	--enable-cassert --enable-debug --with-icu --with-libxml --with-openssl \
	CPPFLAGS="-I$home/include -DUSE_VALGRIND" CFLAGS="-O1 -g $flags" LDFLAGS="$flags"
for part in . src/test/regress src/test/isolation contrib/citext contrib/tcn; do
	unprivileged nice make -s -j"${SANITIZE_JOBS:-2}" -C "$part" install
done
case $("$home/server/bin/pg_config" --pkglibdir) in
	"$home"/*) touch "$home/built" ;;
	*) echo "the server would load libraries from elsewhere" >&2; exit 1 ;;
esac
