#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Speed, side by side, as ratios within one run; see README.md.
#	bench/run.sh					every benchmark
#	bench/run.sh scan latency		those
#	bench/run.sh paper				no benchmark: the tables of docs/research/paper-brdp.md and docs/research/paper-bpf.md
#	bench/run.sh health				no benchmark: the session of docs/research/paper-bpf.md, section 6.3
#	bench/run.sh activity			no benchmark: the experiment of docs/research/paper-pufferfish.md, checked
#	bench/run.sh timing_looks		no benchmark: the table of docs/security.md, time
# ROWS=100000 REPS=3 RUN_SECONDS=2 RELEASES=1000 bench/run.sh		a quick try
# Works below TMPDIR and removes everything at the end (BENCH_KEEP=1 keeps it, server and all).
set -eu -o pipefail
cd "$(dirname "$0")/.."
all="scan order owners join tpch row_time local histories latency repeats planning hooks throughput ledger books samplers accounting calibration regression pufferfish"
wanted=${*:-$all}
for name in $wanted; do
	case " $all paper health activity timing_looks " in *" $name "*) ;; *) echo "usage: $0 [$all] [paper] [health] [activity] [timing_looks]" >&2; exit 2 ;; esac
done
export ROWS=${ROWS:-10000000} OWNERS=${OWNERS:-100000} REPS=${REPS:-7}
export RUN_SECONDS=${RUN_SECONDS:-3} RELEASES=${RELEASES:-100000}

scripts/install-packages.sh build test
. scripts/server.sh
. bench/lib.sh
work=$(mktemp -d "${TMPDIR:-/tmp}/privacct-bench.XXXXXX")
chmod 755 "$work"
export BENCH_WORK=$work PGHOST=$work
data=$work/data

finish()
{
	code=$?
	if [ "${BENCH_KEEP:-0}" != 0 ]; then
		echo "kept $work"
	else
		[ ! -e "$data/postmaster.pid" ] || as_server "$bindir/pg_ctl" -D "$data" -m immediate stop >/dev/null || true
		rm -rf "$work"
	fi
	exit $code
}
trap finish EXIT
trap 'exit 1' INT TERM

# The server's own defaults but for memory, and checkpoints out of the way.
start_server()
{
	stage_build "$work" >"$work/build.log" 2>&1 || { tail -30 "$work/build.log"; exit 1; }
	as_server "$bindir/initdb" -D "$data" -A trust -U postgres --no-locale -E UTF8 >"$work/initdb.log" 2>&1
	{
		server_conf "$work" || exit
		printf '%s\n' "listen_addresses = ''" "unix_socket_directories = '$work'" \
			"shared_buffers = 2GB" "work_mem = 64MB" "maintenance_work_mem = 512MB" \
			"max_wal_size = 16GB" "checkpoint_timeout = 1h" "jit = off" "fsync = on" \
			"max_parallel_workers_per_gather = 0"
	} | as_server tee -a "$data/postgresql.conf" >/dev/null
	as_server "$bindir/pg_ctl" -D "$data" -l "$work/server.log" -w start >/dev/null
	setup roles.sql
}

echo "== $(nproc) cores, $(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo), load $(cut -d' ' -f1-3 /proc/loadavg)"
for name in $wanted; do
	case $name in samplers | accounting | calibration | regression | pufferfish | paper) ;; *) start_server; break ;; esac
done
for name in $wanted; do
	"bench/$name.sh" | tee -a "$work/results"
done
echo "== $(grep -c 'target at' "$work/results") targets, $(grep -c MISSED "$work/results" || true) missed"
