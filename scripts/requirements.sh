#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What is missing for a build, in one sentence; nothing is printed if all is there.
#	requirements.sh PG_CONFIG				a server and its headers
#	requirements.sh PG_CONFIG CC [FLAG...]	... and all else
pg_config=$1
shift

missing()
{
	echo "privacct needs $1; $2"
	exit
}

version=$("$pg_config" --version 2>/dev/null) || missing "a server of PostgreSQL 15 to 18, and $pg_config is none" "say which: make PG_CONFIG=/usr/lib/postgresql/15/bin/pg_config"
major=$(printf '%s\n' "$version" | sed -nE 's/^PostgreSQL ([0-9]+).*/\1/p')
case $major in
	15 | 16 | 17 | 18) ;;
	*) missing "PostgreSQL 15 to 18, and $pg_config is of $version" "say which: make PG_CONFIG=/usr/lib/postgresql/15/bin/pg_config" ;;
esac
[ -e "$("$pg_config" --pgxs)" ] && [ -e "$("$pg_config" --includedir-server)/postgres.h" ] ||
	missing "the headers of PostgreSQL $major" "install postgresql-server-dev-$major"
[ $# -gt 0 ] || exit 0

cc=$1
shift
"$cc" -E - </dev/null >/dev/null 2>&1 || missing "a C compiler, and $cc is none" "install gcc"

# At least: as a number, major * 1000 + minor.
require()	# what, package, header, major, minor, least, least as text
{
	found=$(printf '#include <%s>\n@%s @%s\n' "$3" "$4" "$5" | "$cc" $flags -E -P - 2>/dev/null | sed -nE 's/^@\(?([0-9]+)\)? *@\(?([0-9]+)\)?$/\1 \2/p')
	[ -n "$found" ] || missing "$1 $7 or newer, and its header <$3> is not found" "install $2"
	number=$(printf '%s\n' "$found" | awk '{ print $1 * 1000 + $2 }')
	[ "$number" -ge "$6" ] || missing "$1 $7 or newer, and this is $(printf '%s\n' "$found" | tr ' ' .)" "install a newer $2"
}
flags="$* -I$("$pg_config" --includedir)"
require GSL libgsl-dev gsl/gsl_version.h GSL_MAJOR_VERSION GSL_MINOR_VERSION 2007 2.7
require GLPK libglpk-dev glpk.h GLP_MAJOR_VERSION GLP_MINOR_VERSION 5000 5.0
# its header has the version of the library, as two numbers
require libsodium libsodium-dev sodium/version.h SODIUM_LIBRARY_VERSION_MAJOR SODIUM_LIBRARY_VERSION_MINOR 10003 '1.0.18 (library 10.3)'
case $("$pg_config" --configure) in
	*--with-icu*)
		printf '#include <unicode/ucol.h>\n' | "$cc" $flags -E - >/dev/null 2>&1 ||
			missing "the headers of ICU, which those of this PostgreSQL include, and <unicode/ucol.h> is not found" "install libicu-dev" ;;
esac
