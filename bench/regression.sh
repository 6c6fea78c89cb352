#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The realised loss over a 9-dimensional box, on one core: time, and how many queries a filter bears.
. "$(dirname "$0")/lib.sh"
make -s -C "$bench/.." core-bench BENCH=regression >"$BENCH_WORK/regression.out"
# column NAME COLUMN
column()
{
	awk -v name="$1" -v column="$2" '$1 == name { print $column }' "$BENCH_WORK/regression.out"
}
row=$(column linear_row 4)
logistic=$(column logistic_full 4)
report regression_row "50 linear queries, bounded after each, in $row s against 0.5 s" \
	"$(ratio "$row" 0.5)" most 1.0
report regression_logistic "a run of logistic queries (median) in $logistic s against 10 s" \
	"$(ratio "$logistic" 10)" most 1.0
linear=$(column linear_full 3)
accepted=$(column logistic_full 3)
report regression_linear_accepted "$linear linear queries at eps 1 (median; sums: 10) against 88" \
	"$(ratio "$linear" 88)" least 1.0
report regression_logistic_accepted "$accepted logistic queries at eps 1 (median; sums: 10) against 34" \
	"$(ratio "$accepted" 34)" least 1.0
