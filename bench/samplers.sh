#!/bin/bash
# Exact draws a second on one core, of the slowest of several scales.
. "$(dirname "$0")/lib.sh"
make -s -C "$bench/.." core-bench >"$BENCH_WORK/samplers.out"
slowest()
{
	awk -v kernel="$1" '$1 == "draws" && $2 == kernel { print $5 }' "$BENCH_WORK/samplers.out" | sort -g | head -1
}
for kernel in laplace gaussian; do
	goal=$([ $kernel = laplace ] && echo 1000000 || echo 500000)
	draws=$(slowest $kernel)
	report "samplers_$kernel" "$draws /s against $goal /s" "$(ratio "$draws" "$goal")" least 1.0
done
