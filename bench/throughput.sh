#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# One, eight and sixty-four sessions: guarded queries a second, each of which is a charge, against
# inserted rows a second that are like the line of the ledger which a charge adds.
. "$(dirname "$0")/lib.sh"
export DATABASE=bench_throughput
"$bindir/createdb" -U postgres "$DATABASE"
setup database.sql
setup tiny.sql
as_role postgres -c "CREATE SEQUENCE line_id; CREATE TABLE line (LIKE privacct.ledger_line INCLUDING INDEXES);
	GRANT USAGE ON SEQUENCE line_id TO bench_owner; GRANT INSERT ON line TO bench_owner"

# a_second ROLE FILE CLIENTS
a_second()
{
	pgbench_result "$1" "$2" "$3" -T "$RUN_SECONDS" | cut -d' ' -f2
}

for clients in 1 8 64; do
	forget plain guarded
	for _ in $(seq "$REPS"); do
		keep plain "$(a_second bench_owner line.sql "$clients")"
		keep guarded "$(a_second bench_analyst guarded.sql "$clients")"
	done
	plain=$(median_of plain)
	guarded=$(median_of guarded)
	report "throughput_$clients" "$guarded charges /s against $plain lines /s" "$(ratio "$guarded" "$plain")" least 0.25
done
