#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Exact draws a second on one core, of the slowest of several scales, and what recycling adds.
. "$(dirname "$0")/lib.sh"
make -s -C "$bench/.." core-bench >"$BENCH_WORK/samplers.out"
slowest()
{
	awk -v kernel="$1" '$1 == "draws" && $2 == kernel { print $5 }' "$BENCH_WORK/samplers.out" | sort -g | head -1
}
# largest_overhead KERNEL: relative to the base law's cost, divided by the acceptance of a round
largest_overhead()
{
	awk -v kernel="$1" '$1 == "recycling" && $2 == kernel { print $(NF - 1) }' "$BENCH_WORK/samplers.out" |
		sort -g | tail -1
}
for kernel in laplace gaussian; do
	goal=$([ $kernel = laplace ] && echo 1000000 || echo 500000)
	draws=$(slowest $kernel)
	report "samplers_$kernel" "$draws /s against $goal /s" "$(ratio "$draws" "$goal")" least 1.0
done
for kernel in brdp_laplace brdp_gaussian; do
	report "samplers_$kernel" "a draw against a base draw over the acceptance" "$(largest_overhead $kernel)" most 1.5
done
# relative to what its mean number of rounds allows
report samplers_staircase "rounds a second against 500000" \
	"$(awk '$1 == "staircase" { print $NF }' "$BENCH_WORK/samplers.out" | sort -g | head -1)" least 1.0
