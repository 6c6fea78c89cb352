#!/bin/bash
# The cost of a charge when few and when many were made before.  The small ledger
# is made anew for each repetition, since measuring makes it grow.
. "$(dirname "$0")/lib.sh"
transactions=500

new_ledger()
{
	export DATABASE=$1
	"$bindir/dropdb" -U postgres --if-exists "$DATABASE" 2>/dev/null
	"$bindir/createdb" -U postgres "$DATABASE"
	setup database.sql
	setup tiny.sql
}

releases()
{
	as_role postgres -At -c "SELECT count(*) FROM privacct.ledger"
}

large_then_small()
{
	# shortly before, so that the worker of either database is awake
	DATABASE=bench_ledger_large
	typical_ms bench_analyst guarded.sql -t 10 >/dev/null
	keep large "$(typical_ms bench_analyst guarded.sql -t $transactions)"
	new_ledger bench_ledger_small
	typical_ms bench_analyst guarded.sql -t 10 >/dev/null
	[ "$(releases)" = 10 ]
	keep small "$(typical_ms bench_analyst guarded.sql -t $transactions)"
}

new_ledger bench_ledger_large
pgbench_result bench_analyst guarded.sql 16 -t "$((RELEASES / 16))" >/dev/null
count=$(releases)
forget small large
for _ in $(seq "$REPS"); do
	large_then_small
done
small=$(median_of small)
large=$(median_of large)
report ledger "$large ms at $count releases and more against $small ms at 10 and more" "$(ratio "$large" "$small")" most 1.1
