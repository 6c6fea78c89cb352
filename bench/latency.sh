#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# One client: a guarded query on a tiny table against the commit of one inserted row.
. "$(dirname "$0")/lib.sh"
export DATABASE=bench_latency
"$bindir/createdb" -U postgres "$DATABASE"
setup database.sql
setup tiny.sql
forget plain guarded
for _ in $(seq "$REPS"); do
	keep plain "$(typical_ms bench_owner insert.sql -T "$RUN_SECONDS")"
	keep guarded "$(typical_ms bench_analyst guarded.sql -T "$RUN_SECONDS")"
done
plain=$(median_of plain)
guarded=$(median_of guarded)
report latency "$guarded ms against $plain ms" "$(ratio "$guarded" "$plain")" most 3.0
