#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What is missing for a build is said in one sentence, whatever it is: a server and headers are made up,
# of each version that matters, and no header of the machine is looked at.  Prints what is wrong.
set -u
cd "$(dirname "$0")/../.."
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

pg_config=$made/bin/pg_config
configured=

# All there is, of the oldest versions that will do.
make_all()
{
	rm -rf "${made:?}"/*
	mkdir -p "$made"/{bin,include/{gsl,sodium,unicode},server}
	touch "$made/pgxs.mk" "$made/server/postgres.h" "$made/include/unicode/ucol.h"
	configured="--with-icu"
	server_is "PostgreSQL 17.5 (Debian 17.5-1)"
	header gsl/gsl_version.h GSL_MAJOR_VERSION 2 GSL_MINOR_VERSION 7
	header glpk.h GLP_MAJOR_VERSION 5 GLP_MINOR_VERSION 0
	header sodium/version.h SODIUM_LIBRARY_VERSION_MAJOR 10 SODIUM_LIBRARY_VERSION_MINOR 3
}

server_is()	# what it says of its version
{
	cat >"$pg_config" <<END
#!/bin/sh
case \$1 in
	--version) echo "$1" ;;
	--pgxs) echo "$made/pgxs.mk" ;;
	--includedir-server) echo "$made/server" ;;
	--includedir) echo "$made/include" ;;
	--bindir) echo "$made/bin" ;;
	--sharedir) echo /usr/share/postgresql/17 ;;
	--pkglibdir) echo /usr/lib/postgresql/17/lib ;;
	--configure) echo "$configured" ;;
esac
END
	chmod +x "$pg_config"
}

header()	# name, macro, number, macro, number
{
	printf '#define %s %s\n#define %s %s\n' "${@:2}" >"$made/include/$1"
}

says()	# what is to be said, what for
{
	local said
	said=$(scripts/requirements.sh "$pg_config" "${CC:-cc}" -nostdinc 2>&1)
	[ "$said" = "$1" ] || printf '%s: "%s" instead of "%s"\n' "$2" "$said" "$1"
}

# --- servers ---

make_all
says "" "all is there"
rm "$pg_config"
says "privacct needs a server of PostgreSQL 15 to 18, and $pg_config is none; say which: make PG_CONFIG=/usr/lib/postgresql/15/bin/pg_config" "no server"
for command in "bash -c .\\ scripts/server.sh" scripts/install-packages.sh; do
	said=$(eval "PG_CONFIG=$pg_config $command" 2>&1)
	[ "$said" = "$(scripts/requirements.sh "$pg_config")" ] || echo "$command without the server that is named: \"$said\""
done
# of what make says itself only the last line counts
said=$(make -s PG_CONFIG="$pg_config" all 2>&1 | tail -1)
case $said in
	*"*** privacct needs a server of PostgreSQL 15 to 18, and $pg_config is none; say which"*) ;;
	*) echo "make without a server: \"$said\"" ;;
esac
for version in 14.20 19devel 9.6.24; do
	server_is "PostgreSQL $version"
	says "privacct needs PostgreSQL 15 to 18, and $pg_config is of PostgreSQL $version; say which: make PG_CONFIG=/usr/lib/postgresql/15/bin/pg_config" "PostgreSQL $version"
done
for version in 15.18 16rc1 18.6; do
	server_is "PostgreSQL $version"
	says "" "PostgreSQL $version"
done
for missing in pgxs.mk server/postgres.h; do
	make_all
	rm "$made/$missing"
	says "privacct needs the headers of PostgreSQL 17; install postgresql-server-dev-17" "without $missing"
done

# --- the compiler ---

make_all
CC=$made/bin/cc says "privacct needs a C compiler, and $made/bin/cc is none; install gcc" "no compiler"

# --- libraries ---

library()	# what, package, header, macro of each number, least, as text, then numbers: too old, and new enough
{
	local least=$6 old=$7 new=$8
	make_all
	rm "$made/include/$3"
	says "privacct needs $1 $least or newer, and its header <$3> is not found; install $2" "without $3"
	for version in $old; do
		header "$3" "$4" "${version%.*}" "$5" "${version#*.}"
		says "privacct needs $1 $least or newer, and this is $version; install a newer $2" "$1 $version"
	done
	for version in $new; do
		header "$3" "$4" "${version%.*}" "$5" "${version#*.}"
		says "" "$1 $version"
	done
}

library GSL libgsl-dev gsl/gsl_version.h GSL_MAJOR_VERSION GSL_MINOR_VERSION 2.7 "1.16 2.6" "2.8 2.10 3.0"
library GLPK libglpk-dev glpk.h GLP_MAJOR_VERSION GLP_MINOR_VERSION 5.0 "4.65" "5.1 6.0"
library libsodium libsodium-dev sodium/version.h SODIUM_LIBRARY_VERSION_MAJOR SODIUM_LIBRARY_VERSION_MINOR \
	"1.0.18 (library 10.3)" "9.6 10.2" "10.4 26.1"

make_all
rm "$made/include/unicode/ucol.h"
says "privacct needs the headers of ICU, which those of this PostgreSQL include, and <unicode/ucol.h> is not found; install libicu-dev" "without ICU"
configured="--without-icu"
server_is "PostgreSQL 17.5"
says "" "a server without ICU"

# --- a server that looks for extensions in its own directories only, where the tests are to run ---

finds()	# settings of the server, what is to be said
{
	local said
	printf '#!/bin/sh\nprintf "%%s\\tINTEGER\\n" %s\n' "$1" >"$made/bin/postgres"
	chmod +x "$made/bin/postgres"
	said=$(PG_CONFIG=$pg_config bash -c '. scripts/server.sh; staged_settings /staged || echo failed' 2>&1)
	[ "$said" = "$2" ] || printf 'a server with %s: "%s" instead of "%s"\n' "$1" "$said" "$2"
}

path='dynamic_library_path=/staged/inst/usr/lib/postgresql/17/lib:$libdir'
finds "work_mem extension_control_path" "$(printf '%s\n' 'extension_control_path=/staged/inst/usr/share/postgresql/17:$system' "$path")"
finds "extension_destdir work_mem" "$(printf '%s\n' 'extension_destdir=/staged/inst' "$path")"
finds "work_mem" "$(printf '%s\n' \
	"this server looks for extensions in its own directories only: it has neither the setting extension_control_path, of PostgreSQL 18, nor extension_destdir, of Debian." \
	"Install privacct (make install), load it (shared_preload_libraries), and run make installcheck." failed)"
