#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Many rows for each owner: contributions bounded by owner and group, alone and
# with two parallel workers, which must not make the ratio worse (5% are noise).
. "$(dirname "$0")/lib.sh"
setup owners.sql -v rows="$ROWS" -v owners="$OWNERS"
query="SELECT shop, count(*), sum(amount) FROM purchase GROUP BY shop"

# one_round WORKERS: keeps a figure of either side
one_round()
{
	export PGOPTIONS="-c max_parallel_workers_per_gather=$1"
	keep "plain_$1" "$(run_ms bench_owner "$query")"
	keep "guarded_$1" "$(run_ms bench_analyst "$query")"
}

# report_workers NAME WORKERS TARGET
report_workers()
{
	report "$1" "$(median_of "guarded_$2") ms against $(median_of "plain_$2") ms" \
		"$(ratio "$(median_of "guarded_$2")" "$(median_of "plain_$2")")" most "$3"
}

one_round 0
forget plain_0 guarded_0 plain_2 guarded_2
for _ in $(seq "$REPS"); do
	one_round 0
	one_round 2
done
report_workers owners 0 3.0
alone=$(ratio "$(median_of guarded_0)" "$(median_of plain_0)")
report_workers owners_parallel 2 "$(awk -v r="$alone" 'BEGIN { print 1.05 * r }')"
