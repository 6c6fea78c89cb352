#!/bin/bash
# Many rows for each owner: contributions bounded by owner and group, alone and
# with two parallel workers, which must not make the ratio worse.
. "$(dirname "$0")/lib.sh"
setup owners.sql -v rows="$ROWS" -v owners="$OWNERS"
query="SELECT shop, count(*), sum(amount) FROM purchase GROUP BY shop"
compare_queries owners "$query" "$query" 3.0
alone=$measured
export PGOPTIONS="-c max_parallel_workers_per_gather=2"
compare_queries owners_parallel "$query" "$query" "$alone"
