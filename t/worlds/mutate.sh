#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests the harness: each patch of t/worlds/mutations takes one mend out of a copy
# of the sources, and two worlds must then find a difference.
#	-- only: FAMILIES		in the patch: the statements to run
#	-- pairs: N			how many
#	-- expect: silence		nothing must be found: a patch to compare another with
# First the sources as they are must be silent, with the same seed and all of these
# statements.  With arguments only the patches of these names.  Ends with "N killed,
# N survived".
set -u
cd "$(dirname "$0")/../.."
mutations=$PWD/t/worlds/mutations
export WORLDS_SEED=${WORLDS_SEED:-1}
killed=0
survived=0
work=$(mktemp -d "${TMPDIR:-/tmp}/privacct-mutants.XXXXXX")
trap 'rm -rf "$work"' EXIT

wanted()
{
	[ $# -gt 0 ] || { (cd "$mutations" && ls *.patch); return; }
	printf '%s.patch\n' "${@%.patch}"
}

told()	# patch, name
{
	sed -nE "s/^-- $2: (.*[^ ]) *$/\1/p" "$mutations/$1" | head -1
}

run_worlds()	# tree, families, pairs
{
	WORLDS_PAIRS=$3 "$1/scripts/worlds.sh" --only "$2" --shrink 0 >"$work/log" 2>&1
}

found()
{
	sed -nE 's/^difference 1: (.*) \(seed.*/\1/p' "$work/log"
}

tell()	# patch, whether it is as it should be, what happened
{
	if [ "$2" = yes ]; then killed=$((killed + 1)); else survived=$((survived + 1)); fi
	echo "$1: $3"
	[ "$2" = yes ] || tail -20 "$work/log"
}

try_patch()
{
	local code expected=$(told "$1" expect)

	rm -rf "$work/mutant"
	cp -a "$work/tree" "$work/mutant"
	if ! (cd "$work/mutant" && patch -s -p1 <"$mutations/$1") >"$work/log" 2>&1; then
		tell "$1" no "does not apply"
		return
	fi
	run_worlds "$work/mutant" "$(told "$1" only)" "$(told "$1" pairs)"
	code=$?
	if [ "$expected" = silence ]; then
		if [ $code = 0 ]; then tell "$1" yes "silent, as it should be"; else tell "$1" no "found"; fi
	elif [ $code = 1 ] && [ -n "$(found)" ]; then
		tell "$1" yes "killed by $(found)"
	else
		tell "$1" no survived
	fi
}

# what all of the patches run, one after the other
families=$(wanted "$@" | while read -r patch; do told "$patch" only; done | tr ',' '\n' | sort -u | paste -sd,)
most=$(wanted "$@" | while read -r patch; do told "$patch" pairs; done | sort -n | tail -1)
mkdir "$work/tree"
git ls-files -z | xargs -0 cp -a --parents -t "$work/tree"
if ! run_worlds "$work/tree" "$families" $((most + 500)); then
	echo "the sources as they are:"
	tail -40 "$work/log"
	exit 1
fi
echo "the sources as they are: silent ($(tail -1 "$work/log"))"
for patch in $(wanted "$@"); do
	try_patch "$patch"
done
echo "$killed killed, $survived survived"
[ "$survived" = 0 ]
