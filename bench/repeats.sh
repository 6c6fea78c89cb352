#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# One client: a release that is repeated, among 1000 that are kept, against a row found by its primary key.
. "$(dirname "$0")/lib.sh"
export DATABASE=bench_repeats
"$bindir/createdb" -U postgres "$DATABASE"
setup database.sql
setup tiny.sql
setup repeats.sql
for protocol in prepared simple; do
	forget plain guarded
	for _ in $(seq "$REPS"); do
		keep plain "$(typical_ms bench_owner key.sql -M "$protocol" -T "$RUN_SECONDS")"
		keep guarded "$(typical_ms bench_analyst repeated.sql -M "$protocol" -T "$RUN_SECONDS")"
	done
	plain=$(median_of plain)
	guarded=$(median_of guarded)
	report "repeats_$protocol" "$guarded ms against $plain ms" "$(ratio "$guarded" "$plain")" most "$([ "$protocol" = prepared ] && echo 2.5 || echo 7.0)"
done

# What a repeat takes that compares the rows of a large public table, against the question itself, which reads them, too.
question()
{
	echo "SELECT kind, count(*) FROM tiny JOIN shop ON shop_id = person_id WHERE income > $1 GROUP BY kind"
}

setup repeats_public.sql -v rows="$((ROWS / 10))"
forget plain guarded
run_ms bench_analyst "$(question 0)" >/dev/null
for i in $(seq "$REPS"); do
	keep plain "$(run_ms bench_analyst "$(question "$i")")"
	keep guarded "$(run_ms bench_analyst "$(question 0)")"
done
report repeats_public "$(median_of guarded) ms against $(median_of plain) ms" \
	"$(ratio "$(median_of guarded)" "$(median_of plain)")" most 1.0
