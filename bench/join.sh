#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A join with a public table of 1,000 rows, read whole and first, against the plain join.
. "$(dirname "$0")/lib.sh"
setup join.sql -v rows="$ROWS"

join()
{
	compare_queries "$1" "$2" "$2" "$3"
}

join join "SELECT count(*), sum(income) FROM visitor JOIN site USING (site_id) WHERE weight < 6" 1.3
join join_grouped "SELECT region, count(*) FROM visitor JOIN site USING (site_id) GROUP BY region" 1.3
join join_in "SELECT count(*) FROM visitor WHERE site_id IN (SELECT site_id FROM site WHERE weight < 6)" 1.3
