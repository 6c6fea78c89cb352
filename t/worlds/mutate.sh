#!/bin/bash
# Tests the harness: each patch of t/worlds/mutations takes one mend out of a copy
# of the sources, and two worlds must then find a difference.
#	-- only: FAMILY		in the patch: the statements to run (default: all)
#	-- pairs: N			how many (default: 5000)
# With arguments only the patches of these names.  Ends with "N killed, N survived".
set -u
cd "$(dirname "$0")/../.."
mutations=$PWD/t/worlds/mutations
# a copy of the sources elsewhere compiles to the same
export CCACHE_NOHASHDIR=1
killed=0
survived=0

wanted()
{
	[ $# -gt 0 ] || { (cd "$mutations" && ls *.patch 2>/dev/null); return; }
	printf '%s.patch\n' "${@%.patch}"
}

told()	# patch, name
{
	sed -nE "s/^-- $2: (.*[^ ]) *$/\1/p" "$mutations/$1" | head -1
}

for patch in $(wanted "$@"); do
	tree=$(mktemp -d "${TMPDIR:-/tmp}/privacct-mutant.XXXXXX")
	git ls-files -z | xargs -0 cp --parents -t "$tree"
	if ! (cd "$tree" && patch -s -p1 <"$mutations/$patch") >"$tree.log" 2>&1; then
		echo "$patch: does not apply"
		survived=$((survived + 1))
	else
		pairs=$(told "$patch" pairs)
		WORLDS_SEED=${WORLDS_SEED:-1} WORLDS_PAIRS=${pairs:-5000} "$tree/scripts/worlds.sh" \
			--only "$(told "$patch" only)" --shrink 0 >"$tree.log" 2>&1
		if [ $? = 1 ] && grep -q '^difference 1' "$tree.log"; then
			killed=$((killed + 1))
			echo "$patch: killed by $(sed -nE 's/^difference 1: (.*) \(seed.*/\1/p' "$tree.log" | head -1)"
		else
			survived=$((survived + 1))
			echo "$patch: survived"
			tail -3 "$tree.log"
		fi
	fi
	rm -rf "$tree" "$tree.log"
done
echo "$killed killed, $survived survived"
[ "$survived" = 0 ]
