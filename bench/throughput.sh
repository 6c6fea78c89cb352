#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sixteen clients: guarded queries a second against inserted rows a second.
. "$(dirname "$0")/lib.sh"
export DATABASE=bench_throughput
"$bindir/createdb" -U postgres "$DATABASE"
setup database.sql
setup tiny.sql
forget plain guarded
for _ in $(seq "$REPS"); do
	keep plain "$(pgbench_result bench_owner insert.sql 16 -T "$RUN_SECONDS" | cut -d' ' -f2)"
	keep guarded "$(pgbench_result bench_analyst guarded.sql 16 -T "$RUN_SECONDS" | cut -d' ' -f2)"
done
plain=$(median_of plain)
guarded=$(median_of guarded)
report throughput "$guarded /s against $plain /s" "$(ratio "$guarded" "$plain")" least 0.5
