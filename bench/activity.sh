#!/bin/bash
# No benchmark: the experiment of the paper on Pufferfish composition through SQL, as shown in
# docs/research/paper-pufferfish.md.  Fails if what came out is not what is to be expected.
#	RUNS=40		how often each question is asked
. "$(dirname "$0")/lib.sh"
set -o pipefail
runs=${RUNS:-40}
make -s -C "$bench/.." -f src/test/core.mk build/core/bench_activity
program=$bench/../build/core/bench_activity
out=$BENCH_WORK/activity.out

# load TABLE PRINTED ARGUMENTS...
load()
{
	"$program" "$2" "$kind" "${@:3}" | as_role postgres -c "COPY activity.$1 FROM STDIN"
}

for kind in ${KINDS-capture-participant capture-group foursquare-short foursquare-long}; do
	echo "### $kind"
	echo
	as_role postgres -f "$bench/activity/rows.sql"
	load generated rows
	load expected expected "$runs"
	load rate rates
	as_role postgres -f "$bench/activity/protect.sql"
	as_role bench_analyst -v runs="$runs" -f "$bench/activity/ask.sql"
	echo
	as_role postgres -v kind="$kind" -v runs="$runs" -v vectors="$(<"$bench/../src/test/vectors/pufferfish.json")" -f "$bench/activity/figures.sql"
done | tee "$out"
as_role postgres -f "$bench/activity/composition.sql" | tee -a "$out"
! grep -q WRONG "$out"
