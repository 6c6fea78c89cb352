#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests the installed extension on a server that runs, as a superuser of it; PGHOST,
# PGPORT and PGUSER say which.  Ends like check.sh: N passed, N failed, N skipped.
# TESTS="refusals guard" runs just those of sql/.
set -u
cd "$(dirname "$0")/.."
. scripts/server.sh
bindir=$("$PG_CONFIG" --bindir)
regress=$(dirname "$("$PG_CONFIG" --pgxs)")/../test/regress/pg_regress
# not those that make databases of their own: "make check" runs them, on a server of its own
others="$(grep -l '^CREATE DATABASE' sql/*.sql | sed 's|^sql/||; s/\.sql$//' | tr '\n' ' ')"
tests=${TESTS:-$(ls sql/*.sql | sed 's|^sql/||; s/\.sql$//' | grep -vxF "$(tr ' ' '\n' <<<"$others" | sed '/^$/d')")}
number=$(wc -w <<<"$tests")
work=$(mktemp -d "${TMPDIR:-/tmp}/privacct-installcheck.XXXXXX")
trap 'rm -rf "$work"' EXIT

ask()	# SQL
{
	"$bindir/psql" -XAtq -d postgres -c "$1"
}

skip()	# why, what to do
{
	echo "skipped: $number tests of sql/, for $1"
	echo "$2"
}

# The server has not loaded the library: then there must be no extension, and the way out told.
check_refusal()
{
	if ask 'CREATE EXTENSION privacct' 2>&1 | grep -q 'Add privacct to shared_preload_libraries'; then
		echo "1 passed, 0 failed, $number skipped"
	else
		echo 'not ok: CREATE EXTENSION does not say what is missing'
		echo "0 passed, 1 failed, $number skipped"
		exit 1
	fi
}

loaded=$(ask "SELECT current_setting('privacct.loaded_version', true)") || exit 1
version=$(sed -n "s/^default_version = '\(.*\)'/\1/p" privacct.control)
if [ -z "$loaded" ]; then
	skip 'privacct is not among shared_preload_libraries of the server' 'Add it, restart the server, and run this again.'
	check_refusal
	exit
fi
if [ "$loaded" != "$version" ]; then
	echo "not ok: the server has loaded version $loaded, this is $version: install it and restart the server"
	echo "0 passed, 1 failed, $number skipped"
	exit 1
fi
if [ "$(ask 'SHOW privacct.require_durable_storage')" = on ] && [ "$(ask 'SELECT 1 WHERE current_setting($$fsync$$) = $$on$$ AND current_setting($$full_page_writes$$) = $$on$$')" != 1 ]; then
	skip 'nothing is charged on storage that is not durable' 'Set fsync and full_page_writes to on, or privacct.require_durable_storage to off.'
	echo "0 passed, 0 failed, $number skipped"
	exit
fi

# tests write beside themselves
cp -r sql expected "$work/"
mkdir "$work/out"
(cd "$work" && "$regress" --bindir="$bindir" --inputdir="$work" --outputdir="$work/out" --use-existing --dbname=contrib_regression \
	--launcher="$OLDPWD/scripts/fresh_database.sh $bindir --clean" $tests) >"$work/log" 2>&1
grep -E '\.\.\. (ok|FAILED)|^(not )?ok ' "$work/log"
[ ! -f "$work/out/regression.diffs" ] || head -"${CHECK_DIFF_LINES:-80}" "$work/out/regression.diffs"
passed=$(grep -cE '\.\.\. ok|^ok ' "$work/log")	# since 16 it prints the latter
failed=$(grep -cE '\.\.\. FAILED|^not ok ' "$work/log")
[ $((passed + failed)) -gt 0 ] || { tail -20 "$work/log"; failed=1; }
if [ -n "${TESTS:-}" ]; then others=; else echo "skipped: ${others% }, which make databases of their own; make check runs them"; fi
echo "$passed passed, $failed failed, $(wc -w <<<"$others") skipped"
[ "$failed" = 0 ]
