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
