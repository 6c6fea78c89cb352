#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the lists of kernels and aggregates name has a test and a description, and the allow
# list names each function once, in order; prints what is wrong.
set -u
cd "$(dirname "$0")/../.."

stands_in()	# word, file...
{
	local word=$1 file
	shift
	for file; do grep -qw -- "$word" "$file" || echo "$file does not have $word"; done
}

# A draw is tested only for the kinds that the test of samplers names.
sed -nE 's/^PA_KERNEL\((\w+), (\w+)\).*/\1 \2/p' src/core/noise/kernel_list.h | while read -r kind name; do
	stands_in "$kind" src/test/test_sampler.c
	stands_in "$name" sql/kernels.sql scripts/sanitize/FuzzPools.pm docs/theory.md docs/reference.md
done

# Names that begin with an underscore are for the guard alone.
sed -nE 's/^PA_AGGREGATE\(\w+, ([a-z]\w*),.*/\1/p' src/bound/aggregate_list.h | sort -u | while read -r name; do
	grep -qw -- "$name" sql/*.sql || echo "no test in sql/ has $name"
done

# Of a function that is there twice either line may be found.
grep -oE '\{F_\w+' src/allow/allowlist.c | tr -d '{' | LC_ALL=C sort -c -u 2>&1 |
	sed 's/^.*disorder: /src\/allow\/allowlist.c has twice, or not in alphabetical order: /'
