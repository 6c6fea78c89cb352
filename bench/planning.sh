#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Planning of guarded statements, as EXPLAIN reports it, in a session that has planned before.
. "$(dirname "$0")/lib.sh"
setup planning.sql

# planning NAME QUERY: median of 41
planning()
{
	for _ in $(seq 42); do echo "EXPLAIN (SUMMARY) $2;"; done |
		as_role bench_analyst -At | sed -n 's/^Planning Time: \(.*\) ms$/\1/p' | tail -41 | median >"$BENCH_WORK/planning"
	report "$1" "$(cat "$BENCH_WORK/planning") ms" "$(ratio "$(cat "$BENCH_WORK/planning")" 2)" most 1
}

planning planning "SELECT ward, count(*), sum(cost), avg(cost) FROM stay WHERE cost > 10 GROUP BY ward"
planning planning_join "SELECT w.building, count(*) FROM stay JOIN hall w USING (ward) WHERE lower(ward) LIKE 'a%' AND cost IN (SELECT floor FROM hall) GROUP BY 1"
