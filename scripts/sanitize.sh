#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The SQL suite and a fuzzer of every function, in a server that looks for mistakes
# with memory: PostgreSQL from Debian's source package with --enable-cassert,
# AddressSanitizer and UndefinedBehaviorSanitizer, and the extension built alike.
# Takes an hour or so; the server is built once and kept.
#
#	make sanitize
#	SANITIZE_DIR	where all of it is (build/sanitize)
#	SANITIZE_PARTS	which of "server suite fuzz" to do
#	ONLY		of the suite just these, as scripts/check.sh takes them
#	FUZZ_SEED, FUZZ_CALLS, FUZZ_FUNCTION	see scripts/sanitize/fuzz.pl
#
# Ends with "nothing found", or with what was found and status 1.
set -u
cd "$(dirname "$0")/.."
root=$PWD
home=${SANITIZE_DIR:-$root/build/sanitize}
parts=${SANITIZE_PARTS:-server suite fuzz}
mkdir -p "$home"
home=$(cd "$home" && pwd)

export PG_TEST_TIMEOUT_DEFAULT=3600 PGCTLTIMEOUT=3600
flags="-fsanitize=address,undefined -fno-omit-frame-pointer"
# a backend leaves its memory to the system; frames are larger by what lies between variables
export ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=0:handle_abort=1:allocator_may_return_null=1:print_scariness=0
ulimit -s 65536

wanted()
{
	case " $parts " in *" $1 "*) true ;; *) false ;; esac
}

scripts/install-packages.sh test || exit 2
[ ! -d /usr/lib/ccache ] || PATH=/usr/lib/ccache:$PATH
if wanted server || [ ! -x "$home/server/bin/postgres" ]; then
	scripts/sanitize/build_server.sh "$home" "$flags" || exit 2
fi

# A copy, so that objects of another kind of build do not mix with it; unchanged files keep their times.
echo "== extension"
mkdir -p "$home/extension"
git ls-files -z -co --exclude-standard | xargs -0 -r ls -d 2>/dev/null | xargs cp -pu --parents -t "$home/extension" || exit 2
export PG_CONFIG=$home/server/bin/pg_config

reports=$(mktemp -d "${TMPDIR:-/tmp}/privacct-sanitize.XXXXXX")
chmod 1777 "$reports"
export ASAN_OPTIONS=$ASAN_OPTIONS:log_path=$reports/report
export UBSAN_OPTIONS=print_stacktrace=1:log_path=$reports/report

if wanted suite; then
	suite=${ONLY:-$(cd sql && ls *.sql | sed 's|^|sql/|')}
	(cd "$home/extension" && TMPDIR="$reports" CHECK_KEEP=1 ONLY="$suite" nice scripts/check.sh) | tee "$reports/suite.out"
	[ "${PIPESTATUS[0]}" = 0 ] || touch "$reports/suite.failed"
fi
if wanted fuzz; then
	(cd "$home/extension" && nice scripts/sanitize/fuzz.sh "$reports/fuzz") || touch "$reports/fuzz.failed"
fi

echo "== found"
found=0
for file in "$reports"/report.*; do
	[ -s "$file" ] || continue
	found=1
	echo "-- $file"
	grep -E 'ERROR: AddressSanitizer|runtime error' "$file" | sort | uniq -c | sort -rn | head -20
done
logs=$(find "$reports" -name '*.log' | grep -E 'postmaster|server' || true)
# shellcheck disable=SC2086
if [ -n "$logs" ] && grep -hE '^TRAP: |detected write past chunk end|was terminated by signal|: runtime error: ' $logs | sort | uniq -c | grep .; then found=1; fi
for part in suite fuzz; do
	[ ! -e "$reports/$part.failed" ] || { found=1; echo "-- $part failed"; }
done
if [ "$found" = 0 ]; then
	rm -rf "$reports"
	echo "nothing found"
else
	echo "kept $reports"
	exit 1
fi
