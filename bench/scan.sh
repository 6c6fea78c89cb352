#!/bin/bash
# One row for each owner: guard, clamp, noise and charge against the plain aggregate.
. "$(dirname "$0")/lib.sh"
setup scan.sql -v rows="$ROWS"
query="SELECT count(*), sum(income), avg(income) FROM person"
compare_queries scan "$query" "$query" 1.15
