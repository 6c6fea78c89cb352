#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Tight composition and the privacy profile, on one core.
. "$(dirname "$0")/lib.sh"
make -s -C "$bench/.." core-bench BENCH=accounting >"$BENCH_WORK/accounting.out"
# slowest WHAT NAME COLUMN
slowest()
{
	awk -v what="$1" -v name="$2" -v column="$3" '$1 == what && $2 ~ name { print $column }' \
		"$BENCH_WORK/accounting.out" | sort -g | tail -1
}
mixed=$(slowest different mixed 7)
identical=$(slowest identical . 7)
profile=$(slowest profile . 3)
report accounting_mixed "1000 different releases in $mixed ms (dp_accounting, quoted: 1.9 s) against 50 ms" \
	"$(ratio "$mixed" 50)" most 1.0
report accounting_identical "1000 equal releases in $identical ms (dp_accounting, quoted: 0.05 to 0.26 s) against 50 ms" \
	"$(ratio "$identical" 50)" most 1.0
report accounting_profile "one point of a profile in $profile ns against 1000 ns" \
	"$(ratio "$profile" 1000)" most 1.0
