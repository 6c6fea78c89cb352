#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The largest valid q of a recycler, and its best scale and q, on one core: slowest of several settings.
. "$(dirname "$0")/lib.sh"
make -s -C "$bench/.." core-bench BENCH=calibration >"$BENCH_WORK/calibration.out"
slowest()
{
	awk -v what="$1" '$1 == what { print $4 }' "$BENCH_WORK/calibration.out" | sort -g | tail -1
}
report calibration_q "$(slowest q) us against 50 us" "$(ratio "$(slowest q)" 50)" most 1.0
report calibration_best "$(slowest best) us against 5000 us" "$(ratio "$(slowest best)" 5000)" most 1.0
