#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Influence curves of Markov chains, on one core; beside numpy if a python3 has it (Debian: python3-numpy).
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
small=$(seconds odometer_1000)
large=$(seconds odometer_10000)
report pufferfish_odometer "a look at 10,000 points in $large s against ten times one at 1000, $small s" \
	"$(ratio "$large" "$(awk -v s="$small" 'BEGIN { print 10 * s }')")" most 1.5

# numpy_python: the first python3 that has it
numpy_python()
{
	for python in python3 /usr/bin/python3; do
		if "$python" -c 'import numpy' 2>/dev/null; then
			echo "$python"
			return
		fi
	done
}
python=$(numpy_python)
if [ -z "$python" ]; then
	echo "pufferfish_numpy: left out, no python3 has numpy"
	exit 0
fi
"$bench/../build/core/bench_pufferfish" curve |
	OMP_NUM_THREADS=1 "$python" "$bench/pufferfish.py" >"$BENCH_WORK/pufferfish.numpy"
while read -r way time off; do
	awk -v off="$off" 'BEGIN { exit !(off < 1e-9) }' ||
		{ echo "pufferfish_numpy_$way: the curves differ by $off" >&2; exit 1; }
	report "pufferfish_numpy_$way" "the same curve (off by $off) in $time s against $chain s" \
		"$(ratio "$time" "$chain")" least 10
done <"$BENCH_WORK/pufferfish.numpy"
