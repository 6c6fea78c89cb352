# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by every benchmark, after run.sh has started the server.
#
#	PGHOST				socket directory of the throw-away server
#	BENCH_WORK			work directory
#	ROWS, OWNERS		size of the large tables
#	REPS				repetitions of each side, interleaved: plain, guarded, plain, ...
#	RUN_SECONDS			length of one run of pgbench
#	RELEASES			size of the large ledger
#
# Roles: bench_owner owns every table and runs the plain side; bench_analyst
# has no privilege on a protected table and runs the guarded side.

set -eu -o pipefail
bench=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PG_CONFIG=${PG_CONFIG:-/usr/lib/postgresql/15/bin/pg_config}
[ -x "$PG_CONFIG" ] || PG_CONFIG=pg_config
bindir=$("$PG_CONFIG" --bindir)

as_role()
{
	role=$1
	shift
	"$bindir/psql" -X -q -v ON_ERROR_STOP=1 -U "$role" -d "${DATABASE:-postgres}" "$@"
}

# setup FILE [-v NAME=VALUE]...: a script of the DBA, once
setup()
{
	as_role postgres -o /dev/null -f "$bench/$1" "${@:2}"
}

# run_ms ROLE SQL: milliseconds that the server and psql need for it; nothing if it fails
run_ms()
{
	as_role "$1" -o /dev/null -c '\timing on' -c "$2" >"$BENCH_WORK/timing.out" || return 1
	awk '/^Time:/ { print $2; found = 1 } END { exit !found }' "$BENCH_WORK/timing.out"
}

# pgbench_result ROLE FILE CLIENTS OPTIONS...: mean latency in milliseconds, transactions a second
pgbench_result()
{
	"$bindir/pgbench" -n -M prepared -U "$1" -f "$bench/$2" -c "$3" -j "$(($3 < 2 ? 1 : 2))" "${@:4}" \
		"${DATABASE:-postgres}" 2>"$BENCH_WORK/pgbench.err" >"$BENCH_WORK/pgbench.out" ||
		{ cat "$BENCH_WORK/pgbench.err" >&2; return 1; }
	awk '/^latency average/ { latency = $4 } /^tps/ { tps = $3 }
		END { if (!latency || !tps) exit 1; print latency, tps }' "$BENCH_WORK/pgbench.out"
}

# typical_ms ROLE FILE OPTIONS...: median latency of the transactions of one client.  The mean
# of a run would also show the start of the session and whatever else the machine did.
typical_ms()
{
	rm -f "$BENCH_WORK"/transaction.*
	pgbench_result "$1" "$2" 1 "${@:3}" -l --log-prefix="$BENCH_WORK/transaction" >/dev/null
	cat "$BENCH_WORK"/transaction.* | awk '{ print $3 / 1000 }' | median
}

median()
{
	sort -g | awk '{ value[NR] = $1 }
		END { if (!NR) exit 1; m = int((NR + 1) / 2); print NR % 2 ? value[m] : (value[m] + value[m + 1]) / 2 }'
}

# median_of NAME: of the figures that were kept under it
median_of()
{
	median <"$BENCH_WORK/$1.figures"
}

keep()
{
	[ -n "$2" ] || { echo "$1: no figure" >&2; exit 1; }
	echo "$2" >>"$BENCH_WORK/$1.figures"
}

forget()
{
	for name in "$@"; do : >"$BENCH_WORK/$name.figures"; done
}

ratio()
{
	awk -v a="$1" -v b="$2" 'BEGIN { print a / b }'
}

# report NAME FIGURE RATIO most|least TARGET: one line of the result
report()
{
	awk -v name="$1" -v figure="$2" -v ratio="$3" -v way="$4" -v target="$5" 'BEGIN {
		met = way == "most" ? ratio <= target : ratio >= target
		printf "%s: %s ratio %.2f (target at %s %.2f)%s\n", name, figure, ratio, way, target, met ? "" : " MISSED" }'
}

# compare_queries NAME PLAIN GUARDED TARGET: runs both in turn and reports the ratio of the medians
compare_queries()
{
	forget plain guarded
	run_ms bench_owner "$2" >/dev/null
	run_ms bench_analyst "$3" >/dev/null
	for _ in $(seq "$REPS"); do
		keep plain "$(run_ms bench_owner "$2")"
		keep guarded "$(run_ms bench_analyst "$3")"
	done
	report "$1" "$(median_of guarded) ms against $(median_of plain) ms" \
		"$(ratio "$(median_of guarded)" "$(median_of plain)")" most "$4"
}

# report_planning NAME MS QUERY: the median of 41 by the analyst, against so many milliseconds
report_planning()
{
	for _ in $(seq 42); do echo "EXPLAIN (SUMMARY) ${3%;};"; done |
		as_role bench_analyst -At | sed -n 's/^Planning Time: \(.*\) ms$/\1/p' | tail -41 | median >"$BENCH_WORK/planning"
	report "$1" "$(cat "$BENCH_WORK/planning") ms" "$(ratio "$(cat "$BENCH_WORK/planning")" "$2")" most 1
}
