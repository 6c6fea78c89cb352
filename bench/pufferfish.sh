#!/bin/bash
# Influence curves of Markov chains, on one core.
. "$(dirname "$0")/lib.sh"
make -s -C "$bench/.." core-bench BENCH=pufferfish >"$BENCH_WORK/pufferfish.out"
# seconds NAME
seconds()
{
	awk -v name="$1" '$1 == name { print $2 }' "$BENCH_WORK/pufferfish.out"
}
chain=$(seconds chain)
report pufferfish_chain "curve of 78 states, b to 100, in $chain s against 0.15 s" \
	"$(ratio "$chain" 0.15)" most 1.0
