#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# One row for each owner: guard, clamp, noise and charge against the plain aggregate.
. "$(dirname "$0")/lib.sh"
setup scan.sql -v rows="$ROWS"

scan()
{
	compare_queries "$1" "SELECT $2" "SELECT $2" 1.15
}

scan scan "count(*), sum(income), avg(income) FROM person"
scan scan_count "count(*) FROM person"
scan scan_sum "sum(income) FROM person"
scan scan_avg "avg(income) FROM person"
for type in large:bigint float:float8 exact:numeric; do
	scan "scan_${type#*:}" "count(*), sum(${type%:*}), avg(${type%:*}) FROM measure"
done
