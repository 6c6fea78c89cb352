#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Quantiles: sorting cells and drawing against sorting values.
. "$(dirname "$0")/lib.sh"
setup order.sql -v rows="$ROWS" -v owners="$OWNERS"

order()
{
	compare_queries "$1" "SELECT $2" "SELECT $2" 2.0
}

order order_median "percentile_cont(0.5) WITHIN GROUP (ORDER BY income) FROM earner"
order order_several "percentile_cont(ARRAY[0.1, 0.25, 0.5, 0.75, 0.9]) WITHIN GROUP (ORDER BY income) FROM earner"
order order_float8 "percentile_cont(0.5) WITHIN GROUP (ORDER BY wage) FROM earner"
order order_owners "percentile_cont(0.5) WITHIN GROUP (ORDER BY price) FROM bought"
